//! Condenses the content of a page: a hash that shows whether it has changed, and a sketch that
//! shows whether two pages are much the same.

use std::collections::HashSet;

use super::page::Page;
use super::spelling::{Spellings, runs};
use crate::finding::{Content, Reach};
use crate::probe::Body;
use crate::source::markup::words;

/// Returns the content of `body`, whose page is `page` if it is of a known format; `None` if it
/// was not read whole. `name` is the last name of the link with its query, which a page that is
/// shown for any name may repeat.
pub(super) fn content(body: &Body, page: Option<&Page<'_>>, name: &[u8]) -> Option<Content> {
    (!body.is_cut).then(|| taken(body, page, Spellings::of([name])))
}

/// Maximum number of names of links for which an invented page gets a sketch each. A directory
/// with more links has more that answer alike.
pub(in crate::run) const BESIDE_MAX: usize = 64;

/// Returns a line for each of `names` that `body`, the page of the invented name `own`, may hold as
/// words of its own: the sketch of the page without that name, too, as that of a link is made.
pub(super) fn sketches<'n>(
    body: &Body,
    page: Option<&Page<'_>>,
    own: &[u8],
    names: impl Iterator<Item = &'n [u8]>,
) -> Option<String> {
    if body.is_cut {
        return None;
    }
    // Read once for all names; those that are not in it make no difference.
    let mut all = Vec::new();
    read(body, page, &mut |word| all.push(word.to_ascii_lowercase()));
    let runs: HashSet<&[u8]> = all.iter().flat_map(|word| runs(word)).collect();
    let names = names.take(BESIDE_MAX).filter(|name| Spellings::of([*name]).may_be_in(&runs));
    let line = |name: &[u8]| {
        let mut taking = Taking::new(Spellings::of([own, name]));
        all.iter().for_each(|word| taking.word(word));
        format!("{:016x} {}", taking.content().sketch, name.escape_ascii())
    };
    let lines: Vec<_> = names.map(line).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Returns the content of `reach`, the answer to an invented name, as that of a link called `name`
/// is made.
pub(in crate::run) fn content_as(reach: &Reach, name: &[u8]) -> Option<Content> {
    let content = reach.content.as_deref()?;
    let name = name.escape_ascii().to_string();
    let mut lines = reach.hint.as_deref().unwrap_or_default().lines();
    let sketch = lines.find_map(|line| {
        let (sketch, known) = line.split_once(' ')?;
        (known == name).then(|| u64::from_str_radix(sketch, 16).ok())?
    });
    Some(Content { sketch: sketch.unwrap_or(content.sketch), ..*content })
}

fn taken(body: &Body, page: Option<&Page<'_>>, spellings: Spellings) -> Content {
    let mut taking = Taking::new(spellings);
    read(body, page, &mut |word| taking.word(word));
    let content = taking.content();
    let is_shell = page.is_some_and(Page::is_shell);
    Content { sketch: if is_shell { Content::SCRIPTED } else { content.sketch }, ..content }
}

/// Visits the words of `body`, whose page is `page` if it is of a known format.
fn read(body: &Body, page: Option<&Page<'_>>, visit: &mut dyn FnMut(&[u8])) {
    match page {
        Some(page) => page.words(visit),
        None => words::of_text(&body.bytes, visit),
    }
}

/// The basis and the prime of FNV-1a with 128 bits
/// (draft-eastlake-fnv §5). Unlike the hashes of the standard library, it is the same in all
/// versions of the program, which the state outlives.
const BASIS: u128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013B;

/// The words of a page that were taken so far.
struct Taking {
    spellings: Spellings,
    digest: u128,
    /// The hashes of the last two words.
    last: [u64; 2],
    /// For each bit of the sketch, by how many more runs of three words it is set than not
    /// (Charikar, "Similarity Estimation Techniques from Rounding Algorithms", 2002, §3).
    sums: [i64; 64],
}

impl Taking {
    fn new(spellings: Spellings) -> Self {
        Self { spellings, digest: BASIS, last: [0; 2], sums: [0; 64] }
    }

    fn word(&mut self, word: &[u8]) {
        // No word has a blank.
        self.digest = fnv(fnv(self.digest, word), b" ");
        let rest = self.spellings.without(word);
        if rest.is_empty() {
            return;
        }
        let hash = mixed(fold(fnv(BASIS, &rest)));
        let [first, second] = self.last;
        let run = mixed(first.rotate_left(42) ^ second.rotate_left(21) ^ hash);
        self.last = [second, hash];
        for (bit, sum) in self.sums.iter_mut().enumerate() {
            *sum += if run >> bit & 1 == 1 { 1 } else { -1 };
        }
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
    use super::{BASIS, Spellings, Taking, content, content_as, fnv, sketches};
    use crate::finding::{Class, Content, Reach};
    use crate::probe::Body;
    use crate::run::drive::page::Page;

    fn body(text: &str) -> Body {
        Body {
            bytes: text.as_bytes().to_vec(),
            media_type: "text/html".to_owned(),
            charset: None,
            is_cut: false,
            fault: None,
            refresh: None,
        }
    }

    fn of(text: &str, name: &str) -> Content {
        let body = body(text);
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
    fn a_page_that_its_script_makes_is_like_no_other() {
        for words in ["", "Loading..."] {
            let shell = of(&format!("<div id=app></div><script src=a.js></script>{words}"), "x");
            assert!(!shell.is_like(&shell), "{words}");
            assert!(!shell.is_like(&of(words, "x")), "{words}");
        }
        let page = of("<script src=a.js></script><p>words", "x");
        assert!(page.is_like(&page));
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
        let mut taking = Taking::new(Spellings::of([&b"a"[..]]));
        taking.word(b"banana");
        let mut other = Taking::new(Spellings::of([&b"a"[..]]));
        other.word(b"bnn");
        assert_ne!(taking.content().sketch, other.content().sketch);
    }

    #[test]
    fn an_invented_page_is_compared_without_the_name_of_each_link() {
        // Short pages, in which one word too many makes another page.
        let page = |name: &str| format!("<p>The page {name} was not found. See the home page.");
        let of_invented = |names: &[&str]| {
            let body = body(&page("kdfjgh"));
            let parsed = Page::of(&body);
            let names = names.iter().map(|name| name.as_bytes());
            let hint = sketches(&body, parsed.as_ref(), b"kdfjgh", names);
            let content = content(&body, parsed.as_ref(), b"kdfjgh").map(Box::new);
            Reach { hint, content, ..Reach::new(Class::Alive, "http", "200 OK") }
        };
        let names = ["page", "the", "not.html", "was-found?q", "home", "else", "p\u{e9}ge"];
        let invented = of_invented(&names);
        for name in names {
            let link = of(&page(name), name);
            assert!(content_as(&invented, name.as_bytes()).unwrap().is_like(&link), "{name}");
        }
        // Without a line for it, a name that is a word of the page makes a difference.
        let plain = of_invented(&[]);
        let like = |name: &str| {
            content_as(&plain, name.as_bytes()).unwrap().is_like(&of(&page(name), name))
        };
        assert!(plain.hint.is_none() && like("else") && !like("page"));
        // A page of its own is another one, whatever its name.
        let own = of("<p>Welcome to the page of all that we sell", "page");
        assert!(!content_as(&invented, b"page").unwrap().is_like(&own));
    }
}
