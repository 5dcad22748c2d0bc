//! Drawing one duration, for every family, all at a mean of about 20 s.

use criterion::{Criterion, Throughput};
use failover_budget::engine::Streams;
use failover_budget::law::{Law, LawError};

const DRAWS: u64 = 1_000;

/// One law of each family. Shapes are those of blips with a tail heavier than the exponential's.
fn laws() -> Result<Vec<Law>, LawError> {
    let short = Law::exponential(10.0)?;
    let long = Law::exponential(110.0)?;
    Ok(vec![
        Law::constant(20.0)?,
        Law::uniform(10.0, 30.0)?,
        Law::exponential(20.0)?,
        Law::weibull(0.7, 15.8)?,
        Law::gamma(0.5, 40.0)?,
        Law::lognormal(20_f64.ln() - 0.5, 1.0)?,
        Law::log_logistic(2.0, 12.7)?,
        Law::pareto(1.5, 6.67)?,
        Law::mixture(vec![(9.0, short), (1.0, long)])?,
        Law::empirical((1..=100).map(|i| f64::from(i) * 0.4).collect(), None)?,
    ])
}

pub fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("laws/sample");
    group.throughput(Throughput::Elements(DRAWS));
    for law in laws().expect("parameters that are allowed") {
        let mut rng = Streams::new(1, 0).named("law");
        group.bench_function(law.family(), |bencher| {
            bencher.iter(|| (0..DRAWS).map(|_| law.sample(&mut rng).as_nanos()).sum::<i64>());
        });
    }
    group.finish();
}
