//! Simulating one month on the event queue: the lab's world, and one with everything in it.
//!
//! Throughput is in blips, so that `Gelem/s` inverted is the time a blip.

use criterion::{Criterion, Throughput};
use failover_budget::engine::Streams;
use failover_budget::history::FaultKind;
use failover_budget::scenario::Scenario;
use failover_budget::world::simulate;

/// Several sources, jitter, deploys with restarts, prober deaths: no shortcut applies.
const BUSY: &str = r#"
[probe]
jitter = "2s"
timeout = "1s"

[[blips]]
name = "packet-loss"
length = { law = "lognormal", mean = "20s", sigma = 1.0 }
gap = { law = "exponential", mean = "15min" }

[[blips]]
name = "gc"
length = "4s"
gap = { law = "exponential", mean = "1h" }
fail_probability = 0.5

[prober]
gap = { law = "exponential", mean = "7d" }

[restarts]
gap = { law = "exponential", mean = "1d" }
deploy = { length = "10min", blip_factor = 10.0 }
"#;

fn blips(scenario: &Scenario) -> u64 {
    let history = simulate(scenario, Streams::new(1, 0), None);
    history.faults.iter().filter(|fault| fault.kind == FaultKind::Blip).count() as u64
}

pub fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("world/month");
    let busy = Scenario::from_toml("busy.toml", BUSY).expect("a valid scenario");
    for (name, scenario) in [("lab", Scenario::default()), ("busy", busy)] {
        group.throughput(Throughput::Elements(blips(&scenario)));
        let mut replication = 0;
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                replication += 1;
                simulate(&scenario, Streams::new(1, replication), None).spells.len()
            });
        });
    }
    group.finish();
}
