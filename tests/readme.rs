//! Holds README.md to the tables it is printed from, and every printed text to being there.
//!
//! A block stands between `<!-- generated: NAME -->` and `<!-- end -->`, where NAME is what
//! `linktrawl --generate` takes.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::collections::BTreeSet;
use std::process::Command;

use linktrawl::grammar::normalize::RULE_SETS;
use printed::generate;

mod printed;

const BLOCKS: [&str; 9] = [
    "readme-classes",
    "readme-formats",
    "readme-grammars",
    "readme-kinds",
    "readme-lints",
    "readme-options",
    "readme-rules",
    "readme-schemes",
    "readme-verdicts",
];
const BEGIN: &str = "<!-- generated: ";
const END: &str = "<!-- end -->";

/// Name and text of each block of `readme`.
fn blocks(readme: &str) -> Vec<(&str, &str)> {
    readme
        .split(BEGIN)
        .skip(1)
        .map(|rest| {
            let (name, rest) = rest.split_once(" -->").expect("the end of the opening comment");
            let (text, _) = rest.split_once(END).expect("the end of the block");
            (name, text.trim())
        })
        .collect()
}

#[test]
fn every_printed_block_of_the_readme_is_there_and_fresh() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(path).expect("README.md");
    let blocks = blocks(&readme);
    for (name, text) in &blocks {
        let fresh = generate(name);
        assert!(*text == fresh.trim(), "{name} is stale, put this there:\n{fresh}");
    }
    let found: BTreeSet<_> = blocks.iter().map(|(name, _)| *name).collect();
    assert_eq!(found, BTreeSet::from(BLOCKS));
}

#[test]
fn tables_name_what_the_library_has() {
    let has_all = |what: &str, names: Vec<&str>| {
        let text = generate(what);
        let rows = text.lines().skip(2).count();
        assert_eq!(rows, names.len(), "{what}");
        names.iter().for_each(|name| assert!(text.contains(&format!("`{name}")), "{what} {name}"));
    };
    has_all("readme-formats", linktrawl::report::REPORTS.iter().map(|it| it.name()).collect());
    has_all("readme-grammars", linktrawl::grammar::GRAMMARS.iter().map(|it| it.name()).collect());
    has_all("readme-kinds", linktrawl::source::FORMATS.iter().map(|it| it.name).collect());
    has_all("readme-lints", linktrawl::finding::LINTS.iter().map(|it| it.id).collect());
    has_all("readme-rules", RULE_SETS.iter().map(|it| it.name).collect());
    has_all("readme-schemes", linktrawl::scheme::TABLE.iter().map(|it| it.name).collect());
}

#[test]
fn man_page_and_completions_name_every_option() {
    let table = generate("readme-options");
    let names: BTreeSet<_> = table
        .split([' ', '`', ','])
        .filter_map(|word| word.strip_prefix("--"))
        .filter(|name| !name.is_empty())
        .collect();
    assert!(names.contains("exit-zero") && names.contains("grammar"), "{names:?}");
    let shells = ["bash", "zsh", "fish", "powershell", "elvish"];
    for shell in shells {
        let text = generate(&format!("complete-{shell}"));
        names.iter().for_each(|name| assert!(text.contains(name), "{shell} lacks --{name}"));
    }
    // A hyphen is escaped in roff; a line that begins with an option is its paragraph's title.
    let man = generate("man").replace(r"\-", "-");
    let titles: Vec<_> = man.lines().filter(|line| line.starts_with(r"\fB-")).collect();
    for name in names {
        let title = format!(r"\fB--{name}\fR");
        assert!(titles.iter().any(|line| line.contains(&title)), "man: --{name}");
    }
}

/// Commands and what they print, of the blocks that are marked `console`.
fn sessions(readme: &str) -> Vec<(&str, String)> {
    let blocks = readme.split("\n```console\n").skip(1);
    let texts = blocks.map(|rest| rest.split_once("\n```").expect("the end of the block").0);
    let mut sessions: Vec<(&str, String)> = Vec::new();
    for line in texts.flat_map(str::lines) {
        if let Some(command) = line.strip_prefix("$ linktrawl ") {
            sessions.push((command, String::new()));
        } else {
            let (_, printed) = sessions.last_mut().expect("a command before its output");
            printed.push_str(line);
            printed.push('\n');
        }
    }
    sessions
}

/// The arguments of a command line: parted by blanks, quoted by `'`.
fn arguments(command: &str) -> Vec<String> {
    let pieces = command.split('\'').enumerate();
    let split = |(idx, piece): (usize, &str)| match idx % 2 {
        0 => piece.split_whitespace().map(str::to_owned).collect(),
        _ => vec![piece.to_owned()],
    };
    pieces.flat_map(split).collect()
}

#[test]
fn every_session_of_the_readme_prints_what_it_shows() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(path).expect("README.md");
    let sessions = sessions(&readme);
    assert!(sessions.len() >= 5, "{} sessions", sessions.len());
    for (command, shown) in sessions {
        let output = Command::new(env!("CARGO_BIN_EXE_linktrawl"))
            .args(arguments(command))
            .output()
            .expect("the binary runs");
        assert_eq!(String::from_utf8(output.stdout).expect("UTF-8"), shown, "{command}");
    }
}
