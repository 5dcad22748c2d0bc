//! How long the runs are: counted block by block, as the blocks are drawn.

use super::block::{Block, PIECES, Rows};
use crate::engine::lanes::LANES;

/// Lengths from here on are few and told one by one.
const SHORT: usize = 256;

/// How many runs have each length.
#[derive(Clone, Debug)]
pub(crate) struct Lengths {
    /// By length, in a place for each lane, since a count waits for the one before it in its place.
    short: Vec<[u64; LANES]>,
    long: Vec<u64>,
    /// All bits of all lengths: none is above this.
    bits: u64,
    /// The last run's length and end: the next block may prolong it.
    open: (u64, u64),
}

impl Lengths {
    pub(super) fn new() -> Self {
        Lengths { short: vec![[0; LANES]; SHORT], long: Vec::new(), bits: 0, open: (0, 0) }
    }

    pub(super) fn clear(&mut self) {
        let longest = self.longest_short();
        self.short[..=longest].fill([0; LANES]);
        self.long.clear();
        (self.bits, self.open) = (0, (0, 0));
    }

    fn longest_short(&self) -> usize {
        self.bits.min(SHORT as u64 - 1) as usize
    }

    /// Adds the runs of the block that follows.
    #[inline(always)]
    pub(super) fn add(&mut self, block: &Block) {
        let (firsts, ends) = (&block.firsts.0, &block.ends.0);
        let mut lengths = Rows([0; PIECES]);
        let lengths = &mut lengths.0;
        for ((length, first), end) in lengths.iter_mut().zip(firsts).zip(ends) {
            *length = end - first;
            self.bits |= *length;
        }
        let abutting = abutting(block, self.open.1);
        if abutting & 1 == 0 {
            self.count(self.open.0);
        } else {
            lengths[0] += self.open.0;
        }
        if abutting != 0 {
            self.bits |= join(abutting, lengths);
        }
        self.open = (lengths[PIECES - 1], ends[PIECES - 1]);
        lengths[PIECES - 1] = 0;
        if self.bits < SHORT as u64
            && let Some(short) = self.short.first_chunk_mut::<SHORT>()
        {
            for row in lengths.as_chunks::<LANES>().0 {
                for (lane, length) in row.iter().enumerate() {
                    // Cut to what the table holds, which takes nothing off.
                    short[usize::from(*length as u8)][lane] += 1;
                }
            }
        } else {
            lengths.iter().for_each(|length| self.count(*length));
        }
    }

    fn count(&mut self, length: u64) {
        match self.short.get_mut(length as usize) {
            Some(count) => count[0] += 1,
            None => self.long.push(length),
        }
    }

    /// Ends the last run.
    pub(super) fn finish(&mut self) {
        self.count(self.open.0);
        self.long.sort_unstable();
    }

    /// For each of these lengths, at least 1 and ascending, how many runs are at least as long.
    pub(crate) fn at_least(&self, ascending: &[u64], mut each: impl FnMut(usize, u64)) {
        let mut runs = self.long.len() as u64;
        let mut counted = SHORT;
        for (index, length) in ascending.iter().enumerate().rev() {
            if *length >= SHORT as u64 {
                let shorter = self.long.partition_point(|long| long < length);
                each(index, (self.long.len() - shorter) as u64);
                continue;
            }
            let from = *length as usize;
            let top = (self.longest_short() + 1).clamp(from, counted);
            runs += self.short[from..top].iter().flatten().sum::<u64>();
            counted = from;
            each(index, runs);
        }
    }
}

/// A bit for each piece, by number, that begins where the one before it ended; the piece before the
/// block ended at `end`.
#[inline(always)]
fn abutting(block: &Block, end: u64) -> u64 {
    let (firsts, ends) = (&block.firsts.0, &block.ends.0);
    // Before the first piece of a lane comes the last one of the lane before.
    let mut before = [end; LANES];
    before[1..].copy_from_slice(&ends[PIECES - LANES..PIECES - 1]);
    let mut abutting = 0;
    for ((first, before), bit) in firsts.iter().zip(&before).zip(&BITS) {
        abutting |= if first == before { *bit } else { 0 };
    }
    for ((first, before), bit) in firsts[LANES..].iter().zip(ends).zip(&BITS[LANES..]) {
        abutting |= if first == before { *bit } else { 0 };
    }
    abutting
}

/// By place, the bit of the number that stands there.
const BITS: [u64; PIECES] = {
    let mut bits = [0; PIECES];
    let mut number = 0;
    while number < PIECES {
        bits[Block::place(number)] = 1 << number;
        number += 1;
    }
    bits
};

/// Moves the length of a piece that another one abuts on to that other, but for the piece before the
/// block. Returns all bits of the lengths it made.
#[inline(always)]
fn join(abutting: u64, lengths: &mut [u64; PIECES]) -> u64 {
    let mut bits = lengths[0];
    let mut left = abutting & !1;
    while left != 0 {
        let number = left.trailing_zeros() as usize;
        let (here, before) = (Block::place(number), Block::place(number - 1));
        lengths[here] += std::mem::take(&mut lengths[before]);
        bits |= lengths[here];
        left &= left - 1;
    }
    bits
}
