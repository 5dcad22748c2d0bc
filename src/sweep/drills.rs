//! Sweeps over a drill: its fields are the axes, and the recovery of each feature is the result.
//!
//! A spec of this kind names the drill's file under `drill`; the rest is `[axes]` and `[run]`. A point is a drill
//! with some fields changed, run over many replications; a row is a point and a feature.

use polars::prelude::{DataFrame, IntoColumn, NamedFrom, Series};
use rayon::prelude::*;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use toml::{Table, Value};

use super::error::SweepError;
use super::manifest::{Manifest, State};
use super::{axes, parts, spec, table};
use crate::drill::outcome::Rto;
use crate::drill::{self, Figures};
use crate::estimate::{Estimate, LEVEL, Sums};
use crate::scenario::{Document, InputError};

/// Key of a spec that names the drill.
pub const DRILL: &str = "drill";

/// How far to run, as in a scenario; the length is the drill's own.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Run {
    replications: u64,
    seed: u64,
}

impl Default for Run {
    fn default() -> Self {
        Run { replications: 1_000, seed: 1 }
    }
}

/// What a spec may hold besides axes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    #[serde(default)]
    name: Option<String>,
    #[serde(rename = "drill")]
    _drill: String,
    #[serde(default)]
    run: Run,
}

/// A sweep over a drill, read and checked.
#[derive(Clone, Debug)]
pub struct DrillSweep {
    /// What the sweep is called; names its folder.
    pub name: String,
    text: String,
    hash: String,
    columns: Vec<String>,
    points: Vec<(Vec<Value>, Document)>,
    run: Run,
}

/// The drill's file that a spec names, if it is a spec of this kind.
pub fn drill_file(spec: &Document) -> Option<&str> {
    spec.table.get(DRILL).and_then(Value::as_str)
}

impl DrillSweep {
    /// Reads `spec` over the drill in `drill`.
    ///
    /// # Errors
    /// Names file, line and key: of the spec, or of the drill where a point makes no drill.
    pub fn new(spec: &Document, drill: &Document, default_name: &str) -> Result<Self, InputError> {
        let mut head = spec.clone();
        let axes_table = match head.table.remove("axes") {
            None => Table::new(),
            Some(Value::Table(table)) => table,
            Some(_) => return Err(spec.error("axes", "axes are written as a table: [axes]")),
        };
        let head: Head = head.parse()?;
        let name = head.name.unwrap_or_else(|| default_name.to_owned());
        spec::check_name(spec, &name)?;
        let axes = axes::read(spec, &axes_table)?;
        let count = spec::grid::checked(spec, &axes)?;
        // A point that is no drill is said now, at the axis that made it so.
        let read = |changed: &Document| drill::Plan::new(changed).map(|_| changed.clone());
        let points: Result<Vec<(Vec<Value>, Document)>, InputError> =
            (0..count).map(|index| spec::grid::laid(spec, drill, &axes, index, read)).collect();
        let points = points?;
        Ok(DrillSweep {
            name,
            text: spec.text().to_owned(),
            hash: hash(&points, &head.run),
            columns: axes.iter().flat_map(|axis| axis.columns.clone()).collect(),
            points,
            run: head.run,
        })
    }

    /// How many points the grid has.
    pub fn points(&self) -> usize {
        self.points.len()
    }

    /// Runs every point and makes the table: a row for each point and feature. `done` is told of each point.
    ///
    /// # Errors
    /// When the table cannot be made, or too many replications are asked for.
    pub fn run(&self, done: impl Fn() + Sync) -> Result<(DataFrame, Manifest), DrillSweepError> {
        let figures: Result<Vec<Figures>, InputError> = self
            .points
            .par_iter()
            .map(|(_, document)| {
                let figures = drill::figures(document, self.run.seed, 0..self.run.replications);
                done();
                figures
            })
            .collect();
        let frame = self.frame(&figures?).map_err(SweepError::from)?;
        let manifest = Manifest {
            schema: super::manifest::SCHEMA.to_owned(),
            name: self.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            spec_hash: self.hash.clone(),
            seed: self.run.seed,
            axes: table::column_names(&self.columns, &self.labels()),
            points: self.points.len(),
            rows: frame.height(),
            parts: 0,
            state: State::Whole,
            shard: None,
            results_sha256: None,
            spec: self.text.clone(),
        };
        Ok((frame, manifest))
    }

    fn labels(&self) -> Vec<&[Value]> {
        self.points.iter().map(|(labels, _)| &labels[..]).collect()
    }

    fn frame(&self, figures: &[Figures]) -> Result<DataFrame, polars::error::PolarsError> {
        let cells: Vec<(usize, usize)> = figures
            .iter()
            .enumerate()
            .flat_map(|(point, figures)| (0..figures.features.len()).map(move |f| (point, f)))
            .collect();
        let points = cells.iter().map(|(point, _)| *point);
        let mut columns = table::axis_columns(&self.columns, &self.labels(), points);
        let of = |pick: &dyn Fn(&Figures, usize) -> Option<f64>| -> Vec<Option<f64>> {
            cells.iter().map(|(point, feature)| pick(&figures[*point], *feature)).collect()
        };
        let names: Vec<&str> =
            cells.iter().map(|(point, f)| figures[*point].features[*f].as_str()).collect();
        columns.push(Series::new("feature".into(), names).into_column());
        let replications = vec![self.run.replications; cells.len()];
        columns.push(Series::new("replications".into(), replications).into_column());
        let objective = of(&|figures, f| Some(figures.objectives[f].as_secs_f64()));
        columns.push(Series::new("rto_objective_s".into(), objective).into_column());
        for (name, estimate) in ESTIMATES {
            let part = |part: fn(&Estimate) -> f64| {
                of(&|figures, f| estimate(figures, f).map(|e| part(&e)).filter(|x| x.is_finite()))
            };
            columns.push(Series::new(name.into(), part(|e| e.value)).into_column());
            columns.push(Series::new(format!("{name}_lo").into(), part(|e| e.lo)).into_column());
            columns.push(Series::new(format!("{name}_hi").into(), part(|e| e.hi)).into_column());
        }
        DataFrame::new_infer_height(columns)
    }
}

/// Why a sweep over a drill failed: its input, or the table.
#[derive(Debug, thiserror::Error)]
pub enum DrillSweepError {
    /// A point is no drill.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The table cannot be made.
    #[error(transparent)]
    Sweep(#[from] SweepError),
}

type Pick = fn(&Figures, usize) -> Option<Estimate>;

/// Result columns, and where they come from.
const ESTIMATES: [(&str, Pick); 6] = [
    ("rto_mean_s", |figures, feature| times(figures, feature).mean(1e-9, LEVEL)),
    ("rto_p50_s", |figures, feature| quantile(figures, feature, 0.5)),
    ("rto_p99_s", |figures, feature| quantile(figures, feature, 0.99)),
    ("rto_met", |figures, feature| {
        let objective = figures.objectives[feature];
        share(figures, |rto| rto[feature].meets(objective))
    }),
    ("rto_missed", |figures, feature| share(figures, |rto| rto[feature] == Rto::Missed)),
    ("rpo_mean_s", |figures, feature| {
        let lost = figures.rpo.iter().filter_map(|rpo| rpo[feature]);
        Sums::of(lost.map(|span| span.as_nanos())).mean(1e-9, LEVEL)
    }),
];

/// Interruptions that ended.
fn times(figures: &Figures, feature: usize) -> Sums {
    let ended = figures.rto.iter().filter_map(|rto| match rto[feature] {
        Rto::Recovered(length) => Some(length.as_nanos()),
        _ => None,
    });
    Sums::of(ended)
}

fn quantile(figures: &Figures, feature: usize, p: f64) -> Option<Estimate> {
    let mut ended: Vec<f64> = figures.rto.iter().filter_map(|rto| rto[feature].secs()).collect();
    ended.sort_by(f64::total_cmp);
    Estimate::quantile(&ended, p, LEVEL)
}

fn share(figures: &Figures, is_so: impl Fn(&[Rto]) -> bool) -> Option<Estimate> {
    let hits = figures.rto.iter().filter(|rto| is_so(rto)).count();
    Estimate::proportion(hits as u64, figures.rto.len() as u64, LEVEL)
}

fn hash(points: &[(Vec<Value>, Document)], run: &Run) -> String {
    let mut hasher = Sha256::new();
    for (labels, document) in points {
        hasher.update(format!("{labels:?}{}", document.table));
    }
    hasher.update(format!("{run:?}"));
    parts::hex(&hasher.finalize())
}
