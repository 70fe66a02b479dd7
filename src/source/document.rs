//! Reads a piece that is a document as a haystack: the links of its markup, and its text with
//! references and escapes replaced by the bytes they denote.
//!
//! A document that declares a charset older than Unicode is decoded first, and its findings are
//! reported at their place in the file.

use super::account::Account;
use super::haystack::{Embedded, Haystack, Links, OffsetMap, Originals, Reader};
use super::mail::mime::Coding;
use super::markup::{self, BASE_LEN_MAX, Ignored, Page, Places, Scope, with_replaced};
use super::piece::{Document, Piece};
use crate::finding::{Note, NoteKind, Origin};
use crate::span::{LineSteps, Span};

/// Passes the haystack of a piece that is `document` to `reader`.
pub(super) fn read(piece: &Piece, document: &Document, reader: &mut dyn Reader) -> Account {
    let bytes = &*piece.bytes;
    let mut map = OffsetMap::new(false);
    // Only the beginning of a document declares a charset.
    let charset = (piece.base == 0).then(|| document.markup.charset(bytes)).flatten();
    let Some(charset) = charset else {
        return haystack(piece, document, bytes, map, reader);
    };
    let text = map.decode(Coding::Charset(charset), bytes);
    haystack(piece, document, &text, map, reader)
}

/// Passes on the haystack of `document`, whose text is `own`; `map` maps offsets in it to the
/// piece.
fn haystack<'p>(
    piece: &'p Piece,
    document: &Document,
    own: &[u8],
    mut map: OffsetMap<'p>,
    reader: &mut dyn Reader,
) -> Account {
    let page = document.markup.page(own);
    let mut notes = Vec::new();
    note(piece, &page, &map, &mut notes);
    if document.base.is_none() && are_bases_too_long(&page) {
        notes.push(base_too_long(&piece.origin));
    }
    let text = with_replaced(own, &page.replaced);
    let commented = document.markup.commented(own);
    let lines = (map.depth() > 0).then(LineSteps::default);
    reader.read(&mut Haystack {
        // A base given from outside comes before the page's own.
        base: document.base.as_deref().or(page.base.as_deref()),
        scopes: &page.scopes,
        own,
        places: Places::new(&page.replaced),
        links: Links::Document(&page.links, 0),
        embedded: Embedded::Attributes,
        ignored: Some(Ignored::of(&commented, own.len(), document.comments)),
        lines,
        ..Haystack::new(&text, piece, &mut map)
    });
    Account { templates: page.templates, notes, ..Account::default() }
}

/// Adds notes about the parts of a document that could not be read.
fn note(piece: &Piece, page: &Page, map: &OffsetMap<'_>, notes: &mut Vec<Note>) {
    if page.is_failed {
        notes.push(markup_unread(&piece.origin));
    }
    if let Some(at) = page.broken_at {
        // Findings are located later, from the first one on: the map must not advance here.
        let (at, _) = map.clone().original(Span::new(at, at));
        let at = Originals::new(piece).start(at.start);
        notes.push(markup_broken(&piece.origin, at));
    }
}

/// Returns the note for a document whose markup could not be read.
fn markup_unread(origin: &Origin) -> Note {
    let message = "expected a document that can be read by its markup, found one that is nested \
                   too deep or that its reader failed on: it is read as text";
    let (kind, origin) = (NoteKind::MarkupUnread, origin.clone());
    Note { kind, origin, offset: Some(0), message: message.to_owned() }
}

/// Returns the note for a document with an error in its markup at the offset `at`.
fn markup_broken(origin: &Origin, at: u64) -> Note {
    let message = "expected a tag, a comment or a declaration that XML knows and that has an end, \
                   found none: the rest may be read as plain text";
    let (kind, origin) = (NoteKind::MarkupBroken, origin.clone());
    Note { kind, origin, offset: Some(at), message: message.to_owned() }
}

/// Returns the note for a document whose base is rejected.
fn base_too_long(origin: &Origin) -> Note {
    let message = format!(
        "expected a base of at most {} bytes, found more: links are read as if it were not there",
        BASE_LEN_MAX
    );
    Note { kind: NoteKind::BaseTooLong, origin: origin.clone(), offset: None, message }
}

/// Reports whether `page` has a base that is rejected as too long.
fn are_bases_too_long(page: &Page) -> bool {
    let parts = page.scopes.iter().filter_map(|(_, scope)| match scope {
        Scope::Begins(base) => Some(base),
        Scope::Ends => None,
    });
    page.base.iter().chain(parts).any(|base| markup::is_base_too_long(base))
}
