//! Each value is the last that fits: by arithmetic done by hand, and by putting it into a scenario.

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
    let expected = [("promotion", secs(30)), ("traffic_shift", secs(90)), ("capacity", secs(570))];
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
