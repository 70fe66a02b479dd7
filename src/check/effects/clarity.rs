//! Judges how much a link says about where it leads.
//!
//! Links that act contain words of every language, and numbers. So a single word, a single number,
//! and a number in a place of texts explain nothing. A title, the name of a document, and the path
//! of an archive do.

use super::link::{Argument, Link, VERSIONED};
use super::prose;
use super::public;
use super::token;
use super::words::{self, Form, Words};

/// How much a link says about where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Clarity {
    /// Nothing: letters, numbers, and words such as `page`, or a word beside a number.
    Mute,
    /// A word that may be the name of an action, as in `/harbour`.
    Word,
    /// A place where a number may name an article, and a choice, as in `/news/123`.
    Place,
    /// It has a title, which may be the title of a button, and of the page that thanks for it.
    Title,
    /// It has a title or a name in a place of reference, or below a date.
    Name,
    /// It leads to a text: a document, a page of an archive, or the home page of a site.
    Text,
}

/// Labels of hosts for texts. Mail is sent by hosts called `go` and `news`, too.
#[rustfmt::skip]
const PUBLIC: &[&str] = &[
    "archive", "archives", "blog", "bugs", "bugzilla", "crbug", "discuss", "docs", "forum", "git",
    "help", "issues", "kb", "lists", "mail-archive", "manual", "runbooks", "wiki", "www-archive",
];

/// Segments for the messages and the files of archives, whose paths have two more at least.
#[rustfmt::skip]
const ARCHIVES: &[&str] = &[
    "apidocs", "arch", "archive", "archives", "blame", "blob", "browse_thread", "cgit", "gitweb",
    "hyperkitty", "in-notes", "javadoc", "manpages", "pipermail", "raw", "scm", "tree", "trunk",
];

/// Segments for documents and sources, below which other programs keep records by number.
const DOCS: &[&str] = &["doc", "docs", "documentation", "git", "reference", "src"];

/// Segments below which files are for all readers, and other pages may act: services call the pages
/// so that need no login.
const FILES: &[&str] = &["group", "public"];

/// Segments that the name of a thing follows, in one word.
#[rustfmt::skip]
const NAMED: &[&str] = &[
    "author", "categories", "category", "crates", "guide", "guides", "handbook", "labels", "learn",
    "man", "manpages", "manual", "package", "packages", "product", "productos", "products",
    "produits", "produkte", "reference", "rustdoc", "tag", "tags", "topics", "tutorial",
    "tutorials", "wiki",
];

/// Segments of help centres, whose titles are those of answers to questions.
const HELP: &[&str] = &["cshelp", "hc", "help-center", "helpcenter", "kb", "knowledgebase"];

/// Segments of the pages that a forge has for a project, after its owner and its name.
#[rustfmt::skip]
const FORGE: &[&str] = &[
    "branches", "commits", "compare", "discussions", "issues", "labels", "merge_requests",
    "network", "pull", "pulls", "releases", "tags", "wiki",
];

/// Segments after the number of a record on a forge. Others may act on it.
const TABS: &[&str] =
    &["changes", "checks", "commits", "conflicts", "designs", "diffs", "files", "pipelines"];

/// Pages that most sites have for every reader.
#[rustfmt::skip]
const PAGES: &[&str] = &[
    "about", "contact", "datenschutz", "download", "downloads", "faq", "impressum", "imprint",
    "jobs", "kontakt", "licence", "license", "press", "pricing", "privacy", "sitemap", "status",
    "store", "team", "terms",
];

/// Segments after a title that are another form of the text. Other short ones may be answers, or
/// the name of a reader.
#[rustfmt::skip]
const SHORT: &[&str] = &[
    "amp", "atom", "cs", "da", "de", "el", "en", "es", "faq", "feed", "fi", "fr", "full", "hu",
    "it", "ko", "nl", "pdf", "pl", "pt", "raw", "ro", "rss", "ru", "sv", "text", "tr", "txt", "uk",
    "web", "xml", "zh",
];

/// Words for places of texts below which numbers are those of loans, seats and questions.
const LENDING: &[&str] = &["book", "conferences", "help", "library", "lists", "support"];

/// Segments before the number of a text.
const NUMBERED: &[&str] = &["abs", "n", "node", "read", "ticket", "tickets"];

/// Pages of a reader's own, which explain nothing.
#[rustfmt::skip]
const OWN: &[&str] = &[
    "account", "accounts", "address", "basket", "cart", "einstellungen", "konto", "list", "lists",
    "membership", "newsletter", "newsletters", "notification", "notifications", "optin", "options",
    "orders", "preference", "preferences", "prefs", "profil", "profile", "program", "registration",
    "setting", "settings", "signup", "subscription", "subscriptions", "unsub",
];

/// Minimum number of words of a title in a place of texts, and of one elsewhere.
const PLACED_WORDS_MIN: usize = 2;
const WORDS_MIN: usize = 3;

/// Returns how much `link`, on `host`, says about where it leads.
pub(super) fn of(host: &str, link: &Link<'_>) -> Clarity {
    let Some(path) = link.paths.first().filter(|path| !path.is_empty()) else {
        return of_root(link);
    };
    let is_public = host.split('.').any(|label| PUBLIC.contains(&label));
    let has_date = words::has_date(path);
    let is_placed = is_public || has_date || path.iter().any(|text| is_place(text));
    let is_long = !is_placed && !path.iter().any(|text| is_year(text));
    let words_min = if is_long { WORDS_MIN } else { PLACED_WORDS_MIN };
    if is_versioned(link, path) || is_of_all(path) || link.is_film() || is_known(host, link, path) {
        return Clarity::Text;
    }
    let is_document = names_document(path);
    if is_document && path.iter().rev().skip(1).any(|text| token::has_number(text)) {
        return Clarity::Title;
    }
    let is_text = is_document
        || names_release(path)
        || is_archived(path)
        || is_of_forge(path)
        || names_report(link, path);
    if is_text || link.names_version() {
        return Clarity::Text;
    }
    if let Some(idx) = path.iter().rposition(|text| is_title(text, words_min)) {
        let tail = path.last().filter(|_| idx + 1 < path.len());
        let is_reference = has_date || is_public || path.iter().any(|text| HELP.contains(text));
        let whole = if is_reference { Clarity::Name } else { Clarity::Title };
        return tail.map_or(whole, |text| of_tail(text).min(whole));
    }
    let is_named = is_named(path) && !path.last().is_some_and(|text| is_record(text));
    let is_page = is_placed && names_page(path) || is_named || is_page_below(link, path);
    if is_page || names_wiki_page(link, path) {
        return Clarity::Name;
    }
    of_words(link, path, is_placed)
}

/// Reports whether `link` is of a site or of a form that is for every reader.
fn is_known(host: &str, link: &Link<'_>, path: &[&str]) -> bool {
    public::is_site(host) || public::is_of_host(host, path) || public::is_record(link, path)
}

/// Judges a link without a path.
fn of_root(link: &Link<'_>) -> Clarity {
    let has_route = link.paths.iter().any(|path| !path.is_empty());
    let is_post = |it: &Argument<'_>| names_record(it) && it.name != "id";
    let counts =
        |it: &Argument<'_>| words::tells(it) || token::digits(it.value) > 0 && !is_post(it);
    if link.arguments.iter().any(counts) || has_route {
        Clarity::Mute
    } else if link.arguments.iter().any(is_post) {
        Clarity::Place
    } else {
        Clarity::Text
    }
}

/// Judges a link by its single words.
fn of_words(link: &Link<'_>, path: &[&str], is_placed: bool) -> Clarity {
    let has_digits = |text: &str| token::digits(text) > 0;
    let counts = path.iter().any(|text| has_digits(text))
        || link.arguments.iter().any(|it| words::tells(it) && has_digits(it.value));
    let is_own = path.last().is_some_and(|text| is_own(text));
    let is_named = path.iter().any(|text| has_word(text)) && !is_way(path) && !is_own;
    if is_placed && !is_own && !is_of_record(path) || is_numbered(path) {
        Clarity::Place
    } else if is_named && !counts {
        Clarity::Word
    } else {
        Clarity::Mute
    }
}

/// Reports whether `path` has a number that follows no word for texts, as the records of a program
/// have on hosts and below words for texts: `/help/queue/777`. A number alone may be a text's.
fn is_of_record(path: &[&str]) -> bool {
    const DIGITS_MIN: usize = 3;
    let names_text = |text: &str| !LENDING.contains(&text) && is_place(text);
    let is_own = |(idx, text): (usize, &&str)| {
        let above = idx.checked_sub(1).and_then(|idx| path.get(idx));
        let is_named = names_text(text) || above.is_some_and(|text| names_text(text));
        let is_last = path.get(idx + 1).is_none_or(|text| names_text(text));
        token::digits(text) >= DIGITS_MIN && !(is_named && is_last)
    };
    path.len() > 1 && !words::has_date(path) && path.iter().enumerate().any(is_own)
}

/// Reports whether `text`, a segment, is a number that may be that of a record.
fn is_record(text: &str) -> bool {
    token::digits(text) == text.len() && token::has_number(text)
}

/// Reports whether `text`, a segment, is a year, below which sites file their texts.
fn is_year(text: &str) -> bool {
    text.len() == 4 && text.parse::<u16>().is_ok_and(|year| (1990..2100).contains(&year))
}

/// Reports whether `text` is the name of a page of the reader's own.
fn is_own(text: &str) -> bool {
    Words::of(text).list.iter().any(|word| OWN.contains(&&**word))
}

/// Reports whether `path` ends with a number after a word for texts with numbers.
fn is_numbered(path: &[&str]) -> bool {
    const DIGITS_MIN: usize = 4;
    match path {
        [.., kind, number] => {
            let digits = token::digits(number);
            NUMBERED.contains(kind) && digits >= DIGITS_MIN && digits == number.len()
        }
        _ => false,
    }
}

/// Reports whether `link` names a report of a weakness, of a bug, or a paper, by the number that it
/// has for all: `CVE-2021-44228`, `bugreport.cgi?bug=1`, `/abs/2101.00001`.
fn names_report(link: &Link<'_>, path: &[&str]) -> bool {
    let is_number = |text: &str| !text.is_empty() && token::digits(text) == text.len();
    let is_weakness = |text: &str| {
        let mut parts = text.split('-');
        let name = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("cve"));
        name && parts.clone().count() == 2 && parts.all(is_number)
    };
    let is_paper = matches!(path, ["abs" | "pdf", number]
        if number.split_once('.').is_some_and(|(month, rest)| is_number(month) && is_number(rest)));
    let is_bug = path.last() == Some(&"bugreport.cgi")
        && link.arguments.iter().any(|it| it.name == "bug" && is_number(it.value));
    path.last().is_some_and(|text| is_weakness(text)) || is_paper || is_bug
}

/// Reports whether `path` is one word after a segment that only leads on, as of shortened links.
fn is_way(path: &[&str]) -> bool {
    matches!(path, [way, _] if way.len() <= 2)
}

/// Reports whether `text` has a word for places of texts.
fn is_place(text: &str) -> bool {
    let is_word = |word: &String| {
        words::is_article(word) || words::is_record_name(word) || words::is_press(word)
    };
    Words::of(text).list.iter().any(is_word)
}

/// Reports whether `text`, a segment, is the title of a text: `words_min` words, or as many
/// characters of a script that puts no spaces between words. Only marks part words: in data in
/// base 64, letters of both cases alternate.
fn is_title(text: &str, words_min: usize) -> bool {
    const LETTERS_MIN: usize = 2;
    /// Buttons have up to ten.
    const GLUED_MIN: usize = 11;
    /// The first script of those: Thai. Its signs on letters do not count.
    const GLUED_FROM: char = '\u{E00}';
    let stem = text.split('.').next().unwrap_or_default();
    let is_word = |word: &&str| {
        word.chars().count() >= LETTERS_MIN
            && word.chars().all(|c| words::is_of_word(c) && !c.is_numeric())
            && !has_hump(word)
    };
    stem.split(|c: char| !words::is_of_word(c)).filter(is_word).count() >= words_min
        || text.chars().filter(|c| *c >= GLUED_FROM && prose::is_letter(*c)).count() >= GLUED_MIN
}

/// Reports whether a capital follows a small letter in `word`.
fn has_hump(word: &str) -> bool {
    let mut pairs = word.chars().zip(word.chars().skip(1));
    pairs.any(|(first, second)| first.is_lowercase() && second.is_uppercase())
}

/// Judges `text`, the last segment below a title: a token for one reader may follow any title.
fn of_tail(text: &str) -> Clarity {
    const DIGITS_MAX: usize = 9;
    const LETTERS_MAX: usize = 15;
    let words = Words::of(text);
    let stem = text.split('.').next().unwrap_or_default();
    let is_whole = stem.len() == text.len();
    let is_page = words.form != Form::Other;
    let is_number = stem.len() <= DIGITS_MAX && token::digits(stem) == stem.len();
    let is_word = stem.len() <= LETTERS_MAX
        && token::digits(stem) == 0
        && !has_hump(stem)
        && token::is_speakable(stem);
    let is_known = is_number && is_whole || (is_number || is_word) && is_page;
    if is_known || SHORT.contains(&text) || is_sheet(text) {
        Clarity::Title
    } else if is_word && is_whole {
        Clarity::Place
    } else {
        Clarity::Mute
    }
}

/// Reports whether `text` is the name of a page or a version by its number: `p2`, `v3`.
fn is_sheet(text: &str) -> bool {
    const DIGITS: std::ops::RangeInclusive<usize> = 1..=3;
    let number = text.strip_prefix(['p', 'v']);
    number.is_some_and(|text| DIGITS.contains(&text.len()) && token::digits(text) == text.len())
}

/// Reports whether `path`, of `link`, holds the hash of data in version control.
fn is_versioned(link: &Link<'_>, path: &[&str]) -> bool {
    const LEN_MIN: usize = 7;
    path.iter().enumerate().any(|(idx, hash)| {
        let is_hash = hash.len() >= LEN_MIN && token::is_hash(hash);
        let is_next = idx.checked_sub(1).and_then(|idx| path.get(idx));
        is_hash && is_next.is_some_and(|it| VERSIONED.contains(it)) && link.is_versioned(path, idx)
    })
}

/// Reports whether `path` leads into an archive.
fn is_archived(path: &[&str]) -> bool {
    const BELOW_MIN: usize = 2;
    let below = |table: &[&str]| {
        let is_archive = |text: &&str| table.contains(&&*text.to_ascii_lowercase());
        path.iter().position(is_archive).and_then(|idx| path.get(idx + 1..))
    };
    let is_in = |below: &[&str]| below.len() >= BELOW_MIN;
    let is_file = |below: &[&str]| {
        is_in(below) && below.last().is_some_and(|text| Words::of(text).form != Form::Other)
    };
    let is_unnumbered = |below: &[&str]| !below.iter().any(|text| is_record(text));
    below(ARCHIVES).is_some_and(is_in)
        || below(DOCS).is_some_and(|below| is_file(below) || is_in(below) && is_unnumbered(below))
        || below(FILES).is_some_and(is_file)
}

/// Reports whether `path` is that of a project's page on a forge.
fn is_of_forge(path: &[&str]) -> bool {
    const BEFORE_MIN: usize = 2;
    let is_whole = |(idx, text): (usize, &&str)| {
        let below = path.get(idx + 1..).unwrap_or_default();
        FORGE.contains(text)
            && !matches!(below, [number, tab, ..]
            if token::digits(number) == number.len() && !TABS.contains(tab))
    };
    path.iter().enumerate().skip(BEFORE_MIN).any(is_whole)
}

/// Reports whether `path` is that of a page which is the same for all readers.
fn is_of_all(path: &[&str]) -> bool {
    const LEN_MAX: usize = 2;
    let is_page = |text: &&str| {
        let stem = text.split('.').next().unwrap_or_default();
        PAGES.contains(&stem) || is_standard(stem)
    };
    let is_home = path.first().is_some_and(|home| home.starts_with('~') && home.len() > 1);
    is_home && (path.len() == 1 || path.iter().skip(1).any(|text| has_word(text)))
        || path.len() <= LEN_MAX && path.last().is_some_and(is_page) && !has_own_number(path)
}

/// Reports whether a segment of `path` before the last has a number that is neither a year nor a
/// version: the terms and the status of an order are for one reader.
fn has_own_number(path: &[&str]) -> bool {
    const DIGITS_MIN: usize = 3;
    let is_own = |text: &&str| token::digits(text) >= DIGITS_MIN && !is_year(text);
    path.split_last().is_some_and(|(_, above)| above.iter().any(is_own))
}

/// Reports whether `text` is the name of a standard, as `rfc3986` is.
fn is_standard(text: &str) -> bool {
    let number = ["rfc", "bcp", "std"].iter().find_map(|name| text.strip_prefix(name));
    number.is_some_and(|text| (1..=5).contains(&text.len()) && token::digits(text) == text.len())
}

/// Reports whether `path` has the name of a thing after a segment that one follows.
fn is_named(path: &[&str]) -> bool {
    path.windows(2).any(|pair| match pair {
        [kind, name] => {
            // Sections of the manual have numbers: `man1`.
            let kind = kind.trim_end_matches(|c: char| c.is_ascii_digit());
            let stem = name.split('.').next().unwrap_or_default();
            NAMED.contains(&kind) && token::digits(stem) == 0 && has_word(stem)
        }
        _ => false,
    })
}

/// Reports whether `path` ends with the name of a document, which has a word.
fn names_document(path: &[&str]) -> bool {
    const LETTERS_MIN: usize = 3;
    path.last().is_some_and(|text| {
        let words = Words::of(text);
        let is_word =
            |word: &String| word.chars().filter(|c| c.is_alphabetic()).count() >= LETTERS_MIN;
        words.form == Form::Document && words.list.iter().any(is_word)
    })
}

/// Reports whether `path` ends with the name of a program and its version, `tar-1.35`, perhaps of
/// the file that holds it, `tar-1.35.tar.xz`. A version has a dot: without one, it may be the
/// number of an order.
fn names_release(path: &[&str]) -> bool {
    const ENDINGS: [&str; 10] = [
        ".asc", ".deb", ".rpm", ".sig", ".tar.bz2", ".tar.gz", ".tar.xz", ".tar.zst", ".tgz",
        ".zip",
    ];
    const NUMBERS: std::ops::RangeInclusive<usize> = 2..=4;
    const DIGITS: std::ops::RangeInclusive<usize> = 1..=4;
    let is_number = |text: &str| DIGITS.contains(&text.len()) && token::digits(text) == text.len();
    path.last().is_some_and(|text| {
        let mut stem = *text;
        while let Some(rest) = ENDINGS.iter().find_map(|ending| stem.strip_suffix(ending)) {
            stem = rest;
        }
        stem.rsplit_once('-').is_some_and(|(name, version)| {
            let version = version.strip_prefix('v').unwrap_or(version);
            NUMBERS.contains(&version.split('.').count())
                && version.split('.').all(is_number)
                && has_word(name)
        })
    })
}

/// Reports whether the only argument of `link` is the title of a page, as programs of wikis have
/// it: `doku.php?id=how-to-name-things`.
fn names_wiki_page(link: &Link<'_>, path: &[&str]) -> bool {
    let [argument] = &*link.arguments else { return false };
    let is_program = matches!(
        (path.last().copied(), argument.name),
        (Some("doku.php"), "id") | (Some("index.php"), "title")
    );
    is_program && is_title(argument.value, PLACED_WORDS_MIN)
}

/// Reports whether `path` ends with the name of a page in HTML, which has a word.
fn names_page(path: &[&str]) -> bool {
    path.last().is_some_and(|text| Words::of(text).form == Form::Page && has_word(text))
}

/// Reports whether `path` is that of a page in HTML in a directory, all with words and without
/// numbers, as old links of lists are: `/hypertext/Names.html`.
fn is_page_below(link: &Link<'_>, path: &[&str]) -> bool {
    const SEGMENTS_MIN: usize = 2;
    path.len() >= SEGMENTS_MIN
        && names_page(path)
        && path.iter().all(|text| has_word(text) && token::digits(text) == 0)
        && !link.arguments.iter().any(words::tells)
}

/// Reports whether `text` has a word of people that means something.
fn has_word(text: &str) -> bool {
    Words::of(text).list.iter().any(|word| words::is_plain(word))
}

/// Reports whether an argument names a record by its number, as those of articles and bugs do.
fn names_record(it: &Argument<'_>) -> bool {
    const DIGITS_MAX: usize = 9;
    matches!(it.name, "id" | "p" | "page_id")
        && (1..=DIGITS_MAX).contains(&it.value.len())
        && token::digits(it.value) == it.value.len()
}

#[cfg(test)]
mod tests {
    use super::{Clarity, of};
    use crate::check::effects::link::Link;

    #[test]
    fn links_say_where_they_lead() {
        for (expected, texts) in [
            (
                Clarity::Mute,
                &[
                    "/?q=123",
                    "?x=77",
                    "/#/x/77",
                    "/x/77",
                    "/x/uajwd",
                    "/bestellung/77",
                    "/v/Tp8F-pBBqarbbjwHHAomRE",
                    "/articles/the-red-fox/x7k2m9p4",
                    "/articles/the-red-fox/9d9355ec.1e166ab1",
                    "/my",
                    "/account",
                    "/settings",
                    "/index.php?id=77",
                ][..],
            ),
            (Clarity::Word, &["/harbour", "/adresse.html"]),
            (
                Clarity::Place,
                &[
                    "/?p=123",
                    "/node/112233",
                    "/topic/77",
                    "/docs/77",
                    "/support/qwertz",
                    "/story.php?id=3",
                    "/articles/the-red-fox/comments",
                ],
            ),
            (
                Clarity::Title,
                &[
                    "/articles/the-red-fox",
                    "/a-walk-in-june/",
                    "/topic/77/strange-crash",
                    "/%E0%A4%AE%E0%A5%88%E0%A4%82-%E0%A4%86%E0%A4%8A%E0%A4%81-%E0%A4%97%E0%A4%BE",
                ],
            ),
            (Clarity::Name, &["/2024/05/winter-offers", "/wiki/Voting", "/docs/polling.html"]),
            (
                Clarity::Text,
                &[
                    "",
                    "/vuln/detail/CVE-2021-44228",
                    "/cgi-bin/bugreport.cgi?bug=4711",
                    "/abs/2101.00001",
                    "/",
                    "/?utm_source=mail",
                    "/rfc/rfc3986",
                    "/files/report.pdf",
                    "/about",
                    "/team/project/issues/77",
                    "/project/commit/9f86d081",
                    "/watch?v=dQw4w9WgXcQ",
                    "/pipermail/dev/2020-May/00123.html",
                ],
            ),
        ] {
            for text in texts {
                let decoded = crate::check::effects::token::decoded(text.as_bytes());
                assert_eq!(of("www.h.example", &Link::of(&decoded)), expected, "{text}");
            }
        }
    }

    #[test]
    fn records_of_programs_are_no_texts() {
        for (text, expected) in [
            ("/public/booking/4711", Clarity::Mute),
            ("/public/files/notes.pdf", Clarity::Text),
            ("/docs/4711/sign", Clarity::Mute),
            ("/docs/latest/install", Clarity::Text),
            ("/group/4711/in", Clarity::Mute),
            ("/4711/download", Clarity::Mute),
            ("/project/download", Clarity::Text),
            ("/v2/faq", Clarity::Text),
            ("/box/4711/contract.pdf", Clarity::Title),
            ("/uploads/2024/05/contract.pdf", Clarity::Text),
            ("/o/r/issues/4711/next", Clarity::Mute),
            ("/o/r/pull/4711/files", Clarity::Text),
            ("/help/queue/4711", Clarity::Mute),
            ("/library/4711", Clarity::Mute),
            ("/article/4711/story", Clarity::Place),
        ] {
            assert_eq!(of("www.h.example", &Link::of(text)), expected, "{text}");
        }
        assert_eq!(of("git.h.example", &Link::of("/core/members/4711")), Clarity::Mute);
        assert_eq!(of("blog.h.example", &Link::of("/4711")), Clarity::Place);
    }

    #[test]
    fn pages_of_help_of_wikis_and_releases_are_known() {
        for (text, expected) in [
            ("/hc/en-us/articles/77-the-red-fox", Clarity::Name),
            ("/doku.php?id=the-red-fox", Clarity::Name),
            ("/w/index.php?title=The_red_fox", Clarity::Name),
            ("/downloads/harbour-1.35", Clarity::Text),
            ("/pub/harbour-1.35.1.tar.xz.asc", Clarity::Text),
            ("/index.php?id=the-red-fox", Clarity::Mute),
            ("/doku.php?id=the-red-fox&do=subscribe", Clarity::Word),
            ("/order/order-77", Clarity::Mute),
            ("/x/77-1.35", Clarity::Mute),
        ] {
            assert_eq!(of("www.h.example", &Link::of(text)), expected, "{text}");
        }
        assert_eq!(of("help.h.example", &Link::of("/en/the-red-fox")), Clarity::Name);
        assert_eq!(of("help.h.example", &Link::of("/en/settings")), Clarity::Mute);
    }
}
