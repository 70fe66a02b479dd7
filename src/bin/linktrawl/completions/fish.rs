//! What the script for fish needs beside that of `clap_complete`, which knows neither values that
//! have no option nor lists.

use super::{Kind, Level, NAME, Named, Values};

/// What may follow in a list: each of the arguments behind what stands before the last comma.
const ITEMS: &str = "
function __fish_NAME_items
    set -l word (commandline -ct | string replace -r '^--[^=]*=' '')
    set -l before (string match -r '^.*,' -- $word)
    and printf '%s\\n' $before$argv
end

";

/// `script`, the other one, with values that have no option, no files among them, and lists.
pub(super) fn with_values(script: &str, levels: &[Level]) -> String {
    let is_last = |level: &&Level| level.parts.is_empty() && level.positional.kind != Kind::Path;
    let others = levels.iter().filter(is_last).filter_map(others);
    let lists = levels.iter().filter_map(lists);
    let items = ITEMS.replace("NAME", NAME);
    format!("{script}{items}{}", others.chain(lists).collect::<String>())
}

/// The lines for lists that are begun at one level.
fn lists(level: &Level) -> Option<String> {
    let start = start(level)?;
    let line = |(names, values): &(Vec<String>, Values)| {
        let name = names.last()?.strip_prefix("--")?;
        let items: Vec<_> = values.offers.iter().map(|offer| offer.name.as_str()).collect();
        let ask = format!("(__fish_{NAME}_items {})", items.join(" "));
        let is_list = values.kind == Kind::List && !items.is_empty();
        is_list.then(|| format!("{start} -l {name} -r -f -a {}\n", escaped(&ask)))
    };
    Some(level.values.iter().filter_map(line).collect())
}

/// The lines for values that have no option at one level, which holds no other.
fn others(level: &Level) -> Option<String> {
    let start = start(level)?;
    let value = |offer: &Named| {
        format!("{start} -f -a {} -d {}\n", escaped(&offer.name), escaped(&offer.about))
    };
    let values: String = level.positional.offers.iter().map(value).collect();
    Some(format!("{start} -f\n{values}"))
}

/// How a line for one level begins; none for the program itself and for `help`, which are known.
fn start(level: &Level) -> Option<String> {
    let names: Vec<_> = level.names.split(';').skip(1).collect();
    let (first, deeper) = names.split_first().filter(|(first, _)| **first != "help")?;
    let seen = deeper.iter().map(|name| format!("; and __fish_seen_subcommand_from {name}"));
    let place = format!("__fish_{NAME}_using_subcommand {first}{}", seen.collect::<String>());
    Some(format!("complete -c {NAME} -n {}", escaped(&place)))
}

/// `text` between single quotes, in which a backslash stands before a quote and a backslash.
fn escaped(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
