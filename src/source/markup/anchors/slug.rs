//! Makes names of headings as other programs do. No specification has these rules; they are those
//! of the programs' sources and pages.

use std::sync::LazyLock;

#[cfg(feature = "idn")]
use icu_normalizer::DecomposingNormalizerBorrowed;
use regex::Regex;

/// Returns the name that GitHub makes of a heading (`html-pipeline`, its filter for tables of
/// contents): letters, marks, digits, connecting punctuation and hyphens stay, in lower case; a
/// blank becomes a hyphen, and nothing is trimmed or joined, so that the hyphen after an emoji
/// stays.
pub(super) fn github(text: &str) -> String {
    slug(text, is_word, |c| c == ' ')
}

/// Returns the name that `mdBook` makes: all white space becomes a hyphen, and numbers of all kinds
/// stay. A heading of punctuation alone is a `section`.
pub(super) fn book(text: &str) -> String {
    let name = slug(text, |c| c.is_alphanumeric() || c == '_', char::is_whitespace);
    if name.is_empty() { "section".to_owned() } else { name }
}

/// Returns the name that GitLab makes ("Heading IDs and links"): as GitHub's, with each run of
/// hyphens joined to one.
pub(super) fn gitlab(text: &str) -> String {
    let mut slug = github(text);
    let mut last = None;
    slug.retain(|c| last.replace(c) != Some('-') || c != '-');
    slug
}

/// Returns the name that `VitePress` makes (`@mdit-vue/shared`, `slugify`): characters are
/// decomposed and lose their accents, each run of punctuation of US-ASCII, quotation marks and
/// white space becomes a hyphen, and an underscore precedes a digit at the beginning.
pub(super) fn vitepress(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for c in decomposed(text).chars() {
        let is_accent = matches!(c, '\u{300}'..='\u{36F}');
        let is_quote = matches!(c, '\u{2018}' | '\u{2019}' | '\u{201C}' | '\u{201D}');
        if c.is_ascii_punctuation() || is_quote || c == ' ' || !c.is_control() && c.is_whitespace()
        {
            if !slug.ends_with('-') {
                slug.push('-');
            }
        } else if !is_accent && c >= ' ' {
            slug.push(c);
        }
    }
    let slug = slug.trim_matches('-').to_lowercase();
    let is_number = slug.starts_with(|c: char| c.is_ascii_digit());
    if is_number { format!("_{slug}") } else { slug }
}

fn slug(text: &str, is_kept: impl Fn(char) -> bool, is_blank: impl Fn(char) -> bool) -> String {
    let made = |c: char| {
        if is_blank(c) { Some('-') } else { (c == '-' || is_kept(c)).then_some(c) }
    };
    text.to_lowercase().chars().filter_map(made).collect()
}

/// Returns the name that Python-Markdown makes, and `MkDocs` with it (`toc.slugify`): characters
/// are decomposed, those of words of US-ASCII stay, in lower case, and each run of hyphens and
/// white space becomes one hyphen. It is empty if no character stays.
pub(super) fn python(text: &str) -> String {
    let mut kept: String = decomposed(text);
    kept.retain(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-' || is_python_space(c));
    let mut slug = String::with_capacity(kept.len());
    for c in kept.trim_matches(is_python_space).chars() {
        let is_joint = c == '-' || is_python_space(c);
        if is_joint && !slug.ends_with('-') {
            slug.push('-');
        } else if !is_joint {
            slug.push(c.to_ascii_lowercase());
        }
    }
    slug
}

/// Reports whether `c` is white space of US-ASCII for Python's `re`.
const fn is_python_space(c: char) -> bool {
    matches!(c, '\t'..='\r' | '\u{1C}'..=' ')
}

/// Returns `text` in the form NFKD.
#[cfg(feature = "idn")]
fn decomposed(text: &str) -> String {
    DecomposingNormalizerBorrowed::new_nfkd().normalize(text).into_owned()
}

/// Returns `text` as it is: without the tables of Unicode, a letter with an accent is lost.
#[cfg(not(feature = "idn"))]
fn decomposed(text: &str) -> String {
    text.to_owned()
}

/// Reports whether `c` is in `\p{Word}` of Ruby.
pub(super) fn is_word(c: char) -> bool {
    static WORD: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]").ok());
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    let word = WORD.as_ref();
    word.is_some_and(|word| word.is_match(c.encode_utf8(&mut [0; 4])))
}

/// Returns the title of `Title {#name .class}` and its name, as in Pandoc, `mdBook` and Docusaurus.
/// Without a name, the braces must hold classes, `key=value` or `-`, as in Pandoc.
pub(super) fn attributes(heading: &str) -> Option<(&str, Option<&str>)> {
    let inside = heading.trim_end().strip_suffix('}')?;
    let open = inside.rfind('{')?;
    let (title, attributes) = inside.split_at(open);
    let mut words = attributes.get(1..)?.split_whitespace().peekable();
    words.peek()?;
    let id = words.clone().filter_map(|word| word.strip_prefix('#')).find(|id| !id.is_empty());
    let is_other = |word: &str| {
        let class = word.strip_prefix('.').is_some_and(|name| !name.is_empty());
        class || word == "-" || word.find('=').is_some_and(|at| at > 0)
    };
    (id.is_some() || words.all(is_other)).then(|| (title.trim_end(), id))
}

/// Returns the identifier that Docutils makes of a name (`docutils.nodes.make_id`): runs of letters
/// and digits of US-ASCII in lower case with hyphens between, from a letter on.
pub(super) fn docutils(name: &str) -> String {
    let mut id = String::with_capacity(name.len());
    for c in name.to_lowercase().chars().flat_map(base) {
        if c.is_ascii_alphanumeric() {
            id.push(c);
        } else if c.is_ascii() && !id.ends_with('-') {
            id.push('-');
        }
    }
    let is_cut = |c: char| c == '-' || c.is_ascii_digit();
    id.trim_start_matches(is_cut).trim_end_matches('-').to_owned()
}

/// Returns `c` without its accent, if it has one. Docutils decomposes all of Unicode; here are the
/// letters of Latin-1 and Latin Extended-A, in lower case.
fn base(c: char) -> impl Iterator<Item = char> {
    const BASES: [(&str, &str); 23] = [
        ("a", "àáâãäåāăą"),
        ("c", "çćĉċč"),
        ("d", "ďđ"),
        ("e", "èéêëēĕėęě"),
        ("g", "ĝğġģ"),
        ("h", "ĥħ"),
        ("i", "ìíîïĩīĭįı"),
        ("j", "ĵ"),
        ("k", "ķ"),
        ("l", "ĺļľŀł"),
        ("n", "ñńņňŉ"),
        ("o", "òóôõöøōŏő"),
        ("r", "ŕŗř"),
        ("s", "śŝşš"),
        ("t", "ţťŧ"),
        ("u", "ùúûüũūŭůűų"),
        ("w", "ŵ"),
        ("y", "ýÿŷ"),
        ("z", "źżž"),
        ("sz", "ß"),
        ("ae", "æ"),
        ("oe", "œ"),
        (" ", "\u{A0}\u{3000}"),
    ];
    let found = BASES.iter().find(|(_, letters)| !c.is_ascii() && letters.contains(c));
    let itself = found.is_none().then_some(c);
    found.map_or("", |(base, _)| base).chars().chain(itself)
}

/// Returns the name that Asciidoctor makes of a title: characters other than those of words,
/// blanks, dots and hyphens are removed, and each run of the last three becomes one `separator`.
pub(super) fn asciidoctor(title: &str, separator: char) -> String {
    let mut id = String::with_capacity(title.len());
    for c in title.to_lowercase().chars() {
        let is_separator = matches!(c, ' ' | '.' | '-') || c == separator;
        if is_separator && !id.ends_with(separator) {
            id.push(separator);
        } else if !is_separator && is_word(c) {
            id.push(c);
        }
    }
    id.truncate(id.trim_end_matches(separator).len());
    id
}

#[cfg(test)]
mod tests {
    use super::{asciidoctor, attributes, book, docutils, github, gitlab, python, vitepress};

    #[track_caller]
    fn case(heading: &str, expected: &str) {
        assert_eq!(github(heading), expected, "{heading:?}");
    }

    #[test]
    fn headings_become_what_github_makes_of_them() {
        case("Heading", "heading");
        case("Two  blanks", "two--blanks");
        case("What's new, Doc?", "whats-new-doc");
        case("C++ & C#", "c--c");
        case("snake_case-and-kebab", "snake_case-and-kebab");
        case("🚀 Launch", "-launch");
        case("❤️ FE0F stays", "\u{FE0F}-fe0f-stays");
        case(":rocket: Launch", "rocket-launch");
        case("Привет МИР", "привет-мир");
        case("中文，标点", "中文标点");
        case("x² ≥ ½", "x--");
        case("A\u{301}\u{203F}B", "a\u{301}\u{203F}b");
        case("1.2.3", "123");
        case("tab\tline\n", "tabline");
        case("ΣΑΣ", "σας");
    }

    #[test]
    fn books_keep_numbers_and_join_nothing() {
        assert_eq!(book("x² ½\ttab"), "x²-½-tab");
    }

    #[test]
    fn titles_become_what_python_markdown_makes_of_them() {
        for (title, expected) in [
            ("Two  blanks", "two-blanks"),
            ("C++ & C#", "c-c"),
            ("snake_case -- and", "snake_case-and"),
            ("-x- y-", "-x-y-"),
            (" 1.2.3\tnow ", "123-now"),
            ("中文", ""),
            ("Straße", "strae"),
        ] {
            assert_eq!(python(title), expected, "{title}");
        }
        #[cfg(feature = "idn")]
        for (title, expected) in
            [("Été à Łódź", "ete-a-odz"), ("ﬁne x²", "fine-x2"), ("Ａ\u{A0}b", "a-b")]
        {
            assert_eq!(python(title), expected, "{title}");
        }
    }

    #[test]
    fn titles_become_what_gitlab_and_vitepress_make_of_them() {
        for (title, joined, decomposed) in [
            ("Q & A", "q-a", "q-a"),
            ("A - B -- c", "a-b-c", "a-b-c"),
            ("1. Intro", "1-intro", "_1-intro"),
            ("snake_case", "snake_case", "snake-case"),
            ("What's new?", "whats-new", "what-s-new"),
            ("tab\tand  blanks", "taband-blanks", "taband-blanks"),
        ] {
            assert_eq!(gitlab(title), joined, "{title}");
            assert_eq!(vitepress(title), decomposed, "{title}");
        }
        #[cfg(feature = "idn")]
        for (title, expected) in [("Über uns", "uber-uns"), ("中文，标点", "中文-标点")] {
            assert_eq!(vitepress(title), expected, "{title}");
        }
    }

    #[test]
    fn a_heading_may_say_its_name() {
        assert_eq!(attributes("Title {#own}"), Some(("Title", Some("own"))));
        assert_eq!(attributes("Title {.big #own key=val} "), Some(("Title", Some("own"))));
        for unnamed in ["Title {.unnumbered}", "Title {-}", "Title {.a .b key=\"v\"}"] {
            assert_eq!(attributes(unnamed), Some(("Title", None)), "{unnamed}");
        }
        for none in [
            "Title",
            "Title {}",
            "Title {.}",
            "Title {=}",
            "Title {#}",
            "Title {own}",
            "{#own} Title",
            "Title }",
        ] {
            assert_eq!(attributes(none), None, "{none}");
        }
    }

    #[test]
    fn titles_become_what_docutils_makes_of_them() {
        for (title, expected) in [
            ("PEP 8 -- Style Guide", "pep-8-style-guide"),
            ("1. First", "first"),
            ("a__b--", "a-b"),
            ("Éric's straße", "eric-s-strasze"),
            ("中文", ""),
            ("42", ""),
        ] {
            assert_eq!(docutils(title), expected, "{title}");
        }
    }

    #[test]
    fn titles_become_what_asciidoctor_makes_of_them() {
        for (title, expected) in [
            ("Section Title", "section_title"),
            ("What's new?", "whats_new"),
            ("v1.2 - beta", "v1_2_beta"),
            ("End.", "end"),
        ] {
            assert_eq!(asciidoctor(title, '_'), expected, "{title}");
        }
        assert_eq!(asciidoctor("a_b c", '-'), "a_b-c");
    }
}
