//! Tests `linktrawl` with `--since` in repositories of git that are made for it: which links are on
//! lines that have changed.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::home::{self, run, write};

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

fn scan(home: &Path, args: &[&str]) -> Output {
    run(home, &[&["scan"], args].concat())
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
    let mut again = home::linktrawl();
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

/// Every program that a repository may name, each with a mark of its own.
#[test]
fn no_filter_monitor_or_hook_of_a_repository_is_run() {
    let attributes = "*.txt filter=evil diff=evil\n*.md filter=a=b.evil\n*.eml filter=long\n";
    let files = [
        (".gitattributes", attributes),
        ("a.txt", "http://one/\n"),
        ("b.md", "http://one/\n"),
        ("c.eml", "\nhttp://one/\n"),
    ];
    let home = repository(&files);
    for (key, value) in [
        ("filter.evil.clean", "touch clean; cat"),
        ("filter.evil.smudge", "touch smudge; cat"),
        ("filter.evil.required", "true"),
        ("filter.a=b.evil.clean", "touch dotted; cat"),
        ("filter.long.process", "touch process; false"),
        ("diff.evil.textconv", "touch textconv; cat"),
        ("diff.external", "touch external; true"),
        ("core.fsmonitor", "touch monitor; true"),
        ("core.hooksPath", "hooks"),
        ("core.pager", "touch pager; cat"),
        ("pager.diff", "touch pager; cat"),
        ("core.sshCommand", "touch ssh; false"),
        ("diff.interHunkContext", "9"),
    ] {
        git(home.path(), &["config", key, value]);
    }
    // A file that is included counts as the repository's, too.
    write(home.path(), ".git/more", "[filter \"evil\"]\n\tclean = touch included; cat\n");
    git(home.path(), &["config", "include.path", "more"]);
    write(home.path(), "hooks/post-index-change", "#!/bin/sh\ntouch hook\n");
    for (path, text) in [("a.txt", "http://one/\nx\nhttp://two/\n"), ("b.md", "http://three/\n")] {
        write(home.path(), path, text);
    }
    write(home.path(), "c.eml", "\nhttp://one/\n");
    let wanted = ["a.txt:3 http://two/", "b.md:1 http://three/"];
    assert_eq!(found(home.path(), &["--since", "HEAD", "a.txt", "b.md", "c.eml"]), wanted);
    for mark in [
        "clean", "smudge", "dotted", "process", "textconv", "external", "monitor", "pager", "ssh",
        "included", "hook",
    ] {
        assert!(!home.path().join(mark).exists(), "{mark}");
    }
}

/// git would fetch the objects that a partial clone lacks by programs that the repository names.
#[test]
fn nothing_is_fetched_for_a_partial_clone() {
    let home = repository(&[("a.txt", "http://one/\n")]);
    let lost = git(home.path(), &["rev-parse", "HEAD:a.txt"]);
    let (folder, name) = lost.split_at(2);
    fs::remove_file(home.path().join(".git/objects").join(folder).join(name)).expect("a blob");
    for (key, value) in [
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", "ssh://h.invalid/x"),
        ("core.sshCommand", "touch ssh; false"),
        ("protocol.allow", "always"),
    ] {
        git(home.path(), &["config", key, value]);
    }
    write(home.path(), "a.txt", "http://two/\n");
    let output = scan(home.path(), &["--since", "HEAD", "a.txt"]);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!home.path().join("ssh").exists());
    git(home.path(), &["config", "remote.origin.url", "ext::sh -c 'touch ext; false'"]);
    scan(home.path(), &["--since", "HEAD", "a.txt"]);
    assert!(!home.path().join("ext").exists());
}

/// Git LFS is configured so, for all repositories of a user.
#[test]
fn a_filter_of_the_user_is_run() {
    let home = repository(&[(".gitattributes", "*.txt filter=own\n"), ("a.txt", "http://ONE/\n")]);
    write(home.path(), "global", "[filter \"own\"]\n\tclean = tr a-z A-Z\n\trequired = true\n");
    write(home.path(), "a.txt", "HTTP://one/\n");
    let run = |args: &[&str]| {
        let mut command = home::linktrawl();
        command.current_dir(home.path()).args(["scan", "-q", "--since", "HEAD"]).args(args);
        command.env("GIT_CONFIG_GLOBAL", home.path().join("global"));
        String::from_utf8(command.output().expect("the binary runs").stdout).expect("UTF-8")
    };
    // Cleaned, the file is `HTTP://ONE/`.
    assert!(run(&["a.txt"]).starts_with("a.txt:1:1:"));
    git(home.path(), &["config", "filter.own.clean", "touch clean; cat"]);
    write(home.path(), "a.txt", "http://ONE/\n");
    assert!(run(&["a.txt"]).starts_with("a.txt:1:1:"), "the user's is run in its place");
    assert!(!home.path().join("clean").exists());
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
    let nowhere = "cannot find changes since \"HEAD\": expected a git repository around the \
                   working directory, found none";
    refused(none.path(), "HEAD", nowhere);
}
