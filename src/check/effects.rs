//! Finds links of mail that do something when they are requested: unsubscribe, confirm, delete.
//!
//! A GET is meant to be safe (RFC 9110 §9.2.1) and often is not: mail software has taken people off
//! lists by following links (RFC 8058 §1). No link states its effect. The tables here know how mail
//! software, forums and shops write such links, in several languages. A link made for one reader
//! has a token, an address or a machine-made name, and reveals to its sender who requests it. In
//! doubt, a link is not requested; a page about unsubscribing may be skipped by mistake.
//!
//! Limits: nothing is looked up, so that a short link is judged by its text alone; and words of
//! languages that are not in the tables are unknown.

mod around;
mod clarity;
mod headline;
mod hosts;
mod legacy;
mod link;
mod notices;
mod prose;
mod public;
mod quoted;
mod schema;
mod siblings;
mod token;
mod verdict;
mod words;

pub use around::Setting;
use link::Link;
use words::TOKEN;

use crate::source::mail::charset::Charset;
use crate::span::Span;

/// Header fields whose links lead to texts: about the message (RFC 5322 §3.6.5, RFC 2557 §4, RFC
/// 2017 §3, RFC 2369 §3.6, RFC 5064, RFC 8288), its author's home (RFC 5536 §3.2.9, RFC 4021 §2.2),
/// and its program. Links of all other fields may act: senders write fields of their own for
/// unsubscribing, votes, complaints and receipts, under names in any language.
const QUIET_FIELDS: &[&str] = &[
    "archived-at",
    "comments",
    "content-base",
    "content-description",
    "content-location",
    "content-type",
    "face-url",
    "keywords",
    "link",
    "list-archive",
    "organisation",
    "organization",
    "original-archived-at",
    "original-subject",
    "subject",
    "summary",
    "user-agent",
    "x-archive",
    "x-archive-url",
    "x-archived-at",
    "x-bugzilla-url",
    "x-home-page",
    "x-homepage",
    "x-mailer",
    "x-newsreader",
    "x-original-subject",
    "x-url",
    "x-web",
    "x-website",
];

/// Reports whether `effect` is only a guess, which messages of several senders refute.
#[must_use]
pub fn is_guess(effect: &str) -> bool {
    effect == verdict::UNCLEAR || is_quoted(effect)
}

/// Reports whether `effect` is the guess about a link in a quotation. A message that quotes a link
/// adds no sender of it.
#[must_use]
pub fn is_quoted(effect: &str) -> bool {
    effect == verdict::UNCLEAR_QUOTED
}

/// Reports whether `effect` is that of a link with a token, as those for one reader have.
#[must_use]
pub fn is_of_token(effect: &str) -> bool {
    effect == TOKEN
}

/// The effect of requesting a link of a field for a list (RFC 2369).
const LIST: &str = "use a list's command";
/// The effect of requesting a link of a field that a sender writes for its own purpose.
const FIELD: &str = "do what its header field is for";

/// Bytes of a link that are read. Longer links are made by a machine.
const LINK_LEN_MAX: usize = 8 * 1024;

/// Returns the effect that following the link `uri`, at `span` of `bytes`, may have by the words
/// around it. `charset` is the legacy charset that is declared for text that is not UTF-8.
#[must_use]
pub fn around(
    bytes: &[u8],
    span: Span,
    uri: &[u8],
    setting: Setting,
    charset: Option<Charset>,
) -> Option<&'static str> {
    let calendar = || around::calendar::Property::around(bytes, span.start, span.end);
    if let Some(property) = (setting == Setting::Text).then(calendar).flatten() {
        return around::of_property(&property, uri);
    }
    let words = around::Words::new(bytes, span)?;
    let (mut guess, mut is_explained) = (None, false);
    let noted = words.noted.unwrap_or_default();
    for charset in legacy::charsets(&[words.before, words.after, noted], charset) {
        let [before, after] = [words.before, words.after].map(|it| legacy::read(it, charset));
        let noted = words.noted.map(|noted| legacy::read(noted, charset));
        let (before, after, noted) = (&*before, &*after, noted.as_deref());
        let read = around::Words { before, after, noted, ..words };
        match read.effect(uri, setting) {
            None => is_explained = true,
            effect if effect.is_some_and(is_guess) => guess = effect,
            effect => return effect,
        }
    }
    // In a wrong charset, words say nothing.
    let guess = guess.filter(|_| !is_explained)?;
    let before = bytes.get(..span.start).unwrap_or_default();
    Some(if quoted::is_quoted(before) { verdict::UNCLEAR_QUOTED } else { guess })
}

/// Returns the effect that requesting `uri`, a link of mail in the header field `header`, may have;
/// `None` when it looks harmless.
#[must_use]
pub fn of(uri: &[u8], header: Option<&[u8]>) -> Option<&'static str> {
    if let Some(name) = header.filter(|name| is_acting_field(name)) {
        let is_of_list = name.get(..5).is_some_and(|it| it.eq_ignore_ascii_case(b"list-"));
        return Some(if is_of_list { LIST } else { FIELD });
    }
    sent_by(uri)
}

/// Returns the effect of looking up the host of `uri`.
#[must_use]
pub fn by_host(uri: &[u8]) -> Option<&'static str> {
    hosts::names_reader(uri).then_some(TOKEN)
}

/// Returns the effect that requesting `uri` may have by its text alone, wherever it occurs.
#[must_use]
pub fn sent_by(uri: &[u8]) -> Option<&'static str> {
    if let Some(effect) = by_host(uri) {
        return Some(effect);
    }
    let (authority, after) = link::apart(uri)?;
    if after.len() > LINK_LEN_MAX {
        return Some(TOKEN);
    }
    let (_, texts) = link::readings(uri)?;
    texts.iter().find_map(|text| of_text(authority, text))
}

/// Returns the effect that `text`, sent to the host `authority`, may have.
fn of_text(authority: &[u8], text: &str) -> Option<&'static str> {
    let link = Link::of(text).on(&String::from_utf8_lossy(authority));
    let by_host = hosts::of(authority, !text.trim_matches('/').is_empty());
    by_host
        .or_else(|| words::of(&link))
        .or_else(|| link.has_token().then_some(TOKEN))
        .or_else(|| (link.has_short_token() && !words::is_of_text(&link)).then_some(TOKEN))
        .or_else(|| phrases(&link))
}

/// Returns the effect that the path and the arguments of `link` name in any language.
fn phrases(link: &Link<'_>) -> Option<&'static str> {
    /// Maximum number of words in a segment that is not a title.
    const WORDS_MAX: usize = 4;
    if words::is_of_text(link) {
        return None;
    }
    let segments = link.paths.first().into_iter().flatten().copied();
    let values = link.arguments.iter().filter(|it| words::tells(it)).map(|it| it.value);
    segments.chain(values).take(link::PARTS_MAX).find_map(|text| {
        let says = prose::Says::of(text);
        // Single words in US-ASCII are those of the tables for links.
        let counts = says.words <= WORDS_MAX && (says.words > 1 || !text.is_ascii());
        let acts = says.acts && says.words <= 2 && !text.is_ascii();
        (counts && (says.leaves || acts)).then_some("unsubscribe or change a subscription")
    })
}

/// Reports whether links of the header field `name` may act.
fn is_acting_field(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    !QUIET_FIELDS.contains(&&*name)
}

#[cfg(test)]
mod tests {
    use super::{LINK_LEN_MAX, Setting, Span, around, of};

    #[test]
    fn what_acts_is_left_alone() {
        for uri in [
            "http://h/unsubscribe?id=3",
            "http://h/list/UnSubscribe",
            "https://h/a/doOptOut",
            "https://h/x?confirm=1",
            "https://h/account/password-reset",
            "https://h/?action=delete&id=2",
            "https://h/v?VOTE=yes",
            "https://h/x#access_token=1",
            "https://h/u/9f86d081884c7d659a2feaa0c55ad015",
            "HTTP://h/unsubscribe",
            "www.example.com/unsubscribe",
            "gopher://h/7/unsubscribe?bob",
        ] {
            assert!(of(uri.as_bytes(), None).is_some(), "{uri}");
        }
        let fields = ["LIST-Unsubscribe", "X-Acknowledge", "X-Otkaz", "Auto-Submitted", "X-Hook"];
        for name in fields {
            assert!(of(b"http://h/", Some(name.as_bytes())).is_some(), "{name}");
        }
        let long = ["http://h/", &"/a".repeat(LINK_LEN_MAX / 2)].concat();
        assert!(of(long.as_bytes(), None).is_some());
        assert!(of(&long.as_bytes()[..LINK_LEN_MAX], None).is_none());
    }

    #[test]
    fn what_looks_harmless_is_not() {
        for uri in [
            "http://h/",
            "http://unsubscribe.example/",
            "http://h/cgi-bin/devote.html",
            "http://h/archives/1994-12/0123.html",
            "http://h/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "news:unsubscribe@9f86d081884c7d659a2feaa0c55ad015",
            "mailto:bob@h?subject=unsubscribe",
            "http:",
            "",
        ] {
            assert_eq!(of(uri.as_bytes(), None), None, "{uri}");
        }
        for name in ["Subject", "Archived-At", "X-URL", "organization", "List-Archive"] {
            assert_eq!(of(b"http://h/a", Some(name.as_bytes())), None, "{name}");
        }
    }

    /// Returns the effect of the link at `|` of HTML.
    fn in_html(text: &str, uri: &str) -> Option<&'static str> {
        let at = text.find('|').unwrap();
        let bytes = text.replace('|', uri);
        let span = Span::new(at, at + uri.len());
        around(bytes.as_bytes(), span, uri.as_bytes(), Setting::Html, None)
    }

    /// Returns the effect of the link at `|` of plain text.
    fn in_text(text: &str, uri: &str) -> Option<&'static str> {
        let at = text.find('|').unwrap();
        let bytes = text.replace('|', uri);
        let span = Span::new(at, at + uri.len());
        around(bytes.as_bytes(), span, uri.as_bytes(), Setting::Text, None)
    }

    #[test]
    fn headlines_with_verbs_of_buttons_are_those_of_their_paths() {
        for (text, path, is_asked) in [
            ("Stadtrat genehmigt neue Radwege", "/2024/05/stadtrat-genehmigt-neue-radwege", true),
            ("Stadtrat genehmigt neue Radwege", "/news/stadtrat-genehmigt-neue-radwege", true),
            ("El pleno aprueba nuevos carriles", "/blog/el-pleno-aprueba-nuevos-carriles", true),
            // No mark of an article, another title, an order at the beginning, and one at the end.
            ("Stadtrat genehmigt neue Radwege", "/x/stadtrat-genehmigt-neue-radwege", false),
            ("Stadtrat genehmigt neue Radwege", "/2024/05/fest-am-hafen", false),
            ("Cancel the order of Monday", "/2024/05/cancel-the-order-of-monday", false),
            ("Den Termin am Montag absagen", "/2024/05/den-termin-am-montag-absagen", false),
            ("Ich genehmige die neuen Radwege", "/2024/05/ich-genehmige-die-neuen-radwege", false),
            ("Werden die Radwege genehmigt?", "/2024/05/werden-die-radwege-genehmigt", false),
        ] {
            let uri = format!("http://h.example{path}");
            let link = format!("<p><a href=\"|\">{text}</a></p>");
            assert_eq!(in_html(&link, &uri).is_none(), is_asked, "{text} {path}");
            let link = format!("{text} <|>\n");
            assert_eq!(in_text(&link, &uri).is_none(), is_asked, "{text} {path}");
            assert_eq!(in_text(&format!("{text}: |\n"), &uri).is_none(), is_asked, "{text} {path}");
        }
    }

    #[test]
    fn a_headline_above_names_a_title_and_a_question_does_not() {
        let link = |above: &str, text: &str| {
            let above = format!("<h3>{above}</h3><p><a href=\"|\">{text}</a></p>");
            in_html(&above, "http://h.example/zwei-alte-rote-tische/77")
        };
        assert_eq!(link("Zwei alte rote Tische gefunden", "Zum Bericht"), None);
        assert!(link("Zwei alte rote Tische f\u{FC}r Ann?", "Zum Bericht").is_some());
        assert!(link("Ann sah zwei alte Tische", "Zwei alte rote Tische").is_some());
    }

    #[test]
    fn short_headlines_are_known_in_a_list() {
        let list = "<a href=\"http://h.example/town/the-old-harbour-4800\">The old harbour</a>\n\
            <a href=\"http://h.example/sport/ein-neuer-platz-4801\">Ein neuer Platz</a>\n";
        let uri = "http://h.example/food/fem-supper-for-hosten-4711";
        let link = |text: &str| format!("<p><a href=\"|\">{text}</a></p>");
        assert_eq!(in_html(&(link("Fem supper for h\u{F8}sten") + list), uri), None);
        assert!(in_html(&link("Fem supper for h\u{F8}sten"), uri).is_some());
        assert!(in_html(&(link("Bytt rom") + list), "http://h.example/x/bytt-rom-4711").is_some());
        let answer = "http://h.example/x/jeg-tar-rommet-4711";
        assert!(in_html(&(link("Jeg tar rommet") + list), answer).is_some());
        let buttons = list.replace("4800", "4711").replace("4801", "4711");
        assert!(in_html(&(link("Fem supper for h\u{F8}sten") + &buttons), uri).is_some());
    }

    #[test]
    fn text_that_a_program_made_of_html_has_words_for_its_links() {
        let to = |path: &str| format!("http://h.example{path}");
        for (text, path) in [
            ("Piccola guida ai muschi di Roma ( | )\n", "/piccola-guida-ai-muschi-di-roma"),
            ("Stadtrat stellt Pl\u{E4}ne f\u{FC}r den Hafen vor <|>\n", "/news/77"),
            ("[Stadtrat stellt Pl\u{E4}ne f\u{FC}r den Hafen vor](|)\n", "/news/77"),
            ("Im Hafen wurde wieder gebaut.\nWeiterlesen: |\n", "/news/77"),
            ("Im Hafen wurde wieder gebaut.\n\nWeiterlesen ( | )\n", "/news/77"),
        ] {
            assert_eq!(in_text(text, &to(path)), None, "{text} {path}");
        }
        for (text, path) in [
            ("Wenn Sie die Briefe\ndieses Vereins nicht m\u{F6}gen, hier <|>\n", "/news/77"),
            ("Se oni ne plu deziras\nniajn leterojn ricevi <|>\n", "/news/77"),
            ("Nur noch ein Klick bis zu Ihrem Platz <|>\n", "/news/77"),
            ("[Hier](|)\n", "/news/77"),
            ("[Bytt time](|)\n", "/bytt-time"),
            ("M\u{F6}gen Sie das?\nWeiterlesen: |\n", "/news/77"),
            ("Ich nehme den Platz am Fenster <|>\n", "/news/77"),
        ] {
            assert!(in_text(text, &to(path)).is_some(), "{text} {path}");
        }
    }

    #[test]
    fn numbers_and_hashes_that_programs_give_to_readers_are_left_alone() {
        for uri in [
            "https://h/blog/the-city-bought-a-bus-line?reader=482133",
            "https://h/2024/05/the-city-bought-a-bus-line?ref=mail188975",
            "https://h/blog/the-city-bought-a-bus-line?utm_content=81584745",
            "https://h/notes/archive/9f86d081884c7d659a2feaa0",
            "https://h/raw/9f86d081884c7d659a2feaa0",
            "https://h/group/4711/message/L_ElTi1NbB54bcJfe5f2oL",
        ] {
            assert!(of(uri.as_bytes(), None).is_some(), "{uri}");
        }
        for uri in [
            "https://h/blog/the-city-bought-a-bus-line?p=482133",
            "https://h/blog/the-city-bought-a-bus-line?edition=20240501",
            "https://h/owner/name/archive/9f86d081884c7d659a2feaa0",
            "https://git.h/name/raw/9f86d081884c7d659a2feaa0",
            "https://h/name.git/raw/9f86d081884c7d659a2feaa0",
            "https://h/group/kernel/msg/L_ElTi1NbB54bcJfe5f2oL",
        ] {
            assert_eq!(of(uri.as_bytes(), None), None, "{uri}");
        }
    }

    #[test]
    fn notices_in_the_third_person_lead_to_actions_and_reports_to_texts() {
        let to = |path: &str| format!("http://h.example{path}");
        for (text, path) in [
            ("Ann has asked for a seat in the choir.\n\n|\n", "/news/4711"),
            ("A message by a guest waits in the queue.\n\n|\n", "/topic/4711"),
            ("Ein Beitrag von Ann wartet auf die Gruppe\n\n|\n", "/news/4711"),
            ("The harbour of the town has a new crane.\n\n|\n", "/help/queue/4711"),
            ("Your code is valid for 15 minutes: |\n", "/"),
            ("Vote on the new crane of the harbour: |\n", "/news/4711"),
            ("|\n\nThe link above tells us that you come.\n", "/wiki/Party"),
            ("|\n\nDer Link oben sagt uns Bescheid.\n", "/wiki/Party"),
        ] {
            assert!(in_text(text, &to(path)).is_some(), "{text} {path}");
        }
        for (text, path) in [
            ("The harbour of the town has a new crane.\n\n|\n", "/news/4711"),
            ("The result of the vote is in the minutes: |\n", "/news/4711"),
            ("Das Ergebnis der Abstimmung steht im Protokoll: |\n", "/wiki/Hafen"),
            ("I risultati del sondaggio sono nel verbale: |\n", "/news/4711"),
            ("Le vieux pont du village est rouvert\n\n|\n", "/actualites/4711"),
            ("Visite d'un cin\u{E9}ma restaur\u{E9} ( | )\n", "/blog/visite-d-un-cinema-restaure"),
            ("Die gr\u{FC}ne Br\u{FC}cke <|>\n", "/2024/05/die-gruene-bruecke"),
            ("|\n\nThe link above is about ferns.\n", "/wiki/Ferns"),
        ] {
            assert_eq!(in_text(text, &to(path)), None, "{text} {path}");
        }
    }

    #[test]
    fn a_quotation_is_marked_and_remains_a_guess() {
        let quoted = in_text("> A list:\n> |\n", "http://h.example/x/77").unwrap();
        assert!(super::is_quoted(quoted) && super::is_guess(quoted));
        let plain = in_text("A list:\n|\n", "http://h.example/x/77").unwrap();
        assert!(!super::is_quoted(plain) && super::is_guess(plain));
    }

    #[test]
    fn a_condition_leads_to_more_actions_than_there_are_phrases() {
        let uri = "http://h.example/2024/05/spring-fair";
        for text in [
            "<p>Os nad ydych am gael y llyfr, <a href=\"|\">cliciwch yma</a>.</p>",
            "<p>Falls Sie den Stuhl doch nicht m\u{F6}gen: <a href=\"|\">|</a></p>",
            "<p>M\u{F6}gen Sie den Stuhl? <a href=\"|\">|</a></p>",
        ] {
            assert!(in_html(text, uri).is_some(), "{text}");
        }
        for text in [
            "<p>Die Bilder des Festes: <a href=\"|\">|</a></p>",
            "<p>Die Bilder des Festes gibt es <a href=\"|\">hier</a></p>",
        ] {
            assert_eq!(in_html(text, uri), None, "{text}");
        }
    }

    #[test]
    fn fields_that_name_a_text_need_no_words() {
        let of_field = |field: &str, uri: &str| {
            let text = format!("Subject: a\n{field}: <{uri}>\n");
            let at = text.find("http").unwrap();
            let span = Span::new(at, at + uri.len());
            around(text.as_bytes(), span, uri.as_bytes(), Setting::Field, None)
        };
        let uri = "https://lists.h.example/archives/kernel/";
        for field in ["List-Archive", "archived-at", "X-URL"] {
            assert_eq!(of_field(field, uri), None, "{field}");
        }
        assert!(of_field("Subject", uri).is_some());
        assert!(of_field("List-Archive: unsubscribe", uri).is_some());
        assert!(of(b"https://lists.h.example/unsubscribe/kernel", Some(b"List-Archive")).is_some());
    }

    #[test]
    fn what_loads_without_a_click_may_count_readers() {
        for text in [
            "<img src=\"|\" width=600>",
            "<table background='|'>",
            "<video poster=\"|\"></video>",
            "<link rel=stylesheet href=\"|\">",
            "<div style=\"background:url(|)\">The park</div>",
        ] {
            assert!(in_html(text, "http://h.example/park.png?r=77").is_some(), "{text}");
            assert!(in_html(text, "http://h.example/park.png?width=77").is_none(), "{text}");
            assert!(in_html(text, "http://h.example/48213/park.png").is_some(), "{text}");
            assert!(in_html(text, "http://h.example/20240501/park.png").is_none(), "{text}");
        }
    }

    #[test]
    fn a_title_that_is_the_text_of_its_link_may_be_a_button() {
        let to = |path: &str| format!("http://h.example{path}");
        for (text, path) in [
            ("Bytt time", "/bytt-time"),
            ("Changer de salle", "/changer-de-salle"),
            ("Changer de salle", "/changer-de-salle/77"),
            ("Bytt rom", "/support/bytt-rom"),
            ("\u{2713}", "/settings"),
            ("\u{1F44D}", "/account"),
            ("7", "/account"),
            ("", "/newsletter"),
            ("Bytt time", "/topic/77"),
            ("Read more", "/bytt-time"),
            ("Details", "/settings"),
            ("Les mer", "/x?id=4411"),
            ("Change of seats", "/articles/the-city-bought-a-bus-line"),
            ("Reserve your seat on the new bus line", "/articles/the-new-bus-line"),
            ("The bus line: I come", "/articles/the-bus-line-i-come"),
            ("I take the seat by the window", "/topic/77"),
        ] {
            let link = format!("<p><a href=\"|\">{text}</a></p>");
            assert!(in_html(&link, &to(path)).is_some(), "{text} {path}");
        }
        for (text, path) in [
            ("Read more", "/articles/the-city-bought-a-bus-line"),
            ("The city bought a bus line", "/the-city-bought-a-bus-line"),
            ("The city bought a bus line", "/news/77"),
            ("Bus lines", "/articles/the-city-bought-a-bus-line"),
            ("How your bus line came to be", "/articles/how-your-bus-line-came-to-be"),
            ("The old bus line opens", "/2024/05/the-bus-line"),
        ] {
            let link = format!("<p><a href=\"|\">{text}</a></p>");
            assert_eq!(in_html(&link, &to(path)), None, "{text} {path}");
        }
    }

    #[test]
    fn a_user_that_looks_like_a_known_host_explains_nothing() {
        let link = "<p>The spring party. <a href=\"|\">|</a></p>";
        let known = "https://www.w3.org/q/z";
        assert_eq!(in_html(link, known), None);
        for uri in [
            "https://www.w3.org@h.example/q/z",
            "https://www.w3.org:x@h.example/q/z",
            "https://h.example\\@www.w3.org/q/z",
            "https://www.w3.org.h.example/q/z",
            "https://a.lists.b@h.example/q/77",
        ] {
            assert!(in_html(link, uri).is_some(), "{uri}");
        }
    }

    #[test]
    fn a_film_is_no_action() {
        assert_eq!(of(b"https://www.h.example/watch?v=dQw4w9WgXcQ", None), None);
        assert_eq!(of(b"https://www.h.example/watch?v=dQw4w9WgXcQ&t=10s", None), None);
        assert!(of(b"https://www.h.example/watch?id=77", None).is_some());
        assert!(of(b"https://www.h.example/go?v=kX8sLq02PzA", None).is_some());
    }

    #[test]
    fn segments_that_dots_remove_explain_nothing() {
        let to = |path: &str| format!("http://h.example{path}");
        let link = "<p>The spring party of the town. <a href=\"|\">|</a></p>";
        for path in [
            "/q/z",
            "/articles/the-spring-party/../../q/z",
            "/articles/the-spring-party/%2e%2e/%2E./q/z",
            "/articles/the-spring-party/%252e%252e/%252e./q/z",
            "/articles/the-spring-party/..;/..;a=b/q/z",
            "/articles/the-spring-party/..%2f..%2fq%2fz",
            "/articles/the-spring-party/..%5c..%5Cq/z",
            "/articles/the-spring-party/../.././q/z",
        ] {
            assert!(in_html(link, &to(path)).is_some(), "{path}");
        }
        for path in ["/q/../articles/the-spring-party", "/./articles/the-spring-party"] {
            assert_eq!(in_html(link, &to(path)), None, "{path}");
        }
    }
}
