//! Recognises placeholders that a template fills in: until then, the text is not an address.
//!
//! Not recognised: words in brackets or capitals that only people understand as placeholders, as in
//! `https://host/<name>`. They are not part of the URI, or look like any other part.

use memchr::memmem;

use crate::scan::{Candidate, Wrap};

mod format;
mod pattern;
mod placeholder;
mod shell;
mod wildcard;

use format::{is_format, is_other_format, is_rule_of_make};
use pattern::{is_named_group, is_pattern};
use placeholder::{begins_with_percents, has_ats, has_percents};
use shell::{is_of_shell, is_quoted_after};
use wildcard::{is_of_all_ports, is_wildcard};

/// The beginnings of placeholders in documents. Each has one of [`SIGNS`].
const MARKS: [&[u8]; 6] = [b"{{", b"{%", b"<%", b"${", b"<?", b"<!--#"];

/// Bytes that few links hold without a place for a template.
const SIGNS: [u8; 2] = *b"{<";

/// Longest name of a variable, or of a key, in bytes, that is read.
const NAME_LEN_MAX: usize = 64;

/// Reports whether `target` is an expression of a program, as in MDX: `{page.url}`. URIs in it are
/// strings.
pub(super) fn is_expression(target: &[u8]) -> bool {
    target.starts_with(b"{") && !matches!(target.get(1), Some(b'{' | b'%'))
}

/// Reports whether `target` may hold a placeholder: it has a byte of which each placeholder inside
/// a link has one, or a colon that two slashes do not follow, as before a word for a port. One look
/// at each byte answers this for most links.
fn has_sign(target: &[u8]) -> bool {
    target.iter().enumerate().any(|(at, byte)| match byte {
        b'{' | b'<' | b'@' | b'`' | b'%' | b'*' | b'$' | b'[' | b'\'' => true,
        b':' => !target.get(at + 1..).is_some_and(|after| after.starts_with(b"//")),
        _ => false,
    })
}

/// Reports whether a template or a program fills in a part of `target`, a link of markup.
pub(super) fn fills_link(target: &[u8]) -> bool {
    has_sign(target) && fills_signed(target)
}

/// Reports whether a part of `target`, which may hold a placeholder, is one.
fn fills_signed(target: &[u8]) -> bool {
    fills(target)
        || is_format(target)
        || names_port(target)
        || is_wildcard(target)
        || has_ats(target)
        || begins_with_percents(target)
}

/// Reports whether a template, a program or a shell fills in a part of `candidate`, or the text
/// right after it in `text`.
pub(super) fn fills_candidate(candidate: &Candidate<'_>, text: &[u8]) -> bool {
    let Candidate { wrap, span, text: target, .. } = *candidate;
    let after = text.get(span.end..).unwrap_or_default();
    let before = text.get(..span.start).unwrap_or_default();
    let is_bare = matches!(wrap, Wrap::Bare | Wrap::Www);
    has_sign(target) && fills_inside(target, wrap, after)
        || is_bare && goes_on(after) && fills_outside(before, target, after)
}

/// Reports whether a part of `target`, which may hold a placeholder, is one. `after` is the text
/// after it.
fn fills_inside(target: &[u8], wrap: Wrap, after: &[u8]) -> bool {
    fills_signed(target)
        || is_other_format(target)
        || has_percents(target, after)
        || is_of_shell(target)
        || has_element(target)
        || wrap == Wrap::Angle && has_variable(target)
        || matches!(wrap, Wrap::Bare | Wrap::Www) && is_joined(target)
}

/// Reports whether `after`, the text after a bare URI, may belong to the same word: after a blank,
/// no placeholder does.
fn goes_on(after: &[u8]) -> bool {
    after.first().is_some_and(|next| !next.is_ascii_whitespace())
}

/// Reports whether a part of the word is filled in that `target`, a bare URI, belongs to, between
/// `before` and `after`.
fn fills_outside(before: &[u8], target: &[u8], after: &[u8]) -> bool {
    fills_after(target, after)
        || names_port_after(target, after)
        || is_quoted_after(before, after)
        || is_joined_after(before, after)
        || is_pattern(before, after)
        || is_named_group(target, after)
        || is_of_all_ports(before, target, after)
}

/// Reports whether a part of `candidate` is filled in, if `text` is no document but, say, a program
/// or a makefile.
pub(super) fn fills_text(candidate: &Candidate<'_>, text: &[u8]) -> bool {
    fills_candidate(candidate, text)
        || candidate.wrap == Wrap::Bare && is_rule_of_make(candidate.text)
}

/// Prefixes that a program replaces by a directory of its own: of Docusaurus ("MDX and React",
/// "Importing code snippets"), and of Zola ("Internal links") and bundlers of scripts.
const ALIASES: [&[u8]; 2] = [b"@site/", b"@/"];

/// Commands that a program replaces by the page of what the text of the link names (Documenter.jl,
/// "`@ref` link" and "`@id` link"; `DocumenterCitations` and `DocumenterInterLinks`; Doxygen).
const COMMANDS: [&[u8]; 5] = [b"@ref", b"@extref", b"@id", b"@cite", b"@cref"];

/// Reports whether `target` is such a command, with its argument or without one.
fn is_command(target: &[u8]) -> bool {
    COMMANDS.iter().any(|command| {
        let after = target.strip_prefix(*command);
        after.is_some_and(|after| after.is_empty() || after.starts_with(b"%20"))
    })
}

/// Reports whether `target` is code in backticks, for which a program finds the page (`ExDoc`,
/// "Auto-linking"; rustdoc, "Linking to items by name").
fn is_code(target: &[u8]) -> bool {
    target.len() > 2 && target.starts_with(b"`") && target.ends_with(b"`")
}

/// Reports whether a template fills in a part of `target`, a link of a document.
fn fills(target: &[u8]) -> bool {
    let is_alias = || ALIASES.iter().any(|alias| target.starts_with(alias));
    if is_expression(target) || is_alias() || is_command(target) || is_code(target) {
        return true;
    }
    let [one, other] = SIGNS;
    let has = |mark: &&[u8]| target.windows(mark.len()).any(|part| part == *mark);
    memchr::memchr2(one, other, target).is_some() && MARKS.iter().any(has)
}

/// Reports whether a template fills in the text right after `text`, a bare URI. Punctuation between
/// the two may have been taken for the end of a sentence.
fn fills_after(text: &[u8], after: &[u8]) -> bool {
    let is_closing = |byte: &&u8| b".,;:!?".contains(byte);
    let after = after.strip_prefix(b"'").filter(|mark| is_quoted_variable(mark)).unwrap_or(after);
    let mark = after.get(after.iter().take_while(is_closing).count()..).unwrap_or_default();
    match mark {
        [b'{' | b'$', b'{', ..] | [b'<', b'%' | b'?', b'=', ..] => true,
        // A variable of a shell, a server or a proxy after a port or a host.
        [b'$', b'(', name, ..] if name.is_ascii_alphabetic() => true,
        [b'$', name, ..] if name.is_ascii_alphabetic() => ends_in_port(text),
        [b'%', b's' | b'd', ..] if ends_in_port(text) => true,
        [b'%', b'[', name, ..] if name.is_ascii_alphabetic() => authority(text).1.is_empty(),
        [b'<', b'%', tag @ ..] if is_tag_of_variable(tag) => true,
        [b'<', route @ ..] if text.ends_with(b"/") && is_route(route) => true,
        [b'<', b'?' | b'!', ..] => {
            [&b"<?php"[..], b"<!--#echo"].iter().any(|tag| mark.starts_with(tag))
        }
        [b'{', b'%', tag @ ..] => !ends_block(tag),
        [b'{', ..] if ends_markup(text, mark) => false,
        [b'{', b'$', name, ..] if name.is_ascii_alphabetic() => true,
        [b'{', ..] => {
            text.ends_with(b"$")
                || text.ends_with(b"%")
                || is_variable(mark)
                || is_expression_like(mark)
                || is_expression_of_python(mark)
        }
        [b'%', b'{', ..] => true,
        [b'(', ..] => text.ends_with(b"$"),
        [b'[', ..] => ends_in_variable(text),
        // A dot of a pattern, by itself or in a string; no dot that ends a sentence.
        [b'\\', b'.', letter, ..] | [b'\\', b'\\', b'.', letter, ..] => {
            letter.is_ascii_alphanumeric() && authority(text).1.is_empty()
        }
        _ => false,
    }
}

/// Reports whether `text` ends in its port.
fn ends_in_port(text: &[u8]) -> bool {
    let (authority, rest) = authority(text);
    let digits = authority.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let before = authority.get(..authority.len() - digits).unwrap_or_default();
    rest.is_empty() && digits > 0 && before.ends_with(b":")
}

/// Reports whether `tag`, after the beginning of a tag, is a variable with blanks around it:
/// `<% name %>`.
fn is_tag_of_variable(tag: &[u8]) -> bool {
    let near = tag.get(..tag.len().min(NAME_LEN_MAX)).unwrap_or_default();
    let Some(name) = memmem::find(near, b"%>").and_then(|end| near.get(..end)) else {
        return false;
    };
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.@".contains(byte);
    let name = name.trim_ascii();
    near.starts_with(b" ")
        && name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'@')
        && name.iter().all(is_of_name)
        && !name.starts_with(b"end")
        && !name.starts_with(b"el")
}

/// Reports whether `text`, after a `<`, is a part of a route with its type: `<int:pk>` (Django,
/// "URL dispatcher"; Werkzeug, "URL Routing").
fn is_route(text: &[u8]) -> bool {
    const TYPES: [&[u8]; 9] =
        [b"int:", b"str:", b"slug:", b"uuid:", b"path:", b"string:", b"float:", b"any:", b"re:"];
    let near = text.get(..text.len().min(NAME_LEN_MAX)).unwrap_or_default();
    let name = TYPES.iter().find_map(|name| near.strip_prefix(*name)).unwrap_or_default();
    let len = name.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    len > 0 && name.get(len) == Some(&b'>')
}

/// Reports whether `mark`, in braces, ends something that began before `text`: a block of Svelte,
/// or a colour, quote or frame of Jira and Confluence. After a slash or an equals sign, it is a
/// variable.
fn ends_markup(text: &[u8], mark: &[u8]) -> bool {
    const BLOCKS: [&[u8]; 4] = [b"{/if}", b"{/each}", b"{/await}", b"{/key}"];
    const FRAMES: [&[u8]; 5] = [b"{color}", b"{quote}", b"{code}", b"{noformat}", b"{panel}"];
    let begins = |names: &[&[u8]]| names.iter().any(|name| mark.starts_with(name));
    let is_in_word = text.last().is_some_and(u8::is_ascii_alphanumeric);
    begins(&BLOCKS) || is_in_word && begins(&FRAMES)
}

/// Reports whether the port of a URI is a word for one, as in `http://host:port/`.
fn names_port(text: &[u8]) -> bool {
    let (authority, _) = authority(text);
    let port = memchr::memrchr(b':', authority).and_then(|colon| authority.get(colon + 1..));
    port.is_some_and(is_word_for_port)
}

/// Reports whether a word for a port is next in `after`, the text after a bare URI `text` that ends
/// in its host: `http://localhost:PORT`.
fn names_port_after(text: &[u8], after: &[u8]) -> bool {
    let Some(after) = after.strip_prefix(b":") else { return false };
    let (authority, rest) = authority(text);
    if authority.is_empty() || !rest.is_empty() || authority.contains(&b':') {
        return false;
    }
    let len = after.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (word, after) = after.split_at(len);
    let goes_on = after.first().is_some_and(|next| matches!(next, b'-' | b'_' | b'@' | 0x80..));
    is_word_for_port(word) && !goes_on
}

/// Reports whether `word` is one for a port, or consists of letters for digits: `xxxx`, `NNNN`.
fn is_word_for_port(word: &[u8]) -> bool {
    const WORDS: [&[u8]; 4] = [b"port", b"myport", b"yourport", b"someport"];
    let is_of = |letter: u8| word.iter().all(|byte| byte.eq_ignore_ascii_case(&letter));
    WORDS.iter().any(|name| name.eq_ignore_ascii_case(word))
        || word.len() > 1 && (is_of(b'x') || is_of(b'n'))
}

/// Reports whether `text` holds a variable in braces: that of a template of URIs.
fn has_variable(text: &[u8]) -> bool {
    let after = |at| text.get(at..).unwrap_or_default();
    memchr::memchr_iter(b'{', text).any(|at| is_variable(after(at)))
}

/// Reports whether `text` begins with a variable in braces, as in templates of URIs (RFC 6570 §2)
/// or as programs write it: `{id}`, `{/id}`, `{?page,size}`, `{}`, `{0:02}`.
///
/// Braces around a text unlike a name, such as a GUID or a day, are the author's own.
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

/// Reports whether `text` begins with a variable in braces, followed by an apostrophe: `{id}'`.
fn is_quoted_variable(text: &[u8]) -> bool {
    let near = text.get(..text.len().min(NAME_LEN_MAX)).unwrap_or_default();
    let end = memchr::memchr(b'}', near).unwrap_or_default();
    text.get(end + 1) == Some(&b'\'') && is_variable(text)
}

/// Reports whether `text` begins with braces around text that is meant for variables, though no
/// template of URIs has it so: a blank beside or in a name, `{?x, y}`, a mark in the place of an
/// operator, `{~name}`, two operators, a value after a name, a number.
fn is_expression_like(text: &[u8]) -> bool {
    let near = text.get(..text.len().min(NAME_LEN_MAX)).unwrap_or_default();
    let end = memchr::memchr(b'}', near).unwrap_or_default();
    let Some(inside) = near.get(1..end) else { return false };
    let is_operator = |byte: &&u8| b"+#./;?&=,@|~*- ".contains(byte);
    let operators = inside.iter().take_while(is_operator).count();
    let name = inside.get(operators..).unwrap_or_default();
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.,:*+?%&=| ){".contains(byte);
    let is_number =
        !name.is_empty() && name.iter().all(|byte| byte.is_ascii_digit() || *byte == b'*');
    let is_name = name.first().is_some_and(u8::is_ascii_alphabetic) && name.iter().all(is_of_name);
    operators <= 2 && !is_guid(name) && (is_name || is_number && name.len() <= NUMBER_LEN_MAX)
}

/// Reports whether `text` begins with an expression of Python in braces: an element, a call, or a
/// format, `{repo['name']}`, `{q(x, y)}`, `{n:>5}`.
fn is_expression_of_python(text: &[u8]) -> bool {
    let near = text.get(..text.len().min(NAME_LEN_MAX)).unwrap_or_default();
    let end = memchr::memchr(b'}', near).unwrap_or_default();
    let Some(inside) = near.get(1..end) else { return false };
    let is_own = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.,:*+-/%<>=^!'()[] ".contains(byte);
    let of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.".contains(*byte);
    let len = inside.iter().take_while(of_name).count();
    let count = |mark| memchr::memchr_iter(mark, inside).count();
    let (Some(first), Some(next)) = (inside.first(), inside.get(len)) else { return false };
    (first.is_ascii_alphabetic() || *first == b'_')
        && matches!(next, b'[' | b'(' | b':' | b'!')
        && inside.iter().all(is_own)
        && count(b'(') == count(b')')
        && count(b'[') == count(b']')
        && count(b'\'').is_multiple_of(2)
        && !is_guid(inside)
}

/// Maximum number of digits of a number in braces that is a name. A day has eight, `{20080101}`.
const NUMBER_LEN_MAX: usize = 5;

/// Reports whether `name` is 32 digits of base 16, with or without hyphens (RFC 9562 §4).
fn is_guid(name: &[u8]) -> bool {
    let digits = name.iter().filter(|byte| byte.is_ascii_hexdigit()).count();
    let hyphens = name.iter().filter(|byte| **byte == b'-').count();
    digits == 32 && digits + hyphens == name.len()
}

/// Reports whether a program joins `text` from strings: `https://h/'+id+'/a`, or as in PHP,
/// `https://h/'.$id`.
fn is_joined(text: &[u8]) -> bool {
    let Some(first) = memchr::memchr(b'\'', text) else { return false };
    match text.get(first + 1..).unwrap_or_default() {
        // After the name, another string begins, or the URI ends.
        [b'+', name @ ..] => name.is_empty() || memmem::find(name, b"+'").is_some(),
        [b'.', b'$', ..] => true,
        _ => false,
    }
}

/// Reports whether a program joins the URI between `before` and `after` to more text, if the URI
/// ends with its string, `'https://h/'+id+'/a'`, perhaps one that began before it.
fn is_joined_after(before: &[u8], after: &[u8]) -> bool {
    /// Longest expression that is read, in bytes.
    const LEN_MAX: usize = 256;
    if !after.starts_with(b"'") {
        return false;
    }
    let is_of_word = |byte: &&u8| byte.is_ascii_graphic() && !b"\"<>".contains(byte);
    let len = after.iter().take(LEN_MAX).take_while(is_of_word).count();
    let word = after.get(..len).unwrap_or_default();
    let is_string = before.ends_with(b"'");
    if is_string { is_between_strings(word) } else { is_joined(word) }
}

/// Reports whether `word`, after the first of two strings, is a name with plus signs around it, and
/// the second one begins: `'+id+'`.
fn is_between_strings(word: &[u8]) -> bool {
    let Some(name) = word.strip_prefix(b"'+") else { return false };
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.$()[]".contains(*byte);
    let len = name.iter().take(NAME_LEN_MAX).take_while(is_of_name).count();
    let is_name = name.first().is_some_and(u8::is_ascii_alphabetic);
    is_name && name.get(len..).is_some_and(|after| after.starts_with(b"+'"))
}

/// Reports whether PHP puts elements of an array into `text`: `?id=$row[id]&a=$row[a]`.
fn has_element(text: &[u8]) -> bool {
    memchr::memchr_iter(b'[', text).any(|at| text.get(..at).is_some_and(ends_in_variable))
}

/// Reports whether `text` ends in a dollar sign and a name where a value or a segment begins.
/// Elsewhere the sign is an ordinary character: of `?$sort`, of `Map$Entry`, of `US$5`.
fn ends_in_variable(text: &[u8]) -> bool {
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let len = text.iter().rev().take(NAME_LEN_MAX).take_while(is_of_name).count();
    let (before, name) = text.split_at(text.len() - len);
    let is_name = name.first().is_some_and(|first| !first.is_ascii_digit());
    is_name && (before.ends_with(b"=$") || before.ends_with(b"/$"))
}

/// Splits the text after the first two slashes of `text` before the next slash, query or fragment.
/// Both parts are empty without two slashes.
fn authority(text: &[u8]) -> (&[u8], &[u8]) {
    let start = memmem::find(text, b"//").map_or(text.len(), |at| at + 2);
    let rest = text.get(start..).unwrap_or_default();
    let len = rest.iter().take_while(|byte| !b"/?#".contains(byte)).count();
    rest.split_at(len)
}

/// Reports whether a tag ends a block, or one branch of it, and prints nothing.
fn ends_block(tag: &[u8]) -> bool {
    let tag = tag.strip_prefix(b"-").unwrap_or(tag).trim_ascii_start();
    tag.starts_with(b"end") || tag.starts_with(b"el")
}

#[cfg(test)]
mod tests {
    use super::{
        fills, fills_after, fills_inside, fills_link, fills_outside, fills_signed, goes_on,
        has_element, has_sign, has_variable, is_joined, is_joined_after, names_port,
        names_port_after,
    };
    use crate::scan::Wrap;

    /// A look at the bytes decides nothing that the rules would decide otherwise.
    #[test]
    fn links_without_signs_and_words_before_blanks_have_no_placeholder() {
        const PARTS: [&str; 40] = [
            "http", ":", "//", "/", "h", ".", "x", "port", "PORT", "NNNN", "{", "{{", "}", "<",
            ">", "%", "%s", "%(a)s", "@", "@V@", "`", "$", "$HOST", "$(a)", "[", "[^/]", "]", "'",
            "'+", "+'", "*", "?", "#", "\"", "\\", "\\1", " ", "\n", "(?P", "8080",
        ];
        let (mut seed, mut filled) = (1_u64, 0);
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from(seed >> 33).unwrap()
        };
        for _ in 0..200_000 {
            let [before, target, after] = [2, 6, 3].map(|most| {
                let count = next() % most;
                (0..count).map(|_| PARTS[next() % PARTS.len()]).collect::<String>()
            });
            let [before, target, after] = [&before, &target, &after].map(String::as_bytes);
            let expected = fills_signed(target);
            assert_eq!(fills_link(target), expected, "{}", target.escape_ascii());
            let inside = fills_inside(target, Wrap::Bare, after);
            assert!(has_sign(target) || !inside, "{}", target.escape_ascii());
            let outside = fills_outside(before, target, after);
            assert!(goes_on(after) || !outside, "{}", after.escape_ascii());
            filled += u32::from(expected) + u32::from(inside) + u32::from(outside);
        }
        assert!(filled > 10_000, "{filled} places");
    }

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
            ("@ref", true),
            ("@id%20a-b", true),
            ("@extref%20A.b", true),
            ("@references", false),
            ("`Foo.bar/1`", true),
            ("`a", false),
            ("@/b.md#c", true),
            ("@", false),
            ("a/@/b", false),
            ("a%20b", false),
        ] {
            assert_eq!(fills(target.as_bytes()), expected, "{target}");
        }
    }

    #[test]
    fn variables_of_servers_programs_and_routes_are_known() {
        for (text, after, expected) in [
            ("http://h:8080", "$request_uri;", true),
            ("http://h:8080", "%s/a", true),
            ("http://h/8080", "$request_uri", false),
            ("https://h.example", "%[path]", true),
            ("https://oauth2", ":$(cat t)@h/x", true),
            ("https://h/", "<% x %>/a", true),
            ("https://h/", "<% else %>", false),
            ("https://h/", "<% a = 1 %>", false),
            ("https://h/", "<int:pk>/", true),
            ("https://h/", "<a:b>", false),
            ("https://h/a", "<int:pk>", false),
            ("https://h/", "{repo['name']}/y", true),
            ("https://h/", "{q(x, y)}/y", true),
            ("https://h/", "{n:>5}/y", true),
            ("https://h/", "{n('}", false),
        ] {
            let found = fills_after(text.as_bytes(), after.as_bytes());
            assert_eq!(found, expected, "{text} {after}");
        }
    }

    #[test]
    fn places_of_templates_are_known_after_what_their_marks_end() {
        for (text, after, expected) in [
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
            let found = fills_after(text.as_bytes(), after.as_bytes());
            assert_eq!(found, expected, "{text} {after}");
        }
    }

    #[test]
    fn places_are_known_that_no_template_of_uris_has_so() {
        for (text, after, expected) in [
            ("http://h/", "{a b}", true),
            ("http://h/", "{ a}", true),
            ("http://h/", "{a }", true),
            ("http://h/x", "{?x, y}", true),
            ("http://h/", "{~a}", true),
            ("http://h/", "{*a?}", true),
            ("http://h/", "{/?a}", true),
            ("http://h/", "{?a=b,c}", true),
            ("http://h/?", "{-join|&|a,b}", true),
            ("http://h/", "{1337}", true),
            ("http://h/", "{?1337*}", true),
            ("http://h/", "'{a}' and", true),
            ("http://h/a", "'{a}", false),
            ("http://h/", "{20080101}", false),
            ("http://h/a", "{color: red}", true),
            ("http://h/a", "{\\em b}", false),
            ("http://h/a", "{I'm}", false),
            ("http://h/", "{-}", false),
        ] {
            let found = fills_after(text.as_bytes(), after.as_bytes());
            assert_eq!(found, expected, "{text} {after}");
        }
    }

    #[track_caller]
    fn hold(is_it: fn(&[u8]) -> bool, cases: &[(&str, bool)]) {
        for (text, expected) in cases {
            assert_eq!(is_it(text.as_bytes()), *expected, "{text}");
        }
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
            ("http://localhost:xxxx/", true),
            ("http://localhost:NNNN", true),
            ("http://myhost:myport/x", true),
            ("http://h:ports/", false),
            ("http://h:xn/", false),
            ("http://h:/", false),
            ("http://h:80/port", false),
            ("http://port/", false),
            ("http://u:port@h/", false),
            ("mailto:port", false),
        ];
        hold(names_port, &cases);
        for (text, after, expected) in [
            ("http://localhost", ":PORT", true),
            ("http://localhost", ":NNNN and", true),
            ("http://host", ":port.", true),
            ("http://host", ": port", false),
            ("http://host", ":portal", false),
            ("http://host", ":port@h/", false),
            ("http://host", ":next", false),
            ("http://host/a", ":PORT", false),
            ("mailto:a@host", ":PORT", false),
        ] {
            assert_eq!(names_port_after(text.as_bytes(), after.as_bytes()), expected, "{after}");
        }
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
        for (before, after, expected) in [
            ("'see ", "'+id+'/x'", true),
            ("'see ", "'.$id", true),
            ("'see ", "'+id, 'b'+c+'d'", false),
            ("'see ", "','+'", false),
            ("'", "'+id+'/x'", true),
            ("'", "'+get(id)+'/x'", true),
            ("'", "'+id", false),
            ("'", "'+1+'", false),
            ("'", "', a+'b'", false),
            ("'see ", " '+id+'/x'", false),
        ] {
            let is_it = is_joined_after(before.as_bytes(), after.as_bytes());
            assert_eq!(is_it, expected, "{before}{after}");
        }
    }
}
