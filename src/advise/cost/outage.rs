//! The minutes without service in one outage.

use crate::advise::detection::Detection;
use crate::budget::Outlook;
use crate::estimate::Estimate;
use crate::law::Law;

/// Over how many equally likely recoveries a stage with a law is averaged.
const POINTS: u32 = 32;

/// The minutes that one outage costs on one target.
pub(super) struct Minutes<'a> {
    /// Equally likely times after detection, in seconds.
    after_s: Vec<f64>,
    /// Their mean.
    after_mean_s: f64,
    /// How long outages last; without it they outlast every recovery.
    length: Option<&'a Law>,
}

impl<'a> Minutes<'a> {
    pub(super) fn new(outlook: &Outlook, length: Option<&'a Law>) -> Self {
        let after = &outlook.after;
        let points = if after.constant().is_some() { 1 } else { POINTS };
        let at = |point: u32| (f64::from(point) + 0.5) / f64::from(points);
        Minutes {
            after_s: (0..points).map(|point| after.quantile(at(point)).value).collect(),
            after_mean_s: after.mean().value,
            length,
        }
    }

    /// The mean minutes without service. None where an outage may never be detected and nobody says how
    /// long it lasts.
    pub(super) fn of(&self, detection: &Detection) -> Option<Estimate> {
        let missed_s = match (detection.missed > 0.0, self.length) {
            (false, _) => 0.0,
            (true, Some(length)) => length.mean(),
            (true, None) => return None,
        };
        let all = |shift_s: f64| {
            let at_once = detection.already * self.seconds(&[0.0], 0.0);
            let late = (1.0 - detection.already - detection.missed).max(0.0);
            let detected =
                if late > 0.0 { late * self.detected_s(detection, shift_s) } else { 0.0 };
            (at_once + detected + detection.missed * missed_s) / 60.0
        };
        let mean = &detection.mean_s;
        let (lo, hi) = (all(mean.lo - mean.value), all(mean.hi - mean.value));
        let exact = mean.exact.map(|_| all(0.0));
        Some(Estimate { value: all(0.0), lo, hi, level: mean.level, n: mean.n, exact })
    }

    /// Mean seconds without service in an outage that is detected, with delays shifted.
    fn detected_s(&self, detection: &Detection, shift_s: f64) -> f64 {
        match self.length {
            None => detection.mean_s.value + shift_s + self.after_mean_s,
            Some(_) => self.seconds(&detection.delays_s, shift_s),
        }
    }

    /// E min(length, delay + after), over equally likely delays: `E min(L, x) = ∫_0^x S`.
    fn seconds(&self, delays_s: &[f64], shift_s: f64) -> f64 {
        let Some(length) = self.length else { return self.after_mean_s };
        let mut sum = 0.0;
        for delay in delays_s {
            for after in &self.after_s {
                sum += length.cumulative_survival((delay + shift_s + after).max(0.0));
            }
        }
        sum / (delays_s.len().max(1) * self.after_s.len().max(1)) as f64
    }
}
