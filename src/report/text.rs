//! The `text` format.

use super::{Paint, Report};
use crate::finding::{Finding, Note, Summary};

/// The `text` format.
pub struct Text;

impl Report for Text {
    fn name(&self) -> &'static str {
        "text"
    }
    fn about(&self) -> &'static str {
        "text"
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
