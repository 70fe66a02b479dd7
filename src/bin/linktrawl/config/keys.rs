//! Lists the keys of a configuration: the options of `check`, which include those of `scan`, by
//! their long names.
//!
//! There is no list of them here. Names, kinds of values and choices are read from clap's
//! definition of the command line, and clap checks each value: a file accepts what the command line
//! accepts, and nothing else.

use std::any::TypeId;
use std::error::Error as _;
use std::num::{NonZeroU32, NonZeroUsize};

use clap::builder::ValueHint;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command, CommandFactory as _};

use crate::args::Flags;
use crate::args::alike::perhaps;
use crate::args::formats::Format;
use crate::args::values::{Confirm, Rate};

/// Options that select the file, or one part of the inputs: they cannot be set in it.
const NOT_IN_FILES: [&str; 3] = ["config", "no-config", "split"];

/// The table of tables for single hosts.
pub(super) const HOSTS: &str = "hosts";

/// The array of tables for some of the inputs.
pub(super) const PATHS: &str = "paths";

/// The names of tables.
pub(super) const TABLES: [&str; 2] = [HOSTS, PATHS];

/// The options that a file can set.
pub(crate) struct Keys {
    command: Command,
}

/// One of these options.
#[derive(Clone, Copy)]
pub(crate) struct Key<'k> {
    /// The option.
    pub(crate) arg: &'k Arg,
    /// Its name, without hyphens before it.
    pub(crate) name: &'k str,
    /// The kind of its value.
    pub(crate) kind: ValueKind,
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    /// `true` or `false`.
    Flag,
    /// One item.
    One(Item),
    /// Any number of items, in an array.
    Many(Item),
}

/// The type of one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// A whole number.
    Number,
    /// A number, or text: a number with a fraction, or the name of a rule in place of one.
    NumberOrText,
    /// Text.
    Text,
    /// The path of a file or a directory.
    Path,
    /// A URI if it has a scheme, and a path otherwise.
    UriOrPath,
    /// `NAME=FILE`, where the file may be absent.
    Report,
}

impl Keys {
    /// Creates the keys of this program.
    pub(crate) fn new() -> Self {
        let mut command = Flags::command();
        command.build();
        Self { command }
    }

    /// Returns all keys, in the order in which help lists them.
    pub(crate) fn all(&self) -> impl Iterator<Item = Key<'_>> {
        let check = self.command.find_subcommand("check");
        check.into_iter().flat_map(Command::get_arguments).filter_map(Key::of)
    }

    /// Returns the key called `name`.
    pub(crate) fn find(&self, name: &str) -> Option<Key<'_>> {
        self.all().find(|key| key.name == name)
    }

    /// Returns why clap rejects `value` for `key`, or `None` if it accepts it.
    pub(crate) fn refusal(&self, key: Key<'_>, value: &str) -> Option<String> {
        self.error(key, &[value]).map(|error| words_of(&error, value))
    }

    /// Reports whether clap accepts all of `values` for `key`. One call checks all, since a call
    /// costs as much as some hundred values.
    pub(crate) fn take_all(&self, key: Key<'_>, values: &[&str]) -> bool {
        self.error(key, values).is_none()
    }

    /// Returns the value that the command line uses for `key` without a value; `None` if it needs
    /// one.
    pub(crate) fn usual(&self, key: Key<'_>) -> Option<String> {
        if !key.may_stand_alone() {
            return None;
        }
        let alone = ["linktrawl", "check"].map(str::to_owned).into_iter();
        let alone = alone.chain([format!("--{}", key.name)]);
        let read = self.command.clone().ignore_errors(true).try_get_matches_from(alone).ok()?;
        let mut values = read.subcommand_matches("check")?.get_raw(key.arg.get_id().as_str())?;
        values.next()?.to_str().map(str::to_owned)
    }

    fn error(&self, key: Key<'_>, values: &[&str]) -> Option<clap::Error> {
        let arguments = values.iter().map(|value| format!("--{}={value}", key.name));
        let all = ["linktrawl", "check"].map(str::to_owned).into_iter().chain(arguments);
        let read = self.command.clone().try_get_matches_from(all);
        // Other required options may come from elsewhere, and no path is needed.
        read.err().filter(|error| error.kind() != ErrorKind::MissingRequiredArgument)
    }
}

impl<'k> Key<'k> {
    fn of(arg: &'k Arg) -> Option<Self> {
        let name = arg.get_long().filter(|name| !NOT_IN_FILES.contains(name))?;
        let kind = match arg.get_action() {
            ArgAction::SetTrue => ValueKind::Flag,
            ArgAction::Set => ValueKind::One(Item::of(arg)),
            ArgAction::Append => ValueKind::Many(Item::of(arg)),
            // Options that print help and exit cannot be set.
            _ => return None,
        };
        Some(Self { arg, name, kind })
    }

    /// Reports whether the option takes one value that may be absent: a file then sets `true`.
    pub(crate) fn may_stand_alone(self) -> bool {
        let is_one = matches!(self.kind, ValueKind::One(_));
        is_one && self.arg.get_num_args().is_some_and(|count| count.min_values() == 0)
    }
}

impl Item {
    fn of(arg: &Arg) -> Self {
        let id = arg.get_value_parser().type_id();
        let numbers = [
            TypeId::of::<u32>(),
            TypeId::of::<u64>(),
            TypeId::of::<usize>(),
            TypeId::of::<NonZeroU32>(),
            TypeId::of::<NonZeroUsize>(),
        ];
        let others = [TypeId::of::<Confirm>(), TypeId::of::<Rate>()];
        match arg.get_value_hint() {
            _ if numbers.iter().any(|number| id == *number) => Self::Number,
            _ if others.iter().any(|other| id == *other) => Self::NumberOrText,
            _ if id == TypeId::of::<Format>() => Self::Report,
            ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath => Self::Path,
            ValueHint::Url => Self::UriOrPath,
            _ => Self::Text,
        }
    }
}

/// Returns the message of `error` about `value`, without the command line that clap adds.
fn words_of(error: &clap::Error, value: &str) -> String {
    if let Some(source) = error.source() {
        return source.to_string();
    }
    let Some(ContextValue::Strings(names)) = error.get(ContextKind::ValidValue) else {
        let words = error.to_string();
        return words.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
    };
    let found = format!("found {value:?}{}", perhaps(value, names.iter().map(String::as_str)));
    format!("expected one of {}; {found}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{Item, Key, Keys, ValueKind};

    #[track_caller]
    fn case(name: &str, kind: ValueKind) {
        assert_eq!(Keys::new().find(name).expect("a key").kind, kind, "{name}");
    }

    #[test]
    fn kinds_are_those_of_the_options() {
        case("unique", ValueKind::Flag);
        case("timeout", ValueKind::One(Item::Text));
        case("retries", ValueKind::One(Item::Number));
        case("threads", ValueKind::One(Item::Number));
        case("in-flight", ValueKind::One(Item::Number));
        case("host-concurrency", ValueKind::One(Item::Number));
        case("confirm", ValueKind::One(Item::NumberOrText));
        case("rate", ValueKind::One(Item::NumberOrText));
        case("exclude", ValueKind::Many(Item::Text));
        case("accept", ValueKind::Many(Item::Text));
        case("index-files", ValueKind::Many(Item::Text));
        case("format", ValueKind::Many(Item::Report));
        case("ca-file", ValueKind::Many(Item::Path));
        case("root-dir", ValueKind::One(Item::Path));
        case("state", ValueKind::One(Item::Path));
        case("base-url", ValueKind::One(Item::UriOrPath));
    }

    #[test]
    fn what_stands_alone_has_a_usual_value() {
        let keys = Keys::new();
        let usual = |name| keys.usual(keys.find(name).expect("a key"));
        assert_eq!(usual("state").as_deref(), Some(".linktrawl.db"));
        assert_eq!(["root-dir", "unique", "retries", "format"].map(usual), [const { None }; 4]);
    }

    #[test]
    fn options_that_name_files_of_options_are_no_keys() {
        let keys = Keys::new();
        let names: Vec<_> = keys.all().map(|key: Key<'_>| key.name).collect();
        for name in ["config", "no-config", "help", "version", "PATH"] {
            assert!(!names.contains(&name), "{name}");
        }
    }
}
