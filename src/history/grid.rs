//! A probe grid made ready for many look-ups: the division by its interval is a multiplication.

use super::due::{Due, Jitter};
use crate::time::{Divisor, Span, Time};

/// Finds the probe due at an instant, as [`Due::first_at_or_after`] does, several times faster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    phase: i64,
    interval: i64,
    jitter: Option<Jitter>,
    divisor: Divisor,
}

impl Grid {
    /// The grid `phase + i·interval`, plus jitter. The interval must be positive.
    pub(crate) fn new(phase: Time, interval: Span, jitter: Option<Jitter>) -> Self {
        let interval = interval.as_nanos().max(1);
        let divisor = Divisor::new(interval.unsigned_abs());
        Grid { phase: phase.as_nanos(), interval, jitter, divisor }
    }

    /// The same grid as a history holds it.
    pub(crate) fn due(&self) -> Due {
        Due::Grid {
            phase: Time::from_nanos(self.phase),
            interval: Span::from_nanos(self.interval),
            jitter: self.jitter,
        }
    }

    /// Index of the first probe due at or after `instant`.
    #[inline]
    pub(crate) fn first_at_or_after(&self, instant: Time) -> u64 {
        let Ok(offset) = u64::try_from(instant.as_nanos() - self.phase) else { return 0 };
        let before = self.divisor.divide(offset);
        // How long before the instant the probe `before` has its place on the grid.
        let since = offset - self.interval as u64 * before;
        // With jitter at most one interval wide, that probe is the earliest that can still be due.
        let late = self.jitter.map_or(0, |jitter| jitter.of(before).as_nanos() as u64);
        before + u64::from(since > late)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The multiplication is the division, for any grid and instant.
        #[test]
        fn the_grid_divides(
            interval in prop_oneof![1_i64..20, 1_i64..100_000_000_000_000, Just(10_000_000_000)],
            phase in 0_i64..100_000_000_000_000,
            instant in prop_oneof![0_i64..3_155_760_000_000_000_000, 0_i64..1_000],
            // An instant on the grid, or a nanosecond beside it.
            on_grid in prop::option::of(-1_i64..=1),
            jitter in prop::option::of((0.0..=1.0_f64, any::<u64>())),
        ) {
            let phase = phase % interval;
            let instant = match on_grid {
                Some(beside) => instant / interval * interval + phase + beside,
                None => instant,
            };
            let (phase, interval) = (Time::from_nanos(phase), Span::from_nanos(interval));
            let jitter = jitter.map(|(share, key)| {
                Jitter { max: Span::from_nanos((interval.as_nanos() as f64 * share) as i64), key }
            });
            let grid = Grid::new(phase, interval, jitter);
            let due = Due::Grid { phase, interval, jitter };
            let instant = Time::from_nanos(instant);
            prop_assert_eq!(grid.first_at_or_after(instant), due.first_at_or_after(instant));
            prop_assert_eq!(grid.due(), due);
        }
    }
}
