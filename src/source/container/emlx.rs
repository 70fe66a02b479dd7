//! Reads messages of Apple Mail without the properties after them.

use std::collections::VecDeque;
use std::io::{self, Read};

/// A reader that ends a message at the length declared on the line before it, if properties follow
/// there. Reads any other text to its end.
pub(in crate::source) struct WithoutProperties<R> {
    input: R,
    state: EmlxState,
    /// Bytes that were read to recognise properties, but not yet returned.
    held: VecDeque<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum EmlxState {
    /// In the first line, with the number of bytes read and the number parsed so far.
    Line(usize, Option<u64>),
    /// In the message, with the number of bytes left.
    Message(u64),
    /// In text that is read to its end.
    Rest,
    End,
}

/// The beginning of the property list.
const PROPERTIES: &[u8] = b"<?xml";

impl<R: Read> WithoutProperties<R> {
    pub(in crate::source) const fn new(input: R) -> Self {
        Self { input, state: EmlxState::Line(0, None), held: VecDeque::new() }
    }

    /// Returns the state after `byte`, which follows `len` bytes of the first line with the number
    /// `told`.
    fn after(byte: u8, len: usize, told: Option<u64>) -> EmlxState {
        /// Maximum length of that line, which programs pad with blanks.
        const LINE_LEN_MAX: usize = 32;
        let digit = char::from(byte).to_digit(10).map(u64::from);
        let pushed = digit.and_then(|digit| told.unwrap_or(0).checked_mul(10)?.checked_add(digit));
        match (byte, told) {
            (b'\n', Some(told)) => EmlxState::Message(told),
            _ if len == LINE_LEN_MAX => EmlxState::Rest,
            (b' ' | b'\r', Some(_)) => EmlxState::Line(len + 1, told),
            _ if pushed.is_some() => EmlxState::Line(len + 1, pushed),
            _ => EmlxState::Rest,
        }
    }

    /// Reads the bytes after the message and decides whether they are properties.
    fn look(&mut self) -> io::Result<()> {
        let mut shown = Vec::new();
        Read::by_ref(&mut self.input).take(PROPERTIES.len() as u64).read_to_end(&mut shown)?;
        self.state = if shown == PROPERTIES { EmlxState::End } else { EmlxState::Rest };
        self.held.extend(shown);
        Ok(())
    }
}

impl<R: Read> Read for WithoutProperties<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.state == EmlxState::Message(0) {
            self.look()?;
        }
        let left = match self.state {
            EmlxState::Line(..) => 1,
            EmlxState::Message(left) => usize::try_from(left).unwrap_or(usize::MAX),
            EmlxState::Rest if !self.held.is_empty() => return self.held.read(out),
            EmlxState::Rest => usize::MAX,
            EmlxState::End => 0,
        };
        let most = left.min(out.len());
        let len = self.input.read(out.get_mut(..most).unwrap_or_default())?;
        self.state = match (self.state, out.first()) {
            (EmlxState::Line(passed, told), Some(byte)) if len > 0 => {
                Self::after(*byte, passed, told)
            }
            (EmlxState::Message(left), _) => EmlxState::Message(left - len as u64),
            (state, _) => state,
        };
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::WithoutProperties;

    #[test]
    fn a_message_of_apple_mail_ends_before_its_properties() {
        let read = |text: &str| {
            let mut out = String::new();
            WithoutProperties::new(text.as_bytes()).read_to_string(&mut out).expect("it is read");
            out
        };
        for message in ["To: a\n\nb\n", ""] {
            for blanks in ["", "   ", "\r"] {
                let told = format!("{}{blanks}\n{message}", message.len());
                assert_eq!(read(&format!("{told}<?xml version='1.0'?>")), told);
                assert_eq!(read(&told), told);
                for other in ["<!--", "more", "<?xm"] {
                    assert_eq!(read(&format!("{told}{other}")), format!("{told}{other}"));
                }
            }
        }
        for other in ["", "\n", "a\nb", "99999999999999999999999\na", "-1\nb", " 1\nb", "12"] {
            assert_eq!(read(other), other);
        }
        let blank = format!("1{}\nb<?xml", " ".repeat(40));
        assert_eq!(read(&blank), blank);
    }
}
