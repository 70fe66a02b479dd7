//! What the script for zsh needs beside that of `clap_complete`, which completes the first item of
//! a list alone.

use super::{Level, NAME, lists};

/// Takes away what stands before the last comma, asks the other function, and makes an option and
/// its value two words for it.
const ITEMS: &str = r#"
_NAME_items() {
    local option="${words[CURRENT - 1]}"
    if [[ "${words[CURRENT]}" == --(LISTS)=*,* ]]; then
        option="${words[CURRENT]%%=*}"
        words[CURRENT]=("${option}" "${words[CURRENT]#*=}")
        (( CURRENT++ ))
    fi
    if [[ "${option}" == --(LISTS) ]] && compset -P '*,'; then
        words[CURRENT]="${words[CURRENT]##*,}"
    fi
    _NAME "$@"
}
"#;

/// How the script ends: it is read for itself, or as the function that zsh loads.
const END: &str = "\nif [ \"$funcstack[1]\" = ";

/// `script`, the other one, with a function before it that knows lists.
pub(super) fn with_lists(script: &str, levels: &[Level]) -> String {
    let Some((functions, end)) = script.rsplit_once(END) else { return script.to_owned() };
    let end = end.replace(&format!("_{NAME} "), &format!("_{NAME}_items "));
    let items = ITEMS.replace("NAME", NAME).replace("LISTS", &lists(levels).join("|"));
    format!("{functions}{items}{END}{end}")
}
