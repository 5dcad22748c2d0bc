//! Goodness of fit by parametric bootstrap: data are drawn from the fitted law as they came about,
//! fitted again, and compared by how far they stray.
//!
//! The distance is that of Anderson and Darling, on the non-randomised probability integral transform
//! (Czado, Gneiting and Held 2009): a length known between bounds is spread evenly over what the
//! law gives them. Draws are numbered and each has its own stream, so the threads do not matter.

use rayon::prelude::*;

use super::Options;
use super::evidence::Evidence;
use super::fitted::{Fitted, refit};
use super::simulate::Simulator;
use crate::engine::Streams;
use crate::law::Law;

/// Points at which the transform is compared with the uniform.
const GRID: usize = 41;

/// Chance of a fit as bad as this one if the law is right; `None` where no draws are asked for.
pub fn p_value(name: &str, fitted: &Fitted, options: &Options) -> Option<f64> {
    let law = fitted.law.as_ref().filter(|_| options.draws > 0)?;
    let observed = distance(&fitted.evidence, law);
    let simulator = Simulator::new(&fitted.evidence, law);
    let stream = format!("fit/{name}/{}", fitted.family.name());
    let farther: u64 = (0..u64::from(options.draws))
        .into_par_iter()
        .map(|draw| {
            let mut rng = Streams::new(options.seed, draw).named(&stream);
            let drawn = simulator.draw(&mut rng);
            let mut model = fitted.model;
            if let (Some(_), Evidence::Durations { exact, .. }) = (model.minimum_s, &drawn) {
                model.minimum_s = exact.first().copied();
            }
            let optimum = refit(&model, &drawn, fitted.at);
            let strays = model.law(&optimum.at).map_or(f64::INFINITY, |law| distance(&drawn, &law));
            u64::from(strays >= observed)
        })
        .sum();
    Some((1 + farther) as f64 / (1 + options.draws) as f64)
}

/// How far the data stray from the law.
fn distance(evidence: &Evidence, law: &Law) -> f64 {
    let spread = transform(evidence, law);
    let total: f64 = spread.iter().map(|(_, _, count)| count).sum();
    let mut distance = 0.0;
    for i in 1..GRID {
        // Evenly in logits from 1/200 to 199/200, so that both ends count.
        let logit = 10.6 * (i as f64 / GRID as f64 - 0.5);
        let t = 1.0 / (1.0 + (-logit).exp());
        let below = |(lo, hi, count): &(f64, f64, f64)| {
            let share = if t >= *hi {
                1.0
            } else if t <= *lo {
                0.0
            } else {
                (t - lo) / (hi - lo)
            };
            share * count
        };
        let share = spread.iter().map(below).sum::<f64>() / total;
        distance += (share - t).powi(2) / (t * (1.0 - t));
    }
    distance * total
}

/// For each length the bounds of its place in the law, 0 to 1, and how many there are.
fn transform(evidence: &Evidence, law: &Law) -> Vec<(f64, f64, f64)> {
    match evidence {
        Evidence::Durations { exact, censored } => {
            let known = exact.iter().map(|x| (law.cdf(*x), law.cdf(*x), 1.0));
            known.chain(censored.iter().map(|x| (law.cdf(*x), 1.0, 1.0))).collect()
        }
        Evidence::Windows(windows) => windows
            .seen()
            .iter()
            .filter(|run| run.gap_s.is_finite())
            .map(|run| {
                let shorter = |secs: f64| 1.0 - windows.chance_to_last(law, run, secs);
                let hi = run.to_healthy_s.map_or(1.0, shorter);
                (shorter(run.to_last_failed_s), hi, run.count as f64)
            })
            .collect(),
    }
}
