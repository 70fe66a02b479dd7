//! Extends the script of `clap_complete` for zsh, which completes only the first item of a list, no
//! path after the name of a format, and no option after a path.

use super::{Level, NAME, ValueSyntax, lists};

/// A function that offers files after the name of a format. Otherwise it removes the text before
/// the last comma, splits an option and its value into two words, and calls the generated function.
///
/// It has the name of the file: zsh loads that as a function of this name, which running it
/// replaces by the one in it.
const ITEMS: &str = r#"
_NAME() {
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
    _NAME_generated "$@"
}
"#;

/// The start of the script's end, which distinguishes a script that is sourced from a function that
/// zsh loads.
const END: &str = "\nif [ \"$funcstack[1]\" = ";

/// Returns the generated `script` with a function before it that handles lists.
pub(super) fn with_lists(script: &str, levels: &[Level]) -> String {
    let Some((functions, end)) = script.rsplit_once(END) else { return script.to_owned() };
    let functions = functions
        .replace(&format!("\n_{NAME}() {{"), &format!("\n_{NAME}_generated() {{"))
        // After a double colon, the words before the first path are no words of the command, so
        // that options are taken for paths (zshcompsys, `_arguments`).
        .replace("\n'*::", "\n'*:");
    let items = ITEMS
        .replace("NAME", NAME)
        .replace("LISTS", &lists(levels).join("|"))
        .replace("REPORTS", &reports(levels).join("|"));
    format!("{functions}{items}{END}{end}")
}

/// Returns the commands and options that accept the name of a format with a path.
fn reports(levels: &[Level]) -> Vec<String> {
    let of = |level: &Level| {
        let (_, command) = level.names.split_once(';')?;
        let reports = level.values.iter().filter(|(_, values)| values.kind == ValueSyntax::Report);
        let names = reports.flat_map(|(names, _)| names);
        Some(names.map(|name| format!("{command}:{name}")).collect::<Vec<_>>())
    };
    levels.iter().filter_map(of).flatten().collect()
}
