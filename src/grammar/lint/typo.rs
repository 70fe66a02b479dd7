//! Finds unknown schemes that are one typing error away from a common one.
//!
//! New schemes are derived from old ones by a letter before or after (`shttp`, `httpu`, `hftp`), so
//! that an additional letter there is an error only if it doubles its neighbour. Known schemes are
//! never errors: the caller excludes them.

use super::warn;
use crate::finding::Warning;
use crate::finding::lint::SCHEME_TYPO;
use crate::uri::Uri;

/// The typing errors accepted for a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slips {
    /// Any: few similar names have a meaning.
    Any,
    /// Swapped neighbours and doubled letters only: short words differ by one letter from many.
    Clear,
}

/// The schemes that people type, the more common ones first.
static COMMON: &[(&str, Slips)] = &[
    ("http", Slips::Any),
    ("https", Slips::Any),
    ("mailto", Slips::Any),
    ("ftp", Slips::Clear),
    ("telnet", Slips::Any),
    ("gopher", Slips::Any),
    ("file", Slips::Clear),
    ("nntp", Slips::Clear),
    ("prospero", Slips::Any),
];

/// Names in use that are no errors: PTTP is registered, RTTP streams prices of stocks.
const IN_USE: [&[u8]; 2] = [b"pttp", b"rttp"];

/// Longest name that can be an error for one of [`COMMON`].
const NAME_LEN_MAX: usize = 9;

pub(super) fn lint(uri: &Uri<'_>, warnings: &mut Vec<Warning>) {
    let Some(name) = uri.scheme else { return };
    if name.len() > NAME_LEN_MAX {
        return;
    }
    let lower = name.of(uri.text).to_ascii_lowercase();
    let is_mail = uri.host.is_none() && uri.path.of(uri.text).contains(&b'@');
    // The rest must look like the rest of a URI of the intended scheme.
    let fits = |meant: &str| if meant == "mailto" { is_mail } else { uri.host.is_some() };
    if let Some(meant) = meant(&lower, fits) {
        let message = format!("an unknown scheme, one slip away from \"{meant}\"");
        warn(warnings, &SCHEME_TYPO, 0, message);
    }
}

/// Returns the common name intended by `name`; the more likely typing error is tried first.
fn meant(name: &[u8], fits: impl Fn(&str) -> bool) -> Option<&'static str> {
    if IN_USE.contains(&name) || COMMON.iter().any(|(common, _)| is_derived(name, common)) {
        return None;
    }
    let near = |wanted: &[Slip]| {
        let is_near = |(common, slips): &&(&'static str, Slips)| {
            slip(name, common.as_bytes()).is_some_and(|slip| {
                wanted.contains(&slip) && (slip == Slip::Clear || *slips == Slips::Any)
            })
        };
        COMMON.iter().filter(|(common, _)| fits(common)).find(is_near).map(|(common, _)| *common)
    };
    near(&[Slip::Clear])
        .or_else(|| near(&[Slip::LetterLost, Slip::LetterAdded]))
        .or_else(|| near(&[Slip::LetterOther]))
}

/// Reports whether `name` is `common` with another letter before or after it.
fn is_derived(name: &[u8], common: &str) -> bool {
    let common = common.as_bytes();
    let before = name.strip_suffix(common);
    let after = name.strip_prefix(common);
    matches!(before, Some([letter]) if Some(letter) != common.first())
        || matches!(after, Some([letter]) if Some(letter) != common.last())
}

/// A typing error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slip {
    /// Two neighbours are swapped, or a letter is doubled.
    Clear,
    /// One letter is missing.
    LetterLost,
    /// One letter is too many.
    LetterAdded,
    /// One letter is replaced.
    LetterOther,
}

/// Returns the typing error that turns `common` into `name`; `None` if they are equal, or differ by
/// more than one error.
fn slip(name: &[u8], common: &[u8]) -> Option<Slip> {
    let same = name.iter().zip(common).take_while(|(a, b)| a == b).count();
    let (alike, name) = name.split_at_checked(same)?;
    match (name, common.get(same..)?) {
        ([a, b, name @ ..], [c, d, common @ ..]) if (a, b, name) == (d, c, common) => {
            Some(Slip::Clear)
        }
        ([letter, name @ ..], common) if alike.last() == Some(letter) && name == common => {
            Some(Slip::Clear)
        }
        ([_, name @ ..], [_, common @ ..]) if name == common => Some(Slip::LetterOther),
        (name, [_, common @ ..]) if name == common => Some(Slip::LetterLost),
        ([_, name @ ..], common) if name == common => Some(Slip::LetterAdded),
        _ => None,
    }
}
