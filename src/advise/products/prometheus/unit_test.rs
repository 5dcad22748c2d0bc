//! The unit tests that go with the rules: when each fires, and what must not make it fire.
//!
//! Samples fall on the evaluations in a unit test, so the rules fire exactly at their patience.

use minijinja::{Value, context};
use serde::Serialize;

use super::{Rules, duration, up};
use crate::advise::products::{Asked, ConfigFile, ExportError, Product, render};
use crate::time::Span;
use crate::trigger::{Silence, Spec};

const TEMPLATE: &str = include_str!("../templates/prometheus-test.yaml");
const TEST_FILE: &str = "failover-rules-test.yaml";
/// The most samples that a unit test is given.
const MOST_SAMPLES: i64 = 100_000;

/// One test: a series, and which alerts fire when.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Case {
    name: String,
    values: String,
    expected: Vec<Expected>,
}

/// What stands at an instant.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Expected {
    at: String,
    alert: &'static str,
    fires: bool,
}

const UNHEALTHY: &str = "RegionUnhealthy";
const SILENT: &str = "RegionSilent";

fn expect(alert: &'static str, at: Span, fires: bool) -> Expected {
    Expected { at: duration::write(at), alert, fires }
}

/// `count` samples of one value; nothing for none.
fn run(value: &str, count: i64) -> String {
    if count > 0 { format!("{value}+0x{} ", count - 1) } else { String::new() }
}

/// The smallest span that is a whole number of both.
fn common_multiple(a: Span, b: Span) -> Option<Span> {
    let (mut x, mut y) = (a.as_nanos(), b.as_nanos());
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a.as_nanos() / x).checked_mul(b.as_nanos()).map(Span::from_nanos)
}

/// The tests, or none where they would need too many samples.
pub(super) fn plan(asked: &Asked, rules: &Rules) -> Option<Vec<Case>> {
    let Rules { interval, evaluation, .. } = *rules;
    let history = super::times(interval, rules.looks_back);
    let start = up(history, common_multiple(interval, evaluation)?);
    let healthy = start.div_floor(interval);
    let failing = up(rules.patience(), interval).div_floor(interval) + 3;
    if healthy.max(failing) > MOST_SAMPLES
        || rules.silent_patience().div_floor(interval) > MOST_SAMPLES
    {
        return None;
    }
    let before = run("1", healthy);
    let fires = start + rules.patience();
    let mut cases = vec![Case {
        name: "every check fails from then on: fires at its patience and not one evaluation before"
            .to_owned(),
        values: format!("{before}{}", run("0", failing)),
        expected: vec![
            expect(UNHEALTHY, fires - evaluation, false),
            expect(UNHEALTHY, fires, true),
        ],
    }];
    cases.extend(short_blip(asked, rules, &before, fires));
    cases.extend(gap(asked, rules, &before, start));
    cases.push(silence(asked, rules, &before, start));
    Some(cases)
}

/// One failure fewer than it takes.
fn short_blip(asked: &Asked, rules: &Rules, before: &str, fires: Span) -> Option<Case> {
    let checks = i64::try_from(asked.trigger.checks_to_fire(rules.interval)).ok()?;
    let shared = matches!(asked.trigger, Spec::SuccessRate { .. });
    if shared || checks < 2 || rules.interval != rules.evaluation {
        return None;
    }
    let expected = vec![
        expect(UNHEALTHY, fires - rules.evaluation, false),
        expect(UNHEALTHY, fires, false),
        expect(UNHEALTHY, fires + rules.evaluation, false),
    ];
    Some(Case {
        name: "a blip one check too short: does not fire".to_owned(),
        values: format!("{before}{}{}", run("0", checks - 1), run("1", 4)),
        expected,
    })
}

/// A sample goes missing inside a failing run.
fn gap(asked: &Asked, rules: &Rules, before: &str, start: Span) -> Option<Case> {
    let checks = asked.trigger.checks_to_fire(rules.interval);
    let run_of = matches!(asked.trigger, Spec::Consecutive { .. } | Spec::Window { .. });
    if !run_of || checks < 3 || rules.interval != rules.evaluation {
        return None;
    }
    let fires = start + rules.patience();
    let (name, expected) = match asked.silence {
        Silence::Failure => (
            "a missing check inside a failing run counts as failed",
            vec![
                expect(UNHEALTHY, fires - rules.evaluation, false),
                expect(UNHEALTHY, fires, true),
            ],
        ),
        Silence::Ignored => {
            let again = fires + rules.interval * 2;
            let name = "a missing check inside a failing run starts it again";
            let before = expect(UNHEALTHY, again - rules.evaluation, false);
            (name, vec![before, expect(UNHEALTHY, again, true)])
        }
    };
    let failing = i64::try_from(checks).ok()? + 3;
    let values = format!("{before}0 stale {}", run("0", failing));
    Some(Case { name: name.to_owned(), values, expected })
}

/// Nothing arrives any more.
fn silence(asked: &Asked, rules: &Rules, before: &str, start: Span) -> Case {
    let fires = start + rules.silent_patience();
    let mut expected = vec![expect(SILENT, fires, true)];
    if rules.silent_patience().is_positive() {
        expected.insert(0, expect(SILENT, fires - rules.evaluation, false));
    }
    let counted = asked.silence == Silence::Failure;
    expected.push(expect(UNHEALTHY, start + rules.patience(), counted));
    Case {
        name: if counted {
            "no check arrives any more: both rules fire".to_owned()
        } else {
            "no check arrives any more: only the rule on silence fires".to_owned()
        },
        values: format!("{before}stale"),
        expected,
    }
}

/// The file of the tests.
pub(super) fn file(values: Value) -> Result<ConfigFile, ExportError> {
    let values = context! { unhealthy => UNHEALTHY, ..values };
    render::file(Product::Prometheus, TEST_FILE, TEMPLATE, values)
}
