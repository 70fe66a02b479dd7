//! Defines the texts that `--generate` prints.

use clap::builder::PossibleValue;
use clap::{Command, Subcommand as _, ValueEnum};
use linktrawl::guide::{self, TOPICS, Topic};

/// The value of `--generate`.
#[derive(Clone)]
pub(crate) enum Requested {
    /// A text about the whole program.
    Text(Generated),
    /// The man page of the subcommand of this name, in roff: `man-scan`.
    Page(String),
    /// The man page of a topic of the guide, in roff: `man-mail`.
    Topic(&'static Topic),
}

impl Requested {
    /// # Errors
    /// When nothing is called `name`; the error lists the names.
    pub(crate) fn parse(name: &str) -> Result<Self, String> {
        if let Ok(text) = Generated::from_str(name, false) {
            return Ok(Self::Text(text));
        }
        let part = name.strip_prefix("man-").unwrap_or_default();
        if subcommands().any(|known| known == part) {
            return Ok(Self::Page(part.to_owned()));
        }
        if let Some(topic) = guide::find(part) {
            return Ok(Self::Topic(topic));
        }
        let texts: Vec<_> = texts().map(|text| text.get_name().to_owned()).collect();
        Err(format!("expected man-SUBCOMMAND, man-TOPIC or one of {}", texts.join(", ")))
    }

    /// Returns all accepted names.
    pub(crate) fn names() -> impl Iterator<Item = PossibleValue> {
        let page = |name| {
            let about = format!("The man page of {name}, in roff");
            PossibleValue::new(format!("man-{name}")).help(about)
        };
        let topic = |topic: &Topic| {
            let about = format!("The page of the guide's topic {}, in roff", topic.name);
            PossibleValue::new(format!("man-{}", topic.name)).help(about)
        };
        texts().chain(subcommands().map(page)).chain(TOPICS.iter().map(topic))
    }
}

/// Returns the texts about the whole program.
fn texts() -> impl Iterator<Item = PossibleValue> {
    Generated::value_variants().iter().filter_map(ValueEnum::to_possible_value)
}

/// Returns the names of the subcommands. Not derived from `Flags`, whose parser calls this
/// function.
fn subcommands() -> impl Iterator<Item = String> {
    let all = super::Command::augment_subcommands(Command::new("linktrawl"));
    let names: Vec<_> = parts(&all).map(|part| part.get_name().to_owned()).collect();
    names.into_iter()
}

/// The texts that `--generate` prints, besides the man pages of subcommands.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Generated {
    /// The man page of all, in roff
    Man,
    /// Completions for bash
    CompleteBash,
    /// Completions for zsh
    CompleteZsh,
    /// Completions for fish
    CompleteFish,
    /// Completions for PowerShell
    CompletePowershell,
    /// Completions for elvish
    CompleteElvish,
    /// The JSON Schema of configuration files
    ConfigSchema,
    /// The table of schemes, in Markdown
    GuideSchemes,
    /// The verdicts of all grammars on ten instructive URIs, in Markdown
    GuideVerdicts,
    /// The table of grammars, in Markdown
    GuideGrammars,
    /// The table of rule sets, in Markdown
    GuideRules,
    /// The table of lints, in Markdown
    GuideLints,
    /// The table of classes of answers, in Markdown
    GuideClasses,
    /// The table of formats, in Markdown
    GuideFormats,
    /// The table of mail gateways, in Markdown
    GuideGateways,
    /// The table of kinds of inputs, in Markdown
    GuideKinds,
    /// The tables of options, in Markdown
    GuideOptions,
    /// The options that only a named configuration file sets, in Markdown
    GuideRefused,
}

/// Returns the subcommands, without clap's own `help`.
pub(crate) fn parts(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|part| part.get_name() != "help")
}
