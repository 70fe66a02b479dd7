//! Plans the splits of a run: packs small files together, and divides large ones.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::scout::Scout;
use super::{PlannedFile, Split, metadata};
use crate::check;
use crate::error::Error;
use crate::finding::{Note, NoteKind, Origin, Summary};
use crate::platform;
use crate::run::unit::{cannot_open, forgotten};
use crate::run::{Input, InputKind, Observer, Options};
use crate::source::FORMATS;
use crate::source::file::{self, FoundAs, Reading, STDIN};
use crate::source::part::{Joint, Part};
use crate::source::walk::{self, Folders, Identities, Step};

/// Files in one split: as many as are opened in some seconds, and a descriptor of a megabyte.
const FILES_MAX: usize = 10_000;

/// Plans splits of `inputs` that are no larger than `len_max` bytes where that can be, and passes
/// them to `take`.
///
/// Large files are read for the places where they can be divided. Of `options`, the kind of inputs,
/// the rules for walks and the files that they skip are used. The summary counts files, their
/// bytes, and what walks skip.
///
/// # Errors
/// The error of `take`. Inputs that cannot be planned are notes, and make the summary incomplete.
pub fn plan(
    inputs: &mut dyn Iterator<Item = Input>,
    options: &Options,
    len_max: u64,
    observer: &dyn Observer,
    take: &mut dyn FnMut(&Split) -> Result<(), Error>,
) -> Result<Summary, Error> {
    let kind = FORMATS.iter().find(|format| format.kind == options.kind);
    let mut planner = Planner {
        options,
        kind: kind.map_or("auto", |format| format.name),
        len_max,
        observer,
        take,
        folders: Folders::default(),
        pack: Pack { as_found: (FoundAs::Named, false), files: Vec::new(), bytes: 0 },
        summary: Summary { complete: true, ..Summary::default() },
    };
    let mut identities = Identities::new(options.own.clone());
    for input in inputs {
        match input {
            Ok(path) => planner.named(path, &mut identities)?,
            Err(note) => planner.note(&note),
        }
    }
    planner.hand_out()?;
    Ok(planner.summary)
}

struct Planner<'p> {
    options: &'p Options,
    /// The name of the kind that inputs are read as.
    kind: &'static str,
    len_max: u64,
    observer: &'p dyn Observer,
    take: &'p mut dyn FnMut(&Split) -> Result<(), Error>,
    folders: Folders,
    pack: Pack,
    summary: Summary,
}

/// Files that become one split.
struct Pack {
    /// How they were found, and whether their place makes them mail.
    as_found: (FoundAs, bool),
    files: Vec<PlannedFile>,
    bytes: u64,
}

impl Planner<'_> {
    fn note(&mut self, note: &Note) {
        self.summary.complete &= !note.kind.is_incomplete();
        self.observer.note(note);
    }

    /// Plans an input that the user named.
    fn named(&mut self, path: PathBuf, identities: &mut Identities) -> Result<(), Error> {
        let found = match platform::metadata(&path) {
            Ok(found) if path.as_os_str() != STDIN => found,
            Err(source) if path.as_os_str() != STDIN => {
                let error = Error::Open { path: path.clone(), source };
                self.note(&cannot_open(&error, &path, NoteKind::InputUnreadable));
                return Ok(());
            }
            _ => {
                self.refuse(path);
                return Ok(());
            }
        };
        if found.is_file() {
            return self.file(&path, FoundAs::Named);
        }
        if !found.is_dir() {
            self.refuse(path);
            return Ok(());
        }
        let (rules, mut failed) = (self.options.walk, Ok(()));
        walk::walk(&path, rules, identities, &mut |step| {
            failed = self.step(step);
            if failed.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        failed
    }

    fn refuse(&mut self, path: PathBuf) {
        let message = "expected a file or a directory, found what can be read once: no other \
                       program can read a part of it";
        self.note(&Note {
            kind: NoteKind::InputUnreadable,
            origin: Origin { path, ..Origin::default() },
            offset: None,
            message: message.to_owned(),
        });
    }

    fn step(&mut self, step: Step) -> Result<(), Error> {
        match step {
            Step::Skipped(skip) => self.summary.skip(skip, 1),
            Step::Failed(error) => {
                let path = error.input().map(Path::to_owned).unwrap_or_default();
                self.note(&file::unreadable(&error, Origin { path, ..Origin::default() }));
            }
            Step::File(path, _) => self.file(&path, FoundAs::Walked)?,
            Step::Forgotten(path, _) => {
                self.note(&forgotten(&path));
                self.file(&path, FoundAs::Walked)?;
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, found: FoundAs) -> Result<(), Error> {
        let planned = match metadata(path, found) {
            Ok(metadata) => PlannedFile::of(path, &metadata),
            Err(source) => {
                let error = Error::Open { path: path.to_owned(), source };
                self.note(&cannot_open(&error, path, NoteKind::InputVanished));
                return Ok(());
            }
        };
        self.summary.files += 1;
        self.summary.bytes += planned.size;
        let is_auto = self.options.kind == InputKind::Auto;
        let as_found = (found, is_auto && self.folders.hold(path, found));
        if planned.size > self.len_max {
            let parts = self.parts(path, as_found);
            if parts.len() > 1 {
                return self.divide(&planned, as_found, parts);
            }
        }
        self.pack(planned, as_found)
    }

    /// Adds a file to a split of several.
    fn pack(&mut self, planned: PlannedFile, as_found: (FoundAs, bool)) -> Result<(), Error> {
        let Pack { files, bytes, as_found: of } = &self.pack;
        let is_full = bytes.saturating_add(planned.size) > self.len_max || files.len() >= FILES_MAX;
        if is_full || *of != as_found {
            self.hand_out()?;
        }
        self.pack.as_found = as_found;
        self.pack.bytes = self.pack.bytes.saturating_add(planned.size);
        self.pack.files.push(planned);
        Ok(())
    }

    fn hand_out(&mut self) -> Result<(), Error> {
        self.pack.bytes = 0;
        let files = std::mem::take(&mut self.pack.files);
        if files.is_empty() {
            return Ok(());
        }
        (self.take)(&Split::new(self.kind, self.pack.as_found, files).identified())
    }

    /// Returns the parts of the file at `path`; none if it cannot be divided.
    fn parts(&mut self, path: &Path, (found, is_mail): (FoundAs, bool)) -> Vec<Part> {
        let kind = if is_mail { InputKind::Posted } else { self.options.kind };
        let reading = Reading { kind, window: check::WINDOW };
        let mut scout = Scout::new(self.len_max, self.observer);
        let scouted = match file::scout(path, found, reading, self.len_max, &mut scout) {
            Ok(scouted) => scouted,
            Err(error) => {
                self.note(&cannot_open(&error, path, NoteKind::InputVanished));
                return Vec::new();
            }
        };
        let Some((by, joints)) = scout.choose(scouted) else { return Vec::new() };
        let starts = [Joint::START].into_iter().chain(joints.iter().copied());
        let ends = joints.iter().map(|joint| Some(joint.at)).chain([None]);
        starts.zip(ends).map(|(start, end)| Part { by, start, end }).collect()
    }

    fn divide(
        &mut self,
        planned: &PlannedFile,
        as_found: (FoundAs, bool),
        parts: Vec<Part>,
    ) -> Result<(), Error> {
        for part in parts {
            let split = Split::new(self.kind, as_found, vec![planned.clone()]);
            (self.take)(&Split { part: Some(part), ..split }.identified())?;
        }
        Ok(())
    }
}
