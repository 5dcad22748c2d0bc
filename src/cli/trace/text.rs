//! A trace as a timeline in text, within 100 columns.

use comfy_table::CellAlignment;

use crate::budget::words::{grouped, said, seconds};
use crate::cli::output::{paragraph, table, table_text};
use crate::experiment::trace::{Detection, Ended, Event, Failover, Trace, TriggerTrace, What};
use crate::history::{Check, FaultKind};
use crate::time::{Span, Time};
use crate::trigger::Silence;

/// More rows of checks and blips than this between two other rows are counted instead of shown …
const MOST_QUIET: usize = 14;

/// … but for so many at each end.
const KEPT: usize = 4;

/// The whole page: what is traced, the timeline, the failovers. With `all` nothing is left out.
pub(super) fn text(trace: &Trace, all: bool) -> String {
    [head(trace), timeline(trace, all), failovers(trace)].concat()
}

fn head(trace: &Trace) -> String {
    let scenario = &trace.scenario;
    let outage = match &trace.outage {
        None => "no outage".to_owned(),
        Some(outage) => format!(
            "{} from {}, {} long",
            article(crate::experiment::trace::event::fault_word(outage.kind)),
            clock(outage.start),
            length(outage.end - outage.start)
        ),
    };
    let what = format!(
        "Replication {} of scenario {}, seed {}: {outage}. Probes every {}, RTO {} s, silence {}, arming \
         {}. Shown: {} to {}.",
        trace.replication,
        scenario.name,
        scenario.run.seed,
        length(scenario.probe.interval),
        seconds(scenario.rto),
        scenario.controller.silence.word(),
        scenario.controller.arming,
        clock(trace.view.from),
        clock(trace.view.to),
    );
    let quiet = trace.triggers.iter().all(|trigger| trigger.firings().next().is_none());
    let note = if quiet { "No trigger fires in this replication.\n" } else { "" };
    paragraph("", &what) + note + "\n"
}

fn article(word: &str) -> String {
    format!("a {}", word.replace('-', " "))
}

/// The rows of the timeline.
fn timeline(trace: &Trace, all: bool) -> String {
    let origin = trace.origin();
    let fires = trace.triggers.iter().any(|t| t.firings().any(|(at, _)| at == origin));
    let since = match (&trace.outage, fires) {
        (Some(_), _) => "outage",
        (None, true) => "firing",
        (None, false) => "start",
    };
    let mut rows = table(["at", &format!("after {since}, s"), "lasts", "track", "what"]);
    for column in rows.column_iter_mut().skip(3) {
        column.set_cell_alignment(CellAlignment::Left);
    }
    let events = trace.events();
    let is_shown = |event: &&Event| all || trace.triggers.len() == 1 || !is_detail(event);
    let shown: Vec<&Event> = events.iter().filter(is_shown).collect();
    for group in shown.chunk_by(|a, b| is_quiet(a) && is_quiet(b)) {
        let left_out = group.len().saturating_sub(2 * KEPT);
        let is_cut = !all && group.len() > MOST_QUIET;
        for (index, event) in group.iter().enumerate() {
            if is_cut && index == KEPT {
                let cut = &group[KEPT..KEPT + left_out];
                rows.add_row([
                    String::new(),
                    String::new(),
                    String::new(),
                    "…".into(),
                    counted(cut),
                ]);
            }
            if !is_cut || index < KEPT || index >= KEPT + left_out {
                rows.add_row(row(trace, event, origin));
            }
        }
    }
    table_text(&rows)
}

fn row(trace: &Trace, event: &Event, origin: Time) -> [String; 5] {
    let lasts = event.until.map(|until| length(until - event.at)).unwrap_or_default();
    let after = (event.at - origin).as_secs_f64();
    // Adding zero turns a rounded -0.0 into 0.0.
    let after = format!("{:+.1}", (after * 10.0).round() / 10.0 + 0.0);
    [clock(event.at), after, lasts, event.what.track().to_owned(), told(trace, event)]
}

/// The event in words: with the trigger's name where there are several, and the silence rule.
fn told(trace: &Trace, event: &Event) -> String {
    let told = event.told();
    match (&event.what, event.what.trigger()) {
        (What::Checks { check: Some(Check::Absent), .. }, _) => {
            match trace.scenario.controller.silence {
                Silence::Ignored => told + ": ignored",
                Silence::Failure => told + ": held as failures",
            }
        }
        (_, Some(trigger)) if trace.triggers.len() > 1 => format!("{trigger}: {told}"),
        _ => told,
    }
}

/// What is told below the timeline where there are several triggers.
fn is_detail(event: &Event) -> bool {
    matches!(event.what, What::Patience { .. } | What::Stage { .. } | What::Served { .. })
}

/// What happens all the time and leads to nothing.
fn is_quiet(event: &Event) -> bool {
    match &event.what {
        What::Fault { kind, .. } => *kind == FaultKind::Blip,
        What::Checks { .. } => true,
        What::Patience { run, .. } => run.ended == Ended::Cleared,
        _ => false,
    }
}

fn counted(events: &[&Event]) -> String {
    let blips =
        events.iter().filter(|event| matches!(event.what, What::Fault { .. })).count() as u64;
    let kinds = [Some(Check::Healthy), Some(Check::Unhealthy), Some(Check::Absent), None];
    let mut parts = Vec::new();
    for kind in kinds {
        let count: u64 = events
            .iter()
            .map(|event| match &event.what {
                What::Checks { count, check, .. } if *check == kind => *count,
                _ => 0,
            })
            .sum();
        if count > 0 {
            let word = crate::experiment::trace::event::check_word(kind);
            parts.push(format!("{} {word}", grouped(&count.to_string())));
        }
    }
    let checks =
        if parts.is_empty() { "no checks".to_owned() } else { parts.join(", ") + " checks" };
    let blips = match blips {
        1 => "1 blip".to_owned(),
        blips => format!("{} blips", grouped(&blips.to_string())),
    };
    format!("{checks}, {blips}: no decision (--all shows each)")
}

/// What each trigger made of it, and the stages on each standby target.
fn failovers(trace: &Trace) -> String {
    let mut rows =
        table(["trigger", "patience", "detection", "target", "stages", "recovery", "RTO"]);
    for (index, alignment) in
        [(2, CellAlignment::Left), (3, CellAlignment::Left), (4, CellAlignment::Left)]
    {
        if let Some(column) = rows.column_mut(index) {
            column.set_cell_alignment(alignment);
        }
    }
    for trigger in &trace.triggers {
        let head = [
            trigger.setting.spec.to_string(),
            format!("{} s", seconds(trigger.patience)),
            detection(trigger),
        ];
        if trigger.failovers.is_empty() {
            let missed = if trace.outage.is_some() { "missed" } else { "" };
            let rest = ["-", "none: no failover", "-", missed].map(str::to_owned);
            rows.add_row(head.iter().cloned().chain(rest));
        }
        for (index, failover) in trigger.failovers.iter().enumerate() {
            let head = if index == 0 { head.clone() } else { Default::default() };
            rows.add_row(head.into_iter().chain(recovery(failover)));
        }
    }
    table_text(&rows)
}

fn detection(trigger: &TriggerTrace) -> String {
    match trigger.detection {
        Some(Detection::Fired(delay)) => format!("{:.1} s", delay.as_secs_f64()),
        Some(Detection::AlreadyFired) => "0 s, had fired".to_owned(),
        Some(Detection::Missed) => "missed".to_owned(),
        None if trigger.failovers.is_empty() => "-".to_owned(),
        None => "false".to_owned(),
    }
}

fn recovery(failover: &Failover) -> [String; 4] {
    let stages = failover
        .stages
        .iter()
        .map(|stage| format!("{} {}", said(&stage.name), length(stage.end - stage.begin)));
    let (recovery, verdict) = match (failover.recovery, failover.rto_met()) {
        (Some(recovery), Some(met)) => {
            let verdict = if met { "met" } else { "missed" };
            (format!("{:.1} s", recovery.as_secs_f64()), verdict)
        }
        _ => ("-".to_owned(), "-"),
    };
    let stages = stages.collect::<Vec<_>>().join(", ");
    [failover.target.clone(), stages, recovery, verdict.to_owned()]
}

/// An instant of the run as a clock: days, hours, minutes, seconds and tenths.
fn clock(at: Time) -> String {
    let tenths = (at.as_nanos() + 50_000_000).div_euclid(100_000_000);
    let (seconds, tenths) = (tenths.div_euclid(10), tenths.rem_euclid(10));
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (hours, minutes, seconds) = (rest / 3_600, rest % 3_600 / 60, rest % 60);
    format!("{days}d {hours:02}:{minutes:02}:{seconds:02}.{tenths}")
}

/// A length in the unit that suits it, with at most one decimal.
fn length(span: Span) -> String {
    let seconds = span.as_secs_f64();
    let (value, unit) = match seconds {
        s if s >= 172_800.0 => (s / 86_400.0, "d"),
        s if s >= 7_200.0 => (s / 3_600.0, "h"),
        s => (s, "s"),
    };
    let text = format!("{value:.1}");
    format!("{} {unit}", text.strip_suffix(".0").unwrap_or(&text))
}
