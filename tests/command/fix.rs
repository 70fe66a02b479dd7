//! `linktrawl fix`: what it changes, byte for byte, what it leaves, and that git takes its diffs.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::home::{self, fresh, read, run, write};

mod archived;

/// Runs `fix`; returns its standard output and standard error.
#[track_caller]
fn fix(home: &Path, args: &[&str]) -> (Vec<u8>, String) {
    ends(home, args, 0)
}

/// The same, where it ends with `code`.
#[track_caller]
fn ends(home: &Path, args: &[&str], code: i32) -> (Vec<u8>, String) {
    let output = run(home, &[&["fix"], args].concat());
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(code), "{said}");
    (output.stdout, said)
}

/// Has git apply `diff`, which must fit as it is.
#[track_caller]
fn apply(home: &Path, diff: &[u8]) {
    // A repository above would have git pass by what is not below its own root.
    let mut git = Command::new("git")
        .args(["apply", "--whitespace=nowarn"])
        .current_dir(home)
        .env("GIT_CEILING_DIRECTORIES", home.parent().expect("a parent"))
        .stdin(Stdio::piped())
        .spawn()
        .expect("git runs");
    git.stdin.take().expect("its input").write_all(diff).expect("git reads");
    assert!(git.wait().expect("git ends").success(), "{}", String::from_utf8_lossy(diff));
}

/// Fixes the file `name`, which contains `before`, as a diff and in place, and checks that it
/// contains `after` then.
#[track_caller]
fn mends(home: &Path, name: &str, args: &[&str], before: &str, after: &str) {
    write(home, name, before);
    let (diff, said) = fix(home, args);
    assert_eq!(read(home, name), before, "a diff changes nothing");
    assert_eq!(diff.is_empty(), before == after, "{said}");
    if !diff.is_empty() {
        apply(home, &diff);
    }
    assert_eq!(read(home, name), after, "{said}");
    write(home, name, before);
    let (diff, said) = fix(home, &[args, &["--write"]].concat());
    assert_eq!((read(home, name).as_str(), diff), (after, Vec::new()), "{said}");
}

// ---- faults -----------------------------------------------------------------------------

#[test]
fn what_lacks_an_escape_gets_one() {
    let home = fresh("fix/faults");
    let cases = [
        (
            "a.txt",
            "see <http://h/100%/> and <URL:http://h/%zz/%41%>",
            "see <http://h/100%25/> and <URL:http://h/%25zz/%41%25>",
        ),
        (
            "b.md",
            "[a](http://h/%zz \"b\") <http://h/%zz>",
            "[a](http://h/%25zz \"b\") <http://h/%25zz>",
        ),
        ("c.md", "[a](http://h/b|c^d`e)", "[a](http://h/b%7Cc%5Ed%60e)"),
        ("d.html", "<a href=\"http://h/a?c=d&amp;e=`\">", "<a href=\"http://h/a?c=d&amp;e=%60\">"),
        ("e.html", "<a href='http://h/^?a=%&b=c'>", "<a href='http://h/%5E?a=%25&b=c'>"),
        // The text beside the fault stays as it is written.
        ("i.html", "<a href='?a=1&b=50%&amp;c'>", "<a href='?a=1&b=50%25&amp;c'>"),
        ("j.md", "<a href='?a=^&amp;b&c'>", "<a href='?a=%5E&amp;b&c'>"),
        ("k.md", "[a](http://h/?a\\&b&amp;c=|)", "[a](http://h/?a&b&c=%7C)"),
        ("l.html", "<a href='?a=&#37;&b'>", "<a href='?a=%25&amp;b'>"),
        ("m.html", "<a href='a\\b?c&d'>", "<a href='a/b?c&d'>"),
        ("f.rst", "`a <http://h/%zz>`_\n", "`a <http://h/%25zz>`_\n"),
        // Elsewhere these end the link, and what would be changed is prose.
        ("g.txt", "http://h/a|b {http://h/}", "http://h/a|b {http://h/}"),
        // These faults have no certain repair.
        ("h.md", "[a](http://[::1/%zz) [b](http://h:x/)", "[a](http://[::1/%zz) [b](http://h:x/)"),
    ];
    for (name, before, after) in cases {
        mends(&home, name, &[name], before, after);
    }
}

#[test]
fn what_may_be_code_or_a_placeholder_stays_and_is_told_as_uncertain() {
    let home = fresh("fix/code");
    let cases = [
        (2, "a.py", "get(\"https://h/%y/%zz\")  # <http://h/%zz>\n"),
        (3, "b.md", "`http://h/%zz`\n\n```\n<http://h/%y>\n```\n\nhttp://h/%y\n"),
        (3, "c.rst", "``http://h/%y`` and\n\n::\n\n    <http://h/%y>\n    http://h/%y\n"),
        (2, "d.html", "<pre>http://h/%y</pre><code>&lt;http://h/%y&gt;</code>"),
        (1, "e.html", "<a href=\"http://h/?d=&lt;yyyy&gt;\">"),
        (2, "f.md", "[a](http://h/?d=<yyyy>-<mm>) [b](<two words>) [c](<the 'm' of `f`>)\n"),
        (2, "g.rst", "`a <http://h/?d=\"e\">`_ `b <two words^>`__\n"),
        (1, "h.txt", "http://h/%y\n"),
        // Placeholders that a template or a shell fills in.
        (3, "i.md", "[a](http://h/{id}) [b](http://h/{o}/{r}|) [c](http://h/?q={terms})\n"),
        (2, "j.md", "[a](http://h/%NAME%) [b](http://h/%s) [c](http://h/%(n)s) [d](//h/%%n)\n"),
        // Escapes that were cut, and those of ECMAScript.
        (3, "k.md", "[a](http://h/a%2) [b](http://h/caf%E) [c](http://h/%u00e9)\n"),
        (1, "l.txt", "<http://h/a%2>\n"),
        // No browser accepts an escape here.
        (3, "m.md", "[a](http://h%.example/) [b](//h|i/) [c](http://me%@h/)\n"),
    ];
    for (uncertain, name, text) in cases {
        mends(&home, name, &[name], text, text);
        let (_, said) = fix(&home, &[name]);
        let wanted = format!("can be fixed; left as they are: {uncertain} uncertain\n");
        assert!(said.ends_with(&wanted), "{name}: {said}");
    }
    let (diff, said) = fix(Path::new(env!("CARGO_MANIFEST_DIR")), &["README.md"]);
    assert_eq!(String::from_utf8_lossy(&diff), "", "{said}");
}

#[test]
fn a_backslash_becomes_the_slash_that_browsers_take_it_for() {
    let home = fresh("fix/backslashes");
    write(&home, "site/api/index.html", "<p id=b>");
    for (name, before, after) in [
        ("a.html", r"<a href='..\api\index.html#b'>", "<a href='../api/index.html#b'>"),
        ("b.md", r"[z](..\api\index.html)", "[z](../api/index.html)"),
        ("c.html", r"<a href='HTTPS://h/a\b|'>", "<a href='HTTPS://h/a/b%7C'>"),
        // In a query it is a letter,
        ("d.html", r"<a href='http://h/a\b?c\d'>", "<a href='http://h/a/b?c%5Cd'>"),
        // and nobody knows what it is in other schemes, or what was meant by it in a host.
        ("e.html", r"<a href='C:\a\b.md'>", r"<a href='C:\a\b.md'>"),
        ("f.html", r"<a href='x-y:a\b'>", r"<a href='x-y:a\b'>"),
        ("g.html", r"<a href='\\host\a'>", r"<a href='\\host\a'>"),
        ("h.html", r"<a href='http://me\you@h/'>", r"<a href='http://me\you@h/'>"),
    ] {
        let name = format!("site/guide/{name}");
        mends(&home, &name, &[&name], before, after);
        if before == after {
            let (_, said) = fix(&home, &[&name]);
            assert!(said.ends_with("left as they are: 1 uncertain\n"), "{name}: {said}");
        }
    }
    let output = run(&home, &["check", "--offline", "site/guide/a.html"]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_name_with_blanks_gets_escapes_where_a_file_has_it() {
    let home = fresh("fix/blanks");
    write(&home, "docs/my file.html", "<p id=b>");
    let (before, after) = ("href=\"my file.html#b\"", "href=\"my%20file.html#b\"");
    mends(&home, "docs/a.html", &["docs/a.html"], &link(before), &link(after));
    let parent = ("src='../docs/my file.html'", "src='../docs/my%20file.html'");
    mends(&home, "docs/b.html", &["docs/b.html"], &link(parent.0), &link(parent.1));
    // Nothing has the name, or nobody knows from where it is looked for.
    let based = format!("<base href=\"http://h/\">{}", link(before));
    for text in [link("href=\"our file.html\""), link("href=\"/my file.html\""), based] {
        mends(&home, "docs/c.html", &["docs/c.html"], &text, &text);
        let (_, said) = fix(&home, &["docs/c.html"]);
        assert!(said.ends_with("left as they are: 1 uncertain\n"), "{text}: {said}");
    }
}

/// An element with this attribute.
fn link(attribute: &str) -> String {
    let name = if attribute.starts_with("src") { "img" } else { "a" };
    format!("<{name} {attribute}>\n")
}

// ---- redirects --------------------------------------------------------------------------

/// A saved check of `home`, in which `answers` were given: a link and its hops.
fn saved(home: &Path, answers: &[(&str, &[(u16, &str)])]) {
    let saved = home.join("run.ndjson");
    let _ = fs::remove_file(&saved);
    let output = run(home, &["check", "-q", "--offline", "--format=ndjson", "."]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut record: Value = serde_json::from_str(line).expect("JSON");
        let uri = record["uri"].clone();
        for (uri, hops) in answers.iter().filter(|(of, _)| uri == *of) {
            let hops: Vec<_> =
                hops.iter().map(|(status, to)| json!({"status": status, "to": to})).collect();
            record["reach"] = json!({"class": "redirected", "probe": "http", "status": 200,
                "message": format!("{uri} has moved"), "hops": hops});
            record["verdict"] = "warn".into();
        }
        lines.push(record.to_string());
    }
    fs::write(saved, lines.join("\n")).expect("a file");
}

const FROM: &[&str] = &["--from", "run.ndjson"];

#[test]
fn what_has_moved_for_good_leads_there() {
    let home = fresh("fix/redirects");
    let text = "http://h/a and <http://h/b#c> and http://h/d\r\nhttp://h/e, http://h/a. \
                http://h/f <http://h/g#h> <http://h/i>";
    write(&home, "a.txt", text);
    saved(
        &home,
        &[
            // Browsers request more bytes than a document may have.
            ("http://h/i", &[(301, "https://h/[i]?a[]=1|2^`{}\\")]),
            ("http://h/a", &[(301, "https://h/a"), (308, "https://i/a")]),
            ("http://h/b#c", &[(301, "https://h/b/")]),
            // A temporary redirect is not written, nor are those after it.
            ("http://h/d", &[(301, "https://h/d"), (302, "https://h/d/1"), (301, "https://h/2")]),
            ("http://h/f", &[(302, "https://h/f"), (301, "https://h/g")]),
            ("http://h/g#h", &[(301, "https://h/g#i"), (308, "https://i/g")]),
            // A scan would take the full stop for that of a sentence.
            ("http://h/e", &[(301, "https://h/e.")]),
        ],
    );
    let expected = "https://i/a and <https://h/b/#c> and https://h/d\r\nhttp://h/e, https://i/a. \
                    http://h/f <https://i/g#i> \
                    <https://h/%5Bi%5D?a%5B%5D=1%7C2%5E%60%7B%7D%5C>";
    mends(&home, "a.txt", FROM, text, expected);
}

#[test]
fn a_redirect_is_written_as_its_language_has_it() {
    let home = fresh("fix/languages");
    let cases = [
        (
            "a.html",
            "<a href='http://h/a'>http://h/a</a>",
            "https://h/?b=c&d='e",
            "<a href='https://h/?b=c&amp;d=&#39;e'>https://h/?b=c&amp;d='e</a>",
        ),
        ("b.md", "[a](http://h/a \"b\")", "https://h/(c", "[a](https://h/\\(c \"b\")"),
        (
            "c.md",
            "[a](http://h/a) <a href=http://h/a>",
            "https://h/(c)?d&e=f&copy;=g",
            "[a](https://h/(c)?d&e=f&amp;copy;=g) <a href=https://h/(c)?d&e=f&amp;copy;=g>",
        ),
        ("d.md", "[a]: http://h/a\n\n[a]\n", "https://h/d", "[a]: https://h/d\n\n[a]\n"),
        ("e.rst", "`a <http://h/a>`_\n", "https://h/e", "`a <https://h/e>`_\n"),
        ("f.adoc", "http://h/a[a b]\n", "https://h/f", "https://h/f[a b]\n"),
        ("g.org", "[[http://h/a][a]]\n", "https://h/g", "[[https://h/g][a]]\n"),
        (
            "h.css",
            "a { background: url('http://h/a') }\n",
            "https://h/h",
            "a { background: url('https://h/h') }\n",
        ),
        (
            "i.xml",
            "<a b='http://h/&#x61;'>http://h/a</a>",
            "https://h/?b=c&d=e",
            "<a b='https://h/?b=c&amp;d=e'>https://h/?b=c&amp;d=e</a>",
        ),
        (
            "j.json",
            r#"["http:\/\/h\/a", "http://h/a"]"#,
            "https://h/j&",
            r#"["https://h/j&", "https://h/j&"]"#,
        ),
    ];
    for (name, before, to, after) in cases {
        write(&home, name, before);
        saved(&home, &[("http://h/a", &[(301, to)])]);
        mends(&home, name, FROM, before, after);
        fs::remove_file(home.join(name)).expect("a file");
    }
}

#[test]
fn what_is_written_into_html_in_xml_has_references_of_both() {
    let home = fresh("fix/html-in-xml");
    let before = "<a b='http://h/?a&amp;b'>&lt;p&gt;http://h/?a&amp;amp;b</a>";
    let after = "<a b='https://h/?c&amp;d'>&lt;p&gt;https://h/?c&amp;amp;d</a>";
    write(&home, "a.xml", before);
    saved(&home, &[("http://h/?a&b", &[(301, "https://h/?c&d")])]);
    mends(&home, "a.xml", FROM, before, after);
}

/// Nobody knows whether a string of a program that has no reference would need one.
#[test]
fn what_is_written_into_a_template_has_references_where_the_link_had_one() {
    let home = fresh("fix/template");
    let before = "<?php $a = 'http://h/?a&b'; ?><a href='http://h/?a&amp;b'>";
    let after = "<?php $a = 'https://h/?c&d'; ?><a href='https://h/?c&amp;d'>";
    write(&home, "a.php", before);
    saved(&home, &[("http://h/?a&b", &[(301, "https://h/?c&d")])]);
    mends(&home, "a.php", FROM, before, after);
}

/// As it was written before: `url` takes all as it is, and other commands do not.
#[test]
fn what_is_written_into_latex_has_escapes_where_the_link_had_some() {
    let home = fresh("fix/latex");
    let before = r"\url{http://h/a_b} \url{http://h/a\-_b} http://h/a\_b {http://h/a{_}b}";
    let tilde = r" http://h/$\sim$c";
    let before = &[before, tilde].concat();
    write(&home, "a.bib", before);
    let moves = [("http://h/a_b", "https://h/~b?c=%20&d_e#f"), ("http://h/~c", "https://h/c_d")];
    let moves = moves.map(|(from, to)| (from, [(301, to)]));
    saved(&home, &moves.each_ref().map(|(from, to)| (*from, &to[..])));
    let to = r"https://h/\~{}b?c=\%20\&d\_e\#f";
    let plain = r"\url{https://h/~b?c=%20&d_e#f}";
    let after = format!(r"{plain} {plain} {to} {{{to}}} https://h/c\_d");
    mends(&home, "a.bib", FROM, before, &after);
}

/// A value that is written anew is one line.
#[test]
fn what_is_written_into_cards_and_translations_is_not_folded() {
    let home = fresh("fix/folded");
    let moves = [
        ("http://h/a,b", "https://h/a,b;c"),
        ("http://h/ab", "https://h/d"),
        ("http://h/?=c=aa", "https://h/?d=aa"),
    ];
    let moves = moves.map(|(from, to)| (from, [(301, to)]));
    for (name, before, after) in [
        (
            "a.vcf",
            "BEGIN:VCARD\nVERSION:3.0\nNOTE:http://h/a\\,b\nURL:http://h/a,b\nURL:http://h/a\n b\n",
            "BEGIN:VCARD\nVERSION:3.0\nNOTE:https://h/a\\,b\\;c\nURL:https://h/a,b;c\n\
             URL:https://h/d\n",
        ),
        (
            "old.vcf",
            "BEGIN:VCARD\nVERSION:2.1\nURL;QUOTED-PRINTABLE:http://h/?=3Dc=3Daa\n\
             URL;QUOTED-PRINTABLE:http://h/=\na=62\nURL:http://h/a,b\n",
            "BEGIN:VCARD\nVERSION:2.1\nURL;QUOTED-PRINTABLE:https://h/?d=3Daa\n\
             URL;QUOTED-PRINTABLE:https://h/d\nURL:https://h/a,b;c\n",
        ),
        (
            "new.vcf",
            "BEGIN:VCARD\nVERSION:3.0\nURL:http://h/?=\n c=aa\nURL:http://h/?=c=a\n a\n",
            "BEGIN:VCARD\nVERSION:3.0\nURL:https://h/?d=aa\nURL:https://h/?d=aa\n",
        ),
        (
            "a.texi",
            "@uref{http://h/a@comma{}b,c} http://h/ab",
            "@uref{https://h/a@comma{}b;c,c} https://h/d",
        ),
        (
            "a.po",
            "msgid \"http://h/a\"\n\"b c\"\nmsgstr \"\"\n\"\\\"http://h/a,b\\\"\"\n",
            "msgid \"https://h/d c\"\nmsgstr \"\"\n\"\\\"https://h/a,b;c\\\"\"\n",
        ),
    ] {
        write(&home, name, before);
        saved(&home, &moves.each_ref().map(|(from, to)| (*from, &to[..])));
        mends(&home, name, FROM, before, after);
    }
}

// ---- files that have moved --------------------------------------------------------------

#[test]
fn a_link_leads_to_the_only_file_that_is_named_as_it_is_in_a_directory_named_so() {
    let home = fresh("fix/moved");
    for name in ["x/Guide.md", "x/y/one.md", "two.md", "x/two.md", "x/Ä (1).md", "x/a:b.md"] {
        write(&home, name, "# A\n");
    }
    let before = "[a](x/Guide.md#a) [b](../y/one.md?c) [d](no/x/two.md) [e](x/%C3%84%20(1).md) \
                  [f](three.md) [g](x/y/Guide.md#none) [h](b:/x/a%3Ab.md) [i](../z/x/a%3Ab.md) \
                  [j](/y/one.md) [k](./../z/./y/one.md)\n";
    let after = "[a](../x/Guide.md#a) [b](../x/y/one.md?c) [d](no/x/two.md) \
                 [e](../x/%C3%84%20%281%29.md) [f](three.md) [g](x/y/Guide.md#none) \
                 [h](b:/x/a%3Ab.md) [i](../x/a:b.md) \
                 [j](/y/one.md) [k](../x/y/one.md)\n";
    mends(&home, "z/index.md", &["."], before, after);
    let top = "[a](y/one.md) [b](b/x/a:b.md) [c](n/x/ä/../Ä%20(1).md) [d](ä/x/Ä%20(1).md)\n";
    let after = "[a](x/y/one.md) [b](x/a:b.md) [c](n/x/ä/../Ä%20(1).md) [d](x/Ä%20%281%29.md)\n";
    mends(&home, "index.md", &["."], top, after);
    mends(&home, "x/index.md", &["."], "[a](x/a%3Ab.md)\n", "[a](./a:b.md)\n");
    // Nobody knows what lies outside of what was named.
    mends(&home, "index.md", &["index.md"], top, top);
}

#[test]
fn what_is_there_in_another_letter_case_is_before_what_is_elsewhere() {
    let home = fresh("fix/case");
    write(&home, "x/charter.md", "");
    write(&home, "y/CHARTER.md", "");
    write(&home, "y/x/CHARTER.md", "");
    write(&home, "docs/Guide.md", "# A\n");
    for (name, before, after) in [
        ("x/README.md", "[c](CHARTER.md)\n", "[c](charter.md)\n"),
        ("docs/a.md", "[c](../x/CHARTER.md)\n", "[c](../x/charter.md)\n"),
        ("b.md", "[g](Docs/guide.md#a)\n", "[g](docs/Guide.md#a)\n"),
    ] {
        mends(&home, name, &["."], before, after);
    }
}

#[test]
fn a_name_that_is_elsewhere_is_a_guess_and_told_as_one() {
    let home = fresh("fix/guess");
    for name in ["y/CHARTER.md", "y/z/Guide.md", "p/two.md", "q/two.md"] {
        write(&home, name, "# A\n");
    }
    // By name alone; in another case elsewhere; twice; without the place in it. None has the last.
    let text = "[c](CHARTER.md) [g](z/guide.md) [t](q/x/two.md) [z](z/Guide.md#no) [n](none.md)\n";
    mends(&home, "x/README.md", &["."], text, text);
    let (_, said) = fix(&home, &["."]);
    let wanted = "linktrawl: 0 links in 0 files can be fixed; left as they are: 4 uncertain\n";
    assert_eq!(said, wanted);
}

#[test]
fn a_link_from_the_root_gets_the_case_that_files_have() {
    let home = fresh("fix/root");
    write(&home, "sub/target.md", "# A\n");
    let before = "[y](/Sub/Target.md?b#a) [z](/sub/./TARGET.md)\n";
    let after = "[y](/sub/target.md?b#a) [z](/sub/target.md)\n";
    for name in ["a.md", "docs/a.md"] {
        mends(&home, name, &["."], before, after);
        fs::remove_file(home.join(name)).expect("a file");
    }
    // With more than one root it may start from, and where it is not there.
    write(&home, "docs/sub/target.md", "");
    let text = "[y](/Sub/Target.md) [z](/no/target.md)\n";
    mends(&home, "docs/a.md", &["."], text, text);
    let (_, said) = fix(&home, &["."]);
    assert!(said.ends_with("left as they are: 2 uncertain\n"), "{said}");
}

#[test]
fn what_differs_in_case_alone_and_is_not_mended_is_counted() {
    let home = fresh("fix/case_left");
    write(&home, "docs/x/target.md", "");
    let based = "<base href='x/'><a href='Target.md'>\n";
    for path in ["docs", "docs/a.html"] {
        mends(&home, "docs/a.html", &[path], based, based);
        let (_, said) = fix(&home, &[path]);
        assert!(said.ends_with("left as they are: 1 uncertain\n"), "{path}: {said}");
    }
    // A document that is named alone has its directories beside it.
    let (below, mended) = ("<a href='X/../x/Target.md'>\n", "<a href='x/target.md'>\n");
    mends(&home, "docs/a.html", &["docs/a.html"], below, mended);
}

#[test]
fn what_programs_made_or_others_wrote_is_not_where_a_file_has_moved() {
    let home = fresh("fix/made");
    let text = "[a](img/a.png) [s](guide/setup.md)\n";
    for name in ["_build/img/a.png", "node_modules/p/guide/setup.md"] {
        write(&home, name, "");
    }
    mends(&home, "a.md", &["."], text, text);
    let (_, said) = fix(&home, &["."]);
    assert!(said.ends_with("left as they are: 2 uncertain\n"), "{said}");
    // Beside the one that people wrote they say nothing,
    write(&home, "art/img/a.png", "");
    let after = "[a](art/img/a.png) [s](guide/setup.md)\n";
    mends(&home, "a.md", &["."], text, after);
    // and among themselves they may lead to each other.
    let inner = "node_modules/p/README.md";
    let (before, after) = ("[s](doc/guide/setup.md)\n", "[s](guide/setup.md)\n");
    mends(&home, inner, &["node_modules"], before, after);
}

#[test]
fn a_document_with_a_base_is_left_alone() {
    let home = fresh("fix/base");
    write(&home, "x/a.md", "# A\n");
    let text = "<base href=\"x/\"><a href=\"b/a.md\">";
    mends(&home, "index.html", &["."], text, text);
}

// ---- what is left -----------------------------------------------------------------------

#[test]
fn mail_archives_decoded_text_and_standard_input_are_left_and_counted() {
    let home = fresh("fix/left");
    let letter = "From: a@h.example\nSubject: b\n\nhttp://h/%zz\n";
    write(&home, "a.eml", letter);
    let coded = "From: a@h.example\nMIME-Version: 1.0\nContent-Type: text/plain\n\
                 Content-Transfer-Encoding: quoted-printable\n\nhttp://h/=25zz\n";
    write(&home, "b.eml", coded);
    let wide: Vec<u8> =
        "\u{feff}http://h/%zz\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    write(&home, "c.txt", wide);
    write(&home, "d.txt", "<http://h/%zz\n /a>\n");
    // A shell would take the text after a bare ampersand for a command.
    write(&home, "d.sh", "curl http://h/%zz\\&a\n");
    let packed = Command::new("gzip").args(["-k", "d.txt"]).current_dir(&home).status();
    assert!(packed.expect("gzip runs").success());
    let packed = Command::new("tar").args(["-cf", "f.tar", "d.txt"]).current_dir(&home).status();
    assert!(packed.expect("tar runs").success());
    fs::remove_file(home.join("d.txt")).expect("a file");
    write(&home, "e.txt", "<http://h/%zz>\n");
    for args in [&["."][..], &[".", "--write"]] {
        let (diff, said) = fix(&home, args);
        let told = "; left as they are: 2 mail, 1 packed, 3 scattered\n";
        assert!(said.starts_with("linktrawl: 1 link in 1 file ") && said.ends_with(told), "{said}");
        assert_eq!(diff.is_empty(), args.len() == 2);
    }
    assert_eq!(read(&home, "e.txt"), "<http://h/%25zz>\n");
    assert_eq!(read(&home, "a.eml"), letter);
    let mut command = home::linktrawl();
    command.args(["fix", "-"]).current_dir(&home);
    let input = fs::File::open(home.join("a.eml")).expect("a file");
    let output = command.stdin(input).output().expect("the binary runs");
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!((output.status.code(), output.stdout), (Some(0), Vec::new()), "{said}");
}

#[test]
fn no_password_gets_into_a_diff_or_out_of_a_file() {
    let home = fresh("fix/password");
    let text = "<http://me:secret@h/%zz>\n<http://h/%zz>\n1\n2\n3\n4\n5\n6\n7\n<http://i/%zz>\n";
    write(&home, "a.txt", text);
    let (diff, said) = fix(&home, &["."]);
    let shown = String::from_utf8_lossy(&diff).into_owned() + &said;
    assert!(!shown.contains("secret") && shown.contains("+<http://i/%25zz>"), "{shown}");
    assert!(said.contains("left as they are: 2 password"), "{said}");
    let (_, said) = fix(&home, &[".", "--write"]);
    assert!(said.contains("2 links in 1 file fixed; left as they are: 1 password"), "{said}");
    let expected = text.replace("http://h/%", "http://h/%25").replace("i/%", "i/%25");
    assert_eq!(read(&home, "a.txt"), expected);
    write(&home, "b.txt", "http://h/a\n");
    saved(&home, &[("http://h/a", &[(301, "https://me:***@h/a")])]);
    let (_, said) = fix(&home, &["--from", "run.ndjson", "--write"]);
    assert!(said.contains("1 password") || said.contains("2 password"), "{said}");
    assert_eq!(read(&home, "b.txt"), "http://h/a\n");
}

#[test]
fn a_file_that_has_changed_stays_as_it_is() {
    let home = fresh("fix/changed");
    write(&home, "a.txt", "<http://h/%zz>\n");
    write(&home, "b.txt", "<http://h/%zz>\n");
    write(&home, "c.txt", "<http://h/%zz>\n");
    saved(&home, &[]);
    write(&home, "a.txt", " <http://h/%zz>\n");
    fs::remove_file(home.join("b.txt")).expect("a file");
    let (_, said) = ends(&home, &["--from", "run.ndjson", "--write"], 2);
    assert!(said.contains("a.txt\" has changed since it was read"), "{said}");
    assert!(said.contains("cannot read \"./b.txt\""), "{said}");
    assert_eq!(read(&home, "a.txt"), " <http://h/%zz>\n");
    assert_eq!(read(&home, "c.txt"), "<http://h/%25zz>\n");
}

#[test]
fn a_saved_run_changes_nothing_outside_of_what_was_named() {
    let home = fresh("fix/outside");
    let (before, after) = ("http://h/a", "https://h/a");
    write(&home, "in/a.txt", before);
    write(&home, "out.txt", before);
    symlink("../out.txt", home.join("in/link.txt")).expect("a link");
    saved(&home, &[(before, &[(301, after)])]);
    let run = read(&home, "run.ndjson");
    // The run with what it says of the file outside, which it calls so.
    let renamed = |name: &str| {
        let lines = run.lines().filter(|line| !line.contains("in/a.txt"));
        lines.map(|line| line.replace("./out.txt", name)).collect::<Vec<_>>().join("\n")
    };
    let (_, said) = fix(&home, &["--from", "run.ndjson", "--write", "in"]);
    assert!(said.contains("1 link in 1 file fixed; left as they are: 1 outside"), "{said}");
    assert_eq!(read(&home, "in/a.txt"), after);
    let absolute = home.join("out.txt");
    for name in ["../out.txt", "link.txt", &*absolute.to_string_lossy()] {
        write(&home, "in/run.ndjson", renamed(name));
        // Where nothing is named, it is the working directory.
        let (_, said) = fix(&home.join("in"), &["--from", "run.ndjson", "--write"]);
        assert!(said.contains("left as they are: 1 outside"), "{name}: {said}");
    }
    assert_eq!(read(&home, "out.txt"), before);
}

#[test]
fn a_working_directory_that_is_gone_is_told() {
    let home = fresh("fix/gone");
    write(&home, "a.txt", "http://h/a\n");
    saved(&home, &[("http://h/a", &[(301, "https://h/a")])]);
    for (args, code) in [("fix .", 2), ("fix --from ../run.ndjson", 2), ("fix \"$HOME\"/a.txt", 0)]
    {
        let script =
            format!("mkdir gone && cd gone && rmdir ../gone && exec \"$LINKTRAWL\" {args}");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(&home).env("HOME", &home);
        let output = command.env("LINKTRAWL", env!("CARGO_BIN_EXE_linktrawl")).output();
        let output = output.expect("a shell");
        assert_eq!(output.status.code(), Some(code), "{args}: {output:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            said.contains("error: cannot find the working directory: "),
            code == 2,
            "{said}"
        );
    }
}

#[test]
fn a_run_that_is_none_or_was_cut_is_refused() {
    let home = fresh("fix/run");
    write(&home, "a.txt", "http://h/%zz\n");
    saved(&home, &[]);
    let whole = read(&home, "run.ndjson");
    let (before, summary) = whole.rsplit_once('\n').expect("two lines");
    for (text, wanted) in [
        (before.to_owned(), "expected a summary at the end"),
        ("{}".to_owned(), "cannot read line 1 of"),
        (
            format!("{before}\n{}", summary.replace("\"complete\":true", "\"complete\":false")),
            "the saved run is incomplete",
        ),
    ] {
        write(&home, "run.ndjson", text);
        let (_, said) = ends(&home, FROM, 2);
        assert!(said.contains(wanted), "{said}");
    }
    ends(&home, &["no/such"], 2);
    ends(&home, &[], 2);
}

// ---- options from files -----------------------------------------------------------------

#[test]
fn a_run_of_its_own_takes_the_options_that_a_check_takes() {
    let home = fresh("fix/options");
    let before = "[a](two|words.txt) <http://h/%zz> <http://h/%zz> <http://i/%zz>\n";
    let after = "[a](two%7Cwords.txt) <http://h/%25zz> <http://h/%25zz> <http://i/%zz>\n";
    write(&home, "docs/two|words.txt", "");
    let options = "as = \"markdown\"\nexclude = [\"//i\"]\nunique = true\nstate = \"s\"\n";
    write(&home, "docs/linktrawl.toml", options);
    mends(&home, "docs/a.txt", &["docs"], before, after);
    assert!(!home.join("docs/s").exists(), "nobody was asked");
    let plain = "[a](two|words.txt) <http://h/%25zz> <http://h/%25zz> <http://i/%25zz>\n";
    mends(&home, "docs/a.txt", &["docs", "--no-config"], before, plain);
    write(&home, "named.toml", "include = [\"//i\"]\n");
    let named = "[a](two|words.txt) <http://h/%zz> <http://h/%zz> <http://i/%25zz>\n";
    mends(&home, "docs/a.txt", &["docs", "--config=named.toml"], before, named);
}

#[test]
fn what_holds_for_some_files_holds_where_they_are_mended() {
    let home = fresh("fix/paths");
    write(&home, "docs/sub/b.md", "");
    let options = "find = [\"bare\"]\n[[paths]]\nglob = \"/old/\"\nfind = [\"markup\"]\n";
    write(&home, "docs/linktrawl.toml", options);
    let (before, after) = ("[b](../SUB/b.md)\n", "[b](../sub/b.md)\n");
    mends(&home, "docs/old/a.md", &["docs"], before, after);
    mends(&home, "docs/a.md", &["docs"], before, before);
}

#[test]
fn a_file_of_options_that_nobody_named_is_trusted_no_more_than_by_a_check() {
    let home = fresh("fix/trust");
    write(&home, "docs/a.txt", "http://h/%zz\n");
    write(&home, "docs/linktrawl.toml", "baseline = \"/etc/passwd\"\n");
    let (diff, said) = ends(&home, &["docs"], 2);
    assert!(diff.is_empty(), "{said}");
    let wanted = "docs/linktrawl.toml:1:12: expected a path in the directory of this file";
    assert_eq!(said.matches(wanted).count(), 1, "{said}");
}

// ---- files and diffs --------------------------------------------------------------------

#[test]
fn a_file_keeps_its_permissions_and_a_link_to_it_stays_one() {
    let home = fresh("fix/permissions");
    write(&home, "x/a.txt", "<http://h/%zz>\n");
    let mode = fs::Permissions::from_mode(0o640);
    fs::set_permissions(home.join("x/a.txt"), mode).expect("permissions");
    symlink("x/a.txt", home.join("b.txt")).expect("a link");
    fix(&home, &["b.txt", "--write"]);
    assert_eq!(read(&home, "x/a.txt"), "<http://h/%25zz>\n");
    let found = fs::metadata(home.join("x/a.txt")).expect("a file").permissions().mode();
    assert_eq!(found & 0o777, 0o640);
    assert!(fs::symlink_metadata(home.join("b.txt")).expect("a link").is_symlink());
    assert_eq!(fs::read_dir(home.join("x")).expect("a directory").count(), 1);
}

/// The groups of this user but for the first, which files get by themselves.
fn other_groups() -> Vec<u32> {
    let output = Command::new("id").arg("-G").output().expect("id runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.split_whitespace().skip(1).map(|group| group.parse().expect("a number")).collect()
}

#[test]
fn a_file_still_belongs_to_whom_it_belonged() {
    let home = fresh("fix/owners");
    write(&home, "a.txt", "");
    let own = fs::metadata(home.join("a.txt")).expect("a file");
    let is_root = own.uid() == 0;
    // If another user writes to a file that runs as its owner, it loses that mode.
    let mode = if is_root { 0o4750 } else { 0o750 };
    // Only root may give files away; others may to their own groups, if they have several.
    let belonging: Vec<_> = if is_root {
        vec![(4242, 4343), (0, 4343), (4242, 0)]
    } else {
        other_groups().into_iter().map(|group| (own.uid(), group)).collect()
    };
    for (user, group) in belonging.into_iter().chain([(own.uid(), own.gid())]) {
        for (name, args) in [
            ("a.txt", &["fix", "a.txt", "--write"][..]),
            ("report.txt", &["scan", "a.txt", "--format", "text=report.txt", "--force"]),
        ] {
            write(&home, "a.txt", "<http://h/%zz>\n");
            write(&home, name, "<http://h/%zz>\n");
            let path = home.join(name);
            chown(&path, Some(user), Some(group)).expect("another owner");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("permissions");
            run(&home, args);
            assert_ne!(read(&home, name), "<http://h/%zz>\n");
            let found = fs::metadata(&path).expect("a file");
            let found = (found.uid(), found.gid(), found.mode() & 0o7777);
            assert_eq!(found, (user, group, mode), "{name}");
        }
    }
}

#[test]
fn git_takes_diffs_of_any_lines() {
    let home = fresh("fix/lines");
    let bad = "<http://h/%zz>";
    let far = |lines: usize| "x\n".repeat(lines);
    for text in [
        bad.to_owned(),
        format!("{bad}\r\n{bad}\r\n"),
        format!("{bad} {bad}\n\n{bad}"),
        format!("{}{bad}\n{}{bad}\n{}{bad}\n{}", far(9), far(6), far(7), far(9)),
        format!("{}{bad}\n{}{bad}", far(2), far(8)),
        format!("é\u{0} {bad} \u{1b}[31m\n"),
    ] {
        mends(&home, "a.txt", &["a.txt"], &text, &text.replace("%zz", "%25zz"));
    }
}

#[test]
fn git_takes_diffs_of_files_with_any_name() {
    let home = fresh("fix/names");
    for name in ["a b.txt", "-q.txt", "\"c\\.txt", "é.txt", "d\te.txt", "f\n+++ g.txt"] {
        write(&home, name, "<http://h/%zz>\n");
    }
    fs::write(home.join(OsStr::from_bytes(b"\xff.txt")), "<http://h/%zz>\n").expect("a file");
    let (diff, said) = fix(&home, &["."]);
    assert!(said.starts_with("linktrawl: 7 links in 7 files can be fixed"), "{said}");
    apply(&home, &diff);
    for entry in fs::read_dir(&home).expect("a directory") {
        let path = entry.expect("an entry").path();
        assert_eq!(fs::read(&path).expect("a file"), b"<http://h/%25zz>\n", "{path:?}");
    }
}
