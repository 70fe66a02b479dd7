//! Implements `linktrawl config`: checks a configuration file, and prints the resulting options.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::iter;
use std::path::Path;
use std::sync::Arc;

use clap::Parser as _;
use linktrawl::internal::report::statement;

use crate::args::config::{Ask, At, ConfigFlags, WhichFlags};
use crate::args::{Command, Flags};
use crate::config::import;
use crate::config::keys::{Key, Keys, ValueKind};
use crate::config::read::{self, Config};
use crate::config::setting::{Setting, Values};
use crate::config::source::Source;
use crate::config::toml_text::{quoted, value};
use crate::config::{is_one_of, source_of, words_of};
use crate::plan::{self, Plan};
use crate::shown::shown;
use crate::stderr;

/// Reads the configuration file that `at` selects.
fn config_at(at: &At, keys: &Keys) -> anyhow::Result<Option<Config>> {
    // A TOML file that is named is the one that is meant, not an input whose options are sought.
    let is_itself = at.path.extension().is_some_and(|end| end == "toml") && at.path.is_file();
    let source = match &at.which {
        WhichFlags { config: None, no_config: false } if is_itself => {
            Some(Source::itself(&at.path)?)
        }
        which => source_of(which, Some(&at.path))?,
    };
    Ok(source.map(|source| read::read(source, keys)).transpose()?)
}

/// Runs the command of `flags`.
///
/// # Errors
/// When the file has faults, or there is none to be checked.
pub(crate) fn run(flags: &ConfigFlags) -> anyhow::Result<()> {
    let keys = Keys::new();
    let text = match &flags.ask {
        Ask::Check(at) => check(config_at(at, &keys)?.as_ref(), &at.path)?,
        Ask::Import { files } => {
            let imported = import::import(files, &keys)?;
            imported.said.iter().for_each(|line| stderr::say(line));
            imported.text
        }
        Ask::Show(at) => show(config_at(at, &keys)?.as_ref(), &keys),
    };
    let mut stdout = io::stdout().lock();
    stdout.write_all(&shown(text.as_bytes()))?;
    Ok(stdout.flush()?)
}

fn check(config: Option<&Config>, path: &Path) -> anyhow::Result<String> {
    let Some(config) = config else {
        anyhow::ensure!(path.exists(), "cannot read {path:?}: no such file");
        anyhow::bail!("expected linktrawl.toml beside or above {path:?}, found none");
    };
    hold_together(config, path)?;
    let held = [
        (config.settings.len(), "option"),
        (config.hosts.len(), "host"),
        (config.paths.len(), "pattern"),
    ];
    let counted = held.map(|(number, noun)| statement::counted(number as u64, noun)).join(", ");
    Ok(format!("{}: all well: {counted}\n", file_of(config)))
}

/// Checks the options of the file together, as the command line would, beyond single values.
fn hold_together(config: &Config, path: &Path) -> anyhow::Result<()> {
    for table in iter::once(None).chain(config.paths.iter().map(Some)) {
        let read = |left_out: &[&Setting]| {
            let own = ["linktrawl", "check", "--no-config"].map(OsString::from);
            let set = config.arguments(table, |setting| !is_one_of(left_out, setting));
            Flags::try_parse_from(own.into_iter().chain(set).chain(["--".into(), path.into()]))
        };
        let flags = read(&[]).map_err(|error| {
            let at_fault = config.at_fault(table, &error, read);
            let name = config.source.path.display();
            at_fault.unwrap_or_else(|| anyhow::anyhow!("{name}: {}", words_of(&error)))
        })?;
        if let Some(Command::Check(check)) = flags.command {
            Plan::of(&check.scan, None)
                .and_then(|plan| plan.reports.refuse_shared_targets())
                .map_err(|error| anyhow::anyhow!("{}: {error}", file_of(config)))?;
            let mut requests = plan::request_options(&check.ask, Arc::default(), Vec::new())?;
            if table.is_none() {
                config.add_hosts_to(&mut requests)?;
            }
        }
    }
    Ok(())
}

fn show(config: Option<&Config>, keys: &Keys) -> String {
    let intro = config.map_or("no configuration file is taken".to_owned(), Config::origin);
    let mut text = format!("# {intro}\n");
    for key in keys.all() {
        text.push_str(&line(key, config));
    }
    let Some(config) = config else { return text };
    let file = file_of(config);
    for host in &config.hosts {
        let (name, line) = host.heading();
        text.push_str(&format!("\n[hosts.{name}] # {file}:{line}\n{}", host.shown()));
    }
    for table in &config.paths {
        let (glob, line) = (quoted(&table.glob), table.line);
        text.push_str(&format!("\n[[paths]]\nglob = {glob} # {file}:{line}\n"));
        let set = table.settings.iter();
        let set = set.filter_map(|setting| Some((keys.find(&setting.name)?, setting)));
        set.for_each(|(key, setting)| text.push_str(&set_to(key, setting, &file)));
    }
    text
}

/// Returns the path of the file of `config`, escaped for a comment.
fn file_of(config: &Config) -> String {
    quoted(&config.source.path.to_string_lossy()).trim_matches('"').to_owned()
}

/// Formats a setting of `key`, with its line in `file`.
fn set_to(key: Key<'_>, setting: &Setting, file: &str) -> String {
    format!("{} = {} # {file}:{}\n", key.name, value(key.kind, &setting.values), setting.line)
}

/// Formats the value of `key`, and its origin.
fn line(key: Key<'_>, config: Option<&Config>) -> String {
    let name = key.name;
    let found = config.and_then(|config| {
        let setting = config.settings.iter().find(|setting| setting.name == name)?;
        Some(set_to(key, setting, &file_of(config)))
    });
    match (found, default(key)) {
        (Some(line), _) => line,
        (None, Some(text)) => format!("{name} = {text} # default\n"),
        (None, None) => format!("# {name} is not set\n"),
    }
}

/// Returns clap's default value of `key`.
fn default(key: Key<'_>) -> Option<String> {
    let values = key.arg.get_default_values().iter();
    let mut values: Vec<_> = values.map(|value| value.to_string_lossy().into_owned()).collect();
    let values = match key.kind {
        ValueKind::Flag => Values::Flag(false),
        ValueKind::Many(_) if !values.is_empty() => Values::Many(values),
        ValueKind::One(_) | ValueKind::Many(_) => Values::One(values.pop()?),
    };
    Some(value(key.kind, &values))
}
