//! Keeps no records, for builds that ask no links.

/// The records that wait for answers: none.
#[derive(Default)]
pub(super) struct Spool(());

impl Spool {
    pub(super) const fn write(&self, _: &[u8]) {}

    pub(super) const fn has_failed(&self) -> bool {
        false
    }
}
