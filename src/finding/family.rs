//! Lists words that each mean several classes of probe results.

use super::help::{Help, help};
use super::{CLASSES, Class, ClassRow};

/// A word for several classes: those whose names begin with it, and others.
pub struct Family {
    /// The word, as `--verdict` accepts it.
    pub name: &'static str,
    others: &'static [Class],
    /// Its meaning, in one line.
    pub about: &'static str,
    /// Why it matters, and what to do about it.
    pub help: Help,
}

/// All words for several classes.
#[rustfmt::skip]
pub static FAMILIES: &[Family] = &[
    Family {
        name: "tls", others: &[],
        about: "all classes whose names begin with tls-",
        help: help(
            "The host's certificate or its TLS is at fault; the page itself was not requested.",
            "Inform the owner of the host. `--verdict tls=warn` reports all of them as warnings.",
        ),
    },
    Family {
        name: "policy", others: &[Class::SideEffect],
        about: "all classes whose names begin with policy-, and side-effect",
        help: help(
            "The link was not requested, because a request is not safe or not wanted.",
            "Options allow single classes: `linktrawl explain` names them for each.",
        ),
    },
    Family {
        name: "dns", others: &[],
        about: "all classes whose names begin with dns-",
        help: help(
            "The host's name does not exist, or could not be looked up.",
            "Look for a typing error; a name server that fails may recover later.",
        ),
    },
];

impl Family {
    /// Reports whether it includes the class of `row`.
    #[must_use]
    pub fn holds(&self, row: &ClassRow) -> bool {
        let rest = row.name.strip_prefix(self.name);
        self.others.contains(&row.class) || rest.is_some_and(|rest| rest.starts_with('-'))
    }

    /// Returns the names of its classes, for people.
    #[must_use]
    pub fn members(&self) -> String {
        let rows = CLASSES.iter().filter(|row| self.holds(row));
        rows.map(|row| row.name).collect::<Vec<_>>().join(", ")
    }
}
