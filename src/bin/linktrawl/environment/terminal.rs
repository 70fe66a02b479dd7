//! Decides the style of text reports by options, environment and terminal.
//!
//! Colours follow no-color.org and bixense.com/clicolors. Descriptions of terminals do not include
//! hyperlinks, so terminals that support them are recognised by the variables that they set.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};

use linktrawl::internal::platform::{OsBytes as _, slashed};
use linktrawl::internal::report::{Home, Paint, Style};

use super::variable;
use crate::args::formats::{Color, Hyperlinks};
use crate::platform;

/// The styles of reports by output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Styles {
    /// The style on standard output.
    pub(crate) stdout: Style,
    /// The style in files.
    pub(crate) file: Style,
}

impl Styles {
    /// Returns the styles for `color` and `hyperlinks` in this environment.
    pub(crate) fn of(color: Color, hyperlinks: Hyperlinks) -> Self {
        let environment = Environment::read();
        let [stdout, file] = paints(color, &environment);
        let [links_stdout, links_file] = links(hyperlinks, &environment);
        // Without a working directory, no path can be made absolute.
        let home = || {
            let directory = slashed(env::current_dir().ok()?);
            Some(Home::new(&platform::host(), directory.as_os_str().as_bytes()))
        };
        Self {
            stdout: Style { paint: stdout, links: links_stdout.then(home).flatten() },
            file: Style { paint: file, links: links_file.then(home).flatten() },
        }
    }
}

/// Columns of a terminal that does not report its size: the default of `indicatif`.
const COLUMNS: u16 = 80;

/// Returns the columns of the terminal of standard error.
pub(crate) fn columns() -> usize {
    usize::from(platform::columns().unwrap_or(COLUMNS))
}

/// Returns the colours of a stream that may be a terminal, by the environment alone.
pub(crate) fn paint_of(stream: &impl IsTerminal) -> Paint {
    let environment =
        Environment { stdout_is_terminal: stream.is_terminal(), ..Environment::read() };
    let [paint, _] = paints(Color::Auto, &environment);
    paint
}

/// Reports whether TERM is `dumb`: the terminal can neither scroll nor paint.
pub(crate) fn is_dumb() -> bool {
    variable("TERM").is_some_and(|term| term == *"dumb")
}

/// The properties of the environment and the terminal.
#[derive(Clone, Copy, Default)]
struct Environment {
    /// Whether NO_COLOR is set and not empty.
    no_color: bool,
    /// Whether CLICOLOR is 0.
    color_refused: bool,
    /// Whether CLICOLOR_FORCE is set and neither empty nor 0.
    color_forced: bool,
    /// Whether TERM is `dumb`: the terminal has neither colours nor hyperlinks.
    terminal_is_dumb: bool,
    /// Whether the terminal is known to support OSC 8.
    terminal_links: bool,
    /// Whether standard output is a terminal.
    stdout_is_terminal: bool,
}

impl Environment {
    fn read() -> Self {
        Self {
            no_color: variable("NO_COLOR").is_some(),
            color_refused: variable("CLICOLOR").is_some_and(|value| value == *"0"),
            color_forced: variable("CLICOLOR_FORCE").is_some_and(|value| value != *"0"),
            terminal_is_dumb: is_dumb(),
            terminal_links: knows_links(variable),
            stdout_is_terminal: io::stdout().is_terminal(),
        }
    }
}

/// Variables that identify terminals with support for OSC 8, whatever the value.
const LINKING_VARIABLES: [&str; 6] = [
    "DOMTERM",
    "ITERM_SESSION_ID",
    "KITTY_WINDOW_ID",
    "KONSOLE_VERSION",
    "WEZTERM_PANE",
    "WT_SESSION",
];

/// Programs with support for OSC 8, by their names in TERM_PROGRAM.
const LINKING_PROGRAMS: [&str; 6] =
    ["Hyper", "WarpTerminal", "WezTerm", "ghostty", "iTerm.app", "vscode"];

/// Terminals with support for OSC 8, by the beginning of TERM.
const LINKING_TERMS: [&str; 5] = ["alacritty", "contour", "foot", "xterm-ghostty", "xterm-kitty"];

/// VTE 0.50, the first version with OSC 8 of the library of GNOME's and related terminals.
const LINKING_VTE: u32 = 5000;

/// Reports whether the variables identify a terminal with OSC 8. `set` returns variables that are
/// not empty.
fn knows_links(set: impl Fn(&str) -> Option<OsString>) -> bool {
    let term = set("TERM").unwrap_or_default();
    let begins = |with: &&str| term.as_bytes().starts_with(with.as_bytes());
    // These run inside of a terminal whose variables they inherit, and do not support links
    // themselves.
    if ["screen", "linux"].iter().any(begins) {
        return false;
    }
    let is_listed = |program: &OsStr| LINKING_PROGRAMS.iter().any(|known| program == *known);
    let vte = set("VTE_VERSION").and_then(|version| version.to_str()?.parse::<u32>().ok());
    LINKING_TERMS.iter().any(begins)
        || LINKING_VARIABLES.iter().any(|name| set(name).is_some())
        || set("TERM_PROGRAM").is_some_and(|program| is_listed(&program))
        || vte.is_some_and(|version| version >= LINKING_VTE)
}

/// Returns the colours of standard output and of files.
fn paints(color: Color, environment: &Environment) -> [Paint; 2] {
    let automatic = match environment {
        Environment { no_color: true, .. } => Paint::Plain,
        Environment { color_forced: true, .. } => Paint::Ansi,
        Environment { color_refused: true, .. } => Paint::Plain,
        Environment { terminal_is_dumb: true, .. } => Paint::Plain,
        Environment { stdout_is_terminal: true, .. } => Paint::Ansi,
        _ => Paint::Plain,
    };
    match color {
        Color::Always => [Paint::Ansi; 2],
        Color::Never => [Paint::Plain; 2],
        Color::Auto => [automatic, Paint::Plain],
    }
}

/// Reports whether standard output and files have hyperlinks.
fn links(hyperlinks: Hyperlinks, environment: &Environment) -> [bool; 2] {
    let Environment { stdout_is_terminal, terminal_links, terminal_is_dumb, .. } = *environment;
    match hyperlinks {
        Hyperlinks::Always => [true; 2],
        Hyperlinks::Never => [false; 2],
        Hyperlinks::Auto => [stdout_is_terminal && terminal_links && !terminal_is_dumb, false],
    }
}

#[cfg(test)]
mod tests {
    use linktrawl::internal::report::Paint::{self, Ansi, Plain};

    use super::{Color, Environment, Hyperlinks, knows_links, links, paints};

    #[track_caller]
    fn case(color: Color, environment: Environment, stdout: Paint, file: Paint) {
        assert_eq!(paints(color, &environment), [stdout, file]);
    }

    #[test]
    fn colours_follow_the_flag_then_the_environment_then_the_terminal() {
        let none = Environment::default();
        let terminal = Environment { stdout_is_terminal: true, ..none };
        let forced = Environment { color_forced: true, ..none };
        case(Color::Auto, none, Plain, Plain);
        case(Color::Auto, terminal, Ansi, Plain);
        case(Color::Auto, Environment { terminal_is_dumb: true, ..terminal }, Plain, Plain);
        case(Color::Auto, Environment { no_color: true, ..terminal }, Plain, Plain);
        case(Color::Auto, Environment { color_refused: true, ..terminal }, Plain, Plain);
        case(Color::Auto, forced, Ansi, Plain);
        case(Color::Auto, Environment { color_refused: true, ..forced }, Ansi, Plain);
        case(Color::Auto, Environment { no_color: true, ..forced }, Plain, Plain);
        case(Color::Always, Environment { no_color: true, ..none }, Ansi, Ansi);
        case(Color::Never, forced, Plain, Plain);
    }

    #[test]
    fn hyperlinks_come_unasked_only_on_a_terminal_that_knows_them() {
        let knowing = Environment { terminal_links: true, ..Environment::default() };
        let terminal = Environment { stdout_is_terminal: true, ..knowing };
        assert_eq!(links(Hyperlinks::Auto, &terminal), [true, false]);
        assert_eq!(links(Hyperlinks::Auto, &knowing), [false, false]);
        let dumb = Environment { terminal_is_dumb: true, ..terminal };
        assert_eq!(links(Hyperlinks::Auto, &dumb), [false, false]);
        let other = Environment { terminal_links: false, ..terminal };
        assert_eq!(links(Hyperlinks::Auto, &other), [false, false]);
        assert_eq!(links(Hyperlinks::Never, &terminal), [false, false]);
        assert_eq!(links(Hyperlinks::Always, &Environment::default()), [true, true]);
    }

    #[track_caller]
    fn known(variables: &[(&str, &str)], wanted: bool) {
        let set = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).into())
        };
        assert_eq!(knows_links(set), wanted, "{variables:?}");
    }

    #[test]
    fn terminals_are_known_by_their_variables() {
        known(&[("TERM", "xterm-256color")], false);
        known(&[("TERM", "xterm-kitty")], true);
        known(&[("TERM", "foot-extra")], true);
        known(&[("TERM", "xterm-256color"), ("VTE_VERSION", "6800")], true);
        known(&[("TERM", "xterm-256color"), ("VTE_VERSION", "4999")], false);
        known(&[("VTE_VERSION", "new")], false);
        known(&[("TERM_PROGRAM", "iTerm.app")], true);
        known(&[("TERM_PROGRAM", "Apple_Terminal")], false);
        known(&[("WT_SESSION", "x")], true);
        known(&[("TERM", "screen.xterm-256color"), ("VTE_VERSION", "6800")], false);
    }
}
