//! Places that a template fills in: what stands there is no address until it is.
//!
//! Not known: words in plain brackets or capitals that people read as such a place, as in
//! `https://host/<name>`; they are no part of a URI, or a part like any other.

use memchr::memmem;

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
        [b'{', ..] if ends_markup(text, mark) => false,
        [b'{', b'$', name, ..] if name.is_ascii_alphabetic() => true,
        [b'{', ..] => text.ends_with(b"$") || text.ends_with(b"%") || is_variable(mark),
        [b'%', b'{', ..] => true,
        [b'(', ..] => text.ends_with(b"$"),
        [b'[', ..] => ends_in_variable(text),
        // A dot of a pattern, by itself or in a string; none that ends a sentence.
        [b'\\', b'.', letter, ..] | [b'\\', b'\\', b'.', letter, ..] => {
            letter.is_ascii_alphanumeric() && !authority(text).1
        }
        _ => false,
    }
}

/// True when `mark`, in braces, ends something that began before `text`: a block of Svelte, or what
/// Jira and Confluence color, quote or frame. Behind a slash or an equals sign, it is a variable.
fn ends_markup(text: &[u8], mark: &[u8]) -> bool {
    const BLOCKS: [&[u8]; 4] = [b"{/if}", b"{/each}", b"{/await}", b"{/key}"];
    const FRAMES: [&[u8]; 5] = [b"{color}", b"{quote}", b"{code}", b"{noformat}", b"{panel}"];
    let begins = |names: &[&[u8]]| names.iter().any(|name| mark.starts_with(name));
    let is_in_word = text.last().is_some_and(u8::is_ascii_alphanumeric);
    begins(&BLOCKS) || is_in_word && begins(&FRAMES)
}

/// True for a URI whose port is the word for one, as in `http://host:port/`.
pub(super) fn names_port(text: &[u8]) -> bool {
    let (authority, _) = authority(text);
    let port = memchr::memrchr(b':', authority).and_then(|colon| authority.get(colon + 1..));
    port.is_some_and(|port| port.eq_ignore_ascii_case(b"port"))
}

/// True when a variable stands somewhere in `text`, in braces: that of a template of URIs.
pub(super) fn has_variable(text: &[u8]) -> bool {
    let behind = |at| text.get(at..).unwrap_or_default();
    memchr::memchr_iter(b'{', text).any(|at| is_variable(behind(at)))
}

/// True when `text` begins with a variable in braces, as templates of URIs have it (RFC 6570 §2),
/// and what programs put in such places: `{id}`, `{/id}`, `{?page,size}`, `{}`, `{0:02}`.
///
/// Braces around what is not like a name, as around a GUID or a day, are what somebody typed.
fn is_variable(text: &[u8]) -> bool {
    let near = text.get(..text.len().min(NAME_LEN_MAX)).unwrap_or_default();
    let end = memchr::memchr(b'}', near).unwrap_or_default();
    let Some(inside) = near.get(1..end) else { return false };
    let name = match inside {
        [b'+' | b'#' | b'.' | b'/' | b';' | b'?' | b'&' | b'=' | b',' | b'@' | b'|', ..] => {
            inside.get(1..).unwrap_or_default()
        }
        _ => inside,
    };
    let digits = name.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let begins = match name.get(digits) {
        None | Some(b':' | b'!') => digits <= 2,
        Some(byte) => digits == 0 && (byte.is_ascii_alphabetic() || *byte == b'_'),
    };
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.,:*+?!%()[]".contains(byte);
    begins && name.iter().all(is_of_name) && !is_guid(name)
}

/// True for 32 digits of base 16, with hyphens between them or without (RFC 9562 §4).
fn is_guid(name: &[u8]) -> bool {
    let digits = name.iter().filter(|byte| byte.is_ascii_hexdigit()).count();
    let hyphens = name.iter().filter(|byte| **byte == b'-').count();
    digits == 32 && digits + hyphens == name.len()
}

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

/// True when a program puts a part of `text` together from strings: `https://h/'+id+'/a`, or as
/// PHP does it, `https://h/'.$id`.
pub(super) fn is_joined(text: &[u8]) -> bool {
    let Some(first) = memchr::memchr(b'\'', text) else { return false };
    match text.get(first + 1..).unwrap_or_default() {
        // Behind the name, another string begins, or nothing more is of a URI.
        [b'+', name @ ..] => name.is_empty() || memmem::find(name, b"+'").is_some(),
        [b'.', b'$', ..] => true,
        _ => false,
    }
}

/// True when PHP puts elements of an array into `text`: `?id=$row[id]&a=$row[a]`.
pub(super) fn has_element(text: &[u8]) -> bool {
    memchr::memchr_iter(b'[', text).any(|at| text.get(..at).is_some_and(ends_in_variable))
}

/// True when `text` ends in a dollar sign and a name where a value or a segment begins. Elsewhere
/// it is a letter: of `?$sort`, of `Map$Entry`, of `US$5`.
fn ends_in_variable(text: &[u8]) -> bool {
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let len = text.iter().rev().take(NAME_LEN_MAX).take_while(is_of_name).count();
    let (before, name) = text.split_at(text.len() - len);
    let is_name = name.first().is_some_and(|first| !first.is_ascii_digit());
    is_name && (before.ends_with(b"=$") || before.ends_with(b"/$"))
}

/// What stands behind the first two slashes of `text` and before the next one, a query or a
/// fragment, and true if such a thing follows.
fn authority(text: &[u8]) -> (&[u8], bool) {
    let start = memmem::find(text, b"//").map_or(text.len(), |at| at + 2);
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
/// `%(name)s` and `%(name)d`.
///
/// None of them is an escape (RFC 3986 §2.1). With a letter or a digit behind, `%s` and `%d` are
/// what people typed: an escape, as `%d0` is, or a fault, as in `100%sure`.
pub(super) fn is_format(text: &[u8]) -> bool {
    is_any(text, |behind| match behind.strip_prefix(b"(") {
        Some(name) => {
            let near = name.get(..NAME_LEN_MAX).unwrap_or(name);
            let end = memchr::memchr(b')', near);
            let behind = end.and_then(|end| name.get(end + 1..)).unwrap_or_default();
            matches!(behind, [b's' | b'd', ..])
        }
        None => is_conversion(behind, b"sd"),
    })
}

/// The same by other conversions (C11 §7.21.6.1), those of Go, and those of git for a commit:
/// `%1$s`, `%lu`, `%.2f`, `%v`, `%H`. In a document a link that has them may be a slip; in a
/// program it is none.
pub(super) fn is_other_format(text: &[u8]) -> bool {
    is_any(text, |behind| {
        let digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
        match behind.get(digits..).unwrap_or_default() {
            [b'$', rest @ ..] if digits > 0 => is_conversion(rest, b"sduix"),
            [b'.', b'0'..=b'9', rest @ ..] if digits == 0 => is_conversion(rest, b"fgedx"),
            [b'l' | b'z', rest @ ..] if digits == 0 => {
                is_conversion(rest.strip_prefix(b"l").unwrap_or(rest), b"duix")
            }
            [b'+' | b'#', rest @ ..] if digits == 0 => is_conversion(rest, b"v"),
            rest => digits == 0 && is_conversion(rest, b"uivq@Hh"),
        }
    })
}

/// True when `is_it` is of what stands behind a percent sign in `text`.
fn is_any(text: &[u8], is_it: impl Fn(&[u8]) -> bool) -> bool {
    memchr::memchr_iter(b'%', text).any(|at| is_it(text.get(at + 1..).unwrap_or_default()))
}

/// True when `text` begins with one of `letters`, and a word ends there.
fn is_conversion(text: &[u8], letters: &[u8]) -> bool {
    text.first().is_some_and(|letter| letters.contains(letter))
        && !text.get(1).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'%')
}

#[cfg(test)]
mod tests {
    use super::{
        fills, fills_behind, has_element, has_variable, is_format, is_joined, is_of_shell,
        is_other_format, names_port,
    };

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
            ("http://h/", "%{name}-%{version}.tgz", true),
            ("http://h/v%", "{version}", true),
            ("http://h/", "{$owner}/a", true),
            ("http://h/?a=", "{$this->a['b']}", true),
            ("http://h/", "{$1}", false),
            ("http://h/a", "{color}", false),
            ("http://h/a", "{quote} b", false),
            ("http://h/", "{code}", true),
            ("http://h/b", "{/if}", false),
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
            ("http://h/?a=$row", "[id]", true),
            ("http://h/?a=1", "[2]", false),
            ("http://h/?a=$", "[2]", false),
            ("http://h/?a=US$5", "[2]", false),
            ("http://h/?a=$5", "[2]", false),
            ("http://h/Map$Entry", "[2]", false),
            ("http://play", "\\.h/", true),
            ("http://play", "\\\\.h/", true),
            ("http://play", "\\.", false),
            ("http://play", "\\. And", false),
            ("http://play/a", "\\.h", false),
            ("http://h/", " {{ page }}", false),
            ("http://h/", "</a>{{ page }}", false),
            ("http://h/", ".", false),
        ] {
            let found = fills_behind(text.as_bytes(), behind.as_bytes());
            assert_eq!(found, expected, "{text} {behind}");
        }
    }

    #[track_caller]
    fn hold(is_it: fn(&[u8]) -> bool, cases: &[(&str, bool)]) {
        for (text, expected) in cases {
            assert_eq!(is_it(text.as_bytes()), *expected, "{text}");
        }
    }

    #[test]
    fn formats_are_told_from_escapes() {
        let cases = [
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
            ("http://h/%", false),
            ("http://h/%(name)", false),
            ("http://h/%(name", false),
            ("http://h/s", false),
        ];
        hold(is_format, &cases);
        let long = format!("http://h/%({})s", "n".repeat(100));
        assert!(!is_format(long.as_bytes()), "no name is so long");
    }

    #[test]
    fn elements_of_arrays_are_told_from_arrays() {
        let cases = [
            ("http://h/?a=$row[id]&b=1", true),
            ("http://h/?a[]=$row[id]&b=1", true),
            ("http://h/?a[]=1", false),
            ("http://h/?$a=b[c]=1", false),
            ("http://h/?$sort[a]=1&$select[]=b", false),
            ("http://h/$row[id]", true),
            ("http://[::1]/$a", false),
        ];
        hold(has_element, &cases);
    }

    #[test]
    fn formats_of_programs_are_told_from_slips() {
        let cases = [
            ("http://h/%1$s", true),
            ("http://h/%lu.html", true),
            ("http://h/%lld", true),
            ("http://h/%.2f", true),
            ("http://h/%+v/x", true),
            ("http://h/%u", true),
            ("http://h/%v/%q", true),
            ("http://h/%H", true),
            ("http://h/%h.patch", true),
            ("http://h/%Hello", false),
            ("http://h/%5s", false),
            ("http://h/%20s", false),
            ("http://h/%c3", false),
            ("http://h/50%free", false),
            ("http://h/50%.c", false),
            ("http://h/x%-d", false),
            ("http://h/%2o", false),
            ("http://h/%X%", false),
            ("http://h/%v%", false),
            ("http://h/%", false),
            ("http://h/caf%E", false),
            ("http://h/caf%c", false),
        ];
        hold(is_other_format, &cases);
    }

    #[test]
    fn templates_of_uris_have_variables() {
        let cases = [
            ("http://h/{owner}/x?page=2", true),
            ("http://h/x{?page}", true),
            ("http://h/{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", false),
            ("http://h/{0f8fad5bd9cb469fa16570867728950e}/", false),
            ("http://h/a@{20080101}#b", false),
            ("http://h/{-}", false),
            ("http://h/{^}", false),
            ("http://h/{0}/{1}", true),
            ("http://h/{:?}", true),
            ("http://h/{!r}", true),
            ("http://h/{_a}", true),
            ("http://h/{a b}", false),
            ("http://h/", false),
        ];
        hold(has_variable, &cases);
    }

    #[test]
    fn the_word_for_a_port_is_none() {
        let cases = [
            ("http://host:port/", true),
            ("ftp://u:p@h:PORT", true),
            ("http://h:80/port", false),
            ("http://port/", false),
            ("http://u:port@h/", false),
            ("mailto:port", false),
        ];
        hold(names_port, &cases);
    }

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
        hold(is_of_shell, &cases);
    }

    #[test]
    fn strings_that_are_joined_are_told_from_quotes() {
        let cases = [
            ("https://h/'+id+'/x", true),
            ("https://h/'+", true),
            ("https://h/'.$id.'/x", true),
            ("https://h/?q='a'+b", false),
            ("https://h/?q=O'+Reilly", false),
            ("https://h/it's+fine", false),
            ("https://h/it's", false),
            ("https://h/", false),
        ];
        hold(is_joined, &cases);
    }
}
