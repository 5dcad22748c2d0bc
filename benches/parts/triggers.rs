//! Each trigger family over the history of one month: spell by spell, and check by check.
//!
//! Throughput is in spells for the one and in checks for the other; the two answers are the same, so
//! the times a month tell what working in spells saves.

use std::str::FromStr;

use criterion::{Criterion, Throughput};
use failover_budget::engine::Streams;
use failover_budget::history::History;
use failover_budget::scenario::Scenario;
use failover_budget::trigger::{Arming, Silence, Spec, Trigger};
use failover_budget::world::simulate;

const FAMILIES: [&str; 4] =
    ["consecutive:12", "window:300s", "m-of-n:3/5", "success-rate:0.9/60s/180s"];

fn by_spell(trigger: &mut Trigger, history: &History) -> usize {
    let spells = history.spells.iter();
    spells.filter(|spell| trigger.observe_spell(&history.due, spell).is_some()).count()
}

fn by_check(trigger: &mut Trigger, history: &History) -> usize {
    history.checks().filter(|(_, at, check)| trigger.observe(*at, *check)).count()
}

pub fn bench(criterion: &mut Criterion) {
    let scenario = Scenario::default();
    let history = simulate(&scenario, Streams::new(1, 0), None);
    let (healthy, unhealthy, absent) = history.counts();
    let sizes = [history.spells.len() as u64, healthy + unhealthy + absent];
    type Way = fn(&mut Trigger, &History) -> usize;
    let ways: [(&str, Way); 2] = [("spells", by_spell), ("checks", by_check)];
    for ((way, count), size) in ways.into_iter().zip(sizes) {
        let mut group = criterion.benchmark_group(format!("triggers/{way}"));
        group.throughput(Throughput::Elements(size));
        for text in FAMILIES {
            let spec = Spec::from_str(text).expect("a trigger");
            let interval = scenario.probe.interval;
            let new = || Trigger::new(&spec, interval, Silence::Failure, Arming::FullWindow);
            group.bench_function(spec.family(), |bencher| {
                bencher.iter(|| count(&mut new(), &history));
            });
        }
        group.finish();
    }
}
