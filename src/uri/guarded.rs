//! Text that may hold a password, and does not show it.
//!
//! RFC 3986 §3.2.1: nothing behind the first colon of a user information is shown, unless it
//! is empty. In the grammars of 1993 a password may hold `@` and `:`, and in RFC 1738 `?`, so
//! that all between that colon and the last `@` before a slash is hidden. Where it is not
//! clear what is a password, more is hidden rather than less: behind every `//`, also one in
//! a path or a query, and behind `http:` without slashes, which browsers take.

use std::borrow::Cow;
use std::fmt;

use crate::span::Span;

/// What stands in the place of a password.
const MASK: &[u8] = b"***";

/// Schemes whose user information is found without `//`: browsers add it (WHATWG URL §4.4),
/// or the scheme has none (RFC 3261 §19.1.1).
const WITHOUT_SLASHES: [&[u8]; 7] = [b"ftp", b"http", b"https", b"sip", b"sips", b"ws", b"wss"];

/// Bytes that are shown with their passwords hidden. The only way to what they hide is
/// [`Guarded::in_clear`], which no report may call.
#[derive(Clone, PartialEq, Eq)]
pub struct Guarded<'t> {
    text: Cow<'t, [u8]>,
    hides: Hides<'t>,
}

/// What is not shown.
#[derive(Clone, PartialEq, Eq)]
enum Hides<'t> {
    /// What looks like a password.
    Passwords,
    /// All behind the first colon.
    BehindColon,
    /// Everything.
    All,
    /// The text itself; this is shown for it, with its passwords hidden.
    Behind(&'t [u8]),
}

impl<'t> Guarded<'t> {
    /// Text in which a URI may stand.
    #[must_use]
    pub const fn new(text: &'t [u8]) -> Self {
        Self { text: Cow::Borrowed(text), hides: Hides::Passwords }
    }

    /// The same, of text that was made.
    #[must_use]
    pub const fn owned(text: Vec<u8>) -> Self {
        Self { text: Cow::Owned(text), hides: Hides::Passwords }
    }

    /// A password alone, that was made.
    #[must_use]
    pub const fn password_owned(text: Vec<u8>) -> Self {
        Self { text: Cow::Owned(text), hides: Hides::All }
    }

    /// A user information alone.
    #[must_use]
    pub const fn userinfo(text: &'t [u8]) -> Self {
        Self { text: Cow::Borrowed(text), hides: Hides::BehindColon }
    }

    /// A password alone.
    #[must_use]
    pub const fn password(text: &'t [u8]) -> Self {
        Self { text: Cow::Borrowed(text), hides: Hides::All }
    }

    /// What stands in a text where `uri` was found, broken over lines and quoted, perhaps.
    ///
    /// Where a password is broken by what does not belong to it, it cannot be cut out, and
    /// `uri` is shown instead.
    #[must_use]
    pub fn source_of(uri: &'t [u8], text: &'t [u8]) -> Self {
        let hides = if uri != text && secrets(uri).next().is_some() {
            Hides::Behind(uri)
        } else {
            Hides::Passwords
        };
        Self { text: Cow::Borrowed(text), hides }
    }

    /// The text with its passwords. For whoever must read it, never for whoever prints it.
    #[must_use]
    pub fn in_clear(&self) -> &[u8] {
        &self.text
    }

    /// User and password of a user information, split at the first colon (RFC 3986 §3.2.1).
    #[must_use]
    pub fn user_and_password(&self) -> (Guarded<'_>, Option<Guarded<'_>>) {
        let mut parts = self.text.splitn(2, |&byte| byte == b':');
        let user = Guarded::new(parts.next().unwrap_or_default());
        (user, parts.next().map(Guarded::password))
    }

    /// The text as it may be shown.
    #[must_use]
    pub fn shown(&self) -> Cow<'_, [u8]> {
        match &self.hides {
            Hides::Passwords => hidden(&self.text, secrets(&self.text)),
            Hides::Behind(uri) => hidden(uri, secrets(uri)),
            Hides::All => hidden(&self.text, whole(Span::new(0, self.text.len()))),
            Hides::BehindColon => {
                let colon = memchr::memchr(b':', &self.text);
                let start = colon.map_or(self.text.len(), |colon| colon + 1);
                hidden(&self.text, whole(Span::new(start, self.text.len())))
            }
        }
    }

    /// True when the byte at `at` is not shown.
    #[must_use]
    pub fn hides(&self, at: usize) -> bool {
        secrets(&self.text).any(|secret| secret.start <= at && at < secret.end)
    }

    /// What is shown of the text before the offset `at`; a password that it lies in is not.
    #[must_use]
    pub fn shown_before(&self, at: usize) -> Vec<u8> {
        let mut shown = Vec::new();
        let mut from = 0;
        for secret in secrets(&self.text).take_while(|secret| secret.start < at) {
            shown.extend_from_slice(Span::new(from, secret.start).of(&self.text));
            from = secret.end;
            if at < secret.end {
                return shown;
            }
            shown.extend_from_slice(MASK);
        }
        shown.extend_from_slice(self.text.get(from..at).unwrap_or_default());
        shown
    }
}

/// Shows no password.
impl fmt::Debug for Guarded<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "\"{}\"", self.shown().escape_ascii())
    }
}

/// A span alone, when there is something in it.
fn whole(span: Span) -> impl Iterator<Item = Span> {
    Some(span).filter(|span| span.start < span.end).into_iter()
}

fn hidden(text: &[u8], secrets: impl Iterator<Item = Span>) -> Cow<'_, [u8]> {
    let mut shown = Vec::new();
    let mut from = 0;
    for secret in secrets {
        shown.extend_from_slice(Span::new(from, secret.start).of(text));
        shown.extend_from_slice(MASK);
        from = secret.end;
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    shown.extend_from_slice(text.get(from..).unwrap_or_default());
    Cow::Owned(shown)
}

/// The places of the passwords in `text`, in order.
///
/// Most texts have no `@` and are done after one search.
fn secrets(text: &[u8]) -> impl Iterator<Item = Span> {
    let has_any = memchr::memchr(b'@', text).is_some();
    let mut at = 0;
    let mut next_start = has_any.then(|| first_authority(text)).flatten();
    std::iter::from_fn(move || {
        if !has_any {
            return None;
        }
        loop {
            let start = next_start.take().or_else(|| behind_slashes(text, at))?;
            let rest = text.get(start..)?;
            let authority = rest.get(..end_of_authority(rest))?;
            at = start + authority.len();
            if let Some(secret) = password(authority) {
                return Some(Span::new(start + secret.start, start + secret.end));
            }
        }
    })
}

/// Where user information may begin without `//` before it: behind a scheme that needs none,
/// which may stand behind the prefix `url:`.
fn first_authority(text: &[u8]) -> Option<usize> {
    let mut start = 0;
    loop {
        let colon = start + memchr::memchr(b':', text.get(start..)?)?;
        let scheme = text.get(start..colon)?;
        if scheme.eq_ignore_ascii_case(b"url") && start == 0 {
            start = colon + 1;
            continue;
        }
        let is_known = WITHOUT_SLASHES.iter().any(|name| scheme.eq_ignore_ascii_case(name));
        let behind = text.get(colon + 1..)?;
        let slashes = behind.iter().take_while(|&&byte| is_slash(byte)).count();
        return is_known.then_some(colon + 1 + slashes);
    }
}

/// Offset behind the first run of two slashes or more, at or behind `at`.
fn behind_slashes(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let is_run = |&slash: &usize| rest.get(slash + 1).is_some_and(|&byte| is_slash(byte));
    let pair = memchr::memchr2_iter(b'/', b'\\', rest).find(is_run)?;
    let run = rest.get(pair..)?.iter().take_while(|&&byte| is_slash(byte)).count();
    Some(at + pair + run)
}

/// Browsers take a backslash for a slash.
const fn is_slash(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

fn end_of_authority(text: &[u8]) -> usize {
    memchr::memchr(b'/', text).unwrap_or(text.len())
}

/// What stands between the first colon and the last `@`, unless it is empty.
fn password(authority: &[u8]) -> Option<Span> {
    let end = memchr::memrchr(b'@', authority)?;
    let start = memchr::memchr(b':', authority.get(..end)?)? + 1;
    (start < end).then(|| Span::new(start, end))
}

#[cfg(test)]
mod tests {
    use super::Guarded;

    #[track_caller]
    fn case(text: &str, shown: &str) {
        let guarded = Guarded::new(text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&guarded.shown()), shown);
        assert_eq!(guarded.in_clear(), text.as_bytes());
    }

    #[test]
    fn a_password_is_hidden_and_a_user_is_not() {
        case("ftp://user:secret@host/x", "ftp://user:***@host/x");
        case("ftp://user@host/x", "ftp://user@host/x");
        case("ftp://user:@host/x", "ftp://user:@host/x");
        case("ftp://:secret@host", "ftp://:***@host");
        case("//user:secret@host", "//user:***@host");
        case("http://host:80/a@b", "http://host:80/a@b");
        case("mailto:a@b", "mailto:a@b");
        case("news:a:b@c", "news:a:b@c");
    }

    #[test]
    fn a_password_may_hold_what_delimits_elsewhere() {
        case("ftp://user:se@c:ret@host/x", "ftp://user:***@host/x");
        case("ftp://user:se?c#ret@host/x", "ftp://user:***@host/x");
        case("ftp://us er:se cret@host/x", "ftp://us er:***@host/x");
    }

    #[test]
    fn uris_inside_of_uris_are_guarded_too() {
        case("url:ftp://u:p@h/", "url:ftp://u:***@h/");
        case(
            "http://a/?u=http://u:p@h/&v=http://x:y@z",
            "http://a/?u=http://u:***@h/&v=http://x:***@z",
        );
        case("jar:http://u:p@h/a.jar!/x", "jar:http://u:***@h/a.jar!/x");
    }

    #[test]
    fn what_browsers_take_for_an_authority_is_guarded() {
        case("http:u:p@h/", "http:u:***@h/");
        case("HTTP:\\\\u:p@h/", "HTTP:\\\\u:***@h/");
        case("http:////u:p@h/", "http:////u:***@h/");
        case("url:http:/u:p@h/", "url:http:/u:***@h/");
        case("sip:alice:secret@h", "sip:alice:***@h");
    }

    #[test]
    fn offsets_are_those_of_what_is_shown() {
        let guarded = Guarded::new(b"ftp://u:secret@h/~x");
        assert_eq!(guarded.shown_before(17), b"ftp://u:***@h/");
        assert_eq!(guarded.shown_before(10), b"ftp://u:");
        assert_eq!(guarded.shown_before(8), b"ftp://u:");
        assert_eq!(Guarded::new(b"x:y").shown_before(3), b"x:y");
    }

    #[test]
    fn a_source_is_shown_as_its_uri_where_the_password_may_be_broken() {
        let uri = b"ftp://u:secret@h/";
        let broken = Guarded::source_of(uri, b"ftp://u:sec\n> ret@h/");
        assert_eq!(&*broken.shown(), b"ftp://u:***@h/");
        let harmless = Guarded::source_of(b"ftp://h/ab", b"ftp://h/a\nb");
        assert_eq!(&*harmless.shown(), b"ftp://h/a\nb");
    }

    #[test]
    fn components_are_guarded_by_their_names() {
        let shown = |guarded: &Guarded<'_>| guarded.shown().into_owned();
        assert_eq!(shown(&Guarded::userinfo(b"u:p:q")), b"u:***");
        assert_eq!(shown(&Guarded::userinfo(b"u:")), b"u:");
        assert_eq!(shown(&Guarded::password(b"p")), b"***");
        assert_eq!(shown(&Guarded::password(b"")), b"");
        assert_eq!(format!("{:?}", Guarded::new(b"x://u:p@h")), "\"x://u:***@h\"");
    }
}
