//! A world without an event queue: every fault is an interval, found before any probe is looked at,
//! and every probe is judged by looking at all of them.
//!
//! It draws the numbers of the same streams in the order that the definitions give: a gap, a length,
//! a gap, a length.

use failover_budget::engine::streams::unit_hash;
use failover_budget::engine::{Rng, Streams};
use failover_budget::history::{Check, Fault, FaultKind};
use failover_budget::law::Law;
use failover_budget::scenario::{Arrivals, BlipSource, OutageKind, Scenario};
use failover_budget::time::{Span, Time};
use failover_budget::world::OutagePlan;
use rand::RngExt;

pub struct Naive {
    /// Every probe due before the end, and what the controller learns of it.
    pub probes: Vec<(Time, Option<Check>)>,
    pub restarts: Vec<Time>,
    pub faults: Vec<Fault>,
}

/// From one instant up to, not including, another.
type Interval = (Time, Time);

fn holds(intervals: &[Interval], at: Time) -> bool {
    intervals.iter().any(|(start, end)| *start <= at && at < *end)
}

pub fn simulate(scenario: &Scenario, streams: Streams, outage: Option<OutagePlan>) -> Naive {
    let end = Time::START + scenario.run.length;
    let controller = Controller::draw(scenario, streams, end);
    let dead = deaths(scenario, streams, end);
    let outage = outage.filter(|outage| outage.start < outage.end && outage.start < end);
    let pace = Pace::of(scenario, &controller.deploys);
    let blips: Vec<Vec<Interval>> =
        scenario.blips.0.iter().map(|source| blips(source, streams, &pace, end)).collect();

    let mut faults = Vec::new();
    let mut record = |kind, source, intervals: &[Interval]| {
        faults.extend(intervals.iter().map(|(start, end)| Fault {
            kind,
            source,
            start: *start,
            end: *end,
        }));
    };
    for (source, blips) in blips.iter().enumerate() {
        record(FaultKind::Blip, source as u16, blips);
    }
    record(FaultKind::ProberDeath, 0, &cut(&dead, end));
    let mut down = cut(&controller.away, end);
    down.retain(|(start, past)| start < past);
    record(FaultKind::ControllerDown, 0, &down);
    record(FaultKind::Deploy, 0, &controller.deploys);
    if let Some(plan) = outage {
        let kind = match plan.kind {
            OutageKind::Reported => FaultKind::ReportedOutage,
            OutageKind::Dark => FaultKind::DarkOutage,
            OutageKind::Gray => FaultKind::GrayOutage,
        };
        record(kind, 0, &[(plan.start, plan.end)]);
    }
    faults.sort_by_key(|fault| (fault.start, fault.kind, fault.source));

    let judge = Judge { scenario, streams, outage, away: controller.away, dead, blips };
    let probes = instants(scenario, streams, end)
        .enumerate()
        .map(|(probe, at)| (at, judge.learns(probe as u64, at)))
        .collect();
    Naive { probes, restarts: controller.restarts, faults }
}

/// What is unfinished is recorded up to the end of the run.
fn cut(intervals: &[Interval], end: Time) -> Vec<Interval> {
    intervals.iter().map(|(start, past)| (*start, (*past).min(end))).collect()
}

/// Instants of the probes due before `end`.
fn instants(scenario: &Scenario, streams: Streams, end: Time) -> impl Iterator<Item = Time> {
    let probe = scenario.probe.clone();
    let interval = probe.interval.as_nanos();
    let phase = match probe.phase {
        Some(phase) => phase.as_nanos(),
        None => streams.named("probe-phase").random_range(0..interval),
    };
    let key = streams.key("probe-jitter");
    let at = move |index: i64| {
        let late = unit_hash(key, index as u64) * probe.jitter.as_nanos() as f64;
        Time::from_nanos(phase + index * interval + late as i64)
    };
    (0..).map(at).take_while(move |at| *at < end)
}

/// A gap, which passes at least a nanosecond.
fn gap(law: &Law, rng: &mut Rng) -> Span {
    Span::from_nanos(law.sample(rng).as_nanos().max(1))
}

/// Deaths of the prober, as gap and repair follow each other.
fn deaths(scenario: &Scenario, streams: Streams, end: Time) -> Vec<Interval> {
    let mut rng = streams.named("prober");
    let mut dead = Vec::new();
    let Some(law) = &scenario.prober.gap else { return dead };
    let mut now = Time::START;
    loop {
        let dies = now + gap(law, &mut rng);
        if dies >= end {
            return dead;
        }
        now = dies + scenario.prober.repair.sample(&mut rng);
        dead.push((dies, now));
    }
}

struct Controller {
    away: Vec<Interval>,
    restarts: Vec<Time>,
    deploys: Vec<Interval>,
}

impl Controller {
    fn draw(scenario: &Scenario, streams: Streams, end: Time) -> Self {
        let (mut rng, mut lengths) = (streams.named("restarts"), streams.named("deploys"));
        let (mut away, mut restarts, mut deploys) = (Vec::new(), Vec::new(), Vec::new());
        let mut now = Time::START;
        while let Some(law) = &scenario.restarts.gap {
            let stops = now + gap(law, &mut rng);
            if stops >= end {
                break;
            }
            if let Some(deploy) = &scenario.restarts.deploy {
                deploys.push((stops, stops + deploy.length.sample(&mut lengths)));
            }
            now = stops + scenario.restarts.down.sample(&mut rng);
            away.push((stops, now));
            if now >= end {
                break;
            }
            restarts.push(now);
        }
        Controller { away, restarts, deploys }
    }
}

/// How fast healthy gaps pass: changes of the factor, in order.
struct Pace {
    /// Instant, whether a deploy begins there (else one ends), and the factor from there on.
    changes: Vec<(Time, bool, f64)>,
}

impl Pace {
    fn of(scenario: &Scenario, deploys: &[Interval]) -> Self {
        let factor = scenario.restarts.deploy.as_ref().map_or(1.0, |deploy| deploy.blip_factor);
        let mut steps: Vec<(Time, bool)> = deploys
            .iter()
            .filter(|(start, end)| start < end)
            .flat_map(|(start, end)| [(*start, true), (*end, false)])
            .collect();
        // At one instant an end comes before a beginning.
        steps.sort();
        let mut under_way = 0;
        let changes = steps.into_iter().map(|(at, begins)| {
            under_way += if begins { 1 } else { -1 };
            (at, begins, if under_way > 0 { factor } else { 1.0 })
        });
        Pace { changes: changes.collect() }
    }

    /// Where a gap that begins at `now` ends. A blip begins after deploys that end at its instant
    /// and before those that begin there.
    fn after(&self, now: Time, gap: Span) -> Time {
        let is_past = |(at, begins, _): &&(Time, bool, f64)| *at < now || *at == now && !*begins;
        let mut factor = self.changes.iter().take_while(is_past).last().map_or(1.0, |c| c.2);
        let mut ends = now + faster(gap, factor);
        for (at, begins, next) in self.changes.iter().skip_while(is_past) {
            if *at > ends || *at == ends && *begins {
                break;
            }
            ends = *at + faster(ends - *at, next / factor);
            factor = *next;
        }
        ends
    }
}

/// A span that passes `factor` times as fast, to the nearest nanosecond and at least one.
fn faster(span: Span, factor: f64) -> Span {
    if factor == 1.0 {
        return span;
    }
    Span::from_nanos(((span.as_nanos() as f64 / factor).round() as i64).max(1))
}

fn blips(source: &BlipSource, streams: Streams, pace: &Pace, end: Time) -> Vec<Interval> {
    let mut rng = streams.named(&format!("blips/{}", source.name));
    let mut blips = Vec::new();
    let mut now = Time::START;
    loop {
        let start = pace.after(now, gap(&source.gap, &mut rng));
        if start >= end {
            return blips;
        }
        let stop = start + source.length.sample(&mut rng);
        blips.push((start, stop));
        now = match source.arrivals {
            Arrivals::GapRenewal => stop,
            Arrivals::Poisson => start,
        };
        if now >= end {
            return blips;
        }
    }
}

struct Judge<'a> {
    scenario: &'a Scenario,
    streams: Streams,
    outage: Option<OutagePlan>,
    away: Vec<Interval>,
    dead: Vec<Interval>,
    blips: Vec<Vec<Interval>>,
}

impl Judge<'_> {
    fn learns(&self, probe: u64, at: Time) -> Option<Check> {
        let outage = self.outage.filter(|plan| plan.start <= at && at < plan.end);
        let kind = outage.map(|plan| plan.kind);
        if holds(&self.away, at) {
            return None;
        }
        if holds(&self.dead, at) || kind == Some(OutageKind::Dark) {
            return Some(Check::Absent);
        }
        let by_outage = match kind {
            Some(OutageKind::Reported) => true,
            Some(OutageKind::Gray) => {
                let chance = self.scenario.outage.fail_probability;
                unit_hash(self.streams.key("outage-coins"), probe) < chance
            }
            _ => false,
        };
        let by_blip = self.scenario.blips.0.iter().zip(&self.blips).any(|(source, blips)| {
            let coins = self.streams.key(&format!("coins/{}", source.name));
            holds(blips, at) && unit_hash(coins, probe) < source.fail_probability
        });
        Some(if by_outage || by_blip { Check::Unhealthy } else { Check::Healthy })
    }
}
