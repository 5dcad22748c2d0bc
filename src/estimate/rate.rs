//! Rates of events: from one count, or from the counts of many replications.

use super::{Estimate, Sums, inverse, sane_level};

/// Below so many events a normal interval is not to be trusted.
const FEW: f64 = 50.0;

/// Garwood's interval of the mean of a Poisson count, from one count.
fn garwood(count: u64, level: f64) -> (f64, f64) {
    let tail = (1.0 - level) / 2.0;
    let lo = if count == 0 { 0.0 } else { inverse::gamma(count as f64, tail) };
    (lo, inverse::gamma(count as f64 + 1.0, 1.0 - tail))
}

fn envelope(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0.min(b.0), a.1.max(b.1))
}

impl Estimate {
    /// The rate of a Poisson stream that gave `count` events in `exposure` (days give events a day),
    /// with Garwood's exact interval. No events give an upper bound.
    pub fn rate(count: u64, exposure: f64, level: f64) -> Option<Estimate> {
        if !(exposure > 0.0 && exposure.is_finite()) {
            return None;
        }
        let level = sane_level(level);
        let (lo, hi) = garwood(count, level);
        Estimate::new(count as f64 / exposure, (lo / exposure, hi / exposure), level, count)
    }

    /// The rate of events over replications of equal exposure, from each replication's count.
    ///
    /// From 50 events on, Student's t interval of the mean count, which holds whether or not the
    /// events come in clusters. With fewer, a t interval is too short on the side that matters and
    /// shrinks to nothing at no events; then the envelope of it and of Garwood's interval of the
    /// total: never shorter than the Poisson one, and wider where few replications had all the
    /// events. A single replication has Garwood's alone.
    pub fn rate_of_replications(counts: &Sums, exposure: f64, level: f64) -> Option<Estimate> {
        if !(exposure > 0.0 && exposure.is_finite()) {
            return None;
        }
        let level = sane_level(level);
        let mean = counts.mean_value()?.max(0.0);
        let n = counts.n as f64;
        let total = u64::try_from(counts.sum).unwrap_or(0);
        let half = counts.half_width(level);
        let student = ((mean - half).max(0.0), mean + half);
        let interval = if counts.n < 2 || counts.sum < FEW as i128 {
            let (lo, hi) = garwood(total, level);
            let poisson = (lo / n, hi / n);
            if counts.n < 2 { poisson } else { envelope(student, poisson) }
        } else {
            student
        };
        let interval = (interval.0 / exposure, interval.1 / exposure);
        Estimate::new(mean / exposure, interval, level, counts.n)
    }

    /// The difference of two rates over the same replications, from each replication's difference
    /// of counts (first minus second).
    ///
    /// Student's t interval, which uses the pairing. Where few replications differ it is widened to
    /// the envelope with the difference of two Poisson counts, those in which the first had more and
    /// those in which it had less; so no difference seen is a bound and not certainty.
    pub fn rate_difference(differences: &Sums, exposure: f64, level: f64) -> Option<Estimate> {
        if !(exposure > 0.0 && exposure.is_finite()) {
            return None;
        }
        let level = sane_level(level);
        let mean = differences.mean_value()?;
        let n = differences.n as f64;
        let half = differences.half_width(level);
        let student = (mean - half, mean + half);
        let interval = if differences.squares() < FEW {
            // With differences of ±1 these are how many there are of each; larger ones only widen.
            let (sum, squares) = (differences.sum as f64, differences.squares());
            let more = garwood(((squares + sum) / 2.0) as u64, level);
            let less = garwood(((squares - sum) / 2.0) as u64, level);
            let poisson = ((more.0 - less.1) / n, (more.1 - less.0) / n);
            if differences.n < 2 { poisson } else { envelope(student, poisson) }
        } else {
            student
        };
        let interval = (interval.0 / exposure, interval.1 / exposure);
        Estimate::new(mean / exposure, interval, level, differences.n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Streams;
    use rand::RngExt;

    /// Garwood (1936); Pearson and Hartley, Biometrika Tables for Statisticians I, table 40.
    #[test]
    fn garwood_is_as_tabled() {
        for (count, lo, hi) in [
            (0, 0.0, 3.689),
            (1, 0.0253, 5.572),
            (2, 0.242, 7.225),
            (3, 0.619, 8.767),
            (5, 1.623, 11.668),
            (10, 4.795, 18.390),
            (20, 12.217, 30.888),
            (50, 37.11, 65.92),
        ] {
            let found = Estimate::rate(count, 1.0, 0.95).unwrap();
            assert!((found.lo - lo).abs() < 0.006 && (found.hi - hi).abs() < 0.006, "{found:?}");
        }
        let few = Estimate::rate(1, 1.0, 0.99).unwrap();
        assert!((few.lo - 0.00501).abs() < 1e-5 && (few.hi - 7.430).abs() < 1e-3, "{few:?}");
    }

    /// The chance that the interval covers the truth, added up over every count: never too small.
    #[test]
    fn garwood_covers_as_often_as_it_says() {
        for level in [0.8, 0.95, 0.99] {
            for tenths in 1..400 {
                let mean = f64::from(tenths) / 10.0;
                let mut chance = (-mean).exp();
                let mut covered = 0.0;
                for count in 0..200_u32 {
                    if Estimate::rate(u64::from(count), 1.0, level).unwrap().covers(mean) {
                        covered += chance;
                    }
                    chance *= mean / f64::from(count + 1);
                }
                assert!(covered > level - 1e-9, "{covered} at mean {mean}, level {level}");
            }
        }
    }

    #[test]
    fn no_events_are_a_bound_and_not_certainty() {
        let none = Estimate::rate(0, 30.0, 0.95).unwrap();
        assert_eq!((none.value, none.lo), (0.0, 0.0));
        assert!((none.hi - 3.6889 / 30.0).abs() < 1e-4);
        let counts = Sums::of([0; 30]);
        let over = Estimate::rate_of_replications(&counts, 1.0, 0.95).unwrap();
        assert_eq!((over.value, over.lo), (0.0, 0.0));
        assert!((over.hi - none.hi).abs() < 1e-12);
        let same = Estimate::rate_difference(&counts, 1.0, 0.95).unwrap();
        assert!(same.value == 0.0 && same.lo < -0.1 && same.hi > 0.1, "{same:?}");
    }

    #[test]
    fn few_events_are_never_surer_than_a_poisson_count() {
        for (counts, total) in
            [(vec![7, 0, 0, 0], 7), (vec![1, 2, 1, 2], 6), (vec![9], 9), (vec![80], 80)]
        {
            let n = counts.len() as f64;
            let found = Estimate::rate_of_replications(&Sums::of(counts), 1.0, 0.95).unwrap();
            let poisson = Estimate::rate(total, n, 0.95).unwrap();
            assert_eq!(found.value, poisson.value);
            assert!(found.lo <= poisson.lo && found.hi >= poisson.hi, "{found:?} {poisson:?}");
        }
    }

    /// Events in clusters of four on average, 100 clusters over 1,000 replications, 4,000 times. Both
    /// shares have a standard deviation below 0.008; the bounds are more than five of them away from
    /// 0.945 (the t interval of such a skew sample) and from 0.56 (Poisson, clusters of geometric size
    /// inflate the variance about sevenfold), so bad luck fails this less than once in a million.
    #[test]
    fn clusters_widen_the_interval_of_replications() {
        let mut rng = Streams::new(1, 0).named("clusters");
        let truth = 0.1 * 4.0;
        let (mut covered, mut poisson) = (0, 0);
        for _ in 0..4000 {
            let mut counts = Sums::new();
            for _ in 0..1000 {
                let mut events = 0;
                if rng.random_bool(0.1) {
                    events = 1;
                    while rng.random_bool(0.75) {
                        events += 1;
                    }
                }
                counts.add(events);
            }
            let found = Estimate::rate_of_replications(&counts, 1.0, 0.95).unwrap();
            let naive = Estimate::rate(counts.sum as u64, 1000.0, 0.95).unwrap();
            covered += u32::from(found.covers(truth));
            poisson += u32::from(naive.covers(truth));
        }
        let (covered, poisson) = (f64::from(covered) / 4000.0, f64::from(poisson) / 4000.0);
        assert!((0.925..0.97).contains(&covered), "{covered}");
        assert!(poisson < 0.65, "{poisson}");
    }

    #[test]
    fn pairing_shortens_a_difference() {
        let mut rng = Streams::new(2, 0).named("pairs");
        let (mut first, mut second, mut both) = (Sums::new(), Sums::new(), Sums::new());
        for _ in 0..2000 {
            let shared: i64 = rng.random_range(0..40);
            let extra = i64::from(rng.random_bool(0.3));
            first.add(shared + extra);
            second.add(shared);
            both.add(extra);
        }
        let width = |estimate: Estimate| estimate.hi - estimate.lo;
        let rate = |sums| Estimate::rate_of_replications(sums, 1.0, 0.95).unwrap();
        let paired = Estimate::rate_difference(&both, 1.0, 0.95).unwrap();
        assert!(paired.covers(0.3));
        assert!(width(paired) * 10.0 < width(rate(&first)) + width(rate(&second)));
    }

    #[test]
    fn nothing_to_estimate_from_is_none() {
        for exposure in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Estimate::rate(1, exposure, 0.95), None);
            assert_eq!(Estimate::rate_of_replications(&Sums::of([1]), exposure, 0.95), None);
            assert_eq!(Estimate::rate_difference(&Sums::of([1]), exposure, 0.95), None);
        }
        assert_eq!(Estimate::rate_of_replications(&Sums::new(), 1.0, 0.95), None);
        for level in [f64::NAN, -1.0, 0.0, 1.0, 2.0] {
            assert!(Estimate::rate(u64::MAX, 1.0, level).is_some_and(|rate| rate.hi.is_finite()));
        }
    }
}
