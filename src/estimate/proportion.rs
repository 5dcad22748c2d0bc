//! Proportions: how many of so many trials.

use super::{Estimate, inverse, sane_level};

impl Estimate {
    /// `successes` of `trials` with the exact interval of Clopper and Pearson, which covers the truth
    /// at least as often as it says. None or all give a one-sided bound. `None` without trials, or
    /// with more successes than trials.
    pub fn proportion(successes: u64, trials: u64, level: f64) -> Option<Estimate> {
        if trials == 0 || successes > trials {
            return None;
        }
        let level = sane_level(level);
        let tail = (1.0 - level) / 2.0;
        let (k, n) = (successes as f64, trials as f64);
        let failures = (trials - successes) as f64;
        let lo = if successes == 0 { 0.0 } else { inverse::beta(k, failures + 1.0, tail) };
        let hi =
            if successes == trials { 1.0 } else { inverse::beta(k + 1.0, failures, 1.0 - tail) };
        Estimate::new(k / n, (lo, hi), level, trials)
    }

    /// `successes` of `trials` with Wilson's interval: shorter, and right on average rather than
    /// always.
    pub fn wilson(successes: u64, trials: u64, level: f64) -> Option<Estimate> {
        if trials == 0 || successes > trials {
            return None;
        }
        let level = sane_level(level);
        let z = inverse::normal_two_sided(level);
        let n = trials as f64;
        let share = successes as f64 / n;
        let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let spread = (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
        let half = z / (1.0 + z * z / n) * spread;
        let lo = if successes == 0 { 0.0 } else { (middle - half).max(0.0) };
        let hi = if successes == trials { 1.0 } else { (middle + half).min(1.0) };
        Estimate::new(share, (lo, hi), level, trials)
    }
}
