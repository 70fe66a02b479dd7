//! Any bytes under every grammar: a fault's offset is in bounds, and what stands before it
//! can go on with each byte that was expected.
#![no_main]

use libfuzzer_sys::fuzz_target;
use linktrawl::grammar::GRAMMARS;

fuzz_target!(|bytes: &[u8]| {
    for grammar in GRAMMARS {
        let uri = grammar.split(bytes);
        assert!(uri.components().all(|(_, text)| text.len() <= bytes.len()));
        let Err(fault) = grammar.check(bytes) else { continue };
        assert!(fault.at <= bytes.len());
        let mut longer = bytes[..fault.at].to_vec();
        for byte in fault.expected.iter().filter(u8::is_ascii) {
            longer.push(byte);
            assert!(grammar.check(&longer).err().is_none_or(|fault| fault.at >= longer.len()));
            longer.pop();
        }
    }
});
