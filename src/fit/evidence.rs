//! What the data say of a law, and how likely they are under it: the one place that knows of
//! censoring, truncation and length bias.
//!
//! Three kinds of evidence meet in one likelihood: lengths known exactly or from below, lengths
//! known to lie between two bounds, and runs of failed probes, of which only the probes around them
//! are known ([`super::windows`]). A family of laws never sees which it is.

use super::windows::Windows;
use crate::law::Law;

/// A length known to lie in `(from, to]`; `to` is infinite where its end was not seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// It is longer than this, seconds.
    pub from: f64,
    /// It is at most this, seconds.
    pub to: f64,
}

/// What is known of a number of lengths of one law.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// Lengths known exactly, or only from below.
    Durations {
        /// Exact lengths, seconds, ascending.
        exact: Vec<f64>,
        /// Lengths that were still running when last seen, ascending.
        censored: Vec<f64>,
    },
    /// Lengths known between bounds, each seen only if a probe fell into it.
    Intervals {
        /// The bounds.
        of: Vec<Interval>,
        /// Probes come this often, seconds: a length shorter than that is seen by luck.
        interval_s: f64,
    },
    /// Runs of failed probes.
    Windows(Windows),
}

impl Evidence {
    /// How many lengths there are.
    pub fn count(&self) -> u64 {
        match self {
            Evidence::Durations { exact, censored } => (exact.len() + censored.len()) as u64,
            Evidence::Intervals { of, .. } => of.len() as u64,
            Evidence::Windows(windows) => windows.count(),
        }
    }

    /// A typical length in seconds, for start values and bounds; positive.
    pub fn typical_s(&self) -> f64 {
        let typical = match self {
            Evidence::Durations { exact, censored } => {
                let all = if exact.is_empty() { censored } else { exact };
                middle(all.iter().copied())
            }
            Evidence::Intervals { of, .. } => middle(of.iter().map(|i| 0.5 * (i.from + i.to.min(2.0 * i.from)))),
            Evidence::Windows(windows) => windows.typical_s(),
        };
        if typical.is_finite() && typical > 0.0 { typical } else { 1.0 }
    }

    /// Logarithm of the likelihood of a law: minus infinity where the data are impossible under it.
    pub fn log_likelihood(&self, law: &Law) -> f64 {
        match self {
            Evidence::Durations { exact, censored } => {
                let known: f64 = exact.iter().map(|x| law.ln_density(*x)).sum();
                known + censored.iter().map(|x| law.survival(*x).ln()).sum::<f64>()
            }
            Evidence::Intervals { of, interval_s } => {
                let seen = law.cumulative_survival(*interval_s) / interval_s;
                of.iter().map(|i| between(law, i).ln() - seen.ln()).sum()
            }
            Evidence::Windows(windows) => windows.log_likelihood(law),
        }
    }
}

/// Chance that a length lies in the interval, without losing digits in the tail or near zero.
pub(super) fn between(law: &Law, interval: &Interval) -> f64 {
    let (from, to) = (law.survival(interval.from), law.survival(interval.to));
    if from < 0.5 {
        from - to
    } else {
        law.cdf(interval.to) - law.cdf(interval.from)
    }
}

/// The median, roughly; not a number for nothing.
fn middle(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn censoring_and_intervals_by_hand() {
        let law = Law::exponential(2.0).unwrap();
        let durations = Evidence::Durations { exact: vec![1.0, 3.0], censored: vec![5.0] };
        let by_hand = -2.0 * 2.0_f64.ln() - (1.0 + 3.0 + 5.0) / 2.0;
        assert!((durations.log_likelihood(&law) - by_hand).abs() < 1e-12);
        let to = f64::INFINITY;
        let of = vec![Interval { from: 1.0, to: 2.0 }, Interval { from: 4.0, to }];
        let intervals = Evidence::Intervals { of, interval_s: 1e-9 };
        let by_hand = ((-0.5_f64).exp() - (-1.0_f64).exp()).ln() - 2.0;
        assert!((intervals.log_likelihood(&law) - by_hand).abs() < 1e-6);
    }
}
