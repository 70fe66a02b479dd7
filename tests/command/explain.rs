//! Tests `linktrawl explain`: every example has its subject, every corrected example does not, and
//! every command prints what the text says.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use linktrawl::internal::finding::Repairs;
use linktrawl::internal::finding::help::Example;
use linktrawl::internal::finding::topic::{Topic, TopicKind, topics};
use linktrawl::internal::grammar::{self, GRAMMARS};
use linktrawl::internal::source::mail::mailbox::{self, FromLine};
use serde_json::Value;

use crate::home;

#[track_caller]
fn linktrawl(arguments: &[&str]) -> Output {
    let mut command = home::linktrawl();
    command.args(arguments).output().expect("the binary runs")
}

#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let output = linktrawl(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Reports whether a grammar, or the lints, report for `text` the subject of `topic`.
fn is_shown_by(topic: &Topic, text: &[u8]) -> bool {
    GRAMMARS.iter().any(|grammar| match (topic.kind, grammar.read(text, Repairs::NONE)) {
        (TopicKind::Fault, Err(fault)) => fault.rule.id == topic.name,
        (TopicKind::Repair, Ok(repairs)) => repairs.iter().any(|repair| repair.id == topic.name),
        (TopicKind::Repair, Err(_)) => {
            let refused = Repairs::find(topic.name).expect("a repair");
            grammar.read(text, refused).is_ok()
        }
        (TopicKind::Lint, Ok(_)) => warns(topic, text),
        _ => false,
    })
}

fn warns(topic: &Topic, text: &[u8]) -> bool {
    let mut warnings = Vec::new();
    grammar::lint(text, &mut warnings);
    warnings.iter().any(|warning| warning.lint.id == topic.name)
}

#[test]
fn every_example_shows_its_rule_and_is_clean_when_fixed() {
    for topic in topics() {
        let name = topic.name;
        match topic.help.example {
            Example::Text { text, fixed } => {
                assert!(is_shown_by(&topic, text.as_bytes()), "{name}: {text}");
                let Some(fixed) = fixed else { continue };
                assert!(GRAMMARS[0].check(fixed.as_bytes()).is_ok(), "{name}: {fixed}");
                assert!(!warns(&topic, fixed.as_bytes()), "{name}: {fixed}");
            }
            Example::Bytes(bytes) => assert!(is_shown_by(&topic, bytes), "{name}"),
            Example::Shown { shown, target } => {
                let mut warnings = Vec::new();
                grammar::lint_shown(target.as_bytes(), shown.as_bytes(), &mut warnings);
                assert_eq!(warnings.first().map(|warning| warning.lint.id), Some(name));
            }
            Example::Cut { link, rest, fixed } => {
                let mut warnings = Vec::new();
                let next = rest.chars().next().unwrap_or_default();
                grammar::lint_cut(link.as_bytes(), next, &mut warnings);
                assert_eq!(warnings.first().map(|warning| warning.lint.id), Some(name));
                assert!(GRAMMARS[0].check(fixed.as_bytes()).is_ok(), "{name}: {fixed}");
            }
            Example::Fields { fields, fixed } => {
                let ids = |fields: &str| -> Vec<_> {
                    let message = mailbox::message(fields.as_bytes(), 0, FromLine::Belongs);
                    let warnings = message.unsubscribe.map(|offer| offer.warnings);
                    warnings.unwrap_or_default().iter().map(|warning| warning.lint.id).collect()
                };
                assert!(ids(fields).contains(&name), "{name}: {:?}", ids(fields));
                assert!(ids(fixed).is_empty(), "{name}: {:?}", ids(fixed));
            }
            Example::Asked(_) | Example::Answer(_) => assert_eq!(topic.kind, TopicKind::Class),
            Example::None => {
                let needs_none =
                    [TopicKind::Note, TopicKind::Skip, TopicKind::Left, TopicKind::Family];
                assert!(needs_none.contains(&topic.kind), "{name} has no example");
            }
        }
    }
}

/// The class of `link` in a record of `check`. None of these links leads to the network.
#[track_caller]
fn class_of(link: &str) -> String {
    let args = ["check", "-", "--as", "html", "--format", "ndjson", "--quiet", "--exit-zero"];
    let page = format!("<a href=\"{link}\">x</a>\n");
    let output = home::run_on(Path::new(env!("CARGO_MANIFEST_DIR")), &args, page);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let record: Value = serde_json::from_str(text.lines().next().expect("a record")).expect("JSON");
    record["reach"]["class"].as_str().unwrap_or("none").to_owned()
}

#[test]
fn every_link_that_stands_for_a_class_is_given_that_class() {
    let mut count = 0;
    for topic in topics() {
        if let Example::Asked(link) = topic.help.example {
            assert_eq!(class_of(link), topic.name, "{link}");
            count += 1;
        }
    }
    assert!(count >= 5, "{count} links");
}

/// Returns the commands in `text`, which follow `  $ `, and the output printed below each.
fn sessions(text: &str) -> Vec<(&str, String)> {
    let mut sessions: Vec<(&str, String)> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("  $ ") {
            sessions.push((command, String::new()));
            is_open = true;
        } else if line == "Fixed" || !line.is_empty() && !line.starts_with("  ") {
            // The corrected text, or the next of two topics that have this name.
            is_open = false;
        } else if let Some((_, printed)) = sessions.last_mut().filter(|_| is_open) {
            printed.push_str(line.strip_prefix("  ").unwrap_or(line));
            printed.push('\n');
        }
    }
    sessions
}

#[test]
fn every_command_of_an_explanation_prints_what_it_shows() {
    let mut count = 0;
    for topic in topics() {
        for (command, shown) in sessions(&printed(&["explain", topic.name])) {
            let command = command.replace("linktrawl", env!("CARGO_BIN_EXE_linktrawl"));
            let output = Command::new("sh").args(["-c", &command]).output().expect("a shell");
            let found = String::from_utf8(output.stdout).expect("UTF-8");
            assert_eq!(found.trim_end(), shown.trim_end(), "{command}");
            count += 1;
        }
    }
    assert!(count > 40, "{count} commands");
}

#[test]
fn what_fix_leaves_and_words_for_several_classes_are_explained() {
    let left = ["mail", "packed", "scattered", "stdin", "password", "overlap", "unread"];
    let families = ["tls", "policy", "dns"];
    for name in left.into_iter().chain(["outside", "uncertain"]).chain(families) {
        assert!(printed(&["explain", name]).contains("\nFix\n"), "{name}");
    }
    assert!(printed(&["explain", "packed"]).contains("\n  a reason of fix"));
}

#[test]
fn all_names_are_listed_and_each_is_explained() {
    let list = printed(&["explain"]);
    for topic in topics() {
        let row = format!("  {} ", topic.name);
        assert!(list.lines().any(|line| line.starts_with(&row)), "{}", topic.name);
        let text = printed(&["explain", &topic.name.to_uppercase()]);
        let head = format!("{}: {}\n", topic.name, topic.about);
        assert!(text.contains(&head) && text.contains(&*topic.spec), "{text}");
        let (_, sentences) = text.split_once("\nWhy\n").expect("sentences");
        let sentences = sentences.split("\nExample").next().expect("sentences");
        assert!(sentences.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

#[test]
fn an_unknown_name_is_refused_with_the_nearest() {
    let output = linktrawl(&["explain", "pct-encodes"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.contains("'pct-encoded'") && said.lines().count() < 8, "{said}");
    assert!(said.contains("lists all names"), "{said}");
    let output = linktrawl(&["explain", "xyz"]);
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.contains("tip: `linktrawl explain` lists all names"), "{said}");
}

#[test]
fn what_summaries_count_by_is_explained() {
    let folder = format!("{}/explain-walk", env!("CARGO_TARGET_TMPDIR"));
    fs::create_dir_all(&folder).expect("a folder");
    for name in [".hidden", "a.7z", "b.txt"] {
        let text: &[u8] =
            if name == "a.7z" { b"7z\xbc\xaf\x27\x1c" } else { b"http://h/ ftp://f/" };
        fs::write(format!("{folder}/{name}"), text).expect("a file");
    }
    let text = printed(&["scan", &folder, "--format", "ndjson", "--exclude", "ftp"]);
    let summary: Value = serde_json::from_str(text.lines().last().expect("a line")).expect("JSON");
    let reasons = summary["skipped"].as_object().expect("an object");
    assert!(reasons.len() >= 3, "{summary}");
    for reason in reasons.keys() {
        assert!(topics().any(|topic| topic.name == reason), "{reason}");
    }
}
