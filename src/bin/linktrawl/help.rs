//! `linktrawl help`: the guide on a terminal, and the help of a command.

mod page;
mod roff;
mod screen;

use std::io::{self, IsTerminal as _, Write as _};
use std::process::{Command as Process, Stdio};

use clap::{Command, CommandFactory as _};
use linktrawl::guide::{self, TOPICS};
use linktrawl::report::Paint;

use crate::args::Flags;
use crate::args::formats::{Color, Hyperlinks};
use crate::args::help::{HelpFlags, about};
use crate::environment::terminal::{self, Styles};
use crate::environment::variable;
use page::Page;
pub(crate) use roff::man_page;

/// Columns of a line of text that is read with ease; a terminal may have more.
const COLUMNS_MAX: usize = 100;
/// The pager where the environment names none: it quits by itself when all is on one screen.
const PAGER: &str = "less -FRX";

/// Prints what `flags` ask for.
///
/// # Errors
/// When nothing has the name, or standard output cannot be written.
pub(crate) fn print(flags: &HelpFlags) -> anyhow::Result<()> {
    let mut command = Flags::command();
    let topic = match flags.names.as_slice() {
        [] => index(&command),
        [name] => guide::find(name).map(|topic| topic.text.to_owned()).unwrap_or_default(),
        _ => String::new(),
    };
    if topic.is_empty() {
        return Ok(part(&mut command, &flags.names)?.print_long_help()?);
    }
    show(&Page::of(&topic).on_screen(Look::of_terminal()))
}

/// How a text is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    /// Columns of a line, at most.
    columns: usize,
    /// Whether headings and code are painted.
    paint: Paint,
}

impl Look {
    /// Returns the look for the terminal, or for a file without one.
    fn of_terminal() -> Self {
        let paint = Styles::of(Color::Auto, Hyperlinks::Never).stdout.paint;
        Self { columns: terminal::columns().min(COLUMNS_MAX), paint }
    }
}

/// Returns the command that `names` lead to.
fn part<'c>(command: &'c mut Command, names: &[String]) -> anyhow::Result<&'c mut Command> {
    command.build();
    let mut part = command;
    for name in names {
        let found = part.find_subcommand_mut(name);
        part =
            found.ok_or_else(|| anyhow::anyhow!("expected a topic or a command, found {name}"))?;
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
         does where the pages are installed.\n\n| Topic | What it says |\n|---|---|\n{}\n\
         ## Commands\n\n\
         | Command | What it does |\n|---|---|\n{}",
        topics.collect::<String>(),
        commands.collect::<String>()
    )
}

/// Writes `text`, through a pager on a terminal.
fn show(text: &str) -> anyhow::Result<()> {
    let stdout = io::stdout();
    if stdout.is_terminal() && page_through(text).is_ok() {
        return Ok(());
    }
    let mut stdout = stdout.lock();
    stdout.write_all(text.as_bytes())?;
    Ok(stdout.flush()?)
}

/// Gives `text` to the pager.
fn page_through(text: &str) -> io::Result<()> {
    let named = variable("PAGER").and_then(|pager| pager.into_string().ok());
    let pager = named.unwrap_or_else(|| PAGER.to_owned());
    let mut words = pager.split_whitespace();
    let program = words.next().ok_or(io::ErrorKind::NotFound)?;
    let mut pager = Process::new(program).args(words).stdin(Stdio::piped()).spawn()?;
    if let Some(stdin) = pager.stdin.take() {
        // A reader who quits before the end has seen enough.
        let _ = { stdin }.write_all(text.as_bytes());
    }
    pager.wait().map(drop)
}
