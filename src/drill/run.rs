//! One run of a drill: processes on the event queue.
//!
//! The state is held here and the processes stand in the files below, each a few functions on
//! [`Run`]. Between two events everything is constant, so what flows (requests, duplicates, cache
//! warmth) is integrated from event to event.

mod account;
mod availability;
mod canary;
mod capacity;
mod decide;
mod failback;
mod failover;
mod faults;
mod in_flight;
mod provider;
mod shift;

use std::collections::BTreeMap;

use super::controller::{Controller, Hold, Settings};
use super::outcome::{Entry, FeatureOutcome, Kind, Outcome};
use super::plan::{NeedKind, Plan};
use super::service::{Asset, CanaryPhase, Counts};
use crate::engine::{Phase, Queue, Rng, Streams};
use crate::law::Law;
use crate::time::{Span, Time};
use crate::trigger::{Arming, Trigger};

/// What happens at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    FaultBegins(usize),
    FaultEnds(usize),
    LeaseOver(usize),
    Canary,
    Decide,
    PlannedSwitch,
    Mended { standby: usize },
    Confirmed { feature: usize, moves: u64 },
    StepDone { moves: u64 },
    AssetReady { standby: usize, need: usize },
    Follow { feature: usize, cohort: usize, moves: u64 },
    ServersReady { region: usize, servers: u64 },
    ScaleDown { moves: u64 },
    ProviderSwitch { region: usize, need: usize },
    Reconciled { attempt: u64 },
    RampCheck { ramp: u64 },
    RampHeld { ramp: u64 },
}

/// A region during the run.
#[derive(Clone, Debug)]
struct Region {
    window: canary::Window,
    /// Share of full capacity that is ready.
    ready: f64,
    /// Share of full capacity that is on its way.
    pending: f64,
    /// 0 for a cold cache, 1 for a warm one.
    warmth: f64,
    load: capacity::Load,
}

/// Where a feature is on its way between the regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Home,
    /// Chosen to move; waits for what it needs.
    Waiting,
    /// Moving or moved: clients follow to the standby.
    Away,
}

/// A feature during the run.
#[derive(Clone, Debug)]
struct FeatureState {
    place: Place,
    /// Share of its traffic on the standby.
    away: f64,
    confirmed: Option<Time>,
    assets_ready: Option<Time>,
    first_followed: Option<Time>,
    /// Whether it was interrupted when the move was decided.
    was_interrupted: bool,
    pending_streams: Vec<(Time, u64)>,
    pending_runs: Option<(u64, u64)>,
}

/// The move that is under way or was made last.
#[derive(Clone, Debug, Default)]
struct Move {
    standby: usize,
    due: Option<Time>,
    decided: Option<Time>,
    promoted: Option<Time>,
    planned: bool,
    /// How much each need loses, by its place.
    lags: Vec<Span>,
    next_step: usize,
    /// The step that waits for something, so that it is told once.
    blocked: bool,
}

/// One run.
struct Run<'a> {
    plan: &'a Plan,
    streams: Streams,
    recording: bool,
    now: Time,
    /// Up to where what flows has been integrated.
    flowed: Time,
    /// Whether anything has changed since the state was last brought up to date.
    changed: bool,
    queue: Queue<Event>,
    draws: BTreeMap<String, u32>,
    active: Vec<bool>,
    /// Keys of the draws that belong to one canary, by region.
    canary_keys: Vec<u64>,
    /// Chance that a canary comes through, by region; none when it must be reckoned anew.
    canary_up: Vec<Option<f64>>,
    regions: Vec<Region>,
    features: Vec<FeatureState>,
    /// `[standby][need]`: whether an asset is usable there.
    assets: Vec<Vec<bool>>,
    /// `[region][need]`: the fallback in use.
    fallbacks: Vec<Vec<Option<usize>>>,
    mended: Vec<bool>,
    mending: Vec<bool>,
    controller: Controller,
    trigger: Option<Trigger>,
    breaker_since: Option<Time>,
    last_hold: Option<Hold>,
    move_: Move,
    /// How many moves there were; events of an earlier one are stale.
    moves: u64,
    fenced: bool,
    failback: failback::Ramp,
    flows: in_flight::Flows,
    out: Outcome,
}

/// A span as it is told: to the second.
fn told(span: Span) -> Span {
    Span::from_secs(span.as_secs_f64().round() as i64)
}

/// Runs replication `replication` under `seed`; with `recording` the timeline is kept.
pub fn run(plan: &Plan, seed: u64, replication: u64, recording: bool) -> Outcome {
    let mut run = Run::new(plan, Streams::new(seed, replication), recording);
    run.schedule_inputs();
    run.play();
    run.finish()
}

impl<'a> Run<'a> {
    fn new(plan: &'a Plan, streams: Streams, recording: bool) -> Self {
        let service = &plan.service;
        let controller = &service.controller;
        let settings = Settings {
            fail_after: controller.fail_after,
            recover_after: controller.recover_after,
            min_success: controller.min_success,
        };
        let standbys = service.standbys.len();
        let region = |ready: f64, warmth: f64| Region {
            window: canary::Window::default(),
            ready,
            pending: 0.0,
            warmth,
            load: capacity::Load::default(),
        };
        let mut regions = vec![region(1.0, 1.0)];
        regions.extend(service.standbys.iter().map(|standby| region(standby.capacity, 0.0)));
        let usable = |kind: &NeedKind| {
            !matches!(kind, NeedKind::Asset(Asset::Snapshot { .. } | Asset::Rebuilt { .. }))
        };
        let assets: Vec<bool> = plan.needs.iter().map(|need| usable(&need.kind)).collect();
        let canary = &service.canary;
        let trigger = controller
            .trigger
            .as_ref()
            .map(|spec| Trigger::new(spec, canary.interval, canary.silence, Arming::FullWindow));
        Run {
            plan,
            streams,
            recording,
            now: Time::START,
            flowed: Time::START,
            changed: true,
            queue: Queue::new(),
            draws: BTreeMap::new(),
            active: vec![false; plan.faults.len()],
            canary_keys: plan
                .regions
                .iter()
                .map(|name| streams.key(&format!("drill/canary/{name}")))
                .collect(),
            canary_up: vec![None; regions.len()],
            regions,
            features: vec![FeatureState::default(); plan.features.len()],
            assets: vec![assets; standbys],
            fallbacks: vec![vec![None; plan.needs.len()]; standbys + 1],
            mended: vec![false; standbys],
            mending: vec![false; standbys],
            controller: Controller::new(settings),
            trigger,
            breaker_since: None,
            last_hold: None,
            move_: Move::default(),
            moves: 0,
            fenced: false,
            failback: failback::Ramp::default(),
            flows: in_flight::Flows::default(),
            out: Outcome {
                features: vec![FeatureOutcome::default(); plan.features.len()],
                ..Outcome::default()
            },
        }
    }

    fn schedule_inputs(&mut self) {
        let service = &self.plan.service;
        let interval = service.canary.interval;
        let phase = match service.canary.phase {
            CanaryPhase::At(phase) => phase,
            CanaryPhase::Uniform => self.uniform("canary-phase", interval),
        };
        self.queue.push(Time::START + phase, Phase::Probe, Event::Canary);
        for (index, fault) in self.plan.faults.iter().enumerate() {
            let lasts = self.draw(&format!("fault/{index}"), &fault.lasts);
            self.queue.push(fault.at, Phase::FaultBegins, Event::FaultBegins(index));
            self.queue.push(fault.at + lasts, Phase::FaultEnds, Event::FaultEnds(index));
        }
        if let Some(moment) = service.planned_switch {
            self.queue.push(moment.at(service.start), Phase::Decision, Event::PlannedSwitch);
        }
    }

    fn play(&mut self) {
        let end = Time::START + self.plan.service.length;
        while let Some((at, _, event)) = self.queue.pop() {
            if at > end {
                break;
            }
            if at > self.now {
                self.settle();
                self.now = at;
            }
            // Most events only look, and what flows can flow on.
            if !matches!(event, Event::Canary | Event::Decide) {
                self.change();
            }
            self.handle(event);
        }
        self.settle();
        self.now = end;
        self.flow();
    }

    /// Everything at one instant has happened: what depends on the state is brought up to date.
    fn settle(&mut self) {
        // A cache warms all the time, and with a cold penalty the load changes with it.
        if self.plan.service.latency.cache.cold_penalty > 0.0 {
            self.flow();
            self.changed = true;
        }
        if std::mem::take(&mut self.changed) {
            self.refresh();
        }
    }

    /// The state is about to change at this instant.
    fn change(&mut self) {
        self.flow();
        self.changed = true;
        self.canary_up.fill(None);
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::FaultBegins(fault) => self.fault_begins(fault),
            Event::FaultEnds(fault) => self.fault_ends(fault),
            Event::LeaseOver(fault) => self.lease_over(fault),
            Event::Canary => self.canaries(),
            Event::Decide => self.decide(),
            Event::PlannedSwitch => self.planned_switch(),
            Event::Mended { standby } => self.mended(standby),
            Event::Confirmed { feature, moves } => self.confirmed(feature, moves),
            Event::StepDone { moves } => self.step_done(moves),
            Event::AssetReady { standby, need } => self.asset_ready(standby, need),
            Event::Follow { feature, cohort, moves } => self.follow(feature, cohort, moves),
            Event::ServersReady { region, servers } => self.servers_ready(region, servers),
            Event::ScaleDown { moves } => self.scale_down(moves),
            Event::ProviderSwitch { region, need } => self.provider_switch(region, need),
            Event::Reconciled { attempt } => self.reconciled(attempt),
            Event::RampCheck { ramp } => self.ramp_check(ramp),
            Event::RampHeld { ramp } => self.ramp_held(ramp),
        }
    }

    /// Schedules an event of the failover itself.
    fn after(&mut self, span: Span, event: Event) {
        self.queue.push(self.now + span.max(Span::ZERO), Phase::Failover, event);
    }

    /// The next stream of the process called `name`: each use has a stream of its own, so that one
    /// more draw here changes no draw elsewhere.
    fn stream(&mut self, name: &str) -> Rng {
        let uses = self.draws.entry(name.to_owned()).or_default();
        let stream = self.streams.named(&format!("drill/{name}/{uses}"));
        *uses += 1;
        stream
    }

    fn draw(&mut self, name: &str, law: &Law) -> Span {
        let mut rng = self.stream(name);
        law.sample(&mut rng)
    }

    fn uniform(&mut self, name: &str, below: Span) -> Span {
        use rand::RngExt;
        let nanos = below.as_nanos().max(1);
        Span::from_nanos(self.stream(name).random_range(0..nanos))
    }

    /// How many requests a mean of `mean` is in this run.
    fn count(&mut self, name: &str, mean: f64) -> u64 {
        if self.plan.service.counts == Counts::Even {
            return mean.round() as u64;
        }
        let mut rng = self.stream(name);
        match rand_distr::Poisson::new(mean) {
            Ok(law) => rand_distr::Distribution::<f64>::sample(&law, &mut rng) as u64,
            Err(_) => 0,
        }
    }

    /// Adds a line to the timeline, if it is kept.
    fn say(&mut self, kind: Kind, subject: &str, text: impl FnOnce() -> String) {
        if self.recording {
            let entry = Entry { at: self.now, kind, subject: subject.to_owned(), text: text() };
            self.out.timeline.push(entry);
        }
    }

    fn region_name(&self, region: usize) -> &'a str {
        self.plan.regions.get(region).map_or("", String::as_str)
    }

    /// Index among the regions of the standby that has, or had last, the traffic.
    fn away_region(&self) -> usize {
        self.move_.standby + 1
    }
}

impl Default for FeatureState {
    fn default() -> Self {
        FeatureState {
            place: Place::Home,
            away: 0.0,
            confirmed: None,
            assets_ready: None,
            first_followed: None,
            was_interrupted: false,
            pending_streams: Vec::new(),
            pending_runs: None,
        }
    }
}
