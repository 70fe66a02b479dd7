//! Parses the text of a configuration to options, or to a list of all faults.

use toml::de::DeTable;

use super::hosts::HostTable;
use super::keys::{HOSTS, Keys, PATHS};
use super::paths::{Other, PathTable};
use super::reading::{Faults, Reading};
use super::setting::Setting;
use super::source::Source;

/// The options of a file. Not `Debug`: values may be secrets.
pub(crate) struct Config {
    /// The file.
    pub(crate) source: Source,
    /// Its options, in their order in the file.
    pub(crate) settings: Vec<Setting>,
    /// Its tables for single hosts.
    pub(crate) hosts: Vec<HostTable>,
    /// Its tables for some of the inputs.
    pub(crate) paths: Vec<PathTable>,
    /// The options of these tables, combined with the typed ones.
    pub(crate) others: Vec<Other>,
    /// The names of the options that are taken from it: those that were not typed.
    pub(super) taken: Vec<String>,
}

/// Parses `source`.
///
/// # Errors
/// All faults of the file.
pub(crate) fn read(source: Source, keys: &Keys) -> Result<Config, Faults> {
    let mut reading = Reading::of(&source, keys);
    let mut said = Said::default();
    match DeTable::parse(&source.text) {
        Ok(document) => match source.table(document.get_ref()) {
            Some(table) => said = reading.all(table),
            None => reading.complain(0..0, "expected a table of linktrawl, found none"),
        },
        Err(error) => reading.complain(error.span().unwrap_or_default(), error.message()),
    }
    if let Some(faults) = reading.into_faults() {
        return Err(faults);
    }
    let Said { settings, hosts, paths } = said;
    Ok(Config { source, settings, hosts, paths, others: Vec::new(), taken: Vec::new() })
}

/// The options read so far.
#[derive(Default)]
struct Said {
    settings: Vec<Setting>,
    hosts: Vec<HostTable>,
    paths: Vec<PathTable>,
}

impl Reading<'_> {
    fn all(&mut self, table: &DeTable<'_>) -> Said {
        let mut said = Said::default();
        for (name, value) in table {
            match &**name.get_ref() {
                HOSTS => said.hosts = self.hosts(value.get_ref(), value.span()),
                PATHS => said.paths = self.paths(value.get_ref(), value.span()),
                key => said.settings.extend(self.setting(key, name.span(), value)),
            }
        }
        said.settings.sort_by_key(|setting| setting.line);
        said
    }
}
