//! Knows the phrases by which mail says what a link does, in the languages of mail.
//!
//! They are searched for in the text of a link, and in the words around it (`around`). The meaning
//! of a sentence is not known here: a phrase counts whatever the language of the text is, since
//! mail seldom declares it. Short words, which mean something else in another language, count in
//! texts of a few words alone.
//!
//! Not known: other languages than those of the tables, and pictures of words.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::words::fold;
use language::Language;

mod answers;
mod disguise;
mod east;
mod glued;
mod language;
mod notions;
mod offers;
mod west;
mod wide;

/// Letters of a text that are read. The text around a link is no longer.
const LETTERS_MAX: usize = 4096;
/// Maximum number of words of a text in which short phrases count.
const SHORT_WORDS_MAX: usize = 3;
/// Maximum number of letters of a phrase that counts in short texts alone.
const SHORT_LETTERS_MAX: usize = 3;
/// Maximum number of letters of a phrase that counts at the start of a short text alone.
const ANSWER_LETTERS_MAX: usize = 2;
/// Letters that make about one word in languages without blanks.
const GLUED_WORD_LEN: usize = 3;

/// The use of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PhraseUse {
    Leave,
    Act,
    Here,
    Read,
}

/// A phrase as it is compared.
struct Phrase {
    kind: PhraseUse,
    text: String,
    /// Whether any ending may follow.
    is_stem: bool,
    /// Whether it counts in short texts alone.
    is_short: bool,
    /// Whether it counts only where it begins such a text.
    is_first: bool,
}

/// The meaning of a text, as far as links are concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Says {
    /// The number of words, about.
    pub(super) words: usize,
    /// Whether following the link changes what is sent, or complains about it.
    pub(super) leaves: bool,
    /// Whether following the link may answer, order or change something.
    pub(super) acts: bool,
    /// Whether the text only points at a link, or says nothing.
    pub(super) points: bool,
    /// Whether the text only offers to go on reading.
    pub(super) reads: bool,
    /// Whether it begins with an answer, an order or a change.
    pub(super) begins: bool,
    /// Whether it ends with one, as orders do in languages whose verb is last.
    pub(super) ends: bool,
    /// Whether its last words point at a link.
    pub(super) points_last: bool,
}

impl Says {
    /// Reads `text`.
    pub(super) fn of(text: &str) -> Self {
        /// Words at the end of a text, one of which may point.
        const LAST_WORDS: usize = 3;
        let folded = disguise::corrected(folded(text));
        let body = folded.trim();
        let words = counted(body);
        let is_short = words <= SHORT_WORDS_MAX;
        let mut says = Self { words, ..Self::default() };
        // Words that no phrase covers.
        let mut strangers = 0;
        let mut reads = 0;
        let mut passed = 0;
        for (at, _) in folded.match_indices(' ') {
            let start = at + 1;
            let Some(rest) = folded.get(start..).filter(|rest| !rest.is_empty()) else { break };
            let mut longest = 0;
            for phrase in SPACED.of(rest) {
                let Some(len) = phrase.len_in(rest) else { continue };
                let counts = phrase.counts(is_short, at == 0);
                match phrase.kind {
                    PhraseUse::Leave => says.leaves |= counts,
                    PhraseUse::Act => {
                        says.acts |= counts;
                        says.begins |= counts && at == 0;
                        says.ends |= counts && len >= rest.trim_end().len();
                    }
                    PhraseUse::Here if rest.trim_end().split(' ').count() <= LAST_WORDS => {
                        says.points_last = true;
                    }
                    PhraseUse::Read if len > longest => reads += 1,
                    PhraseUse::Here | PhraseUse::Read => {}
                }
                if matches!(phrase.kind, PhraseUse::Here | PhraseUse::Read) {
                    longest = longest.max(len);
                }
            }
            passed = passed.max(start + longest);
            strangers += usize::from(passed <= start && !is_mark(rest));
        }
        says.add_glued(body, &mut strangers, &mut reads);
        says.points = strangers == 0 && reads == 0;
        says.reads = strangers == 0 && reads > 0 && !says.leaves;
        says
    }

    /// Adds the phrases of languages without blanks, and of those that glue words together.
    fn add_glued(&mut self, body: &str, strangers: &mut usize, reads: &mut usize) {
        /// Most letters beside known phrases that mean nothing: particles and forms of politeness.
        const REST_MAX: usize = 6;
        /// Most letters after a phrase for the link that ends a text.
        const LAST_MAX: usize = 8;
        if body.chars().all(|c| !is_glued(c)) {
            return;
        }
        let whole: String = body.chars().filter(|c| *c != ' ').collect();
        let is_few = self.words <= SHORT_WORDS_MAX;
        let is_short = is_few || whole.chars().count() <= 2 * GLUED_WORD_LEN;
        let mut known = 0;
        let mut has_read = false;
        for phrase in &*GLUED {
            if !body.contains(&*phrase.text) {
                continue;
            }
            let counts = phrase.counts(is_short, body.starts_with(&*phrase.text));
            let after = body.rfind(&*phrase.text).and_then(|at| body.get(at + phrase.text.len()..));
            let is_last = after.is_some_and(|text| text.chars().count() <= LAST_MAX);
            match phrase.kind {
                PhraseUse::Leave => self.leaves |= counts,
                PhraseUse::Act => {
                    self.acts |= counts;
                    self.begins |= counts && body.starts_with(&*phrase.text);
                    self.ends |= counts && is_last;
                }
                PhraseUse::Here | PhraseUse::Read => known += phrase.text.chars().count(),
            }
            has_read |= phrase.kind == PhraseUse::Read;
            self.points_last |= phrase.kind == PhraseUse::Here && is_last;
        }
        let rest = whole.chars().filter(|c| is_glued(*c)).count().saturating_sub(known);
        *strangers = if rest <= REST_MAX && known > 0 { 0 } else { 1.max(*strangers) };
        *reads = usize::from(has_read);
    }
}

impl Phrase {
    /// Reports whether the phrase counts in a text, of a few words if `is_few`, which it begins if
    /// `is_first`.
    const fn counts(&self, is_few: bool, is_first: bool) -> bool {
        !self.is_short || is_few && (is_first || !self.is_first)
    }

    /// Returns the number of bytes that the phrase covers at the start of `text`, if `text` begins
    /// with it.
    fn len_in(&self, text: &str) -> Option<usize> {
        let rest = text.strip_prefix(&*self.text)?;
        let is_end = rest.is_empty() || rest.starts_with(' ');
        let len = if self.is_stem {
            text.len() - rest.len() + rest.find(' ').unwrap_or(rest.len())
        } else {
            text.len() - rest.len()
        };
        (is_end || self.is_stem).then_some(len)
    }
}

/// Phrases of languages with blanks, by the first two letters of each.
struct Index(HashMap<[char; 2], Vec<Phrase>>);

impl Index {
    /// Returns the phrases with which `text` may begin.
    fn of(&self, text: &str) -> &[Phrase] {
        self.0.get(&first_letters(text)).map_or(&[], |phrases| phrases)
    }
}

fn first_letters(text: &str) -> [char; 2] {
    let mut letters = text.chars();
    [letters.next().unwrap_or(' '), letters.next().unwrap_or(' ')]
}

static SPACED: LazyLock<Index> = LazyLock::new(|| {
    let mut index: HashMap<_, Vec<_>> = HashMap::new();
    let languages = [west::LANGUAGES, east::LANGUAGES, wide::LANGUAGES];
    let more = [answers::LANGUAGES, notions::LANGUAGES, offers::LANGUAGES];
    let languages = languages.into_iter().chain(more);
    for phrase in languages.flat_map(phrases) {
        index.entry(first_letters(&phrase.text)).or_default().push(phrase);
    }
    Index(index)
});

static GLUED: LazyLock<Vec<Phrase>> = LazyLock::new(|| {
    let languages = [glued::LANGUAGES, answers::GLUED, notions::GLUED, offers::GLUED];
    languages.into_iter().flat_map(phrases).collect()
});

/// The blocks of 128 characters of which some phrase has a letter.
static BLOCKS: LazyLock<HashSet<u32>> = LazyLock::new(|| {
    let phrases = SPACED.0.values().flatten().chain(&*GLUED);
    phrases.flat_map(|phrase| phrase.text.chars()).map(block).collect()
});

fn block(c: char) -> u32 {
    u32::from(c) / 128
}

/// Reports whether some phrase is in the script of `text`: without any, nothing is known of it.
pub(super) fn knows_script(text: &str) -> bool {
    /// Scripts before and after have more letters than the phrases need.
    const SCRIPTS: std::ops::Range<char> = '\u{370}'..'\u{2E80}';
    let is_known = |c: char| !SCRIPTS.contains(&c) || BLOCKS.contains(&block(c));
    text.is_ascii() || text.chars().all(|c| !c.is_alphabetic() || is_known(c))
}

fn phrases(languages: &'static [Language]) -> impl Iterator<Item = Phrase> {
    languages.iter().flat_map(|language| {
        let Language { leave, act, here, read, .. } = *language;
        [
            (PhraseUse::Leave, leave),
            (PhraseUse::Act, act),
            (PhraseUse::Here, here),
            (PhraseUse::Read, read),
        ]
        .into_iter()
        .flat_map(|(kind, list)| list.split('|').map(move |text| phrase(kind, text)))
        .filter(|phrase| !phrase.text.is_empty())
    })
}

fn phrase(kind: PhraseUse, text: &str) -> Phrase {
    let is_restricted = text.starts_with('=');
    let text = text.trim_start_matches('=');
    let is_stem = text.ends_with('*');
    let text = folded(text.trim_end_matches('*')).trim().to_owned();
    let letters = text.chars().count();
    // Two letters of Chinese or Korean are a word; those of Arabic and Hebrew seldom are.
    let is_dense = text.chars().any(|c| matches!(c, '\u{0E00}'..='\u{0EFF}' | '\u{1100}'..));
    let is_short = is_restricted || letters <= SHORT_LETTERS_MAX && !is_dense && !is_stem;
    // `da`, `ne` and `nu` answer in one language and are particles within texts of another.
    let is_first = is_short && !is_restricted && letters <= ANSWER_LETTERS_MAX;
    Phrase { kind, text, is_stem, is_short, is_first }
}

/// Reports whether `c` is of a script whose phrases are searched for anywhere in a text.
const fn is_glued(c: char) -> bool {
    matches!(c, '\u{0530}'..='\u{10FF}' | '\u{1100}'..='\u{1EFF}' if !is_vietnamese(c))
        || matches!(c, '\u{2E80}'..)
}

/// Reports whether `c` is a Latin letter with two accents (Latin Extended Additional), or one of
/// the Greek letters that follow them.
const fn is_vietnamese(c: char) -> bool {
    matches!(c, '\u{1E00}'..='\u{1FFF}')
}

/// Reports whether the word that `text` begins with is a number or a mark.
fn is_mark(text: &str) -> bool {
    let word = text.split(' ').next().unwrap_or_default();
    word.chars().all(|c| !c.is_alphabetic())
}

/// Returns the number of words of folded text, about.
fn counted(text: &str) -> usize {
    /// Letters that make about one word in scripts of Southeast Asia.
    const LONG_WORD_LEN: usize = 5;
    let letters =
        |is_of: fn(char) -> bool| text.chars().filter(|c| is_of(*c) && !is_sign(*c)).count();
    let dense = letters(is_dense).div_ceil(GLUED_WORD_LEN);
    let long = letters(is_of_southeast).div_ceil(LONG_WORD_LEN);
    let is_spaced = |word: &&str| !word.chars().all(|c| is_dense(c) || is_of_southeast(c));
    dense + long + text.split(' ').filter(|word| !word.is_empty()).filter(is_spaced).count()
}

/// Reports whether `c` is of a script that puts no blanks between words.
pub(super) const fn is_glued_script(c: char) -> bool {
    is_dense(c) || is_of_southeast(c)
}

/// Reports whether `c` is a letter, and no sign on one.
pub(super) fn is_letter(c: char) -> bool {
    c.is_alphabetic() && !is_sign(c)
}

/// Reports whether `c` is of East Asia, where a word has about two letters.
const fn is_dense(c: char) -> bool {
    matches!(c, '\u{2E80}'..)
}

/// Reports whether `c` is of Thai, Lao, Tibetan, Burmese or Khmer.
const fn is_of_southeast(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0FFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}')
}

/// Reports whether `c` is a vowel or a tone that those scripts write on a letter.
const fn is_sign(c: char) -> bool {
    matches!(
        c,
        '\u{0E31}'
            | '\u{0E34}'..='\u{0E3A}'
            | '\u{0E47}'..='\u{0E4E}'
            | '\u{0EB1}'
            | '\u{0EB4}'..='\u{0EBC}'
            | '\u{0EC8}'..='\u{0ECE}'
            | '\u{0F71}'..='\u{0F84}'
            | '\u{102B}'..='\u{103E}'
            | '\u{1056}'..='\u{1059}'
            | '\u{17B4}'..='\u{17D3}'
    )
}

/// Returns `text` in small letters without accents, each word between blanks.
pub(super) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    let small: String = text.chars().take(LETTERS_MAX).flat_map(char::to_lowercase).collect();
    for c in disguise::undone(&small).chars() {
        match unaccented(c) {
            Folded::Letter(c) => out.push(c),
            Folded::Two(letters) => out.push_str(letters),
            Folded::Nothing => {}
            Folded::Blank if out.ends_with(' ') => {}
            Folded::Blank => out.push(' '),
        }
    }
    if !out.ends_with(' ') {
        out.push(' ');
    }
    out
}

/// Reports whether `text`, of a link, is the answer to a question for a rating: a number up to ten,
/// stars, thumbs or faces, or a word for how good something is.
pub(super) fn is_rating(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "good",
        "bad",
        "great",
        "poor",
        "okay",
        "fair",
        "excellent",
        "terrible",
        "awful",
        "neutral",
        "very good",
        "very bad",
        "likely",
        "unlikely",
        "very likely",
        "very unlikely",
        "not likely",
        "not at all",
        "not at all likely",
        "satisfied",
        "very satisfied",
        "dissatisfied",
        "very dissatisfied",
        "unsatisfied",
        "happy",
        "unhappy",
    ];
    const GRADE_MAX: u8 = 10;
    let text = text.trim();
    let is_sign = |c: char| {
        matches!(
            c,
            '\u{2605}' | '\u{2606}' | '\u{2639}'..='\u{263B}' | '\u{2713}'..='\u{2718}'
                | '\u{2B50}' | '\u{1F31F}' | '\u{1F44D}' | '\u{1F44E}' | '\u{1F600}'..='\u{1F64F}'
        )
    };
    let is_join =
        |c: char| c.is_whitespace() || matches!(c, '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}');
    let is_signs = text.chars().all(|c| is_sign(c) || is_join(c)) && text.chars().any(is_sign);
    let is_grade = !text.starts_with('+') && text.parse::<u8>().is_ok_and(|it| it <= GRADE_MAX);
    is_signs || is_grade || WORDS.contains(&folded(text).trim())
}

/// The letters that replace a letter for comparison.
enum Folded {
    Letter(char),
    Two(&'static str),
    Nothing,
    Blank,
}

fn unaccented(c: char) -> Folded {
    let c = styled(c).unwrap_or(c);
    match c {
        // Combining accents, soft hyphens, joiners, and vowels and dashes of Hebrew and Arabic that
        // few people write.
        '\u{0300}'..='\u{036F}'
        | '\u{00AD}'
        | '\u{200B}'..='\u{200F}'
        | '\u{2060}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}'
        | '\u{0591}'..='\u{05C7}'
        | '\u{064B}'..='\u{0652}'
        | '\u{0640}' => Folded::Nothing,
        'ß' => Folded::Two("ss"),
        'æ' => Folded::Two("ae"),
        'œ' => Folded::Two("oe"),
        'đ' | 'ð' => Folded::Letter('d'),
        'ή' => Folded::Letter('η'),
        'ά' => Folded::Letter('α'),
        'έ' => Folded::Letter('ε'),
        'ί' | 'ϊ' | 'ΐ' => Folded::Letter('ι'),
        'ό' => Folded::Letter('ο'),
        'ύ' | 'ϋ' | 'ΰ' => Folded::Letter('υ'),
        'ώ' => Folded::Letter('ω'),
        'ς' => Folded::Letter('σ'),
        'ё' => Folded::Letter('е'),
        // Paths often have the letter without its mark.
        'й' => Folded::Letter('и'),
        'ї' => Folded::Letter('і'),
        'أ' | 'إ' | 'آ' | 'ٱ' => Folded::Letter('ا'),
        'ي' | 'ى' => Folded::Letter('ی'),
        'ك' => Folded::Letter('ک'),
        'ة' => Folded::Letter('ه'),
        // Vowels of Devanagari and its kin are no letters to Unicode, and no borders either.
        '\u{0900}'..='\u{0DFF}' | '\u{0E00}'..='\u{0EFF}' => Folded::Letter(c),
        c if c.is_alphanumeric() => Folded::Letter(fold(c)),
        _ => Folded::Blank,
    }
}

/// Returns the small letter or the digit of US-ASCII of which `c` is another style: wide,
/// mathematical, circled, squared. Senders write headings and buttons so.
fn styled(c: char) -> Option<char> {
    let letter = |number: u32| char::from_digit(10 + number % 26, 36);
    let number = u32::from(c);
    match number {
        0xFF21..=0xFF3A => letter(number - 0xFF21),
        0xFF41..=0xFF5A => letter(number - 0xFF41),
        0x1D400..=0x1D6A3 => letter(number - 0x1D400),
        0x1D7CE..=0x1D7FF => char::from_digit((number - 0x1D7CE) % 10, 10),
        0x249C..=0x24B5 => letter(number - 0x249C),
        0x24B6..=0x24E9 => letter(number - 0x24B6),
        0x1F110..=0x1F129 => letter(number - 0x1F110),
        0x1F130..=0x1F149 => letter(number - 0x1F130),
        0x1F150..=0x1F169 => letter(number - 0x1F150),
        0x1F170..=0x1F189 => letter(number - 0x1F170),
        _ => lone_style(c),
    }
}

/// Returns the letter of a mathematical style that is encoded outside of its row.
const fn lone_style(c: char) -> Option<char> {
    Some(match c {
        // Small capitals of phonetic scripts.
        'ᴀ' => 'a',
        'ʙ' => 'b',
        'ᴄ' => 'c',
        'ᴅ' => 'd',
        'ᴇ' => 'e',
        'ꜰ' => 'f',
        'ɢ' => 'g',
        'ʜ' => 'h',
        'ɪ' => 'i',
        'ᴊ' => 'j',
        'ᴋ' => 'k',
        'ʟ' => 'l',
        'ᴍ' => 'm',
        'ɴ' => 'n',
        'ᴏ' => 'o',
        'ᴘ' => 'p',
        'ʀ' => 'r',
        'ꜱ' => 's',
        'ᴛ' => 't',
        'ᴜ' => 'u',
        'ᴠ' => 'v',
        'ᴡ' => 'w',
        'ʏ' => 'y',
        'ᴢ' => 'z',
        'ℬ' => 'b',
        'ℂ' | 'ℭ' => 'c',
        'ℯ' | 'ℰ' => 'e',
        'ℱ' => 'f',
        'ℊ' => 'g',
        'ℋ' | 'ℌ' | 'ℍ' | 'ℎ' => 'h',
        'ℐ' | 'ℑ' => 'i',
        'ℒ' | 'ℓ' => 'l',
        'ℳ' => 'm',
        'ℕ' => 'n',
        'ℴ' => 'o',
        'ℙ' => 'p',
        'ℚ' => 'q',
        'ℛ' | 'ℜ' | 'ℝ' => 'r',
        'ℤ' | 'ℨ' => 'z',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{GLUED, SPACED, Says, folded, is_rating};
    use super::{answers, east, glued, notions, offers, west, wide};

    #[test]
    fn letters_are_compared_without_accents() {
        assert_eq!(folded("Se DÉSABONNER, l'été!"), " se desabonner l ete ");
        assert_eq!(folded("Διαγραφή ΑΠΌ τους"), " διαγραφη απο τουσ ");
        assert_eq!(folded("İPTAL ET"), " iptal et ");
        assert_eq!(folded("Schlie\u{DF}en wäh\u{AD}len"), " schliessen wahlen ");
        assert_eq!(folded("ＵＲＬ"), " url ");
        assert_eq!(folded("𝗨𝗻𝘀𝘂𝗯 𝒐𝒑𝒕 𝓞𝓾𝓽 𝚣𝟟 ℒ𝕃ℎ"), " unsub opt out z7 llh ");
        assert_eq!(folded("Ⓤⓝ 🅂🅃🄾🄿"), " un stop ");
    }

    #[test]
    fn tables_hold_phrases_of_thirty_languages() {
        let all = [west::LANGUAGES, east::LANGUAGES, glued::LANGUAGES].concat_codes();
        assert!(all.len() >= 34, "{all:?}");
        let empty = SPACED.0.values().flatten().chain(&*GLUED).filter(|it| it.text.is_empty());
        assert_eq!(empty.count(), 0);
    }

    #[test]
    fn no_phrase_has_a_star_but_at_its_end() {
        let languages = [
            west::LANGUAGES,
            east::LANGUAGES,
            wide::LANGUAGES,
            glued::LANGUAGES,
            answers::LANGUAGES,
            answers::GLUED,
            notions::LANGUAGES,
            notions::GLUED,
            offers::LANGUAGES,
            offers::GLUED,
        ];
        for language in languages.into_iter().flatten() {
            let lists = [language.leave, language.act, language.here, language.read];
            for phrase in lists.iter().flat_map(|list| list.split('|')) {
                let stem = phrase.strip_suffix('*').unwrap_or(phrase);
                assert!(!stem.contains('*'), "{phrase}");
            }
        }
    }

    #[test]
    fn short_answers_count_where_they_begin_a_text() {
        for text in ["Da", "Da, vin", "Ne", "Nu, mul\u{163}umesc", "Ja, bitte", "\u{414}\u{430}"] {
            assert!(Says::of(text).acts, "{text}");
        }
        for text in ["Slides da palestra", "Llegeix-ne m\u{E9}s", "Hemen azaltzen da"] {
            assert!(!Says::of(text).acts, "{text}");
        }
    }

    #[test]
    fn orders_begin_or_end_with_their_verb() {
        for (text, expected) in [
            ("Cancel the order of Monday", (true, false)),
            ("Den Termin am Montag absagen", (false, true)),
            ("Stadtrat genehmigt neue Radwege", (false, false)),
            ("El ayuntamiento aprueba nuevos carriles", (false, false)),
            ("\u{4E88}\u{7D04}\u{3092}\u{627F}\u{8A8D}\u{3059}\u{308B}", (false, true)),
        ] {
            let says = Says::of(text);
            assert!(says.acts, "{text}: {says:?}");
            assert_eq!((says.begins, says.ends), expected, "{text}");
        }
    }

    trait Codes {
        fn concat_codes(&self) -> std::collections::BTreeSet<&'static str>;
    }

    impl Codes for [&'static [super::Language]; 3] {
        fn concat_codes(&self) -> std::collections::BTreeSet<&'static str> {
            self.iter().flat_map(|list| list.iter().map(|language| language.code)).collect()
        }
    }

    #[test]
    fn answers_to_questions_for_ratings_are_known() {
        for text in ["1", "10", " 5 ", "★★★★★", "★★☆☆☆", "👍", "👍🏽", "😀", "Good", "Very likely"]
        {
            assert!(is_rating(text), "{text}");
        }
        for text in ["", "11", "+1", "[1]", "»", "→", "Good food", "1999", "A"] {
            assert!(!is_rating(text), "{text}");
        }
    }

    #[test]
    fn texts_say_what_they_do() {
        for text in [
            "Unsubscribe",
            "Abmelden",
            "Se désabonner",
            "配信停止はこちら",
            "退订",
            "구독 취소",
            "Отписаться от рассылки",
            "إلغاء الاشتراك",
            "ביטול מנוי",
            "ยกเลิกการรับข่าวสาร",
            "सदस्यता समाप्त करें",
            "Hủy đăng ký",
            "Bu listeden çıkmak için",
            "Διαγραφή από τη λίστα",
        ] {
            assert!(Says::of(text).leaves, "{text}");
        }
        for text in ["click here", "hier", "此处", "こちらをクリック", "здесь", "", "»"]
        {
            assert!(Says::of(text).points, "{text}: {:?}", Says::of(text));
        }
        for text in ["Read more", "Weiterlesen »", "続きを読む", "阅读全文", "читать далее"]
        {
            let says = Says::of(text);
            assert!(says.reads && !says.leaves && !says.acts, "{text}: {says:?}");
        }
        for text in ["Council approves new bridge", "The parser in 2019", "Wie der Rhein entstand"]
        {
            let says = Says::of(text);
            assert!(!says.leaves && !says.acts && !says.points && !says.reads, "{text}: {says:?}");
        }
    }
}
