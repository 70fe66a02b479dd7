//! Repairs that are refused, and repairs that a text needs, against the derivatives of the
//! rules without them.
//!
//! R10 is left out: it says which rules a text is held to, and has no rule of its own.

use linktrawl::finding::Repairs;
use linktrawl::grammar;

use crate::cases;
use crate::language::{DOCUMENTS, Language};
use crate::mutation::Mutants;

const GENERIC_FOR_OTHERS: u8 = 10;

const MUTANTS: usize = 10_000;

/// Rows of the table and mutants of them; each row also with its scheme in capitals, behind a
/// prefix, and with a void fragment.
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
                let wanted = language.judge(text).is_none();
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
                let refused = language.judge(text).is_some();
                // A rule that is a repair is needed by all that is held to it, though the
                // generic one would take it, too.
                let has_rule = document.routes.iter().any(|route| {
                    let name = [route.scheme.as_bytes(), b":"].concat();
                    let behind = text.strip_prefix(b"url:").unwrap_or(text);
                    let head = behind.get(..name.len()).unwrap_or_default();
                    route.repair == Some(number) && head.eq_ignore_ascii_case(&name)
                });
                let text = String::from_utf8_lossy(text);
                let name = document.name;
                assert_eq!(needed.has(number), refused || has_rule, "{name} R{number} {text:?}");
            }
        }
    }
}
