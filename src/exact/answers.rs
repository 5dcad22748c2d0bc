//! The lab's other figures from the same chances: detection delays, dark outages, restarts, prober
//! deaths.

use super::{Form, Sampled};
use crate::time::Span;
use crate::trigger::{Arming, Silence, Spec};

/// Sums of more terms than this are taken from the closed form, at the price of some digits.
const LONG: u64 = 10_000;

/// `None` for not-a-number.
fn known(figure: f64) -> Option<f64> {
    (!figure.is_nan()).then_some(figure)
}

/// A trigger that has exact figures, as its count of probes in a row.
struct Count {
    k: u64,
    window: bool,
}

impl Sampled {
    /// Mean detection delay, in seconds, of an outage that is reported from a random instant on,
    /// over outages that "`k` in a row" has not already fired for. Not-a-number beyond the depth.
    pub fn detection_mean_s(&self, k: u64) -> f64 {
        let k = k.max(1);
        let (count, weighted) = match &self.form {
            Form::Closed(markov) => (1.0 + markov.sum_below(k), markov.weighted_below(k)),
            Form::Numeric(_) if k > self.deepest => return f64::NAN,
            Form::Numeric(runs) => (0..k as usize).fold((0.0, 0.0), |(count, weighted), n| {
                let chance = runs.all_unhealthy(n);
                (count + chance, weighted + n as f64 * chance)
            }),
        };
        self.interval_s * (k as f64 - 0.5 - weighted / count)
    }

    /// Quantile of the same delay, in seconds; `p` is held to 0 … 1. Not-a-number beyond the depth.
    ///
    /// A trailing run of `j` probes leaves a delay that is uniform over the `(k−j)`-th interval, so
    /// the distribution is straight between multiples of the interval.
    pub fn detection_quantile_s(&self, k: u64, p: f64) -> f64 {
        let k = k.max(1);
        let fired = self.already_fired(k);
        // Chance of a delay of at most so many whole intervals, not yet fired.
        let within = |intervals: u64| self.already_fired(k - intervals) - fired;
        let sought = p.clamp(0.0, 1.0) * within(k);
        if fired.is_nan() || sought.is_nan() {
            return f64::NAN;
        }
        let (mut low, mut high) = (0, k);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if within(middle) < sought { low = middle } else { high = middle }
        }
        let (below, upto) = (within(low), within(high));
        let share = if upto > below { (sought - below) / (upto - below) } else { 1.0 };
        self.interval_s * (low as f64 + share)
    }

    /// Chance that a region that goes dark at a random instant, for long, is caught: by a firing in
    /// the running episode, before or after. `None` for triggers without an exact form.
    ///
    /// If absent checks are ignored, a window still fires once healthy checks have aged out of it,
    /// if the last check was unhealthy; a count fires no more.
    pub fn dark_caught(&self, spec: &Spec, silence: Silence) -> Option<f64> {
        let Count { k, window } = self.count(spec)?;
        match (silence, window) {
            (Silence::Failure, _) => Some(1.0),
            (Silence::Ignored, true) => Some(self.unhealthy()),
            (Silence::Ignored, false) => known(self.already_fired(k)),
        }
    }

    /// Chance that a restart at a random instant leads, within the patience, to a firing that would
    /// not have happened in that episode without it, blips only. `None` for triggers without an exact
    /// form.
    ///
    /// A window that may fire on `n` checks fires if the next `n` are unhealthy and belong to a run of
    /// fewer than `k`; a count starts again from zero and so never fires where it would not have.
    pub fn restart_fires(&self, spec: &Spec, arming: Arming) -> Option<f64> {
        let Count { k, window } = self.count(spec)?;
        let needed = match arming {
            Arming::Immediate => 1,
            Arming::FullWindow => k,
            Arming::Checks(checks) => checks.max(1),
        };
        if !window || needed >= k {
            return Some(0.0);
        }
        // A run of exactly m probes has m − n + 1 places for the restart: Σ (m − n + 1)(q(m) −
        // q(m+1)) over n ≤ m < k, summed by parts.
        let deepest = self.all_unhealthy(k);
        if k - needed > LONG {
            let between = self.already_fired(needed) - self.already_fired(k);
            return known(between - self.healthy() * (k - needed) as f64 * deepest);
        }
        let sum: f64 = (needed..k).map(|m| self.all_unhealthy(m) - deepest).sum();
        known(self.healthy() * sum)
    }

    /// Chance that the prober's death at a random instant, for longer than the patience, leads to a
    /// firing that had not already happened in the running episode. `None` for triggers without an
    /// exact form.
    pub fn prober_death_fires(&self, spec: &Spec, silence: Silence) -> Option<f64> {
        let Count { k, window } = self.count(spec)?;
        let fired = known(self.already_fired(k))?;
        match (silence, window) {
            (Silence::Failure, _) => Some(1.0 - fired),
            (Silence::Ignored, true) => Some(self.unhealthy() - fired),
            (Silence::Ignored, false) => Some(0.0),
        }
    }

    /// The trigger as a count of unhealthy probes in a row.
    fn count(&self, spec: &Spec) -> Option<Count> {
        let window = match spec {
            Spec::Consecutive { .. } => false,
            Spec::Window { .. } => true,
            Spec::MOfN { .. } | Spec::SuccessRate { .. } => return None,
        };
        let k = spec.checks_to_fire(Span::from_secs_f64(self.interval_s));
        Some(Count { k, window })
    }
}
