//! The repairs without which the documents of 1993 and 1994 refuse their own examples.
//!
//! Each is a departure from a document's printed rules that its prose or its examples ask
//! for. What each changes stands beside the rules in `grammar/abnf`; here are their names.

use std::fmt;

/// One repair.
#[derive(Debug, PartialEq, Eq)]
pub struct Repair {
    /// Its name in options and records: `R3`.
    pub id: &'static str,
    /// What is read otherwise than it is printed.
    pub about: &'static str,
}

/// Every repair; the first is R1.
pub static REPAIRS: [Repair; 11] = [
    Repair { id: "R1", about: "void segments of a path: // and a slash at the beginning" },
    Repair { id: "R2", about: "a void fragment behind #" },
    Repair { id: "R3", about: "host names are labels of letters, digits and hyphens" },
    Repair { id: "R4", about: "the type of ftp stands behind ;type=, without a form code" },
    Repair { id: "R5", about: "gopher without a type behind the slash" },
    Repair { id: "R6", about: "%00 before each attribute of prospero, and a void version" },
    Repair { id: "R7", about: "nntp with a host" },
    Repair { id: "R8", about: "schemes in capitals" },
    Repair { id: "R9", about: ":, ; and = in the path of the generic syntax" },
    Repair { id: "R10", about: "the generic rule is for schemes without a rule of their own" },
    Repair { id: "R11", about: "rules for file, rlogin and tn3270, which have only prose" },
];

/// A set of repairs.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Repairs(u16);

impl Repairs {
    /// None.
    pub const NONE: Self = Self(0);

    /// Every one.
    pub const ALL: Self = Self(0b0111_1111_1111_1110 & ((1 << (REPAIRS.len() + 1)) - 1));

    /// The set of the one with this number, from 1; the empty set when there is none.
    #[must_use]
    pub const fn of(number: u8) -> Self {
        if number == 0 || number as usize > REPAIRS.len() { Self::NONE } else { Self(1 << number) }
    }

    /// The set of the one that is called `id`, in any case.
    #[must_use]
    pub fn find(id: &str) -> Option<Self> {
        let number = (1_u8..).zip(&REPAIRS).find(|(_, repair)| repair.id.eq_ignore_ascii_case(id));
        number.map(|(number, _)| Self::of(number))
    }

    /// True when the repair with this number is a member.
    #[must_use]
    pub const fn has(self, number: u8) -> bool {
        self.0 & Self::of(number).0 != 0
    }

    /// This set and the members of `other`.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The members that `other` has, too.
    #[must_use]
    pub const fn within(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// True when there is no member.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The numbers of the members, in order.
    pub fn numbers(self) -> impl Iterator<Item = u8> {
        (1..=u8::MAX).take(REPAIRS.len()).filter(move |&number| self.has(number))
    }

    /// The members, in order.
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
