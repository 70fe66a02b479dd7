//! Knows the words that say what a link does, in the languages of mail.
//!
//! One word alone says little: there are pages about votes, sessions and cancelled flights. So
//! three more facts count: the number of words around it, whether other parts of the link could
//! mean one reader, and whether the link leads to a place for texts.

mod orders;
mod tables;

use super::link::{Argument, Link};
use super::token;
pub(super) use tables::TOKEN;
use tables::{
    ARTICLES, CHOICES, COUNTED, DOCUMENTS, EMPTY, EffectWords, FIRM, FOREIGN, IDENTITIES, IMAGES,
    NOUNS, OBJECTS, PRESS, QUIET, RECORDS, SEARCHES, VERBS,
};

/// Minimum number of words in a segment that is a title.
const TITLE_WORDS_MIN: usize = 5;
/// Minimum number of digits that mean a message or a reader, and not a version of an image.
const COUNTED_DIGITS_MIN: usize = 5;

/// Returns the effect that the words of `link` name.
pub(super) fn of(link: &Link<'_>) -> Option<&'static str> {
    // A film has an argument, too, and is no action called `watch`.
    let is_told = !link.is_film() && link.arguments.iter().any(tells);
    let in_path = |path: &Vec<&str>| of_path(path, is_told).or_else(|| orders::after_title(path));
    let in_arguments = || link.arguments.iter().find_map(of_argument);
    let is_counted = link.paths.first().is_some_and(|path| is_image(path))
        && link
            .arguments
            .iter()
            .any(|argument| token::digits(argument.value) >= COUNTED_DIGITS_MIN);
    link.paths
        .iter()
        .find_map(in_path)
        .or_else(in_arguments)
        .or_else(|| is_counted.then_some("tell the sender"))
        .or_else(|| counts_readers(link).then_some(TOKEN))
}

/// Reports whether an argument beside the title of an article has a number of its own: the title
/// names the article, so that the number is that of its reader.
fn counts_readers(link: &Link<'_>) -> bool {
    /// Minimum number of words of a title, and of letters of a word.
    const WORDS_MIN: usize = 3;
    const LETTERS_MIN: usize = 3;
    let is_word = |word: &String| {
        word.chars().all(char::is_alphabetic) && word.chars().count() >= LETTERS_MIN
    };
    let is_title =
        |text: &&str| Words::of(text).list.iter().filter(|it| is_word(it)).count() >= WORDS_MIN;
    let counts = |it: &Argument<'_>| {
        let name = it.name.to_ascii_lowercase();
        let is_readers =
            matches!(&*name, "utm_content" | "utm_term") || tells(it) && !COUNTED.contains(&&*name);
        is_readers && token::has_long_number(it.value)
    };
    link.arguments.iter().any(counts)
        && link.paths.first().is_some_and(|path| path.iter().any(is_title))
}

/// Reports whether an argument may mean one reader or one record.
pub(super) fn tells(argument: &Argument<'_>) -> bool {
    let name = argument.name.to_ascii_lowercase();
    !name.starts_with("utm_") && !QUIET.contains(&&*name) && !SEARCHES.contains(&&*name)
}

/// The meaning of a segment's ending.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// No ending, or that of a program.
    Other,
    /// A page in HTML. Many links that act end so.
    Page,
    /// A text or an image.
    Document,
}

/// The words of a segment, folded.
pub(super) struct Words {
    pub(super) list: Vec<String>,
    /// The meaning of its ending.
    pub(super) form: Form,
}

impl Words {
    pub(super) fn of(text: &str) -> Self {
        let (stem, ending) = match text.rsplit_once('.') {
            Some((stem, ending)) if is_ending(ending) && !stem.is_empty() => (stem, ending),
            _ => (text, ""),
        };
        let ending = ending.to_ascii_lowercase();
        let form = match &*ending {
            "htm" | "html" | "shtml" | "xhtml" => Form::Page,
            ending if DOCUMENTS.contains(&ending) || IMAGES.contains(&ending) => Form::Document,
            _ => Form::Other,
        };
        Self { list: split(stem), form }
    }

    fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the effect of the first entry of `table` of which `is_word` finds a word here.
    fn find(
        &self,
        table: EffectWords,
        is_word: impl Fn(&str, &str) -> bool,
    ) -> Option<&'static str> {
        table.iter().find_map(|(does, words)| {
            let is_in = |word: &String| words.iter().any(|known| is_word(word, known));
            self.list.iter().any(is_in).then_some(*does)
        })
    }

    /// Returns the effect of words that act whatever the words around them are.
    fn firm(&self) -> Option<&'static str> {
        let whole = self.list.concat();
        let foreign = FOREIGN.iter().find(|(_, word)| whole.contains(word)).map(|(does, _)| *does);
        let begins = |word: &str, known: &str| word.starts_with(known);
        // Written as one word, or as two: `opt-out`, `sign_off`.
        let joined = || self.joined().find(FIRM, |word, known| word == known);
        let inside = |word: &str, known: &str| known.len() > 5 && word.contains(known);
        foreign
            .or_else(|| self.find(FIRM, begins))
            .or_else(joined)
            .or_else(|| self.find(FIRM, inside))
    }

    fn verb(&self) -> Option<&'static str> {
        let begins = |word: &str, known: &str| word.starts_with(known);
        self.find(VERBS, begins).or_else(|| self.joined().find(VERBS, |word, known| word == known))
    }

    /// Returns each two and three words in a row, joined to one.
    fn joined(&self) -> Self {
        let runs = self.list.windows(2).chain(self.list.windows(3));
        Self { list: runs.map(<[String]>::concat).collect(), form: Form::Other }
    }

    fn noun(&self) -> Option<&'static str> {
        self.find(NOUNS, |word, known| word == known)
    }

    fn has_things_alone(&self) -> bool {
        let is_noun = |word: &String| NOUNS.iter().any(|(_, words)| words.contains(&&**word));
        self.list.iter().all(is_noun)
    }

    /// Reports whether it is a page of a wiki's program that changes something for its reader.
    fn is_special(&self) -> bool {
        const READING: [&str; 11] = [
            "allpages",
            "categories",
            "contributions",
            "diff",
            "mylanguage",
            "permalink",
            "permanentlink",
            "recentchanges",
            "search",
            "version",
            "whatlinkshere",
        ];
        #[rustfmt::skip]
        const NAMES: &[&str] = &[
            "special", "spezial", "especial", "speciaal", "speciale", "specjalna", "specialni",
            "specialis", "toiminnot", "ozel", "spesial", "speciel", "dac biet", "istimewa",
            "posebno", "служебная", "спеціальна", "специални", "спецыяльныя", "посебно", "ειδικο",
            "מיוחד", "خاص", "ویژه", "特別", "特殊", "특수",
        ];
        match &*self.list {
            [name, page @ ..] if !page.is_empty() => {
                NAMES.contains(&&**name) && !READING.contains(&&*page.concat())
            }
            _ => false,
        }
    }

    fn has_object(&self) -> bool {
        self.list.iter().any(|word| OBJECTS.contains(&&**word))
    }
}

/// Returns the effect of a path; `is_told` if arguments may mean one reader.
fn of_path(path: &[&str], is_told: bool) -> Option<&'static str> {
    let is_article = path.iter().any(|text| is_article(text)) || has_date(path);
    path.iter().enumerate().find_map(|(idx, text)| {
        let words = Words::of(text);
        let after = path.get(idx + 1..).unwrap_or_default();
        let before = idx.checked_sub(1).and_then(|idx| path.get(idx));
        let is_text = is_article || words.form == Form::Document;
        let is_page = after.first().is_some_and(|text| *text == "page");
        let is_one = |text: &&str| is_record(text) && Words::of(text).form == Form::Other;
        let is_record = !is_page && after.iter().any(is_one);
        let place = Around {
            is_told: is_told || is_record,
            is_last_of_record: after.is_empty()
                && words.form == Form::Other
                && before.is_some_and(|text| is_number(text)),
            is_text,
        };
        of_segment(&words, &place)
    })
}

/// The facts known about a segment's place.
struct Around {
    /// Whether something in the link may mean one reader.
    is_told: bool,
    /// Whether the segment is the last one, after a number.
    is_last_of_record: bool,
    /// Whether it leads to a place for texts.
    is_text: bool,
}

fn of_segment(words: &Words, around: &Around) -> Option<&'static str> {
    if words.is_special() {
        return Some("change something in a wiki");
    }
    if let Some(does) = words.order(around) {
        return Some(does);
    }
    let len = words.len();
    if len >= TITLE_WORDS_MIN {
        return words.firm().filter(|_| around.is_told && !around.is_text);
    }
    if let Some(does) = words.firm().filter(|_| len <= 2 || around.is_told || !around.is_text) {
        return Some(does);
    }
    let is_short = len <= 2 || len == 3 && words.has_object();
    if let Some(does) = words.verb() {
        let is_meant = if around.is_told { len <= 3 } else { is_short && !around.is_text };
        return is_meant.then_some(does);
    }
    let is_whole = words.has_object() || words.has_things_alone();
    let len_max = if is_whole && !around.is_text { 3 } else { 1 };
    let is_alone = len <= len_max && (around.is_told || around.is_last_of_record && len == 1);
    words.noun().filter(|_| is_alone)
}

/// Returns the effect of an argument.
fn of_argument(argument: &Argument<'_>) -> Option<&'static str> {
    let name = argument.name.to_ascii_lowercase();
    if name.starts_with("utm_") {
        return None;
    }
    let squeezed: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let is_identity = IDENTITIES.contains(&&*squeezed) || squeezed.ends_with("email");
    if is_identity && !argument.value.is_empty() {
        return Some(TOKEN);
    }
    if let Some(does) = orders::of_argument(argument) {
        return Some(does);
    }
    // A form that is sent: `submitLike=true`.
    if name.len() > "submit".len() && name.starts_with("submit") {
        return Some("submit a form");
    }
    let names = Words::of(argument.name);
    let thing = || names.noun().filter(|_| names.len() == 1);
    let by_name = names.firm().or_else(|| names.verb()).or_else(thing);
    if by_name.is_some() && !SEARCHES.contains(&&*name) && names.len() <= 3 {
        return by_name;
    }
    argument.value.split('/').find_map(|value| {
        let words = Words::of(value);
        if words.len() > 3 {
            return None;
        }
        if SEARCHES.contains(&&*name) {
            return words.firm().filter(|_| words.len() == 1);
        }
        words.firm().or_else(|| words.verb()).or_else(|| words.noun().filter(|_| words.len() <= 2))
    })
}

fn is_ending(text: &str) -> bool {
    (1..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn is_number(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit()) && text.len() < 40
}

/// Reports whether a segment may name one record, or a choice.
fn is_record(text: &str) -> bool {
    is_number(text) || CHOICES.contains(&text)
}

pub(super) fn is_article(text: &str) -> bool {
    ARTICLES.contains(&&*text.to_ascii_lowercase())
}

/// Reports whether `word` is a word for texts that a number follows.
pub(super) fn is_record_name(word: &str) -> bool {
    RECORDS.contains(&word)
}

/// Reports whether `path` leads below a word for articles that programs with buttons lack.
pub(super) fn is_of_press(path: &[&str]) -> bool {
    path.split_last()
        .is_some_and(|(_, above)| above.iter().any(|text| is_press(&text.to_ascii_lowercase())))
}

/// Reports whether `word` is such a word.
pub(super) fn is_press(word: &str) -> bool {
    PRESS.contains(&word)
}

/// Reports whether `path` holds a year and a month, as the paths of archives and news do.
pub(super) fn has_date(path: &[&str]) -> bool {
    let number = |text: &str| text.parse::<u16>().ok();
    path.windows(2).any(|pair| match pair {
        [year, month] => {
            number(year).is_some_and(|year| (1980..2100).contains(&year))
                && number(month).is_some_and(|month| (1..13).contains(&month))
        }
        _ => false,
    })
}

/// Reports whether `link` leads to a place for texts: an archive, a document, an article with a
/// title in its path.
pub(super) fn is_of_text(link: &Link<'_>) -> bool {
    const TITLE_MIN: usize = 4;
    let is_text = |path: &Vec<&str>| {
        let is_title = |text: &&str| Words::of(text).len() >= TITLE_MIN;
        path.iter().any(|text| is_article(text)) || has_date(path) || path.iter().any(is_title)
    };
    link.paths.first().is_some_and(is_text)
}

/// Reports whether `word` is a word of people, and none that means nothing.
pub(super) fn is_plain(word: &str) -> bool {
    const LETTERS_MIN: usize = 4;
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    (letters >= LETTERS_MIN || !word.is_ascii())
        && !EMPTY.contains(&word)
        && letters == word.chars().count()
}

fn is_image(path: &[&str]) -> bool {
    let ending = path.last().and_then(|text| text.rsplit_once('.')).map(|(_, ending)| ending);
    ending.is_some_and(|ending| IMAGES.contains(&&*ending.to_ascii_lowercase()))
}

/// Splits `text` into words in small letters without accents. A capital after a small letter begins
/// a word.
fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut was_small) = (String::new(), false);
    for c in text.chars() {
        let is_hump = was_small && c.is_uppercase();
        if (is_hump || !is_of_word(c)) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if is_of_word(c) {
            word.extend(c.to_lowercase().map(fold));
        }
        was_small = c.is_lowercase();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// Reports whether `c` is part of a word: a letter, a digit, or a sign of a script that writes
/// vowels and joints as marks on letters.
pub(super) fn is_of_word(c: char) -> bool {
    let is_mark = matches!(
        c,
        '\u{300}'..='\u{36F}'
            | '\u{900}'..='\u{DFF}'
            | '\u{E00}'..='\u{EFF}'
            | '\u{1000}'..='\u{109F}'
            | '\u{200C}'..='\u{200D}'
    );
    let is_stop = matches!(c, '\u{964}' | '\u{965}' | '\u{E5A}' | '\u{E5B}');
    c.is_alphanumeric() || is_mark && !is_stop
}

/// Returns a small letter without its accent, as people type it on keyboards without accents.
pub(super) const fn fold(c: char) -> char {
    match c {
        'à'..='å' | 'ą' | 'ă' | 'ā' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'è'..='ë' | 'ę' | 'ě' | 'ē' | 'ė' => 'e',
        'ì'..='ï' | 'ı' | 'ī' | 'į' => 'i',
        'ď' => 'd',
        'ķ' => 'k',
        'ł' | 'ļ' | 'ľ' | 'ĺ' => 'l',
        'ñ' | 'ń' | 'ň' | 'ņ' => 'n',
        'ò'..='ö' | 'ø' | 'ő' => 'o',
        'ř' | 'ŕ' => 'r',
        'ś' | 'š' | 'ş' | 'ș' => 's',
        'ţ' | 'ț' | 'ť' => 't',
        'ù'..='ü' | 'ű' | 'ů' | 'ū' | 'ų' => 'u',
        'ý' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        'ğ' | 'ģ' => 'g',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn words_end_at_humps_and_lose_their_accents() {
        assert_eq!(split("doOptOut_now"), ["do", "opt", "out", "now"]);
        assert_eq!(split("se-D%sinscrire".replace('%', "é").as_str()), ["se", "desinscrire"]);
        assert_eq!(split("UNSUBSCRIBE"), ["unsubscribe"]);
        assert!(split("--").is_empty());
    }
}
