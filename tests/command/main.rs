//! Tests the commands of `linktrawl` as processes, except `check`, and the guide, completions and
//! pipelines against the program.

#[path = "../support"]
mod support {
    #[expect(dead_code, reason = "other programs use the rest of it")]
    pub(crate) mod home;
    pub(crate) mod printed;
    pub(crate) mod servers {
        #[expect(dead_code, reason = "the program `check` uses the rest of it")]
        #[expect(clippy::expect_used, reason = "a test says what must hold by panicking")]
        pub(crate) mod site;
    }
    pub(crate) mod written;
}

mod baseline;
mod compare;
mod completions;
mod config;
mod digest;
mod explain;
mod fix;
mod generated;
mod grammar;
mod guide;
mod home;
mod output;
mod parse;
mod pipelines;
mod recipes;
mod report;
mod resolve;
mod runs_compared;
mod scan;
mod since;
mod splits;
mod summary;
mod terminal;
