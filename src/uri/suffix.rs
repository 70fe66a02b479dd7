//! Finds where a registrable domain begins, by the Public Suffix List (publicsuffix.org).
//!
//! The list is code: 650 kB, generic over its labels. It is called from here alone, so that it is
//! compiled once.

/// Returns the registrable domain of `host`, which belongs to one owner; `None` if `host` is a
/// public suffix.
#[inline(never)]
pub(crate) fn registrable(host: &str) -> Option<&str> {
    psl::domain_str(host)
}

/// Reports whether `host` is below a suffix that the list names.
#[cfg(feature = "probe")]
#[inline(never)]
pub(crate) fn is_below_suffix(host: &str) -> bool {
    let suffix = psl::suffix(host.as_bytes());
    suffix.is_some_and(|suffix| suffix.is_known() && suffix.as_bytes() != host.as_bytes())
}
