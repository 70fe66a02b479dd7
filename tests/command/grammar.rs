//! Drives `linktrawl grammar` as a process.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::process::Output;

use linktrawl::internal::grammar::GRAMMARS;

use crate::home;

fn grammar(args: &[&str]) -> Output {
    home::linktrawl().arg("grammar").args(args).output().expect("the binary runs")
}

#[track_caller]
fn print(args: &[&str]) -> String {
    let output = grammar(args);
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_list_has_a_line_for_each_grammar() {
    let text = print(&["list"]);
    assert_eq!(text.lines().count(), GRAMMARS.len());
    for (line, grammar) in text.lines().zip(GRAMMARS) {
        assert!(line.starts_with(grammar.name()) && line.contains(grammar.about()), "{line}");
        assert!(grammar.aliases().iter().all(|alias| line.contains(alias)), "{line}");
    }
}

#[test]
fn each_is_shown_with_the_rules_it_starts_from() {
    for grammar in GRAMMARS {
        let text = print(&["show", grammar.name()]);
        assert!(text.contains(grammar.about()));
        let rules = grammar.rules();
        // whatwg alone has none, and says so.
        assert_eq!(rules.starts.is_empty(), text.contains("no rules"));
        for start in rules.starts {
            let is_defined = |line: &str| line.starts_with(&format!("{} =", start.rule));
            assert!(text.lines().any(is_defined), "{} of {}", start.rule, grammar.name());
            assert!(text.contains(&format!("{} states", start.states)) && start.states > 1);
            assert!(start.classes > 1);
        }
        for repair in grammar.repairs().iter() {
            assert!(text.contains(repair.about), "{} of {}", repair.id, grammar.name());
        }
    }
}

#[test]
fn an_alias_shows_the_same() {
    assert_eq!(print(&["show", "rfc3986"]), print(&["show", "rfc3986-uri"]));
}

#[test]
fn an_unknown_name_is_a_bad_option() {
    let output = grammar(&["show", "rfc1739"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("rfc1738"));
}
