//! The grid of probes, and which probe is the first at or after an instant.

use super::block::PIECES;
use crate::law::TWO_TO_52;
use crate::time::{Divisor, Span, Time};

/// A probe grid without jitter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    phase: i64,
    interval: i64,
    /// Turns a quotient that is rounded down into one that is rounded up, and the clock into the grid's.
    round_up: i64,
    divisor: Divisor,
    intervals_per_nano: f64,
}

/// Instants of a block are divided as floats while the block and the interval are shorter than this, in
/// nanoseconds.
pub(super) const DIVIDED_AS_FLOATS: f64 = (1_u64 << 50) as f64;

impl Grid {
    pub(crate) fn new(phase: Time, interval: Span) -> Self {
        let (phase, interval) = (phase.as_nanos(), interval.as_nanos().max(1));
        let divisor = Divisor::new(interval.unsigned_abs());
        Grid {
            phase,
            interval,
            round_up: interval - 1 - phase,
            divisor,
            intervals_per_nano: 1.0 / interval as f64,
        }
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

    /// Whether instants can be divided by the interval as floats.
    pub(super) fn divides_floats(&self) -> bool {
        (self.interval as f64) < DIVIDED_AS_FLOATS
    }

    /// The grid as seen from `instant`, for instants soon after it that are held to a run's end.
    #[inline(always)]
    pub(super) fn seen_from(&self, instant: i64, run_length: i64) -> NearGrid {
        let origin = self.first_at_or_after(instant);
        let into = instant + self.round_up - self.interval * origin as i64;
        NearGrid {
            origin,
            offset: into as f64 + 0.5 - self.interval as f64 * 0.5,
            intervals_per_nano: self.intervals_per_nano,
            limit: (run_length - instant) as f64,
        }
    }
}

/// A grid as seen from an instant: divides by the interval in floats, without a branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearGrid {
    origin: u64,
    offset: f64,
    intervals_per_nano: f64,
    limit: f64,
}

impl NearGrid {
    /// Index of the first probe due at or after an instant, in whole nanoseconds after that from which
    /// the grid is seen, below [`DIVIDED_AS_FLOATS`].
    #[inline(always)]
    fn first_at_or_after(&self, instant: f64) -> u64 {
        // For whole x and d, (x + 1/2) / d stays 1/(2d) away from any whole number, more than its rounding
        // errors while x < 2^50. So it can be rounded down by taking off a half and rounding to nearest,
        // which the addition of 2^52 does. One more keeps the sum from falling below 2^52.
        let held = if instant < self.limit { instant } else { self.limit };
        let nearest = (held + self.offset) * self.intervals_per_nano + (TWO_TO_52 + 1.0);
        let from = self.origin.wrapping_sub(1).wrapping_sub(TWO_TO_52.to_bits());
        nearest.to_bits().wrapping_add(from)
    }

    /// The same for a block's instants, which count for each lane from its own beginning.
    #[inline(always)]
    pub(super) fn find(
        &self,
        instants: &[f64; PIECES],
        begins: &[f64; PIECES],
        found: &mut [u64; PIECES],
    ) {
        for ((found, instant), begins) in found.iter_mut().zip(instants).zip(begins) {
            *found = self.first_at_or_after(instant + begins);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Phase and interval of any grid.
    fn any_grid() -> impl Strategy<Value = (i64, i64)> {
        let interval = prop_oneof![1_i64..20, 1_i64..100_000_000_000_000, 1_i64..1 << 50];
        (interval, 0_i64..100_000_000_000_000)
            .prop_map(|(interval, phase)| (phase % interval, interval))
    }

    proptest! {
        /// The first probe is found on any grid, at any instant.
        #[test]
        fn the_grid_divides(
            (phase, interval) in any_grid(),
            instant in 0_i64..3_155_760_000_000_000_000,
        ) {
            let grid = Grid::new(Time::from_nanos(phase), Span::from_nanos(interval));
            let expected = (instant - phase + interval - 1) / interval;
            prop_assert_eq!(grid.first_at_or_after(instant), expected as u64);
        }

        /// Seen from nearby it is the same grid: anywhere, and next to a probe.
        #[test]
        fn the_grid_is_the_same_from_nearby(
            (phase, interval) in any_grid(),
            from in 0_i64..3_155_760_000_000_000_000,
            after in prop_oneof![0_i64..1_000, 0_i64..(1 << 50)],
            beside in prop::option::of(-1_i64..=1),
            held_to in prop_oneof![Just(i64::MAX), 0_i64..(1 << 50)],
        ) {
            let grid = Grid::new(Time::from_nanos(phase), Span::from_nanos(interval));
            let after = match beside {
                Some(beside) => grid.at(grid.first_at_or_after(from + after)) + beside - from,
                None => after,
            };
            prop_assume!((0..1 << 50).contains(&after));
            let near = grid.seen_from(from, from.saturating_add(held_to));
            let found = near.first_at_or_after(after as f64);
            prop_assert_eq!(found, grid.first_at_or_after(from + after.min(held_to)));
        }
    }
}
