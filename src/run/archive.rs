//! Options for archives of the Web: their addresses or files, and the address at which copies in
//! files are replayed.

use std::path::PathBuf;

pub(super) mod disclosure;
pub(super) mod offline;
pub(super) mod replay;
mod service;
pub(super) mod silence;

pub use service::Service;

/// The archives of the Web in which links are looked up.
#[derive(Clone, Debug, Default)]
pub struct Archives {
    /// The archives, in the order in which they are looked up.
    pub list: Vec<Archive>,
    /// Whether all links are looked up, not only dead ones.
    pub all: bool,
    /// The address before the time and the original URI at which mementos of files are replayed.
    pub replay: Option<String>,
}

/// One archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Archive {
    /// A service on the network.
    Service(Service),
    /// A file of the user: a WARC, or an index in CDXJ or CDX.
    File(PathBuf),
}

impl Archives {
    /// Reports whether there is something to look up without the network.
    pub(super) fn looks_up_offline(&self) -> bool {
        self.all && self.list.iter().any(|archive| matches!(archive, Archive::File(_)))
    }

    /// Returns the files, each with its number.
    pub(super) fn files(&self) -> impl Iterator<Item = (usize, &PathBuf)> {
        self.list.iter().enumerate().filter_map(|(number, archive)| match archive {
            Archive::File(path) => Some((number, path)),
            Archive::Service(_) => None,
        })
    }

    /// Returns the services on the network, each with its number.
    pub(super) fn services(&self) -> impl Iterator<Item = (usize, &Service)> {
        self.list.iter().enumerate().filter_map(|(number, archive)| match archive {
            Archive::Service(service) => Some((number, service)),
            Archive::File(_) => None,
        })
    }
}
