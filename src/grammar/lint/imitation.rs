//! Lints labels beyond US-ASCII: those that imitate others, and those that no host may have.

use idna::punycode;
use idna::uts46::{AsciiDenyList, Hyphens, Uts46};

use super::host::{ACE_PREFIX, HOST_LEN_MAX, LABEL_LEN_MAX, labels};
use super::{lookalike, renown, script, warn};
use crate::finding::Warning;
use crate::finding::lint::MIXED_SCRIPT;
use crate::span::Span;
use crate::uri::unescaped;

/// Warns of the host at `host` of `text`.
pub(super) fn lint(text: &[u8], host: Span, warnings: &mut Vec<Warning>) {
    let name = host.of(text);
    let is_plain = !name.contains(&b'%') && !name.windows(2).any(|pair| pair == b"--");
    if is_plain && name.is_ascii() {
        return;
    }
    let shown: Vec<_> = labels(name).map(|(at, label)| (at, shown(label))).collect();
    // The root's label is empty.
    let top = labels(name).zip(&shown).filter(|((_, label), _)| !label.is_empty()).last();
    let top = top.and_then(|(_, (_, shown))| shown.text()).unwrap_or_default();
    for (at, label) in &shown {
        let message = match label {
            Shown::Bytes => None,
            Shown::Text(label) => script::judge(label, top),
            Shown::Invalid(message) => Some(message.clone()),
        };
        if let Some(message) = message {
            return warn(warnings, &MIXED_SCRIPT, host.start + at, message);
        }
    }
    let texts: Vec<_> = shown.iter().map(|(_, label)| label.text().unwrap_or_default()).collect();
    if let Some((index, message)) = renown::near(&texts) {
        let at = shown.get(index).map_or(0, |(at, _)| *at);
        return warn(warnings, &MIXED_SCRIPT, host.start + at, message);
    }
    if shown.iter().all(|(_, label)| label.text().is_some()) {
        lint_direction(name, host, warnings);
    }
}

/// Warns of labels that mix directions of writing: RFC 5893 §2 has rules for the whole host.
fn lint_direction(name: &[u8], host: Span, warnings: &mut Vec<Warning>) {
    let bytes = unescaped(name);
    let is_valid = |bytes: &[u8]| {
        std::str::from_utf8(bytes).is_err()
            || Uts46::new().to_unicode(bytes, AsciiDenyList::EMPTY, Hyphens::Allow).1.is_ok()
    };
    if bytes.len() <= HOST_LEN_MAX && !is_valid(&bytes) {
        let message = "the labels mix directions of writing, as no host may";
        warn(warnings, &MIXED_SCRIPT, host.start, message);
    }
}

/// A label as it is shown to people.
enum Shown {
    /// Not UTF-8 as written, or longer than any label.
    Bytes,
    /// Escapes and Punycode are decoded, and the text is mapped as in UTS 46 §4.
    Text(String),
    /// A message about a text that UTS 46 §4.1 refuses.
    Invalid(String),
}

impl Shown {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Bytes | Self::Invalid(_) => None,
        }
    }
}

fn shown(label: &[u8]) -> Shown {
    let bytes = unescaped(label);
    let Ok(text) = std::str::from_utf8(&bytes) else {
        if !label.is_ascii() {
            return Shown::Bytes;
        }
        // RFC 3986 §3.2.2 has only UTF-8 in escapes, and no browser takes others.
        return Shown::Invalid("the label has escapes that are not UTF-8".to_owned());
    };
    let is_encoded =
        bytes.get(..ACE_PREFIX.len()).is_some_and(|head| head.eq_ignore_ascii_case(ACE_PREFIX));
    if !is_encoded && text.is_ascii() {
        return Shown::Text(text.to_ascii_lowercase());
    }
    if is_encoded && bytes.len() > LABEL_LEN_MAX || bytes.len() > HOST_LEN_MAX {
        return Shown::Bytes;
    }
    let (mapped, result) = Uts46::new().to_unicode(&bytes, AsciiDenyList::EMPTY, Hyphens::Allow);
    if result.is_err() {
        let encoded = text.get(ACE_PREFIX.len()..).filter(|_| is_encoded);
        return Shown::Invalid(refusal(text, encoded, &mapped));
    }
    // UTS 46 §4.1, CheckHyphens: no registry allows these, except for names of US-ASCII.
    let is_hyphened = mapped.starts_with('-') || mapped.ends_with('-');
    let hyphens = mapped.chars().skip(2).take(2).filter(|char| *char == '-').count();
    if !mapped.is_ascii() && (is_encoded && is_hyphened || hyphens == 2) {
        return Shown::Invalid("the label has hyphens where no encoded label has them".to_owned());
    }
    Shown::Text(mapped.into_owned())
}

/// Returns a message about `label`, whose mapping has U+FFFD for each invalid character. `encoded`
/// is its Punycode, without the prefix.
fn refusal(label: &str, encoded: Option<&str>, mapped: &str) -> String {
    let source = match encoded {
        None => label.to_owned(),
        Some(encoded) => match punycode::decode_to_string(&encoded.to_lowercase()) {
            None => return String::from("the label is not valid Punycode"),
            Some(source) if source.is_ascii() => {
                return String::from("the label encodes what needs no encoding");
            }
            Some(source) => source,
        },
    };
    // A label that cannot be decoded in full is left in Punycode, where indices differ.
    let mapped = if mapped.starts_with("xn--") { "" } else { mapped };
    let bad = mapped.chars().zip(source.chars()).position(|(char, _)| char == '\u{FFFD}');
    match bad.and_then(|index| Some((index, source.chars().nth(index)?))) {
        Some((index, char)) => {
            format!("the label is not valid in a host; {}", lookalike::place(index, char))
        }
        None => String::from("the label is not valid in a host"),
    }
}
