//! Encodes numbers, texts and what consists of them, each of which states its own length.

/// Bits of a number that each of its bytes holds, the lowest ones first; the highest bit of a byte
/// says that another one follows.
const BITS: u32 = 7;
const MORE: u8 = 1 << BITS;

pub(super) fn append_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= u64::from(MORE) {
        out.push(number.to_le_bytes()[0] | MORE);
        number >>= BITS;
    }
    out.push(number.to_le_bytes()[0]);
}

pub(super) fn append_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    append_number(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

pub(super) fn append_option<T>(
    value: Option<T>,
    out: &mut Vec<u8>,
    append: impl FnOnce(T, &mut Vec<u8>),
) {
    out.push(value.is_some().into());
    if let Some(value) = value {
        append(value, out);
    }
}

pub(super) fn append_list<T>(
    list: &[T],
    out: &mut Vec<u8>,
    mut append: impl FnMut(&T, &mut Vec<u8>),
) {
    append_number(list.len() as u64, out);
    for one in list {
        append(one, out);
    }
}

/// Encoded fields, which are read in the order in which they were appended. A read returns `None`
/// for bytes that do not encode such a field.
#[derive(Clone, Copy)]
pub(super) struct Fields<'b>(pub(super) &'b [u8]);

impl<'b> Fields<'b> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*byte)
    }

    pub(super) fn flag(&mut self) -> Option<bool> {
        Some(self.byte()? != 0)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(BITS as usize) {
            let byte = self.byte()?;
            number |= u64::from(byte & !MORE) << shift;
            if byte & MORE == 0 {
                return Some(number);
            }
        }
        None
    }

    pub(super) fn size(&mut self) -> Option<usize> {
        usize::try_from(self.number()?).ok()
    }

    pub(super) fn bytes(&mut self) -> Option<&'b [u8]> {
        let len = self.size()?;
        let (bytes, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(super) fn text(&mut self) -> Option<&'b str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// Returns the field that `read` reads if there is one; the outer option is that of each read.
    #[expect(clippy::option_option, reason = "an absent field is no failure to read it")]
    pub(super) fn option<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Option<T>> {
        if self.flag()? { read(self).map(Some) } else { Some(None) }
    }

    pub(super) fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        (0..self.number()?).map(|_| read(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Fields, append_bytes, append_list, append_number, append_option};

    #[test]
    fn what_was_appended_is_read() {
        let powers = (0..u64::BITS).map(|bit| 1_u64 << bit);
        for number in powers.flat_map(|power| [power - 1, power, power + 1]).chain([u64::MAX]) {
            let mut out = Vec::new();
            append_number(number, &mut out);
            append_bytes(b"a\0\xff", &mut out);
            append_option(Some(number), &mut out, append_number);
            append_option(None, &mut out, append_number);
            append_list(&[1, number], &mut out, |number, out| append_number(*number, out));
            let mut fields = Fields(&out);
            assert_eq!((fields.number(), fields.bytes()), (Some(number), Some(&b"a\0\xff"[..])));
            assert_eq!(fields.option(Fields::number), Some(Some(number)));
            assert_eq!(fields.option(Fields::number), Some(None));
            assert_eq!(fields.list(Fields::number), Some(vec![1, number]));
            assert_eq!(fields.byte(), None);
        }
    }

    #[test]
    fn bytes_that_encode_nothing_are_refused() {
        assert_eq!(Fields(&[0xff; 11]).number(), None);
        assert_eq!(Fields(&[0x80]).number(), None);
        assert_eq!(Fields(&[3, 1, 2]).bytes(), None);
        assert_eq!(Fields(&[1, 0xff]).text(), None);
        assert_eq!(Fields(&[0xff, 0xff, 0xff, 0xff, 0x7f]).list(Fields::byte), None);
    }
}
