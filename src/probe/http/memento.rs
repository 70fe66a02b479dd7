//! Reads the fields of RFC 7089: the memento that an answer is, or leads to.

use hyper::HeaderMap;
use hyper::header::{CONTENT_LOCATION, CONTENT_TYPE, HeaderName, LINK};

use super::moved::{Moved, moved, resolved};
use crate::probe::archive::{Lookup, Named, Snapshot, http_date, link_format, nearest, parts_of};

/// The field that names the wanted time (RFC 7089 §2.1.1).
pub(super) const ACCEPT_DATETIME: HeaderName = HeaderName::from_static("accept-datetime");

/// The field that names the time of the memento in an answer (RFC 7089 §2.1.1).
const MEMENTO_DATETIME: HeaderName = HeaderName::from_static("memento-datetime");

/// Returns the memento that an answer for `asked` is, that it redirects to, or that it shows in a
/// frame; `None` if its fields name none.
///
/// A redirect without a time is one if its target has a time in it, as those of the Wayback Machine
/// have. A page without a time frames the memento that its `Link` names with a time nearest to the
/// date of `lookup`, as pywb does.
pub(super) fn described(fields: &HeaderMap, asked: &str, lookup: &Lookup) -> Option<Named> {
    let links: Vec<u8> = fields.get_all(LINK).iter().fold(Vec::new(), |mut all, field| {
        all.extend_from_slice(field.as_bytes());
        all.extend_from_slice(b",\n");
        all
    });
    let original = link_format::links(&links).find(|link| link.has("original"));
    let original = original.map(|link| link.target.to_vec());
    let time = fields.get(MEMENTO_DATETIME).and_then(|value| http_date(value.as_bytes()));
    let base = asked.as_bytes();
    let mut linked =
        link_format::links(&links).filter_map(|link| link_format::snapshot(&link, base));
    let found = match (moved(fields, asked), time) {
        (Moved::To(to), time) => {
            let linked = linked.find(|one| one.uri.as_deref() == Some(&to));
            let time = linked.map(|one| one.time).or(time).or_else(|| Some(parts_of(&to)?.0))?;
            Snapshot { uri: Some(to), original: None, time }
        }
        (Moved::Nowhere, Some(time)) => {
            // A TimeGate that answers by itself names the memento (RFC 7089 §4.1.2).
            let named = linked.find(|one| one.time == time).and_then(|one| one.uri);
            let uri = content_location(fields, asked).or(named);
            let uri = uri.unwrap_or_else(|| asked.as_bytes().to_vec());
            Snapshot { uri: Some(uri), original: None, time }
        }
        (Moved::Nowhere, None) if is_page(fields) => nearest(linked, lookup.dates[0], |one| one)?,
        (Moved::Nowhere | Moved::Scheme(_) | Moved::Broken | Moved::Several, _) => return None,
    };
    let map = link_format::pages(&links, base).next();
    Some(Named { snapshot: Snapshot { original, ..found }, map })
}

/// Returns the URI that the response to a request for `asked` declares as its own (RFC 9110 §8.7).
fn content_location(fields: &HeaderMap, asked: &str) -> Option<Vec<u8>> {
    match resolved(fields.get(CONTENT_LOCATION)?.as_bytes(), asked) {
        Moved::To(uri) => Some(uri),
        _ => None,
    }
}

/// Reports whether an answer is a page for readers, not a list.
fn is_page(fields: &HeaderMap) -> bool {
    let media = fields.get(CONTENT_TYPE).map(|value| value.as_bytes().to_ascii_lowercase());
    media.is_some_and(|media| media.starts_with(b"text/html"))
}

#[cfg(test)]
mod tests {
    use hyper::HeaderMap;
    use hyper::header::{HeaderName, HeaderValue};

    use super::described;
    use crate::probe::archive::{Lookup, digits};

    const ASKED: &str = "http://a/web/http://h/";

    #[track_caller]
    fn case(fields: &[(&'static str, &str)], wanted: Option<(&str, &str)>) {
        let mut map = HeaderMap::new();
        for (name, value) in fields {
            let value = HeaderValue::from_str(value).unwrap();
            map.append(HeaderName::from_static(name), value);
        }
        let found = described(&map, ASKED, &Lookup::default()).map(|named| named.snapshot);
        let found = found.map(|it| (String::from_utf8(it.uri.unwrap()).unwrap(), digits(it.time)));
        let found = found.as_ref().map(|(uri, time)| (uri.as_str(), time.as_str()));
        assert_eq!(found, wanted, "{fields:?}");
    }

    #[test]
    fn the_timemap_that_a_timegate_names_is_known() {
        let mut map = HeaderMap::new();
        let link = "<http://h/>; rel=original, </tm/http://h/>; rel=timemap";
        map.append("link", HeaderValue::from_static(link));
        map.append("location", HeaderValue::from_static("/20010203040506/http://h/"));
        let named = described(&map, ASKED, &Lookup::default()).unwrap();
        assert_eq!(named.map.unwrap().uri, b"http://a/tm/http://h/");
    }

    #[test]
    fn a_memento_is_named_by_fields_of_each_pattern() {
        let date = "Sat, 03 Feb 2001 04:05:06 GMT";
        let link = |to: &str| {
            format!("<http://h/>; rel=original, <{to}>; rel=memento; datetime=\"{date}\"")
        };
        case(&[], None);
        case(&[("memento-datetime", date)], Some((ASKED, "20010203040506")));
        case(&[("memento-datetime", "yesterday")], None);
        // A TimeGate that answers by itself.
        let named = Some(("http://a/20010203040506/http://h/", "20010203040506"));
        let place = "/20010203040506/http://h/";
        case(&[("memento-datetime", date), ("content-location", place)], named);
        case(&[("memento-datetime", date), ("link", &link(place))], named);
        case(&[("memento-datetime", date), ("content-location", "javascript:1")], {
            Some((ASKED, "20010203040506"))
        });
        case(&[("location", "/x"), ("link", &link("http://a/x"))], {
            Some(("http://a/x", "20010203040506"))
        });
        case(&[("location", "/x"), ("link", &link("/x"))], Some(("http://a/x", "20010203040506")));
        // Another target than the one that has the time.
        case(&[("location", "/x"), ("link", &link("http://a/y"))], None);
        case(&[("location", "https://a/web/20010203040507/http://h/")], {
            Some(("https://a/web/20010203040507/http://h/", "20010203040507"))
        });
        let framed = link("http://a/20010203040506mp_/http://h/");
        case(&[("content-type", "text/html; charset=utf-8"), ("link", &framed)], {
            Some(("http://a/20010203040506mp_/http://h/", "20010203040506"))
        });
        let relative = link("/20010203040506mp_/http://h/");
        case(&[("content-type", "text/html"), ("link", &relative)], {
            Some(("http://a/20010203040506mp_/http://h/", "20010203040506"))
        });
        case(&[("content-type", "application/link-format"), ("link", &framed)], None);
        case(&[("location", "https://a/web/http://h/")], None);
        case(&[("location", "javascript:1"), ("memento-datetime", date)], None);
    }
}
