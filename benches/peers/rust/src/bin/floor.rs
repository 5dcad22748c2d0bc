//! The floor: the cost of drawing the variates and adding them up, with the project's generator.
//!
//! - `floor-draws` (default) draws as many pairs of exponentials as there are blips in the work and adds
//!   gaps and lengths up, each in its own sum, so that no addition waits for another process's.
//! - `floor-clock` (`--clock`) adds them to one f64 clock until each month is over: what any simulation of
//!   the process must do at the least, in the plainest way.
//!
//! Neither judges a probe, so neither reports rates.

use peers::{Answer, DAYS, GAP_S, LENGTH_S, REPLICATIONS, generator, report, switch};
use rand_distr::{Distribution, Exp1};

const HORIZON_S: f64 = DAYS as f64 * 86_400.0;

fn draws(seed: u64) -> Answer {
    let blips = (HORIZON_S / (GAP_S + LENGTH_S)).round() as u64;
    let (mut gaps, mut lengths) = (0.0, 0.0);
    for replication in 0..REPLICATIONS {
        let mut rng = generator(seed, replication);
        for _ in 0..blips {
            let (gap, length): (f64, f64) = (Exp1.sample(&mut rng), Exp1.sample(&mut rng));
            gaps += gap;
            lengths += length;
        }
    }
    std::hint::black_box(gaps * GAP_S + lengths * LENGTH_S);
    Answer { blips: REPLICATIONS * blips, ..Answer::default() }
}

fn clock(seed: u64) -> Answer {
    let mut blips = 0;
    for replication in 0..REPLICATIONS {
        let mut rng = generator(seed, replication);
        let mut now = 0.0;
        loop {
            let (gap, length): (f64, f64) = (Exp1.sample(&mut rng), Exp1.sample(&mut rng));
            now += gap * GAP_S;
            if now >= HORIZON_S {
                break;
            }
            now += length * LENGTH_S;
            blips += 1;
        }
        std::hint::black_box(now);
    }
    Answer { blips, ..Answer::default() }
}

fn main() {
    if switch("--clock") {
        report("floor-clock", 400, false, clock);
    } else {
        report("floor-draws", 400, false, draws);
    }
}
