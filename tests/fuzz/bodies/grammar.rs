//! Parses any bytes under every grammar: a fault's offset is in bounds, and the text before it can
//! continue with each byte that was expected. Lints stay in bounds.

use linktrawl::internal::grammar::{GRAMMARS, lint};

/// Runs one input.
pub(crate) fn run(bytes: &[u8]) {
    let mut warnings = Vec::new();
    lint(bytes, &mut warnings);
    assert!(warnings.iter().all(|warning| warning.at < bytes.len()));
    for grammar in GRAMMARS {
        let uri = grammar.split(bytes);
        assert!(uri.components().all(|part| part.text.in_clear().len() <= bytes.len()));
        let Err(fault) = grammar.check(bytes) else { continue };
        let Some(at) = fault.at else { continue };
        assert!(at <= bytes.len());
        let mut longer = bytes[..at].to_vec();
        for byte in fault.expected.iter().filter(u8::is_ascii) {
            longer.push(byte);
            let refused = grammar.check(&longer).err();
            assert!(refused.is_none_or(|fault| fault.at >= Some(longer.len())));
            longer.pop();
        }
    }
}
