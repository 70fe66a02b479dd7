//! Splits of a run: parts of the inputs that programs on several machines scan, each one apart.
//!
//! The findings of all splits of a plan are those of one run over all inputs, with the same places.
//! A split names files, or a part of one file, and how they were when the plan was made: a file
//! that has changed since is not read.

use std::fs::{self, Metadata};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use data_encoding::{BASE64, HEXLOWER};
use jiff::Timestamp;
use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};

use super::InputKind;
use super::reader::{Batch, InputReader};
use crate::finding::{Note, NoteKind, Origin};
use crate::platform::{self, OsBytes as _};
use crate::report::escape::beginning::beginning;
use crate::report::escape::json::append_value;
use crate::source::FORMATS;
use crate::source::file::{self, FoundAs, Reading};
use crate::source::part::Part;

mod plan;
mod scout;

pub use plan::plan;

/// The version of the format of descriptors.
const VERSION: u32 = 1;
/// The version of the program, which decides where files can be divided.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");
/// Bytes of a hash that are enough to distinguish splits.
const ID_LEN: usize = 16;

/// A part of the inputs of a run that a program can scan by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    v: u32,
    /// The version of the program that planned it.
    by: String,
    id: String,
    /// The name of the kind to read its files as.
    #[serde(rename = "as")]
    kind: String,
    /// Whether a walk found the files.
    walked: bool,
    /// Whether the files are mail because of their place.
    mail: bool,
    files: Vec<PlannedFile>,
    /// The part of the file to read; `None` for all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<Part>,
}

/// A file as it was when the plan was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlannedFile {
    path: String,
    /// The path in base64 if it is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    size: u64,
    /// Seconds and nanoseconds since 1970, or until 1970 for earlier times; 0 if the system reports
    /// none.
    mtime: (i64, u32),
}

impl PlannedFile {
    fn of(path: &Path, found: &Metadata) -> Self {
        let text = path.to_str();
        Self {
            path: text.map_or_else(|| path.to_string_lossy().into_owned(), str::to_owned),
            path_bytes: match text {
                Some(_) => None,
                None => Some(BASE64.encode(path.as_os_str().as_bytes())),
            },
            size: found.len(),
            mtime: found.modified().map_or((0, 0), since_1970),
        }
    }

    fn path(&self) -> PathBuf {
        let bytes = self.path_bytes.as_ref().and_then(|text| BASE64.decode(text.as_bytes()).ok());
        let path = |bytes: Vec<u8>| platform::path_of(&bytes).into_owned();
        bytes.map_or_else(|| PathBuf::from(&self.path), path)
    }

    /// Returns a note if the file has changed. One that is gone is noted when it is read.
    fn changed(&self, path: &Path, found: FoundAs) -> Option<Note> {
        let now = metadata(path, found).ok()?;
        let now = Self::of(path, &now);
        let is_same = now.size == self.size && is_same_time(now.mtime, self.mtime);
        (!is_same).then(|| Note {
            kind: NoteKind::InputChanged,
            origin: Origin { path: path.to_owned(), ..Origin::default() },
            offset: None,
            message: format!(
                "expected {} bytes that were last written at {}, found {} and {}: the file has \
                 changed since the plan was made",
                self.size,
                shown(self.mtime),
                now.size,
                shown(now.mtime)
            ),
        })
    }
}

/// Reports whether two times are the same; a time in whole seconds, as copies have on some systems,
/// is any within its second.
fn is_same_time((one, part): (i64, u32), (other, part_of_other): (i64, u32)) -> bool {
    one == other && (part == part_of_other || part == 0 || part_of_other == 0)
}

/// Returns a time as messages show it, in UTC.
fn shown((seconds, nanoseconds): (i64, u32)) -> String {
    let time = i32::try_from(nanoseconds).ok().and_then(|it| Timestamp::new(seconds, it).ok());
    time.map_or_else(|| format!("second {seconds} after 1970"), |time| time.to_string())
}

/// Returns `time` in seconds and nanoseconds; both are of the time to 1970 if it is earlier.
fn since_1970(time: SystemTime) -> (i64, u32) {
    let seconds = |seconds: u64| i64::try_from(seconds).unwrap_or(i64::MAX);
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => (seconds(after.as_secs()), after.subsec_nanos()),
        Err(before) => {
            let before = before.duration();
            (-seconds(before.as_secs()), before.subsec_nanos())
        }
    }
}

/// Returns the metadata of a file that was `found` so.
fn metadata(path: &Path, found: FoundAs) -> io::Result<Metadata> {
    match found {
        FoundAs::Named => platform::metadata(path),
        FoundAs::Walked => fs::symlink_metadata(path),
    }
}

impl Split {
    fn new(kind: &str, (found, mail): (FoundAs, bool), files: Vec<PlannedFile>) -> Self {
        Self {
            v: VERSION,
            by: PROGRAM.to_owned(),
            id: String::new(),
            kind: kind.to_owned(),
            walked: found == FoundAs::Walked,
            mail,
            files,
            part: None,
        }
    }

    /// Returns the split with the identifier that its contents give it.
    fn identified(mut self) -> Self {
        self.id.clear();
        let hash = digest(&SHA256, &self.to_json());
        self.id = HEXLOWER.encode(hash.as_ref());
        self.id.truncate(ID_LEN);
        self
    }

    /// Returns the descriptor of the split, without a line feed.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        let mut text = Vec::new();
        append_value(self, &mut text);
        text
    }

    /// Returns the split that the descriptor `text` describes.
    ///
    /// # Errors
    /// Returns the reason why `text` is no descriptor for this version of the program.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let split: Self = serde_json::from_slice(text).map_err(|error| {
            let what = format!("expected a line of linktrawl plan, found {}", beginning(text));
            // The reason why an arbitrary file is no descriptor would not help the user.
            if text.starts_with(b"{") { format!("{what}: {error}") } else { what }
        })?;
        if split.v != VERSION || split.by != PROGRAM {
            return Err(format!(
                "expected a descriptor of version {VERSION} by linktrawl {PROGRAM}, found version \
                 {} by {}: plan and scan with one version",
                split.v, split.by
            ));
        }
        if split.clone().identified() != split {
            return Err("expected a descriptor as it was planned, found an altered one".to_owned());
        }
        match split.kind() {
            Some(_) => Ok(split),
            None => Err(format!("expected the name of a kind, found {}", split.kind)),
        }
    }

    /// Returns the identifier, which depends on the whole content of the descriptor.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the kind that its inputs are read as.
    #[must_use]
    pub fn kind(&self) -> Option<InputKind> {
        FORMATS.iter().find(|format| format.name == self.kind).map(|format| format.kind)
    }

    const fn found(&self) -> FoundAs {
        if self.walked { FoundAs::Walked } else { FoundAs::Named }
    }
}

impl InputReader<'_, '_> {
    /// Reads the files of `split`, or the part of its file.
    pub(super) fn read_split(&mut self, split: &Split) -> ControlFlow<()> {
        let found = split.found();
        let kind = if split.mail { InputKind::Posted } else { split.kind().unwrap_or_default() };
        let mut batch = Batch::of(found);
        for file in &split.files {
            let path = file.path();
            if let Some(note) = file.changed(&path, found) {
                self.hand_over(&mut batch)?;
                self.note(note)?;
                continue;
            }
            match &split.part {
                Some(part) => self.read_part(&path, found, kind, part)?,
                None => self.add_as(path, file.size, kind, &mut batch)?,
            }
        }
        self.hand_over(&mut batch)?;
        self.hand_over_small()
    }

    fn read_part(
        &mut self,
        path: &Path,
        found: FoundAs,
        kind: InputKind,
        part: &Part,
    ) -> ControlFlow<()> {
        self.read_here(path, found, NoteKind::InputVanished, |reader| {
            let reading = Reading { kind, ..reader.context.reading };
            file::read_part(path, found, reading, part, reader)
        })
    }
}
