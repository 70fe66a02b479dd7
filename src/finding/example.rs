//! Builds findings for unit tests, which change what they are about.

use std::sync::Arc;

use super::{Cue, Facts, Finding, Origin, Place};
use crate::uri::Redacted;

impl<'a> Place<'a> {
    /// Returns the place in a text of US-ASCII that was not decoded, and is not on disk as it is.
    pub(crate) fn example(origin: &'a Origin, [offset, len, line, column]: [u64; 4]) -> Self {
        let column_bytes = column;
        Self { origin, offset, len, line, column, column_bytes, file_offset: None, decoded: None }
    }
}

impl<'a> Finding<'a> {
    /// Returns a bare link that is in no message and was not probed, with the verdict of `facts`.
    pub(crate) fn example(uri: &'a [u8], place: Place<'a>, facts: &'a Arc<Facts>) -> Self {
        Self {
            uri: Redacted::new(uri),
            raw: Redacted::new(uri),
            wrapped: None,
            cue: Cue::Bare,
            place,
            base: None,
            after: None,
            is_mail: false,
            is_name: false,
            is_origin: false,
            is_torn: false,
            effect: None,
            message: None,
            header: None,
            part: None,
            twins: &[],
            facts,
            reach: None,
            archived: None,
            verdict: facts.verdict,
            known: None,
        }
    }
}
