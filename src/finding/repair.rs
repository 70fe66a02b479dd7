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
            "The printed rule wants a character in each segment, and so refuses the examples \
             that the document gives, and each path with a slash at its end.",
            "Nothing is wrong with such a text today. `--no-repair R1` holds it to the print.",
        ).text("magic://a/b//c"),
    ),
    repair("R2", "a void fragment behind #", "RFC 1630, Fragment-id", help(
        "The prose says that a void fragment, with or without the hash sign, means the whole \
         object; the printed rule wants a character behind the sign.",
        "Take the hash sign out where it is not wanted. RFC 3986 takes it, too.",
    ).text("http://info.cern.ch/a#")),
    repair(
        "R3", "host names are labels of letters, digits and hyphens", "RFC 1034 §3.5",
        help(
            "The printed rule takes names that the domain name system has not, and refuses some \
             that it has: the prose asks for the format of domain names.",
            "Write the host as the domain name system has it. `--no-repair R3` holds it to the \
             print.",
        ).text("http://a.1b/"),
    ),
    repair(
        "R4", "the type of ftp stands behind ;type=, without a form code", "RFC 1630, FTP",
        help(
            "In the printed rule nothing stands between path and type, so that the path \
             swallows it; the prose has ;type= and RFC 1738 kept it.",
            "Nothing is wrong with such a text today. `--no-repair R4` holds it to the print.",
        ).text("ftp://h.example/f;type=A"),
    ),
    repair("R5", "gopher without a type behind the slash", "RFC 1630, Gopher", help(
        "The prose lets type and selector be left out, and takes the type for 1, a menu; the \
         printed rule asks for the type.",
        "Write /1 for a menu where old software must follow the link.",
    ).text("gopher://gopher.micro.umn.edu/")),
    repair(
        "R6", "%00 before each attribute of prospero, and a void version", "RFC 1630, Prospero",
        help(
            "In the printed rule attributes stand side by side and cannot be told apart; the \
             prose puts %00 before each, and lets the version be left out.",
            "Nothing is wrong with such a text. `--no-repair R6` holds it to the print.",
        ).text("prospero://host.dom/a%00%00attr"),
    ),
    repair("R7", "nntp with a host", "RFC 1630, NNTP", help(
        "The prose and the table of what addresses hold name a server; the printed rule has no \
         place for one.",
        "Nothing is wrong with such a text today (RFC 5538). `--no-repair R7` holds it to the \
         print.",
    ).text("nntp://news.example/a.group/1")),
    repair("R8", "schemes in capitals", "RFC 1738 §2.1", help(
        "The rules are printed in small letters. Whoever reads URLs is asked to take capitals \
         for the same.",
        "Write schemes in small letters: RFC 3986 §3.1 calls that their form.",
    ).text("HTTP://info.cern.ch/")),
    repair(
        "R9", ":, ; and = in the path of the generic syntax", "RFC 1630, BNF, reserved",
        help(
            "The three are reserved and stand in no rule, while the document's own examples of \
             unknown schemes have them.",
            "Escape them where they delimit nothing. `--no-repair R9` holds the text to the print.",
        ).text("magic:a;b=c"),
    ),
    repair(
        "R10", "the generic rule is for schemes without a rule of their own", "RFC 1630, BNF, url",
        help(
            "As printed, the generic rule takes every text that a scheme's own rule refuses, so \
             that those rules would rule out nothing.",
            "Write what the scheme's own rule asks for. `--no-repair R10` takes what the generic \
             rule takes.",
        ).text("ftp:a"),
    ),
    repair(
        "R11", "rules for file, rlogin and tn3270, which have only prose", "RFC 1630, File, Telnet",
        help(
            "The document describes these three and prints no rule for them, so that nothing \
             could be held to it.",
            "Nothing is wrong with such a text. `--no-repair R11` leaves the three without a rule.",
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
