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
