//! Undoes the disguises of words: letters with blanks between, `S T O P`, letters of another
//! script that look like those of the word, digits for letters, and errors in words for leaving.

use std::borrow::Cow;

/// Letters of Cyrillic and Greek, and the Latin ones that they are taken for.
#[rustfmt::skip]
const LOOKALIKES: &[(char, char)] = &[
    ('а', 'a'), ('б', 'b'), ('в', 'b'), ('с', 'c'), ('ԁ', 'd'), ('е', 'e'), ('ё', 'e'), ('һ', 'h'),
    ('н', 'h'), ('і', 'i'), ('ї', 'i'), ('ј', 'j'), ('к', 'k'), ('ӏ', 'l'), ('м', 'm'), ('п', 'n'),
    ('о', 'o'), ('р', 'p'), ('ԛ', 'q'), ('г', 'r'), ('ѕ', 's'), ('т', 't'), ('и', 'u'), ('ѵ', 'v'),
    ('ԝ', 'w'), ('х', 'x'), ('у', 'y'), ('α', 'a'), ('β', 'b'), ('ε', 'e'), ('η', 'n'), ('ι', 'i'),
    ('κ', 'k'), ('ν', 'v'), ('ο', 'o'), ('ρ', 'p'), ('τ', 't'), ('υ', 'u'), ('χ', 'x'),
];

/// Words for leaving a list that are so long that none of another meaning is near.
#[rustfmt::skip]
const LONG: &[&str] = &[
    "unsubscribe", "unsubscribing", "unsubscription", "abbestellen", "desabonner", "desinscrire",
    "desinscription", "desuscribirse", "descadastrar", "disiscriversi", "cancellarsi",
    "uitschrijven", "avregistrera", "avprenumerera", "dezabonare", "leiratkozas", "отписаться",
    "відписатися",
];
/// Beginnings of words for actions in which a digit may replace a letter.
#[rustfmt::skip]
const WITH_DIGITS: &[&str] = &[
    "abbestell", "abmeld", "afmeld", "cancel", "confirm", "desabon", "desinscri", "leave",
    "optout", "remove", "unsub", "verify",
];

/// Returns `text`, folded, with words that are nearly those for leaving corrected.
pub(super) fn corrected(text: String) -> String {
    const LEN_MIN: usize = 5;
    let is_odd = |word: &str| word.len() >= LEN_MIN && correction(word).is_some();
    if !text.split(' ').any(is_odd) {
        return text;
    }
    let words = text.split(' ').map(|word| match word.len() {
        LEN_MIN.. => correction(word).unwrap_or_else(|| word.to_owned()),
        _ => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the word for leaving that `word` is a disguise of, if it is one.
fn correction(word: &str) -> Option<String> {
    const LETTERS_MIN: usize = 3;
    if !word.bytes().any(|byte| byte.is_ascii_digit()) {
        return corrected_word(word).map(str::to_owned);
    }
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let plain: String = word.chars().map(letter_of).collect();
    let is_known = || WITH_DIGITS.iter().any(|known| plain.starts_with(known));
    if letters < LETTERS_MIN {
        None
    } else if is_known() {
        Some(plain)
    } else {
        corrected_word(&plain).map(str::to_owned)
    }
}

/// Returns the word for leaving that `word` is near to, or is the reverse of.
fn corrected_word(word: &str) -> Option<&'static str> {
    let letters: Vec<char> = word.chars().collect();
    let reversed = || letters.iter().rev().copied().collect::<Vec<_>>();
    let is_near = |known: &&&str| {
        let known: Vec<char> = known.chars().collect();
        letters.len().abs_diff(known.len()) <= ERRORS_MAX
            && (letters.first() == known.first() && letters != known && are_near(&letters, &known)
                || letters.last() == known.first() && reversed() == known)
    };
    LONG.iter().find(is_near).copied()
}

/// Returns the letter that `c`, a digit, looks like.
const fn letter_of(c: char) -> char {
    match c {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        '8' => 'b',
        _ => c,
    }
}

/// Maximum number of errors in a word: letters that are missing, added or other ones.
const ERRORS_MAX: usize = 2;

/// Reports whether so few errors change one word into the other.
fn are_near(one: &[char], other: &[char]) -> bool {
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for (row, own) in one.iter().enumerate() {
        let mut left = row + 1;
        let mut line = vec![left];
        for (letter, pair) in other.iter().zip(above.windows(2)) {
            let [diagonal, up] = pair else { continue };
            left = (diagonal + usize::from(own != letter)).min(up + 1).min(left + 1);
            line.push(left);
        }
        above = line;
    }
    above.last().is_some_and(|errors| *errors <= ERRORS_MAX)
}

/// Returns `text`, in small letters, without disguises.
pub(super) fn undone(text: &str) -> Cow<'_, str> {
    let joined = joined(text);
    if joined.is_ascii() || !joined.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return joined;
    }
    let words = joined.split(' ').map(of_one_script);
    Cow::Owned(words.collect::<Vec<_>>().join(" "))
}

/// Returns `text` with single letters in a row joined to words, which end at two blanks.
fn joined(text: &str) -> Cow<'_, str> {
    /// Fewer are initials, or the marks of answers.
    const LETTERS_MIN: usize = 4;
    let is_letter = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
    };
    let is_spaced = |word: &str| word.is_empty() || is_letter(word);
    let words: Vec<&str> = text.split([' ', '\u{A0}']).collect();
    let counts = |run: &[&str]| run.iter().filter(|word| is_letter(word)).count() >= LETTERS_MIN;
    let runs = || words.chunk_by(|one, other| is_spaced(one) && is_spaced(other));
    if !runs().any(counts) {
        return Cow::Borrowed(text);
    }
    let join = |run: &[&str]| {
        let whole = run.iter().map(|word| if word.is_empty() { " " } else { word });
        if counts(run) { whole.collect::<String>() } else { run.join(" ") }
    };
    Cow::Owned(runs().map(join).collect::<Vec<_>>().join(" "))
}

/// Returns `word` in the script of most of its letters, if those of the other look like its own.
fn of_one_script(word: &str) -> String {
    let latin = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let others = word.chars().filter(|c| LOOKALIKES.iter().any(|(like, _)| like == c)).count();
    if latin == 0 || others == 0 {
        return word.to_owned();
    }
    let find = |c: char| {
        LOOKALIKES.iter().find_map(|(like, plain)| {
            let (from, to) = if latin >= others { (like, plain) } else { (plain, like) };
            (*from == c).then_some(*to)
        })
    };
    word.chars().map(|c| find(c).unwrap_or(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::{corrected, undone};

    #[test]
    fn words_lose_their_disguise() {
        for (text, expected) in [
            ("u n s u b s c r i b e", "unsubscribe"),
            ("to s t o p press x", "to stop press x"),
            ("a b c and d", "a b c and d"),
            ("o p t  o u t", "opt out"),
            ("unsubscriбe", "unsubscribe"),
            ("оpt оut", "opt out"),
            ("oтписaться", "отписаться"),
            ("обычный текст", "обычный текст"),
            ("plain text", "plain text"),
        ] {
            assert_eq!(undone(text), expected, "{text}");
        }
    }

    #[test]
    fn errors_in_words_for_leaving_are_corrected() {
        for (text, expected) in [
            (" unsubcribe ", " unsubscribe "),
            (" unsuscribe now ", " unsubscribe now "),
            (" ebircsbusnu ", " unsubscribe "),
            (" un5ubscribe ", " unsubscribe "),
            (" rem0ve me ", " remove me "),
            (" uns7bscribe ", " unsubscribe "),
            (" desabonnr ", " desabonner "),
            (" subscribe ", " subscribe "),
            (" bestellen ", " bestellen "),
            (" unsubscribes ", " unsubscribe "),
            (" covid19 and h264 ", " covid19 and h264 "),
        ] {
            assert_eq!(corrected(text.to_owned()), expected, "{text}");
        }
    }
}
