//! A trace in the Chrome trace-event format, which Perfetto opens: a track for each kind.
//!
//! Instants are whole microseconds, rounded down, so that what follows one another does not overlap.
//! What overlaps within a kind goes to a further track of the same name, so every track is well
//! nested.

use serde_json::{Value, json};

use super::{Event, Trace, What};
use crate::time::Time;

/// The one process that all tracks belong to.
const PROCESS: u64 = 1;

impl Trace {
    /// The trace as one object with `traceEvents`.
    pub fn chrome(&self) -> Value {
        let mut tracks = Tracks::default();
        let events: Vec<Value> = self.events().iter().map(|event| tracks.place(event)).collect();
        let name = format!("{}, replication {}", self.scenario.name, self.replication);
        let mut all = vec![json!({
            "ph": "M", "name": "process_name", "pid": PROCESS, "tid": 0, "ts": 0,
            "args": { "name": name },
        })];
        all.extend(tracks.metadata());
        all.extend(events);
        json!({
            "traceEvents": all,
            "displayTimeUnit": "ms",
            "otherData": {
                "schema": super::json::SCHEMA,
                "seed": self.scenario.run.seed,
                "replication": self.replication,
            },
        })
    }
}

/// The tracks by name, in the order in which they are shown.
#[derive(Default)]
struct Tracks {
    tracks: Vec<Track>,
}

struct Track {
    /// Where it is shown among the others: kinds in order, then as they come.
    order: u64,
    name: String,
    /// Until when it is taken, in microseconds.
    taken_until: i64,
}

impl Tracks {
    fn place(&mut self, event: &Event) -> Value {
        let (order, name) = track_of(event);
        let begin = micros(event.at);
        let end = event.until.map_or(begin, micros).max(begin);
        let track = self.free(order, &name, begin, end);
        let mut value = json!({
            "name": label(event), "cat": event.what.track(), "pid": PROCESS, "tid": track, "ts": begin,
            "args": event.json(),
        });
        if let Value::Object(object) = &mut value {
            if event.until.is_some() {
                object.insert("ph".into(), "X".into());
                object.insert("dur".into(), (end - begin).into());
            } else {
                object.insert("ph".into(), "i".into());
                object.insert("s".into(), "t".into());
            }
        }
        value
    }

    /// The number, from 1, of a track of this name that is free at `begin`.
    fn free(&mut self, order: u64, name: &str, begin: i64, end: i64) -> usize {
        let is_free = |track: &Track| track.name == name && track.taken_until <= begin;
        let index = self.tracks.iter().position(is_free).unwrap_or(self.tracks.len());
        if index == self.tracks.len() {
            self.tracks.push(Track { order, name: name.to_owned(), taken_until: begin });
        }
        self.tracks[index].taken_until = end;
        index + 1
    }

    fn metadata(&self) -> impl Iterator<Item = Value> {
        self.tracks.iter().enumerate().flat_map(|(index, track)| {
            let row = |name: &str, args: Value| {
                json!({
                    "ph": "M", "name": name, "pid": PROCESS, "tid": index + 1, "ts": 0,
                    "args": args,
                })
            };
            let order = track.order * 1_000 + index as u64;
            [
                row("thread_name", json!({ "name": track.name })),
                row("thread_sort_index", json!({ "sort_index": order })),
            ]
        })
    }
}

fn track_of(event: &Event) -> (u64, String) {
    let trigger = event.what.trigger().unwrap_or_default();
    match &event.what {
        What::Fault { source: Some(source), .. } => (1, format!("truth: blips of {source}")),
        What::Fault { .. } if event.what.track() == "controller" => (3, "controller".to_owned()),
        What::Fault { .. } => (1, "truth: ".to_owned() + &event.what.kind().replace('-', " ")),
        What::Checks { .. } => (2, "checks".to_owned()),
        What::Restart => (3, "controller".to_owned()),
        What::Patience { .. } => (4, format!("patience: {trigger}")),
        What::Decision { .. } => (5, format!("decisions: {trigger}")),
        What::Stage { target, .. } | What::Served { target, .. } => {
            (6, format!("failover: {trigger}, {target}"))
        }
        What::RtoEnds => (7, "RTO".to_owned()),
    }
}

/// What is written on the event: short, since its track says the rest.
fn label(event: &Event) -> String {
    match &event.what {
        What::Patience { run, .. } => format!("{} of {}", run.peak, run.needed),
        What::Stage { name, .. } => name.clone(),
        What::Decision { .. } | What::Served { .. } => event.what.kind().to_owned(),
        _ => event.told(),
    }
}

fn micros(at: Time) -> i64 {
    at.as_nanos().div_euclid(1_000)
}
