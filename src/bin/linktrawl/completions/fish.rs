//! Extends the script of `clap_complete` for fish, which knows neither positional values nor lists,
//! nor paths after the name of a format.

use super::{Level, NAME, Named, ValueSyntax, Values};

/// A function for lists: offers each argument, after the text before the last comma.
const ITEMS: &str = "
function __fish_NAME_items
    set -l word (commandline -ct | string replace -r '^--[^=]*=' '')
    set -l before (string match -r '^.*,' -- $word)
    and printf '%s\\n' $before$argv
end

";

/// A function that offers paths after the name of a format.
const REPORTS: &str = "
function __fish_NAME_reports
    set -l word (commandline -ct | string replace -r '^--[^=]*=' '')
    set -l before (string match -r '^[^=]*=' -- $word)
    and printf '%s\\n' $before(__fish_complete_path (string replace -r '^[^=]*=' '' -- $word))
end

";

/// Returns the generated `script` with positional values, without files among them, and with lists.
pub(super) fn with_values(script: &str, levels: &[Level]) -> String {
    let is_last =
        |level: &&Level| level.parts.is_empty() && level.positional.kind != ValueSyntax::Path;
    let others = levels.iter().filter(is_last).filter_map(others);
    let asked = levels.iter().filter_map(asked);
    let unseen = levels.iter().filter_map(|level| unseen(level, levels));
    let functions = [ITEMS, REPORTS].concat().replace("NAME", NAME);
    let script = with_escaped_offers(script);
    format!("{script}{functions}{}", others.chain(asked).chain(unseen).collect::<String>())
}

/// Escapes the values of options in the generated `script`: it puts them between double quotes, and
/// escapes neither these nor the variables in the description of a value.
fn with_escaped_offers(script: &str) -> String {
    const COMMAND: &str = "\ncomplete ";
    let escape = |command: &str| {
        let shown = command.trim_end();
        let offers = shown.strip_suffix('"').and_then(|shown| shown.split_once(" -a \""));
        let Some((start, offers)) = offers else { return command.to_owned() };
        let offers = offers.replace('"', "\\\"").replace('$', "\\$");
        let end = command.get(shown.len()..).unwrap_or_default();
        format!("{start} -a \"{offers}\"{end}")
    };
    script.split(COMMAND).map(escape).collect::<Vec<_>>().join(COMMAND)
}

/// Returns the lines for lists at one level, and for formats with a path.
fn asked(level: &Level) -> Option<String> {
    let start = start(level)?;
    let line = |(names, values): &(Vec<String>, Values)| {
        let name = names.last()?.strip_prefix("--")?;
        let items: Vec<_> = values.offers.iter().map(|offer| offer.name.as_str()).collect();
        let ask = match values.kind {
            ValueSyntax::List if !items.is_empty() => {
                format!("(__fish_{NAME}_items {})", items.join(" "))
            }
            ValueSyntax::Report => format!("(__fish_{NAME}_reports)"),
            _ => return None,
        };
        Some(format!("{start} -l {name} -r -f -a {}\n", escaped(&ask)))
    };
    Some(level.values.iter().filter_map(line).collect())
}

/// Returns the lines for subcommands and options that the generated script contains and never
/// offers.
fn unseen(level: &Level, levels: &[Level]) -> Option<String> {
    let parts = level.parts.iter().map(|part| part.name.as_str()).filter(|name| *name != HELP);
    let parts: Vec<_> = parts.collect();
    let none = format!("not __fish_seen_subcommand_from {}", parts.join(" "));
    match level.names.split_once(';') {
        None => Some(of_program(level, &none)),
        Some((_, HELP)) => Some(of_help(level, levels)),
        Some(_) => None,
    }
}

/// Returns the lines for values of the program's own options, if `none` of the commands was given.
/// The generated script requires that the line before them is complete.
fn of_program(level: &Level, none: &str) -> String {
    let start = format!("complete -c {NAME} -n {}", escaped(none));
    let lines = |(names, values): &(Vec<String>, Values)| {
        let name = names.last()?.strip_prefix("--")?;
        let offers = values.offers.iter();
        let lines = offers.map(|offer| offered(&format!("{start} -l {name} -r"), offer));
        Some(lines.collect::<String>())
    };
    level.values.iter().filter_map(lines).collect()
}

/// Returns a line that excludes files from `help`, lines for the topics and commands that it
/// accepts if there is none yet, and lines for the subcommands of a command that follows.
fn of_help(level: &Level, levels: &[Level]) -> String {
    let after = format!("__fish_{NAME}_using_subcommand {HELP}");
    let start = |place: &str| format!("complete -c {NAME} -n {}", escaped(place));
    let lines = |place: &str, names: &[Named]| {
        let others = names.iter().map(|name| name.name.as_str()).filter(|name| *name != HELP);
        let others: Vec<_> = others.collect();
        let none = format!("not __fish_seen_subcommand_from {}", others.join(" "));
        let start = start(&format!("{after}{place}; and {none}"));
        names.iter().map(|name| offered(&start, name)).collect::<String>()
    };
    let mut text = format!("{} -f\n{}", start(&after), lines("", &level.positional.offers));
    for inner in levels.iter().filter(|inner| !inner.parts.is_empty()) {
        if let Some((_, name)) = inner.names.split_once(';') {
            let place = format!("; and __fish_seen_subcommand_from {name}");
            text.push_str(&lines(&place, &inner.parts));
        }
    }
    text
}

/// Formats a line that begins with `start`, and offers no files.
fn offered(start: &str, offer: &Named) -> String {
    format!("{start} -f -a {} -d {}\n", escaped(&offer.name), escaped(&offer.about))
}

/// Returns the lines for positional values at one level that contains no other level.
fn others(level: &Level) -> Option<String> {
    let start = start(level)?;
    let offers = level.positional.offers.iter();
    let values: String = offers.map(|offer| offered(&start, offer)).collect();
    Some(format!("{start} -f\n{values}"))
}

/// The command that prints the guide, and the help of other commands.
const HELP: &str = "help";

/// Returns the beginning of a line for one level; `None` for the program itself and for `help`,
/// which have lines of their own.
fn start(level: &Level) -> Option<String> {
    let names: Vec<_> = level.names.split(';').skip(1).collect();
    let (first, deeper) = names.split_first().filter(|(first, _)| **first != HELP)?;
    let seen = deeper.iter().map(|name| format!("; and __fish_seen_subcommand_from {name}"));
    let place = format!("__fish_{NAME}_using_subcommand {first}{}", seen.collect::<String>());
    Some(format!("complete -c {NAME} -n {}", escaped(&place)))
}

/// Quotes `text` with single quotes, in which quotes and backslashes are escaped with a backslash.
fn escaped(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
