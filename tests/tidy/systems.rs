//! Keeps the differences between operating systems in two modules: code that names a system
//! anywhere else builds on that system alone.

use super::File;
use super::tokens::{collect_paths, module_depth};

/// The modules that may name a system, one of the library and one of the program.
const PLACES: [&str; 2] = ["src/platform", "src/bin/linktrawl/platform"];
/// Crates that exist for one system, or mean another thing on each.
const CRATES: [&str; 5] = ["ctor", "rlimit", "rustix", "terminal_size", "winapi_util"];

pub(crate) fn systems_are_named_in_one_room(file: &File) -> Vec<String> {
    let is_inside = PLACES.iter().any(|place| {
        let below = file.path.strip_prefix(place);
        below.is_some_and(|below| below == ".rs" || below.starts_with('/'))
    });
    if is_inside || !file.path.starts_with("src/") {
        return Vec::new();
    }
    let mut paths = Vec::new();
    let tokens = file.tokens().into_iter();
    tokens.for_each(|tokens| collect_paths(tokens, module_depth(&file.path), &mut paths));
    let names_one = |root: &str, head: &str| (root == "std" && head == "os") || is_crate(root);
    let found = paths.iter().filter(|path| names_one(&path.root, &path.head));
    found
        .map(|path| {
            let what = format!("{}::{} is named by platform alone", path.root, path.head);
            file.complain(path.line, &what)
        })
        .collect()
}

fn is_crate(root: &str) -> bool {
    CRATES.contains(&root)
}

#[test]
fn a_system_that_is_named_elsewhere_is_seen() {
    let judged = |path: &str, text: &str| systems_are_named_in_one_room(&File::new(path, text));
    let expected = "src/source/a.rs:1: std::os is named by platform alone";
    for text in [
        "use std::os::unix::fs::MetadataExt;",
        "use std::{io, os::fd::OwnedFd};",
        "fn a() { std::os::unix::fs::symlink(b, c) }",
    ] {
        assert_eq!(judged("src/source/a.rs", text), [expected], "{text}");
        for inside in ["src/platform.rs", "src/platform/unix.rs"] {
            assert_eq!(judged(inside, text), [""; 0]);
        }
        assert_eq!(judged("tests/a.rs", text), [""; 0]);
        assert_eq!(judged("src/platforms.rs", text).len(), 1);
    }
    let expected = "src/bin/linktrawl/a.rs:1: rustix::fs is named by platform alone";
    assert_eq!(judged("src/bin/linktrawl/a.rs", "use rustix::fs::openat;"), [expected]);
    assert_eq!(judged("src/bin/linktrawl/a.rs", "use std::ffi::OsStr; use crate::os::A;"), [""; 0]);
}
