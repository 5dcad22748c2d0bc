//! The work in nexosim: a region that changes and announces it, a prober that probes and counts.
//!
//! An event a probe, as one writes it: the prober schedules its probe periodically; the region schedules
//! its own next change and sends its state to the prober through a port. Leaner than usual in the peer's
//! favour: the six triggers share one run counter inside the prober, so a probe is one scheduled event and
//! no message. The executor has one thread.

use std::time::Duration;

use nexosim::model::{Context, Model, schedulable};
use nexosim::ports::{Output, QuerySource};
use nexosim::simulation::{Mailbox, SimInit, SimulationError};
use nexosim::time::MonotonicTime;
use peers::{
    Answer, DAYS, GAP_S, INTERVAL_S, LENGTH_S, REPLICATIONS, RUN_LENGTHS, generator, report,
};
use rand::RngExt;
use rand_distr::{Distribution, Exp1};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

/// An exponential duration of at least a nanosecond: nexosim schedules nothing for the present.
fn exponential(rng: &mut Pcg64Mcg, mean_s: f64) -> Duration {
    let standard: f64 = Exp1.sample(rng);
    Duration::from_secs_f64(standard * mean_s).max(Duration::from_nanos(1))
}

/// The primary region: healthy for a gap, failing for a blip, and again.
#[derive(Serialize, Deserialize)]
struct Region {
    rng: Pcg64Mcg,
    failing: Output<bool>,
}

#[Model]
impl Region {
    #[nexosim(init)]
    async fn init(&mut self, context: &Context<Self>) {
        let gap = exponential(&mut self.rng, GAP_S);
        context
            .schedule_event(gap, schedulable!(Self::blip_begins), ())
            .expect("a gap is positive");
    }

    #[nexosim(schedulable)]
    async fn blip_begins(&mut self, _: (), context: &Context<Self>) {
        let length = exponential(&mut self.rng, LENGTH_S);
        context
            .schedule_event(length, schedulable!(Self::blip_ends), ())
            .expect("a blip is positive");
        self.failing.send(true).await;
    }

    #[nexosim(schedulable)]
    async fn blip_ends(&mut self, _: (), context: &Context<Self>) {
        let gap = exponential(&mut self.rng, GAP_S);
        context
            .schedule_event(gap, schedulable!(Self::blip_begins), ())
            .expect("a gap is positive");
        self.failing.send(false).await;
    }
}

/// Probes the region and counts the firings of every trigger.
#[derive(Serialize, Deserialize)]
struct Prober {
    phase: Duration,
    failing: bool,
    run: u64,
    counts: [u64; 6],
    blips: u64,
}

#[Model]
impl Prober {
    #[nexosim(init)]
    async fn init(&mut self, context: &Context<Self>) {
        let interval = Duration::from_secs_f64(INTERVAL_S);
        context
            .schedule_periodic_event(self.phase, interval, schedulable!(Self::probe), ())
            .expect("phase and interval are positive");
    }

    fn observe(&mut self, failing: bool) {
        self.failing = failing;
        self.blips += u64::from(failing);
    }

    #[nexosim(schedulable)]
    fn probe(&mut self) {
        self.run = if self.failing { self.run + 1 } else { 0 };
        for (count, length) in self.counts.iter_mut().zip(RUN_LENGTHS) {
            *count += u64::from(self.run == length);
        }
    }

    async fn found(&mut self) -> ([u64; 6], u64) {
        (self.counts, self.blips)
    }
}

fn month(mut rng: Pcg64Mcg) -> Result<([u64; 6], u64), SimulationError> {
    let interval = Duration::from_secs_f64(INTERVAL_S).as_nanos() as u64;
    let phase = Duration::from_nanos(rng.random_range(1..=interval));
    let prober = Prober { phase, failing: false, run: 0, counts: [0; 6], blips: 0 };
    let mut region = Region { rng, failing: Output::default() };
    let (region_mailbox, prober_mailbox) = (Mailbox::new(), Mailbox::new());
    region.failing.connect(Prober::observe, &prober_mailbox);

    let mut bench = SimInit::with_num_threads(1);
    let found = QuerySource::new().connect(Prober::found, &prober_mailbox).register(&mut bench);
    let mut simulation = bench
        .add_model(region, region_mailbox, "region")
        .add_model(prober, prober_mailbox, "prober")
        .init(MonotonicTime::EPOCH)?;
    simulation.step_until(Duration::from_secs(DAYS * 86_400))?;
    Ok(simulation.process_query(&found, ())?)
}

fn answer(seed: u64) -> Answer {
    let mut answer = Answer::default();
    for replication in 0..REPLICATIONS {
        let (counts, blips) = month(generator(seed, replication)).expect("a valid simulation");
        answer.counts.iter_mut().zip(counts).for_each(|(sum, more)| *sum += more);
        answer.blips += blips;
    }
    answer
}

fn main() {
    report("nexosim", 1, answer);
}
