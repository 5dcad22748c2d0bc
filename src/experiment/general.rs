//! One replication measured for any world and any trigger: check by check where it must be, spell by
//! spell where it can be.

use rand::RngExt;

use super::tally::Tally;
use super::walk::{first_firing, walk};
use super::{Environment, Setting};
use crate::engine::{Rng, Streams};
use crate::history::{Check, History, Spell};
use crate::time::{Span, Time};
use crate::trigger::Trigger;
use crate::world::overlay::{Cover, covered};
use crate::world::simulate_checks;

/// The instants of one replication at which something is laid over its quiet run.
///
/// They do not depend on the trigger, so every trigger meets the same outages.
#[derive(Default)]
pub(crate) struct Marks {
    /// Starts, ascending, one in each of as many equal parts of the run.
    pub(crate) starts: Vec<Time>,
    /// How long each outage lasts.
    pub(crate) outage_lengths: Vec<Span>,
    /// How long each prober stays dead.
    pub(crate) repairs: Vec<Span>,
    /// What follows detection: for each mark, for each target, its draw.
    stages: Vec<Span>,
    targets: usize,
}

impl Marks {
    pub(crate) fn draw(environment: &Environment, streams: Streams) -> Self {
        let scenario = &environment.scenario;
        let count = scenario.outage.per_replication as i64;
        if count == 0 {
            return Marks::default();
        }
        let length = scenario.run.length.as_nanos();
        let mut instants = streams.named("outage-starts");
        let bound = |part: i64| (i128::from(length) * i128::from(part) / i128::from(count)) as i64;
        let mut from = 0;
        let mut start_in = |part: i64| {
            let to = bound(part + 1);
            let start = instants.random_range(from..to.max(from + 1));
            from = to;
            Time::from_nanos(start)
        };
        let starts: Vec<Time> = (0..count).map(&mut start_in).collect();
        let draws = |law: &crate::law::Law, rng: &mut Rng| -> Vec<Span> {
            (0..count).map(|_| law.sample(rng)).collect()
        };
        let mut samplers = environment.samplers(streams);
        let mut stages = Vec::with_capacity(samplers.len() * starts.len());
        for _ in &starts {
            stages.extend(samplers.iter_mut().map(|sampler| sampler.next()));
        }
        Marks {
            outage_lengths: draws(&scenario.outage.length, &mut streams.named("outage-lengths")),
            repairs: draws(&scenario.prober.repair, &mut streams.named("measured-repairs")),
            targets: samplers.len(),
            stages,
            starts,
        }
    }

    /// What follows detection at a mark, for each target.
    pub(crate) fn stages_of(&self, mark: usize) -> &[Span] {
        &self.stages[mark * self.targets..][..self.targets]
    }
}

/// Measures any settings, replication by replication.
pub(crate) struct General<'a> {
    environment: &'a Environment,
    settings: Vec<&'a Setting>,
    /// Room for the spells of a replication, kept from one to the next.
    spells: Vec<Spell>,
    firings: Vec<i64>,
}

impl<'a> General<'a> {
    pub(crate) fn new(environment: &'a Environment, settings: Vec<&'a Setting>) -> Self {
        General { environment, settings, spells: Vec::new(), firings: Vec::new() }
    }

    /// Simulates replication `replication` and adds what each setting did to its tally. Returns each
    /// setting's false failovers.
    pub(crate) fn replicate(&mut self, replication: u64, tallies: &mut [&mut Tally]) -> &[i64] {
        let environment = self.environment;
        let streams = Streams::new(environment.scenario.run.seed, replication);
        let room = std::mem::take(&mut self.spells);
        let history = simulate_checks(&environment.scenario, streams, room);
        let marks = Marks::draw(environment, streams);
        self.firings.clear();
        for (setting, tally) in self.settings.iter().zip(tallies) {
            let run = Run { environment, setting, history: &history, marks: &marks, streams };
            self.firings.push(run.measure(tally));
        }
        self.spells = history.spells;
        &self.firings
    }
}

/// One setting on one replication.
struct Run<'a> {
    environment: &'a Environment,
    setting: &'a Setting,
    history: &'a History,
    marks: &'a Marks,
    streams: Streams,
}

impl Run<'_> {
    fn measure(&self, tally: &mut Tally) -> i64 {
        let timeout = self.environment.scenario.probe.timeout;
        let mut trigger = self.setting.trigger(self.environment.scenario.probe.interval);
        let mut firings = 0;
        walk(
            &mut trigger,
            self.history,
            &self.marks.starts,
            |firing| firings += i64::from(firing.at + timeout < self.history.end),
            |mark, trigger, spell| self.measure_mark(tally, mark, trigger, spell),
        );
        firings
    }

    fn measure_mark(&self, tally: &mut Tally, mark: usize, trigger: &Trigger, spell: usize) {
        let start = self.marks.starts[mark];
        let end = start + self.marks.outage_lengths[mark];
        let outage = &self.environment.scenario.outage;
        let cover = Cover::of_outage(outage.kind, outage.fail_probability, self.streams);
        let detection = if trigger.has_fired() {
            tally.already_fired += 1;
            Some(Span::ZERO)
        } else {
            let fired = self.fires(trigger.clone(), cover, start, end, spell);
            fired.map(|at| at - start)
        };
        tally.outages += 1;
        match detection {
            None => tally.missed += 1,
            Some(delay) if !trigger.has_fired() => tally.delays.add(delay),
            Some(_) => {}
        }
        self.recover(tally, mark, detection);
        let caught = trigger.has_fired()
            || self.fires(trigger.clone(), Cover::Silences, start, end, spell).is_some();
        tally.dark.add(caught);
        tally.restarts.add(self.restart_fires(trigger, start, spell));
        let repaired = start + self.marks.repairs[mark];
        let death_fires = !trigger.has_fired()
            && self.fires(trigger.clone(), Cover::Silences, start, repaired, spell).is_some();
        tally.prober_deaths.add(death_fires);
    }

    /// When `trigger` fires first under `cover` from `start` to `end`: when it learns of the check.
    fn fires(
        &self,
        mut trigger: Trigger,
        cover: Cover,
        start: Time,
        end: Time,
        spell: usize,
    ) -> Option<Time> {
        let restarts = &self.history.restarts;
        let later = &restarts[restarts.partition_point(|at| *at < start)..];
        let spells = covered(self.history, cover, start, end, spell);
        let firing = first_firing(&mut trigger, &self.history.due, spells, later)?;
        let learnt = firing.at + self.environment.scenario.probe.timeout;
        (learnt < end).then_some(learnt)
    }

    fn recover(&self, tally: &mut Tally, mark: usize, detection: Option<Span>) {
        let Some(detection) = detection else { return };
        let stages = self.marks.stages_of(mark);
        for ((target, after), room) in
            tally.targets.iter_mut().zip(stages).zip(&self.environment.recovery_limits)
        {
            let recovery = detection + *after;
            target.met += u64::from(recovery <= *room);
            if let Some(recoveries) = &mut target.recovery {
                recoveries.add(recovery);
            }
        }
    }

    /// Whether a restart at `start` leads to a firing within the patience that would not have happened
    /// without it: none in the same episode.
    fn restart_fires(&self, trigger: &Trigger, start: Time, spell: usize) -> bool {
        if trigger.has_fired() {
            return false;
        }
        let interval = self.environment.scenario.probe.interval;
        let due = &self.history.due;
        let first = due.at(due.first_at_or_after(start));
        let until = first + self.setting.spec.patience(interval) + Span::from_nanos(1);
        let mut restarted = trigger.clone();
        restarted.restart();
        let Some(fired) = self.fires_at(restarted, start, until, spell) else { return false };
        // Without the restart, up to the end of the episode: the next healthy check, which comes
        // within two intervals of the end of the run at the latest.
        let end = fired.max(self.history.end) + interval * 2;
        let well = covered(self.history, Cover::Nothing, fired, end, spell)
            .find(|spell| spell.check == Check::Healthy)
            .map_or(end, |spell| due.at(spell.first));
        self.fires_at(trigger.clone(), start, well, spell).is_none()
    }

    /// When a probe makes `trigger` fire on the quiet run, between `start` and `end`.
    fn fires_at(&self, mut trigger: Trigger, start: Time, end: Time, spell: usize) -> Option<Time> {
        let restarts = &self.history.restarts;
        let later = &restarts[restarts.partition_point(|at| *at < start)..];
        let spells = covered(self.history, Cover::Nothing, start, end, spell);
        first_firing(&mut trigger, &self.history.due, spells, later).map(|firing| firing.at)
    }
}
