//! How the figures of the answer's triggers move with each axis of the grid.

use super::answer::FLOOR_PER_DAY;
use super::scale::Scale;
use super::study::{AxisColumn, Run, Study};
use super::table::{Column, Item, Table};
use super::words;
use crate::estimate::Estimate;

/// More rows than this are shown on demand.
const MOST_OPEN_ROWS: usize = 24;

/// The most triggers that are followed along an axis.
const MOST_TRIGGERS: usize = 3;

/// One table for each axis column with several values; the others stand as at the base point.
pub(super) fn tables(study: &Study, id: &str) -> Vec<Table> {
    let varied = study.columns.iter().enumerate().filter(|(_, column)| column.values.len() > 1);
    varied.map(|(index, column)| table(study, index, column, id)).collect()
}

/// The triggers that are followed, as written.
pub(super) fn followed(study: &Study) -> Vec<String> {
    let runs = &study.runs[study.base];
    let mut named = study.answers_at_base();
    if named.is_empty() {
        named.push(runs.len() / 2);
    }
    let written = named.into_iter().take(MOST_TRIGGERS).filter_map(|index| runs.get(index));
    written.map(|run| run.trigger.clone()).collect()
}

fn table(study: &Study, index: usize, column: &AxisColumn, id: &str) -> Table {
    let mut lines: Vec<(usize, &Run)> = Vec::new();
    for trigger in followed(study) {
        for value in 0..column.values.len() {
            let Some(point) = nearest_to_base(study, index, value) else { continue };
            let run = study.runs[point].iter().find(|run| run.trigger == trigger);
            lines.extend(run.map(|run| (value, run)));
        }
    }
    let ends = lines.iter().flat_map(|(_, run)| [run.rate.lo, run.rate.hi, run.shown_rate()]);
    let scale = Scale::decades(ends, FLOOR_PER_DAY);
    let moving = moving(&lines);
    let row = |(value, run): &(usize, &Run)| {
        let delay = run.detection_mean_s;
        let mut row = vec![
            Item::number(words::value(&column.values[*value]), *value as f64),
            Item::text(&run.trigger),
            Item::number(words::rate(&run.rate), run.shown_rate()),
            Item::strip(&run.rate, &scale),
            match delay {
                Some(delay) => Item::number(delay.show(1), delay.value),
                None => Item::text("none detected"),
            },
        ];
        row.extend(moving.iter().map(|(_, pick)| {
            let share = pick(run);
            Item::number(words::percent(share), share.value)
        }));
        row
    };
    let name = words::axis(&column.name);
    Table {
        id: format!("{id}-by{index}"),
        caption: format!("By {name}, all else as in the scenario"),
        note: None,
        folded: lines.len() > MOST_OPEN_ROWS,
        columns: [
            Column::text(name),
            Column::text("Trigger"),
            Column::number("False failovers a day"),
            Column::strip(format!("{} a day, log", scale.ends())),
            Column::number("Detection, mean, s"),
        ]
        .into_iter()
        .chain(moving.iter().map(|(label, _)| Column::number(*label)))
        .collect(),
        rows: lines.iter().map(row).collect(),
    }
}

type Pick = fn(&Run) -> &Estimate;

/// The shares that differ by more than this along an axis are shown; the others say nothing of it.
const LEAST_MOVE: f64 = 0.005;

fn moving(lines: &[(usize, &Run)]) -> Vec<(&'static str, Pick)> {
    let shares: [(&str, Pick); 4] = [
        ("Missed, %", |run| &run.missed),
        ("Dark region caught, %", |run| &run.dark_caught),
        ("Restart fires, %", |run| &run.restart_fires),
        ("Prober death fires, %", |run| &run.prober_death_fires),
    ];
    let moves = |pick: Pick| {
        let values = lines.iter().map(|(_, run)| pick(run).value);
        let ends = values.fold((1.0_f64, 0.0_f64), |(lo, hi), v| (lo.min(v), hi.max(v)));
        ends.1 - ends.0 > LEAST_MOVE
    };
    shares.into_iter().filter(|(_, pick)| moves(*pick)).collect()
}

/// The point with this value that shares most of its other values with the base point.
fn nearest_to_base(study: &Study, index: usize, value: usize) -> Option<usize> {
    let with_value =
        (0..study.points().len()).filter(|point| study.columns[index].at[*point] == value);
    let alike = |point: &usize| {
        study.columns.iter().filter(|column| column.at[*point] == column.at[study.base]).count()
    };
    // The first of the nearest: `max_by_key` would take the last.
    with_value.rev().max_by_key(alike)
}
