//! Calendars and cards, decoded so that anybody sees it to be right.

use regex::bytes::{Captures, Regex};

/// What they are made of, and what is near to that.
pub(crate) const WORDS: &[&str] = &[
    "BEGIN:VCARD",
    "begin:vcalendar",
    "\nBEGIN:VCARD\nVERSION:3.0",
    "\nBEGIN:VCARD\r\nVERSION:4.0\r\n",
    "\nVERSION:1.0",
    "\nVERSION:2.1",
    "\nversion:2.0",
    "\nVERSION;X=Y: 2.1 \r\n",
    "\nEND:VCARD",
    "\nX-ALT-DESC;FMTTYPE=text/html:",
    "\nX;fmttype=text/\n html:&",
    "&amp;",
    "&am",
    "&",
    "p;",
    "&apos",
    "&#38",
    "\n",
    "\r\n",
    "\n ",
    "\r\n\t",
    "\\",
    "\\,",
    "\\n",
    ";",
    ":",
    "\\N",
    "\\\r\n ",
    "a",
    " ",
    "\u{FEFF}",
];

/// What those of older versions are made of.
pub(crate) const OLD_WORDS: &[&str] = &[
    "\nBEGIN:VCARD\nA;QUOTED-PRINTABLE:",
    "\nEND:VCARD",
    "\nBEGIN:VCARD\nVERSION:2.1\nA;QUOTED-PRINTABLE:",
    "=\nBEGIN:VCARD",
    "\nA;encoding=quoted-printable;B=C:",
    "\nA;ENCODING=QUOTED-PRINTABLE",
    "=",
    "=\n",
    "=\r\n",
    "=3D",
    "=0d=0A",
    "=07",
    "=C3",
    "=c3=\r\n=A9",
    "=A9",
    "\n",
    "\r",
    ":",
    "a",
    " ",
    "\\,",
];

/// What calendars and cards in `text` stand for, slowly.
pub(crate) fn slow(text: &[u8]) -> Vec<u8> {
    let begin = regex(r"(?i-u)(?:\A(?:\xEF\xBB\xBF)?|\n)BEGIN:V(?:CARD|CALENDAR)");
    let version = regex(r"(?i-u)\nVERSION(?:;[^:\n]*)?:([^\n]{0,16})");
    let end = regex(r"(?i-u)\nEND:VCA");
    let quoted = regex(r"(?i-u)\n[^:\n]*;(?:ENCODING=)?QUOTED-PRINTABLE(?:;[^:\n]*)?:");
    let mut starts: Vec<usize> = begin.find_iter(text).map(|found| found.start()).collect();
    starts.push(text.len());
    let mut out = text[..starts[0]].to_vec();
    for bounds in starts.windows(2) {
        let card = &text[bounds[0]..bounds[1]];
        // The line's end before it belongs to none.
        let (feed, card) = card.split_at(usize::from(card.starts_with(b"\n")));
        out.extend_from_slice(feed);
        let own = &card[..end.find(card).map_or(card.len(), |found| found.start())];
        let is_old = match version.captures(own) {
            Some(told) => matches!(told[1].trim_ascii(), b"1.0" | b"2.1"),
            None => quoted.is_match(own),
        };
        out.extend_from_slice(&if is_old { unquoted(card) } else { unfolded(card) });
    }
    out
}

/// One that is folded anywhere.
fn unfolded(card: &[u8]) -> Vec<u8> {
    let fold = regex(r"(?-u)\r?\n[ \t]");
    let html = regex(r"(?i-u)\A[^:\n]{0,200};FMTTYPE=text/html:");
    let escapes = regex(r"(?-u)\\([nN,;:\\])");
    let both = regex(r"(?-u)\\([nN,;:\\])|&(?:amp|apos)\\?;|&#38(?:\\?;)?");
    let made = |found: &Captures<'_>| match found.get(1).map(|letter| letter.as_bytes()) {
        Some(b"n" | b"N") => b"\n".to_vec(),
        Some(mark) => mark.to_vec(),
        None if found[0].starts_with(b"&ap") => b"'".to_vec(),
        None => b"&".to_vec(),
    };
    let mut out = Vec::new();
    let card = fold.replace_all(card, &b""[..]);
    for line in card.split_inclusive(|byte| *byte == b'\n') {
        let escapes = if html.is_match(line) { &both } else { &escapes };
        out.extend_from_slice(&escapes.replace_all(line, made));
    }
    out
}

/// One that has values in quoted-printable.
fn unquoted(card: &[u8]) -> Vec<u8> {
    let value =
        regex(r"(?i-u)\A[^:\n]*;(?:ENCODING=)?QUOTED-PRINTABLE(?:;[^:\n]*)?:(?:=\r?\n|[^\n])*\n?");
    let line = regex(r"(?-u)\A[^\n]*\n?");
    let escapes = regex(r"(?i-u)=\r?\n|=C3(?:=\r?\n)?=A9|=([0-7][0-9A-F])");
    let made = |found: &Captures<'_>| match found.get(1).map(|digits| digits.as_bytes()) {
        Some(b"0d" | b"0D") => b"\r".to_vec(),
        Some(b"0a" | b"0A") => b"\n".to_vec(),
        Some(b"3d" | b"3D") => b"=".to_vec(),
        Some(_) => b" ".to_vec(),
        None if found[0].ends_with(b"\n") => Vec::new(),
        None => "\u{e9}".as_bytes().to_vec(),
    };
    let (mut out, mut rest) = (Vec::new(), card);
    while !rest.is_empty() {
        let quoted = value.find(rest);
        let len = quoted.or_else(|| line.find(rest)).map_or(rest.len(), |found| found.end());
        let (here, behind) = rest.split_at(len);
        match quoted {
            Some(_) => out.extend_from_slice(&escapes.replace_all(here, made)),
            None => out.extend_from_slice(here),
        }
        rest = behind;
    }
    out
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern")
}
