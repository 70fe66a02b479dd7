//! Recognises documents that are saved mail: a message of Outlook in HTML or RTF, an exported
//! message in JSON, and an invitation (RFC 5546 §1.4).
//!
//! Only the first bytes decide. A document about mail seldom has the names of three fields as
//! labels or keys; one that has is taken for mail, which is the safe choice.

use super::letters::{self, Field};
use crate::source::markup::Markup;

/// Maximum number of bytes that are examined.
const HEAD_LEN_MAX: usize = 8 * 1024;
/// Fewest different fields of a message.
const FIELDS_MIN: u32 = 3;

/// Keys of messages in JSON.
const KEYS: [&str; 8] = ["Date", "From", "Subject", "To", "date", "from", "subject", "to"];

/// Reports whether a document in `markup` that begins with `head` is a saved message.
pub(in crate::source) fn is_message(head: &[u8], markup: Markup) -> bool {
    if !matches!(markup, Markup::Folded | Markup::Html | Markup::Json | Markup::Rtf) {
        // Most documents are in a language that no message is saved in.
        return false;
    }
    let text = String::from_utf8_lossy(head.get(..HEAD_LEN_MAX).unwrap_or(head));
    match markup {
        Markup::Folded => has_method(&text),
        Markup::Html => {
            let shown = text.split('<').filter_map(|part| part.split_once('>'));
            has_fields(shown.filter_map(|(_, shown)| label(shown)))
        }
        Markup::Json => {
            let pieces = text.split('"').zip(text.split('"').skip(1));
            let keys = pieces.filter(|(_, next)| next.trim_start().starts_with(':'));
            // Short keys of other languages are also codes of languages, as in catalogues.
            has_fields(keys.map(|(key, _)| key).filter(|key| KEYS.contains(key)))
        }
        Markup::Rtf => {
            let shown = without_controls(&text);
            has_fields(shown.lines().filter_map(|line| line.split_once(':')).map(|(name, _)| name))
        }
        _ => false,
    }
}

/// Reports whether a calendar is a message of iTIP: an invitation, or an answer to one.
fn has_method(text: &str) -> bool {
    const NAME: &str = "METHOD:";
    let is_method =
        |line: &str| line.get(..NAME.len()).is_some_and(|it| it.eq_ignore_ascii_case(NAME));
    text.lines().any(is_method)
}

/// Reports whether `names` name the sender of a message and two more of its fields.
fn has_fields<'t>(names: impl Iterator<Item = &'t str>) -> bool {
    let purposes = names.filter_map(|name| letters::purpose(name.trim()));
    let seen = purposes.fold(0, |seen, field| seen | field as u8);
    seen & Field::From as u8 != 0 && seen.count_ones() >= FIELDS_MIN
}

/// Returns the label that `shown`, the text between two tags, is: words and a colon.
fn label(shown: &str) -> Option<&str> {
    let shown = shown.trim();
    shown.strip_suffix("&nbsp;").unwrap_or(shown).trim_end().strip_suffix(':')
}

/// Returns the text of RTF without its control words; each paragraph is a line.
fn without_controls(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split('\\');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let (word, rest) = part.split_at(part.find(|c| !is_of_word(c)).unwrap_or(part.len()));
        if matches!(word, "par" | "line" | "pard") {
            out.push('\n');
        }
        out.push_str(rest.strip_prefix(' ').unwrap_or(rest));
    }
    out.retain(|c| !matches!(c, '{' | '}'));
    out
}

#[cfg(test)]
mod tests {
    use super::{Markup, is_message};

    #[test]
    fn saved_messages_are_recognised() {
        for (markup, text, expected) in [
            (Markup::Folded, "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\n", true),
            (Markup::Folded, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", false),
            (
                Markup::Html,
                "<p><b>From:</b> Ann<br><b>Sent:</b> Monday<br><b><span>Subject:</span></b> a",
                true,
            ),
            (Markup::Html, "<b>Von:&nbsp;</b>A<b>An:</b>B<b>Betreff:</b>C", true),
            (Markup::Html, "<pre>From: Ann\nTo: Bob\nSubject: news</pre>", false),
            (Markup::Html, "<b>From:</b> 9 <b>To:</b> 17", false),
            (
                Markup::Rtf,
                r"{\rtf1\ansi\b From:\b0  Ann\par\b To:\b0  Bob\par Subject: a\par}",
                true,
            ),
            (Markup::Rtf, r"{\rtf1\ansi From here to there: a\par Subject: a}", false),
            (Markup::Json, r#"{"from":"a","to" : ["b"],"subject":"c","body":"d"}"#, true),
            (Markup::Json, r#"{"from":"a","to":"b","route":"subject"}"#, false),
            (Markup::Json, r#"{"de":"a","an":"b","data":"c"}"#, false),
        ] {
            assert_eq!(is_message(text.as_bytes(), markup), expected, "{text}");
        }
    }
}
