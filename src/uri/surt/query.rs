//! The queries of keys.

use super::{escaped, unescaped};

/// Returns the canonical query: without session identifiers, in lower case, and with its
/// parameters in order. It is empty if nothing is left.
pub(super) fn canonical(query: &[u8]) -> Vec<u8> {
    let mut query = escaped(unescaped(query)).into_owned();
    if may_have_session(&query) {
        for session in SESSIONS {
            without_session(&mut query, session);
        }
    }
    query.make_ascii_lowercase();
    if query.len() <= 1 || memchr::memchr(b'&', &query).is_none() {
        return query;
    }
    let mut parameters: Vec<_> = query
        .split(|&byte| byte == b'&')
        .map(|parameter| match memchr::memchr(b'=', parameter) {
            Some(at) => (parameter.get(..at), parameter.get(at + 1..)),
            None => (Some(parameter), None),
        })
        .collect();
    // A name without a value is before the same name with one.
    parameters.sort_unstable();
    let mut out = Vec::with_capacity(query.len());
    for (idx, (name, value)) in parameters.into_iter().enumerate() {
        out.extend_from_slice(if idx == 0 { b"" } else { b"&" });
        out.extend_from_slice(name.unwrap_or_default());
        if let Some(value) = value {
            out.push(b'=');
            out.extend_from_slice(value);
        }
    }
    out
}

/// Returns the length of the session identifier that `text` begins with.
type Session = fn(&[u8]) -> Option<usize>;

const SESSIONS: [Session; 5] = [jsessionid, phpsessid, sid, aspsessionid, cfid];

/// Reports whether `query` has two letters that all names of session identifiers have.
fn may_have_session(query: &[u8]) -> bool {
    query.windows(2).any(|pair| pair.eq_ignore_ascii_case(b"id"))
}

/// Removes the last session identifier of `query`, wherever its name begins, if `&` or nothing
/// follows it. An `&` before it stays.
fn without_session(query: &mut Vec<u8>, session: Session) {
    let found = (0..query.len()).rev().find_map(|start| {
        let rest = query.get(start..)?;
        let len = session(rest)?;
        match rest.get(len) {
            None => Some((start, start + len)),
            Some(b'&') => Some((start, start + len + 1)),
            Some(_) => None,
        }
    });
    if let Some((start, end)) = found {
        query.drain(start..end);
    }
}

fn jsessionid(text: &[u8]) -> Option<usize> {
    named(text, b"jsessionid=", 32, u8::is_ascii_alphanumeric)
}

fn phpsessid(text: &[u8]) -> Option<usize> {
    named(text, b"phpsessid=", 32, u8::is_ascii_alphanumeric)
}

fn sid(text: &[u8]) -> Option<usize> {
    named(text, b"sid=", 32, u8::is_ascii_alphanumeric)
}

/// Reads `ASPSESSIONID` and eight letters, `=`, and 24 letters.
fn aspsessionid(text: &[u8]) -> Option<usize> {
    let name = named(text, b"aspsessionid", 8, u8::is_ascii_alphabetic)?;
    Some(name + named(text.get(name..)?, b"=", 24, u8::is_ascii_alphabetic)?)
}

/// Reads `cfid=…&cftoken=…`.
fn cfid(text: &[u8]) -> Option<usize> {
    let first = value(text, b"cfid=")?;
    let second = value(text.get(first + 1..)?, b"cftoken=")?;
    Some(first + 1 + second)
}

/// Returns the length of `name`, in any case, and of the value after it, which is not empty.
fn value(text: &[u8], name: &[u8]) -> Option<usize> {
    let len = named(text, name, 0, |_| true)?;
    let rest = text.get(len..)?;
    let value = memchr::memchr(b'&', rest).unwrap_or(rest.len());
    (value > 0).then_some(len + value)
}

/// Returns the length of `name`, in any case, and of `count` bytes after it that `is_part` accepts.
fn named(text: &[u8], name: &[u8], count: usize, is_part: fn(&u8) -> bool) -> Option<usize> {
    let head = text.get(..name.len())?;
    let len = name.len() + count;
    let id = text.get(name.len()..len)?;
    (head.eq_ignore_ascii_case(name) && id.iter().all(is_part)).then_some(len)
}
