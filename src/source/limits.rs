//! Defines the sizes that detection, decoding and cutting share.

/// Bytes that are enough to detect the kind of an input.
pub const SNIFF_LEN_MAX: usize = 8 * 1024;

/// Maximum number of bytes of a core: enough that passing a piece on costs little in comparison,
/// and few enough that the pieces in progress stay in the caches.
pub const CORE_LEN_MAX: usize = 512 * 1024;

/// Most cores' worth of bytes in a part that is decoded as a whole: 8 MiB of text in base64.
/// Letters have some kilobytes, attached logs some megabytes.
pub const PART_CORES_MAX: usize = 16;

/// Maximum number of bytes of a part that is decoded as a whole.
pub const PART_LEN_MAX: usize = PART_CORES_MAX * CORE_LEN_MAX;
