//! Recognises the URLs of mail gateways and redirectors, which wrap the link that they lead to.
//!
//! Only the host and the beginning of the path decide. `check::unwrap` reads the wrapped links;
//! `tokens` finds the parts of the URLs that identify a reader, so that no report shows them.

mod coding;
mod remains;
mod tokens;

pub(crate) use coding::{base64, dashed};
pub(crate) use remains::{Remains, remains};
pub(super) use tokens::tokens;
pub(crate) use tokens::{is_plain, is_plain_reference};

use std::borrow::Cow;

use super::percent::unescaped;
use crate::scheme;
use crate::span::Span;

/// A service whose URLs wrap the link that they lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Gateway {
    /// Check Point Harmony Email, once Avanan.
    Avanan,
    /// Barracuda Link Protection.
    Barracuda,
    /// Cisco Secure Email.
    Cisco,
    /// Darktrace Email.
    Darktrace,
    /// `EdgePilot` of `AppRiver`.
    EdgePilot,
    /// Egress Defend, now of `KnowBe4`.
    Egress,
    /// The sandbox of Libraesva.
    Esva,
    /// The redirectors of Facebook, Instagram and Messenger.
    Facebook,
    /// `FireEye`, now Trellix.
    FireEye,
    /// The redirector of Google.
    Google,
    /// Hornetsecurity Advanced Threat Protection.
    Hornetsecurity,
    /// INKY.
    Inky,
    /// Intermedia `LinkSafe`.
    Intermedia,
    /// McAfee `ClickProtect`.
    McAfee,
    /// Mimecast URL Protect.
    Mimecast,
    /// Microsoft Safe Links.
    SafeLinks,
    /// Sophos Time of Click.
    Sophos,
    /// Symantec Click-time URL Protection.
    Symantec,
    /// Trend Micro Time-of-Click Protection.
    TrendMicro,
    /// Trustwave `MailMarshal`.
    Trustwave,
    /// Proofpoint URL Defense.
    UrlDefense,
    /// Zix Link Defense.
    Zix,
}

/// The URL of a gateway.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wrapper<'t> {
    /// The gateway.
    pub(crate) gateway: Gateway,
    /// The path, the query and the fragment.
    pub(crate) rest: &'t [u8],
}

impl<'t> Wrapper<'t> {
    /// Returns the URL of a gateway that `text` is; `None` for any other text.
    pub(crate) fn of(text: &'t [u8]) -> Option<Self> {
        let (gateway, rest) = at(text, authority_start(text)?)?;
        Some(Self { gateway, rest: text.get(rest..)? })
    }

    /// Joins `text`, the beginning of a URI before a line break, and `word`, the beginning of the
    /// next line, in `both`, and returns the URL of a gateway that they form. The host is one of a
    /// gateway, and the path after the break decides.
    pub(crate) fn joined<'b>(
        text: &[u8],
        word: &[u8],
        both: &'b mut Vec<u8>,
    ) -> Option<Wrapper<'b>> {
        let after = text.get(authority_start(text)?..)?;
        let authority = after.get(..authority_len(after))?;
        let is_path = memchr::memchr2(b'?', b'#', after).is_none();
        if !is_path || !may_be(authority) {
            return None;
        }
        both.extend_from_slice(text);
        both.extend_from_slice(word);
        Wrapper::of(both)
    }

    /// Returns the path, without the query and the fragment.
    pub(crate) fn path(&self) -> &'t [u8] {
        self.rest.get(..path_len(self.rest)).unwrap_or(self.rest)
    }
}

impl Gateway {
    /// Returns the names of the parameters that hold the wrapped link. The first that is present
    /// counts.
    pub(crate) const fn parameters(self) -> &'static [&'static str] {
        match self {
            Self::SafeLinks | Self::TrendMicro => &["url"],
            Self::Barracuda => &["a"],
            // A search has its words in `q`, and the link in `url`.
            Self::Google => &["url", "q", "dest"],
            Self::EdgePilot
            | Self::Esva
            | Self::Facebook
            | Self::FireEye
            | Self::Hornetsecurity
            | Self::Sophos
            | Self::Symantec
            | Self::Trustwave
            | Self::UrlDefense
            | Self::Zix => &["u"],
            // Version 1.
            Self::Avanan => &["o"],
            Self::Egress => &["Base64Url"],
            Self::Cisco
            | Self::Darktrace
            | Self::Inky
            | Self::Intermedia
            | Self::McAfee
            | Self::Mimecast => &[],
        }
    }

    /// Returns the gateway at `host`, if the URL with this `rest` may be a wrapper. All of a host
    /// that does nothing but wrap is: mail programs break lines right after such a host, and the
    /// wrapped link is then on the next line.
    fn of(host: &[u8], rest: &[u8]) -> Option<Self> {
        /// Maximum number of bytes of a path that are read: those that decide are at its start.
        /// A text may repeat the host of a redirector, and each is a candidate.
        const PATH_LEN_MAX: usize = 1024;
        let gateway = Self::by_host(host)?;
        let rest = rest.get(..PATH_LEN_MAX).unwrap_or(rest);
        // Servers resolve the escapes of a path before they read it, and clients its dots.
        let path = unescaped(rest.get(..path_len(rest)).unwrap_or_default());
        let path = &*without_dots(path);
        let begins = |start: &str| {
            path.get(..start.len()).is_some_and(|it| it.eq_ignore_ascii_case(start.as_bytes()))
        };
        let is_wrapper = match gateway {
            Self::Facebook if !is_redirector(host) => {
                begins("/l.php") || begins("/l/") || begins("/flx/warn")
            }
            Self::Google => is_redirect(path),
            Self::TrendMicro if !is_clicktime(host) => begins("/wis/clicktime/"),
            Self::SafeLinks if holds(host, SAFELINKS) => true,
            Self::SafeLinks if is_outlook(host) => {
                begins("/owa/redir.aspx") || begins("/mail/") && holds(path, b"/safelink.html")
            }
            Self::SafeLinks if is_teams(host) => holds(path, b"safelinks"),
            _ => true,
        };
        is_wrapper.then_some(gateway)
    }

    /// Returns the gateway that `host` belongs to, whatever the path.
    fn by_host(host: &[u8]) -> Option<Self> {
        if is_google(host) {
            return Some(Self::Google);
        }
        DOMAINS.iter().find_map(|(domain, gateway, wanted)| {
            let below = host.len().checked_sub(domain.len())?;
            let (below, end) = host.split_at_checked(below)?;
            let is_domain = end.eq_ignore_ascii_case(domain.as_bytes());
            let below = match below.split_last() {
                Some((b'.', below)) => below,
                Some(_) => return None,
                None => below,
            };
            (is_domain && wanted.fits(below)).then_some(*gateway)
        })
    }
}

/// The labels that must come before a domain.
enum Below {
    /// One of these, exactly.
    Is(&'static [&'static str]),
    /// These labels, perhaps after others.
    Ends(&'static str),
    /// One label that begins so.
    Begins(&'static str),
    /// Any labels, or none.
    Any,
}

/// A domain in lower case, its gateway, and the labels that it needs before it.
type Row = (&'static str, Gateway, Below);

/// The domains of gateways. Those of Google are too many, and are in no table.
static DOMAINS: [Row; DOMAINS_LEN] = ROWS;

const DOMAINS_LEN: usize = 63;

const ROWS: [Row; DOMAINS_LEN] = {
    use Below::{Any, Begins, Ends, Is};
    const OUTLOOK: Below = Is(&["outlook"]);
    /// A label of a region may precede it.
    const SAFE: Below = Ends("safelinks.protection");
    [
        // One domain for each cloud of Microsoft's: of the world, of Germany, of China, of France,
        // and those of the government of the United States.
        ("outlook.com", Gateway::SafeLinks, SAFE),
        ("outlook.de", Gateway::SafeLinks, SAFE),
        ("outlook.cn", Gateway::SafeLinks, Ends("safelinks.protection.partner")),
        ("office365.com", Gateway::SafeLinks, SAFE),
        ("office365.fr", Gateway::SafeLinks, SAFE),
        ("office365.us", Gateway::SafeLinks, SAFE),
        ("apps.mil", Gateway::SafeLinks, SAFE),
        ("office365.eaglex.ic.gov", Gateway::SafeLinks, SAFE),
        ("office365.microsoft.scloud", Gateway::SafeLinks, SAFE),
        ("office365.us", Gateway::SafeLinks, Is(&["outlook", "outlook-dod"])),
        ("office365.us", Gateway::SafeLinks, Ends("teams.cdn")),
        ("apps.mil", Gateway::SafeLinks, Is(&["webmail"])),
        ("outlook.cn", Gateway::SafeLinks, Is(&["partner"])),
        ("office.com", Gateway::SafeLinks, OUTLOOK),
        ("office365.com", Gateway::SafeLinks, OUTLOOK),
        ("live.com", Gateway::SafeLinks, Is(&["outlook", "teams"])),
        ("office.net", Gateway::SafeLinks, Ends("teams.cdn")),
        ("live.net", Gateway::SafeLinks, Ends("teams.cdn")),
        ("static.microsoft", Gateway::SafeLinks, Ends("onecdn")),
        ("microsoft.com", Gateway::SafeLinks, Ends("statics.teams")),
        ("microsoft.com", Gateway::SafeLinks, Is(&["teams"])),
        ("cloud.microsoft", Gateway::SafeLinks, Is(&["outlook", "teams"])),
        ("microsoft.us", Gateway::SafeLinks, Ends("gov.teams")),
        ("microsoft.us", Gateway::SafeLinks, Ends("dod.teams")),
        ("urldefense.com", Gateway::UrlDefense, Any),
        ("urldefense.us", Gateway::UrlDefense, Any),
        ("proofpoint.com", Gateway::UrlDefense, Ends("urldefense")),
        ("cisco.com", Gateway::Cisco, Begins("secure-web")),
        ("cudasvc.com", Gateway::Barracuda, Ends("linkprotect")),
        ("sophos.com", Gateway::Sophos, Ends("protection")),
        ("symantec.com", Gateway::Symantec, Is(&["clicktime"])),
        ("postoffice.net", Gateway::Symantec, Ends("clicktime.cloud")),
        ("trendmicro.com", Gateway::TrendMicro, Any),
        ("trendmicro.eu", Gateway::TrendMicro, Any),
        ("asiainfo-sec.com", Gateway::TrendMicro, Any),
        ("fireeye.com", Gateway::FireEye, Begins("protect")),
        ("fireeye.com", Gateway::FireEye, Ends("protect")),
        ("trellix.com", Gateway::FireEye, Begins("protect")),
        ("youtube.com", Gateway::Google, Is(&["", "m", "music", "www"])),
        ("facebook.com", Gateway::Facebook, Any),
        ("instagram.com", Gateway::Facebook, Any),
        ("messenger.com", Gateway::Facebook, Any),
        ("threads.net", Gateway::Facebook, Any),
        ("threads.com", Gateway::Facebook, Any),
        ("workplace.com", Gateway::Facebook, Any),
        ("whatsapp.com", Gateway::Facebook, Is(&["l"])),
        (SHORT, Gateway::Facebook, Is(&[""])),
        ("mimecast.com", Gateway::Mimecast, Begins("protect")),
        ("mimecast.com", Gateway::Mimecast, Begins("security")),
        ("mimecastprotect.com", Gateway::Mimecast, Any),
        ("avanan.click", Gateway::Avanan, Any),
        ("checkpoint.com", Gateway::Avanan, Is(&["protect"])),
        ("url-protection.com", Gateway::Avanan, Any),
        ("antigena.com", Gateway::Darktrace, Ends("z")),
        ("egress.com", Gateway::Egress, Ends("defend")),
        ("mcafee.com", Gateway::McAfee, Is(&["cp"])),
        ("edgepilot.com", Gateway::EdgePilot, Is(&["link"])),
        ("zixcentral.com", Gateway::Zix, Is(&["link"])),
        ("hornetsecurity.com", Gateway::Hornetsecurity, Begins("atpscan")),
        ("inky.com", Gateway::Inky, Ends("shared.outlook")),
        ("emailprotection.link", Gateway::Intermedia, Is(&["url"])),
        ("trustwave.com", Gateway::Trustwave, Is(&["scanmail"])),
        ("esvalabs.com", Gateway::Esva, Is(&["urlsand"])),
    ]
};

/// Number of bytes at the end of a host that rule out nearly all hosts without a gateway.
const TAIL_LEN: usize = 8;

/// The only host of a gateway with fewer bytes.
const SHORT: &str = "l.wl.co";

/// Bits of the filter for the ends of hosts.
const FILTER_BITS: u32 = 10;

/// One bit for each end of a domain, and for what else has the same hash.
static FILTER: [u64; 1 << (FILTER_BITS - 6)] = {
    let mut filter = [0; 1 << (FILTER_BITS - 6)];
    let mut idx = 0;
    while idx < ROWS.len() {
        let (domain, ..) = &ROWS[idx];
        assert!(domain.len() >= TAIL_LEN || domain.len() == SHORT.len());
        if let Some((_, tail)) = domain.as_bytes().split_last_chunk::<TAIL_LEN>() {
            let (word, bit) = place(u64::from_le_bytes(*tail));
            filter[word] |= bit;
        }
        idx += 1;
    }
    filter
};

/// Returns the place of a tail in [`FILTER`].
const fn place(tail: u64) -> (usize, u64) {
    /// 2^64 divided by the golden ratio, made odd: multiplying by it spreads neighbouring keys
    /// (Knuth, The Art of Computer Programming, volume 3, §6.4).
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let hash = tail.wrapping_mul(FACTOR) >> (u64::BITS - FILTER_BITS);
    let [low, high, ..] = hash.to_le_bytes();
    ((high as usize) << 2 | low as usize >> 6, 1 << (low & 63))
}

/// Reports whether `host` may be a gateway's. Scans look at every host, and most are none.
fn may_be(host: &[u8]) -> bool {
    /// Sets the bit that makes a letter a small one, and leaves dots, digits and hyphens.
    const SMALL: u64 = u64::from_le_bytes([0x20; TAIL_LEN]);
    const COUNTRY: u64 = u64::from_le_bytes([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0]);
    const GOOGLE: [u64; 3] = [
        u64::from_le_bytes(*b"oogle.\0\0"),
        u64::from_le_bytes(*b"le.co.\0\0"),
        u64::from_le_bytes(*b"e.com.\0\0"),
    ];
    const GOOGLE_COM: [u64; 2] =
        [u64::from_le_bytes(*b"ogle.com"), u64::from_le_bytes(*b"ogle.cat")];
    const SHORT_TAIL: u64 = u64::from_le_bytes(*b"\0l.wl.co");
    let Some((_, tail)) = host.split_last_chunk::<TAIL_LEN>() else {
        return host.eq_ignore_ascii_case(SHORT.as_bytes());
    };
    if is_mapped(host) {
        return true;
    }
    // A dot or a port.
    if tail.last().is_some_and(|last| !last.is_ascii_alphabetic()) {
        return true;
    }
    let tail = u64::from_le_bytes(*tail) | SMALL;
    let (word, bit) = place(tail);
    FILTER.get(word).is_some_and(|bits| bits & bit != 0)
        || GOOGLE.contains(&(tail & COUNTRY))
        || GOOGLE_COM.contains(&tail)
        || tail & !0xff == SHORT_TAIL
}

impl Below {
    /// Reports whether `labels`, without the dot after them, are as needed.
    fn fits(&self, labels: &[u8]) -> bool {
        let same = |one: &[u8], other: &str| one.eq_ignore_ascii_case(other.as_bytes());
        match self {
            Self::Is(wanted) => wanted.iter().any(|wanted| same(labels, wanted)),
            Self::Ends(wanted) => {
                let start = labels.len().checked_sub(wanted.len());
                let is_label = |at: usize| at == 0 || labels.get(at - 1) == Some(&b'.');
                start.is_some_and(|at| {
                    is_label(at) && labels.get(at..).is_some_and(|end| same(end, wanted))
                })
            }
            Self::Begins(wanted) => {
                labels.get(..wanted.len()).is_some_and(|start| same(start, wanted))
            }
            Self::Any => true,
        }
    }
}

/// The labels of a host that has nothing but Safe Links; a domain of the table follows.
const SAFELINKS: &[u8] = b"safelinks.protection.";

/// Reports whether `host` is a host of Teams, whose pages have other links, too.
fn is_teams(host: &[u8]) -> bool {
    const ENDS: [&str; 8] = [
        "cloud.microsoft",
        "live.com",
        "live.net",
        "microsoft.com",
        "microsoft.us",
        "office.net",
        "office365.us",
        "static.microsoft",
    ];
    ends_with_any(host, &ENDS)
}

/// Reports whether `host` is a host of Outlook on the Web, whose pages are most often mail.
fn is_outlook(host: &[u8]) -> bool {
    const HOSTS: [&str; 8] = [
        "outlook-dod.office365.us",
        "outlook.cloud.microsoft",
        "outlook.live.com",
        "outlook.office.com",
        "outlook.office365.com",
        "outlook.office365.us",
        "partner.outlook.cn",
        "webmail.apps.mil",
    ];
    HOSTS.iter().any(|known| host.eq_ignore_ascii_case(known.as_bytes()))
}

/// Reports whether `path` is that of a redirector of Google's, its News and Scholar, YouTube's or
/// Meet's.
fn is_redirect(path: &[u8]) -> bool {
    const PATHS: [&str; 5] = ["/url", "/news/url", "/scholar_url", "/redirect", "/linkredirect"];
    let path = path.strip_suffix(b"/").unwrap_or(path);
    PATHS.iter().any(|known| path.eq_ignore_ascii_case(known.as_bytes()))
}

/// Reports whether `host`, of Trend Micro's, has nothing but wrapped links: its name ends with
/// `ctp`, for click-time protection.
fn is_clicktime(host: &[u8]) -> bool {
    let mut labels = host.split(|byte| *byte == b'.');
    labels.any(|label| {
        let name = label.len().checked_sub(3).and_then(|start| label.get(start..));
        name.is_some_and(|name| name.eq_ignore_ascii_case(b"ctp"))
    })
}

/// Reports whether `host`, of Facebook's, has nothing but links to elsewhere.
fn is_redirector(host: &[u8]) -> bool {
    let label = host.split(|byte| *byte == b'.').next().unwrap_or_default();
    [&b"l"[..], b"lm"].iter().any(|known| label.eq_ignore_ascii_case(known))
}

fn ends_with_any(host: &[u8], ends: &[&str]) -> bool {
    ends.iter().any(|end| {
        let start = host.len().checked_sub(end.len());
        let found = start.and_then(|start| host.get(start..));
        found.is_some_and(|found| found.eq_ignore_ascii_case(end.as_bytes()))
    })
}

/// Reports whether `host` is Google's in some country, or below it: `google.com`,
/// `maps.google.co.uk`.
fn is_google(host: &[u8]) -> bool {
    const NAME: &[u8] = b"google.";
    /// Labels after the name, with a dot: `com.au`.
    const COUNTRY_LEN_MAX: usize = 6;
    // The name is at the end of the host, after a dot or at its beginning.
    let first = host.len().saturating_sub(NAME.len() + COUNTRY_LEN_MAX);
    let start = (first..host.len()).find(|&at| {
        let is_label = at == 0 || host.get(at - 1) == Some(&b'.');
        let name = host.get(at..at + NAME.len()).filter(|_| is_label);
        name.is_some_and(|name| name.eq_ignore_ascii_case(NAME))
    });
    let Some(country) = start.and_then(|start| host.get(start + NAME.len()..)) else {
        return false;
    };
    let is_country = |label: &[u8]| label.len() == 2 && label.iter().all(u8::is_ascii_alphabetic);
    let is_any =
        |label: &[u8], names: &[&[u8]]| names.iter().any(|name| label.eq_ignore_ascii_case(name));
    match memchr::memchr(b'.', country).and_then(|dot| country.split_at_checked(dot)) {
        None => is_country(country) || is_any(country, &[b"com", b"cat"]),
        Some((second, top)) => {
            is_any(second, &[b"com", b"co"]) && is_country(top.get(1..).unwrap_or_default())
        }
    }
}

/// Returns the offset of the authority of `text`, if that is a URI with one, of any scheme: no
/// gateway is asked by FTP either.
fn authority_start(text: &[u8]) -> Option<usize> {
    const MARK: &[u8] = b"://";
    web_start(text).or_else(|| {
        let len = scheme::name_len(text);
        text.get(len..).filter(|rest| len > 0 && rest.starts_with(MARK))?;
        Some(len + MARK.len())
    })
}

/// Returns the offset of the authority of `text`, if that is a URL of the Web. Browsers read a
/// backslash as a slash.
fn web_start(text: &[u8]) -> Option<usize> {
    let (scheme, _) = text.split_first_chunk::<8>()?;
    match scheme {
        [http @ .., b':', b'/' | b'\\', b'/' | b'\\', _] if http.eq_ignore_ascii_case(b"http") => {
            Some(7)
        }
        [https @ .., b':', b'/' | b'\\', b'/' | b'\\'] if https.eq_ignore_ascii_case(b"https") => {
            Some(8)
        }
        _ => None,
    }
}

/// Returns the gateway whose host is in the authority at `start` of `text`, and the offset after
/// the authority.
fn at(text: &[u8], start: usize) -> Option<(Gateway, usize)> {
    let after = text.get(start..)?;
    let (authority, rest) = after.split_at_checked(authority_len(after))?;
    if !may_be(authority) {
        return None;
    }
    let host = host(authority).of(authority);
    let gateway =
        if is_mapped(host) { Gateway::of(&mapped(host), rest)? } else { Gateway::of(host, rest)? };
    Some((gateway, start + authority.len()))
}

/// Returns the length of the authority that `text` begins with. Browsers read a backslash as a
/// slash (WHATWG URL §4.4). A number sign ends it, unless a host follows: passwords may have one.
fn authority_len(text: &[u8]) -> usize {
    let len = memchr::memchr3(b'/', b'?', b'\\', text).unwrap_or(text.len());
    let authority = text.get(..len).unwrap_or(text);
    let hash = memchr::memchr(b'#', authority);
    let is_end = |at: &usize| !authority.iter().skip(*at).any(|byte| *byte == b'@');
    hash.filter(is_end).unwrap_or(len)
}

/// Reports whether programs map `host` to another one: it has escapes or bytes beyond US-ASCII, or
/// what damage in transit leaves: an equals sign of quoted-printable, or controls.
fn is_mapped(host: &[u8]) -> bool {
    let is_mapped = |byte: u8| (byte == b'%') | (byte >= 0x80) | is_damage(byte);
    host.iter().fold(false, |any, &byte| any | is_mapped(byte))
}

/// Reports whether no host has `byte`, and a damaged one may.
const fn is_damage(byte: u8) -> bool {
    (byte == b'=') | (byte < b' ')
}

/// Returns `host` as browsers read it (WHATWG URL §3.5), without damage and a dot at its end; empty
/// if they refuse it. Without the feature `idn`, only its escapes are resolved.
fn mapped(host: &[u8]) -> Vec<u8> {
    /// Maximum number of bytes that become the longest name of a host (RFC 1035 §2.3.4): four
    /// escapes for each.
    const LEN_MAX: usize = 253 * 12;
    let host = host.get(..LEN_MAX).unwrap_or(host);
    let host: Vec<u8> = host.iter().copied().filter(|byte| !is_damage(*byte)).collect();
    #[cfg(feature = "idn")]
    let text = super::whatwg::domain(&String::from_utf8_lossy(&host)).unwrap_or_default();
    #[cfg(not(feature = "idn"))]
    let text = unescaped(&host);
    text.strip_suffix(b".").unwrap_or(&text).to_vec()
}

/// Returns `path` without segments of dots, those that they remove (RFC 3986 §5.2.4), and empty
/// ones, which servers skip. Browsers read a backslash as a slash (WHATWG URL §4.4).
fn without_dots(path: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let is_mark = |byte: &u8| matches!(byte, b'/' | b'\\');
    let mut pairs = path.windows(2);
    if !pairs.any(|pair| matches!(pair, [b'/' | b'\\', b'/' | b'\\' | b'.']))
        && !path.contains(&b'\\')
    {
        return path;
    }
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in path.split(is_mark) {
        match segment {
            b"" | b"." => {}
            b".." => drop(kept.pop()),
            segment => kept.push(segment),
        }
    }
    let end: &[u8] = if path.last().is_some_and(is_mark) { b"/" } else { b"" };
    Cow::Owned([b"/", kept.join(&b'/').as_slice(), end].concat())
}

/// Reports whether `text` is a URL at a host of `gateway`: its pages that wrap no link have the
/// parameters of those that do.
fn is_at_host_of(gateway: Gateway, text: &[u8]) -> bool {
    /// Where Google shows pages of others.
    const CONTENT: [&str; 2] = [".googleusercontent.com", ".googleapis.com"];
    let Some(after) = authority_start(text).and_then(|start| text.get(start..)) else {
        return false;
    };
    let authority = after.get(..authority_len(after)).unwrap_or_default();
    let host = host(authority).of(authority);
    Gateway::by_host(host) == Some(gateway)
        || gateway == Gateway::Google && ends_with_any(host, &CONTENT)
}

/// Returns the host in `authority`, without dots and a reference at its end, or its ampersand: a
/// number sign in it ends the authority, `h.example&#38;/`.
fn host(authority: &[u8]) -> Span {
    let start = memchr::memrchr(b'@', authority).map_or(0, |at| at + 1);
    let rest = authority.get(start..).unwrap_or_default();
    let len = memchr::memchr(b':', rest).unwrap_or(rest.len());
    let host = without_reference(rest.get(..len).unwrap_or(rest));
    let marks = host.iter().rev().take_while(|byte| matches!(byte, b'.' | b'&')).count();
    Span::new(start, start + host.len() - marks)
}

/// Returns `host` without the reference of HTML that it ends with. No host has one: damage does.
fn without_reference(host: &[u8]) -> &[u8] {
    let Some(inside) = host.strip_suffix(b";") else { return host };
    let start = memchr::memrchr(b'&', inside);
    let is_name = |name: &[u8]| name.iter().all(u8::is_ascii_alphanumeric);
    let before = start.and_then(|at| inside.split_at_checked(at));
    before.filter(|(_, name)| name.get(1..).is_some_and(is_name)).map_or(host, |(host, _)| host)
}

/// Returns the length of the path at the start of `rest`.
fn path_len(rest: &[u8]) -> usize {
    memchr::memchr2(b'?', b'#', rest).unwrap_or(rest.len())
}

/// Reports whether `text` has `part`, in any case. `part` is in lower case and short.
fn holds(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
}

/// A parameter of a query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter<'t> {
    /// Its name, without the rest of an escaped ampersand before it.
    pub(crate) name: &'t [u8],
    /// Its value; `None` without an equals sign.
    pub(crate) value: Option<&'t [u8]>,
    /// The offset of the parameter in the rest of the URL, and the offset after it.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Returns the parameters of the query in `rest`, which is a path, a query and a fragment.
///
/// Ampersands may be written as references of HTML, `?a=1&amp;b=2`, even twice, or as escapes of
/// strings, `?a=1\u0026b=2`.
pub(crate) fn parameters(rest: &[u8]) -> impl Iterator<Item = Parameter<'_>> {
    let query = query(rest);
    pieces(query.of(rest)).map(move |(at, piece)| Parameter::of(piece, query.start + at))
}

/// Splits `text` at its ampersands; each piece has its offset.
fn pieces(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let (piece, mark_len) = coding::up_to_ampersand(text.get(start..)?);
        next = (mark_len > 0).then_some(start + piece.len() + mark_len);
        Some((start, piece))
    })
}

/// Returns `text`, a link and what follows it, up to the first of its parameters with one of these
/// `names`.
pub(crate) fn before_parameter<'t>(text: &'t [u8], names: &[&str]) -> &'t [u8] {
    let mut end = None;
    for (start, piece) in pieces(text) {
        let name = Parameter::of(piece, start).name;
        let is_named = names.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes()));
        if let Some(end) = end.filter(|_| is_named) {
            return text.get(..end).unwrap_or(text);
        }
        end = Some(start + piece.len());
    }
    text
}

impl<'t> Parameter<'t> {
    /// Reads `piece`, the text from `start` between two ampersands.
    fn of(piece: &'t [u8], start: usize) -> Self {
        let mut skipped = 0;
        while piece.get(skipped..).is_some_and(|piece| piece.starts_with(b"amp;")) {
            skipped += 4;
        }
        let own = piece.get(skipped..).unwrap_or_default();
        let equals = memchr::memchr(b'=', own);
        let name = own.get(..equals.unwrap_or(own.len())).unwrap_or_default();
        let value = equals.and_then(|equals| own.get(equals + 1..));
        Self { name, value, start, end: start + piece.len() }
    }
}

/// Returns the place of the query in `rest`, without its question mark.
fn query(rest: &[u8]) -> Span {
    let path = path_len(rest);
    if rest.get(path) != Some(&b'?') {
        return Span::new(path, path);
    }
    let after = rest.get(path + 1..).unwrap_or_default();
    let len = memchr::memchr(b'#', after).unwrap_or(after.len());
    Span::new(path + 1, path + 1 + len)
}
