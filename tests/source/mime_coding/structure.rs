//! Parts of messages: their numbers, their codings, and where they end.

use linktrawl::internal::source::mail::mailbox::FromLine;
use linktrawl::internal::source::mail::mime::{
    Content, Edge, Omission, Section, Sections, Text, Walk,
};

use crate::support::chance::Chance;

pub(super) fn walk(text: &[u8]) -> Sections {
    let mut found = Sections::default();
    let (mut walk, mut at) = (Walk::new(FromLine::Begins), 0);
    while at < text.len() {
        at = walk.sections(whole(text), at, &mut found);
    }
    let mut end = 0;
    for section in &found.list {
        assert!(section.span.start == end && !section.span.is_empty());
        end = section.span.end;
    }
    assert_eq!(end, text.len(), "{}", text.escape_ascii());
    found
}

/// A text of which nothing is in other pieces.
fn whole(bytes: &[u8]) -> Text<'_> {
    Text { bytes, to: bytes.len(), sight: bytes.len(), edge: Edge::End }
}

/// Every section that is no header, in words.
fn bodies(text: &str) -> Vec<String> {
    let line = |section: &Section| {
        let content = section.span.of(text.as_bytes()).escape_ascii().to_string();
        let part = section.part.as_deref().unwrap_or("-");
        format!("{part} {:?} {:?} {content}", section.content, section.codings)
    };
    let found = walk(text.as_bytes());
    found.list.iter().filter(|section| section.content != Content::Fields).map(line).collect()
}

fn multipart(boundary: &str, parts: &[&str]) -> String {
    let parts: String = parts.iter().map(|part| format!("--{boundary}\n{part}\n")).collect();
    format!("Content-Type: multipart/mixed; boundary=\"{boundary}\"\n\n{parts}--{boundary}--\n")
}

/// The body of a message of this type, in words.
fn body_of(kind: &str, body: &str) -> String {
    bodies(&format!("Content-Type: {kind}\n\n{body}")).concat()
}

#[test]
fn only_plain_text_flows() {
    for (kind, flows) in
        [("text/plain", true), ("text", true), ("text/html", false), ("text/x-y", false)]
    {
        let body = body_of(&format!("{kind}; format=flowed; delsp=yes"), "a \nb c\n");
        assert_eq!(body.contains("Flowed"), flows, "{kind}: {body}");
    }
}

/// RFC 2045 §5.2.
#[test]
fn a_type_that_is_none_means_text() {
    for kind in [
        "\"text/plain\"",
        "<text/plain>",
        "/plain",
        "/",
        "application/",
        "image/",
        "Content-Type: text/plain",
        "=?utf-8?Q?text/plain?=",
    ] {
        let body = body_of(kind, "a\n");
        assert!(body.contains("Text"), "{kind}: {body}");
    }
    for (kind, expected) in [
        ("\"text/html\"", "Html"),
        ("\"image/png\"", "Skipped"),
        ("image/png name=a.png", "Skipped"),
        ("\"multipart/mixed\"; boundary=b", "Html"),
    ] {
        let body = body_of(kind, "--b\nContent-Type: text/html\n\na\n--b--\n");
        assert!(body.contains(expected), "{kind}: {body}");
    }
}

#[test]
fn parts_have_numbers_and_codings() {
    let inner = multipart("bb", &["\nx", "Content-Type: text/html\n\ny"]);
    let outer = multipart(
        "b",
        &["Content-Transfer-Encoding: Base64\n\nYQ==", &inner, "Content-Type: image/png\n\nz"],
    );
    let expected = [
        "1 Text [Base64] YQ==\\n",
        "2.1 Text [] x\\n",
        "2.2 Html [] y\\n",
        "2 Text [] \\n",
        "3 Skipped [] z\\n",
    ];
    assert_eq!(bodies(&outer), expected);
}

#[test]
fn a_message_in_a_message_has_a_body_of_its_own() {
    let nested = multipart("b", &["Content-Type: message/rfc822\n\nSubject: x\n\nhello"]);
    assert_eq!(bodies(&nested), ["1.1 Text [] hello\\n"]);
    let twice = "Content-Type: message/rfc822\n\nContent-Type: message/rfc822\n\nTo: x\n\nhello";
    assert_eq!(bodies(&multipart("b", &[twice])), ["1.1.1 Text [] hello\\n"]);
    let digest = "Content-Type: multipart/digest; boundary=b\n\n--b\n\nSubject: x\n\nhello\n--b\n\
        Content-Type: text/plain\n\nplain\n";
    assert_eq!(bodies(digest), ["1.1 Text [] hello\\n", "2 Text [] plain\\n"]);
    let coded = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nYQ==\n";
    assert_eq!(bodies(coded), ["- Message [Base64] YQ==\\n"]);
}

#[test]
fn behind_the_header_of_a_body_that_is_elsewhere_stands_text() {
    let external = "Content-Type: message/external-body; access-type=x\n\n\
        Content-Type: multipart/mixed; boundary=c\nContent-Transfer-Encoding: base64\n\na: b\n";
    assert_eq!(bodies(external), ["- Text [] a: b\\n"]);
    let parts = multipart("b", &[external, &external[..external.len() - 6], "\ny"]);
    assert_eq!(bodies(&parts), ["1 Text [] a: b\\n\\n", "3 Text [] y\\n"]);
    let other = "Content-Type: message/http\n\na: b\n";
    assert_eq!(bodies(other), ["- Text [] a: b\\n"]);
    let status = "Content-Type: message/delivery-status\n\na: b\n";
    assert!(bodies(status).is_empty());
}

#[test]
fn boundaries_end_the_parts_of_their_own_multipart_and_inner_ones() {
    let open = "Content-Type: multipart/mixed; boundary=b\n\nfor others\n--b\n\
        Content-Type: multipart/mixed; boundary=b2\n\n--b2\n\nx\n--b \n\ny\n--b-- \nend\n";
    let expected =
        ["- Text [] for others\\n", "1.1 Text [] x\\n", "2 Text [] y\\n", "- Text [] end\\n"];
    assert_eq!(bodies(open), expected);
}

#[test]
fn boundaries_are_read_as_rfc_2231_writes_them() {
    for parameter in [
        "boundary=a-b",
        "boundary=\"a-b\"; x=y",
        "x=\"y;z\"; BOUNDARY = \"a\\-b\"",
        "boundary*0=\"a-\"; boundary*1=b",
        "boundary*=us-ascii'en'a%2Db",
        "boundary*0*=''a%2D;boundary*1*=%62",
        "boundary*1=b; boundary*0=\"a-\"",
        "boundary*10=b; x=y; boundary*9=; boundary*2=-; boundary*2=c; boundary*0=a",
        "boundary*1*=%62;boundary*0*=us-ascii'en'a%2D",
        "boundary*0=c; boundary=a-b; boundary*x=d",
    ] {
        let text =
            format!("content-type : Multipart/Mixed (a comment);\n\t{parameter}\n\n--a-b\n\nx\n");
        assert_eq!(bodies(&text), ["1 Text [] x\\n"], "{parameter}");
    }
}

#[test]
fn a_blank_in_a_boundary_without_quotes_hides_no_part() {
    for (parameter, boundary) in [
        ("boundary=a b; x=y", "a b"),
        ("boundary=a b; x=y", "a"),
        ("boundary=----=_Part 12", "----=_Part 12"),
        ("boundary=a\tb", "a\tb"),
        ("boundary=a\n b ", "a b"),
        ("boundary=a (b)", "a"),
        ("boundary=a (b)", "a (b)"),
        ("boundary=\"a\" b", "a"),
        ("boundary=a b; boundary=c d", "a b"),
    ] {
        let field = format!("Content-Type: multipart/mixed; {parameter}");
        let text = format!("{field}\n\n--{boundary}\n\nx\n--{boundary}--\ny\n");
        assert_eq!(bodies(&text), ["1 Text [] x\\n", "- Text [] y\\n"], "{parameter}");
    }
}

#[test]
fn a_quote_is_one_after_a_first_section_that_is_empty() {
    let field = "multipart/mixed; boundary*0*=us-ascii''; boundary*1*=a'b'c";
    let text = format!("Content-Type: {field}\n\n--a'b'c\n\nx\n");
    assert_eq!(bodies(&text), ["1 Text [] x\\n"]);
}

#[test]
fn comments_stand_anywhere_between_the_words_of_a_field() {
    for field in [
        "multipart/mixed; (c) boundary=\"a-b\"",
        "multipart/mixed;\n (made (by; x=\"y) \\( me)\n\tboundary=a-b",
        "(c) multipart/mixed (c;boundary=x) ; (c)\t(d) boundary (c) = (c) a-b (c)",
        "multipart/mixed; x=y (z; boundary=c); boundary=\"a-b\" (open",
        "multipart/mixed; charset=(c); boundary=a-b",
        "multipart/mixed; name=a(1.txt; boundary=a-b",
    ] {
        let text = format!("Content-Type: {field}\n\n--a-b\n\nx\n");
        assert_eq!(bodies(&text), ["1 Text [] x\\n"], "{field}");
    }
    let brackets = "Content-Type: multipart/mixed; boundary=(a)\n\n--(a)\n\nx\n";
    assert_eq!(bodies(brackets), ["1 Text [] x\\n"]);
}

#[test]
fn labels_are_read_however_they_are_written() {
    for (label, coding) in [
        ("7-bit", ""),
        ("8 bit", ""),
        ("text/html", ""),
        ("quoted printable", "Quoted"),
        ("Quoted-Printable;", "Quoted"),
        ("base64 (comment)", "Base64"),
        ("(a (nested) \\) one) base64", "Base64"),
        ("(open base64", ""),
        ("BASE64", "Base64"),
        ("x-base64", "Base64"),
        ("7bit, base64", "Base64"),
    ] {
        let text = format!("Content-Transfer-Encoding: {label}\n\nx");
        assert_eq!(bodies(&text), [format!("- Text [{coding}] x")], "{label}");
    }
    let packed = "Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n";
    assert_eq!(bodies(packed), ["- Skipped [] begin 644 a\\n"]);
}

#[test]
fn a_multipart_in_base64_as_a_whole_is_text() {
    let head = "Content-Type: multipart/mixed boundary=b1\nContent-Transfer-Encoding: base64";
    let whole = format!("{head}\n\nLS1iMQo=\n");
    assert_eq!(bodies(&whole), ["- Text [Base64] LS1iMQo=\\n"]);
    let parts = format!("{head}\n\n--b1\n\nLS1iMQo=\n");
    assert_eq!(bodies(&parts), ["1 Text [] LS1iMQo=\\n"]);
}

#[test]
fn blocks_of_uuencode_are_passed_by_and_armour_is_counted() {
    let text = "To: a\n\nx\nbegin 644 a.txt\n%:&5L;&\\\n`\nend\ny\n-----BEGIN PGP MESSAGE-----\n\n\
        abcd\n-----END PGP MESSAGE-----\nbegin 123 is no block\nend\n";
    let found = walk(text.as_bytes());
    let skipped: Vec<&Section> =
        found.list.iter().filter(|section| section.content == Content::Skipped).collect();
    assert_eq!(skipped.len(), 1);
    assert_eq!(skipped[0].span.of(text.as_bytes()), b"begin 644 a.txt\n%:&5L;&\\\n`\nend");
    let counted = found.omissions.iter().filter(|(_, count)| *count > 0);
    assert_eq!(counted.collect::<Vec<_>>(), [(Omission::Uuencode, 1), (Omission::Armour, 1)]);
}

#[test]
fn a_boundary_that_is_repeated_at_once_begins_one_part() {
    let head =
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n--b\n--b\n\none\n--b\n\n--b\n\ntwo\n";
    let expected = ["1 Text [] one\\n", "3 Text [] two\\n"];
    assert_eq!(bodies(head), expected);
}

#[test]
fn empty_lines_before_a_nested_header_are_passed() {
    for lines in ["\n", "\n\n\n", "\r\n", "\u{FEFF}\n"] {
        for head in ["Subject: x\n", "From a@b Mon Jun  3 10:00:00 2024\nTo: c\n"] {
            let inner = format!("{lines}{head}Content-Transfer-Encoding: base64\n\nYQ==\n");
            let message = format!("Content-Type: message/rfc822\n\n{inner}");
            assert_eq!(bodies(&message), ["1 Text [Base64] YQ==\\n"], "{lines:?}");
            let digest =
                format!("Content-Type: multipart/digest; boundary=b\n\n--b\n\n{inner}--b--\n");
            assert_eq!(bodies(&digest), ["1.1 Text [Base64] YQ==\\n"], "{lines:?}");
        }
    }
    let text = "Content-Type: message/rfc822\n\n\n\nno header: it is text\nhello\n";
    assert_eq!(bodies(text).len(), 1);
    let text = "Content-Type: message/rfc822\n\n\nonly text\n";
    assert_eq!(bodies(text), ["1 Text [] only text\\n"]);
}

#[test]
fn a_boundary_that_the_header_does_not_give_is_read_from_the_body() {
    const PARTS: &str = "\n--cut\nContent-Transfer-Encoding: base64\n\nYQ==\n\
        --cut\nContent-Type: text/html\n\nx\n--cut--\n";
    for value in [
        "multipart/mixed",
        "multipart/mixed; boundary=",
        "multipart/mixed; boundary=x",
        "multipart/mixed; boundary=\"cu",
        "multipart/mixed; boundary=CUT",
        "multipart/mixed; boundary=\"--cut\"",
        "multipart/mixed; boundary=\" cut\"",
        "multipart/mixed boundary=\"cut\"",
        "multipart/mixed; boundary:\"cut\"",
        "multipart/mixed, boundary=\"cut\"",
        "multipart/mixed; boundary=\u{201C}cut\u{201D}",
        "multipart; boundary=x",
    ] {
        let text = format!("Content-Type: {value}\n{PARTS}");
        let expected = ["1 Text [Base64] YQ==\\n", "2 Html [] x\\n"];
        assert_eq!(bodies(&text), expected, "{value}");
    }
    let unfolded = format!("Content-Type: multipart/mixed;\nboundary=\"cut\"\n{PARTS}");
    assert_eq!(bodies(&unfolded).len(), 3);
    let text = format!("Content-Type: text/plain\n{PARTS}");
    assert_eq!(bodies(&text).len(), 1, "it is no multipart");
}

#[test]
fn a_delimiter_of_an_enclosing_multipart_is_no_boundary_of_an_inner_one() {
    let inner = "Content-Type: multipart/mixed\n\nnothing";
    let outer = multipart("b", &[inner, "Content-Type: text/plain\n\nx"]);
    assert_eq!(bodies(&outer), ["1 Text [] nothing\\n", "2 Text [] x\\n"]);
}

#[test]
fn a_delimiter_ends_base64_whose_line_end_is_missing() {
    for code in ["YQ==", "YWI=", "YWJj", "eHh4\nYQ=="] {
        let part = format!("Content-Transfer-Encoding: base64\n\n{code}");
        let text = format!(
            "Content-Type: multipart/mixed; boundary=--b\n\n----b\n{part}----b\n{part}----b--\n\
             end\n"
        );
        let shown = code.replace('\n', "\\n");
        let expected = [
            format!("1 Text [Base64] {shown}"),
            format!("2 Text [Base64] {shown}"),
            "- Text [] end\\n".to_owned(),
        ];
        assert_eq!(bodies(&text), expected, "{code}");
    }
    let text = multipart("b", &["\nYQ==--b\nx"]);
    assert_eq!(bodies(&text), ["1 Text [] YQ==--b\\nx\\n"], "only in base64");
}

fn count_of(found: &Sections, wanted: Omission) -> u64 {
    found.omissions.iter().find(|(omission, _)| *omission == wanted).map_or(0, |(_, count)| count)
}

#[test]
fn the_beginning_of_a_header_that_is_too_long_says_what_its_body_is() {
    let long = format!("X-A: {}\n", "y".repeat(200_000));
    let many = "X-A: y\n".repeat(40_000);
    for filler in [&long, &many] {
        let coded = format!("Content-Transfer-Encoding: base64\n{filler}\nYQ==\n");
        assert_eq!(bodies(&coded), ["- Text [Base64] YQ==\\n"]);
        let late = format!("{filler}Content-Transfer-Encoding: base64\n\nYQ==\n");
        assert_eq!(bodies(&late), ["- Text [] YQ==\\n"]);
        for (text, count) in [(&coded, 1), (&late, 1), (&format!("To: a\n\n{filler}"), 0)] {
            assert_eq!(count_of(&walk(text.as_bytes()), Omission::HeaderTooLong), count);
        }
        let parts = ["\nx", &coded, "Content-Type: text/html\n\ny"];
        let expected = ["1 Text [] x\\n", "2 Text [Base64] YQ==\\n\\n", "3 Html [] y\\n"];
        assert_eq!(bodies(&multipart("b", &parts)), expected);
        let open = multipart("b", &[filler, "\ny"]);
        assert_eq!(bodies(&open), ["2 Text [] y\\n"]);
        let message = format!("Content-Type: message/rfc822\n{filler}\nTo: a\n\nx");
        assert_eq!(
            bodies(&multipart("b", &[&message, "\ny"])),
            ["1.1 Text [] x\\n", "2 Text [] y\\n"]
        );
    }
}

#[test]
fn a_long_header_is_read_in_pieces_as_at_once() {
    let filler = "X-A: y\n  z\n".repeat(20_000);
    let coded = format!("Content-Type: text/html\n{filler}\nx\n");
    let text = multipart("b", &[&coded, "\ny"]);
    let wanted = bodies(&text);
    let bytes = text.as_bytes();
    let tail = memchr::memmem::find(bytes, b"\n\nx").expect("the end of the header");
    for first in (1..200).chain(140_000..140_030).chain(tail - 3..tail + 3) {
        let mut found = Sections::default();
        let mut walk = Walk::new(FromLine::Begins);
        let one = Text { to: first, edge: Edge::Anywhere, ..whole(bytes) };
        assert_eq!(walk.sections(one, 0, &mut found), first);
        let end = walk.sections(whole(bytes), first, &mut found);
        assert_eq!(end, bytes.len());
        let line = |section: &Section| {
            let content = section.span.of(bytes).escape_ascii().to_string();
            let part = section.part.as_deref().unwrap_or("-");
            format!("{part} {:?} {:?} {content}", section.content, section.codings)
        };
        let bodies = found.list.iter().filter(|section| section.content != Content::Fields);
        assert_eq!(bodies.map(line).collect::<Vec<_>>(), wanted, "cut at {first}");
        assert_eq!(count_of(&found, Omission::HeaderTooLong), 1, "cut at {first}");
    }
}

#[test]
fn nesting_without_end_is_read_as_it_stands() {
    let messages = "Content-Type: message/rfc822\n\n".repeat(100_000);
    let found = walk(messages.as_bytes());
    assert_eq!(count_of(&found, Omission::TooDeep), 1);
    let mut multiparts = String::new();
    for level in 0..100_000 {
        multiparts += &format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n");
    }
    let found = walk(multiparts.as_bytes());
    assert_eq!(count_of(&found, Omission::TooDeep), 1);
    let parts = multipart("b", &["\nx"; 100_000]);
    let found = walk(parts.as_bytes());
    assert_eq!(count_of(&found, Omission::TooMany), 1);
    assert!(found.list.len() < 40_000, "{}", found.list.len());
}

#[test]
fn any_bytes_are_covered_by_sections() {
    const LINES: [&str; 16] = [
        "Content-Type: multipart/mixed; boundary=b\n",
        "Content-Type: multipart/x; boundary=bb\n",
        "Content-Type: message/rfc822\n",
        "Content-Transfer-Encoding: base64\n",
        "\n",
        "--b\n",
        "--b--\n",
        "--bb\r\n",
        "--bb--",
        "Subject: =?a?q?b?=\n",
        " folded\n",
        "text\n",
        "From a 10:00\n",
        "begin 644 a\n",
        "end\n",
        "Content-Type: text/html; charset=utf-16\n",
    ];
    let mut chance = Chance(5);
    for _ in 0..20_000 {
        let lines: String =
            (0..chance.below(30)).map(|_| LINES[chance.below(LINES.len())]).collect();
        walk(lines.as_bytes());
    }
    for _ in 0..2000 {
        let len = chance.below(300);
        walk(&chance.telling(len));
    }
}
