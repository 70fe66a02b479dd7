//! Reads tables for some of the inputs, `[[paths]]`: options for files that match a pattern.
//!
//! Such a table is a command line, too: the typed one, with the options of the file except those
//! that the table sets itself. So typed options win here as well. Of several tables that match a
//! file, only the last one counts.

use std::ops::Range;

use linktrawl::internal::run::Paths;
use toml::de::{DeTable, DeValue};

use super::reading::Reading;
use super::setting::Setting;
use crate::args::Flags;
use crate::args::alike::perhaps;

/// The key of the pattern of files that a table is for.
pub(super) const GLOB: &str = "glob";

/// Number of tables of one file: each is compared with the path of every input, and is parsed as a
/// command line.
const TABLES_MAX: usize = 100;

/// Options that can hold for single files: how a file's links are found and judged. All others
/// concern the run, or servers, to which links of all files lead.
pub(super) const KEYS: [&str; 8] =
    ["accept", "allow", "exclude", "find", "grammar", "include", "no-repair", "verdict"];

/// One table.
pub(crate) struct PathTable {
    /// Its pattern, as written.
    pub(crate) glob: String,
    paths: Paths,
    pub(crate) settings: Vec<Setting>,
    /// The line of its pattern, from 1.
    pub(crate) line: usize,
}

/// The options of a table, combined with all others.
pub(crate) struct Other {
    pub(crate) paths: Paths,
    pub(crate) flags: Flags,
}

impl Reading<'_> {
    /// Reads the tables in `value`.
    pub(super) fn paths(&mut self, value: &DeValue<'_>, span: Range<usize>) -> Vec<PathTable> {
        let Some(tables) = value.as_array() else {
            self.mistyped::<()>(span, "an array of tables", value);
            return Vec::new();
        };
        if tables.len() > TABLES_MAX {
            self.complain(span, format!("expected at most {TABLES_MAX} tables, found more"));
            return Vec::new();
        }
        let mut read = Vec::new();
        for value in tables {
            match value.get_ref().as_table() {
                Some(table) => read.extend(self.path_table(table, value.span())),
                None => drop(self.mistyped::<()>(value.span(), "a table", value.get_ref())),
            }
        }
        read
    }

    fn path_table(&mut self, table: &DeTable<'_>, span: Range<usize>) -> Option<PathTable> {
        let mut settings = Vec::new();
        for (name, value) in table {
            match KEYS.iter().find(|key| **key == name.get_ref()) {
                Some(key) => settings.extend(self.setting(key, name.span(), value)),
                None if name.get_ref() == GLOB => {}
                None => {
                    let known = KEYS.into_iter().chain([GLOB]);
                    let hint = perhaps(name.get_ref(), known);
                    let message = format!("{:?} is no key of paths{hint}", name.get_ref());
                    self.complain(name.span(), message);
                }
            }
        }
        settings.sort_by_key(|setting| setting.line);
        let Some(glob) = table.get(GLOB) else {
            self.complain(span, format!("expected {GLOB} to say which paths, found none"));
            return None;
        };
        let Some(text) = glob.get_ref().as_str() else {
            return self.mistyped(glob.span(), "a string", glob.get_ref());
        };
        match Paths::parse(text) {
            Ok(paths) => {
                let (glob, line) = (text.to_owned(), self.line(glob.span()));
                Some(PathTable { glob, paths, settings, line })
            }
            Err(error) => {
                self.complain(glob.span(), error.to_string());
                None
            }
        }
    }
}

impl PathTable {
    /// Returns its files with `flags`, the combined options.
    pub(super) fn other(&self, flags: Flags) -> Other {
        Other { paths: self.paths.clone(), flags }
    }
}
