//! Drives `linktrawl plan` and `linktrawl scan --split` as an engine does: by descriptors, exit
//! codes, and the last line on standard error.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::Value;

use crate::home::{self, fresh, run_on};

fn plan(home: &Path, args: &[&str]) -> Vec<String> {
    let output = run_on(home, &[&["plan"], args].concat(), "");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

fn scan(home: &Path, split: &str) -> Output {
    run_on(home, &["scan", "-q", "--split", "-", "--format", "ndjson"], split)
}

/// Returns the last line on standard error, if it is a record.
fn trailer(output: &Output) -> Option<Value> {
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let record: Value = serde_json::from_str(stderr.lines().last()?).ok()?;
    assert_eq!(record["type"], "done");
    Some(record)
}

#[test]
fn a_complete_split_gives_0_and_a_record_of_it() {
    let home = fresh("splits/complete");
    fs::write(home.join("a.txt"), "http://h/%zz http://h/a\n").expect("a file");
    fs::write(home.join("b.txt"), "http://h/b\n").expect("a file");
    let splits = plan(&home, &["."]);
    assert_eq!(splits.len(), 1, "small files are packed");
    let split = &splits[0];
    let output = scan(&home, split);
    assert_eq!(output.status.code(), Some(0), "findings do not count");
    let record = trailer(&output).expect("a trailer");
    let planned: Value = serde_json::from_str(split).expect("JSON");
    assert_eq!(record["split"], planned["id"]);
    assert_eq!(record["records"], 3);
    assert_eq!(record["bytes"], 35);
    assert_eq!(record["complete"], true);
    let whole = run_on(&home, &["scan", "-q", "--digest", "."], "");
    let digest = record["digest"].as_str().expect("a digest");
    assert!(String::from_utf8_lossy(&whole.stderr).contains(digest));
    fs::write(home.join("split.json"), split).expect("a file");
    let by_file = run_on(&home, &["scan", "--split", "split.json", "--format", "csv"], "");
    assert_eq!(trailer(&by_file).map(|record| record["records"].clone()), Some(3.into()));
}

#[test]
fn a_plan_in_the_directory_that_it_divides_is_no_part_of_it() {
    let home = fresh("splits/own");
    fs::write(home.join("a.txt"), "http://h/a\n").expect("a file");
    let file = fs::File::create(home.join("splits.ndjson")).expect("a file");
    let mut command = home::linktrawl();
    command.current_dir(&home).args(["plan", "."]).stdout(file).stderr(Stdio::piped());
    let output = command.output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("1 split of 1 file; left out: 1"), "{said}");
    let splits = fs::read_to_string(home.join("splits.ndjson")).expect("a file");
    assert!(!splits.contains("splits.ndjson"), "{splits}");
    let part = scan(&home, &splits);
    assert_eq!(part.status.code(), Some(0));
    assert_eq!(trailer(&part).map(|record| record["bytes"].clone()), Some(11.into()));
}

#[test]
fn what_cannot_be_read_gives_3_and_what_has_changed_75() {
    let home = fresh("splits/changed");
    fs::write(home.join("cut.gz"), [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B]).expect("a file");
    let broken = scan(&home, &plan(&home, &["cut.gz"])[0]);
    assert_eq!(broken.status.code(), Some(3));
    assert_eq!(trailer(&broken).map(|record| record["complete"].clone()), Some(false.into()));
    fs::write(home.join("a.txt"), "http://h/a\n").expect("a file");
    let split = plan(&home, &["a.txt"]).remove(0);
    fs::write(home.join("a.txt"), "http://h/ab\n").expect("a file");
    let changed = scan(&home, &split);
    assert_eq!(changed.status.code(), Some(75));
    let record = trailer(&changed).expect("a trailer");
    assert_eq!((&record["records"], &record["complete"]), (&0.into(), &false.into()));
    fs::remove_file(home.join("a.txt")).expect("a file");
    assert_eq!(scan(&home, &split).status.code(), Some(75), "it is gone");
}

#[cfg(unix)]
#[test]
fn a_copy_with_its_time_in_whole_seconds_is_the_same_file() {
    let home = fresh("splits/copied");
    let path = home.join("a.txt");
    fs::write(&path, "http://h/a\n").expect("a file");
    let time = |seconds: u64, nanoseconds: u32| UNIX_EPOCH + Duration::new(seconds, nanoseconds);
    let touch = |time| {
        let file = fs::File::options().write(true).open(&path).expect("a file");
        file.set_modified(time).expect("a time");
    };
    touch(time(86_400, 123_456_789));
    let split = plan(&home, &["a.txt"]).remove(0);
    for (copied, code) in [(time(86_400, 0), 0), (time(86_400, 1), 75), (time(86_401, 0), 75)] {
        touch(copied);
        let output = scan(&home, &split);
        assert_eq!(output.status.code(), Some(code));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let times =
            "last written at 1970-01-02T00:00:00.123456789Z, found 11 and 1970-01-02T00:00:0";
        assert!(code == 0 || said.contains(times), "{said}");
    }
}

#[test]
fn a_report_that_cannot_be_written_gives_75_and_no_record() {
    let home = fresh("splits/full");
    fs::write(home.join("a.txt"), "http://h/a\n").expect("a file");
    let split = plan(&home, &["a.txt"]).remove(0);
    fs::write(home.join("split.json"), split).expect("a file");
    let mut command = home::linktrawl();
    command.current_dir(&home).args(["scan", "--split", "split.json", "--format", "ndjson"]);
    let full = fs::File::options().write(true).open("/dev/full").expect("a device");
    let output = command.stdout(full).stderr(Stdio::piped()).output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(75));
    assert_eq!(trailer(&output), None);
}

#[test]
fn wrong_options_and_descriptors_give_2() {
    let home = fresh("splits/wrong");
    fs::write(home.join("a.txt"), "http://h/a\n").expect("a file");
    let split = plan(&home, &["a.txt"]).remove(0);
    let refused = |args: &[&str], stdin: &str, wanted: &str| {
        let output = run_on(&home, args, stdin);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(wanted), "{args:?} {stderr}");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    };
    refused(&["scan", "--split", "-"], "", "found nothing");
    refused(&["scan", "--split", "nofile"], "", "cannot read the split \"nofile\": ");
    let page = "# Another file\n\nIt has several lines.\n";
    fs::write(home.join("a.md"), page).expect("a file");
    let other = "cannot read the split \"a.md\": expected a line of linktrawl plan, found \
                 \"# Another file\"";
    refused(&["scan", "--split", "a.md"], "", other);
    refused(&["scan", "--split", "-"], &format!("{split}\n{split}\n"), "several lines");
    refused(&["scan", "--split", "-"], &split.replace("a.txt", "b.txt"), "an altered one");
    refused(&["scan", "--split", "-", "a.txt"], &split, "cannot be used with");
    refused(&["scan", "--split", "-", "--unique"], &split, "cannot be used with");
    refused(&["scan", "--split", "-", "--as", "mail"], &split, "--as");
    let tip = "tip: --hidden is for `plan`, which chooses the inputs";
    refused(&["scan", "--split", "-", "--hidden"], &split, tip);
    refused(&["scan", "--split", "-", "--fail-on", "warn"], &split, "cannot be used with");
    // A file serves whole scans, too.
    let settings = "hidden = true\nno-ignore = true\nfail-on = \"warn\"\nfail-if-empty = true\n";
    fs::write(home.join("linktrawl.toml"), settings).expect("a file");
    let output = run_on(&home, &["scan", "--split", "-"], &split);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    fs::remove_file(home.join("linktrawl.toml")).expect("our file");
    refused(&["check", "--split", "-"], &split, "scan alone");
    refused(&["plan", "--split-size", "0", "a.txt"], "", "expected 1 byte or more");
    refused(&["plan", "-"], "", "read once");
    refused(&["plan", "nowhere.txt"], "", "nowhere.txt");
}

#[test]
fn a_mailbox_in_parts_has_the_lines_and_numbers_of_the_whole() {
    let home = fresh("splits/box");
    let message = "From a@b Thu Jan  1 00:00:00 1998\nTo: c\n\nhttp://h.example/\n\n";
    fs::write(home.join("box"), message.repeat(20_000)).expect("a file");
    let splits = plan(&home, &["--split-size", "300KiB", "box"]);
    assert!(splits.len() > 1, "{splits:?}");
    let last = scan(&home, splits.last().expect("a split"));
    let text = String::from_utf8(last.stdout).expect("UTF-8");
    let finding = text.lines().rev().nth(1).expect("a finding");
    let finding: Value = serde_json::from_str(finding).expect("JSON");
    assert_eq!(finding["place"]["line"], 20_000 * 5 - 1);
    assert_eq!(finding["place"]["offset"], message.len() * 20_000 - 19);
    assert_eq!(finding["message"]["number"], 20_000);
}
