//! Limits the cost of unpacking one input.
//!
//! Declared sizes are not trusted: bytes are counted as they are decoded.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;

use super::fault::{Fault, Limit};
use crate::source::part::{Division, Joint, Picker};
use crate::source::threads::SpareThreads;

/// Maximum number of containers around a text. Real files nest a few; archives that contain
/// themselves nest without end.
pub(in crate::source) const DEPTH_MAX: usize = 8;
/// Maximum number of members read of one input, with those of nested archives: more than the
/// messages of a spool of many years, and few enough that empty members take seconds. All members
/// of a zip archive count, since their byte ranges are kept in memory.
pub(in crate::source) const MEMBERS_MAX: u64 = 1_000_000;
/// Maximum number of bytes decoded from one packed member, or in the holes of a sparse one. Inputs
/// that are one stream and members that are stored uncompressed have no such limit, since their
/// length is the user's choice.
pub(in crate::source) const MEMBER_LEN_MAX: u64 = 4 * 1024 * 1024 * 1024;
/// Bytes of a block of an archive.
const BLOCK_LEN: u64 = 512;
/// Maximum number of streams of one input that decode to little but cost much. Programs that pack
/// in pieces, as `pbzip2` does, write pieces of hundreds of kilobytes.
pub(in crate::source) const SHORT_STREAMS_MAX: u64 = 20_000;
/// Maximum number of bytes decoded from one packed byte: deflate reaches 1032, only for zeros.
/// Logs that repeat one line reach some hundreds.
const RATIO_MAX: u64 = 1000;
/// Decoded bytes up to which the ratio is not checked.
const RATIO_FREE_LEN: u64 = 64 * 1024 * 1024;

/// The budget of one input.
#[derive(Default)]
pub(in crate::source) struct Budget {
    /// Bytes of the input that were read.
    read: Cell<u64>,
    /// Whether a read has met the end of the input.
    is_at_end: Cell<bool>,
    /// Bytes that decoders have written, at any depth.
    produced: Cell<u64>,
    members: Cell<u64>,
    /// Streams that decoded to little but cost much.
    short_streams: Cell<u64>,
    /// Streams being decoded now that may use much memory.
    wide: Cell<usize>,
    /// Places where decoding restarted after a fault: the scope of the streams, and the offset in
    /// their text.
    restarts: RefCell<Vec<(usize, u64)>>,
    /// The places where a reader can begin; `None` if they are not wanted.
    joints: Option<RefCell<Joints>>,
    /// Threads that can decode parts of the input, if its reader has some.
    #[cfg_attr(not(feature = "archives"), expect(dead_code, reason = "no decoder asks"))]
    spare_threads: Option<SpareThreads>,
}

/// The places in an input where a reader can begin.
struct Joints {
    by: Option<Division>,
    picker: Picker,
    /// The offsets of compressed streams: in the text that they decode to, and in the input.
    streams: VecDeque<(u64, u64)>,
}

/// Permit of one stream to use much memory, for as long as it is decoded.
pub(in crate::source) struct Wide<'a>(&'a Cell<usize>);

impl Drop for Wide<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
}

impl Budget {
    /// Returns a budget for an input whose reader has these threads.
    pub(in crate::source) fn with(spare_threads: Option<SpareThreads>) -> Self {
        Self { spare_threads, ..Self::default() }
    }

    #[cfg(feature = "archives")]
    pub(in crate::source) fn spare_threads(&self) -> Option<SpareThreads> {
        self.spare_threads.clone()
    }

    /// Returns a budget for an input whose members are not read: only the places are wanted where
    /// it can be divided into parts of `len_max` bytes.
    pub(in crate::source) fn scouting(len_max: u64) -> Self {
        let (picker, streams) = (Picker::new(len_max), VecDeque::new());
        let joints = Joints { by: None, picker, streams };
        Self { joints: Some(RefCell::new(joints)), ..Self::default() }
    }

    /// Reports whether only the places are wanted where the input can be divided.
    pub(in crate::source) const fn is_scouting(&self) -> bool {
        self.joints.is_some()
    }

    /// Takes a place with `measure` bytes before it.
    pub(in crate::source) fn joint(&self, by: Division, measure: u64, joint: Joint) {
        let Some(joints) = &self.joints else { return };
        let mut joints = joints.borrow_mut();
        joints.by = Some(by);
        joints.picker.offer(measure, joint);
    }

    /// Takes a place in the text of compressed streams, if one of them begins there.
    pub(in crate::source) fn packed_joint(&self, by: Division, made: u64, count: u64) {
        let Some(joints) = &self.joints else { return };
        let mut joints = joints.borrow_mut();
        while joints.streams.front().is_some_and(|(begun, _)| *begun < made) {
            joints.streams.pop_front();
        }
        let stream = joints.streams.front().filter(|(begun, _)| *begun == made);
        if let Some((_, at)) = stream.copied() {
            joints.by = Some(by);
            joints.picker.offer(at, Joint::plain(at, count));
        }
    }

    /// Records that a compressed stream begins at `at` in the input, and at `made` in the text of
    /// all of them.
    fn stream(&self, made: u64, at: u64) {
        /// Streams that the buffers between a decoder and a reader can hold, each of one byte.
        const STREAMS_MAX: usize = 1 << 17;
        let Some(joints) = &self.joints else { return };
        let mut joints = joints.borrow_mut();
        if joints.streams.len() == STREAMS_MAX {
            joints.streams.pop_front();
        }
        joints.streams.push_back((made, at));
    }

    /// Returns the first offset from `from` on, in the text of the streams of `scope`, at which
    /// decoding restarted after a fault.
    pub(in crate::source) fn next_restart(&self, scope: usize, from: u64) -> Option<u64> {
        let restarts = self.restarts.borrow();
        let those = restarts.iter().filter(|(of, at)| *of == scope && *at >= from);
        those.map(|(_, at)| *at).min()
    }

    /// Returns a fault if more was decoded than the input can hold.
    fn hold_ratio(&self) -> io::Result<()> {
        let (made, read) = (self.produced.get(), self.read.get());
        if is_bomb(made, read) {
            Err(reached(0, None, Limit::Ratio { made, read }))
        } else {
            Ok(())
        }
    }

    /// Returns how the input can be divided, and where.
    pub(in crate::source) fn into_joints(self, len: u64) -> Option<(Division, Vec<Joint>)> {
        let Joints { by, picker, .. } = self.joints?.into_inner();
        Some((by?, picker.finish(len)))
    }

    /// Returns the number of members.
    pub(in crate::source) const fn members(&self) -> u64 {
        self.members.get()
    }

    pub(in crate::source) fn read(&self, len: u64) {
        self.read.set(self.read.get() + len);
    }

    /// Returns the number of bytes of the input that were read.
    pub(in crate::source) fn bytes(&self) -> u64 {
        self.read.get()
    }

    /// Reports whether a read has met the end of the input.
    pub(in crate::source) const fn is_at_end(&self) -> bool {
        self.is_at_end.get()
    }

    pub(in crate::source) fn set_at_end(&self, is_at_end: bool) {
        self.is_at_end.set(is_at_end);
    }

    /// Records that the input, or a part of it, was read as far as useful: counts its `len` bytes,
    /// in place of those that were read.
    pub(in crate::source) fn whole(&self, len: u64) {
        self.read.set(len);
    }

    /// Counts a member.
    ///
    /// # Errors
    /// Returns a fault when there are too many members.
    pub(in crate::source) fn member(&self) -> io::Result<()> {
        self.members.set(self.members.get() + 1);
        if self.members.get() <= MEMBERS_MAX {
            return Ok(());
        }
        Err(reached(0, None, Limit::Members(MEMBERS_MAX)))
    }
}

fn reached(scope: usize, offset: Option<u64>, limit: Limit) -> io::Error {
    Fault { scope, offset, cause: limit.into() }.into()
}

/// Counter of the bytes that one decoder reads and writes.
pub(in crate::source) struct Meter<'a> {
    budget: &'a Budget,
    /// The scope that ends when the limit is exceeded.
    pub(in crate::source) scope: usize,
    produced: u64,
    produced_max: u64,
}

impl<'a> Meter<'a> {
    pub(in crate::source) const fn new(
        budget: &'a Budget,
        scope: usize,
        produced_max: u64,
    ) -> Self {
        Self { budget, scope, produced: 0, produced_max }
    }

    pub(in crate::source) const fn produced(&self) -> u64 {
        self.produced
    }

    /// Records that another stream begins after `consumed` bytes of the input.
    pub(in crate::source) fn stream(&self, consumed: u64) {
        self.budget.stream(self.produced, consumed);
    }

    /// Records that decoding restarts after a fault.
    pub(in crate::source) fn restart(&self) {
        self.budget.restarts.borrow_mut().push((self.scope, self.produced));
    }

    /// Forgets the restarts of earlier streams with this scope, or of one within it.
    pub(in crate::source) fn forget_restarts(&self) {
        self.budget.restarts.borrow_mut().retain(|(scope, _)| *scope < self.scope);
    }

    /// Returns a permit to use much memory if fewer than `count_max` streams have one.
    pub(in crate::source) fn wide(&self, count_max: usize) -> Option<Wide<'a>> {
        let wide = &self.budget.wide;
        (wide.get() < count_max).then(|| {
            wide.set(wide.get() + 1);
            Wide(wide)
        })
    }

    /// Counts a stream that decoded to little but cost much; `consumed` is the number of bytes
    /// taken.
    ///
    /// # Errors
    /// Returns a fault when the input has too many such streams.
    pub(in crate::source) fn short_stream(&self, consumed: u64) -> io::Result<()> {
        let count = &self.budget.short_streams;
        count.set(count.get() + 1);
        // An archive member takes one block, and as much time as such a stream.
        let most = SHORT_STREAMS_MAX.max(self.budget.read.get() / BLOCK_LEN);
        if count.get() <= most {
            return Ok(());
        }
        Err(reached(0, Some(consumed), Limit::ShortStreams(most)))
    }

    /// Counts `len` more bytes; `consumed` is the number of bytes that all were decoded from.
    ///
    /// # Errors
    /// Returns a fault when a limit is exceeded.
    pub(in crate::source) fn add(&mut self, len: usize, consumed: u64) -> io::Result<()> {
        let budget = self.budget;
        self.produced += len as u64;
        budget.produced.set(budget.produced.get() + len as u64);
        if self.produced > self.produced_max {
            let limit = Limit::Bytes(self.produced_max);
            return Err(reached(self.scope, Some(consumed), limit));
        }
        if is_bomb(self.produced, consumed) {
            let limit = Limit::Ratio { made: self.produced, read: consumed };
            return Err(reached(self.scope, Some(consumed), limit));
        }
        // Many members, each within its limits, may exceed the ratio together.
        budget.hold_ratio()
    }

    /// Counts work that costs as much as the decoding of `len` bytes, but makes no text.
    ///
    /// # Errors
    /// Returns a fault when the input costs too much.
    pub(in crate::source) fn work(&self, len: u64) -> io::Result<()> {
        self.budget.produced.set(self.budget.produced.get() + len);
        self.budget.hold_ratio()
    }
}

/// Reports whether `produced` bytes are more than any text decodes to from `consumed` packed bytes.
pub(super) const fn is_bomb(produced: u64, consumed: u64) -> bool {
    produced > RATIO_FREE_LEN && produced / RATIO_MAX > consumed
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::{Budget, Fault, MEMBERS_MAX, Meter, RATIO_FREE_LEN, SHORT_STREAMS_MAX};
    use crate::finding::NoteKind;

    #[track_caller]
    fn is_limit(result: io::Result<()>, scope: usize) {
        let fault = Fault::about(scope, result.unwrap_err()).unwrap();
        assert_eq!(fault.cause.kind(), NoteKind::LimitReached);
    }

    #[test]
    fn much_of_little_is_a_fault_of_the_member_or_of_the_whole() {
        let budget = Budget::default();
        budget.read(1000);
        let free = usize::try_from(RATIO_FREE_LEN).unwrap();
        let mut meter = Meter::new(&budget, 5, u64::MAX);
        assert!(meter.add(free, 1).is_ok());
        is_limit(meter.add(1000, 1), 5);
        let mut meter = Meter::new(&budget, 5, 10);
        is_limit(meter.add(11, 10), 5);
        let mut meter = Meter::new(&budget, 5, u64::MAX);
        is_limit(meter.add(1_000_000, 1_000_000), 0);
    }

    #[test]
    fn short_streams_of_an_input_are_counted_together() {
        let budget = Budget::default();
        let meters = [1, 2].map(|scope| Meter::new(&budget, scope, u64::MAX));
        assert!(
            (0..SHORT_STREAMS_MAX / 2).all(|_| meters.iter().all(|it| it.short_stream(1).is_ok()))
        );
        is_limit(meters[1].short_stream(1), 0);
    }

    #[test]
    fn members_are_counted() {
        let budget = Budget::default();
        assert!((0..MEMBERS_MAX).all(|_| budget.member().is_ok()));
        is_limit(budget.member(), 0);
    }
}
