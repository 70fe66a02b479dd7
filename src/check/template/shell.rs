//! Recognises variables that a shell, `make`, a server or PHP fills in: dollar signs.

use super::{NAME_LEN_MAX, authority};
use crate::span::last_line;

/// Reports whether a shell, `make` or a server fills in a part of `text`.
pub(super) fn is_of_shell(text: &[u8]) -> bool {
    if memchr::memchr(b'$', text).is_none() {
        return false;
    }
    let (authority, rest) = authority(text);
    let len = memchr::memchr(b'#', rest).unwrap_or(rest.len());
    let path = rest.get(..len).unwrap_or_default();
    is_in_authority(authority)
        || is_any(text, runs)
        || is_any(text, |_, after| begins_with(after, b"env:"))
        || is_any(rest, is_argument)
        || is_any(path, is_variable) && !is_of_domino(path)
}

/// Reports whether the word of a shell goes on after a bare URI, with a variable between quotes in
/// `after`, `https://h/"$ID"/x`, and not in a string that `before` opens on its line; or with a
/// variable between two strings, `"https://h/"$ID"/x"`.
pub(super) fn is_quoted_after(before: &[u8], after: &[u8]) -> bool {
    /// Bytes before a URI, on its line, that are searched for quotes.
    const BACK_MAX: usize = 512;
    let quote = before.last().filter(|quote| matches!(quote, b'"' | b'\''));
    let Some((first, inside)) = after.split_first() else { return false };
    let Some(inside) = inside.strip_prefix(b"$") else { return false };
    // A string of its own, which the variable follows.
    if quote == Some(first) {
        return is_between(inside, *first);
    }
    if *first != b'"' {
        return false;
    }
    let near = before.get(before.len().saturating_sub(BACK_MAX)..).unwrap_or_default();
    let line = near.get(last_line(near)..).unwrap_or_default();
    let is_variable = match inside {
        [b'{' | b'(', next, ..] => next.is_ascii_alphabetic(),
        [first, ..] => first.is_ascii_alphabetic(),
        [] => false,
    };
    is_variable && memchr::memchr_iter(b'"', line).count().is_multiple_of(2)
}

/// Reports whether `text`, after a dollar sign, is the name of a variable before the `quote` that
/// begins another string.
fn is_between(text: &[u8], quote: u8) -> bool {
    let (name, close) = match text.strip_prefix(b"{") {
        Some(name) => (name, &b"}"[..]),
        None => (text, &b""[..]),
    };
    let len = name_len(name);
    let after = name.get(len..).and_then(|after| after.strip_prefix(close));
    let is_name = name.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_');
    is_name && after.and_then(<[u8]>::first) == Some(&quote)
}

/// Reports whether `is_it` accepts the texts before and after any dollar sign in `text`.
fn is_any(text: &[u8], is_it: impl Fn(&[u8], &[u8]) -> bool) -> bool {
    memchr::memchr_iter(b'$', text).any(|at| {
        let (before, after) = text.split_at(at);
        is_it(before, after.get(1..).unwrap_or_default())
    })
}

/// Reports whether `authority` holds `$HOST` or `$1` in the place of a host or a port, or ends in a
/// variable, as `$request_uri` of nginx.
fn is_in_authority(authority: &[u8]) -> bool {
    let user = memchr::memrchr(b'@', authority).unwrap_or_default();
    if is_in_user(authority.get(..user).unwrap_or_default()) {
        return true;
    }
    is_any(authority, |before, after| {
        let begins = match before.last() {
            None => user == 0,
            Some(last) => {
                let is_name_alone = || name_len(after) == after.len();
                let is_after = || is_name_alone() && memchr::memchr(b'.', before).is_some();
                before.len() > user && (matches!(last, b'.' | b':' | b'@') || is_after())
            }
        };
        let is_name = name_len(after) > 0 && !after.first().is_some_and(u8::is_ascii_digit);
        begins && (is_name || is_digit_alone(after))
    })
}

/// Reports whether the name or the password of `user` is all of a variable in capitals:
/// `https://$TOKEN@h/`, `https://u:$PASS@h/`.
fn is_in_user(user: &[u8]) -> bool {
    user.split(|byte| *byte == b':').any(|part| {
        part.strip_prefix(b"$").is_some_and(|name| {
            let letters = name.iter().filter(|byte| byte.is_ascii_uppercase()).count();
            letters > 2 && name_len(name) == name.len() && is_in_capitals(name, name.len())
        })
    })
}

/// Reports whether a dollar sign begins `$(pwd)` where a part begins, or `$(VERSION)` anywhere.
fn runs(before: &[u8], after: &[u8]) -> bool {
    let Some(inside) = after.strip_prefix(b"(") else { return false };
    let len = name_len(inside);
    let is_name = inside.get(len) == Some(&b')') && is_in_capitals(inside, len);
    is_name || before.last().is_some_and(|byte| b"/=:.-@".contains(byte))
}

/// Reports whether a dollar sign begins the argument of a script or a group of a pattern, `$1`,
/// after no letter or digit and before the end of a segment or a word, or a dot and a name. After a
/// letter it is an amount: `US$5`.
fn is_argument(before: &[u8], after: &[u8]) -> bool {
    let ends = match after.get(1..).unwrap_or_default() {
        [] | [b'/' | b'?' | b'&', ..] => true,
        [b'.', letter, ..] => letter.is_ascii_alphabetic(),
        _ => false,
    };
    let is_in_word = before.last().is_some_and(u8::is_ascii_alphanumeric);
    is_digit_alone(after) && ends && !is_in_word
}

/// Reports whether a dollar sign begins the name of a variable in capitals: `$VERSION`, `$V`. After
/// a word that begins with a capital it is a class in another or an amount, `Map$ENTRY`, `US$A`;
/// before an equals sign, the name of a parameter; and `/$FILE/a.pdf` is an attachment of Domino.
fn is_variable(before: &[u8], after: &[u8]) -> bool {
    let len = name_len(after);
    let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let word = before.iter().rev().take(NAME_LEN_MAX).take_while(is_of_word).last();
    let is_in_name = word.is_some_and(u8::is_ascii_uppercase);
    let is_other = after.get(len) == Some(&b'=') || after.starts_with(b"FILE/");
    is_in_capitals(after, len) && !is_in_name && !is_other
}

/// Reports whether `path` is in a database of Domino, which has names with a dollar sign of its
/// own, `/a.nsf/$First`. Domino ignores their case.
fn is_of_domino(path: &[u8]) -> bool {
    path.windows(4).any(|part| part.eq_ignore_ascii_case(b".nsf"))
}

/// Reports whether the first `len` bytes of `text` are a name in capitals. A single capital is a
/// name, but not with digits.
fn is_in_capitals(text: &[u8], len: usize) -> bool {
    let name = text.get(..len).unwrap_or_default();
    let capitals = name.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let is_of_name = |byte: &u8| !byte.is_ascii_lowercase();
    (capitals > 1 || capitals == len)
        && name.iter().all(is_of_name)
        && name.first().is_some_and(|first| !first.is_ascii_digit())
}

/// Returns the length in bytes of the variable name that `text` begins with; it may begin with
/// digits.
fn name_len(text: &[u8]) -> usize {
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    text.iter().take(NAME_LEN_MAX).take_while(is_of_name).count()
}

/// Reports whether `text` begins with a digit other than zero, and a name or a number ends there.
fn is_digit_alone(text: &[u8]) -> bool {
    name_len(text) == 1 && matches!(text.first(), Some(b'1'..=b'9'))
}

fn begins_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::{is_of_shell, is_quoted_after};

    #[test]
    fn what_a_shell_fills_in_is_told_from_dollars() {
        let cases = [
            ("https://$host/x", true),
            ("https://127.0.0.1:$PORT/", true),
            ("https://www.$DOMAIN", true),
            ("https://u@$host/", true),
            ("file://$PWD", true),
            ("file:///$(pwd)/a", true),
            ("http://h/db.nsf/0/$FILE/a.pdf", false),
            ("http://h/$metadata", false),
            ("http://u:$ecret@h/", false),
            ("http://$ecret@h/", false),
            ("https://$TOKEN@h.example/a", true),
            ("https://u:$PASS@h.example/a", true),
            ("https://u:$PASSw@h.example/a", false),
            ("https://u:x$PASS@h.example/a", false),
            ("http://h/a(b)$(c)", false),
            ("http://h/a$(b).html", false),
            ("http://h:$(port)/", true),
            ("http://pa$h/", false),
            ("http://www.pa$h.example/", false),
            ("http://h.example$request_uri", true),
            ("http://$1/mm", true),
            ("http://h.example$1", true),
            ("http://h.example$10", false),
            ("http://u:$1@h/", false),
            ("http://h/b/$1", true),
            ("http://h/?a=$1", true),
            ("http://h/?a=$1&b", true),
            ("http://h/$1.html", true),
            ("http://h/x-$1", true),
            ("http://h/US$5", false),
            ("http://h/$5.99", false),
            ("http://h/$10", false),
            ("http://h/msgReader$1208", false),
            ("news:b7o$1@h.example", false),
            ("https://h/v$V/x-$V-linux.tgz", true),
            ("https://h/$ARCH/a", true),
            ("https://h/$$ARCH/a", true),
            ("https://h/?v=$VERSION", true),
            ("https://h/$FILE", true),
            ("https://h/$V", true),
            ("https://h/$V1", false),
            ("https://h/$_", false),
            ("https://h/Map$ENTRY.html", false),
            ("https://h/Map$Entry.html", false),
            ("https://h/a$b", false),
            ("https://h/A$AP", false),
            ("https://h/0/$FILE/a.pdf", false),
            ("https://h/db.nsf/$FIRST", false),
            ("https://h/$First?OpenDocument", false),
            ("https://h/$Searchdomain", false),
            ("https://h/?$filter=a", false),
            ("https://h/?$TOP=a", false),
            ("https://h/#$NAME", false),
            ("https://h/#/a/$1", true),
            ("https://h/$env:NAME/a", true),
            ("https://h/v$(VERSION)/a", true),
            ("https://h/x$(V).tgz", true),
            ("mailto:$USER", false),
        ];
        for (text, expected) in cases {
            assert_eq!(is_of_shell(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn a_variable_in_quotes_continues_the_word() {
        for (before, after, expected) in [
            ("curl ", "\"$ID\"/x", true),
            ("curl -H \"a: b\" ", "\"${ID}\"", true),
            ("curl ", "\"$(id)\"", true),
            ("url = \"", "\"$ID", false),
            ("U=\"", "\"$VER\"/x.tgz\"", true),
            ("U='", "'$VER'/x.tgz'", true),
            ("U=\"", "\"${VER}\"", true),
            ("U='", "'$5'", false),
            ("curl ", "\"$5\"", false),
            ("curl ", "\" $ID", false),
            ("\"a\n", "\"$ID\"", true),
        ] {
            let is_it = is_quoted_after(before.as_bytes(), after.as_bytes());
            assert_eq!(is_it, expected, "{before}{after}");
        }
    }
}
