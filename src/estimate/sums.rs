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
    #[serde(with = "text")]
    pub sum: i128,
    /// The sum of their squares, modulo 2^128.
    #[serde(with = "text")]
    squares: u128,
    /// How often that sum passed 2^128 (a few hundred spans of a century do).
    #[serde(default)]
    wraps: u64,
}

/// Wide integers are written as text: most readers of JSON would take them for floats.
mod text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<T: ToString, S: Serializer>(
        number: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&number.to_string())
    }

    pub(super) fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: std::str::FromStr<Err = std::num::ParseIntError>,
        D: Deserializer<'de>,
    {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl Estimate {
    /// The mean of `values` with Student's t interval; `None` of none. They are summed in their order.
    pub fn mean_of(values: &[f64], level: f64) -> Option<Estimate> {
        let n = values.len() as f64;
        let level = sane_level(level);
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let half = if values.len() < 2 {
            f64::INFINITY
        } else {
            inverse::student_two_sided(n - 1.0, level) * (squares / (n - 1.0) / n).sqrt()
        };
        Estimate::new(mean, (mean - half, mean + half), level, values.len() as u64)
    }
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

    /// The sums of the same numbers with `by` added to each.
    pub fn shifted(&self, by: i64) -> Sums {
        let moved = i128::from(by) * i128::from(self.n);
        // Σ(x + b)² = Σx² + b·(2Σx + n·b)
        let factor = self.sum.saturating_mul(2).saturating_add(moved);
        let (wraps, squares) = wide_product(factor.unsigned_abs(), by.unsigned_abs());
        let mut shifted = Sums { sum: self.sum.saturating_add(moved), ..*self };
        if (factor < 0) == (by < 0) {
            let (sum, carried) = self.squares.overflowing_add(squares);
            shifted.squares = sum;
            shifted.wraps = self.wraps.saturating_add(wraps).saturating_add(u64::from(carried));
        } else {
            let (rest, borrowed) = self.squares.overflowing_sub(squares);
            shifted.squares = rest;
            shifted.wraps = self.wraps.saturating_sub(wraps).saturating_sub(u64::from(borrowed));
        }
        shifted
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

/// `a·b` as (multiples of 2^128, the rest).
fn wide_product(a: u128, b: u64) -> (u64, u128) {
    let b = u128::from(b);
    let (high, low) = ((a >> 64) * b, (a & u128::from(u64::MAX)) * b);
    let (rest, carried) = (high << 64).overflowing_add(low);
    ((high >> 64) as u64 + u64::from(carried), rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Streams;
    use proptest::prelude::*;
    use rand::RngExt;
    use rand_distr::StandardNormal;

    #[test]
    fn variance_does_not_cancel() {
        let offset = 86_400_000_000_000 * 30;
        let sums = Sums::of([1, 2, 3, 4, 5, 6].map(|x| x + offset));
        assert_eq!(sums.variance(), Some(3.5));
        assert_eq!(Sums::of([-2, 0, 1]).variance(), Some(7.0 / 3.0));
        assert_eq!(Sums::of([9]).variance(), None);
        assert_eq!(Sums::new().mean(1.0, 0.95), None);
    }

    #[test]
    fn centuries_do_not_overflow() {
        let mut sums = Sums::new();
        for _ in 0..1000 {
            sums.add(i64::MAX);
            sums.add(i64::MIN);
        }
        let deviation = sums.variance().unwrap().sqrt();
        assert!((deviation / i64::MAX as f64 - 1.0).abs() < 1e-3, "{deviation}");
    }

    /// Student (1908), the sleep data in tenths of an hour: the 95 % interval of the mean paired
    /// difference is 0.7001142 to 2.4598858 about 1.58 (R, `t.test(..., paired = TRUE)` on `sleep`).
    #[test]
    fn the_t_interval_of_a_paired_difference_is_as_published() {
        let first = [7, -16, -2, -12, -1, 34, 37, 8, 0, 20];
        let second = [19, 8, 11, 1, -1, 44, 55, 16, 46, 34];
        let difference = Sums::of(second.iter().zip(first).map(|(b, a)| b - a));
        let found = difference.mean(0.1, 0.95).unwrap();
        assert!((found.value - 1.58).abs() < 1e-12);
        assert!(
            (found.lo - 0.7001142).abs() < 1e-6 && (found.hi - 2.4598858).abs() < 1e-6,
            "{found:?}"
        );
    }

    /// 20,000 means of 8 normal numbers: the share covered has a standard deviation of 0.0016, so
    /// 0.95 ± 0.0085 fails by bad luck less than once in a million.
    #[test]
    fn the_t_interval_covers_as_often_as_it_says() {
        let mut rng = Streams::new(3, 0).named("normal");
        let mut covered = 0;
        for _ in 0..20_000 {
            let mut draw = || (rng.sample::<f64, _>(StandardNormal) * 1e9).round() as i64;
            let sums = Sums::of(std::array::from_fn::<i64, 8, _>(|_| draw()));
            covered += u32::from(sums.mean(1e-9, 0.95).unwrap().covers(0.0));
        }
        let share = f64::from(covered) / 20_000.0;
        assert!((share - 0.95).abs() < 0.0085, "{share}");
    }

    proptest! {
        #[test]
        fn shifting_the_sums_is_shifting_the_numbers(
            numbers in prop_oneof![
                prop::collection::vec(-1000..1000_i64, 0..20),
                prop::collection::vec(i64::MIN / 2..i64::MAX / 2, 0..20),
            ],
            by in prop_oneof![-1000..1000_i64, i64::MIN / 2..i64::MAX / 2],
        ) {
            let expected = Sums::of(numbers.iter().map(|number| number + by));
            prop_assert_eq!(Sums::of(numbers).shifted(by), expected);
        }

        #[test]
        fn merging_in_any_grouping_is_adding(parts in prop::collection::vec(any::<Vec<i64>>(), 0..5)) {
            let whole = Sums::of(parts.iter().flatten().copied());
            let sums: Vec<Sums> = parts.iter().map(|part| Sums::of(part.iter().copied())).collect();
            let merge = |mut a: Sums, b: &Sums| { a.merge(b); a };
            prop_assert_eq!(sums.iter().fold(Sums::new(), merge), whole);
            prop_assert_eq!(sums.iter().rev().fold(Sums::new(), merge), whole);
            let right = sums.iter().rev().fold(Sums::new(), |a, b| merge(*b, &a));
            prop_assert_eq!(right, whole);
            let json = serde_json::to_string(&whole).unwrap();
            prop_assert_eq!(serde_json::from_str::<Sums>(&json).unwrap(), whole);
            prop_assert!(whole.variance().is_none_or(|variance| variance >= 0.0));
        }
    }
}
