//! The kernel against its floor: what an answer costs beside drawing its random numbers.
//!
//! The work is that of `benches/peers`: 30 replications of 30 quiet days, six triggers. Four programs:
//!
//! - `floor-lanes` draws two exponentials a blip in lanes, as the kernel does, and adds gaps and lengths
//!   up, each in its own sum: nothing that needs these variates can be faster, drawn this way;
//! - `floor-draws` draws as many one by one, by the usual means: `rand_pcg`'s 128-bit generator and the
//!   ziggurat of `rand_distr`;
//! - `kernel` is the project's answer, through the call that every command uses;
//! - `event-queue` is the same answer from the event queue and the triggers as state machines, as for
//!   scenarios that allow no shortcut.
//!
//! `cargo bench --bench kernel` prints nanoseconds a blip and ratios. With `-- --only NAME` one of them
//! reports as the peers do, in one line of JSON; `--repeats`, `--seed` and `--cold` are theirs too.

use std::hint::black_box;
use std::time::Instant;

use failover_budget::engine::Streams;
use failover_budget::engine::lanes::{DRAWS, LANES, Lanes};
use failover_budget::experiment::{Environment, Setting, measure};
use failover_budget::law::standard_exponential;
use failover_budget::scenario::Scenario;
use failover_budget::trigger::{Arming, Silence, Spec};
use rand::SeedableRng;
use rand_distr::{Distribution, Exp1};

const REPLICATIONS: u64 = 30;
const DAYS: u64 = 30;
const GAP_S: f64 = 900.0;
const LENGTH_S: f64 = 20.0;
/// Blips in a month, in the mean; one answer has a third of a percent more or fewer.
const BLIPS: u64 = (DAYS as f64 * 86_400.0 / (GAP_S + LENGTH_S)) as u64;
const TRIGGERS: [&str; 6] = [
    "consecutive:1",
    "consecutive:3",
    "consecutive:6",
    "window:60s",
    "consecutive:12",
    "window:300s",
];

/// Takes a seed and gives the firings of each trigger, if it judges any.
type Program = Box<dyn FnMut(u64) -> Vec<i64>>;

fn programs() -> Vec<(&'static str, Program)> {
    vec![
        ("floor-lanes", Box::new(lanes)),
        ("floor-draws", Box::new(draws)),
        ("kernel", answer(|_| Arming::FullWindow)),
        // As many checks as the window holds is the same rule, and one that the shortcut leaves alone.
        ("event-queue", answer(Arming::Checks)),
    ]
}

fn lanes(seed: u64) -> Vec<i64> {
    let arch = pulp::Arch::new();
    for replication in 0..REPLICATIONS {
        let lanes = Streams::new(seed, replication).lanes("blips");
        black_box(arch.dispatch(Sums(lanes)));
    }
    Vec::new()
}

/// The gaps and the lengths of a replication, summed lane by lane.
struct Sums(Lanes);

impl pulp::WithSimd for Sums {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> f64 {
        let mut lanes = self.0;
        let mut sums = [[0.0; LANES]; 2];
        for _ in 0..BLIPS as usize / (LANES * DRAWS / 2) {
            let mut numbers = [[[0; LANES]; 2]; DRAWS / 2];
            for pair in &mut numbers {
                *pair = [lanes.draw(), lanes.draw()];
            }
            lanes.end_block();
            for pair in &numbers {
                for (sums, numbers) in sums.iter_mut().zip(pair) {
                    for (sum, number) in sums.iter_mut().zip(numbers) {
                        *sum += standard_exponential(*number);
                    }
                }
            }
        }
        let [gaps, lengths] = sums.map(|sums| sums.iter().sum::<f64>());
        gaps * GAP_S + lengths * LENGTH_S
    }
}

fn draws(seed: u64) -> Vec<i64> {
    let (mut gaps, mut lengths) = (0.0, 0.0);
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
    for _ in 0..REPLICATIONS * BLIPS {
        let (gap, length): (f64, f64) = (Exp1.sample(&mut rng), Exp1.sample(&mut rng));
        gaps += gap;
        lengths += length;
    }
    black_box(gaps * GAP_S + lengths * LENGTH_S);
    Vec::new()
}

/// The project's answer, by the way that the arming rule leads to.
fn answer(arming: impl Fn(u64) -> Arming) -> Program {
    // Defaults but for the outages, which the peers do not have.
    let mut scenario = Scenario::default();
    scenario.outage.per_replication = 0;
    let interval = scenario.probe.interval;
    let settings = TRIGGERS.map(|text| {
        let spec: Spec = text.parse().expect("a trigger");
        let arming = arming(spec.checks_to_fire(interval));
        Setting { spec, silence: Silence::Failure, arming }
    });
    let mut environment = Environment::new(scenario).expect("a valid scenario");
    Box::new(move |seed| {
        environment.scenario.run.seed = seed;
        let tallies = measure(&environment, &settings, 0..REPLICATIONS, |_, _| {});
        tallies.iter().map(|tally| tally.firings.sum as i64).collect()
    })
}

/// What one program took, and found over all repeats.
struct Report {
    seconds: f64,
    counts: Vec<i64>,
}

fn run(program: &mut Program, repeats: u64, seed: u64, cold: bool) -> Report {
    if !cold {
        black_box(program(0));
    }
    let mut counts = Vec::new();
    let mut seconds: Vec<f64> = (0..repeats)
        .map(|repeat| {
            let begun = Instant::now();
            let found = black_box(program(seed * 1_000_000 + repeat));
            let took = begun.elapsed().as_secs_f64();
            counts.resize(found.len(), 0);
            counts.iter_mut().zip(found).for_each(|(sum, more)| *sum += more);
            took
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    Report { seconds: seconds.get(seconds.len() / 2).copied().unwrap_or(f64::NAN), counts }
}

fn per_blip_ns(seconds: f64) -> f64 {
    seconds * 1e9 / (REPLICATIONS * BLIPS) as f64
}

fn print_json(name: &str, report: &Report, repeats: u64) {
    let days = repeats * REPLICATIONS * DAYS;
    let rates: Vec<f64> = report.counts.iter().map(|count| *count as f64 / days as f64).collect();
    let line = serde_json::json!({
        "name": name, "seconds": report.seconds, "per_blip_ns": per_blip_ns(report.seconds),
        "rates": rates, "counts": report.counts, "days": days,
        "blips": repeats * REPLICATIONS * BLIPS, "repeats": repeats,
    });
    println!("{line}");
}

fn print_table(repeats: u64, seed: u64) {
    let mut floor = None;
    println!("{:12} {:>10} {:>12} {:>14}", "program", "an answer", "a blip", "to the floor");
    for (name, mut program) in programs() {
        let seconds = run(&mut program, repeats, seed, false).seconds;
        let floor = *floor.get_or_insert(seconds);
        let (answer, blip, ratio) = (seconds * 1e3, per_blip_ns(seconds), seconds / floor);
        println!("{name:12} {answer:7.3} ms {blip:9.2} ns {ratio:14.2}");
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let after = |flag: &str| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(at + 1).map(String::as_str)
    };
    let number = |flag, otherwise| after(flag).and_then(|n| n.parse().ok()).unwrap_or(otherwise);
    let (repeats, seed) = (number("--repeats", 200), number("--seed", 1));
    let cold = arguments.iter().any(|argument| argument == "--cold");
    match after("--only") {
        None => print_table(repeats, seed),
        Some(only) => {
            let mut named = programs().into_iter().filter(|(name, _)| *name == only);
            let (name, mut program) = named.next().expect("a program's name after --only");
            print_json(name, &run(&mut program, repeats, seed, cold), repeats);
        }
    }
}
