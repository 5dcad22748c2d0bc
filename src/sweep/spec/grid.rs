//! The points of a grid, made from the axes and checked before any is run.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::Point;
use crate::scenario::document::{Document, parts};
use crate::scenario::{InputError, Scenario, paths};
use crate::sweep::axes::{Axis, Place, meaning};
use crate::sweep::{limits, table};

/// Every combination of the axes' places, the last axis moving fastest.
///
/// # Errors
/// Names the axis: too many points, columns or cells that stand twice, a path that does not exist, a
/// value that makes no scenario.
pub fn points(document: &Document, axes: &[Axis]) -> Result<Vec<Point>, InputError> {
    let count = checked(document, axes)?;
    (0..count).map(|index| point(document, axes, index)).collect()
}

/// Checks the axes against each other and gives the number of points.
///
/// # Errors
/// As [`points`], but for values.
pub fn checked(document: &Document, axes: &[Axis]) -> Result<usize, InputError> {
    let points = axes.iter().fold(1_u128, |n, axis| n.saturating_mul(axis.places.len() as u128));
    limits::check_grid(document, points)?;
    check_columns(document, axes)?;
    check_paths(document, axes)?;
    axes.iter().try_for_each(|axis| check_places(document, axis))?;
    Ok(points as usize)
}

/// Columns must not be called like another column of the results.
fn check_columns(document: &Document, axes: &[Axis]) -> Result<(), InputError> {
    let mut seen = BTreeSet::new();
    for (axis, column) in axes.iter().flat_map(|axis| axis.columns.iter().map(move |c| (axis, c))) {
        if table::is_taken(column) {
            let message = format!(
                "an axis cannot be called `{column}`: the results have a column of that name"
            );
            return Err(document.error(&axis.key, &message));
        }
        if !seen.insert(column.as_str()) {
            return Err(document.error(&axis.key, &format!("`{column}` is varied twice")));
        }
    }
    Ok(())
}

/// No two axes may set the same value, since one of them would not act.
fn check_paths(document: &Document, axes: &[Axis]) -> Result<(), InputError> {
    let mut owners: BTreeMap<String, &Axis> = BTreeMap::new();
    for axis in axes {
        for (path, value) in axis.places.iter().flat_map(|place| &place.sets) {
            for leaf in leaves(path, value) {
                let owner = owners.entry(leaf.clone()).or_insert(axis);
                if !std::ptr::eq(*owner, axis) {
                    let message = format!(
                        "`{leaf}` is set here and by `{}`; leave it to one of them",
                        owner.key
                    );
                    return Err(document.error(&axis.key, &message));
                }
            }
        }
    }
    Ok(())
}

fn leaves(path: &str, value: &Value) -> Vec<String> {
    match value {
        Value::Table(table) => {
            table.iter().flat_map(|(key, value)| leaves(&format!("{path}.{key}"), value)).collect()
        }
        _ => vec![path.to_owned()],
    }
}

/// Places of one axis must differ.
fn check_places(document: &Document, axis: &Axis) -> Result<(), InputError> {
    let mut seen = BTreeSet::new();
    for place in &axis.places {
        let labels: Vec<String> = place.labels.iter().map(meaning).collect();
        if !seen.insert(labels) {
            let at: Vec<String> = axis
                .columns
                .iter()
                .zip(&place.labels)
                .map(|(column, value)| format!("{column} = {value}"))
                .collect();
            let message = format!("the same place stands twice: {}; leave one out", at.join(", "));
            return Err(document.error(&axis.key, &message));
        }
    }
    Ok(())
}

fn point(document: &Document, axes: &[Axis], index: usize) -> Result<Point, InputError> {
    let (labels, scenario) = laid(document, document, axes, index, Scenario::from_document)?;
    Ok(Point { labels, scenario })
}

/// Lays the axes' places at point `index` over `base` and reads the result; gives the point's labels with
/// it. `spec` is the document in which the axes stand.
///
/// # Errors
/// At the axis that wrote what cannot be read, where one did.
pub fn laid<T>(
    spec: &Document,
    base: &Document,
    axes: &[Axis],
    index: usize,
    read: impl Fn(&Document) -> Result<T, InputError>,
) -> Result<(Vec<Value>, T), InputError> {
    let mut changed = base.clone();
    let mut rest = index;
    let mut places: Vec<(&Axis, &Place)> = Vec::new();
    for axis in axes.iter().rev() {
        places.push((axis, &axis.places[rest % axis.places.len()]));
        rest /= axis.places.len();
    }
    places.reverse();
    let mut sets: Vec<(&Axis, &Place, &String, &Value)> = places
        .iter()
        .flat_map(|(axis, place)| place.sets.iter().map(move |(path, v)| (*axis, *place, path, v)))
        .collect();
    // The whole before its parts: a law that is swapped may have its mean varied by another axis.
    sets.sort_by_key(|(_, _, path, _)| parts(path).count());
    for (axis, place, path, value) in &sets {
        check_lists(&changed.table, path)
            .and_then(|()| paths::set(&mut changed.table, path, (*value).clone()))
            .map_err(|message| spec.error(&key_of(axis, place, path), &message))?;
    }
    let made = read(&changed).map_err(|error| {
        // What an axis wrote is told at the axis.
        let wrote = sets.iter().find(|(_, _, path, value)| {
            leaves(path, value).iter().any(|leaf| is_below(leaf, &error.key))
        });
        let Some((axis, place, path, _)) = wrote else { return error };
        let key = key_of(axis, place, path);
        let is_same = key.strip_prefix("axes.") == Some(error.key.as_str());
        let message =
            if is_same { error.message } else { format!("{}: {}", error.key, error.message) };
        spec.error(&key, &message)
    })?;
    let labels = places.iter().flat_map(|(_, place)| place.labels.iter().cloned()).collect();
    Ok((labels, made))
}

/// Where in the spec an axis writes a path.
fn key_of(axis: &Axis, place: &Place, path: &str) -> String {
    match (axis.key.starts_with("axes.variants."), place.labels.first().and_then(Value::as_str)) {
        (true, Some(variant)) => format!("{}.{variant}.{path}", axis.key),
        _ if axis.key.starts_with("axes.zip.") => format!("{}.{path}", axis.key),
        _ => axis.key.clone(),
    }
}

/// True iff one of the dotted paths leads through the other.
fn is_below(one: &str, other: &str) -> bool {
    let mut pairs = parts(one).zip(parts(other));
    !other.is_empty() && pairs.all(|(one, other)| one == other)
}

/// A path through a list needs the list to be there.
fn check_lists(table: &Table, path: &str) -> Result<(), String> {
    let names: Vec<&str> = parts(path).collect();
    let mut slot = Some(table);
    for pair in names.windows(2) {
        let next = slot.and_then(|table| table.get(pair[0]));
        let is_index = pair[1].parse::<usize>().is_ok();
        if is_index && !next.is_some_and(Value::is_array) {
            return Err(format!(
                "`{}` has no item {}: the scenario of this spec lists none; write the list first",
                pair[0], pair[1]
            ));
        }
        slot = next.and_then(Value::as_table);
        if next.is_some_and(Value::is_array) {
            break;
        }
    }
    Ok(())
}
