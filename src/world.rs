//! The world as event processes: blips, an outage, the prober, controller restarts and deploys.
//!
//! [`simulate`] moves from change to change on the event queue and writes all probes due between two
//! changes as one spell, so its cost grows with faults and not with probes. Nothing here depends on a
//! trigger: one history serves them all. The world judges probes; it never decides a failover.

pub mod blips;
pub(crate) mod branch;
pub mod judge;
pub mod overlay;
mod seldom;

use crate::engine::{Phase, Queue, Rng, Streams};
use crate::history::{Builder, Due, Fault, FaultKind, Grid, History, Jitter, Spell};
use crate::scenario::{OutageKind, Probe, Scenario};
use crate::time::{Span, Time};

use blips::BlipProcess;
use judge::Judge;

/// What may happen to the region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A blip of this source begins.
    BlipBegins(u16),
    /// A blip of this source ends.
    BlipEnds(u16),
    /// The outage begins.
    OutageBegins,
    /// The outage ends.
    OutageEnds,
    /// The prober stops.
    ProberDies,
    /// The prober is repaired.
    ProberReturns,
    /// The controller goes down and loses its history.
    ControllerStops,
    /// The controller is back, with no history.
    ControllerStarts,
    /// A deploy ends.
    DeployEnds,
}

/// One outage that a simulated run is to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutagePlan {
    /// What it does to the probes.
    pub kind: OutageKind,
    /// First instant.
    pub start: Time,
    /// First instant after it.
    pub end: Time,
}

impl OutagePlan {
    /// The outage as a fault of the truth.
    pub fn fault(&self) -> Fault {
        let kind = match self.kind {
            OutageKind::Reported => FaultKind::ReportedOutage,
            OutageKind::Dark => FaultKind::DarkOutage,
            OutageKind::Gray => FaultKind::GrayOutage,
        };
        Fault { kind, source: 0, start: self.start, end: self.end }
    }
}

/// The probe grid of one replication.
pub fn due_probes(probe: &Probe, streams: Streams) -> Due {
    probe_grid(probe, streams).due()
}

fn probe_grid(probe: &Probe, streams: Streams) -> Grid {
    use rand::RngExt;
    let phase = probe.phase.unwrap_or_else(|| {
        let nanos = streams.named("probe-phase").random_range(0..probe.interval.as_nanos());
        Span::from_nanos(nanos)
    });
    let jitter = (probe.jitter > Span::ZERO)
        .then(|| Jitter { max: probe.jitter, key: streams.key("probe-jitter") });
    Grid::new(Time::START + phase, probe.interval, jitter)
}

/// Simulates one replication and writes its history, truth included.
///
/// Without an `outage` the run is quiet: whatever fires in it is a false failover.
pub fn simulate(scenario: &Scenario, streams: Streams, outage: Option<OutagePlan>) -> History {
    let mut world = World::new(scenario, streams, outage);
    world.run();
    world.into_history()
}

/// The same for a quiet run, without the truth: all that a trigger sees. It writes into the room of
/// `spells`, so that many runs one after the other need no more of it than one.
pub fn simulate_checks(scenario: &Scenario, streams: Streams, spells: Vec<Spell>) -> History {
    let mut world = World::new(scenario, streams, None);
    world.keeps_truth = false;
    world.spells = Builder::reusing(spells);
    world.run();
    world.into_history()
}

#[derive(Clone)]
struct World<'a> {
    scenario: &'a Scenario,
    queue: Queue<Event>,
    end: Time,
    outage: Option<OutagePlan>,
    grid: Grid,
    next_probe: u64,
    spells: Builder,
    judge: Judge,
    blips: Vec<BlipProcess<'a>>,
    deploys: u32,
    /// How many times as fast healthy gaps pass now.
    pace: f64,
    prober: Rng,
    restarts: Rng,
    deploy_lengths: Rng,
    restarted: Vec<Time>,
    faults: Vec<Fault>,
    keeps_truth: bool,
    prober_died: Option<Time>,
    stopped: Option<Time>,
}

impl<'a> World<'a> {
    fn new(scenario: &'a Scenario, streams: Streams, outage: Option<OutagePlan>) -> Self {
        let mut queue = Queue::new();
        let sources = scenario.blips.0.iter().enumerate();
        let mut blips: Vec<BlipProcess<'a>> =
            sources.map(|(i, source)| BlipProcess::new(i as u16, source, streams)).collect();
        for process in &mut blips {
            process.schedule(Time::START, 1.0, &mut queue);
        }
        // An outage of no length holds no instant; its end would come before its start.
        let outage = outage.filter(|outage| outage.start < outage.end);
        if let Some(outage) = outage {
            queue.push(outage.start, Phase::FaultBegins, Event::OutageBegins);
            queue.push(outage.end, Phase::FaultEnds, Event::OutageEnds);
        }
        let mut world = World {
            scenario,
            queue,
            end: Time::START + scenario.run.length,
            outage,
            grid: probe_grid(&scenario.probe, streams),
            next_probe: 0,
            spells: Builder::new(),
            judge: Judge::new(scenario, streams),
            blips,
            deploys: 0,
            pace: 1.0,
            prober: streams.named("prober"),
            restarts: streams.named("restarts"),
            deploy_lengths: streams.named("deploys"),
            restarted: Vec::new(),
            faults: Vec::new(),
            keeps_truth: true,
            prober_died: None,
            stopped: None,
        };
        world.schedule_death(Time::START);
        world.schedule_restart(Time::START);
        world
    }

    fn run(&mut self) {
        while let Some((now, _, event)) = self.queue.pop() {
            if now >= self.end {
                break;
            }
            self.judge_until(now);
            self.happen(now, event);
        }
        self.judge_until(self.end);
    }

    /// Judges the probes due before `instant`: nothing has changed since the last of them.
    #[inline]
    fn judge_until(&mut self, instant: Time) {
        let until = self.grid.first_at_or_after(instant);
        if until > self.next_probe {
            self.judge.judge(self.next_probe, until, &mut self.spells);
            self.next_probe = until;
        }
    }

    #[inline]
    fn happen(&mut self, now: Time, event: Event) {
        match event {
            Event::BlipBegins(source) => {
                let process = &mut self.blips[usize::from(source)];
                let end = process.begin(now, self.pace, &mut self.queue);
                self.judge.blip_begins(source);
                self.record(FaultKind::Blip, source, now, end);
            }
            Event::BlipEnds(source) => {
                self.blips[usize::from(source)].end(now, self.pace, &mut self.queue);
                self.judge.blip_ends(source);
            }
            Event::OutageBegins => self.outage_begins(),
            Event::OutageEnds => self.judge.outage = None,
            Event::ProberDies => self.prober_dies(now),
            Event::ProberReturns => self.prober_returns(now),
            Event::ControllerStops => self.controller_stops(now),
            Event::ControllerStarts => self.controller_starts(now),
            Event::DeployEnds => self.set_deploys(now, self.deploys - 1),
        }
    }

    fn record(&mut self, kind: FaultKind, source: u16, start: Time, end: Time) {
        if self.keeps_truth {
            self.faults.push(Fault { kind, source, start, end });
        }
    }

    fn into_history(mut self) -> History {
        let end = self.end;
        if let Some(died) = self.prober_died {
            self.record(FaultKind::ProberDeath, 0, died, end);
        }
        if let Some(stopped) = self.stopped {
            self.record(FaultKind::ControllerDown, 0, stopped, end);
        }
        self.faults.sort_by_key(|fault| (fault.start, fault.kind, fault.source));
        History {
            due: self.grid.due(),
            spells: self.spells.finish(),
            restarts: self.restarted,
            faults: self.faults,
            end,
        }
    }
}

/// A gap of at least a nanosecond: without it a law that draws zeros would stop the clock.
pub(crate) fn at_least_a_tick(gap: Span) -> Span {
    gap.max(Span::from_nanos(1))
}
