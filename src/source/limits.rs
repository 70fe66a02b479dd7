//! The sizes that detecting, decoding and cutting agree on.

/// Bytes that are enough to tell what an input is.
pub const SNIFF_LEN_MAX: usize = 8 * 1024;

/// Bytes of a core, at most: enough that handing it over costs nothing beside, and few enough
/// that the pieces under way stay in the caches.
pub const CORE_LEN_MAX: usize = 512 * 1024;

/// Cores that a part may take which is decoded as a whole: 8 MiB of text in base64, where letters
/// have some kilobytes and logs that somebody attached some megabytes.
pub const PART_CORES_MAX: usize = 16;

/// Bytes of a part that is decoded as a whole, at most.
pub const PART_LEN_MAX: usize = PART_CORES_MAX * CORE_LEN_MAX;
