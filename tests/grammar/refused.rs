//! Repairs that are refused, and repairs that a text needs, against the derivatives of the
//! rules without them.
//!
//! R10 is omitted: it selects the rules for a text, and has no rule of its own.

use linktrawl::internal::finding::Repairs;
use linktrawl::internal::grammar;

use crate::cases;
use crate::language::{DOCUMENTS, Document, Language};
use crate::mutation::Mutants;

const CAPITALS: u8 = 8;
const GENERIC_FOR_OTHERS: u8 = 10;

const MUTANTS: usize = 10_000;

/// Returns rows of the table and mutants of them; each row also with its scheme in capitals, after
/// a prefix, and with a void fragment.
fn texts() -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    for row in cases::all().into_iter().map(|case| case.input).filter(|row| row.len() < 200) {
        let scheme_len = row.iter().position(|&byte| byte == b':').unwrap_or(0);
        let mut capital = row.clone();
        capital[..scheme_len].make_ascii_uppercase();
        texts.push([b"url:".as_slice(), &row].concat());
        texts.push([b"url:".as_slice(), &capital].concat());
        texts.push([row.as_slice(), b"#"].concat());
        texts.extend([row, capital]);
    }
    let mut mutants = Mutants::new(0x44);
    texts.extend((0..MUTANTS).map(|_| {
        let mut text = Vec::new();
        mutants.write(&mut text);
        text
    }));
    texts
}

/// Reports whether `text` has the prefix of `document` in another case: it is printed in small
/// letters, and the rules after it do not concern it.
fn has_prefix_in_capitals(document: &Document, text: &[u8]) -> bool {
    let prefix = document.prefix.as_bytes();
    let head = text.get(..prefix.len()).unwrap_or_default();
    head != prefix && head.eq_ignore_ascii_case(prefix)
}

#[test]
fn a_refused_repair_is_a_rule_that_stays_as_it_is_printed() {
    let texts = texts();
    for document in DOCUMENTS {
        let ours = grammar::find(document.name).unwrap();
        let all = document.repairs.iter().filter(|&&number| number != GENERIC_FOR_OTHERS);
        let all: Vec<u8> = all.copied().collect();
        for numbers in all.iter().map(std::slice::from_ref).chain([all.as_slice()]) {
            let language = Language::without(document, numbers);
            let refused =
                numbers.iter().fold(Repairs::NONE, |set, &number| set.with(Repairs::of(number)));
            for text in &texts {
                let found = ours.read(text, refused).is_ok();
                let in_capitals =
                    numbers.contains(&CAPITALS) && has_prefix_in_capitals(document, text);
                let wanted = language.judge(text).is_none() && !in_capitals;
                let name = document.name;
                assert_eq!(found, wanted, "{name} {numbers:?} {:?}", String::from_utf8_lossy(text));
            }
        }
    }
}

#[test]
fn a_repair_is_needed_where_the_rules_without_it_refuse_the_text() {
    let texts = texts();
    for document in DOCUMENTS {
        let ours = grammar::find(document.name).unwrap();
        for &number in document.repairs.iter().filter(|&&number| number != GENERIC_FOR_OTHERS) {
            let language = Language::without(document, &[number]);
            for text in &texts {
                let Ok(needed) = ours.read(text, Repairs::NONE) else { continue };
                let in_capitals = number == CAPITALS && has_prefix_in_capitals(document, text);
                let refused = language.judge(text).is_some() || in_capitals;
                // A rule that is a repair is needed by all that is held to it, though the
                // generic one would take it, too.
                let has_rule = document.routes.iter().any(|route| {
                    let name = [route.scheme.as_bytes(), b":"].concat();
                    let prefix_len = document.prefix.len();
                    let has_prefix = text
                        .get(..prefix_len)
                        .is_some_and(|head| head.eq_ignore_ascii_case(document.prefix.as_bytes()));
                    let after = if has_prefix { &text[prefix_len..] } else { text };
                    let head = after.get(..name.len()).unwrap_or_default();
                    route.repair == Some(number) && head.eq_ignore_ascii_case(&name)
                });
                let text = String::from_utf8_lossy(text);
                let name = document.name;
                assert_eq!(needed.has(number), refused || has_rule, "{name} R{number} {text:?}");
            }
        }
    }
}
