//! Formats texts and numbers for the page.

use std::fmt;

use crate::report::escape::xml::reference;
use crate::report::escape::{Shown, replace};

/// Any text, for the content of an element or an attribute in double quotes.
///
/// Markup becomes references (WHATWG HTML §13.1.4). Characters that are hidden, reorder text or are
/// not allowed in HTML become visible escapes, as on a terminal. Not for scripts, styles or the
/// names of elements and attributes.
#[derive(Clone, Copy)]
pub(super) struct Text<'t>(pub(super) &'t str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        replace(&Shown(self.0.as_bytes()).to_string(), reference, out)
    }
}

/// Returns `text` with control and invisible characters made visible, for display only.
pub(super) fn shown(text: &[u8]) -> String {
    Shown(text).to_string()
}

/// Returns a number with a comma before every three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (idx, digit) in digits.char_indices() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a number and the noun it counts: `1 file`, `2 files`.
pub(super) fn counted(number: u64, one: &str) -> String {
    format!("{} {one}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Returns a share in percent, rounded to one decimal. It is 0 % or 100 % only if that is exact.
pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "\u{2013}".to_owned();
    }
    if part == 0 || part == whole {
        return if part == 0 { "0 %" } else { "100 %" }.to_owned();
    }
    let (part, whole) = (u128::from(part), u128::from(whole));
    let tenths = (part * 1000 + whole / 2) / whole;
    let tenths = tenths.clamp(1, 999);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// Returns a number of bytes with a decimal unit (IEC 80000-13).
pub(super) fn size(bytes: u64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
    let mut scale: u64 = 1;
    let mut unit = "B";
    // Rounded: 999 999 are 1.0 MB, and not 1000.0 kB.
    let tenths = |scale: u64| (u128::from(bytes) * 10 + u128::from(scale / 2)) / u128::from(scale);
    for larger in units.iter().skip(1) {
        if tenths(scale) < 10_000 {
            break;
        }
        (scale, unit) = (scale.saturating_mul(1000), larger);
    }
    let tenths = tenths(scale);
    if scale == 1 {
        format!("{bytes} B")
    } else {
        format!("{}.{} {unit}", tenths / 10, tenths % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::{Text, grouped, percent, size};

    #[test]
    fn markup_becomes_text() {
        let hostile = "<b a='\"'>&amp;\0\u{202e}";
        let wanted = r"&lt;b a=&#39;&quot;&#39;&gt;&amp;amp;\x00\u{202e}";
        assert_eq!(Text(hostile).to_string(), wanted);
    }

    #[test]
    fn numbers_are_grouped_by_three() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn a_share_is_all_or_nothing_only_when_it_is() {
        for (part, whole, text) in [
            (0, 0, "\u{2013}"),
            (0, 3, "0 %"),
            (3, 3, "100 %"),
            (1, 3, "33.3 %"),
            (72_000, 108_000, "66.7 %"),
            (1, 16, "6.3 %"),
            (1, 1_000_000, "0.1 %"),
            (999_999, 1_000_000, "99.9 %"),
        ] {
            assert_eq!(percent(part, whole), text);
        }
    }

    #[test]
    fn sizes_have_units_of_thousands() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.0 kB"),
            (874_912, "874.9 kB"),
            (999_949, "999.9 kB"),
            (999_999, "1.0 MB"),
            (1_960_000, "2.0 MB"),
            (u64::MAX, "18.4 EB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
