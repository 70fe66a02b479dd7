//! Holds printed man pages to the program that reads them: groff finds nothing to warn of.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;

fn generate(what: &str) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linktrawl"));
    let output = command.args(["--generate", what]).output().expect("the binary runs");
    assert!(output.status.success(), "--generate {what}: {output:?}");
    output.stdout
}

fn has_all<'n>(offered: &str, names: impl IntoIterator<Item = &'n str>) {
    let words: Vec<_> = offered.split_whitespace().collect();
    names.into_iter().for_each(|name| assert!(words.contains(&name), "{name}: {offered}"));
}

/// The subcommands, as the page of all names the pages of each.
fn subcommands() -> Vec<String> {
    let page = String::from_utf8(generate("man")).expect("UTF-8");
    let (_, others) = page.split_once("\"SEE ALSO\"").expect("the other pages");
    let names = others.split(r"\fBlinktrawl\-").skip(1).filter_map(|rest| rest.split_once('\\'));
    names.map(|(name, _)| name.to_owned()).collect()
}

/// What groff says of `page`, and prints of it.
fn formatted(page: &[u8]) -> (String, String) {
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
    has_all(&names.join(" "), ["scan", "check", "report"]);
    for name in &names {
        let page = generate(&format!("man-{name}"));
        let (warnings, text) = formatted(&page);
        assert_eq!(warnings, "", "man-{name}");
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&format!("NAME linktrawl-{name} - ")), "{text}");
        assert!(text.contains(&format!("\n         linktrawl {name}")), "examples: {text}");
        assert!(words.contains("SEE ALSO linktrawl(1), "), "{text}");
    }
    let (warnings, _) = formatted(&generate("man"));
    assert_eq!(warnings, "", "man");
    let (warnings, _) = formatted(b".TH a 1\n.nosuch\n");
    assert!(warnings.contains("nosuch"), "groff warns of nothing: {warnings}");
}

#[test]
fn a_text_that_is_not_there_is_refused_with_those_that_are() {
    for name in ["man-", "man-help", "complete-sh", ""] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linktrawl"));
        let output = command.args(["--generate", name]).output().expect("the binary runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{name}: {stderr}");
        assert!(name.is_empty() || stderr.contains("man-SUBCOMMAND or one of man"), "{stderr}");
    }
}
