//! Describes archives on the network, and the addresses of requests to them.

use jiff::Timestamp;

use super::disclosure::{host_of, is_public};
use super::replay::replayed;
use crate::grammar::split;
use crate::probe::archive::{ROWS_MAX, Snapshot, digits};
use crate::probe::guard::Host;
use crate::uri::{self, Redacted};

/// The placeholder of the link in an address.
const LINK: &str = "{url}";
/// The placeholder of the time in an address, 14 digits.
const TIME: &str = "{timestamp}";

/// An archive on the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    name: String,
    /// The address that is requested for the memento nearest to one date.
    one: String,
    /// The address that is requested for all mementos, if that is another one.
    all: Option<String>,
    /// The address that is requested for the mementos of all links that begin alike, if the archive
    /// has a CDX server.
    list: Option<String>,
    /// Whether that is known to give such lists, not only by the form of its address.
    is_list_known: bool,
    /// The address below which mementos are replayed that an answer names by time and original
    /// only.
    replay: Option<String>,
}

/// The name of the Wayback Machine of the Internet Archive, and its interfaces: for one date the
/// availability interface, which is light; for several the CDX server, with a capture a month.
const WAYBACK: (&str, &str, &str, &str) = (
    "wayback",
    "https://archive.org/wayback/available?url={url}&timestamp={timestamp}",
    "https://web.archive.org/cdx/search/cdx?url={url}&output=json\
     &fl=timestamp,original,statuscode&filter=statuscode:200&collapse=timestamp:6&limit=5000",
    "https://web.archive.org/web/",
);

/// The CDX server of the Wayback Machine, and the parameters of it and of pywb that list what all
/// links with one beginning have ("Wayback CDX Server API"; pywb, "CDX Server API").
const WAYBACK_CDX: (&str, &str) =
    ("/cdx/search/cdx", "&matchType=prefix&fl=timestamp,original,statuscode&limit=");
const PYWB_CDX: (&str, &str) = ("/cdx", "&matchType=prefix&fl=timestamp,url,status&limit=");
const OUTPUT: &str = "&output=json";

impl Service {
    /// Parses `wayback`, or an address of a TimeGate, a TimeMap or a CDX server: `{url}` is
    /// replaced by the link, which follows the address otherwise, and `{timestamp}` by its date.
    ///
    /// # Errors
    /// When it is neither.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (wayback, one, all, replay) = WAYBACK;
        if text == wayback {
            return Ok(Self {
                name: wayback.to_owned(),
                one: one.to_owned(),
                all: Some(all.to_owned()),
                list: list("https://web.archive.org/cdx/search/cdx?url={url}"),
                is_list_known: true,
                replay: Some(replay.to_owned()),
            });
        }
        let is_web = text.starts_with("http://") || text.starts_with("https://");
        if !is_web || host_of(text.as_bytes()).is_none() {
            return Err(format!("expected wayback, http(s)://… or a file, found {text:?}"));
        }
        if split(text.as_bytes()).userinfo.is_some() || Redacted::new(text.as_bytes()).hides_any() {
            return Err("expected an address without a user and a password".to_owned());
        }
        let one = match text {
            _ if text.contains(LINK) => text.to_owned(),
            _ if text.ends_with(['/', '=']) => format!("{text}{LINK}"),
            _ => format!("{text}/{LINK}"),
        };
        let one = if is_availability(&one) { format!("{one}&timestamp={TIME}") } else { one };
        let replay = ["/timemap/", "/cdx", "/index"].iter().find_map(|part| {
            let (before, _) = one.split_once(LINK)?.0.split_once(part)?;
            Some(format!("{before}/"))
        });
        let list = list(&one);
        Ok(Self { name: text.to_owned(), one, all: None, list, is_list_known: false, replay })
    }

    /// Returns the name as the user gave it.
    pub(in crate::run) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the address to request for `link`, between whose `dates` mementos are wanted.
    pub(in crate::run) fn address(&self, link: &[u8], dates: [Option<Timestamp>; 2]) -> Vec<u8> {
        let [first, last] = dates;
        let all = self.all.as_ref().filter(|_| first.map(digits) != last.map(digits));
        let pattern = all.unwrap_or(&self.one);
        filled(&pattern.replace(TIME, &first.map(digits).unwrap_or_default()), link)
    }

    /// Returns the address to request for the mementos of all links that begin with `start`, if the
    /// archive may list them.
    pub(in crate::run) fn listing(&self, start: &[u8]) -> Option<Vec<u8>> {
        Some(filled(self.list.as_ref()?, start))
    }

    /// Reports whether the archive is known to list them.
    pub(in crate::run) fn lists(&self) -> bool {
        self.is_list_known
    }

    /// Returns `found` with its address: of a copy that only its time and its original describe,
    /// that at which the archive replays it.
    pub(in crate::run) fn placed(&self, found: Snapshot) -> Option<Snapshot> {
        let uri = match (&found.uri, &self.replay, &found.original) {
            (None, Some(replay), Some(_)) => Some(replayed(replay, &found)),
            _ => found.uri.clone(),
        };
        Some(Snapshot { uri: Some(uri?), ..found })
    }

    /// Returns the host of the archive.
    pub(in crate::run) fn host(&self) -> Option<Host> {
        host_of(self.one.as_bytes())
    }

    /// Reports whether the archive may name the address of `found`: one on a public host names
    /// copies on public hosts only.
    pub(in crate::run) fn may_name(&self, found: &Snapshot) -> bool {
        let host = found.uri.as_deref().and_then(host_of);
        let is_free = !self.host().is_some_and(|host| is_public(&host));
        host.is_some_and(|host| is_free || is_public(&host))
    }
}

/// Reports whether `one` is the address of an availability interface that gets no date: it names
/// the latest copy then, not the nearest.
fn is_availability(one: &str) -> bool {
    let Some((path, query)) = one.split_once('?') else { return false };
    let name = path.rsplit('/').find(|name| !name.is_empty()).unwrap_or_default();
    name.starts_with("avail") && query.contains("url=") && !one.contains("timestamp=")
}

/// Returns the address of a list for the CDX server at `one`, unless that says otherwise what it
/// lists.
fn list(one: &str) -> Option<String> {
    let (before, after) = one.split_once(LINK)?;
    let path = before.split('?').next()?;
    let (_, parameters) =
        [WAYBACK_CDX, PYWB_CDX].into_iter().find(|(end, _)| path.ends_with(end))?;
    let is_plain = before.ends_with("?url=") || before.ends_with("&url=");
    let is_free = ["matchType=", "fl=", "limit=", "collapse=", "closest=", TIME]
        .iter()
        .all(|name| !one.contains(name));
    let output = if one.contains("output=") { "" } else { OUTPUT };
    (is_plain && is_free && after.is_empty())
        .then(|| format!("{one}{output}{parameters}{ROWS_MAX}"))
}

/// Returns `pattern` with `link` in its places.
fn filled(pattern: &str, link: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once(LINK) {
        out.extend_from_slice(before.as_bytes());
        if out.contains(&b'?') {
            escape(link, &mut out);
        } else {
            out.extend_from_slice(link);
        }
        rest = after;
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

/// Appends `link` as the value of a parameter in a query: everything but unreserved characters is
/// escaped (RFC 3986 §2.3).
fn escape(link: &[u8], out: &mut Vec<u8>) {
    for &byte in link {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(byte);
        } else {
            out.extend_from_slice(&uri::escape(byte));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Service;
    use crate::probe::archive::stamp;

    #[test]
    fn addresses_hold_the_link_and_its_date() {
        let link = b"http://h/a?b=c d";
        let case = |service: &str, dates: [&str; 2], wanted: &str| {
            let dates = dates.map(|date| stamp(date.as_bytes()));
            let address = Service::parse(service).unwrap().address(link, dates);
            assert_eq!(String::from_utf8(address).unwrap(), wanted, "{service}");
        };
        let day = ["20010203"; 2];
        case("http://a/c1/timemap/link", day, "http://a/c1/timemap/link/http://h/a?b=c d");
        case("http://a/c1/", day, "http://a/c1/http://h/a?b=c d");
        case("http://a/cdx?url=", day, "http://a/cdx?url=http%3A%2F%2Fh%2Fa%3Fb%3Dc%20d");
        case("http://a/available?url=", day, {
            "http://a/available?url=http%3A%2F%2Fh%2Fa%3Fb%3Dc%20d&timestamp=20010203000000"
        });
        case("http://a/{timestamp}/{url}#", day, "http://a/20010203000000/http://h/a?b=c d#");
        let wayback = "https://archive.org/wayback/available?\
                       url=http%3A%2F%2Fh%2Fa%3Fb%3Dc%20d&timestamp=20010203000000";
        case("wayback", day, wayback);
        let all = "https://web.archive.org/cdx/search/cdx?url=http%3A%2F%2Fh%2Fa%3Fb%3Dc%20d\
                   &output=json&fl=timestamp,original,statuscode&filter=statuscode:200\
                   &collapse=timestamp:6&limit=5000";
        case("wayback", ["2001", "2002"], all);
    }

    #[test]
    fn what_is_no_archive_is_refused() {
        for bad in ["", "x", "ftp://a/", "http://", "http://u:p@a/", "http://u@a/", "http:///a"] {
            assert!(Service::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_cdx_server_is_asked_for_all_links_that_begin_alike() {
        let case = |service: &str, wanted: Option<&str>| {
            let listing = Service::parse(service).unwrap().listing(b"http://h/a/");
            let listing = listing.map(|address| String::from_utf8(address).unwrap());
            assert_eq!(listing.as_deref(), wanted, "{service}");
        };
        let start = "url=http%3A%2F%2Fh%2Fa%2F";
        let rest = "&matchType=prefix&fl=timestamp,url,status&limit=8000";
        let pywb = format!("http://a/c1/cdx?{start}&output=json{rest}");
        case("http://a/c1/cdx?url=", Some(&pywb));
        case("http://a/c1/cdx?url={url}", Some(&pywb));
        let json = format!("http://a/c1/cdx?output=json&{start}{rest}");
        case("http://a/c1/cdx?output=json&url=", Some(&json));
        let wayback = format!(
            "https://web.archive.org/cdx/search/cdx?{start}&output=json&matchType=prefix\
             &fl=timestamp,original,statuscode&limit=8000"
        );
        case("wayback", Some(&wayback));
        case("https://web.archive.org/cdx/search/cdx?url=", Some(&wayback));
        assert!(Service::parse("wayback").unwrap().lists());
        for other in [
            "http://a/c1/timemap/link/",
            "http://a/c1/",
            "http://a/cdx/",
            "http://a/cdx?url={url}&limit=5",
            "http://a/cdx?matchType=exact&url=",
            "http://a/cdx?closest={timestamp}&url=",
        ] {
            case(other, None);
        }
    }
}
