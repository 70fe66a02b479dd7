//! Tests the report formats: each is read back by a third-party parser.

#[path = "../support"]
mod support {
    #[expect(dead_code, reason = "other programs use the rest of it")]
    pub(crate) mod home;
}

mod arrow;
mod derived;
mod github;
mod groups;
mod html_page;
mod junit;
mod lists;
mod sarif;
mod schema;
mod sites;
mod sqlite;
mod strangers;
