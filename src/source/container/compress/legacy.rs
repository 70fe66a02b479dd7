//! Decodes LZ4 frames of the format before the specification, in which Linux still packs its
//! kernels: a magic number, and blocks, each after its packed length. A frame ends with the input,
//! or at bytes that begin no block, mostly those of another frame.

use std::io::{self, ErrorKind, Read};

use crate::source::container::Feed;

/// First bytes of a frame.
use super::LEGACY_MAGIC as MAGIC;

/// Greatest length of a decoded block.
const BLOCK_LEN: usize = 8 * 1024 * 1024;

/// Maximum length of a packed block: incompressible bytes grow by this much.
const PACKED_LEN_MAX: u64 = (BLOCK_LEN + BLOCK_LEN / 255 + 16) as u64;

/// Maximum number of bytes decoded from one packed byte. The buffer is no larger than this allows,
/// since blocks may be tiny.
const RATIO_MAX: usize = 255;

/// A decoder of one frame.
pub(super) struct Legacy<'f, 'i> {
    feed: &'f mut Feed<'i>,
    /// The current decoded block, and how much of it was returned.
    block: Vec<u8>,
    given: usize,
}

impl<'f, 'i> Legacy<'f, 'i> {
    /// Returns a decoder of the frame that `feed` begins with.
    pub(super) fn new(feed: &'f mut Feed<'i>) -> io::Result<Self> {
        feed.skip(MAGIC.len() as u64)?;
        Ok(Self { feed, block: Vec::new(), given: 0 })
    }

    pub(super) const fn feed(&self) -> &Feed<'i> {
        self.feed
    }

    pub(super) fn into_feed(self) -> &'f mut Feed<'i> {
        self.feed
    }

    /// Decodes the next block; returns false at the end of the frame.
    fn next(&mut self) -> io::Result<bool> {
        self.given = 0;
        self.block.clear();
        let len = match *self.feed.peek(4)? {
            [one, two, three, four] => u32::from_le_bytes([one, two, three, four]).into(),
            [] => return Ok(false),
            _ => return Err(ErrorKind::UnexpectedEof.into()),
        };
        if !(1..=PACKED_LEN_MAX).contains(&len) {
            return Ok(false);
        }
        self.feed.skip(4)?;
        let mut packed = Vec::new();
        Read::by_ref(self.feed).take(len).read_to_end(&mut packed)?;
        if (packed.len() as u64) < len {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        self.block.resize(BLOCK_LEN.min(packed.len().saturating_mul(RATIO_MAX)), 0);
        let len = lz4_flex::block::decompress_into(&packed, &mut self.block)
            .map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
        self.block.truncate(len);
        Ok(true)
    }
}

impl Read for Legacy<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given == self.block.len() {
            if !self.next()? {
                return Ok(0);
            }
        }
        let len = self.block.get(self.given..).unwrap_or_default().read(out)?;
        self.given += len;
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK_LEN, Legacy, MAGIC};
    use crate::source::container::Feed;
    use std::io::{ErrorKind, Read as _};

    /// Returns a frame of `blocks`.
    fn frame(blocks: &[&[u8]]) -> Vec<u8> {
        let mut frame = MAGIC.to_vec();
        for block in blocks {
            let packed = lz4_flex::block::compress(block);
            frame.extend(u32::try_from(packed.len()).unwrap().to_le_bytes());
            frame.extend(packed);
        }
        frame
    }

    /// Returns the decoded bytes, the final error if any, and the offset of the end of the frame.
    fn unpacked(bytes: &[u8]) -> (Vec<u8>, Option<ErrorKind>, u64) {
        let mut input = bytes;
        let mut feed = Feed::new(&mut input);
        let mut legacy = Legacy::new(&mut feed).unwrap();
        let mut out = Vec::new();
        let failed = legacy.read_to_end(&mut out).err().map(|error| error.kind());
        (out, failed, legacy.into_feed().consumed())
    }

    #[test]
    fn blocks_of_a_frame_follow_each_other() {
        let bytes = frame(&[b"one http://h/ one http://h/", b"two"]);
        let end = bytes.len() as u64;
        assert_eq!(unpacked(&bytes), (b"one http://h/ one http://h/two".to_vec(), None, end));
        for after in [&frame(&[b"three"])[..], b"\xFF\xFF\xFF\xFF", b"\0\0\0\0"] {
            let both = [&bytes, after].concat();
            assert_eq!(unpacked(&both), (b"one http://h/ one http://h/two".to_vec(), None, end));
        }
        assert_eq!(unpacked(MAGIC), (Vec::new(), None, 4));
        let zeros = vec![0; BLOCK_LEN];
        assert!(
            unpacked(&frame(&[&zeros])) == (zeros.clone(), None, frame(&[&zeros]).len() as u64)
        );
        let (out, failed, _) = unpacked(&frame(&[b"", b"behind"]));
        assert_eq!((&out[..], failed), (&b"behind"[..], None));
    }

    #[test]
    fn a_block_that_packing_made_longer_is_read() {
        let mut state = 7_u64;
        let block: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.to_be_bytes()[0]
        })
        .take(BLOCK_LEN)
        .collect();
        let bytes = frame(&[&block, b"two"]);
        assert!(bytes.len() > BLOCK_LEN + 1000, "{}", bytes.len());
        let (out, failed, _) = unpacked(&bytes);
        assert!(out == [&block[..], b"two"].concat() && failed.is_none());
    }

    #[test]
    fn what_is_cut_or_broken_gives_the_blocks_before() {
        let bytes = frame(&[b"one", b"two http://h/ two http://h/"]);
        for cut in 1..10 {
            let (out, failed, _) = unpacked(&bytes[..bytes.len() - cut]);
            assert_eq!((&out[..], failed), (&b"one"[..], Some(ErrorKind::UnexpectedEof)), "{cut}");
        }
        let broken = [MAGIC, b"\x04\0\0\0\xF0zzz"].concat();
        assert_eq!(unpacked(&broken).1, Some(ErrorKind::InvalidData));
    }
}
