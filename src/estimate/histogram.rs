//! A histogram of nanoseconds in whole counts, fine enough to stand for the sample.

use serde::{Deserialize, Serialize};

use super::{Estimate, order};

/// Buckets a doubling is cut into; their relative width is at most one part in this.
const PER_DOUBLING: u64 = 1024;

/// Below this every value has a bucket of its own, zero too.
const EXACT_BELOW: u64 = 2 * PER_DOUBLING;

/// Counts of non-negative values (nanoseconds) in buckets at most 0.1 % wide.
///
/// Merging is addition of counts, so the order and grouping of parts do not matter, and equal
/// contents are equal histograms. Least and greatest values are kept exactly. Memory grows with the
/// range of the values and not with their number: 8 kB for each doubling between least and greatest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Sparse", into = "Sparse")]
pub struct Histogram {
    /// Bucket of `counts[0]`. First and last counts are not zero.
    first: usize,
    counts: Vec<u64>,
    min: u64,
    max: u64,
    n: u64,
}

/// How a histogram is written: the buckets that hold something.
#[derive(Serialize, Deserialize)]
struct Sparse {
    min_ns: u64,
    max_ns: u64,
    buckets: Vec<(usize, u64)>,
}

/// The bucket of a value.
fn bucket(value: u64) -> usize {
    if value < EXACT_BELOW {
        return value as usize;
    }
    let shift = u64::BITS - 1 - value.leading_zeros() - PER_DOUBLING.trailing_zeros();
    (u64::from(shift) * PER_DOUBLING + (value >> shift)) as usize
}

/// The least and greatest value of a bucket.
fn edges(bucket: usize) -> (u64, u64) {
    let bucket = bucket as u64;
    if bucket < EXACT_BELOW {
        return (bucket, bucket);
    }
    let shift = bucket / PER_DOUBLING - 1;
    let least = (bucket - shift * PER_DOUBLING) << shift;
    (least, least + ((1 << shift) - 1))
}

/// One past the last bucket there is.
const BUCKETS: usize = ((64 - 10) * PER_DOUBLING + PER_DOUBLING) as usize;

impl Histogram {
    /// A histogram of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one value in nanoseconds; a negative one is held as 0.
    pub fn add(&mut self, nanos: i64) {
        self.add_many(nanos, 1);
    }

    /// Adds the same value `count` times.
    pub fn add_many(&mut self, nanos: i64, count: u64) {
        if count == 0 {
            return;
        }
        let value = u64::try_from(nanos).unwrap_or(0);
        self.widen(value, value);
        self.count(bucket(value), count);
    }

    /// Adds all that `other` holds.
    pub fn merge(&mut self, other: &Histogram) {
        if other.n == 0 {
            return;
        }
        self.widen(other.min, other.max);
        for (place, count) in other.counts.iter().enumerate() {
            self.count(other.first + place, *count);
        }
    }

    /// How many values it holds.
    pub fn len(&self) -> u64 {
        self.n
    }

    /// True iff it holds none.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// The least value, exactly.
    pub fn min(&self) -> Option<u64> {
        (self.n > 0).then_some(self.min)
    }

    /// The greatest value, exactly.
    pub fn max(&self) -> Option<u64> {
        (self.n > 0).then_some(self.max)
    }

    /// The `p`-quantile times `unit` (1e-9 turns nanoseconds into seconds), with bounds from order
    /// statistics as [`Estimate::quantile`] has them for a sample. The value is off by half a bucket
    /// (0.05 %) at most, and the bounds are the outer edges of their buckets.
    pub fn quantile(&self, p: f64, unit: f64, level: f64) -> Option<Estimate> {
        if self.n == 0 {
            return None;
        }
        let ranks = order::ranks(self.n, p, level);
        let (low, high) = self.at_rank(ranks.value);
        let middle = low + (high - low) / 2;
        let (lo, hi) = (self.at_rank(ranks.lo).0, self.at_rank(ranks.hi).1);
        let interval = (lo as f64 * unit, hi as f64 * unit);
        Estimate::new(middle as f64 * unit, interval, ranks.level, self.n)
    }

    /// The least and greatest that the value of this rank (from 1) can be.
    fn at_rank(&self, rank: u64) -> (u64, u64) {
        if rank <= 1 {
            return (self.min, self.min);
        }
        if rank >= self.n {
            return (self.max, self.max);
        }
        let mut seen = 0_u64;
        for (place, count) in self.counts.iter().enumerate() {
            seen = count.saturating_add(seen);
            if seen >= rank {
                let (least, greatest) = edges(self.first + place);
                return (least.max(self.min), greatest.min(self.max));
            }
        }
        (self.max, self.max)
    }

    fn widen(&mut self, min: u64, max: u64) {
        if self.n == 0 {
            (self.min, self.max) = (min, max);
        } else {
            self.min = self.min.min(min);
            self.max = self.max.max(max);
        }
    }

    /// Counts into a bucket, making room for it and no more.
    fn count(&mut self, bucket: usize, count: u64) {
        if count == 0 {
            return;
        }
        if self.counts.is_empty() {
            self.first = bucket;
        }
        if bucket < self.first {
            self.counts.splice(0..0, std::iter::repeat_n(0, self.first - bucket));
            self.first = bucket;
        }
        let place = bucket - self.first;
        if place >= self.counts.len() {
            self.counts.resize(place + 1, 0);
        }
        if let Some(held) = self.counts.get_mut(place) {
            *held = held.saturating_add(count);
        }
        self.n = self.n.saturating_add(count);
    }
}

impl From<Histogram> for Sparse {
    fn from(histogram: Histogram) -> Self {
        let counts = histogram.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let buckets = counts.map(|(place, count)| (histogram.first + place, *count)).collect();
        Sparse { min_ns: histogram.min, max_ns: histogram.max, buckets }
    }
}

impl From<Sparse> for Histogram {
    /// Buckets that cannot be are left out and the ends are put where the buckets are, so that no
    /// file can make it grow without bound or contradict itself.
    fn from(sparse: Sparse) -> Self {
        let mut histogram = Histogram::new();
        for (bucket, count) in sparse.buckets {
            if bucket < BUCKETS {
                histogram.count(bucket, count);
            }
        }
        if histogram.n > 0 {
            let (first, last) = (histogram.first, histogram.first + histogram.counts.len() - 1);
            let within = |value: u64, (least, greatest): (u64, u64)| value.clamp(least, greatest);
            histogram.min = within(sparse.min_ns, edges(first));
            histogram.max = within(sparse.max_ns, edges(last)).max(histogram.min);
        }
        histogram
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(values: &[i64]) -> Histogram {
        let mut histogram = Histogram::new();
        values.iter().for_each(|value| histogram.add(*value));
        histogram
    }

    #[test]
    fn buckets_tile_the_integers_and_are_narrow() {
        assert_eq!(edges(bucket(0)), (0, 0));
        let mut next = 0;
        for bucket_ in 0..BUCKETS {
            let (least, greatest) = edges(bucket_);
            assert_eq!(least, next);
            assert_eq!((bucket(least), bucket(greatest)), (bucket_, bucket_));
            assert!((greatest - least) as f64 <= least as f64 * 0.001);
            next = greatest.wrapping_add(1);
        }
        assert_eq!(next, 0, "the last bucket ends with the last integer");
    }

    fn values() -> impl Strategy<Value = Vec<i64>> {
        let value = prop_oneof![
            1 => Just(0), 1 => any::<i64>(), 2 => 0..5000_i64, 4 => 1_000_000_000..1_000_000_000_000_i64
        ];
        prop::collection::vec(value, 0..60)
    }

    proptest! {
        #[test]
        fn merging_in_any_grouping_is_adding(parts in prop::collection::vec(values(), 0..5)) {
            let whole = of(&parts.concat());
            let merge = |mut a: Histogram, b: &Histogram| { a.merge(b); a };
            let parts: Vec<Histogram> = parts.iter().map(|part| of(part)).collect();
            prop_assert_eq!(&parts.iter().fold(Histogram::new(), merge), &whole);
            prop_assert_eq!(&parts.iter().rev().fold(Histogram::new(), merge), &whole);
            let right = parts.iter().rev().fold(Histogram::new(), |a, b| merge(b.clone(), &a));
            prop_assert_eq!(&right, &whole);
        }

        #[test]
        fn quantiles_are_those_of_the_sample(mut values in values(), p in 0.0..1.0_f64) {
            values.iter_mut().for_each(|value| *value = (*value).max(0));
            values.sort_unstable();
            let sample: Vec<f64> = values.iter().map(|value| *value as f64).collect();
            let histogram = of(&values);
            let (found, true_) = (histogram.quantile(p, 1.0, 0.95), Estimate::quantile(&sample, p, 0.95));
            prop_assert_eq!(found.is_some(), true_.is_some());
            if let (Some(found), Some(true_)) = (found, true_) {
                prop_assert!((found.value - true_.value).abs() <= true_.value * 0.0005 + 0.5);
                prop_assert!(found.lo <= true_.lo && found.lo >= true_.lo * 0.999);
                prop_assert!(found.hi >= true_.hi && found.hi <= true_.hi * 1.001);
                prop_assert_eq!(found.level, true_.level);
            }
            prop_assert_eq!(histogram.min().map(|min| min as i64), values.first().copied());
            prop_assert_eq!(histogram.max().map(|max| max as i64), values.last().copied());
            prop_assert_eq!(histogram.len(), values.len() as u64);
        }

        #[test]
        fn what_is_written_is_read_back(values in values()) {
            let histogram = of(&values);
            let json = serde_json::to_string(&histogram).unwrap();
            prop_assert_eq!(serde_json::from_str::<Histogram>(&json).unwrap(), histogram);
        }
    }

    #[test]
    fn a_hostile_file_takes_no_room() {
        let json =
            r#"{"min_ns":9,"max_ns":1,"buckets":[[18446744073709551615,1],[70000,2],[3,5],[4,1]]}"#;
        let read: Histogram = serde_json::from_str(json).unwrap();
        assert_eq!(read.len(), 6);
        assert_eq!(read.quantile(0.5, 1.0, 0.95).map(|median| median.value), Some(3.0));
    }

    #[test]
    fn many_at_once_are_many() {
        let (mut many, mut one) = (Histogram::new(), Histogram::new());
        many.add_many(7_000_000, 3);
        many.add_many(9, 0);
        (0..3).for_each(|_| one.add(7_000_000));
        assert_eq!(many, one);
        assert!(Histogram::new().is_empty() && Histogram::new().max().is_none());
    }
}
