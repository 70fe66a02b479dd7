//! Removes the name of a link from the words of a page, in the spellings in which pages that are
//! shown for any name repeat it.

use std::collections::HashSet;

use crate::uri::unescaped;

/// Maximum number of words in a name that are removed one by one.
const PARTS_MAX: usize = 16;

/// The texts that repeat a name, the longest first, in lower case.
pub(super) struct Spellings(Vec<Vec<u8>>);

impl Spellings {
    /// Returns the spellings of `names`, each the last name of a link with its query: as it is,
    /// without the query, decoded, without its ending, and its words, as in `Nothing is called my
    /// old page` for `my-old-page.html`.
    pub(super) fn of<'n>(names: impl IntoIterator<Item = &'n [u8]>) -> Self {
        let mut all: Vec<Vec<u8>> = Vec::new();
        for whole in names {
            let query = memchr::memchr(b'?', whole).unwrap_or(whole.len());
            let name = whole.get(..query).unwrap_or_default();
            let name = name.strip_suffix(b"/").unwrap_or(name);
            let decoded = unescaped(name);
            let stem = memchr::memrchr(b'.', &decoded).and_then(|dot| decoded.get(..dot));
            let parts = decoded.split(|byte| !is_letter(*byte)).take(PARTS_MAX);
            let spellings = [whole, name, &decoded, stem.unwrap_or_default()].into_iter();
            all.extend(spellings.chain(parts).map(<[u8]>::to_ascii_lowercase));
        }
        all.retain(|spelling| !spelling.is_empty());
        all.sort_by(|one, other| (other.len(), one).cmp(&(one.len(), other)));
        all.dedup();
        Self(all)
    }

    /// Reports whether a text with these runs of letters, in lower case, may have one of the
    /// spellings.
    pub(super) fn may_be_in(&self, text: &HashSet<&[u8]>) -> bool {
        self.0.iter().any(|spelling| runs(spelling).all(|run| text.contains(run)))
    }

    /// Returns `word` in lower case without the spellings in it that are not part of a longer name.
    pub(super) fn without(&self, word: &[u8]) -> Vec<u8> {
        let word = word.to_ascii_lowercase();
        let (mut out, mut at) = (Vec::with_capacity(word.len()), 0);
        while let Some(byte) = word.get(at) {
            let is_free = |at: usize| word.get(at).is_none_or(|byte| !is_letter(*byte));
            let rest = word.get(at..).unwrap_or_default();
            let begins_here = |spelling: &&Vec<u8>| {
                rest.starts_with(spelling)
                    && (is_free(at + spelling.len()) || spelling.last().is_some_and(is_mark))
            };
            let may_begin = at == 0 || is_free(at - 1) || !is_letter(*byte);
            match self.0.iter().filter(|_| may_begin).find(begins_here) {
                Some(spelling) => at += spelling.len(),
                None => {
                    out.push(*byte);
                    at += 1;
                }
            }
        }
        out
    }
}

/// Returns the runs of letters and digits in `text`.
pub(super) fn runs(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !is_letter(*byte)).filter(|run| !run.is_empty())
}

fn is_mark(byte: &u8) -> bool {
    !is_letter(*byte)
}

/// Reports whether `byte` is of a letter or a digit, in UTF-8.
const fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::Spellings;

    #[test]
    fn a_name_is_removed_as_a_whole_in_each_spelling() {
        let case = |name: &str, word: &str, wanted: &str| {
            let rest = Spellings::of([name.as_bytes()]).without(word.as_bytes());
            assert_eq!(String::from_utf8_lossy(&rest), wanted, "{name} {word}");
        };
        case("welcome.html", "/a/welcome.html,", "/a/,");
        case("welcome.html", "\"Welcome\"", "\"\"");
        case("welcome.html", "unwelcome", "unwelcome");
        case("welcome.html", "welcomes", "welcomes");
        case("my-old-page", "old", "");
        case("my-old-page", "my-old-page", "");
        case("b?c=d", "/a/b?c=d:", "/a/:");
        case("b?c=d", "/a/b", "/a/");
        case("caf%C3%A9", "caf\u{e9}", "");
        case("caf%C3%A9", "caf\u{e9}s", "caf\u{e9}s");
        case("caf%c3%a9", "/CAF%C3%A9", "/");
        case("b/", "/a/b/", "/a/");
        case("", "word", "word");
        case("/?a=1", "word", "word");
    }
}
