//! Drives `linktrawl scan` as a process: where reports go, what is said beside them, and the
//! exit code. What is found in which text is the business of other tests.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::home::{self, fresh, says};

const GOOD: &str = "see http://www.w3.org/ there\n";
const BAD: &str = "see http://h/%zz there\n";
/// A report that was written before.
const YESTERDAY: &str = "a.txt:1:1: ok http://yesterday/\n";

fn command(directory: &Path, args: &[&str]) -> Command {
    home::command(directory, &[&["scan"], args].concat())
}

/// Runs `linktrawl scan` on `args` in `directory`.
fn scan(directory: &Path, args: &[&str]) -> Output {
    command(directory, args).output().expect("the binary runs")
}

#[test]
fn good_input_gives_0_and_a_closing_count() {
    let home = fresh("scan/good");
    fs::write(home.join("a.txt"), GOOD).expect("a file");
    says(
        &scan(&home, &["a.txt"]),
        0,
        "a.txt:1:5: ok http://www.w3.org/\n",
        "linktrawl: 1 file, 29 B, 1 finding: 1 ok\n",
    );
    says(&scan(&home, &["-q", "a.txt"]), 0, "a.txt:1:5: ok http://www.w3.org/\n", "");
}

#[test]
fn reports_show_what_is_asked_for_and_the_count_knows_all() {
    let home = fresh("scan/show");
    fs::write(home.join("a.txt"), "<http://h/%zz> <http://u:p@h/> <http://h/>\n").expect("a file");
    let lines = |show: &str| {
        let output = scan(&home, &[show, "a.txt", "--format=text", "--format=csv=out.csv"]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains("3 distinct: 1 ok, 1 warn, 1 error"), "{told}");
        assert_eq!(output.status.code(), Some(1));
        let csv = fs::read_to_string(home.join("out.csv")).expect("a report");
        let text = String::from_utf8_lossy(&output.stdout).lines().count();
        assert_eq!(csv.lines().count(), 1 + text, "one more line, with names");
        text
    };
    assert_eq!(["--show=all", "--show=warn", "--show=error"].map(lines), [3, 2, 1]);
    let none = scan(&home, &["--show=error", "--include=/$", "--unique", "a.txt"]);
    says(
        &none,
        0,
        "",
        "linktrawl: 1 file, 43 B, 2 findings, 2 distinct: 1 ok, 1 warn; left out: 1 filtered\n",
    );
}

#[test]
fn a_report_can_be_read_by_those_who_could_read_the_one_before() {
    let home = fresh("scan/mode");
    fs::write(home.join("a.txt"), GOOD).expect("a file");
    fs::write(home.join("report"), YESTERDAY).expect("a file");
    for mode in [0o600, 0o444, 0o664] {
        let path = home.join("report");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a mode");
        says(&scan(&home, &["-q", "--format=text=report", "a.txt"]), 0, "", "");
        let found = fs::metadata(&path).expect("a report");
        assert_eq!(found.permissions().mode() & 0o777, mode);
        let text = fs::read_to_string(&path).expect("a report");
        assert!(!text.contains("yesterday"), "it was written anew");
    }
}

#[test]
fn a_malformed_uri_gives_1_and_0_when_asked() {
    let home = fresh("scan/malformed");
    fs::write(home.join("a.txt"), BAD).expect("a file");
    let line = "a.txt:1:5: error[pct-encoded]: http://h/%zz: \
                expected a hex digit at byte 10 (RFC 3986 §2.1)\n";
    let args = ["--quiet", "--grammar", "rfc3986-uri", "a.txt"];
    says(&scan(&home, &args), 1, line, "");
    says(&scan(&home, &[&args[..], &["--exit-zero"]].concat()), 0, line, "");
}

#[test]
fn what_a_program_fills_in_is_left_out_except_in_mail() {
    let home = fresh("scan/format");
    let line = "see http://h.example/%s/a\n";
    fs::write(home.join("a.txt"), line).expect("a file");
    fs::write(home.join("a.eml"), format!("Subject: a\nFrom: a@h.example\n\n{line}"))
        .expect("a file");
    says(
        &scan(&home, &["a.txt"]),
        0,
        "",
        "linktrawl: 1 file, 26 B, 0 findings; left out: 1 template\n",
    );
    let output = scan(&home, &["a.eml"]);
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(report.starts_with("a.eml:4:5: error[pct-encoded]: http://h.example/%s/a"), "{report}");
}

#[test]
fn an_input_that_cannot_be_read_gives_2_and_the_others_are_read() {
    let home = fresh("scan/unreadable");
    fs::write(home.join("a.txt"), BAD).expect("a file");
    let output = scan(&home, &["gone\u{1b}[2J.txt", "a.txt", "--exit-zero"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("a.txt:1:5: error["));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.starts_with("linktrawl: warning: gone\\x1b[2J.txt: "), "{stderr:?}");
    assert!(stderr.ends_with("; incomplete\n"), "{stderr:?}");
}

#[test]
fn nothing_to_read_gives_2_and_says_so() {
    let home = fresh("scan/nothing");
    let output = scan(&home, &["."]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("error: nothing was read: "), "{stderr}");
    assert!(stderr.contains("--hidden") && stderr.contains("--no-ignore"), "{stderr}");
    // Where an input was named, its own warning has the reason.
    fs::write(home.join("a.7z"), b"7z\xBC\xAF\x27\x1C\0\x04").expect("a file");
    for input in ["a.7z", "nowhere.txt"] {
        let output = scan(&home, &[input]);
        assert_eq!(output.status.code(), Some(2));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.ends_with("error: nothing was read\n"), "{stderr}");
    }
}

#[test]
fn an_empty_file_is_something_to_read() {
    let home = fresh("scan/empty");
    fs::write(home.join("a.txt"), "").expect("a file");
    says(&scan(&home, &["a.txt"]), 0, "", "linktrawl: 1 file, 0 B, 0 findings\n");
}

#[test]
fn a_document_is_read_by_its_markup_up_to_its_greatest_length() {
    const LEN_MAX: usize = 2 * 1024 * 1024;
    let home = fresh("scan/document");
    let text = |len: usize| {
        let mut text = b"[a](b) \n".to_vec();
        text.resize(len, b'x');
        text
    };
    fs::write(home.join("a.md"), text(LEN_MAX)).expect("a file");
    says(&scan(&home, &["-q", "a.md"]), 0, "a.md:1:5: ok b\n", "");
    fs::write(home.join("b.md"), text(LEN_MAX + 1)).expect("a file");
    let warning = "linktrawl: warning: b.md: expected at most 2097152 bytes of Markdown, found \
                   more: it is read as text (at byte 2097152)\n";
    says(&scan(&home, &["-q", "b.md"]), 2, "", warning);
}

#[test]
fn a_uri_that_is_too_long_is_noted_with_the_limit() {
    let home = fresh("scan/too_long");
    let long = format!("http://h.example/{}", "a".repeat(200_000));
    for (name, text) in [("a.md", format!("[a]({long})\n")), ("b.txt", format!("see {long}\n"))] {
        fs::write(home.join(name), text).expect("a file");
        let output = scan(&home, &[name]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        let expected = "expected a URI of at most 131072 bytes, found more";
        assert!(stderr.contains(expected), "{stderr}");
    }
}

#[test]
fn standard_input_is_called_a_dash() {
    let home = fresh("scan/stdin");
    let mut child = command(&home, &["-q", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    child.stdin.take().expect("a pipe").write_all(GOOD.as_bytes()).expect("a reader");
    let output = child.wait_with_output().expect("the binary ends");
    says(&output, 0, "-:1:5: ok http://www.w3.org/\n", "");
}

#[test]
fn unique_reports_the_first_spelling_of_each_uri_as_it_stands() {
    let home = fresh("scan/unique");
    let text = "HTTP://H.example/ http://h.example:80/ http://h.example\n\
        http://h.example/a%2fb http://h.example/a/b mailto:A@H.example mailto:A@h.example\n\
        http://\u{E9}.example/ http://xn--9ca.example/ http://H.example/%zz http://h.example/%zz\n";
    fs::write(home.join("a.txt"), text).expect("a file");
    let wanted = [
        "HTTP://H.example/",
        "http://h.example/a%2fb",
        "http://h.example/a/b",
        "mailto:A@H.example",
        "http://\u{E9}.example/",
        "http://H.example/%zz",
        "http://h.example/%zz",
    ];
    let output = scan(&home, &["a.txt", "--unique", "--format=ndjson", "--exit-zero"]);
    let records = output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let records: Vec<serde_json::Value> =
        records.map(|line| serde_json::from_slice(line).expect("JSON")).collect();
    let found: Vec<_> = records.iter().filter_map(|record| record["uri"].as_str()).collect();
    assert_eq!(found, wanted);
    let summary = records.last().expect("a summary");
    assert_eq!([&summary["distinct"], &summary["skipped"]["repeated"]], [7, 4]);
}

#[test]
fn a_report_in_a_file_appears_whole_beside_the_one_on_standard_output() {
    let home = fresh("scan/file");
    fs::write(home.join("a.txt"), GOOD).expect("a file");
    fs::write(home.join("run.ndjson"), YESTERDAY).expect("a file");
    let output = scan(&home, &["a.txt", "--format=text", "--format=ndjson=run.ndjson", "-q"]);
    says(&output, 0, "a.txt:1:5: ok http://www.w3.org/\n", "");
    let report = fs::read_to_string(home.join("run.ndjson")).expect("the report");
    let types = report.lines().map(|line| {
        let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
        record["type"].as_str().expect("a type").to_owned()
    });
    assert_eq!(types.collect::<Vec<_>>(), ["finding", "summary"]);
    assert_eq!(names(&home), ["a.txt", "run.ndjson"]);
}

#[test]
fn a_run_that_fails_leaves_the_report_of_yesterday() {
    let home = fresh("scan/yesterday");
    fs::write(home.join("a.txt"), GOOD).expect("a file");
    fs::write(home.join("run.ndjson"), YESTERDAY).expect("a file");
    let args = ["a.txt", "--format=ndjson=run.ndjson", "--format=text=none/x"];
    assert_eq!(scan(&home, &args).status.code(), Some(2));
    assert_eq!(fs::read_to_string(home.join("run.ndjson")).expect("it"), YESTERDAY);
    assert_eq!(names(&home), ["a.txt", "run.ndjson"]);
}

#[test]
fn a_report_may_go_to_what_is_no_file() {
    let home = fresh("scan/device");
    fs::write(home.join("a.txt"), GOOD).expect("a file");
    says(&scan(&home, &["-q", "a.txt", "--format=text=/dev/null"]), 0, "", "");
    assert!(!fs::metadata("/dev/null").expect("a device").is_file());
}

#[test]
fn two_reports_cannot_have_one_target() {
    let home = fresh("scan/target");
    fs::write(home.join("a.txt"), GOOD).expect("a file");
    for formats in [["--format=text", "--format=ndjson=-"], ["--format=text=x", "--format=text=x"]]
    {
        let output = scan(&home, &[formats[0], formats[1], "a.txt"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("found two"));
    }
}

#[test]
fn a_report_takes_no_place_of_what_is_read() {
    let home = fresh("scan/spared");
    fs::write(home.join("a.txt"), GOOD).expect("a file");
    symlink("a.txt", home.join("link")).expect("a link");
    let expected = "expected a file for the report, found \"a.txt\", which is to be read";
    for format in ["--format=json=a.txt", "--format=json=./link"] {
        let output = scan(&home, &[format, "a.txt"]);
        assert_eq!(output.status.code(), Some(2));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(expected), "{stderr}");
    }
    assert_eq!(fs::read_to_string(home.join("a.txt")).expect("it"), GOOD);
}

#[test]
fn a_hostile_name_does_nothing_on_a_screen() {
    let home = fresh("scan/hostile");
    let name = OsStr::from_bytes(b"a\n\x1b[2J.txt");
    fs::write(home.join(name), GOOD).expect("a file");
    let output = scan(&home, &["-q", "."]);
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(stdout.lines().count(), 1, "{stdout:?}");
    assert!(stdout.ends_with("a\\x0a\\x1b[2J.txt:1:5: ok http://www.w3.org/\n"), "{stdout:?}");
}

#[test]
fn colours_come_when_asked_and_not_into_a_pipe() {
    let home = fresh("scan/colour");
    fs::write(home.join("a.txt"), GOOD).expect("a file");
    let is_painted = |args: &[&str]| scan(&home, args).stdout.contains(&0x1b);
    assert!(!is_painted(&["a.txt"]));
    assert!(is_painted(&["a.txt", "--color=always"]));
    let forced = command(&home, &["a.txt"]).env("CLICOLOR_FORCE", "1").output().expect("a run");
    assert!(forced.stdout.contains(&0x1b));
    // Help and refusals follow the same variables.
    for (arguments, force, is_painted) in [
        (&["--help"][..], "1", true),
        (&["--help"], "0", false),
        (&["--help"], "", false),
        (&["--nothing-like-it"], "1", true),
        (&["--nothing-like-it"], "0", false),
    ] {
        let output = command(&home, arguments).env("CLICOLOR_FORCE", force).output();
        let output = output.expect("a run");
        let shown = [output.stdout, output.stderr].concat();
        assert_eq!(shown.contains(&0x1b), is_painted, "{arguments:?} {force}");
    }
}

#[test]
fn what_fails_a_run_can_be_chosen() {
    let home = fresh("scan/fail_on");
    fs::write(home.join("good.txt"), GOOD).expect("a file");
    fs::write(home.join("warn.txt"), "see htttps://h.example/ there\n").expect("a file");
    fs::write(home.join("bad.txt"), BAD).expect("a file");
    fs::write(home.join("empty.txt"), "none\n").expect("a file");
    let code = |file: &str, args: &[&str]| {
        let file = format!("{file}.txt");
        let output = scan(&home, &[&["-q", &*file, "--format=ndjson=run"], args].concat());
        let told = home::linktrawl()
            .current_dir(&home)
            .args([&["report", "run"], args].concat())
            .output()
            .expect("the binary runs");
        assert_eq!(told.status.code(), output.status.code(), "{file} {args:?}, told again");
        output.status.code().expect("a code")
    };
    let codes = |args: &[&str]| ["good", "warn", "bad", "empty"].map(|file| code(file, args));
    assert_eq!(codes(&[]), [0, 0, 1, 0]);
    assert_eq!(codes(&["--fail-on=error"]), [0, 0, 1, 0]);
    assert_eq!(codes(&["--fail-on=warn"]), [0, 1, 1, 0]);
    assert_eq!(codes(&["--fail-on=never"]), [0, 0, 0, 0]);
    assert_eq!(codes(&["--exit-zero"]), [0, 0, 0, 0]);
    // The later one holds.
    assert_eq!(codes(&["--exit-zero", "--fail-on=warn"]), [0, 1, 1, 0]);
    assert_eq!(codes(&["--fail-on=warn", "--exit-zero"]), [0, 0, 0, 0]);
    assert_eq!(codes(&["--fail-if-empty"]), [0, 0, 1, 2]);
    assert_eq!(codes(&["--fail-if-empty", "--fail-on=never"]), [0, 0, 0, 2]);
    let output = scan(&home, &["good.txt", "--fail-if-empty", "--exclude=w3"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("error: no link was found: --include, --exclude"), "{stderr}");
}

/// Returns what `linktrawl scan ARGS` prints on a terminal whose `TERM` is `term`.
fn on_terminal(home: &Path, term: &str, args: &str) -> String {
    let scan = format!("'{}' scan {args}", env!("CARGO_BIN_EXE_linktrawl"));
    let mut command = Command::new("script");
    command.current_dir(home).args(["-qec", &scan, "/dev/null"]).stdin(Stdio::null());
    // Nothing of the terminal that the tests run in.
    command.env_clear().env("PATH", "/usr/bin:/bin").env("TERM", term);
    let output = command.output().expect("script(1)");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8").replace("\r\n", "\n")
}

#[test]
fn paths_are_hyperlinks_on_terminals_that_know_them_and_when_asked() {
    let home = fresh("scan/hyperlinks");
    fs::write(home.join("a b.txt"), GOOD).expect("a file");
    let plain = "a b.txt:1:5: ok http://www.w3.org/\n";
    let linked = |args: &[&str]| {
        let output = scan(&home, &[&["-q", "a b.txt"], args].concat());
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let asked = linked(&["--hyperlinks=always"]);
    let (uri, rest) = asked
        .strip_prefix("\u{1b}]8;;")
        .and_then(|rest| rest.split_once("\u{1b}\\"))
        .expect("a hyperlink");
    assert_eq!(rest, "a b.txt\u{1b}]8;;\u{1b}\\:1:5: ok http://www.w3.org/\n");
    let host = Command::new("uname").arg("-n").output().expect("a name").stdout;
    let host = String::from_utf8(host).expect("UTF-8").trim().to_owned();
    let path = home.join("a%20b.txt");
    let wanted = format!("file://{host}{}", path.to_str().expect("UTF-8"));
    assert_eq!(uri, wanted, "a path of no odd characters but the blank");
    assert_eq!(linked(&[]), plain);
    let unpainted = "-q --color=never 'a b.txt'";
    assert_eq!(on_terminal(&home, "xterm-kitty", unpainted), asked);
    assert_eq!(on_terminal(&home, "xterm", unpainted), plain);
    assert_eq!(on_terminal(&home, "dumb", unpainted), plain);
    let refused = on_terminal(&home, "xterm-kitty", "-q --hyperlinks=never 'a b.txt'");
    assert!(refused.contains("\u{1b}[35m") && !refused.contains("\u{1b}]8"), "{refused:?}");
    fs::write(home.join("out"), "").expect("a file");
    on_terminal(&home, "xterm-kitty", "-q --format text=out 'a b.txt'");
    assert_eq!(fs::read_to_string(home.join("out")).expect("a report"), plain);
}

/// Runs over a report larger than any pipe whose reader goes away at once.
fn unread(home: &Path, args: &[&str]) -> Output {
    fs::write(home.join("a.txt"), BAD.repeat(100_000)).expect("a file");
    let mut child = command(home, args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    child.wait_with_output().expect("the binary ends")
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let home = fresh("scan/pipe");
    // Findings until then count.
    says(&unread(&home, &["a.txt", "--format=text"]), 1, "", "");
}

#[test]
fn a_reader_that_goes_away_takes_no_other_report_with_it() {
    let home = fresh("scan/pipe-and-file");
    let output = unread(&home, &["a.txt", "--format=text", "--format=ndjson=run.ndjson"]);
    assert_eq!(output.status.code(), Some(1));
    let report = fs::read_to_string(home.join("run.ndjson")).expect("a report");
    assert_eq!(report.lines().count(), 100_001);
}

#[test]
fn a_bad_pattern_gives_2_and_names_it() {
    let home = fresh("scan/pattern");
    let output = scan(&home, &[".", "--include", "a", "--exclude", "b("]);
    assert_eq!(output.status.code(), Some(2));
    let wanted = "expected a regular expression, found \"b(\": unclosed group (character 2); \
                  \\( matches a bracket";
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(wanted), "{said}");
}

#[test]
fn a_value_that_is_no_text_is_shown() {
    let home = fresh("scan/bytes");
    let options = [b"scan".as_slice(), b"\xfe", b"--exclude", b"a\xff"];
    let options = options.map(OsStr::from_bytes);
    let output = home::linktrawl().current_dir(&home).args(options).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said, "error: expected an argument in UTF-8, found \"a\\xff\"\n");
}

/// Runs `linktrawl scan` on `args` with its report in the file called `to`.
fn scan_into(home: &Path, to: &str, args: &[&str]) -> Output {
    let report = fs::File::options().create(true).append(true).open(home.join(to));
    command(home, args).stdout(report.expect("a report")).output().expect("the binary runs")
}

#[test]
fn a_walk_passes_its_own_report_by() {
    let home = fresh("scan/own-output");
    fs::write(home.join("a.txt"), GOOD).expect("a file");
    fs::write(home.join("zz.txt"), GOOD).expect("a file");
    let output = scan_into(&home, "zz.txt", &["."]);
    let stderr = "linktrawl: 1 file, 29 B, 1 finding: 1 ok; left out: 1 own-output\n";
    says(&output, 0, "", stderr);
    let report = fs::read_to_string(home.join("zz.txt")).expect("the report");
    assert_eq!(report, format!("{GOOD}./a.txt:1:5: ok http://www.w3.org/\n"));
}

#[test]
fn a_walk_that_reads_hidden_files_passes_its_unfinished_report_by() {
    let home = fresh("scan/own-part");
    fs::write(home.join("a.txt"), GOOD).expect("a file");
    let output = scan(&home, &["--hidden", ".", "--format=ndjson=o.json"]);
    // It has no name until it is whole.
    says(&output, 0, "", "linktrawl: 1 file, 29 B, 1 finding, 1 distinct: 1 ok\n");
    assert_eq!(names(&home), ["a.txt", "o.json"]);
}

#[test]
fn a_walk_passes_the_report_by_that_a_new_one_takes_the_place_of() {
    let home = fresh("scan/own-old-report");
    fs::write(home.join("a.txt"), GOOD).expect("a file");
    let run = || scan(&home, &[".", "--format=csv=z.csv"]);
    says(&run(), 0, "", "linktrawl: 1 file, 29 B, 1 finding, 1 distinct: 1 ok\n");
    let stderr = "linktrawl: 1 file, 29 B, 1 finding, 1 distinct: 1 ok; left out: 1 own-output\n";
    says(&run(), 0, "", stderr);
}

#[test]
fn a_part_that_was_left_by_a_killed_run_is_in_nobodys_way() {
    let home = fresh("scan/stale");
    fs::write(home.join("a.txt"), GOOD).expect("a file");
    // A shell that becomes the program has the program's process ID.
    let script = "echo stale > .run.ndjson.$$.part; exec \"$0\" scan -q a.txt \"$@\"";
    let output = Command::new("sh")
        .current_dir(&home)
        .args(["-c", script, env!("CARGO_BIN_EXE_linktrawl"), "--format=ndjson=run.ndjson"])
        .output()
        .expect("a shell");
    says(&output, 0, "", "");
    let report = fs::read_to_string(home.join("run.ndjson")).expect("the report");
    assert_eq!(report.lines().count(), 2);
    assert_eq!(names(&home).len(), 3, "the stale part is not ours to remove");
}

/// Makes files with one URI each; names that end in `/` are directories.
fn plant(home: &Path, names: &[&str]) {
    for name in names {
        let path = home.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        if name.ends_with('/') {
            fs::create_dir_all(&path).expect("a directory");
        } else {
            fs::write(&path, GOOD).expect("a file");
        }
    }
}

/// The paths in which a scan of `root` finds something.
fn found(home: &Path, root: &str) -> Vec<String> {
    let stdout = String::from_utf8(scan(home, &["-q", root]).stdout).expect("UTF-8");
    stdout.lines().filter_map(|line| Some(line.split_once(':')?.0.to_owned())).collect()
}

#[test]
fn a_checkout_below_the_root_ignores_what_its_gitignore_names() {
    // The usual directory lies in a checkout where the build's does: this is the project's.
    let home = std::env::temp_dir().join(format!("linktrawl-checkout-{}", std::process::id()));
    plant(&home, &["src/repo/.git/", "src/repo/a.txt", "src/repo/target/x", "src/repo/sub/b.log"]);
    plant(&home, &["src/plain/target/x", "src/z.log"]);
    // Outside of a checkout the file is a text like others.
    fs::write(home.join("src/plain/.gitignore"), "target\n").expect("a file");
    fs::write(home.join("src/repo/.gitignore"), "target\n*.log\n").expect("a file");
    let wanted = ["src/plain/target/x", "src/repo/a.txt", "src/z.log"];
    let (paths, output) = (found(&home, "src"), scan(&home, &["src"]));
    fs::remove_dir_all(&home).expect("the directory");
    assert_eq!(paths, wanted);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.ends_with("; left out: 3 hidden, 2 ignored\n"), "{stderr}");
}

#[test]
fn a_checkout_in_a_checkout_has_rules_of_its_own() {
    let home = fresh("scan/checkout-within");
    plant(&home, &["outer/.git/", "outer/a.log", "outer/a.tmp", "outer/b/c/.git/"]);
    plant(&home, &["outer/b/c/a.log", "outer/b/c/a.tmp", "outer/b/z.log"]);
    fs::write(home.join("outer/.gitignore"), "*.log\n").expect("a file");
    fs::write(home.join("outer/b/c/.gitignore"), "*.tmp\n").expect("a file");
    for root in ["outer", "outer/b", "outer/b/c"] {
        let below = found(&home, root).into_iter().filter(|path| path.starts_with("outer/b"));
        assert_eq!(below.collect::<Vec<_>>(), ["outer/b/c/a.log"], "{root}");
    }
    assert_eq!(found(&home, "outer"), ["outer/a.tmp", "outer/b/c/a.log"]);
}

#[test]
fn a_warning_names_its_path_once() {
    let home = fresh("scan/once");
    let output = scan(&home, &["nope"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(stderr.matches("nope").count(), 1, "{stderr}");
    let line = "linktrawl: warning: nope: cannot open: No such file or directory";
    assert!(stderr.starts_with(line), "{stderr}");
}

#[test]
fn an_input_that_is_a_uri_or_a_pattern_is_told_where_it_belongs() {
    let home = fresh("scan/hints");
    for (input, wanted) in [
        ("http://user:secret@h.example/", "`linktrawl parse URI` explains one URI"),
        ("mailto:a@h.example", "as in `echo URI | linktrawl check -`"),
        ("*.md", "patterns are for the shell"),
        ("docs/[a-z].txt", "patterns are for the shell"),
    ] {
        let output = scan(&home, &["--quiet", input]);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(wanted) && !stderr.contains("secret"), "{stderr}");
    }
    let output = scan(&home, &["--format", "ndjson", "links.ndjson", "q.json"]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let remark = "linktrawl: to write a report there: --format ndjson=links.ndjson\n";
    assert!(stderr.contains(remark) && !stderr.contains("=q.json"), "{stderr}");
    fs::write(home.join("a:b*"), "http://a/\n").expect("a file");
    let output = scan(&home, &["a:b*"]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && stderr.lines().count() == 1, "{stderr}");
}

/// Names in `directory`, sorted.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
