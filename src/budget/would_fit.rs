//! What would have to change for a detection to fit: each input alone, with the others as they are.
//!
//! Every value is the last one that still fits. With stages that have a law, "fits" means: in
//! [`CONFIDENCE`] of [`DRAWS`] seeded recoveries.

use super::outlook::CONFIDENCE;
use super::total::DRAWS;
use super::{Loading, Outlook, Plan, Stage};
use crate::engine::Streams;
use crate::scenario::Tier;
use crate::scenario::sequence::BuiltIn;
use crate::time::{LONGEST, Span};

/// What each input alone would have to be. A field is none where the input alone cannot do it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WouldFit {
    /// The shortest RTO.
    pub rto: Option<Span>,
    /// The longest that each stage but the weight load may be, by its name.
    pub stages: Vec<(String, Span)>,
    /// The largest weights, in gigabytes.
    pub weights_gb: Option<f64>,
    /// The lowest load rate of a replica, in gigabytes a second.
    pub load_rate_gb_per_s: Option<f64>,
    /// The lowest storage rate, in gigabytes a second; none where the storage is not limited.
    pub storage_gb_per_s: Option<f64>,
    /// The most replicas that may load at once; none where the storage is not limited.
    pub replicas: Option<u64>,
    /// The least ready tier that fits, with every other input as it is.
    pub tier: Option<Tier>,
}

/// A recovery with one stage left open.
#[derive(Clone, Copy)]
struct Open {
    /// The other groups together.
    rest: Span,
    /// The longest of the stages beside the open one.
    beside: Span,
}

impl Outlook {
    /// What would let a detection of this length fit (see [`Plan::worst_detection`] for the delay of
    /// a trigger from the outage's start).
    pub fn would_fit(&self, detection: Span) -> WouldFit {
        let plan = &self.plan;
        let others = plan.stages().filter(|stage| stage.name != "weight_load");
        let longest = |stage: &Stage| {
            let length = self.longest(&stage.name, detection)?;
            Some((stage.name.clone(), length))
        };
        let mut fit = WouldFit {
            rto: self.shortest_rto(detection),
            stages: others.filter_map(longest).collect(),
            tier: self.least_ready_tier(detection),
            ..WouldFit::default()
        };
        if let Some(load) = self.longest("weight_load", detection) {
            fit.set_loading(&plan.loading, load);
        }
        fit
    }

    /// The longest that the stage of this name may be, the others unchanged, for a detection of this
    /// length to fit. None where the others alone are too long, or there is no such stage.
    pub fn longest(&self, name: &str, detection: Span) -> Option<Span> {
        let limit = self.plan.limit() - detection;
        let mut lengths: Vec<Span> = self
            .with_open(name)?
            .into_iter()
            .map(|open| (limit - open.rest, open.beside))
            .filter(|(left, beside)| *left >= *beside)
            .map(|(left, _)| left)
            .collect();
        lengths.sort_unstable();
        let draws = if self.after.constant().is_some() { 1 } else { DRAWS };
        // The stage may be as long as the shortest of what is left in the draws that must fit.
        let must_fit = (CONFIDENCE * draws as f64).ceil() as usize;
        lengths.len().checked_sub(must_fit).map(|at| lengths[at])
    }

    /// Recoveries with the stage of this name left open: one when the plan is constant, else draws.
    fn with_open(&self, name: &str) -> Option<Vec<Open>> {
        let plan = &self.plan;
        let holds = |group: &Vec<Stage>| group.iter().any(|stage| stage.name == name);
        let place = plan.groups.iter().position(holds)?;
        let draws = if self.after.constant().is_some() { 1 } else { DRAWS };
        let mut sampler = plan.sampler(Streams::new(plan.seed, 0));
        let open = |_| {
            let mut open = Open { rest: Span::ZERO, beside: Span::ZERO };
            for (index, lengths) in sampler.next_lengths().enumerate() {
                let others = lengths.filter(|(other, _)| *other != name).map(|(_, length)| length);
                let longest = others.max().unwrap_or_default();
                if index == place {
                    open.beside = longest;
                } else {
                    open.rest += longest;
                }
            }
            open
        };
        Some((0..draws).map(open).collect())
    }

    /// The shortest RTO whose share for detection and stages holds this detection.
    fn shortest_rto(&self, detection: Span) -> Option<Span> {
        let after = self.plan.limit() - self.room();
        let needed = detection + after;
        let fits = |rto: i64| {
            let rto = Span::from_nanos(rto);
            rto - self.plan.reserve_rule.of(rto) >= needed
        };
        // What is left of an RTO grows with it, so halve the range in which it becomes enough.
        let (mut short, mut long) = (0, LONGEST.as_nanos());
        if !fits(long) {
            return None;
        }
        while long - short > 1 {
            let middle = short + (long - short) / 2;
            if fits(middle) { long = middle } else { short = middle }
        }
        Some(Span::from_nanos(long))
    }

    /// The least ready tier, readier than this one, on which the detection fits when the stages that
    /// it does not spend fall away.
    fn least_ready_tier(&self, detection: Span) -> Option<Tier> {
        let readier = Tier::ALL.into_iter().rev().filter(|tier| *tier < self.plan.tier);
        readier.into_iter().find(|tier| {
            let outlook = Outlook::of(self.plan.on_tier(*tier));
            outlook.room() >= detection
        })
    }

    /// The longest probe interval at which `k` consecutive failures are sure to fit; none where no
    /// interval is short enough.
    pub fn longest_interval(&self, k: u64) -> Option<Span> {
        let left = self.room() - self.plan.lateness;
        let k = i64::try_from(k).ok().filter(|k| *k > 0)?;
        Some(left / k).filter(|interval| interval.is_positive())
    }
}

impl Plan {
    /// The same plan without the stages that a readier tier does not spend.
    fn on_tier(&self, tier: Tier) -> Plan {
        let falls_away = |stage: &Stage| {
            let same = |built_in: &BuiltIn| built_in.name() == stage.name;
            BuiltIn::ALL.iter().find(|b| same(b)).is_some_and(|b| !b.is_spent_by(tier))
        };
        let mut plan = Plan { tier, ..self.clone() };
        for group in &mut plan.groups {
            group.retain(|stage| !falls_away(stage));
        }
        plan.groups.retain(|group| !group.is_empty());
        plan
    }
}

impl WouldFit {
    /// What lets the weights load within `load`.
    fn set_loading(&mut self, loading: &Loading, load: Span) {
        let fits = |changed: Loading| changed.time() <= load;
        let secs = load.as_secs_f64();
        // A hair towards the safe side, so that the value still fits once it is rounded.
        let (less, more) = (1.0 - 1e-12, 1.0 + 1e-12);
        let weights_gb = secs * loading.rate_gb_per_s() * less;
        self.weights_gb = Some(weights_gb)
            .filter(|gb| *gb > 0.0 && fits(Loading { weights_gb: *gb, ..*loading }));
        let needed = loading.weights_gb / secs * more;
        let rate = Loading { load_rate_gb_per_s: needed, ..*loading };
        self.load_rate_gb_per_s = Some(needed).filter(|r| r.is_finite() && *r > 0.0 && fits(rate));
        if loading.storage_gb_per_s.is_none() {
            return;
        }
        let storage = needed * loading.replicas.max(1) as f64;
        let stored = Loading { storage_gb_per_s: Some(storage), ..*loading };
        self.storage_gb_per_s =
            Some(storage).filter(|s| s.is_finite() && *s > 0.0 && fits(stored));
        let replicas = loading.storage_gb_per_s.map(|storage| (storage / needed).floor() as u64);
        self.replicas = replicas.filter(|r| *r > 0 && fits(Loading { replicas: *r, ..*loading }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::outlooks;
    use crate::scenario::Scenario;
    use proptest::prelude::*;

    fn outlook_of(text: &str, tier: Tier) -> Outlook {
        let scenario = Scenario::from_toml("test", text).unwrap();
        outlooks(&scenario).unwrap().into_iter().find(|o| o.plan.tier == tier).unwrap()
    }

    fn fit_of(text: &str, tier: Tier) -> WouldFit {
        let outlook = outlook_of(text, tier);
        outlook.would_fit(outlook.plan.worst_detection(Span::ZERO))
    }

    #[test]
    fn a_cold_standby_fits_with_what_arithmetic_says() {
        let fit = fit_of("", Tier::Cold);
        let secs = Span::from_secs;
        assert_eq!(fit.rto, Some(secs(930)));
        let stages: Vec<_> = fit.stages.iter().map(|(name, s)| (name.as_str(), *s)).collect();
        let expected =
            [("promotion", secs(30)), ("traffic_shift", secs(90)), ("capacity", secs(570))];
        assert_eq!(stages, expected);
        assert!((fit.weights_gb.unwrap() - 110.0).abs() < 1e-6);
        assert!((fit.load_rate_gb_per_s.unwrap() - 140.0 / 110.0).abs() < 1e-6);
        assert_eq!((fit.storage_gb_per_s, fit.replicas), (None, None));
        assert_eq!(fit.tier, Some(Tier::Warm));
        assert_eq!(outlook_of("", Tier::Warm).longest_interval(12), Some(secs(580) / 12));
    }

    #[test]
    fn contention_can_be_mended_by_storage_or_by_fewer_replicas() {
        // 140 GB must load in 900 − 180 − 10 = 710 s: 0.1972 GB/s each.
        let fit = fit_of("stages = { replicas = 40, storage_gb_per_s = 4.0 }", Tier::Warm);
        assert!((fit.storage_gb_per_s.unwrap() - 40.0 * 140.0 / 710.0).abs() < 1e-6);
        assert_eq!(fit.replicas, Some(20));
        assert_eq!(fit.load_rate_gb_per_s, None, "the storage gives each replica only 0.1 GB/s");
        assert!((fit.weights_gb.unwrap() - 71.0).abs() < 1e-6);
    }

    #[test]
    fn what_cannot_be_mended_alone_is_left_out() {
        let fit = fit_of("rto = \"150s\"", Tier::Cold);
        assert_eq!((fit.weights_gb, fit.tier, fit.rto), (None, None, Some(Span::from_secs(930))));
        assert!(fit.stages.is_empty());
        assert_eq!(fit_of("stages.reserve = \"100%\"", Tier::Hot).rto, None);
    }

    #[test]
    fn with_laws_the_last_value_that_fits_does_so_in_99_of_100() {
        let law = "{ law = \"exponential\", mean = \"100s\" }";
        let fit = fit_of(&format!("stages.promotion = {law}"), Tier::Cold);
        let capacity = fit.stages.iter().find(|(name, _)| name == "capacity").unwrap().1;
        // 890 − 120 − 140 − 100 ln 100, from 100000 draws: the standard error of that quantile is
        // √(0.99·0.01/1e5)/0.0001 = 3.1 s; six of them.
        let exact = 630.0 - 100.0 * 100.0_f64.ln();
        assert!((capacity.as_secs_f64() - exact).abs() < 19.0, "{capacity} {exact}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn each_value_fits_and_a_hair_more_does_not(
            rto in 100_i64..2000, reserve in 0_i64..50, weights in 1_i64..500, rate in 1_i64..40,
            replicas in 1_u64..32, storage in 1_i64..200, beside in 0_i64..900,
        ) {
            let text = format!(
                "rto = \"{rto}s\"
                 [stages]
                 reserve = \"{reserve}%\"
                 weights_gb = {weights}.0
                 load_rate_gb_per_s = {}
                 replicas = {replicas}
                 storage_gb_per_s = {}
                 extra = [{{ name = \"a\", length = \"{beside}s\", beside = \"weight_load\" }}]",
                rate as f64 / 10.0, storage as f64 / 10.0,
            );
            let scenario = Scenario::from_toml("test", &text).unwrap();
            let fits = |change: &dyn Fn(&mut Scenario)| {
                let mut changed = scenario.clone();
                change(&mut changed);
                let outlook = &outlooks(&changed).unwrap()[1];
                outlook.room() >= outlook.plan.worst_detection(Span::ZERO)
            };
            let outlook = &outlooks(&scenario).unwrap()[1];
            let fit = outlook.would_fit(outlook.plan.worst_detection(Span::ZERO));
            let rto = fit.rto.unwrap();
            prop_assert!(fits(&|s| s.rto = rto));
            prop_assert!(!fits(&|s| s.rto = rto - Span::from_nanos(1)));
            if let Some(size) = fit.weights_gb {
                prop_assert!(fits(&|s| s.stages.weights_gb = size));
                prop_assert!(!fits(&|s| s.stages.weights_gb = size * 1.000_001));
            } else {
                prop_assert!(!fits(&|s| s.stages.weights_gb = 1e-6));
            }
            if let Some(rate) = fit.load_rate_gb_per_s {
                prop_assert!(fits(&|s| s.stages.load_rate_gb_per_s = rate));
                prop_assert!(!fits(&|s| s.stages.load_rate_gb_per_s = rate * 0.999_999));
            } else {
                prop_assert!(!fits(&|s| s.stages.load_rate_gb_per_s = 1e9));
            }
            if let Some(rate) = fit.storage_gb_per_s {
                prop_assert!(fits(&|s| s.stages.storage_gb_per_s = Some(rate)));
                prop_assert!(!fits(&|s| s.stages.storage_gb_per_s = Some(rate * 0.999_999)));
            } else {
                prop_assert!(!fits(&|s| s.stages.storage_gb_per_s = Some(1e9)));
            }
            if let Some(count) = fit.replicas {
                prop_assert!(fits(&|s| s.stages.replicas = count));
                prop_assert!(!fits(&|s| s.stages.replicas = count + 1));
            } else {
                prop_assert!(!fits(&|s| s.stages.replicas = 1));
            }
            for (name, length) in fit.stages.iter().filter(|(name, _)| name == "promotion") {
                let set = |s: &mut Scenario, span| s.stages.promotion = crate::law::Law::constant_span(span);
                prop_assert!(fits(&|s| set(s, *length)), "{name}");
                prop_assert!(!fits(&|s| set(s, *length + Span::from_nanos(1000))), "{name}");
            }
        }
    }
}
