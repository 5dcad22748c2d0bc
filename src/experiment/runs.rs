//! Runs of failed probes, drawn straight from a blip source without an event queue.
//!
//! It draws the same numbers in the same order as the source's process in the world, and gives the
//! runs that the world's history would hold. It serves worlds of one source of full faults on a
//! grid without jitter.

mod block;
mod draw;
mod grid;
mod lengths;

pub(crate) use grid::Grid;
pub(crate) use lengths::Lengths;

use block::{Block, PIECES};

use crate::engine::Streams;
use crate::scenario::Scenario;
use crate::time::{Span, Time};
use crate::world::due_probes;

/// A maximal run of failed probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FailedRun {
    /// First failed probe.
    pub(crate) first: u64,
    /// Index just past the last.
    pub(crate) end: u64,
}

impl FailedRun {
    /// How many probes failed.
    pub(crate) fn length(&self) -> u64 {
        self.end - self.first
    }
}

/// The runs of one replication. One is kept from replication to replication, with its room.
#[derive(Clone, Debug)]
pub(crate) struct Runs {
    pub(crate) grid: Grid,
    pub(crate) lengths: Lengths,
    blocks: Vec<Block>,
    /// Blocks of this replication. What stands behind them is left over.
    used: usize,
}

impl Runs {
    /// No runs, and no room yet.
    pub(crate) fn new() -> Self {
        let grid = Grid::new(Time::START, Span::from_secs(1));
        Runs { grid, lengths: Lengths::new(), blocks: Vec::new(), used: 0 }
    }

    /// Draws the runs of one replication.
    pub(crate) fn draw(&mut self, scenario: &Scenario, streams: Streams) {
        let due = due_probes(&scenario.probe, streams);
        self.grid = Grid::new(due.at(0), scenario.probe.interval);
        self.used = 0;
        self.lengths.clear();
        if let Some(source) = scenario.blips.0.first() {
            draw::source(source, scenario.run.length, streams, self);
        }
        self.lengths.finish();
    }

    /// Takes the next block into use; it is to be written and counted.
    #[inline(always)]
    fn next_block(&mut self) -> &mut Block {
        if self.used == self.blocks.len() {
            self.blocks.push(Block::EMPTY);
        }
        self.used += 1;
        self.last_block()
    }

    #[inline(always)]
    fn last_block(&mut self) -> &mut Block {
        &mut self.blocks[self.used - 1]
    }

    /// Counts the runs of the last block taken.
    #[inline(always)]
    fn count_block(&mut self) {
        self.lengths.add(&self.blocks[self.used - 1]);
    }

    fn pieces(&self) -> usize {
        self.used * PIECES
    }

    fn piece(&self, number: usize) -> FailedRun {
        self.blocks[number / PIECES].piece(number % PIECES)
    }

    fn abuts(&self, number: usize) -> bool {
        self.piece(number - 1).end == self.piece(number).first
    }

    /// From the piece `number` back to the first of its run, but not before the piece `least`.
    fn back_from(&self, number: usize, least: usize) -> usize {
        let mut first = number;
        while first > least && self.abuts(first) {
            first -= 1;
        }
        first
    }

    /// From the piece `number` on to just past the last of its run.
    fn on_from(&self, number: usize) -> usize {
        let mut past = number + 1;
        while past < self.pieces() && self.abuts(past) {
            past += 1;
        }
        past
    }

    /// The runs from the last one backwards.
    pub(crate) fn backwards(&self) -> impl Iterator<Item = FailedRun> + '_ {
        let mut past = self.pieces();
        let runs = std::iter::from_fn(move || {
            let last = past.checked_sub(1)?;
            past = self.back_from(last, 0);
            Some(FailedRun { first: self.piece(past).first, end: self.piece(last).end })
        });
        runs.filter(|run| run.length() > 0)
    }

    /// Answers which run a probe is beside, for probes that ascend.
    pub(crate) fn beside(&self) -> Beside<'_> {
        Beside { runs: self, from: 0, past: 0 }
    }
}

/// Looks up runs by probes that ascend.
pub(crate) struct Beside<'a> {
    runs: &'a Runs,
    /// Pieces of the run that was found last.
    from: usize,
    past: usize,
}

impl Beside<'_> {
    /// The run that holds `probe` or the one before it.
    pub(crate) fn find(&mut self, probe: u64) -> Option<FailedRun> {
        let begun = self.begun_by(probe);
        if begun > self.past {
            self.from = self.runs.back_from(begun - 1, self.past);
            self.past = self.runs.on_from(begun - 1);
        }
        if self.past == 0 {
            return None;
        }
        let first = self.runs.piece(self.from).first;
        let end = self.runs.piece(self.past - 1).end;
        (first < end && end >= probe).then_some(FailedRun { first, end })
    }

    /// How many pieces begin with `probe` or before it, if they are more than were looked at.
    fn begun_by(&self, probe: u64) -> usize {
        let (mut low, mut high) = (self.past, self.runs.pieces());
        while low < high {
            let middle = low.midpoint(high);
            if self.runs.piece(middle).first <= probe {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

#[cfg(test)]
mod tests;
