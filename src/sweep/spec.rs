//! A sweep's spec: a scenario plus `[axes]`, how far to run, and what else to write.
//!
//! It reads a parsed document and makes the grid's points. It touches no files.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use toml::{Table, Value};

pub mod grid;

use super::axes::{self, Axis};
use super::{limits, parts};
use crate::scenario::document::{Document, nearest};
use crate::scenario::paths;
use crate::scenario::{InputError, Scenario};
use crate::trigger::Spec as TriggerSpec;

/// Keys of a spec that are not the scenario's.
const OWN_KEYS: [&str; 3] = ["axes", "stop", "output"];

/// When to stop before all replications are run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// A point is done when the interval of every trigger's false-failover rate is at most this wide,
    /// as a share of the rate (0.1 is ±5 %). Rates too small to be worth the wait are left out, see
    /// `below_per_day`.
    pub relative_width: f64,
    /// A rate whose interval lies below this many a day is narrow enough. Default 0.01.
    #[serde(default = "below_per_day")]
    pub below_per_day: f64,
    /// The fewest replications. Default 100.
    #[serde(default = "at_least")]
    pub at_least: u64,
}

fn below_per_day() -> f64 {
    0.01
}

fn at_least() -> u64 {
    100
}

/// What is written besides the table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OutputOptions {
    /// Also one row per (cell, replication), in `replications.parquet`.
    pub replications: bool,
}

/// A sweep, read and checked.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// What the sweep is called; names its folder.
    pub name: String,
    /// The text it was read from.
    pub text: String,
    /// SHA-256 of the spec's meaning: the same for any spelling of the same sweep.
    pub hash: String,
    /// The axes, triggers and targets left out.
    pub axes: Vec<Axis>,
    /// The points of the grid, in order.
    pub points: Vec<Point>,
    /// When to stop early, if ever.
    pub stop: Option<Stop>,
    /// What is written besides the table.
    pub output: OutputOptions,
}

/// One point of the grid: a scenario, with all its triggers and targets.
#[derive(Clone, Debug)]
pub struct Point {
    /// What stands in each axis's columns, by axis and column.
    pub labels: Vec<Value>,
    /// The scenario at this point.
    pub scenario: Scenario,
}

impl Sweep {
    /// Reads a spec from TOML text; `source` is the file's name in errors, `default_name` the sweep's
    /// when it gives none.
    ///
    /// # Errors
    /// Names file, line and key.
    pub fn from_toml(source: &str, text: &str, default_name: &str) -> Result<Self, InputError> {
        let mut document = Document::new(source, text)?;
        let whole = document.table.clone();
        let own = |key: &str| whole.get(key).cloned();
        for key in OWN_KEYS {
            document.table.remove(key);
        }
        let axes_table = match own("axes") {
            None => Table::new(),
            Some(Value::Table(table)) => table,
            Some(_) => return Err(document.error("axes", "axes are written as a table: [axes]")),
        };
        check_keys(&document, &whole, &axes_table)?;
        if !document.table.contains_key("name") {
            document.table.insert("name".to_owned(), Value::String(default_name.to_owned()));
        }
        set_triggers(&mut document, &axes_table)?;
        document.table = paths::over_defaults(document.table);
        let axes = axes::read(&document, &axes_table)?;
        let points = grid::points(&document, &axes)?;
        let name = points[0].scenario.name.clone();
        check_name(&document, &name)?;
        let stop = own("stop").map(|value| part(&document, "stop", value)).transpose()?;
        let output = own("output")
            .map_or(Ok(OutputOptions::default()), |value| part(&document, "output", value))?;
        check_stop(&document, stop.as_ref())?;
        limits::check_replications(&document, &points, &output)?;
        Ok(Sweep {
            name,
            text: text.to_owned(),
            hash: hash(&points, stop.as_ref(), &output),
            axes,
            points,
            stop,
            output,
        })
    }

    /// Names of the axis columns, in order.
    pub fn axis_columns(&self) -> impl Iterator<Item = &str> {
        self.axes.iter().flat_map(|axis| axis.columns.iter().map(String::as_str))
    }

    /// Rows of the results: points × triggers × targets.
    pub fn rows(&self) -> usize {
        let rows = |point: &Point| point.scenario.triggers.len() * point.scenario.targets.len();
        self.points.iter().map(rows).sum()
    }
}

/// Reads one of the spec's own tables.
fn part<T: serde::de::DeserializeOwned>(
    document: &Document,
    key: &str,
    value: Value,
) -> Result<T, InputError> {
    let mut alone = document.clone();
    alone.table = Table::new();
    alone.table.insert(key.to_owned(), value);
    let mut whole: std::collections::BTreeMap<String, T> = alone.parse()?;
    whole.remove(key).ok_or_else(|| document.error(key, "is missing"))
}

/// Puts the triggers of the axes, or of the scenario, into the scenario with their ranges expanded.
fn set_triggers(document: &mut Document, axes: &Table) -> Result<(), InputError> {
    let (key, value) = match (axes.get("triggers"), document.table.get("triggers")) {
        (Some(value), _) => ("axes.triggers", value.clone()),
        (None, Some(value)) => ("triggers", value.clone()),
        (None, None) => return Ok(()),
    };
    let written = match value {
        Value::Array(values) => values,
        Value::String(_) => vec![value],
        _ => return Err(document.error(key, "triggers are strings, like \"consecutive:1..40\"")),
    };
    if written.is_empty() {
        return Err(document.error(key, "the axis is empty; allowed: one trigger or more"));
    }
    let mut texts: Vec<Value> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for (index, value) in written.iter().enumerate() {
        let place = format!("{key}.{index}");
        let text = value.as_str().ok_or_else(|| {
            document.error(&place, "triggers are strings, like \"consecutive:1..40\"")
        })?;
        let expanded =
            TriggerSpec::expand(text).map_err(|why| document.error(&place, &why.to_string()))?;
        for trigger in expanded {
            let text = trigger.to_string();
            if !seen.insert(text.clone()) {
                let message = format!("`{text}` stands twice among the triggers; leave one out");
                return Err(document.error(&place, &message));
            }
            texts.push(Value::String(text));
        }
        if texts.len() > limits::MOST_TRIGGERS {
            let most = limits::MOST_TRIGGERS;
            return Err(document.error(&place, &format!("these are more than {most} triggers")));
        }
    }
    document.table.insert("triggers".to_owned(), Value::Array(texts));
    Ok(())
}

/// The first parts of what is written: a typo there is told with all that may stand in a spec.
fn check_keys(document: &Document, whole: &Table, axes: &Table) -> Result<(), InputError> {
    let scenario = paths::over_defaults(Table::new());
    let known = |more: &'static [&'static str]| -> Vec<&str> {
        scenario.keys().map(String::as_str).chain(more.iter().copied()).collect()
    };
    let check = |key: &str, place: &str, allowed: Vec<&str>| {
        let first = crate::scenario::document::parts(key).next().unwrap_or_default();
        if allowed.contains(&first) {
            return Ok(());
        }
        let hint = nearest(first, allowed.iter().copied())
            .map(|word| format!("did you mean `{word}`? "))
            .unwrap_or_default();
        let message = format!("unknown key `{first}`; {hint}allowed: {}", allowed.join(", "));
        Err(document.error(place, &message))
    };
    whole.keys().try_for_each(|key| check(key, key, known(&OWN_KEYS)))?;
    let axis = |key: &String| check(key, &format!("axes.{key}"), known(&["zip", "variants"]));
    axes.keys().try_for_each(axis)
}

fn check_stop(document: &Document, stop: Option<&Stop>) -> Result<(), InputError> {
    match stop {
        Some(stop) if !(stop.relative_width > 0.0 && stop.relative_width.is_finite()) => {
            let found = stop.relative_width;
            let message = format!("{found} found; allowed: more than 0, like 0.1 for ±5 %");
            Err(document.error("stop.relative_width", &message))
        }
        Some(stop) if !(stop.below_per_day >= 0.0 && stop.below_per_day.is_finite()) => {
            let message = format!("{} found; allowed: 0 or more", stop.below_per_day);
            Err(document.error("stop.below_per_day", &message))
        }
        _ => Ok(()),
    }
}

/// Names become folders: one plain path component.
pub(super) fn check_name(document: &Document, name: &str) -> Result<(), InputError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if !name.is_empty() && name.len() <= 100 && name.chars().all(plain) && !name.starts_with('.') {
        return Ok(());
    }
    let message = format!(
        "`{name}` names the sweep's folder; allowed: letters, digits, `-`, `_` and `.`, not starting \
         with a dot, up to 100"
    );
    Err(document.error("name", &message))
}

/// Hash over everything that the results depend on.
fn hash(points: &[Point], stop: Option<&Stop>, output: &OutputOptions) -> String {
    let mut hasher = Sha256::new();
    for point in points {
        hasher.update(format!("{:?}", point.labels));
        hasher.update(point.scenario.to_toml());
    }
    hasher.update(format!("{stop:?}{output:?}"));
    parts::hex(&hasher.finalize())
}
