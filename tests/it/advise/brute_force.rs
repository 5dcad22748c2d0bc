//! Bands and choices against brute force over the patience axis, with rates from another source: the
//! closed form of the sampled on/off process, written out here.

use super::json;
use failover_budget::engine::Streams;
use rand::RngExt;
use serde_json::Value;

/// False failovers a day of k in a row: exponential gaps and lengths, alternating renewal.
fn rate_per_day(gap_s: f64, mean_s: f64, interval_s: f64, k: u64) -> f64 {
    let (a, b) = (1.0 / gap_s, 1.0 / mean_s);
    let down = a / (a + b);
    let kept = (-(a + b) * interval_s).exp();
    let (enters, stays) = (down * (1.0 - kept), down + (1.0 - down) * kept);
    86_400.0 / interval_s * (1.0 - down) * enters * stays.powf(k as f64 - 1.0)
}

/// A world with constant stages.
#[derive(Debug)]
struct World {
    interval_s: u64,
    mean_s: u64,
    gap_s: u64,
    rto_s: u64,
    timeout_s: u64,
    weights_gb: u64,
}

impl World {
    fn drawn(rng: &mut impl rand::Rng) -> Self {
        World {
            interval_s: rng.random_range(2..30),
            mean_s: rng.random_range(5..80),
            gap_s: rng.random_range(200..4_000),
            rto_s: rng.random_range(200..1_500),
            timeout_s: rng.random_range(0..3),
            weights_gb: rng.random_range(1..400),
        }
    }

    fn toml(&self) -> String {
        format!(
            "rto = \"{}s\"\nprobe = {{ interval = \"{}s\", timeout = \"{}s\" }}\n\
             stages.weights_gb = {}.0\n[blips]\n\
             length = {{ law = \"exponential\", mean = \"{}s\" }}\n\
             gap = {{ law = \"exponential\", mean = \"{}s\" }}\n",
            self.rto_s, self.interval_s, self.timeout_s, self.weights_gb, self.mean_s, self.gap_s
        )
    }

    /// Every feasible count: it keeps to one in 30 days, and its worst case is within the RTO.
    fn feasible(&self, tier: &str, mean_factor: f64) -> Vec<u64> {
        let stages = match tier {
            "hot" => 180,
            "warm" => 180 + self.weights_gb,
            _ => 780 + self.weights_gb,
        };
        let (gap, mean, interval) =
            (self.gap_s as f64, self.mean_s as f64 * mean_factor, self.interval_s as f64);
        let fits = |k: u64| k * self.interval_s + self.timeout_s + stages <= self.rto_s;
        let keeps = |k: u64| rate_per_day(gap, mean, interval, k) <= 1.0 / 30.0;
        (1..=2_000).filter(|k| fits(*k) && keeps(*k)).collect()
    }
}

fn k_of(trigger: &Value) -> u64 {
    trigger.as_str().unwrap().strip_prefix("consecutive:").unwrap().parse().unwrap()
}

#[test]
fn bands_are_those_of_brute_force() {
    let mut rng = Streams::new(6, 0).named("worlds");
    let (mut with, mut without) = (0, 0);
    for _ in 0..40 {
        let world = World::drawn(&mut rng);
        let advice = json(&world.toml(), &[]);
        for target in advice["targets"].as_array().unwrap() {
            let tier = target["tier"].as_str().unwrap();
            let feasible = world.feasible(tier, 1.0);
            let band = &target["band"];
            let (Some(first), Some(last)) = (feasible.first(), feasible.last()) else {
                assert!(band.is_null(), "{world:?} {tier}: {band}");
                assert!(!target["because"].as_str().unwrap().is_empty());
                without += 1;
                continue;
            };
            assert_eq!(k_of(&band["shortest"]["trigger"]), *first, "{world:?} {tier}");
            assert_eq!(k_of(&band["longest"]["trigger"]), *last, "{world:?} {tier}");
            // The robust choice: the first that is feasible with blips twice as long, else the last.
            let robust = world.feasible(tier, 2.0).first().copied().unwrap_or(*last);
            assert_eq!(k_of(&target["choice"]["trigger"]), robust, "{world:?} {tier}");
            with += 1;
        }
    }
    assert!(with >= 20 && without >= 20, "the draws try too little: {with} {without}");
}
