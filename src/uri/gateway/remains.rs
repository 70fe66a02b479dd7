//! Recognises what remains of a gateway's URL without its beginning: a wrapped link, and the
//! gateway's own parameters after it.
//!
//! A line break or the text of a page may divide a wrapper before the link, its scheme may be
//! forgotten, and a program that escapes a whole wrapper once more makes its tokens a part of the
//! link. Only forms that no other link has count.

use super::coding::data_start;
use super::{Gateway, Parameter, holds, is_at_host_of, pieces};

/// The mark before a link in URL Defense's third version.
pub(super) const DEFENSE_START: &[u8] = b"/v3/__";

/// The mark before a link of Check Point.
pub(super) const AVANAN_START: &[u8] = b"/___";

/// The mark after a link in URL Defense's third version. The bytes that were replaced in the link
/// follow in base64, and tokens after `!!`.
pub(super) const DEFENSE_END: &[u8] = b"__;";

/// The mark after a link of Check Point. A token in base64 follows.
pub(super) const AVANAN_END: &[u8] = b"___.";

/// The end of a link in the remains of a gateway's URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Remains {
    /// The gateway.
    pub(crate) gateway: Gateway,
    /// The offset after the link.
    pub(crate) end: usize,
    /// The offset of the first token.
    pub(crate) tokens: usize,
}

impl Remains {
    /// Reports whether the mark before the link is in `text`, too, after a host that is none of the
    /// gateway's: a lookalike wraps the link, and not the gateway.
    pub(crate) fn are_of_lookalike(&self, text: &[u8]) -> bool {
        let before = text.get(..self.end).unwrap_or_default();
        match self.gateway {
            Gateway::UrlDefense => holds(before, DEFENSE_START),
            Gateway::Avanan => holds(before, AVANAN_START),
            _ => false,
        }
    }
}

/// Returns the end of the link in `text`, which has no gateway's host before it.
pub(crate) fn remains(text: &[u8]) -> Option<Remains> {
    let data = || {
        let end = data_start(text)?;
        Some(Remains { gateway: Gateway::SafeLinks, end, tokens: end })
    };
    let is_of_another = |found: &Remains| !is_at_host_of(found.gateway, text);
    marked(text).or_else(data).or_else(|| signed(text).filter(is_of_another))
}

/// Returns the end of a link that a mark of its gateway follows.
fn marked(text: &[u8]) -> Option<Remains> {
    // Both marks begin with it, and few other links have it.
    memchr::memchr_iter(b'_', text).find_map(|end| {
        let rest = text.get(end..)?;
        let defense = rest.strip_prefix(DEFENSE_END).filter(|rest| begins_defense(rest));
        let is_token = |rest: &&[u8]| base64_len(rest) >= AVANAN_LEN_MIN;
        let avanan = || rest.strip_prefix(AVANAN_END).filter(is_token);
        let (gateway, tokens) = match defense {
            Some(tokens) => (Gateway::UrlDefense, tokens),
            None => (Gateway::Avanan, avanan()?),
        };
        Some(Remains { gateway, end, tokens: text.len() - tokens.len() })
    })
}

/// Minimum number of bytes of the tokens of URL Defense.
const DEFENSE_LEN_MIN: usize = 12;

/// Minimum number of bytes of a token of Check Point: longer than the ending of any file.
const AVANAN_LEN_MIN: usize = 24;

/// Reports whether `text` begins with what URL Defense writes after its mark: `!!TOKEN!TOKEN$`,
/// or, in its older form, `!TOKEN!TOKEN$`.
fn begins_defense(text: &[u8]) -> bool {
    let tokens = text.get(base64_len(text)..).unwrap_or_default();
    let is_divided = || {
        let first = tokens.get(1..).unwrap_or_default();
        let len = base64_len(first);
        len >= DEFENSE_LEN_MIN && first.get(len) == Some(&b'!')
    };
    let begins = tokens.starts_with(b"!!") || tokens.starts_with(b"!") && is_divided();
    begins && tokens.len() >= DEFENSE_LEN_MIN
}

/// Returns the length of the base64 that `text` begins with; neither gateway writes a slash in it.
fn base64_len(text: &[u8]) -> usize {
    let is_base64 =
        |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'=' | b'+');
    text.iter().take_while(is_base64).count()
}

/// The parameters after a link by which a gateway is known.
struct Signature {
    gateway: Gateway,
    /// The parameter that signs the link, the beginning of its value, and its minimum length.
    name: &'static str,
    value: &'static [u8],
    value_len_min: usize,
    /// The parameters that may precede it.
    others: &'static [&'static str],
    /// Whether one of them must.
    needs_others: bool,
}

static SIGNATURES: [Signature; 4] = [
    Signature {
        gateway: Gateway::Barracuda,
        name: "c",
        value: b"E,1,",
        value_len_min: 40,
        others: &[],
        needs_others: false,
    },
    Signature {
        gateway: Gateway::TrendMicro,
        name: "auth",
        value: b"",
        value_len_min: 40,
        others: &["umid", "rct"],
        needs_others: true,
    },
    Signature {
        gateway: Gateway::Google,
        name: "usg",
        value: b"A",
        value_len_min: 24,
        others: &["cad", "cd", "ei", "opi", "rct", "sa", "sntz", "source", "ust", "ved"],
        needs_others: false,
    },
    Signature {
        gateway: Gateway::Facebook,
        name: "h",
        value: b"AT",
        value_len_min: 60,
        others: &["fbclid"],
        needs_others: false,
    },
];

impl Signature {
    /// Reports whether `parameter` is the one that signs the link.
    fn is_of(&self, parameter: &Parameter<'_>) -> bool {
        let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.,~%=".contains(byte);
        parameter.name.eq_ignore_ascii_case(self.name.as_bytes())
            && parameter.value.is_some_and(|value| {
                value.len() >= self.value_len_min
                    && value.starts_with(self.value)
                    && value.iter().all(is_token)
            })
    }

    /// Reports whether `parameter` may precede it.
    fn may_follow(&self, parameter: &Parameter<'_>) -> bool {
        self.others.iter().any(|name| parameter.name.eq_ignore_ascii_case(name.as_bytes()))
    }
}

/// Returns the end of a link that parameters follow with which a gateway signs it.
fn signed(text: &[u8]) -> Option<Remains> {
    // Most links have no parameters, and most others no signature.
    memchr::memchr2(b'&', b'\\', text)?;
    let find = |parameter: &Parameter<'_>| SIGNATURES.iter().find(|it| it.is_of(parameter));
    if !pieces(text).any(|(start, piece)| find(&Parameter::of(piece, start)).is_some()) {
        return None;
    }
    let mut ends = Vec::new();
    let mut earlier: Vec<Parameter<'_>> = Vec::new();
    for (start, piece) in pieces(text) {
        let parameter = Parameter::of(piece, start);
        if let Some(signature) = find(&parameter) {
            let others = earlier.iter().rev().take_while(|it| signature.may_follow(it)).count();
            let is_known = others > 0 || !signature.needs_others;
            let last = earlier.len().checked_sub(others + 1).filter(|_| is_known);
            if let Some(&end) = last.and_then(|last| ends.get(last)) {
                return Some(Remains { gateway: signature.gateway, end, tokens: end });
            }
        }
        ends.push(start + piece.len());
        earlier.push(parameter);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Gateway, remains};

    #[test]
    fn a_lookalike_of_a_gateway_has_the_mark_before_the_link_too() {
        let token = "T0kenOfAReader-_".repeat(5);
        for (begin, end) in [("/v3/__", "__;!!AbC9!reader-token$"), ("/v2/___", "___.")] {
            for (begin, is_one) in [(begin, true), ("/", false)] {
                let text = format!("https://i.example{begin}https://h.example/a{end}{token}");
                let found = remains(text.as_bytes()).unwrap();
                assert_eq!(found.are_of_lookalike(text.as_bytes()), is_one, "{text}");
            }
        }
    }

    #[test]
    fn a_link_ends_before_the_parameters_of_its_gateway() {
        use Gateway::{Avanan, Barracuda, Facebook, Google, SafeLinks, TrendMicro, UrlDefense};
        let token = "T0kenOfAReader-_".repeat(5);
        let case = |text: String, wanted: Option<(Gateway, &str)>| {
            let found = remains(text.as_bytes()).map(|it| (it.gateway, &text[..it.end]));
            assert_eq!(found, wanted, "{text}");
        };
        let link = "https://h.example/a?b=c&d";
        for (rest, gateway) in [
            ("&data=05%7C01%7Creader%40h.example", SafeLinks),
            ("&amp;data=05|01|reader", SafeLinks),
            ("%26amp%3Bdata%3D05%7C01", SafeLinks),
            ("%26amp;data=05%7C01", SafeLinks),
            ("\\u0026data=05%7C01", SafeLinks),
            ("\\x26data=05%7C01", SafeLinks),
            ("data=05|02|reader@h.example|x", SafeLinks),
            ("data=05%7C02%7Creader%2540h.example", SafeLinks),
            ("%data=05%7C02%7Creader%40h.example%7C", SafeLinks),
            ("%DAta=05%7C02%7Creader%40h.example%7C", SafeLinks),
            ("26data%3D05%7C02%7Creader%40h.example", SafeLinks),
            ("__;!!AbC9!reader-token$", UrlDefense),
            ("__;Kw!-612Flbf0JvQ3kNJkRi5Jg!reader-token$", UrlDefense),
            (&format!("___.{token}"), Avanan),
            (&format!("&c=E,1,{token},1&typo=1"), Barracuda),
            (&format!("&umid=0-1-2&auth={token}"), TrendMicro),
            (&format!("&amp;umid=0-1-2&amp;auth={token}"), TrendMicro),
            (&format!("&sa=D&source=editors&ust=16&usg=A{token}"), Google),
            (&format!("&usg=A{token}"), Google),
            (&format!("&h=AT{token}&s=1"), Facebook),
        ] {
            case([link, rest].concat(), Some((gateway, link)));
        }
        for rest in ["", "&data=5", "&data=05", "&c=E,1,short", "&usg=short", "&h=AT", "__;a"] {
            case([link, rest].concat(), None);
        }
        case(
            format!("{link}&auth={token}&usg=A{token}"),
            Some((Google, &*format!("{link}&auth={token}"))),
        );
        for host in ["www.google.com", "translate.googleusercontent.com", "news.google.de"] {
            case(format!("https://{host}/search?q=a&usg=A{token}&b=c"), None);
        }
        for rest in ["&data=10%7C20%7C30", "&data=01|02|03&z=5", "&data=01%7C02%7C03"] {
            case([link, rest].concat(), None);
        }
        // Without a separator, only an address is evidence.
        for rest in ["data=05|02|berlin|", "data=05|02|a|b@h.example", "data=05|02|a&b=c@d"] {
            case([link, rest].concat(), None);
        }
        case([link, "&data=02|01||5&z"].concat(), Some((SafeLinks, link)));
        case([link, "&data=02%7C01%7C12%40h.example"].concat(), Some((SafeLinks, link)));
        // A signature alone is anybody's.
        case(format!("{link}&auth={token}"), None);
        case(format!("https://h.example/?auth={token}"), None);
    }
}
