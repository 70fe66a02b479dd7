//! Haystack to findings.
