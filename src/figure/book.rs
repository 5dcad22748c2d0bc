//! A folder of results, read back beside the sweep that made it.
//!
//! Cells are handed out one at a time from the table's columns, so a large table is held once.

use std::path::Path;

use polars::prelude::{BooleanChunked, Column, DataFrame, Float64Chunked};

use crate::sweep::spec::Point;
use crate::sweep::{Manifest, Sweep, SweepError, folder};

/// Results and their sweep.
pub struct Book {
    /// The sweep, read again from the spec that the manifest keeps.
    pub sweep: Sweep,
    frame: DataFrame,
    /// For each point its first row.
    starts: Vec<usize>,
}

/// A figure of one cell with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The estimate.
    pub value: f64,
    /// Lower end of its interval; the value where it is not known.
    pub lo: f64,
    /// Upper end of its interval; the value where it is not known.
    pub hi: f64,
    /// The true value, where there is one.
    pub exact: Option<f64>,
}

impl Measured {
    /// The true value where it is known, else the estimate.
    pub fn best(&self) -> f64 {
        self.exact.unwrap_or(self.value)
    }
}

/// What charts show of a trigger at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The trigger as written.
    pub trigger: String,
    /// Its patience in seconds.
    pub patience_s: f64,
    /// Simulated days.
    pub days: f64,
    /// False failovers a day.
    pub rate: Measured,
    /// Mean detection delay in seconds, where anything was detected.
    pub delay_s: Option<Measured>,
    /// Share of outages that were never detected.
    pub missed: f64,
    /// True where no other trigger at the point beats it.
    pub on_frontier: bool,
}

impl Book {
    /// Reads the folder.
    ///
    /// # Errors
    /// When it holds no complete results, or results that this version's sweep would not make.
    pub fn read(path: &Path) -> Result<Self, SweepError> {
        let manifest = Manifest::of_results(path)?;
        manifest.is_of_triggers(path)?;
        let frame = manifest.results(path)?;
        Book::new(&manifest, frame, path)
    }

    fn new(manifest: &Manifest, frame: DataFrame, path: &Path) -> Result<Self, SweepError> {
        let unlike = |why: &str| SweepError::read(&path.join(folder::RESULTS), why);
        let sweep = Sweep::from_toml("the spec in manifest.json", &manifest.spec, &manifest.name)
            .map_err(|why| {
            unlike(&format!("its spec cannot be read by this version: {why}"))
        })?;
        if sweep.hash != manifest.spec_hash {
            return Err(unlike(
                "its spec means something else to this version; run the sweep again with --force",
            ));
        }
        let mut starts = Vec::with_capacity(sweep.points.len());
        let mut rows = 0;
        for point in &sweep.points {
            starts.push(rows);
            rows += point.scenario.triggers.len() * point.scenario.targets.len();
        }
        if rows != frame.height() {
            let found = frame.height();
            return Err(unlike(&format!(
                "it has {found} rows and its spec makes {rows}; run the sweep again with --force"
            )));
        }
        Ok(Book { sweep, frame, starts })
    }

    /// Points of the grid.
    pub fn points(&self) -> &[Point] {
        &self.sweep.points
    }

    /// How many triggers a point has.
    pub fn triggers(&self, point: usize) -> usize {
        self.sweep.points[point].scenario.triggers.len()
    }

    /// What charts show of a trigger at a point.
    ///
    /// # Errors
    /// When the table lacks a column.
    pub fn cell(&self, point: usize, trigger: usize) -> Result<Cell, SweepError> {
        let row = self.row(point, trigger, 0);
        let written = &self.sweep.points[point].scenario.triggers[trigger];
        Ok(Cell {
            trigger: written.to_string(),
            patience_s: self.number("patience_s", row)?.unwrap_or(0.0),
            days: self.number("days", row)?.unwrap_or(0.0),
            rate: self.measured("false_failovers_per_day", row)?.unwrap_or(NOTHING),
            delay_s: self.measured("detection_mean_s", row)?,
            missed: self.number("missed", row)?.unwrap_or(0.0),
            on_frontier: self.truth("on_frontier", row)?,
        })
    }

    /// The probability that a trigger at a point meets the RTO on a target.
    ///
    /// # Errors
    /// When the table lacks a column.
    pub fn rto_met(
        &self,
        point: usize,
        trigger: usize,
        target: usize,
    ) -> Result<Measured, SweepError> {
        let row = self.row(point, trigger, target);
        Ok(self.measured("rto_met", row)?.unwrap_or(NOTHING))
    }

    /// The room that a target leaves for detection at a point, in seconds.
    ///
    /// # Errors
    /// When the table lacks a column.
    pub fn room_s(&self, point: usize, target: usize) -> Result<f64, SweepError> {
        Ok(self.number("room_s", self.row(point, 0, target))?.unwrap_or(0.0))
    }

    fn row(&self, point: usize, trigger: usize, target: usize) -> usize {
        self.starts[point] + trigger * self.sweep.points[point].scenario.targets.len() + target
    }

    fn measured(&self, name: &str, row: usize) -> Result<Option<Measured>, SweepError> {
        let Some(value) = self.number(name, row)? else { return Ok(None) };
        let bound = |suffix: &str| self.number(&format!("{name}_{suffix}"), row);
        let exact = match self.frame.column(&format!("{name}_exact")) {
            Ok(column) => floats(column)?.get(row),
            Err(_) => None,
        };
        let (lo, hi) = (bound("lo")?.unwrap_or(value), bound("hi")?.unwrap_or(value));
        Ok(Some(Measured { value, lo, hi, exact }))
    }

    fn number(&self, name: &str, row: usize) -> Result<Option<f64>, SweepError> {
        Ok(floats(self.frame.column(name)?)?.get(row))
    }

    fn truth(&self, name: &str, row: usize) -> Result<bool, SweepError> {
        let column: &BooleanChunked = self.frame.column(name)?.bool()?;
        Ok(column.get(row).unwrap_or(false))
    }
}

const NOTHING: Measured = Measured { value: 0.0, lo: 0.0, hi: 0.0, exact: None };

fn floats(column: &Column) -> Result<&Float64Chunked, SweepError> {
    Ok(column.f64()?)
}
