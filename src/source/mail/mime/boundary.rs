//! Finds the boundaries between the parts of a multipart (RFC 2046 §5.1.1).

use super::parameters::Parameters;

/// Maximum length of a boundary in bytes; RFC 2046 §5.1.1 allows 70, public-inbox 2048.
const BOUNDARY_LEN_MAX: usize = 2048;

/// Returns the boundaries that `parameters` hold.
pub(super) fn of(parameters: &Parameters) -> Vec<Vec<u8>> {
    let is_one = |boundary: &&[u8]| (1..=BOUNDARY_LEN_MAX).contains(&boundary.len());
    let boundaries = parameters.boundaries().map(<[u8]>::trim_ascii_end).filter(is_one);
    boundaries.map(<[u8]>::to_vec).collect()
}

/// Returns the boundaries of a multipart whose `Content-Type` has this `value`; none for any other
/// type.
pub(super) fn of_field(value: &[u8]) -> Vec<Vec<u8>> {
    let parameters = Parameters::of(value);
    let is_multipart = parameters.value.starts_with("multipart/");
    if is_multipart { of(&parameters) } else { Vec::new() }
}
