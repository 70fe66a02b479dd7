//! Recognises names of XML that are written as URIs and lead nowhere: "it is not a goal that it be
//! directly usable for retrieval of a schema" (Namespaces in XML 1.0 §2.1). Most servers answer
//! 404.
//!
//! They are recognised by their attribute, never by their text: the same URI may be a link in the
//! next line. The same holds for names of vocabularies and types in HTML (HTML Standard §5.2.2:
//! "user agents must not automatically dereference them") and JSON-LD, and for the definitions of
//! document types, whose servers ask programs to keep away.
//!
//! Not known: names in values that hold several, but for the first and those of `prefix`.

/// Bytes before a value that are searched for its attribute, and for the tag. Some programs that
/// write office documents put much before the `Type` of a relationship.
const BACK_MAX: usize = 512;

/// Reports whether the URI at `at` of `text` is the value, or begins it, of an attribute that names
/// a namespace (`namespace` and `targetNamespace` are XML Schema's, as is `xsi:schemaLocation`,
/// pairs of a name and a place; without a prefix it is a place), or the kind of relationship that a
/// part of a document has (ECMA-376 Part 2 §6.5.3.4).
pub(super) fn is_named(text: &[u8], at: usize) -> bool {
    let before = text.get(at.saturating_sub(BACK_MAX)..at).unwrap_or_default().trim_ascii_end();
    if before.ends_with(b":") {
        return is_prefixed(before);
    }
    let before = match before.split_last() {
        // In a string of a program, the quote is escaped.
        Some((b'"' | b'\'', before)) => before.strip_suffix(b"\\").unwrap_or(before),
        _ => before,
    };
    let before = before.trim_ascii_end();
    let before = before.strip_suffix(b"[").unwrap_or(before).trim_ascii_end();
    if let Some(before) = before.strip_suffix(b":") {
        let before = before.trim_ascii_end();
        return before.ends_with(b"\"@context\"") || before.ends_with(b"\\\"@context\\\"");
    }
    let Some(before) = before.strip_suffix(b"=") else { return is_doctype(before) };
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
        (None, _) if names_types(local) => true,
        (None, _) if local.eq_ignore_ascii_case(b"profile") => is_in(tag, b"head"),
        (prefix, local) => prefix.is_none() && declares(local),
    }
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'_' | b'-' | b'.') || byte > 0x7F
}

fn is_in_relationship(tag: &[u8]) -> bool {
    element(tag).rsplit(|byte| *byte == b':').next() == Some(b"Relationship")
}

/// Reports whether `tag`, cut at an attribute, is that of the element `name` of HTML.
fn is_in(tag: &[u8], name: &[u8]) -> bool {
    element(tag).eq_ignore_ascii_case(name)
}

/// Returns the name of the last tag that begins in `tag`.
fn element(tag: &[u8]) -> &[u8] {
    let opening = memchr::memrchr(b'<', tag).and_then(|at| tag.get(at + 1..));
    let name = opening.and_then(|tag| tag.split(u8::is_ascii_whitespace).next());
    name.unwrap_or_default()
}

/// Reports whether values of the attribute `name` are names of types or vocabularies (HTML Standard
/// §5.2.2, RDFa Core 1.1 §5).
fn names_types(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 5] = [b"datatype", b"itemtype", b"property", b"typeof", b"vocab"];
    NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Reports whether `before` ends within a value of `prefix`, after one of its names (RDFa Core 1.1
/// §5): `prefix="og: http://…`.
fn is_prefixed(before: &[u8]) -> bool {
    let Some(quote) = memchr::memrchr2(b'"', b'\'', before) else { return false };
    let attribute = before.get(..quote).unwrap_or_default().trim_ascii_end().strip_suffix(b"=");
    let name = attribute.unwrap_or_default().trim_ascii_end();
    let len = name.iter().rev().take_while(|byte| is_name_byte(**byte)).count();
    name.get(name.len() - len..).is_some_and(|name| name.eq_ignore_ascii_case(b"prefix"))
}

/// Reports whether `before` ends within a declaration of a document type (XML 1.0 §2.8), before a
/// subset of its own.
fn is_doctype(before: &[u8]) -> bool {
    const DOCTYPE: &[u8] = b"<!doctype";
    let opening = memchr::memrchr(b'<', before).and_then(|at| before.get(at..)).unwrap_or_default();
    let is_declared =
        opening.get(..DOCTYPE.len()).is_some_and(|it| it.eq_ignore_ascii_case(DOCTYPE));
    is_declared && memchr::memchr2(b'[', b'>', opening).is_none()
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
    fn types_and_vocabularies_have_names() {
        case("<div itemscope itemtype=\"http://schema.example/Person\">", true);
        case("<body vocab=http://schema.example/ typeof=a>", true);
        case("<head profile='http://h/'>", true);
        case("<html prefix=\"og: http://h/ns#\">", true);
        case("<html prefix=\"a: urn:b og: http://h/ns#\">", true);
        case("{\"@context\": \"http://schema.example\"}", true);
        case("{\"@context\": [\"http://schema.example\", {}]}", true);
        case("<!DOCTYPE html PUBLIC \"-//A\" \"http://h/a.dtd\">", true);
        case("<!doctype a SYSTEM 'http://h/a.dtd'>", true);
        case("<div profile=\"http://h/\">", false);
        case("<a title=\"og: http://h/\">", false);
        case("<!DOCTYPE a [<!ENTITY b SYSTEM \"http://h/b\">]>", false);
        case("<!DOCTYPE html> <p>see \"http://h/\"", false);
        case("{\"@id\": \"http://h/\"}", false);
        case("see: http://h/", false);
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
