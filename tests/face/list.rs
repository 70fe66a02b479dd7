//! Lists the public face by its own tokens, and compares the list with `tests/public_api.txt`.
//!
//! The names are those that `src/lib.rs` re-exports, and all of a module that it opens; of each,
//! its file gives derives, fields, variants, public functions with their signatures, and traits.
//! What is hidden from the documentation is no part of the face.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// An item: its attributes, and the tokens from its visibility to its body or its semicolon.
struct Item {
    attributes: Vec<String>,
    head: Vec<TokenTree>,
    body: Option<Group>,
}

impl Item {
    fn is_hidden(&self) -> bool {
        self.attributes.iter().any(|text| text == "doc(hidden)" || text.starts_with("cfg"))
    }

    /// Reports whether it is `pub` without a restriction.
    fn is_public(&self) -> bool {
        is_ident(self.head.first(), "pub") && !matches!(self.head.get(1), Some(TokenTree::Group(_)))
    }

    /// Returns the name after the keyword, if it is the item's.
    fn name_after(&self, keyword: &str) -> Option<String> {
        let at = self.head.iter().position(|tree| is_ident(Some(tree), keyword))?;
        self.head.get(at + 1).map(ToString::to_string)
    }

    fn is(&self, keyword: &str) -> bool {
        self.head.iter().take(5).any(|tree| is_ident(Some(tree), keyword))
    }

    fn text(&self) -> String {
        text(&self.head)
    }

    fn derives(&self) -> impl Iterator<Item = &String> {
        self.attributes
            .iter()
            .filter(|text| text.starts_with("derive") || *text == "non_exhaustive")
    }
}

fn is_ident(tree: Option<&TokenTree>, name: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(ident)) if ident == name)
}

fn is_punct(tree: Option<&TokenTree>, mark: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

/// Returns tokens without attributes, such as the documentation of fields.
fn plain(stream: TokenStream) -> TokenStream {
    let mut trees = stream.into_iter().peekable();
    let mut plain = Vec::new();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Punct(punct) if punct.as_char() == '#' => _ = trees.next(),
            TokenTree::Group(group) => {
                plain.push(Group::new(group.delimiter(), self::plain(group.stream())).into());
            }
            tree => plain.push(tree),
        }
    }
    plain.into_iter().collect()
}

/// Returns tokens with single blanks between them, but for those that belong together.
fn text(trees: &[TokenTree]) -> String {
    let stream: TokenStream = trees.iter().cloned().collect();
    let mut text = plain(stream).to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    for (wide, narrow) in [
        (" :: ", "::"),
        (" (", "("),
        (" ,", ","),
        (" :", ":"),
        ("& ", "&"),
        ("< ", "<"),
        (" <", "<"),
        (" >", ">"),
        ("- >", "->"),
        (" ->", " ->"),
        (",)", ")"),
        (",>", ">"),
    ] {
        text = text.replace(wide, narrow);
    }
    text
}

/// Splits tokens into items.
fn items(stream: TokenStream) -> Vec<Item> {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let (mut items, mut attributes, mut head) = (Vec::new(), Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(tree) = trees.get(at) {
        at += 1;
        match tree {
            TokenTree::Punct(punct) if punct.as_char() == '#' && head.is_empty() => {
                // Inner attributes have a mark between.
                at += usize::from(is_punct(trees.get(at), '!'));
                if let Some(TokenTree::Group(group)) = trees.get(at) {
                    attributes.push(text(&group.stream().into_iter().collect::<Vec<_>>()));
                }
                at += 1;
            }
            TokenTree::Punct(punct) if punct.as_char() == ';' => {
                items.push(end(&mut attributes, &mut head, None));
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let is_use = is_ident(head.first(), "use") || is_ident(head.get(1), "use");
                if is_use {
                    head.push(tree.clone());
                } else {
                    items.push(end(&mut attributes, &mut head, Some(group.clone())));
                }
            }
            tree => head.push(tree.clone()),
        }
    }
    items
}

fn end(attributes: &mut Vec<String>, head: &mut Vec<TokenTree>, body: Option<Group>) -> Item {
    Item { attributes: std::mem::take(attributes), head: std::mem::take(head), body }
}

/// Splits the inside of a struct or an enum at its commas; generics keep theirs.
fn parts(body: &Group) -> Vec<Item> {
    let (mut parts, mut attributes, mut head, mut depth) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let trees: Vec<TokenTree> = body.stream().into_iter().collect();
    let mut at = 0;
    while let Some(tree) = trees.get(at) {
        at += 1;
        if is_punct(Some(tree), '#') && head.is_empty() {
            if let Some(TokenTree::Group(group)) = trees.get(at) {
                attributes.push(text(&group.stream().into_iter().collect::<Vec<_>>()));
            }
            at += 1;
            continue;
        }
        depth += i32::from(is_punct(Some(tree), '<')) - i32::from(is_punct(Some(tree), '>'));
        if is_punct(Some(tree), ',') && depth == 0 {
            parts.push(end(&mut attributes, &mut head, None));
        } else {
            head.push(tree.clone());
        }
    }
    parts.push(end(&mut attributes, &mut head, None));
    parts.retain(|part| !part.head.is_empty());
    parts
}

fn read(path: &Path) -> Vec<Item> {
    let text = fs::read_to_string(path).expect("a file of the library");
    items(text.parse().expect("tokens"))
}

/// Returns the names that `src/lib.rs` exports, by the module that they come from.
fn exports(root: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for item in read(&root.join("src/lib.rs")) {
        if !item.is_public() || item.is_hidden() {
            continue;
        }
        if let Some(module) = item.name_after("mod") {
            found.entry(module.clone()).or_default().extend(public_names(root, &module));
            continue;
        }
        assert!(item.is("use"), "the face has more than re-exports: {}", item.text());
        let module = item.head.get(2).map(ToString::to_string).unwrap_or_default();
        let names = found.entry(module).or_default();
        match item.head.last() {
            Some(TokenTree::Group(group)) => names.extend(
                parts(group).iter().map(|part| part.head.iter().map(ToString::to_string).collect()),
            ),
            Some(name) => names.extend([name.to_string()]),
            None => {}
        }
    }
    found
}

/// Returns the names that the module called `name` defines for all.
fn public_names(root: &Path, name: &str) -> Vec<String> {
    let items = files(root, name).into_iter().flat_map(|path| read(&path));
    let items = items.filter(|item| item.is_public() && !item.is_hidden());
    items
        .filter_map(|item| {
            ["struct", "enum", "fn", "static"].iter().find_map(|it| item.name_after(it))
        })
        .collect()
}

/// Returns the files of the module called `name`.
fn files(root: &Path, name: &str) -> Vec<PathBuf> {
    let folder = root.join("src").join(name);
    let mut files: Vec<_> =
        fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|suffix| suffix == "rs"));
    files.push(folder.with_extension("rs"));
    files.retain(|path| path.is_file());
    files.sort();
    files
}

/// Returns the name of the type that an `impl` is for, and of its trait.
fn implemented(item: &Item) -> (String, Option<String>) {
    let at = item.head.iter().position(|tree| is_ident(Some(tree), "for"));
    let of = |trees: &[TokenTree]| {
        // Generics of the `impl` itself come first.
        let mut depth = 0;
        let mut names = trees.iter().filter(|tree| {
            depth += i32::from(is_punct(Some(tree), '<'));
            let is_outside = depth == 0;
            depth -= i32::from(is_punct(Some(tree), '>'));
            is_outside && matches!(tree, TokenTree::Ident(_))
        });
        names.next_back().map(ToString::to_string).unwrap_or_default()
    };
    match at {
        Some(at) => {
            let (before, after) = item.head.split_at(at);
            (of(after), Some(text(&before[1..])))
        }
        None => (of(&item.head[1..]), None),
    }
}

/// Appends the lines of `item`, as far as it belongs to one of `names`.
fn list_item(item: &Item, names: &BTreeSet<String>, lines: &mut BTreeSet<String>) {
    let is_exported = |keyword| item.name_after(keyword).filter(|name| names.contains(name));
    if item.is_public() && !item.is_hidden() {
        if let Some(name) = is_exported("struct").or_else(|| is_exported("enum")) {
            // Fields of a tuple are private.
            let is_field = |tree: &&TokenTree| matches!(tree, TokenTree::Group(_));
            let head: Vec<_> =
                item.head.iter().take_while(|tree| !is_field(tree)).cloned().collect();
            lines.insert(format!("{name}: {}", text(&head)));
            lines.extend(item.derives().map(|derive| format!("{name}: #[{derive}]")));
            let is_enum = item.is("enum");
            let parts = item.body.as_ref().map(parts).unwrap_or_default();
            let parts = parts.iter().filter(|part| is_enum || part.is_public());
            lines.extend(parts.map(|part| format!("{name}: . {}", part.text())));
        } else if let Some(name) = is_exported("fn").or_else(|| is_exported("static")) {
            lines.insert(format!("{name}: {}", item.text()));
        }
    }
    if is_ident(item.head.first(), "impl") {
        let (name, of) = implemented(item);
        let inside = item.body.as_ref().map(|body| items(body.stream())).unwrap_or_default();
        if names.contains(&name) {
            lines.extend(of.iter().map(|of| format!("{name}: impl {of}")));
            let shown = inside.iter().filter(|item| item.is_public() && !item.is_hidden());
            lines.extend(shown.map(|item| format!("{name}: {}", item.text())));
        }
    }
}

fn listed(root: &Path) -> String {
    let mut lines = BTreeSet::new();
    for (module, names) in exports(root) {
        let items: Vec<Item> = files(root, &module).iter().flat_map(|path| read(path)).collect();
        items.iter().for_each(|item| list_item(item, &names, &mut lines));
        for name in names {
            let is_there = lines.iter().any(|line| line.starts_with(&format!("{name}:")));
            assert!(is_there, "{name} is exported, and no file of {module} defines it");
        }
    }
    let mut list = String::new();
    for line in lines {
        writeln!(list, "{line}").expect("a string takes every write");
    }
    list
}

#[test]
fn the_public_face_is_the_listed_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = listed(root);
    let kept = fs::read_to_string(root.join("tests/public_api.txt")).unwrap_or_default();
    let new = Path::new(env!("CARGO_TARGET_TMPDIR")).join("public_api.txt");
    fs::write(&new, &found).expect("a place for the new list");
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let (now, before) = (lines(&found), lines(&kept));
    let more: Vec<_> = now.difference(&before).collect();
    let less: Vec<_> = before.difference(&now).collect();
    let is_same = more.is_empty() && less.is_empty();
    assert!(is_same, "new: {more:#?}\ngone: {less:#?}\nthe new list is {}", new.display());
}

#[test]
fn no_type_of_a_dependency_is_in_the_face() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("the manifest");
    let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let dependencies = dependencies.split("\n[").next().unwrap_or_default();
    let crates = dependencies.lines().filter_map(|line| line.split_once(" = "));
    let crates: Vec<String> = crates.map(|(name, _)| name.replace('-', "_")).collect();
    assert!(crates.len() > 20, "{crates:?}");
    let found = listed(root);
    let leak = |name: &String| found.contains(&format!("{name}::"));
    assert!(!crates.iter().any(leak), "{found}");
}
