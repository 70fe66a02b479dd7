//! Resolves links of documents to files through `check::local`: finds the document of each link,
//! and the tree that contains it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Input;
use crate::check::local::{Answer, Base, Document, Local, Options};
use crate::finding::{Class, Finding, Reach};
use crate::platform::slashed;
use crate::source::file::STDIN;
use crate::uri::Redacted;

/// Resolver of links to files, for any number of threads.
pub(super) struct Documents {
    local: Local,
    /// Whether all documents have the same base URI.
    has_base: bool,
    /// The directories that the user named.
    trees: Vec<PathBuf>,
    /// The last document of each thread: the links of a document come one after another.
    last: Vec<Mutex<Option<Last>>>,
}

struct Last {
    path: PathBuf,
    base: Option<Vec<u8>>,
    document: Document,
}

impl Documents {
    pub(super) fn new(options: &Options, inputs: &[Input], threads: usize) -> Self {
        let named = inputs.iter().filter_map(|input| input.as_ref().ok());
        Self {
            local: Local::new(options.clone()),
            has_base: matches!(options.base, Some(Base::Uri(_))),
            trees: named.filter(|path| path.is_dir()).cloned().map(slashed).collect(),
            // One more for a thread that is no worker.
            last: (0..=threads).map(|_| Mutex::default()).collect(),
        }
    }

    /// Returns the URI that the link of `finding` resolves to, if that is no file.
    pub(super) fn remote(&self, finding: &Finding<'_>) -> Option<Vec<u8>> {
        let reference = finding.uri.in_clear();
        if !reference.starts_with(b"//") && finding.base.is_none() && !self.has_base {
            return None;
        }
        match self.ask(finding) {
            Answer::Remote(uri) => Some(uri),
            Answer::Reach(_) => None,
        }
    }

    /// Looks up the target of the link of `finding`.
    pub(super) fn ask(&self, finding: &Finding<'_>) -> Answer {
        let (reference, origin) = (finding.uri.in_clear(), finding.place.origin);
        let is_file = origin.members.is_empty() && origin.path.as_os_str() != STDIN;
        if !is_file && finding.base.is_none() && !self.has_base && !reference.starts_with(b"//") {
            let message = "its document is not a file of its own, so the link has no base";
            return Answer::Reach(Reach::new(Class::Unverifiable, Reach::LOCAL, message));
        }
        let base = finding.base.as_ref().map(Redacted::in_clear);
        let mut last = self.last();
        let is_same = |last: &Last| last.path == origin.path && last.base.as_deref() == base;
        if !last.as_ref().is_some_and(is_same) {
            let document = self.local.document(&origin.path, self.tree(&origin.path), base);
            let (path, base) = (origin.path.clone(), base.map(<[u8]>::to_vec));
            *last = Some(Last { path, base, document });
        }
        match &*last {
            Some(last) => self.local.ask(&last.document, reference),
            None => Answer::Reach(Reach::new(Class::Unverifiable, Reach::LOCAL, "no document")),
        }
    }

    /// Returns the last document of this thread.
    fn last(&self) -> MutexGuard<'_, Option<Last>> {
        let own = rayon::current_thread_index().and_then(|idx| self.last.get(idx));
        // There is one slot more than there are workers.
        let own = own.or(self.last.last()).unwrap_or(&self.last[0]);
        own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the innermost named directory that contains `path`.
    fn tree(&self, path: &Path) -> Option<&Path> {
        let holds = self.trees.iter().filter(|tree| path.starts_with(tree));
        holds.max_by_key(|tree| tree.as_os_str().len()).map(PathBuf::as_path)
    }
}
