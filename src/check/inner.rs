//! Replaces a candidate that a mail gateway wrapped by the original link.

use std::sync::Arc;

use super::unwrap::{Unknown, unwrapped};
use super::{ASSUMED, Unchecked};
use crate::finding::Wrapped;
use crate::scheme;
use crate::uri::Redacted;

/// The link inside of a wrapped candidate.
pub(super) struct Inner {
    /// The target, or the innermost wrapper if that is unknown; `None` for the candidate itself.
    text: Option<Vec<u8>>,
    pub(super) wrapped: Arc<Wrapped>,
    /// The text that a reader sees, without its wrappers, if it has some; empty if its target is
    /// unknown.
    shown: Option<Vec<u8>>,
}

impl Inner {
    /// Returns the link inside of `found`, if it is wrapped.
    pub(super) fn of(found: &Unchecked<'_>) -> Option<Self> {
        let link = if found.is_assumed() {
            unwrapped(&[ASSUMED, found.text].concat())
        } else if found.text.starts_with(b"//") {
            // The scheme of the document does not apply to the wrapped link.
            unwrapped(&[b"https:", found.text].concat())
        } else {
            unwrapped(found.text)
        };
        let Some(link) = link else {
            let (by, unknown) = (vec![found.broken_by?], Some(Unknown::Cut.about()));
            return Some(Self {
                text: None,
                wrapped: Arc::new(Wrapped { by, unknown }),
                shown: None,
            });
        };
        let by = link.names();
        // If a URI was cut, the missing rest may decide its target.
        let target = match link.target {
            _ if found.is_cut => Err(Unknown::Long),
            _ if found.broken_by.is_some() => Err(Unknown::Cut),
            target => target,
        };
        let unknown = target.as_ref().err().map(|unknown| unknown.about());
        let text = match target {
            Ok(target) => Some(target),
            Err(_) if found.is_cut || found.broken_by.is_some() || by.len() == 1 => None,
            Err(_) => link.layers.into_iter().next_back().map(|layer| layer.uri),
        };
        let shown = found.shown.and_then(|shown| unwrapped(shown.trim_ascii()));
        let shown = shown.map(|shown| shown.target.unwrap_or_default());
        Some(Self { text, wrapped: Arc::new(Wrapped { by, unknown }), shown })
    }
}

impl<'f> Unchecked<'f> {
    /// Returns the candidate with the text of `inner`. Text that follows a wrapper does not belong
    /// to its target.
    pub(super) fn unwrapped(self, inner: &'f Inner) -> Self {
        let Some(text) = &inner.text else { return self };
        let uri = if self.is_unfinished { Redacted::unfinished(text) } else { Redacted::new(text) };
        let scheme_len = scheme::name_len(text);
        let scheme = scheme::find(text.get(..scheme_len).unwrap_or_default());
        let shown = inner.shown.as_deref().or(self.shown);
        Self { text, uri, scheme, scheme_len, shown, after: None, doubt: None, ..self }
    }

    /// Returns the candidate, marked as free of gateways' URLs, so that displaying it does not
    /// search for them again.
    pub(super) fn without_tokens(self) -> Self {
        let is_same = self.raw.in_clear() == self.text;
        let raw = if is_same { self.raw.without_tokens() } else { self.raw };
        Self { uri: self.uri.without_tokens(), raw, ..self }
    }
}
