//! Lists the repairs without which the documents of 1993 and 1994 reject their own examples.
//!
//! Each departs from a document's printed rules where its prose or its examples require that. The
//! rules in `grammar/abnf` describe the changes; here are their names.

use std::fmt;

use super::help::{Help, help};

/// A repair of a printed grammar.
#[derive(Debug, PartialEq, Eq)]
pub struct Repair {
    /// Its name in options and records: `R3`.
    pub id: &'static str,
    /// How the repaired rule differs from the printed one.
    pub about: &'static str,
    /// The document and section that require it.
    pub spec: &'static str,
    /// Why it is made, and what to do about it.
    pub help: Help,
}

/// All repairs; the first is R1.
#[rustfmt::skip]
pub static REPAIRS: [Repair; 11] = [
    repair(
        "R1", "void segments of a path: // and a slash at the beginning", "RFC 1630, BNF, path",
        help(
            "The printed rule requires a character in each segment, and so rejects the \
             document's own examples, and each path that ends in a slash.",
            "Such a text is valid today. `--no-repair R1` applies the printed rule.",
        ).text("magic://a/b//c"),
    ),
    repair("R2", "a void fragment after #", "RFC 1630, Fragment-id", help(
        "The prose declares that a void fragment, with or without the hash sign, means the whole \
         object; the printed rule requires a character after the sign.",
        "Remove the hash sign if it is not intended. RFC 3986 allows it, too.",
    ).text("http://info.cern.ch/a#")),
    repair(
        "R3", "host names are labels of letters, digits and hyphens", "RFC 1034 §3.5",
        help(
            "The printed rule accepts names that are impossible in the domain name system, and \
             rejects some that it has: the prose requires the format of domain names.",
            "Write the host as the domain name system has it. `--no-repair R3` applies the \
             printed rule.",
        ).text("http://a.1b/"),
    ),
    repair(
        "R4", "the type of ftp follows ;type=, without a form code", "RFC 1630, FTP",
        help(
            "The printed rule has no delimiter between path and type, so the type becomes part \
             of the path; the prose has ;type= and RFC 1738 kept it.",
            "Such a text is valid today. `--no-repair R4` applies the printed rule.",
        ).text("ftp://h.example/f;type=A"),
    ),
    repair("R5", "gopher without a type after the slash", "RFC 1630, Gopher", help(
        "In the prose, type and selector may be omitted, and the type is then 1, a menu; the \
         printed rule requires the type.",
        "Write /1 for a menu if old software must follow the link.",
    ).text("gopher://gopher.micro.umn.edu/")),
    repair(
        "R6", "%00 before each attribute of prospero, and a void version", "RFC 1630, Prospero",
        help(
            "The printed rule has no delimiter between attributes; the prose puts %00 before \
             each, and makes the version optional.",
            "Such a text is valid. `--no-repair R6` applies the printed rule.",
        ).text("prospero://host.dom/a%00%00attr"),
    ),
    repair("R7", "nntp with a host", "RFC 1630, NNTP", help(
        "The prose and the table of address components name a server; the printed rule has no \
         place for one.",
        "Such a text is valid today (RFC 5538). `--no-repair R7` applies the printed rule.",
    ).text("nntp://news.example/a.group/1")),
    repair("R8", "schemes in capitals", "RFC 1738 §2.1", help(
        "The rules are printed in small letters. The prose recommends that programs accept \
         capitals as the same.",
        "Write schemes in small letters, their canonical form (RFC 3986 §3.1).",
    ).text("HTTP://info.cern.ch/")),
    repair(
        "R9", ":, ; and = in the path of the generic syntax", "RFC 1630, BNF, reserved",
        help(
            "The three are reserved and occur in no rule, but the document's own examples of \
             unknown schemes have them.",
            "Escape them where they delimit nothing. `--no-repair R9` applies the printed rule.",
        ).text("magic:a;b=c"),
    ),
    repair(
        "R10", "the generic rule is for schemes without a rule of their own", "RFC 1630, BNF, url",
        help(
            "As printed, the generic rule accepts every text that a scheme's own rule rejects, so \
             those rules would have no effect.",
            "Follow the scheme's own rule. `--no-repair R10` accepts what the generic rule \
             accepts.",
        ).text("ftp:a"),
    ),
    repair(
        "R11", "rules for file, rlogin and tn3270, which have only prose", "RFC 1630, File, Telnet",
        help(
            "The document describes these three in prose and prints no rule for them.",
            "Such a text is valid. `--no-repair R11` leaves the three without a rule.",
        ).text("file://h.example/a"),
    ),
];

const fn repair(id: &'static str, about: &'static str, spec: &'static str, help: Help) -> Repair {
    Repair { id, about, spec, help }
}

/// A set of repairs.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Repairs(u16);

impl Repairs {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// The set of all repairs.
    pub const ALL: Self = Self(0b0111_1111_1111_1110 & ((1 << (REPAIRS.len() + 1)) - 1));

    /// Returns the set with the repair of this number, from 1; the empty set if there is none.
    #[must_use]
    pub const fn of(number: u8) -> Self {
        if number == 0 || number as usize > REPAIRS.len() { Self::NONE } else { Self(1 << number) }
    }

    /// Returns the set with the repair called `id`, in any case.
    #[must_use]
    pub fn find(id: &str) -> Option<Self> {
        let number = (1_u8..).zip(&REPAIRS).find(|(_, repair)| repair.id.eq_ignore_ascii_case(id));
        number.map(|(number, _)| Self::of(number))
    }

    /// Reports whether the repair with this number is a member.
    #[must_use]
    pub const fn has(self, number: u8) -> bool {
        self.0 & Self::of(number).0 != 0
    }

    /// Returns the union of the sets.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the intersection of the sets.
    #[must_use]
    pub const fn within(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Reports whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the numbers of the members, in order.
    pub fn numbers(self) -> impl Iterator<Item = u8> {
        (1..=u8::MAX).take(REPAIRS.len()).filter(move |&number| self.has(number))
    }

    /// Returns the members, in order.
    pub fn iter(self) -> impl Iterator<Item = &'static Repair> + Clone {
        (1_u8..).zip(&REPAIRS).filter(move |(number, _)| self.has(*number)).map(|(_, one)| one)
    }
}

impl fmt::Debug for Repairs {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.iter().map(|repair| repair.id)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{REPAIRS, Repairs};

    #[test]
    fn the_numbers_are_those_of_the_names() {
        for (number, repair) in (1..).zip(&REPAIRS) {
            assert_eq!(repair.id, format!("R{number}"));
            assert_eq!(Repairs::find(&repair.id.to_lowercase()), Some(Repairs::of(number)));
            assert_eq!(Repairs::of(number).iter().collect::<Vec<_>>(), [repair]);
        }
        assert_eq!(Repairs::ALL.numbers().count(), REPAIRS.len());
        assert_eq!([Repairs::of(0), Repairs::of(12)], [Repairs::NONE; 2]);
        assert_eq!(Repairs::find("R0"), None);
    }
}
