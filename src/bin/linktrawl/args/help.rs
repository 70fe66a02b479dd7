//! Defines the options of `linktrawl help`.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Command, Subcommand as _};
use linktrawl::guide::{TOPICS, Topic};

const EXAMPLES: &str = "\
Examples:
  linktrawl help
      The topics of the guide, and the commands.

  linktrawl help mail
      How mailboxes are read, and what of mail is not.

  linktrawl help check
      Every option of a command; `linktrawl check --help` is a summary.";

/// Print the guide on a topic, or the help of a command.
///
/// Without a name, list the topics. On a terminal the text goes through the pager that PAGER
/// names, `less` without it, and none if it is empty.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct HelpFlags {
    /// A topic of the guide, or a command and its subcommand.
    #[arg(value_name = "TOPIC", value_parser = NameParser, hide_possible_values = true)]
    pub(crate) names: Vec<String>,
}

/// A parser of topics and commands, whose error names the nearest one.
#[derive(Clone)]
struct NameParser;

impl TypedValueParser for NameParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        // Nested subcommands are looked up later, when their parent is known.
        let is_inner = value.to_str().is_some_and(|name| inner_names().any(|known| known == name));
        if is_inner {
            return Ok(value.to_string_lossy().into_owned());
        }
        let names = names().collect::<Vec<_>>();
        PossibleValuesParser::new(names).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names()))
    }
}

/// Returns the commands. Not derived from `Flags`, whose parser calls this function.
fn commands() -> Command {
    super::Command::augment_subcommands(Command::new("linktrawl"))
}

/// Returns the valid names for the first word.
fn names() -> impl Iterator<Item = PossibleValue> {
    let topics = TOPICS.iter().map(|topic| PossibleValue::new(topic.name).help(about(topic)));
    let commands = commands();
    let commands: Vec<_> = commands
        .get_subcommands()
        .map(|part| {
            let about = part.get_about().map(ToString::to_string).unwrap_or_default();
            PossibleValue::new(part.get_name().to_owned()).help(about)
        })
        .collect();
    topics.chain(commands)
}

/// Returns the names of nested subcommands.
fn inner_names() -> impl Iterator<Item = String> {
    let all = commands();
    let inner = all.get_subcommands().flat_map(Command::get_subcommands);
    inner.map(|part| part.get_name().to_owned()).collect::<Vec<_>>().into_iter()
}

/// Returns the summary of a topic in one line.
pub(crate) fn about(topic: &Topic) -> String {
    topic.about().replace('\n', " ")
}
