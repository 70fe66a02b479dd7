//! Shows texts of the guide and the help of commands on a terminal, and converts the former to man
//! pages.

mod page;
mod roff;
mod screen;

use std::env;
use std::io::{self, IsTerminal as _, Write as _};
use std::process::{Command as Process, Stdio};

use clap::Command;
use linktrawl::internal::report::Paint;

use crate::args::formats::{Color, Hyperlinks};
use crate::environment::is_set;
use crate::environment::terminal::{self, Styles};
use crate::signals;
use page::Page;
pub(crate) use roff::man_page;

/// The longest comfortable line of text in columns, even if a terminal has more.
const COLUMNS_MAX: usize = 100;
/// The default pager.
const PAGER: &str = "less -FRX";
/// The variable with options of `less`, and the options for a pager that finds it unset, as git
/// sets them: it exits by itself if the whole text fits on one screen, shows colours, and leaves
/// the text on the screen.
const LESS: (&str, &str) = ("LESS", "FRX");

/// The layout of a text.
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

/// Writes the page of `text`, which is Markdown, through a pager on a terminal.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn show(text: &str) -> anyhow::Result<()> {
    print(&Page::of(text).on_screen(Look::of_terminal()))
}

/// Writes the whole help of `command`, through a pager on a terminal.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn show_command(command: &mut Command) -> anyhow::Result<()> {
    let help = command.render_long_help();
    match Look::of_terminal().paint {
        Paint::Ansi => print(&help.ansi().to_string()),
        Paint::Plain => print(&help.to_string()),
    }
}

fn print(text: &str) -> anyhow::Result<()> {
    let stdout = io::stdout();
    let is_paged = stdout.is_terminal() && !terminal::is_dumb();
    if is_paged && page_through(text).unwrap_or(false) {
        return Ok(());
    }
    let mut stdout = stdout.lock();
    stdout.write_all(text.as_bytes())?;
    Ok(stdout.flush()?)
}

/// Pipes `text` to the pager, and reports whether it could run.
fn page_through(text: &str) -> io::Result<bool> {
    // An empty one means none, as to git.
    let pager = env::var("PAGER").unwrap_or_else(|_| PAGER.to_owned());
    let mut words = pager.split_whitespace();
    let program = words.next().ok_or(io::ErrorKind::NotFound)?;
    let mut pager = Process::new(program);
    let (name, options) = LESS;
    if !is_set(name) {
        pager.env(name, options);
    }
    let mut pager = pager.args(words).stdin(Stdio::piped()).spawn()?;
    signals::leave_to_pager()?;
    if let Some(stdin) = pager.stdin.take() {
        // A reader who quits before the end has seen enough.
        let _ = { stdin }.write_all(text.as_bytes());
    }
    // A signal ends a pager that has shown something; `PAGER=false` shows nothing.
    pager.wait().map(|status| status.success() || status.code().is_none())
}
