//! Finds the boundaries between the parts of a multipart (RFC 2046 §5.1.1).

use memchr::memmem;

use super::parameters::Parameters;
use crate::source::mail::mailbox;

/// Maximum length of a boundary in bytes; RFC 2046 §5.1.1 allows 70, public-inbox 2048.
const BOUNDARY_LEN_MAX: usize = 2048;

/// Maximum length in bytes of a boundary that no parameter declares (RFC 2046 §5.1.1).
const UNDECLARED_LEN_MAX: usize = 70;

/// Maximum number of bytes of a body that are searched for its first delimiter: text for readers
/// without MIME may precede that.
const LOOK_LEN_MAX: usize = 16 * 1024;

/// Returns the boundaries that `parameters` hold.
pub(super) fn of(parameters: &Parameters) -> Vec<Vec<u8>> {
    let is_one = |boundary: &&[u8]| (1..=BOUNDARY_LEN_MAX).contains(&boundary.len());
    let boundaries = parameters.boundaries().map(<[u8]>::trim_ascii_end).filter(is_one);
    boundaries.map(<[u8]>::to_vec).collect()
}

/// Returns the boundaries of a multipart whose `Content-Type` has this `value`; none for any other
/// type.
pub(super) fn of_field(value: &[u8]) -> Vec<Vec<u8>> {
    let parameters = Parameters::of(value);
    let is_multipart = parameters.value.starts_with("multipart/");
    if is_multipart { of(&parameters) } else { Vec::new() }
}

/// Reports whether `line`, without its hyphens, is the last of the delimiters with `boundaries`;
/// `None` if it is none of them.
pub(super) fn is_last(line: &[u8], boundaries: &[Vec<u8>]) -> Option<bool> {
    boundaries.iter().find_map(|boundary| match line.strip_prefix(boundary.as_slice())? {
        b"" => Some(false),
        b"--" => Some(true),
        _ => None,
    })
}

/// Returns the boundary between the parts of `body`, a multipart whose `declared` boundaries do not
/// occur in it: that of the first line which looks like a delimiter. The parameter may be missing,
/// misspelled or truncated. A line for which `is_outer` is true, without its hyphens, ends the
/// body.
pub(super) fn in_body(
    body: &[u8],
    declared: &[Vec<u8>],
    is_outer: impl Fn(&[u8]) -> bool,
) -> Option<Vec<u8>> {
    let body = body.get(..LOOK_LEN_MAX).unwrap_or(body);
    let first = body.starts_with(b"--").then_some(0);
    let others = memmem::find_iter(body, b"\n--").map(|feed| feed + 1);
    let mut found = None;
    for at in first.into_iter().chain(others) {
        let rest = body.get(at + 2..).unwrap_or_default();
        let (line, next) = rest.split_at(mailbox::line_len(rest));
        let trimmed = line.trim_ascii_end();
        if is_last(trimmed, declared).is_some() {
            return None;
        }
        if is_outer(trimmed) {
            break;
        }
        if found.is_none() && is_likely(line, next) {
            found = Some(trimmed.to_vec());
        }
    }
    found
}

/// Reports whether `body`, that of a multipart, is in base64 as a whole, which RFC 2045 §6.4 does
/// not allow: its first line consists of that, and no line begins as a delimiter does.
pub(super) fn is_encoded(body: &[u8]) -> bool {
    let body = body.get(..LOOK_LEN_MAX).unwrap_or(body).trim_ascii_start();
    let line = body.get(..mailbox::line_len(body)).unwrap_or_default().trim_ascii_end();
    let is_of_base64 =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    !line.is_empty() && line.iter().all(is_of_base64) && memmem::find(body, b"\n--").is_none()
}

/// Reports whether `line`, without its hyphens, looks like a delimiter before the part `next`: no
/// blank ends it, and a field about the part follows, or an empty line.
fn is_likely(line: &[u8], next: &[u8]) -> bool {
    let Some(line) = line.strip_suffix(b"\n") else { return false };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let is_boundary = (1..=UNDECLARED_LEN_MAX).contains(&line.len())
        && line.last().is_some_and(|last| !last.is_ascii_whitespace());
    let is_word = line.iter().any(u8::is_ascii_alphanumeric);
    let is_of_part = next.get(..8).is_some_and(|name| name.eq_ignore_ascii_case(b"content-"));
    is_boundary
        && (is_of_part && mailbox::is_field(next)
            || is_word && matches!(next, [b'\n', ..] | [b'\r', b'\n', ..]))
}

#[cfg(test)]
mod tests {
    use super::{in_body, is_encoded};

    #[track_caller]
    fn case(body: &str, declared: &[&str], expected: Option<&str>) {
        let declared: Vec<Vec<u8>> = declared.iter().map(|it| it.as_bytes().to_vec()).collect();
        let found = in_body(body.as_bytes(), &declared, |line| line == b"outer");
        assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{body:?}");
    }

    #[test]
    fn a_boundary_that_is_not_declared_is_read_from_the_body() {
        const PART: &str = "--cut\nContent-Type: text/plain\n\nx\n";
        case(PART, &[], Some("cut"));
        case(PART, &["CUT"], Some("cut"));
        case(PART, &["cu", "cutt", "--cut"], Some("cut"));
        case(PART, &["cut"], None);
        case("--cut\r\n\r\nx\r\n", &[], Some("cut"));
        case(&format!("preamble\n-- \nme\n\n{PART}"), &[], Some("cut"));
        case(&format!("--other\n\n{PART}"), &["cut"], None);
        case(&format!("--outer\nContent-Type: a/b\n\n{PART}"), &[], None);
        case(&format!("--{}\n\n", "x".repeat(70)), &[], Some(&"x".repeat(70)));
        case(&format!("--{}\n\n", "x".repeat(71)), &[], None);
    }

    #[test]
    fn a_body_may_be_encoded_as_a_whole() {
        assert!(is_encoded(b"LS1iMQpDb250\r\nLS1iMS0tCg==\r\n"));
        assert!(!is_encoded(b"LS1iMQpDb250\r\n--b1\r\n"));
        assert!(!is_encoded(b"--b1\r\n\r\n"));
        assert!(!is_encoded(b"a preamble\r\n"));
        assert!(!is_encoded(b"\r\n"));
    }

    #[test]
    fn other_lines_with_hyphens_are_no_delimiters() {
        for body in [
            "--\n\nme\n",
            "-- \n\nme\n",
            "--cut \nContent-Type: a/b\n",
            "------\n\nx\n",
            "--cut\nText: a\n",
            "--cut\ntext\n",
            "x --cut\n\n",
            "--cut",
        ] {
            case(body, &[], None);
        }
    }
}
