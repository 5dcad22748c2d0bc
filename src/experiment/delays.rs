//! Delays, kept as exact integer sums and as a histogram of bounded size.
//!
//! Bins are a thousandth of the probe interval wide, so memory does not grow with the number of
//! outages, and merging is exact: sums and counts are integers, whatever the order.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::estimate::{Estimate, Sums};
use crate::time::Span;

/// How many bins one probe interval is divided into.
pub const BINS_PER_INTERVAL: i64 = 1_000;

/// A collection of delays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delays {
    interval: Span,
    /// Their exact sums, in nanoseconds.
    pub sums: Sums,
    /// The longest, zero when there is none.
    pub max: Span,
    bins: BTreeMap<u64, u64>,
}

impl Delays {
    /// None yet, of a prober with this interval.
    pub fn new(interval: Span) -> Self {
        Delays { interval, sums: Sums::new(), max: Span::ZERO, bins: BTreeMap::new() }
    }

    /// Adds one delay; a negative one counts as zero.
    pub fn add(&mut self, delay: Span) {
        let delay = delay.max(Span::ZERO);
        self.sums.add(delay.as_nanos());
        self.max = self.max.max(delay);
        *self.bins.entry(bin_of(delay, self.interval)).or_default() += 1;
    }

    /// Adds delays that were summed up and binned elsewhere.
    pub(crate) fn add_many(
        &mut self,
        sums: &Sums,
        max: Span,
        bins: impl Iterator<Item = (u64, u64)>,
    ) {
        self.sums.merge(sums);
        self.max = self.max.max(max);
        let more: Vec<(u64, u64)> = bins.filter(|(_, count)| *count > 0).collect();
        // Looking up many bins costs several times as much as making the map anew.
        if more.len() < self.bins.len() / 4 || !more.is_sorted_by(|a, b| a.0 < b.0) {
            for (bin, count) in more {
                *self.bins.entry(bin).or_default() += count;
            }
        } else {
            self.bins = joined(std::mem::take(&mut self.bins), more);
        }
    }

    /// Adds all of another collection of the same interval.
    pub fn merge(&mut self, other: &Delays) {
        self.add_many(&other.sums, other.max, other.bins.iter().map(|(bin, count)| (*bin, *count)));
    }

    /// Their mean in seconds; `None` of none.
    pub fn mean_s(&self, level: f64) -> Option<Estimate> {
        self.sums.mean(1e-9, level)
    }

    /// Their `p`-quantile in seconds; `None` of none.
    pub fn quantile_s(&self, p: f64, level: f64) -> Option<Estimate> {
        Estimate::quantile_by_rank(self.sums.n, p, level, |rank| self.ranked_s(rank))
    }

    /// The delay of this rank, counted from 1, in seconds; right to half a bin.
    ///
    /// Within a bin the delays are taken to lie evenly.
    pub fn ranked_s(&self, rank: u64) -> f64 {
        let mut before = 0;
        for (bin, count) in &self.bins {
            if before + count >= rank {
                let within = (rank.saturating_sub(before) as f64 - 0.5) / *count as f64;
                let width = self.interval.as_secs_f64() / BINS_PER_INTERVAL as f64;
                return ((*bin as f64 + within) * width).min(self.max.as_secs_f64());
            }
            before += count;
        }
        self.max.as_secs_f64()
    }
}

/// The counts of both, of which `more` is in strictly ascending order of bins.
fn joined(bins: BTreeMap<u64, u64>, more: Vec<(u64, u64)>) -> BTreeMap<u64, u64> {
    let mut both = Vec::with_capacity(bins.len() + more.len());
    let mut more = more.into_iter().peekable();
    for (bin, count) in bins {
        while let Some(before) = more.next_if(|next| next.0 < bin) {
            both.push(before);
        }
        let same = more.next_if(|next| next.0 == bin).map_or(0, |next| next.1);
        both.push((bin, count + same));
    }
    both.extend(more);
    both.into_iter().collect()
}

/// The bin of a delay: whole intervals and thousandths of the one begun, so that bins of different
/// intervals line up with the probes.
pub(crate) fn bin_of(delay: Span, interval: Span) -> u64 {
    let delay = delay.max(Span::ZERO);
    let whole = delay.div_floor(interval);
    let rest = i128::from((delay - interval * whole).as_nanos());
    let thousandths = rest * i128::from(BINS_PER_INTERVAL) / i128::from(interval.as_nanos());
    (whole as u64).saturating_mul(BINS_PER_INTERVAL as u64).saturating_add(thousandths as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranks_are_right_to_a_bin() {
        let mut delays = Delays::new(Span::from_secs(10));
        for millis in 0..25_000 {
            delays.add(Span::from_nanos(millis * 1_000_000));
        }
        for rank in [1, 12_500, 25_000] {
            assert!((delays.ranked_s(rank) - rank as f64 / 1_000.0).abs() <= 0.011, "{rank}");
        }
        assert_eq!(delays.max, Span::from_nanos(24_999_000_000));
    }

    proptest! {
        /// Parts that are empty, small beside the rest, or as large.
        #[test]
        fn merging_is_the_same_as_adding_one_by_one(
            parts in prop::collection::vec(
                prop_oneof![
                    prop::collection::vec(-5..60_i64, 0..4),
                    prop::collection::vec(-5..9_000_i64, 0..200),
                ],
                0..6,
            ),
        ) {
            let interval = Span::from_nanos(7);
            let mut whole = Delays::new(interval);
            let mut merged = Delays::new(interval);
            for part in parts {
                let mut delays = Delays::new(interval);
                for delay in part.into_iter().map(Span::from_nanos) {
                    delays.add(delay);
                    whole.add(delay);
                }
                merged.merge(&delays);
            }
            prop_assert_eq!(merged, whole);
        }

        #[test]
        fn bins_may_come_in_any_order(
            some in prop::collection::vec((0..50_u64, 0..3_u64), 0..40),
            more in prop::collection::vec((0..50_u64, 0..3_u64), 0..40),
        ) {
            let mut delays = Delays::new(Span::from_secs(10));
            let mut expected: BTreeMap<u64, u64> = BTreeMap::new();
            for bins in [some, more] {
                for (bin, count) in bins.iter().filter(|(_, count)| *count > 0) {
                    *expected.entry(*bin).or_default() += count;
                }
                delays.add_many(&Sums::new(), Span::ZERO, bins.into_iter());
            }
            prop_assert_eq!(delays.bins, expected);
        }
    }
}
