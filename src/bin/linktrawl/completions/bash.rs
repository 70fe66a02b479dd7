//! Extends the script of `clap_complete` for bash.
//!
//! Readline splits words at `=`, `@` and `:`, so that the option of `--format=sarif` and the class
//! of `missing=ok` are words of their own, for which the generated function finds nothing. And if a
//! function finds nothing, readline offers files, which are not valid everywhere.

use super::{Level, NAME, ValueSyntax, lists};

/// Joins words, calls the generated function for the last item of the last one, and returns to
/// readline the part of each result after the last separator. bash 3 has no `compopt`, and offers
/// files everywhere.
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

    local level="NAME"
    for word in "${words[@]:1:last-1}"; do
        case "${level};${word}" in
            LEVELS) level+=";${word}" ;;
            *) break ;;
        esac
    done
    case "${level} ${option}" in
        PATHS) ;;
        OTHERS) compopt +o bashdefault +o default 2>/dev/null ;;
    esac
}

# The order of what is offered is ours from bash 4.4 on.
if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then
    complete -F _NAME_words -o nosort -o bashdefault -o default NAME
else
    complete -F _NAME_words -o bashdefault -o default NAME
fi
"#;

/// Returns the generated `script` with the function that is called before it.
pub(super) fn with_whole_words(script: &str, levels: &[Level]) -> String {
    let lists = lists(levels).join("|");
    let deeper = levels.iter().filter(|level| level.names.contains(';'));
    let deeper: Vec<_> = deeper.map(|level| format!("'{}'", level.names)).collect();
    let (paths, others) = places(levels);
    let body = WHOLE_WORDS
        .replace("LISTS", &lists)
        .replace("LEVELS", &deeper.join("|"))
        .replace("PATHS", &paths.join("|"))
        .replace("OTHERS", &others.join("|"))
        .replace("NAME", NAME);
    format!("{script}\n_{NAME}_words() {{{body}")
}

/// Returns patterns of the names of the level and the previous word: for positions of paths after
/// an option, and for positions without paths, after an option or a command.
fn places(levels: &[Level]) -> (Vec<String>, Vec<String>) {
    let (mut paths, mut others) = (Vec::new(), Vec::new());
    for level in levels {
        for (names, values) in &level.values {
            let has_paths = matches!(values.kind, ValueSyntax::Path | ValueSyntax::Report);
            let places = if has_paths { &mut paths } else { &mut others };
            places.extend(names.iter().map(|name| format!("'{} {name}'", level.names)));
        }
        if level.positional.kind != ValueSyntax::Path {
            others.push(format!("'{} '*", level.names));
        }
    }
    (paths, others)
}
