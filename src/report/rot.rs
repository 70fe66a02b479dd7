//! Classifies links by the fate of their pages, as studies of link rot count them.
//!
//! The study of the Pew Research Center of 2024, "When Online Content Disappears", calls a page
//! inaccessible for nine status codes, and where no server answers. Codes by which servers turn
//! programs away (401, 403, 405, 429) do not count there, nor do certificates.

use super::entry::shown;
use super::record::Record;
use super::site::{ascii_host, registrable};
use crate::finding::Class;

/// The fate of a page on the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is where it was, or it is not for everybody.
    There,
    /// It has moved for good, and answers.
    Moved,
    /// Its server answers that it is not there.
    PageGone,
    /// The name of its site does not resolve.
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
        let reach = record.reach.as_ref().filter(|reach| reach.probe != "local")?;
        Some(match Class::find(&reach.class)? {
            Class::Alive
            | Class::FragmentMissing
            | Class::Forbidden
            | Class::Blocked
            | Class::Throttled
            | Class::AuthRequired => Self::There,
            Class::Redirected => Self::Moved,
            Class::Gone | Class::Missing => Self::PageGone,
            // The name of a host within a site that resolves is a page of that site.
            Class::DnsNxdomain if is_of_site(record) => Self::SiteGone,
            Class::DnsNxdomain => Self::PageGone,
            Class::ServerError
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

/// Reports whether the host of `record` is that of its site, with or without `www`. Whether the
/// site of another host resolves, nobody asked.
fn is_of_site(record: &Record) -> bool {
    let uri = shown(record.uri());
    let Some(host) = ascii_host(&uri) else { return true };
    let Some(site) = registrable(&host) else { return true };
    host.strip_prefix("www.").unwrap_or(&host) == site
}

/// The status codes that make a page inaccessible in the study of 2024.
const INACCESSIBLE: [u16; 9] = [204, 400, 404, 410, 500, 501, 502, 503, 523];

/// Reports whether the study of 2024 would call the page that `record` leads to inaccessible;
/// `None` if no server or name server was asked for it. The study asked for pages by HTTP; a code
/// of another protocol does not count, but its class does.
pub(super) fn is_inaccessible(record: &Record) -> Option<bool> {
    let fate = Fate::of(record)?;
    let reach = record.reach.as_ref()?;
    let class = Class::find(&reach.class)?;
    Some(match reach.status {
        Some(status) if reach.probe == "http" => INACCESSIBLE.contains(&status),
        _ => match class {
            Class::Refused | Class::Unreachable | Class::Timeout => true,
            _ => matches!(fate, Fate::PageGone | Fate::SiteGone),
        },
    })
}
