//! The budget as tables for people.

use comfy_table::ColumnConstraint;

use super::chances;
use crate::budget::table::TierRow;
use crate::budget::words::{number, stages};
use crate::budget::{Outlook, Report};
use crate::cli::output;
use crate::estimate::Estimate;

/// The most targets that stand side by side in one table, and the most where they have chances.
const MOST_COLUMNS: usize = 5;
const MOST_CHANCES: usize = 3;

/// The report as text within 100 columns.
pub fn text(report: &Report, outlooks: &[Outlook]) -> String {
    let mut text = heading(report);
    text += &budget_table(report, outlooks);
    text += &remarks(report, outlooks);
    let targets: Vec<usize> = (0..outlooks.len()).collect();
    let most = if is_distributed(report) { MOST_CHANCES } else { MOST_COLUMNS };
    for shown in targets.chunks(most) {
        text += "Recovery from the first failed probe: patience and the stages.\n\n";
        text += &recovery_table(report, outlooks, shown);
    }
    for shown in targets.chunks(most) {
        text += &worst_case_heading(report);
        text += &worst_case_table(report, shown);
    }
    if is_distributed(report) {
        text += &chances::text(report, outlooks);
    }
    for note in report.notes.iter().chain(report.triggers.iter().flat_map(|row| &row.warnings)) {
        text += &output::paragraph("note: ", note);
    }
    text
}

fn heading(report: &Report) -> String {
    let mut text = format!(
        "RTO {} s, a probe every {} s. All lengths in seconds.\n",
        number(report.table.rto_s),
        number(report.interval_s)
    );
    for row in report.table.tiers.iter().filter(|row| row.reserve_s > 0.0) {
        text += &format!("{}: {} s of the RTO are kept back.\n", row.target, number(row.reserve_s));
    }
    text + "\n"
}

fn is_distributed(report: &Report) -> bool {
    report.table.tiers.iter().any(|row| row.room.is_some())
}

/// A number, marked and shortened where it is the mean of something that varies.
fn mean(value: f64, varies: bool) -> String {
    if varies { format!("~{value:.1}") } else { number(value) }
}

fn budget_table(report: &Report, outlooks: &[Outlook]) -> String {
    let rows = &report.table.tiers;
    let has_names = rows.iter().any(|row| row.target != row.tier.name());
    let has_extra = rows.iter().any(|row| row.extra_s > 0.0);
    let pick = |all: Vec<(bool, String)>| -> Vec<String> {
        all.into_iter().filter(|(shown, _)| *shown).map(|(_, text)| text).collect()
    };
    let mut table = output::table(pick(vec![
        (true, String::from("target")),
        (has_names, String::from("tier")),
        (true, String::from("promotion")),
        (true, String::from("traffic\nshift")),
        (true, String::from("capacity")),
        (true, String::from("weights")),
        (has_extra, String::from("further\nstages")),
        (true, String::from("after\ndetection")),
        (true, String::from("room")),
        (true, String::from("most\nk")),
        (true, String::from("longest\nwindow")),
    ]));
    for (row, outlook) in rows.iter().zip(outlooks) {
        let varies = |name: &str| outlook.plan.stage(name).is_some_and(|s| s.constant.is_none());
        let all_vary = row.room.is_some();
        table.add_row(pick(vec![
            (true, row.target.clone()),
            (has_names, row.tier.to_string()),
            (true, mean(row.promotion_s, varies("promotion"))),
            (true, mean(row.traffic_shift_s, varies("traffic_shift"))),
            (true, mean(row.capacity_s, varies("capacity"))),
            (true, mean(row.weight_load_s, varies("weight_load"))),
            (has_extra, mean(row.extra_s, all_vary)),
            (true, mean(row.after_detection_s, all_vary)),
            (true, mean(row.room_s, all_vary)),
            (true, row.largest_consecutive.map_or("none".to_owned(), |k| k.to_string())),
            (true, row.largest_window_s.map_or("none".to_owned(), number)),
        ]));
    }
    // A long name wraps, the figures do not.
    for column in table.column_iter_mut().skip(1) {
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    output::table_text(&table)
}

/// What the table of stages cannot say: orders, contention, and why nothing fits.
fn remarks(report: &Report, outlooks: &[Outlook]) -> String {
    let mut lines = vec![
        "Most k: the most consecutive failures that fit when the outage starts at the worst instant; the \
         window is as patient, with half an interval to spare."
            .to_owned(),
    ];
    if is_distributed(report) {
        lines.push(
            "~ is a mean: a stage has a law. There, k and window fit in 99% of recoveries."
                .to_owned(),
        );
    }
    for (row, outlook) in report.targets.iter().zip(outlooks) {
        let plan = &outlook.plan;
        if row.row.extra_s > 0.0 || row.row.room.is_some() {
            lines.push(format!("{}, in order: {}", plan.target, stages(plan)));
        }
        if row.row.weight_load_s > 0.0 && (row.loading.contended || row.loading.replicas > 1) {
            lines.push(format!("{}: {}", plan.target, contention(outlook)));
        }
        if let Some(why_not) = &row.why_not {
            let ways = outlook.would_fit(plan.worst_detection(crate::time::Span::ZERO)).in_words();
            let fits = match ways.is_empty() {
                true => "No single change would fit.".to_owned(),
                false => format!("Each alone would fit: {}.", ways.join(", ")),
            };
            lines.push(format!("{}: {why_not}. {fits}", plan.target));
        }
    }
    lines.iter().map(|line| output::paragraph("", line)).collect::<String>() + "\n"
}

/// How the replicas share the storage.
fn contention(outlook: &Outlook) -> String {
    let loading = &outlook.plan.loading;
    let (replicas, full) = (loading.replicas, number(loading.load_rate_gb_per_s));
    let replicas =
        if replicas == 1 { "1 replica".to_owned() } else { format!("{replicas} replicas") };
    let size = number(loading.weights_gb);
    let time = number(loading.time().as_secs_f64());
    match loading.storage_gb_per_s.map(number) {
        Some(storage) if loading.is_contended() => format!(
            "{replicas} share {storage} GB/s of storage, {} GB/s each instead of {full}: {size} GB load in {time} s",
            number(loading.rate_gb_per_s())
        ),
        Some(storage) => format!(
            "{replicas} load at the full {full} GB/s; {storage} GB/s of storage would serve {}",
            loading.uncontended_replicas().unwrap_or_default()
        ),
        None => format!("{replicas} load at {full} GB/s each; the storage is not limited"),
    }
}

fn trigger_headings(report: &Report, shown: &[usize], second: &str) -> Vec<String> {
    let names = shown.iter().map(|index| report.table.tiers[*index].target.clone());
    ["trigger".to_owned(), second.to_owned()].into_iter().chain(names).collect()
}

fn recovery_table(report: &Report, outlooks: &[Outlook], shown: &[usize]) -> String {
    let mut table = output::table(trigger_headings(report, shown, "patience"));
    let varies = |index: usize| report.table.tiers[index].room.is_some();
    for row in &report.triggers {
        let cell = |index: &usize| {
            let row = &row.recovery[*index];
            verdict(row.recovery_s, varies(*index), row.meets_rto, row.rto_met)
        };
        let first = [row.trigger.to_string(), number(row.patience_s)];
        table.add_row(first.into_iter().chain(shown.iter().map(cell)));
    }
    let room = |index: &usize| room(&report.table.tiers[*index], &outlooks[*index]);
    let first = [format!("room left by a {} s RTO", number(report.table.rto_s)), String::new()];
    table.add_row(first.into_iter().chain(shown.iter().map(room)));
    output::table_text(&table)
}

fn room(row: &TierRow, outlook: &Outlook) -> String {
    let room = mean(row.room_s, row.room.is_some());
    match row.largest_consecutive {
        Some(_) => room,
        None if row.room.is_some() => format!("{room}: too little in 99%"),
        None if outlook.room() < crate::time::Span::ZERO => format!("{room}: no trigger can"),
        None => format!("{room}: too little"),
    }
}

fn worst_case_heading(report: &Report) -> String {
    let more = report
        .triggers
        .first()
        .map_or(0.0, |row| row.worst_case_detection_s - row.patience_s - report.interval_s);
    let late = match more > 0.0 {
        true => format!(" and {} s of jitter and time-out", number(more)),
        false => String::new(),
    };
    let first = format!("Worst case from the outage's start: one interval{late} more.");
    output::paragraph("", &first) + "\n"
}

fn worst_case_table(report: &Report, shown: &[usize]) -> String {
    let mut table = output::table(trigger_headings(report, shown, "detection"));
    let varies = |index: usize| report.table.tiers[index].room.is_some();
    for row in &report.triggers {
        let cell = |index: &usize| {
            let row = &row.recovery[*index];
            let (meets, chance) = (row.worst_case_meets_rto, row.worst_case_rto_met);
            verdict(row.worst_case_s, varies(*index), meets, chance)
        };
        let first = [row.trigger.to_string(), number(row.worst_case_detection_s)];
        table.add_row(first.into_iter().chain(shown.iter().map(cell)));
    }
    output::table_text(&table)
}

/// `480`, `1220 over`, or `~430.0, 97.31%`.
fn verdict(secs: f64, varies: bool, meets: Option<bool>, chance: Option<Estimate>) -> String {
    let secs = mean(secs, varies);
    match (meets, chance) {
        (Some(false), _) => format!("{secs} over"),
        // Cut off, not rounded: nothing short of certain may read as 100 %.
        (None, Some(chance)) => format!("{secs}, {:.2}%", (chance.value * 1e4).floor() / 1e2),
        _ => secs,
    }
}
