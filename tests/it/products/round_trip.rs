//! What is written is read back as the trigger it was written for, and what people write is read.

use failover_budget::advise::products::{Absence, Imported, Kind, Product, import};
use failover_budget::time::Span;
use failover_budget::trigger::{Silence, Spec};
use proptest::prelude::*;

use super::{asked, exported};

const MINUTE: Span = Span::from_secs(60);

fn read(file: &str) -> Vec<Imported> {
    let path = format!("{}/tests/data/products/{file}", env!("CARGO_MANIFEST_DIR"));
    import(file, &std::fs::read_to_string(path).unwrap(), None, MINUTE).unwrap()
}

fn shown(imported: &[Imported]) -> String {
    let mut text = String::new();
    for one in imported {
        let amounts = &one.amounts;
        text.push_str(&format!(
            "{} (line {}, {}): {} every {}, patience {} and up to {} more, silence {}, arming {}\n",
            one.name,
            one.line,
            one.kind,
            amounts.trigger,
            amounts.interval,
            amounts.patience,
            amounts.up_to_later,
            amounts.absence.name(),
            amounts.arming
        ));
        for note in &one.notes {
            text.push_str(&format!("  note: {note}\n"));
        }
    }
    text
}

#[test]
fn what_people_write_is_read() {
    for file in [
        "deployment.yaml",
        "probe.yaml",
        "rules.yml",
        "prometheus-rule.yaml",
        "describe-alarms.json",
        "cloudformation.json",
    ] {
        insta::assert_snapshot!(
            format!("read_{}", file.replace(['.', '-'], "_")),
            shown(&read(file))
        );
    }
}

/// The same rule: a window is a run of failures, and all of N is a run of N.
fn same_rule(a: Spec, b: Spec, interval: Span) -> bool {
    match (a, b) {
        (Spec::MOfN { m, n }, Spec::MOfN { m: p, n: q }) => (m, n) == (p, q),
        (Spec::SuccessRate { min_success: a, .. }, Spec::SuccessRate { min_success: b, .. }) => {
            a == b
        }
        (Spec::MOfN { m, n }, Spec::Consecutive { k }) => m == n && n == k,
        (Spec::Consecutive { .. } | Spec::Window { .. }, Spec::Consecutive { .. }) => {
            a.checks_to_fire(interval) == b.checks_to_fire(interval)
        }
        _ => false,
    }
}

fn back(product: Product, kind: Kind, trigger: Spec, interval: Span, silence: Silence) {
    let mut asked = asked("consecutive:1");
    (asked.trigger, asked.interval, asked.silence) = (trigger, interval, silence);
    let export = exported(product, &asked);
    let file = &export.files[0];
    let read = import(&file.name, &file.text, None, MINUTE).unwrap();
    let one = &read[0];
    let case = format!("{product}: {trigger} every {interval}, {silence}\n{}", file.text);
    assert_eq!(one.kind, kind, "{case}");
    assert!(same_rule(trigger, one.amounts.trigger, interval), "{case}{}", one.amounts.trigger);
    assert_eq!(one.amounts.interval, interval, "{case}");
    assert_eq!(one.amounts.patience, asked.patience(), "{case}");
    assert_eq!(one.amounts.absence, export.amounts.absence, "{case}");
    assert_eq!(one.amounts.up_to_later, export.amounts.up_to_later, "{case}");
    if product == Product::Prometheus {
        assert_eq!(read[1].name, "RegionSilent");
        assert_eq!(read[1].amounts.absence, Absence::Failure, "{case}");
        assert_eq!(read[1].amounts.patience, asked.patience(), "{case}");
    }
}

fn any_run() -> impl Strategy<Value = Spec> {
    prop_oneof![
        (1_u64..200).prop_map(|k| Spec::Consecutive { k }),
        (1_i64..2_000).prop_map(|secs| Spec::Window { window: Span::from_secs(secs) }),
    ]
}

fn any_count() -> impl Strategy<Value = Spec> {
    let m_of_n = (1_u64..50, 0_u64..50).prop_map(|(m, more)| Spec::MOfN { m, n: m + more });
    prop_oneof![any_run(), m_of_n]
}

fn any_share() -> impl Strategy<Value = Spec> {
    // With one check in the window a share is no more than that check.
    (1_u32..=20, 60_i64..600, 0_i64..900).prop_map(|(share, window, fail_after)| {
        Spec::SuccessRate {
            min_success: f64::from(share) / 20.0,
            window: Span::from_secs(window),
            fail_after: Span::from_secs(fail_after),
        }
    })
}

fn any_silence() -> impl Strategy<Value = Silence> {
    prop_oneof![Just(Silence::Failure), Just(Silence::Ignored)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_probe_comes_back(trigger in any_run(), secs in 1_i64..120) {
        let asked_for = Span::from_secs(secs);
        let mut asked = asked("consecutive:1");
        (asked.trigger, asked.interval) = (trigger, asked_for);
        let export = exported(Product::Kubernetes, &asked);
        let read = import("probe", &export.files[0].text, None, MINUTE).unwrap();
        prop_assert_eq!(&read[0].amounts, &export.amounts);
        prop_assert_eq!(read[0].amounts.patience, asked.patience());
    }

    #[test]
    fn an_alarm_comes_back(trigger in any_count(), period in 0_usize..5, silence in any_silence()) {
        let interval = Span::from_secs([10, 20, 30, 60, 300][period]);
        back(Product::CloudWatch, Kind::CloudWatch, trigger, interval, silence);
    }

    #[test]
    fn a_rule_comes_back(
        trigger in prop_oneof![any_count(), any_share()],
        secs in 1_i64..60,
        silence in any_silence(),
    ) {
        back(Product::Prometheus, Kind::Prometheus, trigger, Span::from_secs(secs), silence);
    }
}
