//! The items on time: stages, window, room, silence, restarts.

use super::{Item, Subject, Verdict};
use crate::advise::band::Patience;
use crate::budget::words::{seconds, stages};
use crate::budget::{Outlook, Plan};
use crate::experiment::figures::theory;
use crate::scenario::Tier;
use crate::scenario::sequence::BuiltIn;
use crate::time::Span;
use crate::trigger::{Arming, Silence, Spec};

pub(super) fn item(
    item: &'static str,
    asks: &'static str,
    verdict: Verdict,
    evidence: impl Into<String>,
) -> Item {
    Item { item, asks, verdict, evidence: evidence.into() }
}

/// The keys of which one must be written for each input of a target's stages.
fn needed(index: usize, tier: Tier) -> Vec<[String; 2]> {
    let keys = |name: &str| [format!("stages.{name}"), format!("targets.{index}.{name}")];
    let spent = BuiltIn::ALL.into_iter().filter(|stage| stage.is_spent_by(tier));
    let inputs = spent.flat_map(|stage| match stage {
        BuiltIn::WeightLoad => vec!["weights_gb", "load_rate_gb_per_s"],
        other => vec![other.name()],
    });
    inputs.map(keys).collect()
}

fn unwritten(subject: &Subject<'_>) -> Vec<String> {
    let written = subject.written;
    let top = written.missing(["rto", "targets"]).into_iter().map(str::to_owned);
    let targets = subject.scenario.targets.iter().enumerate();
    let keys = targets.flat_map(|(index, target)| needed(index, target.tier));
    let absent = keys.filter(|keys| !keys.iter().any(|key| written.has(key)));
    let mut all: Vec<String> = top.chain(absent.map(|[common, _]| common)).collect();
    let mut seen = std::collections::BTreeSet::new();
    all.retain(|key| seen.insert(key.clone()));
    all
}

pub(super) fn rto_by_stage(subject: &Subject<'_>, outlooks: &[Outlook]) -> Item {
    let asks = "the RTO is written out by stage";
    let unwritten = unwritten(subject);
    if !unwritten.is_empty() {
        let evidence =
            format!("not written, so taken from the lab: {}; write your own", unwritten.join(", "));
        return item("rto-by-stage", asks, Verdict::Unknown, evidence);
    }
    let one = |outlook: &Outlook| format!("{}: {}", outlook.plan.target, stages(&outlook.plan));
    let all = outlooks.iter().map(one).collect::<Vec<_>>().join(". ");
    let rto = seconds(subject.scenario.rto);
    item("rto-by-stage", asks, Verdict::Pass, format!("of {rto} s, {all}"))
}

pub(super) fn window_from_room(subject: &Subject<'_>, outlooks: &[Outlook]) -> Item {
    let asks = "the detection window is what the RTO leaves after every stage, not the RTO";
    let with = |verdict, evidence: String| item("window-from-room", asks, verdict, evidence);
    if !subject.written.has("triggers") {
        let evidence = "no trigger is written; write the one that you run as `triggers`";
        return with(Verdict::Unknown, evidence.to_owned());
    }
    let with_room: Vec<&Outlook> =
        outlooks.iter().filter(|outlook| outlook.largest_consecutive().is_some()).collect();
    let triggers = &subject.scenario.triggers;
    let mut wrong: Vec<String> =
        triggers.iter().filter_map(|spec| is_the_rto(spec, subject)).collect();
    for outlook in &with_room {
        wrong
            .extend(triggers.iter().filter_map(|spec| over_the_room(spec, &outlook.plan, outlook)));
    }
    if !wrong.is_empty() {
        return with(Verdict::Fail, wrong.join("; "));
    }
    if with_room.is_empty() {
        let evidence = "no target leaves any room that a window could be derived from";
        return with(Verdict::Unknown, evidence.to_owned());
    }
    let fits = |outlook: &&Outlook| {
        let interval = outlook.plan.interval;
        let longest = outlook.largest_consecutive().unwrap_or(1);
        format!("{} up to {}", outlook.plan.target, Patience::new(longest, interval).trigger)
    };
    let room = with_room.iter().map(fits).collect::<Vec<_>>().join(", ");
    let names = triggers.iter().map(Spec::to_string).collect::<Vec<_>>().join(", ");
    with(Verdict::Pass, format!("{names} fit when the outage starts at the worst instant ({room})"))
}

/// A trigger that spends the whole RTO on detection.
fn is_the_rto(spec: &Spec, subject: &Subject<'_>) -> Option<String> {
    let rto = subject.scenario.rto;
    let own = match spec {
        Spec::Window { window } => *window,
        _ => spec.patience(subject.scenario.probe.interval),
    };
    (own >= rto).then(|| {
        let what = if own == rto { "is" } else { "is longer than" };
        format!("{spec} {what} the RTO of {} s, and the stages come after it", seconds(rto))
    })
}

/// A trigger whose detection does not fit the room of a target.
fn over_the_room(spec: &Spec, plan: &Plan, outlook: &Outlook) -> Option<String> {
    let worst = plan.worst_detection(spec.patience(plan.interval));
    let longest = Patience::new(outlook.largest_consecutive()?, plan.interval);
    (worst > outlook.room()).then(|| {
        format!(
            "{spec} takes up to {} s, and {} leaves {} s: at most {} or {}",
            seconds(worst),
            plan.target,
            seconds(outlook.room()),
            longest.trigger,
            longest.window
        )
    })
}

pub(super) fn room_positive(subject: &Subject<'_>, outlooks: &[Outlook]) -> Item {
    let asks = "every target leaves room for detection at the current model size";
    let with = |verdict, evidence: String| item("room-positive", asks, verdict, evidence);
    let unwritten = unwritten(subject);
    if !unwritten.is_empty() {
        let evidence = format!("the room rests on what is not written: {}", unwritten.join(", "));
        return with(Verdict::Unknown, evidence);
    }
    let none = |outlook: &Outlook| {
        let why = outlook.why_not()?;
        let ways = outlook.would_fit(outlook.plan.worst_detection(Span::ZERO)).in_words();
        let ways =
            if ways.is_empty() { String::new() } else { format!(" ({})", ways.join(", or ")) };
        Some(format!("{}: {why}{ways}", outlook.plan.target))
    };
    let wrong: Vec<String> = outlooks.iter().filter_map(none).collect();
    if !wrong.is_empty() {
        return with(Verdict::Fail, wrong.join("; "));
    }
    let one = |outlook: &Outlook| {
        let size = match outlook.plan.stage("weight_load") {
            Some(_) => format!(" at {} GB", outlook.plan.loading.weights_gb),
            None => String::new(),
        };
        format!("{} {} s{size}", outlook.plan.target, seconds(outlook.room()))
    };
    with(Verdict::Pass, outlooks.iter().map(one).collect::<Vec<_>>().join(", "))
}

pub(super) fn silence_is_failure(subject: &Subject<'_>) -> Item {
    let asks = "probes that do not arrive count as failures";
    let with = |verdict, evidence: String| item("silence-is-failure", asks, verdict, evidence);
    if !subject.written.has("controller.silence") {
        let evidence = "controller.silence is not written; write what your controller does";
        return with(Verdict::Unknown, evidence.to_owned());
    }
    let silence = subject.scenario.controller.silence;
    if silence == Silence::Failure {
        return with(Verdict::Pass, "controller.silence = \"failure\"".to_owned());
    }
    let mut evidence = "silence is ignored, so a region that goes dark looks healthy".to_owned();
    for (spec, chance) in chances(subject, |known, spec| known.dark_caught(spec, silence)) {
        evidence += &format!("; {spec} catches it with probability {chance:.4}");
    }
    with(Verdict::Fail, evidence + "; count silence as failure")
}

pub(super) fn history_after_restart(subject: &Subject<'_>) -> Item {
    let asks = "a restarted controller holds enough history before it may fire";
    let with = |verdict, evidence: String| item("history-after-restart", asks, verdict, evidence);
    if !subject.written.has("controller.arming") {
        let evidence = "controller.arming is not written; write what your controller does";
        return with(Verdict::Unknown, evidence.to_owned());
    }
    let arming = subject.scenario.controller.arming;
    let interval = subject.scenario.probe.interval;
    // A count of failures starts again from zero; a share of what is held may be decided by one check.
    let counts = |spec: &&Spec| matches!(spec, Spec::Window { .. } | Spec::SuccessRate { .. });
    let enough = |spec: &Spec| match arming {
        Arming::FullWindow => true,
        Arming::Immediate => false,
        Arming::Checks(checks) => checks >= spec.checks_to_fire(interval),
    };
    let triggers = &subject.scenario.triggers;
    let eager: Vec<&Spec> = triggers.iter().filter(counts).filter(|spec| !enough(spec)).collect();
    if eager.is_empty() {
        let why = match arming {
            Arming::FullWindow => "",
            _ => ": counts start again from zero",
        };
        return with(Verdict::Pass, format!("controller.arming = \"{arming}\"{why}"));
    }
    let names = eager.iter().map(|spec| spec.to_string()).collect::<Vec<_>>().join(", ");
    let mut evidence =
        format!("armed at \"{arming}\", {names} may fire on less than its own patience of checks");
    for (spec, chance) in chances(subject, |known, spec| known.restart_fires(spec, arming)) {
        if eager.contains(&&spec) {
            evidence += &format!("; a restart makes {spec} fire with probability {chance:.4}");
        }
    }
    with(Verdict::Fail, evidence + "; arm at \"full-window\"")
}

/// An exact chance for each trigger that has one.
fn chances(
    subject: &Subject<'_>,
    chance: impl Fn(&crate::exact::Sampled, &Spec) -> Option<f64>,
) -> Vec<(Spec, f64)> {
    let scenario = subject.scenario;
    let count = |spec: &Spec| spec.checks_to_fire(scenario.probe.interval);
    let deepest = scenario.triggers.iter().map(count).max().unwrap_or(1);
    let Some(known) = theory(scenario, deepest) else { return Vec::new() };
    let with = |spec: &Spec| Some((*spec, chance(&known, spec)?));
    scenario.triggers.iter().filter_map(with).collect()
}
