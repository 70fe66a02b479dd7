//! Tests documents that are decoded before they are scanned: man pages as they are printed,
//! calendars and cards without their folds. Findings are reported at their place in the file.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use crate::support::scanned;

/// Returns the findings in a file called `name`: the text of each, and its line, column, offset,
/// length.
fn findings(name: &str, content: &[u8]) -> Vec<(String, [u64; 4])> {
    let (records, _) = scanned::scan("stand_ins", name, content);
    let found = records.iter().filter(|record| record["type"] == "finding").map(|record| {
        let place = &record["place"];
        let numbers = ["line", "column", "offset", "len"];
        let numbers = numbers.map(|name| place[name].as_u64().expect("a number"));
        (record["uri"].as_str().expect("a text").to_owned(), numbers)
    });
    found.collect()
}

/// Escapes of roff are decoded as they are printed, as far as a URI holds them.
#[test]
fn escapes_of_roff_are_read_as_what_they_print() {
    for (text, expected) in [
        (r"http://h/a\-b", "http://h/a-b"),
        (r"http://h/a\:b\&c\%d\/e\,f", "http://h/abcdef"),
        (r"\fIhttp://h/a\fP", "http://h/a"),
        (r"\f[CB]http://h/a\fR\(dq", "http://h/a"),
        (r"\m[blue]\fBhttp://h/a\fR\m[], b", "http://h/a"),
        (r"\s-1HTTP\s0://h/a", "HTTP://h/a"),
        (r"http://h/\(tia\[ti]", "http://h/~a~"),
        (r"http://h/\s+2a\s[12]b\s(10c\s'3'd\s12e", "http://h/abcde"),
        (r"\(lahttp://h/a\(ra", "http://h/a"),
        (r"\(lqhttp://h/a\(rq", "http://h/a"),
        (r"\*(lqhttp://h/a\*(rq", "http://h/a"),
        (r#"\*(L"http://h/a\*(R""#, "http://h/a"),
        (r"http://h/a\*(--b\*-c", "http://h/a-b-c"),
        (r"http://h/a\(emb", "http://h/a"),
        (r"http://h/a\~b", "http://h/a"),
        (r"http://h/a\h'1n'b", "http://h/a"),
        (r"http://h/\n(xxa", "http://h/"),
        (r"http://h/a\n+[y]b", "http://h/a"),
        (r"http://h/a\*[y]b", "http://h/a"),
        (r"http://h/\[u00E4]\N'98'\[char99]", "http://h/\u{e4}bc"),
        (r"http://h/a\$1", "http://h/a"),
        ("http://h/a\\\nb", "http://h/ab"),
        ("http://h/a\\\r\nb", "http://h/ab"),
        (r#".\" http://h/a\-b"#, "http://h/a-b"),
        (r".BR http://h/a\-b ,", "http://h/a-b"),
        (r".B \(lqhttp://h/a", "http://h/a"),
        (r"<http://h/a\-b>", "http://h/a-b"),
    ] {
        let page = format!(".TH A 1\n{text}\n");
        let found = findings("escapes.1", page.as_bytes()).into_iter();
        let found: Vec<_> = found.map(|(raw, _)| raw).collect();
        assert_eq!(found, [expected], "{text}");
    }
}

#[test]
fn an_address_in_place_of_a_uri_is_one() {
    let page = ".TH A 1\n.UR ann@example.org\nAnn\n.UE\n.UR http://h/@a\n.UE\n";
    let found: Vec<_> =
        findings("address.1", page.as_bytes()).into_iter().map(|(uri, _)| uri).collect();
    assert_eq!(found, ["mailto:ann@example.org", "http://h/@a"]);
}

/// Programs for mail show its visible part, and have it with the text.
#[test]
fn a_link_in_the_html_of_a_calendar_is_read_over_references() {
    let html = "<a href=\"https://h.example/j?a=1&amp;b=2&am\r\n p\\;c=3&#38;d&amp\r\n\t;e\">";
    let text = format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-ALT-DESC;FMTTYPE=text/html:{html}\r\n\
         DESCRIPTION:https://h.example/?a&amp\r\n"
    );
    let found = findings("html.ics", text.as_bytes());
    let uris: Vec<_> = found.iter().map(|(uri, _)| uri.as_str()).collect();
    assert_eq!(uris, ["https://h.example/j?a=1&b=2&c=3&d&e", "https://h.example/?a&amp"]);
    let len = html.len() - "<a href=\"\">".len();
    assert_eq!(found[0].1[3], u64::try_from(len).expect("few bytes"));
}

/// Line, column, offset and length are those of the file: a fold is a part of the link.
#[test]
fn a_link_in_a_calendar_is_read_over_its_folds() {
    let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\
                DESCRIPTION:Join\\nhttps://h.example/j/123?pw\r\n \
                d=QU\\,D\\n\r\nURL;X=\\\"http://h.example/fol\r\n\tded\r\n";
    for (name, text) in [
        ("a.ics", text.to_owned()),
        ("a", text.to_owned()),
        ("card", text.replace("BEGIN:VCALENDAR", "begin:vcard").replace("VERSION:2", "version:4")),
    ] {
        let offset = |text: &str, of: &str| text.find(of).and_then(|at| u64::try_from(at).ok());
        let offset = |of: &str| offset(&text, of).expect("it is there");
        let found = findings(name, text.as_bytes());
        let expected = [
            ("https://h.example/j/123?pwd=QU,D", [3, 19, offset("https:"), 36]),
            ("http://h.example/folded", [5, 9, offset("http:"), 26]),
        ];
        let found: Vec<_> = found.iter().map(|(raw, place)| (raw.as_str(), *place)).collect();
        assert_eq!(found, expected, "{name}");
    }
    for (name, begin) in [
        ("old.vcf", "BEGIN:VCARD\nVERSION:2.1"),
        ("lower.vcf", "begin:vcard\nversion:2.1"),
        ("old.ics", "BEGIN:VCALENDAR\nVERSION:1.0"),
        ("mixed.vcf", "BEGIN:VCARD\nVERSION:3.0\nEND:VCARD\nBEGIN:VCARD\nVERSION:2.1"),
        ("log.ics", "all links"),
    ] {
        let old = format!("{begin}\nNOTE:see http://h/a\n http://h/b\n");
        let found: Vec<_> =
            findings(name, old.as_bytes()).into_iter().map(|(uri, _)| uri).collect();
        assert_eq!(found, ["http://h/a", "http://h/b"], "{name}: folds are at blanks, which stay");
    }
    let told = "BEGIN:VCARD\nVERSION:3.0\nNOTE:was VERSION:2.1, see http://h/a\n b\n";
    assert_eq!(findings("told.vcf", told.as_bytes())[0].0, "http://h/ab");
}
