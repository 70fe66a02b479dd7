//! Represents an option that a file sets.

use std::ffi::OsString;

/// A setting of one option.
#[derive(Debug)]
pub(crate) struct Setting {
    /// Its long name.
    pub(crate) name: String,
    /// The values that it is set to.
    pub(crate) values: Values,
    /// Its line, from 1.
    pub(crate) line: usize,
}

/// The values that an option is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// Present or absent.
    Flag(bool),
    /// One value.
    One(String),
    /// Several values.
    Many(Vec<String>),
}

impl Setting {
    /// Returns the equivalent arguments of the command line.
    pub(super) fn arguments(&self) -> Vec<OsString> {
        let one = |value: &String| format!("--{}={value}", self.name).into();
        match &self.values {
            Values::Flag(true) => vec![format!("--{}", self.name).into()],
            Values::Flag(false) => Vec::new(),
            Values::One(value) => vec![one(value)],
            Values::Many(values) => values.iter().map(one).collect(),
        }
    }
}
