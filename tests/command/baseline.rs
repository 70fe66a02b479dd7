//! Tests `linktrawl` with `--baseline`: known findings are skipped, new ones fail the run, fixed
//! ones are reported, and the file lists all of this in lines that stay as they are.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::home::{read, run, with_files, write};

const HEAD: &str = "# linktrawl baseline 1\n\
                    # Known trouble: path, URI, reason. Written by --update-baseline.\n";

/// Standard output, standard error without the closing count, and the exit code.
fn told(output: &Output) -> (String, String, Option<i32>) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let notes: Vec<_> = text(&output.stderr)
        .lines()
        .filter(|l| !l.contains(" finding"))
        .map(str::to_owned)
        .collect();
    (text(&output.stdout), notes.join("\n"), output.status.code())
}

fn code(home: &Path, args: &[&str]) -> Option<i32> {
    run(home, args).status.code()
}

#[test]
fn what_is_known_is_skipped_wherever_its_line_has_gone() {
    let home = with_files(&[("docs/a.md", "[a](gone.md) http://h/%zz\n"), ("docs/b.md", "b\n")]);
    let check = ["check", "--offline", "docs", "--baseline", "known.txt"];
    assert_eq!(code(home.path(), &check[..3]), Some(1));
    assert_eq!(code(home.path(), &[&check[..], &["--update-baseline"]].concat()), Some(0));
    let known = "docs/a.md\tgone.md\tmissing\ndocs/a.md\thttp://h/%zz\tpct-encoded\n";
    assert_eq!(read(home.path(), "known.txt"), format!("{HEAD}{known}"));
    assert_eq!(code(home.path(), &check), Some(0));

    write(home.path(), "docs/a.md", "# A\n\n[a](gone.md) twice: [a](gone.md)\n\nhttp://h/%zz\n");
    let (report, notes, code) = told(&run(home.path(), &check));
    assert_eq!((notes.as_str(), code), ("", Some(0)));
    let starts: Vec<_> = report.lines().map(|l| l.split(": ").nth(1).expect("words")).collect();
    assert_eq!(starts, ["skipped[missing]", "skipped[missing]", "skipped[pct-encoded]"]);

    write(home.path(), "docs/b.md", "[b](gone.md)\n");
    let (report, _, code) = told(&run(home.path(), &check));
    assert_eq!(code, Some(1));
    assert_eq!(report.matches(": error[").count(), 1, "{report}");
    assert!(report.contains("docs/b.md:1:5: error[missing]: gone.md"), "{report}");
}

#[test]
fn lines_say_of_each_thing_what_it_does_to_the_link() {
    let home = with_files(&[("a.txt", "ftp://me:secret@h/\n")]);
    let check = ["check", "-q", "--offline", "a.txt", "--fail-on=warn"];
    let baseline = [&check[..], &["--baseline=known.txt"]].concat();
    // The place and the verdict of each line, from the run and from the report of the saved run.
    let words = |args: &[&str]| -> Vec<String> {
        run(home.path(), &[args, &["--format=text=.a", "--format=ndjson=.run"]].concat());
        run(home.path(), &["report", ".run", "--format=text=.b"]);
        let report = read(home.path(), ".a");
        assert_eq!(report, read(home.path(), ".b"));
        report.lines().map(|l| l.split(": ").nth(1).expect("words").to_owned()).collect()
    };
    // It was not asked, which is no trouble; that is in its text.
    assert_eq!(words(&check), ["skipped[not-asked]", "warn[password]"]);
    run(home.path(), &[&baseline[..], &["--update-baseline"]].concat());
    assert_eq!(words(&baseline), ["skipped[not-asked]", "skipped[password]"]);
}

#[test]
fn records_say_what_is_known_and_the_summary_counts_it() {
    let home = with_files(&[
        ("a.txt", "http://h/%zz http://h/%yy http://h/\n"),
        ("known.txt", "# linktrawl baseline 1\na.txt\thttp://h/%zz\tpct-encoded\n"),
    ]);
    let args = ["scan", "a.txt", "--baseline", "known.txt", "--format", "ndjson"];
    let (report, _, code) = told(&run(home.path(), &args));
    assert_eq!(code, Some(1));
    let records: Vec<serde_json::Value> =
        report.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let verdicts: Vec<_> = records.iter().map(|r| (&r["verdict"], &r["known"])).collect();
    let of = |index: usize| verdicts[index];
    assert_eq!(of(0), (&"skipped".into(), &"error".into()));
    assert_eq!(of(1), (&"error".into(), &serde_json::Value::Null));
    assert_eq!(records[0]["syntax"]["rule"], "pct-encoded");
    assert_eq!(records[3]["skipped"]["known"], 1);
    assert_eq!(records[3]["verdicts"]["error"], 1);
}

#[test]
fn another_reason_is_new_trouble() {
    let home = with_files(&[
        ("a.md", "[a](#gone)\n"),
        ("known.txt", "# linktrawl baseline 1\na.md\t#gone\tmissing\n"),
    ]);
    let args = ["check", "--offline", "a.md", "--baseline", "known.txt"];
    assert_eq!(code(home.path(), &args), Some(1));
}

#[test]
fn what_fails_a_run_is_what_is_listed() {
    let home = with_files(&[("a.txt", "http://h/%zz htttp://h.example/\n")]);
    let scan = ["scan", "a.txt", "--baseline", "known.txt"];
    let [update, warn] = [&["--update-baseline"][..], &["--fail-on", "warn"]];
    assert_eq!(code(home.path(), &[&scan, update].concat()), Some(0));
    let error = "a.txt\thttp://h/%zz\tpct-encoded\n";
    assert_eq!(read(home.path(), "known.txt"), format!("{HEAD}{error}"));
    assert_eq!(code(home.path(), &[&scan, warn].concat()), Some(1));
    assert_eq!(code(home.path(), &[&scan, warn, update].concat()), Some(0));
    let list = format!("{HEAD}{error}a.txt\thtttp://h.example/\tscheme-typo\n");
    assert_eq!(read(home.path(), "known.txt"), list);
    assert_eq!(code(home.path(), &[&scan, warn].concat()), Some(0));
    // It is there, although it would fail nobody now: it is not fixed.
    let (_, notes, ended) = told(&run(home.path(), &[&scan, update].concat()));
    assert_eq!((notes.as_str(), ended), ("", Some(0)));
    assert_eq!(read(home.path(), "known.txt"), list);
    write(home.path(), "a.txt", "http://h/%zz htttp://h.example/ htttp://h.example/b\n");
    assert_eq!(code(home.path(), &[&scan, warn].concat()), Some(1));
}

#[test]
fn what_is_fixed_is_told_and_taken_out() {
    let list = "# linktrawl baseline 1\ndocs/a.md\tgone.md\tmissing\ndocs/away.md\tx\tmissing\n\
                more/b.md\tgone.md\tmissing\n";
    let home = with_files(&[("docs/a.md", "[b](#a)\n# a\n"), ("ci/known.txt", "")]);
    write(home.path(), "known.txt", list);
    let args = ["check", "--offline", "docs/", "--baseline", "known.txt"];
    let (_, notes, code) = told(&run(home.path(), &args));
    // Nobody looked below more/.
    let wanted = |advice: &str| {
        [
            ("docs/a.md", "gone.md as missing, which is no longer true"),
            ("docs/away.md", "x as missing, and the document is gone"),
        ]
        .map(|(path, news)| format!("linktrawl: warning: {path}: the baseline has {news}{advice}"))
        .join("\n")
    };
    assert_eq!((notes, code), (wanted(": --update-baseline takes it out"), Some(0)));
    assert_eq!(read(home.path(), "known.txt"), list);
    let (_, notes, _) = told(&run(home.path(), &[&args[..], &["--update-baseline"]].concat()));
    assert_eq!(notes, wanted(""));
    let left = "more/b.md\tgone.md\tmissing\n";
    assert_eq!(read(home.path(), "known.txt"), format!("{HEAD}{left}"));
}

#[test]
fn what_is_not_looked_at_stays_listed() {
    let list = format!("{HEAD}a.txt\thttp://h/%zz\tpct-encoded\na.txt\thttp://old/\tmissing\n");
    let home = with_files(&[("a.txt", "http://old/\n"), ("known.txt", &list)]);
    let update = |args: &[&str]| {
        let usual = ["a.txt", "--baseline", "known.txt", "--update-baseline"];
        let (_, notes, code) = told(&run(home.path(), &[args, &usual].concat()));
        assert_eq!(code, Some(0));
        notes
    };
    assert_eq!(update(&["check", "--offline", "--exclude", "%zz"]), "");
    assert_eq!(read(home.path(), "known.txt"), list);
    // The second is not asked, the first is not there.
    assert!(update(&["check", "--offline"]).contains("%zz as pct-encoded"));
    let left = format!("{HEAD}a.txt\thttp://old/\tmissing\n");
    assert_eq!(read(home.path(), "known.txt"), left);
}

#[test]
fn what_only_asking_can_tell_stays_listed_where_nobody_asks() {
    let missing = ["a.md\tgone.md\tmissing", "a.md\thttp://127.0.0.1/\tmissing"];
    let list = format!("{HEAD}{}\n{}\n", missing[0], missing[1]);
    let text = "[a](gone.md) <http://127.0.0.1/>\n";
    let home = with_files(&[("a.md", text), ("known.txt", &list)]);
    let scan = ["scan", "a.md", "--baseline", "known.txt"];
    let update = [&scan[..], &["--update-baseline"]].concat();
    let warned = [&update[..], &["--fail-on=warn"]].concat();
    for args in [&scan[..], &update, &warned] {
        let (_, notes, code) = told(&run(home.path(), args));
        assert_eq!((notes.as_str(), code), ("", Some(0)), "{args:?}");
        assert_eq!(read(home.path(), "known.txt"), list);
    }
    // A run notices the links that a text has, and those that it no longer has.
    write(home.path(), "a.md", "<http://127.0.0.1/>\n");
    let more = format!("{list}a.md\thttp://127.0.0.1/\tpct-encoded\n");
    write(home.path(), "known.txt", &more);
    let (_, notes, _) = told(&run(home.path(), &update));
    assert!(notes.contains("gone.md as missing"), "{notes}");
    assert_eq!(read(home.path(), "known.txt"), format!("{HEAD}{}\n", missing[1]));
}

#[test]
fn an_empty_file_is_made_a_baseline_where_one_is_to_be_written() {
    let home = with_files(&[("a.txt", "http://h/%zz\n"), ("known.txt", "")]);
    let scan = ["scan", "a.txt", "--baseline", "known.txt"];
    let (_, notes, ended) = told(&run(home.path(), &scan));
    assert_eq!(ended, Some(2));
    assert!(notes.contains("found an empty file; --update-baseline makes it one"), "{notes}");
    assert_eq!(code(home.path(), &[&scan[..], &["--update-baseline"]].concat()), Some(0));
    assert_eq!(read(home.path(), "known.txt"), format!("{HEAD}a.txt\thttp://h/%zz\tpct-encoded\n"));
}

#[test]
fn paths_are_the_same_from_everywhere() {
    let home = with_files(&[("book/docs/a.md", "[a](gone.md)\n")]);
    let book = home.path().join("book");
    let update = ["check", "--offline", "--baseline", "../known.txt", "--update-baseline", "docs"];
    assert_eq!(code(&book, &update), Some(0));
    let list = read(home.path(), "known.txt");
    assert_eq!(list, format!("{HEAD}book/docs/a.md\tgone.md\tmissing\n"));
    let whole = book.join("docs/../docs/a.md");
    let check = ["check", "--offline", "--baseline", "known.txt"];
    for path in ["book", "./book/docs/a.md", ".", whole.to_str().expect("UTF-8")] {
        assert_eq!(code(home.path(), &[&check[..], &[path]].concat()), Some(0), "{path}");
    }
}

#[test]
fn the_same_trouble_gives_the_same_bytes_for_any_number_of_threads() {
    let files: Vec<_> =
        (0..200).map(|n| (format!("t/{n}.md"), format!("[a](gone-{n})\n"))).collect();
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let home = with_files(&files);
    let lists = ["1", "8"].map(|threads| {
        let update = ["check", "--offline", "t", "--baseline", "known.txt", "--update-baseline"];
        let _ = fs::remove_file(home.path().join("known.txt"));
        assert_eq!(code(home.path(), &[&update[..], &["--threads", threads]].concat()), Some(0));
        read(home.path(), "known.txt")
    });
    assert_eq!(lists[0].lines().count(), 202);
    assert_eq!(lists[0], lists[1]);
}

#[test]
fn no_password_gets_into_the_file_and_no_entry_is_found_in_it() {
    let home = with_files(&[("a.txt", "http://u:secret@h/%zz\n")]);
    let args = ["scan", ".", "--baseline", "known.txt", "--update-baseline"];
    assert_eq!(code(home.path(), &args), Some(0));
    let list = read(home.path(), "known.txt");
    assert_eq!(list, format!("{HEAD}a.txt\thttp://u:***@h/%zz\tpct-encoded\n"));
    // The list is below the input, but is not a part of it.
    let (report, _, code) = told(&run(home.path(), &args[..4]));
    assert_eq!((report.lines().count(), code), (1, Some(0)));
}

#[test]
fn a_run_that_was_not_done_in_full_leaves_the_file() {
    let home = with_files(&[("a.txt", "http://h/%zz\n"), ("known.txt", HEAD)]);
    let args = ["scan", "a.txt", "gone.txt", "--baseline", "known.txt", "--update-baseline"];
    let (_, notes, code) = told(&run(home.path(), &args));
    assert_eq!(code, Some(2));
    assert!(notes.contains("the baseline stays as it is"), "{notes}");
    assert_eq!(read(home.path(), "known.txt"), HEAD);
}

#[test]
fn a_file_that_is_no_baseline_or_not_there_is_refused() {
    let home = with_files(&[("a.txt", "http://h/\n"), ("other.txt", "http://h/\n")]);
    let refused = |file: &str, words: &str| {
        let (report, notes, code) = told(&run(home.path(), &["scan", "a.txt", "--baseline", file]));
        assert_eq!((report.as_str(), code), ("", Some(2)));
        assert!(notes.contains(words), "{notes}");
    };
    refused("gone.txt", "--update-baseline makes it");
    refused("other.txt", "expected a file that begins with \"# linktrawl baseline 1\"");
}
