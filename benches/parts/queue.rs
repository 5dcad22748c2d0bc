//! The event queue: the hold model (take the next event, schedule another) at three sizes, and
//! events that are cancelled before they come.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use failover_budget::engine::{Phase, Queue, Rng, Streams};
use failover_budget::time::{Span, Time};
use rand::RngExt;

const STEPS: u64 = 1_000;

fn delay(rng: &mut Rng) -> Span {
    Span::from_nanos(rng.random_range(1..1_000_000_000))
}

/// A queue that holds `pending` events.
fn filled(pending: u64, rng: &mut Rng) -> Queue<u64> {
    let mut queue = Queue::new();
    for event in 0..pending {
        queue.push(Time::START + delay(rng), Phase::FaultBegins, event);
    }
    queue
}

/// Takes the next event and schedules it again, over and over. A world holds two to ten events.
fn hold(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("queue/hold");
    group.throughput(Throughput::Elements(STEPS));
    for pending in [2, 10, 1_000] {
        let mut rng = Streams::new(1, pending).named("queue");
        let mut queue = filled(pending, &mut rng);
        group.bench_function(BenchmarkId::from_parameter(pending), |bencher| {
            bencher.iter(|| {
                for _ in 0..STEPS {
                    if let Some((now, phase, event)) = queue.pop() {
                        queue.push(now + delay(&mut rng), phase, black_box(event));
                    }
                }
            });
        });
    }
    group.finish();
}

/// Every second event is cancelled before it comes, as when a recovery calls a stage off.
fn cancel(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("queue/cancel");
    group.throughput(Throughput::Elements(STEPS));
    let mut rng = Streams::new(1, 0).named("queue");
    let mut queue = filled(10, &mut rng);
    group.bench_function("every second of 10", |bencher| {
        bencher.iter(|| {
            for _ in 0..STEPS {
                if let Some((now, phase, event)) = queue.pop() {
                    let doomed = queue.push(now + delay(&mut rng), phase, event);
                    queue.push(now + delay(&mut rng), phase, event);
                    queue.cancel(doomed);
                }
            }
        });
    });
    group.finish();
}

pub fn bench(criterion: &mut Criterion) {
    hold(criterion);
    cancel(criterion);
}
