//! The budget as tables for people and as CSV.

use crate::budget::report::{RecoveryRow, TriggerRow};
use crate::budget::table::TierRow;
use crate::budget::total::DRAWS;
use crate::budget::words::{number, stages};
use crate::budget::{Outlook, Report};
use crate::cli::{Failure, output};
use crate::estimate::Estimate;

/// The most targets that stand side by side in one table.
const MOST_COLUMNS: usize = 6;

/// The report as text within 100 columns.
pub fn text(report: &Report, outlooks: &[Outlook]) -> String {
    let mut text = format!(
        "RTO {} s, a probe every {} s. All lengths in seconds.\n\n",
        number(report.table.rto_s),
        number(report.interval_s)
    );
    text += &budget_table(report, outlooks);
    text += &remarks(report, outlooks);
    let names: Vec<usize> = (0..outlooks.len()).collect();
    for shown in names.chunks(MOST_COLUMNS) {
        text += "Recovery from the first failed probe: patience and the stages.\n\n";
        text += &recovery_table(report, outlooks, shown);
    }
    for shown in names.chunks(MOST_COLUMNS) {
        text += &worst_case_heading(report);
        text += &worst_case_table(report, shown);
    }
    if is_distributed(report) {
        text += &chances(report, outlooks);
    }
    for warning in report.triggers.iter().flat_map(|row| &row.warnings) {
        text += &output::paragraph("note: ", warning);
    }
    text
}

fn is_distributed(report: &Report) -> bool {
    report.table.tiers.iter().any(|row| row.room.is_some())
}

/// A number, marked where it is the mean of something that varies.
fn mean(value: f64, varies: bool) -> String {
    format!("{}{}", if varies { "~" } else { "" }, number(value))
}

fn budget_table(report: &Report, outlooks: &[Outlook]) -> String {
    let rows = &report.table.tiers;
    let has_names = rows.iter().any(|row| row.target != row.tier.name());
    let has_extra = rows.iter().any(|row| row.extra_s > 0.0);
    let has_reserve = rows.iter().any(|row| row.reserve_s > 0.0);
    let pick = |all: Vec<(bool, String)>| -> Vec<String> {
        all.into_iter().filter(|(shown, _)| *shown).map(|(_, text)| text).collect()
    };
    let heading = |text: &str| text.to_owned();
    let mut table = output::table(pick(vec![
        (true, heading("target")),
        (has_names, heading("tier")),
        (true, heading("promotion")),
        (true, heading("traffic\nshift")),
        (true, heading("capacity")),
        (true, heading("weights")),
        (has_extra, heading("further\nstages")),
        (true, heading("after\ndetection")),
        (has_reserve, heading("reserve")),
        (true, heading("room")),
        (true, heading("largest\nk")),
        (true, heading("largest\nwindow")),
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
            (has_reserve, number(row.reserve_s)),
            (true, mean(row.room_s, all_vary)),
            (true, row.largest_consecutive.map_or("none".to_owned(), |k| k.to_string())),
            (true, row.largest_window_s.map_or("none".to_owned(), number)),
        ]));
    }
    output::table_text(&table)
}

/// What the table of stages cannot say: orders, contention, and why nothing fits.
fn remarks(report: &Report, outlooks: &[Outlook]) -> String {
    let mut lines = Vec::new();
    if is_distributed(report) {
        lines.push(
            "~ is a mean: a stage has a law. There, k and window fit in 99% of recoveries.".to_owned(),
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
    let text: String = lines.iter().map(|line| output::paragraph("", line)).collect();
    if text.is_empty() { text } else { text + "\n" }
}

/// How the replicas share the storage.
fn contention(outlook: &Outlook) -> String {
    let loading = &outlook.plan.loading;
    let (replicas, full) = (loading.replicas, number(loading.load_rate_gb_per_s));
    let replicas = if replicas == 1 { "1 replica".to_owned() } else { format!("{replicas} replicas") };
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
    for row in &report.triggers {
        let cell = |index: &usize| {
            let row = &row.recovery[*index];
            verdict(row.recovery_s, row.meets_rto, row.rto_met)
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
        None if outlook.room() < crate::time::Span::ZERO => format!("{room}: no trigger can"),
        None => format!("{room}: too little"),
    }
}

fn worst_case_heading(report: &Report) -> String {
    let more = report.triggers.first().map_or(0.0, |row| {
        row.worst_case_detection_s - row.patience_s - report.interval_s
    });
    let late = match more > 0.0 {
        true => format!(" and {} s of jitter and time-out", number(more)),
        false => String::new(),
    };
    let first = format!("Worst case from the outage's start: one interval{late} more.");
    output::paragraph("", &first) + "\n"
}

fn worst_case_table(report: &Report, shown: &[usize]) -> String {
    let mut table = output::table(trigger_headings(report, shown, "detection"));
    for row in &report.triggers {
        let cell = |index: &usize| {
            let row = &row.recovery[*index];
            verdict(row.worst_case_s, row.worst_case_meets_rto, row.worst_case_rto_met)
        };
        let first = [row.trigger.to_string(), number(row.worst_case_detection_s)];
        table.add_row(first.into_iter().chain(shown.iter().map(cell)));
    }
    output::table_text(&table)
}

/// `480`, `1220 over`, or `~430, 97.31%`.
fn verdict(secs: f64, meets: Option<bool>, chance: Option<Estimate>) -> String {
    match (meets, chance) {
        (Some(true), _) => number(secs),
        (Some(false), _) => format!("{} over", number(secs)),
        (None, Some(chance)) => format!("~{}, {:.2}%", number(secs), chance.value * 100.0),
        (None, None) => format!("~{}", number(secs)),
    }
}

/// The distributions of what varies, and the probabilities with their intervals.
fn chances(report: &Report, outlooks: &[Outlook]) -> String {
    let mut spreads = output::table([
        "after detection", "mean", "p50", "p90", "p99", "room p50", "room p99", "any room",
    ]);
    for row in &report.table.tiers {
        let (Some(after), Some(room)) = (&row.after_detection, &row.room) else { continue };
        spreads.add_row([
            row.target.clone(),
            number(after.mean.value),
            after.p50.show(2),
            after.p90.show(2),
            after.p99.show(2),
            number(room.p50_s),
            number(room.p99_s),
            probability(&room.positive),
        ]);
    }
    let mut met = output::table(["RTO met", "target", "from the first failed probe", "worst case"]);
    for (trigger, row) in rows(report).filter(|(_, row)| row.meets_rto.is_none()) {
        let show = |chance: Option<Estimate>, certain: Option<bool>| match (chance, certain) {
            (Some(chance), _) => probability(&chance),
            (None, Some(true)) => "always".to_owned(),
            (None, _) => "never".to_owned(),
        };
        met.add_row([
            trigger.trigger.to_string(),
            row.target.clone(),
            show(row.rto_met, row.meets_rto),
            show(row.worst_case_rto_met, row.worst_case_meets_rto),
        ]);
    }
    let method = match outlooks.iter().any(|outlook| outlook.after.is_drawn()) {
        true => format!(
            "Where several stages have laws: {DRAWS} seeded draws, with 95% intervals (Clopper-Pearson; order statistics). Elsewhere exact."
        ),
        false => "Exact: one stage has a law.".to_owned(),
    };
    let text = output::table_text(&spreads) + &output::table_text(&met);
    text + &output::paragraph("", &method) + "\n"
}

fn probability(estimate: &Estimate) -> String {
    estimate.show(if estimate.exact.is_some() { 4 } else { 2 })
}

fn rows(report: &Report) -> impl Iterator<Item = (&TriggerRow, &RecoveryRow)> {
    report.triggers.iter().flat_map(|trigger| trigger.recovery.iter().map(move |row| (trigger, row)))
}

/// One line for each trigger and target.
pub fn csv(report: &Report) -> Result<String, Failure> {
    let headings = [
        "trigger", "patience_s", "target", "tier", "after_detection_s", "room_s",
        "largest_consecutive", "recovery_s", "worst_case_s", "meets_rto", "worst_case_meets_rto",
        "rto_met", "rto_met_lo", "rto_met_hi", "worst_case_rto_met", "worst_case_rto_met_lo",
        "worst_case_rto_met_hi",
    ];
    let flag = |flag: Option<bool>| flag.map_or(String::new(), |flag| flag.to_string());
    let chance = |chance: Option<Estimate>| match chance {
        Some(Estimate { value, lo, hi, .. }) => [value, lo, hi].map(|number| number.to_string()),
        None => Default::default(),
    };
    let mut lines = Vec::new();
    for trigger in &report.triggers {
        for (row, tier) in trigger.recovery.iter().zip(&report.table.tiers) {
            let mut line = vec![
                trigger.trigger.to_string(),
                trigger.patience_s.to_string(),
                row.target.clone(),
                row.tier.to_string(),
                tier.after_detection_s.to_string(),
                tier.room_s.to_string(),
                tier.largest_consecutive.map_or(String::new(), |k| k.to_string()),
                row.recovery_s.to_string(),
                row.worst_case_s.to_string(),
                flag(row.meets_rto),
                flag(row.worst_case_meets_rto),
            ];
            line.extend(chance(row.rto_met));
            line.extend(chance(row.worst_case_rto_met));
            lines.push(line);
        }
    }
    output::csv_text(&headings, &lines)
}
