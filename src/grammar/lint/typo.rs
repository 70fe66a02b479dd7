//! Schemes that nobody knows and that are one slip of a finger away from a common one.
//!
//! New schemes are made from old ones by a letter in front or behind (`shttp`, `httpu`,
//! `hftp`), so these are slips only where the letter is doubled. A scheme of the table is
//! never a slip; the caller sees to that.

use super::warn;
use crate::finding::Warning;
use crate::finding::lint::SCHEME_TYPO;
use crate::uri::Uri;

/// Which slips lead to a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slips {
    /// Any: the name has few neighbours that mean something.
    Any,
    /// Neighbours swapped and letters doubled: short words differ by one letter from many.
    Clear,
}

/// The names that people type, the more common ones first.
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

/// Names in use that are no slips: PTTP is registered, RTTP streams prices of stocks.
const IN_USE: [&[u8]; 2] = [b"pttp", b"rttp"];

/// Longest name that can be a slip of one of [`COMMON`].
const NAME_LEN_MAX: usize = 9;

pub(super) fn lint(uri: &Uri<'_>, warnings: &mut Vec<Warning>) {
    let Some(name) = uri.scheme else { return };
    if name.len() > NAME_LEN_MAX {
        return;
    }
    let lower = name.of(uri.text).to_ascii_lowercase();
    let is_mail = uri.host.is_none() && uri.path.of(uri.text).contains(&b'@');
    // What follows must look like what follows the name that was meant.
    let fits = |meant: &str| if meant == "mailto" { is_mail } else { uri.host.is_some() };
    if let Some(meant) = meant(&lower, fits) {
        let message = format!("an unknown scheme, one slip away from \"{meant}\"");
        warn(warnings, &SCHEME_TYPO, 0, message);
    }
}

/// The common name that `name` was meant to be; the more likely slip is tried first.
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

/// True when `name` is `common` with another letter in front of it or behind it.
fn is_derived(name: &[u8], common: &str) -> bool {
    let common = common.as_bytes();
    let before = name.strip_suffix(common);
    let behind = name.strip_prefix(common);
    matches!(before, Some([letter]) if Some(letter) != common.first())
        || matches!(behind, Some([letter]) if Some(letter) != common.last())
}

/// What a finger does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slip {
    /// Two neighbours swapped, or a letter doubled.
    Clear,
    /// One letter is missing.
    LetterLost,
    /// One letter is too many.
    LetterAdded,
    /// One letter is another.
    LetterOther,
}

/// The one slip that makes `name` of `common`; none when they are equal or further apart.
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
