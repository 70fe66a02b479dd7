//! Tests the generated man pages: groff has no warnings about them.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::home;
use crate::support::printed::generate;

/// The subcommands, as the page of all names the pages of each.
fn subcommands() -> Vec<String> {
    let page = generate("man");
    let (_, others) = page.split_once("\"SEE ALSO\"").expect("the other pages");
    let names = others.split(r"\fBlinktrawl\-").skip(1).filter_map(|rest| rest.split_once('\\'));
    names.map(|(name, _)| name.to_owned()).collect()
}

/// Returns the complaints of groff about `page`, and the page as it prints it.
fn formatted(page: &str) -> (String, String) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated.1");
    fs::write(&path, page).expect("a file");
    let output = Command::new("groff")
        .args(["-man", "-ww", "-Kutf8", "-Tutf8", "-P-cbou"])
        .arg(&path)
        .output()
        .expect("groff");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    // It prints the minus and the hyphen of Unicode.
    let shown = text(&output.stdout).replace(['\u{2212}', '\u{2010}'], "-");
    (text(&output.stderr), shown)
}

#[test]
fn every_subcommand_has_a_man_page_that_groff_takes() {
    let names = subcommands();
    for name in ["scan", "check", "report"] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    for name in &names {
        let page = generate(&format!("man-{name}"));
        let (warnings, text) = formatted(&page);
        assert_eq!(warnings, "", "man-{name}");
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&format!("NAME linktrawl-{name} - ")), "{text}");
        assert!(text.contains(&format!("\n         linktrawl {name}")), "examples: {text}");
        assert!(words.contains("SEE ALSO linktrawl(1), "), "{text}");
        let pages = text.split_whitespace().filter_map(|word| word.split_once("(1)"));
        for page in pages.filter_map(|(page, _)| page.strip_prefix("linktrawl-")) {
            assert!(names.iter().any(|known| known == page), "man-{name} names {page}");
        }
    }
    let (_, config) = formatted(&generate("man-config"));
    assert!(config.contains("\n       linktrawl config show\n"), "{config}");
    let (warnings, _) = formatted(&generate("man"));
    assert_eq!(warnings, "", "man");
    let (warnings, _) = formatted(".TH a 1\n.nosuch\n");
    assert!(warnings.contains("nosuch"), "groff warns of nothing: {warnings}");
}

#[test]
fn a_text_that_is_not_there_is_refused_with_those_that_are() {
    for name in ["man-", "man-help", "complete-sh", ""] {
        let mut command = home::linktrawl();
        let output = command.args(["--generate", name]).output().expect("the binary runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{name}: {stderr}");
        assert!(name.is_empty() || stderr.contains("man-TOPIC or one of man"), "{stderr}");
    }
}
