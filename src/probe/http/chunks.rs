//! Ends each line between chunks by CRLF (RFC 9112 §7.1): browsers accept LF alone, hyper does not.

/// The position in a chunked body.
#[derive(Debug)]
pub(super) struct Chunks {
    place: Place,
    is_after_cr: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In the line of a size, with the size so far.
    Size(Option<u64>),
    /// In the rest of that line, which may be an extension.
    Extension(u64),
    /// In the data, of which so many bytes follow.
    Data(u64),
    /// In the line end after the data.
    After,
    /// In the trailers, at the beginning of a line or in it.
    Trailer { is_begun: bool },
    /// After the body, or after a malformed size. hyper reports what follows.
    Over,
}

impl Default for Chunks {
    fn default() -> Self {
        Self { place: Place::Size(None), is_after_cr: false }
    }
}

impl Chunks {
    /// Appends `bytes`, the next part of the body, to `to`.
    pub(super) fn copy(&mut self, mut bytes: &[u8], to: &mut Vec<u8>) {
        while let Some((&byte, rest)) = bytes.split_first() {
            match self.place {
                Place::Over => {
                    to.extend_from_slice(bytes);
                    return;
                }
                Place::Data(len) => {
                    let taken = usize::try_from(len).unwrap_or(usize::MAX).min(bytes.len());
                    let (data, rest) = bytes.split_at_checked(taken).unwrap_or((bytes, &[]));
                    to.extend_from_slice(data);
                    let left = len.saturating_sub(u64::try_from(taken).unwrap_or(u64::MAX));
                    self.place = if left > 0 { Place::Data(left) } else { Place::After };
                    bytes = rest;
                    continue;
                }
                _ => {}
            }
            if byte == b'\n' && !self.is_after_cr {
                to.push(b'\r');
            }
            to.push(byte);
            self.is_after_cr = byte == b'\r';
            self.place = next(self.place, byte);
            bytes = rest;
        }
    }
}

/// Returns the place after `byte`, which is not data.
fn next(place: Place, byte: u8) -> Place {
    let begun = |len| if len > 0 { Place::Data(len) } else { Place::Trailer { is_begun: false } };
    match (place, byte) {
        (Place::Size(None) | Place::Over, b'\n') => Place::Over,
        (Place::Size(Some(len)) | Place::Extension(len), b'\n') => begun(len),
        (Place::Size(len), _) => match (char::from(byte).to_digit(16), len) {
            (Some(digit), len) => {
                let len = len.unwrap_or(0).checked_mul(16);
                len.map_or(Place::Over, |len| Place::Size(Some(len | u64::from(digit))))
            }
            (None, Some(len)) => Place::Extension(len),
            (None, None) => Place::Over,
        },
        (Place::After, b'\n') => Place::Size(None),
        (Place::After, b'\r') => Place::After,
        (Place::After, _) => Place::Over,
        (Place::Trailer { is_begun: false }, b'\n') => Place::Over,
        (Place::Trailer { is_begun }, byte) => {
            Place::Trailer { is_begun: byte != b'\n' && (is_begun || byte != b'\r') }
        }
        (place, _) => place,
    }
}

#[cfg(test)]
mod tests {
    use super::Chunks;

    fn copied(text: &[u8], step: usize) -> Vec<u8> {
        let (mut chunks, mut to) = (Chunks::default(), Vec::new());
        text.chunks(step).for_each(|part| chunks.copy(part, &mut to));
        to
    }

    #[test]
    fn lines_end_in_crlf_and_data_stays() {
        let good = b"3;x=y\r\na\nb\r\n0a  \r\n\n\n\n\n\n\n\n\n\n\n\r\n0\r\nX: 1\r\n\r\nrest\n";
        let bare = b"3;x=y\na\nb\n0a  \n\n\n\n\n\n\n\n\n\n\n\n0\nX: 1\n\nrest\n";
        for step in 1..good.len() {
            assert_eq!(copied(good, step), good, "{step}");
            assert_eq!(copied(bare, step), good, "{step}");
        }
    }

    #[test]
    fn a_malformed_size_is_left_to_hyper() {
        for text in ["xyz\n1\n", "\n3\n", "-1\na\n", "FFFFFFFFFFFFFFFFF\na\n", "1\nabc\n0\n\n"] {
            for step in [1, 2, 100] {
                let copied = copied(text.as_bytes(), step);
                let text = text.replacen("1\na", "1\r\na", 1).replacen("\n3", "\r\n3", 1);
                let whole = copied.iter().filter(|&&byte| byte != b'\r').count();
                assert_eq!(whole, text.replace('\r', "").len(), "{text:?}");
            }
        }
    }
}
