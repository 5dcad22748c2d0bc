//! What is a matter of chance, where stages have laws: spreads, rooms and probabilities.

use crate::budget::report::{RecoveryRow, TriggerRow};
use crate::budget::total::DRAWS;
use crate::budget::{Outlook, Report};
use crate::cli::output;
use crate::estimate::Estimate;

/// The distributions of what varies, and the probabilities with their intervals.
pub(super) fn text(report: &Report, outlooks: &[Outlook]) -> String {
    let mut spreads = output::table(["after detection", "mean", "p50", "p90", "p99"]);
    let mut rooms = output::table(["room", "p50", "p99", "probability of any"]);
    for row in &report.table.tiers {
        let (Some(after), Some(room)) = (&row.after_detection, &row.room) else { continue };
        spreads.add_row([
            row.target.clone(),
            format!("{:.1}", after.mean.value),
            after.p50.show(2),
            after.p90.show(2),
            after.p99.show(2),
        ]);
        rooms.add_row([
            row.target.clone(),
            format!("{:.1}", room.p50_s),
            format!("{:.1}", room.p99_s),
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
    let text =
        output::table_text(&spreads) + &output::table_text(&rooms) + &output::table_text(&met);
    text + &output::paragraph("", &method) + "\n"
}

fn probability(estimate: &Estimate) -> String {
    if estimate.exact == Some(0.0) {
        return "0".to_owned();
    }
    estimate.show(if estimate.exact.is_some() { 4 } else { 2 })
}

fn rows(report: &Report) -> impl Iterator<Item = (&TriggerRow, &RecoveryRow)> {
    report
        .triggers
        .iter()
        .flat_map(|trigger| trigger.recovery.iter().map(move |row| (trigger, row)))
}
