//! Finds characters that are usual in names, but out of place where they are: marks over characters
//! that never carry them, signs of repetition and length with nothing to repeat, strokes of
//! ideographs between Latin letters, letters of one country under the domain of another.
//!
//! The kinds are those that browsers show in Punycode (UTS 39 §5.4 for marks; the rest follows the
//! usage of the scripts).

use icu_normalizer::DecomposingNormalizerBorrowed;
use unicode_script::{Script, UnicodeScript as _};

use super::identifier::is_mark;

/// A character with its neighbours.
struct Seat {
    before: Option<char>,
    /// The character over which the marks before this one are drawn.
    base: Option<char>,
    char: char,
    after: Option<char>,
}

/// Returns the index of the first character of `label` that is out of place, and the reason.
pub(super) fn misplaced(label: &str, top: &str) -> Option<(usize, &'static str)> {
    let chars: Vec<char> = label.chars().collect();
    let seat = |index: usize| Seat {
        before: index.checked_sub(1).and_then(|before| chars.get(before)).copied(),
        base: chars.iter().take(index).rev().find(|char| !is_mark(**char)).copied(),
        char: chars.get(index).copied().unwrap_or_default(),
        after: chars.get(index + 1).copied(),
    };
    let found = (0..chars.len()).find_map(|index| {
        let seat = seat(index);
        let reason = marked(&seat, top)
            .or_else(|| kana(&seat))
            .or_else(|| dot(&seat, top, chars.len()))
            .or_else(|| foreign(&seat, top))?;
        Some((index, reason))
    });
    found
        .or_else(|| repeated(label).map(|index| (index, "a mark is drawn over itself")))
        .or_else(|| stroke(&chars).map(|index| (index, "a stroke of ideographs between letters")))
}

/// Top-level domains of languages whose letters with marks do not all have a composed character:
/// Yoruba, Igbo and their neighbours, Lingala, Guarani, Lithuanian, Navajo.
const MARK_HOMES: [&str; 11] = ["bj", "cd", "cg", "cm", "gh", "lt", "ng", "py", "sn", "tg", "us"];

/// Checks marks that remain after composition, because no composed character contains them.
fn marked(seat: &Seat, top: &str) -> Option<&'static str> {
    let is_general = |char: char| ('\u{300}'..='\u{36F}').contains(&char);
    // The first of several marks decides.
    if !is_general(seat.char) || seat.before.is_some_and(is_general) {
        return None;
    }
    match seat.base.unwrap_or_default() {
        'i' | 'j' | 'l' | '\u{131}' | '\u{237}' => Some("the mark hides over the letter"),
        // Letters of Yoruba and its neighbours, whose tones are marks.
        'ẹ' | 'ọ' | 'ɛ' | 'ɔ' | 'ŋ' => None,
        base if base.script() == Script::Latin => {
            (!MARK_HOMES.contains(&top)).then_some("the letter is never written with the mark")
        }
        base if matches!(base.script(), Script::Greek | Script::Cyrillic) => None,
        _ => Some("the mark is for Latin, Greek and Cyrillic letters"),
    }
}

fn is_katakana(char: char) -> bool {
    char.script() == Script::Katakana
}

fn is_hiragana(char: char) -> bool {
    char.script() == Script::Hiragana
}

/// Checks the length mark, the marks of repetition and of voice, and the two `he`, which look the
/// same in both kana.
fn kana(seat: &Seat) -> Option<&'static str> {
    const LENGTH: char = '\u{30FC}';
    let before = seat.before.unwrap_or_default();
    let is_kana = |char: char| is_katakana(char) || is_hiragana(char);
    let follows = |is_usual: bool, reason| (!is_usual).then_some(reason);
    match seat.char {
        LENGTH => follows(
            is_kana(before) || matches!(before, LENGTH | '\u{3099}' | '\u{309A}'),
            "the length mark follows no kana",
        ),
        '\u{30FD}' | '\u{30FE}' => {
            follows(is_katakana(before), "the mark of repetition follows no katakana")
        }
        '\u{309D}' | '\u{309E}' => {
            follows(is_hiragana(before), "the mark of repetition follows no hiragana")
        }
        '\u{3099}' | '\u{309A}' => follows(is_kana(before), "the mark of voice follows no kana"),
        'へ' | 'べ' | 'ぺ' => follows(
            !(is_katakana_or_length(before) && seat.after.is_some_and(is_katakana_or_length)),
            "hiragana within katakana that look the same",
        ),
        'ヘ' | 'ベ' | 'ペ' => follows(
            !(is_hiragana(before) && seat.after.is_some_and(is_hiragana)),
            "katakana within hiragana that look the same",
        ),
        '一' => follows(
            !(is_katakana_or_length(before)
                && seat
                    .after
                    .is_some_and(|after| is_katakana(after) && !"ヵカヶケ".contains(after))),
            "an ideograph within katakana that looks like their length mark",
        ),
        _ => None,
    }
}

fn is_katakana_or_length(char: char) -> bool {
    is_katakana(char) || char == '\u{30FC}'
}

/// Top-level domains whose registries allow the middle dot of Catalan.
const CATALAN_HOMES: [&str; 4] = ["ad", "barcelona", "cat", "es"];

/// Checks dots in the middle of the line, which could pass for the dots between labels.
fn dot(seat: &Seat, top: &str, len: usize) -> Option<&'static str> {
    let is_plain = |char: Option<char>| char.is_some_and(|char| char.is_ascii_alphanumeric());
    match seat.char {
        '\u{B7}' => {
            let is_double = (seat.before, seat.after) == (Some('l'), Some('l'));
            // `l·l` alone is two strokes and a dot; within a word it is Catalan.
            let is_word = CATALAN_HOMES.contains(&top) || len > 4;
            (!(is_double && is_word)).then_some("a middle dot is for Catalan \"l.l\"")
        }
        '\u{30FB}' => {
            let is_next_to_latin = is_plain(seat.before) || is_plain(seat.after);
            let is_repeated = seat.after == Some('\u{30FB}');
            (is_next_to_latin || is_repeated || len == 1)
                .then_some("a middle dot is for Japanese words")
        }
        '\u{5F3}' | '\u{5F4}' => {
            let is_foreign = |char: Option<char>| {
                char.is_some_and(|char| char.is_alphabetic() && char.script() != Script::Hebrew)
            };
            (is_foreign(seat.before) || is_foreign(seat.after))
                .then_some("the mark is for Hebrew letters")
        }
        _ => None,
    }
}

/// Checks letters that one country's registry allows, and that pass for other letters elsewhere.
fn foreign(seat: &Seat, top: &str) -> Option<&'static str> {
    let (homes, reason): (&[&str], _) = match seat.char {
        '\u{FE}' => (&["is", "fo"], "the letter is Icelandic"),
        '\u{F0}' => (&["is", "fo"], "the letter is Icelandic and Faroese"),
        '\u{259}' | '\u{1DD}' => (&["az", "ng", "cm", "gh"], "the letter is Azerbaijani"),
        _ => return None,
    };
    (top.is_ascii() && !homes.contains(&top)).then_some(reason)
}

/// Returns the index of a mark that follows itself in the decomposition of `label`.
fn repeated(label: &str) -> Option<usize> {
    let normalizer = DecomposingNormalizerBorrowed::new_nfd();
    let mut last = None;
    for (index, char) in label.chars().enumerate() {
        for part in normalizer.normalize_iter(std::iter::once(char)) {
            if last == Some(part) && is_mark(part) {
                return Some(index);
            }
            last = Some(part);
        }
    }
    None
}

/// Ideographs, kana and letters of Bopomofo of one or two strokes. They pass for letters, slashes
/// and hyphens if no other character of their kind is next to them.
const STROKES: &str =
    "一丨丶丿乀乁乂乙乚乛亅丁丅丆七丩丫乄亠冖宀巛巜十卜工〇讠口ノソゾンニトエロハヘへゝゞ三二";

/// Longest run of strokes that passes for signs; a longer one is a word.
const STROKES_MAX: usize = 2;

/// Returns the index of a run of strokes with a Latin letter next to it.
fn stroke(chars: &[char]) -> Option<usize> {
    let is_latin = |char: Option<&char>| char.is_some_and(char::is_ascii_alphabetic);
    let is_digit = |char: Option<&char>| char.is_some_and(char::is_ascii_digit);
    let has_latin = chars.iter().any(char::is_ascii_alphabetic);
    let mut start = 0;
    while start < chars.len() {
        let rest = chars.get(start..).unwrap_or_default();
        let len = rest.iter().take_while(|char| is_east_asian(**char)).count();
        let run = rest.get(..len).unwrap_or_default();
        let before = start.checked_sub(1).and_then(|before| chars.get(before));
        let after = rest.get(len);
        let touches = is_latin(before)
            || is_latin(after)
            || has_latin && (is_digit(before) || is_digit(after));
        if (1..=STROKES_MAX).contains(&len) && touches && are_strokes(run) {
            return Some(start);
        }
        start += len.max(1);
    }
    None
}

fn is_east_asian(char: char) -> bool {
    use Script::{Bopomofo, Han, Hangul, Hiragana, Katakana};
    matches!(char.script(), Bopomofo | Han | Hangul | Hiragana | Katakana) || char == '\u{30FC}'
}

/// Reports whether `run` consists of strokes, and has at most one letter of Bopomofo. A word of
/// Bopomofo has a letter for each sound, so that one alone is none.
fn are_strokes(run: &[char]) -> bool {
    let is_stroke = |char: &char| STROKES.contains(*char) || char.script() == Script::Bopomofo;
    let letters = run.iter().filter(|char| char.script() == Script::Bopomofo).count();
    letters <= 1 && run.iter().all(is_stroke)
}
