//! Links to files that are elsewhere in the tree, or there in another letter case.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use crate::check::local::{Answer, Local};
use crate::error::Error;
use crate::finding::{Class, Cue};
use crate::grammar::split;
use crate::report::record::Record;
use crate::source::walk::{Identities, Step, WalkRules, walk};

/// The files of a tree by their names, and who says whether a link leads to one.
#[derive(Debug, Default)]
pub struct Tree {
    /// By names in lower case; those in another letter case are told apart when asked for.
    files: BTreeMap<Vec<u8>, Vec<PathBuf>>,
    local: Local,
}

impl Tree {
    /// What is below `roots`, but for what walks leave out, and what could not be listed.
    #[must_use]
    pub fn below(roots: &[PathBuf]) -> (Self, Vec<Error>) {
        let (mut tree, mut failures) = (Self::default(), Vec::new());
        for root in roots {
            if root.is_file() {
                tree.add(root.clone());
                continue;
            }
            walk(root, WalkRules::default(), &mut Identities::default(), &mut |step| {
                match step {
                    Step::File(path, _) | Step::Forgotten(path, _) => tree.add(path),
                    Step::Failed(error) => failures.push(error),
                    Step::Skipped(_) => {}
                }
                ControlFlow::Continue(())
            });
        }
        (tree, failures)
    }

    fn add(&mut self, path: PathBuf) {
        if let Some(name) = path.file_name() {
            let found = self.files.entry(lower(name.as_bytes())).or_default();
            // Roots may lie in each other.
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }

    /// The one file with this name; if there is none, the one with it in another letter case.
    fn only(&self, name: &[u8]) -> Option<&Path> {
        let alike = self.files.get(&lower(name))?;
        let is_same = |path: &&PathBuf| path.file_name() == Some(OsStr::from_bytes(name));
        let mut same = alike.iter().filter(is_same);
        match (same.next(), same.next(), alike.as_slice()) {
            (Some(only), None, _) | (None, _, [only]) => Some(only),
            _ => None,
        }
    }
}

fn lower(name: &[u8]) -> Vec<u8> {
    match std::str::from_utf8(name) {
        Ok(text) => text.to_lowercase().into_bytes(),
        Err(_) => name.to_ascii_lowercase(),
    }
}

/// The link to where the file of a dead link is.
pub(super) fn meant(record: &Record, tree: &Tree) -> Option<Vec<u8>> {
    let reach = record.reach.as_ref()?;
    let classes = [Class::Missing, Class::WrongCase].map(|class| class.row().name);
    // Where a document or a site says what links start from, a path here says nothing.
    let is_ours = record.cue == Cue::Markup.name() && record.base.is_none();
    if reach.probe != LOCAL || !classes.contains(&&*reach.class) || !is_ours {
        return None;
    }
    let uri = record.uri();
    let link = split(uri);
    let path = link.path.of(uri);
    if link.scheme.is_some() || link.host.is_some() || path.starts_with(b"/") {
        return None;
    }
    let name = decoded(path.rsplit(|&byte| byte == b'/').next()?);
    let target = tree.only(&name)?;
    let document = Path::new(OsStr::from_bytes(record.place.path()));
    let raw_letters = !uri.is_ascii();
    let mut found = relative(document.parent()?, target, raw_letters)?;
    found.extend_from_slice(uri.get(link.path.end..).unwrap_or_default());
    let asked = tree.local.ask(&tree.local.document(document, None, None), &found);
    let is_there = matches!(asked, Answer::Reach(reach) if reach.class == Class::Alive);
    (is_there && found != uri).then_some(found)
}

/// What answers links to files.
const LOCAL: &str = "local";

/// `name` without its escapes (RFC 3986 §2.1).
fn decoded(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len());
    let mut rest = name;
    while let [first, behind @ ..] = rest {
        let digits = behind.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits
            .filter(|digits| *first == b'%' && digits.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { behind.get(2..).unwrap_or_default() } else { behind };
    }
    out
}

/// The reference that leads from `directory` to `target`; none where no path says how.
fn relative(directory: &Path, target: &Path, raw_letters: bool) -> Option<Vec<u8>> {
    let (from, to) = (names(directory)?, names(target)?);
    if directory.is_absolute() != target.is_absolute() {
        return None;
    }
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    // Nobody knows the name of the directory that `..` leads out of.
    let up = from.get(shared..)?;
    if up.contains(&&b".."[..]) {
        return None;
    }
    let mut segments = vec![b"..".to_vec(); up.len()];
    segments.extend(to.get(shared..)?.iter().map(|name| escaped(name, raw_letters)));
    // Else its first segment would be read as a scheme (RFC 3986 §4.2).
    if segments.first().is_some_and(|first| first.contains(&b':')) {
        segments.insert(0, b".".to_vec());
    }
    Some(segments.join(&b'/'))
}

/// The names that a path goes through, without `.` and with `..` at the beginning alone.
fn names(path: &Path) -> Option<Vec<&[u8]>> {
    let mut names: Vec<&[u8]> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(name.as_bytes()),
            Component::ParentDir if names.last().is_none_or(|last| *last == b"..") => {
                names.push(b"..");
            }
            // What is a symbolic link has another parent.
            Component::ParentDir | Component::Prefix(_) => return None,
            Component::CurDir | Component::RootDir => {}
        }
    }
    Some(names)
}

/// A name as a segment: escapes for all but what no language of markup reads as its own. Letters
/// beyond US-ASCII stay where the link has some (RFC 3987).
fn escaped(name: &[u8], raw_letters: bool) -> Vec<u8> {
    let is_text = raw_letters && std::str::from_utf8(name).is_ok();
    let mut out = Vec::with_capacity(name.len());
    for &byte in name {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~+@,=:".contains(&byte);
        if is_plain || (is_text && !byte.is_ascii()) {
            out.push(byte);
        } else {
            out.extend_from_slice(format!("%{byte:02X}").as_bytes());
        }
    }
    out
}
