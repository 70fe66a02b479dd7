//! Reads inputs: files, directory trees, standard input, mailboxes and documents.
//!
//! Each input is read once, front to back, in blocks that are cut into pieces and passed on;
//! nothing is kept. `detect` decides from first bytes, names and places what an input is. `members`
//! reads it: the unpackers of `container` unpack compressed streams and archives, whose members are
//! read like inputs; everything else is cut into pieces (`cut`).
//!
//! A worker then reads each piece as haystacks of decoded text (`decode`, `haystack`). `mail` finds
//! messages and decodes their parts, and `markup` finds the links of documents.

pub mod account;
pub mod buffer;
#[cfg(feature = "report")]
pub mod changes;
mod container;
pub mod cut;
pub mod decode;
mod detect;
mod document;
mod event;
pub mod file;
pub mod haystack;
mod hex;
pub mod kind;
pub mod limits;
pub mod mail;
pub mod markup;
mod members;
pub mod names;
pub mod page;
mod panics;
pub mod part;
pub mod piece;
mod text;
pub mod threads;
pub mod walk;

pub use buffer::Buffer;
#[cfg(feature = "archives")]
pub use container::apart;
#[cfg(feature = "probe")]
pub(crate) use container::web::heads as warc_heads;
use markup::{LANGUAGES, Language, Markup};
pub use piece::{Document, Piece, Records, Window};

/// How an input is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputKind {
    /// By content.
    #[default]
    Auto,
    /// As text without structure.
    Text,
    /// As mail: a mailbox when it begins like one or is the rest of one, else one message.
    Mail,
    /// As mail because of its place or its name: a mailbox when it begins like one, else one
    /// message, which may quote mailboxes.
    Posted,
    /// As [`Self::Posted`], for a name of a web page saved as a message: a document when it begins
    /// as HTML does, since some programs save pages so.
    SavedPage,
    /// As a document in a markup language.
    Document(Markup),
}

impl InputKind {
    /// Reports whether this kind is mail, whatever the first bytes are.
    const fn is_mail(self) -> bool {
        matches!(self, Self::Mail | Self::Posted | Self::SavedPage)
    }
}

/// A way to read inputs that can be selected by name.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name that `--as` takes.
    pub name: &'static str,
    /// One line for help texts.
    pub about: &'static str,
    /// The kind that the name selects.
    pub kind: InputKind,
}

impl Format {
    /// Returns the file name suffixes, without a dot, that select this format. Content takes
    /// precedence over the suffix of a document; the suffix of mail takes precedence over all
    /// content but packed content.
    #[must_use]
    pub fn suffixes(&self) -> &'static [&'static str] {
        match self.kind {
            InputKind::Document(markup) => markup.suffixes(),
            InputKind::Mail => &detect::postal::SUFFIXES,
            InputKind::Auto | InputKind::Text => &[],
            InputKind::Posted | InputKind::SavedPage => &[],
        }
    }
}

/// The formats that are no markup language.
const OTHERS: [Format; 3] = [
    Format {
        name: "auto",
        about: "by content, documents and mail by name, too",
        kind: InputKind::Auto,
    },
    Format { name: "text", about: "text without structure", kind: InputKind::Text },
    Format { name: "mail", about: "a mailbox, or one message", kind: InputKind::Mail },
];

/// Every format; the first is the default.
pub static FORMATS: &[Format] = &{
    let mut list = [OTHERS[0]; OTHERS.len() + LANGUAGES.len()];
    let mut idx = 0;
    while idx < list.len() {
        list[idx] = if idx < OTHERS.len() {
            OTHERS[idx]
        } else {
            let Language { id, name, markup, .. } = LANGUAGES[idx - OTHERS.len()];
            Format { name: id, about: name, kind: InputKind::Document(markup) }
        };
        idx += 1;
    }
    list
};
