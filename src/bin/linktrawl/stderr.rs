//! Prints errors and warnings on standard error.
//!
//! Everything is escaped, because paths and messages come from strangers. A closed standard error
//! is no failure.

use std::io::{self, Write as _};

use linktrawl::internal::finding::Note;
use linktrawl::internal::report::escape::Shown;
use linktrawl::internal::report::escape::runner::disarm_line;

use crate::shown::shown;

/// Prints `message` after the program's name, with each line escaped.
pub(crate) fn say(message: &str) {
    // One write, so that lines of several threads do not tear.
    let _ = io::stderr().lock().write_all(&said(message));
}

/// Prints the error that ends the program.
pub(crate) fn say_failure(error: &anyhow::Error) {
    // All other errors of the system name their file.
    let is_full =
        error.downcast_ref::<io::Error>().map(io::Error::kind) == Some(io::ErrorKind::StorageFull);
    let where_to = if is_full { "cannot write stdout: " } else { "" };
    say(&format!("error: {where_to}{error}"));
}

/// Prints `record`, a line for programs that holds no text of strangers.
pub(crate) fn line(record: &str) {
    let _ = io::stderr().lock().write_all(format!("{record}\n").as_bytes());
}

fn said(message: &str) -> Vec<u8> {
    let mut out = b"linktrawl: ".to_vec();
    // Redacts the whole message at once: a password may continue after a line end.
    let message = shown(message.as_bytes());
    for line in message.strip_suffix(b"\n").unwrap_or(&message).split(|&byte| byte == b'\n') {
        let start = out.len();
        Shown(line).append_to(&mut out);
        disarm_line(&mut out, start);
        out.push(b'\n');
    }
    out
}

/// Prints `note` as `linktrawl: warning: path!member: message`.
pub(crate) fn warn(note: &Note) {
    let mut out = b"linktrawl: warning: ".to_vec();
    Shown(&shown(note.origin.path.as_os_str().as_encoded_bytes())).append_to(&mut out);
    for member in &note.origin.members {
        out.push(b'!');
        Shown(&shown(member)).append_to(&mut out);
    }
    out.extend_from_slice(b": ");
    Shown(note.message.as_bytes()).append_to(&mut out);
    if let Some(offset) = note.offset {
        out.extend_from_slice(format!(" (at byte {offset})").as_bytes());
    }
    out.push(b'\n');
    let _ = io::stderr().lock().write_all(&out);
}

#[cfg(test)]
mod tests {
    use super::said;

    #[test]
    fn no_message_says_a_password() {
        let wanted = "linktrawl: no file ftp://u:***@h/\nbut \\x1b\n";
        assert_eq!(said("no file ftp://u:sec\nret@h/\nbut \x1b\n"), wanted.as_bytes());
        // No name may begin a line that a workflow runner treats as a command.
        assert_eq!(said("a\n::error::b"), b"linktrawl: a\n\\x3a:error::b\n");
    }
}
