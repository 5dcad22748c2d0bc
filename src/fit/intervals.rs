//! Lengths known between bounds, such as the healthy gaps between runs of failed probes.
//!
//! A gap shorter than the interval of the probes is seen only if a probe falls into it, so what is
//! seen is biased towards long gaps, and the likelihood is that of a gap given that it was seen.

use crate::law::Law;

/// A length known to lie in `(from, to]`; `to` is infinite where its end was not seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// It is longer than this, seconds.
    pub from: f64,
    /// It is at most this, seconds.
    pub to: f64,
}

/// A number of such lengths.
#[derive(Clone, Debug)]
pub struct Intervals {
    of: Vec<Interval>,
    interval_s: f64,
    /// Every bound once, ascending.
    points: Vec<f64>,
    /// Places of the bounds in `points`, and how many lengths have them.
    places: Vec<(usize, usize, u64)>,
}

impl Intervals {
    /// Lengths between bounds; probes come every `interval_s` seconds. Bounds are rounded to the
    /// microsecond, so that equal ones are.
    pub fn new(of: Vec<Interval>, interval_s: f64) -> Self {
        let round = |x: f64| if x.is_finite() { (x * 1e6).round() * 1e-6 } else { x };
        let mut of: Vec<Interval> =
            of.iter().map(|i| Interval { from: round(i.from), to: round(i.to) }).collect();
        of.sort_by(|a, b| a.from.total_cmp(&b.from).then(a.to.total_cmp(&b.to)));
        let mut points: Vec<f64> = of.iter().flat_map(|i| [i.from, i.to]).collect();
        points.sort_by(f64::total_cmp);
        points.dedup();
        let place = |x: f64| points.partition_point(|p| *p < x);
        let mut places: Vec<(usize, usize, u64)> = Vec::new();
        for i in &of {
            let at = (place(i.from), place(i.to));
            match places.last_mut() {
                Some((from, to, count)) if (*from, *to) == at => *count += 1,
                _ => places.push((at.0, at.1, 1)),
            }
        }
        Intervals { of, interval_s, points, places }
    }

    /// The bounds, ascending.
    pub fn of(&self) -> &[Interval] {
        &self.of
    }

    /// Interval of the probes, seconds.
    pub fn interval_s(&self) -> f64 {
        self.interval_s
    }

    /// How many lengths there are.
    pub fn count(&self) -> u64 {
        self.of.len() as u64
    }

    /// See [`super::evidence::Evidence::log_likelihood`].
    pub fn log_likelihood(&self, law: &Law) -> f64 {
        // Near zero the distribution function keeps its digits, in the tail the survival does.
        let at = |x: &f64| {
            let survival = law.survival(*x);
            (survival, if survival > 0.5 { law.cdf(*x) } else { 1.0 - survival })
        };
        let both: Vec<(f64, f64)> = self.points.iter().map(at).collect();
        let seen = law.cumulative_survival(self.interval_s) / self.interval_s;
        let mut sum = -(self.of.len() as f64) * seen.ln();
        for (from, to, count) in &self.places {
            let (from, to) = (both[*from], both[*to]);
            let chance = if from.0 > 0.5 { to.1 - from.1 } else { from.0 - to.0 };
            sum += *count as f64 * chance.ln();
        }
        if sum.is_nan() { f64::NEG_INFINITY } else { sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_by_hand() {
        let law = Law::exponential(2.0).unwrap();
        let to = f64::INFINITY;
        let pair = Interval { from: 1.0, to: 2.0 };
        let intervals = Intervals::new(vec![pair, Interval { from: 4.0, to }, pair], 1e-9);
        let by_hand = 2.0 * ((-0.5_f64).exp() - (-1.0_f64).exp()).ln() - 2.0;
        assert!((intervals.log_likelihood(&law) - by_hand).abs() < 1e-6);
        // A gap is seen with the chance that a probe falls into it.
        let seldom = Intervals::new(vec![pair], 2.0);
        let seen = 1.0 - (-1.0_f64).exp();
        let by_hand = ((-0.5_f64).exp() - (-1.0_f64).exp()).ln() - seen.ln();
        assert!((seldom.log_likelihood(&law) - by_hand).abs() < 1e-9);
    }
}
