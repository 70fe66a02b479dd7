//! Searches with vectors of 16 bytes, four at a time: the only vectors that every aarch64 has. They
//! have no instruction for one bit a byte, which takes some additions of neighbours ([`bits`]).

use std::arch::aarch64::{
    uint8x16_t, vandq_u8, vbicq_u8, vceqq_u8, vcgeq_u8, vdupq_n_u8, vget_lane_u64, vgetq_lane_u64,
    vld1q_u8, vmaxvq_u8, vorrq_u8, vpaddq_u8, vqtbl1q_u8, vreinterpret_u64_u8,
    vreinterpretq_u16_u8, vreinterpretq_u64_u8, vshrn_n_u16, vshrq_n_u8, vtstq_u8,
};

use super::{BEFORE, BLOCK, BLOCKS, Queue, Stops, Text, Window, near, padded, text_at, window};

/// Bytes of one vector.
const QUARTER: usize = BLOCK / 4;
/// A block, or 0xFF for each of its bytes that has a property.
type Quarters = [uint8x16_t; 4];

pub(super) fn search(bytes: &[u8], from: usize, queue: &mut Queue) -> usize {
    // SAFETY: `every` lists this function only when the processor has NEON.
    unsafe { search_blocks(bytes, from, queue) }
}

#[target_feature(enable = "neon")]
fn search_blocks(bytes: &[u8], from: usize, queue: &mut Queue) -> usize {
    queue.clear();
    let end = bytes.len().min(from + BLOCKS * BLOCK);
    match text_at(bytes, from) {
        Some(text) => search_text(text, BLOCKS, from, queue),
        None => search_text(&padded(bytes, from), end.abs_diff(from).div_ceil(BLOCK), from, queue),
    }
    end
}

/// Searches the first `blocks` of a text, which begin at `from`.
#[target_feature(enable = "neon")]
#[inline]
fn search_text(text: &Text, blocks: usize, from: usize, queue: &mut Queue) {
    let count = coarse(text, blocks, &mut queue.coarse);
    for idx in 0..count {
        let block = queue.coarse[idx];
        queue.push(from + block * BLOCK, exact_mask(window(text, block)));
    }
}

/// Writes the numbers of those of the first `blocks` that may hold triggers to `found`, and returns
/// their count.
#[target_feature(enable = "neon")]
#[inline]
fn coarse(text: &Text, blocks: usize, found: &mut [usize; BLOCKS]) -> usize {
    let mut bracket_before = true;
    let mut count = 0;
    for block in 0..blocks {
        let (may_hold, bracket) = may_hold(window(text, block), bracket_before);
        found[count % BLOCKS] = block;
        count += usize::from(may_hold);
        bracket_before = bracket;
    }
    count
}

/// Reports whether a colon of a block may be a trigger, and whether the block holds a bracket. A
/// colon may be one before a visible byte, and anywhere if a bracket may be near.
#[target_feature(enable = "neon")]
#[inline]
fn may_hold(window: &Window, bracket_before: bool) -> (bool, bool) {
    let block = load(window, BEFORE);
    let colons = equals(block, b':');
    let bracket = has_any(equals(block, b'<'));
    let visible = at_least(load(window, BEFORE + 1), b' ' + 1);
    let is_sure = has_any(and(colons, visible));
    (is_sure || (bracket | bracket_before) && has_any(colons), bracket)
}

/// Returns the triggers of a block, as defined by `trigger::passes`.
#[target_feature(enable = "neon")]
#[inline]
fn exact_mask(window: &Window) -> u64 {
    let colons = equals(load(window, BEFORE), b':');
    let (before, after) = (load(window, BEFORE - 1), load(window, BEFORE + 1));
    let named = and(colons, at_least(before, b'0'));
    let visible = at_least(after, b' ' + 1);
    let slash = equals(after, b'/');
    let sure = or(and(colons, slash), and(named, visible));
    // `:` is the byte after `9`.
    let above = or(at_least(before, b':'), at_least(after, b':'));
    let timed = without(at_least(after, b'0'), above);
    let doubled = or(equals(before, b':'), equals(after, b':'));
    let never = or(timed, without(doubled, slash));
    let blank = bits(without(named, visible));
    let near_bracket = if blank == 0 { 0 } else { near_bracket(window) };
    bits(without(sure, never)) | blank & near_bracket
}

/// Returns the bits of a block with a bracket at most [`BEFORE`] bytes before them.
#[target_feature(enable = "neon")]
#[inline]
fn near_bracket(window: &Window) -> u64 {
    let brackets = |at| bits(equals(load(window, at), b'<'));
    near(brackets(0), brackets(BEFORE))
}

pub(super) fn run_len(stops: &Stops, text: &[u8]) -> usize {
    // SAFETY: called only when the processor has NEON.
    unsafe { run_len_by_vectors(stops, text) }
}

/// Does two table look-ups a byte, by its low and its high half, as simdjson finds its structural
/// characters.
#[target_feature(enable = "neon")]
fn run_len_by_vectors(stops: &Stops, text: &[u8]) -> usize {
    /// One bit for each high half of US-ASCII.
    const HIGH: [u8; QUARTER] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];
    let (rows, bits_of_high) = (load_quarter(&stops.rows), load_quarter(&HIGH));
    let (half, beyond) = (vdupq_n_u8(0x0F), vdupq_n_u8(0x80));
    let (blocks, _) = text.as_chunks::<QUARTER>();
    for (number, block) in blocks.iter().enumerate() {
        let bytes = load_quarter(block);
        let low = vqtbl1q_u8(rows, vandq_u8(bytes, half));
        let high = vqtbl1q_u8(bits_of_high, vshrq_n_u8::<4>(bytes));
        let stop = vorrq_u8(vtstq_u8(low, high), vcgeq_u8(bytes, beyond));
        // Four bits for each byte.
        let stop = vshrn_n_u16::<4>(vreinterpretq_u16_u8(stop));
        let stop = vget_lane_u64::<0>(vreinterpret_u64_u8(stop));
        if stop != 0 {
            return number * QUARTER + stop.trailing_zeros() as usize / 4;
        }
    }
    let tail = blocks.len() * QUARTER;
    tail + stops.plain_run_len(text.get(tail..).unwrap_or_default())
}

#[target_feature(enable = "neon")]
#[inline]
fn load_quarter(bytes: &[u8; QUARTER]) -> uint8x16_t {
    // SAFETY: 16 bytes are read from an array of 16; the load needs no alignment.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

/// Loads the block at `at`, which is a sum of constants in each call, so that the compiler removes
/// the check.
#[target_feature(enable = "neon")]
#[inline]
fn load(window: &Window, at: usize) -> Quarters {
    const EMPTY: &[u8; BLOCK] = &[0; BLOCK];
    let block: &[u8; BLOCK] = window.get(at..).and_then(|rest| rest.first_chunk()).unwrap_or(EMPTY);
    let quarter = |number: usize| {
        const NONE: &[u8; QUARTER] = &[0; QUARTER];
        load_quarter(block.as_chunks().0.get(number).unwrap_or(NONE))
    };
    [quarter(0), quarter(1), quarter(2), quarter(3)]
}

/// Returns 0xFF for each byte equal to `byte`.
#[target_feature(enable = "neon")]
#[inline]
fn equals(block: Quarters, byte: u8) -> Quarters {
    block.map(|quarter| vceqq_u8(quarter, vdupq_n_u8(byte)))
}

/// Returns 0xFF for each byte that is `least` or more.
#[target_feature(enable = "neon")]
#[inline]
fn at_least(block: Quarters, least: u8) -> Quarters {
    block.map(|quarter| vcgeq_u8(quarter, vdupq_n_u8(least)))
}

#[target_feature(enable = "neon")]
#[inline]
fn and(one: Quarters, other: Quarters) -> Quarters {
    let [a, b, c, d] = one;
    let [e, f, g, h] = other;
    [vandq_u8(a, e), vandq_u8(b, f), vandq_u8(c, g), vandq_u8(d, h)]
}

#[target_feature(enable = "neon")]
#[inline]
fn or(one: Quarters, other: Quarters) -> Quarters {
    let [a, b, c, d] = one;
    let [e, f, g, h] = other;
    [vorrq_u8(a, e), vorrq_u8(b, f), vorrq_u8(c, g), vorrq_u8(d, h)]
}

/// Returns `one` without the bytes that `other` has.
#[target_feature(enable = "neon")]
#[inline]
fn without(one: Quarters, other: Quarters) -> Quarters {
    let [a, b, c, d] = one;
    let [e, f, g, h] = other;
    [vbicq_u8(a, e), vbicq_u8(b, f), vbicq_u8(c, g), vbicq_u8(d, h)]
}

#[target_feature(enable = "neon")]
#[inline]
fn has_any(block: Quarters) -> bool {
    let [a, b, c, d] = block;
    vmaxvq_u8(vorrq_u8(vorrq_u8(a, b), vorrq_u8(c, d))) != 0
}

/// Returns one bit for each byte of a block of 0 and 0xFF: keeps one bit of each byte, at its place
/// among eight, and adds neighbours until eight bytes are one.
#[target_feature(enable = "neon")]
#[inline]
fn bits(block: Quarters) -> u64 {
    const PLACES: [u8; QUARTER] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
    let places = load_quarter(&PLACES);
    let [a, b, c, d] = block.map(|quarter| vandq_u8(quarter, places));
    let sums = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
    let sums = vpaddq_u8(sums, sums);
    vgetq_lane_u64::<0>(vreinterpretq_u64_u8(sums))
}
