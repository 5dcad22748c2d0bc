//! The two lies that a controller tells itself: that silence is health, and that it has no past.
//!
//! A short run of the base scenario measures both, under the flawed rule and the mended one.

use super::ReportError;
use super::study::Study;
use super::table::{Column, Item, Table};
use super::words;
use crate::estimate::Estimate;
use crate::experiment::lab::{Lab, TriggerFigures};
use crate::scenario::Scenario;
use crate::time::Span;
use crate::trigger::{Arming, Silence, Spec};

/// The longest that the run may be, all replications together.
const LONGEST: Span = Span::from_days(3_000);
/// The most replications.
const MOST_REPLICATIONS: i64 = 100;

/// Both lies, measured.
pub(super) struct Lies {
    pub(super) table: Table,
    /// What is to be seen, in a sentence for each lie.
    pub(super) said: Vec<String>,
}

/// Runs the base scenario with the triggers of the answer and the windows that are as patient.
///
/// # Errors
/// When a stage is misplaced.
pub(super) fn lies(study: &Study, id: &str) -> Result<Lies, ReportError> {
    let base = study.base_scenario();
    let replications = LONGEST.div_floor(base.run.length).clamp(1, MOST_REPLICATIONS);
    let replications = base.run.replications.min(replications.unsigned_abs());
    let mut scenario = Scenario { triggers: triggers(study), ..base.clone() };
    scenario.run.replications = replications;
    let lab = Lab::run(scenario, |_| {}).map_err(ReportError::Plan)?;
    let outages = replications * base.outage.per_replication;
    Ok(Lies { table: table(&lab, id, outages), said: said(base, &lab) })
}

/// The answer's triggers, each followed by its window twin: the same patience, another memory.
fn triggers(study: &Study) -> Vec<Spec> {
    let scenario = study.base_scenario();
    let interval = scenario.probe.interval;
    let answers = study.answers_at_base();
    let middle = scenario.triggers.len() / 2;
    let named = if answers.is_empty() { vec![middle] } else { answers };
    let mut specs: Vec<Spec> = Vec::new();
    for trigger in named.into_iter().filter_map(|index| scenario.triggers.get(index)) {
        specs.push(*trigger);
        if let (Spec::Consecutive { k }, true) = (trigger, interval.is_positive()) {
            let k = i64::try_from(*k).unwrap_or(1).min(1_000_000);
            // Half an interval from either neighbour, so that it means k checks and no other number.
            let window = interval * k - interval / 2;
            specs.push(Spec::Window { window });
        }
    }
    specs.dedup();
    specs
}

fn table(lab: &Lab, id: &str, outages: u64) -> Table {
    let share = |share: &Estimate| Item::number(words::percent(share), share.value);
    let row = |figures: &TriggerFigures| {
        vec![
            Item::text(&figures.trigger),
            share(&figures.dark_caught.ignored),
            share(&figures.dark_caught.failure),
            share(&figures.prober_death_fires.ignored),
            share(&figures.prober_death_fires.failure),
            share(&figures.restart_fires.immediate),
            share(&figures.restart_fires.full_window),
        ]
    };
    Table {
        id: format!("{id}-lies"),
        caption: "Silence and amnesia, under the flawed rule and the mended one".to_owned(),
        note: Some(format!(
            "A run of {} with {outages} dark outages, prober deaths and restarts laid over it, for each trigger; \
             95 % intervals. The price of counting silence as failure is in the columns of prober deaths.",
            words::count(lab.replications, "replication")
        )),
        columns: [
            "Dark region caught: silence ignored",
            "silence a failure",
            "Prober death fires: silence ignored",
            "with silence a failure",
            "Restart fires: armed at once",
            "armed with a full window",
        ]
        .into_iter()
        .fold(vec![Column::text("Trigger")], |mut columns, label| {
            columns.push(Column::number(label));
            columns
        }),
        rows: lab.triggers.iter().map(row).collect(),
        folded: false,
    }
}

/// One sentence for each lie, told of the trigger that it hurts most.
fn said(base: &Scenario, lab: &Lab) -> Vec<String> {
    let yours = |flawed: bool| match flawed {
        true => "This scenario’s controller has this flaw.",
        false => "This scenario’s controller does not have this flaw.",
    };
    let rank = |a: f64, b: f64| a.total_cmp(&b);
    let figures = || lab.triggers.iter();
    let least =
        figures().min_by(|a, b| rank(a.dark_caught.ignored.value, b.dark_caught.ignored.value));
    let most = figures()
        .max_by(|a, b| rank(a.restart_fires.immediate.value, b.restart_fires.immediate.value));
    let silence = least.map(|figures| {
        format!(
            "Silence read as health. Of regions that go dark, {} catches {} when it ignores silence, and {} when \
             silence counts as failure. {}",
            figures.trigger,
            words::percent(&figures.dark_caught.ignored),
            words::percent(&figures.dark_caught.failure),
            yours(base.controller.silence == Silence::Ignored)
        )
    });
    let amnesia = most.map(|figures| {
        format!(
            "Amnesia. Of restarts at a random instant, {} turns {} into a false failover when it may fire at \
             once, and {} when it waits for a full window. {}",
            figures.trigger,
            words::percent(&figures.restart_fires.immediate),
            words::percent(&figures.restart_fires.full_window),
            yours(base.controller.arming == Arming::Immediate)
        )
    });
    silence.into_iter().chain(amnesia).collect()
}
