//! When probes are due: a regular grid, with or without jitter, or a list of recorded instants.
//!
//! Probe indices and instants are turned into each other by arithmetic (or a binary search in a
//! recording); nothing is stored per probe of a simulated run.

use std::sync::Arc;

use crate::time::{Span, Time};

/// Uniform jitter of a probe grid: probe `i` is due up to `max` later than its place on the grid.
///
/// The jitter of a probe is a function of the key and the probe's index, so it can be found for any
/// probe without drawing those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jitter {
    /// Jitter is uniform in `[0, max)`; `max` is at most the interval.
    pub max: Span,
    /// Names the random numbers of this replication's jitter.
    pub key: u64,
}

impl Jitter {
    pub(super) fn of(&self, probe: u64) -> Span {
        let unit = crate::engine::streams::unit_hash(self.key, probe);
        Span::from_nanos((unit * self.max.as_nanos() as f64) as i64)
    }
}

/// When each probe of a history was due. Instants rise strictly with the index.
#[derive(Clone, Debug, PartialEq)]
pub enum Due {
    /// Probe `i` is due at `phase + i·interval`, plus jitter.
    Grid {
        /// Instant of probe 0, in `[0, interval)`.
        phase: Time,
        /// Time from one probe to the next; positive.
        interval: Span,
        /// Jitter, if the prober has any.
        jitter: Option<Jitter>,
    },
    /// Recorded instants, strictly rising.
    Listed(Arc<[Time]>),
}

impl Due {
    /// A grid without jitter.
    pub fn grid(phase: Time, interval: Span) -> Self {
        Due::Grid { phase, interval, jitter: None }
    }

    /// Instant at which probe `probe` is due. Past the end of a list, the last instant.
    #[inline]
    pub fn at(&self, probe: u64) -> Time {
        match self {
            Due::Grid { phase, interval, jitter } => {
                let on_grid = *phase + *interval * probe as i64;
                jitter.map_or(on_grid, |jitter| on_grid + jitter.of(probe))
            }
            Due::Listed(instants) => {
                let last = instants.len().saturating_sub(1);
                instants.get((probe as usize).min(last)).copied().unwrap_or(Time::START)
            }
        }
    }

    /// Index of the first probe due at or after `instant`.
    ///
    /// On a list, the list's length when there is none.
    pub fn first_at_or_after(&self, instant: Time) -> u64 {
        match self {
            Due::Grid { phase, interval, jitter } => {
                let offset = instant - *phase;
                if offset <= Span::ZERO {
                    return 0;
                }
                let before = offset.div_floor(*interval);
                let on_grid = *phase + *interval * before;
                // With jitter at most one interval wide, the probe whose place on the grid lies
                // at or before the instant is the earliest that can still be due.
                let reached = match jitter {
                    None => on_grid >= instant,
                    Some(jitter) => on_grid + jitter.of(before as u64) >= instant,
                };
                before as u64 + u64::from(!reached)
            }
            Due::Listed(instants) => instants.partition_point(|at| *at < instant) as u64,
        }
    }

    /// How many probes are due before `end`.
    pub fn count_before(&self, end: Time) -> u64 {
        self.first_at_or_after(end)
    }

    /// The interval of a grid; the median spacing of a list (zero for fewer than two instants).
    pub fn interval(&self) -> Span {
        match self {
            Due::Grid { interval, .. } => *interval,
            Due::Listed(instants) => {
                let mut spacings: Vec<Span> = instants.windows(2).map(|w| w[1] - w[0]).collect();
                let middle = spacings.len() / 2;
                if spacings.is_empty() {
                    return Span::ZERO;
                }
                *spacings.select_nth_unstable(middle).1
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees(due: &Due, until: Time) {
        for nanos in 0..until.as_nanos() {
            let instant = Time::from_nanos(nanos);
            let found = due.first_at_or_after(instant);
            assert!(due.at(found) >= instant);
            assert!(found == 0 || due.at(found - 1) < instant);
        }
    }

    #[test]
    fn index_and_instant_are_inverse() {
        let grid = Due::grid(Time::from_nanos(3), Span::from_nanos(7));
        agrees(&grid, Time::from_nanos(200));
        let jitter = Some(Jitter { max: Span::from_nanos(7), key: 11 });
        agrees(
            &Due::Grid { phase: Time::from_nanos(3), interval: Span::from_nanos(7), jitter },
            Time::from_nanos(200),
        );
    }

    #[test]
    fn a_list_is_searched() {
        let instants: Vec<Time> = [1, 4, 9, 16].map(Time::from_nanos).to_vec();
        let due = Due::Listed(instants.into());
        assert_eq!(due.first_at_or_after(Time::from_nanos(4)), 1);
        assert_eq!(due.first_at_or_after(Time::from_nanos(5)), 2);
        assert_eq!(due.first_at_or_after(Time::from_nanos(17)), 4);
        assert_eq!(due.interval(), Span::from_nanos(5));
    }
}
