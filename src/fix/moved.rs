//! Finds the files of links that have moved in the tree, or have another letter case.
//!
//! A name alone proves little: most trees have a README.md in more than one place, and a single
//! CHARTER.md today need not be the intended one. A file counts as moved only if its directory,
//! too, has the name that the link gives; everything else is a guess, and is reported as one.
//! Renames recorded by git are not consulted.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};

use super::Left;
use crate::check::local::{Answer, Local};
use crate::error::Error;
use crate::finding::{Class, Cue, Reach};
use crate::grammar::split;
use crate::platform::{OsBytes as _, path_of};
use crate::report::record::Record;
use crate::source::walk::{Identities, Step, WalkRules, walk};
use crate::uri::{escape, unescaped};

/// The files of a tree by their names, and the resolver of local links.
#[derive(Debug, Default)]
pub struct Tree {
    /// Files by their names in lower case; the letter case is compared on lookup.
    files: BTreeMap<Vec<u8>, Vec<PathBuf>>,
    local: Local,
}

impl Tree {
    /// Lists the files below `roots` by the default rules of walks, and returns an error for each
    /// directory that could not be listed.
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
            // A root may be inside another root.
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }

    /// Reports whether `link`, written in the place of `record`, leads to a file.
    pub(super) fn leads_to_file(&self, record: &Record, link: &[u8]) -> bool {
        let path = split(link).path.of(link);
        let document = path_of(record.place.path());
        let ask = || self.local.ask(&self.local.document(&document, None, None), link);
        is_reference(record, link)
            && !path.is_empty()
            && !path.starts_with(b"/")
            && matches!(ask(), Answer::Reach(reach) if reach.class == Class::Alive)
    }

    /// Returns the files with this name, in any letter case.
    fn named(&self, name: &[u8]) -> &[PathBuf] {
        self.files.get(&lower(name)).map_or(&[], Vec::as_slice)
    }
}

/// Returns the one of `alike`, files with the same name in any letter case, that a link in
/// `directory` by `path` certainly means. A file at the link's own path in another letter case
/// takes precedence over all files elsewhere. `None` if the choice is ambiguous.
fn certain<'t>(alike: &'t [PathBuf], directory: &Path, path: &[Vec<u8>]) -> Option<&'t Path> {
    let wanted = reached(directory, path)?;
    let is_here = |file: &&PathBuf| {
        file.is_absolute() == directory.is_absolute()
            && names(file).is_some_and(|found| is_alike(&found, &wanted))
    };
    let mut here = alike.iter().filter(is_here);
    match (here.next(), here.next()) {
        (Some(only), None) => return Some(only),
        (Some(_), Some(_)) => return None,
        (None, _) => {}
    }
    let name = path.last()?;
    let is_same = |file: &&PathBuf| {
        file.file_name().is_some_and(|own| own.as_bytes() == name) && !is_made(file, directory)
    };
    let mut same = alike.iter().filter(is_same);
    let only = same.next().filter(|_| same.next().is_none())?;
    let tail = path.rsplit(|name| is_step(name)).next()?;
    let (_, tail) = tail.split_at_checked(tail.len().checked_sub(TAIL_LEN)?)?;
    names(only)?.ends_with(&slices(tail)).then_some(only)
}

/// Directories of generated files, and of copies of other people's files. The next build or update
/// replaces their files, so authors do not move files there.
const MADE: [&[u8]; 14] = [
    b"__pycache__",
    b"_book",
    b"_build",
    b"_site",
    b"bower_components",
    b"build",
    b"dist",
    b"node_modules",
    b"site-packages",
    b"target",
    b"third-party",
    b"third_party",
    b"vendor",
    b"vendored",
];

/// Reports whether a file is in such a directory, unless `directory` is in it, too.
fn is_made(file: &Path, directory: &Path) -> bool {
    let around: Vec<_> = directory.components().collect();
    let mut ancestors = file.components().rev().skip(1);
    ancestors.any(|part| MADE.contains(&part.as_os_str().as_bytes()) && !around.contains(&part))
}

/// Number of names at the end of a link that a moved file must have: its own, and that of its
/// directory.
const TAIL_LEN: usize = 2;

/// Reports whether a path segment is no name but a direction (RFC 3986 §5.2.4).
fn is_step(segment: &[u8]) -> bool {
    matches!(segment, b"." | b"..")
}

fn is_alike(one: &[&[u8]], other: &[Vec<u8>]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| lower(one) == lower(other))
}

fn slices(names: &[Vec<u8>]) -> Vec<&[u8]> {
    names.iter().map(Vec::as_slice).collect()
}

/// Returns the names of the path to which `path` leads from `directory` (RFC 3986 §5.2.4).
fn reached(directory: &Path, path: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    let mut reached: Vec<Vec<u8>> = names(directory)?.into_iter().map(<[u8]>::to_vec).collect();
    for segment in path {
        match &**segment {
            b"." => {}
            b".." if reached.last().is_none_or(|last| last == b"..") => reached.push(b"..".into()),
            b".." => {
                reached.pop();
            }
            name => reached.push(name.to_vec()),
        }
    }
    Some(reached)
}

/// Returns the file to which `path` leads from `directory` if the letter case does not count, if
/// there is only one. A name in the right case takes precedence.
fn in_other_case(directory: &Path, path: &[Vec<u8>]) -> Option<PathBuf> {
    /// Maximum number of names in a directory that are compared: more would be noticeable.
    const NAMES_MAX: usize = 20_000;
    let mut found = directory.to_owned();
    for segment in path {
        match &**segment {
            b"" => return None,
            b"." => {}
            b".." if found.file_name().is_some() => drop(found.pop()),
            b".." => found.push(".."),
            name => {
                let here = if found.as_os_str().is_empty() { Path::new(".") } else { &found };
                let entries = fs::read_dir(here).ok()?.take(NAMES_MAX).flatten();
                let alike: Vec<_> = entries
                    .map(|entry| entry.file_name())
                    .filter(|own| lower(own.as_bytes()) == lower(name))
                    .collect();
                let same = alike.iter().find(|own| own.as_bytes() == name);
                let only = same.or_else(|| alike.first().filter(|_| alike.len() == 1))?;
                found.push(only);
            }
        }
    }
    Some(found)
}

fn lower(name: &[u8]) -> Vec<u8> {
    match std::str::from_utf8(name) {
        Ok(text) => text.to_lowercase().into_bytes(),
        Err(_) => name.to_ascii_lowercase(),
    }
}

/// Returns the link to the new place of a dead link's file, or [`Left::Uncertain`] if there are
/// only guesses; `None` if no file has its name.
pub(super) fn meant(record: &Record, tree: &Tree) -> Option<Result<Vec<u8>, Left>> {
    let reach = record.reach.as_ref().filter(|reach| reach.probe == Reach::LOCAL)?;
    let is_there = reach.class == Class::WrongCase.row().name;
    if !is_there && reach.class != Class::Missing.row().name {
        return None;
    }
    let uri = record.uri();
    let path = split(uri).path.of(uri);
    let names: Vec<_> =
        path.split(|&byte| byte == b'/').map(|name| unescaped(name).into_owned()).collect();
    let is_ours = record.cue == Cue::Markup.name() && is_reference(record, uri);
    let listed = names.last().filter(|_| is_ours).map_or(&[][..], |name| tree.named(name));
    // A tree of single files has only these.
    let wants = is_ours && is_there && listed.is_empty();
    let near = wants.then(|| in_other_case(&directory(record)?, &names)).flatten();
    let alike = near.as_ref().map_or(listed, std::slice::from_ref);
    if alike.is_empty() {
        // A file that exists in another letter case is known to be wrong, for every reader.
        return is_there.then_some(Err(Left::Uncertain));
    }
    let found = match names.split_first() {
        Some((first, below)) if first.is_empty() => {
            is_there.then(|| from_root(record, tree, alike, below)).flatten()
        }
        _ => from_document(record, tree, alike, &names),
    };
    Some(found.ok_or(Left::Uncertain))
}

/// Returns the link from the document of `record` to the one of `alike` that `names`, the segments
/// of the link's path, certainly mean.
fn from_document(
    record: &Record,
    tree: &Tree,
    alike: &[PathBuf],
    names: &[Vec<u8>],
) -> Option<Vec<u8>> {
    let directory = &directory(record)?;
    let link = leading_to(certain(alike, directory, names)?, record)?;
    (link != record.uri() && tree.leads_to_file(record, &link)).then_some(link)
}

/// Returns the corrected link of `record`, whose path starts from the root of a site. No record
/// contains the directory of that root: it is the one ancestor of the document from which the link
/// leads to a file, if there is only one.
fn from_root(
    record: &Record,
    tree: &Tree,
    alike: &[PathBuf],
    below: &[Vec<u8>],
) -> Option<Vec<u8>> {
    let directory = &directory(record)?;
    let wanted = reached(Path::new(""), below)?;
    let around = names(directory)?;
    let mut found = alike.iter().filter_map(|file| {
        let file_names = names(file)?;
        let root_len = file_names.len().checked_sub(wanted.len())?;
        let (root, below) = file_names.split_at_checked(root_len)?;
        let is_meant = around.starts_with(root)
            && is_alike(below, &wanted)
            && file.is_absolute() == directory.is_absolute();
        is_meant.then(|| (file, below.join(&b'/')))
    });
    let (file, below) = found.next().filter(|_| found.next().is_none())?;
    let uri = record.uri();
    let segments = below.split(|&byte| byte == b'/').map(|name| escaped(name, !uri.is_ascii()));
    let mut link = segments.fold(Vec::new(), |link, name| [&link, &b"/"[..], &name].concat());
    link.extend_from_slice(after_path(uri));
    (link != uri && tree.leads_to_file(record, &leading_to(file, record)?)).then_some(link)
}

/// Returns the link to `file` from the document of `record`, with the record's query and fragment.
fn leading_to(file: &Path, record: &Record) -> Option<Vec<u8>> {
    let uri = record.uri();
    let mut link = relative(&directory(record)?, file, !uri.is_ascii())?;
    link.extend_from_slice(after_path(uri));
    Some(link)
}

fn after_path(uri: &[u8]) -> &[u8] {
    uri.get(split(uri).path.end..).unwrap_or_default()
}

/// Returns the directory of the document that `record` is in.
fn directory(record: &Record) -> Option<PathBuf> {
    Some(path_of(record.place.path()).parent()?.to_owned())
}

/// Reports whether `link` is a path alone, relative to the document of `record`. If the document or
/// the site declares another base, paths in the tree prove nothing.
fn is_reference(record: &Record, link: &[u8]) -> bool {
    let parts = split(link);
    record.base.is_none() && parts.scheme.is_none() && parts.host.is_none()
}

/// Returns the reference from `directory` to `target`; `None` if no path leads there.
fn relative(directory: &Path, target: &Path, raw_letters: bool) -> Option<Vec<u8>> {
    let (from, to) = (names(directory)?, names(target)?);
    if directory.is_absolute() != target.is_absolute() {
        return None;
    }
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    // The name of a directory that `..` leads out of is unknown.
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

/// Returns the names in a path, without `.`; `None` if `..` occurs after a name.
fn names(path: &Path) -> Option<Vec<&[u8]>> {
    let mut names: Vec<&[u8]> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(name.as_bytes()),
            Component::ParentDir if names.last().is_none_or(|last| *last == b"..") => {
                names.push(b"..");
            }
            // The parent of a symbolic link's target is another directory.
            Component::ParentDir | Component::Prefix(_) => return None,
            Component::CurDir | Component::RootDir => {}
        }
    }
    Some(names)
}

/// Writes a name as a segment: everything is escaped except for bytes that no markup language
/// treats specially. Characters outside US-ASCII stay if the link has some (RFC 3987).
fn escaped(name: &[u8], raw_letters: bool) -> Vec<u8> {
    let is_text = raw_letters && std::str::from_utf8(name).is_ok();
    let mut out = Vec::with_capacity(name.len());
    for &byte in name {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~+@,=:".contains(&byte);
        if is_plain || (is_text && !byte.is_ascii()) {
            out.push(byte);
        } else {
            out.extend_from_slice(&escape(byte));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::in_other_case;

    #[test]
    fn a_file_is_found_in_another_letter_case() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir(home.path().join("sub")).unwrap();
        fs::write(home.path().join("sub/guide.md"), "").unwrap();
        let found = |path: &str| {
            let names: Vec<_> = path.split('/').map(|name| name.as_bytes().to_vec()).collect();
            in_other_case(home.path(), &names)
        };
        let wanted = Some(home.path().join("sub/guide.md"));
        assert_eq!(found("Sub/Guide.md"), wanted);
        assert_eq!(found("./sub/../SUB/guide.md"), wanted);
        assert_eq!(found("sub/other.md"), None);
    }
}
