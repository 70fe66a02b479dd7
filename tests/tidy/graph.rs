//! Finds which file imports which, in the library and in the binary, and which imports lead in a
//! circle.
//!
//! An import is a path in code or in `use`. It leads to the file of the longest module that the
//! path begins with; if that file has the name from another file by `use`, it leads to that one.
//! The line `mod name;` is no import, and neither is the use of an enclosing module: the file of a
//! folder is the door of a room, which the files inside may use, as a trait beside the table of its
//! types. Names from a glob or a macro are not followed.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenTree;

use super::File;
use super::tokens::{ident, is_path_separator, is_punct};

/// Most steps from one `use` to the next that are followed: more are a circle.
const STEPS_MAX: usize = 16;

/// Segments of a path from the root of a crate; the first is the crate.
type Path = Vec<String>;

/// The files of both crates, and the names that they import.
#[derive(Default)]
pub(crate) struct Graph<'f> {
    /// The file of each module.
    modules: BTreeMap<Path, &'f str>,
    /// The target of each name that `use` brings into a module.
    names: BTreeMap<Path, Path>,
    /// The paths that each file names.
    paths: Vec<(&'f str, Path)>,
}

impl<'f> Graph<'f> {
    pub(crate) fn of(files: &'f [File]) -> Self {
        let mut graph = Self::default();
        let code = files.iter().filter_map(|file| Some((file, module(&file.path)?)));
        let code: Vec<(&File, Path)> = code.collect();
        for (file, module) in &code {
            graph.modules.insert(module.clone(), &file.path);
        }
        for (file, module) in code {
            let trees = file.tokens().into_iter().flatten().collect::<Vec<_>>();
            graph.read(&file.path, &module, &trees);
        }
        graph
    }

    /// Collects the paths that `trees` in `module` name.
    fn read(&mut self, file: &'f str, module: &[String], trees: &[TokenTree]) {
        let mut at = 0;
        while let Some(tree) = trees.get(at) {
            let is_path = at < 2 || !is_path_separator(trees, at - 2);
            match tree {
                TokenTree::Group(group) => {
                    let name = at.checked_sub(1).and_then(|name| ident(trees.get(name)));
                    let is_module = at > 1 && ident(trees.get(at - 2)).as_deref() == Some("mod");
                    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                    let inner = is_module.then_some(name).flatten();
                    let module: Path = module.iter().cloned().chain(inner).collect();
                    self.read(file, &module, &inside);
                }
                TokenTree::Ident(word) if word == "use" => {
                    let len = trees[at..].iter().position(|tree| is_punct(Some(tree), ';'));
                    let end = at + len.unwrap_or(trees.len() - at);
                    self.bring(file, module, &[], &trees[at + 1..end]);
                    at = end;
                }
                TokenTree::Ident(_) if is_path && is_path_separator(trees, at + 1) => {
                    let path = segments(trees, at);
                    self.paths.extend(self.absolute(module, &path).map(|path| (file, path)));
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Collects the names of a `use` tree that follows `before`.
    fn bring(&mut self, file: &'f str, module: &[String], before: &[String], tree: &[TokenTree]) {
        let mut path = before.to_vec();
        let mut at = 0;
        while let Some(name) = ident(tree.get(at)) {
            path.push(name);
            at += 1;
            if !is_path_separator(tree, at) {
                break;
            }
            at += 2;
        }
        if let Some(TokenTree::Group(group)) = tree.get(at) {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            for part in inside.split(|tree| is_punct(Some(tree), ',')) {
                self.bring(file, module, &path, part);
            }
            return;
        }
        let Some(target) = self.absolute(module, &path) else { return };
        let is_renamed = ident(tree.get(at)).as_deref() == Some("as");
        let renamed = is_renamed.then(|| ident(tree.get(at + 1))).flatten();
        let last = path.iter().rfind(|name| *name != "self").cloned();
        if let Some(name) = renamed.or(last) {
            self.names.insert(module.iter().cloned().chain([name]).collect(), target.clone());
        }
        self.paths.push((file, target));
    }

    /// Returns `path`, as named in `module`, from the root of the crate; `None` for other crates.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Path> {
        let mut from: Path = module.to_vec();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => {
                from.truncate(1);
                rest = &path[1..];
            }
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|name| name == "super") {
                    from.pop();
                    rest = &rest[1..];
                }
            }
            first => {
                let inner: Path = module.iter().cloned().chain([first.to_owned()]).collect();
                if !self.modules.contains_key(&inner) {
                    return None;
                }
            }
        }
        let rest = rest.iter().filter(|name| *name != "self").cloned();
        Some(from.into_iter().chain(rest).collect())
    }

    /// Returns the file that `path` leads to.
    fn file(&self, path: &[String]) -> Option<&'f str> {
        let mut path = path.to_vec();
        for _ in 0..STEPS_MAX {
            let len = (1..=path.len()).rfind(|&len| self.modules.contains_key(&path[..len]))?;
            let named = path.get(..len + 1).and_then(|name| self.names.get(name));
            let Some(target) = named.filter(|target| target[..] != path[..len + 1]) else {
                return self.modules.get(&path[..len]).copied();
            };
            path = target.iter().chain(&path[len + 1..]).cloned().collect();
        }
        None
    }

    /// Returns the files that each file imports.
    fn imports(&self) -> BTreeMap<&'f str, BTreeSet<&'f str>> {
        let mut imports: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (file, path) in &self.paths {
            let target = self.file(path).filter(|target| !is_around(target, file));
            imports.entry(*file).or_default().extend(target);
        }
        imports
    }

    /// Returns the files from which imports lead back to themselves.
    pub(crate) fn in_circles(&self) -> BTreeSet<&'f str> {
        let imports = self.imports();
        let leads_back = |start: &str| {
            let mut seen = BTreeSet::new();
            let mut queue: Vec<&str> = imports[start].iter().copied().collect();
            while let Some(file) = queue.pop() {
                if seen.insert(file) {
                    queue.extend(imports.get(file).into_iter().flatten());
                }
            }
            seen.contains(start)
        };
        imports.keys().copied().filter(|file| leads_back(file)).collect()
    }

    /// Returns the imports of files below `room` that lead out of it, as a file and its target.
    pub(crate) fn out_of(&self, room: &str) -> Vec<(&'f str, &'f str)> {
        let imports = self.imports();
        let inside = imports.iter().filter(|(file, _)| file.starts_with(room));
        let pairs =
            inside.flat_map(|(file, targets)| targets.iter().map(|target| (*file, *target)));
        pairs.filter(|(_, target)| !target.starts_with(room)).collect()
    }
}

/// Reports whether `outer` is `file`, or holds a module around that of `file`.
fn is_around(outer: &str, file: &str) -> bool {
    let modules = module(outer).zip(module(file));
    modules.is_some_and(|(outer, inner)| inner.starts_with(&outer))
}

/// Returns the module of a file below `src`; its first segment is the crate.
fn module(path: &str) -> Option<Path> {
    let inside = path.strip_prefix("src/")?.strip_suffix(".rs")?;
    if inside == "grammar/build" {
        return None;
    }
    let (root, inside) = match inside.strip_prefix("bin/linktrawl/") {
        Some(inside) => ("bin", inside),
        None => ("lib", inside),
    };
    let parts = inside.split('/').filter(|part| !matches!(*part, "lib" | "main" | "mod"));
    Some([root].into_iter().chain(parts).map(str::to_owned).collect())
}

/// Returns the segments of the path that begins at `at`, without those in braces.
fn segments(trees: &[TokenTree], mut at: usize) -> Path {
    let mut path = Path::new();
    while let Some(name) = ident(trees.get(at)) {
        path.push(name);
        if !is_path_separator(trees, at + 1) {
            break;
        }
        at += 3;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::super::File;
    use super::Graph;

    /// Holds the files of a tree that are in circles to `expected`.
    #[track_caller]
    fn circles(tree: &[(&str, &str)], expected: &[&str]) {
        let files: Vec<File> = tree.iter().map(|(path, text)| File::new(path, text)).collect();
        let found: Vec<&str> = Graph::of(&files).in_circles().into_iter().collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn files_that_import_each_other_are_seen_however_it_is_spelt() {
        let both = ["src/a.rs", "src/b.rs"];
        for text in ["use crate::a::X;", "use super::a;", "fn f() { crate::a::f() }"] {
            circles(&[("src/a.rs", "use crate::b::Y;"), ("src/b.rs", text)], &both);
        }
        circles(&[("src/a.rs", "use crate::{b::Y, c};"), ("src/b.rs", "use super::a::X;")], &both);
        circles(&[("src/a.rs", "use crate::b::Y;"), ("src/b.rs", "use crate::c::X;")], &[]);
    }

    #[test]
    fn a_child_may_use_its_parent_and_nobody_else_both_ways() {
        let parent = ("src/a.rs", "mod b; struct Z; fn f() { b::f() }");
        circles(&[parent, ("src/a/b.rs", "use super::Z;")], &[]);
        let child = ("src/a/b.rs", "use crate::c::X;");
        let expected = ["src/a.rs", "src/a/b.rs", "src/c.rs"];
        circles(&[parent, child, ("src/c.rs", "use crate::a::Z;")], &expected);
    }

    #[test]
    fn a_name_that_is_passed_on_leads_to_its_own_file() {
        let tree = [
            ("src/a.rs", "mod b; mod c; pub use b::Y;"),
            ("src/a/b.rs", "pub struct Y;"),
            ("src/a/c.rs", "use super::Y;"),
        ];
        circles(&tree, &[]);
    }

    #[test]
    fn the_binary_has_modules_of_its_own() {
        let x = ("src/bin/linktrawl/x.rs", "use crate::y;");
        let y = ("src/bin/linktrawl/y.rs", "use crate::x;");
        circles(&[x, y], &["src/bin/linktrawl/x.rs", "src/bin/linktrawl/y.rs"]);
        circles(&[x, ("src/y.rs", "use crate::x;")], &[]);
    }

    #[test]
    fn modules_within_a_file_belong_to_it() {
        let a = ("src/a.rs", "use crate::b::Y; struct X; mod t { use super::X; }");
        circles(&[a, ("src/b.rs", "mod t { use super::super::a::X; }")], &["src/a.rs", "src/b.rs"]);
        circles(&[a, ("src/b.rs", "mod t { use super::a::X; }")], &[]);
    }
}
