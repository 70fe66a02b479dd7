//! Finds the places in a text where user information may occur, and the passwords in it.
//!
//! In the grammars of 1993 a password may hold `@` and `:`, and in RFC 1738 `?`, so that
//! everything between the first colon and the last `@` before a slash is a password. User
//! information is searched for after every `//`, including one in a path or a query; after
//! `http:` without slashes, which browsers accept; and at a `www.` that begins a word. Tabs and
//! line ends are ignored, as browsers do.
//!
//! A text that every grammar reads without user information has no password:
//! `http://h:80?to=a@b`. In a text that no grammar accepts, the part after a colon without a port
//! is probably meant as a password: `http://u:pa/ss@h/`. Digits alone are a port there.

use crate::span::Span;

/// Schemes whose user information is found without `//`: browsers add the slashes (WHATWG URL
/// §4.4), or the scheme has none (RFC 3261 §19.1.1).
const WITHOUT_SLASHES: [&[u8]; 7] = [b"ftp", b"http", b"https", b"sip", b"sips", b"ws", b"wss"];

/// Schemes for which no document defines a login with a `?` in it, so that `?` ends the authority.
const WITHOUT_LOGIN: [&[u8]; 9] =
    [b"file", b"gopher", b"http", b"https", b"nntp", b"prospero", b"wais", b"ws", b"wss"];

/// Returns the places of the passwords in `text`, in order.
///
/// Most texts have no `@`, and need only one search.
pub(super) fn secrets(text: &[u8]) -> impl Iterator<Item = Span> {
    let last = memchr::memchr(b'@', text).and_then(|_| memchr::memrchr(b'@', text));
    let mut at = 0;
    std::iter::from_fn(move || {
        let last = last?;
        loop {
            let start = Start::next(text, at).filter(|start| start.at < last)?;
            let head = start.head(text);
            if start.is_plain(head.of(text)) && !goes_on(text, head) {
                at = head.end;
                continue;
            }
            let authority = start.authority(text);
            at = authority.end.max(start.at);
            let secret = password(authority.of(text))
                .map(|secret| Span::new(start.at + secret.start, start.at + secret.end))
                .or_else(|| start.beyond_slash(authority.of(text), last));
            if let Some(secret) = secret {
                at = at.max(secret.end);
                return Some(secret);
            }
        }
    })
}

/// Returns the part of `text` after the first colon of the authority that reaches to its end.
///
/// `None` when `text` does not end in an authority, or nothing follows the colon.
pub(super) fn open_end(text: &[u8]) -> Option<Span> {
    let after_slash = memchr::memrchr(b'/', text).map_or(0, |slash| slash + 1);
    let mut start = Start::next(text, 0)?;
    while start.at < after_slash {
        start = Start::next(text, start.at + 1)?;
    }
    let colon = first_colon(text.get(start.at..)?)?;
    Some(Span::new(start.at + colon.end, text.len())).filter(|span| span.start < span.end)
}

/// Forms of the colon in UTF-8 that UTS 46 maps to it: U+FF1A, U+FE55 and U+FE13.
const COLON_FORMS: [&[u8]; 3] = [b"\xEF\xBC\x9A", b"\xEF\xB9\x95", b"\xEF\xB8\x93"];

/// The first byte of each of them.
const COLON_FORMS_FIRST: u8 = 0xEF;

/// Returns the place of the first colon of `text`, in whatever form, or of its escape.
pub(super) fn first_colon(text: &[u8]) -> Option<Span> {
    let escape = |at: usize| text.get(at..at + 3).filter(|it| it.eq_ignore_ascii_case(b"%3a"));
    let escape = memchr::memchr_iter(b'%', text).find(|at| escape(*at).is_some());
    let plain = plain_colon(text.get(..escape.unwrap_or(text.len()))?);
    plain.or_else(|| escape.map(|at| Span::new(at, at + 3)))
}

/// Returns the place of the first colon of `text`, in whatever form.
fn plain_colon(text: &[u8]) -> Option<Span> {
    let form = |at: usize| text.get(at..at + 3).filter(|it| COLON_FORMS.contains(it));
    let at = memchr::memchr2_iter(b':', COLON_FORMS_FIRST, text)
        .find(|at| text.get(*at) == Some(&b':') || form(*at).is_some())?;
    Some(Span::new(at, at + form(at).map_or(1, <[u8]>::len)))
}

/// A place where an authority may begin.
#[derive(Clone, Copy)]
pub(super) struct Start {
    at: usize,
    /// Whether the scheme before it has no login; also set for `www.` and for an absent scheme.
    is_without_login: bool,
    /// Whether a scheme, a `www.` or the beginning of the text announces it: it is not in a path.
    is_announced: bool,
}

impl Start {
    /// Returns the offset of the authority.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// Returns the first start at or after `from`.
    pub(super) fn next(text: &[u8], from: usize) -> Option<Self> {
        let mut at = from;
        loop {
            let rest = text.get(at..)?;
            let len = memchr::memchr3(b'/', b'\\', b':', rest).unwrap_or(rest.len());
            let www = Self::of_www(text, Span::new(at, at + len));
            if www.is_some() {
                return www;
            }
            at += len;
            let found = match text.get(at)? {
                b':' => Self::after_colon(text, at),
                _ => Self::after_slashes(text, at),
            };
            if found.is_some() {
                return found;
            }
            at += 1;
        }
    }

    /// Returns the start after the colon of a scheme that needs no slashes.
    fn after_colon(text: &[u8], colon: usize) -> Option<Self> {
        is_named(text, colon, &WITHOUT_SLASHES).then(|| Self {
            at: colon + 1 + slashes(text, colon + 1).0,
            is_without_login: is_named(text, colon, &WITHOUT_LOGIN),
            is_announced: true,
        })
    }

    /// Returns the start after a run of two slashes or more.
    fn after_slashes(text: &[u8], slash: usize) -> Option<Self> {
        let (len, count) = slashes(text, slash);
        let before = text.get(..slash).unwrap_or_default().trim_ascii_end();
        let is_relative = before.is_empty();
        let colon = before.len().checked_sub(1).filter(|_| before.ends_with(b":"));
        (count >= 2).then(|| Self {
            at: slash + len,
            is_without_login: colon
                .map_or(is_relative, |colon| is_named(text, colon, &WITHOUT_LOGIN)),
            is_announced: is_relative || colon.is_some(),
        })
    }

    /// Returns the start at the first `www.` in `window` that begins a word: it is short for
    /// `http://`.
    fn of_www(text: &[u8], window: Span) -> Option<Self> {
        let begins_word = |at: usize| match at.checked_sub(1).and_then(|last| text.get(last)) {
            None => true,
            Some(byte) => byte.is_ascii_whitespace() || b"'\"<(`".contains(byte),
        };
        let is_www =
            |at: usize| text.get(at..at + 4).is_some_and(|name| name.eq_ignore_ascii_case(b"www."));
        memchr::memchr2_iter(b'w', b'W', window.of(text))
            .map(|idx| window.start + idx)
            .find(|&at| begins_word(at) && is_www(at))
            .map(|at| Self { at, is_without_login: true, is_announced: true })
    }

    /// Returns the part before the first byte that ends an authority in any document.
    pub(super) fn head(&self, text: &[u8]) -> Span {
        let rest = text.get(self.at..).unwrap_or_default();
        let ends = |byte: &u8| matches!(byte, b'/' | b'\\' | b'?' | b'#');
        Span::new(self.at, self.at + rest.iter().position(ends).unwrap_or(rest.len()))
    }

    /// Returns the part before the first slash: no user information continues after a slash.
    fn authority(&self, text: &[u8]) -> Span {
        let rest = text.get(self.at..).unwrap_or_default();
        Span::new(self.at, self.at + memchr::memchr(b'/', rest).unwrap_or(rest.len()))
    }

    /// Reports whether `head` is a host with an optional port, and cannot continue as a login.
    fn is_plain(&self, head: &[u8]) -> bool {
        self.is_without_login && memchr::memchr(b'@', head).is_none() && port(head).is_none()
    }

    /// Returns the part from a colon without a port to the last `@` of the text: its author did not
    /// escape the slashes of a password.
    fn beyond_slash(&self, authority: &[u8], last: usize) -> Option<Span> {
        if !self.is_announced || memchr::memchr(b'@', authority).is_some() {
            return None;
        }
        let ends = |byte: &u8| matches!(byte, b'\\' | b'?' | b'#');
        let len = authority.iter().position(ends).unwrap_or(authority.len());
        let start = self.at + port(authority.get(..len)?)?;
        (start < last).then(|| Span::new(start, last))
    }
}

/// Reports whether the authority that `head` begins may go on after it: a backslash before an `@`
/// ends it for browsers alone, and a `?` or `#` after a colon may begin a password.
fn goes_on(text: &[u8], head: Span) -> bool {
    match text.get(head.end..) {
        Some([b'\\', b'@', ..]) => true,
        Some([b'?' | b'#', ..]) => head.of(text).ends_with(b":"),
        _ => false,
    }
}

/// Returns the offset after the colon of `head`, a host and a port, if not only digits follow it.
fn port(head: &[u8]) -> Option<usize> {
    let is_literal = head.first() == Some(&b'[');
    let literal = memchr::memchr(b']', head).filter(|_| is_literal).unwrap_or_default();
    let after = literal + plain_colon(head.get(literal..)?)?.end;
    let is_digits = head.get(after..)?.iter().all(|byte| byte.is_ascii_digit() || passed_by(*byte));
    (!is_digits).then_some(after)
}

/// Returns the part between the first colon and the last `@`, unless it is empty.
fn password(authority: &[u8]) -> Option<Span> {
    let end = memchr::memrchr(b'@', authority)?;
    if is_token(authority.get(..end)?) {
        return Some(Span::new(0, end));
    }
    let start = first_colon(authority.get(..end)?)?.end;
    (start < end).then(|| Span::new(start, end))
}

/// The beginnings of access tokens, as their issuers document them: GitHub, GitLab, Stripe, Slack,
/// npm, `PyPI`, Docker, Hugging Face, Shopify, `SendGrid`, Atlassian and `DigitalOcean`. Clients
/// send them as the user, with any password or none.
const TOKENS: [&[u8]; 22] = [
    b"ghp_",
    b"gho_",
    b"ghu_",
    b"ghs_",
    b"ghr_",
    b"github_pat_",
    b"glpat-",
    b"gldt-",
    b"sk_live_",
    b"sk_test_",
    b"rk_live_",
    b"xoxb-",
    b"xoxp-",
    b"xoxa-",
    b"npm_",
    b"pypi-",
    b"dckr_pat_",
    b"hf_",
    b"shpat_",
    b"SG.",
    b"ATATT3",
    b"dop_v1_",
];

/// Reports whether the user in `login` is an access token.
fn is_token(login: &[u8]) -> bool {
    /// Minimum number of bytes of a token: fewer may be a name.
    const LEN_MIN: usize = 20;
    let user = login.split(|byte| *byte == b':').next().unwrap_or_default();
    user.len() >= LEN_MIN && TOKENS.iter().any(|start| user.starts_with(start))
}

/// Reports whether the name before `end` is one of `names`, in any case.
fn is_named(text: &[u8], end: usize, names: &[&[u8]]) -> bool {
    let before = text.get(..end).unwrap_or_default().iter().rev();
    let letters = before.filter(|byte| !passed_by(**byte)).map(u8::to_ascii_lowercase);
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    names.iter().any(|name| {
        let mut letters = letters.clone();
        let is_there = name.iter().rev().all(|&byte| letters.next() == Some(byte));
        is_there && !letters.next().is_some_and(is_name)
    })
}

/// Returns the length of the run of slashes at `at`, in bytes, and the number of slashes in it.
fn slashes(text: &[u8], at: usize) -> (usize, usize) {
    let rest = text.get(at..).unwrap_or_default();
    let len = rest.iter().take_while(|byte| is_slash(**byte) || passed_by(**byte)).count();
    (len, rest.iter().take(len).filter(|byte| is_slash(**byte)).count())
}

/// Reports whether browsers read `byte` as a slash, as they do with a backslash.
const fn is_slash(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

/// Reports whether browsers drop `byte` wherever it occurs (WHATWG URL §4.4).
const fn passed_by(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
}
