//! A second reader of ABNF (RFC 5234, strings of RFC 7405), made for the tests alone: what it
//! reads must mean the same as what the build script compiles by another parser.
//!
//! Prose values are refused, as nothing can be derived from them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The right side of a rule.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Either(Vec<Self>),
    Chain(Vec<Self>),
    Repeat(Box<Self>, u32, Option<u32>),
    /// The name of a rule in lower case.
    Reference(String),
    /// Code points from the first to the last.
    Range(u32, u32),
}

/// The rules of some files by lower-case name (RFC 5234 section 2.1: names have no case).
#[derive(Default)]
pub(crate) struct Rules {
    by_name: BTreeMap<String, Node>,
}

impl Rules {
    /// The rules of `files` under `src/grammar/abnf`.
    pub(crate) fn read(files: &[&str]) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/grammar/abnf");
        let texts = files.iter().map(|file| fs::read_to_string(folder.join(file)).unwrap());
        Self::of(&texts.collect::<Vec<_>>().join("\n"))
    }

    /// The rules of `text`.
    pub(crate) fn of(text: &str) -> Self {
        let mut logical: Vec<String> = Vec::new();
        for line in text.lines().map(without_comment) {
            // A rule goes on where a line begins with a blank (section 3.1).
            match logical.last_mut() {
                Some(rule) if line.starts_with([' ', '\t']) => rule.push_str(line),
                _ => logical.push(line.to_owned()),
            }
        }
        let mut rules = Self::default();
        logical.iter().filter(|rule| !rule.trim().is_empty()).for_each(|rule| rules.add(rule));
        rules
    }

    fn add(&mut self, rule: &str) {
        let (name, right) = rule.split_once('=').unwrap_or_else(|| panic!("no rule: {rule}"));
        let name = name.trim().to_lowercase();
        let (right, more) = right.strip_prefix('/').map_or((right, false), |rest| (rest, true));
        let mut reader = Reader { rest: right };
        let node = reader.alternation();
        assert!(reader.rest.is_empty(), "{name}: left over: {}", reader.rest);
        let old = self.by_name.remove(&name);
        assert_eq!(old.is_some(), more, "{name}: defined twice, or added to nothing");
        let node = old.map_or(node.clone(), |old| Node::Either(vec![old, node]));
        self.by_name.insert(name, node);
    }

    /// Returns the rule that a reference to `name` means where the repairs and decisions `active`
    /// are in force: the rule with the suffix of such a repair, else of such a decision, else the
    /// plain one.
    pub(crate) fn find(&self, name: &str, active: &[&str]) -> &Node {
        let suffixed = ["R", "A"].into_iter().find_map(|kind| {
            let mut numbers = active.iter().filter(|suffix| suffix.starts_with(kind));
            numbers.find_map(|suffix| self.by_name.get(&format!("{name}-{suffix}").to_lowercase()))
        });
        let plain = || self.by_name.get(&name.to_lowercase());
        suffixed.or_else(plain).unwrap_or_else(|| panic!("no rule {name}"))
    }
}

/// `line` up to the semicolon that is not in a string.
fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let end = line.find(|c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    &line[..end.unwrap_or(line.len())]
}

/// Reads the right side of a rule from left to right. Blanks are skipped after each element, and
/// never between a repetition and the element that it repeats.
struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn alternation(&mut self) -> Node {
        self.skip_blanks();
        let mut nodes = vec![self.concatenation()];
        while self.take("/") {
            self.skip_blanks();
            nodes.push(self.concatenation());
        }
        Node::Either(nodes)
    }

    fn concatenation(&mut self) -> Node {
        let mut nodes = Vec::new();
        while !self.rest.is_empty() && !self.rest.starts_with(['/', ')', ']']) {
            nodes.push(self.repetition());
            self.skip_blanks();
        }
        assert!(!nodes.is_empty(), "nothing before {:?}", self.rest);
        Node::Chain(nodes)
    }

    /// `*`, `2`, `2*`, `*3` or `2*3` before an element (sections 3.6 and 3.7).
    fn repetition(&mut self) -> Node {
        let count = self.number(10);
        let (min, max) = if self.take("*") {
            (count.unwrap_or(0), self.number(10))
        } else {
            (count.unwrap_or(1), count.or(Some(1)))
        };
        Node::Repeat(Box::new(self.element()), min, max)
    }

    fn element(&mut self) -> Node {
        if self.take("(") {
            let node = self.alternation();
            assert!(self.take(")"), "not closed: {}", self.rest);
            node
        } else if self.take("[") {
            let node = self.alternation();
            assert!(self.take("]"), "not closed: {}", self.rest);
            Node::Repeat(Box::new(node), 0, Some(1))
        } else if self.take("%s\"") {
            self.string(|c| vec![c])
        } else if self.take("\"") || self.take("%i\"") {
            self.string(|c| vec![c.to_ascii_lowercase(), c.to_ascii_uppercase()])
        } else if self.take("%") {
            self.numeric()
        } else {
            let len = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
            let name = self.cut(len.unwrap_or(self.rest.len()));
            assert!(!name.is_empty(), "no element: {:?}", self.rest);
            Node::Reference(name.to_lowercase())
        }
    }

    /// The rest of a string, of which each character has `cases` (RFC 7405 section 2.1).
    fn string(&mut self, cases: impl Fn(char) -> Vec<char>) -> Node {
        let text = self.cut(self.rest.find('"').unwrap());
        self.cut(1);
        let one = |c: char| Node::Range(u32::from(c), u32::from(c));
        let each = text.chars().map(|c| Node::Either(cases(c).into_iter().map(one).collect()));
        Node::Chain(each.collect())
    }

    /// `x41`, `x41-5A` or `x41.42.43`, with `d` and `b` for the other bases (section 2.3).
    fn numeric(&mut self) -> Node {
        let radix = match self.cut(1) {
            "x" | "X" => 16,
            "d" | "D" => 10,
            "b" | "B" => 2,
            other => panic!("no base: {other}"),
        };
        let first = self.number(radix).unwrap();
        if self.take("-") {
            return Node::Range(first, self.number(radix).unwrap());
        }
        let mut nodes = vec![Node::Range(first, first)];
        while self.take(".") {
            let next = self.number(radix).unwrap();
            nodes.push(Node::Range(next, next));
        }
        Node::Chain(nodes)
    }

    fn number(&mut self, radix: u32) -> Option<u32> {
        let len = self.rest.find(|c: char| !c.is_digit(radix)).unwrap_or(self.rest.len());
        let digits = self.cut(len);
        (!digits.is_empty()).then(|| u32::from_str_radix(digits, radix).unwrap())
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, what: &str) -> bool {
        let after = self.rest.strip_prefix(what);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn cut(&mut self, len: usize) -> &'t str {
        let (head, rest) = self.rest.split_at(len);
        self.rest = rest;
        head
    }
}

#[test]
fn a_repaired_rule_takes_the_place_of_the_printed_one() {
    let rules = Rules::of("Name = %x61\nname-A2 = %x62\nname-R3 = %x63\nname-R11 = %x64\n");
    let found = |active: &[&str]| format!("{:?}", rules.find("NAME", active));
    assert!(found(&[]).contains("Range(97, 97)"));
    assert!(found(&["A2"]).contains("Range(98, 98)"));
    assert!(found(&["A2", "R3"]).contains("Range(99, 99)"));
    assert!(found(&["A2", "R1"]).contains("Range(98, 98)"));
    assert!(found(&["R11"]).contains("Range(100, 100)"));
}
