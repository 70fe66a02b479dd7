//! The `ndjson` format.

use super::{Paint, Report};
use crate::finding::{Finding, Note, Summary};

/// The `ndjson` format.
pub struct Ndjson;

impl Report for Ndjson {
    fn name(&self) -> &'static str {
        "ndjson"
    }
    fn about(&self) -> &'static str {
        "ndjson"
    }
    fn finding(&self, finding: &Finding<'_>, _: Paint, out: &mut Vec<u8>) {
        out.extend_from_slice(finding.uri);
    }
    fn note(&self, _: &Note, _: &mut Vec<u8>) {}
    fn summary(&self, _: &Summary, _: &mut Vec<u8>) {}
    fn counts_distinct(&self) -> bool {
        false
    }
}
