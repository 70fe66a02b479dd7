//! Enforces the house rules on the tree: imports, lengths, opening comments, leftovers, provenance.
//!
//! Each check is a function over one file or over all of them, and returns complaints; a bad
//! example at the end of the file makes each one complain. Code is read as tokens, so that strings
//! and comments never count as code. Rules that the compiler, rustfmt or clippy already enforce are
//! not checked again.

mod circles;
mod english;
mod graph;
mod programs;
mod rooms;
mod signatures;
mod systems;
mod tokens;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;

use circles::IN_CIRCLES;
use graph::Graph;
use proc_macro2::TokenStream;
use programs::tests_are_in_few_programs;
use rooms::rooms_are_on_the_map;
use signatures::{panics_are_caught_in_few_places, parameters_are_few};
use systems::systems_are_named_in_one_room;
use tokens::{
    CodePath, Function, collect_functions, collect_modules, collect_paths, collect_unsafe,
    module_depth,
};

/// Lines of the longest function, from `fn` to its closing brace.
const FUNCTION_LINES_MAX: usize = 70;
/// Lines of the longest file of code, tests included.
const FILE_LINES_MAX: usize = 800;
/// Characters of the longest line of code.
const LINE_CHARS_MAX: usize = 100;
/// Lines at the top of a corpus file that are searched for its provenance.
const OPENING_LINES_MAX: usize = 8;

/// The crate's entry points; `mod` leads from one of them to every other file under src.
const ROOTS: [&str; 3] = ["src/lib.rs", "src/bin/linktrawl/main.rs", "src/grammar/build.rs"];
/// The only files that may say `unsafe`.
const UNSAFE_AT: [&str; 4] = [
    "src/scan/simd.rs",
    "src/scan/simd/avx2.rs",
    "src/scan/simd/avx512.rs",
    "src/scan/simd/neon.rs",
];

/// The names at the top of the tree, beside dot-files: another name needs a reason.
const TOP: [&str; 11] = [
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "benches",
    "corpus",
    // pre-commit installs hooks from the root, by pip, which looks for this file nowhere else.
    "pyproject.toml",
    "src",
    "tests",
];

/// The rooms that each room may import. All other imports are forbidden.
const IMPORTS: &[(&str, &[&str])] = &[
    ("span", &[]),
    ("guide", &[]),
    // An error redacts the password in a URL that was given as a path.
    ("error", &["uri"]),
    ("platform", &[]),
    ("scheme", &[]),
    ("uri", &["span", "scheme"]),
    // A finding redacts its URI's password.
    ("finding", &["span", "uri"]),
    ("scan", &["span", "scheme"]),
    ("grammar", &["span", "uri", "scheme", "finding"]),
    // Tags divide words where readers see no gap, but a scheme shows that a URL begins anew.
    ("source", &["scan", "span", "scheme", "error", "finding", "platform"]),
    ("probe", &["uri", "scheme", "finding", "error", "store", "platform"]),
    ("store", &["uri", "finding", "error", "platform"]),
    // Some schemes have addresses, whose domain is the host of a link.
    ("report", &["finding", "scheme", "span", "uri", "platform"]),
    ("check", &["scan", "grammar", "source", "span", "scheme", "uri", "finding", "platform"]),
    // Fixes come from the records of a run, are checked by grammars, and are looked up as links
    // are.
    (
        "fix",
        &[
            "report", "check", "grammar", "source", "span", "error", "scheme", "uri", "finding",
            "platform",
        ],
    ),
];
/// Rooms that may import every other: the conductor, the library's face, and the file that names
/// the modules.
const CONDUCTORS: [&str; 3] = ["run", "extract", "lib"];
/// Crates that only the binary may use.
const BINARY_ONLY: [&str; 8] =
    ["anyhow", "clap", "clap_complete", "clap_mangen", "indicatif", "notify", "strsim", "toml"];
/// Rooms without input and output, and the parts of `std` that they therefore never name.
const PURE: [&str; 2] = ["scan", "grammar"];
const STD_OUTSIDE: [&str; 5] = ["env", "fs", "io", "net", "process"];

/// One text file of the tree, with its path from the root, separated by `/`.
struct File {
    path: String,
    text: String,
}

impl File {
    fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Reports whether the file is written by hand to be read: it is no data, not written by cargo,
    /// and no licence, which is quoted.
    fn is_prose_or_code(&self) -> bool {
        let is_data = self.path.starts_with("corpus/") && !self.path.ends_with(".md");
        let is_record = self.path.starts_with("benches/record/");
        let is_quoted = self.path == "Cargo.lock" || self.path.starts_with("LICENSE");
        !(is_data || is_record || is_quoted)
    }

    fn tokens(&self) -> Option<TokenStream> {
        self.is_rust().then(|| self.text.parse().ok()).flatten()
    }

    fn complain(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.path)
    }

    /// Returns a complaint for each line that `judge` objects to.
    fn judge_lines(&self, judge: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let verdicts = self.text.split('\n').map(judge).zip(1..);
        verdicts.filter_map(|(what, line)| Some(self.complain(line, &what?))).collect()
    }

    /// Returns the top-level module that the file belongs to; `None` for files outside of src.
    fn room(&self) -> Option<&str> {
        if self.path == "src/grammar/build.rs" {
            return Some("build");
        }
        let inside = self.path.strip_prefix("src/")?.strip_suffix(".rs")?;
        inside.split('/').next()
    }
}

// ---- checks of one file ----------------------------------------------------------------

type Check = fn(&File) -> Vec<String>;

const CHECKS: [Check; 14] = [
    parses,
    stands_in_a_known_place,
    imports_follow_the_table,
    functions_are_short,
    panics_are_caught_in_few_places,
    parameters_are_few,
    files_and_lines_are_short,
    code_opens_with_its_purpose,
    nothing_is_left_over,
    text_is_clean,
    unsafe_stays_in_its_room,
    systems_are_named_in_one_room,
    no_workplace_is_named,
    what_prints_shows_no_password,
];

/// Complains if reports or the binary, which print, request the text of a URI in clear.
fn what_prints_shows_no_password(file: &File) -> Vec<String> {
    if !matches!(file.room(), Some("report" | "bin")) {
        return Vec::new();
    }
    let asks = |line: &str| line.contains(concat!("in_", "clear"));
    file.judge_lines(|line| asks(line).then(|| "asks for a URI in clear".to_owned()))
}

fn parses(file: &File) -> Vec<String> {
    let is_broken = file.is_rust() && file.tokens().is_none();
    is_broken.then(|| file.complain(1, "cannot be read as tokens")).into_iter().collect()
}

fn stands_in_a_known_place(file: &File) -> Vec<String> {
    let top = file.path.split('/').next().unwrap_or_default();
    let is_known = top.starts_with('.') || TOP.contains(&top);
    let stray = || file.complain(1, &format!("{top} has no place at the top of the tree"));
    (!is_known).then(stray).into_iter().collect()
}

fn imports_follow_the_table(file: &File) -> Vec<String> {
    let (Some(room), Some(tokens)) = (file.room(), file.tokens()) else { return Vec::new() };
    if room == "bin" || room == "build" {
        return Vec::new();
    }
    let mut paths = Vec::new();
    collect_paths(tokens, module_depth(&file.path), &mut paths);
    paths
        .iter()
        .filter_map(|path| Some(file.complain(path.line, &judge_path(room, path)?)))
        .collect()
}

fn judge_path(room: &str, path: &CodePath) -> Option<String> {
    let CodePath { root, head, .. } = path;
    match root.as_str() {
        "crate" => judge_import(room, head),
        "std" if PURE.contains(&room) && STD_OUTSIDE.contains(&head.as_str()) => {
            Some(format!("{room} does no input and output, so it never names std::{head}"))
        }
        "std" if head == "env" => Some("only the binary reads the environment".to_owned()),
        _ if BINARY_ONLY.contains(&root.as_str()) => Some(format!("only the binary uses {root}")),
        _ => None,
    }
}

fn judge_import(room: &str, head: &str) -> Option<String> {
    if room == head || CONDUCTORS.contains(&room) {
        return None;
    }
    let Some((_, allowed)) = IMPORTS.iter().find(|(name, _)| *name == room) else {
        return Some(format!("{room} is no room of the import table"));
    };
    let is_allowed = allowed.contains(&head);
    (!is_allowed).then(|| format!("{room} must not import {head}; it may: {}", allowed.join(" ")))
}

fn functions_are_short(file: &File) -> Vec<String> {
    let mut found = Vec::new();
    file.tokens().into_iter().for_each(|tokens| collect_functions(tokens, &mut found));
    found.retain(|function| function.len > FUNCTION_LINES_MAX);
    let complaint = |function: &Function| {
        let what = format!("fn {} has {} lines", function.name, function.len);
        file.complain(function.line, &what)
    };
    found.iter().map(complaint).collect()
}

fn files_and_lines_are_short(file: &File) -> Vec<String> {
    if !file.is_rust() {
        return Vec::new();
    }
    let len = file.text.lines().count();
    let mut found = file.judge_lines(|line| {
        let chars = line.chars().count();
        (chars > LINE_CHARS_MAX).then(|| format!("the line has {chars} characters"))
    });
    found.extend((len > FILE_LINES_MAX).then(|| file.complain(len, "the file is too long")));
    found
}

fn code_opens_with_its_purpose(file: &File) -> Vec<String> {
    let is_silent = file.is_rust() && !file.text.starts_with("//! ");
    is_silent.then(|| file.complain(1, "the file does not open with `//! `")).into_iter().collect()
}

fn nothing_is_left_over(file: &File) -> Vec<String> {
    const MARKERS: [&str; 4] =
        [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("HA", "CK")];
    const MACROS: [&str; 3] =
        [concat!("db", "g!"), concat!("to", "do!"), concat!("unimple", "mented!")];
    if !file.is_prose_or_code() {
        return Vec::new();
    }
    file.judge_lines(|line| {
        let mut words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '!');
        let found = words.find(|word| {
            MARKERS.contains(&word.trim_matches('!')) || MACROS.iter().any(|name| word == name)
        })?;
        Some(format!("{found} is left over"))
    })
}

fn text_is_clean(file: &File) -> Vec<String> {
    if !file.is_prose_or_code() {
        return Vec::new();
    }
    let mut found = file.judge_lines(|line| {
        if let Some(odd) = line.chars().find(|c| is_unseen(*c)) {
            return Some(format!("U+{:04X} cannot be seen", u32::from(odd)));
        }
        line.ends_with(' ').then(|| "blanks at the end of the line".to_owned())
    });
    let ends_well = file.text.is_empty() || file.text.ends_with('\n');
    let has_tail = file.text.ends_with("\n\n");
    found.extend((!ends_well || has_tail).then(|| file.complain(0, "one newline ends a file")));
    found
}

/// Reports whether `c` is a control character, tabs included, or an invisible one that can make
/// code read other than it runs.
fn is_unseen(c: char) -> bool {
    let is_bidi = matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}');
    c.is_control() || is_bidi || matches!(c, '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '\u{A0}')
}

fn unsafe_stays_in_its_room(file: &File) -> Vec<String> {
    let mut lines = Vec::new();
    if !UNSAFE_AT.contains(&file.path.as_str()) {
        file.tokens().into_iter().for_each(|tokens| collect_unsafe(tokens, &mut lines));
    }
    let complaint = format!("unsafe code stays in {}", UNSAFE_AT.join(", "));
    lines.iter().map(|&line| file.complain(line, &complaint)).collect()
}

fn no_workplace_is_named(file: &File) -> Vec<String> {
    const PLACES: [&str; 5] = [
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("/tmp/", "bash_jobs"),
        concat!("../sha", "red"),
        concat!("index.crates", ".io"),
    ];
    file.judge_lines(|line| {
        let stands_alone = |at: usize| {
            !line.get(..at).unwrap_or("").ends_with(|c: char| c.is_ascii_alphanumeric())
        };
        let found = PLACES
            .iter()
            .find(|place| line.match_indices(*place).any(|(at, _)| stands_alone(at)))?;
        Some(format!("{found} is a place of one machine"))
    })
}

// ---- checks of the whole tree ----------------------------------------------------------

type TreeCheck = fn(&[File]) -> Vec<String>;

const TREE_CHECKS: [TreeCheck; 8] = [
    code_is_reachable,
    permissions_are_used,
    rooms_are_on_the_map,
    tests_are_in_few_programs,
    imports_lead_in_no_circle,
    options_import_no_neighbour,
    corpus_says_where_it_is_from,
    markdown_has_one_title,
];

fn code_is_reachable(files: &[File]) -> Vec<String> {
    let sources: BTreeMap<&str, &File> = files
        .iter()
        .filter(|file| file.path.starts_with("src/") && file.is_rust())
        .map(|file| (file.path.as_str(), file))
        .collect();
    let mut queue: VecDeque<String> = ROOTS.iter().map(|&root| root.to_owned()).collect();
    let mut seen = BTreeSet::new();
    while let Some(path) = queue.pop_front() {
        let Some(file) = sources.get(path.as_str()) else { continue };
        if seen.insert(path) {
            queue.extend(submodules(file));
        }
    }
    sources
        .values()
        .filter(|file| !seen.contains(&file.path))
        .map(|file| file.complain(1, "no `mod` leads to this file"))
        .collect()
}

/// Complains if a room may import another and does not: the next wrong import would be allowed.
fn permissions_are_used(files: &[File]) -> Vec<String> {
    let mut used = BTreeSet::new();
    for file in files {
        let (Some(room), Some(tokens)) = (file.room(), file.tokens()) else { continue };
        let mut paths = Vec::new();
        collect_paths(tokens, module_depth(&file.path), &mut paths);
        let heads = paths.into_iter().filter(|path| path.root == "crate").map(|path| path.head);
        used.extend(heads.map(|head| (room, head)));
    }
    let rows = IMPORTS.iter().flat_map(|(room, heads)| heads.iter().map(move |it| (*room, *it)));
    rows.filter(|(room, head)| !used.contains(&(*room, (*head).to_owned())))
        .map(|(room, head)| format!("src/{room}.rs:1: {room} may import {head}, and never does"))
        .collect()
}

/// Returns the paths that the `mod name;` lines of `file` can mean.
fn submodules(file: &File) -> Vec<String> {
    let (parent, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
    let is_root = ROOTS.contains(&file.path.as_str()) || name == "mod.rs";
    let dir = if is_root {
        parent.to_owned()
    } else {
        file.path.strip_suffix(".rs").unwrap_or(parent).to_owned()
    };
    let mut names = Vec::new();
    file.tokens().into_iter().for_each(|tokens| collect_modules(tokens, &mut names));
    names.iter().flat_map(|n| [format!("{dir}/{n}.rs"), format!("{dir}/{n}/mod.rs")]).collect()
}

fn imports_lead_in_no_circle(files: &[File]) -> Vec<String> {
    let found = Graph::of(files).in_circles();
    let known: BTreeSet<&str> = IN_CIRCLES.iter().copied().collect();
    let added = found.difference(&known).map(|path| format!("{path}:1: imports lead back to it"));
    let opened = known.difference(&found).map(|path| format!("{path}:1: it is in no circle"));
    added.chain(opened).collect()
}

/// Complains if a definition of options imports more of the binary than other definitions.
fn options_import_no_neighbour(files: &[File]) -> Vec<String> {
    let leading = Graph::of(files).out_of("src/bin/linktrawl/args");
    leading.iter().map(|(file, target)| format!("{file}:1: imports {target}")).collect()
}

fn corpus_says_where_it_is_from(files: &[File]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.path.starts_with("corpus/") && !file.path.ends_with("README.md"))
        .filter(|file| !opens_with_provenance(file) && !is_named_by_a_readme(file, files))
        .map(|file| file.complain(1, "neither a README nor its opening says where it is from"))
        .collect()
}

fn opens_with_provenance(file: &File) -> bool {
    let says = |line: &str| line.contains("Facts from") || line.contains("Facts:");
    file.text.lines().take(OPENING_LINES_MAX).any(says)
}

/// Reports whether the README of the file's folder, or of one above it, names the file by its path
/// from there. A folder named with a slash at its end covers the files directly in it.
fn is_named_by_a_readme(file: &File, files: &[File]) -> bool {
    files.iter().any(|readme| {
        let Some(dir) = readme.path.strip_suffix("README.md") else { return false };
        let Some(below) = file.path.strip_prefix(dir) else { return false };
        let Some((folder, _)) = below.rsplit_once('/') else {
            return readme.text.contains(&format!("`{below}`"));
        };
        [below.to_owned(), format!("{folder}/")]
            .iter()
            .any(|name| readme.text.contains(&format!("`{name}`")))
    })
}

fn markdown_has_one_title(files: &[File]) -> Vec<String> {
    files
        .iter()
        .filter(|file| file.path.ends_with(".md") && !file.path.starts_with("corpus/quickstart/"))
        .filter(|file| {
            let outside_fences = file.text.split("```").step_by(2).flat_map(str::lines);
            outside_fences.filter(|line| line.starts_with("# ")).count() != 1
        })
        .map(|file| file.complain(1, "a Markdown file has one title"))
        .collect()
}

// ---- the tree --------------------------------------------------------------------------

/// Returns every text file below the package's root, except those that git and cargo keep for
/// themselves. Files that are not UTF-8 are data: only their provenance is checked.
fn read_tree() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Folders that the compiler, git and the fuzzer write.
    let left = [".git", "target", "tests/fuzz/artifacts", "tests/fuzz/corpus", "tests/fuzz/target"];
    let is_ours = |entry: &walkdir::DirEntry| {
        !left.map(|path| root.join(path)).contains(&entry.path().to_owned())
    };
    walkdir::WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(is_ours)
        .flatten()
        .filter(|entry| entry.file_type().is_file())
        .filter_map(|entry| {
            let path = entry.path().strip_prefix(root).ok()?.to_str()?.replace('\\', "/");
            let bytes = fs::read(entry.path()).ok()?;
            Some(File { path, text: String::from_utf8(bytes).unwrap_or_default() })
        })
        .collect()
}

#[test]
fn the_tree_is_tidy() {
    let files = read_tree();
    assert!(files.iter().any(|file| file.path == "src/lib.rs"), "the tree was not found");
    let of_files = files.iter().flat_map(|file| CHECKS.iter().flat_map(|check| check(file)));
    let of_tree = TREE_CHECKS.iter().flat_map(|check| check(&files));
    let complaints: Vec<String> = of_files.chain(of_tree).collect();
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

#[test]
fn the_table_names_no_room_twice_and_imports_only_rooms() {
    let rooms: BTreeSet<&str> = IMPORTS.iter().map(|(room, _)| *room).collect();
    assert_eq!(rooms.len(), IMPORTS.len());
    assert!(IMPORTS.iter().flat_map(|(_, allowed)| *allowed).all(|room| rooms.contains(room)));
}

// ---- every check, seen red -------------------------------------------------------------

#[track_caller]
fn complains(check: Check, path: &str, text: &str, expected: &str) {
    let complaints = check(&File::new(path, text));
    assert_eq!(complaints, [expected], "of {text:?}");
}

#[track_caller]
fn is_content(check: Check, path: &str, text: &str) {
    assert_eq!(check(&File::new(path, text)), [""; 0], "of {text:?}");
}

#[test]
fn broken_code_is_seen() {
    complains(parses, "src/a.rs", "fn a( {", "src/a.rs:1: cannot be read as tokens");
    is_content(parses, "src/a.rs", "fn a() {}");
}

#[test]
fn options_that_import_a_command_are_seen() {
    let judged = |text: &str| {
        let others = ["args", "plan"].map(|name| format!("src/bin/linktrawl/{name}.rs"));
        let others = others.iter().map(|path| File::new(path, ""));
        let option = File::new("src/bin/linktrawl/args/scan.rs", text);
        options_import_no_neighbour(&others.chain([option]).collect::<Vec<_>>())
    };
    let expected = "src/bin/linktrawl/args/scan.rs:1: imports src/bin/linktrawl/plan.rs";
    assert_eq!(judged("use crate::plan::Plan;"), [expected]);
    assert_eq!(judged("use super::syntax; use crate::args::Flags; use linktrawl::plan;"), [""; 0]);
}

#[test]
fn a_stray_file_is_seen() {
    let expected = "a.whl:1: a.whl has no place at the top of the tree";
    complains(stands_in_a_known_place, "a.whl", "", expected);
    is_content(stands_in_a_known_place, ".github/a.yml", "");
    is_content(stands_in_a_known_place, "src/a.whl", "");
}

#[test]
fn a_forbidden_import_is_seen_however_it_is_spelt() {
    let check = imports_follow_the_table;
    let expected = "src/scan.rs:1: scan must not import report; it may: span scheme";
    complains(check, "src/scan.rs", "use crate::report::text;", expected);
    complains(check, "src/scan.rs", "use crate::{span::Span, report::text};", expected);
    complains(check, "src/scan.rs", "use super::report::text;", expected);
    complains(check, "src/scan.rs", "fn a() { crate::report::text::b() }", expected);
    complains(check, "src/scan.rs", "mod tests { use super::super::report; }", expected);
    is_content(check, "src/scan.rs", "mod tests { use super::report; }");
    is_content(check, "src/scan.rs", "use crate::scan::{extent, report}; use crate::span::A;");
    is_content(check, "src/run.rs", "use crate::report::text;");
    is_content(
        check,
        "src/bin/linktrawl/main.rs",
        "use linktrawl::internal::run; use clap::Parser;",
    );
}

#[test]
fn an_import_from_below_a_room_is_resolved() {
    let check = imports_follow_the_table;
    let expected = "src/scan/a.rs:1: scan must not import error; it may: span scheme";
    complains(check, "src/scan/a.rs", "use super::super::error::Error;", expected);
    is_content(check, "src/scan/a.rs", "use super::error::Error;");
}

#[test]
fn a_room_outside_of_the_table_is_seen() {
    let expected = "src/attic.rs:1: attic is no room of the import table";
    complains(imports_follow_the_table, "src/attic.rs", "use crate::span::Span;", expected);
}

#[test]
fn the_pure_rooms_and_the_library_keep_to_themselves() {
    let check = imports_follow_the_table;
    let io = "src/scan/a.rs:1: scan does no input and output, so it never names std::fs";
    complains(check, "src/scan/a.rs", "use std::fs::File;", io);
    complains(check, "src/scan/a.rs", "use std::{fmt, fs::File};", io);
    let env = "src/run.rs:1: only the binary reads the environment";
    complains(check, "src/run.rs", "fn a() { std::env::var(\"A\"); }", env);
    let binary = "src/run.rs:1: only the binary uses anyhow";
    complains(check, "src/run.rs", "use anyhow::Context;", binary);
    is_content(check, "src/source/file.rs", "use std::fs::File;");
}

#[test]
fn a_long_function_is_seen_and_one_at_the_limit_is_not() {
    let text = |lines: usize| format!("impl A {{\nfn a() {{{}}}\n}}", "\n".repeat(lines - 1));
    complains(functions_are_short, "tests/a.rs", &text(71), "tests/a.rs:2: fn a has 71 lines");
    is_content(functions_are_short, "tests/a.rs", &text(70));
}

#[test]
fn a_long_line_and_a_long_file_are_seen() {
    let check = files_and_lines_are_short;
    complains(check, "a.rs", &"é".repeat(101), "a.rs:1: the line has 101 characters");
    complains(check, "a.rs", &"a\n".repeat(801), "a.rs:801: the file is too long");
    is_content(check, "a.rs", &format!("{}\n", "é".repeat(100)).repeat(800));
}

#[test]
fn code_without_an_opening_is_seen() {
    let expected = "a.rs:1: the file does not open with `//! `";
    complains(code_opens_with_its_purpose, "a.rs", "use a::b;\n//! Late.", expected);
    is_content(code_opens_with_its_purpose, "a.rs", "//! Early.\n");
}

#[test]
fn leftovers_are_seen() {
    let (mark, call) = (concat!("TO", "DO"), concat!("db", "g!"));
    let check = nothing_is_left_over;
    complains(check, "a.rs", &format!("// {mark}: x"), &format!("a.rs:1: {mark} is left over"));
    complains(check, "a.md", &format!("a\n{call}(b)"), &format!("a.md:2: {call} is left over"));
    is_content(check, "corpus/a.txt", mark);
    is_content(check, "a.rs", &mark.to_lowercase());
}

#[test]
fn unclean_text_is_seen() {
    let check = text_is_clean;
    complains(check, "a.rs", "\ta\n", "a.rs:1: U+0009 cannot be seen");
    complains(check, "a.rs", "a\r\n", "a.rs:1: U+000D cannot be seen");
    complains(check, "a.rs", "a\u{202E}b\n", "a.rs:1: U+202E cannot be seen");
    complains(check, "a.md", "a\nb  \n", "a.md:2: blanks at the end of the line");
    complains(check, "a.md", "a", "a.md:0: one newline ends a file");
    complains(check, "a.md", "a\n\n", "a.md:0: one newline ends a file");
    is_content(check, "corpus/a.tsv", "\t ");
    is_content(check, "a.md", "a\n\nb\n");
}

#[test]
fn unsafe_code_outside_of_its_room_is_seen() {
    let text = "// unsafe\nfn a() { unsafe { b(\"unsafe\") } }";
    let expected = format!("src/scan.rs:2: unsafe code stays in {}", UNSAFE_AT.join(", "));
    complains(unsafe_stays_in_its_room, "src/scan.rs", text, &expected);
    UNSAFE_AT.iter().for_each(|path| is_content(unsafe_stays_in_its_room, path, text));
}

#[test]
fn places_of_one_machine_are_seen() {
    let place = concat!("/ro", "ot/");
    let expected = format!("a.md:1: {place} is a place of one machine");
    complains(no_workplace_is_named, "a.md", &format!("see {place}x"), &expected);
    is_content(no_workplace_is_named, "a.md", &format!("http://a{place}"));
}

#[test]
fn a_permission_that_no_import_needs_is_seen() {
    let found = permissions_are_used(&[File::new("src/scan.rs", "use crate::span::Span;")]);
    let of_scan: Vec<_> = found.iter().filter(|it| it.starts_with("src/scan.rs")).collect();
    assert_eq!(of_scan, ["src/scan.rs:1: scan may import scheme, and never does"]);
}

#[test]
fn code_that_no_module_names_is_seen() {
    let files = [
        File::new("src/lib.rs", "mod a; mod b;"),
        File::new("src/a.rs", "mod c;"),
        File::new("src/a/c.rs", ""),
        File::new("src/b/mod.rs", "mod d; // mod e;"),
        File::new("src/b/d.rs", ""),
        File::new("src/b/e.rs", ""),
    ];
    assert_eq!(code_is_reachable(&files), ["src/b/e.rs:1: no `mod` leads to this file"]);
}

#[test]
fn data_without_provenance_is_seen() {
    let files = [
        File::new("corpus/README.md", "`a/x.txt` from memory, and `b/` too"),
        File::new("corpus/a/x.txt", ""),
        File::new("corpus/a/y.txt", "# Facts from RFC 1738"),
        File::new("corpus/b/z.txt", ""),
        File::new("corpus/a/w.txt", ""),
    ];
    let expected = "corpus/a/w.txt:1: neither a README nor its opening says where it is from";
    assert_eq!(corpus_says_where_it_is_from(&files), [expected]);
}

#[test]
fn a_report_that_asks_for_clear_text_is_found() {
    let text = concat!("//! A report.\nfn f() { uri.in_", "clear(); }\n");
    let check = what_prints_shows_no_password;
    complains(check, "src/report/x.rs", text, "src/report/x.rs:2: asks for a URI in clear");
    is_content(check, "src/run.rs", text);
}

#[test]
fn markdown_without_or_with_two_titles_is_seen() {
    let files = [
        File::new("a.md", "# a\n```\n# b\n```\n"),
        File::new("b.md", "# a\n# b\n"),
        File::new("c.md", "## a\n"),
    ];
    let complaints = markdown_has_one_title(&files);
    assert_eq!(complaints.len(), 2, "{complaints:?}");
}
