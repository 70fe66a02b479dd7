//! Classifies links by the fate of their pages, as studies of link rot count them.

use super::entry::shown;
use super::record::{Record, bytes};
use super::site::{ascii_host, registrable, site};
use crate::finding::{self, Absence, Class, Reach};

/// The fate of a page on the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is at the same place, or access to it is restricted.
    There,
    /// It has moved for good, and answers.
    Moved,
    /// Its server answers that it is not there.
    PageGone,
    /// The name of its site does not resolve, or the site is parked.
    SiteGone,
    /// Its server fails, or does not answer.
    ServerError,
}

impl Fate {
    /// All fates, in the order of reports.
    pub(super) const ALL: [Self; 5] =
        [Self::There, Self::Moved, Self::PageGone, Self::SiteGone, Self::ServerError];

    /// Returns the name in reports.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::There => "there",
            Self::Moved => "moved",
            Self::PageGone => "page-gone",
            Self::SiteGone => "site-gone",
            Self::ServerError => "server-error",
        }
    }

    /// Returns the fate of the page that `record` leads to; `None` if no server or name server was
    /// asked for it.
    pub(super) fn of(record: &Record) -> Option<Self> {
        let reach = record.reach.as_ref()?;
        let hops = reach.hops.iter().map(|hop| bytes(&hop.to, hop.to_bytes.as_ref()));
        let answer = (&*reach.probe, Class::find(&reach.class)?, reach.message.as_bytes());
        Self::of_answer(record.uri(), answer, hops)
    }

    /// Returns the fate of the page at `uri`, which redirected to `hops`, by the probe, the class
    /// and the message of its result.
    pub(super) fn of_answer<'h>(
        uri: &[u8],
        (probe, class, message): (&str, Class, &[u8]),
        mut hops: impl Iterator<Item = &'h [u8]>,
    ) -> Option<Self> {
        if probe == Reach::LOCAL {
            return None;
        }
        Some(match class {
            Class::Alive | Class::Redirected | Class::SoftMissing if is_parked(uri, &mut hops) => {
                Self::SiteGone
            }
            Class::Alive
            | Class::SoftMissing
            | Class::FragmentMissing
            | Class::Forbidden
            | Class::Blocked
            | Class::Throttled
            | Class::AuthRequired => Self::There,
            Class::Redirected => Self::Moved,
            Class::Gone | Class::Missing => Self::PageGone,
            // The name of a host within a site that resolves is a page of that site.
            Class::DnsNxdomain => match Absence::find(message) {
                Some(Absence::Site) => Self::SiteGone,
                _ if is_of_site(uri) => Self::SiteGone,
                _ => Self::PageGone,
            },
            Class::ServerError
            | Class::DnsFailure
            | Class::Refused
            | Class::Unreachable
            | Class::Timeout
            | Class::TlsExpired
            | Class::TlsNotYet
            | Class::TlsName
            | Class::TlsIssuer
            | Class::TlsSelfSigned
            | Class::TlsRevoked
            | Class::TlsLegacy
            | Class::TlsFailed
            | Class::ProtocolError => Self::ServerError,
            _ => return None,
        })
    }
}

/// Reports whether the host of `uri` is that of its site, with or without `www`. For another host,
/// it is not known whether its site resolves.
fn is_of_site(uri: &[u8]) -> bool {
    let uri = shown(uri);
    let Some(host) = ascii_host(&uri) else { return true };
    let Some(site) = registrable(&host) else { return true };
    host.strip_prefix("www.").unwrap_or(&host) == site
}

/// The sites of services that park names, and of shops that sell them, to which parked names
/// redirect. A choice of our own among the services that studies of parking describe (Vissers et
/// al., "Parking Sensors", NDSS 2015; Zirngibl et al., "Domain Parking: Largely Present, Rarely
/// Considered!", TMA 2022): those that do nothing else, as registrars do. Sorted.
const PARKING: [&str; 21] = [
    "above.com",
    "afternic.com",
    "bodis.com",
    "brandbucket.com",
    "buydomains.com",
    "cashparking.com",
    "dan.com",
    "domainmarket.com",
    "domainnamesales.com",
    "domainsponsor.com",
    "dsredirection.com",
    "fastpark.net",
    "hugedomains.com",
    "internettraffic.com",
    "parkingcrew.net",
    "parklogic.com",
    "perfectdomain.com",
    "sedo.com",
    "sedoparking.com",
    "smartname.com",
    "undeveloped.com",
];

/// Reports whether one of `hops` leads from `uri` to the site of a parking service. Neither name
/// servers nor pages are examined: a name parked without a redirect is not recognised.
pub(crate) fn is_parked<'h>(uri: &[u8], hops: &mut impl Iterator<Item = &'h [u8]>) -> bool {
    hops.any(|to| {
        let to = site(&shown(to));
        let is_service = |name: &str| PARKING.binary_search(&name).is_ok();
        to.as_deref().is_some_and(is_service) && to != site(&shown(uri))
    })
}

/// Reports whether the link of `record` answers only from a service that parks names.
pub(super) fn leads_to_parking(record: &Record) -> bool {
    let Some(reach) = &record.reach else { return false };
    let class = Class::find(&reach.class);
    let is_there = matches!(class, Some(Class::Alive | Class::Redirected | Class::SoftMissing));
    let mut hops = reach.hops.iter().map(|hop| bytes(&hop.to, hop.to_bytes.as_ref()));
    is_there && is_parked(record.uri(), &mut hops)
}

/// Reports whether the study of the Pew Research Center of 2024 would call the page that `record`
/// leads to inaccessible; `None` if no server or name server was asked for it.
pub(super) fn is_inaccessible(record: &Record) -> Option<bool> {
    let reach = record.reach.as_ref()?;
    finding::is_inaccessible(Class::find(&reach.class)?, &reach.probe, reach.status)
}

#[cfg(test)]
mod tests {
    use super::{Absence, Class, Fate, PARKING};

    #[test]
    fn a_site_is_gone_when_its_registrable_domain_is() {
        let case = |uri: &str, absence: Absence, wanted: Fate| {
            let message = absence.message();
            let answer = ("http", Class::DnsNxdomain, message.as_bytes());
            let fate = Fate::of_answer(uri.as_bytes(), answer, std::iter::empty());
            assert_eq!(fate, Some(wanted), "{uri} {message}");
        };
        case("http://b.site.co.uk/x", Absence::Name, Fate::PageGone);
        case("http://b.site.co.uk/x", Absence::Site, Fate::SiteGone);
        case("http://www.site.co.uk/x", Absence::Name, Fate::SiteGone);
    }

    #[test]
    fn services_are_sorted() {
        assert!(PARKING.is_sorted_by(|one, next| one < next));
    }
}
