//! Implements `linktrawl help`: shows the guide on a terminal, and the help of a command.

use clap::{Command, CommandFactory as _};
use linktrawl::guide::{self, TOPICS};

use crate::args::Flags;
use crate::args::help::{HelpFlags, about};
use crate::help;

/// Prints the page or help that `flags` select.
///
/// # Errors
/// When there is no such name, or standard output cannot be written.
pub(crate) fn run(flags: &HelpFlags) -> anyhow::Result<()> {
    let mut command = Flags::command();
    let topic = match flags.names.as_slice() {
        [] => index(&command),
        [name] => guide::find(name).map(|topic| topic.text.to_owned()).unwrap_or_default(),
        _ => String::new(),
    };
    if topic.is_empty() {
        return help::show_command(part(&mut command, &flags.names)?);
    }
    help::show(&topic)
}

/// Returns the command that `names` lead to.
fn part<'c>(command: &'c mut Command, names: &[String]) -> anyhow::Result<&'c mut Command> {
    command.build();
    let mut part = command;
    for (depth, name) in names.iter().enumerate() {
        let above = part.get_name().to_owned();
        part = part.find_subcommand_mut(name).ok_or_else(|| match depth {
            0 => anyhow::anyhow!("expected a topic or a command, found {name}"),
            _ => anyhow::anyhow!("{above} has no subcommand {name:?}: linktrawl help {above}"),
        })?;
    }
    Ok(part)
}

/// Lists topics and commands.
fn index(command: &Command) -> String {
    let commands = command.get_subcommands().map(|part| {
        let about = part.get_about().map(ToString::to_string).unwrap_or_default();
        format!("| `{}` | {about} |\n", part.get_name())
    });
    let topics = TOPICS.iter().map(|topic| format!("| `{}` | {} |\n", topic.name, about(topic)));
    format!(
        "# The guide\n\n`linktrawl help TOPIC` prints one of these, and `man 7 linktrawl-TOPIC` \
         does where the pages are installed.\n\n| Topic | Contents |\n|---|---|\n{}\n\
         ## Commands\n\n\
         | Command | Description |\n|---|---|\n{}",
        topics.collect::<String>(),
        commands.collect::<String>()
    )
}
