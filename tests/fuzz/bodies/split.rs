//! Any bytes as the descriptor of a part of a plan: one that is taken is written again as it was
//! read, and an altered one is refused.

use linktrawl::internal::run::Split;

/// Runs one input.
pub(crate) fn run(bytes: &[u8]) {
    for line in bytes.split(|byte| *byte == b'\n') {
        match Split::parse(line) {
            Ok(split) => {
                let text = split.to_json();
                assert!(split.kind().is_some());
                assert_eq!(Split::parse(&text).as_ref(), Ok(&split));
                let other = String::from_utf8_lossy(&text).replacen("\"size\":", "\"size\":1", 1);
                assert!(Split::parse(other.as_bytes()).is_err() || other.as_bytes() == text);
            }
            Err(reason) => assert!(!reason.is_empty()),
        }
    }
}
