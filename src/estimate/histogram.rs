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
        let mut seen = 0;
        for (place, count) in self.counts.iter().enumerate() {
            seen += count;
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
    /// Buckets that cannot be are left out, so that no file can make it grow without bound.
    fn from(sparse: Sparse) -> Self {
        let mut histogram = Histogram::new();
        for (bucket, count) in sparse.buckets {
            if bucket < BUCKETS {
                histogram.count(bucket, count);
            }
        }
        if histogram.n > 0 {
            (histogram.min, histogram.max) = (sparse.min_ns, sparse.max_ns.max(sparse.min_ns));
        }
        histogram
    }
}
