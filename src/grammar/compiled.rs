//! A grammar with tables: chooses the start rule for a text, and the repairs to apply.

use super::components::components;
use super::dfa::{Readings, SOURCES, Stop, TABLES, Tables};
use super::documents::{DOCUMENTS, Document, Route};
use super::fault::{Asked, rule};
use super::{Grammar, Rules, Start, split};
use crate::finding::{Fault, Repairs};
use crate::uri::{Component, Redacted, Uri};

/// Number of grammars with tables.
pub(super) const COUNT: usize = TABLES.len();

/// Every grammar with tables, in the order of the documents.
pub(super) static COMPILED: [Compiled; COUNT] = {
    let mut list = [Compiled { document: &DOCUMENTS[0], tables: &TABLES[0], initials: 0 }; COUNT];
    let mut idx = 0;
    while idx < COUNT {
        let document = &DOCUMENTS[idx];
        let initials = initials(document.routes);
        list[idx] = Compiled { document, tables: &TABLES[idx], initials };
        idx += 1;
    }
    list
};

// Repairs without a table of their own. The tables include R2 and R8; the accepted text itself
// shows whether they were needed.
const VOID_FRAGMENT: u8 = 2;
const CAPITALS: u8 = 8;
const GENERIC_FOR_OTHERS: u8 = 10;

/// The hint for a text to which only a refused repair is lacking.
const BY_REPAIR: &str = "this document takes it only by a repair that was refused";

/// A document with its tables.
#[derive(Clone, Copy)]
pub(super) struct Compiled {
    document: &'static Document,
    tables: &'static Tables,
    /// First letters of the routes' schemes, as bits: for most texts no route need be compared.
    initials: u32,
}

const fn initials(routes: &[Route]) -> u32 {
    let mut set = 0;
    let mut idx = 0;
    while idx < routes.len() {
        set |= initial(routes[idx].scheme.as_bytes());
        idx += 1;
    }
    set
}

/// Returns the first letter of `text` as a bit, in any case; an arbitrary bit if it is no letter.
const fn initial(text: &[u8]) -> u32 {
    match text.first() {
        Some(&byte) => 1 << (byte & 31),
        None => 0,
    }
}

/// A start rule with its tables.
type Matched = (&'static Route, &'static Readings);

impl Compiled {
    /// Returns the start rule for `text`, which has no prefix.
    fn route(&self, text: &[u8]) -> Matched {
        if self.initials & initial(text) != 0 {
            for (route, readings) in self.document.routes.iter().zip(self.tables.routes) {
                if has_scheme(text, route.scheme) {
                    return (route, readings);
                }
            }
        }
        self.rest()
    }

    const fn rest(&self) -> Matched {
        (&self.document.rest, &self.tables.rest)
    }

    /// Splits `text` after its prefix; the first part is empty if `text` has none.
    fn split_prefix<'t>(&self, text: &'t [u8]) -> (&'t [u8], &'t [u8]) {
        let prefix = self.document.prefix.as_bytes();
        match text.split_at_checked(prefix.len()) {
            Some((head, rest)) if head.eq_ignore_ascii_case(prefix) => (head, rest),
            _ => (&[], text),
        }
    }

    /// Checks `text` against a start rule without the repairs in `refused`, and explains a failure.
    fn walk(&self, text: &[u8], found: Matched, refused: Repairs) -> Result<(), Fault> {
        let stopped = found.1.without(refused).walk(text);
        stopped.map_err(|stop| self.explain(text, found, refused, stop))
    }

    fn explain(
        &self,
        text: &[u8],
        (route, readings): Matched,
        refused: Repairs,
        stop: Stop,
    ) -> Fault {
        let table = readings.without(refused);
        let generic = self.tables.generic;
        let fault = Asked { text, table, generic, era: self.document.era, route }.explain(stop);
        let hint = fault.hint.or_else(|| repair_hint(text, readings, refused));
        Fault { hint, ..fault }
    }

    /// Does what `walk` does, and also handles repairs that change the choice of the rule, or
    /// affect the end of the text.
    fn take(&self, text: &[u8], refused: Repairs) -> Result<(), Fault> {
        let (prefix, after) = self.split_prefix(text);
        let mut found = self.route(after);
        if found.0.repair.is_some_and(|number| refused.has(number)) {
            found = self.rest();
        }
        let mut taken = self.walk(after, found, refused);
        // R10 restricts the generic rule to schemes without a rule of their own.
        if taken.is_err() && refused.has(GENERIC_FOR_OTHERS) {
            taken = self.walk(after, self.rest(), refused).or(taken);
        }
        let moved = |fault: Fault| Fault { at: fault.at.map(|at| at + prefix.len()), ..fault };
        taken.map_err(moved)?;
        match self.told_by_looking(prefix, after, found.0, refused) {
            None => Ok(()),
            Some(at) => {
                let state = found.1.without(refused).state_after(after);
                let stop = Stop { at: after.len(), state };
                let fault = self.explain(after, found, refused, stop);
                Err(refused_by_looking(fault, text, at))
            }
        }
    }

    /// Adds a hint to `fault` if the text is valid with all repairs.
    fn hint_at_refusal(&self, text: &[u8], fault: Fault) -> Fault {
        match self.check(text) {
            Ok(()) => Fault { hint: Some(BY_REPAIR.into()), ..fault },
            Err(_) => fault,
        }
    }

    /// Returns the offset in the whole text at which R2 or R8 was needed, if that repair is
    /// refused: at a capital in the scheme, or at a void fragment at the end.
    fn told_by_looking(
        &self,
        prefix: &[u8],
        after: &[u8],
        route: &Route,
        refused: Repairs,
    ) -> Option<usize> {
        let is_refused = |number| refused.has(number) && self.repairs().has(number);
        let scheme = after.get(..route.scheme.len()).unwrap_or_default();
        let names = [prefix, scheme].concat();
        let capital = names.iter().position(u8::is_ascii_uppercase);
        let end = prefix.len() + after.len();
        capital
            .filter(|_| is_refused(CAPITALS))
            .or_else(|| (is_refused(VOID_FRAGMENT) && after.ends_with(b"#")).then_some(end))
    }
}

/// Adapts `fault` to a text that the table accepts, because it includes the refused repair.
fn refused_by_looking(fault: Fault, text: &[u8], at: usize) -> Fault {
    let fault = Fault { at: Some(at), end_expected: false, ..fault };
    match text.get(at) {
        None => fault,
        Some(capital) => Fault {
            rule: rule("scheme"),
            message: "schemes are printed in small letters".into(),
            expected: [capital.to_ascii_lowercase()].into_iter().collect(),
            ..fault
        },
    }
}

/// Returns a hint if the printed rules accept a text that a repair rejects.
fn repair_hint(text: &[u8], readings: &Readings, refused: Repairs) -> Option<Box<str>> {
    let takes = |number: &&u8| {
        !refused.has(**number)
            && readings.without(refused.with(Repairs::of(**number))).walk(text).is_ok()
    };
    let number = readings.repairs.iter().find(takes)?;
    Some(format!("the rule as it is printed takes it: --no-repair R{number}").into())
}

/// Reports whether `text` begins with `scheme`, in any case (RFC 3986 §3.1), and a colon.
fn has_scheme(text: &[u8], scheme: &str) -> bool {
    let scheme = scheme.as_bytes();
    text.get(scheme.len()) == Some(&b':')
        && text.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme))
}

impl Grammar for Compiled {
    fn name(&self) -> &'static str {
        self.document.name
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.document.aliases
    }

    fn about(&self) -> &'static str {
        self.document.about
    }

    fn check(&self, text: &[u8]) -> Result<(), Fault> {
        if self.takes(text) {
            return Ok(());
        }
        self.take(text, Repairs::NONE)
    }

    fn takes(&self, text: &[u8]) -> bool {
        let (_, after) = self.split_prefix(text);
        self.route(after).1.whole.walk(after).is_ok()
    }

    fn repairs(&self) -> Repairs {
        let numbers = self.document.repairs.iter();
        numbers.fold(Repairs::NONE, |set, &number| set.with(Repairs::of(number)))
    }

    fn read(&self, text: &[u8], refused: Repairs) -> Result<Repairs, Fault> {
        if self.document.repairs.is_empty() {
            return self.check(text).map(|()| Repairs::NONE);
        }
        let refused = refused.within(self.repairs());
        if refused.is_empty() {
            self.check(text)?;
        } else {
            let taken = self.take(text, refused);
            taken.map_err(|fault| self.hint_at_refusal(text, fault))?;
        }
        let (_, after) = self.split_prefix(text);
        let made_by = self.route(after).0.repair;
        let is_needed = |&number: &u8| {
            !refused.has(number)
                && (made_by == Some(number)
                    || self.take(text, refused.with(Repairs::of(number))).is_err())
        };
        let needed = self.repairs().numbers().filter(is_needed);
        Ok(needed.fold(Repairs::NONE, |set, number| set.with(Repairs::of(number))))
    }

    fn split<'t>(&self, text: &'t [u8]) -> Uri<'t> {
        split(text)
    }

    fn components<'t>(&self, text: &'t [u8]) -> Vec<Component<'t>> {
        let (prefix, after) = self.split_prefix(text);
        let (route, _) = self.route(after);
        let mut list = components(after, route.names, self.document.era);
        if !prefix.is_empty() {
            list.insert(0, Component::of("prefix", prefix));
        }
        // A production may split at a plus or a slash, where other readers see a password continue.
        if let Some(cover) = Redacted::new(text).cover() {
            for part in &mut list {
                part.text = cover.over(part.text.clone());
            }
        }
        list
    }

    fn rules(&self) -> Rules {
        let start = |(route, readings): Matched| {
            let Route { scheme, rule, spec, .. } = *route;
            let (states, classes) = readings.whole.size();
            Start { scheme, rule, spec, states, classes }
        };
        let routes = self.document.routes.iter().zip(self.tables.routes);
        let starts = routes.chain([self.rest()]).map(start).collect();
        let routes = self.document.routes.iter().chain([&self.document.rest]);
        let mut names: Vec<&str> = self.document.files.to_vec();
        names.extend(routes.filter_map(|route| route.file));
        names.push("core.abnf");
        names.dedup();
        let text = |name: &str| SOURCES.iter().copied().find(|(file, _)| *file == name);
        Rules { starts, files: names.into_iter().filter_map(text).collect() }
    }
}
