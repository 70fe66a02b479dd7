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
        [b'{', ..] => text.ends_with(b"$"),
        _ => false,
    }
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
    memchr::memchr_iter(b'%', text).any(|at| {
        let behind = text.get(at + 1..).unwrap_or_default();
        match behind.strip_prefix(b"(") {
            Some(name) => {
                let near = name.get(..NAME_LEN_MAX).unwrap_or(name);
                let end = memchr::memchr(b')', near);
                let behind = end.and_then(|end| name.get(end + 1..)).unwrap_or_default();
                matches!(behind, [b's' | b'd', ..])
            }
            None => match behind {
                [b's' | b'd'] => true,
                [b's' | b'd', next, ..] => !next.is_ascii_alphanumeric(),
                _ => false,
            },
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{fills, fills_behind, is_format};

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
            ("http://h/", "{a}", false),
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
}
