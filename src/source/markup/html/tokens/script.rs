//! Finds the end of a script, which may hold comments, and scripts in these (HTML Standard
//! §13.2.5.15 to §13.2.5.31).

use super::{is_end_tag, is_space};

/// The part of a script.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScriptPart {
    /// Outside of comments.
    Plain,
    /// A comment; an end tag ends the script.
    Comment,
    /// A script in a comment; an end tag ends that one.
    Inner,
}

const SCRIPT: &[u8] = b"script";

/// Returns the offset of the end tag of the script that continues at `from`.
pub(super) fn end(text: &[u8], from: usize) -> Option<usize> {
    let (mut part, mut at) = (ScriptPart::Plain, from);
    loop {
        let rest = text.get(at..)?;
        let len = match part {
            ScriptPart::Plain => memchr::memchr(b'<', rest)?,
            ScriptPart::Comment | ScriptPart::Inner => memchr::memchr2(b'<', b'>', rest)?,
        };
        let mark = at + len;
        let rest = text.get(mark..)?;
        at = mark + 1;
        part = match (part, rest.first()?) {
            (_, b'>') => {
                let before = text.get(from..mark).unwrap_or_default();
                if before.ends_with(b"--") { ScriptPart::Plain } else { part }
            }
            (ScriptPart::Plain | ScriptPart::Comment, _) if is_end_tag(rest, SCRIPT) => {
                return Some(mark);
            }
            (ScriptPart::Plain, _) if rest.starts_with(b"<!--") => {
                at = mark + b"<!--".len();
                ScriptPart::Comment
            }
            (ScriptPart::Comment, _) if begins_script(rest.get(1..)?) => ScriptPart::Inner,
            (ScriptPart::Inner, _) if is_end_tag(rest, SCRIPT) => ScriptPart::Comment,
            (part, _) => part,
        };
    }
}

/// Reports whether `rest`, after `<`, is the beginning of a tag called `script`.
fn begins_script(rest: &[u8]) -> bool {
    let Some((name, rest)) = rest.split_at_checked(SCRIPT.len()) else { return false };
    let is_ended = rest.first().is_some_and(|byte| is_space(*byte) || matches!(byte, b'/' | b'>'));
    is_ended && name.eq_ignore_ascii_case(SCRIPT)
}
