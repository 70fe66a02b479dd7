//! Counts the lines of docs and comments that are not in plain technical English; their share may
//! only shrink.
//!
//! A comment that begins with a relative clause lacks its noun, and some words are a dialect of our
//! own where the field has its terms.

use super::File;

/// Folders of code; each is judged by itself.
const FOLDERS: [&str; 3] = ["src/", "tests/", "benches/"];

/// Maximum number of dialect lines among a thousand lines of comments; the help texts of some
/// options count as such.
const LINES_PER_THOUSAND_MAX: usize = 2;

/// Beginnings of a comment that lacks its noun.
const BEGINNINGS: [&str; 9] = [
    "What ",
    "Whoever ",
    "Who ",
    "Those ",
    "True for ",
    "True when ",
    "True where ",
    "True if ",
    "Where one ",
];

/// Words with better ones, in this order: `after`, `before`, `is` or `appears`, `reports` or
/// `declares`, `skips`, `the user` or `the server`, `fix`.
const WORDS: [&str; 14] = [
    "behind",
    "in front",
    "stands",
    "stand",
    "tells",
    "tell",
    "told",
    "leaves out",
    "left out",
    "passes by",
    "passed by",
    "whoever",
    "somebody",
    "mend",
];

/// Returns the number of each comment line of `file`, and whether it is in the dialect.
fn judged(file: &File) -> impl Iterator<Item = (usize, bool)> {
    let lines = file.text.lines().zip(1..);
    // The first line of a comment, which begins it.
    let mut is_first = true;
    lines.filter_map(move |(line, number)| {
        let line = line.trim_start();
        let docs = ["///", "//!", "//"];
        let Some(doc) = docs.iter().find_map(|mark| line.strip_prefix(mark)) else {
            is_first = true;
            return None;
        };
        let doc = doc.trim();
        let begins = is_first && BEGINNINGS.iter().any(|beginning| doc.starts_with(beginning));
        is_first = doc.is_empty();
        Some((number, begins || has_word(doc)))
    })
}

/// Reports whether `doc` has one of [`WORDS`] outside of code.
fn has_word(doc: &str) -> bool {
    let prose: Vec<&str> = doc.split('`').step_by(2).collect();
    prose.iter().any(|prose| {
        let prose =
            format!(" {} ", prose.to_lowercase().replace(|c: char| !c.is_alphabetic(), " "));
        WORDS.iter().any(|word| prose.contains(&format!(" {word} ")))
    })
}

/// Complains if more comment lines of the files in `folder` are in the dialect than allowed, and
/// names the files that have most.
fn dialect(files: &[File], folder: &str, per_thousand_max: usize) -> Vec<String> {
    let is_ours = |file: &&File| file.is_rust() && file.path.starts_with(folder);
    let (mut all, mut most) = (0, Vec::new());
    for file in files.iter().filter(is_ours) {
        let lines: Vec<_> = judged(file).collect();
        all += lines.len();
        let bad: Vec<_> = lines.iter().filter(|(_, is_bad)| *is_bad).map(|(at, _)| *at).collect();
        most.push((bad.len(), file.path.as_str(), bad));
    }
    let bad: usize = most.iter().map(|(count, ..)| count).sum();
    if bad * 1000 <= all * per_thousand_max {
        return Vec::new();
    }
    most.sort_unstable_by(|one, other| other.cmp(one));
    let worst =
        most.iter().take(20).map(|(count, path, lines)| format!("{path}: {count} {lines:?}"));
    let head = format!(
        "{folder}: {bad} of {all} lines of comments; at most {per_thousand_max} in a thousand"
    );
    std::iter::once(head).chain(worst).collect()
}

#[test]
fn few_docs_are_in_a_dialect() {
    let files = super::read_tree();
    let judge = |folder: &&str| dialect(&files, folder, LINES_PER_THOUSAND_MAX);
    let complaints: Vec<String> = FOLDERS.iter().flat_map(judge).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn a_dialect_is_seen() {
    let is_bad = |doc: &str| {
        let file = File::new("src/a.rs", &format!("{doc}\nfn a() {{}}\n"));
        dialect(&[file], "src/", 0).len() > 1
    };
    assert!(is_bad("/// What is left."));
    assert!(is_bad("/// Returns a link\n///\n/// Whoever reads it."));
    assert!(is_bad("    /// True when it is one."));
    assert!(is_bad("//! The text that stands there."));
    assert!(!is_bad("/// Returns what is left, and\n/// What begins no doc."));
    assert!(!is_bad("/// Returns `behind`."));
    assert!(is_bad("    // What is no doc."));
    assert!(!is_bad("a(); // What follows code."));
    let file = File::new("tests/a.rs", "//! What a test holds.\n");
    assert!(dialect(std::slice::from_ref(&file), "src/", 0).is_empty());
    assert!(!dialect(&[file], "tests/", 0).is_empty());
}
