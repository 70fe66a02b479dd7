//! Finds the base of a relative reference, as far as it changes the meaning: `x.md` is one link in
//! all documents of a directory, and another link in the next directory. Links with equal text and
//! equal base count as the same.
//!
//! Nothing is resolved or looked up: two references that are written differently but lead to the
//! same place stay distinct.

use super::record::{Record, bytes};
use super::statement::{from_the_top, holder};
use crate::finding::{Cue, Finding};
use crate::platform::OsBytes as _;

/// Returns the base of `record`; empty if its text means the same everywhere.
pub(super) fn of_record(record: &Record) -> Vec<u8> {
    if record.scheme.is_some() || record.cue == Cue::Www.name() {
        return Vec::new();
    }
    let place = &record.place;
    let base = record.base.as_deref().map(|base| bytes(base, record.base_bytes.as_ref()));
    let members = place.members().collect();
    Reference { uri: record.uri(), path: place.path(), members, base }.start()
}

/// Returns the base of `finding`, without an allocation if its text means the same everywhere.
pub(crate) fn of_finding(finding: &Finding<'_>) -> Vec<u8> {
    if !finding.facts.scheme.is_empty() || finding.cue == Cue::Www {
        return Vec::new();
    }
    let origin = finding.place.origin;
    let path = origin.path.as_os_str().as_bytes();
    let members = origin.members.iter().map(Vec::as_slice).collect();
    let (uri, base) = (finding.uri.shown(), finding.base.as_ref().map(|base| base.shown()));
    Reference { uri: &uri, path, members, base: base.as_deref() }.start()
}

/// Returns the kind of the relative reference `finding`, an index below 3, if its base depends only
/// on the kind and the origin; `None` if its text means the same everywhere, or a base is declared.
pub(crate) fn kind_of_finding(finding: &Finding<'_>) -> Option<usize> {
    if !finding.facts.scheme.is_empty() || finding.cue == Cue::Www || finding.base.is_some() {
        return None;
    }
    match &*finding.uri.shown() {
        [b'/', b'/', ..] => None,
        [b'/', ..] => Some(0),
        [] | [b'#' | b'?', ..] => Some(1),
        _ => Some(2),
    }
}

/// A link without a scheme, and the context on which it depends.
struct Reference<'r> {
    uri: &'r [u8],
    path: &'r [u8],
    members: Vec<&'r [u8]>,
    base: Option<&'r [u8]>,
}

impl Reference<'_> {
    fn start(&self) -> Vec<u8> {
        let path = from_the_top(self.path);
        let holder = || holder(&path, self.members.iter().copied());
        match (self.uri, self.base) {
            // The reference has a host (RFC 3986 §4.2).
            ([b'/', b'/', ..], _) => Vec::new(),
            ([b'/', ..], Some(base)) => root(base).to_vec(),
            // A tree has one root, and an archive is a tree of its own.
            ([b'/', ..], None) if self.members.is_empty() => Vec::new(),
            ([b'/', ..], None) => path,
            // A reference to the document itself (RFC 3986 §4.4).
            ([] | [b'#' | b'?', ..], _) => holder(),
            (_, Some(base)) => directory(base.split(|byte| b"?#".contains(byte)).next(), b"/"),
            (_, None) => directory(Some(&holder()), b"/!"),
        }
    }
}

/// Returns scheme and host.
fn root(base: &[u8]) -> &[u8] {
    let slashes = base.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    let third = slashes.map(|(at, _)| at).nth(2);
    base.get(..third.unwrap_or(base.len())).unwrap_or_default()
}

/// Returns `path` up to and including the last of `ends`.
fn directory(path: Option<&[u8]>, ends: &[u8]) -> Vec<u8> {
    let path = path.unwrap_or_default();
    let end = path.iter().rposition(|byte| ends.contains(byte));
    path.get(..end.map_or(0, |end| end + 1)).unwrap_or_default().to_vec()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::{kind_of_finding, of_finding, of_record};
    use crate::finding::{Cue, Facts, Finding, Origin, Place};
    use crate::report::record::Line;
    use crate::uri::Redacted;

    /// Calls `take` with a finding of the link `uri` in markup.
    fn with_finding(
        origin: &Origin,
        uri: &str,
        base: Option<&str>,
        take: impl FnOnce(&Finding<'_>),
    ) {
        let facts = Arc::new(Facts::default());
        let bare = Finding::example(uri.as_bytes(), Place::example(origin, [0, 1, 1, 1]), &facts);
        let base = base.map(|base| Redacted::new(base.as_bytes()));
        take(&Finding { cue: Cue::Markup, base, ..bare });
    }

    #[test]
    fn references_of_one_kind_in_one_text_have_one_base() {
        const OF_KINDS: [[&str; 4]; 3] = [
            ["/", "/a", "/u:p@h//b", "/?password=a"],
            ["", "#", "#a:b@c", "?pwd=secret"],
            ["a", "../b/c.md", "u:p@h", "x?password=y//"],
        ];
        for (path, members) in [("docs/a.md", vec![]), ("t.tar", vec![b"a/b".to_vec()])] {
            let origin = Origin { path: path.into(), members, ..Origin::default() };
            for (kind, uris) in OF_KINDS.iter().enumerate() {
                let mut starts = Vec::new();
                for uri in uris {
                    with_finding(&origin, uri, None, |finding| {
                        assert_eq!(kind_of_finding(finding), Some(kind), "{uri}");
                        starts.push(of_finding(finding));
                    });
                    let base = Some("http://h/");
                    with_finding(&origin, uri, base, |of| assert_eq!(kind_of_finding(of), None));
                }
                assert!(starts.iter().all(|start| *start == starts[0]), "{path}: {uris:?}");
            }
            for uri in ["//h/a", "//u:p@h"] {
                with_finding(&origin, uri, None, |finding| {
                    assert_eq!((kind_of_finding(finding), of_finding(finding)), (None, vec![]));
                });
            }
        }
    }

    fn start_of(uri: &str, path: &str, members: &[&str], base: Option<&str>) -> String {
        let scheme = uri.split_once(':').map(|(scheme, _)| scheme);
        let mut record = json!({
            "type": "finding", "uri": uri, "raw": uri, "cue": "markup", "scheme": scheme,
            "place": {
                "path": path, "members": members, "offset": 0, "len": 1, "line": 1, "column": 1,
                "file_offset": null
            },
            "message": null, "syntax": null, "reach": null, "verdict": "ok"
        });
        base.into_iter().for_each(|base| record["base"] = base.into());
        let Line::Finding(record) = Line::parse(record.to_string().as_bytes()).unwrap() else {
            panic!("no finding")
        };
        String::from_utf8(of_record(&record)).unwrap()
    }

    #[track_caller]
    fn case(uri: &str, path: &str, members: &[&str], wanted: &str) {
        assert_eq!(start_of(uri, path, members, None), wanted);
    }

    #[test]
    fn a_whole_uri_means_the_same_everywhere() {
        case("http://h/", "docs/a.md", &[], "");
        case("//h/x", "docs/a.md", &[], "");
        assert_eq!(start_of("http://h/", "a.html", &[], Some("http://g/")), "");
    }

    #[test]
    fn a_path_starts_in_the_directory_of_its_document() {
        case("x.md", "docs/a.md", &[], "docs/");
        case("x.md", "./docs/../docs/b.md", &[], "docs/");
        case("../x.md", "a.md", &[], "");
        case("x.md", "docs/t.tar", &["site/a.md"], "docs/t.tar!site/");
        case("x.md", "docs/box", &["msg 1", "part 2"], "docs/box!msg 1!");
        case("/x.md", "docs/a.md", &[], "");
        case("/x.md", "docs/t.tar", &["site/a.md"], "docs/t.tar");
    }

    #[test]
    fn a_fragment_is_one_of_its_document() {
        case("#x", "docs/a.md", &[], "docs/a.md");
        case("", "docs/t.tar", &["a.md"], "docs/t.tar!a.md");
        assert_eq!(start_of("#x", "a.html", &[], Some("http://g/")), "a.html");
    }

    #[test]
    fn a_base_counts_in_place_of_the_path() {
        let case = |uri, base, wanted| {
            assert_eq!(start_of(uri, "docs/a.html", &[], Some(base)), wanted, "{uri} {base}");
        };
        case("x", "http://g/a/b?c=/d", "http://g/a/");
        case("/x", "http://g/a/b", "http://g");
        case("/x", "http://g", "http://g");
    }
}
