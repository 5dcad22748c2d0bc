//! Runs of failed probes, drawn straight from a blip source without an event queue.
//!
//! It draws the same numbers in the same order as the source's process in the world, and gives the
//! runs that the world's history would hold. It serves worlds of one source of full faults on a
//! grid without jitter.

use crate::engine::{Rng, Streams};
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

/// A probe grid without jitter, with the division by its interval made cheap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    phase: i64,
    interval: i64,
    per_nano: f64,
}

impl Grid {
    pub(crate) fn new(phase: Time, interval: Span) -> Self {
        let interval = interval.as_nanos();
        Grid { phase: phase.as_nanos(), interval, per_nano: 1.0 / interval as f64 }
    }

    /// Index of the first probe due at or after `instant`.
    ///
    /// A multiplication in floating point is off by one at most (an index is far below 2^52), which one
    /// comparison on either side mends.
    #[inline]
    pub(crate) fn first_at_or_after(&self, instant: i64) -> u64 {
        let offset = instant - self.phase;
        if offset <= 0 {
            return 0;
        }
        let mut index = (offset as f64 * self.per_nano) as i64;
        index += i64::from(index * self.interval < offset);
        index += i64::from(index * self.interval < offset);
        index -= i64::from((index - 1) * self.interval >= offset);
        index as u64
    }

    /// Instant at which probe `probe` is due, in nanoseconds.
    pub(crate) fn at(&self, probe: u64) -> i64 {
        self.phase + self.interval * probe as i64
    }
}

/// Writes the runs of failed probes of one replication into `runs` and returns its grid.
pub(crate) fn draw(scenario: &Scenario, streams: Streams, runs: &mut Vec<FailedRun>) -> Grid {
    let due = due_probes(&scenario.probe, streams);
    let grid = Grid::new(due.at(0), scenario.probe.interval);
    runs.clear();
    let Some(source) = scenario.blips.0.first() else { return grid };
    let rng = streams.named(&stream_name(source));
    let end = scenario.run.length.as_nanos();
    let (gap, length) = (&source.gap, &source.length);
    draw_with(
        source,
        rng,
        end,
        &grid,
        |rng| at_least_a_tick(gap, rng).as_nanos(),
        |rng| length.sample(rng).as_nanos(),
        runs,
    );
    grid
}

/// The loop over blips, made once for exponential laws and once for any.
#[inline]
fn draw_with(
    source: &BlipSource,
    mut rng: Rng,
    end: i64,
    grid: &Grid,
    gap: impl Fn(&mut Rng) -> i64,
    length: impl Fn(&mut Rng) -> i64,
    runs: &mut Vec<FailedRun>,
) {
    let from_end = source.arrivals == Arrivals::GapRenewal;
    let mut from = 0;
    let mut open = FailedRun { first: 0, end: 0 };
    loop {
        let start = from + gap(&mut rng);
        if start >= end {
            break;
        }
        let stop = start.saturating_add(length(&mut rng));
        from = if from_end { stop } else { start };
        let first = grid.first_at_or_after(start);
        let past = grid.first_at_or_after(stop.min(end));
        if first > open.end {
            // A blip that no probe met is a run of length zero: only real runs are written.
            if open.end > open.first {
                runs.push(open);
            }
            open = FailedRun { first, end: past.max(first) };
        } else {
            if open.end == open.first {
                open.first = first;
                open.end = first;
            }
            open.end = open.end.max(past);
        }
    }
    if open.end > open.first {
        runs.push(open);
    }
}
