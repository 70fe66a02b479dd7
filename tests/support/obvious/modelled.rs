//! Says which texts the obvious scanner is made for.

use linktrawl::internal::scheme::{self, Class, Shape};

use super::CHARACTERS;

/// Reports whether the obvious scanner has all rules that `text` needs.
pub(crate) fn is_modelled(text: &[u8]) -> bool {
    let lower = text.to_ascii_lowercase();
    let has = |part: &[u8]| lower.windows(part.len()).any(|window| window == part);
    // Brackets as entities, and brackets with something else than a URI inside.
    let is_folded = has(b"<") && text.iter().any(|b| b.is_ascii_whitespace() || *b == b'\\');
    // Opaque schemes with shapes that are not modelled.
    let is_other = scheme::TABLE.iter().any(|row| match row.class {
        Class::Web | Class::Authority => false,
        Class::Opaque(
            Shape::Mailto | Shape::News | Shape::Dotted | Shape::Path | Shape::Urn | Shape::Never,
        ) => false,
        Class::Opaque(_) => has(format!("{}:", row.name).as_bytes()),
    });
    // Characters whose role is not modelled; stray bytes are.
    let is_foreign = text.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).any(|character| {
        !character.is_ascii() && !CHARACTERS.iter().any(|(known, _)| known.starts_with(character))
    });
    // An address of IPv6 that nothing closes, before a character that a host may have.
    let is_literal = |byte: &u8| byte.is_ascii_alphanumeric() || b":.%-_~".contains(byte);
    let is_divided = lower.split(|byte| *byte == b'[').skip(1).any(|rest| {
        let len = rest.iter().take_while(|byte| is_literal(byte)).count();
        rest[..len].contains(&b':') && rest.get(len).is_some_and(|byte| !byte.is_ascii())
    });
    // Strings with escapes, marks that are escaped, and paths of Windows.
    let marks = b"ux0123'\\:/&?=%#().,;!~*+$_@-";
    let is_escaped = lower.windows(2).any(|two| two[0] == b'\\' && marks.contains(&two[1]))
        || has(b":\\")
        || has(b"file:") && has(b"\\");
    !(has(b"&lt;")
        || has(b"&#60;")
        || is_folded
        || is_other
        || is_foreign
        || is_escaped
        || is_divided)
}
