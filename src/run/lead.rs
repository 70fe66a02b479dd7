//! Classifies where a finding leads, before anything is requested.

use std::borrow::Cow;

use crate::check::unwrap::unwrapped;
use crate::finding::{Class, Cue, Finding, Reach, Verdict};

/// The kind of target that a finding leads to.
pub(super) enum Lead<'f> {
    /// None: the link is malformed, or cut.
    Nowhere,
    /// A file, perhaps: the link is relative, or names one.
    Local,
    /// A message of the inputs, or a part of one.
    Mail,
    /// A target whose state only a probe can find out: its URI.
    Remote(Cow<'f, [u8]>),
    /// A target whose result is known without a probe.
    Known(Reach),
}

/// Returns where `finding` leads.
pub(super) fn lead<'f>(finding: &'f Finding<'_>) -> Lead<'f> {
    if matches!(finding.facts.verdict, Verdict::Error | Verdict::Skipped) {
        return Lead::Nowhere;
    }
    if finding.is_torn {
        let message = "its text could not be read further, so that its end is not known";
        return Lead::Known(Reach::new(Class::Unverifiable, Reach::UNREQUESTED, message));
    }
    if finding.is_name {
        let message = "it names an XML namespace or the like, not a page";
        return Lead::Known(Reach::new(Class::Unverifiable, Reach::UNREQUESTED, message));
    }
    if let Some(reason) = finding.wrapped.as_ref().and_then(|wrapped| wrapped.unknown) {
        return Lead::Known(wrapped(reason));
    }
    let text = finding.uri.in_clear();
    match &*finding.facts.scheme {
        "" if finding.cue == Cue::Www => Lead::Remote([b"http://", text].concat().into()),
        "" if finding.is_origin && !finding.is_mail && !text.starts_with(b"//") => {
            let message = "nothing is used but its host, which is that of its page";
            Lead::Known(Reach::new(Class::Unverifiable, Reach::UNREQUESTED, message))
        }
        "" | "file" if finding.is_mail => {
            let message = "files are not looked up for mail and news";
            Lead::Known(Reach::new(Class::PolicyScheme, Reach::UNREQUESTED, message))
        }
        "" | "file" => Lead::Local,
        "mid" | "cid" if finding.is_mail => Lead::Mail,
        _ => Lead::Remote(text.into()),
    }
}

/// Returns the target of a link that was resolved to `uri`: the link inside of it if that is the
/// URL of a mail gateway and `unwraps` says that no gateway may be requested.
///
/// # Errors
/// The result, if the gateway keeps the target.
pub(super) fn resolved(uri: Vec<u8>, unwraps: bool) -> Result<Vec<u8>, Reach> {
    match unwrapped(&uri).filter(|_| unwraps) {
        Some(link) => link.target.map_err(|unknown| wrapped(unknown.about())),
        None => Ok(uri),
    }
}

/// Returns the result of a link that a mail gateway wrapped, whose target is unknown for `reason`.
pub(super) fn wrapped(reason: &str) -> Reach {
    Reach::new(Class::Wrapped, Reach::UNREQUESTED, format!("wrapped, target unknown: {reason}"))
}
