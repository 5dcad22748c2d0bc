//! The work that every peer does, and the one way in which each reports it: `contract.py` in Rust.
//!
//! The numbers here must be those of `contract.py`, which says what they mean.

use std::time::Instant;

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// Seeded months in one answer.
pub const REPLICATIONS: u64 = 30;
/// Days in a month.
pub const DAYS: u64 = 30;
/// Seconds from probe to probe.
pub const INTERVAL_S: f64 = 10.0;
/// Mean seconds from the end of a blip to the start of the next.
pub const GAP_S: f64 = 900.0;
/// Mean seconds of a blip.
pub const LENGTH_S: f64 = 20.0;
/// Failed probes in a row that fire each of the six triggers.
pub const RUN_LENGTHS: [u64; 6] = [1, 3, 6, 7, 12, 31];

/// The answer to one piece of work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer {
    /// Firings of each trigger.
    pub counts: [u64; 6],
    /// Blips simulated.
    pub blips: u64,
}

/// The generator of one replication: that of the project, seeded anew for each.
pub fn generator(seed: u64, replication: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(seed << 16 | replication)
}

/// The value after `flag` on the command line, or `otherwise`.
fn option(flag: &str, otherwise: u64) -> u64 {
    let mut arguments = std::env::args().skip_while(|argument| argument != flag).skip(1);
    arguments
        .next()
        .map_or(otherwise, |value| value.parse().expect("a whole number after an option"))
}

/// True iff `flag` stands on the command line.
pub fn switch(flag: &str) -> bool {
    std::env::args().any(|argument| argument == flag)
}

/// Measures `answer(seed)` and prints the report, as `contract.report` does.
pub fn report(name: &str, repeats: u64, mut answer: impl FnMut(u64) -> Answer) {
    let (repeats, seed) = (option("--repeats", repeats), option("--seed", 1));
    if !switch("--cold") {
        std::hint::black_box(answer(0));
    }
    let (mut total, mut seconds) = (Answer::default(), Vec::new());
    for repeat in 0..repeats {
        let begun = Instant::now();
        let found = std::hint::black_box(answer(seed * 1_000_000 + repeat));
        seconds.push(begun.elapsed().as_secs_f64());
        total.blips += found.blips;
        total.counts.iter_mut().zip(found.counts).for_each(|(sum, more)| *sum += more);
    }
    seconds.sort_by(f64::total_cmp);
    let median = (seconds[(seconds.len() - 1) / 2] + seconds[seconds.len() / 2]) / 2.0;
    let days = repeats * REPLICATIONS * DAYS;
    let counts = total.counts;
    let rates: Vec<f64> = counts.iter().map(|count| *count as f64 / days as f64).collect();
    println!(
        "{{\"name\": \"{name}\", \"seconds\": {median:e}, \"per_blip_ns\": {:.4}, \"rates\": {rates:?}, \
         \"counts\": {counts:?}, \"days\": {days}, \"blips\": {}, \"repeats\": {repeats}}}",
        median * 1e9 * repeats as f64 / total.blips as f64,
        total.blips,
    );
}
