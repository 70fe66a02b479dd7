//! Drives `linktrawl` with `--since` in repositories of git that are made for it: which links
//! stand on lines that have changed.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// Runs git in `home` as nobody in particular, with nobody's configuration.
fn git(home: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(home)
        .args(["-c", "user.name=n", "-c", "user.email=e@h", "-c", "commit.gpgsign=false"])
        .args(args)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git runs");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
}

/// A repository with one commit of these files.
fn repository(files: &[(&str, &str)]) -> TempDir {
    let home = tempfile::tempdir().expect("a directory");
    git(home.path(), &["init", "-q", "-b", "main"]);
    for (path, text) in files {
        write(home.path(), path, text);
    }
    git(home.path(), &["add", "."]);
    git(home.path(), &["commit", "-q", "-m", "one"]);
    home
}

fn write(home: &Path, path: &str, text: impl AsRef<[u8]>) {
    let path = home.join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    fs::write(path, text).expect("a file");
}

fn scan(home: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linktrawl"));
    command.current_dir(home).arg("scan").args(args).stdin(Stdio::null());
    command.env_remove("CLICOLOR_FORCE").output().expect("the binary runs")
}

/// Path, line and URI of each finding.
fn found(home: &Path, args: &[&str]) -> Vec<String> {
    let output = scan(home, args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let report = String::from_utf8(output.stdout).expect("UTF-8");
    let short = |line: &str| {
        let (place, words) = line.split_once(": ").expect("a place");
        let (place, _) = place.rsplit_once(':').expect("a column");
        format!("{place} {}", words.rsplit(' ').next().expect("a URI"))
    };
    report.lines().map(short).collect()
}

#[test]
fn only_links_on_changed_lines_are_told_from_any_directory() {
    let home = repository(&[
        ("docs/a.txt", "http://one/\nhttp://two/\nhttp://three/\n"),
        ("docs/b.txt", "http://same/\n"),
    ]);
    write(home.path(), "docs/a.txt", "new\nhttp://one/\nhttp://2/\nhttp://three/\nhttp://four/");
    write(home.path(), "docs/untracked.txt", "http://untracked/\n");
    let wanted = ["a.txt:3 http://2/", "a.txt:5 http://four/", "untracked.txt:1 http://untracked/"];
    let below = |prefix: &str| wanted.map(|line| format!("{prefix}{line}"));
    assert_eq!(found(home.path(), &["--since", "HEAD", "docs"]), below("docs/"));
    assert_eq!(found(&home.path().join("docs"), &["--since", "main", "."]), below("./"));
    git(home.path(), &["add", "."]);
    assert_eq!(found(home.path(), &["--since", "HEAD", "docs"]), below("docs/"));
    git(home.path(), &["commit", "-q", "-m", "two"]);
    assert_eq!(found(home.path(), &["--since", "HEAD", "docs"]), [""; 0]);
    assert_eq!(found(home.path(), &["--since", "HEAD~1", "docs"]), below("docs/"));
    let count = scan(home.path(), &["--since", "HEAD", "docs"]).stderr;
    let count = String::from_utf8_lossy(&count).into_owned();
    assert!(count.contains("6 unchanged"), "{count}");
}

#[test]
fn a_run_in_which_no_link_has_changed_is_not_empty() {
    let home = repository(&[("a.txt", "http://one/\n"), ("b.txt", "none\n")]);
    let since = ["--since", "HEAD", "--fail-if-empty", "--format", "ndjson"];
    let run = |path| scan(home.path(), &[&since[..], &[path]].concat());
    let unchanged = run("a.txt");
    let said = String::from_utf8_lossy(&unchanged.stderr);
    assert_eq!(unchanged.status.code(), Some(0), "{said}");
    assert_eq!(run("b.txt").status.code(), Some(2));
    write(home.path(), "run.ndjson", unchanged.stdout);
    let mut again = Command::new(env!("CARGO_BIN_EXE_linktrawl"));
    again.current_dir(home.path()).args(["report", "run.ndjson", "--fail-if-empty"]);
    assert_eq!(again.output().expect("the binary runs").status.code(), Some(0));
}

#[test]
fn odd_names_are_found() {
    let odd = "a \"b\\\té\n.txt";
    let home = repository(&[(odd, "http://one/\n"), ("a b.txt", "x\n")]);
    write(home.path(), odd, "http://one/\nhttp://two/\n");
    write(home.path(), "a b.txt", "x\nhttp://three/\n");
    let names = [odd, "a b.txt"];
    let found = found(home.path(), &[&["--since", "HEAD"], &names[..]].concat());
    let odd = "a \"b\\\\x09é\\x0a.txt";
    assert_eq!(found, [&format!("{odd}:2 http://two/"), "a b.txt:2 http://three/"]);
}

#[test]
fn a_document_that_was_moved_has_changed_in_full() {
    let home = repository(&[("docs/a.md", "# A\n\n[b](b.md)\n"), ("docs/b.md", "b\n")]);
    git(home.path(), &["config", "diff.renames", "copies"]);
    fs::create_dir(home.path().join("docs/deep")).expect("a directory");
    git(home.path(), &["mv", "docs/a.md", "docs/deep/a.md"]);
    let wanted = ["docs/deep/a.md:3 b.md"];
    assert_eq!(found(home.path(), &["--since", "HEAD", "docs"]), wanted);
    git(home.path(), &["commit", "-q", "-m", "two"]);
    assert_eq!(found(home.path(), &["--since", "HEAD~1", "docs"]), wanted);
}

#[test]
fn a_link_over_two_lines_has_changed_with_either() {
    let home = repository(&[("a.txt", "<http://h/a\nb>\n<http://h/c\nd>\n")]);
    write(home.path(), "a.txt", "<http://h/a\nbb>\n<http://h/c\nd>\n");
    assert_eq!(found(home.path(), &["--since", "HEAD", "a.txt"]), ["a.txt:1 http://h/abb"]);
}

#[test]
fn what_git_ignores_or_does_not_know_has_changed() {
    let home = repository(&[(".gitignore", "out\n"), ("box.eml", "Subject: x\n\nhttp://h/\n")]);
    write(home.path(), "out/a.txt", "http://out/\n");
    let outside = tempfile::tempdir().expect("a directory");
    write(outside.path(), "a.txt", "http://outside/\n");
    let outside = outside.path().join("a.txt");
    let outside = outside.to_str().expect("UTF-8");
    let args = ["--since", "HEAD", "out/a.txt", "box.eml", outside];
    let wanted = ["out/a.txt:1 http://out/", &format!("{outside}:1 http://outside/")];
    assert_eq!(found(home.path(), &args), wanted);
}

#[test]
fn bytes_that_git_takes_for_binary_have_changed_in_full() {
    let home = repository(&[("a.txt", "http://h/ \0\n")]);
    assert_eq!(found(home.path(), &["--since", "HEAD", "a.txt"]), [""; 0]);
    write(home.path(), "a.txt", "http://h/ \0\nx\n");
    assert_eq!(found(home.path(), &["--since", "HEAD", "a.txt"]), ["a.txt:1 http://h/"]);
}

#[test]
fn programs_that_a_repository_names_are_not_run() {
    let home = repository(&[(".gitattributes", "*.txt diff=evil\n"), ("a.txt", "http://one/\n")]);
    for (key, value) in [
        ("diff.evil.textconv", "touch textconv; cat"),
        ("diff.evil.command", "touch command; true"),
        ("diff.external", "touch external; true"),
        ("core.fsmonitor", "touch monitor; true"),
        ("diff.noprefix", "true"),
        ("color.ui", "always"),
    ] {
        git(home.path(), &["config", key, value]);
    }
    write(home.path(), "a.txt", "http://one/\nhttp://two/\n");
    assert_eq!(found(home.path(), &["--since", "HEAD", "a.txt"]), ["a.txt:2 http://two/"]);
    for mark in ["textconv", "command", "external", "monitor"] {
        assert!(!home.path().join(mark).exists(), "{mark}");
    }
}

#[test]
fn without_a_repository_or_a_revision_nothing_is_done() {
    let refused = |home: &Path, revision: &str, words: &str| {
        let since = format!("--since={revision}");
        let output = scan(home, &[&since, "a.txt"]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.stdout.len(), output.status.code()), (0, Some(2)), "{told}");
        assert!(told.contains(words), "{told}");
    };
    let home = repository(&[("a.txt", "http://h/\n")]);
    refused(home.path(), "nowhere", "since \"nowhere\": git knows no such revision");
    refused(home.path(), "--output=x", "expected a revision, found an option");
    assert!(!home.path().join("x").exists());
    let none = tempfile::tempdir().expect("a directory");
    write(none.path(), "a.txt", "http://h/\n");
    refused(none.path(), "HEAD", "not a git repository");
}
