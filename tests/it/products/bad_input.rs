//! Configurations that cannot be read, and triggers that cannot be written.

use failover_budget::advise::products::{Kind, Names, Product, export, import};
use failover_budget::time::Span;
use proptest::prelude::*;

use super::asked;

fn refused(text: &str) -> String {
    import("x", text, None, Span::from_secs(60)).unwrap_err().to_string()
}

#[test]
fn errors_name_file_line_key_and_what_is_allowed() {
    for (text, expected) in [
        ("", "x: there is nothing to read in it; expected is a `readinessProbe`"),
        ("a: [1", "x:"),
        (
            "spec:\n  readinessProbe:\n    periodSeconds: 0\n",
            "x:3: `spec.readinessProbe.periodSeconds` is 0; allowed is a whole number from 1 to 2147483647",
        ),
        ("readinessProbe: soon\n", "x:1: `readinessProbe` is `soon`; allowed is a probe"),
        (
            "groups:\n- rules:\n  - alert: A\n    expr: up == 0\n    for: 5 minutes\n",
            "x:5: `groups.0.rules.0.for` is `5 minutes`; allowed is a duration such as `90s` or `1m30s`",
        ),
        ("groups:\n- rules:\n  - alert: A\n", "x:3: `groups.0.rules.0.expr` is missing"),
        ("{\"EvaluationPeriods\": 3}", "x:1: `Period` is missing"),
        (
            "{\"Period\": 60,\n \"EvaluationPeriods\": 3,\n \"DatapointsToAlarm\": 4}",
            "x:3: `DatapointsToAlarm` is 4; allowed is at most EvaluationPeriods",
        ),
        (
            "{\"Period\": {\"Ref\": \"P\"}, \"EvaluationPeriods\": 3}",
            "x:1: `Period` is keys and values; allowed is a whole number from 1",
        ),
        (
            "{\"Period\": 60, \"EvaluationPeriods\": 9223372036854775807}",
            "such that all periods last at most 604800 s",
        ),
        (
            "{\"Period\": 60, \"EvaluationPeriods\": 3, \"TreatMissingData\": \"bad\"}",
            "x:1: `TreatMissingData` is `bad`; allowed is `breaching`",
        ),
    ] {
        let error = refused(text);
        assert!(error.contains(expected), "{text:?}\n{error}");
    }
}

#[test]
fn a_kind_that_is_not_in_the_file_is_an_error() {
    let error = import("x", "a: 1", Some(Kind::CloudWatch), Span::from_secs(60)).unwrap_err();
    assert!(error.to_string().contains("EvaluationPeriods"), "{error}");
}

#[test]
fn what_no_product_can_hold_is_refused_and_never_bent_silently() {
    let refused = |product, trigger: &str, interval: Span| {
        let mut asked = asked(trigger);
        asked.interval = interval;
        export(product, &asked, &Names::default()).unwrap_err().to_string()
    };
    let day = Span::from_days(1);
    assert!(
        refused(Product::Prometheus, "consecutive:3", Span::from_nanos(1_500))
            .contains("milliseconds")
    );
    assert!(refused(Product::Prometheus, "consecutive:1000000000", day).contains("hundred years"));
    assert!(refused(Product::HaProxy, "consecutive:3", day * 30).contains("2147483647 ms"));
    assert!(refused(Product::CloudWatch, "consecutive:3", day * 8).contains("up to 7 days"));
    assert!(refused(Product::Envoy, "consecutive:3", Span::ZERO).contains("longer than 0s"));
    let names = Names { metric: "probe success".to_owned(), ..Names::default() };
    let error =
        export(Product::Prometheus, &asked("consecutive:3"), &names).unwrap_err().to_string();
    assert!(error.contains("metric `probe success`"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is in a file, reading it ends in an answer or an error.
    #[test]
    fn no_input_is_a_crash(
        key in "(alert|expr|for|interval|groups|rules|readinessProbe|periodSeconds|EvaluationPeriods|Period)",
        value in "\\PC{0,40}",
        expr in "[a-z_0-9()\\[\\]{}<>=!\"' .:/+-]{0,60}",
    ) {
        for text in [
            format!("{key}: {value}"),
            format!("{value}: {key}"),
            format!("groups: [{{rules: [{{alert: x, expr: {expr:?}, for: 1m}}]}}]"),
            format!("groups: [{{interval: 10s, rules: [{{alert: x, {key}: {expr:?}, expr: {value:?}}}]}}]"),
        ] {
            let _ = import("x", &text, None, Span::from_secs(60));
        }
    }

    /// Whatever is asked, writing it ends in files or an error, and the patience is never negative.
    #[test]
    fn no_trigger_is_a_crash(
        k in prop_oneof![1_u64..100, Just(1_000_000_000)],
        nanos in prop_oneof![1_i64..5_000_000, 1_000_000_000_i64..100_000_000_000, Just(3_155_760_000_000_000_000)],
        timeout in 1_i64..100_000_000_000,
    ) {
        for product in Product::ALL {
            let mut asked = asked("consecutive:1");
            asked.trigger = super::consecutive(k);
            asked.interval = Span::from_nanos(nanos);
            asked.timeout = Span::from_nanos(timeout);
            if let Ok(export) = export(product, &asked, &Names::default()) {
                prop_assert!(export.amounts.patience >= Span::ZERO, "{:?}", export.amounts);
            }
        }
    }
}
