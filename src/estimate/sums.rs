//! Sums and sums of squares in integers, and the mean that they give.

use serde::{Deserialize, Serialize};

use super::{Estimate, inverse, sane_level};

/// Count, sum and sum of squares of whole numbers: counts of events, or nanoseconds.
///
/// Exact, so merging parts in any order and grouping gives the same sums as adding one by one.
/// For paired differences add the difference of each replication.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// How many numbers were added.
    pub n: u64,
    /// Their sum.
    pub sum: i128,
    /// The sum of their squares, modulo 2^128.
    squares: u128,
    /// How often that sum passed 2^128 (a few hundred spans of a century do).
    #[serde(default)]
    wraps: u64,
}

impl Sums {
    /// Sums of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// The sums of `numbers`.
    pub fn of(numbers: impl IntoIterator<Item = i64>) -> Self {
        let mut sums = Sums::new();
        numbers.into_iter().for_each(|number| sums.add(number));
        sums
    }

    /// Adds one number.
    pub fn add(&mut self, number: i64) {
        let size = u128::from(number.unsigned_abs());
        self.merge(&Sums { n: 1, sum: i128::from(number), squares: size * size, wraps: 0 });
    }

    /// Adds all that `other` holds.
    pub fn merge(&mut self, other: &Sums) {
        let (squares, wrapped) = self.squares.overflowing_add(other.squares);
        self.squares = squares;
        self.wraps = self.wraps.saturating_add(other.wraps).saturating_add(u64::from(wrapped));
        self.n = self.n.saturating_add(other.n);
        self.sum = self.sum.saturating_add(other.sum);
    }

    /// The sum of squares, as a float.
    pub(super) fn squares(&self) -> f64 {
        self.squares as f64 + self.wraps as f64 * 2.0_f64.powi(128)
    }

    /// The mean of the numbers; `None` of nothing.
    pub fn mean_value(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum as f64 / self.n as f64)
    }

    /// The variance of the numbers about their mean, with `n − 1` below; `None` of fewer than two.
    ///
    /// The squares about the mean are found in integers, so nothing cancels.
    pub fn variance(&self) -> Option<f64> {
        if self.n < 2 {
            return None;
        }
        let n = self.n as f64;
        let exact = i128::try_from(self.squares).ok().filter(|_| self.wraps == 0);
        let about = exact.and_then(|squares| self.about_whole_mean(squares));
        let about = about.unwrap_or_else(|| self.squares() - (self.sum as f64).powi(2) / n);
        Some(about.max(0.0) / (n - 1.0))
    }

    /// `Σ(x − mean)²`, by way of the whole part of the mean.
    fn about_whole_mean(&self, squares: i128) -> Option<f64> {
        let n = i128::from(self.n);
        let whole = self.sum.div_euclid(n);
        let rest = self.sum.rem_euclid(n);
        // Σ(x − w)² = Σx² − w·(2Σx − n·w), and 2Σx − n·w is Σx plus the rest of the division.
        let about_whole = squares.checked_sub(whole.checked_mul(self.sum.checked_add(rest)?)?)?;
        Some(about_whole as f64 - (rest as f64).powi(2) / n as f64)
    }

    /// The mean with Student's t interval, times `unit` (1e-9 turns nanoseconds into seconds).
    ///
    /// One number gives a mean without bounds. The interval supposes that the mean of so many
    /// numbers is near enough normal.
    pub fn mean(&self, unit: f64, level: f64) -> Option<Estimate> {
        let mean = self.mean_value()?;
        let level = sane_level(level);
        let half = self.half_width(level);
        let interval = ((mean - half) * unit, (mean + half) * unit);
        Estimate::new(mean * unit, interval, level, self.n)
    }

    /// Half the width of Student's t interval of the mean; infinite for fewer than two numbers.
    pub(super) fn half_width(&self, level: f64) -> f64 {
        match self.variance() {
            None => f64::INFINITY,
            Some(variance) => {
                let t = inverse::student_two_sided(self.n as f64 - 1.0, level);
                t * (variance / self.n as f64).sqrt()
            }
        }
    }
}
