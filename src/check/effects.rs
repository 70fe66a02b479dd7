//! Links of mail that do something when they are asked for: unsubscribe, confirm, delete.
//!
//! A GET is meant to be safe (RFC 9110 §9.2.1) and often is not: mail software has taken people
//! off lists by following links (RFC 8058 §1). Where it is not clear, a link is left alone.

/// Header fields whose links act, or are only there to be acted upon (RFC 2369, RFC 8058).
const ACTING_FIELDS: &[&str] = &[
    "list-unsubscribe",
    "list-unsubscribe-post",
    "list-subscribe",
    "list-post",
    "list-owner",
    "list-help",
    "list-archive",
];

/// Words that begin a path segment, a part of one, or the name of a query's argument where a
/// link acts, and what it may do.
const ACTING_WORDS: &[(&str, &str)] = &[
    ("unsub", "unsubscribe"),
    ("optout", "unsubscribe"),
    ("opt-out", "unsubscribe"),
    ("opt_out", "unsubscribe"),
    ("subscri", "subscribe"),
    ("remove", "delete"),
    ("delete", "delete"),
    ("cancel", "cancel"),
    ("confirm", "confirm"),
    ("verify", "confirm"),
    ("verification", "confirm"),
    ("validate", "confirm"),
    ("activat", "confirm"),
    ("approve", "confirm"),
    ("accept", "accept"),
    ("decline", "decline"),
    ("reject", "decline"),
    ("rsvp", "answer an invitation"),
    ("vote", "vote"),
    ("poll", "vote"),
    ("reset", "reset a password"),
    ("password", "reset a password"),
    ("login", "log in"),
    ("signin", "log in"),
    ("sign-in", "log in"),
    ("logout", "log out"),
    ("signout", "log out"),
    ("magic", "log in"),
    ("auth", "log in"),
    ("token", "use a token"),
    ("session", "use a token"),
    ("preferences", "change settings"),
    ("click", "tell the sender"),
    ("track", "tell the sender"),
    ("open", "tell the sender"),
    ("beacon", "tell the sender"),
    ("pixel", "tell the sender"),
];

/// Letters and digits in a row, of mixed kinds, that look like a token: nobody writes them.
const TOKEN_LEN_MIN: usize = 20;

/// What asking for `uri`, a link of mail in the header field `header`, may do; none when it
/// looks harmless.
#[must_use]
pub fn of(uri: &[u8], header: Option<&[u8]>, is_one_click: bool) -> Option<&'static str> {
    if header.is_some_and(is_acting_field) {
        return Some("use a list's command");
    }
    if is_one_click {
        return Some("unsubscribe, as its message offers with one click");
    }
    let behind = behind_authority(uri);
    word(behind).or_else(|| has_token(behind).then_some("use a token"))
}

fn is_acting_field(name: &[u8]) -> bool {
    ACTING_FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field.as_bytes()))
}

/// Path, query and fragment.
fn behind_authority(uri: &[u8]) -> &[u8] {
    let slashes = memchr::memmem::find(uri, b"//").map_or(0, |at| at + 2);
    let rest = uri.get(slashes..).unwrap_or_default();
    let path = memchr::memchr3(b'/', b'?', b'#', rest).unwrap_or(rest.len());
    rest.get(path..).unwrap_or_default()
}

/// What the first acting word in `text` does.
fn word(text: &[u8]) -> Option<&'static str> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric();
    let mut begins = true;
    for at in 0..text.len() {
        let rest = text.get(at..).unwrap_or_default();
        if begins {
            let starts = |word: &str| {
                let len = word.len();
                rest.get(..len).is_some_and(|text| text.eq_ignore_ascii_case(word.as_bytes()))
            };
            if let Some((_, does)) = ACTING_WORDS.iter().find(|(word, _)| starts(word)) {
                return Some(does);
            }
        }
        let [now, next] = [rest.first(), rest.get(1)];
        let is_hump =
            now.is_some_and(u8::is_ascii_lowercase) && next.is_some_and(u8::is_ascii_uppercase);
        begins = is_hump || !now.is_some_and(is_letter);
    }
    None
}

/// True when a word of `text` looks like made by a machine.
fn has_token(text: &[u8]) -> bool {
    let words = text.split(|byte| !byte.is_ascii_alphanumeric());
    words.into_iter().any(|word| {
        let has = |kind: fn(&u8) -> bool| word.iter().any(kind);
        word.len() >= TOKEN_LEN_MIN && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
    })
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn what_acts_is_left_alone() {
        for uri in [
            "http://h/unsubscribe?id=3",
            "http://h/list/UnSubscribe",
            "https://h/a/doOptOut",
            "https://h/x?confirm=1",
            "https://h/account/password-reset",
            "https://h/?action=delete&id=2",
            "https://h/v?VOTE=yes",
            "https://h/x#access_token=1",
            "https://h/u/9f86d081884c7d659a2feaa0c55ad015",
        ] {
            assert!(of(uri.as_bytes(), None, false).is_some(), "{uri}");
        }
        assert!(of(b"http://h/", Some(b"LIST-Unsubscribe"), false).is_some());
        assert!(of(b"http://h/", None, true).is_some());
    }

    #[test]
    fn what_looks_harmless_is_not() {
        for uri in [
            "http://h/",
            "http://unsubscribe.example/",
            "http://h/cgi-bin/devote.html",
            "http://h/archives/1994-12/0123.html",
            "http://h/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ] {
            assert_eq!(of(uri.as_bytes(), None, false), None, "{uri}");
        }
        assert_eq!(of(b"http://h/a", Some(b"Subject"), false), None);
    }
}
