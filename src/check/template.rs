//! Places that a template fills in: what stands there is no address until it is.
//!
//! Not known: words in plain brackets or capitals that people read as such a place, as in
//! `https://host/<name>`; they are no part of a URI, or a part like any other.

/// What begins such a place in a document. Each has one of [`SIGNS`].
const MARKS: [&[u8]; 6] = [b"{{", b"{%", b"<%", b"${", b"<?", b"<!--#"];

/// What few links have that no template fills in.
const SIGNS: [u8; 2] = *b"{<";

/// Bytes of a name between `%(` and `)`. It is the name of a variable, or of a key.
const NAME_LEN_MAX: usize = 64;

/// True for what a program works out, as in MDX: `{page.url}`. URIs in it are strings.
pub(super) fn is_expression(target: &[u8]) -> bool {
    target.starts_with(b"{") && !matches!(target.get(1), Some(b'{' | b'%'))
}

/// What Docusaurus puts a directory of its own in the place of (Docusaurus, "MDX and React",
/// "Importing code snippets").
const ALIAS: &[u8] = b"@site/";

/// True when a template fills in a part of `target`, a link of a document.
pub(super) fn fills(target: &[u8]) -> bool {
    if is_expression(target) || target.starts_with(ALIAS) {
        return true;
    }
    let [one, other] = SIGNS;
    let has = |mark: &&[u8]| target.windows(mark.len()).any(|part| part == *mark);
    memchr::memchr2(one, other, target).is_some() && MARKS.iter().any(has)
}

/// True when a template fills in what stands right behind `text`, a bare URI that its mark ends.
/// What may close a sentence stands between the two, where it was taken for that.
pub(super) fn fills_behind(text: &[u8], behind: &[u8]) -> bool {
    let is_closing = |byte: &&u8| b".,;:!?".contains(byte);
    let mark = behind.get(behind.iter().take_while(is_closing).count()..).unwrap_or_default();
    match mark {
        [b'{' | b'$', b'{', ..] | [b'<', b'%' | b'?', b'=', ..] => true,
        [b'<', b'?' | b'!', ..] => {
            [&b"<?php"[..], b"<!--#echo"].iter().any(|tag| mark.starts_with(tag))
        }
        [b'{', b'%', tag @ ..] => !ends_block(tag),
        [b'{', ..] => text.ends_with(b"$") || is_variable(mark),
        [b'(', ..] => text.ends_with(b"$"),
        // A dot of a pattern, in a string or by itself.
        [b'\\', b'.', ..] | [b'\\', b'\\', b'.', ..] => !authority(text).1,
        _ => false,
    }
}

/// True when a variable stands somewhere in `text`, in braces: that of a template of URIs.
pub(super) fn has_variable(text: &[u8]) -> bool {
    let behind = |at| text.get(at..).unwrap_or_default();
    memchr::memchr_iter(b'{', text).any(|at| is_variable(behind(at)))
}

/// True when `text` begins with a variable in braces, as templates of URIs have it (RFC 6570 §2),
/// and what programs put in such places: `{id}`, `{/id}`, `{?page,size}`, `{}`, `{0:02}`.
///
/// Braces around what is not like a name, as around a GUID, are what somebody typed.
fn is_variable(text: &[u8]) -> bool {
    let near = text.get(..text.len().min(NAME_LEN_MAX)).unwrap_or_default();
    let end = memchr::memchr(b'}', near).unwrap_or_default();
    let Some(inside) = near.get(1..end) else { return false };
    let name = match inside {
        [b'+' | b'#' | b'.' | b'/' | b';' | b'?' | b'&' | b'=' | b',' | b'!' | b'@' | b'|', ..] => {
            inside.get(1..).unwrap_or_default()
        }
        _ => inside,
    };
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.,:*+?!%()[]".contains(byte);
    name.iter().all(is_of_name) && !is_guid(name)
}

/// True for eight digits of base 16, a hyphen, and so on (RFC 9562 §4).
fn is_guid(name: &[u8]) -> bool {
    let mut groups = name
        .split(|byte| *byte == b'-')
        .map(|group| if group.iter().all(u8::is_ascii_hexdigit) { group.len() } else { 0 });
    [8, 4, 4, 4, 12].into_iter().all(|len| groups.next() == Some(len)) && groups.next().is_none()
}

/// True when a shell or `make` fills in a part of `text`: `$(pwd)` anywhere, and `$HOST` in the
/// place of a host or a port. In a path a dollar is one: Domino has `/$FILE/` there.
pub(super) fn is_of_shell(text: &[u8]) -> bool {
    let (authority, _) = authority(text);
    let names = |at: usize| {
        let is_name = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
        authority.get(at + 1).is_some_and(is_name)
    };
    let user = memchr::memrchr(b'@', authority).unwrap_or_default();
    let begins = |at: usize| match at.checked_sub(1).and_then(|before| authority.get(before)) {
        Some(before) => matches!(before, b'.' | b':' | b'@') && at > user,
        None => true,
    };
    memchr::memchr_iter(b'$', authority).any(|at| begins(at) && names(at))
        || text.windows(2).any(|two| two == b"$(")
}

/// True when a program puts a part of `text` together from strings: `https://h/'+id+'/a`, or as
/// PHP does it, `https://h/'.$id`. In a string of its own, such marks come in pairs.
pub(super) fn is_joined(text: &[u8]) -> bool {
    let Some(first) = memchr::memchr(b'\'', text) else { return false };
    match text.get(first + 1..).unwrap_or_default() {
        [b'+', next, ..] => next.is_ascii_alphabetic() || matches!(next, b'_' | b'$' | b'('),
        [b'+'] => true,
        [b'.', b'$', ..] => true,
        _ => false,
    }
}

/// What stands behind the first two slashes of `text` and before the next one, a query or a
/// fragment, and true if such a thing follows.
fn authority(text: &[u8]) -> (&[u8], bool) {
    let start = memchr::memmem::find(text, b"//").map_or(text.len(), |at| at + 2);
    let rest = text.get(start..).unwrap_or_default();
    let len = rest.iter().take_while(|byte| !b"/?#".contains(byte)).count();
    (rest.get(..len).unwrap_or_default(), len < rest.len())
}

/// True for a tag that ends a block, or the one half of it, and prints nothing.
fn ends_block(tag: &[u8]) -> bool {
    let tag = tag.strip_prefix(b"-").unwrap_or(tag).trim_ascii_start();
    tag.starts_with(b"end") || tag.starts_with(b"el")
}

/// True when a program fills in a part of `text` by the formats of C and Python: `%s`, `%d`,
/// `%1$s`, `%lu`, `%.2f`, `%(name)s` and `%(name)d`.
///
/// None of them is an escape (RFC 3986 §2.1). With a letter or a digit behind, `%s` and `%d` are
/// what people typed: an escape, as `%d0` is, or a fault, as in `100%sure`.
pub(super) fn is_format(text: &[u8]) -> bool {
    memchr::memchr_iter(b'%', text).any(|at| {
        let behind = text.get(at + 1..).unwrap_or_default();
        match behind.strip_prefix(b"(") {
            Some(name) => {
                let near = name.get(..NAME_LEN_MAX).unwrap_or(name);
                let end = memchr::memchr(b')', near);
                let behind = end.and_then(|end| name.get(end + 1..)).unwrap_or_default();
                matches!(behind, [b's' | b'd', ..])
            }
            None => is_conversion(behind),
        }
    })
}

/// True when `text`, behind a percent sign, begins with the rest of a conversion (C11 §7.21.6.1),
/// with those of Go, and a word ends there. One letter that is a digit of base 16 is the half of an
/// escape.
fn is_conversion(text: &[u8]) -> bool {
    if text.iter().take(2).filter(|byte| byte.is_ascii_hexdigit()).count() == 2 {
        return false;
    }
    let mut rest = text;
    for set in [&b"0123456789"[..], b"$", b"+#-", b".", b"0123456789*", b"hlzjtL"] {
        let count = rest.iter().take_while(|byte| set.contains(byte)).count();
        rest = rest.get(count..).unwrap_or_default();
    }
    let letters: &[u8] =
        if rest.len() < text.len() { b"cdeEfFgGiouxXspqv" } else { b"digGouxXspqvtTU@" };
    rest.first().is_some_and(|letter| letters.contains(letter))
        && !rest.get(1).is_some_and(u8::is_ascii_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::{fills, fills_behind, has_variable, is_format, is_joined, is_of_shell};

    #[test]
    fn places_of_templates_are_known_by_their_marks() {
        for (target, expected) in [
            ("{{ page }}.html", true),
            ("a/{% url %}", true),
            ("<%= a %>", true),
            ("${a}/b", true),
            ("<?php echo $a; ?>", true),
            ("<!--#echo var='a' -->/b", true),
            ("<!--a-->/b", false),
            ("a/{b}", false),
            ("{b}", true),
            ("{'http://h/'}", true),
            ("@site/static/a.png", true),
            ("@site", false),
            ("a%20b", false),
        ] {
            assert_eq!(fills(target.as_bytes()), expected, "{target}");
        }
    }

    #[test]
    fn places_of_templates_are_known_behind_what_their_marks_end() {
        for (text, behind, expected) in [
            ("http://h/", "{{ page }}.html", true),
            ("http://h/a", "{% if a %}b", true),
            ("http://h/a", "{% endif %}", false),
            ("http://h/a", ".{%- else %}", false),
            ("http://h/a", "'{{ page }}", false),
            ("http://h/a", "<% end %>", false),
            ("http://h/a", ".{{ page }}", true),
            ("http://h/?a=", "{% a %}", true),
            ("http://h/", "<%= a %>", true),
            ("http://h/", "<?= $a ?>", true),
            ("http://h/", "<?php echo $a ?>", true),
            ("http://h/", "<!--#echo var='a' -->", true),
            ("http://h/", "<!--a-->", false),
            ("http://h/", "<?xml?>", false),
            ("http://h/$", "{a}/b", true),
            ("http://h/a", "${a}", true),
            ("http://h/$", " {a}", false),
            ("http://h/", "{a}", true),
            ("http://h/a", "{/gist_id}", true),
            ("http://h/a", "{?page,size*}", true),
            ("http://h/", "{}", true),
            ("http://h/", "{0:02}/a", true),
            ("http://h/#", "{a}", true),
            ("http://h/", "{self.name()}", true),
            ("http://h/", "{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", false),
            ("http://h/", "{~}ann", false),
            ("http://h/", "{a b}", false),
            ("http://h/", "{a", false),
            ("http://h/", "{", false),
            ("http://h/$", "(pwd)", true),
            ("http://play", "\\.h/", true),
            ("http://play", "\\\\.h/", true),
            ("http://play/a", "\\.h", false),
            ("http://h/", " {{ page }}", false),
            ("http://h/", "</a>{{ page }}", false),
            ("http://h/", ".", false),
        ] {
            let found = fills_behind(text.as_bytes(), behind.as_bytes());
            assert_eq!(found, expected, "{text} {behind}");
        }
    }

    #[test]
    fn formats_are_told_from_escapes() {
        for (text, expected) in [
            ("http://h/%s", true),
            ("http://h/%s/a", true),
            ("http://h/%d", true),
            ("http://h/100%sure", false),
            ("http://h/%s1", false),
            ("http://h/%d.html", true),
            ("http://h/%(name)s", true),
            ("http://h/%(name)d/", true),
            ("http://h/%20%s", true),
            ("http://h/%d0%BC", false),
            ("http://h/%dA", false),
            ("http://h/%zz", false),
            ("http://h/%1$s", true),
            ("http://h/%lu.html", true),
            ("http://h/%.2f", true),
            ("http://h/%+v/x", true),
            ("http://h/%u", true),
            ("http://h/%5s", true),
            ("http://h/%20s", false),
            ("http://h/%c3", false),
            ("http://h/50%free", false),
            ("http://h/%-", false),
            ("http://h/caf%E", false),
            ("http://h/caf%c", false),
            ("http://h/%", false),
            ("http://h/%(name)", false),
            ("http://h/%(name", false),
            ("http://h/s", false),
        ] {
            assert_eq!(is_format(text.as_bytes()), expected, "{text}");
        }
        let long = format!("http://h/%({})s", "n".repeat(100));
        assert!(!is_format(long.as_bytes()), "no name is so long");
    }

    #[test]
    fn templates_of_uris_have_variables() {
        for (text, expected) in [
            ("http://h/{owner}/x?page=2", true),
            ("http://h/x{?page}", true),
            ("http://h/{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", false),
            ("http://h/{a b}", false),
            ("http://h/", false),
        ] {
            assert_eq!(has_variable(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn what_a_shell_fills_in_is_told_from_dollars() {
        for (text, expected) in [
            ("https://$host/x", true),
            ("https://127.0.0.1:$PORT/", true),
            ("https://www.$DOMAIN", true),
            ("https://u@$host/", true),
            ("file://$PWD", true),
            ("file:///$(pwd)/a", true),
            ("http://h/db.nsf/0/$FILE/a.pdf", false),
            ("http://h/$metadata", false),
            ("http://u:$ecret@h/", false),
            ("http://pa$h/", false),
            ("http://h/?a=$1", false),
            ("mailto:$USER", false),
        ] {
            assert_eq!(is_of_shell(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn strings_that_are_joined_are_told_from_quotes() {
        for (text, expected) in [
            ("https://h/'+id+'/x", true),
            ("https://h/'+", true),
            ("https://h/'.$id.'/x", true),
            ("https://h/?q='a'+b", false),
            ("https://h/it's+fine", false),
            ("https://h/it's", false),
            ("https://h/", false),
        ] {
            assert_eq!(is_joined(text.as_bytes()), expected, "{text}");
        }
    }
}
