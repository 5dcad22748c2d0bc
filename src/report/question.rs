//! The question and the scenario, in words.

use serde::Serialize;

use super::study::Study;
use super::words;
use crate::scenario::{Arrivals, BlipSource, OutageKind, Scenario};
use crate::trigger::{Arming, Silence};

/// What was asked.
#[derive(Debug, Serialize)]
pub(super) struct Question {
    /// In one sentence.
    pub(super) asked: String,
    /// What was simulated: terms and what they are.
    pub(super) facts: Vec<(String, String)>,
}

/// The question of a study.
pub(super) fn question(study: &Study) -> Question {
    let scenario = study.base_scenario();
    let mut facts = Vec::new();
    let mut put = |term: &str, text: String| facts.push((term.to_owned(), text));
    put("Blips", blips(scenario));
    put("Outage", outage(scenario));
    put("Probe and controller", controller(scenario));
    put("Varied", varied(study));
    put("Triggers", triggers(study));
    put("Standby targets", targets(study));
    put("Simulated", simulated(study));
    Question {
        asked: format!(
            "How long should the controller wait before it fails over, if the first request must be served from \
             the standby within {} of the start of an outage, and what does that cost in false failovers?",
            words::span(scenario.rto)
        ),
        facts,
    }
}

fn blips(scenario: &Scenario) -> String {
    if scenario.blips.0.is_empty() {
        return "none".to_owned();
    }
    let several = scenario.blips.0.len() > 1;
    let source = |source: &BlipSource| {
        let name = if several { format!("{}: ", source.name) } else { String::new() };
        let often = match source.arrivals {
            Arrivals::GapRenewal => format!("after healthy gaps ({})", words::law(&source.gap)),
            Arrivals::Poisson => {
                format!("starts at random, one per gap of {}", words::law(&source.gap))
            }
        };
        let fails = match source.fail_probability {
            1.0 => "every probe in one fails".to_owned(),
            p => format!("a probe in one fails with probability {p}"),
        };
        format!("{name}{often}, of length {}; {fails}", words::law(&source.length))
    };
    scenario.blips.0.iter().map(source).collect::<Vec<_>>().join(". ")
}

fn outage(scenario: &Scenario) -> String {
    let outage = &scenario.outage;
    let kind = match outage.kind {
        OutageKind::Reported => "reported: probes arrive and fail".to_owned(),
        OutageKind::Dark => "dark: the prober goes with the region and nothing arrives".to_owned(),
        OutageKind::Gray => {
            format!("gray: each probe fails with probability {}", outage.fail_probability)
        }
    };
    format!("{kind}; lasts {}; begins at a random instant", words::law(&outage.length))
}

fn controller(scenario: &Scenario) -> String {
    let silence = match scenario.controller.silence {
        Silence::Ignored => "silence is ignored",
        Silence::Failure => "silence counts as failure",
    };
    let arming = match scenario.controller.arming {
        Arming::Immediate => "a restarted controller may fire at once".to_owned(),
        Arming::FullWindow => "a restarted controller waits for a full window".to_owned(),
        Arming::Checks(n) => {
            format!("a restarted controller waits for {}", words::count(n, "check"))
        }
    };
    let probe = &scenario.probe;
    let mut text = format!("a probe every {}; {silence}; {arming}", words::span(probe.interval));
    if probe.jitter.is_positive() {
        text += &format!("; jitter up to {}", words::span(probe.jitter));
    }
    if probe.timeout.is_positive() {
        text += &format!("; a failure is learnt {} late", words::span(probe.timeout));
    }
    if let Some(gap) = &scenario.prober.gap {
        text += &format!("; the prober dies (gaps {})", words::law(gap));
    }
    if let Some(gap) = &scenario.restarts.gap {
        text += &format!("; the controller restarts (gaps {})", words::law(gap));
    }
    text
}

fn varied(study: &Study) -> String {
    if study.columns.is_empty() {
        return "nothing but the trigger".to_owned();
    }
    let column = |column: &super::study::AxisColumn| {
        let values: Vec<String> = column.values.iter().map(words::value).collect();
        format!("{}: {}", words::axis(&column.name), words::ends(&values))
    };
    study.columns.iter().map(column).collect::<Vec<_>>().join("; ")
}

fn triggers(study: &Study) -> String {
    let names: Vec<String> = study.runs[study.base].iter().map(|run| run.trigger.clone()).collect();
    words::ends(&names)
}

fn targets(study: &Study) -> String {
    let target = |outlook: &crate::budget::Outlook| {
        let plan = &outlook.plan;
        let tier = plan.tier.to_string();
        let named = if plan.target == tier { tier } else { format!("{} ({tier})", plan.target) };
        format!("{named}: {}", crate::budget::words::stages(plan))
    };
    study.outlooks[study.base].iter().map(target).collect::<Vec<_>>().join(". ")
}

fn simulated(study: &Study) -> String {
    let run = &study.base_scenario().run;
    let point_days = |point: usize| study.runs[point].first().map_or(0.0, |run| run.days);
    let days: f64 = (0..study.points().len()).map(point_days).sum();
    format!(
        "up to {} of {} at each of {}, {} in all; every trigger meets the same faults",
        words::count(run.replications, "replication"),
        words::span(run.length),
        words::count(study.points().len() as u64, "point"),
        words::count(days.round() as u64, "day")
    )
}
