//! Tests text with escapes, as JSON and calendars have them: it is decoded, and findings are
//! reported at their place in the file, at any length. The decoder is compared with a slow one that
//! is obviously right.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use linktrawl::internal::source::mail::mime::{Coding, Source, decode, decode_source};
use linktrawl::internal::source::markup::Escapes;
use regex::bytes::{Captures, Regex};
use serde_json::Value;

use crate::support::chance::Chance;
use crate::support::{cards, office, rich_text, scanned, screens};

// ---- what is found ---------------------------------------------------------------------

/// The findings among `records`: the URI of each, and the numbers of its place that `names` ask
/// for.
fn findings(records: &[Value], names: &[&str]) -> Vec<(String, Vec<u64>)> {
    let found = records.iter().filter(|record| record["type"] == "finding").map(|record| {
        let number = |name: &&str| record["place"][name].as_u64().expect("a number");
        let uri = record["uri"].as_str().expect("a text").to_owned();
        (uri, names.iter().map(number).collect())
    });
    found.collect()
}

/// The marks for control characters in the table.
const CONTROLS: [(char, &str); 3] = [('⏎', "\n"), ('␛', "\x1b"), ('␈', "\x08")];

fn with_controls(text: &str) -> String {
    CONTROLS.iter().fold(text.to_owned(), |text, (shown, control)| text.replace(*shown, control))
}

#[test]
fn escapes_are_read_as_what_they_stand_for() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/documents/escapes.tsv");
    let table = std::fs::read_to_string(path).expect("the table is UTF-8 text");
    for row in table.lines().skip(2) {
        let [name, text, places, uris] = *row.split('\t').collect::<Vec<_>>() else {
            unreachable!("four columns: {row}")
        };
        let text = with_controls(text);
        let (records, _) = scanned::scan("escapes", name, text.as_bytes());
        let found = findings(&records, &["column", "len"]).into_iter();
        let raws = records.iter().filter_map(|record| record["raw"].as_str());
        raws.for_each(|raw| assert!(text.contains(raw), "{raw} in {row}"));
        let (found, places_found): (Vec<_>, Vec<_>) =
            found.map(|(uri, place)| (uri, format!("{}+{}", place[0], place[1]))).unzip();
        assert_eq!(
            (found.join(" "), places_found.join(" ")),
            (uris.into(), places.into()),
            "{row}"
        );
    }
}

#[test]
fn lines_are_those_of_the_file() {
    let text = r#"{
 "a": "x\n\ny",
 "é": "a\nhttp:\/\/h\/\n",

"\\","http:\/\/i\/"}"#;
    let (records, _) = scanned::scan("escapes", "lines.json", text.as_bytes());
    let at = |of: &str| u64::try_from(text.find(of).expect("it is there")).expect("few bytes");
    let expected = [
        ("http://h/".to_owned(), vec![3, 11, at("http:\\/\\/h"), 12]),
        ("http://i/".to_owned(), vec![5, 7, at("http:\\/\\/i"), 12]),
    ];
    assert_eq!(findings(&records, &["line", "column", "offset", "len"]), expected);
    let wide: Vec<u8> =
        ["\u{FEFF}", text].concat().encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (records, _) = scanned::scan("escapes", "wide.json", &wide);
    let found = findings(&records, &["line", "column", "len"]);
    assert_eq!(found[1], ("http://i/".to_owned(), vec![5, 7, 24]));
}

/// Exports and dumps have no limit, and a feed that is longer than one may be is XML still.
#[test]
fn longer_texts_are_read_alike() {
    const LEN: usize = 9 << 20;
    let json = "{\"u\":\"http:\\/\\/h.example\\/?x\\u0026y\"},";
    let xml = "<e u=\"http://h.example/?x&amp;y\"/><!-- &amp; --><![CDATA[ <!-- ]]>";
    for (name, begin, unit, code) in [
        ("long.json", "[", json, 0),
        ("lines.ndjson", "", &format!("{json}\n"), 0),
        ("long.xml", "<a>", xml, 0),
        ("long.properties", "", "a = http\\://h.example/\\?x&y\n", 0),
        ("long.ics", "BEGIN:VCALENDAR\nVERSION:2.0\n", "URL:http://h.exam\n ple/?x&y\n", 0),
        ("long.ldif", "", "labeledURI: http://h.exam\n ple/?x&y\n", 0),
        ("long.po", "", "msgid \"see http://h.example/?\"\n\"x&y\"\n", 0),
        ("long.bib", "", "url = {http://h.example/?x{\\&}y},\n", 0),
        ("long.rss", "<rss>", xml, 2),
    ] {
        let count = LEN / unit.len();
        let (records, exit) =
            scanned::scan("escapes", name, [begin, &unit.repeat(count)].concat().as_bytes());
        let found = findings(&records, &["offset"]);
        let is_one = |uri: &str| uri == "http://h.example/?x&y";
        assert!(found.iter().all(|(uri, _)| is_one(uri)), "{name}");
        assert_eq!((found.len(), exit), (count, Some(code)), "{name}");
        let last = begin.len() + (count - 1) * unit.len() + unit.find("http").expect("a URI");
        assert_eq!(found[count - 1].1, [u64::try_from(last).expect("some bytes")], "{name}");
    }
}

/// Bytes of them are no UTF-8, so that a URI would end there.
#[test]
fn what_is_in_a_declared_charset_is_read_in_it() {
    for (name, text, expected) in [
        (
            "a.xml",
            "<?xml version='1.0' encoding='ISO-8859-1'?><a>http://h/\u{e9}?a&amp;b</a>",
            "?a&b",
        ),
        ("a.properties", "a = http\\://h/\u{e9}b\n", "b"),
        (
            "a.po",
            "\"Content-Type: text/plain; charset=latin1\\n\"\n\n\"http://h/\u{e9}\"\n\"b\"\n",
            "b",
        ),
        ("a.tex", "\\usepackage[latin1]{inputenc}\n\\url{http://h/\u{e9}\\_b}\n", "_b"),
        ("a.texi", "\\input x\n@documentencoding ISO-8859-1\n@uref{http://h/\u{e9}@@b}\n", "@b"),
        ("a.css", "@charset \"latin1\";\na { src: url(http://h/\u{e9}b) }\n", "b"),
    ] {
        let latin: Vec<u8> = text.chars().map(|char| u8::try_from(char).expect("latin")).collect();
        let uri = format!("http://h/\u{e9}{expected}");
        for text in [latin.as_slice(), text.as_bytes()] {
            let (records, _) = scanned::scan("escapes", name, text);
            assert_eq!(findings(&records, &[]), [(uri.clone(), Vec::new())], "{name}");
        }
    }
}

/// No piece sees the end of such a URI.
#[test]
fn a_uri_with_more_escapes_than_the_longest_one_has_bytes_is_reported_cut() {
    for (name, escape) in [("cut.json", "\\u0061"), ("cut.xml", "&#x61;"), ("cut.tex", "\\_")] {
        let text = ["http://h.example/", &escape.repeat(300_000), " http://i.example/"].concat();
        let (records, _) = scanned::scan("escapes", name, text.as_bytes());
        let word = |record: &Value| {
            let told = ["kind", "verdict", "type"].map(|key| record[key].as_str());
            told.into_iter().flatten().next().map(str::to_owned)
        };
        let words: Vec<_> = records.iter().filter_map(word).collect();
        assert_eq!(words, ["uri-too-long", "skipped", "ok", "summary"], "{name}");
    }
}

#[test]
fn bodies_of_the_web_are_read_as_the_language_that_is_told() {
    let json = r#""http:\/\/h.example\/?x""#;
    let xml = "<a>http://h.example/?x&amp;y</a>";
    let both = format!("{json} {xml}");
    let card = "BEGIN:VCALENDAR\nVERSION:2.0\nURL:http://h.exam\n ple/a\n";
    let strings = "msgid \"http://h.example/\"\n\"a\"\n";
    for (media_type, text, expected) in [
        ("application/json", json, "http://h.example/?x"),
        ("application/vnd.api+json; charset=utf-8", json, "http://h.example/?x"),
        ("text/xml", xml, "http://h.example/?x&y"),
        ("image/svg+xml", xml, "http://h.example/?x&y"),
        ("text/html", xml, "http://h.example/?x&y"),
        ("text/calendar", card, "http://h.example/a"),
        ("application/x-gettext-translation", strings, "http://h.example/a"),
        ("text/x-tex", r"http://h.example/a\_b", "http://h.example/a_b"),
        ("text/x-java-properties", r"a=http\://h.example/", "http://h.example/"),
        ("text/plain", &both, "http://h.example/?x&amp;y"),
    ] {
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n\r\n{text}");
        let head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://g.example/a.json\r\n\
            Content-Type: application/http;msgtype=response\r\nContent-Length: ";
        let record = format!("{head}{}\r\n\r\n{answer}\r\n\r\n", answer.len());
        let (records, _) = scanned::scan("escapes", "a.warc", record.as_bytes());
        let found: Vec<_> = findings(&records, &[]).into_iter().map(|(uri, _)| uri).collect();
        assert!(found.contains(&expected.to_owned()), "{media_type}: {found:?}");
    }
}

// ---- the decoder -----------------------------------------------------------------------

/// Decodes `text` as JSON, slowly: a string after an attribute for links is HTML.
fn json(text: &[u8]) -> Vec<u8> {
    let pattern = r#"(?x) \\u((?i:d[89ab])[[:xdigit:]]{2}) \\u((?i:d[c-f])[[:xdigit:]]{2})
        | (\\u0026|&) ((?:amp | lt | gt | quot | apos | \#[0-9]{1,7} | \#x[0-9a-fA-F]{1,6});)
        | \\u([[:xdigit:]]{4}) | \\(["\\/bfnrt]) | ["\n]
        | ((?i:href|src)) (?:=|\\u003[dD]) (?:\\"|\\u002(?:2|(7)))"#;
    let marks = Regex::new(pattern).expect("a pattern");
    let number = |digits: &[u8]| {
        let digits = std::str::from_utf8(digits).expect("digits");
        u32::from_str_radix(digits, 16).expect("a number")
    };
    let mut is_html = false;
    let made = |found: &Captures<'_>| {
        let group = |group: usize| found.get(group).map(|group| group.as_bytes());
        let hex = |name: usize| group(name).map(number);
        if let (Some(_), Some(reference)) = (group(3), group(4)) {
            let plain = [b"&", reference].concat();
            return if is_html { xml(&plain) } else { plain };
        }
        if let Some(attribute) = group(7) {
            is_html = true;
            return [attribute, b"=", group(8).map_or(b"\"", |_| b"'")].concat();
        }
        let made = match (hex(1), hex(2), hex(5), group(6)) {
            (Some(high), Some(low), ..) => {
                char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00))
            }
            (.., Some(number), None) => char::from_u32(number).or(Some('\u{FFFD}')),
            (.., Some(letter)) => match letter[0] {
                b'n' => Some('\n'),
                b'r' => Some('\r'),
                b't' => Some('\t'),
                b'b' | b'f' => Some(' '),
                mark => Some(char::from(mark)),
            },
            _ => {
                is_html = false;
                return found[0].to_vec();
            }
        };
        shown(made.expect("a character"))
    };
    marks.replace_all(text, made).into_owned()
}

/// The character of a reference in XML, by its name or its number.
fn referred(found: &Captures<'_>) -> Option<char> {
    let text = |group: usize| found.get(group).map(|digits| digits.as_bytes());
    let number = |group, radix| {
        let digits = std::str::from_utf8(text(group)?).expect("digits");
        char::from_u32(u32::from_str_radix(digits, radix).expect("a number"))
    };
    match text(1) {
        Some(b"amp") => Some('&'),
        Some(b"lt") => Some('<'),
        Some(b"gt") => Some('>'),
        Some(b"quot") => Some('"'),
        Some(_) => Some('\''),
        None => number(2, 10).or_else(|| number(3, 16)),
    }
}

/// Decodes `text` as XML, slowly.
fn xml(text: &[u8]) -> Vec<u8> {
    let regex = |pattern: &str| Regex::new(pattern).expect("a pattern");
    let name = r"(?:(amp|lt|gt|quot|apos)|\#([0-9]{1,7})|\#x([0-9a-fA-F]{1,6}));";
    let reference = regex(&format!("^&{name}"));
    let (twice, all) = (regex(&format!("^{name}")), regex(&format!("&{name}")));
    let tag = regex(r"^(?:!|/?[a-zA-Z][a-zA-Z0-9-]{0,15}[ \t\n\r\x0C>/&])");
    let data_tag = regex(r"<(?:!|/?[a-zA-Z][a-zA-Z0-9-]{0,15}[ \t\n\r\x0C>/&])");
    let other = regex(r"(?s)^(?:<!--.*?(?:-->|\z)|<\?.*?(?:\?>|\z)|<!\[CDATA\[.*?(?:\]\]>|\z))");
    let goes_on = regex(r"(?s-u)^(?:<!--|<\?|<!\[CDATA\[|[^<\x20\t\n\r\x0C])");
    let url = regex("^https?://");
    let goes_on = |rest: &[u8]| goes_on.is_match(rest) && !url.is_match(rest);
    let (mut out, mut at, mut is_html) = (Vec::new(), 0, false);
    while at < text.len() {
        let rest = &text[at..];
        is_html &= rest[0] != b'<';
        if let Some(made) = office::control(rest) {
            out.push(made);
            at += 7;
            continue;
        }
        if let Some(len) = office::between_runs(rest) {
            at += len;
            continue;
        }
        if let Some(found) = other.find(rest) {
            let found = found.as_bytes();
            let after = &rest[found.len()..];
            at += found.len();
            if !rest.starts_with(b"<![CDATA[") {
                if !(is_insertion(found) && goes_on(after)) {
                    out.extend_from_slice(found);
                }
                continue;
            }
            let edge = |rest: &[u8], edge| if goes_on(rest) { &b""[..] } else { edge };
            out.extend_from_slice(edge(&rest[9..], &rest[..9]));
            let inside = &found[9..];
            let (found, end) = match inside.strip_suffix(b"]]>") {
                Some(inside) => (inside, edge(after, &b"]]>"[..])),
                None => (inside, &b""[..]),
            };
            let from = data_tag.find(found).map_or(found.len(), |tag| tag.start());
            let made = |it: &Captures<'_>| referred(it).map_or_else(|| it[0].to_vec(), shown);
            out.extend_from_slice(&found[..from]);
            out.extend_from_slice(&all.replace_all(&found[from..], made));
            out.extend_from_slice(end);
            continue;
        }
        let found = reference.captures(rest).and_then(|it| Some((it[0].len(), referred(&it)?)));
        let Some((len, made)) = found else {
            out.push(rest[0]);
            at += 1;
            continue;
        };
        let after = &rest[len..];
        is_html |= made == '<' && tag.is_match(after);
        let inner = twice.captures(after).filter(|_| is_html && made == '&');
        let inner = inner.and_then(|it| Some((it[0].len(), referred(&it)?)));
        let (more, made) = inner.unwrap_or((0, made));
        out.extend(shown(made));
        at += len + more;
    }
    out
}

/// Reports whether `found`, a comment or an instruction, may be within a word.
fn is_insertion(found: &[u8]) -> bool {
    let whole = Regex::new(r"(?s-u)^(?:<!--.*-->|<\?.*\?>)$").expect("a pattern");
    let other = Regex::new(r"://|www\.|mailto:|\n\r?\n").expect("a pattern");
    found.len() <= 1024 && whole.is_match(found) && !other.is_match(found)
}

/// Decodes `text` as properties, slowly.
fn properties(text: &[u8]) -> Vec<u8> {
    let regex = |pattern: &str| Regex::new(pattern).expect("a pattern");
    // A comment ends with its line, whatever precedes that end.
    let line = regex(
        r"(?sx-u) [\x20\t\f]* [\#!] [^\r\n]* (?: [\r\n] | \z )
        | (?: \\(?:\r\n|.) | [^\\\r\n] )* (?: \\?\z | [\r\n] )",
    );
    let name = regex(
        r"(?sx-u) \A [\x20\t\f]*
        (?: ([\#!]) | (?: \\(?:\r\n|.) | [^\\=:\x20\t\f] )* [=:\x20\t\f]? )",
    );
    let escapes = regex(
        r"(?sx-u) \\u(?i:d[89ab])[[:xdigit:]]{2} \\u(?i:d[c-f])[[:xdigit:]]{2}
        | \\u[[:xdigit:]]{4} | \\(?:\r\n|[\r\n])[\x20\t\f]* | \\[^u\x80-\xFF]",
    );
    let made = |found: &Captures<'_>, is_comment| match &found[0] {
        [_, b'\r' | b'\n', ..] if is_comment => found[0].to_vec(),
        [_, b'\r' | b'\n', ..] => Vec::new(),
        [_, b'n'] => b"\n".to_vec(),
        [_, b'r'] => b"\r".to_vec(),
        [_, b't'] => b"\t".to_vec(),
        [_, b'u', ..] => json(&found[0]),
        [_, byte] => shown(if *byte == b'f' { ' ' } else { char::from(*byte) }),
        _ => unreachable!("a backslash stands before something"),
    };
    let mut out = Vec::new();
    for line in line.find_iter(text) {
        let name = name.captures(line.as_bytes());
        let is_comment = name.as_ref().is_some_and(|name| name.get(1).is_some());
        let len = name.map_or(0, |name| name[0].len());
        let (name, value) = line.as_bytes().split_at(len);
        out.extend_from_slice(name);
        let made = |found: &Captures<'_>| made(found, is_comment);
        out.extend_from_slice(&escapes.replace_all(value, made));
    }
    out
}

/// Decodes `text` as LaTeX, slowly.
fn tex(text: &[u8]) -> Vec<u8> {
    const CHARACTER: &str = r"(?: \\[_%&\#$~](?:\{\})? | \$\\sim\$ )";
    const COMMAND: &str = r"\\(?: textasciitilde | textunderscore | slash | allowbreak )";
    let pattern = r"(?x) (\\\\) | \\([{}]) | (\\-) | \{ (?: [_%&\#~] | CHARACTER | COMMAND ) \}
        | CHARACTER | COMMAND (?: \{\} | \r?\n | \x20 | (\z | [A-Za-z]) )?";
    let pattern = pattern.replace("CHARACTER", CHARACTER).replace("COMMAND", COMMAND);
    let escapes = Regex::new(&pattern).expect("a pattern");
    let made = |found: &Captures<'_>| {
        let has = |word: &str| found[0].windows(word.len()).any(|text| text == word.as_bytes());
        if found.get(1).is_some() {
            vec![b'\n']
        } else if let Some(bracket) = found.get(2) {
            bracket.as_bytes().to_vec()
        } else if found.get(4).is_some() {
            // A longer command, or one that may be.
            found[0].to_vec()
        } else if found.get(3).is_some() || has("allow") {
            Vec::new()
        } else if has("sim") || has("tilde") {
            vec![b'~']
        } else if has("score") {
            vec![b'_']
        } else if has("slash") {
            vec![b'/']
        } else {
            found[0].iter().copied().filter(|byte| b"_%&#$~".contains(byte)).collect()
        }
    };
    escapes.replace_all(text, made).into_owned()
}

/// Decodes `text` as LDIF, slowly.
fn ldif(text: &[u8]) -> Vec<u8> {
    Regex::new(r"\r?\n ").expect("a pattern").replace_all(text, b"").into_owned()
}

/// Decodes `text` as gettext, slowly.
fn po(text: &[u8]) -> Vec<u8> {
    let pattern = r#"(?x) \\(["\\nrt]) | "[\x20\t]*\r?\n[\x20\t]*(?:\#~\||\#~|\#\|)?[\x20\t]*""#;
    let escapes = Regex::new(pattern).expect("a pattern");
    let made = |found: &Captures<'_>| match found.get(1).map(|letter| letter.as_bytes()) {
        Some([letter]) => match letter {
            b'n' => vec![b'\n'],
            b'r' => vec![b'\r'],
            b't' => vec![b'\t'],
            mark => vec![*mark],
        },
        _ => Vec::new(),
    };
    escapes.replace_all(text, made).into_owned()
}

/// Decodes `text` as Texinfo, slowly.
fn texinfo(text: &[u8]) -> Vec<u8> {
    const ESCAPES: [(&str, &str); 17] = [
        ("@@", "@"),
        ("@{", "{"),
        ("@}", "}"),
        ("@&", "&"),
        ("@/", ""),
        ("@-", ""),
        ("@:", ""),
        ("@*", "\n"),
        ("@ampchar{}", "&"),
        ("@atchar{}", "@"),
        ("@backslashchar{}", "\\"),
        ("@comma{}", ","),
        ("@dots{}", "…"),
        ("@enddots{}", "…"),
        ("@hashchar{}", "#"),
        ("@lbracechar{}", "{"),
        ("@rbracechar{}", "}"),
    ];
    let (mut out, mut at, mut inside) = (Vec::new(), 0, 't');
    while at < text.len() {
        let begins = |words: &[&str]| {
            words.iter().find(|word| text[at..].starts_with(word.as_bytes())).map(|word| word.len())
        };
        let is_link = begins(&["@uref{", "@url{"]).is_some();
        let is_comment = begins(&["@c ", "@comment "]).is_some();
        let ends = match inside {
            'l' => begins(&["}", "\n\n", "\n\r\n"]),
            'c' => begins(&["\n"]),
            _ => None,
        };
        let escape = ESCAPES.iter().find(|(escape, _)| begins(&[*escape]).is_some());
        if ends.is_some() {
            inside = 't';
        } else if inside == 't' && (is_link || is_comment) {
            inside = if is_link { 'l' } else { 'c' };
        } else if let Some((escape, made)) = escape {
            out.extend_from_slice(made.as_bytes());
            at += escape.len();
            continue;
        }
        out.push(if inside == 'l' && text[at] == b',' { b'\x0C' } else { text[at] });
        at += 1;
    }
    out
}

/// Decodes `text` as a template, slowly.
fn template(text: &[u8]) -> Vec<u8> {
    let marks = Regex::new("&(?:amp|#38|#038|#x26);").expect("a pattern");
    marks.replace_all(text, &b"&"[..]).into_owned()
}

/// Decodes `text` as Turtle, slowly.
fn turtle(text: &[u8]) -> Vec<u8> {
    let pattern = r#"(?x-u) \\ (?: U([[:xdigit:]]{8})
        | u(?i:d[89ab])[[:xdigit:]]{2} \\u(?i:d[c-f])[[:xdigit:]]{2}
        | u[[:xdigit:]]{4} | [bf] | (') | [nrt"\\] )"#;
    let escapes = Regex::new(pattern).expect("a pattern");
    let made = |found: &Captures<'_>| match (found.get(1), &found[0]) {
        (Some(digits), _) => {
            let digits = std::str::from_utf8(digits.as_bytes()).expect("digits");
            let number = u32::from_str_radix(digits, 16).expect("a number");
            shown(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER))
        }
        (None, [_, b'b' | b'f']) => b" ".to_vec(),
        (None, [_, b'\'']) => b"'".to_vec(),
        (None, escape) => json(escape),
    };
    escapes.replace_all(text, made).into_owned()
}

/// `made`, but for controls, of which only white space is read.
fn shown(made: char) -> Vec<u8> {
    let is_other = made.is_control() && !"\t\n\r".contains(made);
    if is_other { b" ".to_vec() } else { made.to_string().into_bytes() }
}

type Slow = fn(&[u8]) -> Vec<u8>;

/// Each language, the decoder that is slow, and what its rules turn on.
const LANGUAGES: [(Escapes, Slow, &[&str]); 14] = [
    (
        Escapes::TEMPLATE,
        template,
        &["&", "amp;", "&amp;", "&#38;", "&#038;", "&#x26;", "&#x27;", "&lt;", "a", ";"],
    ),
    (
        Escapes::TEXINFO,
        texinfo,
        &[
            "@",
            "@@",
            "@{",
            "@}",
            "{",
            "}",
            "{}",
            ",",
            "@/",
            "@*",
            "@-",
            "@comma",
            "@comma{}",
            "@hashchar{}",
            "@atchar{}",
            "@ampchar{}",
            "@backslashchar{}",
            "@lbracechar{}",
            "@rbracechar{}",
            "@uref{",
            "@url{",
            "@urefs{",
            "@c ",
            "@comment ",
            "\n\n",
            "\r\n",
            "a",
            "\n",
            "\u{e9}",
        ],
    ),
    (
        Escapes::TURTLE,
        turtle,
        &[
            "\\",
            "\\\\",
            "\\\"",
            "\\'",
            "\\n",
            "\\b",
            "\\u",
            "\\u00e9",
            "\\uD83D",
            "\\ude00",
            "\\U",
            "\\U0001F600",
            "\\U00110000",
            "0000",
            "F",
            "u",
            "n",
            "\n",
            "\u{e9}",
        ],
    ),
    (Escapes::FOLDED, cards::slow, cards::WORDS),
    (Escapes::RTF, rich_text::slow, rich_text::WORDS),
    (Escapes::TERMINAL, screens::slow, screens::WORDS),
    (Escapes::FOLDED, cards::slow, cards::OLD_WORDS),
    (Escapes::LDIF, ldif, &["\n", "\r\n", "\n ", "\r\n ", " ", "a", "\r", "\t", "\u{e9}", ": "]),
    (
        Escapes::PO,
        po,
        &[
            "\"",
            "\"\n\"",
            "\"\r\n\"",
            "\"\n#~ \"",
            "\"\n#~| \"",
            "\n#| ",
            "\\",
            "\\\"",
            "\\n",
            "\n",
            "\r",
            " ",
            "\t",
            "#",
            "~",
            "|",
            "a",
            "t",
            "\u{e9}",
        ],
    ),
    (
        Escapes::JSON,
        json,
        &[
            "\\",
            "\\",
            "\\\\",
            "\\/",
            "\\\"",
            "\\n",
            "\\b",
            "\\u",
            "\\u00",
            "\\u0026",
            "\\uD83D",
            "\\ude00",
            "\\uDE0",
            "0",
            "d",
            "F",
            "u",
            "n",
            "\"",
            "/",
            "\n",
            "\u{e9}",
            "x",
            "href=\\\"",
            "=\\u0022",
            "\\u003D\\\"",
            "\\u003d\\u0027",
            "SRC=\\\"",
            "href",
            "=",
            "&amp;",
            "\\u0026#38;",
            "&#x2f;",
            "amp;",
            "&",
            "&#",
            "&#xD800;",
        ],
    ),
    (
        Escapes::PROPERTIES,
        properties,
        &[
            "\\",
            "\\\\",
            ":",
            "=",
            "\n",
            "\r",
            "n",
            "f",
            "\\u00e9",
            "\\uD83D\\uDE00",
            "\\u",
            "0",
            "\u{e9}",
            "\0",
            " ",
            "a",
            "#",
            "!",
            "\\\n",
            "\\\r\n \t",
        ],
    ),
    (
        Escapes::TEX,
        tex,
        &[
            "\\",
            "{",
            "}",
            "{}",
            "$",
            "~",
            "_",
            "&",
            "%",
            "#",
            " ",
            "a",
            "\n",
            "\\sim",
            "$\\sim$",
            "\\~{}",
            "{\\_}",
            "\\textasciitilde",
            "\\textunderscore",
            "\\text",
            "\\-",
            "\\slash",
            "\\allowbreak",
            "/",
            "\u{e9}",
        ],
    ),
    (
        Escapes::XML,
        xml,
        &[
            "&amp;",
            "&lt;",
            "&quot;",
            "&apos;",
            "&gt;",
            "&",
            "&#",
            "&#x",
            "&#38;",
            "&#x26;",
            "&#x0;",
            "&#xD800;",
            "&#1114112;",
            "&#x110000;",
            "&#x00000026;",
            ";",
            "a",
            "0",
            "amp",
            "<",
            "<!",
            "<!-",
            "<!--",
            "--",
            "-->",
            "-",
            ">",
            "<?",
            "?",
            "?>",
            "<![CDATA[",
            "]]",
            "]]>",
            "]",
            "\n",
            "\u{e9}",
            "<a b='&amp;'>",
            "&lt;p&gt;",
            "&#60;/",
            "<b>",
            "&amp;amp;",
            "&amp;#38;",
            "http://",
            "_x000D_",
            "_x0009",
            "_x005F_",
            "x000a_",
        ],
    ),
    (
        Escapes::XML,
        xml,
        &[
            "&amp;",
            "a",
            "</w:t>",
            "<w:t>",
            "</t>",
            "<t a='b'>",
            "<t/>",
            "</w:r>",
            "<w:r b='c:d'>",
            "<w:r b=\"c\" e:f='g'>",
            "<w:rPr>",
            "<w:rPr/>",
            "</w:rPr>",
            "<w:br/>",
            "<text:span a='",
            "</text:span>",
            "<text:change-start/>",
            "<w:bdo>",
            "<w:customXmlDelRangeEnd/>",
        ],
    ),
];

#[test]
fn the_decoder_gives_what_a_slow_one_gives_wherever_a_text_is_cut() {
    let mut chance = Chance(11);
    for (escapes, slow, words) in LANGUAGES {
        for round in 0..3000 {
            let mut text = Vec::new();
            while text.len() < round % 60 {
                text.extend_from_slice(words[chance.below(words.len())].as_bytes());
            }
            let shown = text.escape_ascii().to_string();
            let (whole, way) = decode_source(Coding::Escapes(escapes), Source::Input(&text));
            assert_eq!(whole, slow(&text), "{shown}");
            assert!(!escapes.is_idle(&text) || whole == text, "{shown}");
            for to in 0..=text.len() {
                let mut place = escapes;
                place.pass(&text, to);
                let (at, after) = (place.at, place.after(to));
                let rest = decode(Coding::Escapes(after), &text[to..]);
                let before = &whole[..way.clone().made_of(at)];
                assert_eq!([before, &rest[at - to..]].concat(), whole, "{shown} at {to}");
            }
        }
    }
}
