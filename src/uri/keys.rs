//! Recognises keys, sessions and signatures in the parameters of a URI, which let their bearer in
//! as a password does.

use super::gateway::{Parameter, parameters};
use super::percent::unescaped;
use super::secrets::names_secret;

/// Names of parameters for keys, sessions and signatures.
const KEYS: [&str; 17] = [
    "api-key",
    "api_key",
    "apikey",
    "authkey",
    "bearer",
    "jsessionid",
    "jwt",
    "phpsessid",
    "sas",
    "session-id",
    "session_id",
    "sessionid",
    "sig",
    "signature",
    "ticket",
    "x-amz-signature",
    "x-goog-signature",
];

/// The name of a parameter for sessions, and for numbers of stories, and the minimum length in
/// bytes of the former.
const SID: (&str, usize) = ("sid", 16);

/// Reports whether `text`, a URI or the end of one, has a parameter in its path, query or fragment
/// that lets its bearer in.
pub(crate) fn holds_key(text: &[u8]) -> bool {
    let of_query = |it: Parameter<'_>| is_secret(it.name, it.value.unwrap_or_default());
    parameters(text).any(of_query)
        || path_parameters(text).any(|(name, value)| is_secret(name, value))
}

/// Reports whether a parameter called `name`, which may have escapes, has a secret as its `value`.
fn is_secret(name: &[u8], value: &[u8]) -> bool {
    let name = unescaped(name);
    let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
    let (sid, len_min) = SID;
    !value.is_empty()
        && (names_secret(&name)
            || KEYS.iter().any(|known| is(known))
            || is(sid) && value.len() >= len_min)
}

/// Returns the names and values of the parameters in the path of `text`, as servers of Java write a
/// session: `/a;jsessionid=1` (RFC 3986 §3.3).
fn path_parameters(text: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let len = memchr::memchr2(b'?', b'#', text).unwrap_or(text.len());
    let segments = text.get(..len).unwrap_or(text).split(|byte| *byte == b'/');
    let pieces = segments.flat_map(|segment| segment.split(|byte| *byte == b';').skip(1));
    pieces.filter_map(|piece| {
        let (name, value) = piece.split_at(memchr::memchr(b'=', piece)?);
        Some((name, value.get(1..).unwrap_or_default()))
    })
}
