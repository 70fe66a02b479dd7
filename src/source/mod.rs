//! What holds text: files, directory trees, standard input, mailboxes.
//!
//! Everything is read front to back in blocks, cut into pieces, and given on; nothing is
//! kept. What an input is, its first bytes decide (`sniff`). What is compressed or an archive
//! is unpacked on the way (`packed`), and what is inside is read alike. What
//! mail has in it, `mime` says.

mod archive;
pub mod boxes;
pub mod buffer;
pub mod charset;
mod compress;
pub mod fields;
pub mod file;
mod http;
pub mod mailbox;
pub mod maildir;
pub mod markup;
pub mod mime;
pub mod names;
mod news;
mod packed;
pub mod piece;
pub mod sniff;
pub mod walk;
mod warc;

pub use buffer::Buffer;
use markup::Markup;
pub use piece::{Piece, Records, Window};

/// How an input is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputKind {
    /// By content.
    #[default]
    Auto,
    /// As text without structure.
    Text,
    /// As mail: a mailbox when it begins like one, else one message.
    Mail,
    /// As a document in a markup language.
    Document(Markup),
}

/// A way to read inputs that can be asked for by name.
#[derive(Debug)]
pub struct Format {
    /// The name that `--as` takes.
    pub name: &'static str,
    /// One line for help texts.
    pub about: &'static str,
    /// What it stands for.
    pub kind: InputKind,
}

impl Format {
    /// What the names of files end in that are read so, where nothing in them says otherwise.
    #[must_use]
    pub fn suffixes(&self) -> &'static [&'static str] {
        match self.kind {
            InputKind::Document(markup) => markup.suffixes(),
            InputKind::Auto | InputKind::Text | InputKind::Mail => &[],
        }
    }
}

/// Every way to read inputs; the first is the default.
pub static FORMATS: &[Format] = &[
    Format { name: "auto", about: "by content", kind: InputKind::Auto },
    Format { name: "text", about: "text without structure", kind: InputKind::Text },
    Format { name: "mail", about: "a mailbox, or one message", kind: InputKind::Mail },
    Format { name: "markdown", about: "Markdown", kind: InputKind::Document(Markup::Markdown) },
    Format { name: "rst", about: "reStructuredText", kind: InputKind::Document(Markup::Rest) },
    Format { name: "asciidoc", about: "AsciiDoc", kind: InputKind::Document(Markup::AsciiDoc) },
    Format { name: "org", about: "Org", kind: InputKind::Document(Markup::Org) },
    Format { name: "html", about: "HTML or XHTML", kind: InputKind::Document(Markup::Html) },
    Format { name: "css", about: "a style sheet", kind: InputKind::Document(Markup::Css) },
    Format {
        name: "feed",
        about: "a sitemap, RSS or Atom",
        kind: InputKind::Document(Markup::Feed),
    },
];
