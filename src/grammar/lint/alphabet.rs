//! Cyrillic labels of letters that look like Latin ones in capitals or but for a hook, and
//! that are no word of any language.
//!
//! к, м, н, т and в are drawn like small Latin capitals, and most words of short letters have
//! some of them: `курс` must not be warned of. What gives an imitation away is that it has no
//! vowel, or that its letters are those of several alphabets, as no language writes them.

use super::lookalike::place;

/// Letters drawn like Latin ones but for their height, a hook or a stroke, besides those of the
/// tables of lookalikes.
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

/// Vowels of all Cyrillic alphabets.
const VOWELS: &str = "аеёиоуыэюяєіїөүұәӑӗӳӕӣӯӧӱӓӟӥ";

/// Letters that every alphabet below may use.
const COMMON: &str = "абвгдежзийклмнопрстуфхцчшщъыьэюяё";

/// Letters that alphabets add, a row a family of languages: Ukrainian, Belarusian, Serbian and
/// Macedonian, Kazakh and Kyrgyz, Tatar and Bashkir, Tajik, Uzbek, Mongolian, Chuvash, Ossetian,
/// Abkhaz, those of the Caucasus, Mari and Udmurt, Yakut.
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

/// Returns a message for a Cyrillic label of lookalikes only that no language writes.
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

/// Reports whether `label` has a vowel, or a syllable that the letter er carries: Serbian `крст`.
fn has_vowel(label: &str) -> bool {
    let letters: Vec<char> = label.chars().collect();
    let is_syllable =
        |three: &[char]| matches!(three, [a, 'р', b] if !a.is_ascii() && !b.is_ascii());
    label.chars().any(|char| VOWELS.contains(char)) || letters.windows(3).any(is_syllable)
}

/// Reports whether one alphabet has every letter of `label`.
fn is_written(label: &str) -> bool {
    let letters = || label.chars().filter(|char| !char.is_ascii());
    ADDED.iter().any(|added| letters().all(|char| COMMON.contains(char) || added.contains(char)))
}
