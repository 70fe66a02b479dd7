//! Undoes the disguises of words: letters with blanks between, `S T O P`, and letters of another
//! script that look like those of the word.

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
    use super::undone;

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
}
