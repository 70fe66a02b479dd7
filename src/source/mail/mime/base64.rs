//! Decodes base64 (RFC 2045 §6.8) as leniently as mail requires.
//!
//! Blanks and line ends are ignored, padding may be missing, and foreign characters are skipped, as
//! §6.8 requires: stray characters in a line, quote marks, and the `!` and line end with which
//! sendmail breaks overlong lines. But list programs append footers, and gateways insert text.
//! Therefore text after the padding is literal, and so is a line that is text rather than damaged
//! base64 (`line` decides). Base64 resumes at the first line that can be nothing else: a second
//! encoded piece, or the rest of the first.
//!
//! Where text begins in a line of base64, or without padding before it, it begins on a new line,
//! even if the last encoded line had not ended. Otherwise the end of a URI would run into the first
//! word of a footer.

pub(super) mod alphabet;
mod line;

use self::alphabet::{BLANK, PADDING, bytes, meaning};
use self::line::Line;
use super::run::Run;
use crate::span::Span;

/// State of a base64 decoder.
#[derive(Clone, Debug)]
pub(super) struct Base64State {
    mode: Mode,
    /// The last decoded byte; `\n` at the beginning and where base64 resumes after text.
    last: u8,
    /// Number of letters in the longest line.
    width: usize,
    /// Mark before the letters of the last encoded line that contained foreign characters.
    mark: Span,
    /// Offset of the last line that is certainly base64; computed on first use.
    last_sure: Option<usize>,
    /// Whether all of the text is base64, whatever it contains.
    is_all: bool,
}

/// How the next bytes are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// As base64.
    Coded,
    /// To nothing, up to this offset; literally after it.
    Ending(usize),
    /// Literally.
    Plain,
}

impl Base64State {
    pub(super) const fn new() -> Self {
        Self {
            mode: Mode::Coded,
            last: b'\n',
            width: 0,
            mark: Span::new(0, 0),
            last_sure: None,
            is_all: false,
        }
    }

    /// Returns the run at `at` of `text`, where whole groups end.
    pub(super) fn run(&mut self, text: &[u8], at: usize) -> Run {
        if at == 0 && !self.is_coded(text, 0, 0) {
            self.mode = Mode::Plain;
        }
        match self.mode {
            Mode::Coded => self.coded(text, at),
            Mode::Ending(end) => self.close(end.saturating_sub(at)),
            Mode::Plain => self.plain(text, at),
        }
    }

    /// Decodes whole groups, or skips characters between groups, or decodes one interrupted group.
    fn coded(&mut self, text: &[u8], at: usize) -> Run {
        let rest = text.get(at..).unwrap_or_default();
        let clean = rest.iter().take_while(|byte| meaning(**byte) < BLANK).count();
        if let Some(last @ [.., third, fourth]) = rest.get(..clean / 4 * 4) {
            self.last = meaning(*third) << 6 | meaning(*fourth);
            return Run::triples(last.len() / 4);
        }
        if clean == 0 { self.between(text, at) } else { self.group(text, at) }
    }

    /// Skips characters outside of groups, at most to the end of the line: each line is judged
    /// anew.
    fn between(&mut self, text: &[u8], at: usize) -> Run {
        let rest = text.get(at..).unwrap_or_default();
        let is_outside = |byte: &&u8| meaning(**byte) >= BLANK && **byte != b'\n';
        let outside = rest.iter().take_while(is_outside).count();
        if rest.get(outside) != Some(&b'\n') {
            return Run::nothing(outside);
        }
        if self.is_coded(text, at + outside + 1, 0) {
            return Run::nothing(outside + 1);
        }
        self.close(outside + 1)
    }

    /// Decodes one group that other characters interrupt, or an incomplete one.
    fn group(&mut self, text: &[u8], at: usize) -> Run {
        let rest = text.get(at..).unwrap_or_default();
        let (mut bits, mut count, mut end) = (0_u32, 0, 0);
        for (offset, byte) in rest.iter().enumerate() {
            match meaning(*byte) {
                value if value < BLANK => {
                    bits = bits << 6 | u32::from(value);
                    (count, end) = (count + 1, offset + 1);
                    if count == 4 {
                        let [_, _, third, _] = bytes(bits);
                        self.last = third;
                        return Run::bytes(end, bytes(bits), 3);
                    }
                }
                PADDING => {
                    let end = padding_end(rest, offset);
                    if self.is_text(rest.get(end..).unwrap_or_default()) {
                        // The last sign of the padding becomes the line end.
                        self.mode = Mode::Ending(at + end);
                        return self.rest(end - 1, bits, count);
                    }
                    self.mode = Mode::Plain;
                    return self.rest(end, bits, count);
                }
                _ if *byte == b'\n' && !self.is_coded(text, at + offset + 1, count) => {
                    self.mode = Mode::Ending(at + offset + 1);
                    return self.rest(end, bits, count);
                }
                _ => {}
            }
        }
        self.rest(end, bits, count)
    }

    /// Reports whether text that is not base64 follows in the line that `text` continues.
    fn is_text(&self, text: &[u8]) -> bool {
        !line::is_blank(line::first(text)) && !Line::of(text).begins(self.width)
    }

    /// Decodes the last group, which has less than four letters.
    fn rest(&mut self, taken: usize, bits: u32, count: usize) -> Run {
        let (made, len) = match count {
            2 => (bytes(bits << 12), 1),
            3 => (bytes(bits << 6), 2),
            _ => return Run::nothing(taken),
        };
        self.last = made.get(len - 1).copied().unwrap_or(self.last);
        Run::bytes(taken, made, len)
    }

    /// Skips `taken` bytes before text, and ends the decoded line if it is not empty.
    fn close(&mut self, taken: usize) -> Run {
        self.mode = Mode::Plain;
        match std::mem::replace(&mut self.last, b'\n') {
            b'\n' => Run::nothing(taken),
            _ => Run::bytes(taken, [b'\n', 0, 0, 0], 1),
        }
    }

    /// Copies text from `at` on, up to a line with which base64 resumes.
    fn plain(&mut self, text: &[u8], at: usize) -> Run {
        // Empty lines before a boundary are not text, least of all in UTF-16.
        let rest = text.get(at..).unwrap_or_default();
        if rest.trim_ascii_start().is_empty() {
            return Run::nothing(rest.len());
        }
        let mut start = at;
        while let Some(rest) = text.get(start..).filter(|rest| !rest.is_empty()) {
            if Line::of(rest).begins(self.width) {
                self.mode = Mode::Coded;
                self.last = b'\n';
                break;
            }
            start += memchr::memchr(b'\n', rest).map_or(rest.len(), |feed| feed + 1);
        }
        if start == at { self.coded(text, at) } else { Run::same(start - at) }
    }

    /// Reports whether the line at `start` of `text` is base64, where the base64 before it ends
    /// with `pending` letters of an incomplete group.
    fn is_coded(&mut self, text: &[u8], start: usize, pending: usize) -> bool {
        if self.is_all {
            return true;
        }
        let rest = text.get(start..).unwrap_or_default();
        let letters = rest.iter().take_while(|byte| meaning(**byte) < BLANK).count();
        let after = line::first(rest.get(letters..).unwrap_or_default());
        if line::is_pure(after) {
            self.width = self.width.max(letters);
            return true;
        }
        let line = Line::of(rest);
        let is_marked = || !line.mark().is_empty() && line.mark() == self.mark.of(text);
        let is_it = line.is_coded(pending, self.width)
            || Line::to_padding(rest, pending)
                .is_some_and(|line| line.is_coded(pending, self.width))
            || line.holds_no_link() && is_marked()
            || line.is_between(pending) && start < self.last_sure(text);
        if is_it {
            self.width = self.width.max(line.letters());
            self.mark = Span::new(start, start + line.mark().len());
        }
        is_it
    }

    /// Returns the offset of the last line of `text` that is certainly base64, or 0. The result is
    /// cached, so that calls for every line take no longer than one.
    fn last_sure(&mut self, text: &[u8]) -> usize {
        *self.last_sure.get_or_insert_with(|| {
            let mut rest = text;
            loop {
                let end = rest.strip_suffix(b"\n").unwrap_or(rest);
                let start = memchr::memrchr(b'\n', end).map_or(0, |feed| feed + 1);
                if start == 0 || Line::of(end.get(start..).unwrap_or_default()).is_sure() {
                    return start;
                }
                rest = rest.get(..start).unwrap_or_default();
            }
        })
    }
}

/// Returns the run that `text` begins with. All of `text` is base64, whatever it contains.
pub(super) fn run(text: &[u8]) -> Run {
    Base64State { is_all: true, ..Base64State::new() }.coded(text, 0)
}

/// Reports whether `byte` is a letter or padding.
pub(super) fn is_of_group(byte: u8) -> bool {
    !matches!(meaning(byte), BLANK | alphabet::FOREIGN)
}

/// Returns the offset after the padding at `at`: one or two signs, with optional blanks between
/// them, and further ones in the same line, which some programs write.
fn padding_end(rest: &[u8], at: usize) -> usize {
    let after = rest.get(at + 1..).unwrap_or_default();
    let blanks = after.iter().take_while(|byte| meaning(**byte) == BLANK).count();
    let end = if after.get(blanks) == Some(&b'=') { at + 1 + blanks + 1 } else { at + 1 };
    let more = line::first(rest.get(end..).unwrap_or_default());
    let len = more.iter().take_while(|byte| matches!(meaning(**byte), BLANK | PADDING)).count();
    let more = more.get(..len).unwrap_or_default();
    end + more.iter().rposition(|byte| *byte == b'=').map_or(0, |last| last + 1)
}

/// Reports whether each complete line of `lines` consists of whole groups of letters and of blanks,
/// so that no group crosses a line end.
pub(super) fn is_in_groups(lines: &[u8]) -> bool {
    let lines = lines.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let is_blank = |byte: &&u8| meaning(**byte) == BLANK;
    let mut letters = lines.map(|line| (line, line.iter().filter(|byte| !is_blank(byte)).count()));
    letters.all(|(line, count)| count % 4 == 0 && line.iter().all(|byte| meaning(*byte) <= BLANK))
}

#[cfg(test)]
mod tests {
    use super::{Base64State, padding_end};

    #[test]
    fn padding_ends_before_the_next_other_byte() {
        for (text, len) in [
            ("=", 1),
            ("==", 2),
            ("====", 4),
            ("= =", 3),
            ("=\n=", 3),
            ("== = \n", 4),
            ("==\n====", 2),
            ("==--cut--", 2),
            ("=x=", 1),
        ] {
            assert_eq!(padding_end(text.as_bytes(), 0), len, "{text:?}");
        }
    }

    #[test]
    fn a_line_is_judged_up_to_its_padding() {
        for (line, pending, is_coded) in [
            ("aHR0cHM6Ly9oLmV4YW1wbGUvMg==--cut--\n", 0, true),
            ("aHR0cHM6Ly9oLmV4YW1wbGUvMjM=--cut\n", 0, true),
            ("HR0cHM6Ly9oLmV4YW1wbGUvMg==--cut\n", 1, true),
            ("aHR0cHM6Ly9oLmV4YW1wbGUvMg=--cut--\n", 0, false),
            ("URL=https://h.example/x\n", 0, false),
            ("a=1 b=2 https://h.example/x\n", 0, false),
            ("<a href=\"https://h.example/x\">\n", 0, false),
            ("https://h.example/?abc=d\n", 0, false),
        ] {
            let found = Base64State::new().is_coded(line.as_bytes(), 0, pending);
            assert_eq!(found, is_coded, "{line:?}");
        }
    }
}
