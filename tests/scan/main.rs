//! Tests the scanner: against tables, a naive twin, and itself with any number of threads.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

#[path = "../support"]
mod support {
    pub(crate) mod chance;
    #[expect(dead_code, reason = "other programs use the rest of it")]
    pub(crate) mod home;
    pub(crate) mod obvious;
    pub(crate) mod scanned;
}

mod corpus;
mod extraction;
mod gateways;
mod naive;
mod order;
mod peers;
mod places;
mod splits;
mod stand_ins;
mod templates;
