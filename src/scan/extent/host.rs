//! Finds the end of the host of a bare URI, and text that is glued to its authority.
//!
//! A grammar allows nearly any mark in a name. Hosts of the network have letters, digits, hyphens
//! and dots (RFC 1123 §2.1), and begin and end with a letter or a digit, so that an apostrophe ends
//! them, and a hyphen or a dot at the end belongs to the text. The dot of the root stays if a path
//! follows it. Labels may have symbols, which browsers accept (UTS 46), but no top-level domain has
//! them, so that a symbol within the last label belongs to the text, unless a path follows.

use crate::scheme::{self, Class, Scheme, Shape};

use super::is_closing;
use super::unicode::{self, Role};

/// The host of a bare URI, with the user before it.
pub(super) struct Host<'h> {
    /// The scheme with its colon and slashes; empty before `www.`.
    pub(super) name: &'h [u8],
    /// Offset at which the authority begins.
    pub(super) start: usize,
    /// Offset at which the host ends: at its port or at the end of the authority.
    pub(super) end: usize,
    /// Offset of its first apostrophe.
    pub(super) apostrophe: Option<usize>,
}

impl Host<'_> {
    /// Returns the offset of text that is glued to the host, in an authority that ends at `end`:
    /// another URI, an apostrophe, or hyphens.
    #[inline]
    pub(super) fn text(&self, bytes: &[u8], end: usize) -> Option<usize> {
        let before = |at: usize| at.checked_sub(1).and_then(|at| bytes.get(at));
        let is_mark = matches!(before(self.end), Some(b'-' | b'.'));
        if before(end) != Some(&b':') && !is_mark && self.apostrophe.is_none() {
            return None;
        }
        let next = self.next_uri(bytes, end);
        let last = self.end.min(next.unwrap_or(self.end));
        let own = || self.apostrophe.or_else(|| self.hyphens(bytes, last));
        let own = if self.is_of_network() { own() } else { None };
        [own, next].into_iter().flatten().min()
    }

    /// Returns the offset of another URI in the authority, which ends before that URI's slashes. A
    /// scheme in place of the whole host, `http://http://h/` and `http://www.http://h/`, is not
    /// another URI.
    fn next_uri(&self, bytes: &[u8], end: usize) -> Option<usize> {
        let colon = end.checked_sub(1).filter(|colon| bytes.get(*colon) == Some(&b':'))?;
        bytes.get(end..)?.strip_prefix(b"//")?;
        let authority = bytes.get(self.start..colon)?;
        let near = authority.get(authority.len().saturating_sub(scheme::SCHEME_LEN_MAX)..)?;
        let count = near.iter().rev().take_while(|byte| scheme::is_scheme_byte(**byte)).count();
        let name = near.get(near.len() - count..)?;
        // Digits before it are those of a port.
        let digits = name.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let whole = scheme::find(name.get(digits..)?).map(|_| count - digits);
        let known = || known_ending(name).map(|(len, _)| len).or_else(|| glued_ending(name));
        let len = whole.or_else(known)?;
        let before = authority.get(..authority.len().checked_sub(len)?)?;
        let is_whole = before.is_empty() || !self.name.is_empty() && is_www(before);
        (!is_whole).then_some(colon - len)
    }

    /// Returns the offset of the hyphens at the end of the host, which ends at `end`.
    fn hyphens(&self, bytes: &[u8], end: usize) -> Option<usize> {
        let host = bytes.get(self.start..end)?;
        let count = host.iter().rev().take_while(|byte| matches!(byte, b'-' | b'.')).count();
        let (name, marks) = host.split_at(host.len() - count);
        let is_name = name.last().is_some_and(|last| last.is_ascii_alphanumeric() || *last >= 0x80);
        (marks.contains(&b'-') && is_name).then_some(end - count)
    }

    /// Returns the end of a URI whose host ends in a dot, with only a slash after it: both close a
    /// sentence, or the slash was added to a host that did.
    #[inline]
    pub(super) fn without_root(&self, bytes: &[u8], end: usize) -> Option<usize> {
        if end != self.end + 1 || bytes.get(self.end) != Some(&b'/') {
            return None;
        }
        let host = bytes.get(self.start..self.end)?;
        let dots = host.iter().rev().take_while(|byte| **byte == b'.').count();
        let last = host.get(..host.len() - dots)?.last()?;
        let is_name = last.is_ascii_alphanumeric() || *last >= 0x80;
        (dots > 0 && is_name && self.is_of_network()).then_some(self.end - dots)
    }

    /// Returns the end of a URI that ends in its host, without hyphens, punctuation, symbols and
    /// text after a symbol in the last label.
    #[inline]
    pub(super) fn without_marks(&self, bytes: &[u8], end: usize) -> Option<usize> {
        let host = bytes.get(self.start..end).filter(|_| end <= self.end)?;
        let last = *host.last()?;
        if last != b'-' && host.is_ascii() || !self.is_of_network() {
            return None;
        }
        let mut name = host.get(..sign(host).unwrap_or(host.len()))?;
        while let Some(len) = mark_len(name) {
            name = name.get(..name.len() - len)?;
        }
        let ends_name = |last: &u8| last.is_ascii_alphanumeric() || matches!(last, b']' | 0x80..);
        (name.last().is_some_and(ends_name) && name.len() < host.len())
            .then_some(self.start + name.len())
    }

    /// Reports whether the scheme's hosts are those of the network. Other schemes have names of
    /// their own.
    fn is_of_network(&self) -> bool {
        let Some(name) = self.name.strip_suffix(b"://") else { return self.name.is_empty() };
        scheme::find(name).is_some_and(|scheme| match scheme.class {
            Class::Web => true,
            Class::Authority => scheme.port.is_some(),
            Class::Opaque(_) => false,
        })
    }

    /// Returns the offset of the word directly after the host. No top-level domain begins with
    /// letters of US-ASCII and continues with others, nor does `localhost`; in scripts without
    /// blanks between words, these others are a word of the text. So is any character directly
    /// after an address.
    pub(super) fn word(&self, bytes: &[u8]) -> Option<usize> {
        let host = bytes.get(self.start..self.end).filter(|host| !host.is_ascii())?;
        let after_user = memchr::memrchr(b'@', host).map_or(0, |at| at + 1);
        let (start, host) = (self.start + after_user, host.get(after_user..)?);
        let dots = host.iter().rev().take_while(|byte| **byte == b'.').count();
        let host = host.get(..host.len() - dots)?;
        let begins_beyond_ascii = |at: usize| host.get(at).is_some_and(|byte| *byte >= 0x80);
        if host.first() == Some(&b'[') {
            let len = memchr::memchr(b']', host)? + 1;
            return begins_beyond_ascii(len).then_some(start + len);
        }
        let label = memchr::memrchr(b'.', host).map_or(0, |dot| dot + 1);
        let is_of_label = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
        let count = host.get(label..)?.iter().take_while(is_of_label).count();
        let name = host.get(..label + count)?;
        let begins_word =
            || unicode::char_at(host, name.len()).is_some_and(unicode::needs_no_blank);
        let is_address = begins_beyond_ascii(name.len()) && is_ipv4(name);
        let is_name = match label {
            0 => name.eq_ignore_ascii_case(b"localhost"),
            _ => count > 1,
        };
        (is_address || is_name && begins_word()).then_some(start + name.len())
    }

    /// Returns the end of a URI whose port has a byte that is not a digit, at the end of the
    /// authority and of the URI.
    ///
    /// Such a colon is punctuation before a word (`http://h:next`), and marks after digits are
    /// punctuation of the text (`http://h:80->`). Before a path it is a malformed port, which the
    /// grammar reports. Schemes that are not of the Web may have a list of hosts.
    pub(super) fn bad_port(&self, bytes: &[u8], colon: usize, end: usize) -> Option<usize> {
        if matches!(bytes.get(end), Some(b'/' | b'?' | b'#')) {
            return None;
        }
        let port = bytes.get(colon + 1..end)?;
        let digits = port.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let marks = port.get(digits..)?;
        let is_trailing = marks.iter().all(u8::is_ascii_punctuation);
        // A dollar sign begins a variable.
        let is_port = digits > 0 && !marks.contains(&b'$');
        let is_list = || marks.starts_with(b",") && !self.is_of_web() && is_list_of_hosts(port);
        let is_bad = !marks.is_empty() && (is_port || !is_trailing);
        (is_bad && !is_list()).then_some(colon + 1 + digits)
    }

    /// Reports whether the scheme is one of the Web, or is left out before `www.`.
    fn is_of_web(&self) -> bool {
        let Some(name) = self.name.strip_suffix(b"://") else { return self.name.is_empty() };
        scheme::find(name).is_some_and(|scheme| scheme.class == Class::Web)
    }
}

/// Reports whether `name` is an address of IPv4 (RFC 3986 §3.2.2).
fn is_ipv4(name: &[u8]) -> bool {
    let is_number =
        |part: &[u8]| matches!(part.len(), 1..=3) && part.iter().all(u8::is_ascii_digit);
    name.split(|byte| *byte == b'.').count() == 4 && name.split(|byte| *byte == b'.').all(is_number)
}

/// Returns the offset of a hierarchical URI of a known scheme, `tel:+1555,https://h/`, in the text
/// between `rest` and `end` of a URI whose scheme is a name for something else.
pub(super) fn second_uri(bytes: &[u8], rest: usize, end: usize) -> Option<usize> {
    let text = bytes.get(rest..end)?;
    let text = text.get(..memchr::memchr(b'?', text).unwrap_or(text.len()))?;
    let host = Host { name: b"", start: rest, end, apostrophe: None };
    let find = |colon: usize| host.next_uri(bytes, rest + colon + 1);
    memchr::memmem::find_iter(text, b"://").find_map(find)
}

/// Returns the end of an address in `bytes`, between `rest` and `end`, without the text that is
/// glued to its host: an apostrophe and what follows it, a word, hyphens.
pub(super) fn address_end(bytes: &[u8], rest: usize, end: usize) -> Option<usize> {
    let text = bytes.get(rest..end)?;
    let path = memchr::memchr3(b'?', b'/', b'#', text).unwrap_or(text.len());
    let start = rest + memchr::memrchr(b'@', text.get(..path)?)? + 1;
    let apostrophe = memchr::memchr(b'\'', bytes.get(start..rest + path)?).map(|at| start + at);
    let host = Host { name: b"", start, end: rest + path, apostrophe };
    let text = [apostrophe, host.word(bytes)].into_iter().flatten().min();
    let end = text.filter(|at| *at > start).unwrap_or(end);
    host.without_marks(bytes, end).or(text.filter(|at| *at > start))
}

/// Returns the offset of the first sign or punctuation after the first character of the last label
/// of `host`.
fn sign(host: &[u8]) -> Option<usize> {
    let label = memchr::memrchr2(b'.', b'@', host).map_or(0, |at| at + 1);
    let is_sign = |at: &usize| {
        unicode::char_at(host, *at).is_some_and(|character| {
            let is_mark = unicode::role(character) == Role::Trails && character != '\u{B7}';
            is_mark || unicode::is_sign(character)
        })
    };
    (label + 1..host.len())
        .filter(|at| host.get(*at).is_some_and(|byte| *byte >= 0xC0))
        .find(is_sign)
}

/// Returns the length of the hyphen, dot or punctuation in which `name` ends.
fn mark_len(name: &[u8]) -> Option<usize> {
    match *name.last()? {
        b'-' => Some(1),
        // A semicolon may end a character reference.
        mark if is_closing(mark) && mark != b';' => Some(1),
        0x80.. => {
            let last = unicode::char_before(name, name.len())?;
            (unicode::role(last) == Role::Trails).then_some(last.len_utf8())
        }
        _ => None,
    }
}

/// Reports whether `text` is the first label of most hosts of the web, and its dot.
fn is_www(text: &[u8]) -> bool {
    text.eq_ignore_ascii_case(b"www.")
}

/// Returns the known scheme in which a run ends, and its length: one of the web after any letters,
/// any scheme after a dot. A name with a hyphen or a plus before another scheme is a scheme of its
/// own (`vscode-file`, `git+ssh`).
pub(in crate::scan) fn known_ending(name: &[u8]) -> Option<(usize, &'static Scheme)> {
    if name.contains(&b'+') {
        return None;
    }
    let divided = memchr::memrchr(b'.', name).map(|at| at + 1);
    let tail = divided.and_then(|at| name.get(at..));
    let glued = [&b"https"[..], b"http", b"sftp", b"ftp"].into_iter().find_map(|web| {
        name.get(name.len().checked_sub(web.len())?..).filter(|tail| tail.eq_ignore_ascii_case(web))
    });
    [tail, glued].into_iter().flatten().find_map(|tail| Some((tail.len(), scheme::find(tail)?)))
}

/// Reports whether `name` is that of a program whose links join it to another scheme by a plus:
/// `git+https`.
pub(in crate::scan) fn names_repository(name: &[u8]) -> bool {
    REPOSITORIES.iter().any(|repository| repository.eq_ignore_ascii_case(name))
}

const REPOSITORIES: [&[u8]; 4] = [b"git", b"hg", b"svn", b"bzr"];

/// Returns the length of the longest scheme with an authority in which `name` ends, in an authority
/// where two slashes follow its colon: no port and no path begin so. A scheme joined to a
/// repository includes it.
fn glued_ending(name: &[u8]) -> Option<usize> {
    let divided = name.iter().rposition(|byte| *byte == b'.').map_or(0, |at| at + 1);
    (divided..name.len()).find_map(|start| {
        let scheme = scheme::find(name.get(start..)?)?;
        let len = name.len() - start;
        let joined = || joined_len(name.get(divided..start)?);
        has_slashes(scheme.class).then(|| len + joined().unwrap_or_default())
    })
}

/// Reports whether two slashes may follow the colon of a scheme of this class.
const fn has_slashes(class: Class) -> bool {
    !matches!(class, Class::Opaque(_))
        || matches!(class, Class::Opaque(Shape::Path | Shape::News | Shape::Nntp))
}

/// Returns the length of the repository and the plus in which `before` ends. Digits before them are
/// those of a port, after which no name of an unknown scheme begins.
fn joined_len(before: &[u8]) -> Option<usize> {
    let name = before.strip_suffix(b"+")?;
    let is_one = |repository: &&&[u8]| {
        let start = name.len().checked_sub(repository.len());
        let (before, last) = start.map(|start| name.split_at(start)).unwrap_or_default();
        let may_begin = !before.last().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'+');
        may_begin && last.eq_ignore_ascii_case(repository)
    };
    REPOSITORIES.iter().find(is_one).map(|repository| repository.len() + 1)
}

/// Returns the offset after the IP literal that begins at `at`, which must be a place where a host
/// can begin in the authority from `start` (RFC 3986 §3.2.2; `%` for the zones of RFC 6874).
///
/// An address of IPv4 between brackets, and one of IPv6 without the closing bracket, are literals
/// whose fault the grammar reports. A word between brackets is a placeholder.
pub(super) fn ip_literal(bytes: &[u8], start: usize, at: usize) -> Option<usize> {
    /// Eight groups, a zone and a margin: no address is longer.
    const LITERAL_LEN_MAX: usize = 128;
    if bytes.get(at) != Some(&b'[') || at != start && bytes.get(at - 1) != Some(&b'@') {
        return None;
    }
    let near = bytes.get(at + 1..bytes.len().min(at + LITERAL_LEN_MAX))?;
    let is_literal = |byte: &&u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'.' | b'%' | b'-' | b'_' | b'~')
    };
    let len = near.iter().take_while(is_literal).count();
    let inside = near.get(..len)?;
    let next = near.get(len);
    if next.is_none() && at + 1 + len < bytes.len() {
        return None;
    }
    match next {
        Some(b']') => {
            let is_version = matches!(inside.first(), Some(b'v' | b'V'));
            let is_address = is_version || inside.contains(&b':') || is_ipv4(inside);
            is_address.then_some(at + len + 2)
        }
        next if next.is_none_or(ends_literal) => {
            let is_of_address = |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.');
            let colons = memchr::memchr_iter(b':', inside).count();
            let has_digit = inside.iter().any(u8::is_ascii_hexdigit);
            let is_address = colons > 1 && has_digit && inside.iter().all(is_of_address);
            is_address.then_some(at + len + 1)
        }
        _ => None,
    }
}

/// Reports whether `next` ends an address of IPv6 without its closing bracket: a delimiter of the
/// authority, a blank, or a mark of the text.
fn ends_literal(next: &u8) -> bool {
    *next <= b' ' || *next >= 0x7F || b"/?#\"'`<>,;!)}|".contains(next)
}

/// Reports whether `text` is a port, and other hosts with ports follow it after commas, as clients
/// of brokers and clusters take them: `kafka://a:9092,b:9092`.
fn is_list_of_hosts(text: &[u8]) -> bool {
    let is_number = |port: &[u8]| !port.is_empty() && port.iter().all(u8::is_ascii_digit);
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._".contains(byte);
    let mut parts = text.split(|byte| *byte == b',');
    parts.next().is_some_and(is_number)
        && parts.all(|part| {
            let colon = memchr::memrchr(b':', part).unwrap_or_default();
            let (name, port) = part.split_at(colon);
            colon > 0 && name.iter().all(is_of_name) && is_number(port.get(1..).unwrap_or_default())
        })
}
