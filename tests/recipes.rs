//! Runs the README's recipes as they stand, in a shell, in a home that has what they speak of.
//!
//! A file of options above it keeps every `check` from the network; nothing else is changed.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Where the recipes begin and end in the README.
const SECTION: &str = "\n## Recipes\n";

/// What stands in the home of whoever runs the recipes, and where it is from in `corpus/`.
const HOME: &[(&str, &str)] = &[
    ("Mail/archive.mbox", "mail/small.mbox"),
    ("Maildir/cur/1:2,S", "mail/boxes/body-text.mbox"),
    ("lists/1994.tar.zst", "archives/spool.tar.zst"),
    ("lists/notes.txt.gz", "archives/notes.txt.gz"),
    ("docs/guide.md", "local/tree/guide.md"),
    ("docs/page.html", "local/tree/page.html"),
    ("spam/1.mbox", "reach/inputs/letters.mbox"),
];

/// A recipe: its title, and the lines of its shell.
struct Recipe {
    title: String,
    script: String,
}

fn recipes() -> Vec<Recipe> {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).expect("README.md");
    let (_, section) = readme.split_once(SECTION).expect("the section");
    let (section, _) = section.split_once("\n## ").expect("another section behind it");
    let recipe = |text: &str| {
        let (title, rest) = text.split_once('\n').expect("lines behind the title");
        let blocks = rest.split("\n```sh\n").skip(1);
        let scripts = blocks.map(|block| block.split_once("\n```").expect("its end").0);
        Recipe { title: title.to_owned(), script: scripts.collect::<Vec<_>>().join("\n") }
    };
    section.split("\n### ").skip(1).map(recipe).collect()
}

fn home() -> TempDir {
    let home = tempfile::tempdir().expect("a directory");
    for (name, source) in HOME {
        let path = home.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        fs::copy(Path::new(ROOT).join("corpus").join(source), path).expect("a copy");
    }
    fs::write(home.path().join("linktrawl.toml"), "offline = true\n").expect("a file");
    home
}

/// Runs `script`; gives the code of its last command, and what was printed.
fn run(home: &Path, script: &str) -> (Option<i32>, String) {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_linktrawl"));
    let directory = binary.parent().expect("its directory").display().to_string();
    let path = format!("{directory}:/usr/local/bin:/usr/bin:/bin");
    let output = Command::new("sh")
        .args(["-c", script])
        .current_dir(home)
        .env_clear()
        .env("PATH", path)
        .env("HOME", home)
        .output()
        .expect("a shell");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn every_recipe_does_what_it_says() {
    let recipes = recipes();
    let titles: Vec<_> = recipes.iter().map(|recipe| recipe.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "A mailbox",
            "A Maildir, every night",
            "Documents in CI",
            "An audit of archives",
            "One URI explained",
            "Privacy",
        ]
    );
    for Recipe { title, script } in recipes {
        assert!(!script.is_empty(), "{title} has no script");
        let home = home();
        for line in script.replace("\\\n", " ").lines() {
            let (code, text) = run(home.path(), line);
            // 1 is for links that are malformed or dead, which there are.
            assert!(matches!(code, Some(0 | 1)), "{title}: {line}: {code:?}\n{text}");
        }
        made_what_it_names(home.path(), &script, &title);
    }
}

/// Every file behind an equals sign is there, and says something.
fn made_what_it_names(home: &Path, script: &str, title: &str) {
    let script = script.replace("--format=", "--format ");
    let words: Vec<_> = script.split_whitespace().collect();
    let formats = words.windows(2).filter(|pair| pair[0] == "--format").map(|pair| pair[1]);
    for (_, file) in formats.filter_map(|format| format.split_once('=')) {
        let length = fs::metadata(home.join(file)).map_or(0, |metadata| metadata.len());
        assert!(length > 0, "{title}: {file} is not there, or empty");
    }
}
