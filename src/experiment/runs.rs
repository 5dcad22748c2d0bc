//! Runs of failed probes, drawn straight from a blip source without an event queue.
//!
//! It draws the same numbers in the same order as the source's process in the world, and gives the
//! runs that the world's history would hold. It serves worlds of one source of full faults on a
//! grid without jitter.

use rand_distr::{Distribution, Exp1};

use crate::engine::{Rng, Streams};
use crate::law::{Exponential, Law};
use crate::scenario::{Arrivals, Scenario};
use crate::time::{Divisor, Span, Time};
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

/// A probe grid without jitter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    phase: i64,
    interval: i64,
    /// Turns a quotient that is rounded down into one that is rounded up, and the clock into the grid's.
    round_up: i64,
    divisor: Divisor,
}

impl Grid {
    pub(crate) fn new(phase: Time, interval: Span) -> Self {
        let (phase, interval) = (phase.as_nanos(), interval.as_nanos().max(1));
        let divisor = Divisor::new(interval.unsigned_abs());
        Grid { phase, interval, round_up: interval - 1 - phase, divisor }
    }

    /// Index of the first probe due at or after `instant`, which is not before the start.
    #[inline(always)]
    pub(crate) fn first_at_or_after(&self, instant: i64) -> u64 {
        // The phase is below the interval, so this is not negative.
        self.divisor.divide((instant + self.round_up) as u64)
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
    let scan = Scan {
        grid,
        run_length: scenario.run.length.as_nanos(),
        length_counts: match source.arrivals {
            Arrivals::GapRenewal => !0,
            Arrivals::Poisson => 0,
        },
        from: 0,
        open: FailedRun { first: 0, end: 0 },
        written: 0,
    };
    let count = match (&source.gap, &source.length) {
        (Law::Exponential(gap), Law::Exponential(length))
            if gap.is_short() && length.is_short() =>
        {
            draw_exponential(*gap, *length, rng, scan, runs)
        }
        (gap, length) => draw_any(gap, length, rng, scan, runs),
    };
    (grid, count)
}

/// Exponential gaps and lengths. Each step over a block is a loop of its own, so that nothing of the
/// others stands in its way.
fn draw_exponential(
    gap: Exponential,
    length: Exponential,
    mut rng: Rng,
    mut scan: Scan,
    runs: &mut Vec<FailedRun>,
) -> usize {
    let mut units = [[0.0; 2]; BLOCK];
    let mut block = [[0; 2]; BLOCK];
    loop {
        units.as_flattened_mut().iter_mut().for_each(|unit| *unit = Exp1.sample(&mut rng));
        for (blip, unit) in block.iter_mut().zip(&units) {
            *blip = [gap.nanos(unit[0], 1), length.nanos(unit[1], 0)];
        }
        if scan.is_over_with(&block, runs) {
            return scan.finish(runs);
        }
    }
}

/// Gaps and lengths of any law.
fn draw_any(
    gap: &Law,
    length: &Law,
    mut rng: Rng,
    mut scan: Scan,
    runs: &mut Vec<FailedRun>,
) -> usize {
    let mut block = [[0; 2]; BLOCK];
    loop {
        for blip in &mut block {
            *blip = [at_least_a_tick(gap, &mut rng), length.sample(&mut rng)].map(Span::as_nanos);
        }
        if scan.is_over_with(&block, runs) {
            return scan.finish(runs);
        }
    }
}

/// Blips drawn at a time. Loops over a few do not wait for each other's results; of more, many would
/// be drawn in vain behind the end of the run.
const BLOCK: usize = 16;

/// A pass over the blips of one replication, in the order of their starts.
struct Scan {
    grid: Grid,
    run_length: i64,
    /// All ones if gaps count from the end of the blip before, all zeros if from its start.
    length_counts: i64,
    /// Where the next gap begins.
    from: i64,
    /// The run that the next blip may join.
    open: FailedRun,
    written: usize,
}

impl Scan {
    /// Goes on by a block of gaps and lengths in nanoseconds. True iff the run's end was reached.
    ///
    /// A blip that no probe met is a run of length zero, written over by the next: the loop branches
    /// on nothing but the rare run that is joined to the one before it.
    #[inline(always)]
    fn is_over_with(&mut self, blips: &[[i64; 2]; BLOCK], runs: &mut Vec<FailedRun>) -> bool {
        // Room for these runs and for the one that is open at the end.
        if runs.len() <= self.written + BLOCK {
            runs.resize((runs.len() * 2).max(1_024), FailedRun { first: 0, end: 0 });
        }
        let Scan { grid, run_length, length_counts, .. } = *self;
        let (mut from, mut open, mut written) = (self.from, self.open, self.written);
        let mut is_over = false;
        for [gap, length] in blips {
            // Laws are held to a hundred years, and so is a run: held to its end, these sums stay below 2^63.
            let start = from + gap;
            if start >= run_length {
                is_over = true;
                break;
            }
            let stop = (start + length).min(run_length);
            from = (start + (length & length_counts)).min(run_length);
            let first = grid.first_at_or_after(start);
            let past = grid.first_at_or_after(stop);
            if first > open.end {
                runs[written] = open;
                written += usize::from(open.end > open.first);
                open = FailedRun { first, end: past };
            } else {
                open.first = if open.end == open.first { first } else { open.first };
                open.end = open.end.max(past);
            }
        }
        (self.from, self.open, self.written) = (from, open, written);
        is_over
    }

    /// Writes the run that is open yet. Returns how many there are.
    fn finish(self, runs: &mut [FailedRun]) -> usize {
        if self.open.end > self.open.first {
            runs[self.written] = self.open;
            return self.written + 1;
        }
        self.written
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::time::LONGEST;

    /// The clock stands the longest run with the longest gaps and lengths.
    #[test]
    fn a_hundred_years_do_not_overflow() {
        let mut scenario = Scenario::default();
        scenario.run.length = LONGEST;
        scenario.blips.0[0].length = Law::constant(LONGEST.as_secs_f64()).unwrap();
        for gap in [Span::from_secs(1), LONGEST - Span::from_secs(10), LONGEST] {
            for arrivals in [Arrivals::GapRenewal, Arrivals::Poisson] {
                scenario.blips.0[0].gap = Law::constant(gap.as_secs_f64()).unwrap();
                scenario.blips.0[0].arrivals = arrivals;
                let mut runs = Vec::new();
                let (grid, count) = draw(&scenario, Streams::new(1, 0), &mut runs);
                let first = grid.first_at_or_after(gap.as_nanos());
                let end = grid.first_at_or_after(LONGEST.as_nanos());
                let expected = (first < end).then_some(FailedRun { first, end });
                assert_eq!(runs[..count].first().copied(), expected, "{gap} {arrivals:?}");
                assert!(count <= 1);
            }
        }
    }

    proptest! {
        /// The first probe is found on any grid, at any instant.
        #[test]
        fn the_grid_divides(
            interval in prop_oneof![1_i64..20, 1_i64..100_000_000_000_000],
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
