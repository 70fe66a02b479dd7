//! Recognises names of XML that are written as URIs and lead nowhere: "it is not a goal that it be
//! directly usable for retrieval of a schema" (Namespaces in XML 1.0 §2.1). Most servers answer
//! 404.
//!
//! They are recognised by their attribute, never by their text: the same URI may be a link in the
//! next line. Not known: names in values that hold several, but for the first, and those that no
//! attribute of XML declares, as in `prefix` of RDFa.

/// Bytes before a value that are searched for its attribute, and for the tag. Some programs that
/// write office documents put much before the `Type` of a relationship.
const BACK_MAX: usize = 512;

/// Reports whether the URI at `at` of `text` is the value, or begins it, of an attribute that names
/// a namespace (`namespace` and `targetNamespace` are XML Schema's, as is `xsi:schemaLocation`,
/// pairs of a name and a place; without a prefix it is a place), or the kind of relationship that a
/// part of a document has (ECMA-376 Part 2 §6.5.3.4).
pub(super) fn is_named(text: &[u8], at: usize) -> bool {
    let before = text.get(at.saturating_sub(BACK_MAX)..at).unwrap_or_default().trim_ascii_end();
    let before = match before.split_last() {
        // In a string of a program, the quote is escaped.
        Some((b'"' | b'\'', before)) => before.strip_suffix(b"\\").unwrap_or(before),
        _ => before,
    };
    let Some(before) = before.trim_ascii_end().strip_suffix(b"=") else { return false };
    let before = before.trim_ascii_end();
    let len = before.iter().rev().take_while(|byte| is_name_byte(**byte)).count();
    let (tag, name) = before.split_at(before.len() - len);
    let mut parts = name.rsplitn(2, |byte| *byte == b':');
    let (local, prefix) = (parts.next().unwrap_or_default(), parts.next());
    let declares = |name: &[u8]| name.eq_ignore_ascii_case(b"xmlns");
    match (prefix, local) {
        (Some(prefix), _) if declares(prefix) => true,
        (Some(_), b"schemaLocation") | (None, b"namespace" | b"targetNamespace") => true,
        (None, b"Type") => is_in_relationship(tag),
        (prefix, local) => prefix.is_none() && declares(local),
    }
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'_' | b'-' | b'.') || byte > 0x7F
}

fn is_in_relationship(tag: &[u8]) -> bool {
    let opening = memchr::memrchr(b'<', tag).and_then(|at| tag.get(at + 1..));
    let element = opening.and_then(|tag| tag.split(u8::is_ascii_whitespace).next());
    element.and_then(|name| name.rsplit(|byte| *byte == b':').next()) == Some(b"Relationship")
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
        case("<project xsi:schemaLocation=\"\n    http://h/ x.xsd\">", true);
        case("<xs:import namespace=\"http://h/\"/>", true);
        case("<svg xmlns=http://h/>", true);
        case("let text = \"<svg xmlns=\\\"http://h/\\\">\";", true);
        case("<Relationship Id=\"1\" Type=\"http://h/\"/>", true);
        case("<Relationship\n\tType=\"http://h/\"/>", true);
        case("<r:Relationship Type=\"http://h/\"/>", true);
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
        case("<xs:include schemaLocation=\"http://h/\"/>", false);
        case("<a xsi:schemaLocation=\"a b http://h/\"/>", false);
        case("<Relationships Type=\"http://h/\"/>", false);
        case("xmlns, http://h/", false);
        case("x \\\"http://h/", false);
    }
}
