//! A folder of results beside the sweep that made it: what every view is drawn from.

use std::path::Path;

use polars::prelude::{Column, DataFrame};

use super::ReportError;
use crate::budget::{Outlook, Plan};
use crate::estimate::{Estimate, LEVEL};
use crate::scenario::Scenario;
use crate::sweep::spec::Point;
use crate::sweep::{Manifest, State, Sweep, SweepError};

/// A folder of results, read and checked.
pub struct Study {
    /// What the folder says of itself.
    pub manifest: Manifest,
    /// The sweep, read again from the spec that the manifest keeps.
    pub sweep: Sweep,
    /// What is varied: one for each axis column.
    pub(super) columns: Vec<AxisColumn>,
    /// For each point its triggers.
    pub(super) runs: Vec<Vec<Run>>,
    /// For each point and target, what follows detection.
    pub(super) outlooks: Vec<Vec<Outlook>>,
    /// The point whose scenario is the spec without its axes, or the one in the middle of the grid.
    pub(super) base: usize,
}

/// An axis column: its distinct values in order, and which of them each point has.
pub(super) struct AxisColumn {
    pub(super) name: String,
    pub(super) values: Vec<toml::Value>,
    pub(super) at: Vec<usize>,
}

/// What one trigger at one point gave.
pub(super) struct Run {
    pub(super) trigger: String,
    pub(super) patience_s: f64,
    pub(super) days: f64,
    pub(super) rate: Estimate,
    pub(super) detection_mean_s: Option<Estimate>,
    pub(super) dark_caught: Estimate,
    pub(super) restart_fires: Estimate,
    pub(super) prober_death_fires: Estimate,
    pub(super) missed: Estimate,
    pub(super) on_frontier: bool,
    pub(super) targets: Vec<OnTarget>,
}

/// What it gave on one target.
pub(super) struct OnTarget {
    pub(super) recovery_p50_s: Option<Estimate>,
    pub(super) recovery_p99_s: Option<Estimate>,
    pub(super) rto_met: Estimate,
    pub(super) room_s: f64,
}

impl Run {
    /// The rate that runs are ranked by: the true one where it is known, else the cautious end.
    pub(super) fn cautious_rate(&self) -> f64 {
        self.rate.exact.unwrap_or(self.rate.hi)
    }

    /// The rate as charts place it: the true one where it is known, else what was counted, or where
    /// nothing was, the upper bound.
    pub(super) fn shown_rate(&self) -> f64 {
        let counted = if self.rate.value > 0.0 { self.rate.value } else { self.rate.hi };
        self.rate.exact.filter(|exact| *exact > 0.0).unwrap_or(counted)
    }
}

impl Study {
    /// Reads a folder that `sweep` or `merge` wrote.
    ///
    /// # Errors
    /// When it holds no complete results, or results of another version's sweep.
    pub fn read(path: &Path) -> Result<Self, ReportError> {
        let manifest = Manifest::of_results(path)?;
        if manifest.state != State::Whole {
            let why = "the sweep is not finished: go on with --resume, or put its shards together with `merge`";
            return Err(SweepError::read(path, why).into());
        }
        manifest.is_of_triggers(path)?;
        let frame = manifest.results(path)?;
        Study::new(manifest, &frame, &path.display().to_string())
    }

    /// The study of results that are in memory; `source` names them in errors.
    ///
    /// # Errors
    /// As [`Study::read`].
    pub fn new(manifest: Manifest, frame: &DataFrame, source: &str) -> Result<Self, ReportError> {
        let unlike =
            |why: &str| ReportError::Spec { folder: source.to_owned(), why: why.to_owned() };
        let sweep = Sweep::from_toml("the spec in manifest.json", &manifest.spec, &manifest.name)
            .map_err(|why| {
            unlike(&format!("its spec cannot be read by this version: {why}"))
        })?;
        if sweep.hash != manifest.spec_hash {
            return Err(unlike("its spec means something else to this version"));
        }
        if sweep.rows() != frame.height() {
            let (found, due) = (frame.height(), sweep.rows());
            return Err(unlike(&format!("it has {found} rows, and its spec makes {due}")));
        }
        let runs = Rows { frame }.all(&sweep)?;
        let outlooks = outlooks(&sweep)?;
        let base = base_point(&sweep);
        let columns = axis_columns(&sweep);
        Ok(Study { manifest, sweep, columns, runs, outlooks, base })
    }

    pub(super) fn points(&self) -> &[Point] {
        &self.sweep.points
    }

    pub(super) fn scenario(&self, point: usize) -> &Scenario {
        &self.sweep.points[point].scenario
    }

    pub(super) fn base_scenario(&self) -> &Scenario {
        self.scenario(self.base)
    }

    /// Labels of the targets at the base point.
    pub(super) fn targets(&self) -> Vec<String> {
        self.base_scenario().targets.iter().map(|target| target.label().to_owned()).collect()
    }

    /// True where every point has the same triggers and targets, so that points can be compared.
    pub(super) fn is_product(&self) -> bool {
        let base = self.base_scenario();
        let labels = |scenario: &Scenario| -> Vec<String> {
            scenario.targets.iter().map(|target| target.label().to_owned()).collect()
        };
        self.points().iter().all(|point| {
            point.scenario.triggers == base.triggers && labels(&point.scenario) == labels(base)
        })
    }
}

/// The table, row by row.
struct Rows<'a> {
    frame: &'a DataFrame,
}

impl Rows<'_> {
    /// The runs of each point. Rows stand by point, trigger and target, in that order.
    fn all(&self, sweep: &Sweep) -> Result<Vec<Vec<Run>>, SweepError> {
        let mut row = 0;
        let mut all = Vec::with_capacity(sweep.points.len());
        for point in &sweep.points {
            let (triggers, targets) = (&point.scenario.triggers, point.scenario.targets.len());
            let mut runs = Vec::with_capacity(triggers.len());
            for trigger in triggers {
                runs.push(self.run(trigger.to_string(), row, targets)?);
                row += targets;
            }
            all.push(runs);
        }
        Ok(all)
    }

    fn run(&self, trigger: String, row: usize, targets: usize) -> Result<Run, SweepError> {
        let share = |name: &str| Ok::<_, SweepError>(self.estimate(name, row)?.unwrap_or(UNKNOWN));
        let targets: Result<Vec<OnTarget>, SweepError> =
            (row..row + targets).map(|row| self.on_target(row)).collect();
        Ok(Run {
            trigger,
            patience_s: self.number("patience_s", row)?.unwrap_or(0.0),
            days: self.number("days", row)?.unwrap_or(0.0),
            rate: share("false_failovers_per_day")?,
            detection_mean_s: self.estimate("detection_mean_s", row)?,
            dark_caught: share("dark_caught")?,
            restart_fires: share("restart_fires")?,
            prober_death_fires: share("prober_death_fires")?,
            missed: share("missed")?,
            on_frontier: self.frame.column("on_frontier")?.bool()?.get(row).unwrap_or(false),
            targets: targets?,
        })
    }

    fn on_target(&self, row: usize) -> Result<OnTarget, SweepError> {
        Ok(OnTarget {
            recovery_p50_s: self.estimate("recovery_p50_s", row)?,
            recovery_p99_s: self.estimate("recovery_p99_s", row)?,
            rto_met: self.estimate("rto_met", row)?.unwrap_or(UNKNOWN),
            room_s: self.number("room_s", row)?.unwrap_or(0.0),
        })
    }

    fn estimate(&self, name: &str, row: usize) -> Result<Option<Estimate>, SweepError> {
        let Some(value) = self.number(name, row)? else { return Ok(None) };
        let bound = |suffix: &str| self.number(&format!("{name}_{suffix}"), row);
        let exact = match self.frame.column(&format!("{name}_exact")) {
            Ok(column) => at(column, row)?,
            Err(_) => None,
        };
        let (lo, hi) = (bound("lo")?, bound("hi")?);
        let (lo, hi) = (lo.unwrap_or(f64::NEG_INFINITY), hi.unwrap_or(f64::INFINITY));
        Ok(Some(Estimate { value, lo, hi, level: LEVEL, n: 0, exact }))
    }

    fn number(&self, name: &str, row: usize) -> Result<Option<f64>, SweepError> {
        at(self.frame.column(name)?, row)
    }
}

/// A figure that the table leaves out.
const UNKNOWN: Estimate = Estimate {
    value: 0.0,
    lo: f64::NEG_INFINITY,
    hi: f64::INFINITY,
    level: LEVEL,
    n: 0,
    exact: None,
};

fn at(column: &Column, row: usize) -> Result<Option<f64>, SweepError> {
    Ok(column.f64()?.get(row))
}

/// What follows detection, at each point. Most points share their plans, and one with laws takes
/// draws, so equal plans are worked out once.
fn outlooks(sweep: &Sweep) -> Result<Vec<Vec<Outlook>>, ReportError> {
    let mut known: Vec<Outlook> = Vec::new();
    let mut outlook = |plan: Plan| -> Outlook {
        if let Some(found) = known.iter().rev().take(64).find(|known| known.plan == plan) {
            return found.clone();
        }
        let made = Outlook::of(plan);
        known.push(made.clone());
        made
    };
    let of_point = |point: &Point| -> Result<Vec<Outlook>, ReportError> {
        let plans = Plan::of_all(&point.scenario).map_err(ReportError::Plan)?;
        Ok(plans.into_iter().map(&mut outlook).collect())
    };
    sweep.points.iter().map(of_point).collect()
}

/// The point that is the spec without its axes, or the one in the middle where the grid has none such.
fn base_point(sweep: &Sweep) -> usize {
    let middle = sweep.points.len() / 2;
    let Ok(mut table) = sweep.text.parse::<toml::Table>() else { return middle };
    for key in ["axes", "stop", "output"] {
        table.remove(key);
    }
    table.insert("name".to_owned(), sweep.name.clone().into());
    // Triggers are an axis of every point: they do not tell points apart.
    table.remove("triggers");
    let text = toml::to_string(&table).unwrap_or_default();
    let Ok(spec) = Scenario::from_toml("the spec", &text) else { return middle };
    let is_spec = |point: &Point| {
        Scenario { triggers: spec.triggers.clone(), ..point.scenario.clone() } == spec
    };
    sweep.points.iter().position(is_spec).unwrap_or(middle)
}

fn axis_columns(sweep: &Sweep) -> Vec<AxisColumn> {
    let column = |(index, name): (usize, &str)| {
        let mut values: Vec<toml::Value> = Vec::new();
        let at = sweep.points.iter().map(|point| {
            let value = &point.labels[index];
            values.iter().position(|known| known == value).unwrap_or_else(|| {
                values.push(value.clone());
                values.len() - 1
            })
        });
        let at = at.collect();
        AxisColumn { name: name.to_owned(), values, at }
    };
    sweep.axis_columns().enumerate().map(column).collect()
}
