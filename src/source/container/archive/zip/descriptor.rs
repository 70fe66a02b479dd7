//! Reads data descriptors: lengths and checksum that follow a member (APPNOTE §4.3.9).

use std::io::{self, BufRead, Read};

use memchr::memmem;

use super::directory::Part;
use super::entry::{Entry, number, truncated};
use crate::source::container::{Broken, Feed, Halt, Nest, fail};

/// First bytes of most descriptors.
const SIGNATURE: &[u8] = b"PK\x07\x08";
/// Maximum length of a descriptor.
const LEN_MAX: usize = 24;
/// Greatest length of a descriptor and the signature after it.
const SEEN: usize = LEN_MAX + 4;

/// Bytes searched for a descriptor at once: enough that few descriptors are cut.
const NEAR: usize = 16 * 1024;

/// One possible reading of a descriptor.
struct Descriptor {
    crc: u64,
    packed_len: u64,
    len: u64,
    /// Offset of its end in the shown bytes.
    end: usize,
}

impl Descriptor {
    /// Reports whether a part of an archive, or the end, follows in `shown`.
    fn is_followed(&self, shown: &[u8]) -> bool {
        shown.get(self.end..).is_some_and(|rest| rest.is_empty() || begins_part(rest))
    }
}

/// Reports whether `text` begins with the header of a member, or with a directory entry or end
/// record.
const fn begins_part(text: &[u8]) -> bool {
    matches!(text, [b'P', b'K', 1 | 3 | 5 | 6, 2 | 4 | 6 | 8, ..])
}

/// Returns the possible readings of the descriptor that `shown` begins with, whose lengths have
/// four bytes or eight. Its signature may be missing.
fn forms(shown: &[u8]) -> [Descriptor; 2] {
    let start = if shown.starts_with(SIGNATURE) { SIGNATURE.len() } else { 0 };
    let (crc, lens) = (number(shown, start, 4), start + 4);
    [4, 8].map(|width| {
        let (packed_len, len) = (number(shown, lens, width), number(shown, lens + width, width));
        Descriptor { crc, packed_len, len, end: lens + 2 * width }
    })
}

/// Returns the length of the descriptor that `after` begins with if it agrees with the directory's
/// `entry`, and zero otherwise. Deleted bytes may follow it.
pub(super) fn len(after: Part<'_>, entry: &Entry) -> io::Result<u64> {
    let mut shown = Vec::new();
    after.take(LEN_MAX as u64).read_to_end(&mut shown)?;
    let is_its = |form: &&Descriptor| {
        let told = (Some(form.crc), form.packed_len, form.len);
        form.end <= shown.len() && told == (entry.crc, entry.packed_len, entry.len)
    };
    Ok(forms(&shown).iter().rev().find(is_its).map_or(0, |form| form.end as u64))
}

/// Takes the descriptor that `feed` begins with and returns its checksum; `len` is the length of
/// the member before it, if known. Chooses the reading after which a part of the archive follows,
/// or the end.
pub(super) fn take_descriptor(
    feed: &mut Feed<'_>,
    len: Option<u64>,
    nest: &Nest,
) -> Result<u64, Halt> {
    let at = feed.consumed();
    let shown = feed.peek(SEEN)?;
    let is_short = shown.len() < SEEN;
    let followed = || forms(shown).into_iter().filter(|form| form.is_followed(shown));
    // The lengths may look like the signature that follows.
    let form = followed().find(|form| Some(form.len) == len).or_else(|| followed().next());
    match form {
        Some(Descriptor { crc, end, .. }) => {
            feed.skip(end as u64)?;
            Ok(crc)
        }
        None if is_short => Err(truncated(nest, at)),
        None => Err(fail(nest, at, Broken::MemberLengths)),
    }
}

/// A reader of a member whose end only its descriptor marks: the first one that declares as many
/// bytes as precede it.
pub(super) struct Open<'f, 'i> {
    feed: &'f mut Feed<'i>,
    /// Bytes returned so far.
    len: u64,
}

impl<'f, 'i> Open<'f, 'i> {
    pub(super) const fn new(feed: &'f mut Feed<'i>) -> Self {
        Self { feed, len: 0 }
    }

    /// Skips the remaining bytes.
    pub(super) fn drain(&mut self) -> io::Result<()> {
        io::copy(self, &mut io::sink()).map(|_| ())
    }
}

impl Read for Open<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let wanted = NEAR.min(out.len() + SEEN);
        let shown = self.feed.peek_most(wanted)?;
        let is_last = shown.len() < wanted;
        // After these bytes, a descriptor may be cut.
        let sure = if is_last { shown.len() } else { wanted - SEEN + 1 };
        let len = find(shown, self.len, is_last).unwrap_or(sure).min(out.len());
        if let (Some(out), Some(shown)) = (out.get_mut(..len), shown.get(..len)) {
            out.copy_from_slice(shown);
        }
        self.feed.consume(len);
        self.len += len as u64;
        Ok(len)
    }
}

/// Returns the offset in `shown` of a descriptor that declares as many bytes as precede it, of
/// which `before` precede `shown`. A part of an archive, or the end, must follow it.
fn find(shown: &[u8], before: u64, is_last: bool) -> Option<usize> {
    /// Lengths of all forms, those with a signature first.
    const LENS: [usize; 4] = [16, LEN_MAX, 12, 20];
    let is_part = |at: &usize| shown.get(*at..).is_some_and(begins_part);
    let parts = memmem::find_iter(shown, b"PK").filter(is_part);
    let declares = |start: usize, end: usize| {
        let own = shown.get(start..end).unwrap_or_default();
        let len = before + start as u64;
        forms(own).iter().any(|form| form.end == own.len() && form.packed_len == len)
    };
    parts.chain(is_last.then_some(shown.len())).find_map(|end| {
        let mut starts = LENS.iter().filter_map(|len| end.checked_sub(*len));
        starts.find(|start| declares(*start, end))
    })
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::{NEAR, Open, SEEN, SIGNATURE};
    use crate::source::container::Feed;

    /// Each signature, and the width of its lengths in bytes.
    const FORMS: [(&[u8], usize); 4] = [(SIGNATURE, 4), (SIGNATURE, 8), (b"", 4), (b"", 8)];

    /// Returns a descriptor with these lengths.
    fn descriptor(len: usize, (signature, width): (&[u8], usize)) -> Vec<u8> {
        let len = (len as u64).to_le_bytes();
        [signature, &[1, 2, 3, 4], &len[..width], &len[..width]].concat()
    }

    /// Asserts that `text` is read from `text`, its own descriptor and `after`.
    #[track_caller]
    fn is_all(text: &[u8], form: (&[u8], usize), after: &[u8]) {
        let rest = [&descriptor(text.len(), form)[..], after].concat();
        let all = [text, &rest].concat();
        for step in [1, 1000, all.len()] {
            let mut input = all.as_slice();
            let mut feed = Feed::new(&mut input);
            let mut open = Open::new(&mut feed);
            let (mut read, mut some) = (Vec::new(), vec![0; step]);
            while let len @ 1.. = open.read(&mut some).expect("bytes") {
                read.extend_from_slice(&some[..len]);
            }
            assert!(read == text, "{} of {} bytes by {step}", read.len(), text.len());
            assert!(feed.peek(rest.len()).expect("bytes") == rest, "behind {}", text.len());
        }
    }

    #[test]
    fn a_member_ends_where_its_length_is_told() {
        let places = (0..2 * SEEN).map(|step| NEAR + SEEN - step);
        for len in (0..40).chain(places).chain([3 * NEAR + 7]) {
            let text = b"PK\x07\x08 and more ".repeat(len / 10 + 1)[..len].to_vec();
            for form in FORMS {
                is_all(&text, form, b"");
                is_all(&text, form, b"PK\x03\x04 and more");
                is_all(&text, form, &b"PK\x01\x02 and more".repeat(NEAR / 10));
            }
        }
    }

    #[test]
    fn the_length_of_something_else_ends_no_member() {
        let header = b"PK\x03\x04";
        let text = b"a text".as_slice();
        for form in FORMS {
            let other = [text, &descriptor(text.len() + 1, form), header].concat();
            is_all(&other, form, header);
            let inside = [text, &descriptor(text.len(), form), b"PK or something"].concat();
            is_all(&inside, form, header);
        }
    }

    #[test]
    fn what_stands_before_a_failure_is_read() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let mut input = b"a text".chain(Failing);
        let mut feed = Feed::new(&mut input);
        let mut read = Vec::new();
        let result = Open::new(&mut feed).read_to_end(&mut read);
        assert_eq!((read.as_slice(), result.is_err()), (&b"a text"[..], true));
    }

    #[test]
    fn a_member_without_a_length_is_all_there_is() {
        let mut input = b"a text and no more".as_slice();
        let mut feed = Feed::new(&mut input);
        let mut read = Vec::new();
        Open::new(&mut feed).read_to_end(&mut read).expect("bytes");
        assert_eq!(read, b"a text and no more");
    }
}
