//! One run of checks under one setting, and the helper that holds a trigger to it.

use failover_budget::history::{Builder, Check, Due, History};
use failover_budget::time::{Span, Time};
use failover_budget::trigger::{Arming, Silence, Spec, Trigger, firings};

/// One run of checks under one setting.
#[derive(Clone)]
pub struct Case {
    checks: String,
    trigger: String,
    interval: &'static str,
    silence: Silence,
    arming: Arming,
}

/// A trigger over checks 10 s apart, silence ignored, armed at once.
pub fn case(checks: impl Into<String>, trigger: impl Into<String>) -> Case {
    Case {
        checks: checks.into(),
        trigger: trigger.into(),
        interval: "10s",
        silence: Silence::Ignored,
        arming: Arming::Immediate,
    }
}

impl Case {
    pub fn every(mut self, interval: &'static str) -> Self {
        self.interval = interval;
        self
    }

    pub fn silence(mut self, silence: Silence) -> Self {
        self.silence = silence;
        self
    }

    pub fn arming(mut self, arming: Arming) -> Self {
        self.arming = arming;
        self
    }

    fn history(&self) -> History {
        let interval: Span = self.interval.parse().unwrap();
        let due = Due::grid(Time::START, interval);
        let mut builder = Builder::new();
        let mut restarts = Vec::new();
        let mut probe = 0;
        for letter in self.checks.chars() {
            let check = match letter {
                'S' => Some(Check::Healthy),
                'F' => Some(Check::Unhealthy),
                '-' => Some(Check::Absent),
                '.' => None,
                'R' => {
                    restarts.push(due.at(probe));
                    continue;
                }
                ' ' => continue,
                other => panic!("no check is written {other}"),
            };
            if let Some(check) = check {
                builder.add(probe, probe + 1, check);
            }
            probe += 1;
        }
        let end = due.at(probe);
        History { due, spells: builder.finish(), restarts, faults: Vec::new(), end }
    }
}

/// The trigger fires at exactly these due probes, counted from 1, whether it is fed the history in
/// spells or check by check.
pub fn check(case: Case, fires: &[u64]) {
    let spec: Spec = case.trigger.parse().unwrap();
    let interval: Span = case.interval.parse().unwrap();
    let history = case.history();
    let new = || Trigger::new(&spec, interval, case.silence, case.arming);
    let by_spell: Vec<u64> =
        firings(&mut new(), &history).iter().map(|firing| firing.probe + 1).collect();
    let mut trigger = new();
    let mut restarts = history.restarts.iter().peekable();
    let mut by_check = Vec::new();
    for (probe, at, check) in history.checks() {
        while restarts.next_if(|restart| **restart <= at).is_some() {
            trigger.restart();
        }
        if trigger.observe(at, check) {
            by_check.push(probe + 1);
        }
    }
    let what = format!(
        "{} over `{}`, silence {}, arming {}",
        case.trigger, case.checks, case.silence, case.arming
    );
    assert_eq!(by_check, fires, "{what}");
    assert_eq!(by_spell, fires, "{what}, in spells");
}
