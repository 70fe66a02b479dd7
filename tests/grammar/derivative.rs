//! Regular expressions over bytes and their derivatives (Brzozowski, "Derivatives of Regular
//! Expressions", Journal of the ACM 11, 1964): the slow, obvious recogniser with which the tables
//! are compared. It shares nothing with them but the ABNF files.
//!
//! Expressions are numbers into an `Algebra`, which keeps one of each: equal expressions are the
//! same number. A derivative is always a sorted alternation of chains, none of which begins with an
//! alternation (Antimirov's partial derivatives), of which an expression has finitely many.

use std::collections::HashMap;

use crate::abnf::{Node, Rules};
use crate::bytes::Bytes;

/// An expression: its number in the `Algebra` that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Expression(usize);

/// Takes no text at all. No other expression does: there is neither intersection nor
/// complement, and everything made of this one is made to be it or to leave it out.
pub(crate) const NEVER: Expression = Expression(0);
/// Takes the empty text alone.
const EMPTY: Expression = Expression(1);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Shape {
    Empty,
    Bytes(Bytes),
    /// The first is no chain.
    Chain(Expression, Expression),
    /// Sorted, at least two, none of them an alternation, at most one a set of bytes.
    Either(Vec<Expression>),
    Repeat(Expression, u32, Option<u32>),
}

/// All expressions made so far, and what is known of each.
pub(crate) struct Algebra {
    shapes: Vec<Shape>,
    numbers: HashMap<Shape, Expression>,
    nullable: Vec<bool>,
    classes: HashMap<Expression, Vec<Bytes>>,
}

impl Algebra {
    pub(crate) fn new() -> Self {
        let mut algebra = Self {
            shapes: Vec::new(),
            numbers: HashMap::new(),
            nullable: Vec::new(),
            classes: HashMap::new(),
        };
        assert_eq!(algebra.bytes(Bytes::NONE), NEVER);
        assert_eq!(algebra.number(Shape::Empty), EMPTY);
        algebra
    }

    fn number(&mut self, shape: Shape) -> Expression {
        if let Some(&known) = self.numbers.get(&shape) {
            return known;
        }
        let number = Expression(self.shapes.len());
        let nullable = match &shape {
            Shape::Empty => true,
            Shape::Bytes(_) => false,
            &Shape::Chain(first, rest) => self.is_nullable(first) && self.is_nullable(rest),
            Shape::Either(parts) => parts.iter().any(|&part| self.is_nullable(part)),
            Shape::Repeat(_, min, _) => *min == 0,
        };
        self.nullable.push(nullable);
        self.shapes.push(shape.clone());
        self.numbers.insert(shape, number);
        number
    }

    fn bytes(&mut self, set: Bytes) -> Expression {
        self.number(Shape::Bytes(set))
    }

    fn chain(&mut self, first: Expression, rest: Expression) -> Expression {
        match (first, rest) {
            (NEVER, _) | (_, NEVER) => NEVER,
            (EMPTY, other) | (other, EMPTY) => other,
            _ => match self.shapes[first.0] {
                Shape::Chain(head, tail) => {
                    let tail = self.chain(tail, rest);
                    self.chain(head, tail)
                }
                _ => self.number(Shape::Chain(first, rest)),
            },
        }
    }

    fn either(&mut self, parts: impl IntoIterator<Item = Expression>) -> Expression {
        let mut list = Vec::new();
        let mut set = Bytes::NONE;
        let mut open: Vec<Expression> = parts.into_iter().collect();
        while let Some(part) = open.pop() {
            match &self.shapes[part.0] {
                Shape::Either(parts) => open.extend(parts),
                Shape::Bytes(bytes) => set = set.or(*bytes),
                _ => list.push(part),
            }
        }
        let set = self.bytes(set);
        list.extend((set != NEVER).then_some(set));
        list.sort_unstable();
        list.dedup();
        // The empty text is taken already where another part takes it.
        let nullable = list.iter().filter(|&&part| self.is_nullable(part)).count();
        if nullable > 1 {
            list.retain(|&part| part != EMPTY);
        }
        match list.as_slice() {
            [] => NEVER,
            &[one] => one,
            _ => self.number(Shape::Either(list)),
        }
    }

    fn repeat(&mut self, what: Expression, min: u32, max: Option<u32>) -> Expression {
        match (what, min, max) {
            (_, 1, Some(1)) => what,
            (NEVER, 1.., _) => NEVER,
            (NEVER | EMPTY, ..) | (_, _, Some(0)) => EMPTY,
            // Whatever may be empty may be so any number of times.
            _ if self.is_nullable(what) => self.number(Shape::Repeat(what, 0, max)),
            _ => self.number(Shape::Repeat(what, min, max)),
        }
    }

    /// Reports whether `expression` matches the empty text.
    pub(crate) fn is_nullable(&self, expression: Expression) -> bool {
        self.nullable[expression.0]
    }

    /// Returns the expression for the texts that may follow `byte` in `expression`.
    pub(crate) fn derive(&mut self, expression: Expression, byte: u8) -> Expression {
        match self.shapes[expression.0].clone() {
            Shape::Empty => NEVER,
            Shape::Bytes(set) if set.has(byte) => EMPTY,
            Shape::Bytes(_) => NEVER,
            Shape::Chain(first, rest) => {
                let skipped = if self.is_nullable(first) { self.derive(rest, byte) } else { NEVER };
                let entered = self.derive(first, byte);
                let followed = self.follow(entered, rest);
                self.either([followed, skipped])
            }
            Shape::Either(parts) => {
                let parts: Vec<_> = parts.iter().map(|&part| self.derive(part, byte)).collect();
                self.either(parts)
            }
            Shape::Repeat(what, min, max) => {
                let max = max.map(|max| max - 1);
                let rest = self.repeat(what, min.saturating_sub(1), max);
                let entered = self.derive(what, byte);
                self.follow(entered, rest)
            }
        }
    }

    /// Returns each alternative of `derivative`, followed by `rest`.
    fn follow(&mut self, derivative: Expression, rest: Expression) -> Expression {
        match self.shapes[derivative.0].clone() {
            Shape::Either(parts) => {
                let parts: Vec<_> = parts.iter().map(|&part| self.chain(part, rest)).collect();
                self.either(parts)
            }
            _ => self.chain(derivative, rest),
        }
    }

    /// All bytes in sets, of which each holds bytes with the same derivative (Owens, Reppy,
    /// Turon, "Regular-expression derivatives re-examined", section 4.2).
    pub(crate) fn classes(&mut self, expression: Expression) -> Vec<Bytes> {
        if let Some(known) = self.classes.get(&expression) {
            return known.clone();
        }
        let found = match self.shapes[expression.0].clone() {
            Shape::Empty => vec![Bytes::ALL],
            Shape::Bytes(set) => refine(&[Bytes::ALL], &[set, set.not()]),
            Shape::Chain(first, rest) if self.is_nullable(first) => {
                refine(&self.classes(first), &self.classes(rest))
            }
            Shape::Chain(first, _) | Shape::Repeat(first, ..) => self.classes(first),
            Shape::Either(parts) => parts
                .iter()
                .fold(vec![Bytes::ALL], |classes, &part| refine(&classes, &self.classes(part))),
        };
        self.classes.insert(expression, found.clone());
        found
    }

    /// The expression of the rule `name` in the reading `reading`.
    pub(crate) fn expand(&mut self, name: &str, reading: &Reading<'_>) -> Expression {
        self.expand_within(name, reading, &mut Vec::new())
    }

    fn expand_within(
        &mut self,
        name: &str,
        reading: &Reading<'_>,
        open: &mut Vec<String>,
    ) -> Expression {
        let replaced = reading.replaced.iter().find(|(old, _)| old.eq_ignore_ascii_case(name));
        let name = replaced.map_or(name, |&(_, new)| new).to_lowercase();
        assert!(!open.contains(&name), "{name} reaches itself by {open:?}");
        open.push(name.clone());
        let node = reading.rules.find(&name, reading.active);
        let expression = self.convert(node, reading, open);
        open.pop();
        expression
    }

    fn convert(
        &mut self,
        node: &Node,
        reading: &Reading<'_>,
        open: &mut Vec<String>,
    ) -> Expression {
        match node {
            Node::Either(nodes) => {
                let parts: Vec<_> =
                    nodes.iter().map(|node| self.convert(node, reading, open)).collect();
                self.either(parts)
            }
            Node::Chain(nodes) => nodes.iter().rev().fold(EMPTY, |rest, node| {
                let first = self.convert(node, reading, open);
                self.chain(first, rest)
            }),
            Node::Repeat(node, min, max) => {
                let what = self.convert(node, reading, open);
                self.repeat(what, *min, *max)
            }
            Node::Reference(name) => self.expand_within(name, reading, open),
            &Node::Range(from, to) => self.code_points(from, to),
        }
    }

    /// The UTF-8 of the scalars `from..=to` (RFC 3629 section 3), split where the length
    /// changes and around the surrogates, which have none.
    fn code_points(&mut self, from: u32, to: u32) -> Expression {
        const LENGTHS: [(u32, u32); 5] =
            [(0, 0x7F), (0x80, 0x7FF), (0x800, 0xD7FF), (0xE000, 0xFFFF), (0x1_0000, 0x10_FFFF)];
        let mut parts = Vec::new();
        for (low, high) in LENGTHS {
            let ends = [from.max(low), to.min(high)];
            if ends[0] <= ends[1] {
                let [low, high] = ends.map(|end| char::from_u32(end).unwrap().to_string());
                parts.push(self.between(low.as_bytes(), high.as_bytes()));
            }
        }
        self.either(parts)
    }

    /// The sequences from `low` to `high`, which have the same length and in which every
    /// byte but the first runs from 0x80 to 0xBF.
    fn between(&mut self, low: &[u8], high: &[u8]) -> Expression {
        let (&[low_first, ref low_rest @ ..], &[high_first, ref high_rest @ ..]) = (low, high)
        else {
            return EMPTY;
        };
        let lowest = vec![0x80; low_rest.len()];
        let highest = vec![0xBF; low_rest.len()];
        let spans = if low_first == high_first {
            vec![(low_first, high_first, low_rest, high_rest)]
        } else {
            vec![
                (low_first, low_first, low_rest, highest.as_slice()),
                (low_first + 1, high_first - 1, lowest.as_slice(), highest.as_slice()),
                (high_first, high_first, lowest.as_slice(), high_rest),
            ]
        };
        let mut parts = Vec::new();
        for (from, to, low, high) in spans {
            let first = self.bytes(Bytes::range(from, to));
            let rest = self.between(low, high);
            parts.push(self.chain(first, rest));
        }
        self.either(parts)
    }
}

/// The sets of which each lies in one set of `left` and one of `right`.
fn refine(left: &[Bytes], right: &[Bytes]) -> Vec<Bytes> {
    let pairs = left.iter().flat_map(|one| right.iter().map(|other| one.and(*other)));
    pairs.filter(|set| *set != Bytes::NONE).collect()
}

/// Rules, and how they are read.
pub(crate) struct Reading<'a> {
    pub(crate) rules: &'a Rules,
    /// Which repairs and decisions hold: `R1`, `A2` and the like.
    pub(crate) active: &'a [&'a str],
    /// Names of rules, and the rules that replace them.
    pub(crate) replaced: &'a [(&'a str, &'a str)],
}

#[test]
fn code_points_become_their_utf_8() {
    let edges = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0x1_0000, 0x10_FFFF];
    for (idx, &from) in edges.iter().enumerate() {
        for &to in &edges[idx..] {
            let mut algebra = Algebra::new();
            let span = algebra.code_points(from, to);
            for probe in edges.iter().flat_map(|edge| edge.saturating_sub(1)..=edge + 1) {
                let Some(probe) = char::from_u32(probe) else { continue };
                let text = probe.to_string();
                let after = text.bytes().fold(span, |state, byte| algebra.derive(state, byte));
                let wanted = (from..=to).contains(&u32::from(probe));
                assert_eq!(after == EMPTY, wanted, "{probe:?} in {from:X}-{to:X}");
            }
            let surrogate = [0xED, 0xA0, 0x80];
            let after = surrogate.iter().fold(span, |state, &byte| algebra.derive(state, byte));
            assert_eq!(after, NEVER, "U+D800 in {from:X}-{to:X}");
        }
    }
}

#[test]
fn a_rule_may_stand_in_the_place_of_another() {
    let rules = Rules::of("frame = choice %x23\nchoice = own / other\nown = %x61\nother = %x62\n");
    let takes = |replaced: &[(&str, &str)], text: &[u8]| {
        let mut algebra = Algebra::new();
        let reading = Reading { rules: &rules, active: &[], replaced };
        let start = algebra.expand("frame", &reading);
        let end = text.iter().fold(start, |state, &byte| algebra.derive(state, byte));
        algebra.is_nullable(end)
    };
    assert!(takes(&[], b"a#") && takes(&[], b"b#"));
    assert!(takes(&[("CHOICE", "own")], b"a#") && !takes(&[("CHOICE", "own")], b"b#"));
}

#[test]
fn notation_means_what_the_documents_say() {
    let same = |left: &str, right: &str| {
        let rules = Rules::of(&format!("left = {left} ; a comment\nRIGHT = {right}\nb = \"b\"\n"));
        let reading = Reading { rules: &rules, active: &[], replaced: &[] };
        let mut algebra = Algebra::new();
        algebra.expand("left", &reading) == algebra.expand("right", &reading)
    };
    assert!(same("2*3\";\"", "2*3%x3B"));
    assert!(same("\"aB\"", "( %x41 / %x61 ) ( %x42 / %x62 )"));
    assert!(same("%s\"aB\"", "%x61.42"));
    assert!(same("%i\"a\"", "\"A\""));
    assert!(same("%d97-99", "%b1100001-1100011"));
    assert!(same("[ B ]", "*1( b )"));
    assert!(same("2b", "2*2b"));
    assert!(same("\"a\" / b\n  %x64", "( b %x64 ) / \"a\""));
    assert!(!same("\"a\"", "%s\"a\""));
    assert!(!same("*b", "1*b"));
    assert!(!same("\"a\" b", "b \"a\""));
}
