//! Which file options are taken from, and which one is none.

use std::fs;
use std::os::unix::fs::{chown, symlink};

use super::{A, B, BOTH, NO_A, NO_B, scan};
use crate::home::{self, repository, run, stderr, stdout};

#[test]
fn options_are_taken_from_the_nearest_file() {
    scan(&[], &[], BOTH);
    scan(&[("linktrawl.toml", NO_A)], &[], B);
    scan(&[(".linktrawl.toml", NO_A)], &[], B);
    scan(&[("linktrawl.toml", NO_A), (".linktrawl.toml", NO_B)], &[], B);
    scan(&[("linktrawl.toml", NO_A), ("docs/.linktrawl.toml", NO_B)], &[], A);
    scan(&[("other/linktrawl.toml", NO_A)], &[], BOTH);
    let package = "[package]\nname = 'x'\n[package.metadata.linktrawl]\nexclude = ['//a/']";
    scan(&[("Cargo.toml", package)], &[], B);
    scan(&[("docs/Cargo.toml", "[package]\nname = 'linktrawl'"), ("Cargo.toml", package)], &[], B);
    scan(&[("Cargo.toml", "[workspace.metadata.linktrawl]\nexclude = ['//a/']")], &[], B);
    scan(&[("pyproject.toml", "[tool.linktrawl]\nexclude = ['//a/']")], &[], B);
    scan(&[("pyproject.toml", "this is = no TOML [")], &[], BOTH);
}

#[test]
fn the_search_ends_at_a_repository_and_at_home() {
    let case = |files: &[(&str, &str)], home: &str, expected: &str| {
        let top = repository(&[&[("in/docs/a.txt", "http://a/ http://b/")], files].concat());
        let mut command = home::linktrawl();
        command.args(["scan", "--quiet", "in/docs"]).current_dir(top.path());
        let output = command.env("HOME", top.path().join(home)).output().expect("it runs");
        let found = stdout(&output).replace("in/docs/a.txt:1:", "").replace("11:", "15:");
        assert_eq!(found, expected, "{}", stderr(&output));
    };
    let file = ("linktrawl.toml", NO_A);
    case(&[file], "elsewhere", B);
    case(&[file, ("in/.git/HEAD", "x")], "elsewhere", BOTH);
    case(&[file], "in", BOTH);
    case(&[file], "", B);
}

#[test]
fn what_is_typed_wins() {
    let file = [("linktrawl.toml", "exclude = ['//a/']\nquiet = true\nfind = ['angle']")];
    scan(&file, &["--find=bare"], B);
    scan(&file, &["--find=bare", "--exclude=//b/"], A);
    scan(&file, &["--no-config"], BOTH);
    let other = [file[0], ("other.toml", NO_B)];
    scan(&other, &["--config=other.toml"], A);
    scan(&other, &["--config", "other.toml", "--exclude=nothing"], BOTH);
    // Even where something else that is typed overrides it.
    let failing = [("linktrawl.toml", "fail-on = 'warn'")];
    scan(&failing, &["--fail-on=error", "--exit-zero"], BOTH);
}

#[test]
fn a_path_that_is_called_like_an_option_is_none() {
    let text = "http://u:p@h/";
    let home = repository(&[("--fail-on", text), ("linktrawl.toml", "fail-on = 'warn'")]);
    let output = run(home.path(), &["scan", "linktrawl.toml", "--", "--fail-on"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
}

#[test]
fn who_asks_hears_which_file_it_was() {
    let file = [("linktrawl.toml", "quiet = true")];
    assert_eq!(scan(&file, &[], BOTH), "");
    let said = scan(&file, &["-v"], BOTH);
    assert!(said.contains("\"linktrawl.toml\"") && said.contains("found"), "{said}");
    let said = scan(&file, &["-v", "--no-config"], BOTH);
    assert!(said.contains("no file"), "{said}");
    let said = scan(&file, &["-v", "--config=linktrawl.toml"], BOTH);
    assert!(said.contains("--config"), "{said}");
}

#[test]
fn a_link_is_no_file_of_options_unless_it_is_named() {
    let home = repository(&[("docs/a.txt", "http://a/"), ("x.toml", "find = ['angle']")]);
    symlink("../x.toml", home.path().join("docs/linktrawl.toml")).expect("a link");
    let output = run(home.path(), &["scan", "docs/a.txt"]);
    assert!(stdout(&output).contains("http://a/"));
    let said = stderr(&output);
    assert!(said.contains("is a symbolic link: ") && !said.contains("owned"), "{said}");
    let output = run(home.path(), &["scan", "docs/a.txt", "--config=docs/linktrawl.toml"]);
    assert_eq!(stdout(&output), "", "{}", stderr(&output));
}

#[test]
fn a_directory_that_is_called_like_a_file_of_options_is_told_as_one() {
    let home = repository(&[("a.txt", "http://a/"), ("linktrawl.toml/b.txt", "")]);
    let output = run(home.path(), &["scan", "a.txt"]);
    assert!(stdout(&output).contains("http://a/"));
    let expected = "\"linktrawl.toml\": expected a file, found a directory: it holds no options";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
}

#[test]
fn a_file_of_another_owner_is_passed_by_unless_it_is_named() {
    let home = repository(&[("linktrawl.toml", NO_A), ("a.txt", "http://a/")]);
    // Only root can give a file away; nobody else can make this case.
    if chown(home.path().join("linktrawl.toml"), Some(1), None).is_err() {
        return;
    }
    let output = run(home.path(), &["scan", "a.txt"]);
    assert!(stdout(&output).contains("http://a/"));
    assert!(stderr(&output).contains("owned by another user"), "{}", stderr(&output));
    let output = run(home.path(), &["scan", "a.txt", "--config=linktrawl.toml"]);
    assert_eq!(stdout(&output), "", "{}", stderr(&output));
}

#[test]
fn files_that_cannot_be_read_are_no_options() {
    let home = repository(&[("x.toml", ""), ("a.txt", "http://a/")]);
    let long = "#".repeat(1024 * 1024 + 1);
    fs::write(home.path().join("long.toml"), long).expect("a file");
    fs::write(home.path().join("bytes.toml"), b"a = '\xFF'").expect("a file");
    let case = |name: &str, expected: &str| {
        let output = run(home.path(), &["scan", "a.txt", &format!("--config={name}")]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    };
    case("nowhere.toml", "cannot read \"nowhere.toml\"");
    case("nowhere.toml", "; omit --config to search for linktrawl.toml");
    case("bytes.toml", "expected text in UTF-8, found the byte 0xff on line 1");
    case("long.toml", "expected at most");
    case("Cargo.toml", "cannot read");
    fs::write(home.path().join("Cargo.toml"), "[package]").expect("a file");
    case("Cargo.toml", "1:1: expected a table of linktrawl, found none");
    let output = run(home.path(), &["config", "check"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("expected linktrawl.toml"), "{}", stderr(&output));
    let output = run(home.path(), &["config", "check", "nowhere.toml"]);
    assert_eq!(output.status.code(), Some(2));
    let wanted = "cannot read \"nowhere.toml\": no such file";
    assert!(stderr(&output).contains(wanted), "{}", stderr(&output));
}

#[test]
fn files_of_any_length_are_read_in_their_time_and_told_with_limits() {
    let case = |text: String, expected: &str| {
        let home = repository(&[("linktrawl.toml", &text)]);
        let output = run(home.path(), &["config", "check"]);
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.contains(expected), "{}", said.get(..500).unwrap_or(&said));
    };
    let lines = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect();
    case(lines(50_000, &|n| format!("key-{n} = 1\n")), "linktrawl.toml: 49950 more");
    case(lines(50_000, &|n| format!("[hosts.h{n}]\n")), "expected at most 1000 tables");
    case(lines(101, &|n| format!("[[paths]]\nglob = '{n}'\n")), "expected at most 100 tables");
    let long = "a".repeat(500_000);
    case(format!("{long} = 1\n"), "no option is called \"aaa");
    case(format!("exclude = [{}]", "'',".repeat(100_000)), "1:11: expected at most 10000 values");
    case(format!("fallback-extensions = [{}1]", "'a',".repeat(9_999)), "expected a string");
    let codes = format!("accept = [{}]", "'x',".repeat(1_000));
    case(codes, "expected a code from 100 to 999, or a range as in 500..=599, found \"x\"");
}
