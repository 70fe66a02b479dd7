//! What is said on standard error: errors, warnings, and the closing count.
//!
//! Everything is escaped, because paths and messages come from strangers. A standard error
//! that is closed is no reason to fail.

use std::io::Write as _;

use linktrawl::finding::{Note, Summary, Verdict};
use linktrawl::report::escape::Shown;

use crate::shown::shown;

/// Says `message`, each of its lines escaped, behind the program's name.
pub(crate) fn say(message: &str) {
    // One write, so that lines of several threads do not tear.
    let _ = std::io::stderr().lock().write_all(&said(message));
}

fn said(message: &str) -> Vec<u8> {
    let mut out = b"linktrawl: ".to_vec();
    // Hidden in all of it at once: a password may go on behind a line end.
    let message = shown(message.as_bytes());
    for line in message.strip_suffix(b"\n").unwrap_or(&message).split(|&byte| byte == b'\n') {
        Shown(line).append_to(&mut out);
        out.push(b'\n');
    }
    out
}

/// Says `note` as `linktrawl: warning: path!member: message`.
pub(crate) fn warn(note: &Note) {
    let mut out = b"linktrawl: warning: ".to_vec();
    Shown(&shown(note.origin.path.as_os_str().as_encoded_bytes())).append_to(&mut out);
    for member in &note.origin.members {
        out.push(b'!');
        Shown(&shown(member)).append_to(&mut out);
    }
    out.extend_from_slice(b": ");
    Shown(note.message.as_bytes()).append_to(&mut out);
    if let Some(offset) = note.offset {
        out.extend_from_slice(format!(" (at byte {offset})").as_bytes());
    }
    out.push(b'\n');
    let _ = std::io::stderr().lock().write_all(&out);
}

/// `12 files, 3.4 MB, 56 findings: 54 ok, 2 error; left out: 3 hidden`.
pub(crate) fn closing_count(summary: &Summary) -> String {
    let mut parts = vec![count(summary.files, "file"), size(summary.bytes)];
    if summary.members > 0 {
        parts.push(count(summary.members, "member"));
    }
    if summary.messages > 0 {
        parts.push(count(summary.messages, "message"));
    }
    parts.push(count(summary.findings, "finding"));
    if let Some(distinct) = summary.distinct {
        parts.push(format!("{distinct} distinct"));
    }
    let mut text = parts.join(", ");
    let verdicts = Verdict::ALL.iter().map(|verdict| verdict.name()).zip(summary.verdicts);
    append_list(&mut text, ": ", verdicts);
    append_list(&mut text, "; left out: ", summary.skipped.iter().map(|(&name, &n)| (name, n)));
    if !summary.complete {
        text.push_str("; incomplete");
    }
    text
}

/// Appends `intro` and the counts that are not zero, when there are any.
fn append_list<'n>(text: &mut String, intro: &str, counts: impl Iterator<Item = (&'n str, u64)>) {
    let parts: Vec<_> =
        counts.filter(|(_, n)| *n > 0).map(|(name, n)| format!("{n} {name}")).collect();
    if !parts.is_empty() {
        text.push_str(intro);
        text.push_str(&parts.join(", "));
    }
}

fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Units of 1000, as disks and networks count.
const UNITS: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];

/// `999 B`, `3.4 MB`: one decimal, cut and not rounded, so that 999 999 is no `1000.0 kB`.
fn size(bytes: u64) -> String {
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut tenths = bytes / 100;
    let mut units = UNITS.iter();
    let mut unit = units.next();
    while tenths >= 10_000
        && let Some(larger) = units.next()
    {
        tenths /= 1000;
        unit = Some(larger);
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, unit.copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use linktrawl::finding::Summary;

    use super::{closing_count, said, size};

    #[test]
    fn no_message_says_a_password() {
        let wanted = "linktrawl: no file ftp://u:***@h/\nbut \\x1b\n";
        assert_eq!(said("no file ftp://u:sec\nret@h/\nbut \x1b\n"), wanted.as_bytes());
    }

    #[test]
    fn sizes_have_one_decimal_and_the_fitting_unit() {
        let shown = [0, 999, 1000, 3_449_999, 999_999, 5_000_000_000, u64::MAX].map(size);
        let wanted = ["0 B", "999 B", "1.0 kB", "3.4 MB", "999.9 kB", "5.0 GB", "18.4 EB"];
        assert_eq!(shown, wanted);
    }

    #[test]
    fn the_closing_count_names_what_was_left_out() {
        let mut summary = Summary {
            complete: true,
            files: 12,
            members: 0,
            bytes: 3_400_000,
            messages: 0,
            findings: 56,
            distinct: None,
            verdicts: [54, 0, 2, 0],
            skipped: BTreeMap::from([("hidden", 3), ("ignored", 1)]),
        };
        assert_eq!(
            closing_count(&summary),
            "12 files, 3.4 MB, 56 findings: 54 ok, 2 error; left out: 3 hidden, 1 ignored"
        );
        summary =
            Summary { files: 1, members: 2, messages: 1, distinct: Some(0), ..Summary::default() };
        assert_eq!(
            closing_count(&summary),
            "1 file, 0 B, 2 members, 1 message, 0 findings, 0 distinct; incomplete"
        );
    }
}
