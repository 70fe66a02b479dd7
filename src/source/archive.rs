//! Archives: members with names, one behind the other.
//!
//! Both formats are read here and not by a crate: those at hand keep whole directories and
//! extended headers of any length in memory, and cannot read every zip archive as a stream.

mod descriptor;
pub(super) mod directory;
mod sparse;
pub(super) mod tar;
pub(super) mod zip;
