//! Tests paths that are not regular files, cannot be read, or have disappeared: in a tree, in a
//! list and on the command line.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use linktrawl::Error;
use linktrawl::internal::check::WINDOW;
use linktrawl::internal::source::file::{self, FoundAs, Reading};
use linktrawl::internal::source::piece::{CORE_LEN_MAX, Event, Stage, buffer_len};
use linktrawl::internal::source::{Buffer, InputKind, Piece};

use super::{GOOD, Run, directory, make_fifo, scan, shell, write};
use crate::support::home;

const READING: Reading = Reading { kind: InputKind::Auto, window: WINDOW };

// ---- pipes, devices, sockets -----------------------------------------------------------

#[test]
fn pipes_and_sockets_in_a_tree_are_counted_with_any_number_of_threads() {
    let home = directory("special");
    for number in 0..200 {
        write(&home, format!("tree/{number:03}/a"), GOOD);
        make_fifo(&home.join(format!("tree/{number:03}/fifo")));
    }
    // A name of a socket is short: it is bound from inside its directory.
    let socket = Path::new("/tmp").join(format!("linktrawl-{}", std::process::id()));
    let _listener = UnixListener::bind(&socket).expect("a socket");
    fs::rename(&socket, home.join("tree/socket")).expect("one file system");
    for threads in ["1", "8"] {
        let run = scan(&home, &["--threads", threads, "tree"]);
        assert_eq!((run.code, run.paths().len()), (Some(0), 200), "{}", run.stderr);
        assert_eq!((run.skipped("special"), run.notes().len()), (201, 0));
    }
    let run = scan(&home, &["tree/socket", "tree/000/a"]);
    assert_eq!((run.code, run.paths()), (Some(2), vec!["tree/000/a"]));
    assert_eq!(run.notes(), [("input-unreadable", "tree/socket")]);
}

#[test]
fn devices_are_read_where_they_are_named_and_nowhere_else() {
    let home = directory("devices");
    write(&home, "a", GOOD);
    let run = scan(&home, &["/dev/null", "a"]);
    assert_eq!((run.code, run.paths(), run.files()), (Some(0), vec!["a"], 2));
    // A walk opens none of them: zeros have no end, and a terminal waits for keys.
    let run = scan(&home, &["/dev"]);
    assert!(run.skipped("special") >= 3, "{}", run.stderr);
}

#[test]
fn files_of_the_kernel_say_no_size_and_are_read() {
    let home = directory("kernel");
    let run = scan(&home, &["/proc/self/status", "/proc/self/mem"]);
    assert_eq!((run.code, run.files()), (Some(2), 2), "{}", run.stderr);
    // Nothing lies at the first address.
    assert_eq!(run.notes(), [("input-unreadable", "/proc/self/mem")]);
    assert!(run.summary()["bytes"].as_u64().is_some_and(|bytes| bytes > 100));
    let run = shell(&home, "\"$0\" scan --format ndjson http://h/ /proc/self/cmdline");
    let uri = run.records.iter().find_map(|record| record["uri"].as_str());
    assert_eq!((run.code, uri), (Some(2), Some("http://h/")), "{}", run.stderr);
}

// ---- what was a file when it was listed ------------------------------------------------

/// Takes nothing.
struct Nobody;

impl Stage for Nobody {
    fn buffer(&mut self) -> Buffer {
        Buffer::new(buffer_len(CORE_LEN_MAX, WINDOW))
    }

    fn large_buffer(&mut self, len: usize) -> Buffer {
        Buffer::new(len)
    }

    fn give_back(&mut self, _: Buffer) {}

    fn take(&mut self, _: Piece) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn event(&mut self, _: Event) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Reports whether `path` is read as a regular file; if not, checks that it counts as gone.
#[track_caller]
fn is_read(path: &Path, found: FoundAs) -> bool {
    let read = file::read_regular(path, found, READING, &mut Nobody);
    let is_gone = |error: &Error| match error {
        Error::Open { source, .. } => source.kind() == ErrorKind::NotFound,
        _ => false,
    };
    assert!(read.as_ref().err().is_none_or(is_gone), "{read:?}");
    read.is_ok()
}

#[test]
fn what_has_become_something_else_is_neither_waited_for_nor_followed() {
    let home = directory("race");
    let file = write(&home, "a", GOOD);
    symlink("a", home.join("link")).expect("a link");
    symlink("link", home.join("b")).expect("a link");
    make_fifo(&home.join("fifo"));
    symlink("fifo", home.join("link-to-fifo")).expect("a link");
    let _listener = UnixListener::bind(home.join("s")).ok();
    assert!(is_read(&file, FoundAs::Walked) && is_read(&file, FoundAs::Named));
    assert!(is_read(&home.join("b"), FoundAs::Named) && !is_read(&home.join("b"), FoundAs::Walked));
    // To open a pipe that nobody writes to waits for ever, unless one asks not to.
    for other in ["fifo", "link-to-fifo", "s", "", "gone"] {
        for found in [FoundAs::Walked, FoundAs::Named] {
            assert!(!is_read(&home.join(other), found), "{other}");
        }
    }
    assert!(!is_read(Path::new("/dev/null"), FoundAs::Named));
}

// ---- links -----------------------------------------------------------------------------

#[test]
fn links_that_go_round_are_counted_once_and_end() {
    let home = directory("loops");
    write(&home, "tree/sub/a", GOOD);
    symlink("..", home.join("tree/sub/up")).expect("a link");
    symlink("other", home.join("tree/one")).expect("a link");
    symlink("one", home.join("tree/other")).expect("a link");
    symlink("tree", home.join("named")).expect("a link");
    let run = scan(&home, &["named", "named/sub/up/sub/up/sub"]);
    assert_eq!(run.paths(), ["named/sub/a", "named/sub/up/sub/up/sub/a"], "{}", run.stderr);
    assert_eq!((run.code, run.skipped("symlink")), (Some(0), 4));
    let run = scan(&home, &["tree/one", "named"]);
    assert_eq!((run.code, run.paths()), (Some(2), vec!["named/sub/a"]));
    assert_eq!(run.notes(), [("input-unreadable", "tree/one")]);
}

// ---- what may not be read --------------------------------------------------------------

/// A user who owns nothing here.
const NOBODY: u32 = 65_534;

/// A directory that every user may enter, for a user who is nobody: the directory of tests may be
/// below a private one.
struct Public(PathBuf);

impl Public {
    fn new(name: &str) -> Self {
        let own = format!("linktrawl-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(own);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("a directory");
        fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("permissions");
        Self(path)
    }

    /// Runs the binary as a user whom permissions hold.
    fn scan(&self, args: &[&str]) -> Run {
        let binary = self.0.join("binary");
        // By a process of its own: one that begins beside this would hold the file open, and
        // then it does not run.
        let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_linktrawl")).arg(&binary).status();
        assert!(copied.expect("cp runs").success());
        let mut command = Command::new(&binary);
        command.current_dir(&self.0).args(["scan", "--format=ndjson"]).args(args);
        // Nothing keeps the superuser from reading.
        if fs::metadata("/proc/self").expect("this process").uid() == 0 {
            command.uid(NOBODY).gid(NOBODY);
        }
        Run::of(&command.stdin(Stdio::null()).output().expect("the binary runs"))
    }

    fn forbid(&self, path: &str) {
        let none = Permissions::from_mode(0o000);
        fs::set_permissions(self.0.join(path), none).expect("permissions");
    }
}

impl Drop for Public {
    fn drop(&mut self) {
        let _ = Command::new("chmod").args(["-R", "u+rwX"]).arg(&self.0).status();
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_may_not_be_read_is_noted_where_it_stands() {
    let home = Public::new("forbidden");
    for path in ["tree/a", "tree/b", "tree/c/d", "tree/e/f", "tree/g"] {
        write(&home.0, path, GOOD);
    }
    write(&home.0, "tree/e/.linktrawlignore", "nothing\n");
    write(&home.0, "list", "tree/b\ntree/c\ntree/c/d\ntree/g\n");
    for path in ["tree/b", "tree/c", "tree/e/.linktrawlignore"] {
        home.forbid(path);
    }
    let unreadable = |path| ("input-unreadable", path);
    let run = home.scan(&["tree"]);
    assert_eq!(run.paths(), ["tree/a", "tree/e/f", "tree/g"], "{}", run.stderr);
    let expected = ["tree/b", "tree/c", "tree/e/.linktrawlignore"].map(unreadable);
    assert_eq!((run.code, run.notes()), (Some(2), expected.to_vec()));
    assert_eq!(run.files(), 3);
    let run = home.scan(&["--files-from", "list"]);
    let expected = ["tree/b", "tree/c", "tree/c/d"].map(unreadable);
    assert_eq!((run.code, run.notes()), (Some(2), expected.to_vec()), "{}", run.stderr);
    assert_eq!(run.paths(), ["tree/g"]);
    home.forbid("list");
    let run = home.scan(&["--files-from", "list", "tree/a"]);
    assert_eq!((run.code, run.notes()), (Some(2), vec![unreadable("list")]));
}

#[test]
fn a_run_that_may_read_nothing_gives_2() {
    let home = Public::new("nothing");
    write(&home.0, "a", GOOD);
    home.forbid("a");
    let run = home.scan(&["a", "--exit-zero"]);
    assert_eq!((run.code, run.files()), (Some(2), 0));
    assert!(run.stderr.contains("nothing was read"), "{}", run.stderr);
}

// ---- names -----------------------------------------------------------------------------

#[test]
fn names_of_any_bytes_are_read_and_shown_as_escapes() {
    let home = directory("names");
    let names: [&[u8]; 5] = [b"\x1B[2J", b"a\nb:1:1: ok x", b"c\xFF", b"d\r", b" -e"];
    let mut list = Vec::new();
    for name in names {
        write(&home, OsStr::from_bytes(name), GOOD);
        list.extend_from_slice(name);
        list.push(0);
    }
    write(&home, "list/l", &list);
    for options in [&["--files-from", "list/l", "-0"][..], &["."]] {
        let run = scan(&home, options);
        assert_eq!((run.code, run.paths().len()), (Some(0), 5), "{}", run.stderr);
        let arguments = [&["scan", "--quiet"], options].concat();
        let mut command = home::linktrawl();
        command.current_dir(&home).args(arguments);
        let text = command.output().expect("the binary runs").stdout;
        let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        // One line a finding, and no byte of a name has an effect of its own.
        assert_eq!(lines.count(), 5, "{}", text.escape_ascii());
        let is_quiet = |byte: &u8| matches!(byte, b'\n' | b' '..=b'~');
        assert!(text.iter().all(is_quiet), "{}", text.escape_ascii());
    }
    // Notes on standard error are as quiet.
    let gone = OsStr::from_bytes(b"gone\x1B[2J\nlinktrawl: 1 file");
    let run = scan(&home, &[gone]);
    assert!(!run.stderr.contains('\x1B') && !run.stderr.contains("\nlinktrawl: 1 file"));
}

#[test]
fn a_path_that_is_too_long_for_the_system_is_noted() {
    let home = directory("long");
    // Each name may have 255 bytes and a path 4096: what is deeper cannot be opened by it.
    let script = "name=$(printf 'd%.0s' $(seq 200)); i=0
        while [ $i -lt 30 ]; do mkdir $name && cd -P $name || exit 3; i=$((i + 1)); done
        echo 'http://deep/' >a";
    let mut command = Command::new("sh");
    let made = command.current_dir(&home).args(["-c", script]).status().expect("the shell runs");
    assert!(made.success());
    write(&home, "e/a", GOOD);
    let run = scan(&home, &["."]);
    assert_eq!((run.code, run.paths()), (Some(2), vec!["./e/a"]), "{}", run.stderr);
    assert_eq!(run.notes().len(), 1);
    let name = "x".repeat(300);
    let run = scan(&home, &[&*name, &"d/".repeat(3000), "e/a"]);
    assert_eq!((run.code, run.notes().len()), (Some(2), 2), "{}", run.stderr);
    assert_eq!(run.paths(), ["e/a"]);
}

// ---- too few of something --------------------------------------------------------------

#[test]
fn with_too_few_open_files_each_input_is_read_or_noted() {
    let home = directory("files");
    for number in 0..200 {
        write(&home, format!("{}{number}", "d/".repeat(number % 20)), GOOD);
    }
    write(&home, "../of-files", "gone\n.\n");
    let mut short = 0;
    for limit in 4..16 {
        let script = format!(
            "ulimit -n {limit} && \"$0\" scan --format ndjson --threads 4 --files-from ../of-files"
        );
        let run = shell(&home, &script);
        let read = usize::try_from(run.files()).expect("a small number");
        // A directory that cannot be listed is one note for all that is in it.
        let is_whole = read == 200;
        short += usize::from(!is_whole);
        assert_eq!(run.code, Some(2), "{limit}: {}", run.stderr);
        assert!(run.notes().len() > usize::from(!is_whole), "{limit}: {:?}", run.notes());
        assert_eq!(run.summary()["complete"], false);
    }
    assert!((1..12).contains(&short), "{short} runs had too few");
}
