//! What the script for zsh needs beside that of `clap_complete`, which completes the first item of
//! a list alone, and no path behind the name of a format.

use super::{Kind, Level, NAME, lists};

/// Offers files behind the name of a format. Otherwise takes away what stands before the last
/// comma, asks the other function, and makes an option and its value two words for it.
const ITEMS: &str = r#"
_NAME_items() {
    local word="${words[CURRENT]}" option="${words[CURRENT - 1]}" signs=1
    if [[ "${word}" == --*=* ]]; then
        option="${word%%=*}"
        signs=2
    fi
    if [[ "${words[2]}:${option}" == (REPORTS) ]] && compset -P "${signs}" '*='; then
        _files
        return
    fi
    if [[ "${option}" == --(LISTS) && "${word}" == *,* ]]; then
        if (( signs == 2 )); then
            words[CURRENT]=("${option}" "${word#*=}")
            (( CURRENT++ ))
        fi
        compset -P '*,' && words[CURRENT]="${words[CURRENT]##*,}"
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
    let items = ITEMS
        .replace("NAME", NAME)
        .replace("LISTS", &lists(levels).join("|"))
        .replace("REPORTS", &reports(levels).join("|"));
    format!("{functions}{items}{END}{end}")
}

/// Commands and their options that take the name of a format with a path behind it.
fn reports(levels: &[Level]) -> Vec<String> {
    let of = |level: &Level| {
        let (_, command) = level.names.split_once(';')?;
        let reports = level.values.iter().filter(|(_, values)| values.kind == Kind::Report);
        let names = reports.flat_map(|(names, _)| names);
        Some(names.map(|name| format!("{command}:{name}")).collect::<Vec<_>>())
    };
    levels.iter().filter_map(of).flatten().collect()
}
