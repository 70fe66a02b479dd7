//! What those mean who come from lychee or ripgrep, where clap would guess by the letters alone.
//!
//! Nothing is taken that was not taken before: a tip is added to the error, or a remark to what is
//! said of an input.

use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory as _};
use linktrawl::grammar::resolve;

use crate::config;
use crate::flags::Flags;

/// Options that others have, and what does the same here. What `config import` says of keys of
/// lychee holds for its options; these it says otherwise, or not at all.
const OPTIONS: &[(&str, &str)] = &[
    ("-E", "addresses that are not public are never asked, unless --allow-net opens them"),
    ("-f", "--format NAME, and NAME=FILE for a file"),
    ("-g", "`.linktrawlignore` files leave paths out; the shell finds those that match a pattern"),
    ("-j", "--threads N"),
    ("-n", "progress is shown on terminals only; --quiet prints none"),
    ("-o", "--format NAME=FILE writes a report into a file, as in --format json=out.json"),
    ("-r", "directories are walked whenever they are named"),
    ("-t", "--as KIND, where inputs are not known by what they hold"),
    ("-u", "--no-ignore, and --hidden"),
    ("--cache", "--state FILE keeps answers, and does not ask again what is fresh"),
    ("--glob", "`.linktrawlignore` files leave paths out; the shell finds those that match"),
    ("--host-request-interval", "--host-gap DURATION"),
    ("--include-fragments", "fragments are looked for in files anyway; --fragments all, in pages"),
    ("--include-mail", "links of mailto are asked anyway; --exclude '^mailto:' leaves them out"),
    ("--json", "--format ndjson, or json"),
    ("--max-cache-age", "--max-age DURATION, with --state"),
    ("--method", "--probe head, or get"),
    ("--min-tls", "TLS 1.2 is the least that is spoken"),
    ("--mode", "--color WHEN"),
    ("--no-color", "--color never"),
    ("--no-progress", "progress is shown on terminals only; --quiet prints none"),
    ("--output", "--format NAME=FILE writes a report into a file, as in --format json=out.json"),
    ("--recursive", "directories are walked whenever they are named"),
    ("--scheme", "--include '^https?:' reports links of these schemes alone"),
    ("--type", "--as KIND, where inputs are not known by what they hold"),
];

/// `error` with a tip where it is known what was meant.
pub(crate) fn advised(mut error: clap::Error) -> clap::Error {
    let kind = match error.kind() {
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        _ => return error,
    };
    let Some(ContextValue::String(typed)) = error.get(kind) else { return error };
    let tip = match error.kind() {
        ErrorKind::UnknownArgument => of_option(typed),
        // One that is like the name of a command is that, and clap says so.
        _ if error.get(ContextKind::SuggestedSubcommand).is_some() => None,
        _ => of_input(typed),
    };
    if let Some(tip) = tip {
        // What is like it by its letters would lead astray, and so would its usage.
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::TrailingArg);
        error.remove(ContextKind::Usage);
        let tip = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
        error.insert(ContextKind::Suggested, tip);
    }
    error
}

/// Of which commands `typed` is an option, or what does the same here.
fn of_option(typed: &str) -> Option<String> {
    let command = Flags::command();
    let owners: Vec<_> = command.get_subcommands().filter(|part| has(part, typed)).collect();
    let names: Vec<_> = owners.iter().map(|part| format!("`{}`", part.get_name())).collect();
    let owned = format!("{typed} is an option of {}, and stands behind it", names.join(", "));
    // Options of both programs are those of the commands that do what lychee does.
    if owners.iter().any(|part| part.get_name() == "check") {
        return Some(owned);
    }
    let known = OPTIONS.iter().find(|(name, _)| *name == typed);
    let known = known.map(|(_, here)| (*here).to_owned());
    let known = known.or_else(|| config::of_lychee(typed.strip_prefix("--")?));
    known.or_else(|| (!owners.is_empty()).then_some(owned))
}

/// True when `command` has an option that is called `typed`.
fn has(command: &Command, typed: &str) -> bool {
    let long = typed.strip_prefix("--");
    let short = typed.strip_prefix('-').and_then(|name| name.parse::<char>().ok());
    let is_it = |arg: &clap::Arg| match long {
        Some(long) => arg.get_long() == Some(long),
        None => short.is_some() && arg.get_short() == short,
    };
    command.get_arguments().any(is_it)
}

/// What is done with an input that stands where a command should.
fn of_input(typed: &str) -> Option<String> {
    if resolve::is_base(typed.as_bytes()) {
        return Some("`linktrawl parse URI` explains one URI".to_owned());
    }
    let is_path = typed.contains(['/', '.']) || Path::new(typed).exists();
    let tip = "`linktrawl scan PATH` finds links and asks nobody; `linktrawl check PATH` asks them";
    is_path.then(|| tip.to_owned())
}

/// What is to be said of `path`, which is an input, where nothing is there.
pub(crate) fn of_path(path: &Path) -> Option<String> {
    if path.as_os_str() == "-" || path.symlink_metadata().is_ok() {
        return None;
    }
    let name = path.as_os_str().as_encoded_bytes();
    if resolve::is_base(name) {
        let tip = "inputs are files and directories: `linktrawl parse URI` explains one URI, and \
                   `-` reads what stands on standard input, as in `echo URI | linktrawl check -`";
        return Some(tip.to_owned());
    }
    let has = |byte| name.contains(&byte);
    let is_pattern = has(b'*') || has(b'?') || has(b'[') && has(b']');
    let tip = "patterns are for the shell, which leaves them as they are where nothing matches or \
               quotes stand around them";
    is_pattern.then(|| tip.to_owned())
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::{Flags, OPTIONS, advised, has, of_option};

    #[track_caller]
    fn told(line: &[&str], wanted: &str) {
        let line = ["linktrawl"].iter().chain(line);
        let error = Flags::try_parse_from(line).err().expect("a refusal");
        let words = advised(error).to_string();
        assert!(words.contains(wanted), "{words}");
        assert_eq!(words.matches("tip:").count(), 1, "{words}");
    }

    #[test]
    fn options_of_others_are_told_by_those_that_do_the_same() {
        told(&["check", "--max-concurrency", "5", "."], "tip: --in-flight\n");
        told(&["check", "--max-concurrency=5", "."], "tip: --in-flight\n");
        told(&["check", "--exclude-path", "x", "."], "tip: paths are left out by .linktrawlignore");
        told(&["check", "--no-progress", "."], "tip: progress is shown on terminals only; --quiet");
        told(&["check", "--dump", "."], "tip: `linktrawl scan` lists links");
        told(&["check", "--insecure", "."], "tip: --verdict tls=ok");
        told(&["check", "--max-redirects", "3", "."], "tip: how many are followed is no option");
        told(&["check", "-o", "file", "."], "tip: --format NAME=FILE");
        told(&["check", "--base", "x", "."], "tip: --base-url\n");
        told(&["scan", "-r", "."], "tip: directories are walked whenever they are named");
        told(&["scan", "--type", "md", "."], "tip: --as KIND");
    }

    #[test]
    fn an_option_at_the_wrong_place_is_told_where_it_belongs() {
        told(
            &["--offline", "docs"],
            "tip: --offline is an option of `check`, and stands behind it",
        );
        told(&["scan", "--offline", "."], "tip: --offline is an option of `check`");
        told(&["scan", "--write", "."], "tip: --write is an option of `fix`");
        told(&["-q", "scan", "."], "tip: -q is an option of `scan`, `check`, `fix`");
    }

    #[test]
    fn an_input_without_a_command_is_told_the_commands() {
        told(&["docs/"], "tip: `linktrawl scan PATH` finds links and asks nobody");
        told(&["http://h/"], "tip: `linktrawl parse URI` explains one URI");
        told(&["chek"], "a similar subcommand exists: 'check'");
    }

    #[test]
    fn what_is_merely_mistyped_is_told_by_its_letters() {
        told(&["check", "--ofline", "."], "a similar argument exists: '--offline'");
    }

    #[test]
    fn no_option_of_ours_is_called_one_of_others() {
        let command = Flags::command();
        for (name, _) in OPTIONS {
            assert!(!command.get_subcommands().any(|part| has(part, name)), "{name} is ours");
        }
        for (_, tip) in OPTIONS {
            for option in tip.split([' ', ',', ';']).filter(|word| word.starts_with("--")) {
                assert!(command.get_subcommands().any(|part| has(part, option)), "{option}");
            }
        }
        assert_eq!(of_option("--nothing-like-it"), None);
    }
}
