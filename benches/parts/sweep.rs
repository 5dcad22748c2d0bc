//! A small sweep, from the spec's text to the table on disk: planning it, and running it by each of the
//! two ways to count.
//!
//! Throughput is in replications. What a run costs beside counting them (parts, rows, exact values,
//! Parquet) is the same for few replications as for many, and is here on purpose.

use std::path::Path;

use criterion::{Criterion, Throughput};
use failover_budget::sweep::parts::Unit;
use failover_budget::sweep::{Existing, Folder, Job, Shard, Sweep, SweepError, Watch};

/// Runs of failed probes answer for every trigger.
const PATIENCE: &str = r#"
[run]
replications = 200

[axes]
triggers = ["consecutive:1..40"]
blips.length.mean = ["10s", "20s", "40s"]
"#;

/// The event queue and the triggers as state machines are needed.
const EVENTS: &str = r#"
triggers = ["consecutive:12", "window:300s", "m-of-n:9/12", "success-rate:0.9/60s/180s"]

[run]
replications = 50

[restarts]
gap = { law = "exponential", mean = "1d" }

[axes]
blips.length.mean = ["10s", "20s", "40s"]
"#;

struct Unwatched;

impl Watch for Unwatched {
    fn counted(&self, _: &Unit, _: bool) {}

    fn stop_asked(&self) -> bool {
        false
    }
}

fn planned(text: &str) -> Job {
    let sweep = Sweep::from_toml("bench.toml", text, "bench").expect("a valid spec");
    Job::new(sweep).expect("work that ends")
}

fn run(job: &Job, path: &Path) -> Result<(), SweepError> {
    let folder = Folder::open(path, job, None, Existing { resume: false, force: true })?;
    let rows = job.run(folder.store(), Shard::WHOLE, &Unwatched)?;
    folder.finish(job, &rows)
}

pub fn bench(criterion: &mut Criterion) {
    let place = tempfile::tempdir().expect("a folder to write to");
    let mut group = criterion.benchmark_group("sweep");
    group.sample_size(20);
    for (name, text) in [("patience", PATIENCE), ("events", EVENTS)] {
        let job = planned(text);
        let points = job.sweep.points.iter();
        let replications = points.map(|point| point.scenario.run.replications).sum();
        group.throughput(Throughput::Elements(replications));
        group.bench_function(format!("plan/{name}"), |bencher| bencher.iter(|| planned(text)));
        let folder = place.path().join(name);
        group.bench_function(format!("run/{name}"), |bencher| {
            bencher.iter(|| run(&job, &folder).expect("a sweep that runs"));
        });
    }
    group.finish();
}
