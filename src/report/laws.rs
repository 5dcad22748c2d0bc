//! What the answer's triggers would cost if blips of the same mean followed another law.
//!
//! Exact values, so nothing is sampled; only for worlds that theory covers.

use super::answer::FLOOR_PER_DAY;
use super::scale::Scale;
use super::sensitivity::followed;
use super::study::Study;
use super::table::{Column, Item, Table};
use super::words;
use crate::estimate::{Estimate, LEVEL};
use crate::experiment::figures::theory;
use crate::law::Law;
use crate::trigger::Spec;

/// Theory costs a little for each check it is asked about.
const DEEPEST: u64 = 500;

/// The table; none where theory does not cover the scenario, or its triggers.
pub(super) fn table(study: &Study, id: &str) -> Option<Table> {
    let scenario = study.base_scenario();
    let interval = scenario.probe.interval;
    let followed = followed(study);
    let counts: Vec<(String, u64)> = scenario
        .triggers
        .iter()
        .filter(|spec| matches!(spec, Spec::Consecutive { .. } | Spec::Window { .. }))
        .map(|spec| (spec.to_string(), spec.checks_to_fire(interval)))
        .filter(|(name, count)| followed.contains(name) && *count <= DEEPEST)
        .collect();
    let deepest = counts.iter().map(|(_, count)| *count).max()?;
    let own = scenario.blips.0.first()?.length.clone();
    let mut lines: Vec<(String, String, f64)> = Vec::new();
    for law in others(&own) {
        let mut world = scenario.clone();
        world.blips.0[0].length = law.clone();
        let known = theory(&world, deepest)?;
        let rate = |(name, count): &(String, u64)| {
            (words::law(&law), name.clone(), known.run_rate_per_day(*count))
        };
        lines.extend(counts.iter().map(rate));
    }
    Some(drawn(&lines, id))
}

/// The scenario's own law, and one of the same mean from each family whose tail differs.
fn others(own: &Law) -> Vec<Law> {
    let mean = own.mean();
    let others = [
        Law::exponential(1.0),
        Law::gamma(2.0, 1.0),
        Law::weibull(0.7, 1.0),
        Law::lognormal(0.0, 1.0),
        Law::pareto(1.5, 1.0),
    ];
    let same_mean = others.into_iter().flatten().filter_map(|law| law.with_mean(mean).ok());
    let other_family = same_mean.filter(|law| law.family() != own.family());
    std::iter::once(own.clone()).chain(other_family).collect()
}

fn drawn(lines: &[(String, String, f64)], id: &str) -> Table {
    let scale = Scale::decades(lines.iter().map(|(.., rate)| *rate), FLOOR_PER_DAY);
    let row = |(law, trigger, rate): &(String, String, f64)| {
        let known =
            Estimate { value: *rate, lo: *rate, hi: *rate, level: LEVEL, n: 0, exact: Some(*rate) };
        vec![
            Item::text(law),
            Item::text(trigger),
            Item::number(words::significant(*rate, 4), *rate),
            Item::strip(&known, &scale),
            Item::text(words::how_often(*rate)),
        ]
    };
    Table {
        id: format!("{id}-laws"),
        caption: "If blips of the same mean followed another law".to_owned(),
        note: Some(
            "Exact values, nothing is sampled. The tail decides: refit the law to recorded history before \
             trusting a rate."
                .to_owned(),
        ),
        columns: vec![
            Column::text("Blip length"),
            Column::text("Trigger"),
            Column::number("False failovers a day, exact"),
            Column::strip(format!("{} a day, log", scale.ends())),
            Column::text("That is"),
        ],
        rows: lines.iter().map(row).collect(),
        folded: false,
    }
}
