//! Delays, kept as exact integer sums and as a histogram of bounded size.
//!
//! Bins are a thousandth of the probe interval wide, so memory does not grow with the number of
//! outages, and merging is exact: sums and counts are integers, whatever the order.

use std::collections::BTreeMap;

use crate::time::Span;

/// How many bins one probe interval is divided into.
pub const BINS_PER_INTERVAL: i64 = 1_000;

/// A collection of delays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delays {
    interval: Span,
    /// How many.
    pub n: u64,
    /// Their sum, in nanoseconds.
    pub sum_ns: i128,
    /// The sum of their squares, in nanoseconds squared.
    pub sum_of_squares: u128,
    /// The longest, zero when there is none.
    pub max: Span,
    bins: BTreeMap<u64, u64>,
}

impl Delays {
    /// None yet, of a prober with this interval.
    pub fn new(interval: Span) -> Self {
        let bins = BTreeMap::new();
        Delays { interval, n: 0, sum_ns: 0, sum_of_squares: 0, max: Span::ZERO, bins }
    }

    /// Adds one delay; a negative one counts as zero.
    pub fn add(&mut self, delay: Span) {
        let nanos = i128::from(delay.as_nanos().max(0));
        self.n += 1;
        self.sum_ns += nanos;
        self.sum_of_squares += nanos.unsigned_abs().pow(2);
        self.max = self.max.max(delay);
        *self.bins.entry(bin_of(delay, self.interval)).or_default() += 1;
    }

    /// Adds delays that were summed up and binned elsewhere.
    pub(crate) fn add_many(
        &mut self,
        (n, sum_ns, sum_of_squares): (u64, i128, u128),
        max: Span,
        bins: impl Iterator<Item = (u64, u64)>,
    ) {
        self.n += n;
        self.sum_ns += sum_ns;
        self.sum_of_squares += sum_of_squares;
        self.max = self.max.max(max);
        for (bin, count) in bins.filter(|(_, count)| *count > 0) {
            *self.bins.entry(bin).or_default() += count;
        }
    }

    /// Adds all of another collection of the same interval.
    pub fn merge(&mut self, other: &Delays) {
        let sums = (other.n, other.sum_ns, other.sum_of_squares);
        self.add_many(sums, other.max, other.bins.iter().map(|(bin, count)| (*bin, *count)));
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

/// The bin of a delay: whole intervals and thousandths of the one begun, so that bins of different
/// intervals line up with the probes.
pub(crate) fn bin_of(delay: Span, interval: Span) -> u64 {
    let delay = delay.max(Span::ZERO);
    let whole = delay.div_floor(interval);
    let rest = i128::from((delay - interval * whole).as_nanos());
    let thousandths = rest * i128::from(BINS_PER_INTERVAL) / i128::from(interval.as_nanos());
    (whole * BINS_PER_INTERVAL) as u64 + thousandths as u64
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn merging_is_the_same_as_adding_one_by_one() {
        let interval = Span::from_nanos(7);
        let mut parts = [Delays::new(interval), Delays::new(interval)];
        let mut whole = Delays::new(interval);
        for nanos in 0..500 {
            let delay = Span::from_nanos(nanos * nanos % 131);
            parts[(nanos % 2) as usize].add(delay);
            whole.add(delay);
        }
        let [mut first, second] = parts;
        first.merge(&second);
        assert_eq!(first, whole);
    }
}
