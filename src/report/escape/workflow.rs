//! Escapes text for the workflow commands of GitHub.
//!
//! A command is one line, `::name key=value,key=value::data`. GitHub's runner cuts a command at its
//! line end, its data at the `::` after the properties, and the properties at commas and equals
//! signs. It then decodes these escapes, in an order that does not matter, because `%` is one of
//! them ("Workflow commands for GitHub Actions"). Invalid UTF-8 must be made visible before, as
//! `Shown` does.

use std::fmt;

/// The data of a command.
#[derive(Clone, Copy, Debug)]
pub struct Data<'t>(pub &'t str);

/// The value of a property of a command.
#[derive(Clone, Copy, Debug)]
pub struct Property<'t>(pub &'t str);

impl fmt::Display for Data<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self.0, &['%', '\r', '\n'], out)
    }
}

impl fmt::Display for Property<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self.0, &['%', '\r', '\n', ':', ','], out)
    }
}

/// Writes `text`, with each of `escaped`, which are US-ASCII, as a percent sign and two hex digits.
fn write(text: &str, escaped: &[char], out: &mut fmt::Formatter<'_>) -> fmt::Result {
    for piece in text.split_inclusive(escaped) {
        let Some((at, last)) = piece.char_indices().next_back() else { continue };
        if escaped.contains(&last) {
            write!(out, "{}%{:02X}", piece.get(..at).unwrap_or_default(), u32::from(last))?;
        } else {
            out.write_str(piece)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Data, Property};

    #[test]
    fn what_ends_a_command_or_a_value_is_escaped() {
        let text = "a%0A::b,c=d\r\n\u{e9}";
        assert_eq!(Data(text).to_string(), "a%250A::b,c=d%0D%0A\u{e9}");
        assert_eq!(Property(text).to_string(), "a%250A%3A%3Ab%2Cc=d%0D%0A\u{e9}");
        assert_eq!(Data("").to_string(), "");
    }

    /// The runner of GitHub decodes the percent sign last.
    #[test]
    fn the_runner_reads_what_was_written() {
        let undo = |text: &str| {
            let pairs = [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")];
            pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
        };
        for text in ["%", "%25", "%0A", "%250A", "a\r\n%0D%", "::,%3A%2C", "\u{1f600}%\n"] {
            assert_eq!(undo(&Property(text).to_string()), text);
            assert_eq!(undo(&Data(text).to_string()), text);
        }
    }
}
