//! Reads lists and records, one a line, as bytes, of which only the line end is removed.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write as _};

use linktrawl::Span;
use linktrawl::internal::span::BYTE_ORDER_MARK;

use crate::streams;

/// The name of standard input in errors.
pub(crate) const STDIN: &str = "standard input";

/// Bytes that are read at once. The output for them is several times as long, and still fits into
/// the second level of caches.
const BLOCK_BYTES: usize = 64 * 1024;

/// Bytes of the longest line that is accepted: a longer one is no list of URIs and no record, and
/// must not fill memory.
const LINE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Passes each of `arguments` to `each`, and prints what it appended. For `-`, and if there are no
/// arguments, the lines of standard input are passed, and printed block by block.
///
/// # Errors
/// When standard input cannot be read or has a line that is too long, or standard output cannot be
/// written.
pub(crate) fn print_each(
    arguments: &[OsString],
    mut each: impl FnMut(&[u8], &mut Vec<u8>),
) -> anyhow::Result<()> {
    let stdin = [OsString::from("-")];
    let arguments = if arguments.is_empty() { &stdin } else { arguments };
    let mut out = Vec::new();
    for argument in arguments {
        if argument != OsStr::new("-") {
            each(argument.as_encoded_bytes(), &mut out);
            print(&mut out)?;
            continue;
        }
        streams::need_stdin()?;
        let mut is_first = true;
        read_lines(io::stdin().lock(), STDIN, |block| {
            // Programs of Windows begin a list with one.
            let is_begin = std::mem::take(&mut is_first);
            let marked = is_begin.then(|| block.strip_prefix(BYTE_ORDER_MARK)).flatten();
            lines(marked.unwrap_or(block)).for_each(|line| each(line, &mut out));
            print(&mut out)
        })?;
    }
    Ok(())
}

/// Writes `out` to standard output, and empties it.
fn print(out: &mut Vec<u8>) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(out)?;
    out.clear();
    stdout.flush()
}

/// Passes the complete lines of `input` to `each_block`, block by block, from one buffer that grows
/// to the longest line. Only the last block may lack its line feed. Errors call the input `name`.
pub(crate) fn read_lines<E>(
    mut input: impl Read,
    name: &str,
    mut each_block: impl FnMut(&[u8]) -> Result<(), E>,
) -> anyhow::Result<()>
where
    anyhow::Error: From<E>,
{
    let mut buffer = vec![0; BLOCK_BYTES];
    let mut filled = 0;
    loop {
        if filled == buffer.len() {
            anyhow::ensure!(
                filled < LINE_BYTES_MAX,
                "expected lines of at most {LINE_BYTES_MAX} bytes in {name}"
            );
            buffer.resize((2 * filled).min(LINE_BYTES_MAX), 0);
        }
        let read = match input.read(buffer.get_mut(filled..).unwrap_or_default()) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => anyhow::bail!("cannot read {name}: {error}"),
            Ok(0) => break,
            Ok(read) => read,
        };
        // The earlier bytes contain no line feed.
        let fresh = Span::new(filled, filled + read);
        filled = fresh.end;
        if let Some(feed) = memchr::memrchr(b'\n', fresh.of(&buffer)) {
            let taken = fresh.start + feed + 1;
            each_block(Span::new(0, taken).of(&buffer))?;
            buffer.copy_within(taken..filled, 0);
            filled -= taken;
        }
    }
    if filled > 0 {
        each_block(Span::new(0, filled).of(&buffer))?;
    }
    Ok(())
}

/// Returns the lines of `block` without their ends.
pub(crate) fn lines(block: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(block.strip_suffix(b"\n").unwrap_or(block));
    std::iter::from_fn(move || {
        let text = rest?;
        let feed = memchr::memchr(b'\n', text);
        let (line, after) = text.split_at(feed.unwrap_or(text.len()));
        rest = after.get(1..);
        Some(without_return(line))
    })
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{BLOCK_BYTES, lines, read_lines};

    /// A reader that returns `step` bytes at a time.
    struct Trickle<'t> {
        text: &'t [u8],
        step: usize,
    }

    impl Read for Trickle<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let (now, later) = self.text.split_at(self.step.min(self.text.len()).min(into.len()));
            into[..now.len()].copy_from_slice(now);
            self.text = later;
            Ok(now.len())
        }
    }

    #[test]
    fn lines_are_the_same_however_they_are_read() {
        let long = "x".repeat(2 * BLOCK_BYTES + 1);
        let text = format!("x:a\r\n\nx:b\n{long}\nx:\rc");
        for step in [1, 4096, BLOCK_BYTES - 1, usize::MAX] {
            assert_eq!(inputs(text.as_bytes(), step), ["x:a", "", "x:b", &long, "x:\rc"]);
        }
        assert_eq!(inputs(b"x:a\r\nx:b\r\n\r", 1), ["x:a", "x:b", ""]);
        assert_eq!(inputs(b"", 1), Vec::<String>::new());
    }

    fn inputs(text: &[u8], step: usize) -> Vec<String> {
        let mut found = Vec::new();
        let text_of = |line: &[u8]| String::from_utf8(line.to_vec()).unwrap();
        read_lines(Trickle { text, step }, "it", |block| {
            found.extend(lines(block).map(text_of));
            Ok::<(), std::io::Error>(())
        })
        .unwrap();
        found
    }
}
