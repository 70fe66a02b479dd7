//! Implements `linktrawl compare`: compares two URIs by the rules of a document.
//!
//! URIs are bytes from the command line and are not trimmed. All output about them goes through
//! [`shown`].

use std::io::{self, Write as _};

use linktrawl::internal::grammar::compare::{Equivalence, compare};
use linktrawl::internal::grammar::normalize::{self, RuleSet, normalize};
use linktrawl::internal::report::escape::Shown;
use linktrawl::internal::report::escape::json::{append_line, text_entry};
use linktrawl::internal::report::escape::runner::disarm_line;
use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use crate::args::compare::CompareFlags;
use crate::args::values::ParseFormat;
use crate::shown::{shown, shown_made_of};

/// The combined result of all rule sets; the greater one decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sameness {
    /// Equal by every rule set.
    Equal,
    /// Different by at least one, while all are applicable.
    Different,
    /// At least one is not applicable.
    Inapplicable,
}

impl From<&Equivalence> for Sameness {
    fn from(equivalence: &Equivalence) -> Self {
        match equivalence {
            Equivalence::Equal => Self::Equal,
            Equivalence::Different => Self::Different,
            Equivalence::Inapplicable { .. } => Self::Inapplicable,
        }
    }
}

/// Compares the two URIs of `flags` by each rule set.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn run(flags: &CompareFlags) -> anyhow::Result<Sameness> {
    let [a, b] = flags.uris.as_slice() else {
        anyhow::bail!("expected two URIs, found {}", flags.uris.len());
    };
    let pair = [a.as_encoded_bytes(), b.as_encoded_bytes()];
    let mut out = Vec::new();
    let mut sameness = Sameness::Equal;
    for rules in &flags.rules {
        let equivalence = compare(pair[0], pair[1], rules);
        sameness = sameness.max(Sameness::from(&equivalence));
        let answer = Answer { pair, rules, equivalence };
        match flags.format {
            ParseFormat::Text => {
                let name = (flags.rules.len() > 1).then_some(rules.name);
                answer.append_text(name, &mut out);
            }
            ParseFormat::Ndjson => append_line(&answer, &mut out),
        }
    }
    let mut stdout = io::stdout().lock();
    stdout.write_all(&out)?;
    stdout.flush()?;
    Ok(sameness)
}

/// The result of one rule set for the pair.
struct Answer<'u> {
    pair: [&'u [u8]; 2],
    rules: &'static RuleSet,
    equivalence: Equivalence,
}

impl Answer<'_> {
    /// Appends the verdict on a line, after the rule set's name if there are several; below it the
    /// normal forms that differ, or why there is no verdict.
    fn append_text(&self, name: Option<&str>, out: &mut Vec<u8>) {
        let before = name.map(|name| format!("{name}: ")).unwrap_or_default();
        let verdict = match &self.equivalence {
            Equivalence::Equal => "equal",
            Equivalence::Different => "different",
            Equivalence::Inapplicable { .. } => "inapplicable",
        };
        out.extend_from_slice(format!("{before}{verdict}\n").as_bytes());
        match &self.equivalence {
            Equivalence::Equal => {}
            Equivalence::Different => self.append_normal_forms(out),
            Equivalence::Inapplicable { .. } => {
                out.extend_from_slice(format!("  {}\n", self.message()).as_bytes());
            }
        }
    }

    fn append_normal_forms(&self, out: &mut Vec<u8>) {
        let forms = self.pair.map(|uri| (uri, normalize(uri, self.rules).ok()));
        let forms = forms.each_ref().map(|(uri, form)| {
            let text = form.as_ref().map(normalize::Normal::as_bytes).unwrap_or_default();
            shown_made_of(text, &[uri])
        });
        for form in &forms {
            let start = out.len();
            out.extend_from_slice(b"  ");
            Shown(form).append_to(out);
            disarm_line(out, start);
            out.push(b'\n');
        }
        if forms[0] == forms[1] {
            out.extend_from_slice(b"  (they differ in the password, which is not printed)\n");
        }
    }

    /// Returns why there is no verdict; empty if there is one.
    fn message(&self) -> String {
        match &self.equivalence {
            Equivalence::Inapplicable { side, reason } => {
                format!("the {} URI: {reason}", side.name())
            }
            Equivalence::Equal | Equivalence::Different => String::new(),
        }
    }
}

impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("type", "compare")?;
        text_entry(&mut map, "a", "a_bytes", &shown(self.pair[0]))?;
        text_entry(&mut map, "b", "b_bytes", &shown(self.pair[1]))?;
        map.serialize_entry("rules", self.rules.name)?;
        let equal = match &self.equivalence {
            Equivalence::Equal => Some(true),
            Equivalence::Different => Some(false),
            Equivalence::Inapplicable { .. } => None,
        };
        map.serialize_entry("equal", &equal)?;
        if equal.is_none() {
            map.serialize_entry("message", &self.message())?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::Sameness;

    #[test]
    fn the_worst_answer_decides() {
        assert!(
            Sameness::Equal < Sameness::Different && Sameness::Different < Sameness::Inapplicable
        );
    }
}
