//! Closed and numerical forms for rates (being written: exponential lengths only).

use crate::law::Law;
use crate::scenario::Arrivals;
use crate::time::Span;
use crate::trigger::{Arming, Silence, Spec};

/// Stub.
pub struct Sampled { d: f64, h: f64, p01: f64, p11: f64 }

#[allow(missing_docs, clippy::all)]
impl Sampled {
    pub fn new(gap: Span, length: &Law, arrivals: Arrivals, interval: Span, _deepest: u64) -> Result<Self, String> {
        if length.family() != "exponential" || arrivals != Arrivals::GapRenewal { return Err("no".into()); }
        let (a, b, d) = (1.0 / gap.as_secs_f64(), 1.0 / length.mean(), interval.as_secs_f64());
        let p = a / (a + b);
        let e = (-(a + b) * d).exp();
        Ok(Sampled { d, h: 1.0 - p, p01: p * (1.0 - e), p11: p + (1.0 - p) * e })
    }
    fn q(&self, n: u64) -> f64 { if n == 0 { 1.0 } else { self.p01 * self.p11.powf((n - 1) as f64) } }
    pub fn run_rate_per_day(&self, k: u64) -> f64 { 86400.0 / self.d * self.h * self.q(k) }
    pub fn already_fired(&self, k: u64) -> f64 { (1.0 - self.h) * self.p11.powf((k - 1) as f64) }
    pub fn detection_mean_s(&self, k: u64) -> f64 {
        let (mut s, mut w) = (0.0, 0.0);
        for n in 0..k { let p = self.h * self.q(n); w += p; s += p * ((k - n) as f64 - 0.5) * self.d; }
        s / w
    }
    pub fn detection_quantile_s(&self, _k: u64, _p: f64) -> f64 { f64::NAN }
    pub fn dark_caught(&self, s: &Spec, silence: Silence) -> Option<f64> {
        Some(match (silence, s) { (Silence::Failure, _) => 1.0, (_, Spec::Window { .. }) => 1.0 - self.h, (_, Spec::Consecutive { k }) => self.already_fired(*k), _ => return None })
    }
    pub fn restart_fires(&self, _s: &Spec, _a: Arming) -> Option<f64> { None }
    pub fn prober_death_fires(&self, _s: &Spec, _silence: Silence) -> Option<f64> { None }
}
