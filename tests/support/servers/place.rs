//! Where daemons of Debian are, as whom they run, and the files that they find there.
//!
//! They are looked for where the system has them, and where `tests/support/servers/fetch` unpacks
//! their packages without installing anything. None runs as root.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// Debian's `nobody` and `nogroup`.
const NOBODY: u32 = 65534;

/// Where `tests/support/servers/fetch` unpacks.
fn unpacked() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("daemons")
}

/// The file at `path` below the root, of the system or of what was unpacked.
pub(crate) fn installed(path: &str, package: &str) -> PathBuf {
    let places = [PathBuf::from("/"), unpacked()].map(|root| root.join(path));
    places.into_iter().find(|place| place.exists()).unwrap_or_else(|| {
        panic!("{path} is not there: run tests/support/servers/fetch, or install {package}")
    })
}

/// A command with the libraries of what was unpacked, which is not run as root.
pub(crate) fn unprivileged(program: &Path) -> Command {
    let mut command = Command::new(program);
    let lib = unpacked().join("usr/lib");
    let machines = fs::read_dir(&lib).into_iter().flatten();
    // Where Debian keeps the libraries of one machine: `x86_64-linux-gnu`.
    let is_triplet = |path: &PathBuf| path.to_string_lossy().ends_with("-linux-gnu");
    let machines = machines.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> = machines.filter(is_triplet).collect();
    paths.extend([lib.join("news"), lib.join("postfix")]);
    let joined = std::env::join_paths(paths).expect("paths without colons");
    command.env("LD_LIBRARY_PATH", joined).current_dir("/");
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

fn is_root() -> bool {
    fs::metadata("/proc/self").expect("ourselves").uid() == 0
}

/// A directory for one daemon, which belongs to whom it runs as.
pub(crate) fn home() -> TempDir {
    let home = tempfile::tempdir().expect("a directory");
    open_to_daemon(home.path());
    home
}

fn open_to_daemon(path: &Path) {
    fs::set_permissions(path, Permissions::from_mode(0o755)).expect("our own directory");
    if is_root() {
        chown(path, Some(NOBODY), Some(NOBODY)).expect("root may");
    }
}

/// Writes a file, and the directories that lead there.
pub(crate) fn write(home: &Path, path: &str, text: impl AsRef<[u8]>) {
    let path = home.join(path);
    directory(home, path.parent().expect("a parent"));
    fs::write(&path, text).expect("a file");
    open_to_daemon(&path);
}

/// Makes the directories between `home` and `path`.
pub(crate) fn directory(home: &Path, path: &Path) {
    let mut made = home.to_owned();
    for name in path.strip_prefix(home).expect("a place in it") {
        made.push(name);
        if !made.exists() {
            fs::create_dir(&made).expect("a directory");
            open_to_daemon(&made);
        }
    }
}
