//! Parses the values of a configuration file one by one, and collects all faults.

use std::fmt;
use std::iter;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::DeValue;

use super::keys::{Item, Key, Keys, TABLES, ValueKind};
use super::patterns;
use super::setting::{Setting, Values};
use super::source::{Source, Trust, type_of};
use super::trust;
use crate::args::alike::perhaps;

/// Number of faults that are reported.
const FAULTS_MAX: usize = 50;

/// Number of values of one option. Each value of a list may be compared with every link, so a list
/// of this length is slow already.
const VALUES_MAX: usize = 10_000;

/// A fault of a file, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Line, from 1.
    pub(crate) line: usize,
    /// Column in Unicode scalars, from 1.
    pub(crate) column: usize,
    /// The expected and the actual text.
    pub(crate) message: String,
}

/// All faults of a file, for people: `path:line:column: message`, one a line.
#[derive(Debug)]
pub(crate) struct Faults {
    /// The path of the file, as it is reported.
    pub(crate) path: std::path::PathBuf,
    /// The faults, in the order of the text.
    pub(crate) list: Vec<Fault>,
    /// Number of further faults.
    more: usize,
}

impl fmt::Display for Faults {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.list.iter().enumerate() {
            let separator = if number == 0 { "" } else { "\n" };
            let Fault { line, column, message } = fault;
            write!(out, "{separator}{}:{line}:{column}: {message}", self.path.display())?;
        }
        match self.more {
            0 => Ok(()),
            more => write!(out, "\n{}: {more} more", self.path.display()),
        }
    }
}

impl std::error::Error for Faults {}

/// The state of parsing a file, with its faults so far.
pub(super) struct Reading<'r> {
    source: &'r Source,
    keys: &'r Keys,
    /// The offset of the start of each line.
    lines: Vec<usize>,
    faults: Vec<Fault>,
    /// Number of faults beyond the limit.
    more: usize,
}

impl<'r> Reading<'r> {
    pub(super) fn of(source: &'r Source, keys: &'r Keys) -> Self {
        let ends = source.text.match_indices('\n').map(|(end, _)| end + 1);
        let lines = iter::once(0).chain(ends).collect();
        Self { source, keys, lines, faults: Vec::new(), more: 0 }
    }
}

impl Reading<'_> {
    pub(super) fn complain(&mut self, span: Range<usize>, message: impl Into<String>) {
        if self.faults.len() >= FAULTS_MAX {
            self.more += 1;
            return;
        }
        let line = self.line(span.clone());
        let start = line.checked_sub(1).and_then(|idx| self.lines.get(idx)).copied();
        let before = start.and_then(|start| self.source.text.get(start..span.start));
        let column = before.map_or(0, |before| before.chars().count()) + 1;
        self.faults.push(Fault { line, column, message: message.into() });
    }

    /// Returns the line of `span`, from 1.
    pub(super) fn line(&self, span: Range<usize>) -> usize {
        self.lines.partition_point(|&start| start <= span.start)
    }

    pub(super) fn trust(&self) -> Trust {
        self.source.trust
    }

    /// Returns the directory that paths in the file are relative to.
    pub(super) fn directory(&self) -> &Path {
        self.source.directory()
    }

    /// Returns the faults of the file, in the order of its text; `None` if there are none.
    pub(super) fn into_faults(self) -> Option<Faults> {
        let Self { source, faults: mut list, more, .. } = self;
        if list.is_empty() {
            return None;
        }
        list.sort_by_key(|fault| (fault.line, fault.column));
        Some(Faults { path: source.path.clone(), list, more })
    }

    /// Parses the option `name`, whose key is at `span`.
    pub(super) fn setting(
        &mut self,
        name: &str,
        span: Range<usize>,
        value: &Spanned<DeValue<'_>>,
    ) -> Option<Setting> {
        let Some(key) = self.keys.find(name) else {
            let known = self.keys.all().map(|key| key.name).chain(TABLES);
            let hint = match perhaps(name, known) {
                hint if hint.is_empty() => "; `linktrawl config show` lists all".to_owned(),
                hint => hint,
            };
            self.complain(span, format!("no option is called {name:?}{hint}"));
            return None;
        };
        if let Some(refusal) = self.refusal(key) {
            self.complain(span, refusal);
            return None;
        }
        let line = self.line(span);
        let values = self.values(key, value.get_ref(), value.span())?;
        Some(Setting { name: key.name.to_owned(), values, line })
    }

    /// Parses the value of a key that accepts the values of the option `name`.
    pub(super) fn option(
        &mut self,
        name: &str,
        value: &DeValue<'_>,
        span: Range<usize>,
    ) -> Option<String> {
        let key = self.keys.find(name)?;
        let ValueKind::One(item) = key.kind else { return None };
        self.value(key, item, value, span)
    }

    fn refusal(&self, key: Key<'_>) -> Option<String> {
        match self.source.trust {
            Trust::Named => None,
            Trust::Found => trust::refusal(key),
        }
    }

    fn values(&mut self, key: Key<'_>, value: &DeValue<'_>, span: Range<usize>) -> Option<Values> {
        match (key.kind, value) {
            (ValueKind::Flag, DeValue::Boolean(is_wanted)) => Some(Values::Flag(*is_wanted)),
            (ValueKind::One(_), DeValue::Boolean(false)) if key.may_stand_alone() => {
                Some(Values::Flag(false))
            }
            (ValueKind::One(item), DeValue::Boolean(true)) if key.may_stand_alone() => {
                let usual = self.keys.usual(key).unwrap_or_default();
                self.value(key, item, &DeValue::String(usual.into()), span).map(Values::One)
            }
            (ValueKind::One(item), value) => self.value(key, item, value, span).map(Values::One),
            (ValueKind::Many(item), DeValue::Array(values)) => {
                if values.is_empty() && !key.arg.get_default_values().is_empty() {
                    self.complain(span, "expected at least one value, found none");
                    return None;
                }
                if values.len() > VALUES_MAX {
                    self.complain(span, format!("expected at most {VALUES_MAX} values"));
                    return None;
                }
                if let Some(refusal) = self.costly(key, values) {
                    self.complain(span, refusal);
                    return None;
                }
                self.each(key, item, values).map(Values::Many)
            }
            (ValueKind::Flag, other) => self.mistyped(span, "true or false", other),
            (ValueKind::Many(Item::Number), other) => {
                self.mistyped(span, "an array of numbers", other)
            }
            (ValueKind::Many(_), other) => self.mistyped(span, "an array of strings", other),
        }
    }

    /// Returns why `values` are too expensive for a file that was found, if they are.
    fn costly(&self, key: Key<'_>, values: &[Spanned<DeValue<'_>>]) -> Option<String> {
        let texts = values.iter().map(|value| value.get_ref().as_str().unwrap_or_default());
        match self.source.trust {
            Trust::Named => None,
            Trust::Found => patterns::refusal(key, texts),
        }
    }

    /// Parses the values of an array. All of them are checked, so that all faults are reported.
    fn each(
        &mut self,
        key: Key<'_>,
        item: Item,
        values: &[Spanned<DeValue<'_>>],
    ) -> Option<Vec<String>> {
        let texts = values.iter().map(|value| self.text(key, item, value.get_ref(), value.span()));
        let mut texts: Vec<_> = texts.collect();
        let good: Vec<_> = texts.iter().flatten().map(String::as_str).collect();
        if !self.keys.take_all(key, &good) {
            for (text, value) in texts.iter_mut().zip(values) {
                if self.faults.len() >= FAULTS_MAX {
                    return None;
                }
                *text = text.take().and_then(|text| self.judged(key, text, value.span()));
            }
        }
        texts.into_iter().collect()
    }

    pub(super) fn mistyped<T>(
        &mut self,
        span: Range<usize>,
        expected: &str,
        found: &DeValue<'_>,
    ) -> Option<T> {
        self.complain(span, format!("expected {expected}, found {}", type_of(found)));
        None
    }

    /// Parses one value to the text that the command line would have, and checks it.
    fn value(
        &mut self,
        key: Key<'_>,
        item: Item,
        value: &DeValue<'_>,
        span: Range<usize>,
    ) -> Option<String> {
        let text = self.text(key, item, value, span.clone())?;
        self.judged(key, text, span)
    }

    /// Returns `text` if the command line accepts it for `key`.
    fn judged(&mut self, key: Key<'_>, text: String, span: Range<usize>) -> Option<String> {
        match self.keys.refusal(key, &text) {
            None => Some(text),
            Some(refusal) => {
                self.complain(span, refusal);
                None
            }
        }
    }

    /// Converts one value to the text that the command line would have. Paths are relative to the
    /// file's directory.
    fn text(
        &mut self,
        key: Key<'_>,
        item: Item,
        value: &DeValue<'_>,
        span: Range<usize>,
    ) -> Option<String> {
        let text = match (item, value) {
            (Item::Number | Item::NumberOrText, DeValue::Integer(number)) => {
                let number = i64::from_str_radix(number.as_str(), number.radix());
                number.map_or_else(|_| value_text(value), |number| number.to_string())
            }
            (Item::NumberOrText, DeValue::Float(number)) => number.as_str().to_owned(),
            (Item::Number, other) => return self.mistyped(span, "a whole number", other),
            (_, DeValue::String(text)) => text.to_string(),
            (Item::NumberOrText, other) => {
                return self.mistyped(span, "a number or a string", other);
            }
            (_, other) => return self.mistyped(span, "a string", other),
        };
        let directory = self.source.directory();
        let refusal = match self.source.trust {
            Trust::Named => None,
            Trust::Found => trust::path_refusal(key, &text, directory),
        };
        let whole = match refusal {
            Some(refusal) => Err(refusal),
            None => from(directory, item, text),
        };
        whole.map_err(|refusal| self.complain(span, refusal)).ok()
    }
}

/// Returns a number that is too large as it was written.
fn value_text(value: &DeValue<'_>) -> String {
    value.as_integer().map(|number| number.as_str().to_owned()).unwrap_or_default()
}

/// Returns `value`, whose path, if there is one, is joined to `directory`.
fn from(directory: &Path, item: Item, value: String) -> Result<String, String> {
    let path = trust::path_of(item, &value).filter(|path| *path != "-");
    let Some(path) = path.filter(|_| directory != Path::new(".")) else { return Ok(value) };
    let whole = directory.join(path);
    let Some(whole) = whole.to_str() else {
        return Err(format!("expected a directory whose name is UTF-8, found {directory:?}"));
    };
    match value.split_once('=') {
        Some((format, _)) if item == Item::Report => Ok(format!("{format}={whole}")),
        _ => Ok(whole.to_owned()),
    }
}
