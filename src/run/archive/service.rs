//! Describes archives on the network: the addresses by which they are asked.

use jiff::Timestamp;

use super::replay::replayed;
use super::telling::{host_of, is_public};
use crate::grammar::split;
use crate::probe::archive::{Snapshot, digits};
use crate::probe::guard::Host;
use crate::uri::Guarded;

/// Stands for the link in an address.
const LINK: &str = "{url}";
/// Stands for the time in an address, as 14 digits.
const TIME: &str = "{timestamp}";

/// An archive on the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    name: String,
    /// The address that is requested for the memento nearest to one date.
    one: String,
    /// The address that is requested for all mementos, if that is another one.
    all: Option<String>,
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
                replay: Some(replay.to_owned()),
            });
        }
        let is_web = text.starts_with("http://") || text.starts_with("https://");
        if !is_web || host_of(text.as_bytes()).is_none() {
            return Err(format!("expected wayback, http(s)://… or a file, found {text:?}"));
        }
        if split(text.as_bytes()).userinfo.is_some() || Guarded::new(text.as_bytes()).hides_any() {
            return Err("expected an address without a user and a password".to_owned());
        }
        let one = match text {
            _ if text.contains(LINK) => text.to_owned(),
            _ if text.ends_with(['/', '=']) => format!("{text}{LINK}"),
            _ => format!("{text}/{LINK}"),
        };
        let replay = ["/timemap/", "/cdx", "/index"].iter().find_map(|part| {
            let (before, _) = one.split_once(LINK)?.0.split_once(part)?;
            Some(format!("{before}/"))
        });
        Ok(Self { name: text.to_owned(), one, all: None, replay })
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
        let pattern = pattern.replace(TIME, &first.map(digits).unwrap_or_default());
        let mut out = Vec::new();
        let mut rest = &*pattern;
        while let Some((before, behind)) = rest.split_once(LINK) {
            out.extend_from_slice(before.as_bytes());
            if out.contains(&b'?') {
                escape(link, &mut out);
            } else {
                out.extend_from_slice(link);
            }
            rest = behind;
        }
        out.extend_from_slice(rest.as_bytes());
        out
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

/// Appends `link` as the value of a parameter in a query: everything but unreserved characters is
/// escaped (RFC 3986 §2.3).
fn escape(link: &[u8], out: &mut Vec<u8>) {
    for &byte in link {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(byte);
        } else {
            out.extend_from_slice(format!("%{byte:02X}").as_bytes());
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
}
