//! Extracts the text of opaque-signed messages: S/MIME whose signature encloses the text (RFC 8551
//! §3.5.2), a `SignedData` of CMS (RFC 5652 §5.1) in BER or DER (X.690).
//!
//! No signature is verified: the content of the octet string is copied, and all around it is
//! dropped. Streaming writers divide the string into pieces, because they do not know its length in
//! advance. Text that lists append to the structure is copied.

use super::run::Run;
use crate::span::Span;

/// State of a decoder.
#[derive(Clone, Debug)]
pub(super) struct SignedState {
    /// `None` before the text is seen.
    signed: Option<Signed>,
}

impl SignedState {
    pub(super) const fn new() -> Self {
        Self { signed: None }
    }

    /// Returns the run at `at` of `text`: the bytes before the next piece of signed content, or
    /// that piece.
    pub(super) fn run(&mut self, text: &[u8], at: usize) -> Run {
        let signed = self.signed.get_or_insert_with(|| Signed::of(text));
        while signed.piece.end <= at {
            match signed.next(text) {
                Some(next) => signed.piece = next,
                None if at < signed.end => return Run::nothing(signed.end - at),
                None => return Run::same(text.len() - at),
            }
        }
        match signed.piece.start.checked_sub(at) {
            None | Some(0) => Run::same(signed.piece.end - at),
            Some(ahead) => Run::nothing(ahead),
        }
    }
}

/// The signed string.
#[derive(Clone, Debug)]
struct Signed {
    /// The piece of it that was read last.
    piece: Span,
    /// Range that contains the other pieces.
    rest: Span,
    /// End of the whole structure.
    end: usize,
}

impl Signed {
    /// Parses the structure in `text`. It has no pieces if the content is elsewhere, or `text` is
    /// not signed data.
    fn of(text: &[u8]) -> Self {
        let signed = DerReader { text, at: 0 }.signed();
        let (start, end) = signed.unwrap_or_default();
        let after = signed.and_then(|_| DerReader { text, at: 0 }.after());
        let (piece, rest) = (Span::new(start, start), Span::new(start, end));
        Self { piece, rest, end: after.unwrap_or(text.len()) }
    }

    /// Returns the next piece, as far as it is in `text`. In a string of indefinite length, two
    /// zero bytes follow the pieces.
    fn next(&mut self, text: &[u8]) -> Option<Span> {
        let mut reader = DerReader { text: text.get(..self.rest.end)?, at: self.rest.start };
        let piece = reader.pass(tag::OCTET_STRING)?;
        self.rest.start = reader.at;
        Some(piece)
    }
}

/// Tags of X.690 §8.1.2, with their classes.
mod tag {
    pub(super) const INTEGER: u8 = 0x02;
    pub(super) const OCTET_STRING: u8 = 0x04;
    pub(super) const OBJECT_IDENTIFIER: u8 = 0x06;
    /// A string in pieces.
    pub(super) const OCTET_STRINGS: u8 = 0x24;
    pub(super) const SEQUENCE: u8 = 0x30;
    pub(super) const SET: u8 = 0x31;
    /// Context-specific tag of part 0 of a structure.
    pub(super) const PART: u8 = 0xA0;
}

/// `id-signedData`, 1.2.840.113549.1.7.2 (RFC 5652 §5.1).
const SIGNED_DATA: &[u8] = b"\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02";

/// Reads consecutive and nested elements.
struct DerReader<'t> {
    text: &'t [u8],
    at: usize,
}

impl DerReader<'_> {
    /// Returns the start and the end of the pieces of the signed content.
    fn signed(&mut self) -> Option<(usize, usize)> {
        self.enter(tag::SEQUENCE)?;
        if self.pass(tag::OBJECT_IDENTIFIER)?.of(self.text) != SIGNED_DATA {
            return None;
        }
        self.enter(tag::PART)?;
        self.enter(tag::SEQUENCE)?;
        // The version, and the digest algorithms.
        self.pass(tag::INTEGER)?;
        self.pass(tag::SET)?;
        self.enter(tag::SEQUENCE)?;
        self.pass(tag::OBJECT_IDENTIFIER)?;
        self.enter(tag::PART)?;
        let start = self.at;
        let end = match self.enter(tag::OCTET_STRINGS) {
            Some(end) => end.unwrap_or(self.text.len()),
            None => return Some((start, self.enter(tag::OCTET_STRING)??)),
        };
        Some((self.at, end))
    }

    /// Returns the end of the element here, if its length is declared or its end is in the text.
    fn after(&mut self) -> Option<usize> {
        let mut depth = 0_usize;
        loop {
            match *self.text.get(self.at..)? {
                [0, 0, ..] if depth > 0 => (depth, self.at) = (depth - 1, self.at + 2),
                [tag, ..] => match self.enter(tag)? {
                    Some(end) => self.at = end,
                    None => depth += 1,
                },
                [] => return None,
            }
            if depth == 0 {
                return Some(self.at);
            }
        }
    }

    /// Enters the element here; returns its end, or `Some(None)` if its length is indefinite.
    fn enter(&mut self, tag: u8) -> Option<Option<usize>> {
        let [first, len, ..] = *self.text.get(self.at..)? else { return None };
        if first != tag {
            return None;
        }
        self.at += 2;
        let told = match len {
            0x80 => return Some(None),
            0x81.. => self.text.get(self.at..self.at + usize::from(len & 0x7F))?,
            _ => &[],
        };
        self.at += told.len();
        let add = |sum: usize, digit: &u8| sum.checked_mul(256)?.checked_add(usize::from(*digit));
        let long = told.iter().try_fold(0, add)?;
        let len = if told.is_empty() { usize::from(len) } else { long };
        Some(Some(self.at.saturating_add(len).min(self.text.len())))
    }

    /// Skips the element here; returns the range of its content, as far as it is in the text.
    fn pass(&mut self, tag: u8) -> Option<Span> {
        let end = self.enter(tag)??;
        let inside = Span::new(self.at, end);
        self.at = end;
        Some(inside)
    }
}

#[cfg(test)]
mod tests {
    use super::{SIGNED_DATA, SignedState, tag};

    /// Returns an element that contains `inside`.
    fn element(tag: u8, inside: &[u8]) -> Vec<u8> {
        let [high, low] = u16::try_from(inside.len()).unwrap().to_be_bytes();
        let mut out = vec![tag];
        match (high, low) {
            (0, 0..128) => out.push(low),
            (0, _) => out.extend([0x81, low]),
            _ => out.extend([0x82, high, low]),
        }
        out.extend(inside);
        out
    }

    /// Returns an element of indefinite length.
    fn endless(tag: u8, inside: &[u8]) -> Vec<u8> {
        [&[tag, 0x80], inside, &[0, 0]].concat()
    }

    /// Returns signed data around `string`, with elements that `around` creates.
    fn signed(around: fn(u8, &[u8]) -> Vec<u8>, string: &[u8]) -> Vec<u8> {
        let data = element(tag::OBJECT_IDENTIFIER, b"\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01");
        let content = around(tag::SEQUENCE, &[data, around(tag::PART, string)].concat());
        let version = element(tag::INTEGER, &[1]);
        let algorithms = element(tag::SET, &element(tag::SEQUENCE, b""));
        let signers = element(tag::SET, b"http://certificate.example/");
        let body = [version, algorithms, content, signers].concat();
        let kind = element(tag::OBJECT_IDENTIFIER, SIGNED_DATA);
        let body = around(tag::PART, &around(tag::SEQUENCE, &body));
        around(tag::SEQUENCE, &[kind, body].concat())
    }

    fn decoded(text: &[u8]) -> Vec<u8> {
        let (mut state, mut at, mut out) = (SignedState::new(), 0, Vec::new());
        while at < text.len() {
            let run = state.run(text, at);
            let end = at + run.source_len();
            run.append(&text[at..end], &mut out);
            at = end;
        }
        out
    }

    #[test]
    fn what_is_signed_stands_for_itself_however_it_is_cut() {
        let text = b"Content-Type: text/plain\r\n\r\nhttp://h/".repeat(9);
        let whole = element(tag::OCTET_STRING, &text);
        for around in [element, endless] {
            assert_eq!(decoded(&signed(around, &whole)), text);
            for len in [1, 7, 100, 200, 300] {
                let chunks = text.chunks(len).map(|chunk| element(tag::OCTET_STRING, chunk));
                let strings = around(tag::OCTET_STRINGS, &chunks.collect::<Vec<_>>().concat());
                assert_eq!(decoded(&signed(around, &strings)), text);
            }
        }
    }

    #[test]
    fn what_stands_after_it_is_text() {
        let string = element(tag::OCTET_STRING, b"http://h/");
        for around in [element, endless] {
            for string in [string.clone(), around(tag::OCTET_STRINGS, &string.repeat(2))] {
                let inside = decoded(&signed(around, &string));
                let whole = [signed(around, &string), b"\n\nhttp://list/".to_vec()].concat();
                assert_eq!(decoded(&whole), [&inside[..], b"\n\nhttp://list/"].concat());
            }
        }
    }

    #[test]
    fn what_ends_too_early_gives_what_is_there() {
        let text = b"http://h/".repeat(40);
        let chunks = text.chunks(90).map(|chunk| element(tag::OCTET_STRING, chunk));
        let strings = endless(tag::OCTET_STRINGS, &chunks.collect::<Vec<_>>().concat());
        let whole = signed(endless, &strings);
        let mut longest = 0;
        for len in 0..whole.len() {
            let found = decoded(&whole[..len]);
            assert!(text.starts_with(&found) && found.len() >= longest, "{len}");
            longest = found.len();
        }
        assert_eq!(longest, text.len());
    }

    #[test]
    fn what_is_no_signed_text_stands_for_nothing() {
        let string = element(tag::OCTET_STRING, b"http://h/");
        let mut enveloped = signed(element, &string);
        let last = enveloped.iter().position(|byte| *byte == 7).unwrap() + 1;
        enveloped[last] = 3;
        let huge = b"\x30\x89\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF";
        for text in [&enveloped[..], b"", b"\x30", huge, b"http://h/ in no BER"] {
            assert_eq!(decoded(text), b"", "{text:?}");
        }
        // A detached signature.
        assert_eq!(decoded(&signed(element, b"")), b"");
    }

    #[test]
    fn every_byte_of_anything_is_in_one_run() {
        let string = element(tag::OCTET_STRING, b"http://h/");
        let whole = signed(endless, &endless(tag::OCTET_STRINGS, &string.repeat(3)));
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        for _ in 0..20_000 {
            state = state.rotate_left(7).wrapping_mul(0xD134_2543_DE82_EF95);
            let mut text = whole.clone();
            let at = (state >> 32) as usize % text.len();
            text[at] = state.to_be_bytes()[7];
            let (mut reader, mut at) = (SignedState::new(), 0);
            while at < text.len() {
                let len = reader.run(&text, at).source_len();
                assert!(len > 0, "{text:?}");
                at += len;
            }
            assert_eq!(at, text.len());
        }
    }
}
