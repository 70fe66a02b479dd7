//! Names of XML that are written as URIs and lead nowhere: "it is not a goal that it be directly
//! usable for retrieval of a schema" (Namespaces in XML 1.0 §2.1). Most of them answer with 404.
//!
//! They are told by the attribute they stand in, never by what they say: the same URI may be a
//! link in the next line. Not known: names in values that hold several, but for the first.

/// Bytes before a value that are looked at for its attribute, and for the tag.
const BACK_MAX: usize = 256;

/// True when the URI at `at` of `text` is the value, or begins it, of an attribute that says what
/// a namespace is called, or what kind of relationship a part of a document has (ECMA-376 Part 2
/// §6.5.3.4).
pub(super) fn is_named(text: &[u8], at: usize) -> bool {
    let before = text.get(at.saturating_sub(BACK_MAX)..at).unwrap_or_default();
    let Some((b'"' | b'\'', before)) = before.split_last() else { return false };
    let Some(before) = before.trim_ascii_end().strip_suffix(b"=") else { return false };
    let before = before.trim_ascii_end();
    let len = before.iter().rev().take_while(|byte| is_name_byte(**byte)).count();
    let (tag, name) = before.split_at(before.len() - len);
    let mut parts = name.rsplitn(2, |byte| *byte == b':');
    let (local, prefix) = (parts.next().unwrap_or_default(), parts.next());
    let declares = |name: &[u8]| name.eq_ignore_ascii_case(b"xmlns");
    match (prefix, local) {
        (Some(prefix), _) if declares(prefix) => true,
        (_, b"schemaLocation") | (None, b"targetNamespace") => true,
        (None, b"Type") => is_in_relationship(tag),
        (prefix, local) => prefix.is_none() && declares(local),
    }
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'_' | b'-' | b'.') || byte > 0x7F
}

fn is_in_relationship(tag: &[u8]) -> bool {
    let opening = memchr::memrchr(b'<', tag).and_then(|at| tag.get(at + 1..));
    opening.is_some_and(|tag| tag.starts_with(b"Relationship "))
}

#[cfg(test)]
mod tests {
    use super::is_named;

    #[track_caller]
    fn case(text: &str, expected: bool) {
        let at = text.find("http").unwrap();
        assert_eq!(is_named(text.as_bytes(), at), expected, "{text}");
    }

    #[test]
    fn what_declares_a_namespace_holds_its_name() {
        case("<svg xmlns=\"http://h/\">", true);
        case("<svg xmlns='http://h/'>", true);
        case("<HTML XMLNS = \"http://h/\">", true);
        case("<a\n\txmlns:o =\n\"http://h/\">", true);
        case("<xs:schema targetNamespace=\"http://h/\">", true);
        case("<project xsi:schemaLocation=\"http://h/ x.xsd\">", true);
        case("<Relationship Id=\"1\" Type=\"http://h/\"/>", true);
    }

    #[test]
    fn all_else_may_be_a_link() {
        case("http://h/", false);
        case("\"http://h/\"", false);
        case("=\"http://h/\"", false);
        case("<a href=\"http://h/\">", false);
        case("<a href='x' xmlns:o='y' title='http://h/'>", false);
        case("<e my-xmlns=\"http://h/\">", false);
        case("<e xmlns:a:href=\"http://h/\">", false);
        case("<e Type=\"http://h/\"/>", false);
        case("<Relationship Id=\"1\" Type=\"a\" Target=\"http://h/\"/>", false);
        case("<Relationship/><e Type=\"http://h/\"/>", false);
        case("<xs:include schemaLocation=\"a b http://h/\"/>", false);
        case("xmlns=http://h/", false);
    }
}
