//! The drills of `sweeps/drills`: each file is run, and what it exercises comes out.

mod cases;
mod command;
mod many;

use std::path::{Path, PathBuf};

use failover_budget::drill::outcome::{FeatureOutcome, Outcome, Stage};
use failover_budget::drill::{self, EXTENDS, Plan};
use failover_budget::scenario::Document;
use failover_budget::time::Span;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sweeps/drills").join(format!("{name}.toml"))
}

fn document(name: &str) -> Document {
    let text = std::fs::read_to_string(path(name)).unwrap();
    let over = Document::new(name, &text).unwrap();
    match over.table.get(EXTENDS).and_then(toml::Value::as_str) {
        None => over,
        Some(base) => {
            let base = document(base.trim_end_matches(".toml"));
            drill::layered(&base, over).unwrap()
        }
    }
}

/// A drill that was run once, with questions to ask of it.
struct Drilled {
    plan: Plan,
    outcome: Outcome,
}

fn drilled(name: &str) -> Drilled {
    let plan = Plan::new(&document(name)).unwrap_or_else(|error| panic!("{error}"));
    let outcome = drill::run(&plan, plan.service.seed, 0, true);
    Drilled { plan, outcome }
}

impl Drilled {
    fn feature(&self, name: &str) -> &FeatureOutcome {
        let place = self.plan.features.iter().position(|feature| feature.name == name).unwrap();
        &self.outcome.features[place]
    }

    /// The measured recovery time in minutes; none if it was not interrupted or not served again.
    fn rto_min(&self, name: &str) -> Option<f64> {
        self.feature(name).rto().secs().map(|secs| secs / 60.0)
    }

    fn stages(&self, name: &str) -> Vec<(Stage, Span)> {
        self.feature(name).worst().map(|worst| worst.stages.clone()).unwrap_or_default()
    }

    /// Clock times, to the minute, of the entries about `subject` that contain `text`.
    fn clocks(&self, subject: &str, text: &str) -> Vec<String> {
        let entries = self.outcome.timeline.iter();
        entries
            .filter(|entry| entry.subject == subject && entry.text.contains(text))
            .map(|entry| self.plan.service.start.show(entry.at)[..5].to_owned())
            .collect()
    }
}

fn minutes(count: i64) -> Span {
    Span::from_secs(60 * count)
}
