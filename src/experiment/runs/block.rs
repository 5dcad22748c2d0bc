//! A block of blips as pieces of runs of failed probes.
//!
//! The piece of a blip is the probes that it fails and no blip before it did; it may be empty. Pieces
//! ascend. Those that abut are one run: no healthy probe lies between them.

use super::FailedRun;
use crate::engine::lanes::{DRAWS, LANES};

/// Blips of a block that a lane draws, a gap and a length each.
pub(super) const DEPTH: usize = DRAWS / 2;

/// Blips of a block.
pub(super) const PIECES: usize = LANES * DEPTH;

/// A figure of each piece of a block, the first pieces of all lanes in front, as loops over lanes find
/// them. It lies where no row of a vector unit straddles two lines of the cache.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Rows<T>(pub(super) [T; PIECES]);

/// The pieces of a block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// First probe of each piece.
    pub(super) firsts: Rows<u64>,
    /// Index just past the last.
    pub(super) ends: Rows<u64>,
}

impl Block {
    pub(super) const EMPTY: Block = Block { firsts: Rows([0; PIECES]), ends: Rows([0; PIECES]) };

    /// Where the piece of the block's blip `number` stands.
    pub(super) const fn place(number: usize) -> usize {
        number % DEPTH * LANES + number / DEPTH
    }

    pub(super) fn piece(&self, number: usize) -> FailedRun {
        let place = Block::place(number);
        FailedRun { first: self.firsts.0[place], end: self.ends.0[place] }
    }

    pub(super) fn put(&mut self, number: usize, piece: FailedRun) {
        let place = Block::place(number);
        (self.firsts.0[place], self.ends.0[place]) = (piece.first, piece.end);
    }

    /// Takes off each piece the probes before `failed` and those of the pieces before it: where blips
    /// overlap, they have failed already. Returns the end of the last.
    #[inline(never)]
    pub(super) fn take_overlaps_off(&mut self, mut failed: u64) -> u64 {
        for number in 0..PIECES {
            let FailedRun { first, end } = self.piece(number);
            let piece = FailedRun { first: first.max(failed), end: end.max(failed) };
            self.put(number, piece);
            failed = piece.end;
        }
        failed
    }
}
