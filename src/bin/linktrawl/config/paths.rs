//! Tables for some of the inputs, `[[paths]]`: options that hold for files that a pattern fits.
//!
//! Such a table is a command line, too: the one that is typed, with the options of the file
//! behind it, but for those that the table sets itself. So what is typed wins here as well. Of
//! several tables that fit a file, the last decides, alone.

use std::ffi::OsString;
use std::ops::Range;

use linktrawl::run::{Overrides, Paths, Wanted};
use toml::de::{DeTable, DeValue};

use super::hosts::HOSTS;
use super::read::{Config, Reading, Setting};
use crate::args::alike::perhaps;
use crate::args::{Command, Flags};
use crate::plan;

/// The name of the array of tables.
pub(super) const PATHS: &str = "paths";

/// The key that says which files a table is for.
pub(super) const GLOB: &str = "glob";

/// Tables of one file: each is compared with the path of every input, and is a command line to
/// be read.
const TABLES_MAX: usize = 100;

/// Options that can hold for some files: how a file's links are found and judged. All others are
/// about the run, or about servers, to which links of all files lead.
pub(super) const KEYS: [&str; 8] =
    ["accept", "allow", "exclude", "find", "grammar", "include", "no-repair", "verdict"];

/// One table.
pub(crate) struct PathTable {
    /// Its pattern, as it stands there and as it is read.
    pub(super) glob: String,
    paths: Paths,
    pub(super) settings: Vec<Setting>,
    /// The line of its pattern, from 1.
    pub(super) line: usize,
}

/// What a table asks for, together with all else.
pub(crate) struct Other {
    paths: Paths,
    flags: Flags,
}

impl Reading<'_> {
    /// The tables in `value`.
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
                    let message = format!("{:?} is not said of paths{hint}", name.get_ref());
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

impl Config {
    /// What the file adds to a command line that takes what `is_wanted` says: for all inputs,
    /// or for those of `table`.
    pub(super) fn arguments(
        &self,
        table: Option<&PathTable>,
        is_wanted: impl Fn(&Setting) -> bool,
    ) -> Vec<OsString> {
        let own = table.map_or(&[][..], |table| &table.settings);
        let is_own = |setting: &&Setting| own.iter().any(|one| one.name == setting.name);
        let common = self.settings.iter().filter(|setting| !is_own(setting));
        let all = common.chain(own).filter(|setting| is_wanted(setting));
        all.flat_map(Setting::arguments).collect()
    }

    /// What is wanted of some of the inputs instead of what is wanted of all.
    ///
    /// # Errors
    /// When a pattern is no regular expression, or the file's directory is gone.
    pub(crate) fn overrides(&self) -> anyhow::Result<Overrides> {
        if self.others.is_empty() {
            return Ok(Overrides::default());
        }
        let mut overrides = Overrides::new(self.source.directory())?;
        for Other { paths, flags } in &self.others {
            let (scan, policy) = match &flags.command {
                Some(Command::Scan(scan)) => (scan, None),
                Some(Command::Check(check)) => (&check.scan, Some(plan::policy(&check.ask))),
                _ => continue,
            };
            let (checks, policy) = (plan::checks(scan)?, policy.unwrap_or_default());
            overrides.add(paths.clone(), Wanted { checks, policy });
        }
        Ok(overrides)
    }
}

impl PathTable {
    /// What it asks for, where `flags` are what it comes to with all else.
    pub(super) fn other(&self, flags: Flags) -> Other {
        Other { paths: self.paths.clone(), flags }
    }
}

/// The names of tables.
pub(super) const TABLES: [&str; 2] = [HOSTS, PATHS];
