//! What is written, whole, and how far it is from what was asked.

use failover_budget::advise::products::tree::Node;
use failover_budget::advise::products::{Absence, Export, Product, export};
use failover_budget::time::Span;
use failover_budget::trigger::{Arming, Silence};

use super::{asked, consecutive, exported, nasty};

fn shown(export: &Export) -> String {
    let amounts = &export.amounts;
    let mut text = format!(
        "{} every {}, patience {} and up to {} more, silence {}, arming {}\n",
        amounts.trigger,
        amounts.interval,
        amounts.patience,
        amounts.up_to_later,
        amounts.absence.name(),
        amounts.arming
    );
    for (word, sentences) in [("differs", &export.differences), ("note", &export.notes)] {
        for sentence in sentences {
            text.push_str(&format!("{word}: {sentence}\n"));
        }
    }
    for file in &export.files {
        text.push_str(&format!("\n--- {} ---\n{}", file.name, file.text));
    }
    text
}

#[test]
fn twelve_in_a_row_for_every_product() {
    for product in Product::ALL {
        let export = exported(product, &asked("consecutive:12"));
        insta::assert_snapshot!(format!("consecutive_12_{product}"), shown(&export));
    }
}

#[test]
fn three_of_five_for_every_product() {
    for product in Product::ALL {
        let export = exported(product, &asked("m-of-n:3/5"));
        insta::assert_snapshot!(format!("m_of_n_3_5_{product}"), shown(&export));
    }
}

/// One row a case: product, trigger, interval in seconds, the patience asked and got in seconds, and
/// whether it is what was asked.
#[test]
fn the_patience_that_results_and_its_difference() {
    use Product::{CloudWatch, Envoy, HaProxy, Kubernetes, Prometheus, Route53};
    for (product, trigger, interval_s, wanted_s, got_s, same) in [
        (Prometheus, "consecutive:12", 10, 110, 110, true),
        (Prometheus, "window:300s", 10, 300, 300, true),
        (Prometheus, "m-of-n:3/5", 10, 20, 20, true),
        (Prometheus, "success-rate:0.9/60s/180s", 10, 180, 180, false),
        (Prometheus, "consecutive:1", 10, 0, 0, true),
        (Kubernetes, "consecutive:12", 10, 110, 110, false),
        (HaProxy, "consecutive:12", 10, 110, 110, true),
        (HaProxy, "window:300s", 10, 300, 300, true),
        (Envoy, "consecutive:12", 10, 110, 110, false),
        // FailureThreshold ends at 10: five failures 30 s apart are nearer than ten 10 s apart.
        (Route53, "consecutive:12", 10, 110, 120, false),
        (Route53, "consecutive:3", 10, 20, 20, true),
        (Route53, "consecutive:10", 10, 90, 90, true),
        (Route53, "window:300s", 10, 300, 270, false),
        (Route53, "consecutive:4", 5, 15, 20, false),
        (CloudWatch, "consecutive:12", 10, 110, 110, true),
        (CloudWatch, "m-of-n:3/5", 10, 20, 20, true),
        (CloudWatch, "success-rate:0.9/60s/180s", 10, 180, 180, false),
        // A period of 20 s holds one or two checks that are 15 s apart.
        (CloudWatch, "consecutive:4", 15, 45, 45, false),
        (CloudWatch, "consecutive:10", 60, 540, 540, true),
        // More than a day of periods cannot be looked back on.
        (CloudWatch, "consecutive:2000", 60, 119_940, 86_340, false),
    ] {
        let mut asked = asked(trigger);
        asked.interval = Span::from_secs(interval_s);
        let export = exported(product, &asked);
        let case = format!("{product} {trigger} every {interval_s} s");
        assert_eq!(asked.patience(), Span::from_secs(wanted_s), "{case}");
        assert_eq!(export.amounts.patience, Span::from_secs(got_s), "{case}");
        assert_eq!(export.differences.is_empty(), same, "{case}: {:?}", export.differences);
        let said =
            export.differences.iter().any(|difference| difference.contains("its patience is"));
        assert_eq!(said, wanted_s != got_s, "{case}: {:?}", export.differences);
    }
}

#[test]
fn a_hold_between_evaluations_is_rounded_up() {
    let mut asked = asked("consecutive:12");
    asked.evaluation = Some(Span::from_secs(15));
    let export = exported(Product::Prometheus, &asked);
    assert_eq!(export.amounts.patience, Span::from_secs(120));
    assert_eq!(export.amounts.trigger, consecutive(9));
    assert!(
        export.differences[0].contains("`for: 1m50s` is rounded up"),
        "{:?}",
        export.differences
    );
}

#[test]
fn each_product_reads_silence_in_its_own_way() {
    use Absence::{Failure, Healthy, Ignored, Unseen};
    for (product, on_failure, on_ignored) in [
        (Product::Prometheus, Failure, Healthy),
        (Product::Kubernetes, Unseen, Unseen),
        (Product::Route53, Failure, Failure),
        (Product::CloudWatch, Failure, Ignored),
        (Product::HaProxy, Failure, Failure),
        (Product::Envoy, Failure, Failure),
    ] {
        for (silence, expected) in [(Silence::Failure, on_failure), (Silence::Ignored, on_ignored)]
        {
            let mut asked = asked("consecutive:12");
            asked.silence = silence;
            let export = exported(product, &asked);
            assert_eq!(export.amounts.absence, expected, "{product} {silence}");
            let agrees = expected.name() == silence.to_string();
            let said =
                export.differences.iter().any(|difference| difference.contains("silence was"));
            assert_eq!(said, !agrees, "{product} {silence}: {:?}", export.differences);
        }
    }
}

#[test]
fn a_start_without_history_is_told_of() {
    let mut asked = asked("consecutive:12");
    asked.arming = Arming::Immediate;
    let export = exported(Product::HaProxy, &asked);
    assert!(export.files[0].text.contains("init-state up\n"), "{}", export.files[0].text);
    assert!(export.differences.is_empty());
    let export = exported(Product::CloudWatch, &asked);
    assert!(export.differences[0].contains("`immediate` was asked"), "{:?}", export.differences);
}

#[test]
fn names_stay_names_whatever_they_hold() {
    let names = nasty();
    for product in Product::ALL {
        for file in export(product, &asked("consecutive:12"), &names).unwrap().files {
            if product == Product::HaProxy {
                assert!(file.text.contains("uri '/a'\\''b\"c?d=$HOME' ver"), "{}", file.text);
                continue;
            }
            let documents =
                Node::documents(&file.text).unwrap_or_else(|e| panic!("{e:?}\n{}", file.text));
            assert_eq!(documents.len(), 1, "{}", file.text);
            let document = &documents[0];
            let text = |path: &[&str]| document.at(path).and_then(Node::text).map(str::to_owned);
            match product {
                Product::Kubernetes => {
                    assert_eq!(
                        text(&["readinessProbe", "httpGet", "path"]).as_deref(),
                        Some(&*names.path)
                    );
                }
                Product::Envoy => assert_eq!(text(&["name"]).as_deref(), Some(&*names.name)),
                Product::CloudWatch => {
                    assert_eq!(text(&["AlarmName"]), Some(format!("{} unhealthy", names.name)));
                }
                Product::Route53 => {
                    let path = text(&["HealthCheckConfig", "ResourcePath"]);
                    assert_eq!(path.as_deref(), Some(&*names.path));
                }
                // Read back by promtool itself, in its own test.
                Product::Prometheus | Product::HaProxy => {}
            }
        }
    }
}
