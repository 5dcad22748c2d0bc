//! The items on who answers for what: owner, standby, exercise, probe results.

use jiff::ToSpan;
use jiff::civil::Date;

use super::items::item;
use super::{Item, StandbyConfig, Subject, Verdict};
use crate::budget::words::{said, seconds};
use crate::budget::{Outlook, Stage};
use crate::scenario::LastDrill;
use crate::time::Span;

pub(super) fn rate_owned(subject: &Subject<'_>) -> Item {
    let asks = "somebody owns the false-failover rate and has set its limit";
    let with = |verdict, evidence: String| item("rate-owned", asks, verdict, evidence);
    let ownership = &subject.scenario.ownership;
    let owner = ownership.owner.as_deref().map(str::trim);
    match (owner, &ownership.max_false_failovers) {
        (Some(""), _) => with(Verdict::Fail, "ownership.owner is empty".to_owned()),
        (Some(owner), Some(limit)) => with(Verdict::Pass, format!("{owner} accepts {limit}")),
        (Some(owner), None) => with(
            Verdict::Unknown,
            format!(
                "{owner} owns it, and ownership.max_false_failovers does not say what they accept"
            ),
        ),
        (None, _) => with(Verdict::Unknown, "ownership.owner is not written".to_owned()),
    }
}

pub(super) fn standby_config(subject: &Subject<'_>) -> Item {
    let asks = "the standby's configuration has been compared with the primary's";
    let with = |verdict, evidence: String| item("standby-config", asks, verdict, evidence);
    match &subject.standby {
        StandbyConfig::NotNamed => with(
            Verdict::Unknown,
            "ownership.primary_manifest and ownership.standby_manifest are not both written"
                .to_owned(),
        ),
        StandbyConfig::Unreadable(why) => with(Verdict::Unknown, why.clone()),
        StandbyConfig::Fit(differences) if differences.is_empty() => {
            with(Verdict::Pass, "no difference".to_owned())
        }
        StandbyConfig::Fit(differences) => {
            with(Verdict::Pass, format!("may serve, with {}", differences.join("; ")))
        }
        StandbyConfig::Differs(differences) => with(Verdict::Fail, differences.join("; ")),
    }
}

/// The last exercise and its day; or the item that it comes to without.
fn drill<'a>(
    subject: &'a Subject<'_>,
    name: &'static str,
    asks: &'static str,
) -> Result<(&'a LastDrill, Date), Item> {
    let Some(drill) = &subject.scenario.ownership.last_drill else {
        let evidence = "ownership.last_drill is not written";
        return Err(item(name, asks, Verdict::Unknown, evidence));
    };
    let on: Date = drill.on.parse().map_err(|_| {
        let evidence = format!(
            "ownership.last_drill.on: `{}` is not a day; write it like 2026-10-31",
            drill.on
        );
        item(name, asks, Verdict::Fail, evidence)
    })?;
    if on > subject.today {
        let evidence = format!("the last exercise, on {on}, lies after {}", subject.today);
        return Err(item(name, asks, Verdict::Fail, evidence));
    }
    Ok((drill, on))
}

pub(super) fn exercised(subject: &Subject<'_>) -> Item {
    let (name, asks) = ("exercised", "the plan is exercised on a schedule");
    let (drill, on) = match drill(subject, name, asks) {
        Ok(found) => found,
        Err(item) => return item,
    };
    let today = subject.today;
    // Spans end at a hundred years and days of the calendar do not, so this is always a day.
    let days = drill.every.div_floor(Span::from_days(1));
    let Ok(due) = on.checked_add(days.days()) else {
        let evidence = format!("every {} from {on} is no day of the calendar", drill.every);
        return item(name, asks, Verdict::Fail, evidence);
    };
    let evidence =
        format!("last on {on}, every {}: due by {due}, and today is {today}", drill.every);
    let verdict = if today <= due { Verdict::Pass } else { Verdict::Fail };
    item(name, asks, verdict, evidence)
}

pub(super) fn stages_timed(subject: &Subject<'_>, outlooks: &[Outlook]) -> Item {
    let (name, asks) = ("stages-timed", "the exercise timed each stage, within what is budgeted");
    let (drill, on) = match drill(subject, name, asks) {
        Ok(found) => found,
        Err(item) => return item,
    };
    let (mut untimed, mut over) = (Vec::new(), Vec::new());
    for outlook in outlooks {
        for stage in outlook.plan.stages() {
            let budgeted = longest(stage);
            match drill.stages.get(&stage.name) {
                None => untimed.push(said(&stage.name)),
                // An exercise is of one target; a stage that another target budgets longer is no news.
                Some(timed) if *timed > budgeted => {
                    over.push((stage.name.clone(), *timed, budgeted))
                }
                Some(_) => {}
            }
        }
    }
    over.retain(|(name, timed, _)| {
        outlooks.iter().filter_map(|outlook| outlook.plan.stage(name)).all(|s| longest(s) < *timed)
    });
    let mut wrong: Vec<String> = Vec::new();
    untimed.sort();
    untimed.dedup();
    if !untimed.is_empty() {
        wrong.push(format!("not timed on {on}: {}", untimed.join(", ")));
    }
    over.dedup_by(|a, b| a.0 == b.0);
    wrong.extend(over.iter().map(|(name, timed, budgeted)| {
        format!("{} took {} s, budgeted are {} s", said(name), seconds(*timed), seconds(*budgeted))
    }));
    if !wrong.is_empty() {
        return item(name, asks, Verdict::Fail, wrong.join("; "));
    }
    let timed =
        drill.stages.iter().map(|(name, timed)| format!("{} {} s", said(name), seconds(*timed)));
    item(name, asks, Verdict::Pass, format!("on {on}: {}", timed.collect::<Vec<_>>().join(", ")))
}

/// What is budgeted for a stage: its length, or what 99 of 100 do not exceed.
fn longest(stage: &Stage) -> Span {
    stage.constant.unwrap_or_else(|| Span::from_secs_f64(stage.length.quantile(0.99)))
}

/// Words by which everybody may write.
const ANYBODY: [&str; 6] = ["*", "any", "anyone", "anybody", "everyone", "public"];

pub(super) fn signal_integrity(subject: &Subject<'_>) -> Item {
    let asks = "it is known who can write probe results, and not everybody can";
    let with = |verdict, evidence: String| item("signal-integrity", asks, verdict, evidence);
    let writers = &subject.scenario.ownership.probe_writers;
    if writers.is_empty() {
        return with(Verdict::Unknown, "ownership.probe_writers is not written".to_owned());
    }
    let is_anybody = |writer: &&String| ANYBODY.contains(&writer.trim().to_lowercase().as_str());
    match writers.iter().find(is_anybody) {
        Some(writer) => {
            let evidence =
                format!("`{writer}` can write probe results, and so can move the traffic");
            with(Verdict::Fail, evidence)
        }
        None => with(Verdict::Pass, format!("only {}", writers.join(", "))),
    }
}
