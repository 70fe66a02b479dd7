//! Recognises hosts that exist to record who clicks.
//!
//! A name server learns each name that is looked up, whatever the purpose: a label made for one
//! reader reveals to its sender that the mail was read. So the rule about labels holds for every
//! scheme alike, and for the domains of mail addresses.

use super::token;
use crate::grammar::split;

/// The effect of requesting such a host.
const DOES: &str = "tell the sender";

/// First labels of hosts that count clicks under the sender's own name.
const CLICK_LABELS: &[&str] = &[
    "beacon",
    "click",
    "clicks",
    "clicktrack",
    "clk",
    "ctrk",
    "optout",
    "pixel",
    "remove",
    "track",
    "tracker",
    "tracking",
    "trck",
    "trk",
    "unsub",
    "unsubscribe",
];

/// Domains of companies that send mail for others: hosts below them, beside their own pages, count
/// clicks, show preferences, or unsubscribe. From their own documentation, and from mail.
#[rustfmt::skip]
const MAILERS: &[&str] = &[
    "acems1.com", "activehosted.com", "acumbamail.com", "aweber.com", "awstrack.me",
    "benchmarkurl.com", "app.bronto.com", "bluehornet.com", "bmetrack.com", "brontomail.com",
    "cakemail.com",
    "cleverreach.com", "confirmsubscription.com", "contactlab.it", "convertkit-mail.com",
    "copernica.nl", "createsend.com", "createsend1.com", "customeriomail.com", "dmanalytics1.com",
    "dotdigital-pages.com", "dripemail2.com", "e2ma.net", "emarsys.net", "emlnk.com",
    "emltrk.com", "en25.com", "exacttarget.com", "exct.net", "getdrip.com", "getresponse.com",
    "hubspotemail.net", "hubspotlinks.com", "icptrack.com", "infusionsoft.com",
    "intercom-clicks.com", "intercom-mail.com", "inxmail-commerce.com", "inxserver.com",
    "keap-link001.com", "kmail-lists.com", "laposta.nl", "list-manage.com", "list-manage1.com",
    "listrakbi.com", "mailchimpapp.net", "mailerlite.com", "mailgun.org", "mailjet.com",
    "maillist-manage.com", "mailpanion.com", "mailplus.nl", "mailtrap.live", "mailup.com",
    "mandrillapp.com", "mdirector.com", "mjt.lt", "mjt.lu", "mktoweb.com", "mlsend.com",
    "newsletter2go.com", "nlserver.com", "optivo.com", "pages01.net", "pstmrk.it",
    "rapidmail.de", "rdstation.com.br", "responsys.net", "rs6.net", "sailthru.com",
    "sarbacane.com", "sendgrid.net", "sendpulse.com", "sparkpostmail.com", "spmailtechno.com",
    "spotlerscript.nl", "t.eloqua.com", "unisender.com", "visitor.constantcontact.com", "vresp.com",
    "zcsend.net",
];

/// Names of such domains with a number before the last label: `cmail19.com`.
#[rustfmt::skip]
const NUMBERED: &[&str] = &[
    "cmail", "convertkit-mail", "createsend", "dripemail", "keap-link", "klclick", "list-manage",
    "mkt", "pages", "sendibm", "sendibt", "sidekickopen",
];

/// Domains whose labels name stored data or a machine, and are the same for all readers.
const SHARED: &[&str] = &[
    "akamaized.net",
    "ampproject.org",
    "amazonaws.com",
    "azureedge.net",
    "cloudfront.net",
    "googleusercontent.com",
    "ipfs.dweb.link",
    "translate.goog",
];

/// Domains of a link that are read. A `mailto` may name many, of which no more than fifty are
/// looked up (`probe::mail`).
const DOMAINS_MAX: usize = 64;

/// Reports whether looking up a host that `uri` names would reveal the reader to its owner: the
/// host has a label made for one reader. The scheme does not matter.
pub(super) fn names_reader(uri: &[u8]) -> bool {
    let parts = split(uri);
    if let Some(host) = parts.host {
        return is_for_reader(&plain(&token::decoded(host.of(uri))));
    }
    let is_short = uri.get(..4).is_some_and(|text| text.eq_ignore_ascii_case(b"www."));
    if parts.scheme.is_none() && is_short {
        let end = memchr::memchr3(b'/', b'?', b'#', uri).unwrap_or(uri.len());
        return is_for_reader(&plain(&token::decoded(uri.get(..end).unwrap_or_default())));
    }
    let is_mail = |scheme: &[u8]| scheme.eq_ignore_ascii_case(b"mailto");
    if !parts.scheme.is_some_and(|scheme| is_mail(scheme.of(uri))) {
        return false;
    }
    // Recipients occur in the path, and in fields of the query (RFC 6068 §2).
    let text = token::decoded(uri.get(parts.path.start..).unwrap_or_default());
    text.split('@').skip(1).take(DOMAINS_MAX).any(|text| {
        let is_of_name = |c: char| c.is_alphanumeric() || "-._\u{3002}\u{FF0E}\u{FF61}".contains(c);
        let end = text.find(|c| !is_of_name(c)).unwrap_or(text.len());
        is_for_reader(&plain(text.get(..end).unwrap_or_default()))
    })
}

/// Returns the host name of `authority` in lower case, without user, port, and final dots.
pub(super) fn plain(authority: &str) -> String {
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = host.split_once(':').map_or(host, |(host, _)| host).to_lowercase();
    // Full stops of other scripts end labels, too (UTS #46 §2.3).
    host.replace(['\u{3002}', '\u{FF0E}', '\u{FF61}'], ".").trim_end_matches('.').to_owned()
}

fn is_for_reader(host: &str) -> bool {
    /// Minimum number of letters and digits of a label that, alternating so often, is made by a
    /// machine.
    const OPAQUE_LEN_MIN: usize = 10;
    /// Minimum number of digits of a number that names a reader, or a message.
    const NUMBER_LEN_MIN: usize = 7;
    let is_shared =
        SHARED.iter().any(|domain| host.strip_suffix(domain).is_some_and(|it| it.ends_with('.')));
    let is_ours = |label: &str| {
        let is_number = || !is_shared && is_number(label, NUMBER_LEN_MIN);
        let is_ragged = || token::is_ragged(label) || is_base_32(label);
        let is_opaque = || !is_shared && label.len() >= OPAQUE_LEN_MIN && is_ragged();
        let is_random = || !is_shared && (token::is_improbable(label) || is_person(label));
        !label.starts_with("xn--")
            && (token::is_in(label) || is_number() || is_opaque() || is_random())
    };
    let is_part = |part: &str| !is_shared && (is_number(part, NUMBER_LEN_MIN) || is_hash(part));
    let mut labels: Vec<&str> = host.split('.').collect();
    let count = labels.len();
    // The last two labels are registered by an owner, and name no reader.
    labels.truncate(count.saturating_sub(2));
    labels.iter().any(|label| {
        let parts = || label.split('-').filter(|_| !label.starts_with("xn--"));
        is_ours(label) || parts().any(is_part) || !is_shared && is_divided(parts())
    }) || !is_shared && (is_divided(labels.iter().copied()) || is_address(&labels, count))
}

/// Reports whether `label` is a word for a reader with a number, as `user-906058` is, or a mail
/// address with hyphens in place of its marks: `ann-h-org`.
fn is_person(label: &str) -> bool {
    const DIGITS_MIN: usize = 4;
    const PARTS_MIN: usize = 3;
    const WORDS: [&str; 12] = [
        "client",
        "contact",
        "customer",
        "guest",
        "id",
        "member",
        "rcpt",
        "reader",
        "recipient",
        "subscriber",
        "uid",
        "user",
    ];
    const TOPS: [&str; 12] =
        ["at", "ch", "com", "de", "edu", "eu", "fr", "it", "net", "nl", "org", "ru"];
    let is_numbered = WORDS.iter().any(|word| {
        let number = label.strip_prefix(word).map(|rest| rest.strip_prefix('-').unwrap_or(rest));
        number.is_some_and(|text| text.len() >= DIGITS_MIN && token::digits(text) == text.len())
    });
    let parts: Vec<&str> = label.split('-').collect();
    let is_whole = parts.iter().all(|part| !part.is_empty());
    let is_address = parts.len() >= PARTS_MIN
        && is_whole
        && parts.first().is_some_and(|first| *first != "www")
        && parts.last().is_some_and(|top| TOPS.contains(top));
    is_numbered || is_address
}

/// Reports whether `text` is the beginning of a hash: hexadecimal digits of both kinds.
fn is_hash(text: &str) -> bool {
    const LEN_MIN: usize = 8;
    const DIGITS_MIN: usize = 2;
    let digits = token::digits(text);
    text.len() >= LEN_MIN
        && (DIGITS_MIN..text.len()).contains(&digits)
        && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Reports whether some of `parts` in a row are a hash in pieces: hexadecimal digits, with a number
/// in each, and a letter in one.
fn is_divided<'t>(parts: impl Iterator<Item = &'t str>) -> bool {
    const PART_LEN: std::ops::RangeInclusive<usize> = 3..=8;
    const PARTS_MIN: usize = 2;
    let is_piece = |part: &&str| {
        let is_of_base = part.bytes().all(|byte| byte.is_ascii_hexdigit());
        PART_LEN.contains(&part.len()) && is_of_base && token::digits(part) > 0
    };
    let has_letter = |part: &&str| token::digits(part) < part.len();
    let parts: Vec<&str> = parts.collect();
    let mut runs = parts.split(|part| !is_piece(part));
    runs.any(|run| run.len() >= PARTS_MIN && run.iter().any(has_letter))
}

/// Reports whether `labels`, of a host with `count` of them, are a mail address, with `at` or two
/// hyphens in place of its sign.
fn is_address(labels: &[&str], count: usize) -> bool {
    const LABELS_MIN: usize = 4;
    let is_sign = |label: &&str| {
        *label == "at" || label.find("--").is_some_and(|at| at > 0 && !label.starts_with("xn--"))
    };
    count >= LABELS_MIN && labels.iter().any(is_sign)
}

/// Reports whether `label` is data in base 32 (RFC 4648 §6), the encoding for data in host names:
/// letters and a digit among them, and more consonants in a row than a word has.
fn is_base_32(label: &str) -> bool {
    const LEN_MIN: usize = 16;
    const CONSONANTS_MIN: usize = 6;
    let is_digit = |byte: u8| matches!(byte, b'2'..=b'7');
    let is_of_it = label.bytes().all(|byte| byte.is_ascii_lowercase() || is_digit(byte));
    let inside = label.trim_matches(|c: char| c.is_ascii_digit());
    let is_vowel = |byte: &u8| !byte.is_ascii_lowercase() || b"aeiouy".contains(byte);
    let longest = label.as_bytes().split(is_vowel).map(<[u8]>::len).max();
    label.len() >= LEN_MIN
        && is_of_it
        && inside.bytes().any(is_digit)
        && longest.is_some_and(|len| len >= CONSONANTS_MIN)
}

/// Reports whether `label` is a number of at least `len_min` digits, with no more than two letters
/// before it.
fn is_number(label: &str, len_min: usize) -> bool {
    const LETTERS_MAX: usize = 2;
    let digits = label.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    label.len() - digits.len() <= LETTERS_MAX
        && digits.len() >= len_min
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the effect of requesting the host of `authority`; `has_path` if a path follows it.
pub(super) fn of(authority: &[u8], has_path: bool) -> Option<&'static str> {
    let host = plain(&token::decoded(authority));
    let first = host.split('.').next().unwrap_or_default();
    let is_click = host.contains('.') && CLICK_LABELS.contains(&first);
    (has_path && (is_click || is_mailer(&host))).then_some(DOES)
}

fn is_mailer(host: &str) -> bool {
    let is_in = |name: &&str| {
        host.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    let mut labels = host.rsplit('.').skip(1);
    let name = labels.next().unwrap_or_default();
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    MAILERS.iter().any(is_in) || NUMBERED.contains(&stem)
}

#[cfg(test)]
mod tests {
    use super::{names_reader, of};

    #[test]
    fn mailers_and_labels_for_one_reader_are_known() {
        let does = |host: &str| of(host.as_bytes(), true);
        for host in ["x.us1.list-manage.com", "CMAIL19.com:443", "a@t.mkt61.net", "click.h.example"]
        {
            assert_eq!(does(host), Some("tell the sender"), "{host}");
            assert_eq!(of(host.as_bytes(), false), None, "{host}");
        }
        for host in ["h.example", "click", "notlist-manage.com", "xn--9f86d081884c7d65.h.example"] {
            assert_eq!(does(host), None, "{host}");
        }
    }
    #[test]
    fn a_label_for_one_reader_is_known_for_every_scheme() {
        for host in [
            "9f86d081884c7d659a2feaa0c55ad015.t.example",
            "a.9F86D081884C7D65.t.example.",
            "%39f86d081884c7d65.t.example",
            "1b4e28ba-2fa1-11d2-883f-0016d3cca427.t.example",
            "orsxg5baijqxgzjtgi.t.example",
            "mfrggzdfmztwq2lk.t.example",
            "u20241187731.t.example",
            "9f86d081884c7d65\u{3002}t\u{FF0E}example",
            "9f86d081.t.example",
            "9f86.d081.884c.t.example",
            "9f86-d081-884c-7d65.t.example",
            "bounce-84736251.t.example",
            "u-84736-9f8a.t.example",
            "ann--b.example.t.example",
            "ann.at.b.example.t.example",
            "ann-b-org.t.example",
            "user-906058.t.example",
            "4711471.t.example",
            "wqhzkxtbvnmcjfpd.t.example",
            "a7k2q9xw3b.t.example",
        ] {
            for (before, after) in [
                ("http://", ""),
                ("FTP://user:x@", "/a"),
                ("telnet://", ":23"),
                ("gopher://", ":70/1"),
                ("x-unknown://", "?a"),
                ("mailto:x@", ""),
                ("MailTo:%22a%20b%22@h.example,x@", "?subject=y"),
                ("mailto:?cc=a@h.example&bcc=Joe%20%3Cx%40", "%3E"),
                ("www.", ""),
            ] {
                let uri = [before, host, after].concat();
                assert!(names_reader(uri.as_bytes()), "{uri}");
            }
        }
        for uri in [
            "http://h.example/9f86d081884c7d659a2feaa0c55ad015",
            "mailto:9f86d081884c7d659a2feaa0c55ad015@lists.h.example",
            "mailto:x@h.example?subject=9f86d081884c7d659a2feaa0c55ad015",
            "news:9f86d081884c7d65@9f86d081884c7d65.h.example",
            "ftp://ftp2.de.mirror-2024.h.example/",
            "https://us-east-1.h.example/",
            "https://deadbeef.h.example/",
            "https://cafe-2024.h.example/",
            "https://main--site.h.example/",
            "https://www-h-org.h.example/",
            "https://de-h-org.translate.goog/",
            "https://kccncna2026.h.example/",
            "https://user-guide.h.example/",
            "https://d111111abcdef8.cloudfront.net/a",
            "xn--9f86d081884c7d65.h.example",
            "urn:uuid:1b4e28ba-2fa1-11d2-883f-0016d3cca427",
        ] {
            assert!(!names_reader(uri.as_bytes()), "{uri}");
        }
    }
}
