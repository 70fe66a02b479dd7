//! The code pages of DOS, by number. Without the feature `idn` there are none: they matter only to
//! IRIs.

#[cfg(feature = "idn")]
use oem_cp::code_table::DECODING_TABLE_CP_MAP;

/// Reports whether characters of the code page `number` can be decoded.
#[cfg(feature = "idn")]
pub(super) fn is_known(number: u16) -> bool {
    DECODING_TABLE_CP_MAP.contains_key(&number)
}

/// Returns the character that `byte` encodes in the code page `number`.
#[cfg(feature = "idn")]
pub(in crate::source::mail) fn character(number: u16, byte: u8) -> Option<char> {
    DECODING_TABLE_CP_MAP.get(&number).and_then(|table| table.decode_char_checked(byte))
}

#[cfg(not(feature = "idn"))]
pub(super) const fn is_known(_: u16) -> bool {
    false
}

#[cfg(not(feature = "idn"))]
pub(in crate::source::mail) const fn character(_: u16, _: u8) -> Option<char> {
    None
}
