//! Options that a configuration file which was found may set, and where its paths start.

use std::fs;
use std::os::unix::fs::symlink;

use super::{BOTH, refused, scan};
use crate::home::{repository, run, stderr, stdout};

#[test]
fn paths_start_from_the_file() {
    let home = repository(&[
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
        let home = repository(&[("docs/linktrawl.toml", said), ("docs/a.md", "\n")]);
        let output = run(home.path(), &["config", "show", "docs"]);
        let line = stdout(&output).lines().find(|line| line.contains("state")).map(str::to_owned);
        assert_eq!(line.as_deref(), Some(shown), "{}", stderr(&output));
        // The shown options, as a file, are shown the same again.
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

/// Checks that a file that was found may not have `text`, and that one named by the user may.
#[track_caller]
fn only_named(text: &str, expected: &str) {
    let home = repository(&[("linktrawl.toml", text), ("a.txt", "x"), ("ca.pem", "")]);
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
    let refused = "refused in a configuration file that was found, not named with --config";
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
    let state_is_a_link = repository(&[("linktrawl.toml", "state = true")]);
    symlink("/nowhere", state_is_a_link.path().join(".linktrawl.db")).expect("a link");
    let output = run(state_is_a_link.path(), &["config", "check"]);
    assert!(stderr(&output).contains(elsewhere), "{}", stderr(&output));
    only_named("format = ['text=link/x']", elsewhere);
    only_named("format = ['text=.git/x']", elsewhere);
    only_named("format = ['text=Makefile']", "which programs read");
    only_named("state = 'Makefile'", "which programs read");
    only_named("state = '.envrc'", "which programs read");
    only_named("format = ['ndjson=sub/run.sh']", "which programs read");
    only_named("root-dir = '..'", elsewhere);
    only_named("base-url = '/'", elsewhere);
    scan(&[("linktrawl.toml", "base-url = 'http://h/'\nformat = ['text=-']")], &[], BOTH);
}

#[test]
fn patterns_of_a_file_that_nobody_named_are_few_and_small() {
    only_named("exclude = ['(?:a?){1000}{20}z']", "1:11: expected patterns that take at most");
    only_named(r"include = ['\pL{20}']", "when they are compiled");
    let many = |count: usize| {
        let patterns = (0..count).map(|n| format!(r"'^https?://h\.example/some/path/{n}\.html$'"));
        format!("exclude = [{}]", patterns.collect::<Vec<_>>().join(","))
    };
    only_named(&many(101), "1:11: expected at most 100 patterns");
    only_named(&format!("exclude = ['{}']", "a".repeat(1_001)), "at most 1000 bytes");
    only_named("[[paths]]\nglob = '*'\nexclude = ['(?:a?){1000}{20}z']", "3:11: expected patterns");
    scan(&[("linktrawl.toml", &many(100))], &[], BOTH);
    scan(
        &[("linktrawl.toml", r"exclude = ['\w+@\w+\.example', '^(?i:mailto):.*[\w.-]+$']")],
        &[],
        BOTH,
    );
}
