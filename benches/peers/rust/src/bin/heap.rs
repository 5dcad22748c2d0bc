//! The work with a plain `BinaryHeap` of events on an integer clock of nanoseconds.
//!
//! Two ways, to tell the algorithm from the machine:
//!
//! - `heap` (default) is the textbook simulation: an event a probe, and one for each start and end of a
//!   blip. 7.8 million events in all, whatever the blips do.
//! - `heap-by-blip` (`--by-blip`) has events for the changes only and finds the probes between two changes
//!   by arithmetic. Same heap, same machine, another algorithm.
//!
//! Leaner than usual in the peer's favour: the six triggers share one run counter.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use peers::{
    Answer, DAYS, GAP_S, INTERVAL_S, LENGTH_S, REPLICATIONS, RUN_LENGTHS, generator, report, switch,
};
use rand::RngExt;
use rand_distr::{Distribution, Exp1};
use rand_pcg::Pcg64Mcg;

const SECOND: f64 = 1e9;
const INTERVAL: u64 = (INTERVAL_S * SECOND) as u64;
const HORIZON: u64 = DAYS * 86_400 * 1_000_000_000;

/// What happens; at one instant in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    BlipEnds,
    BlipBegins,
    Probe,
}

type Queue = BinaryHeap<Reverse<(u64, Event)>>;

fn exponential(rng: &mut Pcg64Mcg, mean_s: f64) -> u64 {
    let standard: f64 = Exp1.sample(rng);
    (standard * mean_s * SECOND) as u64
}

/// One month with an event a probe.
fn month(mut rng: Pcg64Mcg, answer: &mut Answer) {
    let mut queue = Queue::new();
    queue.push(Reverse((rng.random_range(0..INTERVAL), Event::Probe)));
    queue.push(Reverse((exponential(&mut rng, GAP_S), Event::BlipBegins)));
    let (mut failing, mut run) = (false, 0);
    while let Some(Reverse((now, event))) = queue.pop() {
        if now >= HORIZON {
            break;
        }
        match event {
            Event::Probe => {
                run = if failing { run + 1 } else { 0 };
                for (count, length) in answer.counts.iter_mut().zip(RUN_LENGTHS) {
                    *count += u64::from(run == length);
                }
                queue.push(Reverse((now + INTERVAL, Event::Probe)));
            }
            Event::BlipBegins => {
                failing = true;
                answer.blips += 1;
                queue.push(Reverse((now + exponential(&mut rng, LENGTH_S), Event::BlipEnds)));
            }
            Event::BlipEnds => {
                failing = false;
                queue.push(Reverse((now + exponential(&mut rng, GAP_S), Event::BlipBegins)));
            }
        }
    }
}

/// One month with an event a change.
fn month_by_blip(mut rng: Pcg64Mcg, answer: &mut Answer) {
    let mut queue = Queue::new();
    let phase = rng.random_range(0..INTERVAL);
    // Probes due before an instant; the first due at or after it has this index.
    let probes_before = |instant: u64| (instant + INTERVAL - 1 - phase) / INTERVAL;
    queue.push(Reverse((exponential(&mut rng, GAP_S), Event::BlipBegins)));
    let (mut first, mut previous_last, mut run) = (0, u64::MAX, 0);
    while let Some(Reverse((now, event))) = queue.pop() {
        match event {
            Event::BlipBegins if now >= HORIZON => break,
            Event::BlipBegins => {
                first = probes_before(now);
                answer.blips += 1;
                queue.push(Reverse((now + exponential(&mut rng, LENGTH_S), Event::BlipEnds)));
            }
            Event::BlipEnds => {
                let last = probes_before(now.min(HORIZON));
                // No healthy probe since the blip before: one run goes on.
                let before = if first == previous_last { run } else { 0 };
                run = before + last - first;
                previous_last = last;
                for (count, length) in answer.counts.iter_mut().zip(RUN_LENGTHS) {
                    *count += u64::from(before < length && length <= run);
                }
                queue.push(Reverse((now + exponential(&mut rng, GAP_S), Event::BlipBegins)));
            }
            Event::Probe => {}
        }
    }
}

fn answer(seed: u64, month: impl Fn(Pcg64Mcg, &mut Answer)) -> Answer {
    let mut answer = Answer::default();
    for replication in 0..REPLICATIONS {
        month(generator(seed, replication), &mut answer);
    }
    answer
}

fn main() {
    if switch("--by-blip") {
        report("heap-by-blip", 100, |seed| answer(seed, month_by_blip));
    } else {
        report("heap", 5, |seed| answer(seed, month));
    }
}
