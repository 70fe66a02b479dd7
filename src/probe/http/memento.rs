//! Reads the fields of RFC 7089: the memento that an answer is, or leads to.

use hyper::HeaderMap;
use hyper::header::{HeaderName, LINK};

use super::moved::{Moved, moved};
use crate::probe::archive::{Snapshot, http_date, link_format, parts_of};

/// The field that names the wanted time (RFC 7089 §2.1.1).
pub(super) const ACCEPT_DATETIME: HeaderName = HeaderName::from_static("accept-datetime");

/// The field that names the time of the memento in an answer (RFC 7089 §2.1.1).
const MEMENTO_DATETIME: HeaderName = HeaderName::from_static("memento-datetime");

/// Returns the memento that an answer for `asked` is, or that it redirects to; `None` if its fields
/// name none.
///
/// A redirect without a time is one if its target has a time in it, as those of the Wayback Machine
/// have. A target that a `Link` names with its time has that time.
pub(super) fn described(fields: &HeaderMap, asked: &str) -> Option<Snapshot> {
    let links: Vec<u8> = fields.get_all(LINK).iter().fold(Vec::new(), |mut all, field| {
        all.extend_from_slice(field.as_bytes());
        all.extend_from_slice(b",\n");
        all
    });
    let original = link_format::links(&links).find(|link| link.has("original"));
    let original = original.map(|link| link.target.to_vec());
    let field = fields.get(MEMENTO_DATETIME).and_then(|value| http_date(value.as_bytes()));
    match moved(fields, asked) {
        Moved::To(to) => {
            let linked = link_format::links(&links).filter_map(|link| link_format::snapshot(&link));
            let linked = linked.into_iter().find(|one| one.uri.as_deref() == Some(&to));
            let linked = linked.map(|one| one.time).or(field);
            let time = linked.or_else(|| Some(parts_of(&to)?.0))?;
            Some(Snapshot { uri: Some(to), original, time })
        }
        Moved::Nowhere => {
            Some(Snapshot { uri: Some(asked.as_bytes().to_vec()), original, time: field? })
        }
        Moved::Scheme(_) | Moved::Broken => None,
    }
}

#[cfg(test)]
mod tests {
    use hyper::HeaderMap;
    use hyper::header::{HeaderName, HeaderValue};

    use super::described;
    use crate::probe::archive::digits;

    const ASKED: &str = "http://a/web/http://h/";

    #[track_caller]
    fn case(fields: &[(&'static str, &str)], wanted: Option<(&str, &str)>) {
        let mut map = HeaderMap::new();
        for (name, value) in fields {
            let value = HeaderValue::from_str(value).unwrap();
            map.append(HeaderName::from_static(name), value);
        }
        let found = described(&map, ASKED);
        let found = found.map(|it| (String::from_utf8(it.uri.unwrap()).unwrap(), digits(it.time)));
        let found = found.as_ref().map(|(uri, time)| (uri.as_str(), time.as_str()));
        assert_eq!(found, wanted, "{fields:?}");
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
        case(&[("location", "/x"), ("link", &link("http://a/x"))], {
            Some(("http://a/x", "20010203040506"))
        });
        // Another target than the one that has the time.
        case(&[("location", "/x"), ("link", &link("http://a/y"))], None);
        case(&[("location", "https://a/web/20010203040507/http://h/")], {
            Some(("https://a/web/20010203040507/http://h/", "20010203040507"))
        });
        case(&[("location", "https://a/web/http://h/")], None);
        case(&[("location", "javascript:1"), ("memento-datetime", date)], None);
    }
}
