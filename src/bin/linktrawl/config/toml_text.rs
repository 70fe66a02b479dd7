//! Formats values as TOML, safe to be shown on a terminal.

use super::keys::{Item, ValueKind};
use super::setting::Values;

/// Formats `values` of an option of this kind.
pub(crate) fn value(kind: ValueKind, values: &Values) -> String {
    match (kind, values) {
        (_, Values::Flag(is_wanted)) => is_wanted.to_string(),
        (ValueKind::One(Item::Number), Values::One(number)) => number.clone(),
        (ValueKind::One(Item::NumberOrText), Values::One(text)) if is_whole_number(text) => {
            text.clone()
        }
        (_, Values::One(text)) => quoted(text),
        (_, Values::Many(texts)) => array(texts),
    }
}

/// Formats `text` as a basic string of TOML (toml.io, v1.0.0, "String"). Characters that are
/// invisible, or change the direction of adjacent text, are escaped.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // Two number signs begin a command of workflow runners, anywhere.
            '#' if out.ends_with('#') => out.push_str("\\u0023"),
            c if is_unseen(c) => out.push_str(&format!("\\U{:08X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Formats `texts` as an array.
fn array(texts: &[String]) -> String {
    let each: Vec<_> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", each.join(", "))
}

/// Reports whether `text` is a whole number as TOML writes it, without a leading zero.
fn is_whole_number(text: &str) -> bool {
    text.parse::<u32>().is_ok_and(|number| number.to_string() == text)
}

fn is_unseen(c: char) -> bool {
    let is_mark = matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}');
    c.is_control() || is_mark || matches!(c, '\u{2060}'..='\u{2069}' | '\u{FEFF}' | '\u{61C}')
}

#[cfg(test)]
mod tests {
    use toml::de::DeTable;

    use super::{array, quoted};

    #[test]
    fn strings_come_back_as_they_were() {
        let texts = [
            "",
            "a",
            "a\"b\\c",
            "\n\t\r\u{0}\u{7F}\u{85}",
            "\u{202E}\u{FEFF}\u{E9}\u{1F600}",
            "'''\"\"\"",
        ];
        for text in texts {
            let line = format!("a = {}\nb = {}", quoted(text), array(&[text.to_owned()]));
            assert!(!line.contains('\u{202E}') && !line.contains('\r'));
            let read = DeTable::parse(&line).expect("TOML");
            let value = |key: &str| read.get_ref().get(key).expect("it").get_ref().clone();
            assert_eq!(value("a").as_str(), Some(text));
            let array = value("b");
            assert_eq!(array.as_array().expect("an array")[0].get_ref().as_str(), Some(text));
        }
    }
}
