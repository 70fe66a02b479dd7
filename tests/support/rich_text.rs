//! A slow decoder of RTF, by regular expressions.

use std::collections::HashMap;
use std::sync::LazyLock;

use encoding_rs::{Encoding, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};
use regex::bytes::{Captures, Regex};

/// Pieces on which its rules decide.
pub(crate) const WORDS: &[&str] = &[
    "\\",
    "{",
    "}",
    "\\'e9",
    "\\'93",
    "\\'fa",
    "\\ansicpg1251 ",
    "\\ansicpg932 ",
    "{\\f1\\fcharset204 x}",
    "\\f1 ",
    "\\plain",
    "\\uc2 ",
    "\\uc0",
    "\\'9",
    "\\'g0",
    "\\\\",
    "\\{",
    "\\u233",
    "\\u233?",
    "\\u-3",
    "-",
    "?",
    "\\u55357",
    "\\u56832 ",
    "\\u-10179 ",
    "\\u12345678901",
    "\\u0 ",
    "\\b0 ",
    "\\par",
    "\\par ",
    "\\rquote ",
    "\\field",
    "\\pict",
    "\n",
    "\r\n",
    "\\\n",
    "\\~",
    "\\_",
    "\\-",
    "\\*",
    "a",
    "9",
    " ",
    "'",
    "{\\*\\bkmkstart a",
    "{\\*\\bkmkend",
    "}",
    "\u{e9}",
];

static MARKS: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?xs-u) \{\\\*\\bkmkstart[^{}\n]{0,114}\} | \{\\\*\\bkmkend[^{}\n]{0,116}\}
        | \\'(?P<windows>[0-9A-Fa-f]{2}) | \\(?P<itself>[\\{}]) | (?P<line>\\[\r\n])
        | (?P<blank>\\~) | (?P<hyphen>\\_)
        | \\(?P<word>[A-Za-z]{1,32}) (?P<number>-?[0-9]{1,10})? (?P<end>\x20)? | \\. | [\\{}\r\n]";
    Regex::new(pattern).expect("a pattern")
});

/// The text after a bracket that makes it the end of a group with others.
static TWO_ENDS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[\r\n]{0,4}\}").expect("a pattern"));

/// What decides how text is decoded.
struct Look {
    page: &'static Encoding,
    fonts: HashMap<usize, &'static Encoding>,
    /// The font and the number of replacements of each open group, and whether it is apart.
    groups: Vec<(usize, usize, bool)>,
}

impl Look {
    fn current(&mut self) -> &mut (usize, usize, bool) {
        self.groups.last_mut().expect("the text is in one")
    }

    fn replacements(&self) -> usize {
        self.groups.last().expect("the text is in one").1
    }

    /// The character that `bytes` stand for, if they are one.
    fn character(&self, bytes: &[u8]) -> Option<char> {
        let font = self.groups.last().expect("the text is in one").0;
        let encoding = self.fonts.get(&font).unwrap_or(&self.page);
        let (text, _, is_wrong) = encoding.decode(bytes);
        let mut chars = text.chars();
        chars.next().filter(|_| !is_wrong && chars.next().is_none())
    }

    /// Follows the mark `found`.
    fn follow(&mut self, found: &Captures<'_>) {
        let number = found.name("number").map(|it| String::from_utf8_lossy(it.as_bytes()));
        let number: Option<usize> = number.and_then(|number| number.parse().ok());
        let word = found.name("word").map_or(&b""[..], |word| word.as_bytes());
        match (&found[0], word, number) {
            (b"{", ..) => {
                let (font, count, _) = *self.groups.last().expect("the text is in one");
                self.groups.push((font, count, false));
            }
            (b"\\*", ..) | (_, b"pict", _) => self.current().2 = true,
            (b"}", ..) if self.groups.len() > 1 => drop(self.groups.pop()),
            (_, b"ansicpg", Some(1251)) => self.page = WINDOWS_1251,
            (_, b"ansicpg", Some(932)) => self.page = SHIFT_JIS,
            (_, b"f", Some(font)) => self.current().0 = font,
            (_, b"plain", _) => self.current().0 = 0,
            (_, b"uc", Some(count)) => self.current().1 = count.min(8),
            (_, b"fcharset", Some(204)) => {
                let font = self.current().0;
                self.fonts.insert(font, WINDOWS_1251);
            }
            _ => {}
        }
    }

    /// The bytes by number at the beginning of `text`, as one character, and their length.
    fn octets(&self, text: &[u8]) -> (usize, String) {
        static OCTETS: LazyLock<Regex> = LazyLock::new(|| {
            let octet = r"\\'([0-9A-Fa-f]{2})";
            Regex::new(&format!(r"^{octet}(?:{octet}|([@-\[\]-z]))?(?:{octet})?(?:{octet})?"))
                .expect("a pattern")
        });
        let found = OCTETS.captures(text).expect("one is there");
        let (mut bytes, mut len, mut last) = (Vec::new(), 0, 0);
        for group in found.iter().skip(1).flatten() {
            let of = group.as_bytes();
            let digits = std::str::from_utf8(of).expect("digits");
            let byte = if of.len() == 2 { u8::from_str_radix(digits, 16) } else { Ok(of[0]) };
            if group.start() > len + 2 {
                break;
            }
            bytes.push(byte.expect("a byte"));
            len = group.end();
            last = if last == 0 { len } else { last };
            if let Some(made) = self.character(&bytes) {
                return (len, shown(Some(made)));
            }
        }
        (last, " ".into())
    }
}

/// Returns the text that `text` encodes.
pub(crate) fn slow(text: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    let mut look = Look { page: WINDOWS_1252, fonts: HashMap::new(), groups: vec![(0, 1, false)] };
    while let Some(found) = MARKS.captures_at(text, at) {
        let whole = found.get(0).expect("all of it");
        out.extend_from_slice(&text[at..whole.start()]);
        at = whole.end();
        let is_apart_end = &found[0] == b"}" && look.current().2;
        look.follow(&found);
        if is_apart_end {
            out.push(b'\n');
            continue;
        }
        if found.name("windows").is_some() {
            let (len, made) = look.octets(&text[whole.start()..]);
            out.extend_from_slice(made.as_bytes());
            at = whole.start() + len;
            continue;
        }
        let count = look.replacements();
        let (more, made) = unit(&text[at..], &found, count).map_or_else(
            || (0, made(&found, &text[at..])),
            |unit| {
                let (more, units) = (unit.1, unit.0);
                pair(&text[at + more..], units, count).map_or_else(
                    || (more, shown(char::from_u32(units.into()))),
                    |(after, made)| (more + after, shown(Some(made))),
                )
            },
        );
        at += more;
        out.extend_from_slice(made.as_bytes());
    }
    out.extend_from_slice(&text[at..]);
    out
}

/// The code unit of the control word `found`, and the bytes of what is shown instead.
fn unit(after: &[u8], found: &Captures<'_>, count: usize) -> Option<(u16, usize)> {
    let number = &found.name("number").filter(|_| &found["word"] == b"u")?;
    let number: i32 = std::str::from_utf8(number.as_bytes()).ok()?.parse().ok()?;
    let pattern = format!(r"(?s-u)^(?:\\'..|[^\\{{}}\r\n]){{0,{count}}}");
    let instead = Regex::new(&pattern).expect("a pattern").find(after).map_or(0, |it| it.len());
    Some(((number & 0xFFFF).try_into().expect("sixteen bits"), instead))
}

/// The character that `first` begins, and the bytes of its other half.
fn pair(after: &[u8], first: u16, count: usize) -> Option<(usize, char)> {
    let found = MARKS.captures(after).filter(|found| after.starts_with(&found[0]))?;
    let (second, instead) = unit(&after[found[0].len()..], &found, count)?;
    let is_first = (0xD800..0xDC00).contains(&first);
    let made = char::decode_utf16([first, second]).next().filter(|_| is_first)?.ok()?;
    Some((found[0].len() + instead, made))
}

fn shown(made: Option<char>) -> String {
    made.filter(|made| !made.is_control() || "\t\n\r".contains(*made)).unwrap_or(' ').into()
}

fn made(found: &Captures<'_>, after: &[u8]) -> String {
    let is_divided = match &found[0] {
        b"\\*" => true,
        b"}" => TWO_ENDS.is_match(after),
        _ => false,
    };
    if is_divided {
        return "\n".into();
    }
    let text = |name| found.name(name).map(|it| String::from_utf8_lossy(it.as_bytes()));
    match text("word").as_deref() {
        Some("par" | "field" | "sn" | "pict") => "\n".into(),
        Some("rquote") => "\u{2019}".into(),
        Some(_) => String::new(),
        None if text("line").is_some() => "\n".into(),
        None if text("blank").is_some() => " ".into(),
        None if text("hyphen").is_some() => "-".into(),
        None => text("itself").map(String::from).unwrap_or_default(),
    }
}
