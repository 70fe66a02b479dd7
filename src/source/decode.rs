//! Reads pieces as haystacks: the last step of reading. No later stage needs to know how a text was
//! stored.

use super::account::{Account, Wanted};
use super::haystack::Reader;
use super::mail::haystacks;
use super::piece::{Piece, Records};
use super::{document, text};

/// Passes the haystacks of `piece` to `reader`, in order.
///
/// If the previous piece's last candidate may extend into this piece, waits for its end offset.
pub fn read(piece: &Piece, wanted: Wanted, reader: &mut dyn Reader) -> Account {
    let floor = piece.reached_before.as_ref().and_then(|told| told.recv().ok()).unwrap_or(0);
    let floor = usize::try_from(floor.saturating_sub(piece.base)).unwrap_or(piece.bytes.len());
    let (reached, account) = match &piece.records {
        Records::Text { .. } => (text::read(piece, floor, reader), Account::default()),
        Records::Document(document) => (piece.bytes.len(), document::read(piece, document, reader)),
        Records::Mail { .. } => haystacks::read(piece, wanted, floor, reader),
    };
    if let Some(tell) = &piece.reached {
        // The receiver is gone when the run was stopped.
        let _ = tell.send(piece.base + reached as u64);
    }
    account
}
