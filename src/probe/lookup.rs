//! Requests the mementos of a link from an archive on the network, with one request.
//!
//! The answer is a redirect to a memento, or a memento itself, as TimeGates give; or a list in a
//! form that `archive` reads. Further pages of a list are requests of their own. The result is a
//! [`Reach`] that lists the mementos and these pages, so that it is stored, and a stopped run
//! continued, as with links.

use std::future::ready;

use jiff::Timestamp;

use super::archive::link_format::{self, Page};
use super::archive::{
    Lookup, Named, ROWS_MAX, Snapshot, digits, is_listing, read, relevant, relevant_each, stamp,
    without_last,
};
use super::http::{self, Target};
use super::tcp::Net;
use super::{Answer, AnswerFuture, Kept, Outcome};
use crate::finding::{Class, Reach};
use crate::store::results::ARCHIVE;
use crate::uri::Uri;

/// The name of the probe in stored results.
pub const NAME: &str = ARCHIVE;

/// Sends a request to `uri`, an address of an archive. Redirects within the archive are returned as
/// redirects.
pub fn ask<'a>(
    uri: Uri<'_>,
    lookup: &'a Lookup,
    net: &'a Net,
    kept: &'a mut Kept,
) -> AnswerFuture<'a> {
    match Target::of(uri) {
        Err(failure) => Box::pin(ready(failure.into_answer(NAME))),
        Ok(target) => {
            let base = uri.text.to_vec();
            Box::pin(async move {
                learnt(http::mementos(target, lookup, net, kept).await, *lookup, &base)
            })
        }
    }
}

/// Interprets the answer at `base`.
fn learnt(answer: Answer, lookup: Lookup, base: &[u8]) -> Answer {
    let Answer { outcome, sets_cookie, address, body, memento, .. } = answer;
    let (memento, gate) = match memento.map(|named| *named) {
        Some(Named { snapshot, map }) => (Some(vec![snapshot]), Some(map)),
        None => (None, None),
    };
    let outcome = match (outcome, memento) {
        (Outcome::Moved(_), Some(found)) => Outcome::Known(with_gate(listed(found, lookup), gate)),
        (Outcome::Known(reach), found) if reach.class == Class::Alive => {
            let body = body.as_ref();
            let bytes = body.map(|body| &*body.bytes).unwrap_or_default();
            // A page that is a memento, or frames one, lists none of other URIs.
            let found = found.filter(|_| !lookup.is_listing);
            let found = found.unwrap_or_else(|| read(bytes, base));
            // A list that ended early is used if it names a memento.
            let is_cut = body.is_some_and(|body| body.is_cut);
            let pages = if lookup.is_listing { Vec::new() } else { further(bytes, lookup, base) };
            let is_list = !pages.is_empty() || !is_cut && is_listing(bytes);
            Outcome::Known(if found.is_empty() && !is_list {
                let message = "expected a list of mementos, found something else";
                Reach::new(Class::ProtocolError, NAME, message)
            } else if lookup.is_listing && (is_cut || has_all_rows(bytes)) {
                in_part(listed(without_last(found), lookup))
            } else {
                with_gate(with_pages(listed(found, lookup), &pages), gate)
            })
        }
        (Outcome::Known(reach), _) => Outcome::Known(Reach { probe: NAME, ..reach }),
        (Outcome::Later { reach, after }, _) => {
            Outcome::Later { reach: Reach { probe: NAME, ..reach }, after }
        }
        (moved @ Outcome::Moved(_), None) => moved,
    };
    Answer { sets_cookie, address, ..Answer::of(outcome) }
}

/// Returns the result that lists `found`: a line for each in its hint.
fn listed(found: Vec<Snapshot>, lookup: Lookup) -> Reach {
    let dates = lookup.dates;
    let found =
        if lookup.is_listing { relevant_each(found, dates) } else { relevant(found, dates) };
    if found.is_empty() {
        return Reach::new(Class::Missing, NAME, "not archived");
    }
    let word = |text: &Option<Vec<u8>>| match text {
        // A blank would end it.
        Some(text) if text.iter().all(u8::is_ascii_graphic) => {
            String::from_utf8_lossy(text).into_owned()
        }
        _ => NONE.to_owned(),
    };
    let line = |snapshot: &Snapshot| {
        format!("{} {} {}", digits(snapshot.time), word(&snapshot.uri), word(&snapshot.original))
    };
    let lines: Vec<_> = found.iter().map(line).collect();
    Reach { hint: Some(lines.join("\n")), ..Reach::new(Class::Alive, NAME, "archived") }
}

/// Maximum number of further pages of one list that are requested: the nearest to the dates of the
/// links. Archives divide lists of thousands of mementos, and few links have dates on many pages.
pub const PAGES_MAX: usize = 4;

/// Returns the further pages to which the list `text` at `base` leads, the nearest to `lookup`
/// first, or the latest if it has no date.
fn further(text: &[u8], lookup: Lookup, base: &[u8]) -> Vec<Page> {
    let mut pages: Vec<_> = link_format::pages(text, base).collect();
    let latest = |page: &Page| page.range[1].map_or(0, |until| -until.as_second());
    let gap = |page: &Page| {
        let dates = lookup.dates.into_iter().flatten();
        dates.map(|date| page.gap(date).as_secs()).min()
    };
    pages.sort_by_key(|page| gap(page).unwrap_or_else(|| latest(page)));
    pages.truncate(PAGES_MAX);
    pages
}

/// The word that begins the line of a further page.
const PAGE: &str = "page";

/// Returns `reach` with a line for each of `pages` in its hint.
fn with_pages(reach: Reach, pages: &[Page]) -> Reach {
    let time = |time: Option<Timestamp>| time.map_or_else(|| NONE.to_owned(), digits);
    let line = |Page { uri, range: [from, until] }: &Page| {
        let uri = String::from_utf8_lossy(uri);
        format!("{PAGE} {} {} {uri}", time(*from), time(*until))
    };
    let lines: Vec<_> = reach.hint.clone().into_iter().chain(pages.iter().map(line)).collect();
    Reach { hint: (!lines.is_empty()).then(|| lines.join("\n")), ..reach }
}

/// The word that begins the line of the TimeMap that a TimeGate names.
const MAP: &str = "map";

/// The line of a TimeGate that names none.
const GATE: &str = "gate";

/// Returns `reach` with a line for the TimeMap of a TimeGate, if it is the answer of one.
fn with_gate(reach: Reach, gate: Option<Option<Page>>) -> Reach {
    let line = match gate {
        Some(Some(map)) => format!("{MAP} {NONE} {NONE} {}", String::from_utf8_lossy(&map.uri)),
        Some(None) => GATE.to_owned(),
        None => return reach,
    };
    let lines: Vec<_> = reach.hint.clone().into_iter().chain([line]).collect();
    Reach { hint: Some(lines.join("\n")), ..reach }
}

/// Returns the further pages to which the list in `reach` leads.
#[must_use]
pub fn pages(reach: &Reach) -> Vec<Page> {
    led_to(reach, PAGE)
}

/// Returns the TimeMap that a TimeGate names beside the memento in `reach`: with several dates, it
/// may list another memento that is nearer to some of them.
#[must_use]
pub fn maps(reach: &Reach) -> Vec<Page> {
    led_to(reach, MAP)
}

/// Reports whether `reach` is the answer of a TimeGate that names no TimeMap.
#[must_use]
pub fn is_of_gate(reach: &Reach) -> bool {
    reach.probe == NAME && reach.hint.iter().flat_map(|hint| hint.lines()).any(|it| it == GATE)
}

/// Returns the pages whose lines in `reach` begin with `kind`.
fn led_to(reach: &Reach, kind: &str) -> Vec<Page> {
    let time = |word: &str| (word != NONE).then(|| stamp(word.as_bytes())).flatten();
    let page = |line: &str| {
        let mut words = line.split(' ');
        words.next().filter(|word| *word == kind)?;
        let range = [time(words.next()?), time(words.next()?)];
        Some(Page { uri: words.next()?.as_bytes().to_vec(), range })
    };
    let hint = reach.hint.as_deref().filter(|_| reach.probe == NAME);
    hint.unwrap_or_default().lines().filter_map(page).collect()
}

/// The line that follows the mementos of a listing that does not have all.
const PART: &str = "part";

/// Reports whether a listing has as many rows as were requested, and may have had more.
fn has_all_rows(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'\n', bytes).count() >= ROWS_MAX
}

fn in_part(reach: Reach) -> Reach {
    let lines: Vec<_> = reach.hint.iter().map(String::as_str).chain([PART]).collect();
    Reach { hint: Some(lines.join("\n")), ..reach }
}

/// Reports whether the listing in `reach` has all mementos of the requested URIs.
#[must_use]
pub fn is_whole(reach: &Reach) -> bool {
    reach.hint.as_deref().unwrap_or_default().lines().next_back() != Some(PART)
}

/// The word for an unknown address.
const NONE: &str = "-";

/// Returns the mementos that `reach` lists; `None` if it is no answer of an archive.
#[must_use]
pub fn found(reach: &Reach) -> Option<Vec<Snapshot>> {
    if reach.probe != NAME {
        return None;
    }
    let word = |text: &str| (text != NONE).then(|| text.as_bytes().to_vec());
    let snapshot = |line: &str| {
        let mut words = line.split(' ');
        let time = stamp(words.next()?.as_bytes())?;
        Some(Snapshot { uri: word(words.next()?), original: word(words.next()?), time })
    };
    match (&reach.hint, reach.class) {
        (Some(lines), _) => Some(lines.lines().filter_map(snapshot).collect()),
        (None, Class::Missing | Class::Gone) => Some(Vec::new()),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Answer, Class, Lookup, NAME, Named, Outcome, PAGES_MAX, Page, Reach, Snapshot, found,
        further, is_of_gate, is_whole, learnt, listed, maps, pages, with_pages,
    };
    use crate::finding::Hop;
    use crate::probe::Body;
    use crate::probe::archive::stamp;

    const BASE: &[u8] = b"http://a/tm/";

    /// Returns what `lookup` makes of a page of the archive.
    fn outcome(text: &str, is_cut: bool, lookup: Lookup) -> Reach {
        let body = Body {
            bytes: text.as_bytes().to_vec(),
            media_type: String::new(),
            charset: None,
            is_cut,
            fault: None,
            refresh: None,
        };
        let reach = Reach::new(Class::Alive, "http", "200 OK");
        let answer = Answer { body: Some(body), ..Answer::of(Outcome::Known(reach)) };
        match learnt(answer, lookup, BASE).outcome {
            Outcome::Known(reach) => reach,
            _ => panic!("it is known"),
        }
    }

    fn page(text: &str, is_cut: bool) -> Option<Vec<Snapshot>> {
        found(&outcome(text, is_cut, Lookup::default()))
    }

    #[test]
    fn what_is_listed_is_found_again() {
        let of = |uri: Option<&str>, original: Option<&str>| Snapshot {
            uri: uri.map(|text| text.as_bytes().to_vec()),
            original: original.map(|text| text.as_bytes().to_vec()),
            time: stamp(b"20010203040506").unwrap(),
        };
        for one in [of(Some("http://a/1"), None), of(None, Some("http://h/")), of(None, None)] {
            let reach = listed(vec![one.clone()], Lookup::default());
            assert_eq!(found(&reach), Some(vec![one]));
        }
        assert_eq!(
            found(&listed(vec![of(Some("a b\nc"), None)], Lookup::default())).unwrap().len(),
            1
        );
        assert_eq!(found(&listed(Vec::new(), Lookup::default())), Some(Vec::new()));
        assert_eq!(found(&Reach::new(Class::Missing, "http", "")), None);
        assert_eq!(found(&Reach::new(Class::Timeout, NAME, "")), None);
    }

    #[test]
    fn an_empty_list_says_that_nothing_is_archived_and_a_page_says_nothing() {
        for text in ["", "[]", "{\"archived_snapshots\":{}}", "<http://h/>; rel=original"] {
            assert_eq!(page(text, false), Some(Vec::new()), "{text}");
        }
        let errors =
            ["{\"error\":\"busy\"}", "{\"message\":\"Too Many Requests\"}", "null", "\"busy\""];
        let limited = "{\"error\":\"rate limit\",\"archived_snapshots\":{}}";
        for text in ["<html>", "no", "{", "<http://h/>", limited].into_iter().chain(errors) {
            assert_eq!(page(text, false), None, "{text}");
        }
        assert_eq!(page("", true), None);
        let rows = "[[\"timestamp\",\"original\"],\n[\"20010203040506\",\"http://h/\"],\n[\"2";
        assert_eq!(page(rows, true).map(|found| found.len()), Some(1));
    }

    #[test]
    fn a_redirect_is_followed_unless_it_leads_to_a_memento() {
        let hop = Hop { status: 302, to: b"http://a/1".to_vec() };
        let moved = || Answer::of(Outcome::Moved(hop.clone()));
        let outcome = learnt(moved(), Lookup::default(), BASE).outcome;
        assert!(matches!(outcome, Outcome::Moved(to) if to == hop));
        let time = stamp(b"2001").unwrap();
        let memento = Snapshot { uri: Some(hop.to.clone()), original: None, time };
        let map = Page { uri: b"http://a/tm/http://h/".to_vec(), range: [None, None] };
        for map in [None, Some(map)] {
            let named = Named { snapshot: memento.clone(), map: map.clone() };
            let answer = Answer { memento: Some(Box::new(named)), ..moved() };
            let Outcome::Known(reach) = learnt(answer, Lookup::default(), BASE).outcome else {
                panic!("it is known")
            };
            assert_eq!(found(&reach), Some(vec![memento.clone()]));
            assert_eq!(is_of_gate(&reach), map.is_none());
            assert_eq!((maps(&reach), pages(&reach)), (Vec::from_iter(map), Vec::new()));
        }
    }

    #[test]
    fn the_nearest_pages_are_kept_and_found_again() {
        let day = |name: &str, day: usize| format!("{name}, {day:02} Feb 2003 00:00:00 GMT");
        let days = [1, 8, 15, 22];
        let line = |at: &usize| {
            let (from, until) = (day("Sat", *at), day("Sun", *at + 1));
            format!("<http://a/{at}>; rel=timemap; from=\"{from}\"; until=\"{until}\"")
        };
        let lines: Vec<_> = days.iter().map(line).collect();
        let text = format!("{},\n<http://a/x>; rel=timemap", lines.join(",\n"));
        let of = |date: Option<&str>| {
            let date = date.map(|date| stamp(date.as_bytes()).unwrap());
            let lookup = Lookup { dates: [date; 2], ..Lookup::default() };
            let found = further(text.as_bytes(), lookup, BASE);
            assert_eq!(found.len(), PAGES_MAX);
            let reach = with_pages(listed(Vec::new(), Lookup::default()), &found);
            assert_eq!((pages(&reach), self::found(&reach)), (found.clone(), Some(Vec::new())));
            let names =
                found.iter().map(|page| String::from_utf8_lossy(&page.uri[9..]).into_owned());
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of(Some("20030216")), "15 x 22 8");
        assert_eq!(of(None), "22 15 8 1");
        assert_eq!(pages(&Reach::new(Class::Alive, "http", "")), []);
    }

    #[test]
    fn a_listing_has_the_nearest_of_each_original_and_tells_whether_it_has_all() {
        let row = |time: &str, path: &str| {
            format!("k {time} {{\"url\": \"http://h/a/{path}\", \"status\": \"200\"}}\n")
        };
        let dates = [stamp(b"20010203"); 2];
        let of = |text: &str, is_cut| outcome(text, is_cut, Lookup { dates, is_listing: true });
        let text = [
            row("20010203000000", "1"),
            row("20010203000000", "2"),
            row("19990101000000", "2"),
            row("20010204000000", "3"),
        ];
        let reach = of(&text.concat(), false);
        assert_eq!(found(&reach).map(|found| found.len()), Some(4), "{reach:?}");
        assert!(is_whole(&reach) && pages(&reach).is_empty());
        // The last link may have further rows.
        let cut = of(&text.concat(), true);
        assert_eq!(found(&cut).map(|found| found.len()), Some(3), "{cut:?}");
        assert!(!is_whole(&cut));
        let gone = "k 20010203000000 {\"url\": \"http://h/a/1\", \"status\": \"404\"}\n".repeat(2);
        let [json, lines] = [gone.replace("k 20010203000000 ", ""), gone];
        for text in [&json, &lines] {
            assert_eq!(found(&of(text, false)), Some(Vec::new()), "{text}");
        }
        assert!(!is_whole(&of(&text[0].repeat(super::ROWS_MAX), false)));
        assert!(is_whole(&of("", false)) && found(&of("", false)) == Some(Vec::new()));
        assert_eq!([of("", true), of("<html>", false)].map(|reach| found(&reach)), [None, None]);
    }
}
