//! Base64 (RFC 2045 §6.8), decoded as leniently as mail needs it.
//!
//! Blanks and line ends mean nothing, padding may be missing, and foreign characters are passed
//! over, as §6.8 asks: one that got into a line, marks that quote lines, the `!` and line end
//! with which sendmail breaks lines that are too long. But list programs append a footer, and
//! gateways write between, so what stands behind the padding, and a line that is text and no
//! damaged base64 (`line` tells), is text as it stands. Base64 goes on behind it with the first
//! line that can be nothing else: a second coded piece, or the rest of the first.
//!
//! Where text begins without padding before it, a line begins, whether or not the last coded one
//! ended: else the end of a URI and the first word of a footer would be one.

pub(super) mod alphabet;
mod line;

use self::alphabet::{BLANK, PADDING, bytes, meaning};
use self::line::Line;
use super::run::Run;
use crate::span::Span;

/// How far base64 came.
#[derive(Clone, Debug)]
pub(super) struct State {
    mode: Mode,
    /// The last byte that was made of a whole run.
    last: u8,
    /// Letters in the longest line.
    width: usize,
    /// What stands before the letters of the last line that had something foreign in it.
    mark: Span,
    /// Where the last line begins that is base64 beyond doubt, when that was asked for.
    last_sure: Option<usize>,
    /// All of the text is base64, whatever stands in it.
    is_all: bool,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Base64.
    Coded,
    /// Nothing, up to this offset; then text as it stands.
    Ending(usize),
    /// Text as it stands.
    Plain,
}

impl State {
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

    /// The run at `at` of `text`, which is behind whole groups.
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

    /// Whole groups, or what stands between, or one that something breaks.
    fn coded(&mut self, text: &[u8], at: usize) -> Run {
        let rest = text.get(at..).unwrap_or_default();
        let clean = rest.iter().take_while(|byte| meaning(**byte) < BLANK).count();
        if let Some(last @ [.., third, fourth]) = rest.get(..clean / 4 * 4) {
            self.last = meaning(*third) << 6 | meaning(*fourth);
            return Run::triples(last.len() / 4);
        }
        if clean == 0 { self.between(text, at) } else { self.group(text, at) }
    }

    /// What is in no group, up to the end of a line and no further: each line is asked of anew.
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

    /// One group that is broken by something, or the rest of one.
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
                    self.mode = Mode::Plain;
                    return self.rest(padding_end(rest, offset), bits, count);
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

    /// The last group, which has less than four letters.
    fn rest(&mut self, taken: usize, bits: u32, count: usize) -> Run {
        let (made, len) = match count {
            2 => (bytes(bits << 12), 1),
            3 => (bytes(bits << 6), 2),
            _ => return Run::nothing(taken),
        };
        self.last = made.get(len - 1).copied().unwrap_or(self.last);
        Run::bytes(taken, made, len)
    }

    /// The end of the line before text, which takes `taken` bytes.
    fn close(&mut self, taken: usize) -> Run {
        self.mode = Mode::Plain;
        match std::mem::replace(&mut self.last, b'\n') {
            b'\n' => Run::nothing(taken),
            _ => Run::bytes(taken, [b'\n', 0, 0, 0], 1),
        }
    }

    /// Text from `at` on, up to a line with which base64 begins again.
    fn plain(&mut self, text: &[u8], at: usize) -> Run {
        // Empty lines before a boundary are no text, least of all in UTF-16.
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

    /// True when the line at `start` of `text` is base64, `pending` letters of a group behind
    /// base64.
    fn is_coded(&mut self, text: &[u8], start: usize, pending: usize) -> bool {
        if self.is_all {
            return true;
        }
        let rest = text.get(start..).unwrap_or_default();
        let letters = rest.iter().take_while(|byte| meaning(**byte) < BLANK).count();
        let behind = line::first(rest.get(letters..).unwrap_or_default());
        if line::is_pure(behind) {
            self.width = self.width.max(letters);
            return true;
        }
        let line = Line::of(rest);
        let is_marked = || !line.mark().is_empty() && line.mark() == self.mark.of(text);
        let is_it = line.is_coded(pending, self.width)
            || line.holds_no_link() && is_marked()
            || line.is_between(pending) && start < self.last_sure(text);
        if is_it {
            self.width = self.width.max(line.letters());
            self.mark = Span::new(start, start + line.mark().len());
        }
        is_it
    }

    /// Where the last line of `text` begins that is base64 beyond doubt. The answer is kept, so
    /// that asking for each line takes no longer than asking once.
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

/// The run that `text` begins with, all of which is base64, whatever stands in it.
pub(super) fn run(text: &[u8]) -> Run {
    State { is_all: true, ..State::new() }.coded(text, 0)
}

/// Offset behind the padding at `at`: one sign or two, blanks may stand between.
fn padding_end(rest: &[u8], at: usize) -> usize {
    let behind = rest.get(at + 1..).unwrap_or_default();
    let blanks = behind.iter().take_while(|byte| meaning(**byte) == BLANK).count();
    if behind.get(blanks) == Some(&b'=') { at + 1 + blanks + 1 } else { at + 1 }
}

/// True when the letters of each whole line of `lines` are groups, so that none goes through a line
/// end, and nothing else stands there.
pub(super) fn is_in_groups(lines: &[u8]) -> bool {
    let lines = lines.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let is_blank = |byte: &&u8| meaning(**byte) == BLANK;
    let mut letters = lines.map(|line| (line, line.iter().filter(|byte| !is_blank(byte)).count()));
    letters.all(|(line, count)| count % 4 == 0 && line.iter().all(|byte| meaning(*byte) <= BLANK))
}
