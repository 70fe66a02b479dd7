//! Tests spools that are directories: Maildir and Maildir++, MH, and news. Which files are read,
//! which are skipped and counted, and messages that are renamed during a run.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs::{self, Permissions};
use std::ops::ControlFlow;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

use linktrawl::internal::check::WINDOW;
use linktrawl::internal::finding::Skip;
use linktrawl::internal::source::file::{self, FoundAs, Reading};
use linktrawl::internal::source::mail::maildir::Renamed;
use linktrawl::internal::source::piece::{CORE_LEN_MAX, Event, Stage, buffer_len};
use linktrawl::internal::source::walk::{self, Identities, Step, WalkRules};
use linktrawl::internal::source::{Buffer, InputKind, Piece};
use serde_json::{Value, json};

use super::archives;
use crate::support::home;

/// Returns an empty directory for the test called `name`.
fn directory(name: &str) -> PathBuf {
    home::directory("spools", name)
}

fn message(number: usize) -> String {
    format!(
        "From: ann@example.org\nMessage-ID: <{number}@example.org>\n\n\
         http://www.example.org/{number}\n"
    )
}

/// Writes a message to `path` in `home`, with the directories that lead there.
fn write(home: &Path, path: &str, number: usize) {
    let path = home.join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    fs::write(path, message(number)).expect("a file");
}

/// Paths with findings, and the summary.
fn scan(home: &Path, arguments: &[&str]) -> (Vec<String>, Value) {
    let run = |threads| {
        let output = home::linktrawl()
            .current_dir(home)
            .args(["scan", "--quiet", "--format=ndjson", "--threads", threads])
            .args(arguments)
            .output()
            .expect("the binary runs");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).expect("records are UTF-8")
    };
    let text = run("1");
    assert_eq!(text, run("2"), "with two threads");
    let records = text.lines().map(|line| serde_json::from_str(line).expect("a record is JSON"));
    let mut records: Vec<Value> = records.collect();
    let summary = records.pop().expect("a summary");
    let path = |record: &Value| record["place"]["path"].as_str().map(str::to_owned);
    (records.iter().filter_map(path).collect(), summary)
}

#[test]
fn a_message_after_something_empty_is_decoded() {
    let home = directory("behind");
    let body = data_encoding::BASE64.encode(b"http://www.example.org/inside\n");
    let starts = ["", "\n\n", "\u{FEFF}", "\0\r\n"];
    for (number, start) in starts.iter().enumerate() {
        let head = "Content-Transfer-Encoding: base64\nMessage-ID: <a@b>\n";
        fs::write(home.join(format!("{number}.eml")), format!("{start}{head}\n{body}\n"))
            .expect("a file");
    }
    let (paths, summary) = scan(&home, &["."]);
    assert_eq!(paths, ["./0.eml", "./1.eml", "./2.eml", "./3.eml"]);
    assert_eq!(summary["messages"], 4);
}

#[test]
fn messages_of_a_maildir_are_read_and_nothing_else() {
    let home = directory("maildir");
    let messages = [".Sub.Folder/new/4", ".Sub/cur/3:2,", "cur/1,S=9:2,RS", "new/2"];
    for (number, path) in messages.iter().enumerate() {
        write(&home, path, number);
    }
    for folder in ["", ".Sub/", ".Sub.Folder/"] {
        for part in ["cur", "new", "tmp"] {
            fs::create_dir_all(home.join(folder).join(part)).expect("a directory");
        }
    }
    for path in ["tmp/5", "tmp/6", ".Sub/tmp/deep/7"] {
        write(&home, path, 100);
    }
    let control = [
        "dovecot-uidlist",
        "dovecot.index.cache",
        ".Sub/dovecot.index.log",
        ".Sub/maildirfolder",
        "courierimapkeywords/:list",
        "subscriptions",
        ".notmuch/xapian/record.glass",
    ];
    for path in control {
        write(&home, path, 100);
    }
    write(&home, "cur/dovecot-is-a-name", 5);
    write(&home, ".hidden", 100);
    let left_out = json!({"control-file": control.len(), "hidden": 1, "in-delivery": 3});
    let (paths, summary) = scan(&home, &["."]);
    let expected = ["./.Sub/cur/3:2,", "./.Sub.Folder/new/4", "./cur/1,S=9:2,RS"];
    assert_eq!(paths[..3], expected);
    assert_eq!(paths[3..], ["./cur/dovecot-is-a-name", "./new/2"]);
    assert_eq!((&summary["skipped"], &summary["messages"]), (&left_out, &json!(5)));
    // A name that begins with a dot is no reason to read what is no message.
    let (paths, summary) = scan(&home, &[".", "--hidden"]);
    assert_eq!(paths.len(), 6);
    assert_eq!(summary["skipped"]["control-file"], control.len());
    // Files that the user names are read.
    assert_eq!(scan(&home, &["tmp", "dovecot-uidlist"]).0.len(), 3);
}

/// They repeat header fields of the messages beside them.
#[test]
fn files_of_servers_beside_messages_are_skipped_in_archives() {
    let home = directory("packed");
    let [one, two, three] = [1, 2, 3].map(message);
    let spool = archives::tar(&[
        ("Maildir/cur/1038592800.a.b:2,S", one.as_bytes()),
        ("Maildir/dovecot.index.cache", two.as_bytes()),
        ("user/cyrus.cache", three.as_bytes()),
    ]);
    fs::write(home.join("spool.tar"), spool).expect("a file");
    let (paths, summary) = scan(&home, &["spool.tar"]);
    assert_eq!(paths.len(), 1);
    assert_eq!(summary["skipped"], json!({"control-file": 2}));
}

#[test]
fn folders_of_a_maildir_that_are_called_like_files_of_programs_are_read() {
    let home = directory("called");
    let folders = [".courier", ".dovecot", ".dovecot-list", ".notmuch", ".subscriptions"];
    let folders = [&folders[..], &["courier", "dovecot", "maildirfolder"]].concat();
    for folder in [&["."], &folders[..]].concat() {
        for part in ["cur", "new", "tmp"] {
            fs::create_dir_all(home.join(folder).join(part)).expect("a directory");
        }
    }
    for (number, folder) in folders.iter().enumerate() {
        write(&home, &format!("{folder}/cur/{number}:2,S"), number);
        write(&home, &format!("{folder}/dovecot.index"), 100);
    }
    write(&home, ".dovecot.index/cur/1", 100);
    write(&home, "dovecot.index", 100);
    let (paths, summary) = scan(&home, &["."]);
    let expected = folders.iter().enumerate();
    let expected = expected.map(|(number, folder)| format!("./{folder}/cur/{number}:2,S"));
    assert_eq!(paths, expected.collect::<Vec<_>>());
    assert_eq!(summary["skipped"], json!({"control-file": folders.len() + 2}));
}

#[test]
fn what_programs_keep_beside_stores_of_any_kind_is_left_out() {
    let home = directory("beside");
    let control = [
        "mdbox/storage/dovecot.map.index.log",
        "mdbox/mailboxes/INBOX/dbox-Mails/dovecot.index.cache",
        "mdbox/dovecot.list.index",
        "mdbox/dovecot.mailbox.log.2",
        "sdbox/mailboxes/INBOX/dbox-Mails/dovecot.index",
        "sdbox/dovecot-uidvalidity.6b068ade",
        ".imap/INBOX/dovecot.index.log",
    ];
    for path in control {
        write(&home, path, 100);
    }
    let mork = "// <!-- <mdb:mork:z v=\"1.4\"/> -->\n< <(a=c)> (B8=ns:msg:db:row:scope:msgs:all)\n";
    for path in ["Inbox.msf", "Local/Sent.MSF"] {
        write(&home, path, 100);
        fs::write(home.join(path), format!("{mork}http://www.example.org/\n")).expect("a file");
    }
    let others = ["dovecot.index.md", "dovecot.conf", "dovecot.indices", "protein.msf", "a.mork"];
    for (number, path) in others.iter().enumerate() {
        write(&home, path, number);
    }
    let (mut paths, summary) = scan(&home, &[".", "--hidden"]);
    paths.dedup();
    let mut expected = others.map(|path| format!("./{path}"));
    expected.sort();
    assert_eq!(paths, expected);
    assert_eq!(summary["skipped"], json!({"control-file": control.len() + 2}));
    // Files that the user names are read.
    assert_eq!(scan(&home, &["Inbox.msf", control[0]]).0.len(), 2);
}

/// Runs the binary in `home` as a user whom permissions hold: nothing keeps the superuser from
/// reading.
fn run_as_nobody(home: &Path, arguments: &[&str]) -> Output {
    const NOBODY: u32 = 65_534;
    let binary = home.join("binary");
    // By a process of its own: one that begins beside this would hold the file open, and
    // then it does not run.
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_linktrawl")).arg(&binary).status();
    assert!(copied.expect("cp runs").success());
    let mut command = Command::new(binary);
    command.current_dir(home).args(arguments);
    if fs::metadata("/proc/self").expect("this process").uid() == 0 {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.output().expect("the binary runs")
}

#[test]
fn a_folder_of_a_maildir_that_cannot_be_entered_is_noted() {
    // A directory that every user may enter: that for tests may be below a private one.
    let home = tempfile::tempdir().expect("a directory");
    let home = home.path();
    for path in [
        "tree/Maildir/cur/1",
        "tree/Maildir/new/2",
        "tree/Maildir/.Sent/cur/3",
        "tree/Maildir/.Sent/new/4",
    ] {
        write(home, path, 1);
    }
    write(home, "tree/.config/a", 100);
    write(home, "tree/Maildir/.cache/a", 100);
    let closed = ["tree/.config", "tree/Maildir/.Sent"].map(|path| home.join(path));
    let set_modes = |mode| {
        for path in &closed {
            fs::set_permissions(path, Permissions::from_mode(mode)).expect("permissions");
        }
    };
    fs::set_permissions(home, Permissions::from_mode(0o755)).expect("permissions");
    set_modes(0o000);
    let output = run_as_nobody(home, &["scan", "--format=ndjson", "tree"]);
    set_modes(0o755);
    let text = String::from_utf8(output.stdout).expect("records are UTF-8");
    let records = text.lines().map(|line| serde_json::from_str(line).expect("a record is JSON"));
    let mut records: Vec<Value> = records.collect();
    let summary = records.pop().expect("a summary");
    let told = |record: &Value| (record["type"].clone(), record["place"]["path"].clone());
    let told: Vec<_> = records.iter().map(told).collect();
    let expected = [
        ("note", "tree/Maildir/.Sent"),
        ("finding", "tree/Maildir/cur/1"),
        ("finding", "tree/Maildir/new/2"),
    ];
    assert_eq!(told, expected.map(|(kind, path)| (json!(kind), json!(path))), "{text}");
    assert_eq!((output.status.code(), &summary["skipped"]["hidden"]), (Some(2), &json!(2)));
}

#[test]
fn messages_of_mh_are_read_and_deleted_ones_are_not() {
    let home = directory("mh");
    for (number, path) in ["inbox/1", "inbox/12", "inbox/sub/7"].iter().enumerate() {
        write(&home, path, number);
    }
    for path in ["inbox/,2", "inbox/#3", "inbox/.mh_sequences", "inbox/sub/,8"] {
        write(&home, path, 100);
    }
    // Not where no messages are.
    write(&home, "other/#3", 5);
    write(&home, "other/,a", 6);
    write(&home, "inbox/#a#", 7);
    let (paths, summary) = scan(&home, &["."]);
    let expected = ["inbox/#a#", "inbox/1", "inbox/12", "inbox/sub/7", "other/#3", "other/,a"];
    assert_eq!(paths, expected.map(|path| format!("./{path}")));
    assert_eq!(summary["skipped"], json!({"control-file": 1, "deleted": 3}));
}

#[test]
fn an_article_in_several_groups_is_read_once() {
    let home = directory("news");
    write(&home, "comp/text/17", 1);
    write(&home, "comp/text/18", 2);
    for link in ["comp/infosystems/4", "news/answers/9"] {
        let link = home.join(link);
        fs::create_dir_all(link.parent().expect("a parent")).expect("a directory");
        fs::hard_link(home.join("comp/text/17"), link).expect("a link");
    }
    std::os::unix::fs::symlink("../comp/text/18", home.join("news/5")).expect("a link");
    let (paths, summary) = scan(&home, &["comp", "news"]);
    assert_eq!(paths, ["comp/infosystems/4", "comp/text/18"]);
    assert_eq!(summary["skipped"], json!({"hard-link": 2, "symlink": 1}));
    assert_eq!(summary["files"], 2);
    // Files that the user names are read.
    assert_eq!(scan(&home, &["comp/text/17", "news/answers/9"]).0.len(), 2);
}

#[test]
fn a_document_is_read_under_each_of_its_names() {
    let home = directory("documents");
    write(&home, "v1/a.md", 1);
    fs::create_dir_all(home.join("v2")).expect("a directory");
    for link in ["v2/a.md", "v1/a", "v2/a"] {
        fs::hard_link(home.join("v1/a.md"), home.join(link)).expect("a link");
    }
    let (paths, summary) = scan(&home, &["v1", "v2"]);
    assert_eq!(paths, ["v1/a", "v1/a.md", "v2/a.md"]);
    assert_eq!(summary["skipped"], json!({"hard-link": 1}));
}

#[test]
fn an_article_as_inn_keeps_it_has_one_dot_less() {
    let home = directory("wire");
    let article = "Path: a!b\r\nNewsgroups: comp.text\r\nMessage-ID: <1@example.org>\r\n\
        From: ann@example.org\r\n\r\n<http://www.example.org/\r\n..hidden>\r\n";
    for (name, expected) in [("101", "http://www.example.org/.hidden"), ("a", "/..hidden")] {
        fs::write(home.join(name), article).expect("a file");
        let output = home::linktrawl()
            .current_dir(&home)
            .args(["scan", "--quiet", name])
            .output()
            .expect("the binary runs");
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(text.starts_with(&format!("{name}:6:2: ok ")), "{text}");
        assert!(text.ends_with(&format!("{expected}\n")), "{text}");
    }
}

// ---- messages that are renamed -----------------------------------------------------------

/// Collects texts.
#[derive(Default)]
struct Collecting(Vec<(PathBuf, Vec<u8>)>);

impl Stage for Collecting {
    fn buffer(&mut self) -> Buffer {
        Buffer::new(buffer_len(CORE_LEN_MAX, WINDOW))
    }

    fn large_buffer(&mut self, len: usize) -> Buffer {
        Buffer::new(len)
    }

    fn give_back(&mut self, _: Buffer) {}

    fn take(&mut self, piece: Piece) -> ControlFlow<()> {
        self.0.push((piece.origin.path.clone(), piece.bytes.to_vec()));
        ControlFlow::Continue(())
    }

    fn event(&mut self, event: Event) -> ControlFlow<()> {
        unreachable!("nothing is said of a text: {event:?}");
    }
}

/// Walks `home`, and does `change` when the file at `at` is given, before it is opened. What the
/// walk gave.
fn walk_while(home: &Path, at: &str, change: impl FnOnce()) -> Vec<Step> {
    let rules = WalkRules { hidden: false, ignored: false };
    let (mut steps, mut change) = (Vec::new(), Some(change));
    walk::walk(home, rules, &mut Identities::default(), &mut |step| {
        let is_there = matches!(&step, Step::File(path, _) if *path == home.join(at));
        if let Some(change) = change.take_if(|_| is_there) {
            change();
        }
        steps.push(step);
        ControlFlow::Continue(())
    });
    assert!(change.is_none(), "{at} is given: {steps:?}");
    steps
}

/// Reads the files of `steps`: paths of what was read, and of what was not.
fn read(steps: Vec<Step>) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut stage, renamed) = (Collecting::default(), Mutex::new(Renamed::default()));
    let reading = Reading { kind: InputKind::Auto, window: WINDOW };
    let mut lost = Vec::new();
    for step in steps {
        let Step::File(path, _) = step else { continue };
        if let Err(error) = file::read_again(&path, FoundAs::Walked, reading, &renamed, &mut stage)
        {
            assert!(error.is_not_found(), "{error:?}");
            lost.push(error.input().expect("a path").to_owned());
        }
    }
    (stage.0.into_iter().map(|(path, _)| path).collect(), lost)
}

/// Walks `home`, does `change` when all is listed, and reads what was found then: paths of what
/// was read, and of what was not.
fn read_after(home: &Path, change: impl FnOnce()) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let mut steps = Vec::new();
    walk::walk(home, WalkRules::default(), &mut Identities::default(), &mut |step| {
        steps.push(step);
        ControlFlow::Continue(())
    });
    change();
    read(steps)
}

/// A Maildir with messages at `paths`.
fn maildir(name: &str, paths: &[&str]) -> PathBuf {
    let home = directory(name);
    for part in ["cur", "new", "tmp"] {
        fs::create_dir(home.join(part)).expect("a directory");
    }
    for (number, path) in paths.iter().enumerate() {
        write(&home, path, number);
    }
    home
}

#[test]
fn a_message_that_was_renamed_is_read_under_its_new_name() {
    let home = maildir("renamed", &["cur/1:2,", "cur/2:2,S", "new/3", "new/4", "new/34"]);
    let rename = |from: &str, to: &str| {
        fs::rename(home.join(from), home.join(to)).expect("a new name");
    };
    let (read, lost) = read_after(&home, || {
        rename("cur/1:2,", "cur/1:2,RS");
        rename("new/3", "cur/3:2,");
        rename("new/34", "cur/34;2,S");
    });
    let expected = ["cur/1:2,RS", "cur/2:2,S", "cur/3:2,", "cur/34;2,S", "new/4"];
    assert_eq!(read, expected.map(|path| home.join(path)));
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn a_message_that_is_gone_is_told_by_its_old_name() {
    let home = maildir("gone", &["cur/1:2,", "cur/2:2,S", "new/3"]);
    let (read, lost) = read_after(&home, || {
        fs::remove_file(home.join("cur/1:2,")).expect("a message");
        fs::rename(home.join("new/3"), home.join("cur/33:2,")).expect("another message");
    });
    assert_eq!(read, [home.join("cur/2:2,S")]);
    assert_eq!(lost, [home.join("cur/1:2,"), home.join("new/3")]);
}

#[test]
fn messages_that_are_renamed_again_are_found_again() {
    let home = maildir("again", &["new/1", "new/2"]);
    let renamed = &mut Renamed::default();
    let (at, moved) = (home.join("cur/1:2,"), home.join("cur/2:2,"));
    fs::rename(home.join("new/1"), &at).expect("a new name");
    fs::rename(home.join("new/2"), &moved).expect("a new name");
    assert_eq!(renamed.find(&home.join("new/1")).as_ref(), Some(&at));
    let last = home.join("cur/2:2,S");
    fs::rename(&moved, &last).expect("a new name");
    assert_eq!(renamed.find(&home.join("new/2")).as_ref(), Some(&last));
    assert_eq!(renamed.find(&home.join("new/3")), None);
    // Only in a Maildir.
    assert_eq!(renamed.find(&home.join("other/1:2,")), None);
    assert_eq!(renamed.find(Path::new("1:2,")), None);
}

// ---- messages that are renamed while they are listed ----------------------------------------

/// Walks the Maildir `home`, where messages get other names when the one at `at` is given: these
/// are read, by the names that they have in the end.
#[track_caller]
fn moving(home: &Path, at: &str, moves: &[(&str, &str)], expected: &[&str]) {
    let steps = walk_while(home, at, || {
        for (from, to) in moves {
            fs::rename(home.join(from), home.join(to)).expect("a new name");
        }
    });
    let (read, lost) = read(steps);
    assert_eq!(read, expected.iter().map(|path| home.join(path)).collect::<Vec<_>>());
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn a_message_that_moves_to_cur_while_that_is_read_is_read_once() {
    let home = maildir("to-cur", &["cur/1:2,S", "cur/2:2,S", "new/3", "new/4", "new/5"]);
    let moves = [("new/5", "cur/5:2,S"), ("new/3", "cur/3:2,")];
    let expected = ["cur/1:2,S", "cur/2:2,S", "cur/3:2,", "cur/5:2,S", "new/4"];
    moving(&home, "cur/1:2,S", &moves, &expected);
    // It is listed at once by now.
    moving(&home, "cur/2:2,S", &[], &expected);
}

#[test]
fn a_message_that_moves_to_cur_after_it_is_read_once() {
    let home = maildir("behind-cur", &["cur/1:2,S", "new/2", "new/3", "new/4"]);
    let moves = [("new/2", "cur/2:2,S"), ("new/3", "cur/3:2,S")];
    let expected = ["cur/1:2,S", "cur/2:2,S", "cur/3:2,S", "new/4"];
    moving(&home, "new/2", &moves, &expected);
    // Between both, at the place of another folder.
    let home = maildir("between", &["cur/1:2,S", "lists/cur/2:2,S", "lists/new/3", "new/4"]);
    let moves = [("new/4", "cur/4:2,S"), ("lists/new/3", "lists/cur/3:2,S")];
    let expected = ["cur/1:2,S", "lists/cur/2:2,S", "lists/cur/3:2,S", "cur/4:2,S"];
    moving(&home, "lists/cur/2:2,S", &moves, &expected);
}

#[test]
fn a_message_that_was_missed_is_found_when_it_moves_again() {
    let home = maildir("twice", &["cur/1:2,S", "new/2", "new/3"]);
    let steps = walk_while(&home, "cur/1:2,S", || {
        fs::rename(home.join("new/2"), home.join("cur/2:2,")).expect("a new name");
    });
    fs::rename(home.join("cur/2:2,"), home.join("cur/2:2,S")).expect("a new name");
    let expected = ["cur/1:2,S", "cur/2:2,S", "new/3"].map(|path| home.join(path));
    assert_eq!(read(steps), (expected.to_vec(), Vec::new()));
}

#[test]
fn a_message_that_moves_out_of_cur_is_read_once() {
    let home = maildir("to-new", &["cur/1:2,S", "cur/2:2,S", "cur/3:2,", "cur/4:2,S", "new/5"]);
    let moves = [
        ("cur/1:2,S", "new/1"),
        ("cur/2:2,S", "new/2"),
        ("cur/3:2,", "cur/3:2,RS"),
        ("cur/4:2,S", "cur/4:2,"),
    ];
    let expected = ["new/1", "new/2", "cur/3:2,RS", "cur/4:2,", "new/5"];
    moving(&home, "cur/1:2,S", &moves, &expected);
}

#[test]
fn a_message_that_is_delivered_meanwhile_is_read_once_at_most() {
    let home = maildir("delivered", &["cur/1:2,S", "new/2"]);
    write(&home, "tmp/0", 5);
    write(&home, "tmp/3", 5);
    let moves = [("tmp/0", "new/0"), ("new/0", "cur/0:2,S"), ("tmp/3", "new/3")];
    moving(&home, "cur/1:2,S", &moves, &["cur/1:2,S", "cur/0:2,S", "new/2", "new/3"]);
}

#[test]
fn copies_of_a_message_with_one_unique_name_are_all_read() {
    let paths = ["cur/1", "cur/1:2,", "cur/1:2,S", "new/1", "new/1:2,S", "new/2", "new/2:2,"];
    let home = maildir("copies", &paths);
    moving(&home, "cur/1:2,", &[], &paths);
}

#[test]
fn a_message_that_has_moved_is_known_by_its_other_names() {
    let home = maildir("linked", &["cur/1:2,S", "new/2", "new/3", "new/4", "tmp/5"]);
    fs::create_dir(home.join("old")).expect("a directory");
    for name in ["2", "4"] {
        fs::hard_link(home.join("new").join(name), home.join("old").join(name)).expect("a link");
    }
    let rename = |from: &str, to: &str| {
        fs::rename(home.join(from), home.join(to)).expect("a new name");
    };
    let steps = walk_while(&home, "cur/1:2,S", || rename("new/2", "cur/2:2,S"));
    assert_eq!(
        steps.iter().filter(|step| matches!(step, Step::Skipped(Skip::HardLink))).count(),
        2
    );
    let steps = walk_while(&home, "new/3", || rename("new/4", "cur/4:2,S"));
    assert_eq!(
        steps.iter().filter(|step| matches!(step, Step::Skipped(Skip::HardLink))).count(),
        2
    );
    let is_large = |step: &Step| !matches!(step, Step::File(_, 0));
    assert!(steps.iter().all(is_large), "{steps:?}");
}

#[test]
fn what_is_left_out_of_cur_does_not_come_late() {
    let home = maildir("left-out", &["cur/1", "cur/,7", "cur/.a", "cur/sub/8", "new/2"]);
    std::os::unix::fs::symlink("1", home.join("cur/3")).expect("a link");
    let steps = walk_while(&home, "cur/1", || {
        write(&home, "cur/.b", 100);
        write(&home, "cur/bus/9", 100);
        std::os::unix::fs::symlink("1", home.join("cur/4")).expect("a link");
    });
    let skip = |step: &Step| if let Step::Skipped(skip) = step { Some(*skip) } else { None };
    let skips: Vec<_> = steps.iter().filter_map(skip).collect();
    assert_eq!(skips, [Skip::Deleted, Skip::Hidden, Skip::Symlink]);
    assert_eq!(read(steps).0, ["cur/1", "cur/sub/8", "new/2"].map(|path| home.join(path)));
}
