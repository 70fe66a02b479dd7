//! A slow, obvious decoder of calendars and cards.

use regex::bytes::{Captures, Regex};

/// Pieces of calendars and cards, and texts that resemble them.
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
    "\r",
    "\r ",
    "\r\r\n ",
    "\nA;ENCODING=QUOTED-PRINTABLE:",
    "\rA;ENCODING=\r\n QUOTED-PRINTABLE;B=C:",
    "=",
    "=3D",
    "=\n",
    "=C3",
    "=A9",
    "= \r\n\t",
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

/// Pieces of older versions.
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
    "= \t\n",
    "\r\r\n",
    "\rA;B=C;\n encoding=quoted-printable:",
    "\rBEGIN:VCARD\rVERSION:3.0\r",
    "=c3=\r\n=A9",
    "=A9",
    "\n",
    "\r",
    ":",
    "a",
    " ",
    "\\,",
];

/// A line's end.
const EOL: &str = r"(?:\r{0,2}\n|\r)";

/// Returns the decoded `text`.
pub(crate) fn slow(text: &[u8]) -> Vec<u8> {
    let begin = regex(r"(?i-u)(?:\A(?:\xEF\xBB\xBF)?|EOL)BEGIN:V(?:CARD|CALENDAR)");
    let feed = regex(r"(?-u)\A(?:EOL)?");
    let version = regex(r"(?i-u)[\r\n]VERSION(?:;[^:\r\n]*)?:([^\r\n]{0,16})");
    let end = regex(r"(?i-u)[\r\n]END:VCA");
    let feeds = regex(r"(?-u)[\r\n]");
    let mut starts: Vec<usize> = begin.find_iter(text).map(|found| found.start()).collect();
    starts.push(text.len());
    let mut out = text[..starts[0]].to_vec();
    for bounds in starts.windows(2) {
        let card = &text[bounds[0]..bounds[1]];
        // The line's end before it belongs to none.
        let (feed, card) = card.split_at(feed.find(card).map_or(0, |found| found.end()));
        out.extend_from_slice(feed);
        let own = &card[..end.find(card).map_or(card.len(), |found| found.start())];
        let is_old = match version.captures(own) {
            Some(told) => matches!(told[1].trim_ascii(), b"1.0" | b"2.1"),
            None => feeds.find_iter(own).any(|found| is_quoted(&own[found.end()..])),
        };
        out.extend_from_slice(&decoded(card, is_old));
    }
    out
}

/// Whether the value of the line that `text` begins with is in quoted-printable.
fn is_quoted(text: &[u8]) -> bool {
    let quoted = regex(r"(?i-u)\A[^:\r\n]*;(?:ENCODING=)?QUOTED-PRINTABLE(?:;[^:\r\n]*)?:");
    quoted.is_match(&unfolded(text))
}

fn unfolded(text: &[u8]) -> Vec<u8> {
    regex(r"(?-u)EOL[ \t]").replace_all(text, &b""[..]).into_owned()
}

/// One card, line by line.
fn decoded(card: &[u8], is_old: bool) -> Vec<u8> {
    let line = regex(r"(?-u)\A(?:EOL[ \t]|[^\r\n])*(?:EOL)?");
    let old_quoted = regex(r"(?-u)\A(?:=[ \t]*EOL|EOL[ \t]|[^\r\n])*(?:EOL)?");
    let quoted = regex(r"(?-u)\A(?:=[ \t]*EOL[ \t]?|EOL[ \t]|[^\r\n])*(?:EOL)?");
    let (mut out, mut rest) = (Vec::new(), card);
    while !rest.is_empty() {
        let is_quoted = is_quoted(rest);
        let whole = match (is_quoted, is_old) {
            (false, _) => &line,
            (true, true) => &old_quoted,
            (true, false) => &quoted,
        };
        let len = whole.find(rest).map_or(rest.len(), |found| found.end());
        let (here, after) = rest.split_at(len);
        out.extend_from_slice(&match (is_quoted, is_old) {
            (false, true) => here.to_vec(),
            (false, false) => without_escapes(here),
            (true, _) => unquoted(here, is_old),
        });
        rest = after;
    }
    out
}

/// A line that is folded anywhere, and has escapes.
fn without_escapes(line: &[u8]) -> Vec<u8> {
    let html = regex(r"(?i-u)\A[^:\r\n]{0,200};FMTTYPE=text/html:");
    let escapes = regex(r"(?-u)\\([nN,;:\\])");
    let both = regex(r"(?-u)\\([nN,;:\\])|&(?:amp|apos)\\?;|&#38(?:\\?;)?");
    let made = |found: &Captures<'_>| match found.get(1).map(|letter| letter.as_bytes()) {
        Some(b"n" | b"N") => b"\n".to_vec(),
        Some(mark) => mark.to_vec(),
        None if found[0].starts_with(b"&ap") => b"'".to_vec(),
        None => b"&".to_vec(),
    };
    let line = unfolded(line);
    let escapes = if html.is_match(&line) { &both } else { &escapes };
    escapes.replace_all(&line, made).into_owned()
}

/// A line whose value is in quoted-printable.
fn unquoted(line: &[u8], is_old: bool) -> Vec<u8> {
    let old = regex(r"(?i-u)=[ \t]*EOL|=C3(?:=[ \t]*EOL)?=A9|=([0-7][0-9A-F])");
    let escape = r"\\(?:EOL[ \t])*([n,;:\\])";
    let gap = r"=[ \t]*EOL[ \t]?|EOL[ \t]";
    let folded = regex(&format!(r"(?i-u){gap}|=C3(?:{gap})?=A9|=([0-7][0-9A-F])|{escape}"));
    let made = |found: &Captures<'_>| {
        let digits = found.get(1).map(|digits| digits.as_bytes());
        match (digits, found.get(2).map(|letter| letter.as_bytes())) {
            (Some(b"0d" | b"0D"), _) => b"\r".to_vec(),
            (Some(b"0a" | b"0A"), _) | (_, Some(b"n" | b"N")) => b"\n".to_vec(),
            (Some(b"3d" | b"3D"), _) => b"=".to_vec(),
            (Some(_), _) => b" ".to_vec(),
            (_, Some(mark)) => mark.to_vec(),
            _ if found[0].to_ascii_uppercase().ends_with(b"=A9") => "\u{e9}".as_bytes().to_vec(),
            _ => Vec::new(),
        }
    };
    let escapes = if is_old { &old } else { &folded };
    escapes.replace_all(line, made).into_owned()
}

/// The pattern, in which `EOL` is the end of a line.
fn regex(pattern: &str) -> Regex {
    Regex::new(&pattern.replace("EOL", EOL)).expect("a pattern")
}
