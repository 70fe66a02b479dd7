//! Holds printed completions and man pages to the programs that read them: shells take the
//! scripts and offer the values there are, and groff finds nothing to warn of.
//!
//! PowerShell and elvish are no packages of Debian; that their scripts name every option is
//! held in `readme`.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use linktrawl::report::REPORTS;

fn generate(what: &str) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linktrawl"));
    let output = command.args(["--generate", what]).output().expect("the binary runs");
    assert!(output.status.success(), "--generate {what}: {output:?}");
    output.stdout
}

/// The completions for `shell`, in a file of the test called `test`.
fn script(test: &str, shell: &str) -> PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated");
    fs::create_dir_all(&home).expect("a directory");
    let path = home.join(format!("{test}.{shell}"));
    fs::write(&path, generate(&format!("complete-{shell}"))).expect("a file");
    path
}

/// What `shell` prints when it runs `text` with `script` as its first argument.
#[track_caller]
fn run(shell: &str, options: &[&str], text: &str, script: &Path) -> String {
    let output = Command::new(shell)
        .args(options)
        .args(["-c", text, shell])
        .arg(script)
        .stdin(Stdio::null())
        .env("HOME", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("the shell");
    assert!(output.status.success(), "{shell}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn shells_take_their_scripts() {
    for shell in ["bash", "zsh", "fish"] {
        let script = script("taken", shell);
        let output = Command::new(shell).arg("-n").arg(&script).output().expect("the shell");
        assert!(output.status.success() && output.stderr.is_empty(), "{shell}: {output:?}");
        // The check itself can fail.
        fs::write(&script, "if (\n").expect("a file");
        let output = Command::new(shell).arg("-n").arg(&script).output().expect("the shell");
        assert!(!output.status.success(), "{shell} takes anything");
    }
}

fn has_all<'n>(offered: &str, names: impl IntoIterator<Item = &'n str>) {
    let words: Vec<_> = offered.split_whitespace().collect();
    names.into_iter().for_each(|name| assert!(words.contains(&name), "{name}: {offered}"));
}

/// What bash offers behind `words`.
fn offered_by_bash(script: &Path, words: &str) -> String {
    let count = words.split(' ').count();
    let text = format!(
        "source \"$1\"; COMP_WORDS=({words} ''); COMP_CWORD={count}; \
         _linktrawl linktrawl '' \"${{COMP_WORDS[COMP_CWORD-1]}}\"; echo \"${{COMPREPLY[@]}}\""
    );
    run("bash", &["--norc"], &text, script)
}

#[test]
fn bash_offers_subcommands_options_and_values() {
    let script = script("offered", "bash");
    let offered = |words: &str| offered_by_bash(&script, words);
    has_all(&offered("linktrawl"), ["scan", "check", "explain"]);
    has_all(&offered("linktrawl scan --format"), REPORTS.iter().map(|report| report.name()));
    has_all(&offered("linktrawl check --fail-on"), ["warn", "error", "never"]);
    has_all(&offered("linktrawl report --hyperlinks"), ["auto", "always", "never"]);
    has_all(&offered("linktrawl explain"), ["pct-encoded", "tls-name", "R3"]);
}

#[test]
fn fish_offers_subcommands_options_and_values() {
    let script = script("offered", "fish");
    let offered = |words: &str| {
        let text = format!("source $argv[2]; complete -C '{words}'");
        run("fish", &["--no-config"], &text, &script)
    };
    has_all(&offered("linktrawl "), ["scan", "check", "explain"]);
    has_all(&offered("linktrawl scan --format "), REPORTS.iter().map(|report| report.name()));
    has_all(&offered("linktrawl check --fail-on "), ["warn", "error", "never"]);
    has_all(&offered("linktrawl report --hy"), ["--hyperlinks"]);
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
