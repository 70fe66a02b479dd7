//! `--files-from`: what is named in a list is read like what is named on the command line, in
//! its order.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use super::memory::header;
use super::{GOOD, Run, directory, make_fifo, scan, shell, write};

/// Files `1` to `count`, in directories of a thousand.
fn many(home: &Path, count: usize) -> Vec<String> {
    let names: Vec<String> =
        (0..count).map(|number| format!("{}/{number}", number / 1000)).collect();
    for name in &names {
        write(home, name, format!("http://h/{name}\n"));
    }
    names
}

#[test]
fn what_a_list_names_is_read_after_the_paths_in_its_order() {
    let home = directory("lists");
    for name in ["a", "b c", "é", "tree/d", "tree/sub/e", "f"] {
        write(&home, name, GOOD);
    }
    write(&home, "one", "f\r\n\r\ntree\n\nb c\nf");
    write(&home, "two", "é\n");
    let run = scan(&home, &["a", "--files-from", "one", "--files-from=two", "tree/d"]);
    let expected = ["a", "tree/d", "f", "tree/d", "tree/sub/e", "b c", "f", "é"];
    assert_eq!((run.code, run.paths()), (Some(0), expected.to_vec()), "{}", run.stderr);
    assert_eq!(run.files(), 8);
    write(&home, "nul\nl", GOOD);
    write(&home, "three", "a\0\0nul\nl\0f");
    let run = scan(&home, &["--files-from", "three", "--null"]);
    assert_eq!((run.code, run.paths()), (Some(0), vec!["a", "nul\nl", "f"]), "{}", run.stderr);
}

#[test]
fn a_list_may_come_from_standard_input_or_name_it() {
    let home = directory("lists-stdin");
    write(&home, "a", GOOD);
    write(&home, "b", GOOD);
    let run = shell(&home, "printf 'b\\0a' | \"$0\" scan --format ndjson --files-from - -0");
    assert_eq!((run.code, run.paths()), (Some(0), vec!["b", "a"]), "{}", run.stderr);
    write(&home, "list", "a\n-\nb\n");
    let run = shell(&home, "echo http://h/ | \"$0\" scan --format ndjson --files-from list");
    assert_eq!((run.code, run.paths()), (Some(0), vec!["a", "-", "b"]), "{}", run.stderr);
    // A list cannot be an input at the same time.
    let run = shell(&home, "printf 'a\\n-\\nb\\n' | \"$0\" scan --format ndjson --files-from -");
    assert_eq!((run.code, run.paths()), (Some(2), vec!["a", "b"]));
    assert_eq!(run.notes(), [("input-unreadable", "-")]);
    for arguments in ["- --files-from -", "--files-from - --files-from -"] {
        let run = shell(&home, &format!("echo a | \"$0\" scan {arguments}"));
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains("standard input once"), "{}", run.stderr);
    }
}

#[test]
fn what_a_list_names_and_is_not_there_is_noted_in_its_place() {
    let home = directory("lists-gone");
    write(&home, "a", GOOD);
    write(&home, "b", GOOD);
    write(&home, "packed", b"7z\xBC\xAF\x27\x1Crest");
    write(&home, "list", "a\ngone\npacked\na/b\nb\n");
    for threads in ["1", "2", "8"] {
        let run = scan(&home, &["--threads", threads, "--files-from", "list", "--exit-zero"]);
        assert_eq!((run.code, run.paths()), (Some(2), vec!["a", "b"]), "{}", run.stderr);
        let unreadable = |path| ("input-unreadable", path);
        let expected = [unreadable("gone"), ("input-packed", "packed"), unreadable("a/b")];
        assert_eq!(run.notes(), expected);
        let order: Vec<_> =
            run.records.iter().filter_map(|it| it["place"]["path"].as_str()).collect();
        assert_eq!(order, ["a", "gone", "packed", "a/b", "b"]);
        assert_eq!((run.files(), run.skipped("packed")), (2, 1));
        assert_eq!(run.summary()["complete"], false);
    }
}

#[test]
fn a_list_that_cannot_be_read_or_names_nothing_gives_2() {
    let home = directory("lists-unreadable");
    write(&home, "a", GOOD);
    write(&home, "empty", "\n\r\n");
    fs::create_dir(home.join("directory")).expect("a directory");
    for list in ["gone", "directory"] {
        let run = scan(&home, &["a", "--files-from", list]);
        assert_eq!((run.code, run.paths()), (Some(2), vec!["a"]), "{list}: {}", run.stderr);
        assert_eq!(run.notes(), [("input-unreadable", list)]);
    }
    let run = scan(&home, &["--files-from", "empty"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("nothing was read"), "{}", run.stderr);
    // Beside something that was read, it is no fault.
    assert_eq!(scan(&home, &["a", "--files-from", "empty"]).code, Some(0));
}

#[test]
fn links_pipes_and_hidden_files_that_a_list_names_are_read() {
    let home = directory("lists-special");
    write(&home, ".hidden", GOOD);
    write(&home, "a", GOOD);
    symlink("a", home.join("link")).expect("a link");
    make_fifo(&home.join("fifo"));
    write(&home, "list", ".hidden\nlink\nfifo\n/dev/null\na\n");
    let script = "echo http://h/ >fifo & \"$0\" scan --format ndjson --files-from list";
    let run = shell(&home, script);
    assert_eq!((run.code, run.paths()), (Some(0), vec![".hidden", "link", "fifo", "a"]));
    assert_eq!(run.files(), 5);
}

#[test]
fn a_list_of_many_files_is_read_like_a_walk() {
    let home = directory("lists-many");
    let mut names = many(&home, 3000);
    let large = format!("http://h/large\n{}", "x\n".repeat(400_000));
    write(&home, "0/500-large", large);
    names.insert(501, "0/500-large".to_owned());
    write(&home, "list", names.join("\n"));
    let first = scan(&home, &["--threads=1", "--files-from=list"]);
    assert_eq!(first.paths(), names);
    for threads in ["2", "8"] {
        let run = scan(&home, &["--threads", threads, "--files-from=list"]);
        assert!(run.records == first.records, "{threads} threads");
    }
    let walked: Run = scan(&home, &["0", "1", "2"]);
    assert_eq!(walked.summary(), first.summary());
}

#[test]
fn the_last_members_of_a_large_archive_are_read() {
    let home = directory("lists-archive");
    let mut bytes = Vec::new();
    for number in 0..1000 {
        let text = format!("http://h/{number}\n");
        bytes.extend_from_slice(&header("a", text.len()));
        bytes.extend_from_slice(text.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    write(&home, "a/a.tar", &bytes);
    write(&home, "list", "a\na/a.tar\n");
    for inputs in [&["a/a.tar"][..], &["a"], &["--files-from=list"]] {
        let run = scan(&home, inputs);
        assert_eq!(run.paths().len() % 1000, 0, "{inputs:?}");
        assert_eq!(run.summary()["members"], run.summary()["findings"], "{inputs:?}");
    }
}

#[test]
fn a_walk_within_a_list_reads_no_report_of_the_run_and_ends() {
    let home = directory("lists-own");
    write(&home, "tree/a", GOOD);
    write(&home, "list", "tree\n");
    let run = shell(&home, "\"$0\" scan --format ndjson --files-from list >tree/out; cat tree/out");
    assert_eq!(run.paths(), ["tree/a"]);
    assert_eq!(run.skipped("own-output"), 1);
}
