//! What a trigger would have done over recorded checks: when it fires, on what, and what it misses.
//!
//! A recording holds no truth but its checks, so a firing is judged by the run of failed probes behind
//! it: an outage if the run reached the threshold that tells blips from outages, else false. After a
//! hole in the recording the controller is taken to begin anew: nobody knows what it held.

use super::runs::Run;
use super::separate::Threshold;
use crate::history::{Check, History};
use crate::time::{Span, Time};
use crate::trigger::{Arming, Firing, Silence, Spec, Trigger, firings};

/// What stands behind a firing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A run of failed probes that recovered by itself.
    Blip(Run),
    /// A run long enough to be an outage.
    Outage(Run),
    /// Checks that did not arrive, and no failed one near: a dark region or a dead prober.
    Silence,
}

/// One firing over a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// When.
    pub at: Time,
    /// On what.
    pub cause: Cause,
}

impl Judged {
    /// True iff no outage is known to have been in progress.
    pub fn is_false(&self) -> bool {
        !matches!(self.cause, Cause::Outage(_))
    }
}

/// One recorded outage, as a trigger met it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The outage.
    pub outage: Run,
    /// From its first failed check to the firing; `None` where the trigger had not fired by its end.
    pub delay: Option<Span>,
    /// True iff the trigger had fired before the outage began and not re-armed since.
    pub already_fired: bool,
}

/// What one trigger did over a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// The trigger.
    pub spec: Spec,
    /// Its patience at the recording's interval.
    pub patience: Span,
    /// Its firings, in order.
    pub firings: Vec<Judged>,
    /// How it met each recorded outage.
    pub detections: Vec<Detection>,
}

/// How checks are read in a replay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// What an absent check counts as.
    pub silence: Silence,
    /// What a controller must hold before it may fire.
    pub arming: Arming,
}

/// Runs a trigger over a recording. `runs` are those of this recording alone.
pub fn replay(
    history: &History,
    runs: &[Run],
    threshold: &Threshold,
    (spec, interval, rules): (&Spec, Span, Rules),
) -> Replayed {
    let history = with_restarts(history);
    let mut trigger = Trigger::new(spec, interval, rules.silence, rules.arming);
    let fired = firings(&mut trigger, &history);
    let patience = spec.patience(interval);
    let judged: Vec<Judged> = fired
        .iter()
        .map(|firing| Judged {
            at: firing.at,
            cause: cause(firing, &history, runs, threshold, patience),
        })
        .collect();
    let outages = runs.iter().filter(|run| threshold.is_outage(run));
    let detections = outages.map(|outage| detection(outage, &judged, &history)).collect();
    Replayed { spec: *spec, patience, firings: judged, detections }
}

impl Replayed {
    /// How many firings were false.
    pub fn false_firings(&self) -> u64 {
        self.firings.iter().filter(|firing| firing.is_false()).count() as u64
    }

    /// Outages that ended without a firing.
    pub fn missed(&self) -> u64 {
        let missed = |d: &&Detection| d.delay.is_none() && !d.outage.is_censored();
        self.detections.iter().filter(missed).count() as u64
    }

    /// Delays of detection in seconds, ascending; an outage met by a trigger that had already fired
    /// counts as no delay.
    pub fn delays_s(&self) -> Vec<f64> {
        let mut delays: Vec<f64> =
            self.detections.iter().filter_map(|d| d.delay).map(Span::as_secs_f64).collect();
        delays.sort_by(f64::total_cmp);
        delays
    }
}

/// The history with a restart after each hole.
fn with_restarts(history: &History) -> History {
    let mut history = history.clone();
    let after_holes = history
        .spells
        .windows(2)
        .filter(|pair| pair[1].first > pair[0].end())
        .map(|pair| history.due.at(pair[1].first));
    let mut restarts: Vec<Time> = history.restarts.iter().copied().chain(after_holes).collect();
    restarts.sort();
    history.restarts = restarts;
    history
}

/// The run behind a firing: the one in progress, or the last one, if it ended within the trigger's
/// patience before.
fn cause(
    firing: &Firing,
    history: &History,
    runs: &[Run],
    threshold: &Threshold,
    patience: Span,
) -> Cause {
    let after = runs.partition_point(|run| run.first_failed <= firing.at);
    let run = after.checked_sub(1).and_then(|i| runs.get(i));
    let silent = check_at(history, firing.probe) == Some(Check::Absent);
    match run {
        Some(run) if reaches(run, firing.at, patience, silent) => {
            if threshold.is_outage(run) {
                Cause::Outage(*run)
            } else {
                Cause::Blip(*run)
            }
        }
        _ => Cause::Silence,
    }
}

fn reaches(run: &Run, at: Time, patience: Span, silent: bool) -> bool {
    // A run whose end was not seen may have ended anywhere; one that has ended can still be behind a
    // firing of a trigger that looks back.
    let recovered = run.first_healthy.filter(|healthy| *healthy <= at);
    match recovered {
        None => true,
        Some(_) if silent => false,
        Some(_) => at - run.last_failed <= patience.max(Span::from_secs(1)) * 2,
    }
}

fn check_at(history: &History, probe: u64) -> Option<Check> {
    let after = history.spells.partition_point(|spell| spell.first <= probe);
    let spell = history.spells.get(after.checked_sub(1)?)?;
    (probe < spell.end()).then_some(spell.check)
}

fn detection(outage: &Run, firings: &[Judged], history: &History) -> Detection {
    let end = outage.first_healthy.unwrap_or(history.end);
    let within = firings.iter().find(|f| outage.first_failed <= f.at && f.at <= end);
    // A firing before it, with no healthy check since, has it covered.
    let before = outage
        .last_healthy
        .is_none_or(|healthy| firings.iter().any(|f| f.at > healthy && f.at < outage.first_failed));
    let already_fired =
        before && firings.iter().any(|f| f.at < outage.first_failed) && within.is_none();
    let delay = match within {
        _ if already_fired => Some(Span::ZERO),
        Some(firing) => Some(firing.at - outage.first_failed),
        None => None,
    };
    Detection { outage: *outage, delay, already_fired }
}
