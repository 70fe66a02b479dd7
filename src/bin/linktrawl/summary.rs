//! Formats the summary of a run: one line on standard error, or lines after the text report.
//!
//! All words are fixed, so nothing here is escaped.

use std::cmp::Reverse;
use std::io::{self, Write as _};

use linktrawl::Error;
use linktrawl::internal::finding::{Archived, Summary, Verdict};
use linktrawl::internal::report::statement::counted;

use crate::args::scan::To;
use crate::stderr;

/// Writes `summary` to `place`.
///
/// # Errors
/// When it cannot be written after the report. A broken pipe is no error.
pub(crate) fn tell(summary: &Summary, place: To) -> Result<(), Error> {
    match place {
        To::None => {}
        To::Stderr => stderr::say(&closing_count(summary)),
        To::Stdout => return print(&lines(summary)),
    }
    Ok(())
}

/// Prints the digest of the findings.
pub(crate) fn tell_digest(summary: &Summary) {
    stderr::say(&format!("digest: {}", summary.digest.unwrap_or_default()));
}

fn print(text: &str) -> Result<(), Error> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(source) if source.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::Write { target: "stdout".to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// Returns an empty line, a line for each number, and whether the run was complete.
///
/// Each verdict is followed by its reasons, the most frequent first.
fn lines(summary: &Summary) -> String {
    let mut facts = totals(summary);
    for (verdict, number) in Verdict::ALL.into_iter().zip(summary.verdicts) {
        let name = verdict.name();
        if number > 0 {
            facts.push(format!("{number} {name}"));
        }
        let mut troubles: Vec<_> =
            summary.troubles.iter().filter(|((of, _), _)| *of == verdict).collect();
        troubles.sort_by_key(|((_, why), number)| (Reverse(**number), *why));
        facts.extend(troubles.iter().map(|((_, why), number)| format!("{number} {name}[{why}]")));
    }
    let skipped = summary.skipped.iter();
    facts.extend(skipped.map(|(skip, number)| format!("{number} left out: {}", skip.name())));
    let archived = Archived::NAMES.iter().zip(summary.archived()).filter(|(_, number)| *number > 0);
    facts.extend(archived.map(|(name, number)| format!("{number} {name}")));
    let unknown = summary
        .not_looked_up()
        .map(|(reason, number)| format!("{number} {NOT_LOOKED_UP}: {}", reason.words()));
    facts.extend(unknown);
    let facts: Vec<_> = facts.iter().filter_map(|fact| fact.split_once(' ')).collect();
    let width = facts.iter().map(|(number, _)| number.len()).max().unwrap_or_default();
    let mut text = "\n".to_owned();
    for (number, what) in facts {
        text.push_str(&format!("{number:>width$} {what}\n"));
    }
    text.push_str(if summary.complete { "complete\n" } else { "incomplete\n" });
    text
}

/// Formats the summary as one line: `12 files, 3.4 MB, 56 findings: 54 ok, 2 error; left out: 3
/// hidden`.
fn closing_count(summary: &Summary) -> String {
    let mut text = totals(summary).join(", ");
    let verdicts = Verdict::ALL.iter().map(|verdict| verdict.name()).zip(summary.verdicts);
    append_list(&mut text, ": ", verdicts);
    let skipped = summary.skipped.iter().map(|(skip, &number)| (skip.name(), number));
    append_list(&mut text, "; left out: ", skipped);
    append_list(&mut text, "; ", Archived::NAMES.into_iter().zip(summary.archived()));
    let reasons = summary.not_looked_up().map(|(reason, number)| (reason.words(), number));
    append_list(&mut text, ": ", reasons);
    if !summary.complete {
        text.push_str("; incomplete");
    }
    text
}

/// The name of the count of links that were not looked up in archives.
const NOT_LOOKED_UP: &str = {
    let [_, _, name] = Archived::NAMES;
    name
};

/// Returns what was read, and the number of findings: `12 files`, `3.4 MB`, `56 findings`.
fn totals(summary: &Summary) -> Vec<String> {
    let mut parts = vec![counted(summary.files, "file"), size(summary.bytes)];
    if summary.members > 0 {
        parts.push(counted(summary.members, "member"));
    }
    if summary.messages > 0 {
        parts.push(counted(summary.messages, "message"));
    }
    parts.push(counted(summary.findings, "finding"));
    if let Some(distinct) = summary.distinct {
        parts.push(format!("{distinct} distinct"));
    }
    parts
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

/// Units of 1000, as disks and networks count.
const UNITS: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];

/// Formats a size, rounded to one decimal: `999 B`, `3.4 MB`. 999 999 is `1.0 MB`, not `1000.0 kB`.
fn size(bytes: u64) -> String {
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut unit_bytes: u64 = 1000;
    let mut units = UNITS.iter();
    let mut unit = units.next();
    let tenths = |of: u64| (u128::from(bytes) * 10 + u128::from(of / 2)) / u128::from(of);
    while tenths(unit_bytes) >= 10_000
        && let Some(larger) = units.next()
    {
        unit_bytes = unit_bytes.saturating_mul(1000);
        unit = Some(larger);
    }
    let tenths = tenths(unit_bytes);
    format!("{}.{} {}", tenths / 10, tenths % 10, unit.copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use linktrawl::internal::finding::{Archived, NotLookedUp, Skip, Summary, Verdict};

    use super::{closing_count, lines, size};

    /// Formats the summary of a complete run.
    fn whole() -> Summary {
        let (files, bytes, findings) = (12, 3_400_000, 56);
        Summary { complete: true, files, bytes, findings, ..Summary::default() }
    }

    #[test]
    fn sizes_have_one_decimal_and_the_fitting_unit() {
        let sizes = [0, 999, 1000, 1_049, 1_050, 3_449_999, 1_960_000, 999_949, 999_950, u64::MAX];
        let wanted = [
            "0 B", "999 B", "1.0 kB", "1.0 kB", "1.1 kB", "3.4 MB", "2.0 MB", "999.9 kB", "1.0 MB",
            "18.4 EB",
        ];
        let shown = sizes.map(size);
        assert_eq!(shown, wanted);
    }

    #[test]
    fn the_closing_count_names_what_was_left_out() {
        let mut summary = Summary {
            verdicts: [54, 0, 2, 0],
            skipped: BTreeMap::from([(Skip::Hidden, 3), (Skip::Ignored, 1)]),
            ..whole()
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

    #[test]
    fn links_that_were_not_looked_up_in_archives_are_counted_by_reason() {
        let mut summary = whole();
        for (result, count) in [
            (Archived::Absent, 3),
            (Archived::Unknown(NotLookedUp::Action), 2),
            (Archived::Unknown(NotLookedUp::NoAnswer), 4),
        ] {
            (0..count).for_each(|_| summary.count_archived(Some(result.index())));
        }
        let wanted = "12 files, 3.4 MB, 56 findings; 3 not archived, 6 not looked up in archives: \
                      2 it may act, 4 an archive gave no answer";
        assert_eq!(closing_count(&summary), wanted);
        let wanted = "  6 not looked up in archives\n  2 not looked up in archives: it may act\n";
        assert!(lines(&summary).contains(wanted), "{}", lines(&summary));
    }

    #[test]
    fn lines_after_a_report_have_a_number_each() {
        let mut summary = Summary {
            verdicts: [49, 1, 5, 1],
            troubles: BTreeMap::from([
                ((Verdict::Warn, "missing"), 1),
                ((Verdict::Error, "missing"), 1),
                ((Verdict::Error, "pct-encoded"), 3),
                ((Verdict::Error, "dns"), 1),
            ]),
            skipped: BTreeMap::from([(Skip::Hidden, 3), (Skip::Known, 1)]),
            ..whole()
        };
        let wanted = "
 12 files
3.4 MB
 56 findings
 49 ok
  1 warn
  1 warn[missing]
  5 error
  3 error[pct-encoded]
  1 error[dns]
  1 error[missing]
  1 skipped
  3 left out: hidden
  1 left out: known
complete
";
        assert_eq!(lines(&summary), wanted);
        summary = Summary { files: 1, messages: 1, distinct: Some(0), ..Summary::default() };
        let wanted = "\n1 file\n0 B\n1 message\n0 findings\n0 distinct\nincomplete\n";
        assert_eq!(lines(&summary), wanted);
    }
}
