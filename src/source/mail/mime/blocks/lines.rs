//! Classifies lines of uuencode and yEnc blocks: those that can belong to a block, and those that
//! end it.

use memchr::memmem;

/// Maximum length of a line of a block in bytes: uuencode has 62, and yEnc mostly 128 or 256, and
/// 997 at most.
pub(super) const LINE_LEN_MAX: usize = 1024;

/// Beginning of the last line of a yEnc block.
pub(super) const YENC_END: &[u8] = b"=yend size=";

/// Format of the lines of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    Uuencode,
    /// All lines but the last have this length, or a few bytes more.
    Yenc(usize),
}

/// Reason that the lines of a block stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The end of the block follows, with this length in bytes.
    End(usize),
    /// A line follows that cannot belong to the block, or no line at all.
    Other,
    /// The next line is not visible.
    Unseen,
}

/// Classification of a line.
enum Line {
    /// A line of the block, with this length in bytes.
    Own(usize),
    Stop(Stop),
}

impl Lines {
    /// Returns the length in bytes of the whole block lines that `text` begins with, and the reason
    /// that they stop.
    pub(super) fn len(self, text: &[u8], is_end: bool) -> (usize, Stop) {
        let mut len = 0;
        loop {
            match self.line(text.get(len..).unwrap_or_default(), is_end) {
                Line::Own(line_len) => len += line_len,
                Line::Stop(stop) => return (len, stop),
            }
        }
    }

    /// Classifies the line that `text` begins with.
    fn line(self, text: &[u8], is_end: bool) -> Line {
        let (line, after) = split(text);
        if line.len() > LINE_LEN_MAX || is_end && line.is_empty() {
            return Line::Stop(Stop::Other);
        }
        if !is_end && !line.ends_with(b"\n") {
            return Line::Stop(Stop::Unseen);
        }
        match self {
            Self::Uuencode if is_uuencode_end(line) => Line::Stop(Stop::End(b"end".len())),
            Self::Uuencode if is_uuencode(line.trim_ascii_end()) => Line::Own(line.len()),
            Self::Uuencode => Line::Stop(Stop::Other),
            Self::Yenc(wanted) => yenc_line(wanted, line, after, is_end),
        }
    }
}

/// Splits `text` after its first line and the end of that.
fn split(text: &[u8]) -> (&[u8], &[u8]) {
    let len = memchr::memchr(b'\n', text).map_or(text.len(), |feed| feed + 1);
    text.split_at(len)
}

/// Reports whether `text` begins with the last line of a uuencode block.
pub(super) fn is_uuencode_end(text: &[u8]) -> bool {
    let after = text.strip_prefix(b"end");
    after.is_some_and(|after| matches!(after, [] | [b'\n' | b'\r' | b' ', ..]))
}

/// Reports whether `text` begins with a complete line of uuencode data.
pub(super) fn begins_uuencode(text: &[u8]) -> bool {
    let bare = split(text).0.trim_ascii_end();
    !bare.is_empty() && is_uuencode(bare)
}

/// Reports whether the length of `line`, which has no blanks at its end, matches its first
/// character. Blanks that encode zeros may have been lost at its end: any number in a full line,
/// otherwise those of one group. Some programs append a character. A line of such blanks alone is
/// empty.
fn is_uuencode(line: &[u8]) -> bool {
    const FULL: u8 = b'M';
    let [count, chars @ ..] = line else { return true };
    let is_alphabet = line.iter().all(|byte| matches!(byte, b' '..=b'`'));
    let wanted = usize::from(count.wrapping_sub(b' ') & 63).div_ceil(3) * 4;
    let least = if *count == FULL { 0 } else { wanted.saturating_sub(4) };
    is_alphabet && (least..=wanted + 1).contains(&chars.len())
}

/// Returns the line length that the first line of a yEnc block declares.
pub(super) fn yenc_line_len(first: &[u8]) -> Option<usize> {
    const KEY: &[u8] = b" line=";
    memmem::find(first, b" size=")?;
    let value = first.get(memmem::find(first, KEY)? + KEY.len()..)?;
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit()).take(4);
    Some(digits.fold(0, |len, digit| len * 10 + usize::from(digit - b'0')))
}

/// Classifies `line`, of a yEnc block with lines of `wanted` bytes. An escaped last byte, a doubled
/// dot and a CR may be added to these. Data never begins with `=y`.
fn yenc_line(wanted: usize, line: &[u8], after: &[u8], is_end: bool) -> Line {
    let len = yenc_end_len(line);
    if line.starts_with(YENC_END) {
        return Line::Stop(Stop::End(len));
    }
    let is_data = !line.starts_with(b"=y") && (wanted..=wanted + 3).contains(&len);
    if is_data || line.starts_with(b"=ypart ") {
        return Line::Own(line.len());
    }
    // Only the last line may be short.
    let is_seen = is_end || after.len() > LINE_LEN_MAX || after.contains(&b'\n');
    Line::Stop(match after.starts_with(YENC_END) {
        _ if !is_seen => Stop::Unseen,
        true => Stop::End(line.len() + yenc_end_len(after)),
        false => Stop::Other,
    })
}

/// Returns the length in bytes of the line that `text` begins with, without its line feed.
pub(super) fn yenc_end_len(text: &[u8]) -> usize {
    let near = text.get(..LINE_LEN_MAX).unwrap_or(text);
    memchr::memchr(b'\n', near).unwrap_or(near.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_yenc_have_the_length_that_is_told() {
        assert_eq!(yenc_line_len(b"=ybegin part=1 line=128 size=3 name=a"), Some(128));
        assert_eq!(yenc_line_len(b"=ybegin line=128 name=a"), None);
        let lines = Lines::Yenc(4);
        let case = |text: &[u8], is_end, expected| assert_eq!(lines.len(text, is_end), expected);
        case(b"abcd\r\n=abcd\r\nab\r\n=yend size=9 a\nx", false, (13, Stop::End(18)));
        case(b"=ypart begin=1 end=9\nabcd\n=yend size=9", true, (26, Stop::End(12)));
        case(b"abcd\nab\ncd\n=yend size=9\n", false, (5, Stop::Other));
        case(b"abcd\n=ybegin line=4 size=9 name=a\nabcd\n", false, (5, Stop::Other));
        case(b"abcd\nab", false, (5, Stop::Unseen));
        case(b"abcd\nab\n=yen", false, (5, Stop::Unseen));
        case(b"abcd\nab\n=yen", true, (5, Stop::Other));
        case(b"abcd\n", true, (5, Stop::Other));
    }

    #[test]
    fn lines_in_uuencode_are_whole_ones() {
        let case = |text: &[u8], is_end, expected| {
            assert_eq!(Lines::Uuencode.len(text, is_end), expected);
        };
        case(b"#HTTP\n`\nend\n", false, (8, Stop::End(3)));
        case(b"#HTTP\nen", false, (6, Stop::Unseen));
        case(b"#HTTP\nend", false, (6, Stop::Unseen));
        case(b"#HTTP\nend", true, (6, Stop::End(3)));
        case(b"#HTTP\n", false, (6, Stop::Unseen));
        case(b"#HTTP\nFrom a\n", false, (6, Stop::Other));
        let blanks = [b"#HTTP", &[b' '; LINE_LEN_MAX][..]].concat();
        case(&blanks, false, (0, Stop::Other));
    }
}
