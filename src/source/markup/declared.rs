//! Finds the charset that a document declares for itself.
//!
//! HTML declares it by an element `meta` (HTML Standard §13.2.3.2), HTML and all XML by an XML
//! declaration (XML 1.0 §4.3.3), style sheets by `@charset` (CSS Syntax 3 §3.2), gettext in the
//! head of the translations (GNU gettext manual, "Header Entry"), LaTeX by the package `inputenc`,
//! Texinfo by `@documentencoding`, AsciiDoc by the attribute `encoding`; AsciiDoc and the other
//! languages of plain marks as editors know it, `-*- coding: latin-1 -*-` (Docutils, "Input
//! Encoding"; GNU Emacs manual, "Specifying File Variables"). Properties of Java are in ISO 8859-1
//! (`java.util.Properties`).
//!
//! Only charsets older than Unicode count: those in which US-ASCII is US-ASCII, and ISO 2022 and
//! HZ, all of whose bytes are. A document that is valid UTF-8 is in none of the first, whatever it
//! declares: many were converted and still declare their old charset, and text in another charset
//! is valid UTF-8 by chance alone. Not done: declarations of a protocol. Browsers write the query
//! of a link in the document's charset, and the rest in UTF-8; here all is UTF-8 (RFC 3987 §3.1).

use memchr::memmem;

use super::Markup;
use super::html::tokens::{Token, Tokens, is_space, root};
use crate::source::mail::charset::Charset;
use crate::span::BYTE_ORDER_MARK;

/// Bytes at the beginning of a document that are read for a declaration. Browsers read 1024, and
/// some of them read on if those have none.
const HEAD_LEN_MAX: usize = 8 * 1024;

/// Returns the charset of `text`, a whole document in `markup`; `None` for UTF-8.
pub(super) fn charset(markup: Markup, text: &[u8]) -> Option<Charset> {
    if std::str::from_utf8(text).is_ok() {
        return switching(markup, text);
    }
    legacy(markup, text)
}

/// Returns the charset of a text of US-ASCII bytes, if some of them switch between charsets.
fn switching(markup: Markup, text: &[u8]) -> Option<Charset> {
    let has = |mark: &[u8]| memmem::find(text, mark).is_some();
    let (escapes, tildes) = (has(b"\x1B$") || has(b"\x1B("), has(b"~{"));
    let charset = if escapes || tildes { legacy(markup, text)? } else { return None };
    match charset {
        Charset::Iso2022 => escapes,
        charset => tildes && charset == Charset::Hz,
    }
    .then_some(charset)
}

/// Returns the charset of a document that begins with `head`, if `head` shows that it is not UTF-8.
pub(super) fn shown(markup: Markup, head: &[u8]) -> Option<Charset> {
    let is_other = std::str::from_utf8(head).is_err_and(|error| error.error_len().is_some());
    if is_other { legacy(markup, head) } else { switching(markup, head) }
}

/// Returns the declared charset of `text`, on the assumption that the document is not UTF-8.
pub(super) fn legacy(markup: Markup, text: &[u8]) -> Option<Charset> {
    if text.starts_with(BYTE_ORDER_MARK) {
        return None;
    }
    let label = label(markup, text)?;
    let is_read_by_browsers = matches!(markup, Markup::Html | Markup::Css);
    if is_read_by_browsers && ASCII.iter().any(|name| label.eq_ignore_ascii_case(name)) {
        return Charset::legacy(b"windows-1252");
    }
    Charset::legacy(&label).or_else(|| Charset::switching(&label))
}

/// Labels of US-ASCII that browsers read as windows-1252 (Encoding Standard §4.2).
const ASCII: [&[u8]; 3] = [b"us-ascii", b"ascii", b"ansi_x3.4-1968"];

/// Returns the label that `text` has for its charset.
pub(super) fn label(markup: Markup, text: &[u8]) -> Option<Vec<u8>> {
    let head = text.get(..text.len().min(HEAD_LEN_MAX)).unwrap_or_default();
    match markup {
        Markup::Html => of_meta(head).or_else(|| of_xml(head).map(<[u8]>::to_vec)),
        Markup::Feed | Markup::Xml => of_xml(head).map(<[u8]>::to_vec),
        Markup::Css => between(head, CSS, b"\"").filter(|_| head.starts_with(CSS)),
        Markup::Po => between(head, b"Content-Type: text/plain; charset=", b"\\\" "),
        Markup::Tex => of_inputenc(head),
        Markup::Texinfo => between(head, b"\n@documentencoding ", b"\r\n"),
        Markup::Properties => Some(b"iso-8859-1".to_vec()),
        Markup::AsciiDoc => of_editor(head).or_else(|| between(head, b":encoding:", b"\r\n")),
        Markup::Markdown | Markup::Mdx | Markup::Rest | Markup::Org | Markup::Roff => {
            of_editor(head)
        }
        Markup::Csv
        | Markup::Folded
        | Markup::Json
        | Markup::Ldif
        | Markup::Template
        | Markup::Terminal
        | Markup::Rtf
        | Markup::Turtle
        | Markup::Yaml => None,
    }
}

/// Returns the label in the first `meta` that declares one.
fn of_meta(head: &[u8]) -> Option<Vec<u8>> {
    // Most documents have none, and reading tags is slow.
    if CHARSETS.iter().all(|name| memmem::find(head, name).is_none()) {
        return None;
    }
    let (mut is_meta, mut is_type, mut content) = (false, false, None);
    for token in Tokens::new(head, 0) {
        match token {
            Token::Open(name) => {
                is_meta = name.of(head).eq_ignore_ascii_case(b"meta");
                (is_type, content) = (false, None);
            }
            Token::Attribute(name, value) if is_meta => {
                let (name, value) = (name.of(head).to_ascii_lowercase(), value.of(head));
                match name.as_slice() {
                    b"charset" => return Some(value.to_vec()),
                    b"http-equiv" => is_type = value.eq_ignore_ascii_case(b"content-type"),
                    b"content" => content = Some(value),
                    _ => {}
                }
            }
            Token::Opened(_) if is_meta && is_type => {
                let label = content.and_then(of_type);
                if label.is_some() {
                    return label;
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the charset parameter of a media type in `meta`: `text/html; charset=…`.
fn of_type(content: &[u8]) -> Option<Vec<u8>> {
    let content = content.to_ascii_lowercase();
    let mut names = memmem::find_iter(&content, b"charset");
    let label = names.find_map(|at| value(content.get(at + b"charset".len()..)?))?;
    Some(label.to_vec())
}

/// The name of the declaration, in both cases, without the letter that may be a capital.
const CHARSETS: [&[u8]; 2] = [b"harset", b"HARSET"];

/// The beginning of a style sheet that declares its charset.
const CSS: &[u8] = b"@charset \"";

/// Returns the text in `head` between the first `begin` and the next of `ends`, trimmed.
fn between(head: &[u8], begin: &[u8], ends: &[u8]) -> Option<Vec<u8>> {
    let after = head.get(memmem::find(head, begin)? + begin.len()..)?;
    Some(after.get(..after.iter().position(|byte| ends.contains(byte))?)?.trim_ascii().to_vec())
}

/// Returns the charset that an editor reads in one of the first two lines, `-*- mode: rst; coding:
/// latin-1 -*-`, without the suffix that declares the kind of line ends.
fn of_editor(head: &[u8]) -> Option<Vec<u8>> {
    let mut lines = head.split(|byte| *byte == b'\n').take(2);
    lines.find_map(|line| {
        let after = line.get(memmem::find(line, b"-*-")? + b"-*-".len()..)?;
        let inside = after.get(..memmem::find(after, b"-*-")?)?;
        let mut settings = inside.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
        let label = settings.find_map(|it| it.strip_prefix(b"coding:"))?.trim_ascii();
        let ends: [&[u8]; 3] = [b"-unix", b"-dos", b"-mac"];
        let label = ends.iter().find_map(|end| label.strip_suffix(*end)).unwrap_or(label);
        // Emacs and Python write `latin-1`, which the Encoding Standard does not know.
        let number = label.strip_prefix(b"latin-").or_else(|| label.strip_prefix(b"iso-latin-"));
        Some(number.map_or_else(|| label.to_vec(), |number| [b"latin", number].concat()))
    })
}

/// Returns the charset of `\usepackage[latin1]{inputenc}`, by its name in the Encoding Standard.
fn of_inputenc(head: &[u8]) -> Option<Vec<u8>> {
    const NAMES: [(&[u8], &[u8]); 4] = [
        (b"ansinew", b"windows-1252"),
        (b"applemac", b"macintosh"),
        (b"latin9", b"iso-8859-15"),
        (b"latin10", b"iso-8859-16"),
    ];
    let before = head.get(..memmem::find(head, b"]{inputenc}")?)?;
    let label = before.get(memchr::memrchr(b'[', before)? + 1..)?;
    let named = NAMES.iter().find(|(name, _)| *name == label);
    Some(named.map_or(label, |(_, label)| label).to_vec())
}

/// Returns the encoding of the XML declaration.
fn of_xml(head: &[u8]) -> Option<&[u8]> {
    let after = head.get(root(head)..)?.strip_prefix(b"<?xml")?;
    let declaration = after.get(..memmem::find(after, b"?>")?)?;
    let at = memmem::find(declaration, b"encoding")?;
    value(declaration.get(at + b"encoding".len()..)?)
}

/// Returns the value after a name and `=`, in quotes or not.
fn value(after: &[u8]) -> Option<&[u8]> {
    let rest = after.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    match rest {
        [quote @ (b'"' | b'\''), inside @ ..] => inside.get(..memchr::memchr(*quote, inside)?),
        _ => rest.split(|byte| is_space(*byte) || *byte == b';').next(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Markup, charset};
    use crate::source::mail::charset::Charset;

    /// Checks the charset found for `head` and a byte that is not UTF-8.
    #[track_caller]
    fn case(markup: Markup, head: &str, expected: Option<&str>) {
        let text = [head.as_bytes(), b"\xE9"].concat();
        let found = charset(markup, &text);
        let name = found.map(|found| match found {
            Charset::Legacy(encoding) => encoding.name(),
            other => unreachable!("{other:?}"),
        });
        assert_eq!(name, expected, "of {head}");
        assert_eq!(charset(markup, head.as_bytes()), None, "{head} alone");
    }

    #[test]
    fn an_editor_is_told_a_charset() {
        for markup in [Markup::Rest, Markup::Org, Markup::Markdown, Markup::AsciiDoc] {
            case(markup, ".. -*- coding: latin-1 -*-\n\n", Some("windows-1252"));
            case(markup, "a\n# -*- mode: org; coding: koi8-r-unix; -*-\n", Some("KOI8-R"));
            case(markup, "a\nb\n-*- coding: koi8-r -*-\n", None);
            case(markup, "-*- coding: utf-8 -*- ", None);
            case(markup, "-*- coding: koi8-r ", None);
        }
        case(Markup::AsciiDoc, "= T\n:encoding: ISO-8859-2\n\n", Some("ISO-8859-2"));
    }

    #[test]
    fn a_meta_declares_a_charset() {
        let html = |head, expected| case(Markup::Html, head, expected);
        html("<meta charset=iso-8859-1>", Some("windows-1252"));
        html("<!doctype html><html><META\nCharset = ' KOI8-R '>", Some("KOI8-R"));
        for meta in [
            "<meta http-equiv=Content-Type content='text/html; charset=shift_jis'>",
            "<meta content='text/html;Charset = \"sjis\"' http-equiv=content-type />",
            "<meta http-equiv=content-type content='charset charset=sjis;x'>",
            "<meta name=a content='charset=big5'><meta charset=sjis>",
            "<!-- <meta charset=big5> --><title><meta charset=big5></title><meta charset=sjis>",
            "<meta http-equiv=content-type content=text/html><meta charset=sjis>",
        ] {
            html(meta, Some("Shift_JIS"));
        }
        html("<?xml version='1.0' encoding='koi8-u'?><html>", Some("KOI8-U"));
        html("<?xml version='1.0' encoding='koi8-u'?><meta charset=gbk>", Some("GBK"));
    }

    #[test]
    fn an_xml_declaration_declares_a_charset() {
        let feed = |head, expected| case(Markup::Feed, head, expected);
        feed("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><rss>", Some("windows-1252"));
        feed("\n<?xml version='1.0' encoding = 'euc-jp' standalone='yes'?>", Some("EUC-JP"));
        feed("<?xml version='1.0'?><rss encoding='koi8-r'>", None);
        feed("<?xml encoding='koi8-r", None);
        feed("<meta charset=koi8-r>", None);
    }

    #[test]
    fn other_languages_declare_a_charset_each_in_their_way() {
        for (markup, head, expected) in [
            (Markup::Xml, "<?xml version='1.0' encoding='koi8-r'?><a>", Some("KOI8-R")),
            (Markup::Css, "@charset \"iso-8859-15\";", Some("ISO-8859-15")),
            (Markup::Css, " @charset \"iso-8859-15\";", None),
            (Markup::Css, "@charset \"ascii\";", Some("windows-1252")),
            (Markup::Html, "<meta charset=us-ascii>", Some("windows-1252")),
            (Markup::Html, "<meta charset='ANSI_X3.4-1968'>", Some("windows-1252")),
            (Markup::Xml, "<?xml version='1.0' encoding='us-ascii'?>", None),
            (
                Markup::Po,
                "msgstr \"\"\n\"Content-Type: text/plain; charset=EUC-JP\\n\"",
                Some("EUC-JP"),
            ),
            (Markup::Po, "\"Content-Type: text/plain; charset=CHARSET\\n\"", None),
            (
                Markup::Tex,
                "\\documentclass[a4]{x}\n\\usepackage[latin2]{inputenc}",
                Some("ISO-8859-2"),
            ),
            (Markup::Tex, "\\usepackage[ansinew]{inputenc}", Some("windows-1252")),
            (Markup::Tex, "\\usepackage[utf8]{inputenc}", None),
            (
                Markup::Texinfo,
                "\\input texinfo\n@documentencoding ISO-8859-1\n",
                Some("windows-1252"),
            ),
            (Markup::Properties, "a = b", Some("windows-1252")),
            (Markup::Json, "{\"charset\": \"koi8-r\"}", None),
        ] {
            case(markup, head, expected);
        }
    }

    #[test]
    fn what_switches_between_charsets_is_us_ascii() {
        let html = |label: &str, text: &str| {
            let head = format!("<meta charset={label}>");
            charset(Markup::Html, [head.as_bytes(), text.as_bytes()].concat().as_slice())
        };
        assert_eq!(html("iso-2022-jp", "\x1B$B<!$N\x1B(B"), Some(Charset::Iso2022));
        assert_eq!(html("iso-2022-jp", "a ~{"), None);
        assert_eq!(html("hz-gb-2312", "~{<:Ky2;~}"), Some(Charset::Hz));
        assert_eq!(html("utf-8", "\x1B$B<!$N\x1B(B"), None);
        assert_eq!(html("koi8-r", "\x1B$B<!$N\x1B(B"), None);
    }

    #[test]
    fn what_is_seen_of_a_document_may_be_cut() {
        let head = "<?xml version='1.0' encoding='koi8-r'?><a>";
        let shown =
            |after: &[u8]| super::shown(Markup::Xml, &[head.as_bytes(), after].concat()).is_some();
        assert_eq!(
            [&b""[..], b"\xC3", b"\xC3\xA9", b"\xC3a"].map(shown),
            [false, false, false, true]
        );
    }

    #[test]
    fn other_documents_are_as_they_stand() {
        for label in ["utf-8", "us", "utf-16", "utf-7", "x-user-defined", "none", ""] {
            case(Markup::Html, &format!("<meta charset='{label}'>"), None);
        }
        for head in
            ["", "<meta>", "<meta charset", "<p charset=koi8-r>", "\u{FEFF}<meta charset=gbk>"]
        {
            case(Markup::Html, head, None);
        }
        case(Markup::Html, &format!("{}<meta charset=gbk>", " ".repeat(9_000)), None);
        case(Markup::Markdown, "<meta charset=koi8-r>", None);
    }
}
