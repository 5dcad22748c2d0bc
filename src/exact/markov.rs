//! Exponential gaps and lengths: sampled every interval, a Markov chain of two states.

/// The chain, by its transition chances over one interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Markov {
    healthy: f64,
    unhealthy: f64,
    /// From healthy to unhealthy.
    falls: f64,
    /// From unhealthy to unhealthy.
    stays: f64,
    /// From unhealthy to healthy.
    recovers: f64,
}

impl Markov {
    pub(super) fn new(gap_s: f64, mean_s: f64, interval_s: f64) -> Self {
        let (healthy, unhealthy) = (gap_s / (gap_s + mean_s), mean_s / (gap_s + mean_s));
        let rate = 1.0 / gap_s + 1.0 / mean_s;
        // Chance that the chain forgets where it was within an interval, in effect.
        let forgets = -(-rate * interval_s).exp_m1();
        let recovers = healthy * forgets;
        Markov {
            healthy,
            unhealthy,
            falls: unhealthy * forgets,
            stays: unhealthy + healthy * (-rate * interval_s).exp(),
            recovers,
        }
    }

    pub(super) fn healthy(&self) -> f64 {
        self.healthy
    }

    pub(super) fn unhealthy(&self) -> f64 {
        self.unhealthy
    }

    /// Chance that the `n` probes after a healthy one are all unhealthy.
    pub(super) fn all_unhealthy(&self, n: u64) -> f64 {
        if n == 0 { 1.0 } else { self.falls * power(self.stays, n - 1) }
    }

    /// Chance that the run that trails a random instant has at least `n` probes.
    pub(super) fn at_least(&self, n: u64) -> f64 {
        if n == 0 { 1.0 } else { self.healthy * self.all_unhealthy(n) / self.recovers }
    }

    /// Sum of `q(n)` over `1 ≤ n < k`.
    pub(super) fn sum_below(&self, k: u64) -> f64 {
        (self.falls - self.all_unhealthy(k)) / self.recovers
    }

    /// Sum of `n·q(n)` over `1 ≤ n < k`.
    pub(super) fn weighted_below(&self, k: u64) -> f64 {
        // Σ_{n=1}^{k−1} n s^{n−1} = (1 − s^{k−1}(1 + (k−1)(1 − s)))/(1 − s)².
        let stays = power(self.stays, k - 1);
        let last = (k - 1) as f64;
        self.falls * (1.0 - stays * (1.0 + last * self.recovers)) / (self.recovers * self.recovers)
    }
}

/// `base^n` by repeated squaring for any count.
fn power(base: f64, n: u64) -> f64 {
    match i32::try_from(n) {
        Ok(n) => base.powi(n),
        Err(_) => base.powf(n as f64),
    }
}
