//! What kept the tool from doing its work: input, output, options.
//!
//! Never says anything about a link: a malformed or dead link is a finding.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::uri::Guarded;

/// A failure of the tool itself, with the place it happened at.
///
/// What is printed of a failure about an input does not name the input: a report has its path
/// and offset already. Others take them from [`Error::input`] and the variant.
///
/// Neither `Display` nor `Debug` shows a password: what was given for a path, a file's name or
/// a pattern may be a URI.
#[non_exhaustive]
pub enum Error {
    /// An input could not be opened.
    Open {
        /// The input's path as it was reached.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An input could be opened, and reading failed on the way.
    Read {
        /// The input's path as it was reached.
        path: PathBuf,
        /// Bytes that had been read before.
        offset: u64,
        /// What the system said.
        source: io::Error,
    },
    /// A directory could not be listed.
    Walk {
        /// The directory or entry.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A report could not be written.
    Write {
        /// `stdout` or the file's name.
        target: String,
        /// What the system said.
        source: io::Error,
    },
    /// A line of a saved run that is no record.
    Record {
        /// What the run is called.
        input: String,
        /// Number of the line, from 1.
        line: u64,
        /// What was expected, and what was found.
        reason: String,
    },
    /// A pattern of `--include` or `--exclude` that is no regular expression.
    Pattern {
        /// The pattern as given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A pattern of paths that is none.
    Glob {
        /// The pattern as given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A network of `--allow-net` that is none.
    Network {
        /// The network as given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of known trouble that cannot be used.
    Baseline {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// What has changed since a revision cannot be told.
    Changes {
        /// The revision as given.
        revision: String,
        /// What git says, or what keeps us from asking it.
        reason: String,
    },
    /// The resolver of names could not be set up.
    Resolver {
        /// What is wrong with its configuration.
        reason: String,
    },
    /// A certificate that is to be trusted, or a list of revoked ones, that is none.
    Certificate {
        /// What is wrong with it.
        reason: String,
    },
    /// A field of HTTP for a site of the user's that cannot be sent. Its value is not told.
    Field {
        /// The site as given.
        site: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A proxy that is none.
    Proxy {
        /// The proxy as given.
        text: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The state of runs could not be kept.
    State {
        /// Its file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The pool of worker threads could not be started.
    Threads {
        /// What the system said.
        reason: String,
    },
}

impl Error {
    /// The input that could not be read, where the failure is about one.
    #[must_use]
    pub fn input(&self) -> Option<&Path> {
        match self {
            Self::Open { path, .. } | Self::Read { path, .. } | Self::Walk { path, .. } => {
                Some(path)
            }
            _ => None,
        }
    }

    /// True when an input is not there.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Open { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// True when whoever read our output has gone away.
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
            Self::Walk { source, .. } => write!(out, "cannot list: {source}"),
            Self::Write { target, source } => {
                write!(out, "cannot write {}: {source}", shown(target))
            }
            Self::Record { input, line, reason } => {
                write!(out, "{}, line {line}: {}", shown(input), shown(reason))
            }
            Self::Pattern { pattern, reason } => {
                let (pattern, reason) = (shown(pattern), shown(reason));
                write!(out, "{pattern:?} is no regular expression: {reason}")
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
                write!(out, "cannot tell what has changed since {revision:?}: {reason}")
            }
            Self::Resolver { reason } => write!(out, "cannot look up names: {reason}"),
            Self::Certificate { reason } => write!(out, "cannot use a certificate: {reason}"),
            Self::Field { site, reason } => {
                write!(out, "cannot send a field to {:?}: {reason}", shown(site))
            }
            Self::Proxy { text, reason } => {
                write!(out, "{:?} is no proxy: {reason}", shown(text))
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
            Self::Walk { .. } => "Walk",
            Self::Write { .. } => "Write",
            Self::Record { .. } => "Record",
            Self::Pattern { .. } => "Pattern",
            Self::Glob { .. } => "Glob",
            Self::Network { .. } => "Network",
            Self::Baseline { .. } => "Baseline",
            Self::Changes { .. } => "Changes",
            Self::Resolver { .. } => "Resolver",
            Self::Certificate { .. } => "Certificate",
            Self::Field { .. } => "Field",
            Self::Proxy { .. } => "Proxy",
            Self::State { .. } => "State",
            Self::Threads { .. } => "Threads",
        };
        let input = self.input().map(|path| Guarded::new(path.as_os_str().as_encoded_bytes()));
        out.debug_struct(name)
            .field("input", &input)
            .field("message", &self.to_string())
            .finish_non_exhaustive()
    }
}

/// `text` without passwords.
fn shown(text: &str) -> String {
    String::from_utf8_lossy(&Guarded::new(text.as_bytes()).shown()).into_owned()
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Open { source, .. }
            | Self::Read { source, .. }
            | Self::Walk { source, .. }
            | Self::Write { source, .. } => Some(source),
            _ => None,
        }
    }
}
