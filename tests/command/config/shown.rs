//! `config show`, and what a run says of options.

use std::fs;

use toml::de::DeTable;

use crate::home::{repository, run, stderr, stdout};

#[test]
fn what_is_sent_to_hosts_is_shown_without_its_value() {
    let text = "[hosts.'h']\ngap = '2s'\nown = true\ntoken = { env = 'X' }\n\
                headers = { X-A = 'hunter2' }\n[hosts.'http://h:80']\nconcurrency = 3\n";
    let home = repository(&[("x.toml", text)]);
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
fn what_reports_would_not_do_is_said_by_runs_alone() {
    let text = "summary = 'stdout'\ngroup-by = 'host'\nformat = ['csv', 'text=b']\n";
    let home = repository(&[("linktrawl.toml", text), ("a.txt", "http://h/\n")]);
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
                state = true\nconfirm = 'iabot'\nrate = 0.5\nbase-url = 'http://user:secret@h/'\n";
    let home = repository(&[("x.toml", text)]);
    let show = |file: &str| stdout(&run(home.path(), &["config", "show", "--config", file]));
    let shown = show("x.toml");
    let line = |name: &str| shown.lines().find(|line| line.starts_with(name)).expect("a line");
    assert_eq!(line("retries"), "retries = 7 # x.toml:2");
    assert_eq!(line("unique"), "unique = true # x.toml:3");
    assert_eq!(line("hidden"), "hidden = false # x.toml:4");
    assert_eq!(line("confirm"), "confirm = \"iabot\" # x.toml:6");
    assert_eq!(line("rate"), "rate = \"0.5\" # x.toml:7");
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
fn the_examples_of_readme_and_guide_are_well() {
    let guide = include_str!("../../../src/guide/configuration.md");
    let texts = [include_str!("../../../README.md"), guide];
    let blocks: Vec<_> = texts.iter().flat_map(|text| text.split("```toml\n").skip(1)).collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        let text = block.split("```").next().expect("a block");
        let home = repository(&[("x.toml", text)]);
        let output = run(home.path(), &["config", "check", "--config=x.toml"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stdout(&output).contains(": all well: "), "{}", stdout(&output));
    }
}

#[test]
fn two_reports_on_standard_output_are_a_fault_of_the_file() {
    let home = repository(&[("linktrawl.toml", "format = ['json', 'csv']\n")]);
    let output = run(home.path(), &["config", "check", "."]);
    assert_eq!(output.status.code(), Some(2));
    let expected = "linktrawl.toml: expected one report on standard output, found two";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
}
