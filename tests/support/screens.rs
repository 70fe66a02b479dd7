//! A slow decoder of terminal output, by regular expressions.

use std::sync::LazyLock;

use regex::bytes::Regex;

/// Pieces on which its rules decide.
pub(crate) const WORDS: &[&str] = &[
    "\x08",
    "\x08",
    "\x08\x08",
    "a",
    "a\x08a",
    "_\x08a",
    "a\x08_",
    "_\x08_",
    "\u{e9}",
    "\u{e9}\x08\u{e9}",
    "\u{20ac}\x08",
    "\u{1f600}",
    "\n",
    " ",
    "\x1b",
    "\x1b[",
    "\x1b[m",
    "\x1b[01;31m\x1b[K",
    "\x1b[2J",
    "\x1b(B",
    "\x1b(B\x1b[m",
    "\x1b]8;;",
    "\x1b\\",
    ";00000000000000000000000000000",
    "38;5;1",
    "m",
    "K",
    "\u{7f}",
];

static MARKS: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?xs-u) \x1b\(B\x1b\[ | \x1b\[[\x20-\x3f]{0,61}[\x40-\x7e]
        | (?u:[^\p{Cc}]) (?: \x08 (?u:[^\p{Cc}]) ){1,8}";
    Regex::new(pattern).expect("a pattern")
});

/// Returns the text that `text` shows.
pub(crate) fn slow(text: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    while let Some(found) = MARKS.find_at(text, at) {
        out.extend_from_slice(&text[at..found.start()]);
        let is_choice = found.as_bytes().starts_with(b"\x1b(B");
        at = if is_choice { found.start() + 3 } else { found.end() };
        let made = match found.as_bytes() {
            [b'\x1b', b'(', ..] | [b'\x1b', .., b'm' | b'K'] => String::new(),
            [b'\x1b', ..] => " ".to_owned(),
            struck => {
                let mut all = std::str::from_utf8(struck).expect("characters").rsplit('\x08');
                all.find(|it| *it != "_").unwrap_or("_").to_owned()
            }
        };
        out.extend_from_slice(made.as_bytes());
    }
    out.extend_from_slice(&text[at..]);
    out
}
