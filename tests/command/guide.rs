//! Tests that the guide has the tables that are generated for it, that every generated text is in
//! it, and that the README agrees with the guide.
//!
//! A block is between `<!-- generated: NAME -->` and `<!-- end -->`; NAME is an argument of
//! `linktrawl --generate`.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::collections::BTreeSet;

use crate::home;
use crate::support::printed::generate;
use linktrawl::guide::TOPICS;
use linktrawl::internal::grammar::normalize::RULE_SETS;

const BLOCKS: [&str; 11] = [
    "guide-classes",
    "guide-formats",
    "guide-grammars",
    "guide-gateways",
    "guide-kinds",
    "guide-lints",
    "guide-options",
    "guide-refused",
    "guide-rules",
    "guide-schemes",
    "guide-verdicts",
];
const BEGIN: &str = "<!-- generated: ";
const END: &str = "<!-- end -->";

/// Returns name and text of each block of `page`.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    page.split(BEGIN)
        .skip(1)
        .map(|rest| {
            let (name, rest) = rest.split_once(" -->").expect("the end of the opening comment");
            let (text, _) = rest.split_once(END).expect("the end of the block");
            (name, text.trim())
        })
        .collect()
}

const README: &str = include_str!("../../README.md");
/// Lines of README: a page to read.
const README_LINES_MAX: usize = 250;

#[test]
fn every_printed_block_of_the_guide_is_there_and_fresh() {
    let blocks: Vec<_> = TOPICS.iter().flat_map(|topic| blocks(topic.text)).collect();
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
    has_all(
        "guide-formats",
        linktrawl::internal::report::REPORTS.iter().map(|it| it.name()).collect(),
    );
    has_all(
        "guide-grammars",
        linktrawl::internal::grammar::GRAMMARS.iter().map(|it| it.name()).collect(),
    );
    has_all("guide-kinds", linktrawl::internal::source::FORMATS.iter().map(|it| it.name).collect());
    has_all("guide-lints", linktrawl::internal::finding::LINTS.iter().map(|it| it.id).collect());
    has_all("guide-rules", RULE_SETS.iter().map(|it| it.name).collect());
    has_all("guide-schemes", linktrawl::internal::scheme::TABLE.iter().map(|it| it.name).collect());
}

#[test]
fn man_page_and_completions_name_every_option() {
    let table = generate("guide-options");
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
fn sessions(page: &str) -> Vec<(String, String)> {
    let blocks = page.split("\n```console\n").skip(1);
    let texts = blocks.map(|rest| rest.split_once("\n```").expect("the end of the block").0);
    // A command may go on after a backslash.
    let texts: Vec<_> = texts.map(|text| text.replace("\\\n", "")).collect();
    let mut sessions: Vec<(String, String)> = Vec::new();
    for line in texts.iter().flat_map(|text| text.lines()) {
        if let Some(command) = line.strip_prefix("$ linktrawl ") {
            sessions.push((command.to_owned(), String::new()));
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
fn every_session_of_the_guide_prints_what_it_shows() {
    let sessions: Vec<_> = TOPICS.iter().flat_map(|topic| sessions(topic.text)).collect();
    assert!(sessions.len() >= 5, "{} sessions", sessions.len());
    for (command, shown) in sessions {
        let output = home::linktrawl().args(arguments(&command)).output().expect("the binary runs");
        assert_eq!(String::from_utf8(output.stdout).expect("UTF-8"), shown, "{command}");
    }
}

/// Columns of a line of code: `linktrawl help TOPIC` puts four blanks before it, on a screen of 80.
const CODE_COLUMNS_MAX: usize = 76;

/// Kinds of blocks that quote output, which is as wide as it is.
const OUTPUT: [&str; 3] = ["console", "json", "text"];

#[test]
fn code_of_the_guide_fits_a_screen() {
    for topic in TOPICS {
        let blocks = topic.text.split("\n```").skip(1).step_by(2);
        let blocks: Vec<_> = blocks.map(|it| it.split_once('\n').expect("its lines")).collect();
        let is_output = |kind: &str| OUTPUT.contains(&kind);
        let code = blocks.iter().filter(|(kind, _)| !is_output(kind)).map(|(_, text)| *text);
        let wide = code.flat_map(str::lines).find(|it| it.chars().count() > CODE_COLUMNS_MAX);
        assert_eq!(wide, None, "{}", topic.name);
        let commands = blocks.iter().flat_map(|(_, text)| text.lines());
        let commands = commands.filter(|line| line.starts_with("$ "));
        let wide = commands.max_by_key(|line| line.chars().count()).unwrap_or_default();
        assert!(wide.chars().count() <= CODE_COLUMNS_MAX, "{}: {wide}", topic.name);
    }
}

#[test]
fn the_readme_is_a_page_and_its_commands_are_recipes() {
    assert!(README.lines().count() <= README_LINES_MAX);
    let (_, uses) = README.split_once("\n## Three first uses\n").expect("the section");
    let (uses, _) = uses.split_once("\n## ").expect("another section follows it");
    let recipes = linktrawl::guide::find("recipes").expect("the topic").text;
    let scripts: Vec<_> =
        uses.split("```sh\n").skip(1).filter_map(|it| it.split("```").next()).collect();
    assert_eq!(scripts.len(), 3);
    scripts.iter().for_each(|script| assert!(recipes.contains(script), "{script}"));
}

/// Runs `linktrawl` with `words`.
fn printed_by(words: &[&str]) -> String {
    let output = home::linktrawl().args(words).output();
    let output = output.expect("the binary runs");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn help_lists_every_topic_and_prints_each_within_its_width() {
    let index = printed_by(&["help"]);
    for topic in TOPICS {
        assert!(index.contains(&format!("`{}`", topic.name)), "{}", topic.name);
        assert!(topic.text.starts_with("# ") && !topic.about().is_empty(), "{}", topic.name);
        let page = printed_by(&["help", topic.name]);
        assert!(page.starts_with(topic.title()), "{}", topic.name);
        // Words that are longer than a line, and code, are not broken.
        let is_wide = |line: &&str| line.chars().count() > 80 && !line.starts_with("    ");
        assert_eq!(page.lines().find(is_wide), None, "{}", topic.name);
    }
}

/// Returns the names that `text` has in the table called `heading`, which ends at an empty line.
fn names_below<'t>(text: &'t str, heading: &str) -> Vec<&'t str> {
    let rows = text.lines().skip_while(|line| *line != heading).skip(1);
    rows.take_while(|line| !line.is_empty()).filter_map(|line| line.split(' ').nth(2)).collect()
}

/// Returns the long options that lines of `text` begin with.
fn options_of(text: &str) -> Vec<&str> {
    let heads = text.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    // The description follows after two blanks, or on the next line.
    let heads = heads.filter_map(|line| line.split("  ").next());
    heads
        .flat_map(|head| head.split([' ', ',', '=', '[']))
        .filter(|it| it.starts_with("--"))
        .collect()
}

#[test]
fn the_help_of_a_command_is_a_summary_and_help_has_every_option() {
    /// Lines of two screens.
    const LINES_MAX: usize = 2 * 50;
    let commands = printed_by(&["--help"]);
    let commands = names_below(&commands, "Commands:");
    assert!(commands.len() > 10, "{commands:?}");
    for name in commands {
        let mut summary = home::linktrawl();
        let summary = summary.args([name, "--help"]).env("COLUMNS", "80").output();
        let summary = String::from_utf8(summary.expect("the binary runs").stdout).expect("UTF-8");
        let lines = summary.lines().count();
        assert!((5..=LINES_MAX).contains(&lines), "{name}: {lines} lines");
        assert!(summary.lines().all(|line| line.chars().count() <= 80), "{summary}");
        assert_eq!(printed_by(&[name, "-h"]), printed_by(&[name, "--help"]));
        let whole = printed_by(&["help", name]);
        let examples = whole.split_once("\nExamples:\n").map_or("", |(_, examples)| examples);
        let wide = examples.lines().find(|line| line.chars().count() > 80);
        assert_eq!(wide, None, "{name}: commands cannot be copied in parts");
        for option in options_of(&summary) {
            assert!(options_of(&whole).contains(&option), "{name} {option}");
        }
    }
    let whole = printed_by(&["help", "check"]);
    let seldom = ["--crl-file", "--no-unwrap", "--urn-resolver"];
    assert!(seldom.iter().all(|option| options_of(&whole).contains(option)), "{whole}");
}

#[test]
fn help_finds_commands_within_commands_and_knows_near_names() {
    assert!(printed_by(&["help", "config", "show"]).contains("linktrawl config show [OPTIONS]"));
    let output = home::linktrawl().args(["help", "mial"]).output();
    let output = output.expect("the binary runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("'mail'"));
}

#[test]
fn every_topic_is_a_man_page_that_keeps_its_code() {
    for topic in TOPICS {
        let page = generate(&format!("man-{}", topic.name));
        assert!(page.starts_with(&format!(".TH linktrawl\\-{} 7 ", topic.name)), "{page}");
        let shown = page.replace("\\-", "-").replace("\\e", "\\").replace("\\(dq", "\"");
        let code = topic.text.split("\n```").skip(1).step_by(2);
        for line in code.flat_map(|block| block.lines().skip(1)) {
            assert!(shown.contains(line), "{}: {line}", topic.name);
        }
    }
}
