//! Ignore files: which hold where, what is counted, and that none of them keeps mail from
//! being read.

use std::fs;
use std::path::Path;

use super::{GOOD, directory, make_fifo, scan, write};

/// Returns the files that a walk of `.` with `options` finds, as paths without `./`, and the number
/// of ignored ones.
fn walk(home: &Path, options: &[&str]) -> (Vec<String>, u64) {
    let run = scan(home, &[&["."], options].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let paths = run.paths().into_iter().map(|path| path.trim_start_matches("./").to_owned());
    (paths.collect(), run.skipped("ignored"))
}

/// A message, with a URI in it.
fn message() -> String {
    format!("From: a@b\nTo: c@d\n\n{GOOD}")
}

/// Makes the directories of a Maildir at `path`, and a message in it.
fn maildir(home: &Path, path: &str) {
    for part in ["cur", "new", "tmp"] {
        fs::create_dir_all(home.join(path).join(part)).expect("a directory");
    }
    write(home, Path::new(path).join("cur/1:2,S"), message());
}

#[test]
fn our_own_ignore_files_hold_without_a_checkout() {
    let home = directory("ignores");
    write(&home, ".linktrawlignore", "# a comment\r\n*.log\r\n/build/\r\n!keep.log\r\n");
    for path in ["a.txt", "a.log", "keep.log", "build/b.txt", "sub/build/c.txt", "sub/d.log"] {
        write(&home, path, GOOD);
    }
    write(&home, "sub/.linktrawlignore", "\u{FEFF}!d.log\n\\#e\nf[z\n");
    write(&home, "sub/#e", GOOD);
    write(&home, "sub/fz", GOOD);
    let expected = ["a.txt", "keep.log", "sub/build/c.txt", "sub/d.log", "sub/fz"];
    assert_eq!(walk(&home, &[]), (expected.map(str::to_owned).to_vec(), 3));
    let (paths, ignored) = walk(&home, &["--no-ignore"]);
    assert_eq!((paths.len(), ignored), (8, 0));
    // Named files are read, and so are those that a list names.
    write(&home, "list", "a.log\nbuild\n");
    let run = scan(&home, &["sub/d.log", "--files-from", "list"]);
    assert_eq!(run.paths(), ["sub/d.log", "a.log", "build/b.txt"]);
    // Ignore files above the root apply, too.
    let run = scan(&home, &["sub"]);
    assert_eq!((run.paths().len(), run.skipped("ignored")), (3, 1));
    let run = scan(&home.join("sub"), &["."]);
    assert_eq!((run.paths().len(), run.skipped("ignored")), (3, 1));
}

#[test]
fn our_own_ignore_files_stand_before_those_of_git() {
    let home = directory("ignores-git");
    fs::create_dir(home.join(".git")).expect("a directory");
    write(&home, ".gitignore", "*.log\n!never.log\n");
    write(&home, ".linktrawlignore", "!wanted.log\nnever.log\n");
    for path in ["a.log", "wanted.log", "never.log", "sub/never.log", "sub/.git/x", "sub/a.log"] {
        write(&home, path, GOOD);
    }
    write(&home, "sub/.gitignore", "!never.log\nwanted.log\n");
    write(&home, "sub/wanted.log", GOOD);
    // `sub` is a checkout of its own, which the rules of git around it do not reach.
    let expected = ["sub/a.log", "sub/wanted.log", "wanted.log"];
    assert_eq!(walk(&home, &[]), (expected.map(str::to_owned).to_vec(), 3));
}

#[test]
fn no_ignore_file_holds_in_a_spool() {
    let home = directory("ignores-spool");
    fs::create_dir(home.join(".git")).expect("a directory");
    for name in [".gitignore", ".linktrawlignore"] {
        write(&home, name, "*\n");
        // Nobody writes such files into a spool; a message may be called so.
        write(&home, Path::new("Maildir").join(name), "*\n");
    }
    maildir(&home, "Maildir");
    maildir(&home, "Maildir/.Folder");
    write(&home, "Mail/inbox/.mh_sequences", "cur: 1\n");
    write(&home, "Mail/inbox/1", message());
    write(&home, "Mail/inbox/sub/2", message());
    write(&home, "Mail/box", format!("From a@b Thu Dec  1 00:00:00 1994\n{}", message()));
    write(&home, "a.txt", GOOD);
    let of_maildir = ["Maildir/.Folder/cur/1:2,S", "Maildir/cur/1:2,S"];
    let (paths, ignored) = walk(&home, &[]);
    assert_eq!((paths, ignored), (of_maildir.map(str::to_owned).to_vec(), 2));
    let given = [
        ("Maildir", 2),
        ("Maildir/cur", 1),
        ("Mail/inbox", 2),
        ("Mail/inbox/sub", 1),
        // Mail is mail where it is named, whatever the file is called.
        ("Mail/box", 1),
    ];
    for (root, count) in given {
        let run = scan(&home, &[root]);
        assert_eq!((run.code, run.paths().len()), (Some(0), count), "{root}: {}", run.stderr);
        assert_eq!(run.skipped("ignored"), 0, "{root}");
    }
    let run = scan(&home, &["Mail"]);
    assert_eq!((run.paths().len(), run.skipped("ignored")), (2, 1));
}

#[test]
fn an_ignore_file_that_cannot_be_read_is_noted() {
    let home = directory("ignores-odd");
    write(&home, "a.txt", GOOD);
    write(&home, "pipe/b.txt", GOOD);
    make_fifo(&home.join("pipe/.linktrawlignore"));
    write(&home, "long/c.txt", GOOD);
    write(&home, "long/.linktrawlignore", "c.txt\n".repeat(200_000));
    fs::create_dir_all(home.join("directory/.linktrawlignore")).expect("a directory");
    write(&home, "directory/d.txt", GOOD);
    let run = scan(&home, &["."]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert_eq!(run.paths(), ["./a.txt", "./directory/d.txt", "./long/c.txt", "./pipe/b.txt"]);
    let unreadable = |path| ("input-unreadable", path);
    let odd = ["./long/.linktrawlignore", "./pipe/.linktrawlignore"];
    assert_eq!(run.notes(), odd.map(unreadable));
    assert_eq!(scan(&home, &[".", "--no-ignore"]).code, Some(0));
}
