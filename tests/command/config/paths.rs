//! Tables for some of the inputs.

use toml::de::DeTable;

use super::{A, B, BOTH, NO_B, refused, scan};
use crate::home::{repository, run, stderr, stdout};

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
    // Arguments win.
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
    let home = repository(&[
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
    let home = repository(&[
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
        "3:1: \"timeout\" is no key of paths",
        "4:1: \"exlude\" is no key of paths: perhaps exclude",
        "5:12: expected a string, found a whole number",
    ];
    let text = "[[paths]]\nglob = 'a'\ntimeout = '1s'\nexlude = []\ninclude = [1]";
    refused(text, &wrong);
    let home = repository(&[("x.toml", "[[paths]]\nglob = 'a'\nexclude = ['(']")]);
    for command in [&["config", "check"][..], &["scan", "."]] {
        let output = run(home.path(), &[command, &["--config=x.toml"]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(
            stderr(&output).contains("expected a regular expression, found \"(\""),
            "{}",
            stderr(&output)
        );
    }
    let text = "[[paths]]\nglob = 'a/'\nfind = ['www']\n\n[[paths]]\nglob = 'b'\n";
    let home = repository(&[("x.toml", text)]);
    let shown = stdout(&run(home.path(), &["config", "show", "--config=x.toml"]));
    let tables = "\n[[paths]]\nglob = \"a/\" # x.toml:2\nfind = [\"www\"] # x.toml:3\n\
                  \n[[paths]]\nglob = \"b\" # x.toml:6\n";
    assert!(shown.ends_with(tables), "{shown}");
    assert!(DeTable::parse(&shown).is_ok());
}
