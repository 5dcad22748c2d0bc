//! Exact rates without simulation: the closed form, and the numerical ones for each kind of length law
//! at three depths.
//!
//! Each makes what a point of a sweep needs for all its triggers, and reads the rate at every depth.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use failover_budget::exact::{ExactError, Sampled};
use failover_budget::law::{Law, LawError};
use failover_budget::scenario::Arrivals;
use failover_budget::time::Span;

const GAP_MEAN: Span = Span::from_secs(900);
const INTERVAL: Span = Span::from_secs(10);

fn rates(length: &Law, arrivals: Arrivals, deepest: u64) -> Result<f64, ExactError> {
    let sampled = Sampled::new(GAP_MEAN, length, arrivals, INTERVAL, deepest)?;
    Ok((1..=deepest).map(|k| sampled.run_rate_per_day(k)).sum())
}

/// All with a mean of 20 s: smooth, with a heavy tail, and with jumps.
fn cases() -> Result<Vec<(&'static str, Law, Arrivals)>, LawError> {
    let lognormal = Law::lognormal(20_f64.ln() - 0.5, 1.0)?;
    Ok(vec![
        ("exponential", Law::exponential(20.0)?, Arrivals::GapRenewal),
        ("lognormal", lognormal.clone(), Arrivals::GapRenewal),
        ("pareto", Law::pareto(1.5, 6.67)?, Arrivals::GapRenewal),
        ("constant", Law::constant(20.0)?, Arrivals::GapRenewal),
        ("lognormal, poisson", lognormal, Arrivals::Poisson),
    ])
}

pub fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("exact/rates");
    group.sample_size(20);
    for (name, length, arrivals) in cases().expect("parameters that are allowed") {
        for deepest in [12, 40, 120] {
            group.throughput(Throughput::Elements(deepest));
            group.bench_function(BenchmarkId::new(name, deepest), |bencher| {
                bencher.iter(|| {
                    rates(black_box(&length), arrivals, deepest).expect("a case that is worked out")
                });
            });
        }
    }
    group.finish();
}
