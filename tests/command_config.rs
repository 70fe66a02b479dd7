//! Drives options from files: `linktrawl.toml`, tables in the files of others, and the command
//! `linktrawl config`.
//!
//! Nothing here asks anybody: what `check` makes of what a file says of hosts is the business of
//! other tests.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::os::unix::fs::{chown, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use toml::de::{DeTable, DeValue};

/// A directory with these files, each with its text, which is the root of a repository.
fn directory(files: &[(&str, &str)]) -> TempDir {
    let home = tempfile::tempdir().expect("a directory");
    fs::create_dir(home.path().join(".git")).expect("a directory");
    for (path, text) in files {
        let path = home.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::write(path, text).expect("a file");
    }
    home
}

fn run(home: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linktrawl"));
    command.current_dir(home).args(args).stdin(Stdio::null());
    for name in ["NO_COLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command.output().expect("the binary runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// What `scan --quiet` prints of `docs` and what it says beside.
#[track_caller]
fn scan(files: &[(&str, &str)], args: &[&str], expected: &str) -> String {
    let text = [("docs/a.txt", "http://a/ and http://b/\n")];
    let home = directory(&[&text[..], files].concat());
    let all = [&["scan", "docs/a.txt"], args].concat();
    let output = run(home.path(), &all);
    let found = stdout(&output).replace("docs/a.txt:1:", "");
    assert_eq!(found, expected, "{}", stderr(&output));
    stderr(&output)
}

const BOTH: &str = "1: ok http://a/\n15: ok http://b/\n";
const A: &str = "1: ok http://a/\n";
const B: &str = "15: ok http://b/\n";
const NO_A: &str = "exclude = ['//a/']";
const NO_B: &str = "exclude = ['//b/']";

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
        let top = directory(&[&[("in/docs/a.txt", "http://a/ http://b/")], files].concat());
        let mut command = Command::new(env!("CARGO_BIN_EXE_linktrawl"));
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

/// Each complaint that a file gets, without its name.
#[track_caller]
fn refused(text: &str, expected: &[&str]) {
    let home = directory(&[("x.toml", text)]);
    for command in [&["config", "check"][..], &["config", "show"], &["scan", "."]] {
        let output = run(home.path(), &[command, &["--config=x.toml"]].concat());
        assert_eq!(output.status.code(), Some(2), "{text}");
        let said = stderr(&output).replace("linktrawl: error: ", "").replace("x.toml:", "");
        let lines: Vec<_> = said.lines().collect();
        assert_eq!(lines, expected, "{text}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    refused("exlude = ['a']", &["1:1: no option is called \"exlude\": perhaps exclude"]);
    refused("\n  zzz = 1", &["2:3: no option is called \"zzz\""]);
    refused("config = 'a'", &["1:1: no option is called \"config\": perhaps confirm"]);
    let duration = "expected a number with ms, s, m, h or d, as in 500ms";
    refused("timeout = '5'", &[&format!("1:11: {duration}, found \"5\": perhaps 5s")]);
    refused("timeout = 5", &["1:11: expected a string, found a whole number"]);
    refused("retries = '5'", &["1:11: expected a whole number, found a string"]);
    refused("retries = -1", &["1:11: -1 is not in 0..=4294967295"]);
    let threads = "expected 1 to 1024 threads; without --threads there is one a processor";
    refused("threads = 0", &[&format!("1:11: {threads}")]);
    refused("unique = 'yes'", &["1:10: expected true or false, found a string"]);
    refused("exclude = 'a'", &["1:11: expected an array of strings, found a string"]);
    refused("exclude = ['a', 1]", &["1:17: expected a string, found a whole number"]);
    refused("find = []", &["1:8: expected at least one value, found none"]);
    let wrong = [
        "1:1: no option is called \"forma\": perhaps format",
        "2:12: expected one of host, head, get; found \"heat\": perhaps head",
    ];
    refused("forma = ['text']\n'probe' =  'heat'", &wrong);
    refused("a = [1", &["1:7: unclosed array, expected `]`"]);
    refused("accept = [403]", &["1:11: expected a string, found a whole number"]);
}

#[test]
fn tables_of_hosts_are_held_to_what_there_is() {
    let wrong = |text: &str, expected: &str| refused(&format!("[hosts.h]\n{text}"), &[expected]);
    wrong("gab = '1s'", "2:1: a host has no \"gab\": perhaps gap");
    let duration = "expected a number with ms, s, m, h or d, as in 500ms";
    wrong("gap = '1'", &format!("2:7: {duration}, found \"1\": perhaps 1s"));
    wrong("timeout = 1", "2:11: expected a string, found a whole number");
    wrong("concurrency = 0", "2:15: expected 1 or more: with none nothing would be asked");
    wrong("own = 'h'", "2:7: expected true or false, found a string");
    wrong("headers = 'a: b'", "2:11: expected a table, found a string");
    let elsewhere = "expected a secret to be somewhere else, { env = \"NAME\" } or \
                     { file = \"PATH\" }, found";
    wrong("token = 'hunter2'", &format!("2:9: {elsewhere} a string"));
    wrong("token = { envy = 'A' }", &format!("2:9: {elsewhere} a table"));
    wrong("token = { env = 'A', file = 'b' }", &format!("2:9: {elsewhere} a table"));
    wrong("headers.Cookie = 'hunter2'", &format!("2:18: {elsewhere} a string"));
    wrong("headers.X = 1", &format!("2:13: {elsewhere} a whole number"));
    let pair = "expected a token, or a user and a password";
    wrong("user = 'a'", &format!("2:1: {pair}"));
    wrong("password = { env = 'A' }", &format!("2:1: {pair}"));
    wrong("token = { env = 'A' }\nuser = 'a'", &format!("2:1: {pair}"));
    wrong("user = 'a:b'\npassword = { env = 'A' }", "2:8: expected a name without a colon");
    refused("hosts = 1", &["1:9: expected a table of tables, found a whole number"]);
    refused("hosts.h = 1", &["1:11: expected a table, found a whole number"]);
    let site = "expected HOST, HOST:PORT or SCHEME://HOST:PORT, found";
    refused("[hosts.'a/b']", &[&format!("1:8: {site} \"a/b\"")]);
    refused("[hosts.'x://b']", &[&format!("1:8: {site} \"x://b\"")]);
    for (header, wanted) in
        [("Host = 'a'", "need for themselves"), ("'a b' = 'x'", "a field's name")]
    {
        let home = directory(&[("x.toml", &format!("[hosts.h]\nheaders.{header}"))]);
        let said = stderr(&run(home.path(), &["config", "check", "--config=x.toml"]));
        assert!(said.contains("x.toml:2:9: ") && said.contains(wanted), "{said}");
    }
}

#[test]
fn what_is_sent_to_hosts_is_shown_without_its_value() {
    let text = "[hosts.'h']\ngap = '2s'\nown = true\ntoken = { env = 'X' }\n\
                headers = { X-A = 'hunter2' }\n[hosts.'http://h:80']\nconcurrency = 3\n";
    let home = directory(&[("x.toml", text)]);
    let shown = stdout(&run(home.path(), &["config", "show", "--config=x.toml"]));
    assert!(!shown.contains("hunter2"), "{shown}");
    let tables = shown.split_once("\n[").expect("tables").1;
    let expected = "hosts.\"h\"] # x.toml:1\ngap = \"2000ms\"\nown = true\n\
                    # \"X-A\" is sent to https://h, from the file\n\
                    # \"authorization\" is sent to https://h, from the environment's \"X\"\n\n\
                    [hosts.\"http://h:80\"] # x.toml:6\nconcurrency = 3\n";
    assert_eq!(tables, expected);
    assert!(DeTable::parse(&shown).is_ok());
}

#[test]
fn options_that_do_not_go_together_are_told_with_their_file() {
    let case = |text: &str, expected: &str| {
        let home = directory(&[("x.toml", text)]);
        let output = run(home.path(), &["config", "check", "--config=x.toml"]);
        assert_eq!(output.status.code(), Some(2), "{text}");
        let said = stderr(&output);
        assert!(said.contains(expected) && !said.contains("Usage"), "{said}");
    };
    case("\nconfirm = 3", "x.toml:2: the following required arguments were not provided");
    case("hidden = true\nupdate-baseline = true", "x.toml:2: the following required arguments");
    let both = "unique = true\nbaseline = 'b'\n";
    case(both, "x.toml:1: the argument '--unique' cannot be used with '--baseline <FILE>'");
    case("include = [\n'a',\n'(']", "x.toml:3:1: \"(\" is no regular expression");
    case("exclude = ['(']", "x.toml:1:12: \"(\" is no regular expression");
    let table = "[[paths]]\nglob = 'a'\nexclude = ['(']\n";
    case(table, "x.toml:3:12: \"(\" is no regular expression");
    case("ca-file = ['nowhere.pem']", "cannot read \"nowhere.pem\"");
    let home = directory(&[("x.toml", "confirm = 3")]);
    let output = run(home.path(), &["check", "--offline", ".", "--config=x.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("options are taken from \"x.toml\""), "{}", stderr(&output));
    assert!(stderr(&output).contains("error: x.toml:1: the following"), "{}", stderr(&output));
    // What was typed is at fault as well, but the file can be told by its line.
    fs::write(home.path().join("x.toml"), "show = 'all'\nbaseline = 'b'").expect("a file");
    let output = run(home.path(), &["scan", "--unique", ".", "--config=x.toml"]);
    assert!(stderr(&output).contains("error: x.toml:2: the argument"), "{}", stderr(&output));
    let output = run(home.path(), &["scan", "--config=x.toml"]);
    let said = stderr(&output);
    assert!(said.contains("<PATH>") && !said.contains("x.toml:"), "{said}");
}

#[test]
fn paths_start_from_the_file() {
    let home = directory(&[
        ("docs/linktrawl.toml", "format = ['text=out.txt', 'ndjson']\nroot-dir = 'root'"),
        ("docs/a.md", "[b](/b.md)\n"),
        ("docs/root/b.md", "\n"),
    ]);
    let output = run(home.path(), &["check", "--offline", "docs/a.md"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = fs::read_to_string(home.path().join("docs/out.txt")).expect("a report");
    assert_eq!(text, "docs/a.md:1:5: ok /b.md\n");
}

#[test]
fn answers_are_kept_where_the_file_says_or_where_they_usually_are() {
    let case = |said: &str, shown: &str| {
        let home = directory(&[("docs/linktrawl.toml", said), ("docs/a.md", "\n")]);
        let output = run(home.path(), &["config", "show", "docs"]);
        let line = stdout(&output).lines().find(|line| line.contains("state")).map(str::to_owned);
        assert_eq!(line.as_deref(), Some(shown), "{}", stderr(&output));
        // What is shown says the same again.
        fs::write(home.path().join("again.toml"), stdout(&output)).expect("a file");
        let again = stdout(&run(home.path(), &["config", "show", "--config=again.toml"]));
        let value = |text: &str| text.split(" # ").next().map(str::to_owned);
        let line = again.lines().find(|line| line.contains("state"));
        assert_eq!(line.and_then(value), value(shown), "{again}");
    };
    case("state = true", "state = \"docs/.linktrawl.db\" # docs/linktrawl.toml:1");
    case("state = 'x.db'", "state = \"docs/x.db\" # docs/linktrawl.toml:1");
    case("state = false", "state = false # docs/linktrawl.toml:1");
    refused("state = 1", &["1:9: expected a string, found a whole number"]);
}

/// What a file that was found may not say, though one that was named may.
#[track_caller]
fn only_named(text: &str, expected: &str) {
    let home = directory(&[("linktrawl.toml", text), ("a.txt", "x"), ("ca.pem", "")]);
    symlink("/", home.path().join("link")).expect("a link");
    let output = run(home.path(), &["config", "check"]);
    assert_eq!(output.status.code(), Some(2), "{text}");
    let said = stderr(&output);
    assert!(said.contains(expected) && said.contains("--config"), "{said}");
    let output = run(home.path(), &["config", "show", "--config=linktrawl.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn a_file_that_nobody_named_opens_nothing_and_leads_nowhere_else() {
    let refused = "not taken from a file that nobody named";
    only_named("allow-net = ['127.0.0.0/8']", refused);
    only_named("allow-private = true", refused);
    only_named("ca-file = ['ca.pem']", refused);
    only_named("proxy = 'http://h:80'", refused);
    only_named("name-server = ['192.0.2.1:53']", refused);
    only_named("probe = 'get'", refused);
    only_named("probe-side-effects = true", refused);
    only_named("no-robots = true", refused);
    only_named("own-host = ['h.example']", refused);
    only_named("host-gap = '0s'", refused);
    only_named("urn-resolver = 'http://h/{urn}'", refused);
    only_named("files-from = ['a.txt']", refused);
    only_named("[hosts.h]\ngap = '0s'", refused);
    only_named("[hosts.h]\nheaders = { X = 'y' }", refused);
    only_named("[hosts.h]\ntoken = { env = 'GITHUB_TOKEN' }", refused);
    only_named("[hosts.h]\nown = true", refused);
    scan(&[("linktrawl.toml", "[hosts.h]\ntimeout = '3s'")], &[], BOTH);
    let elsewhere = "expected a path in the directory of this file";
    only_named("state = '/nowhere/x.db'", elsewhere);
    only_named("state = '../x.db'", elsewhere);
    let state_is_a_link = directory(&[("linktrawl.toml", "state = true")]);
    symlink("/nowhere", state_is_a_link.path().join(".linktrawl.db")).expect("a link");
    let output = run(state_is_a_link.path(), &["config", "check"]);
    assert!(stderr(&output).contains(elsewhere), "{}", stderr(&output));
    only_named("format = ['text=link/x']", elsewhere);
    only_named("format = ['text=.git/x']", elsewhere);
    only_named("root-dir = '..'", elsewhere);
    only_named("base-url = '/'", elsewhere);
    scan(&[("linktrawl.toml", "base-url = 'http://h/'\nformat = ['text=-']")], &[], BOTH);
}

#[test]
fn a_link_is_no_file_of_options_unless_it_is_named() {
    let home = directory(&[("docs/a.txt", "http://a/"), ("x.toml", "find = ['angle']")]);
    symlink("../x.toml", home.path().join("docs/linktrawl.toml")).expect("a link");
    let output = run(home.path(), &["scan", "docs/a.txt"]);
    assert!(stdout(&output).contains("http://a/"));
    assert!(stderr(&output).contains("is a link"), "{}", stderr(&output));
    let output = run(home.path(), &["scan", "docs/a.txt", "--config=docs/linktrawl.toml"]);
    assert_eq!(stdout(&output), "", "{}", stderr(&output));
}

#[test]
fn a_file_of_another_owner_is_passed_by_unless_it_is_named() {
    let home = directory(&[("linktrawl.toml", NO_A), ("a.txt", "http://a/")]);
    // Only root can give a file away; nobody else can make this case.
    if chown(home.path().join("linktrawl.toml"), Some(1), None).is_err() {
        return;
    }
    let output = run(home.path(), &["scan", "a.txt"]);
    assert!(stdout(&output).contains("http://a/"));
    assert!(stderr(&output).contains("of another owner"), "{}", stderr(&output));
    let output = run(home.path(), &["scan", "a.txt", "--config=linktrawl.toml"]);
    assert_eq!(stdout(&output), "", "{}", stderr(&output));
}

#[test]
fn files_that_cannot_be_read_are_no_options() {
    let home = directory(&[("x.toml", ""), ("a.txt", "http://a/")]);
    let long = "#".repeat(1024 * 1024 + 1);
    fs::write(home.path().join("long.toml"), long).expect("a file");
    fs::write(home.path().join("bytes.toml"), b"a = '\xFF'").expect("a file");
    let case = |name: &str, expected: &str| {
        let output = run(home.path(), &["scan", "a.txt", &format!("--config={name}")]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    };
    case("nowhere.toml", "cannot read \"nowhere.toml\"");
    case("bytes.toml", "UTF-8");
    case("long.toml", "expected at most");
    case("Cargo.toml", "cannot read");
    fs::write(home.path().join("Cargo.toml"), "[package]").expect("a file");
    case("Cargo.toml", "1:1: expected a table of linktrawl, found none");
    let output = run(home.path(), &["config", "check"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("expected linktrawl.toml"), "{}", stderr(&output));
}

#[test]
fn what_reports_would_not_do_is_said_by_runs_alone() {
    let text = "summary = 'stdout'\ngroup-by = 'host'\nformat = ['csv', 'text=b']\n";
    let home = directory(&[("linktrawl.toml", text), ("a.txt", "http://h/\n")]);
    let remarks = ["the summary goes to standard error", "csv has no groups"];
    for (command, is_said) in [(&["config", "check"][..], false), (&["scan", "a.txt"], true)] {
        let output = run(home.path(), command);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        for remark in remarks {
            assert_eq!(stderr(&output).contains(remark), is_said, "{}", stderr(&output));
        }
    }
}

#[test]
fn what_is_shown_is_a_file_of_options_that_says_the_same() {
    let text = "exclude = [\"\\\"\\u202e\", 'b']\nretries = 0x07\nunique = true\nhidden = false\n\
                base-url = 'http://user:secret@h/'\n";
    let home = directory(&[("x.toml", text)]);
    let show = |file: &str| stdout(&run(home.path(), &["config", "show", "--config", file]));
    let shown = show("x.toml");
    let line = |name: &str| shown.lines().find(|line| line.starts_with(name)).expect("a line");
    assert_eq!(line("retries"), "retries = 7 # x.toml:2");
    assert_eq!(line("unique"), "unique = true # x.toml:3");
    assert_eq!(line("hidden"), "hidden = false # x.toml:4");
    assert_eq!(line("timeout"), "timeout = \"30s\" # default");
    assert_eq!(line("# threads"), "# threads is not set");
    assert!(!shown.contains("secret") && shown.contains("# options are taken from"), "{shown}");
    let read = DeTable::parse(&shown).expect("TOML");
    assert!(read.get_ref().len() > 20);
    // The line that a password was taken from says nothing any more.
    let kept: String = shown
        .lines()
        .filter(|line| !line.starts_with("base-url"))
        .fold(String::new(), |all, line| all + line + "\n");
    fs::write(home.path().join("y.toml"), kept).expect("a file");
    let again = show("y.toml");
    let values = |shown: &str| -> Vec<String> {
        let lines =
            shown.lines().filter(|line| !line.contains("base-url") && !line.starts_with("# o"));
        lines.map(|line| line.split(" # ").next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(values(&again), values(&shown));
}

#[test]
fn the_example_of_the_readme_is_well() {
    let readme = include_str!("../README.md");
    let blocks: Vec<_> = readme.split("```toml\n").skip(1).collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        let text = block.split("```").next().expect("a block");
        let home = directory(&[("x.toml", text)]);
        let output = run(home.path(), &["config", "check", "--config=x.toml"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).contains(": all well: "), "{}", stdout(&output));
    }
}

/// What is said of patterns that are kept.
const WRITTEN: &str = "kept: patterns are compared with links as they are written, by lychee \
                       with whole URLs, as in file:///…";

/// What `config import` makes of a lychee.toml, without its first line, and what it says.
#[track_caller]
fn imported(lychee: &str, expected: &str, said: &[&str]) {
    let home = directory(&[("lychee.toml", lychee), ("a.txt", "x")]);
    let output = run(home.path(), &["config", "import"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert_eq!(text.split_once('\n').expect("a line").1, expected, "{lychee}");
    let told = stderr(&output).replace("linktrawl: ", "").replace("lychee.toml: ", "");
    assert_eq!(told.lines().collect::<Vec<_>>(), said, "{lychee}");
    fs::write(home.path().join("x.toml"), &text).expect("a file");
    let output = run(home.path(), &["config", "check", "--config=x.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    fs::write(home.path().join("linktrawl.toml"), text).expect("a file");
    let is_found = run(home.path(), &["config", "check"]).status.success();
    assert_eq!(is_found, !told.contains("--config FILE"), "{lychee}");
}

/// What is said of options that nothing but a file that somebody named may set.
fn needs_naming(options: &str) -> String {
    format!("these are taken only from a file that is given with --config FILE: {options}")
}

#[test]
fn what_lychee_was_told_is_kept_changed_or_lost_and_said_so() {
    let exclude = format!("exclude: {WRITTEN}");
    imported("exclude = ['a', '\"']", "exclude = [\"a\", \"\\\"\"]\n", &[&exclude]);
    imported("hidden = true", "hidden = true\n", &["hidden: kept"]);
    imported("threads = 2", "threads = 2\n", &["threads: kept", &needs_naming("threads")]);
    let retries = "max_retries: changed to retries = 1";
    imported("max_retries = 1", "retries = 1\n", &[retries, &needs_naming("retries")]);
    imported("timeout = 20", "timeout = \"20s\"\n", &["timeout: changed to timeout = \"20s\""]);
    let codes = "accept = [\"200\", \"429\", \"500..=999\", \"100..=103\", \"200..=203\"]";
    let accept = "accept = [200, '429,500..', '..=103', '200..204']";
    imported(accept, &format!("{codes}\n"), &[&format!("accept: changed to {codes}")]);
    let json = "format: not kept: no format is called \"yaml\"";
    imported("format = 'yaml'", "", &[json]);
    let text = "format = [\"text=a.txt\"]";
    let changed = format!("format: changed to {text}");
    imported(
        "output = 'a.txt'\nformat = 'compact'",
        &format!("{text}\n"),
        &["output: kept", &changed],
    );
    imported("output = 'a.txt'", "", &["output: not kept: it needs a format"]);
    let tls = "insecure: changed to verdict = [\"tls=ok\"]";
    imported("insecure = true", "verdict = [\"tls=ok\"]\n", &[tls]);
    imported("insecure = false", "", &["insecure: not needed: that is so here"]);
    imported("require_https = true", "", &["require_https: not kept: there is no such rule"]);
    let age = "max_cache_age: not kept: nothing is kept where `cache` is not set";
    imported("max_cache_age = '1d'", "", &[age]);
    imported(
        "cache = true\nmax_cache_age = '1d 1h'",
        "max-age = \"25h\"\nstate = \".linktrawl.db\"\n",
        &[
            "cache: changed to state = \".linktrawl.db\"",
            "max_cache_age: changed to max-age = \"25h\"",
        ],
    );
    imported("exlude = 1", "", &["exlude: not kept: lychee has no such key: perhaps exclude"]);
    imported("threads = 'x'", "", &["threads: not kept: invalid digit found in string"]);
    imported("hidden = 1", "", &["hidden: not kept: found a whole number"]);
}

#[test]
fn what_depends_on_a_value_is_said_of_that_value() {
    let case = |lychee: &str, said: &str| {
        let key = lychee.split(' ').next().expect("a key");
        imported(lychee, "", &[&format!("{key}: {said}")]);
    };
    let code = "not kept: links in code are found by their schemes, as in text, and reported";
    case("include_verbatim = false", code);
    case("include_verbatim = true", "not needed: that is so here");
    case("include_verbatim = 1", "not kept: expected true or false, found a whole number");
    for version in ["TLSv1_0", "TLSv1_1", "TLSv1_2"] {
        case(&format!("min_tls = '{version}'"), "not needed: TLS 1.2 is the least here");
    }
    case("min_tls = 'TLSv1_3'", "not kept: TLS 1.2 is the least here, and stays allowed");
    case("min_tls = 'SSLv3'", "not kept: found \"SSLv3\"");
    case("min_tls = 1", "not kept: found a whole number");
    let closed = "not needed: addresses that are not public are not asked, unless `allow-net` \
                  or `allow-private` opens them";
    for what in ["private", "all_private", "link_local", "loopback"] {
        case(&format!("exclude_{what} = true"), closed);
        let by = if what.ends_with("private") { "--allow-private or " } else { "" };
        let open = format!("not kept: {by}--allow-net lets them be asked");
        case(&format!("exclude_{what} = false"), &open);
    }
}

#[test]
fn what_only_a_file_that_is_named_may_say_is_told() {
    let probe = "probe = \"head\"";
    let said = [
        "max_concurrency: changed to in-flight = 9".to_owned(),
        format!("method: changed to {probe}"),
        "hidden: kept".to_owned(),
        "hosts.h.concurrency: changed to concurrency = 3".to_owned(),
        "hosts.h.request_interval: changed to gap = \"1s\"".to_owned(),
        needs_naming("in-flight, probe, hosts.\"h\".concurrency, hosts.\"h\".gap"),
    ];
    imported(
        "max_concurrency = 9\nmethod = 'head'\nhidden = true\n\
         [hosts.h]\nconcurrency = 3\nrequest_interval = '1s'\n",
        &format!(
            "hidden = true\nin-flight = 9\n{probe}\n\n\
             [hosts.\"h\"]\nconcurrency = 3\ngap = \"1s\"\n"
        ),
        &said.each_ref().map(String::as_str),
    );
    imported("root_dir = '.'", "root-dir = \".\"\n", &["root_dir: kept"]);
    let outside = needs_naming("root-dir");
    imported("root_dir = '/'", "root-dir = \"/\"\n", &["root_dir: kept", &outside]);
}

#[test]
fn what_includes_and_excludes_means_the_same_or_is_lost() {
    let (include, exclude) = (format!("include: {WRITTEN}"), format!("exclude: {WRITTEN}"));
    imported("include = ['a']", "include = [\"a\"]\n", &[&include]);
    let lost = "include: not kept: here `exclude` wins, and `include` leaves out all else: it \
                cannot stand beside `exclude` or `scheme`";
    imported("include = ['a']\nexclude = ['b']", "exclude = [\"b\"]\n", &[lost, &exclude]);
    let scheme = "include = [\"^(?i:https|ftp):\"]";
    let kept = format!("scheme: changed to {scheme}");
    let both = "scheme = ['https', 'ftp']\ninclude = ['a']";
    imported(both, &format!("{scheme}\n"), &[&kept, lost]);
    let mail = "include_mail: changed to exclude = [\"^mailto:\"]";
    imported("include_mail = false", "exclude = [\"^mailto:\"]\n", &[mail]);
    let output = {
        let home = directory(&[("lychee.toml", "exclude = ['(', 'a']")]);
        run(home.path(), &["config", "import"])
    };
    assert!(stdout(&output).ends_with("\nexclude = [\"a\"]\n"), "{}", stdout(&output));
    assert!(stderr(&output).contains("\"(\" is no regular expression"), "{}", stderr(&output));
}

#[test]
fn hosts_of_lychee_are_tables_and_nothing_secret_is_copied() {
    let text = "basic_auth = ['h user:hunter2']\ngithub_token = 'hunter2'\n\
                header = { Authorization = 'hunter2' }\n[hosts.\"h.example\"]\nconcurrency = 3\n\
                request_interval = '1s 500ms'\nheaders = { X = 'hunter2' }\n[hosts.'a/b']\n\
                concurrency = 1\n";
    let home = directory(&[("lychee.toml", text)]);
    let output = run(home.path(), &["config", "import"]);
    let (made, said) = (stdout(&output), stderr(&output));
    assert!(!made.contains("hunter2") && !said.contains("hunter2"), "{made}{said}");
    let tables = "\n\n[hosts.\"h.example\"]\nconcurrency = 3\ngap = \"1500ms\"\n";
    assert!(made.ends_with(tables), "{made}");
    assert_eq!(said.matches(": not kept: ").count(), 5, "{said}");
}

#[test]
fn patterns_of_lycheeignore_are_excluded() {
    let ignored = "# a remark\n^http://a/\n\nhttp://b\n";
    let files = [("lychee.toml", "exclude = ['c']"), (".lycheeignore", ignored)];
    let home = directory(&files);
    let output = run(home.path(), &["config", "import"]);
    assert_eq!(stderr(&output).matches(WRITTEN).count(), 3, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("exclude = [\"c\", \"^http://a/\", \"http://b\"]\n"), "{text}");
    let text = stdout(&run(home.path(), &["config", "import", ".lycheeignore"]));
    assert!(text.contains("exclude = [\"^http://a/\", \"http://b\"]\n"), "{text}");
    let none = directory(&[]);
    let output = run(none.path(), &["config", "import"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("expected lychee.toml"), "{}", stderr(&output));
}

/// `value` as JSON has it.
fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => text.as_ref().into(),
        DeValue::Integer(number) => number.as_str().parse::<i64>().expect("a number").into(),
        DeValue::Boolean(is) => (*is).into(),
        DeValue::Array(values) => values.iter().map(|value| json(value.get_ref())).collect(),
        DeValue::Table(table) => table_of(table),
        DeValue::Float(_) | DeValue::Datetime(_) => Value::Null,
    }
}

fn table_of(table: &DeTable<'_>) -> Value {
    let rows = table.iter().map(|(key, value)| (key.to_string(), json(value.get_ref())));
    Value::Object(rows.collect())
}

#[test]
fn the_schema_takes_what_the_program_takes() {
    let home = directory(&[]);
    let schema = stdout(&run(home.path(), &["--generate", "config-schema"]));
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    assert!(jsonschema::meta::is_valid(&schema));
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let case = |text: &str, is_well: bool| {
        let document = DeTable::parse(text).expect("TOML");
        assert_eq!(schema.is_valid(&table_of(document.get_ref())), is_well, "{text}");
        fs::write(home.path().join("x.toml"), text).expect("a file");
        let output = run(home.path(), &["config", "show", "--config=x.toml"]);
        assert_eq!(output.status.success(), is_well, "{text}: {}", stderr(&output));
    };
    let well = [
        "",
        "exclude = ['a']\nunique = true\nretries = 0\nformat = ['text', 'ndjson=a=b']",
        "grammar = ['rfc3986', 'current']\nno-repair = ['r1', 'R2', 'ALL']\nfind = ['www']",
        "as = 'mail'\ncolor = 'never'\nprobe = 'host'\ntimeout = '3s'\nexclude = []",
        "state = 'a'",
        "state = true\nconfirm = 2",
        "state = false",
        "[hosts.h]\ngap = '1s'\nconcurrency = 2\nown = true\ntoken = { env = 'A' }",
        "[[paths]]\nglob = 'a/'\nexclude = ['b']\nverdict = ['gone=ok']\n[[paths]]\nglob = '*'",
        "[hosts.h]\nuser = 'a'\npassword = { file = 'b' }\n\
         headers = { A = 'b', Cookie = { env = 'C' } }",
    ];
    let wrong = [
        "exlude = ['a']",
        "exclude = 'a'",
        "unique = 1",
        "state = 1",
        "root-dir = true",
        "retries = '1'",
        "retries = -1",
        "format = ['texd']",
        "format = ['textual=a']",
        "grammar = ['rfc0']",
        "find = []",
        "color = 'red'",
        "config = 'a'",
        "[hosts.h]\ngab = '1s'",
        "[hosts.h]\ntoken = 'a'",
        "[hosts.h]\ntoken = { env = 'A', file = 'b' }",
        "[hosts.h]\nuser = 'a'",
        "[hosts.h]\nheaders = { A = 1 }",
        "[[paths]]\nexclude = ['a']",
        "[[paths]]\nglob = ''",
        "[[paths]]\nglob = 'a'\ntimeout = '1s'",
        "[paths]\nglob = 'a'",
    ];
    well.iter().for_each(|text| case(text, true));
    wrong.iter().for_each(|text| case(text, false));
}

#[test]
fn options_hold_for_the_paths_that_a_pattern_fits() {
    let a = |text: &str| format!("[[paths]]\nglob = '{text}'\nexclude = ['//a/']\n");
    let case = |path: &str, config: &str, args: &[&str], expected: &str| {
        scan(&[(path, config)], args, expected);
    };
    case("linktrawl.toml", &a("docs/"), &[], B);
    case("linktrawl.toml", &a("/docs/*.txt"), &[], B);
    case("linktrawl.toml", &a("/a.txt"), &[], BOTH);
    case("docs/linktrawl.toml", &a("/a.txt"), &[], B);
    // The last table that fits decides, alone, and sets aside what the file says for all.
    case("linktrawl.toml", &(a("docs/") + "[[paths]]\nglob = '*.txt'\n"), &[], BOTH);
    case("linktrawl.toml", &(a("docs/") + "[[paths]]\nglob = '*.md'\n"), &[], B);
    case("linktrawl.toml", &(NO_B.to_owned() + "\n" + &a("docs/")), &[], B);
    case("linktrawl.toml", &(NO_B.to_owned() + "\n[[paths]]\nglob = '*'\n"), &[], A);
    // What is typed wins.
    case("linktrawl.toml", &a("docs/"), &["--exclude=//b/"], A);
    let angle = "[[paths]]\nglob = '*'\nfind = ['angle']";
    case("linktrawl.toml", angle, &[], "");
    case("linktrawl.toml", angle, &["--find=bare"], BOTH);
    let allowed = "[[paths]]\nglob = '*'\ngrammar = ['rfc1738']\nno-repair = ['R1']\n\
                   allow = ['all']\ninclude = ['a']";
    case("linktrawl.toml", allowed, &[], A);
}

#[test]
fn each_file_has_its_own_wishes_and_all_are_of_one_run() {
    let config = "[[paths]]\nglob = 'old/'\nexclude = ['//a/']\n\
                  [[paths]]\nglob = 'in/new/*.txt'\ngrammar = ['rfc1738/literal']\n";
    let uri = "http://a/ http://b/~c\n";
    let home = directory(&[
        ("linktrawl.toml", config),
        ("in/new/a.txt", uri),
        ("in/new/b.md", "<http://b/~c>\n"),
        ("in/old/a.txt", uri),
        ("in/old/b.txt", uri),
        ("in/z.txt", uri),
    ]);
    for args in [&["in"][..], &["in", "--threads=1"], &["../in", "--config=../linktrawl.toml"]] {
        let here = if args[0] == "../in" { home.path().join("in") } else { home.path().to_owned() };
        let output = run(&here, &[&["scan"], args].concat());
        let lines: Vec<_> = stdout(&output).lines().map(|line| line.replace("../", "")).collect();
        let expected = [
            "in/new/a.txt:1:1: ok http://a/",
            "in/new/a.txt:1:11: error[",
            "in/new/b.md:1:2: ok http://b/~c",
            "in/old/a.txt:1:11: ok http://b/~c",
            "in/old/b.txt:1:11: ok http://b/~c",
            "in/z.txt:1:1: ok http://a/",
            "in/z.txt:1:11: ok http://b/~c",
        ];
        assert_eq!(lines.len(), expected.len(), "{lines:#?}");
        for (line, expected) in lines.iter().zip(expected) {
            assert!(line.starts_with(expected), "{line}");
        }
    }
}

#[test]
fn answers_are_taken_for_something_else_in_some_files() {
    let config = "[[paths]]\nglob = 'old/'\nverdict = ['missing=warn']\n";
    let home = directory(&[
        ("linktrawl.toml", config),
        ("in/old/a.md", "[x](nowhere.md)\n"),
        ("in/new.md", "[x](nowhere.md)\n"),
    ]);
    let output = run(home.path(), &["check", "--offline", "in"]);
    let text = stdout(&output);
    assert!(text.contains("in/new.md:1:5: error[missing]"), "{text}");
    assert!(text.contains("in/old/a.md:1:5: warn[missing]"), "{text}");
    let output = run(home.path(), &["check", "--offline", "in/old"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
}

#[test]
fn tables_of_paths_are_held_to_what_there_is() {
    refused("[[paths]]\nexclude = ['a']", &["1:1: expected glob to say which paths, found none"]);
    refused("paths = 1", &["1:9: expected an array of tables, found a whole number"]);
    refused("paths = [1]", &["1:10: expected a table, found a whole number"]);
    refused("[[paths]]\nglob = 1", &["2:8: expected a string, found a whole number"]);
    refused("[[paths]]\nglob = '!a'", &["2:8: \"!a\" is no pattern of paths: it fits nothing"]);
    let wrong = [
        "3:1: \"timeout\" is not said of paths",
        "4:1: \"exlude\" is not said of paths: perhaps exclude",
        "5:12: expected a string, found a whole number",
    ];
    let text = "[[paths]]\nglob = 'a'\ntimeout = '1s'\nexlude = []\ninclude = [1]";
    refused(text, &wrong);
    let home = directory(&[("x.toml", "[[paths]]\nglob = 'a'\nexclude = ['(']")]);
    for command in [&["config", "check"][..], &["scan", "."]] {
        let output = run(home.path(), &[command, &["--config=x.toml"]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("no regular expression"), "{}", stderr(&output));
    }
    let text = "[[paths]]\nglob = 'a/'\nfind = ['www']\n\n[[paths]]\nglob = 'b'\n";
    let home = directory(&[("x.toml", text)]);
    let shown = stdout(&run(home.path(), &["config", "show", "--config=x.toml"]));
    let tables = "\n[[paths]]\nglob = \"a/\" # x.toml:2\nfind = [\"www\"] # x.toml:3\n\
                  \n[[paths]]\nglob = \"b\" # x.toml:6\n";
    assert!(shown.ends_with(tables), "{shown}");
    assert!(DeTable::parse(&shown).is_ok());
}

#[test]
fn files_of_any_length_are_read_in_their_time_and_told_with_limits() {
    let case = |text: String, expected: &str| {
        let home = directory(&[("linktrawl.toml", &text)]);
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
    case(codes, "expected a code from 100 to 999, found \"x\"");
}
