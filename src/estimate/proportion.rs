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

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe, Statistics in Medicine 17 (1998) 857, table I: Clopper–Pearson and Wilson.
    #[test]
    fn intervals_are_as_published() {
        for (k, n, exact, wilson) in [
            (81, 263, (0.2527, 0.3676), (0.2553, 0.3662)),
            (15, 148, (0.0578, 0.1617), (0.0624, 0.1605)),
            (0, 20, (0.0, 0.1684), (0.0, 0.1611)),
            (1, 29, (0.0009, 0.1776), (0.0061, 0.1718)),
        ] {
            let found = Estimate::proportion(k, n, 0.95).unwrap();
            let close = |found: f64, table: f64| (found - table).abs() < 0.00006;
            assert!(close(found.lo, exact.0) && close(found.hi, exact.1), "{found:?}");
            let found = Estimate::wilson(k, n, 0.95).unwrap();
            assert!(close(found.lo, wilson.0) && close(found.hi, wilson.1), "{found:?}");
        }
    }

    /// Added up over every outcome: the exact interval never covers too seldom, Wilson's is right on
    /// average over the shares.
    #[test]
    fn intervals_cover_as_often_as_they_say() {
        let (n, level) = (30_u32, 0.95);
        let mut average = 0.0;
        for percent in 1..100_u32 {
            let share = f64::from(percent) / 100.0;
            let mut chance = (1.0 - share).powi(n as i32);
            let (mut exact, mut wilson) = (0.0, 0.0);
            for k in 0..=n {
                let covers = |e: Option<Estimate>| f64::from(u8::from(e.unwrap().covers(share)));
                exact += chance * covers(Estimate::proportion(k.into(), n.into(), level));
                wilson += chance * covers(Estimate::wilson(k.into(), n.into(), level));
                chance *= f64::from(n - k) / f64::from(k + 1) * share / (1.0 - share);
            }
            assert!(exact > level - 1e-9, "{exact} at {share}");
            average += wilson / 99.0;
        }
        assert!((average - level).abs() < 0.01, "{average}");
    }

    #[test]
    fn extremes_are_one_sided_and_in_range() {
        for n in [1, 2, 30, 10_000, 1_000_000, 1_000_000_000_000, u64::MAX] {
            for k in [0, 1, n / 3, n / 2, n - 1, n] {
                for found in [Estimate::proportion(k, n, 0.95), Estimate::wilson(k, n, 0.95)] {
                    let found = found.unwrap();
                    assert!(0.0 <= found.lo && found.lo <= found.value, "{k}/{n}: {found:?}");
                    assert!(found.value <= found.hi && found.hi <= 1.0, "{k}/{n}: {found:?}");
                    assert!(k > 0 || (found.lo == 0.0 && found.hi > 0.0));
                    assert!(k < n || (found.hi == 1.0 && found.lo < 1.0) || n > 1 << 50);
                }
            }
        }
        // The rule of three, two-sided: −ln(0.025) / n.
        let none = Estimate::proportion(0, 1_000_000_000_000, 0.95).unwrap();
        assert!((none.hi * 1e12 - 3.6889).abs() < 1e-4);
        assert_eq!(Estimate::proportion(0, 0, 0.95), None);
        assert_eq!(Estimate::wilson(3, 2, 0.95), None);
    }
}
