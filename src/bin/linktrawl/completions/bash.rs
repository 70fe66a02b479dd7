//! What the script for bash needs beside that of `clap_complete`.
//!
//! Readline parts words at `=`, `@` and `:`, so that the option of `--format=sarif` and the class
//! of `missing=ok` are words of their own, which the other function finds nothing for.

use super::{Level, NAME, lists};

/// Puts words together, asks the other function for the last item of the last one, and gives
/// readline of each answer what stands behind the last sign that parts words.
const WHOLE_WORDS: &str = r#"
    local line="${COMP_LINE}" last=-1 word idx
    local -a words=()
    for ((idx = 0; idx <= COMP_CWORD; idx++)); do
        word="${COMP_WORDS[idx]}"
        if ((idx > 0)) && [[ -n "${word}" && "${line}" != [[:blank:]]* ]]; then
            words[last]+="${word}"
        else
            words+=("${word}")
            last=$((last + 1))
        fi
        line="${line#*"${word}"}"
    done
    local whole="${words[last]}" option="${words[last - 1]}" before="" value kept
    kept="${whole%"$2"}"
    value="${whole}"
    if [[ "${value}" == --*=* ]]; then
        option="${value%%=*}"
        value="${value#*=}"
        before="${option}="
        words[last]="${option}"
        last=$((last + 1))
    fi
    if [[ "${value}" == *,* && "${option}" =~ ^--(LISTS)$ ]]; then
        before+="${value%,*},"
        value="${value##*,}"
    fi
    words[last]="${value}"
    local COMP_WORDS=("${words[@]}") COMP_CWORD="${last}"
    _NAME "$1" "${value}" "${option}"
    local -a replies=("${COMPREPLY[@]}")
    COMPREPLY=()
    for word in "${replies[@]}"; do
        # Options are for those who begin one; others are offered files.
        if [[ "${word}" != -* || "${value}" == -* ]]; then
            word="${before}${word}"
            COMPREPLY+=("${word#"${kept}"}")
        fi
    done
}

# The order of what is offered is ours from bash 4.4 on.
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then
    complete -F _NAME_words -o nosort -o bashdefault -o default NAME
else
    complete -F _NAME_words -o bashdefault -o default NAME
fi
"#;

/// `script`, the other one, with the function that is asked before it.
pub(super) fn with_whole_words(script: &str, levels: &[Level]) -> String {
    let body = WHOLE_WORDS.replace("NAME", NAME).replace("LISTS", &lists(levels).join("|"));
    format!("{script}\n_{NAME}_words() {{{body}")
}
