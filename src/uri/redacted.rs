//! A text that may hold a password, or what identifies a reader, and does not show it.
//!
//! RFC 3986 §3.2.1: nothing after the first colon of user information is shown, unless it is
//! empty. `secrets` finds the passwords, and `gateway` the tokens in links that a mail gateway
//! wrapped. Where it is unclear which part is a password, more is hidden rather than less.

use std::borrow::Cow;
use std::fmt;

use super::authority::first_colon;
use super::gateway::tokens;
use super::secrets::{may_hold, merged, open_ends, passwords};
use crate::span::Span;

/// The text shown in place of a password.
const MASK: &[u8] = b"***";

/// Bytes that are shown with their passwords hidden. The only access to the hidden parts is
/// [`Redacted::in_clear`], which no report may call.
#[derive(Clone, PartialEq, Eq)]
pub struct Redacted<'t> {
    text: Cow<'t, [u8]>,
    hides: Hides<'t>,
}

/// The part of the text that is not shown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Hides<'t> {
    /// Everything that looks like a password, and the tokens of gateways.
    Passwords,
    /// Everything that looks like a password; no gateway's URL is in the text.
    PasswordsAlone,
    /// Everything after the first colon.
    AfterColon,
    /// Everything.
    All,
    /// These places, which are in order.
    Places(Vec<Span>),
    /// The whole text; this URI is shown instead, with its passwords hidden.
    Replaced(Cow<'t, [u8]>),
}

impl<'t> Redacted<'t> {
    /// Wraps a text in which a URI may occur.
    #[must_use]
    pub const fn new(text: &'t [u8]) -> Self {
        Self { text: Cow::Borrowed(text), hides: Hides::Passwords }
    }

    /// Wraps user information alone, or a user name: a password may also follow an escaped colon,
    /// for servers that receive both in one line (RFC 7617 §2).
    #[must_use]
    pub const fn userinfo(text: &'t [u8]) -> Self {
        Self { text: Cow::Borrowed(text), hides: Hides::AfterColon }
    }

    /// Wraps a password alone.
    #[must_use]
    pub const fn password(text: &'t [u8]) -> Self {
        Self { text: Cow::Borrowed(text), hides: Hides::All }
    }

    /// Wraps a text that is or may be cut off: everything after the colon of an authority at its
    /// end may be the beginning of a password.
    #[must_use]
    pub fn unfinished(text: &'t [u8]) -> Self {
        // A password follows a colon or its escape, and tokens follow a scheme or a question mark.
        // Few Message-IDs have one.
        let places = match memchr::memchr3(b':', b'%', b'?', text) {
            Some(_) => merged(secrets(text).chain(open_ends(text)).collect()),
            None => Vec::new(),
        };
        Self { text: Cow::Borrowed(text), hides: Hides::Places(places) }
    }

    /// Wraps a text of which `hides` is not shown, as [`Redacted::hidden`] returned it.
    #[must_use]
    #[cfg(feature = "probe")]
    pub(crate) const fn hiding(text: &'t [u8], hides: Hides<'t>) -> Self {
        Self { text: Cow::Borrowed(text), hides }
    }

    /// Returns the part of the text that is not shown.
    #[must_use]
    #[cfg(feature = "probe")]
    pub(crate) const fn hidden(&self) -> &Hides<'t> {
        &self.hides
    }

    /// Wraps a text derived from `sources`, by resolving, normalising or rewriting them.
    ///
    /// A password that contains a delimiter may have been cut there, and one that not every reader
    /// finds may have become part of a path. Such a password may be anywhere in `text`, so that
    /// only the scheme is shown.
    #[must_use]
    pub fn made_of(text: &'t [u8], sources: &[&[u8]]) -> Self {
        let may_be_cut = |source: &&[u8]| passwords(source).any(|secret| !is_firm(source, secret));
        let hides = if sources.contains(&text) || !sources.iter().any(may_be_cut) {
            Hides::Passwords
        } else if memchr::memchr(b':', text).is_some() {
            Hides::AfterColon
        } else {
            Hides::All
        };
        Self { text: Cow::Borrowed(text), hides }
    }

    /// Wraps `text`, which a parser wrote from `source`. `read` is the place of the password that
    /// the parser found: first in `source`, then in `text`.
    ///
    /// Anything else that looks like a password may be anywhere, as in [`Redacted::made_of`].
    #[cfg(feature = "idn")]
    #[must_use]
    pub(crate) fn written_of(text: &'t [u8], source: &[u8], read: Option<(Span, Span)>) -> Self {
        let is_read = |secret: Span| {
            read.is_some_and(|(from, _)| from.start <= secret.start && secret.end <= from.end)
        };
        if passwords(source).any(|secret| !is_firm(source, secret) && !is_read(secret)) {
            return Self::made_of(text, &[source]);
        }
        let written = read.map(|(_, to)| to);
        let places = merged(secrets(text).chain(written).collect());
        Self { text: Cow::Borrowed(text), hides: Hides::Places(places) }
    }

    /// Wraps the source text in which `uri` was found, perhaps broken over lines and quoted.
    ///
    /// Where line ends or quote marks break a password, it cannot be cut out, and `uri` is shown
    /// instead.
    #[must_use]
    pub fn source_of(uri: &'t [u8], text: &'t [u8]) -> Self {
        let hides = if uri != text && secrets(uri).next().is_some() {
            Hides::Replaced(Cow::Borrowed(uri))
        } else {
            Hides::Passwords
        };
        Self { text: Cow::Borrowed(text), hides }
    }

    /// Declares that no gateway's URL is in the text, as [`is_plain`](super::is_plain) found out of
    /// it, so that it is not searched each time that it is shown.
    #[must_use]
    pub(crate) fn without_tokens(self) -> Self {
        match self.hides {
            Hides::Passwords => Self { hides: Hides::PasswordsAlone, ..self },
            _ => self,
        }
    }

    /// Returns the hidden places of this text, to be applied to its parts; `None` if there are
    /// none.
    #[must_use]
    pub fn cover(&self) -> Option<Cover> {
        let places = self.places();
        let (address, len) = (self.text.as_ptr().addr(), self.text.len());
        (!places.is_empty()).then_some(Cover { address, len, places })
    }

    /// Converts the text into an owned one that hides the same places.
    #[must_use]
    pub fn into_owned(self) -> Redacted<'static> {
        let hides = match self.hides {
            Hides::Passwords => Hides::Passwords,
            Hides::PasswordsAlone => Hides::PasswordsAlone,
            Hides::AfterColon => Hides::AfterColon,
            Hides::Places(places) => Hides::Places(places),
            Hides::All => Hides::All,
            Hides::Replaced(uri) => Hides::Replaced(Cow::Owned(uri.into_owned())),
        };
        Redacted { text: Cow::Owned(self.text.into_owned()), hides }
    }

    /// Borrows the text without copying it; the result hides the same places.
    #[must_use]
    pub fn borrowed(&self) -> Redacted<'_> {
        let hides = match &self.hides {
            Hides::Passwords => Hides::Passwords,
            Hides::PasswordsAlone => Hides::PasswordsAlone,
            Hides::AfterColon => Hides::AfterColon,
            Hides::Places(places) => Hides::Places(places.clone()),
            Hides::All => Hides::All,
            Hides::Replaced(uri) => Hides::Replaced(Cow::Borrowed(uri)),
        };
        Redacted { text: Cow::Borrowed(&self.text), hides }
    }

    /// Returns the text with its passwords: for code that must read it, never for code that prints
    /// it.
    #[must_use]
    pub fn in_clear(&self) -> &[u8] {
        &self.text
    }

    /// Splits user information into user and password at the first colon (RFC 3986 §3.2.1).
    #[must_use]
    pub fn user_and_password(&self) -> (Redacted<'_>, Option<Redacted<'_>>) {
        let mut parts = self.text.splitn(2, |&byte| byte == b':');
        let user = Redacted::userinfo(parts.next().unwrap_or_default());
        let cover = self.cover();
        let user = match cover {
            Some(cover) => cover.over(user),
            None => user,
        };
        (user, parts.next().map(Redacted::password))
    }

    /// Returns the text as it may be shown.
    #[must_use]
    pub fn shown(&self) -> Cow<'_, [u8]> {
        match &self.hides {
            Hides::Passwords => without_secrets(&self.text),
            Hides::PasswordsAlone if !may_hold(&self.text) => Cow::Borrowed(&self.text),
            Hides::PasswordsAlone => hidden(&self.text, passwords(&self.text)),
            Hides::Replaced(uri) => without_secrets(uri),
            _ => hidden(&self.text, self.places().into_iter()),
        }
    }

    /// Returns the parts of the text that are not shown, in order.
    pub fn secrets(&self) -> impl Iterator<Item = &[u8]> {
        self.places().into_iter().map(|place| place.of(&self.text))
    }

    /// Returns the places of the text that are not shown, in order.
    fn places(&self) -> Vec<Span> {
        let from = |start| whole(Span::new(start, self.text.len())).collect();
        match &self.hides {
            Hides::Passwords => secrets(&self.text).collect(),
            Hides::PasswordsAlone => passwords(&self.text).collect(),
            Hides::Places(places) => places.clone(),
            Hides::All | Hides::Replaced(_) => from(0),
            Hides::AfterColon => from(first_colon(&self.text).map_or(self.text.len(), |it| it.end)),
        }
    }

    /// Reports whether any part of the text is hidden.
    #[must_use]
    pub fn hides_any(&self) -> bool {
        matches!(self.shown(), Cow::Owned(_))
    }

    /// Reports whether the byte at offset `at` is not shown.
    #[must_use]
    pub fn hides(&self, at: usize) -> bool {
        self.places().iter().any(|secret| secret.start <= at && at < secret.end)
    }

    /// Returns the shown form of the text before the offset `at`; a hidden part that contains `at`
    /// is omitted.
    #[must_use]
    pub fn shown_before(&self, at: usize) -> Vec<u8> {
        let mut shown = Vec::new();
        let mut from = 0;
        for secret in self.places().into_iter().take_while(|secret| secret.start < at) {
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

/// The hidden places of a text, found once for all of its parts, however many there are.
#[derive(Clone, Debug)]
pub struct Cover {
    /// The address of the text in memory.
    address: usize,
    len: usize,
    /// In order; at least one.
    places: Vec<Span>,
}

impl Cover {
    /// Hides in `part`, a slice of the text's own memory, what is hidden in the text, even where
    /// the part alone does not reveal that it holds a password.
    #[must_use]
    pub fn over<'t>(&self, mut part: Redacted<'t>) -> Redacted<'t> {
        let from = part.text.as_ptr().addr().checked_sub(self.address);
        let Some(start) = from.filter(|start| start + part.text.len() <= self.len) else {
            return part;
        };
        let end = start + part.text.len();
        let first = self.places.partition_point(|place| place.end <= start);
        let near = self.places.iter().skip(first).take_while(|place| place.start < end);
        let moved = |place: &Span| Span::new(place.start.max(start), place.end.min(end));
        let inside = near.map(moved).map(|place| Span::new(place.start - start, place.end - start));
        let mut places: Vec<Span> = inside.filter(|place| !place.is_empty()).collect();
        if !places.is_empty() {
            places.extend(part.places());
            part.hides = Hides::Places(merged(places));
        }
        part
    }
}

/// Shows no password.
impl fmt::Debug for Redacted<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "\"{}\"", self.shown().escape_ascii())
    }
}

/// Returns `span` alone, unless it is empty.
fn whole(span: Span) -> impl Iterator<Item = Span> {
    Some(span).filter(|span| span.start < span.end).into_iter()
}

/// Returns the places of the passwords and the tokens in `text`, in order.
fn secrets(text: &[u8]) -> impl Iterator<Item = Span> {
    let tokens = tokens(text);
    let plain = tokens.is_empty().then(|| passwords(text)).into_iter().flatten();
    let all = if tokens.is_empty() {
        Vec::new()
    } else {
        merged(passwords(text).chain(tokens).collect())
    };
    plain.chain(all)
}

/// Returns `text` with its secrets hidden. Every URI of a report passes here, and most have none.
fn without_secrets(text: &[u8]) -> Cow<'_, [u8]> {
    let tokens = tokens(text);
    match (tokens.is_empty(), may_hold(text)) {
        (true, false) => Cow::Borrowed(text),
        (true, true) => hidden(text, passwords(text)),
        (false, _) => hidden(text, merged(passwords(text).chain(tokens).collect()).into_iter()),
    }
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

/// Reports whether all readers of `text` parse `secret` as a part of one user information: it holds
/// no delimiter, and two slashes precede the user.
fn is_firm(text: &[u8], secret: Span) -> bool {
    let before = text.get(..secret.start).unwrap_or_default();
    let after_slash = memchr::memrchr(b'/', before).map_or(0, |slash| slash + 1);
    let ends = |byte: &u8| matches!(byte, b'/' | b'\\' | b'?' | b'#');
    let is_whole = !text.get(after_slash..secret.end).unwrap_or_default().iter().any(ends);
    is_whole && before.get(..after_slash).is_some_and(|head| head.ends_with(b"//"))
}

#[cfg(test)]
mod tests {
    use super::Redacted;

    #[track_caller]
    fn case(text: &str, shown: &str) {
        let redacted = Redacted::new(text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&redacted.shown()), shown);
        assert_eq!(redacted.in_clear(), text.as_bytes());
    }

    #[test]
    fn a_password_is_hidden_and_a_user_is_not() {
        case("ftp://user:secret@host/x", "ftp://user:***@host/x");
        case("ftp://user@host/x", "ftp://user@host/x");
        case("ftp://user:@host/x", "ftp://user:@host/x");
        case("https://ghp_0123456789abcdefghij@h/x", "https://***@h/x");
        case("https://ghp_0123456789abcdefghij:x-oauth-basic@h/x", "https://***@h/x");
        case("https://sk_live_0123456789abcdef:@h/x", "https://***@h/x");
        case("https://ghp_user@h/x", "https://ghp_user@h/x");
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
    fn a_password_ends_at_any_escape_of_its_sign() {
        for sign in [
            "&#64;",
            "&#x40;",
            "&#64",
            "&#0064;",
            "&commat;",
            "&#65312;",
            "&amp;#64;",
            r"\u0040",
            r"\x40",
            r"\100",
            r"\uFF20",
            r"\U00000040",
            r"\u{40}",
            r"\N{COMMERCIAL AT}",
            "=40",
            "%u0040",
            "+AEA-",
            "{at}",
            "%40",
            "%252540",
            "%25252540",
        ] {
            case(&format!("http://u:p{sign}h/"), &format!("http://u:***{sign}h/"));
        }
        for plain in [
            "http://localhost:{port}/",
            "http://h:80?a=40&b=64",
            "http://h/?a=1&#x41;b",
            "http://h:%d/",
            r"http://h:80\x41",
            "http://h:80/a&#64;b",
            "http://h/=40",
        ] {
            case(plain, plain);
        }
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
        let redacted = Redacted::new(b"ftp://u:secret@h/~x");
        assert_eq!(redacted.shown_before(17), b"ftp://u:***@h/");
        assert_eq!(redacted.shown_before(10), b"ftp://u:");
        assert_eq!(redacted.shown_before(8), b"ftp://u:");
        assert_eq!(Redacted::new(b"x:y").shown_before(3), b"x:y");
    }

    type Hide = fn(&'static [u8]) -> Redacted<'static>;

    /// A text in each way of hiding, and the part of it that is hidden.
    const HIDING: [(Hide, &str, &str); 7] = [
        (Redacted::new, "ftp://u:secret@h/", "secret"),
        (Redacted::new, "https://eur01.safelinks.protection.outlook.com/?data=secret0", "secret0"),
        (Redacted::userinfo, "u:secret", "secret"),
        (Redacted::password, "secret", "secret"),
        (Redacted::unfinished, "ftp://u:secret", "secret"),
        (|text| Redacted::made_of(text, &[b"//u:a/b@h"]), "ftp://h/secret", "//h/secret"),
        (|text| Redacted::source_of(b"ftp://u:secret@h", text), "u:sec\nret@h", "u:sec\nret@h"),
    ];

    #[test]
    fn a_byte_is_hidden_in_each_way_where_it_is_not_shown() {
        for (wrap, text, secret) in HIDING {
            let redacted = wrap(text.as_bytes());
            let start = text.find(secret).unwrap();
            let end = start + secret.len();
            for at in 0..=text.len() {
                assert_eq!(redacted.hides(at), (start..end).contains(&at), "{at} in {text}");
                let mut before = text[..at.min(start)].to_owned();
                if at >= end {
                    before.push_str("***");
                    before.push_str(&text[end..at]);
                }
                let found = redacted.shown_before(at);
                assert_eq!(String::from_utf8_lossy(&found), before, "{at} in {text}");
            }
        }
    }

    #[test]
    fn a_source_is_shown_as_its_uri_where_the_password_may_be_broken() {
        let uri = b"ftp://u:secret@h/";
        let broken = Redacted::source_of(uri, b"ftp://u:sec\n> ret@h/");
        assert_eq!(&*broken.shown(), b"ftp://u:***@h/");
        let harmless = Redacted::source_of(b"ftp://h/ab", b"ftp://h/a\nb");
        assert_eq!(&*harmless.shown(), b"ftp://h/a\nb");
    }

    #[test]
    fn whoever_holds_the_memory_the_same_is_hidden() {
        let uri = b"ftp://u:secret@h/";
        for redacted in [
            Redacted::new(uri),
            Redacted::userinfo(b"u:p"),
            Redacted::password(b"p"),
            Redacted::unfinished(b"ftp://u:secret"),
            Redacted::source_of(uri, b"ftp://u:sec\n> ret@h/"),
        ] {
            let own = redacted.clone().into_owned();
            assert!(redacted.hides_any() && own == redacted && own.borrowed() == redacted);
        }
    }

    #[test]
    fn what_is_unfinished_hides_what_may_be_a_password() {
        for (text, shown) in [
            ("<1994.a@h.example>", "<1994.a@h.example>"),
            ("http://h/a", "http://h/a"),
            ("//u%3Asecret", "//u%3A***"),
            ("//h/u%3Asecret", "//h/u%3Asecret"),
            ("ftp://u:secret", "ftp://u:***"),
        ] {
            assert_eq!(*Redacted::unfinished(text.as_bytes()).shown(), *shown.as_bytes(), "{text}");
        }
    }

    #[test]
    fn components_are_guarded_by_their_names() {
        let shown = |redacted: &Redacted<'_>| redacted.shown().into_owned();
        assert_eq!(shown(&Redacted::userinfo(b"u:p:q")), b"u:***");
        assert_eq!(shown(&Redacted::userinfo(b"u:")), b"u:");
        assert_eq!(shown(&Redacted::password(b"p")), b"***");
        assert_eq!(shown(&Redacted::password(b"")), b"");
        assert_eq!(format!("{:?}", Redacted::new(b"x://u:p@h")), "\"x://u:***@h\"");
    }
}
