//! Shows texts of the guide as pages on a terminal, and converts them to man pages.

mod page;
mod roff;
mod screen;

use std::io::{self, IsTerminal as _, Write as _};
use std::process::{Command as Process, Stdio};

use linktrawl::internal::report::Paint;

use crate::args::formats::{Color, Hyperlinks};
use crate::environment::terminal::{self, Styles};
use crate::environment::variable;
use page::Page;
pub(crate) use roff::man_page;

/// The longest comfortable line of text in columns, even if a terminal has more.
const COLUMNS_MAX: usize = 100;
/// The default pager: it exits by itself if the whole text fits on one screen.
const PAGER: &str = "less -FRX";

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
    let text = Page::of(text).on_screen(Look::of_terminal());
    let stdout = io::stdout();
    if stdout.is_terminal() && page_through(&text).is_ok() {
        return Ok(());
    }
    let mut stdout = stdout.lock();
    stdout.write_all(text.as_bytes())?;
    Ok(stdout.flush()?)
}

/// Pipes `text` to the pager.
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
