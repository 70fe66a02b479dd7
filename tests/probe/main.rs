//! Tests the probes: the guard, each protocol against scripted servers and real daemons, and the
//! schedule.

#![expect(clippy::expect_used, clippy::panic, reason = "a test says what must hold by panicking")]

#[path = "../support"]
mod support {
    pub(crate) mod chance;
    pub(crate) mod hostile;
    pub(crate) mod hostile_lines;
    pub(crate) mod servers {
        pub(crate) mod authority;
        pub(crate) mod inet;
        pub(crate) mod name_server;
        pub(crate) mod nginx;
        pub(crate) mod place;
    }
}

mod archive;
mod guard;
mod http;
mod line_daemons;
mod line_protocols;
mod robots;
mod schedule;
mod web;
