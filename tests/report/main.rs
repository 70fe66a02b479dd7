//! The formats of reports, each read back by a parser that others wrote.

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
