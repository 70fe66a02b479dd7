//! Tests the grammars: against the table of cases, each other, the laws that all must keep, and
//! other implementations.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests say what must hold by panicking")]

#[path = "../support"]
mod support {
    #[expect(dead_code, reason = "other programs use the rest of it")]
    pub(crate) mod home;
}

mod abnf;
mod automaton;
mod bytes;
mod cases;
mod compare;
mod derivative;
mod exhaustive;
mod faults;
mod formats;
mod inclusion;
mod language;
mod laws;
mod lints;
mod mutation;
mod oracles;
mod others;
mod refused;
mod resolve;
mod table;
mod urls;
mod whatwg;
