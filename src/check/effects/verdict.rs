//! Judges a link of mail by what it shows, what is beside it, and what it says itself.
//!
//! Words of the tables decide first. Without them, a link is requested only if something explains
//! it: a headline for a path of the form `/news/123`, the words of its title for a path that has
//! one. A title alone explains little: the pages after an order have titles, too.

use super::clarity::{self, Clarity};
use super::headline::Text;
use super::link::{Link, readings};
use super::prose::{Says, folded, is_glued_script};
use super::{hosts, notices, public, siblings, token, words};

/// Maximum number of words of a text that is no title.
pub(super) const SHORT_MAX: usize = 3;
/// Minimum number of words of a text whose length alone tells it from a button.
const HEADLINE_MIN: usize = 5;
/// Minimum number of words of a sentence.
const SENTENCE_MIN: usize = 7;
/// Segments of a path that are compared with words.
const SEGMENTS_MAX: usize = 256;

/// Effects, as reports describe them: leaving a list, or changing what it sends.
pub(super) const LEAVES: &str = "unsubscribe or change a subscription, by the words around it";
pub(super) const ACTS: &str = "answer, order or change something, by the words around it";
const ASKS: &str = "answer the question before it";

/// The effect of a link about which neither its text nor the words around it say anything.
pub(super) const UNCLEAR: &str = "do anything: neither it nor the words around it say what";
/// The same in a quotation of another message.
pub(super) const UNCLEAR_QUOTED: &str =
    "do anything: neither it nor the words around it, in a quotation, say what";

/// The texts of a link and around it, as a reader sees them.
#[derive(Clone, Copy)]
pub(super) struct Shown<'t> {
    /// Its own text, if it has any but its URI.
    pub(super) own: Option<Text<'t>>,
    /// The words beside it.
    pub(super) beside: Text<'t>,
    /// The bytes before and after it, which may hold links of its form.
    pub(super) near: [&'t [u8]; 2],
    /// Whether the words beside it are before it, on lines of their own.
    pub(super) is_apart: bool,
    /// All words that may repeat its path.
    pub(super) all: &'t str,
    /// The block of text before it.
    pub(super) block: &'t str,
}

impl<'t> Shown<'t> {
    /// Returns what is shown of a link without a text of its own.
    pub(super) const fn of_words(says: &'t Says, text: &'t str, is_apart: bool) -> Self {
        let beside = Text { says, text };
        Self { own: None, beside, near: [b"", b""], is_apart, all: text, block: "" }
    }
}

/// Judges the link `uri`, of which a reader sees `shown`.
pub(super) fn judge(shown: &Shown<'_>, uri: &[u8]) -> Option<&'static str> {
    let (own, beside) = (shown.own, shown.beside);
    if own.is_some_and(|own| own.says.leaves) || beside.says.leaves {
        return Some(LEAVES);
    }
    if own.is_some_and(|own| own.says.reads) {
        return of_reading(shown.block, uri);
    }
    if let Some(own) = own.filter(|own| own.says.acts) {
        let is_article = !own.begins_as_answer() && is_article(own, uri, shown.all)
            || is_headline(own, uri, shown.near);
        return (!is_article).then_some(ACTS);
    }
    // A sentence about a standard or a message in an archive describes something done elsewhere,
    // and a report something done.
    let acts = beside.says.acts && !beside.reports() || notices::expires(beside.text);
    if acts && !is_of_site(uri) {
        let is_titled = clarity(uri) >= Clarity::Title || shared_words(uri, shown.all) > 1;
        let is_article =
            is_titled && beside.states(shown.is_apart) && is_article(beside, uri, shown.all)
                || own.is_none() && is_headline(beside, uri, shown.near);
        return (!is_article).then_some(ACTS);
    }
    let is_pointer = own.is_some_and(|own| own.says.points);
    let effect = if is_pointer && beside.asks() { ASKS } else { UNCLEAR };
    (!is_explained(shown, uri)).then_some(effect)
}

/// Judges a link whose text offers to read on, after `block`.
fn of_reading(block: &str, uri: &[u8]) -> Option<&'static str> {
    if clarity(uri) >= Clarity::Title {
        return None;
    }
    let says = Says::of(block);
    let before = Text { says: &says, text: block };
    let is_teaser = says.words > SHORT_MAX && !before.asks() && !before.begins_as_answer();
    let is_teaser = is_teaser && !says.leaves && !notices::awaits(block);
    let is_explained = clarity(uri) == Clarity::Place && is_teaser;
    let effect = match says {
        Says { leaves: true, .. } => LEAVES,
        Says { acts: true, .. } => ACTS,
        _ => UNCLEAR,
    };
    (!is_explained).then_some(effect)
}

/// Reports whether `text`, which has words for actions, is that of an article.
fn is_article(text: Text<'_>, uri: &[u8], all: &str) -> bool {
    let is_long = text.says.words >= SENTENCE_MIN;
    let is_title = is_long || shared_words(uri, all) > 1;
    let is_other = is_long || !repeats(uri, all);
    text.says.words > SHORT_MAX && is_title && is_other && leads_to_text(uri)
}

/// Reports whether what is shown explains where `uri` leads.
fn is_explained(shown: &Shown<'_>, uri: &[u8]) -> bool {
    let clarity = clarity(uri);
    if matches!(clarity, Clarity::Mute | Clarity::Text) {
        return clarity == Clarity::Text;
    }
    let (own, beside) = (shown.own, shown.beside);
    let text = own.filter(|own| !own.says.points && own.says.words > 0);
    let heads = match text {
        Some(text) => text.heads(),
        None => beside.states(shown.is_apart),
    };
    let has_pointer = text.is_none() && own.is_some();
    let is_short = text.is_none_or(|text| text.says.words <= SHORT_MAX);
    let reports = is_short && beside.reports();
    let heads = heads || reports;
    // An order to the reader, on a button whose path only names its subject.
    if clarity >= Clarity::Title && text.is_some_and(|text| tells_reader_more(text, uri)) {
        return false;
    }
    // `click here` after a condition in a language without phrases: `If you do not …, click here`.
    if has_pointer && !beside.says.points && beside.opens() {
        return false;
    }
    let is_headline = || !has_pointer && is_headline(text.unwrap_or(beside), uri, shown.near);
    match clarity {
        Clarity::Word => heads && shared_words(uri, shown.all) > 0,
        Clarity::Place if notices::awaits(text.unwrap_or(beside).text) => false,
        Clarity::Place => heads && (reports || !has_pointer),
        Clarity::Title => {
            reports
                || heads && may_name(shown, text, uri)
                || names_title(shown, text, uri)
                || is_headline()
        }
        // Buttons have titles, too, which programs repeat in their paths. In other languages than
        // English, a question or a condition leads to more actions than the tables have.
        Clarity::Name if own.is_none() && beside.leads_on() => is_headline(),
        Clarity::Name => heads || !repeats_title(uri, shown.all) || is_headline(),
        Clarity::Mute | Clarity::Text => clarity == Clarity::Text,
    }
}

/// Reports whether `text` has words for its reader that the path of `uri` lacks.
fn tells_reader_more(text: Text<'_>, uri: &[u8]) -> bool {
    let tells = |path: &String| text.tells_reader_more(&folded(path));
    readings(uri).is_some_and(|(_, paths)| paths.iter().any(tells))
}

/// Reports whether `text` is the headline of the article to which `uri` leads. Verbs of buttons are
/// verbs of headlines, too (`Council approves new lanes`), and headlines may be as short as
/// buttons. But the path of an article repeats its whole headline, below a date or a word for
/// articles, or with a number of its own in a list (`siblings`). A button begins or ends with its
/// verb, or speaks for its reader, and the programs of buttons know neither dates nor lists.
fn is_headline(text: Text<'_>, uri: &[u8], near: [&[u8]; 2]) -> bool {
    /// Minimum number of words of a headline.
    const WORDS_MIN: usize = 3;
    /// Minimum number of words where a word for articles is the only mark, or one may act.
    const LONG_MIN: usize = 4;
    let words = text.says.words;
    let is_long = words >= LONG_MIN;
    if words < WORDS_MIN || !is_long && text.says.acts || clarity(uri) < Clarity::Title {
        return false;
    }
    let is_in = |is_place: fn(&[&str]) -> bool| {
        let is_there = |text: &String| Link::of(text).paths.first().is_some_and(|it| is_place(it));
        readings(uri).is_some_and(|(_, texts)| texts.iter().all(is_there))
    };
    text.may_head()
        && is_titled(uri, text.text)
        && (is_in(words::has_date)
            || is_long && is_in(words::is_of_press)
            || siblings::are_near(uri, near))
}

/// Reports whether the path of `uri` has all of `text`, but for short words and one other, or a
/// segment that is most of it.
fn is_titled(uri: &[u8], text: &str) -> bool {
    /// Letters of a word that is compared (`shared_words`).
    const LETTERS_MIN: usize = 4;
    const SHARED_MIN: usize = 2;
    /// Part of the letters that a segment has at least, in percent.
    const PART_MIN: usize = 70;
    let folded_text = folded(text);
    let letters = folded_text.chars().filter(|c| *c != ' ').count();
    let is_glued = folded_text.chars().any(is_glued_script);
    let long = folded_text.split(' ').filter(|it| it.chars().count() >= LETTERS_MIN).count();
    let shared = shared_words(uri, text);
    !is_glued && shared >= SHARED_MIN && shared + 1 >= long
        || repeated(uri, text).is_some_and(|len| len * 100 >= letters * PART_MIN)
}

/// Reports whether a headline may be that of the title in `uri`: they share a word, or are in
/// scripts that share none. Of English prose beside a link, no headline is expected.
fn may_name(shown: &Shown<'_>, text: Option<Text<'_>>, uri: &[u8]) -> bool {
    let heading = text.unwrap_or(shown.beside);
    let is_other = uri.is_ascii() && !uri.contains(&b'%') && !is_latin(heading.text);
    is_other || shared_words(uri, shown.all) > 0 || shown.own.is_none() && heading.is_english()
}

/// Reports whether `text` has words in Latin letters, as paths in US-ASCII have.
fn is_latin(text: &str) -> bool {
    const LETTERS_MIN: usize = 4;
    let is_word = |word: &str| {
        word.len() >= LETTERS_MIN && word.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    folded(text).split(' ').any(is_word)
}

/// Reports whether what is shown names the title in `uri`: with `text`, which is the link's own, or
/// with what is beside it. Words that only point leave the title to itself.
fn names_title(shown: &Shown<'_>, text: Option<Text<'_>>, uri: &[u8]) -> bool {
    // A headline above a link names its title. The question above a button has its words, too, and
    // the text of such a button is its title.
    let is_button = shown.block.contains(['?', '\u{FF1F}', '\u{61F}'])
        || text.is_some_and(|it| repeats_title(uri, it.text) || is_titled(uri, it.text));
    if !is_button && shared_words(uri, shown.block) > 1 {
        return true;
    }
    let beside = shown.beside;
    match text {
        Some(text) => {
            let is_long = text.says.words >= HEADLINE_MIN;
            let least = if text.begins_as_answer() || text.asks() { 2 } else { 1 };
            (!text.begins_as_answer() || is_long && !text.tells_reader())
                && shared_words(uri, text.text) >= least
                && !repeats_title(uri, shown.all)
        }
        None if beside.says.points || beside.says.reads => !beside.asks(),
        None => shared_words(uri, beside.text) > 1 && !repeats_title(uri, beside.text),
    }
}

/// Returns how much `uri` says about where it leads.
pub(super) fn clarity(uri: &[u8]) -> Clarity {
    let Some((authority, texts)) = readings(uri) else { return Clarity::Text };
    let host = host_of(authority);
    let found = texts.iter().map(|text| clarity::of(&host, &Link::of(text).on(&host)));
    found.min().unwrap_or(Clarity::Mute)
}

/// Reports whether the host of `uri` holds texts alone.
fn is_of_site(uri: &[u8]) -> bool {
    readings(uri).is_some_and(|(authority, _)| public::is_site(&host_of(authority)))
}

/// Returns the host of `authority`, by which links are known: a user may look like one, and of a
/// backslash, programs differ in whether the host ends before it.
fn host_of(authority: &[u8]) -> String {
    if memchr::memchr(b'\\', authority).is_some() {
        return String::new();
    }
    hosts::plain(&token::decoded(authority))
}

/// Reports whether `uri`, by its own text, leads to a place for texts.
fn leads_to_text(uri: &[u8]) -> bool {
    let is_text = |text: &String| {
        let link = Link::of(text);
        words::is_of_text(&link) && !link.has_token()
    };
    readings(uri).is_some_and(|(_, texts)| texts.iter().all(is_text))
}

/// Returns the number of words of `text` that the path of `uri` has, too, in any form, as the paths
/// of articles have the words of their titles.
fn shared_words(uri: &[u8], text: &str) -> usize {
    /// Letters of a word that mean something.
    const LETTERS_MIN: usize = 4;
    /// Letters at the end of a word that another form of it may lack.
    const ENDING: usize = 2;
    let Some((_, paths)) = readings(uri) else { return 0 };
    let paths: Vec<String> = paths.iter().map(|path| spelt(path)).collect();
    let has = |part: &str| paths.iter().all(|path| path.contains(part));
    let is_shared = |word: &&str| {
        let letters: Vec<char> = word.chars().collect();
        if letters.iter().any(|c| is_glued_script(*c)) {
            return letters.windows(LETTERS_MIN).any(|part| has(&part.iter().collect::<String>()));
        }
        let len = letters.len().saturating_sub(ENDING).max(LETTERS_MIN);
        letters.len() >= LETTERS_MIN
            && has(&[" ", &letters.iter().take(len).collect::<String>()].concat())
    };
    spelt(text).split(' ').filter(is_shared).count()
}

/// Returns `text`, folded, with each letter that paths spell as two written as one: `ue` for an
/// umlaut, `aa` for a ring.
fn spelt(text: &str) -> String {
    const PAIRS: [(&str, &str); 4] = [("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a")];
    PAIRS.iter().fold(folded(text), |text, (pair, letter)| text.replace(pair, letter))
}

/// Reports whether `text` holds the title in the path of `uri`: the name of its page in HTML, or
/// else any segment.
fn repeats_title(uri: &[u8], text: &str) -> bool {
    let name = memchr::memrchr(b'/', uri).and_then(|at| uri.get(at..));
    match name.filter(|name| name.ends_with(b".html")) {
        Some(name) => repeats(&[b"http://h", name].concat(), text),
        None => repeats(uri, text),
    }
}

/// Reports whether `text` holds a segment of the path of `uri`, or is one, if that is short.
fn repeats(uri: &[u8], text: &str) -> bool {
    repeated(uri, text).is_some()
}

/// Returns the number of letters of the longest such segment.
fn repeated(uri: &[u8], text: &str) -> Option<usize> {
    const LONG_MIN: usize = 6;
    let letters = |text: &str| -> Vec<char> { spelt(text).chars().filter(|c| *c != ' ').collect() };
    let (_, paths) = readings(uri)?;
    let shown = letters(text);
    let segments = paths.iter().flat_map(|path| path.split(['/', '?', '#']).take(SEGMENTS_MAX));
    let lens = segments.filter_map(|segment| {
        let stem = segment.split('.').next().unwrap_or_default();
        let name = letters(stem.trim_end_matches(|c: char| c.is_ascii_digit()));
        let is_whole = name.len() >= LONG_MIN || name.len() == shown.len();
        let is_in =
            !name.is_empty() && is_whole && shown.windows(name.len()).any(|it| is_same(it, &name));
        is_in.then_some(name.len())
    });
    lens.max()
}

/// Reports whether `name`, of a path, is `text`, whose letters may have accents that `name` lacks.
fn is_same(text: &[char], name: &[char]) -> bool {
    let is_accented = |c: char| matches!(c, '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}');
    text.iter().zip(name).all(|(text, name)| text == name || is_accented(*text))
}
