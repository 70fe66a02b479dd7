//! Parts of messages through which a cut goes: what is coded in them is decoded all the same.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

use std::path::{Path, PathBuf};

use data_encoding::BASE64_MIME;
use linktrawl::internal::scan::LOOKAHEAD_MAX;
use linktrawl::internal::source::InputKind;

use crate::support::pieces::{WHOLE, filler, read, same_in_pieces, same_wherever_cut};

/// The messages of the corpus that are coded in all ways, as a mailbox of `len` bytes at least.
fn coded_mailbox(len: usize) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/mail/mime");
    let entries = std::fs::read_dir(root).expect("a folder of the corpus");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let messages: Vec<Vec<u8>> =
        paths.iter().map(|path| std::fs::read(path).expect("a message")).collect();
    let mut out = Vec::new();
    for message in messages.iter().cycle() {
        if out.len() >= len {
            return out;
        }
        out.extend_from_slice(b"From a@b.example Thu Dec  1 00:00:00 1994\n");
        out.extend_from_slice(message);
        out.push(b'\n');
    }
    out
}

#[test]
fn coded_messages_that_are_shorter_than_a_piece() {
    let text = coded_mailbox(60_000);
    let longest = 1400;
    let sizes = (longest..2 * longest).step_by(23).chain([5000, 16_384, 33_333]);
    same_in_pieces("coded", &text, InputKind::Auto, sizes);
}

#[test]
fn a_long_message_with_parts_that_are_skipped_quoted_or_plain() {
    let attachment = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJz\n".repeat(2000);
    let quoted =
        "http://www.example.org/a/lo=\nng/path?x=3D1\n\ntext of no interest\n".repeat(2000);
    let plain = "<http://www.example.org/plain/\npath> text of no interest\n".repeat(2000);
    let text = format!(
        "From a@b.example Thu Dec  1 00:00:00 1994\nContent-Type: multipart/mixed; boundary=b\n\n\
         --b\nContent-Type: image/png\n\n{attachment}\n--b\n\
         Content-Transfer-Encoding: quoted-printable\n\n{quoted}\n--b\n\n{plain}\n--b--\n"
    );
    same_in_pieces("long", text.as_bytes(), InputKind::Auto, [500, 3333, 16_384, 65_537]);
    same_in_pieces("long", text.as_bytes(), InputKind::Mail, [501, 16_385]);
}

/// Holds `head`, lines without an empty one, and `tail` against the same in pieces that end in
/// `tail`, or near its beginning.
#[track_caller]
fn same_where_a_cut_goes_through(name: &str, head: &str, tail: &[u8]) {
    let lines = "no blanks and no empty lines\n".repeat(700);
    let before = [head.as_bytes(), lines.as_bytes()].concat();
    let text = [&before, tail].concat();
    let (whole, _) = read(&text, InputKind::Mail, WHOLE);
    assert!(!whole.findings.is_empty(), "{name}: nothing is found");
    let near = tail.len().min(300);
    same_in_pieces(name, &text, InputKind::Mail, before.len() - 30..before.len() + near);
}

/// Text is scanned undecoded when nothing in it is coded: the text after a cut must count.
#[test]
fn text_that_is_coded_behind_a_cut() {
    let head = |fields: &str| format!("From: a@b\nTo: c@d\nMIME-Version: 1.0\n{fields}\n\n");
    let html = "<p>https&#58;//a.example/ <a href=\"http://b.example/?a&amp;b=1\">b</a>\n";
    same_where_a_cut_goes_through(
        "references",
        &head("Content-Type: text/html; charset=us-ascii"),
        &[html, &filler(900), "\n"].concat().into_bytes(),
    );
    let latin = [b"see <http://a.example/b\n/\xE9x> \n", filler(900).as_bytes()].concat();
    same_where_a_cut_goes_through(
        "a charset",
        &head("Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit"),
        &latin,
    );
    // So far away that it is not seen.
    let far = filler(LOOKAHEAD_MAX + 1000).replace(' ', "-");
    let html = ["<a href=\"http://a.example/\">a</a> ", &far, "<a href=\"http://b/?a&amp;b\">"];
    same_where_a_cut_goes_through(
        "references far behind",
        &head("Content-Type: text/html; charset=us-ascii"),
        html.concat().as_bytes(),
    );
}

/// Dots are deleted of articles in the wire format, wherever these are cut.
#[test]
fn dots_after_a_cut() {
    let lines = "no blanks and no empty lines\r\n".repeat(700);
    let head = format!(
        "Path: a\r\nFrom: a@b\r\nNewsgroups: a.b\r\n\
         Message-ID: <1@a>\r\n\r\n{lines}"
    );
    let text = format!("{head}<http://a.example/long\r\n../b> x\r\n{lines}.\r\n");
    let (whole, _) = read(text.as_bytes(), InputKind::Mail, WHOLE);
    assert!(whole.findings[0].contains("http://a.example/long./b"), "{whole:?}");
    same_in_pieces("dots", text.as_bytes(), InputKind::Mail, head.len() - 30..head.len() + 60);
    same_in_pieces("dots", text.as_bytes(), InputKind::Mail, 5000..5010);
}

/// Coded text in a header is decoded, wherever a cut falls.
#[test]
fn headers_that_a_cut_goes_through() {
    let multipart = "From: a@b\nTo: c@d\nContent-Type: multipart/mixed; boundary=b\n\n\
        --b\nContent-Type: image/png\n";
    let fields = "--b\nContent-Description:\n =?utf-8?B?aHR0cDovL2EuZXhhbXBsZS9kZXNj?=\n\
        Content-Location: http://b.example/\n long/page.html\nX-A: http://c.example/\n\n\
        http://d.example/\n--b\nContent-Type: message/external-body; access-type=URL;\n \
        URL=\"http://e.example/\n long/1\"\n\nContent-Type: text/html\n\n--b--\n";
    same_where_a_cut_goes_through("parts", &format!("{multipart}\n"), fields.as_bytes());
    // A text that is not a message at its place is none after a cut.
    let from = "From me to you\nX-A: b\nX-B: http://a.example/\n\ntext\n--b\n\
        Content-Transfer-Encoding: base64\n\naHR0cDovL2IuZXhhbXBsZS8=\n--b--\n";
    let mailbox = format!("From a@b.example Thu Dec  1 00:00:00 1994\n{multipart}\n");
    same_where_a_cut_goes_through("a line", &mailbox, format!("--b\n{from}").as_bytes());
    let subject = "Subject: =?utf-8?Q?http://a.example/?=\nX-A: http://b.example/\n\nhttp://c/\n";
    let from = "From a@b.example Thu Dec  1 00:00:00 1994\n";
    let mailbox = format!("{from}To: b\n\n");
    let next = format!("{from}{subject}");
    same_where_a_cut_goes_through("a mailbox", &mailbox, next.as_bytes());
}

/// Lines without an empty one, with URIs of all kinds at all distances from their beginning.
fn lines(count: usize) -> String {
    let line = |number: usize| {
        let pad = "-".repeat(number % 19);
        match number % 7 {
            0 => format!("{pad} see http://a.example/{number}?a=b&c=\n"),
            1 => format!(
                "{pad}<URL:http://b.example/{number}/\n  folded.html> <http://c/{number}>\n"
            ),
            2 => format!("<mailto:{number}@d.example><http://e.example/{number}>{pad}\n"),
            3 => format!(". {pad}www.f.example/{number}, (ftp://g.example/{number})\n"),
            4 => format!("..{pad} \"http://h.example/\u{e9}/{number}\"\n"),
            _ => format!("{pad} a line of a log in which nothing stands {number}\n"),
        }
    };
    (0..count).map(line).collect()
}

fn quoted_printable(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut width = 0;
    for byte in text {
        let is_plain = matches!(byte, b'\n' | b' '..=b'<' | b'>'..=b'~');
        let code = if is_plain { vec![*byte] } else { format!("={byte:02X}").into_bytes() };
        width = if *byte == b'\n' { 0 } else { width + code.len() };
        if width > 70 {
            out.extend_from_slice(b"=\n");
            width = code.len();
        }
        out.extend_from_slice(&code);
    }
    out
}

/// Returns lines of base64 with an empty one after each fifth.
fn apart(coded: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = coded.split_inclusive(|byte| *byte == b'\n').collect();
    lines.chunks(5).flat_map(|lines| [lines.concat(), b"\n".to_vec()].concat()).collect()
}

/// Returns a message with `body` between two uncoded parts.
fn around(fields: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "From: a@b\nTo: c@d\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n\
         http://first.example/\n--b\n{fields}\n\n"
    );
    [head.as_bytes(), body, b"\n--b\n\nhttp://last.example/\n--b--\n"].concat()
}

/// Tags and links with empty lines in them, in what is longer than a window.
#[test]
fn html_that_goes_on_after_an_empty_line() {
    let unit = "<p title=x>words</p>\n\n<a href=\"http://a.example/b\n\nc.html\">d</a>\n\
        <a href=\"http://e.example/\">\n\nhttp://f.example/</a>\n<img src=\"cid:g\n\nh@i\">\n\
        <p>h<b>ttp://j.</b><span title='k\n\n'>exam</span><!--\n\n-->ple/<i>l</i>\n";
    let text = unit.repeat(2 * LOOKAHEAD_MAX / unit.len());
    let html = "Content-Type: text/html".to_owned();
    let quoted = format!("{html}\nContent-Transfer-Encoding: quoted-printable");
    for (name, fields, body) in [
        ("as it is", html, text.clone().into_bytes()),
        ("quoted", quoted, quoted_printable(text.as_bytes())),
    ] {
        let message = around(&fields, &body);
        let sizes = (40_000..40_000 + unit.len()).step_by(5);
        same_in_pieces(name, &message, InputKind::Mail, sizes);
    }
}

/// A cut at the end of a part without a header, in which a boundary seems to follow another.
#[test]
fn parts_are_counted_wherever_a_cut_is_made() {
    let message = format!(
        "From: a@b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n{}\n--b\nsee http://c/d\n\
         --b\nContent-Type: text/plain\n\nhttp://e/f\n{}--b--\n",
        "words\n".repeat(40),
        "words\n".repeat(40),
    );
    same_wherever_cut("parts", message.as_bytes(), InputKind::Mail);
    let far = message.replace("words\n", &"words\n".repeat(1000));
    let at = far.find("\n--b\nsee").expect("the second part");
    same_in_pieces("far parts", far.as_bytes(), InputKind::Mail, at - 20..at + 60);
}

/// Parts that are longer than what is decoded at once.
#[test]
fn coded_parts_of_any_length() {
    let text = lines(400);
    let latin = text.chars().map(|one| u8::try_from(one).expect("ISO 8859-1 has it"));
    let latin: Vec<u8> = latin.collect();
    let base64 = |text: &[u8]| BASE64_MIME.encode(text).into_bytes();
    let quoted = "Content-Transfer-Encoding: quoted-printable";
    let coded = "Content-Transfer-Encoding: base64";
    for (name, fields, body) in [
        ("quoted", quoted.to_owned(), quoted_printable(text.as_bytes())),
        ("base64", coded.to_owned(), base64(text.as_bytes())),
        ("apart", coded.to_owned(), apart(&base64(text.as_bytes()))),
        (
            "html",
            format!("Content-Type: text/html\n{coded}"),
            base64(text.replace('&', "&amp;").as_bytes()),
        ),
        ("latin", format!("Content-Type: text/plain; charset=latin1\n{coded}"), base64(&latin)),
        (
            "json",
            format!("Content-Type: application/json\n{quoted}"),
            quoted_printable(text.replace('/', "\\/").as_bytes()),
        ),
    ] {
        let message = around(&fields, &body);
        let (whole, _) = read(&message, InputKind::Mail, WHOLE);
        assert!(whole.findings.len() > 350, "{name}: {}", whole.findings.len());
        let sizes = (13..200).step_by(17).chain([500, 1000, 1333, message.len() / 16]);
        same_in_pieces(name, &message, InputKind::Mail, sizes);
        same_wherever_cut(name, &around(&fields, &body[..700]), InputKind::Mail);
    }
}

/// Blocks of packed lines, `lines` lines long, of each kind; the most could be taken for text.
fn blocks(lines: usize) -> [(&'static str, String); 6] {
    let uuencode = format!("M8\"!HTTP://A.EXAMPLE/X 2{}\n", "8".repeat(38)).repeat(lines);
    let yenc = format!("http://a.example/ {}\r\n", "x".repeat(46)).repeat(lines);
    let yenc = format!("{yenc}http://b.example/\r\n=yend size=9999\r\n");
    let base64 = format!("{}\n", "QUJD".repeat(16)).repeat(lines);
    let armour = "PGP MESSAGE-----\n";
    [
        ("uuencode", format!("begin 644 a\n{uuencode}`\nend\n")),
        ("uuencode with an empty line", format!("begin 644 a\n{uuencode}\nend\n")),
        ("yenc", format!("=ybegin line=64 size=9999 name=a\r\n{yenc}")),
        ("a part in yenc", format!("=ybegin line=64 size=9999 name=a\r\n=ypart begin=1\n{yenc}")),
        ("armour", format!("-----BEGIN {armour}A: b\n\n{base64}\n-----END {armour}")),
        ("base64", format!("begin-base64 644 a\n{base64}\n====\n")),
    ]
}

/// A message with `block` between two URIs.
fn with_block(block: &str) -> String {
    format!("From: a@b\nTo: c@d\n\nhttp://first.example/\n\n{block}\nhttp://last.example/\n")
}

/// Holds a message with `block` against the same in pieces.
#[track_caller]
fn same_with_a_block(name: &str, block: &str, sizes: impl IntoIterator<Item = usize>) {
    let text = with_block(block);
    let (whole, _) = read(text.as_bytes(), InputKind::Mail, WHOLE);
    assert_eq!((whole.findings.len(), whole.blocks), (2, 1), "{name}: {:?}", whole.findings);
    same_in_pieces(name, text.as_bytes(), InputKind::Mail, sizes);
}

#[test]
fn blocks_that_a_cut_goes_through() {
    for (name, block) in blocks(4) {
        same_with_a_block(name, &block, 1..block.len() + 100);
    }
}

#[test]
fn blocks_that_are_longer_than_what_a_piece_sees() {
    for (name, block) in blocks(3 * LOOKAHEAD_MAX / 60) {
        let near = (0..70).map(|at| 40_000 + at);
        same_with_a_block(name, &block, near.chain([777, 65_536, 131_072, 300_001]));
    }
}

/// Lines that begin a block, or go on with one, are text when what must follow does not.
#[test]
fn lines_that_are_no_blocks_where_a_cut_goes_through() {
    let line = "see http://a.example/ there\n";
    for (name, block) in blocks(4) {
        let last = block.lines().last().map_or(0, |last| last.len() + 2);
        let text = with_block(&format!("{}\n{line}", &block[..block.len() - last]));
        let (whole, _) = read(text.as_bytes(), InputKind::Mail, WHOLE);
        assert_eq!(whole.blocks, 0, "{name}");
        same_wherever_cut(name, text.as_bytes(), InputKind::Mail);
        let far = [text, line.repeat(10_000)].concat();
        same_in_pieces(name, far.as_bytes(), InputKind::Mail, [100, 3333, 65_536]);
    }
}

/// After a line that cannot be part of a long block, all is text; the end of the block may be
/// missing.
#[test]
fn long_blocks_that_are_broken_off() {
    let lines = "see http://a.example/ there\n".repeat(100);
    for (name, block) in blocks(5000).into_iter().take(4) {
        let broken = format!("{}\n{lines}", &block[..200_000]);
        let text = with_block(&broken);
        let (whole, _) = read(text.as_bytes(), InputKind::Mail, WHOLE);
        // The rest of the last line may be taken for a URI.
        assert!((102..=103).contains(&whole.findings.len()), "{name}: {}", whole.findings.len());
        assert_eq!(whole.blocks, 1, "{name}");
        let sizes = [5000, 65_536, 199_999, 200_030, 200_100];
        same_in_pieces(name, text.as_bytes(), InputKind::Mail, sizes);
    }
}

/// Blocks, pieces of them and other lines, in any order.
#[test]
fn blocks_that_are_mixed_at_random() {
    let mut state = 88_172_645_463_325_252_u64;
    let mut below = move |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % most as u64).expect("less than that")
    };
    let lines = blocks(1).map(|(_, block)| block.lines().map(|line| format!("{line}\n")).collect());
    let lines: Vec<Vec<String>> = lines.into();
    let others = ["\n", "`\n", "see http://a/\n", "endless\n", "short", "=ybegin line=9\n"];
    for round in 0..60 {
        let mut text = with_block("");
        for _ in 0..below(40) {
            let kind = &lines[below(lines.len())];
            match below(10) {
                0 => text.push_str(&kind[1].repeat(below(1500))),
                1 => text.push_str(others[below(others.len())]),
                2..6 => kind.iter().for_each(|line| text.push_str(line)),
                _ => text.push_str(&kind[below(kind.len())]),
            }
        }
        let sizes: Vec<usize> = (0..3).map(|_| 100 + below(70_000)).collect();
        same_in_pieces(&format!("round {round}"), text.as_bytes(), InputKind::Mail, sizes);
    }
}
