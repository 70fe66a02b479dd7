//! A slow decoder of RTF, by regular expressions.

use std::sync::LazyLock;

use regex::bytes::{Captures, Regex};

/// Pieces on which its rules decide.
pub(crate) const WORDS: &[&str] = &[
    "\\",
    "{",
    "}",
    "\\'e9",
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

/// The characters of Windows-1252 where ISO 8859-1 has controls.
const CONTROLS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ";

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

/// Returns the text that `text` encodes.
pub(crate) fn slow(text: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(found) = MARKS.captures_at(text, at) {
        let whole = found.get(0).expect("all of it");
        out.extend_from_slice(&text[at..whole.start()]);
        at = whole.end();
        let (more, made) = unit(&text[at..], &found).map_or_else(
            || (0, made(&found, &text[at..])),
            |unit| {
                let (more, units) = (unit.1, unit.0);
                pair(&text[at + more..], units).map_or_else(
                    || (more, shown(char::from_u32(units.into()))),
                    |(behind, made)| (more + behind, shown(Some(made))),
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
fn unit(behind: &[u8], found: &Captures<'_>) -> Option<(u16, usize)> {
    let number = &found.name("number").filter(|_| &found["word"] == b"u")?;
    let number: i32 = std::str::from_utf8(number.as_bytes()).ok()?.parse().ok()?;
    let instead = match behind {
        _ if found.name("end").is_some() => 0,
        [b'\\', b'\'', _, _, ..] => 4,
        [] | [b'\\' | b'{' | b'}' | b'\r' | b'\n', ..] => 0,
        _ => 1,
    };
    Some(((number & 0xFFFF).try_into().expect("sixteen bits"), instead))
}

/// The character that `first` begins, and the bytes of its other half.
fn pair(behind: &[u8], first: u16) -> Option<(usize, char)> {
    let found = MARKS.captures(behind).filter(|found| behind.starts_with(&found[0]))?;
    let (second, instead) = unit(&behind[found[0].len()..], &found)?;
    let is_first = (0xD800..0xDC00).contains(&first);
    let made = char::decode_utf16([first, second]).next().filter(|_| is_first)?.ok()?;
    Some((found[0].len() + instead, made))
}

fn shown(made: Option<char>) -> String {
    made.filter(|made| !made.is_control() || "\t\n\r".contains(*made)).unwrap_or(' ').into()
}

fn made(found: &Captures<'_>, behind: &[u8]) -> String {
    let is_divided = match &found[0] {
        b"\\*" => true,
        b"}" => TWO_ENDS.is_match(behind),
        _ => false,
    };
    if is_divided {
        return "\n".into();
    }
    let text = |name| found.name(name).map(|it| String::from_utf8_lossy(it.as_bytes()));
    if let Some(digits) = text("windows") {
        let byte = u8::from_str_radix(&digits, 16).expect("a byte");
        // The rest is as in ISO 8859-1.
        let made = usize::from(byte).checked_sub(0x80).and_then(|at| CONTROLS.chars().nth(at));
        let made = made.unwrap_or(char::from(byte));
        return shown(Some(made));
    }
    match text("word").as_deref() {
        Some("par" | "field" | "sn") => "\n".into(),
        Some("rquote") => "\u{2019}".into(),
        Some(_) => String::new(),
        None if text("line").is_some() => "\n".into(),
        None if text("blank").is_some() => " ".into(),
        None if text("hyphen").is_some() => "-".into(),
        None => text("itself").map(String::from).unwrap_or_default(),
    }
}
