//! Implements `linktrawl config import`, which converts options of lychee.
//!
//! Reads a `lychee.toml` (of lychee 0.24) and a `.lycheeignore`, creates the closest equivalent
//! configuration file, and reports the result for each key. Keys that would have another meaning
//! here are dropped. Values of headers and passwords are not copied: they belong in the
//! environment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use linktrawl::internal::probe::guard::Host;
use linktrawl::internal::report;
use toml::de::{DeTable, DeValue};

use super::keys::{Item, Key, Keys, ValueKind};
use super::setting::Values;
use super::source::{text_of, type_of};
use super::toml_text::{quoted, value};
use super::{hosts, trust};
use crate::args::alike::perhaps;
use crate::args::check::STATE_FILE;
use crate::args::pattern::patterns;

/// The files that lychee reads in its working directory.
const FILES: [&str; 2] = ["lychee.toml", ".lycheeignore"];

/// The character that begins a comment in a `.lycheeignore`.
const REMARK: char = '#';

/// The conversion of a key.
enum How {
    /// An option of the same kind.
    Same(&'static str),
    /// Options that the function derives from the value, or the reason why there are none.
    Made(fn(&DeValue<'_>) -> Made),
    /// This list option and value, if the key is `true`.
    WhenTrue(&'static str, &'static str),
    /// This list option and value, if the key is `false`.
    WhenFalse(&'static str, &'static str),
    /// Nothing: it is the default behaviour, for this reason.
    Anyway(&'static str),
    /// Nothing: `true` is the default behaviour, for the first reason; `false` is impossible, for
    /// the second.
    TrueAnyway(&'static str, &'static str),
    /// Nothing, for a reason that depends on the value.
    Judged(fn(&DeValue<'_>) -> Fate),
    /// Nothing: it is not supported, for this reason.
    Never(&'static str),
}

/// Options, or the reason why there are none.
type Made = Result<Vec<(&'static str, Values)>, String>;

/// The keys of lychee 0.24.
const ROWS: &[(&str, How)] = &[
    ("accept", How::Made(accept)),
    ("accept_timeouts", How::WhenTrue("verdict", "timeout=ok")),
    ("archive", How::Anyway("it is for `suggest` alone")),
    ("base", How::Same("base-url")),
    ("base_url", How::Same("base-url")),
    ("basic_auth", How::Never(CREDENTIALS)),
    ("cache", How::Made(cache)),
    ("cache_exclude_status", How::Never("failures are always requested again soon")),
    ("cookie_jar", How::Never("cookies are never sent")),
    (
        "default_extension",
        How::Never("files are recognised by their content; --as says what it is"),
    ),
    ("dump", How::Never("`linktrawl scan` lists links")),
    ("dump_inputs", How::Never("there is no such list")),
    ("exclude", How::Same("exclude")),
    ("exclude_all_private", How::TrueAnyway(PRIVATE, OPENED)),
    ("exclude_file", How::Never("name the file to `config import` as .lycheeignore")),
    ("exclude_link_local", How::TrueAnyway(PRIVATE, OPENED_BY_NET)),
    ("exclude_loopback", How::TrueAnyway(PRIVATE, OPENED_BY_NET)),
    ("exclude_path", How::Never("paths are left out by .linktrawlignore files")),
    ("exclude_private", How::TrueAnyway(PRIVATE, OPENED)),
    ("extensions", How::Never("files are recognised by their content")),
    ("fallback_extensions", How::Same("fallback-extensions")),
    ("files_from", How::Never("inputs are given on the command line: --files-from")),
    ("format", How::Never("not a format of lychee")),
    ("generate", How::Never("`linktrawl --generate` prints texts, and reads no files")),
    ("github_token", How::Never(CREDENTIALS)),
    ("glob_ignore_case", How::Never("patterns of the shell are the shell's business")),
    ("header", How::Never(HEADERS)),
    ("headers", How::Never(HEADERS)),
    ("hidden", How::Same("hidden")),
    ("host_concurrency", How::Same("host-concurrency")),
    ("host_request_interval", How::Made(host_gap)),
    ("host_stats", How::Never("there is no such list")),
    ("include", How::Never(INCLUDE)),
    ("include_fragments", How::Made(fragments)),
    ("include_mail", How::WhenFalse("exclude", "^mailto:")),
    ("include_verbatim", How::TrueAnyway(SO_HERE, VERBATIM)),
    ("include_wikilinks", How::Never("they are not read")),
    ("index_files", How::Same("index-files")),
    ("insecure", How::WhenTrue("verdict", "tls=ok")),
    ("max_cache_age", How::Made(max_age)),
    ("max_concurrency", How::Same("in-flight")),
    ("max_redirects", How::Never("how many are followed is no option")),
    ("max_retries", How::Same("retries")),
    ("method", How::Made(method)),
    ("min_tls", How::Judged(min_tls)),
    ("mode", How::Made(mode)),
    ("no_ignore", How::Same("no-ignore")),
    ("no_progress", How::Anyway("progress is shown on terminals only")),
    ("offline", How::Same("offline")),
    ("output", How::Never("it needs a format")),
    ("preprocess", How::Never("no command is ever run")),
    ("remap", How::Never("links are requested as they are written")),
    ("require_https", How::Never("there is no such rule")),
    ("retry_wait_time", How::Anyway("the schedule finds the time for another try")),
    ("root_dir", How::Same("root-dir")),
    ("scheme", How::Made(schemes)),
    ("skip_missing", How::Never("a missing input is always reported")),
    ("suggest", How::WhenTrue("archive", WAYBACK)),
    ("threads", How::Same("threads")),
    ("timeout", How::Made(timeout)),
    ("user_agent", How::Never("linktrawl always names itself; `contact` adds an address")),
    ("verbose", How::Never("reports list every link")),
];

/// The only archive of lychee 0.24, which `suggest` asks.
const WAYBACK: &str = "wayback";
const INCLUDE: &str = "here `exclude` wins, and `include` leaves out all else: it cannot stand \
                       beside `exclude` or `scheme`";
const SO_HERE: &str = "that is so here";
const VERBATIM: &str = "links in code are found by their schemes, as in text, and reported";
const PRIVATE: &str = "addresses that are not public are not requested, unless `allow-net` or \
                       `allow-private` opens them";
const OPENED: &str = "--allow-private or --allow-net allows requests to them";
/// `allow-private` opens neither this machine nor link-local addresses.
const OPENED_BY_NET: &str = "--allow-net allows requests to them";
const WRITTEN: &str = "patterns are compared with links as they are written, by lychee with whole \
                       URLs, as in file:///…";
const CREDENTIALS: &str =
    "write [hosts.\"…\"] with token or password = { env = \"NAME\" }, for each host alone";
const HEADERS: &str = "write [hosts.\"…\"] with headers, for each host alone";

/// Returns the equivalent of lychee's option called `name`, or the reason why there is none.
pub(crate) fn of_lychee(name: &str) -> Option<String> {
    let key = name.replace('-', "_");
    let (_, how) = ROWS.iter().find(|(known, _)| *known == key)?;
    match how {
        How::Same(option) => Some(format!("--{option}")),
        How::WhenTrue(option, value) => Some(format!("--{option} {value}")),
        How::Anyway(reason) | How::TrueAnyway(reason, _) | How::Never(reason) => {
            Some((*reason).to_owned())
        }
        How::WhenFalse(..) | How::Made(_) | How::Judged(_) => None,
    }
}

/// The result of an import.
pub(crate) struct Imported {
    /// The configuration file.
    pub(crate) text: String,
    /// The result for each key, one a line.
    pub(crate) said: Vec<String>,
}

/// The result for a key.
enum Fate {
    Kept,
    /// Kept, with this difference.
    KeptBut(&'static str),
    Changed(String),
    Needless(&'static str),
    Lost(String),
}

struct Import<'k> {
    keys: &'k Keys,
    options: BTreeMap<&'static str, Values>,
    /// The patterns of `include`. In lychee they override `exclude`, and omit other links only if
    /// there is no `exclude`.
    included: Option<Values>,
    /// Tables for single hosts, each with its keys and their values.
    hosts: BTreeMap<String, Vec<(&'static str, String)>>,
    /// File, key and result, in the order of the files.
    fates: Vec<(String, String, Fate)>,
}

/// Imports `files`, or if there are none, the files that lychee would read here.
///
/// # Errors
/// When one cannot be read or is no TOML, or there is none.
pub(crate) fn import(files: &[PathBuf], keys: &Keys) -> anyhow::Result<Imported> {
    let usual = FILES.map(PathBuf::from).into_iter().filter(|path| path.is_file());
    let files = if files.is_empty() { usual.collect() } else { files.to_vec() };
    anyhow::ensure!(!files.is_empty(), "expected lychee.toml or .lycheeignore here, found none");
    let (options, hosts) = (BTreeMap::new(), BTreeMap::new());
    let mut import = Import { keys, options, included: None, hosts, fates: Vec::new() };
    for path in &files {
        let (text, name) = (text_of(path)?, path.display().to_string());
        if path.file_name().is_some_and(|name| name.as_encoded_bytes().ends_with(b"ignore")) {
            import.ignored(&name, &text);
        } else {
            import.table(path, &name, &text)?;
        }
    }
    import.settle_includes();
    Ok(Imported { text: import.text(&files), said: import.said().collect() })
}

impl Import<'_> {
    /// Reads patterns, one a line.
    fn ignored(&mut self, name: &str, text: &str) {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with(REMARK));
        for (number, line) in lines.enumerate() {
            let fate = self.set("exclude", Values::Many(vec![line.to_owned()]));
            let fate = fate.map_or_else(Fate::Lost, |()| Fate::KeptBut(WRITTEN));
            self.fates.push((name.to_owned(), format!("pattern {}", number + 1), fate));
        }
    }

    fn table(&mut self, path: &Path, name: &str, text: &str) -> anyhow::Result<()> {
        let document = DeTable::parse(text).map_err(|error| {
            let before = text.get(..error.span().unwrap_or_default().start).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            anyhow::anyhow!("{path:?} is no TOML: line {line}: {}", error.message())
        })?;
        let table = document.get_ref();
        let mut keys: Vec<_> = table.iter().collect();
        keys.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in keys {
            let value = value.get_ref();
            if key.get_ref() == "hosts" {
                self.hosts(name, value);
                continue;
            }
            let row = ROWS.iter().find(|(known, _)| known == key.get_ref());
            let fate = match (row, &**key.get_ref()) {
                (_, "archive") => archive(table, value),
                (_, "format") => self.report(table),
                (_, "include") => self.include(value),
                (_, "output") if table.contains_key("format") => Fate::Kept,
                (Some((_, how)), _) => self.fate(key.get_ref(), how, value),
                (None, key) => {
                    let hint = perhaps(key, ROWS.iter().map(|(known, _)| *known));
                    Fate::Lost(format!("lychee has no such key{hint}"))
                }
            };
            self.fates.push((name.to_owned(), key.to_string(), fate));
        }
        let keeps_answers = self.options.contains_key("state");
        if !keeps_answers && self.options.remove("max-age").is_some() {
            self.lose("max_cache_age", "nothing is kept where `cache` is not set");
        }
        Ok(())
    }

    fn fate(&mut self, key: &str, how: &How, value: &DeValue<'_>) -> Fate {
        let list = |text: &str| Values::Many(vec![text.to_owned()]);
        let made = match (how, value.as_bool()) {
            (How::Anyway(reason), _) | (How::TrueAnyway(reason, _), Some(true)) => {
                return Fate::Needless(reason);
            }
            (How::Judged(judge), _) => return judge(value),
            (How::Same(option), _) => {
                let values = self.keys.find(option).map(|key| same(key, value));
                values
                    .unwrap_or_else(|| Err("there is no such option".to_owned()))
                    .map(|values| vec![(*option, values)])
            }
            (How::Made(make), _) => make(value),
            (How::WhenTrue(option, text), Some(true))
            | (How::WhenFalse(option, text), Some(false)) => Ok(vec![(*option, list(text))]),
            (How::Never(_) | How::WhenTrue(..), Some(false)) | (How::WhenFalse(..), Some(true)) => {
                return Fate::Needless(SO_HERE);
            }
            (How::WhenTrue(..) | How::WhenFalse(..) | How::TrueAnyway(..), None) => {
                Err(unlike("true or false", value))
            }
            (How::Never(reason), _) | (How::TrueAnyway(_, reason), Some(false)) => {
                Err((*reason).to_owned())
            }
        };
        let made = match made {
            Ok(made) => made,
            Err(reason) => return Fate::Lost(reason),
        };
        let mut became = Vec::new();
        for (option, values) in made {
            let is_same = matches!(how, How::Same(_)) && option.replace('-', "_") == key;
            became.extend((!is_same).then(|| self.written(option, &values)));
            if let Err(reason) = self.set(option, values) {
                return Fate::Lost(reason);
            }
        }
        if !became.is_empty() {
            return Fate::Changed(became.join(", "));
        }
        if key == "exclude" { Fate::KeptBut(WRITTEN) } else { Fate::Kept }
    }

    /// Sets `option`, or appends to it if it is a list.
    fn set(&mut self, option: &'static str, values: Values) -> Result<(), String> {
        let key = self.keys.find(option).ok_or("there is no such option")?;
        let (values, refusal) = match values {
            Values::Flag(is) => (Values::Flag(is), None),
            Values::One(text) => match refusal(self.keys, key, &text) {
                Some(refusal) => return Err(refusal),
                None => (Values::One(text), None),
            },
            Values::Many(texts) => {
                let mut first = None;
                let is_taken = |text: &String| {
                    let refusal = refusal(self.keys, key, text);
                    let is_taken = refusal.is_none();
                    first = first.take().or(refusal);
                    is_taken
                };
                (Values::Many(texts.into_iter().filter(is_taken).collect()), first)
            }
        };
        match (self.options.get_mut(option), values) {
            (_, Values::Many(none)) if none.is_empty() => {}
            (Some(Values::Many(known)), Values::Many(more)) => known.extend(more),
            (_, values) => drop(self.options.insert(option, values)),
        }
        refusal.map_or(Ok(()), |refusal| Err(format!("{refusal}; the rest is kept")))
    }

    /// Converts the format, and the file that it is written to.
    fn report(&mut self, table: &DeTable<'_>) -> Fate {
        let text = |key| table.get(key).and_then(|value| value.get_ref().as_str());
        let name = match text("format") {
            Some("compact" | "detailed" | "string") => "text",
            Some("md") => "markdown",
            Some(name) => name,
            None => return Fate::Lost("expected a string".to_owned()),
        };
        if report::find(name).is_none() {
            return Fate::Lost(format!("no format is called {name:?}"));
        }
        let file = text("output").map(|file| format!("={file}")).unwrap_or_default();
        let values = Values::Many(vec![format!("{name}{file}")]);
        let became = self.written("format", &values);
        self.set("format", values).map_or_else(Fate::Lost, |()| Fate::Changed(became))
    }

    fn hosts(&mut self, name: &str, value: &DeValue<'_>) {
        let tables = value.as_table().into_iter().flatten();
        let mut tables: Vec<_> = tables.collect();
        tables.sort_by_key(|(host, _)| host.span().start);
        for (host, table) in tables {
            let is_host = Host::parse(host.get_ref().as_bytes()).is_ok();
            for (key, value) in table.get_ref().as_table().into_iter().flatten() {
                let value = value.get_ref();
                let line = match &**key.get_ref() {
                    _ if !is_host => Err("expected a host's name".to_owned()),
                    "concurrency" => value
                        .as_integer()
                        .map(|number| ("concurrency", number.as_str().to_owned()))
                        .ok_or_else(|| "expected a whole number".to_owned()),
                    "request_interval" => span(value).map(|gap| ("gap", quoted(&gap))),
                    "headers" => Err("write them again, with secrets as { env = \"NAME\" }".into()),
                    _ => Err("there is no such key".to_owned()),
                };
                let fate = line.map_or_else(Fate::Lost, |(key, value)| {
                    let became = format!("{key} = {value}");
                    self.hosts.entry(host.to_string()).or_default().push((key, value));
                    Fate::Changed(became)
                });
                self.fates.push((name.to_owned(), format!("hosts.{host}.{key}"), fate));
            }
        }
    }

    fn include(&mut self, value: &DeValue<'_>) -> Fate {
        let patterns = self.keys.find("include").map(|key| same(key, value));
        match patterns {
            Some(Ok(patterns)) => self.included = Some(patterns),
            Some(Err(reason)) => return Fate::Lost(reason),
            None => {}
        }
        Fate::KeptBut(WRITTEN)
    }

    /// Converts `include` after all other keys, on which it depends.
    fn settle_includes(&mut self) {
        let Some(patterns) = self.included.take() else { return };
        let is_alone = !["include", "exclude"].iter().any(|name| self.options.contains_key(name));
        let set = if is_alone { self.set("include", patterns) } else { Err(INCLUDE.to_owned()) };
        if let Err(reason) = set {
            self.lose("include", &reason);
        }
    }

    /// Changes the result for `key` to lost, for `reason`.
    fn lose(&mut self, key: &str, reason: &str) {
        let fates = self.fates.iter_mut().filter(|(_, name, _)| name == key);
        fates.for_each(|(_, _, fate)| *fate = Fate::Lost(reason.to_owned()));
    }

    fn written(&self, option: &str, values: &Values) -> String {
        let kind = self.keys.find(option).map_or(ValueKind::One(Item::Text), |key| key.kind);
        format!("{option} = {}", value(kind, values))
    }

    fn text(&self, files: &[PathBuf]) -> String {
        let names: Vec<_> = files.iter().map(|path| quoted(&path.to_string_lossy())).collect();
        let mut text = format!("# Made of {} by `linktrawl config import`.\n", names.join(", "));
        for (option, values) in &self.options {
            text.push_str(&format!("{}\n", self.written(option, values)));
        }
        for (host, lines) in &self.hosts {
            text.push_str(&format!("\n[hosts.{}]\n", quoted(host)));
            for (key, value) in lines {
                text.push_str(&format!("{key} = {value}\n"));
            }
        }
        text
    }

    fn said(&self) -> impl Iterator<Item = String> {
        let line = |(file, key, fate): &(String, String, Fate)| match fate {
            Fate::Kept => format!("{file}: {key}: kept"),
            Fate::KeptBut(difference) => format!("{file}: {key}: kept: {difference}"),
            Fate::Changed(became) => format!("{file}: {key}: changed to {became}"),
            Fate::Needless(reason) => format!("{file}: {key}: not needed: {reason}"),
            Fate::Lost(reason) => format!("{file}: {key}: not kept: {reason}"),
        };
        let untrusted = self.untrusted();
        let told = (!untrusted.is_empty()).then(|| {
            let options = untrusted.join(", ");
            format!("these are taken only from a file that is given with --config FILE: {options}")
        });
        self.fates.iter().map(line).chain(told)
    }

    /// Returns the options that are refused from a file that is found in this directory, not named.
    fn untrusted(&self) -> Vec<String> {
        let is_refused = |option: &str, values: &Values| {
            let Some(key) = self.keys.find(option) else { return false };
            let texts = match values {
                Values::Flag(_) => &[],
                Values::One(text) => std::slice::from_ref(text),
                Values::Many(texts) => texts.as_slice(),
            };
            let leads_out = |text: &String| trust::path_refusal(key, text, Path::new("."));
            trust::refusal(key).is_some() || texts.iter().any(|text| leads_out(text).is_some())
        };
        let options = self.options.iter().filter(|(option, values)| is_refused(option, values));
        let hosts = self.hosts.iter().flat_map(|(host, lines)| {
            let keys = lines.iter().filter(|(key, _)| !hosts::is_harmless(key));
            keys.map(move |(key, _)| format!("hosts.{}.{key}", quoted(host)))
        });
        options.map(|(option, _)| (*option).to_owned()).chain(hosts).collect()
    }
}

/// Returns why `text` is no value of `key`, if it is none.
fn refusal(keys: &Keys, key: Key<'_>, text: &str) -> Option<String> {
    let is_pattern = matches!(key.name, "include" | "exclude");
    let pattern = || patterns(&[text.to_owned()]).err().map(|error| error.to_string());
    keys.refusal(key, text).or_else(|| pattern().filter(|_| is_pattern))
}

/// Converts `value` for `key`, if both are of one kind.
fn same(key: Key<'_>, value: &DeValue<'_>) -> Result<Values, String> {
    match (key.kind, value) {
        (ValueKind::Flag, DeValue::Boolean(is)) => Ok(Values::Flag(*is)),
        (ValueKind::Flag, _) => Err(unlike("true or false", value)),
        (ValueKind::One(_), value) => text_or_number(value).map(Values::One),
        (ValueKind::Many(_), DeValue::Array(values)) => values
            .iter()
            .map(|value| text_or_number(value.get_ref()))
            .collect::<Result<_, _>>()
            .map(Values::Many),
        (ValueKind::Many(_), value) => Ok(Values::Many(vec![text_or_number(value)?])),
    }
}

/// Returns a string as it is, and a number as it is written.
fn text_or_number(value: &DeValue<'_>) -> Result<String, String> {
    match value {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Integer(number) => Ok(number.as_str().to_owned()),
        other => Err(unlike("a string or a whole number", other)),
    }
}

/// Returns the message that `value` is not of the type `expected`.
fn unlike(expected: &str, value: &DeValue<'_>) -> String {
    format!("expected {expected}, found {}", type_of(value))
}

/// Returns the strings and numbers of a value, which may be a list, or contain commas.
fn texts(value: &DeValue<'_>) -> Result<Vec<String>, String> {
    let all = match value {
        DeValue::Array(values) => {
            let texts = values.iter().map(|value| text_or_number(value.get_ref()));
            texts.collect::<Result<Vec<_>, _>>()?
        }
        other => vec![text_or_number(other)?],
    };
    let parts = all.iter().flat_map(|text| text.split(','));
    Ok(parts.map(|part| part.trim().to_owned()).collect())
}

/// Converts accepted status codes. lychee also accepts ranges without a beginning or an end, and
/// exclusive ranges.
fn accept(value: &DeValue<'_>) -> Made {
    let range = |text: String| {
        let Some((first, last)) = text.split_once("..") else { return Ok(text) };
        let number = |text: &str, usual: u16| match text {
            "" => Ok(usual),
            text => text.parse().map_err(|_| format!("expected a status code, found {text:?}")),
        };
        let first = number(first, 100)?;
        let last = match last.strip_prefix('=') {
            Some(last) => number(last, 999)?,
            None if last.is_empty() => 999,
            None => number(last, 999)?.saturating_sub(1),
        };
        Ok(format!("{first}..={last}"))
    };
    let codes = texts(value)?.into_iter().map(range).collect::<Result<_, String>>()?;
    Ok(vec![("accept", Values::Many(codes))])
}

fn cache(value: &DeValue<'_>) -> Made {
    match value.as_bool() {
        Some(true) => Ok(vec![("state", Values::One(STATE_FILE.to_owned()))]),
        Some(false) => Ok(Vec::new()),
        None => Err(unlike("true or false", value)),
    }
}

fn max_age(value: &DeValue<'_>) -> Made {
    Ok(vec![("max-age", Values::One(span(value)?))])
}

fn host_gap(value: &DeValue<'_>) -> Made {
    Ok(vec![("host-gap", Values::One(span(value)?))])
}

fn timeout(value: &DeValue<'_>) -> Made {
    let seconds = value.as_integer().ok_or_else(|| unlike("a whole number", value))?;
    Ok(vec![("timeout", Values::One(format!("{}s", seconds.as_str())))])
}

fn fragments(value: &DeValue<'_>) -> Made {
    let wanted = match value {
        DeValue::Boolean(false) => "none",
        DeValue::Boolean(true) => "all",
        DeValue::String(text) => match &**text {
            "none" => "none",
            "anchor-only" | "full" => "all",
            "text-only" => return Err("places are looked for by their names".to_owned()),
            other => {
                let expected = "none, anchor-only, text-only or full";
                return Err(format!("expected {expected}, found {other:?}"));
            }
        },
        other => return Err(unlike("true, false or a string", other)),
    };
    Ok(vec![("fragments", Values::One(wanted.to_owned()))])
}

fn method(value: &DeValue<'_>) -> Made {
    let text = value.as_str().unwrap_or_default().to_ascii_lowercase();
    match text.as_str() {
        "get" | "head" => Ok(vec![("probe", Values::One(text))]),
        _ => Err("expected get or head: no other method is ever used".to_owned()),
    }
}

fn min_tls(value: &DeValue<'_>) -> Fate {
    match value.as_str() {
        Some("TLSv1_0" | "TLSv1_1" | "TLSv1_2") => Fate::Needless("TLS 1.2 is the minimum"),
        Some("TLSv1_3") => Fate::Lost("TLS 1.2 is the minimum, and stays allowed".to_owned()),
        Some(other) => Fate::Lost(format!("expected TLSv1_0 to TLSv1_3, found {other:?}")),
        None => Fate::Lost(unlike("a string", value)),
    }
}

/// Judges the name of the archive that lychee asks if `table` sets `suggest`, which becomes the
/// option.
fn archive(table: &DeTable<'_>, name: &DeValue<'_>) -> Fate {
    let is_asked = table.get("suggest").is_some_and(|it| it.get_ref().as_bool() == Some(true));
    match name.as_str() {
        Some(WAYBACK) if is_asked => Fate::Kept,
        Some(WAYBACK) => Fate::Needless("without `suggest` no archive is asked"),
        Some(other) => Fate::Lost(format!("expected {WAYBACK}, found {other:?}")),
        None => Fate::Lost(unlike("a string", name)),
    }
}

fn mode(value: &DeValue<'_>) -> Made {
    match value.as_str() {
        Some("plain") => Ok(vec![("color", Values::One("never".to_owned()))]),
        Some("color") => Ok(vec![("color", Values::One("auto".to_owned()))]),
        _ => Err("there is no such mode".to_owned()),
    }
}

/// A pattern of references without a scheme and a host (RFC 3986 §4.2).
const RELATIVE: &str = "^([^:/?#]+([/?#]|$)|[?#]|/([^/]|$)|$)";

fn schemes(value: &DeValue<'_>) -> Made {
    let names = texts(value)?;
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let schemes: Vec<_> = names.iter().map(|name| regex::escape(name)).collect();
    let mut patterns = vec![format!("^(?i:{}):", schemes.join("|"))];
    // In lychee relative links of files have the scheme `file`; here they are matched as written,
    // without a scheme.
    if names.iter().any(|name| name.eq_ignore_ascii_case("file")) {
        patterns.push(RELATIVE.to_owned());
    }
    Ok(vec![("include", Values::Many(patterns))])
}

/// Converts a duration like `2days 4h` to one like `52h`.
fn span(value: &DeValue<'_>) -> Result<String, String> {
    const UNITS: [(&[&str], u64); 6] = [
        (&["ms", "msec", "millis"], 1),
        (&["s", "sec", "secs", "second", "seconds"], 1000),
        (&["m", "min", "mins", "minute", "minutes"], 60_000),
        (&["h", "hr", "hrs", "hour", "hours"], 3_600_000),
        (&["d", "day", "days"], 86_400_000),
        (&["w", "wk", "wks", "week", "weeks"], 604_800_000),
    ];
    let text = value.as_str().ok_or_else(|| unlike("a string", value))?;
    let wrong = || format!("expected a time as in 50ms, found {text:?}");
    let mut rest = text.trim();
    let mut millis: u64 = 0;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = rest.split_at(digits);
        let after = after.trim_start();
        let letters = after.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (unit, after) = after.split_at(letters);
        let factor = UNITS.iter().find(|(names, _)| names.contains(&unit)).map(|(_, ms)| *ms);
        let more = number.parse::<u64>().ok().zip(factor).and_then(|(n, ms)| n.checked_mul(ms));
        millis = more.and_then(|more| millis.checked_add(more)).ok_or_else(wrong)?;
        rest = after.trim_start();
    }
    let fits = |(_, factor): &&(&[&str], u64)| millis > 0 && millis.is_multiple_of(*factor);
    // Weeks are not a unit here.
    let unit = UNITS.iter().rev().skip(1).find(fits);
    let (name, factor) =
        unit.map_or(("s", 1000), |(names, ms)| (names.first().copied().unwrap_or("ms"), *ms));
    Ok(format!("{}{name}", millis / factor))
}

#[cfg(test)]
mod tests {
    use super::{DeTable, How, Keys, ROWS, span};

    #[test]
    fn options_that_keys_become_are_options() {
        let keys = Keys::new();
        for (key, how) in ROWS {
            if let How::Same(option) | How::WhenTrue(option, _) | How::WhenFalse(option, _) = how {
                assert!(keys.find(option).is_some(), "{key}");
            }
        }
        assert!(ROWS.is_sorted_by_key(|(key, _)| *key));
    }

    #[test]
    fn times_of_several_units_are_one() {
        let case = |text: &str, expected: Option<&str>| {
            let line = format!("a = '{text}'");
            let document = DeTable::parse(&line).expect("TOML");
            let value = document.get_ref().get("a").expect("it").get_ref();
            assert_eq!(span(value).ok().as_deref(), expected, "{text}");
        };
        case("2d", Some("2d"));
        case("1day 2hours", Some("26h"));
        case("1h30m", Some("90m"));
        case("50 ms", Some("50ms"));
        case("1s 1ms", Some("1001ms"));
        case("2weeks", Some("14d"));
        case("0s", Some("0s"));
        case("1", None);
        case("h", None);
        case("1x", None);
        case("99999999999999999999s", None);
    }
}
