//! `manifest.json`: what a folder of results holds, and the command that makes it again.

use std::fs;
use std::path::Path;

use polars::prelude::DataFrame;
use serde::{Deserialize, Serialize};

use super::error::SweepError;
use super::folder::RESULTS;
use super::parts::{self, write_whole};
use super::plan::Shard;
use super::runner::Job;
use super::store::Store;
use super::table;

/// Name of the file.
pub const FILE: &str = "manifest.json";

/// Version of the results' layout that this version writes.
pub(super) const SCHEMA: &str = "failover-budget/results/1";

/// What a folder of results holds. It has no times and no paths: the same sweep has the same manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Names the layout and its version.
    pub schema: String,
    /// The sweep's name.
    pub name: String,
    /// Version of the program.
    pub version: String,
    /// Hash of what the results depend on.
    pub spec_hash: String,
    /// The master seed of the first point.
    pub seed: u64,
    /// Axis columns of the table.
    pub axes: Vec<String>,
    /// Points of the grid.
    pub points: usize,
    /// Rows of the table.
    pub rows: usize,
    /// Parts that the work is cut into.
    pub parts: usize,
    /// `whole` when the results are complete, `running` before that, `shard` for one of several.
    pub state: State,
    /// Which shard of how many, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<(u64, u64)>,
    /// SHA-256 of the table, where it is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results_sha256: Option<String>,
    /// The spec as it was read.
    pub spec: String,
}

/// How far the work in a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Begun and not finished.
    Running,
    /// One shard of several, finished.
    Shard,
    /// Complete.
    Whole,
}

impl Manifest {
    /// The manifest of a job in this state.
    pub fn of(job: &Job, state: State, shard: Option<Shard>) -> Self {
        let sweep = &job.sweep;
        Manifest {
            schema: SCHEMA.to_owned(),
            name: sweep.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            spec_hash: sweep.hash.clone(),
            seed: sweep.points[0].scenario.run.seed,
            axes: table::axis_column_names(sweep),
            points: sweep.points.len(),
            rows: sweep.rows(),
            parts: job.parts.len(),
            state,
            shard: shard.map(|shard| (shard.index, shard.count)),
            results_sha256: None,
            spec: sweep.text.clone(),
        }
    }

    /// Makes sure that these are results of triggers, which charts and the page are made of.
    ///
    /// # Errors
    /// When they are those of a drill; names `folder`.
    pub fn is_of_triggers(&self, folder: &Path) -> Result<(), SweepError> {
        let spec = self.spec.parse::<toml::Table>().unwrap_or_default();
        if !spec.contains_key(super::drills::DRILL) {
            return Ok(());
        }
        let why = "these are the results of a drill, of which there are no charts and no page: read \
            results.parquet, or draw one run with `failover-budget drill --svg`";
        Err(SweepError::read(folder, why))
    }

    /// The manifest beside a table of these bytes.
    pub fn sealing(mut self, results: &[u8]) -> Self {
        self.results_sha256 = Some(parts::checksum(results));
        self
    }

    /// The table that this manifest of `folder` stands beside. A damaged one is not given to the Parquet
    /// library: it may ask for more memory than there is, and that ends the process.
    ///
    /// # Errors
    /// When the table is not there, is damaged, or is no Parquet; names it.
    pub fn results(&self, folder: &Path) -> Result<DataFrame, SweepError> {
        let path = folder.join(RESULTS);
        let bytes = fs::read(&path).map_err(|why| SweepError::read(&path, &why.to_string()))?;
        if self.results_sha256.as_ref().is_some_and(|sum| *sum != parts::checksum(&bytes)) {
            let why = "not the table that was written there: its checksum is not that in \
                       manifest.json; run the sweep again with --force";
            return Err(SweepError::read(&path, why));
        }
        table::from_parquet(&path, bytes)
    }

    /// Writes the manifest into `folder`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), SweepError> {
        let path = folder.join(FILE);
        write_whole(&path, &self.bytes(&path)?)
    }

    /// The manifest as it is written to `path`.
    pub(super) fn bytes(&self, path: &Path) -> Result<Vec<u8>, SweepError> {
        let mut bytes = serde_json::to_vec_pretty(self)
            .map_err(|why| SweepError::write(path, &why.to_string()))?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Reads the manifest of `folder`; `None` where there is none.
    ///
    /// # Errors
    /// When it cannot be read, or is of a newer layout.
    pub fn read(folder: &Path) -> Result<Option<Self>, SweepError> {
        Self::find(&Store::Folder(folder.to_owned()))
    }

    /// Reads the manifest of a folder that must hold results.
    ///
    /// # Errors
    /// As [`Self::read`], and when there is none.
    pub fn of_results(folder: &Path) -> Result<Self, SweepError> {
        if !folder.is_dir() {
            let why = "there is no such folder: one of results is wanted, which `sweep` and `merge` write";
            return Err(SweepError::read(folder, why));
        }
        let nothing =
            "there is no manifest.json: not a folder of results, which `sweep` and `merge` write";
        Self::read(folder)?.ok_or_else(|| SweepError::read(folder, nothing))
    }

    /// Reads the manifest of a folder or of a prefix of a bucket; `None` where there is none.
    ///
    /// # Errors
    /// When it cannot be read, or is of a newer layout.
    pub fn find(store: &Store) -> Result<Option<Self>, SweepError> {
        let found = store.read(FILE)?;
        found.map(|bytes| Self::decode(&store.place().join(FILE), &bytes)).transpose()
    }

    /// A manifest from what stands at `path`.
    pub(super) fn decode(path: &Path, bytes: &[u8]) -> Result<Self, SweepError> {
        let json: serde_json::Value = serde_json::from_slice(bytes)
            .map_err(|why| SweepError::read(path, &format!("not a manifest: {why}")))?;
        let schema = json.get("schema").and_then(serde_json::Value::as_str).unwrap_or("none");
        if schema != SCHEMA {
            let why = format!(
                "its layout is `{schema}` and this version reads `{SCHEMA}`; use the version that wrote it"
            );
            return Err(SweepError::read(path, &why));
        }
        serde_json::from_value(json)
            .map_err(|why| SweepError::read(path, &format!("not a manifest: {why}")))
    }

    /// Whether what stands at `path` was written for `job`, and for as many shards.
    ///
    /// # Errors
    /// When it is of another spec, version or number of shards.
    pub(super) fn check(
        &self,
        path: &Path,
        job: &Job,
        shard: Option<Shard>,
    ) -> Result<(), SweepError> {
        let path = path.to_owned();
        if self.spec_hash != job.sweep.hash {
            return Err(SweepError::OtherSpec { path });
        }
        if self.version != env!("CARGO_PKG_VERSION") {
            return Err(SweepError::OtherVersion { path, found: self.version.clone() });
        }
        match (self.shard, shard) {
            (Some((_, there)), Some(Shard { count, .. })) if there != count => {
                Err(SweepError::OtherCount { path, there, count })
            }
            _ => Ok(()),
        }
    }

    /// The same facts for a Parquet file's own metadata.
    pub fn metadata(&self) -> Vec<(String, String)> {
        [
            ("failover-budget.schema", self.schema.clone()),
            ("failover-budget.name", self.name.clone()),
            ("failover-budget.version", self.version.clone()),
            ("failover-budget.spec_hash", self.spec_hash.clone()),
            ("failover-budget.seed", self.seed.to_string()),
            ("failover-budget.spec", self.spec.clone()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .to_vec()
    }
}
