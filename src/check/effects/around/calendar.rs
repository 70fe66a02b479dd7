//! Reads the property of a calendar that holds a link (iCalendar, RFC 5545 §3.1).
//!
//! Its lines are unfolded, and its escapes decoded, so that `\nAccept` is the word `Accept`. No
//! words of other properties are read: each has its own meaning.

use memchr::{memchr_iter, memmem, memrchr_iter};

/// Bytes before a link in which the beginning of its calendar is searched for.
const BEFORE_MAX: usize = 16 * 1024;
/// Bytes after a link that are read.
const AFTER_MAX: usize = 1280;
/// Components of calendars. A card (`VCARD`) is no invitation.
const COMPONENTS: [&[u8]; 7] =
    [b"VCALENDAR", b"VEVENT", b"VTODO", b"VJOURNAL", b"VALARM", b"VFREEBUSY", b"VTIMEZONE"];
/// Properties that hold texts for readers, whose names are no words of theirs.
const TEXTS: [&str; 6] = ["COMMENT", "CONTACT", "DESCRIPTION", "LOCATION", "SUMMARY", "URL"];

/// The text of a property around a link.
pub(in crate::check::effects) struct Property {
    /// The text before the link: its name, if that may say something, and its value.
    pub(super) before: String,
    /// The text after it.
    pub(super) after: String,
    /// Whether it is the property for the link to a conference (RFC 7986 §5.11).
    pub(super) joins: bool,
}

impl Property {
    /// Returns the property around the link from `start` to `end` of `bytes`; `None` if it is in no
    /// calendar.
    pub(in crate::check::effects) fn around(
        bytes: &[u8],
        start: usize,
        end: usize,
    ) -> Option<Self> {
        let before = bytes.get(start.saturating_sub(BEFORE_MAX)..start)?;
        let begin = memmem::rfind(before, b"BEGIN:V")?;
        let name = before.get(begin + b"BEGIN:".len()..)?;
        let is_open = COMPONENTS.iter().any(|component| name.starts_with(component))
            && memmem::rfind(before, b"END:VCALENDAR").is_none_or(|end| end < begin);
        let is_first = begin == 0 || before.get(begin - 1) == Some(&b'\n');
        if !is_open || !is_first {
            return None;
        }
        let line = memrchr_iter(b'\n', before).map(|at| at + 1).find(|at| !is_blank(before, *at));
        let own = value(before.get(line?..)?);
        let after = bytes.get(end..)?;
        let after = after.get(..AFTER_MAX).unwrap_or(after);
        let stop = memchr_iter(b'\n', after).find(|at| !is_blank(after, at + 1));
        let after = value(after.get(..stop.unwrap_or(after.len()))?);
        let (name, text) = own.split_once([':', ';']).unwrap_or(("", &own));
        let joins = name == "CONFERENCE";
        let name = if TEXTS.contains(&name) { "" } else { name };
        Some(Self { before: [name, text].join(" "), after, joins })
    }
}

/// Reports whether a blank is at `at` of `text`, where a continuation line begins.
fn is_blank(text: &[u8], at: usize) -> bool {
    matches!(text.get(at), Some(b' ' | b'\t'))
}

/// Returns `text` unfolded, and with its escapes decoded (RFC 5545 §3.3.11).
fn value(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text).replace('\r', "");
    let text = text.replace("\n ", "").replace("\n\t", "");
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n' | 'N') => out.push('\n'),
                Some(escaped) => out.push(escaped),
                None => {}
            },
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::Property;

    #[test]
    fn properties_end_at_their_lines() {
        for (text, expected) in [
            (
                "BEGIN:VEVENT\nSUMMARY:X\nDESCRIPTION:Going?\\nAcc\n ept: | \\, or not\nUID:1\n",
                Some((" Going?\nAccept: ", " , or not")),
            ),
            ("BEGIN:VEVENT\r\nX-ACCEPT-URL:|\r\nUID:1\r\n", Some(("X-ACCEPT-URL ", ""))),
            (
                "BEGIN:VEVENT\nDESCRIPTION;ALTREP=\"|\":Click\n\tit\n",
                Some((" ALTREP=\"", "\":Clickit")),
            ),
            ("BEGIN:VCALENDAR\nEND:VCALENDAR\n\nsee |\n", None),
            ("BEGIN:VCARD\nURL:|\nEND:VCARD\n", None),
            ("we BEGIN:VEVENT here\n|", None),
        ] {
            let at = text.find('|').unwrap();
            let found = Property::around(text.as_bytes(), at, at + 1);
            let found = found.as_ref().map(|it| (&*it.before, &*it.after));
            assert_eq!(found, expected, "{text}");
        }
    }
}
