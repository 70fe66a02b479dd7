//! Checks quickly whether the text of a link shows a host: most texts show none.
//!
//! Only unambiguous tags are skipped: names of usual letters, values in quotes or without any.
//! Everything else is left to `tokens`.

use super::tokens::{holds_tags, is_space};
use crate::source::markup::shown::SOURCE_LEN_MAX;

/// Reports whether all of the first word that a link shows is in `rest`, and holds neither a dot
/// nor a colon. `rest` begins with the link's target, which ends at `quote`, or at the end of a
/// value without quotes.
///
/// Words are not taken for shorter than readers see them: no tag divides them, and of blanks only
/// those of US-ASCII do. So more than the first word may be checked, and never less.
pub(super) fn is_no_host(rest: &[u8], quote: Option<u8>) -> bool {
    let rest = rest.get(..SOURCE_LEN_MAX).unwrap_or(rest);
    let tag = after_value(rest, quote).and_then(after_attributes);
    tag.and_then(plain_word).is_some()
}

/// Skips the first word of `rest`, which begins outside of tags; `None` if it is not whole, or
/// holds a dot, a colon or a reference.
fn plain_word(mut rest: &[u8]) -> Option<()> {
    let mut is_begun = false;
    loop {
        let (text, tag) = rest.split_at(memchr::memchr(b'<', rest).unwrap_or(rest.len()));
        for byte in text {
            match byte {
                b'.' | b':' | b'&' => return None,
                _ if is_begun && byte.is_ascii_whitespace() => return Some(()),
                _ => is_begun |= byte.is_ascii_alphanumeric(),
            }
        }
        let (name, after) = tag_name(tag)?;
        rest = after_attributes(after)?;
        if name.eq_ignore_ascii_case(b"a") {
            return Some(());
        }
        if !holds_tags(name) {
            return None;
        }
    }
}

/// Returns the name of the tag that `rest` begins with, and the text after the name.
fn tag_name(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = rest.strip_prefix(b"<")?;
    let rest = rest.strip_prefix(b"/").unwrap_or(rest);
    rest.first().filter(|first| first.is_ascii_alphabetic())?;
    Some(rest.split_at(name_len(rest)))
}

/// Returns the text after the end of a tag; `rest` begins after the tag's name or one of its
/// values.
fn after_attributes(mut rest: &[u8]) -> Option<&[u8]> {
    loop {
        let blanks = rest.iter().take_while(|byte| is_space(**byte)).count();
        rest = rest.get(blanks..)?;
        if let [b'>', after @ ..] | [b'/', b'>', after @ ..] = rest {
            return Some(after);
        }
        let name = name_len(rest);
        if blanks == 0 || name == 0 {
            return None;
        }
        rest = rest.get(name..)?;
        rest = match rest {
            [b'=', quote @ (b'"' | b'\''), value @ ..] => after_value(value, Some(*quote))?,
            [b'=', value @ ..] => after_value(value, None)?,
            _ => rest,
        };
    }
}

/// Returns the text after the value that `rest` begins with, and after its `quote`.
fn after_value(rest: &[u8], quote: Option<u8>) -> Option<&[u8]> {
    if let Some(quote) = quote {
        return rest.get(memchr::memchr(quote, rest)? + 1..);
    }
    let is_part = |byte: &&u8| byte.is_ascii_graphic() && !b"\"'`<>".contains(byte);
    let len = rest.iter().take_while(is_part).count();
    rest.get(len..).filter(|_| len > 0)
}

/// Returns the length of the name that `rest` begins with.
fn name_len(rest: &[u8]) -> usize {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_:".contains(byte);
    rest.iter().take_while(is_part).count()
}

#[cfg(test)]
mod tests {
    use super::is_no_host;

    #[track_caller]
    fn case(rest: &str, is_it: bool) {
        assert_eq!(is_no_host(rest.as_bytes(), Some(b'"')), is_it, "{rest:?}");
    }

    #[test]
    fn links_that_begin_with_a_word_need_not_be_read() {
        case(r#"http://h/">Read more at www.example.org</a>"#, true);
        case(r#"http://h/" target="_blank" CLASS='b' id=c hidden>(« More"#, false);
        case(r#"http://h/" target="_blank" CLASS='b' id=c hidden>(« More "#, true);
        case(
            "http://h/\"\r\n>\r\n<IMG alt=\"www.example.org\" src=b.png border=0 /><br/></A>",
            true,
        );
        case(r#"http://h/"><font size="2"><b>More</b></font><o:p></o:p> </a>"#, true);
        case(r#"http://h/"></a>"#, true);
        assert!(is_no_host(b"http://h/?a=b&c>More</a>", None));
    }

    #[test]
    fn what_may_show_a_host_is_left_to_the_tokenizer() {
        case(r#"http://h/">www.example.org</a>"#, false);
        case(r#"http://h/">http://localhost/ </a>"#, false);
        case(r#"http://h/">www<b>.</b>example.org</a>"#, false);
        case(r#"http://h/">www<p>.example.org/</a>"#, false);
        case(r#"http://h/">www&#46;example.org</a>"#, false);
        case(r#"http://h/">&nbsp;www.example.org</a>"#, false);
    }

    #[test]
    fn what_may_be_read_in_two_ways_is_left_to_the_tokenizer() {
        case(r#"http://h/"x>More</a>"#, false);
        case(r#"http://h/" b"c>More</a>"#, false);
        case(r#"http://h/" b=">More</a>"#, false);
        case(r#"http://h/" b= "c">More</a>"#, false);
        case(r#"http://h/"><!-- a -->More</a>"#, false);
        case(r#"http://h/"><title>More</a>"#, false);
        case(r#"http://h/"> < More</a>"#, false);
        case(r#"http://h/">More<"#, false);
        case(r#"http://h/">More</a"#, false);
        case("http://h/", false);
    }
}
