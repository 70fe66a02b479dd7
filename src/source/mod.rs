//! What holds text: files, directory trees, standard input, mailboxes, documents.
//!
//! Everything is read front to back in blocks, cut into pieces, and passed on; nothing is kept.
//! `detect` decides by first bytes, names and places what an input is. `members` reads it: what is
//! compressed or an archive, the unpackers of `container` unpack, and each member is read like an
//! input; everything else is cut into pieces (`cut`). `boxes` finds where messages begin, `mime`
//! reads what mail has in it, and `markup` what a document makes a link.

pub mod boxes;
pub mod buffer;
pub mod changes;
pub mod charset;
mod container;
pub mod cut;
mod detect;
pub mod fields;
pub mod file;
pub mod kind;
mod letters;
pub mod limits;
pub mod mailbox;
pub mod maildir;
pub mod markup;
mod members;
pub mod mime;
pub mod names;
pub mod page;
pub mod piece;
mod told;
pub mod walk;

pub use buffer::Buffer;
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
    /// As mail for its place, or a name that messages have: a mailbox when it begins like one, else
    /// one message, which may quote mailboxes.
    Posted,
    /// The same for what is called a page that is kept as a message: a document where it begins as
    /// HTML does, since some programs save it so.
    SavedPage,
    /// As a document in a markup language.
    Document(Markup),
}

impl InputKind {
    /// True for mail, whatever its first bytes are.
    const fn is_mail(self) -> bool {
        matches!(self, Self::Mail | Self::Posted | Self::SavedPage)
    }
}

/// A way to read inputs that can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name that `--as` takes.
    pub name: &'static str,
    /// One line for help texts.
    pub about: &'static str,
    /// What it stands for.
    pub kind: InputKind,
}

impl Format {
    /// What the names of files end in that are read so, where nothing in them says otherwise; as
    /// mail, whatever is in them, but for what is packed.
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

/// The ways to read what is no document in a markup language.
const OTHERS: [Format; 3] = [
    Format {
        name: "auto",
        about: "by content, documents and mail by name, too",
        kind: InputKind::Auto,
    },
    Format { name: "text", about: "text without structure", kind: InputKind::Text },
    Format { name: "mail", about: "a mailbox, or one message", kind: InputKind::Mail },
];

/// Every way to read inputs; the first is the default.
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
