//! Tests the report formats: each is read back by a third-party parser.

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
