//! The axes of a grid: what is varied, over which values, as written under `[axes]`.
//!
//! An axis is a dotted path into the scenario with a list of values. Paths may be written as nested
//! keys (`blips.length.mean = […]`) or quoted. Three names have a meaning of their own: `triggers`,
//! whose strings may hold ranges; `zip`, a list of groups whose axes move together; and `variants`,
//! named sets of values that swap whole sub-tables.

mod range;

use toml::{Table, Value};

use crate::scenario::InputError;
use crate::scenario::document::Document;
use crate::time::Span;

/// The most values that one axis may have.
pub const MOST_VALUES: usize = 100_000;

/// One thing that is varied: at each of its places, some paths take some values.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Where it stands in the spec, for errors.
    pub key: String,
    /// The result columns that tell the place, in order.
    pub columns: Vec<String>,
    /// The places, in order.
    pub places: Vec<Place>,
}

/// One place on an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// For each column of the axis, what stands in it.
    pub labels: Vec<Value>,
    /// What is written into the scenario: dotted paths and values.
    pub sets: Vec<(String, Value)>,
}

/// Reads the axes of a document's `[axes]` table, the triggers' own left out.
///
/// # Errors
/// Names the axis: empty, not a list, a range that never ends, groups of unequal length.
pub fn read(document: &Document, axes: &Table) -> Result<Vec<Axis>, InputError> {
    let mut found = Vec::new();
    for (key, value) in axes {
        match key.as_str() {
            "triggers" => {}
            "zip" => found.extend(read_zips(document, value)?),
            "variants" => found.extend(read_variants(document, value)?),
            _ => {
                for (path, values) in leaves(key, value) {
                    let values = listed(document, &format!("axes.{path}"), values)?;
                    refuse_twins(document, &format!("axes.{path}"), &values)?;
                    found.push(single(path, values));
                }
            }
        }
    }
    Ok(found)
}

fn single(path: String, values: Vec<Value>) -> Axis {
    let place =
        |value: Value| Place { labels: vec![value.clone()], sets: vec![(path.clone(), value)] };
    Axis {
        key: format!("axes.{path}"),
        places: values.into_iter().map(place).collect(),
        columns: vec![path.clone()],
    }
}

/// The lists and ranges below `value`, each with its dotted path.
fn leaves<'v>(path: &str, value: &'v Value) -> Vec<(String, &'v Value)> {
    match value {
        Value::Table(table) if !is_range(table) => {
            table.iter().flat_map(|(key, value)| leaves(&format!("{path}.{key}"), value)).collect()
        }
        _ => vec![(path.to_owned(), value)],
    }
}

/// True for a table that can only be meant as a range: it has a range's keys and holds single values.
fn is_range(table: &Table) -> bool {
    let is_single = |value: &Value| !value.is_array() && !value.is_table();
    range::KEYS.iter().any(|key| table.contains_key(*key)) && table.values().all(is_single)
}

/// Two values that mean the same would make the same cells twice.
fn refuse_twins(document: &Document, key: &str, values: &[Value]) -> Result<(), InputError> {
    let mut seen = std::collections::BTreeMap::new();
    for value in values {
        if let Some(other) = seen.insert(meaning(value), value) {
            let as_well = if other == value { String::new() } else { format!(" (as {other})") };
            let message = format!("the value {value} stands twice{as_well}; leave one out");
            return Err(document.error(key, &message));
        }
    }
    Ok(())
}

/// A value without its spelling: `60s` is `1min`, and 1 is 1.0.
pub(super) fn meaning(value: &Value) -> String {
    let span = value.as_str().and_then(|text| text.parse::<Span>().ok());
    match (span, range::number(value)) {
        (Some(span), _) => format!("{} ns", span.as_nanos()),
        (None, Some(number)) => format!("{number:?}"),
        (None, None) => value.to_string(),
    }
}

fn read_zips(document: &Document, value: &Value) -> Result<Vec<Axis>, InputError> {
    let Some(groups) = value.as_array() else {
        return Err(document.error("axes.zip", "a group is written as a list: [[axes.zip]]"));
    };
    groups.iter().enumerate().map(|(index, group)| read_zip(document, index, group)).collect()
}

fn read_zip(document: &Document, index: usize, group: &Value) -> Result<Axis, InputError> {
    let key = format!("axes.zip.{index}");
    let Some(table) = group.as_table() else {
        return Err(document.error(&key, "a group holds axes: [[axes.zip]] and then paths"));
    };
    let mut zipped = Axis { key: key.clone(), columns: Vec::new(), places: Vec::new() };
    for (path, values) in table.iter().flat_map(|(path, value)| leaves(path, value)) {
        let values = listed(document, &format!("{key}.{path}"), values)?;
        if zipped.places.is_empty() {
            zipped.places = vec![Place { labels: vec![], sets: vec![] }; values.len()];
        }
        if zipped.places.len() != values.len() {
            let (first, other) = (zipped.places.len(), values.len());
            return Err(document.error(
                &format!("{key}.{path}"),
                &format!(
                    "this axis has {other} values and `{}` of the same group has {first}; axes that \
                     move together need the same number",
                    zipped.columns[0]
                ),
            ));
        }
        zipped.columns.push(path.clone());
        for (place, value) in zipped.places.iter_mut().zip(values) {
            place.labels.push(value.clone());
            place.sets.push((path.clone(), value));
        }
    }
    if zipped.columns.is_empty() {
        return Err(document.error(&key, "the group is empty"));
    }
    Ok(zipped)
}

fn read_variants(document: &Document, value: &Value) -> Result<Vec<Axis>, InputError> {
    let wrong = |key: &str| {
        let message = "variants are written as named tables: [axes.variants.<axis>.<name>] and then \
                       what that variant sets in the scenario";
        document.error(key, message)
    };
    let Some(axes) = value.as_table() else { return Err(wrong("axes.variants")) };
    let read = |(column, variants): (&String, &Value)| {
        let key = format!("axes.variants.{column}");
        let variants = variants.as_table().filter(|t| !t.is_empty()).ok_or_else(|| wrong(&key))?;
        let place = |(name, sets): (&String, &Value)| {
            let sets = sets.as_table().ok_or_else(|| wrong(&format!("{key}.{name}")))?;
            let sets = sets.iter().map(|(path, value)| (path.clone(), value.clone())).collect();
            Ok(Place { labels: vec![Value::String(name.clone())], sets })
        };
        let places: Result<Vec<Place>, InputError> = variants.iter().map(place).collect();
        Ok(Axis { key, columns: vec![column.clone()], places: places? })
    };
    axes.iter().map(read).collect()
}

/// The values of a list or range.
fn listed(document: &Document, key: &str, value: &Value) -> Result<Vec<Value>, InputError> {
    let values = match value {
        Value::Array(values) => values.clone(),
        Value::Table(range) => {
            range::values(range).map_err(|message| document.error(key, &message))?
        }
        other => {
            let found = other.type_str();
            return Err(document.error(
                key,
                &format!(
                    "found: {found}; an axis is a list of values or a range \
                     {{ from, to, step }} or {{ from, to, points, scale = \"log\" }}"
                ),
            ));
        }
    };
    if values.is_empty() {
        return Err(document.error(key, "the axis is empty; allowed: one value or more"));
    }
    if values.len() > MOST_VALUES {
        let found = values.len();
        return Err(document.error(key, &format!("{found} values; allowed: up to {MOST_VALUES}")));
    }
    Ok(values)
}
