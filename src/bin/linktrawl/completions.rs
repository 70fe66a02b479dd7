//! Scripts that complete the command line in shells: subcommands, options, and values of both.
//!
//! Those for bash, zsh and fish are what `clap_complete` makes of clap's definition, with what each
//! of them lacks: lists, values that have no option, words that bash parts. Those for PowerShell
//! and elvish are our own, since `clap_complete` knows no values there: a table made
//! from the same definition, and a few lines that look things up in it.
//!
//! Programs whose scripts ask the program itself know more; the part of `clap_complete` that does
//! so is not stable.

mod bash;
mod elvish;
mod fish;
mod powershell;
mod zsh;

use clap::builder::{PossibleValue, PossibleValuesParser, StyledStr, ValueHint};
use clap::{Arg, Command, CommandFactory as _};
use clap_complete::Shell;

use crate::args::Flags;
use crate::args::check;
use crate::args::generate::Asked;

/// The script for `shell`.
pub(crate) fn script(shell: Shell) -> String {
    let mut command = command();
    match shell {
        Shell::Elvish => elvish::script(&levels(&command)),
        Shell::PowerShell => powershell::script(&levels(&command)),
        shell => {
            let mut made = Vec::new();
            clap_complete::generate(shell, &mut command, NAME, &mut made);
            let (made, levels) = (String::from_utf8_lossy(&made), levels(&command));
            match shell {
                Shell::Bash => bash::with_whole_words(&made, &levels),
                Shell::Fish => fish::with_values(&made, &levels),
                Shell::Zsh => zsh::with_lists(&made, &levels),
                _ => made.into_owned(),
            }
        }
    }
}

const NAME: &str = "linktrawl";

/// Clap's definition, and what values can be where that is known to their readers alone.
fn command() -> Command {
    let verdicts = PossibleValuesParser::new(check::verdict_values());
    let texts = PossibleValuesParser::new(Asked::names());
    let command = Flags::command();
    let mut command = command
        .mut_arg("generate", |arg| arg.value_parser(texts))
        .mut_subcommand("check", |check| {
            check.mut_arg("verdicts", |arg| arg.value_parser(verdicts))
        });
    command.build();
    hinted(command)
}

/// `command`, in which nothing is taken for a path that is none: shells offer files for a value
/// that they know nothing about.
fn hinted(command: Command) -> Command {
    let command = command.mut_args(|arg| {
        let is_free = arg.get_possible_values().is_empty();
        match arg.get_value_hint() {
            ValueHint::Unknown if is_free && arg.get_action().takes_values() => {
                arg.value_hint(ValueHint::Other)
            }
            // A URI or a directory: nobody can guess the one.
            ValueHint::Url => arg.value_hint(ValueHint::DirPath),
            // For bash, names with blanks in them are one word then.
            ValueHint::AnyPath => arg.value_hint(ValueHint::FilePath),
            _ => arg,
        }
    });
    command.mut_subcommands(hinted)
}

/// What may stand behind a command.
struct Level {
    /// Its name and those before it, parted by `;`.
    names: String,
    options: Vec<Named>,
    /// Values of options, behind the names of each.
    values: Vec<(Vec<String>, Values)>,
    /// Subcommands.
    parts: Vec<Named>,
    /// Values that have no option.
    positional: Values,
}

/// A word, and what it means in one line; empty where nobody says so.
struct Named {
    name: String,
    about: String,
}

/// What a value can be.
struct Values {
    kind: Kind,
    offers: Vec<Named>,
}

/// How a value is made of what is offered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One of the offers; with none, nothing is known of it.
    One,
    /// A comma-separated list of them.
    List,
    /// One of them, and a path behind `=`.
    Report,
    /// A path.
    Path,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::List => "list",
            Self::Report => "report",
            Self::Path => "path",
        }
    }
}

/// `command`, and below it all others.
fn levels(command: &Command) -> Vec<Level> {
    let mut found = Vec::new();
    // One that is not looked at yet, and the names before it.
    let mut left = vec![(String::new(), command)];
    while let Some((before, command)) = left.pop() {
        let names = format!("{before}{}", command.get_name());
        let deeper = command.get_subcommands().map(|part| (format!("{names};"), part));
        left.extend(deeper);
        found.push(Level::of(command, names));
    }
    found.sort_by(|one, other| one.names.cmp(&other.names));
    found
}

impl Level {
    fn of(command: &Command, names: String) -> Self {
        let options = || command.get_arguments().filter(|arg| !arg.is_positional());
        let named = options().flat_map(|arg| {
            let about = words(arg.get_help());
            names_of(arg).into_iter().map(move |name| Named { name, about: about.clone() })
        });
        let parts = command
            .get_subcommands()
            .map(|part| Named { name: part.get_name().to_owned(), about: words(part.get_about()) });
        let valued = options().filter(|arg| arg.get_action().takes_values());
        Self {
            names,
            options: named.collect(),
            values: valued.map(|arg| (names_of(arg), Values::of(arg))).collect(),
            parts: parts.collect(),
            positional: Values::without_option(command),
        }
    }

    /// What is offered where no option stands.
    fn offers(&self) -> impl Iterator<Item = &Named> {
        self.parts.iter().chain(&self.positional.offers)
    }
}

impl Values {
    fn of(arg: &Arg) -> Self {
        let values = arg.get_possible_values().into_iter().filter(|value| !value.is_hide_set());
        let offer = |value: PossibleValue| Named {
            name: value.get_name().to_owned(),
            about: words(value.get_help()),
        };
        let has_path = || {
            let mut names = arg.get_value_names().into_iter().flatten();
            names.any(|name| name.contains("=FILE"))
        };
        let kind = match arg.get_value_hint() {
            ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath => Kind::Path,
            _ if arg.get_value_delimiter().is_some() => Kind::List,
            _ if has_path() => Kind::Report,
            _ => Kind::One,
        };
        Self { kind, offers: values.map(offer).collect() }
    }

    /// What may stand behind `command` and is no option.
    fn without_option(command: &Command) -> Self {
        let each = || command.get_positionals().map(Self::of);
        let is_path = each().any(|values| values.kind == Kind::Path);
        Self {
            kind: if is_path { Kind::Path } else { Kind::One },
            offers: each().flat_map(|values| values.offers).collect(),
        }
    }
}

/// Options whose values are lists, without the hyphens, each once.
fn lists(levels: &[Level]) -> Vec<&str> {
    let values = levels.iter().flat_map(|level| &level.values);
    let lists = values.filter(|(_, values)| values.kind == Kind::List);
    let mut names: Vec<_> =
        lists.flat_map(|(names, _)| names).filter_map(|name| name.strip_prefix("--")).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// `-q`, `--quiet`.
fn names_of(arg: &Arg) -> Vec<String> {
    let short = arg.get_short().map(|short| format!("-{short}"));
    let long = arg.get_long().map(|long| format!("--{long}"));
    short.into_iter().chain(long).collect()
}

/// `text` in one line.
fn words(text: Option<&StyledStr>) -> String {
    let text = text.map(ToString::to_string).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `text` between single quotes, in which a quote is written twice.
fn quoted(text: &str, quotes: &[char]) -> String {
    let twice = |letter: char| {
        let count = if quotes.contains(&letter) { 2 } else { 1 };
        std::iter::repeat_n(letter, count)
    };
    format!("'{}'", text.chars().flat_map(twice).collect::<String>())
}
