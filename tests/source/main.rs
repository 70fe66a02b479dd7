//! Tests the decoding of each kind of input: mail, spools, archives, documents, escapes. Decoders
//! are compared with slow ones, and inputs are cut at every byte.

#![expect(clippy::expect_used, reason = "a test says what must hold by panicking")]

#[path = "../support"]
mod support {
    pub(crate) mod cards;
    pub(crate) mod chance;
    #[expect(dead_code, reason = "other programs use the rest of it")]
    pub(crate) mod home;
    pub(crate) mod office;
    pub(crate) mod pages;
    pub(crate) mod pieces;
    pub(crate) mod rich_text;
    pub(crate) mod scanned;
    pub(crate) mod screens;
}

mod archives;
mod boxes;
mod cut_parts;
mod cuts;
mod documents;
mod escapes;
mod feeds;
mod html_mail;
mod inputs;
mod long_documents;
mod long_parts;
mod mail;
mod marks;
mod mime_coding;
mod plain_marks;
mod records;
mod spools;
mod torn;
mod unsubscribe;
mod verdicts;
