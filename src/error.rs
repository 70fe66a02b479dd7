//! Failures of the tool itself: in input, output or options.
//!
//! An error never describes a link: a malformed or dead link is a finding.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::uri::Redacted;

/// A failure of the tool itself, with the place where it happened.
///
/// The message of a failure about an input does not name the input, because a report shows its path
/// and offset already. Other callers take them from [`Error::input`] and the variant.
///
/// Of an [`Extractor`](crate::Extractor), only [`path`](crate::Extractor::path) returns `Open`. Its
/// [`Findings`](crate::Findings) give `Partly` for every input or part that cannot be read,
/// `Grammar` for an unknown name, and `Threads`. All other variants are those of the program.
///
/// Neither `Display` nor `Debug` shows a password: a given path, a file name or a pattern may be a
/// URI.
#[non_exhaustive]
pub enum Error {
    /// An input could not be opened.
    Open {
        /// The input's path as it was reached.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// An input could be opened, but reading it failed.
    Read {
        /// The input's path as it was reached.
        path: PathBuf,
        /// Number of bytes read before the failure.
        offset: u64,
        /// The system's error.
        source: io::Error,
    },
    /// A part of an input was not read, or not as it should be: it is damaged, beyond a limit, or
    /// was modified meanwhile.
    Partly {
        /// The input's path as it was reached.
        path: PathBuf,
        /// Names of the members that lead to the part, outermost first.
        members: Vec<Vec<u8>>,
        /// Offset in the innermost member, if known.
        offset: Option<u64>,
        /// The kind of loss: `archive-truncated`, `input-unreadable`.
        kind: &'static str,
        /// The expected and the actual state.
        message: String,
    },
    /// No grammar has this name.
    Grammar {
        /// The name as given.
        name: String,
    },
    /// A directory could not be listed.
    Walk {
        /// The directory or entry.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A report could not be written.
    Write {
        /// `stdout` or the file's name.
        target: String,
        /// The system's error.
        source: io::Error,
    },
    /// The findings of a run could not be kept until its links were probed.
    Spool {
        /// The system's error.
        source: io::Error,
    },
    /// A line of a saved run is not a record.
    Record {
        /// The name of the saved run.
        input: String,
        /// Number of the line, from 1; 0 if the failure is about the whole.
        line: u64,
        /// The expected and the found text.
        reason: String,
    },
    /// A pattern of `--include` or `--exclude` is not a regular expression.
    Pattern {
        /// The pattern as given.
        pattern: String,
        /// The problem with it.
        reason: String,
    },
    /// A pattern of paths is not valid.
    Glob {
        /// The pattern as given.
        pattern: String,
        /// The problem with it.
        reason: String,
    },
    /// A network of `--allow-net` is not valid.
    Network {
        /// The network as given.
        text: String,
        /// The problem with it.
        reason: String,
    },
    /// A baseline file cannot be used.
    Baseline {
        /// The file.
        path: PathBuf,
        /// The problem with it.
        reason: String,
    },
    /// The changes since a revision cannot be determined.
    Changes {
        /// The revision as given.
        revision: String,
        /// The message of git, or the reason why git could not be run.
        reason: String,
    },
    /// The resolver of names could not be set up.
    Resolver {
        /// The problem with its configuration.
        reason: String,
    },
    /// A file has no valid certificate or revocation list.
    Certificate {
        /// The file.
        path: PathBuf,
        /// The problem with it.
        reason: String,
    },
    /// The verification of certificates could not be set up.
    Tls {
        /// The problem.
        reason: String,
    },
    /// An HTTP header field that the user set for a site cannot be sent. Its value is not shown.
    Field {
        /// The site as given.
        site: String,
        /// The problem with it.
        reason: String,
    },
    /// A proxy is not valid.
    Proxy {
        /// The proxy as given.
        text: String,
        /// The problem with it.
        reason: &'static str,
    },
    /// The state file could not be used.
    State {
        /// Its file.
        path: PathBuf,
        /// The problem with it.
        reason: String,
    },
    /// The pool of worker threads could not be started.
    Threads {
        /// The system's message.
        reason: String,
    },
}

impl Error {
    /// Returns the path of the input that could not be read, if the failure is about one.
    #[must_use]
    pub fn input(&self) -> Option<&Path> {
        match self {
            Self::Open { path, .. }
            | Self::Read { path, .. }
            | Self::Partly { path, .. }
            | Self::Walk { path, .. } => Some(path),
            _ => None,
        }
    }

    /// Reports whether the failure is an input that does not exist.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Open { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// Reports whether the failure is that the reader of our output has closed it.
    #[must_use]
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Write { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open { source, .. } => write!(out, "cannot open: {source}"),
            Self::Read { source, .. } => write!(out, "cannot read: {source}"),
            Self::Partly { message, .. } => out.write_str(&shown(message)),
            Self::Grammar { name } => write!(out, "{:?} is no grammar", shown(name)),
            Self::Walk { source, .. } => write!(out, "cannot list: {source}"),
            Self::Write { target, source } => {
                write!(out, "cannot write {}: {source}", shown(target))
            }
            Self::Spool { source } => {
                write!(out, "cannot keep the findings in a temporary file: {source}")
            }
            Self::Record { input, line: 0, reason } => {
                write!(out, "{}: {}", shown(input), shown(reason))
            }
            Self::Record { input, line, reason } => {
                write!(out, "{}, line {line}: {}", shown(input), shown(reason))
            }
            Self::Pattern { pattern, reason } => {
                let (pattern, reason) = (shown(pattern), shown(reason));
                write!(out, "expected a regular expression, found {pattern:?}: {reason}")
            }
            Self::Glob { pattern, reason } => {
                write!(out, "{:?} is no pattern of paths: {}", shown(pattern), shown(reason))
            }
            Self::Network { text, reason } => {
                write!(out, "{:?} is no network: {}", shown(text), shown(reason))
            }
            Self::Baseline { path, reason } => {
                let path = shown(&path.to_string_lossy());
                write!(out, "cannot use the baseline {path}: {}", shown(reason))
            }
            Self::Changes { revision, reason } => {
                let (revision, reason) = (shown(revision), shown(reason));
                write!(out, "cannot find changes since {revision:?}: {reason}")
            }
            Self::Resolver { reason } => write!(out, "cannot look up names: {reason}"),
            Self::Certificate { path, reason } => {
                let path = shown(&path.to_string_lossy());
                write!(out, "cannot use the certificates or revocation lists in {path:?}: {reason}")
            }
            Self::Tls { reason } => write!(out, "cannot verify certificates: {reason}"),
            Self::Field { site, reason } => {
                write!(out, "cannot send a field to {:?}: {reason}", shown(site))
            }
            Self::Proxy { text, reason } => {
                write!(out, "{reason}, found {:?}", shown(text))
            }
            Self::State { path, reason } => {
                write!(out, "cannot keep state in {}: {reason}", shown(&path.to_string_lossy()))
            }
            Self::Threads { reason } => write!(out, "cannot start worker threads: {reason}"),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Open { .. } => "Open",
            Self::Read { .. } => "Read",
            Self::Partly { .. } => "Partly",
            Self::Grammar { .. } => "Grammar",
            Self::Walk { .. } => "Walk",
            Self::Write { .. } => "Write",
            Self::Spool { .. } => "Spool",
            Self::Record { .. } => "Record",
            Self::Pattern { .. } => "Pattern",
            Self::Glob { .. } => "Glob",
            Self::Network { .. } => "Network",
            Self::Baseline { .. } => "Baseline",
            Self::Changes { .. } => "Changes",
            Self::Resolver { .. } => "Resolver",
            Self::Certificate { .. } => "Certificate",
            Self::Tls { .. } => "Tls",
            Self::Field { .. } => "Field",
            Self::Proxy { .. } => "Proxy",
            Self::State { .. } => "State",
            Self::Threads { .. } => "Threads",
        };
        let input = self.input().map(|path| Redacted::new(path.as_os_str().as_encoded_bytes()));
        out.debug_struct(name)
            .field("input", &input)
            .field("message", &self.to_string())
            .finish_non_exhaustive()
    }
}

/// Returns `text` with its passwords hidden.
fn shown(text: &str) -> String {
    String::from_utf8_lossy(&Redacted::new(text.as_bytes()).shown()).into_owned()
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Open { source, .. }
            | Self::Read { source, .. }
            | Self::Walk { source, .. }
            | Self::Write { source, .. }
            | Self::Spool { source } => Some(source),
            _ => None,
        }
    }
}
