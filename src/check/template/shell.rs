//! What a shell, `make`, a server or PHP fills in: dollar signs.

use super::authority;

/// True when a shell, `make` or a server fills in a part of `text`: `$(pwd)` where a part begins,
/// and `$HOST` in the place of a host or a port, or `$request_uri` right behind, as with nginx. In
/// a path a dollar is one: Domino has `/$FILE/` there.
pub(super) fn is_of_shell(text: &[u8]) -> bool {
    if memchr::memchr(b'$', text).is_none() {
        return false;
    }
    let (authority, _) = authority(text);
    let user = memchr::memrchr(b'@', authority).unwrap_or_default();
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let names = |at: usize| {
        let name = authority.get(at + 1).filter(|byte| !byte.is_ascii_digit());
        name.is_some_and(is_of_name)
    };
    let is_name_alone = |rest: &[u8]| rest.iter().skip(1).all(is_of_name);
    let begins = |at: usize| match authority.split_at_checked(at) {
        Some((b"", _)) => user == 0,
        Some((before @ [.., last], rest)) => {
            let is_behind = || memchr::memchr(b'.', before).is_some() && is_name_alone(rest);
            at > user && (matches!(last, b'.' | b':' | b'@') || is_behind())
        }
        None => false,
    };
    let runs = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        text.get(at + 1) == Some(&b'(') && before.is_some_and(|byte| b"/=:.-@".contains(byte))
    };
    memchr::memchr_iter(b'$', authority).any(|at| begins(at) && names(at))
        || memchr::memchr_iter(b'$', text).any(runs)
}

#[cfg(test)]
mod tests {
    use super::is_of_shell;

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
            ("http://h/a(b)$(c)", false),
            ("http://h/a$(b).html", false),
            ("http://h:$(port)/", true),
            ("http://pa$h/", false),
            ("http://www.pa$h.example/", false),
            ("http://h.example$request_uri", true),
            ("http://h/?a=$1", false),
            ("mailto:$USER", false),
        ];
        for (text, expected) in cases {
            assert_eq!(is_of_shell(text.as_bytes()), expected, "{text}");
        }
    }
}
