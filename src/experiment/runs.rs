//! Runs of failed probes, drawn straight from a blip source without an event queue.
//!
//! It draws the same numbers in the same order as the source's process in the world, and gives the
//! runs that the world's history would hold. It serves worlds of one source of full faults on a
//! grid without jitter.

use crate::engine::{Rng, Streams};
use crate::law::Law;
use crate::scenario::{Arrivals, BlipSource, Scenario};
use crate::time::{Span, Time};
use crate::world::blips::stream_name;
use crate::world::{at_least_a_tick, due_probes};

/// A maximal run of failed probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FailedRun {
    /// First failed probe.
    pub(crate) first: u64,
    /// Index just past the last.
    pub(crate) end: u64,
}

/// A probe grid without jitter, with the division by its interval made a multiplication.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    phase: i64,
    interval: i64,
    magic: u64,
    shift: u32,
}

impl Grid {
    pub(crate) fn new(phase: Time, interval: Span) -> Self {
        let interval = interval.as_nanos();
        // Division of numbers below 2^63 by an invariant (Granlund and Montgomery 1994): with
        // 2^l >= d, n / d is the high part of n · (⌊2^(63+l) / d⌋ + 1), shifted.
        let bits = (64 - (interval.unsigned_abs() - 1).leading_zeros()).max(1);
        let magic = ((1_u128 << (63 + bits)) / interval.unsigned_abs() as u128 + 1) as u64;
        Grid { phase: phase.as_nanos(), interval, magic, shift: bits - 1 }
    }

    /// Index of the first probe due at or after `instant`, which is not before the start.
    #[inline(always)]
    pub(crate) fn first_at_or_after(&self, instant: i64) -> u64 {
        // The phase is below the interval, so this is not negative, and its quotient is rounded up.
        let offset = (instant - self.phase + self.interval - 1) as u64;
        let high = (u128::from(offset) * u128::from(self.magic)) >> 64;
        high as u64 >> self.shift
    }

    /// Instant at which probe `probe` is due, in nanoseconds.
    pub(crate) fn at(&self, probe: u64) -> i64 {
        self.phase + self.interval * probe as i64
    }
}

/// Writes the runs of failed probes of one replication to the front of `runs`; returns its grid and
/// how many there are. What stands behind them is left over, so that the room is made only once.
pub(crate) fn draw(
    scenario: &Scenario,
    streams: Streams,
    runs: &mut Vec<FailedRun>,
) -> (Grid, usize) {
    let due = due_probes(&scenario.probe, streams);
    let grid = Grid::new(due.at(0), scenario.probe.interval);
    let Some(source) = scenario.blips.0.first() else { return (grid, 0) };
    let rng = streams.named(&stream_name(source));
    let end = scenario.run.length.as_nanos();
    let count = match (&source.gap, &source.length) {
        (Law::Exponential(gap), Law::Exponential(length)) => draw_with(
            source,
            rng,
            end,
            &grid,
            |rng| gap.sample_nanos(rng).max(1),
            |rng| length.sample_nanos(rng),
            runs,
        ),
        (gap, length) => draw_with(
            source,
            rng,
            end,
            &grid,
            |rng| at_least_a_tick(gap, rng).as_nanos(),
            |rng| length.sample(rng).as_nanos(),
            runs,
        ),
    };
    (grid, count)
}

/// The loop over blips, made once for exponential laws and once for any.
///
/// A blip that no probe met is a run of length zero, written over by the next: the loop branches on
/// nothing but the rare run that is joined to the one before it.
#[inline(always)]
fn draw_with(
    source: &BlipSource,
    mut rng: Rng,
    end: i64,
    grid: &Grid,
    gap: impl Fn(&mut Rng) -> i64,
    length: impl Fn(&mut Rng) -> i64,
    runs: &mut Vec<FailedRun>,
) -> usize {
    let from_end = source.arrivals == Arrivals::GapRenewal;
    let mut from = 0;
    let mut open = FailedRun { first: 0, end: 0 };
    let mut written = 0;
    loop {
        // Laws are held to a hundred years, and so is a run: held to its end, these sums stay below 2^63.
        let start = from + gap(&mut rng);
        if start >= end {
            break;
        }
        let stop = (start + length(&mut rng)).min(end);
        from = if from_end { stop } else { start };
        let first = grid.first_at_or_after(start);
        let past = grid.first_at_or_after(stop);
        // Room for this run and for the one that is open at the end.
        if written + 2 > runs.len() {
            runs.resize((runs.len() * 2).max(1_024), FailedRun { first: 0, end: 0 });
        }
        if first > open.end {
            runs[written] = open;
            written += usize::from(open.end > open.first);
            open = FailedRun { first, end: past };
        } else {
            open.first = if open.end == open.first { first } else { open.first };
            open.end = open.end.max(past);
        }
    }
    if open.end > open.first {
        runs[written] = open;
        written += 1;
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The multiplication is the division, for any grid and instant.
        #[test]
        fn the_grid_divides(
            interval in 1_i64..100_000_000_000_000,
            phase in 0_i64..100_000_000_000_000,
            instant in 0_i64..3_155_760_000_000_000_000,
        ) {
            let phase = phase % interval;
            let grid = Grid::new(Time::from_nanos(phase), Span::from_nanos(interval));
            let expected = (instant - phase + interval - 1) / interval;
            prop_assert_eq!(grid.first_at_or_after(instant), expected as u64);
        }
    }
}
