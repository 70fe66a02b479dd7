//! Defines the options of `linktrawl explain`.

use std::ffi::OsStr;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, StyledStr, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use linktrawl::internal::check::unwrap::unwrapped;
use linktrawl::internal::finding::topic::{Topic, topics};

const EXAMPLES: &str = "\
Examples:
  linktrawl explain
      Every fault, lint, class of answers, repair, note and reason of reports,
      each with a line on what it means.

  linktrawl explain 'error[pct-encoded]'
      Why a link was refused, how to fix it, and an example; the name alone
      will do.

  linktrawl explain tls-name hidden R3
      A class of answers, a reason that was counted, and a repair.

  linktrawl explain 'https://l.facebook.com/l.php?u=https%3A%2F%2Fh.example%2F'
      The gateways that wrapped a link, and where it leads.";

/// Explain what a name in a report means, why it matters, and how to fix it.
///
/// Without a name, list all of them.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ExplainFlags {
    /// Names of faults, lints, classes of answers, repairs, notes, and reasons; or a link that a
    /// mail gateway wrapped.
    #[arg(value_name = "NAME", value_parser = NameParser, hide_possible_values = true)]
    pub(crate) names: Vec<String>,
}

/// A parser of names in any case. Its error suggests only the nearest name, not all hundred.
#[derive(Clone)]
struct NameParser;

impl TypedValueParser for NameParser {
    type Value = String;

    fn parse_ref(
        &self,
        cmd: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        if let Some(topic) = value.to_str().and_then(|name| named(name).next()) {
            return Ok(topic.name.to_owned());
        }
        if let Some(uri) = value.to_str().filter(|uri| unwrapped(uri.as_bytes()).is_some()) {
            return Ok(uri.to_owned());
        }
        let names = PossibleValuesParser::new(topics().map(|topic| topic.name));
        names.parse_ref(cmd, arg, value).map_err(|mut error| {
            error.remove(ContextKind::ValidValue);
            let tip = StyledStr::from("`linktrawl explain` lists all names");
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let choice = |topic: Topic| PossibleValue::new(topic.name).help(topic.about);
        Some(Box::new(topics().map(choice)))
    }
}

/// Returns the topics called `name`, in any case; a few names are in two tables. A report has some
/// after a verdict, `error[missing]`.
pub(crate) fn named(name: &str) -> impl Iterator<Item = Topic> {
    let in_report = name.trim_end_matches(':').strip_suffix(']');
    let inside = in_report.and_then(|name| name.split_once('[')).map(|(_, inside)| inside);
    let name = inside.unwrap_or(name);
    topics().filter(move |topic| topic.name.eq_ignore_ascii_case(name))
}
