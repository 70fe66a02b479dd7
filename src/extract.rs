//! Embeds the scan in other programs, for bytes in memory, readers, and paths.
//!
//! [`Extractor`] holds the settings; each of its inputs gives [`Findings`]. A run is the same as
//! that of `linktrawl scan`. It has a thread of its own, and sends its findings over a bounded
//! channel (`feed`). [`links()`] is the scanner alone.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

mod feed;
mod links;
mod problem;
mod record;
mod redacted;
mod syntax;

use crate::error::Error;
use crate::finding::{self, Cue, Note};
use crate::grammar;
use crate::report::Style;
use crate::run::{self, Observer, Options, Output};
use crate::source::file::STDIN;
use crate::source::markup::Markup;
use crate::source::{FORMATS, InputKind};
use feed::{Feed, Reader, Writer, pipe};

pub use links::{Link, Links, links};
pub use problem::{Fault, Warning};
pub use record::{Finding, Message, Place};
pub use redacted::Redacted;
pub use syntax::{Grammar, Incomparable, Unresolved, compare, parse, resolve};

/// Finds and judges the links of inputs of every kind: mail, documents, text, and archives of them.
///
/// The findings are those of `linktrawl scan`, in the order of the input, whatever the number of
/// threads. Nothing is requested from the network. By default, the kind of an input is detected,
/// every cue but [`Cue::Www`] is searched for, links are checked against the grammar `current`, and
/// one thread works.
///
/// An extractor holds only settings: it may be kept, cloned, and used for any number of inputs.
///
/// # What it costs
/// Each input starts two threads or more, about 0.1 ms: use [`links()`] for a line or a chat
/// message. Memory does not grow with the input: a few MB for each thread, and more for one long
/// document at a time. Compressed streams and zip archives need the feature `archives`; without it
/// they are skipped and counted.
///
/// ```
/// use linktrawl::{Cue, Extractor, Kind};
///
/// let extractor = Extractor::new().kind(Kind::Text).find([Cue::Url, Cue::Angle]);
/// let text = b"http://a.example/ <http://b.example/>";
/// let found: Vec<_> = extractor.bytes("notes", text).collect::<Result<_, _>>()?;
/// assert_eq!(found[0].uri().to_string(), "http://b.example/");
/// assert_eq!(found[0].place().to_string(), "notes:1:20");
/// # Ok::<(), linktrawl::Error>(())
/// ```
#[derive(Clone)]
pub struct Extractor {
    kind: Kind,
    cues: Vec<Cue>,
    /// The selected grammars; empty for the default one.
    grammars: Vec<Grammar>,
    /// A given name that no grammar has.
    unknown: Option<String>,
    threads: usize,
}

impl Default for Extractor {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Extractor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, cues, grammars, threads, .. } = self;
        out.debug_struct("Extractor")
            .field("kind", kind)
            .field("cues", cues)
            .field("grammars", grammars)
            .field("threads", threads)
            .finish_non_exhaustive()
    }
}

impl Extractor {
    /// Returns an extractor with the default settings.
    #[must_use]
    pub fn new() -> Self {
        let cues = Cue::ALL.into_iter().filter(|cue| *cue != Cue::Www).collect();
        Self { kind: Kind::Auto, cues, grammars: Vec::new(), unknown: None, threads: 1 }
    }

    /// Reads inputs as `kind`, whatever their content and their names. The members of packed inputs
    /// are read so, too.
    #[must_use]
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// Reports only links with these cues, in place of the default ones. Without any cue, nothing
    /// is found.
    #[must_use]
    pub fn find(mut self, cues: impl IntoIterator<Item = Cue>) -> Self {
        self.cues = cues.into_iter().collect();
        self
    }

    /// Checks links against the grammar called `name`, in place of the default one. Each further
    /// call adds a grammar. [`Grammar::find`] defines the names. If no grammar has the name, the
    /// findings of every input are a single [`Error::Grammar`].
    #[must_use]
    pub fn grammar(mut self, name: &str) -> Self {
        match Grammar::find(name) {
            Some(grammar) => self.grammars.push(grammar),
            None => self.unknown = Some(name.to_owned()),
        }
        self
    }

    /// Works on `count` threads, in addition to the thread that reads and the caller's. Zero counts
    /// as one, and more than 1,024 count as 1,024: each needs memory of its own.
    #[must_use]
    pub fn threads(mut self, count: usize) -> Self {
        self.threads = count.min(run::THREADS_MAX);
        self
    }

    /// Extracts from `bytes`, which findings call `name`. The suffix of `name` helps to detect the
    /// kind, as that of a path does.
    ///
    /// [`Findings::visit`] borrows the bytes. The iterator copies them, since a thread reads them.
    pub fn bytes<'i>(&self, name: impl Into<PathBuf>, bytes: &'i [u8]) -> Findings<'i> {
        self.findings(Source::Bytes(name.into(), bytes))
    }

    /// Extracts from `input`, which findings call `name`, as in [`bytes`](Self::bytes). It is read
    /// once, from beginning to end, on another thread.
    pub fn reader(
        &self,
        name: impl Into<PathBuf>,
        input: impl Read + Send + 'static,
    ) -> Findings<'static> {
        self.findings(Source::Reader(name.into(), Box::new(input)))
    }

    /// Extracts from the file, or from all files below the directory, at `path`.
    ///
    /// Directories are walked in the order of names. Hidden entries, and those that a `.gitignore`
    /// or a `.linktrawlignore` names, are skipped and counted; symbolic links are not followed.
    ///
    /// # Errors
    /// [`Error::Open`] if nothing is there, or it cannot be accessed.
    pub fn path(&self, path: impl Into<PathBuf>) -> Result<Findings<'static>, Error> {
        let path = path.into();
        match fs::metadata(file_called(&path)) {
            Ok(_) => Ok(self.paths([path])),
            Err(source) => Err(Error::Open { path, source }),
        }
    }

    /// Extracts from the files and directories at `paths`, in their order. A path is taken from the
    /// iterator only when the paths before it are being worked on, so there may be any number. One
    /// that cannot be read gives an `Err` in its place, and the others are read.
    pub fn paths<P: Into<PathBuf> + 'static>(
        &self,
        paths: impl IntoIterator<Item = P, IntoIter: Send + 'static>,
    ) -> Findings<'static> {
        self.findings(Source::Paths(Box::new(paths.into_iter().map(Into::into))))
    }

    fn findings<'i>(&self, source: Source<'i>) -> Findings<'i> {
        Findings { state: State::Ready(Box::new((self.clone(), source))) }
    }

    fn options(&self) -> Result<Options, Error> {
        if let Some(name) = &self.unknown {
            return Err(Error::Grammar { name: name.clone() });
        }
        let mut grammars: Vec<_> = self.grammars.iter().map(|grammar| grammar.inner()).collect();
        if grammars.is_empty() {
            grammars.push(grammar::current());
        }
        Ok(Options {
            grammars,
            find: self.cues.clone(),
            kind: self.kind.input(),
            threads: self.threads,
            unwrap: true,
            ..Options::default()
        })
    }

    /// Runs to the end of `source`, and writes what it finds to `writer`.
    fn run(&self, source: Source<'_>, writer: Writer) -> Result<Summary, Error> {
        let options = self.options()?;
        let outputs = vec![Output {
            report: &Feed,
            style: Style::default(),
            name: "the findings".to_owned(),
            identities: Vec::new(),
            target: Box::new(writer),
        }];
        let notes = Notes::default();
        let counts = match source {
            Source::Bytes(name, mut bytes) => {
                run::scan_stream(&name, &mut bytes, &options, outputs, &notes)?
            }
            Source::Reader(name, mut input) => {
                run::scan_stream(&name, &mut input, &options, outputs, &notes)?
            }
            Source::Paths(paths) => {
                let mut inputs = paths.map(|path| Ok(file_called(&path)));
                run::scan(&mut inputs, &options, outputs, &notes)?
            }
        };
        let notes = notes.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Summary { counts, notes })
    }
}

/// Returns `path`, spelt so that it never means standard input, which a library must not read
/// unasked.
fn file_called(path: &Path) -> PathBuf {
    if path.as_os_str() == STDIN { Path::new(".").join(path) } else { path.to_owned() }
}

/// How an input is read.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// By its content, and documents and mail by their names, too.
    #[default]
    Auto,
    /// As text without structure.
    Text,
    /// As mail or news: a mailbox if it begins like one, otherwise one message.
    Mail,
    /// As a document of a language, which [`Kind::named`] returns.
    Document(Language),
}

/// The language of a document, selected by its name with [`Kind::named`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language(Markup);

impl Kind {
    /// Returns the kind with this name, as `linktrawl scan --as` takes it: `auto`, `text`, `mail`,
    /// or a language such as `html` or `markdown`. `None` for any other name; case matters.
    ///
    /// ```
    /// use linktrawl::{Extractor, Kind};
    ///
    /// let markdown = Extractor::new().kind(Kind::named("markdown").unwrap());
    /// let found = markdown.bytes("README", b"[a](b.md)").next().unwrap()?;
    /// assert_eq!(found.uri().to_string(), "b.md");
    /// # Ok::<(), linktrawl::Error>(())
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let format = FORMATS.iter().find(|format| format.name == name)?;
        match format.kind {
            InputKind::Auto => Some(Self::Auto),
            InputKind::Text => Some(Self::Text),
            InputKind::Mail => Some(Self::Mail),
            InputKind::Document(markup) => Some(Self::Document(Language(markup))),
            InputKind::Posted | InputKind::SavedPage => None,
        }
    }

    /// Returns every name that [`Kind::named`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FORMATS.iter().map(|format| format.name)
    }

    const fn input(self) -> InputKind {
        match self {
            Self::Auto => InputKind::Auto,
            Self::Text => InputKind::Text,
            Self::Mail => InputKind::Mail,
            Self::Document(Language(markup)) => InputKind::Document(markup),
        }
    }
}

/// The findings of one input, in its order: an iterator, or by [`visit`](Self::visit) a callback.
///
/// Nothing is read before the first finding is requested. An `Err` is a failure of the tool, never
/// a fault of a link: a file that cannot be read, an archive that is truncated. Findings in the
/// rest of the input follow it. Dropping the iterator before its end stops the run.
pub struct Findings<'i> {
    state: State<'i>,
}

enum State<'i> {
    Ready(Box<(Extractor, Source<'i>)>),
    Running(Reader, JoinHandle<Result<Summary, Error>>),
    Ended(Option<Box<Summary>>),
}

/// The input to read.
enum Source<'i> {
    Bytes(PathBuf, &'i [u8]),
    Reader(PathBuf, Box<dyn Read + Send>),
    Paths(Box<dyn Iterator<Item = PathBuf> + Send>),
}

impl fmt::Debug for Findings<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.state {
            State::Ready(_) => "ready",
            State::Running(..) => "running",
            State::Ended(_) => "ended",
        };
        write!(out, "Findings({state})")
    }
}

impl Findings<'_> {
    /// Calls `found` with each finding, which borrows its text, and with each failure, on the
    /// calling thread. Returns the totals.
    ///
    /// Allocates nothing for a finding. Findings that the iterator has already returned are not
    /// repeated.
    ///
    /// # Errors
    /// [`Error::Threads`] if threads cannot be started, and [`Error::Grammar`] if no grammar has a
    /// given name. Unreadable inputs are passed to `found`, not returned.
    ///
    /// ```
    /// let (mut links, mut len) = (0, 0);
    /// let summary = linktrawl::Extractor::new().bytes("a.txt", b"http://a/ http://b/").visit(
    ///     |finding| {
    ///         links += 1;
    ///         len += finding.map_or(0, |finding| finding.uri().in_clear().len());
    ///     },
    /// )?;
    /// assert_eq!((links, len, summary.findings()), (2, 18, 2));
    /// # Ok::<(), linktrawl::Error>(())
    /// ```
    pub fn visit(
        self,
        mut found: impl FnMut(Result<Finding<'_>, Error>),
    ) -> Result<Summary, Error> {
        let (extractor, source) = match self.state {
            State::Ready(ready) => *ready,
            State::Running(mut reader, run) => {
                while let Some(item) = reader.next() {
                    found(item);
                }
                return run.join().unwrap_or_else(|_| Err(died()));
            }
            State::Ended(summary) => {
                return Ok(summary.map(|summary| *summary).unwrap_or_default());
            }
        };
        let (writer, reader) = pipe();
        thread::scope(|scope| {
            // Dropped here if `found` panics, so that the run ends and can be waited for.
            let mut reader = reader;
            let run = move || extractor.run(source, writer);
            let run = thread::Builder::new().spawn_scoped(scope, run).map_err(not_started)?;
            while let Some(item) = reader.next() {
                found(item);
            }
            run.join().unwrap_or_else(|_| Err(died()))
        })
    }

    /// Returns the totals once the iterator has ended; `None` before that, and after a run that
    /// failed as a whole.
    #[must_use]
    pub fn summary(&self) -> Option<&Summary> {
        match &self.state {
            State::Ended(summary) => summary.as_deref(),
            State::Ready(_) | State::Running(..) => None,
        }
    }

    /// Starts the run of `ready`.
    fn start((extractor, source): (Extractor, Source<'_>)) -> Result<State<'static>, Error> {
        let (writer, reader) = pipe();
        let run: Box<dyn FnOnce() -> Result<Summary, Error> + Send> = match source {
            Source::Bytes(name, bytes) => {
                let bytes = bytes.to_vec();
                Box::new(move || extractor.run(Source::Bytes(name, &bytes), writer))
            }
            Source::Reader(name, input) => {
                Box::new(move || extractor.run(Source::Reader(name, input), writer))
            }
            Source::Paths(paths) => Box::new(move || extractor.run(Source::Paths(paths), writer)),
        };
        let run = thread::Builder::new().spawn(run).map_err(not_started)?;
        Ok(State::Running(reader, run))
    }
}

impl Iterator for Findings<'_> {
    type Item = Result<Finding<'static>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let State::Running(reader, _) = &mut self.state
                && let Some(item) = reader.next()
            {
                return Some(item.map(Finding::into_owned));
            }
            match std::mem::replace(&mut self.state, State::Ended(None)) {
                State::Ready(ready) => match Findings::start(*ready) {
                    Ok(running) => self.state = running,
                    Err(error) => return Some(Err(error)),
                },
                State::Running(_, run) => match run.join().unwrap_or_else(|_| Err(died())) {
                    Ok(summary) => self.state = State::Ended(Some(Box::new(summary))),
                    Err(error) => return Some(Err(error)),
                },
                ended @ State::Ended(_) => {
                    self.state = ended;
                    return None;
                }
            }
        }
    }
}

impl std::iter::FusedIterator for Findings<'_> {}

#[expect(clippy::needless_pass_by_value, reason = "it is passed to `map_err`")]
fn not_started(error: std::io::Error) -> Error {
    Error::Threads { reason: error.to_string() }
}

fn died() -> Error {
    Error::Threads { reason: "the thread that reads has panicked".to_owned() }
}

/// The totals of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    counts: finding::Summary,
    notes: BTreeMap<&'static str, u64>,
}

impl Summary {
    /// Reports whether everything was read: no finding came as an `Err`.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.counts.complete
    }

    /// Returns the number of inputs that were read; an archive is one.
    #[must_use]
    pub const fn inputs(&self) -> u64 {
        self.counts.files
    }

    /// Returns the number of members of archives that were read.
    #[must_use]
    pub const fn members(&self) -> u64 {
        self.counts.members
    }

    /// Returns the number of bytes that were read from the inputs.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.counts.bytes
    }

    /// Returns the number of messages in mailboxes.
    #[must_use]
    pub const fn messages(&self) -> u64 {
        self.counts.messages
    }

    /// Returns the number of findings.
    #[must_use]
    pub const fn findings(&self) -> u64 {
        self.counts.findings
    }

    /// Returns how many items were skipped, by reason: `hidden`, `packed`, `template`, `twin`, …
    /// The command `linktrawl explain` describes each reason.
    pub fn skipped(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.counts.skipped.iter().map(|(reason, count)| (reason.name(), *count))
    }

    /// Returns the number of notes about inputs, by kind: each `Err`, and events that lost no text,
    /// such as `trailing-bytes`.
    pub fn notes(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.notes.iter().map(|(kind, count)| (*kind, *count))
    }
}

/// Counts the notes of a run.
#[derive(Default)]
struct Notes(Mutex<BTreeMap<&'static str, u64>>);

impl Observer for Notes {
    fn note(&self, note: &Note) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(note.kind.name()).or_default() += 1;
    }

    fn progress(&self, _: u64) {}
}
