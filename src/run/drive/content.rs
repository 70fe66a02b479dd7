//! Condenses the content of a page: a hash that shows whether it has changed, and a sketch that
//! shows whether two pages are much the same.

use super::page::Page;
use crate::finding::Content;
use crate::probe::Body;
use crate::source::markup::words;

/// Returns the content of `body`, whose page is `page` if it is of a known format; `None` if it
/// was not read whole. `name` is the name of the page in the link, which a page that is shown for
/// any name may repeat.
pub(super) fn content(body: &Body, page: Option<&Page<'_>>, name: &[u8]) -> Option<Content> {
    if body.is_cut {
        return None;
    }
    let mut taking = Taking::new(name);
    match page {
        Some(page) => page.words(&mut |word| taking.word(word)),
        None => words::of_text(&body.bytes, &mut |word| taking.word(word)),
    }
    Some(taking.content())
}

/// The basis and the prime of FNV-1a with 128 bits
/// (draft-eastlake-fnv §5). Unlike the hashes of the standard library, it is the same in all
/// versions of the program, which the state outlives.
const BASIS: u128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013B;

/// The words of a page that were taken so far.
struct Taking<'n> {
    name: &'n [u8],
    digest: u128,
    /// The hashes of the last two words.
    last: [u64; 2],
    /// For each bit of the sketch, by how many more runs of three words it is set than not
    /// (Charikar, "Similarity Estimation Techniques from Rounding Algorithms", 2002, §3).
    sums: [i64; 64],
}

impl<'n> Taking<'n> {
    fn new(name: &'n [u8]) -> Self {
        Self { name, digest: BASIS, last: [0; 2], sums: [0; 64] }
    }

    fn word(&mut self, word: &[u8]) {
        // No word has a blank.
        self.digest = fnv(fnv(self.digest, word), b" ");
        let hash = mixed(fold(self.unnamed(word)));
        let [first, second] = self.last;
        let run = mixed(first.rotate_left(42) ^ second.rotate_left(21) ^ hash);
        self.last = [second, hash];
        for (bit, sum) in self.sums.iter_mut().enumerate() {
            *sum += if run >> bit & 1 == 1 { 1 } else { -1 };
        }
    }

    /// Returns a hash of `word` without the name of the page, where it is not part of a longer one.
    fn unnamed(&self, word: &[u8]) -> u128 {
        let is_letter = |byte: Option<&u8>| {
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
        };
        let (mut hash, mut done) = (BASIS, 0);
        for at in memchr::memmem::find_iter(word, self.name).filter(|_| !self.name.is_empty()) {
            let end = at + self.name.len();
            let before = at.checked_sub(1).and_then(|at| word.get(at));
            if at >= done && !is_letter(before) && !is_letter(word.get(end)) {
                hash = fnv(hash, word.get(done..at).unwrap_or_default());
                done = end;
            }
        }
        fnv(hash, word.get(done..).unwrap_or_default())
    }

    fn content(&self) -> Content {
        let bits = self.sums.iter().enumerate().filter(|(_, sum)| **sum > 0);
        let sketch = bits.fold(0, |sketch, (bit, _)| sketch | 1 << bit);
        Content { digest: self.digest, sketch, changed_since: None }
    }
}

fn fnv(hash: u128, bytes: &[u8]) -> u128 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}

/// Returns 64 bits of `hash`.
fn fold(hash: u128) -> u64 {
    let bytes = (hash ^ hash >> 64).to_le_bytes();
    bytes.first_chunk().map_or(0, |half| u64::from_le_bytes(*half))
}

/// Returns `hash` with each bit depending on all others (the last step of MurmurHash3): the low
/// bits of FNV depend on few.
const fn mixed(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    let hash = (hash ^ hash >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    hash ^ hash >> 33
}

#[cfg(test)]
mod tests {
    use super::{BASIS, Taking, content, fnv};
    use crate::finding::Content;
    use crate::probe::Body;
    use crate::run::drive::page::Page;

    fn of(text: &str, name: &str) -> Content {
        let body = Body {
            bytes: text.as_bytes().to_vec(),
            media_type: "text/html".to_owned(),
            charset: None,
            is_cut: false,
            fault: None,
        };
        let cut = Body { is_cut: true, ..body.clone() };
        assert_eq!(content(&cut, Page::of(&cut).as_ref(), b""), None);
        content(&body, Page::of(&body).as_ref(), name.as_bytes()).unwrap()
    }

    /// A text of `count` words, the first of which is `first`.
    fn words(first: &str, count: usize) -> String {
        let words = (1..count).map(|number| format!("word{}", number * 7919 % 1009));
        std::iter::once(first.to_owned()).chain(words).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_hash_is_that_of_the_draft() {
        assert_eq!(fnv(BASIS, b""), BASIS);
        assert_eq!(fnv(BASIS, b"a"), 0xD228_CB69_6F1A_8CAF_7891_2B70_4E4A_8964);
    }

    #[test]
    fn a_digest_is_that_of_the_words() {
        let page = of("<p>One <b>two</b> three", "x");
        assert_eq!(page.digest, of("<div>One\n\ntwo<script>x()</script> three</div>", "y").digest);
        assert_ne!(page.digest, of("<p>One three two", "x").digest);
        assert_ne!(page.digest, of("<p>One twothree", "x").digest);
    }

    #[test]
    fn pages_are_alike_but_for_their_names() {
        let missing = |name: &str| of(&format!("<p>/a/{name} was not found: {name}."), name);
        let [one, other] = ["welcome.html", "kdfjgh.html"].map(missing);
        assert!(one.is_like(&other) && one.digest != other.digest);
        // Without the name, they are two short pages.
        assert!(!of("<p>welcome here", "x").is_like(&of("<p>kdfjgh here", "x")));
        // A word of a thousand may differ, a tenth may not.
        let long = of(&words("one", 1000), "x");
        assert!(long.is_like(&of(&words("other", 1000), "x")));
        assert!(!long.is_like(&of(&words("one", 900), "x")));
        assert!(of("", "x").is_like(&of("<p>", "y")));
        // A name is ignored as a whole, not as a part of other words.
        let [one, other] = ["b", "kdfjgh"].map(missing);
        assert!(one.is_like(&other));
        let mut taking = Taking::new(b"a");
        taking.word(b"banana");
        let mut other = Taking::new(b"a");
        other.word(b"bnn");
        assert_ne!(taking.content().sketch, other.content().sketch);
    }
}
