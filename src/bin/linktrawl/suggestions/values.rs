//! Suggests values, where clap would guess by spelling alone.

use std::ffi::OsString;

use clap::CommandFactory as _;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use linktrawl::internal::finding::help::Example;
use linktrawl::internal::finding::topic::topics;
use linktrawl::internal::source::FORMATS;

use crate::args::Flags;
use crate::args::alike::is_near;

/// Endings of files by which no kind is known, and the kind.
const ENDINGS: [(&str, &str); 2] = [("markdn", "markdown"), ("txt", "text")];

/// Kinds of files that `--as` does not have, since their content shows what they are.
const KNOWN_BY_CONTENT: [&str; 8] = ["docx", "epub", "gz", "odt", "pdf", "warc", "xlsx", "zip"];

/// Adds a tip to `error`, about a value in `typed`, if the intended one is known.
pub(super) fn advised(mut error: clap::Error, typed: &[OsString]) -> clap::Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    let (option, value) = (text(ContextKind::InvalidArg), text(ContextKind::InvalidValue));
    let suggested = text(ContextKind::SuggestedValue);
    if !is_near(&value, &suggested) {
        error.remove(ContextKind::SuggestedValue);
    }
    match option.split(' ').next().unwrap_or_default() {
        "--as" => {
            let value = value.to_ascii_lowercase();
            if let Some(kind) = kind_of(&value) {
                let kind = ContextValue::String(kind.to_owned());
                error.insert(ContextKind::SuggestedValue, kind);
            } else if KNOWN_BY_CONTENT.contains(&value.as_str()) {
                error.remove(ContextKind::SuggestedValue);
                insert(&mut error, format!("{} is read without --as", value.to_uppercase()));
            }
        }
        "--format" if matches!(value.as_str(), "jsonl" | "jsonlines" | "json-lines") => {
            error.insert(ContextKind::SuggestedValue, ContextValue::String("ndjson".to_owned()));
        }
        "--fail-on" if matches!(value.as_str(), "ok" | "none" | "off" | "no" | "skipped") => {
            insert(&mut error, "--fail-on never".to_owned());
        }
        "[NAME]..." => {
            if let Some(tip) = of_status(&value) {
                insert(&mut error, tip);
            }
        }
        "[TOPIC]..." => {
            if let Some(command) = helped(typed, &value) {
                error.remove(ContextKind::ValidValue);
                error.remove(ContextKind::SuggestedValue);
                let tip =
                    format!("{command} has no subcommand {value:?}: linktrawl help {command}");
                insert(&mut error, tip);
            }
        }
        _ => {}
    }
    error
}

/// Adds `tip` to `error`, in place of other tips in words.
pub(super) fn insert(error: &mut clap::Error, tip: String) {
    let tip = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
    error.insert(ContextKind::Suggested, tip);
}

/// Returns the name of the kind of files whose names end in `ending`, in lower case.
fn kind_of(ending: &str) -> Option<&'static str> {
    let known = FORMATS.iter().find(|format| format.suffixes().contains(&ending));
    let other = || ENDINGS.iter().find(|(other, _)| *other == ending).map(|(_, kind)| *kind);
    known.map(|format| format.name).or_else(other)
}

/// Returns a tip about the status code `text` of HTTP, if it is one: the classes of such answers.
fn of_status(text: &str) -> Option<String> {
    let is_status = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_named = |answers: &str| {
        let mut words = answers.split(|char: char| !char.is_ascii_alphanumeric());
        words.any(|word| word == text)
    };
    let class = topics().find(|topic| match topic.help.example {
        Example::Answer(answers) => is_named(answers),
        _ => false,
    });
    let class = class.map(|class| format!("see {}, or ", class.name)).unwrap_or_default();
    is_status.then(|| format!("{class}linktrawl help classes"))
}

/// Returns the command before `value` in `typed`, if help of a subcommand was requested.
fn helped(typed: &[OsString], value: &str) -> Option<String> {
    let at = typed.iter().position(|argument| argument == value)?;
    let command = typed.get(at.checked_sub(1)?)?.to_str()?;
    let root = Flags::command();
    root.get_subcommands()
        .any(|part| part.get_name() == command && command != "help")
        .then(|| command.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{ENDINGS, FORMATS, KNOWN_BY_CONTENT, kind_of};

    #[test]
    fn an_ending_has_the_kind_of_its_files() {
        for (ending, kind) in [("md", "markdown"), ("yml", "yaml"), ("txt", "text")] {
            assert_eq!(kind_of(ending), Some(kind), "{ending}");
        }
        for (ending, kind) in ENDINGS {
            assert!(FORMATS.iter().all(|format| !format.suffixes().contains(&ending)), "{ending}");
            assert!(FORMATS.iter().any(|format| format.name == kind), "{kind}");
        }
        assert_eq!(KNOWN_BY_CONTENT.map(kind_of), [None; KNOWN_BY_CONTENT.len()]);
    }
}
