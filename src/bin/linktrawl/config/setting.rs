//! What a file sets an option to.

use std::ffi::OsString;

/// One option.
#[derive(Debug)]
pub(crate) struct Setting {
    /// Its long name.
    pub(crate) name: String,
    /// What it is set to; none where it is an option that is not wanted.
    pub(crate) values: Values,
    /// The line that it stands in, from 1.
    pub(crate) line: usize,
}

/// What an option is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// To be there, or not.
    Flag(bool),
    /// To one value.
    One(String),
    /// To these.
    Many(Vec<String>),
}

impl Setting {
    /// Returns what somebody would have typed for it.
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
