//! Extracts the media type of an answer as the Fetch Standard does ("extract a MIME type"): of
//! several values, in one field or in more, the last valid one counts.

use hyper::HeaderMap;
use hyper::header::{CONTENT_TYPE, HeaderValue};

/// A media type (RFC 9110 §8.3.1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MediaType {
    /// Type and subtype, in lower case; empty if no value is valid.
    pub(super) essence: String,
    /// The value of its parameter `charset`.
    pub(super) charset: Option<Box<[u8]>>,
}

impl MediaType {
    /// Returns the media type that `fields` declare.
    pub(super) fn of(fields: &HeaderMap) -> Self {
        let values = fields.get_all(CONTENT_TYPE).iter().map(HeaderValue::as_bytes);
        let text = values.collect::<Vec<_>>().join(&b',');
        let mut last = Self::default();
        for found in split(&String::from_utf8_lossy(&text)).filter_map(Self::parse) {
            // A repetition without a charset keeps the one before.
            let keeps = found.charset.is_none() && found.essence == last.essence;
            let charset = if keeps { last.charset } else { found.charset };
            last = Self { charset, ..found };
        }
        last
    }

    fn parse(value: &str) -> Option<Self> {
        let (essence, parameters) = value.split_once(';').unwrap_or((value, ""));
        let (kind, subtype) = essence.trim().split_once('/')?;
        let is_valid = is_token(kind) && is_token(subtype) && essence.trim() != "*/*";
        let charset = charset(parameters).map(|label| label.as_bytes().into());
        is_valid.then(|| Self { essence: essence.trim().to_ascii_lowercase(), charset })
    }
}

/// Splits `text` at commas outside of quoted strings.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    text.split(move |letter: char| {
        let was_escaped = std::mem::take(&mut is_escaped);
        match letter {
            '\\' if is_quoted => is_escaped = !was_escaped,
            '"' if !was_escaped => is_quoted = !is_quoted,
            _ => {}
        }
        letter == ',' && !is_quoted
    })
}

fn is_token(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_letter)
}

/// Returns the first `charset` among the parameters of a media type (RFC 9110 §8.3.2), with either
/// kind of quotes or without.
fn charset(parameters: &str) -> Option<&str> {
    parameters.split(';').find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']).trim();
        (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use hyper::HeaderMap;
    use hyper::header::{CONTENT_TYPE, HeaderValue};

    use super::MediaType;

    #[track_caller]
    fn case(values: &[&'static str], expected: &str) {
        let mut fields = HeaderMap::new();
        for value in values {
            fields.append(CONTENT_TYPE, HeaderValue::from_static(value));
        }
        let MediaType { essence, charset } = MediaType::of(&fields);
        let charset = charset.map(|label| String::from_utf8(label.into()).unwrap());
        let shown = charset.map_or(essence.clone(), |label| format!("{essence} {label}"));
        assert_eq!(shown, expected, "{values:?}");
    }

    #[test]
    fn the_last_valid_media_type_counts() {
        case(&[], "");
        case(&[" Text/HTML ; Charset='UTF-8' "], "text/html UTF-8");
        case(&["text/html, text/html"], "text/html");
        case(&["text/html,application/xhtml+xml"], "application/xhtml+xml");
        case(&["text/html", "text/html; charset=a"], "text/html a");
        case(&["text/html; charset=a", "text/html"], "text/html a");
        case(&["text/html; charset=a, text/plain"], "text/plain");
        case(&["text/html; charset=a, text/plain", "text/html"], "text/html");
        case(&["text/html, */*"], "text/html");
        case(&["text/html; a=\"b,c/d\\\",e/f\""], "text/html");
        for value in
            ["html", "\"text/html\"", "text", "text/", "/html", "text/html x", ",", "a/b/c"]
        {
            case(&[value], "");
            case(&["text/html", value], "text/html");
        }
    }
}
