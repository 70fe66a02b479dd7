//! Selects findings by their verdict.

use crate::finding::Verdict;

/// The findings that reports include.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Showing {
    /// All findings.
    #[default]
    All,
    /// Warnings and errors.
    Warnings,
    /// Errors alone.
    Errors,
}

impl Showing {
    /// Reports whether findings with `verdict` are included.
    pub(super) const fn has(self, verdict: Verdict) -> bool {
        match self {
            Self::All => true,
            Self::Warnings => matches!(verdict, Verdict::Warn | Verdict::Error),
            Self::Errors => matches!(verdict, Verdict::Error),
        }
    }
}
