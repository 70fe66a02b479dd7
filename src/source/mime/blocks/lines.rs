//! The lines of blocks in uuencode and in yEnc: which bytes can be one, and which end a block.

use memchr::memmem;

/// Bytes of a line of a block, at most: uuencode has 62, and yEnc 128 or 256 in most cases and 997
/// at most.
pub(super) const LINE_LEN_MAX: usize = 1024;

/// What the last line of a block in yEnc begins with.
pub(super) const YENC_END: &[u8] = b"=yend size=";

/// What the lines of a block are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lines {
    Uuencode,
    /// All but the last one have this length, or a few bytes more.
    Yenc(usize),
}

/// Why lines of a block go no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The end of the block comes, of so many bytes.
    End(usize),
    /// A line comes that can be none of the block, or nothing.
    Other,
    /// What comes is not seen.
    Unseen,
}

/// What a line is.
enum Line {
    /// One of the block, of so many bytes.
    Own(usize),
    Stop(Stop),
}

impl Lines {
    /// Bytes of whole lines of a block that `text` begins with, and why there are no more of them.
    pub(super) fn len(self, text: &[u8], is_end: bool) -> (usize, Stop) {
        let mut len = 0;
        loop {
            match self.line(text.get(len..).unwrap_or_default(), is_end) {
                Line::Own(line_len) => len += line_len,
                Line::Stop(stop) => return (len, stop),
            }
        }
    }

    /// What the line is that `text` begins with.
    fn line(self, text: &[u8], is_end: bool) -> Line {
        let (line, behind) = split(text);
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
            Self::Yenc(wanted) => yenc_line(wanted, line, behind, is_end),
        }
    }
}

/// The first line of `text`, with its end, and what stands behind.
fn split(text: &[u8]) -> (&[u8], &[u8]) {
    let len = memchr::memchr(b'\n', text).map_or(text.len(), |feed| feed + 1);
    text.split_at(len)
}

/// True when `text` begins with the last line of a block in uuencode.
pub(super) fn is_uuencode_end(text: &[u8]) -> bool {
    let behind = text.strip_prefix(b"end");
    behind.is_some_and(|behind| matches!(behind, [] | [b'\n' | b'\r' | b' ', ..]))
}

/// True when `text` begins with a line of data in uuencode that is seen whole.
pub(super) fn begins_uuencode(text: &[u8]) -> bool {
    let bare = split(text).0.trim_ascii_end();
    !bare.is_empty() && is_uuencode(bare)
}

/// True for a line, without blanks at its end, whose first character tells its length. Blanks
/// that stand for zeros may be lost there: in a line that is full any number, else those of a
/// group; and some programs add a character. A line of nothing but such blanks is empty.
fn is_uuencode(line: &[u8]) -> bool {
    const FULL: u8 = b'M';
    let [count, chars @ ..] = line else { return true };
    let is_alphabet = line.iter().all(|byte| matches!(byte, b' '..=b'`'));
    let wanted = usize::from(count.wrapping_sub(b' ') & 63).div_ceil(3) * 4;
    let least = if *count == FULL { 0 } else { wanted.saturating_sub(4) };
    is_alphabet && (least..=wanted + 1).contains(&chars.len())
}

/// The length of lines that the first line of a block in yEnc tells.
pub(super) fn yenc_line_len(first: &[u8]) -> Option<usize> {
    const KEY: &[u8] = b" line=";
    memmem::find(first, b" size=")?;
    let value = first.get(memmem::find(first, KEY)? + KEY.len()..)?;
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit()).take(4);
    Some(digits.fold(0, |len, digit| len * 10 + usize::from(digit - b'0')))
}

/// What `line` is, of a block in yEnc with lines of `wanted` bytes: a last byte that is escaped, a
/// dot that is doubled and CR may come beside. No data begins with `=y`.
fn yenc_line(wanted: usize, line: &[u8], behind: &[u8], is_end: bool) -> Line {
    let len = yenc_end_len(line);
    if line.starts_with(YENC_END) {
        return Line::Stop(Stop::End(len));
    }
    let is_data = !line.starts_with(b"=y") && (wanted..=wanted + 3).contains(&len);
    if is_data || line.starts_with(b"=ypart ") {
        return Line::Own(line.len());
    }
    // Only the last one may be short.
    let is_seen = is_end || behind.len() > LINE_LEN_MAX || behind.contains(&b'\n');
    Line::Stop(match behind.starts_with(YENC_END) {
        _ if !is_seen => Stop::Unseen,
        true => Stop::End(line.len() + yenc_end_len(behind)),
        false => Stop::Other,
    })
}

/// Bytes of the line that `text` begins with, without its feed.
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
