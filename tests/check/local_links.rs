//! Links to files: those of corpus/local by its table, the options that say what a site is, and
//! what a hostile tree or link could do.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must hold by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use linktrawl::internal::check::local::{Answer, Base, Fragments, Local, Options};
use linktrawl::internal::finding::{Class, Reach};
use linktrawl::internal::source::markup::Markup;
use linktrawl::internal::source::markup::anchors::{self, Place};
use linktrawl::internal::source::{FORMATS, InputKind};
use tempfile::TempDir;

use crate::support::chance::Chance;

/// Lines at the top of the table: where its facts come from, and the names of its columns.
const TABLE_HEAD_LINES: usize = 2;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/local")
}

fn tree() -> PathBuf {
    corpus().join("tree")
}

/// Returns the answer for `reference` in the document at `path` of `tree`.
fn ask_in(local: &Local, tree: &Path, path: &str, reference: &str) -> Answer {
    let path = tree.join(path);
    let text = fs::read(&path).expect("a document");
    let markup = Markup::by_name(path.as_os_str().as_encoded_bytes());
    let base = markup.and_then(|markup| markup.page(&text).base);
    let document = local.document(&path, Some(tree), base.as_deref());
    local.ask(&document, reference.as_bytes())
}

fn ask(options: Options, path: &str, reference: &str) -> Answer {
    ask_in(&Local::new(options), &tree(), path, reference)
}

/// Class and hint of an answer, as the table has them.
fn cells(answer: &Answer) -> String {
    match answer {
        Answer::Reach(Reach { class, hint, .. }) => {
            format!("{}\t{}", class.row().name, hint.as_deref().unwrap_or_default())
        }
        Answer::Remote(uri) => format!("remote\t{}", String::from_utf8_lossy(uri)),
    }
}

#[track_caller]
fn case(options: &Options, path: &str, reference: &str, expected: &str) {
    let found = cells(&ask(options.clone(), path, reference));
    let class = found.split('\t').next().unwrap_or_default();
    let found = if expected.contains('\t') { &found } else { class };
    assert_eq!(found, expected, "{reference} in {path} with {options:?}");
}

#[test]
fn every_link_of_the_table_is_answered_as_it_says() {
    let table = fs::read_to_string(corpus().join("links.tsv")).expect("the table is UTF-8 text");
    let local = Local::new(Options::default());
    let mut wrong = Vec::new();
    for row in table.lines().skip(TABLE_HEAD_LINES) {
        let mut cells_of_row = row.split('\t');
        let mut next = || cells_of_row.next().expect("a cell");
        let (path, reference) = (next(), next());
        let answer = ask_in(&local, &tree(), path, reference);
        let found = format!("{path}\t{reference}\t{}", cells(&answer));
        if found != row {
            wrong.push(format!("expected {row}\nfound    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_answer_says_what_was_expected_or_found() {
    let Answer::Reach(reach) = ask(Options::default(), "guide.md", "nowhere.md") else {
        panic!("an answer of the files")
    };
    let place = tree().join("nowhere.md");
    let message = format!("expected a file or directory at `{}`, found none", place.display());
    assert_eq!((reach.probe, reach.message), ("local", message));
}

// ---- options -------------------------------------------------------------------------------

#[test]
fn the_root_of_a_site_is_where_slashes_start_and_what_holds_links() {
    let options = Options { root_dir: Some(tree().join("sub")), ..Options::default() };
    case(&options, "sub/Other.md", "/Other.md", "alive");
    case(&options, "sub/Other.md", "../page.html", "outside-root");
    // For a document outside of the site, its tree is the limit.
    case(&options, "guide.md", "/Other.md", "alive");
    case(&options, "guide.md", "/page.html", "missing");
    case(&options, "guide.md", "page.html", "alive");
}

#[test]
fn a_root_that_is_not_there_holds_links_all_the_same() {
    let options = Options { root_dir: Some(tree().join("absent")), ..Options::default() };
    case(&options, "guide.md", "../links.tsv", "outside-root");
    case(&options, "guide.md", "/page.html", "missing");
    case(&options, "guide.md", "page.html", "alive");
}

#[test]
fn without_a_tree_links_may_lead_anywhere_but_to_a_root() {
    let local = Local::new(Options::default());
    let document = local.document(&tree().join("sub/Other.md"), None, None);
    let class = |reference: &str| cells(&local.ask(&document, reference.as_bytes()));
    assert_eq!(class("../../links.tsv"), "alive\t");
    assert_eq!(class("/Other.md"), "unverifiable\t");
}

#[test]
fn a_base_takes_the_place_of_the_document() {
    let base = Base::Uri(b"https://host.example/docs/a".to_vec());
    let options = Options { base: Some(base), ..Options::default() };
    case(&options, "guide.md", "b.html#c", "remote\thttps://host.example/docs/b.html#c");
    case(&options, "guide.md", "/b", "remote\thttps://host.example/b");
    case(&options, "guide.md", "//other.example/b", "remote\thttps://other.example/b");
    case(&options, "guide.md", "#twice", "alive");
    case(&options, "based.html", "b", "remote\thttps://host.example/docs/sub/b");
    let directory =
        Options { base: Some(Base::Directory(tree().join("sub"))), ..Options::default() };
    case(&directory, "guide.md", "Other.md", "alive");
    case(&directory, "guide.md", "page.html", "missing");
    case(&directory, "guide.md", "#twice", "alive");
}

#[test]
fn a_document_may_say_that_it_is_remote() {
    let local = Local::new(Options::default());
    let document = local.document(&tree().join("page.html"), Some(&tree()), Some(b"http://h/x/"));
    let uri = |reference: &str| cells(&local.ask(&document, reference.as_bytes()));
    assert_eq!(uri("a"), "remote\thttp://h/x/a");
    assert_eq!(uri("#a"), "remote\thttp://h/x/#a");
    assert_eq!(uri("//i/a"), "remote\thttp://i/a");
}

#[test]
fn directories_show_their_index_files_where_some_are_named() {
    let with = |names: &[&str]| {
        let names = names.iter().map(PathBuf::from).collect();
        Options { index_files: Some(names), ..Options::default() }
    };
    case(&with(&["index.html"]), "guide.md", "sub/", "alive");
    case(&with(&["none.html", "index.html"]), "guide.md", "sub#of-index", "alive");
    case(&with(&["index.html"]), "guide.md", "book", "missing");
    case(&with(&["index.html", "."]), "guide.md", "book", "alive");
    case(&with(&[]), "guide.md", "sub", "missing");
    case(&with(&[""]), "guide.md", "sub", "missing");
}

#[test]
fn endings_that_are_left_out_are_tried_in_order() {
    let with = |endings: &[&str]| Options {
        fallback_extensions: endings.iter().map(|&ending| ending.to_owned()).collect(),
        ..Options::default()
    };
    case(&with(&["md"]), "guide.md", "guide", "alive");
    case(&with(&["txt", "md"]), "guide.md", "guide#twice", "alive");
    case(&with(&["md"]), "guide.md", "guide.html#twice", "alive");
    case(&with(&["md"]), "guide.md", "guide.html#never", "fragment-missing");
    case(&with(&["txt"]), "guide.md", "guide", "missing");
}

#[test]
fn fragments_are_ignored_when_that_is_asked() {
    let options = Options { fragments: Fragments::Ignored, ..Options::default() };
    case(&options, "guide.md", "#never", "alive");
    case(&options, "guide.md", "page.html#never", "alive");
    case(&options, "guide.md", "nowhere.html#never", "missing");
}

#[test]
fn a_text_that_a_browser_looks_for_is_not_said_to_be_there() {
    let home = TempDir::new().expect("a directory");
    fs::write(home.path().join("a.md"), "# b\n").expect("a file");
    let message = |link| match ask_in(&Local::new(Options::default()), home.path(), "a.md", link) {
        Answer::Reach(Reach { class: Class::Alive, message, .. }) => message,
        other => panic!("{link}: {other:?}"),
    };
    let expected = "the file is there, and the text in it was not looked for";
    assert_eq!(message("a.md#:~:text=zz"), expected);
    assert_eq!(message("#:~:text=zz"), expected);
    let expected = "the file and the place in it are there, and the text was not looked for";
    assert_eq!(message("a.md#b:~:text=zz"), expected);
    assert_eq!(message("a.md#b"), "the file and the place in it are there");
}

#[test]
fn files_by_uri_are_those_of_the_tree_alone() {
    let real = fs::canonicalize(tree()).expect("the tree");
    let uri = |path: &str| format!("file://{}/{path}", real.display());
    case(&Options::default(), "guide.md", &uri("page.html#start"), "alive");
    case(&Options::default(), "guide.md", &uri("none.html"), "missing");
    case(&Options::default(), "guide.md", &uri("../links.tsv"), "unverifiable");
    let local = format!("file://localhost{}/page.html", real.display());
    case(&Options::default(), "guide.md", &local, "alive");
}

// ---- hostile trees ---------------------------------------------------------------------------

#[test]
fn nothing_but_regular_files_is_opened() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = |name: &str| dir.path().join(name);
    fs::write(path("a.md"), "# A\n").expect("a file");
    let pipe = std::process::Command::new("mkfifo").arg(path("pipe.md")).status();
    assert!(pipe.expect("mkfifo runs").success());
    std::os::unix::fs::symlink("circle.md", path("circle.md")).expect("a link");
    std::os::unix::fs::symlink("nowhere.md", path("broken.md")).expect("a link");
    std::os::unix::fs::symlink("a.md", path("b.md")).expect("a link");
    fs::write(path("packed.md"), b"\x1F\x8B\x08\0\0").expect("a file");
    let local = Local::new(Options::default());
    let class = |reference: &str| cells(&ask_in(&local, dir.path(), "a.md", reference));
    assert_eq!(class("pipe.md#a"), "alive\t");
    // A file is not called absent unless the system says so.
    assert_eq!(class("circle.md#a"), "unverifiable\t");
    assert_eq!(class("broken.md"), "missing\t");
    assert_eq!(class("b.md#a"), "alive\t");
    assert_eq!(class("packed.md#a"), "unverifiable\t");
    assert_eq!(class(&format!("{}.md", "x".repeat(5000))), "unverifiable\t");
    assert_eq!(class(&"../".repeat(5000)), "alive\t");
    assert_eq!(class(&"a/".repeat(50_000)), "unverifiable\t");
}

/// A directory with `docs`, from which symbolic links lead to `outside`, and to itself.
fn linked() -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    let home = fs::canonicalize(dir.path()).expect("a path");
    for name in ["outside/deep", "docs/sub", "docs/shown"] {
        fs::create_dir_all(home.join(name)).expect("a directory");
    }
    for name in ["outside/secret.md", "docs/a.md", "docs/sub/b.md", "docs/sub/CASE.md"] {
        fs::write(home.join(name), "# Title\n").expect("a file");
    }
    let link = |target: &str, name: &str| {
        let target = target.replace("HOME", &home.display().to_string());
        std::os::unix::fs::symlink(target, home.join(name)).expect("a link");
    };
    link("docs", "alias");
    for (name, target) in [
        ("etc", "../outside"),
        ("absolute", "HOME/outside"),
        ("chain", "etc"),
        ("up", ".."),
        ("one.md", "../outside/secret.md"),
        ("none.md", "../outside/none.md"),
        ("far", "../nowhere/at/all"),
        ("shown/README.md", "../../outside/secret.md"),
        ("in", "sub"),
        ("around", "../docs/sub/."),
        ("through", "HOME/alias/sub"),
        ("void", "nothing"),
        ("circle", "circle"),
    ] {
        link(target, &format!("docs/{name}"));
    }
    dir
}

#[test]
fn symbolic_links_lead_out_of_no_root() {
    let dir = linked();
    for root in ["docs", "alias"] {
        let root = dir.path().join(root);
        let options = Options {
            root_dir: Some(root.clone()),
            fallback_extensions: vec!["md".to_owned()],
            ..Options::default()
        };
        let local = Local::new(options);
        let case = |expected: &str, references: &[&str]| {
            for reference in references {
                let found = cells(&ask_in(&local, &root, "a.md", reference));
                let class = found.split('\t').next();
                assert_eq!(class, Some(expected), "{reference} in {}", root.display());
            }
        };
        // The same answer whether it is there or not.
        case("outside-root", &["etc", "etc/", "etc/secret.md", "etc/none.md", "etc/deep/none.md"]);
        case("outside-root", &["etc/secret.md#title", "etc/secret.md#none", "/etc/secret.md"]);
        case("outside-root", &["absolute/secret.md", "absolute/none.md", "chain/secret.md"]);
        case("outside-root", &["up", "up/outside/secret.md#none", "up/outside/none.md"]);
        case("outside-root", &["one.md", "none.md", "one.md#none", "far", "far/x", "in/../etc/x"]);
        case("missing", &["ETC/secret.md", "ETC/none.md", "one", "none", "void"]);
        case("missing", &["in/none.md", "in/b.md/c.md", "void/x.md"]);
        case("unverifiable", &["circle", "circle/x.md"]);
        case("fragment-missing", &["shown#title", "shown#none", "in/b.md#none"]);
        case("alive", &["a.md#title", "in/b.md#title", "in", "in/b", "/in/b.md", "shown"]);
        case("alive", &["around/b.md#title", "through/b.md", "up/docs/a.md#title"]);
        case("wrong-case", &["in/case.md", "IN/b.md"]);
    }
}

#[test]
fn a_root_is_shown_as_it_is_given() {
    let dir = linked();
    let message = |root: &str, reference: &str| {
        let given = dir.path().join(root);
        let local = Local::new(Options { root_dir: Some(given), ..Options::default() });
        let Answer::Reach(reach) = ask_in(&local, &dir.path().join("docs"), "sub/b.md", reference)
        else {
            panic!("an answer of the files")
        };
        reach.message.replace(&format!("{}/", dir.path().display()), "")
    };
    for root in ["docs", "alias", "docs/", "docs/../alias"] {
        let shown = root.trim_end_matches('/');
        for (reference, place) in
            [("lost.md", "sub/lost.md"), ("/lost.md", "lost.md"), ("../x", "x")]
        {
            let expected = format!("expected a file or directory at `{shown}/{place}`, found none");
            assert_eq!(message(root, reference), expected);
        }
    }
}

#[test]
fn settings_outside_of_a_root_make_no_page_in_it() {
    let dir = tempfile::tempdir().expect("a directory");
    let source = dir.path().join("src");
    fs::create_dir(&source).expect("a directory");
    for (path, text) in [
        ("book.toml", "[output.html.redirect]\n\"/old.html\" = \"a.html\"\n"),
        ("src/SUMMARY.md", "# Summary\n\n- [A](a.md)\n"),
        ("src/a.md", "# A\n"),
    ] {
        fs::write(dir.path().join(path), text).expect("a file");
    }
    for (root, expected) in [(dir.path(), "alive\t"), (&source, "missing\t")] {
        let options = Options { root_dir: Some(root.to_owned()), ..Options::default() };
        let local = Local::new(options);
        assert_eq!(cells(&ask_in(&local, &source, "a.md", "old.html")), expected, "{root:?}");
        assert_eq!(cells(&ask_in(&local, &source, "a.md", "a.html")), "alive\t", "{root:?}");
    }
}

#[test]
fn symbolic_links_lead_where_links_may() {
    let dir = linked();
    let root = dir.path().join("docs");
    let (local, real) = (Local::default(), fs::canonicalize(&root).expect("a path"));
    let class = |reference: &str| cells(&ask_in(&local, &root, "a.md", reference));
    // As `../outside/secret.md` does.
    assert_eq!(class("etc/secret.md#title"), "alive\t");
    // Nothing that starts from the root of a tree leads out of it.
    assert_eq!(class("/etc/secret.md"), "outside-root\t");
    assert_eq!(class("/etc/none.md"), "outside-root\t");
    assert_eq!(class("/in/b.md"), "alive\t");
    assert_eq!(class(&format!("file://{}/etc/secret.md", real.display())), "outside-root\t");
    let document = local.document(&root.join("a.md"), None, None);
    assert_eq!(cells(&local.ask(&document, b"etc/secret.md")), "alive\t");
}

#[test]
fn a_symbolic_link_that_leads_out_is_told_with_what_helps() {
    let dir = linked();
    let root = dir.path().join("docs");
    let local = Local::new(Options { root_dir: Some(root.clone()), ..Options::default() });
    let Answer::Reach(reach) = ask_in(&local, &root, "a.md", "etc/secret.md") else {
        panic!("an answer of the files")
    };
    let expected = "found a symbolic link that leads out of it: --root-dir names a wider root";
    assert!(reach.message.ends_with(expected), "{}", reach.message);
    let wider = Local::new(Options { root_dir: Some(dir.path().into()), ..Options::default() });
    assert_eq!(cells(&ask_in(&wider, &root, "a.md", "etc/secret.md#title")), "alive\t");
}

#[test]
fn a_document_that_is_too_long_is_not_searched() {
    let dir = tempfile::tempdir().expect("a directory");
    let long = |name: &str, len: usize| {
        let text = [&b"# A\n"[..], &vec![b'\n'; len]].concat();
        fs::write(dir.path().join(name), text).expect("a file");
    };
    long("short.md", 1000);
    long("long.md", 3 << 20);
    long("longest.html", 9 << 20);
    let local = Local::new(Options::default());
    let class = |reference: &str| cells(&ask_in(&local, dir.path(), "short.md", reference));
    assert_eq!(class("#a"), "alive\t");
    assert_eq!(class("long.md#a"), "unverifiable\t");
    assert_eq!(class("longest.html#a"), "unverifiable\t");
    assert_eq!(class("long.md"), "alive\t");
}

#[test]
fn documents_in_a_declared_charset_have_places_too() {
    let dir = tempfile::tempdir().expect("a directory");
    let text = b"<html><meta charset=koi8-r><p id=\"\xC4\xC1\">text</p></html>\n";
    fs::write(dir.path().join("a.html"), text).expect("a file");
    let local = Local::new(Options::default());
    let class = |reference: &str| cells(&ask_in(&local, dir.path(), "a.html", reference));
    assert_eq!(class("#\u{434}\u{430}"), "alive\t");
    assert_eq!(class("#%D0%B4%D0%B0"), "alive\t");
    assert_eq!(class("#da"), "fragment-missing\t");
}

#[test]
fn utf16_documents_have_places_too() {
    let dir = tempfile::tempdir().expect("a directory");
    let units = "\u{FEFF}<html><p id=\"ä\">text</p></html>\n".encode_utf16();
    let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    fs::write(dir.path().join("a.html"), bytes).expect("a file");
    let local = Local::new(Options::default());
    let class = |reference: &str| cells(&ask_in(&local, dir.path(), "a.html", reference));
    assert_eq!(class("#%C3%A4"), "alive\t");
    assert_eq!(class("#a"), "fragment-missing\t");
}

/// The class of each link of `links` in a file called `name` that holds `text`.
#[track_caller]
fn in_file(name: &str, text: &[u8], links: &[(&str, &str)]) {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join(name), text).expect("a file");
    let local = Local::new(Options::default());
    for (reference, expected) in links {
        let Answer::Reach(reach) = ask_in(&local, dir.path(), name, reference) else {
            panic!("an answer of the files")
        };
        assert_eq!(reach.class.row().name, *expected, "{reference} in {name}");
    }
}

/// `text` in ISO 8859-1.
fn in_latin_1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(c).expect("a character of ISO 8859-1")).collect()
}

/// Browsers and GitHub take such a document for one in Windows-1252.
#[test]
fn places_of_a_document_in_an_undeclared_charset_are_decoded() {
    let links = |slug: &str| {
        let escaped = slug.replace('ü', "%C3%BC").replace('ß', "%C3%9F");
        let raw = slug.replace('ü', "%FC").replace('ß', "%DF");
        [(slug.to_owned(), "alive"), (escaped, "alive"), (raw, "fragment-missing")]
    };
    let case = |name: &str, text: &str, slug: &str| {
        for (reference, expected) in links(slug) {
            in_file(name, &in_latin_1(text), &[(&reference, expected)]);
        }
    };
    case("a.md", "# Grüße\n", "#grüße");
    case("a.mdx", "# Grüße\n", "#grüße");
    case("a.html", "<html><p id='Grüße'>", "#Grüße");
    case("a.adoc", "== Grüße\n", "#_grüße");
    case("a.org", "* Grüße\n", "#grüße");
    case("a.rst", ".. _Grüße:\n\na\n", "#Grüße");
    case("a.rst", ".. -*- coding: latin-1 -*-\n.. _Grüße:\n\na\n", "#Grüße");
    // One broken letter breaks no other.
    in_file("b.md", b"# Gr\xC3\xBC\xC3\x9Fe \xFC\n", &[("#grüße-ü", "alive")]);
    in_file("b.md", b"# \x93Gr\xFC\xDFe\x94 \x80\n", &[("#grüße-", "alive")]);
}

#[test]
fn places_of_a_document_with_a_byte_order_mark_are_those_after_it() {
    let texts =
        [("a.md", "# Ü\n"), ("a.org", "* Ü\n"), ("a.adoc", "[#ü]\na\n"), ("a.rst", ".. _ü:\n")];
    for (name, text) in texts {
        let text = format!("\u{FEFF}{text}");
        in_file(name, text.as_bytes(), &[("#ü", "alive"), ("#%C3%BC", "alive")]);
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        in_file(name, &little, &[("#ü", "alive"), ("#%C3%BC", "alive")]);
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        in_file(name, &big, &[("#ü", "alive"), ("#a", "fragment-missing")]);
    }
}

/// As Pandoc, kramdown, Python-Markdown and their kin name more than headings.
#[test]
fn names_in_braces_are_places_after_anything() {
    let text = b"# T {#__init__}\n\n![p](p.png){#picture .wide}\n\nText.\n{: #para }\n\n\
        [s]{#span} and {:#kram .x}\n\n```{#code .rs}\n```\n\n::: {#div}\n:::\n\n{# a note #} {}\n";
    let names = ["#__init__", "#picture", "#para", "#span", "#kram", "#code", "#div"];
    let alive: Vec<_> = names.iter().map(|name| (*name, "alive")).collect();
    in_file("a.md", text, &alive);
    in_file("a.md", text, &[("#wide", "fragment-missing"), ("#a", "fragment-missing")]);
}

/// GitHub and Material for `MkDocs` choose a picture by such a fragment.
#[test]
fn pictures_for_dark_and_bright_pages_are_there() {
    let links = ["#gh-dark-mode-only", "#gh-light-mode-only", "#only-dark", "#only-light"];
    in_file("a.svg", b"<svg/>", &links.map(|link| (link, "alive")));
    in_file("a.svg", b"<svg/>", &[("#dark", "fragment-missing")]);
}

#[test]
fn a_heading_gets_no_number_that_makes_it_the_name_of_another() {
    let alive = |names: &[&'static str]| -> Vec<_> {
        names
            .iter()
            .map(|name| (*name, "alive"))
            .chain([("#setup-4", "fragment-missing")])
            .collect()
    };
    let four = alive(&["#setup", "#setup-1", "#setup-1-1", "#setup-2"]);
    in_file("a.md", b"# Setup\n\n# Setup\n\n# Setup 1\n\n# Setup\n", &four);
    in_file("a.org", b"* Setup\n* Setup\n* Setup 1\n* Setup\n", &four);
    let four = alive(&["#setup-1", "#setup", "#setup-2", "#setup-3"]);
    in_file("a.md", b"# Setup 1\n\n# Setup\n\n# Setup\n\n<h2>Setup</h2>\n", &four);
    in_file(
        "a.adoc",
        b"= T\n\n== Setup\n\n== Setup\n\n== Setup 2\n\n== Setup\n\n[[_setup_4]]a\n\n== Setup\n",
        &[
            ("#_setup", "alive"),
            ("#_setup_2", "alive"),
            ("#_setup_2_2", "alive"),
            ("#_setup_3", "alive"),
            ("#_setup_5", "alive"),
            ("#_setup_6", "fragment-missing"),
        ],
    );
    in_file(
        "a.rst",
        b"Setup\n=====\n\nSetup\n=====\n\nSetup 1\n=======\n\nSetup\n=====\n",
        &[("#setup-1", "alive"), ("#setup-1-1", "alive"), ("#setup-2", "alive")],
    );
    // White space around a title makes no second heading of it.
    in_file(
        "b.md",
        b"<h2>\nSetup\n</h2>\n",
        &[("#setup", "alive"), ("#setup-1", "fragment-missing")],
    );
}

#[test]
fn a_file_is_looked_up_once() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("a.md");
    fs::write(&path, "# A\n").expect("a file");
    let local = Local::new(Options::default());
    let document = local.document(&path, Some(dir.path()), None);
    let class = |reference: &str| match local.ask(&document, reference.as_bytes()) {
        Answer::Reach(reach) => reach.class,
        Answer::Remote(_) => panic!("a local link"),
    };
    assert_eq!(class("a.md#a"), Class::Alive);
    assert_eq!(class("b.md"), Class::Missing);
    fs::rename(&path, dir.path().join("b.md")).expect("it is renamed");
    assert_eq!(class("a.md#a"), Class::Alive);
    assert_eq!(class("b.md"), Class::Missing);
}

// ---- any bytes -------------------------------------------------------------------------------

impl Chance {
    fn pick<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.below(words.len())]
    }
}

/// Words that have a meaning in one of the languages, or in a link.
const WORDS: [&str; 60] = [
    "#",
    "# ",
    "## ",
    "=",
    "== ",
    "\n",
    "\n\n",
    " ",
    "{#a}",
    "{",
    "}",
    "[",
    "]",
    "[[",
    "]]",
    "(",
    ")",
    "<a id=\"",
    "<a name=",
    "\">",
    "<h1>",
    "</h1>",
    "<h2 id=x>",
    "</h2>",
    "`",
    "``",
    "*",
    "* ",
    ".. _",
    ":",
    "::",
    "_`",
    "[^",
    "]:",
    "---\n",
    "<<",
    ">>",
    ":name:",
    "<!--",
    "-->",
    "<",
    ">",
    "&amp;",
    "&#",
    "%",
    "%2",
    "%2f",
    "..",
    "/",
    "?",
    "é",
    "Σ",
    "\u{301}",
    "\u{200D}",
    "\0",
    "\r",
    "anchor:",
    "[#",
    ":idprefix:",
    "a",
];

#[test]
fn any_bytes_are_read_and_any_link_is_answered() {
    let mut random = Chance(0x2545_F491_4F6C_DD1D);
    let local = Local::new(Options::default());
    let document = local.document(&tree().join("guide.md"), Some(&tree()), None);
    let kinds = FORMATS.iter().map(|format| format.kind);
    let languages: Vec<Markup> = kinds
        .filter_map(|kind| if let InputKind::Document(markup) = kind { Some(markup) } else { None })
        .collect();
    let mut there = 0;
    for round in 0..30_000 {
        let len = random.below(24);
        let mut text: Vec<u8> = (0..len).flat_map(|_| random.pick(&WORDS).bytes()).collect();
        if round % 3 == 0 && !text.is_empty() {
            let at = random.below(text.len());
            text[at] = 0xFF;
        }
        let markup = languages[random.below(languages.len())];
        if let Some(anchors) = anchors::anchors(Some(markup), &text) {
            // A name that is kept is found again; one with a line end is not shown.
            for name in anchors.names().filter(|name| memchr::memmem::find(name, b":~:").is_none())
            {
                assert_eq!(anchors.find(name), Place::There, "{}", text.escape_ascii());
                there += 1;
            }
            let _ = anchors.find(&text);
        }
        let _ = local.ask(&document, &text);
    }
    assert!(there > 2000, "{there} names");
}

/// Returns the anchor that GitHub derives from a heading, by GitHub's own expression for the
/// characters that it drops.
fn slow_slug(text: &str) -> String {
    let dropped = regex::Regex::new(r"[^\w\- ]|[\u{200C}\u{200D}]").expect("an expression");
    dropped.replace_all(&text.to_lowercase(), "").replace(' ', "-")
}

#[test]
fn slugs_are_those_of_the_slow_way() {
    const CHARS: [&str; 42] = [
        "\u{A0}", "\u{3000}", "a", "B", "z", "0", "9", "é", "É", "ß", "Σ", "ς", "и", "Й", "中",
        "あ", "한", "ع", "ि", "์", "²", "½", "Ⅷ", "①", "٣", "‿", "🚀", "\u{FE0F}", "\u{200D}",
        "\u{301}", "\u{2019}", "、", "—", "-", ".", ",", "'", "(", ")", "$", " ", "+",
    ];
    let mut random = Chance(0x9E37_79B9_7F4A_7C15);
    for _ in 0..3000 {
        let len = 1 + random.below(12);
        let middle: String = (0..len).map(|_| random.pick(&CHARS)).collect();
        let title = format!("x{middle}y");
        let text = format!("# {title}\n");
        let anchors = anchors::anchors(Some(Markup::Markdown), text.as_bytes()).expect("anchors");
        let slug = slow_slug(&title);
        assert_eq!(anchors.find(slug.as_bytes()), Place::There, "{title:?} is {slug:?}");
        let twice = anchors::anchors(Some(Markup::Markdown), text.repeat(2).as_bytes());
        let second = format!("{slug}-1");
        let found = twice.expect("anchors").find(second.as_bytes());
        assert_eq!(found, Place::There, "{title:?} twice is {second:?}");
    }
}
