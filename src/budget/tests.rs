//! Budgets held to arithmetic done by hand and to closed forms.

use super::*;
use crate::engine::Streams;
use crate::trigger::Spec;

fn scenario(text: &str) -> Scenario {
    Scenario::from_toml("test", text).unwrap()
}

fn outlook(text: &str, target: &str) -> Outlook {
    outlooks(&scenario(text)).unwrap().into_iter().find(|o| o.plan.target == target).unwrap()
}

fn secs(text: &str) -> Span {
    text.parse().unwrap()
}

const TIERS: [&str; 3] = ["hot", "warm", "cold"];

#[test]
fn the_table_of_known_results_comes_out() {
    // Patience and recovery on hot, warm and cold, with a 10 s interval and an RTO of 900 s.
    let rows = [
        ("window:900s", 900.0, [1080.0, 1220.0, 1820.0]),
        ("window:300s", 300.0, [480.0, 620.0, 1220.0]),
        ("consecutive:12", 110.0, [290.0, 430.0, 1030.0]),
    ];
    for (trigger, patience, recoveries) in rows {
        let spec: Spec = trigger.parse().unwrap();
        let span = spec.patience(secs("10s"));
        assert_eq!(span.as_secs_f64(), patience, "{trigger}");
        for (tier, expected) in TIERS.iter().zip(recoveries) {
            let recovery = outlook("", tier).recovery(span);
            assert_eq!(recovery.recovery_s, expected, "{trigger} {tier}");
            assert_eq!(recovery.worst_case_s, expected + 10.0, "{trigger} {tier}");
            assert_eq!(recovery.met.certain(), Some(expected <= 900.0), "{trigger} {tier}");
        }
    }
}

#[test]
fn the_room_and_the_patience_that_fits_are_the_known_ones() {
    let found = TIERS.map(|tier| {
        let outlook = outlook("", tier);
        (outlook.room(), outlook.largest_consecutive(), outlook.largest_window())
    });
    assert_eq!(found[0], (secs("720s"), Some(72), Some(secs("715s"))));
    assert_eq!(found[1], (secs("580s"), Some(58), Some(secs("575s"))));
    assert_eq!(found[2], (secs("-20s"), None, None));
}

#[test]
fn the_largest_patience_fits_and_the_next_does_not() {
    for text in ["", "probe = { interval = \"7s\", timeout = \"3s\", jitter = \"1s\" }"] {
        for tier in ["hot", "warm"] {
            let outlook = outlook(text, tier);
            let interval = outlook.plan.interval;
            let worst = |spec: Spec| outlook.recovery(spec.patience(interval)).worst_case_met;
            let k = outlook.largest_consecutive().unwrap();
            assert_eq!(worst(Spec::Consecutive { k }), Met::Always);
            assert!(matches!(worst(Spec::Consecutive { k: k + 1 }), Met::Never { .. }));
            let window = outlook.largest_window().unwrap();
            assert_eq!(Spec::Window { window }.checks_to_fire(interval), k);
            assert_eq!(worst(Spec::Window { window }), Met::Always);
        }
    }
}

#[test]
fn the_worst_case_adds_an_interval_and_what_a_result_comes_late_by() {
    let late = outlook("probe = { interval = \"10s\", timeout = \"5s\", jitter = \"2s\" }", "hot");
    assert_eq!(late.plan.worst_detection(secs("110s")), secs("127s"));
    // 71 intervals of 10 s and 7 s are within 720 s, 72 are not.
    assert_eq!(late.largest_consecutive(), Some(71));
}

#[test]
fn recovery_that_meets_from_the_first_failed_probe_may_miss_in_the_worst_case() {
    let recovery = outlook("", "hot").recovery(secs("720s"));
    assert_eq!((recovery.recovery_s, recovery.met), (900.0, Met::Always));
    assert_eq!(recovery.worst_case_met, Met::Never { over_by: secs("10s") });
}

#[test]
fn replicas_share_the_storage() {
    let eight = outlook("stages = { replicas = 8, storage_gb_per_s = 4.0 }", "warm");
    assert_eq!(eight.plan.loading.rate_gb_per_s(), 0.5);
    assert!(eight.plan.loading.is_contended());
    assert_eq!(eight.plan.loading.uncontended_replicas(), Some(4));
    assert_eq!(eight.plan.stage("weight_load").unwrap().constant, Some(secs("280s")));
    assert_eq!(eight.room(), secs("440s"));
    let two = outlook("stages = { replicas = 2, storage_gb_per_s = 4.0 }", "warm");
    assert_eq!((two.plan.loading.rate_gb_per_s(), two.room()), (1.0, secs("580s")));
}

#[test]
fn a_target_says_what_is_its_own() {
    let text = "
        stages = { weights_gb = 280.0, reserve = \"10%\" }
        targets = [
            { tier = \"warm\", name = \"near\", load_rate_gb_per_s = 2.0, reserve = \"0s\" },
            { tier = \"warm\", name = \"far\", traffic_shift = \"300s\" },
        ]";
    assert_eq!(outlook(text, "near").room(), secs("580s"));
    // 900 − 90 − (60 + 300 + 280).
    assert_eq!(outlook(text, "far").room(), secs("170s"));
    assert_eq!(outlook(text, "far").plan.reserve(), secs("90s"));
}

#[test]
fn further_stages_add_up_in_sequence_and_hide_beside() {
    let with = |extra: &str| {
        let text = format!("stages.extra = [{{ name = \"approval\", {extra} }}]");
        outlook(&text, "cold").after.constant().unwrap()
    };
    assert_eq!(with("length = \"300s\""), secs("1220s"));
    assert_eq!(with("length = \"300s\", before = \"promotion\""), secs("1220s"));
    assert_eq!(with("length = \"300s\", beside = \"capacity\""), secs("920s"));
    assert_eq!(with("length = \"700s\", beside = \"capacity\""), secs("1020s"));
}

#[test]
fn a_run_of_stages_has_begin_and_end_of_each() {
    let text = "stages.extra = [{ name = \"dns\", length = \"150s\", beside = \"traffic_shift\" }]";
    let plan = outlook(text, "warm").plan;
    let runs = plan.sampler(Streams::new(1, 0)).next_stages();
    let found: Vec<_> = runs
        .iter()
        .map(|run| (&run.name[..], run.begin.as_secs_f64(), run.end.as_secs_f64()))
        .collect();
    let expected = [
        ("promotion", 0.0, 60.0),
        ("traffic_shift", 60.0, 180.0),
        ("dns", 60.0, 210.0),
        ("weight_load", 210.0, 350.0),
    ];
    assert_eq!(found, expected);
}

#[test]
fn each_stage_draws_from_its_own_stream_and_constants_draw_nothing() {
    let law = "{ law = \"exponential\", mean = \"60s\" }";
    let alone = outlook(&format!("stages.promotion = {law}"), "hot").plan;
    let others = outlook(&format!("stages.promotion = {law}\nstages.traffic_shift = {law}"), "hot");
    let mut rng = Streams::new(7, 3).named("stage/hot/promotion");
    let promotion = alone.stage("promotion").unwrap().length.clone();
    let (mut one, mut two) =
        (alone.sampler(Streams::new(7, 3)), others.plan.sampler(Streams::new(7, 3)));
    let mut again = others.plan.sampler(Streams::new(7, 3));
    for _ in 0..100 {
        let drawn = promotion.sample(&mut rng);
        assert_eq!(one.next(), drawn + secs("120s"));
        let runs = two.next_stages();
        assert_eq!(runs[0].end, drawn);
        assert_eq!(again.next(), runs[1].end);
    }
}

#[test]
fn one_stage_with_a_law_has_its_closed_form() {
    let text = "stages.traffic_shift = { law = \"exponential\", mean = \"120s\" }";
    let warm = outlook(text, "warm");
    assert!(!warm.after.is_drawn());
    assert!((warm.after.mean().value - 320.0).abs() < 1e-9);
    let median = 200.0 + 120.0 * std::f64::consts::LN_2;
    assert!((warm.after.quantile(0.5).value - median).abs() < 1e-9);
    // 900 − 110 − 200 = 590 s are left for the shift, 580 s in the worst case.
    let recovery = warm.recovery(secs("110s"));
    let Met::Chance(met) = recovery.met else { panic!("{recovery:?}") };
    let Met::Chance(worst) = recovery.worst_case_met else { panic!("{recovery:?}") };
    assert!((met.value - (1.0 - (-590.0_f64 / 120.0).exp())).abs() < 1e-12);
    assert!((worst.value - (1.0 - (-580.0_f64 / 120.0).exp())).abs() < 1e-12);
    assert_eq!((met.exact, met.lo, met.n), (Some(met.value), met.value, 0));
    // The 99 % room is 700 − 120 ln 100 = 147.4 s.
    assert_eq!(warm.largest_consecutive(), Some(14));
    assert_eq!(warm.recovery(secs("701s")).met, Met::Never { over_by: secs("1s") });
}

#[test]
fn a_law_beside_a_constant_is_cut_off_below() {
    let text = "
        stages.capacity = { law = \"exponential\", mean = \"600s\" }
        stages.extra = [{ name = \"approval\", length = \"300s\", beside = \"capacity\" }]";
    let cold = outlook(text, "cold");
    // E max(c, X) = c + m·exp(−c/m), and 320 s for the other stages.
    let mean = 320.0 + 300.0 + 600.0 * (-0.5_f64).exp();
    assert!((cold.after.mean().value - mean).abs() < 1e-9);
    assert_eq!(cold.after.quantile(0.1).value, 620.0);
    assert_eq!(cold.after.least(), secs("620s"));
    let within = |text| cold.after.within(secs(text)).value;
    assert_eq!(within("619s"), 0.0);
    assert!((within("620s") - (1.0 - (-0.5_f64).exp())).abs() < 1e-12);
}

#[test]
fn several_laws_agree_with_closed_forms_within_their_intervals() {
    // Two exponential stages of the same mean in sequence are an Erlang law of two; side by side
    // they are the longer of two, of mean 1.5 m.
    let law = "{ law = \"exponential\", mean = \"100s\" }";
    let sequence =
        outlook(&format!("stages.promotion = {law}\nstages.traffic_shift = {law}"), "hot");
    let erlang = |x: f64| 1.0 - (1.0 + x / 100.0) * (-x / 100.0).exp();
    let beside = outlook(
        &format!(
            "stages.promotion = {law}\nstages.traffic_shift = \"0s\"
             stages.extra = [{{ name = \"a\", length = {law}, beside = \"promotion\" }}]"
        ),
        "hot",
    );
    let longer = |x: f64| (1.0 - (-x / 100.0).exp()).powi(2);
    assert!(sequence.after.is_drawn() && beside.after.is_drawn());
    assert_eq!(sequence.after.mean().exact, Some(200.0));
    // With 100000 draws; five standard errors, so that bad luck has a chance of 6e-7 at each of
    // six points and one mean.
    for x in [50.0, 200.0, 600.0] {
        for (outlook, cdf) in [(&sequence, &erlang as &dyn Fn(f64) -> f64), (&beside, &longer)] {
            let (found, p) = (outlook.after.within(Span::from_secs_f64(x)), cdf(x));
            let error = (p * (1.0 - p) / 1e5).sqrt();
            assert!((found.value - p).abs() < 5.0 * error, "{x}: {found:?} {p}");
            assert!(found.lo < found.value && found.value < found.hi && found.n == 100_000);
        }
    }
    let mean = beside.after.mean();
    // Var max = 1.25 m².
    assert!((mean.value - 150.0).abs() < 5.0 * 100.0 * (1.25_f64 / 1e5).sqrt(), "{mean:?}");
}

#[test]
fn a_bounded_law_can_be_certain() {
    let hot =
        outlook("stages.promotion = { law = \"uniform\", from = \"30s\", to = \"90s\" }", "hot");
    assert_eq!(hot.met(secs("690s")), Met::Always);
    assert!(matches!(hot.met(secs("691s")), Met::Chance(_)));
    assert_eq!(hot.met(secs("751s")), Met::Never { over_by: secs("1s") });
}

#[test]
fn why_nothing_fits_is_said_in_words() {
    let said = |text: &str, tier: &str| outlook(text, tier).why_not().unwrap_or_default();
    assert_eq!(said("", "hot"), "");
    assert_eq!(
        said("", "cold"),
        "capacity 600 s + weights 140 s + 180 s exceeds 900 s: no trigger can"
    );
    assert_eq!(
        said("rto = \"170s\"\nstages.reserve = \"10%\"", "hot"),
        "promotion 60 s + traffic shift 120 s + reserve 17 s exceeds 170 s: no trigger can"
    );
    assert_eq!(
        said("rto = \"925s\"", "cold"),
        "capacity 600 s + weights 140 s + 180 s leaves 5 s of 925 s, and a failed probe may be 10 s \
         away: no trigger always can"
    );
    let heavy = said("stages.promotion = { law = \"exponential\", mean = \"300s\" }", "warm");
    // 260 + 300 ln 100 = 1641.551 s.
    assert!(heavy.starts_with("the stages take up to 1641.551 s in 99% of recoveries"), "{heavy}");
}

#[test]
fn stages_without_a_place_and_negative_reserves_are_refused_with_their_keys() {
    let said = |text: &str| Scenario::from_toml("a.toml", text).unwrap_err().to_string();
    let unknown =
        said("[[stages.extra]]\nname = \"approval\"\nlength = \"5min\"\nbefore = \"promotoin\"\n");
    assert!(unknown.starts_with("a.toml:4: stages.extra.0.before: there is no stage `promotoin`"));
    assert!(unknown.contains("did you mean `promotion`?"), "{unknown}");
    assert!(said("stages.reserve = \"-1s\"").contains("stages.reserve: -1s found"));
    let endless = "{ law = \"pareto\", alpha = 0.5, minimum = \"1s\" }";
    let endless = said(&format!("stages.extra = [{{ name = \"a\", length = {endless} }}]"));
    assert!(endless.contains("stages.extra.0.length"), "{endless}");
}

#[test]
fn hostile_numbers_do_not_panic() {
    let extremes = [
        "rto = \"36525d\"\nstages.weights_gb = 1e9\nstages.load_rate_gb_per_s = 1e-300",
        "rto = \"1ns\"\nprobe.interval = \"1ns\"\nrun.length = \"1s\"",
        "stages.weights_gb = 0.0\nstages.storage_gb_per_s = 1e-300\nstages.replicas = 1000000",
        "stages.reserve = \"100%\"",
        "stages.promotion = { law = \"lognormal\", mu = 30.0, sigma = 9.0 }",
        "stages.promotion = { law = \"pareto\", alpha = 1.0001, minimum = \"36525d\" }",
    ];
    for text in extremes {
        let scenario = scenario(text);
        let outlooks = outlooks(&scenario).unwrap();
        for outlook in &outlooks {
            outlook.would_fit(outlook.plan.worst_detection(Span::ZERO));
        }
        let report = serde_json::to_value(Report::of(&scenario, &outlooks)).unwrap();
        assert_eq!(report["tiers"].as_array().unwrap().len(), 3, "{text}");
    }
}
