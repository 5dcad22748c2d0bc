//! Patience as it runs: how far each trigger had counted towards its firing, check by check.
//!
//! Told for people beside a trigger's decisions, and never used to decide. What is counted is the
//! family's own: failures in a row (consecutive, window), failures among the last N (M-of-N), checks
//! in a row at which the success rate was too low (success-rate).

use std::collections::VecDeque;

use super::decisions::{Decided, Decision, pieces};
use crate::experiment::Setting;
use crate::history::{Check, Due, History, Spell};
use crate::time::{Span, Time};
use crate::trigger::{Silence, Spec};

/// One stretch in which a trigger counted something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatienceRun {
    /// The first check that counted.
    pub from: Time,
    /// The firing, the check that cleared the count, the restart that lost it, or the last check.
    pub until: Time,
    /// The count as it changed; between two points it goes up or down evenly.
    pub points: Vec<(Time, u64)>,
    /// The highest count reached.
    pub peak: u64,
    /// The count at which the trigger fires when it holds a full history.
    pub needed: u64,
    /// How it ended.
    pub ended: Ended,
}

/// How a stretch of counting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The trigger fired.
    Fired,
    /// The count went back to nothing.
    Cleared,
    /// The controller restarted and lost it.
    Lost,
    /// The run ended first.
    Open,
}

impl Ended {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Ended::Fired => "fired",
            Ended::Cleared => "cleared",
            Ended::Lost => "lost",
            Ended::Open => "open",
        }
    }
}

/// The count at which a trigger fires when it holds a full history.
pub fn needed(spec: &Spec, interval: Span) -> u64 {
    match spec {
        Spec::SuccessRate { fail_after, .. } if interval.is_positive() => {
            let whole = fail_after.div_floor(interval);
            let ragged = interval * whole < *fail_after;
            u64::try_from(whole).unwrap_or(0) + u64::from(ragged) + 1
        }
        spec => spec.checks_to_fire(interval),
    }
}

/// Every stretch in which a trigger counted something, up to its firing if it fired. What follows a
/// firing, until the trigger has re-armed, is counted no more.
pub fn runs(setting: &Setting, history: &History, decisions: &[Decision]) -> Vec<PatienceRun> {
    let mut firings = decisions.iter().filter(|d| matches!(d.what, Decided::Fired(_))).peekable();
    let mut rearms = decisions.iter().filter(|d| d.what == Decided::Rearmed).peekable();
    let needed = needed(&setting.spec, history.due.interval());
    let mut counter = Counter {
        meter: Meter::new(&setting.spec),
        due: &history.due,
        silence: setting.silence,
        needed,
        has_fired: false,
        current: None,
        runs: Vec::new(),
    };
    for (restarted, spell) in pieces(history) {
        if restarted {
            counter.restart(spell.first, &setting.spec);
        }
        let mut rest = spell;
        loop {
            // Up to and with the next decision in this spell, which comes after its check.
            let firing = firings.peek().map(|d| d.probe);
            let rearm = rearms.peek().map(|d| d.probe);
            let next = firing.into_iter().chain(rearm).min().filter(|probe| *probe < rest.end());
            let Some(probe) = next else { break };
            let count = probe + 1 - rest.first;
            counter.take(Spell { count, ..rest });
            rest = Spell { first: probe + 1, count: rest.count - count, ..rest };
            if firing == Some(probe) {
                firings.next();
                counter.fired(probe);
            } else {
                rearms.next();
                counter.has_fired = false;
            }
        }
        counter.take(rest);
    }
    counter.close(history.end, Ended::Open);
    counter.runs
}

struct Counter<'a> {
    meter: Meter,
    due: &'a Due,
    silence: Silence,
    needed: u64,
    has_fired: bool,
    current: Option<PatienceRun>,
    runs: Vec<PatienceRun>,
}

impl Counter<'_> {
    fn take(&mut self, spell: Spell) {
        let reading = match (spell.check, self.silence) {
            (Check::Healthy, _) => Reading::Healthy,
            (Check::Unhealthy, _) | (Check::Absent, Silence::Failure) => Reading::Failing,
            (Check::Absent, Silence::Ignored) => Reading::Nothing,
        };
        let mut rest = spell;
        while rest.count > 0 {
            // Once the meter holds nothing but this reading, the rest of the spell is even.
            let count = if self.meter.is_even(reading) { rest.count } else { 1 };
            let last = rest.first + count - 1;
            let (before, from) = (self.meter.level(), self.due.at(rest.first));
            self.meter.take(self.due, rest.first, last, reading);
            if before == 0 && count > 1 && self.meter.level() > 0 {
                self.note(from, 1);
            }
            // A count that is cleared is so at the first check of an even stretch.
            let at = if self.meter.level() == 0 { from } else { self.due.at(last) };
            self.note(at, self.meter.level());
            rest = Spell { first: last + 1, count: rest.count - count, ..rest };
        }
    }

    fn note(&mut self, at: Time, level: u64) {
        if level == 0 {
            return self.close(at, Ended::Cleared);
        }
        if self.has_fired {
            return;
        }
        let needed = self.needed;
        let run = self.current.get_or_insert_with(|| PatienceRun {
            from: at,
            until: at,
            points: Vec::new(),
            peak: 0,
            needed,
            ended: Ended::Open,
        });
        match &mut run.points[..] {
            [.., (_, first), (last_at, last)] if *first == level && *last == level => *last_at = at,
            _ => run.points.push((at, level)),
        }
        run.peak = run.peak.max(level);
        run.until = at;
    }

    fn fired(&mut self, probe: u64) {
        self.has_fired = true;
        self.close(self.due.at(probe), Ended::Fired);
    }

    fn restart(&mut self, probe: u64, spec: &Spec) {
        self.meter = Meter::new(spec);
        self.close(self.due.at(probe), Ended::Lost);
    }

    fn close(&mut self, at: Time, ended: Ended) {
        if let Some(run) = self.current.take() {
            let until = if ended == Ended::Open { run.until } else { at };
            self.runs.push(PatienceRun { until, ended, ..run });
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Healthy,
    Failing,
    Nothing,
}

/// What each family counts.
enum Meter {
    InARow { count: u64 },
    LastN { n: usize, last: VecDeque<bool>, failing: u64 },
    Low { min_success: f64, window: Span, held: VecDeque<(Time, bool)>, failing: usize, low: u64 },
}

impl Meter {
    fn new(spec: &Spec) -> Self {
        match *spec {
            Spec::Consecutive { .. } | Spec::Window { .. } => Meter::InARow { count: 0 },
            Spec::MOfN { n, .. } => {
                Meter::LastN { n: n.max(1) as usize, last: VecDeque::new(), failing: 0 }
            }
            Spec::SuccessRate { min_success, window, .. } => {
                Meter::Low { min_success, window, held: VecDeque::new(), failing: 0, low: 0 }
            }
        }
    }

    fn level(&self) -> u64 {
        match self {
            Meter::InARow { count } => *count,
            Meter::LastN { failing, .. } => *failing,
            Meter::Low { low, .. } => *low,
        }
    }

    /// True when any number of further checks of this reading change the level evenly.
    fn is_even(&self, reading: Reading) -> bool {
        match self {
            Meter::InARow { .. } => true,
            Meter::LastN { n, failing, .. } => match reading {
                Reading::Failing => *failing == *n as u64,
                _ => *failing == 0,
            },
            Meter::Low { held, failing, .. } => match reading {
                Reading::Failing => *failing == held.len(),
                Reading::Healthy => *failing == 0,
                Reading::Nothing => held.is_empty(),
            },
        }
    }

    /// Takes the checks of probes `first..=last`: one, or any number once it is even.
    fn take(&mut self, due: &Due, first: u64, last: u64, reading: Reading) {
        let checks = last - first + 1;
        match self {
            Meter::InARow { count } => match reading {
                Reading::Healthy => *count = 0,
                Reading::Failing => *count += checks,
                Reading::Nothing => {}
            },
            Meter::LastN { n, last, failing } => {
                let fails = reading == Reading::Failing;
                for _ in 0..checks.min(*n as u64) {
                    last.push_back(fails);
                    *failing += u64::from(fails);
                    if last.len() > *n {
                        *failing -= u64::from(last.pop_front() == Some(true));
                    }
                }
            }
            Meter::Low { min_success, window, held, failing, low } => {
                let now = due.at(last);
                let since = due.first_at_or_after(now - *window).max(first);
                for probe in since..=last {
                    if reading != Reading::Nothing {
                        held.push_back((due.at(probe), reading == Reading::Failing));
                        *failing += usize::from(reading == Reading::Failing);
                    }
                }
                while let Some((_, fails)) = held.pop_front_if(|(at, _)| *at < now - *window) {
                    *failing -= usize::from(fails);
                }
                let share = (held.len() - *failing) as f64 / held.len().max(1) as f64;
                let is_low = !held.is_empty() && share < *min_success;
                *low = if is_low { *low + checks } else { 0 };
            }
        }
    }
}
