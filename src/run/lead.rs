//! Where a finding leads, before anything is requested.

use std::borrow::Cow;

use crate::finding::{Class, Cue, Finding, Reach, Verdict};

/// Where a finding leads.
pub(super) enum Lead<'f> {
    /// To nothing: it is malformed, or not whole.
    Nowhere,
    /// To a file, perhaps: it is relative, or names one.
    Local,
    /// To a message or a part of one, of those that were read.
    Mail,
    /// To something that only asking tells.
    Remote(Cow<'f, [u8]>),
    /// To what is known without asking.
    Known(Reach),
}

/// Where `finding` leads.
pub(super) fn lead<'f>(finding: &'f Finding<'_>) -> Lead<'f> {
    if matches!(finding.facts.verdict, Verdict::Error | Verdict::Skipped) {
        return Lead::Nowhere;
    }
    if finding.is_name {
        let message = "it is the name of an XML namespace or the like, and leads nowhere";
        return Lead::Known(Reach::new(Class::Unverifiable, "none", message));
    }
    let text = finding.uri.in_clear();
    match &*finding.facts.scheme {
        "" if finding.cue == Cue::Www => Lead::Remote([b"http://", text].concat().into()),
        "" if finding.is_origin && !finding.is_mail && !text.starts_with(b"//") => {
            let message = "nothing is used but its host, which is that of its page";
            Lead::Known(Reach::new(Class::Unverifiable, "none", message))
        }
        "" | "file" if finding.is_mail => {
            let message = "files are not looked up for mail and news";
            Lead::Known(Reach::new(Class::PolicyScheme, "none", message))
        }
        "" | "file" => Lead::Local,
        "mid" | "cid" if finding.is_mail => Lead::Mail,
        _ => Lead::Remote(text.into()),
    }
}
