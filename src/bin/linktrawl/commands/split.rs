//! Implements `linktrawl scan --split`: scans one part of the inputs for an engine that runs many.
//!
//! The exit code reports to the engine whether the report is complete; findings do not change it.
//! The last line on standard error is a record of the work, by which an engine detects a report
//! that was cut off.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};

use linktrawl::internal::finding::{Note, NoteKind, Summary};
use linktrawl::internal::run::{InputKind, Observer, Split};

use crate::args::scan::ScanFlags;
use crate::config::Config;
use crate::exit::Exit;
use crate::lines::STDIN;
use crate::plan::Plan;
use crate::{progress, stderr, streams, summary};

/// Parts of the inputs could not be read, and another attempt would not change that.
const UNREADABLE: u8 = 3;
/// The program failed on a part of the inputs (`EX_SOFTWARE` of sysexits.h).
const DEFECT: u8 = 70;
/// The inputs have changed, or the system failed: another attempt may do better (`EX_TEMPFAIL`).
const AGAIN: u8 = 75;

/// Scans the split that the file `from` describes; `-` is standard input.
///
/// # Errors
/// When an option is wrong, or the descriptor is.
pub(super) fn run(flags: &ScanFlags, config: Option<&Config>, from: &Path) -> anyhow::Result<Exit> {
    let split = read(from)?;
    anyhow::ensure!(
        flags.kind == InputKind::default() || Some(flags.kind) == split.kind(),
        "expected the --as that the split was planned with, found another"
    );
    let Plan { mut options, reports, voice, summary: place, .. } = Plan::of(flags, config)?;
    options.digest = true;
    let (outputs, files) = reports.open()?;
    let observer = Judge { watch: progress::Watch::new(voice), exit: AtomicU8::new(0) };
    let scanned = linktrawl::internal::run::scan_split(&split, &options, outputs, &observer);
    let code = observer.exit.into_inner();
    drop(observer.watch);
    let done = scanned.and_then(|summary| {
        files.keep()?;
        summary::tell(&summary, place)?;
        Ok(summary)
    });
    match done {
        Ok(summary) => {
            stderr::line(&trailer(&split, &summary, code));
            Ok(Exit::Split(code))
        }
        Err(error) => {
            stderr::say(&format!("error: {error}"));
            Ok(Exit::Split(AGAIN))
        }
    }
}

/// Reads a descriptor.
fn read(from: &Path) -> anyhow::Result<Split> {
    let mut text = Vec::new();
    let (read, name) = if from.as_os_str() == "-" {
        streams::need_stdin()?;
        (io::stdin().lock().read_to_end(&mut text).map(|_| ()), STDIN.to_owned())
    } else {
        (fs::read(from).map(|read| text = read), format!("{from:?}"))
    };
    read.map_err(|error| anyhow::anyhow!("cannot read the split {name}: {error}"))?;
    let text = text.trim_ascii();
    anyhow::ensure!(!text.is_empty(), "expected a split in {name}, found nothing");
    let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let split = Split::parse(first)
        .map_err(|reason| anyhow::anyhow!("cannot read the split {name}: {reason}"))?;
    anyhow::ensure!(first == text, "expected one split in {name}, found several lines");
    Ok(split)
}

/// Returns the last line on standard error. All of it is numbers, and names of our own.
fn trailer(split: &Split, summary: &Summary, code: u8) -> String {
    let skipped: u64 = summary.skipped.values().sum();
    let Summary { findings, bytes, complete, .. } = summary;
    let digest = summary.digest.unwrap_or_default();
    format!(
        "{{\"type\":\"done\",\"split\":\"{}\",\"records\":{findings},\"skipped\":{skipped},\
         \"bytes\":{bytes},\"digest\":\"{digest}\",\"complete\":{}}}",
        split.id(),
        *complete && code == 0
    )
}

/// An observer that finds the exit code in the notes of a run.
struct Judge {
    watch: progress::Watch,
    exit: AtomicU8,
}

impl Observer for Judge {
    fn note(&self, note: &Note) {
        let is_denied = || is_denied(&note.origin.path);
        self.exit.fetch_max(code(note.kind, is_denied), Ordering::Relaxed);
        self.watch.note(note);
    }

    fn progress(&self, bytes: u64) {
        self.watch.progress(bytes);
    }

    fn reporting(&self) {
        self.watch.reporting();
    }
}

/// Reports whether the system does not let this user read `path`. Only a file or a directory is
/// opened: a pipe would wait for a writer.
fn is_denied(path: &Path) -> bool {
    let opened = fs::metadata(path).and_then(|found| match () {
        () if found.is_file() => fs::File::open(path).map(drop),
        () if found.is_dir() => fs::read_dir(path).map(drop),
        () => Ok(()),
    });
    opened.is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
}

/// Returns the exit code of a run with such a note. The worst is the greatest, but for a defect:
/// where another attempt may meet other inputs, it is worth one. An input that `is_denied` to this
/// user stays so.
fn code(kind: NoteKind, is_denied: impl FnOnce() -> bool) -> u8 {
    match kind {
        NoteKind::Internal => DEFECT,
        NoteKind::InputUnreadable if is_denied() => UNREADABLE,
        NoteKind::InputChanged
        | NoteKind::InputGrew
        | NoteKind::InputShrank
        | NoteKind::InputVanished
        | NoteKind::InputUnreadable => AGAIN,
        kind if kind.is_incomplete() => UNREADABLE,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_change_is_worth_another_attempt() {
        let cases = [
            (NoteKind::ArchiveBroken, UNREADABLE),
            (NoteKind::InputUnreadable, AGAIN),
            (NoteKind::InputVanished, AGAIN),
            (NoteKind::Internal, DEFECT),
            (NoteKind::LengthWrong, 0),
        ];
        for (kind, expected) in cases {
            assert_eq!(code(kind, || false), expected, "{kind:?}");
        }
        assert_eq!(code(NoteKind::InputUnreadable, || true), UNREADABLE);
    }
}
