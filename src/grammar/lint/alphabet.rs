//! Finds Cyrillic labels that imitate Latin ones and are no word of any language.
//!
//! Their letters look like Latin capitals, or like Latin letters except for a hook. к, м, н, т and
//! в are drawn like small Latin capitals, and most short words contain some of them: `курс` must
//! not cause a warning. An imitation has no vowel, or letters from several alphabets that no
//! language combines.

use super::lookalike::place;

/// Letters drawn like Latin ones except for their height, a hook or a stroke, in addition to those
/// of the tables of lookalikes.
static DRAWN: &[(char, char)] = &[
    ('а', 'a'),
    ('б', '6'),
    ('в', 'b'),
    ('г', 'r'),
    ('е', 'e'),
    ('з', '3'),
    ('и', 'u'),
    ('к', 'k'),
    ('м', 'm'),
    ('н', 'h'),
    ('о', 'o'),
    ('п', 'n'),
    ('р', 'p'),
    ('с', 'c'),
    ('т', 't'),
    ('у', 'y'),
    ('х', 'x'),
    ('ш', 'w'),
    ('щ', 'w'),
    ('ъ', 'b'),
    ('ь', 'b'),
    ('є', 'e'),
    ('ѕ', 's'),
    ('і', 'i'),
    ('ј', 'j'),
    ('ћ', 'h'),
    ('ґ', 'r'),
    ('ғ', 'f'),
    ('қ', 'k'),
    ('ҟ', 'k'),
    ('ҡ', 'k'),
    ('ң', 'h'),
    ('ҥ', 'h'),
    ('ҫ', 'c'),
    ('ҭ', 't'),
    ('ү', 'y'),
    ('ұ', 'y'),
    ('ҳ', 'x'),
    ('һ', 'h'),
    ('ҽ', 'e'),
    ('ҿ', 'e'),
    ('ӏ', 'l'),
    ('ӕ', 'a'),
    ('ө', 'o'),
    ('ԥ', 'n'),
];

/// Returns the Latin letter that `char`, a Cyrillic one, is drawn like.
pub(super) fn drawn(char: char) -> Option<char> {
    DRAWN.iter().find(|(letter, _)| *letter == char).map(|(_, latin)| *latin)
}

/// The vowels of all Cyrillic alphabets.
const VOWELS: &str = "аеёиоуыэюяєіїөүұәӑӗӳӕӣӯӧӱӓӟӥ";

/// The letters that every alphabet below may use.
const COMMON: &str = "абвгдежзийклмнопрстуфхцчшщъыьэюяё";

/// The letters that alphabets add, one row for each family of languages: Ukrainian, Belarusian,
/// Serbian and Macedonian, Kazakh and Kyrgyz, Tatar and Bashkir, Tajik, Uzbek, Mongolian, Chuvash,
/// Ossetian, Abkhaz, those of the Caucasus, Mari and Udmurt, Yakut.
const ADDED: [&str; 14] = [
    "ґєії",
    "іў",
    "ђјљњћџѓќѕ",
    "әғқңөұүһі",
    "әҗңөүһҙҡҫғ",
    "ғӣқӯҳҷ",
    "ўқғҳ",
    "өү",
    "ӑӗҫӳ",
    "ӕ",
    "ҽҿҕқҟԥҭџәҩҳҵҷӡ",
    "ӏ",
    "ҥӧӱӓӹӟӥӝӵ",
    "ҕҥөһү",
];

/// Returns a message for a Cyrillic label that consists of lookalikes and that no language writes.
pub(super) fn imitated(label: &str) -> Option<String> {
    let mut text = String::with_capacity(label.len());
    for char in label.chars() {
        let row = DRAWN.iter().find(|(letter, _)| *letter == char);
        match row {
            Some((_, latin)) => text.push(*latin),
            None if char == '-' || char.is_ascii_digit() => text.push(char),
            None => return None,
        }
    }
    let (index, char) = label.chars().enumerate().find(|(_, char)| !char.is_ascii())?;
    let place = place(index, char);
    let is_imitation = !has_vowel(label) || !is_written(label);
    is_imitation
        .then(|| format!("the label looks like \"{text}\", and is no Cyrillic word; {place}"))
}

/// Reports whether `label` has a vowel, or a syllable whose vowel is the letter er: Serbian `крст`.
fn has_vowel(label: &str) -> bool {
    let letters: Vec<char> = label.chars().collect();
    let is_syllable =
        |three: &[char]| matches!(three, [a, 'р', b] if !a.is_ascii() && !b.is_ascii());
    label.chars().any(|char| VOWELS.contains(char)) || letters.windows(3).any(is_syllable)
}

/// Reports whether one alphabet contains every letter of `label`.
fn is_written(label: &str) -> bool {
    let letters = || label.chars().filter(|char| !char.is_ascii());
    ADDED.iter().any(|added| letters().all(|char| COMMON.contains(char) || added.contains(char)))
}
