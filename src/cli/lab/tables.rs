//! The lab's figures as tables for people.

use crate::budget::TierRow;
use crate::cli::output;
use crate::estimate::{Estimate, LEVEL};
use crate::experiment::lab::{Lab, TriggerFigures};

/// Digits that an interval's width is shown with.
const DIGITS: usize = 2;

/// Every table, one after the other.
pub fn text(lab: &Lab) -> String {
    let runs = format!(
        "{} of {} days, seed {}; in brackets the {} % interval\n\n",
        output::counted(lab.replications, "replication"),
        lab.days,
        lab.seed,
        LEVEL * 100.0
    );
    [
        runs,
        recovery(lab),
        rates(lab),
        delays(lab),
        fates(lab),
        silence(lab),
        restarts(lab),
        deaths(lab),
    ]
    .concat()
}

/// One line a trigger under a title; the trigger's name comes first.
fn by_trigger(
    lab: &Lab,
    title: &str,
    headings: &[&str],
    cells: impl Fn(&TriggerFigures) -> Vec<String>,
) -> String {
    let row = |trigger: &TriggerFigures| {
        std::iter::once(trigger.trigger.clone()).chain(cells(trigger)).collect()
    };
    let rows: Vec<Vec<String>> = lab.triggers.iter().map(row).collect();
    format!("{title}\n{}", output::figures(headings, &rows))
}

fn seconds(secs: f64) -> String {
    format!("{secs:.0} s")
}

/// The most targets that stand side by side; one fewer where each has an interval.
const MOST_TARGETS: usize = 4;

fn recovery(lab: &Lab) -> String {
    let rto = lab.budget.rto_s;
    let mut text = String::new();
    let all: Vec<usize> = (0..lab.budget.tiers.len()).collect();
    for shown in all.chunks(MOST_TARGETS) {
        text += &format!("Recovery from the first failed probe, against an RTO of {rto} s\n");
        text += &recovery_table(lab, shown);
    }
    let distributed = |index: &usize| {
        lab.triggers.first().is_some_and(|trigger| trigger.recovery[*index].rto_met.is_some())
    };
    let varying: Vec<usize> = all.into_iter().filter(distributed).collect();
    if !varying.is_empty() {
        text += "~ is a mean: a stage has a law.\n\n";
    }
    for shown in varying.chunks(MOST_TARGETS - 1) {
        text += &met_table(lab, shown);
    }
    text
}

fn recovery_table(lab: &Lab, shown: &[usize]) -> String {
    let tiers: Vec<&TierRow> = shown.iter().map(|index| &lab.budget.tiers[*index]).collect();
    let targets = tiers.iter().map(|tier| tier.target.as_str());
    let headings: Vec<&str> = ["trigger", "patience"].into_iter().chain(targets).collect();
    let row = |trigger: &TriggerFigures| -> Vec<String> {
        let recovery = shown.iter().map(|index| {
            let recovery = &trigger.recovery[*index];
            match (&recovery.rto_met, recovery.meets_rto) {
                (Some(_), _) => format!("~{}", seconds(recovery.recovery_s)),
                (None, true) => seconds(recovery.recovery_s),
                (None, false) => format!("{} over", seconds(recovery.recovery_s)),
            }
        });
        let head = [trigger.trigger.clone(), format!("{} s", trigger.patience_s)];
        head.into_iter().chain(recovery).collect()
    };
    let tier_row = |name: &str, show: &dyn Fn(&TierRow) -> String| -> Vec<String> {
        let cells = tiers.iter().map(|tier| show(tier));
        [name.to_owned(), String::new()].into_iter().chain(cells).collect()
    };
    let mut rows: Vec<Vec<String>> = lab.triggers.iter().map(row).collect();
    rows.push(tier_row("room for detection", &|tier| {
        let about = if tier.room.is_some() { "~" } else { "" };
        format!("{about}{}", seconds(tier.room_s))
    }));
    rows.push(tier_row("largest k that fits", &|tier| {
        tier.largest_consecutive.map_or("none".to_owned(), |k| k.to_string())
    }));
    output::figures(&headings, &rows)
}

/// For targets with a stage that has a law: the chance of meeting the RTO.
fn met_table(lab: &Lab, shown: &[usize]) -> String {
    let targets = shown.iter().map(|index| lab.budget.tiers[*index].target.as_str());
    let headings: Vec<&str> = ["trigger"].into_iter().chain(targets).collect();
    by_trigger(lab, "Outages recovered from within the RTO, %", &headings, |trigger| {
        let met = shown.iter().map(|index| trigger.recovery[*index].rto_met);
        met.map(|met| met.map_or("-".to_owned(), |met| percent(&met))).collect()
    })
}

fn rates(lab: &Lab) -> String {
    let title = "False failovers a day: firings while no outage is in progress";
    let headings = ["trigger", "patience", "false failovers a day", "exact"];
    by_trigger(lab, title, &headings, |trigger| {
        vec![
            format!("{} s", trigger.patience_s),
            trigger.false_failovers_per_day.show(DIGITS),
            exact(&trigger.false_failovers_per_day),
        ]
    })
}

fn delays(lab: &Lab) -> String {
    let title = "Detection delay of an outage at a random instant, in seconds";
    let shown = |estimate: &Option<Estimate>| {
        estimate.as_ref().map_or("-".to_owned(), |estimate| estimate.show(1))
    };
    let mean = |trigger: &TriggerFigures| {
        let mean = &trigger.detection_s.mean;
        vec![shown(mean), mean.as_ref().map_or("-".to_owned(), exact)]
    };
    let quantiles =
        |trigger: &TriggerFigures| [&trigger.detection_s.p50, &trigger.detection_s.p99].map(shown);
    let headings = ["trigger", "mean", "exact", "median", "99 of 100 within"];
    let whole = by_trigger(lab, title, &headings, |trigger| {
        mean(trigger).into_iter().chain(quantiles(trigger)).collect()
    });
    if whole.lines().all(|line| line.chars().count() <= usize::from(output::COLUMNS)) {
        return whole;
    }
    let [trigger, of_mean @ .., p50, p99] = headings;
    let means = by_trigger(lab, title, &[&[trigger], &of_mean[..]].concat(), mean);
    means + &by_trigger(lab, title, &[trigger, p50, p99], |t| quantiles(t).to_vec())
}

fn fates(lab: &Lab) -> String {
    let title = "The same outages: the slowest detection, and those that need none or get none";
    let headings = ["trigger", "slowest, s", "already fired, %", "exact", "missed, %"];
    by_trigger(lab, title, &headings, |trigger| {
        let detection = &trigger.detection_s;
        vec![
            detection.max.map_or("-".to_owned(), |max| format!("{max:.1}")),
            percent(&detection.already_fired),
            exact(&detection.already_fired.scaled(100.0)),
            percent(&detection.missed),
        ]
    })
}

fn silence(lab: &Lab) -> String {
    let title = "Dark outages caught, %: the region takes its prober along";
    let headings = ["trigger", "silence ignored", "exact", "silence a failure", "exact"];
    by_trigger(lab, title, &headings, |trigger| {
        pair(&trigger.dark_caught.ignored, &trigger.dark_caught.failure)
    })
}

fn restarts(lab: &Lab) -> String {
    let title = "Restarts at a random instant that lead to a false failover, %";
    let headings = ["trigger", "armed at once", "exact", "after a full window", "exact"];
    by_trigger(lab, title, &headings, |trigger| {
        pair(&trigger.restart_fires.immediate, &trigger.restart_fires.full_window)
    })
}

fn deaths(lab: &Lab) -> String {
    let title = "Prober deaths that lead to a false failover, %: the price of hearing silence";
    let headings = ["trigger", "silence ignored", "exact", "silence a failure", "exact"];
    by_trigger(lab, title, &headings, |trigger| {
        pair(&trigger.prober_death_fires.ignored, &trigger.prober_death_fires.failure)
    })
}

fn pair(first: &Estimate, second: &Estimate) -> Vec<String> {
    [first, second]
        .into_iter()
        .flat_map(|share| [percent(share), exact(&share.scaled(100.0))])
        .collect()
}

fn percent(share: &Estimate) -> String {
    share.scaled(100.0).show(DIGITS)
}

/// The exact value to four digits.
fn exact(estimate: &Estimate) -> String {
    match estimate.exact {
        None => "-".to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(exact) if !(1e-4..1e6).contains(&exact.abs()) => format!("{exact:.3e}"),
        Some(exact) => {
            // The power of ten after rounding: 99.9999 is 100.0.
            let rounded = format!("{exact:.3e}");
            let power = rounded.split_once('e').and_then(|(_, power)| power.parse().ok());
            let decimals = 3 - power.unwrap_or(0_i32);
            format!("{exact:.*}", usize::try_from(decimals).unwrap_or(0))
        }
    }
}
