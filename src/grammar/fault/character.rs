//! Classifies single characters as the documents of 1993 and 1994 do.
//!
//! | class | 1993 and RFC 1630 | RFC 1738 |
//! |---|---|---|
//! | national | braces, brackets, vertical line, `\`, `^`, `~` | the same and the backquote |
//! | punctuation | `<` `>` | the same and `#`, `%`, the double quote |
//! | reserved | `=` `;` `/` `#` `?` `:` (RFC 1630) | `;` `/` `?` `:` `@` `&` `=` |
//!
//! In the draft of 1993, `=` and the backquote have no class and no rule; in RFC 1630 the backquote
//! has none.

use std::borrow::Cow;

use super::super::documents::{Era, Names, Route};
use super::component::takes_login;

/// Returns the rule that forbids `byte` where the grammar does not expect it; `None` for bytes
/// allowed in most places, where the component says more.
pub(super) fn class(era: Era, byte: u8) -> Option<&'static str> {
    let reserved: &[u8] = match era {
        Era::Generic => return None,
        Era::Draft => b"=/?#`",
        Era::Rfc1630 => b"=;/?#:`",
        Era::Rfc1738 => b";/?:@&=",
    };
    match byte {
        b'{' | b'}' | b'|' | b'\\' | b'^' | b'~' | b'[' | b']' => Some("national-character"),
        b'`' if era == Era::Rfc1738 => Some("national-character"),
        b'<' | b'>' => Some("unsafe-character"),
        b'"' | b'#' if era == Era::Rfc1738 => Some("unsafe-character"),
        _ if reserved.contains(&byte) => Some("reserved-character"),
        _ => None,
    }
}

/// Returns the advice to escape `byte`.
pub(super) fn message(byte: u8) -> Cow<'static, str> {
    format!("\"{}\" must be written %{byte:02X}", char::from(byte)).into()
}

/// Returns the document and the place of the rule called `id` in it: the class of a character, or
/// the production.
pub(super) fn spec(era: Era, route: &Route, id: &str, found: Option<u8>) -> Box<str> {
    if era == Era::Rfc1738 {
        return match id {
            "scheme" | "empty" => "RFC 1738 §2.1".into(),
            // §3.1 defines these for schemes in general; each scheme's section lists those it
            // omits.
            "userinfo" if !takes_login(route) => route.spec.into(),
            "port" if route.names == Names::File => route.spec.into(),
            "host" | "ip-literal" | "port" | "userinfo" | "authority" => "RFC 1738 §3.1".into(),
            _ if is_character(id) => "RFC 1738 §2.2".into(),
            _ => route.spec.into(),
        };
    }
    let class = match (era, id) {
        (_, "national-character") => "national",
        (_, "unsafe-character") => "punctuation",
        (_, "pct-encoded") => "escape",
        (Era::Rfc1630, "reserved-character") if found != Some(b'`') => "reserved",
        _ if is_character(id) => "xalpha",
        _ => return route.spec.into(),
    };
    let document = match era {
        Era::Rfc1630 => "RFC 1630 BNF",
        _ => route.spec.split_once(',').map_or(route.spec, |(document, _)| document),
    };
    format!("{document}, {class}").into()
}

fn is_character(id: &str) -> bool {
    id.ends_with("-character") || matches!(id, "pct-encoded" | "control" | "non-ascii" | "utf-8")
}
