//! The axes of a grid: what is varied, over which values, as written under `[axes]`.
//!
//! An axis is a dotted path into the scenario with a list of values. Paths may be written as nested
//! keys (`blips.length.mean = […]`) or quoted. Three names have a meaning of their own: `triggers`,
//! whose strings may hold ranges; `zip`, a list of groups whose axes move together; and `variants`,
//! named sets of values that swap whole sub-tables.

use toml::{Table, Value};

use crate::scenario::InputError;
use crate::scenario::document::Document;
use crate::time::Span;

/// The most values that one axis may have.
pub const MOST_VALUES: usize = 100_000;

/// One thing that is varied: at each of its places, some paths take some values.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
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
    Axis { places: values.into_iter().map(place).collect(), columns: vec![path.clone()] }
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

fn is_range(table: &Table) -> bool {
    table.contains_key("from") && table.contains_key("to")
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
    let mut zipped = Axis { columns: Vec::new(), places: Vec::new() };
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
        Ok(Axis { columns: vec![column.clone()], places: places? })
    };
    axes.iter().map(read).collect()
}

/// The values of a list or range.
fn listed(document: &Document, key: &str, value: &Value) -> Result<Vec<Value>, InputError> {
    let values = match value {
        Value::Array(values) => values.clone(),
        Value::Table(range) => {
            range_values(range).map_err(|message| document.error(key, &message))?
        }
        other => {
            let found = other.type_str();
            return Err(document.error(
                key,
                &format!(
                    "a {found} was found; an axis is a list of values or a range \
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

/// A range's ends: spans, or numbers whole or not.
enum Ends {
    Spans(Span, Span),
    Whole(i64, i64),
    Numbers(f64, f64),
}

fn range_values(range: &Table) -> Result<Vec<Value>, String> {
    let allowed = ["from", "to", "step", "points", "scale"];
    if let Some(unknown) = range.keys().find(|key| !allowed.contains(&key.as_str())) {
        let hint = crate::scenario::document::nearest(unknown, allowed)
            .map(|word| format!("did you mean `{word}`? "))
            .unwrap_or_default();
        return Err(format!("unknown key `{unknown}`; {hint}allowed: {}", allowed.join(", ")));
    }
    let ends = ends(&range["from"], &range["to"])?;
    match (range.get("step"), range.get("points")) {
        (Some(step), None) => stepped(&ends, step),
        (None, Some(points)) => spaced(&ends, points, range.get("scale")),
        _ => Err("a range needs either `step` or `points`, and not both".to_owned()),
    }
}

fn ends(from: &Value, to: &Value) -> Result<Ends, String> {
    let found = match (from, to) {
        (Value::String(from), Value::String(to)) => {
            let span = |text: &str| text.parse::<Span>().map_err(|why| why.to_string());
            Ends::Spans(span(from)?, span(to)?)
        }
        (Value::Integer(from), Value::Integer(to)) => Ends::Whole(*from, *to),
        _ => match (number(from), number(to)) {
            (Some(from), Some(to)) => Ends::Numbers(from, to),
            _ => return Err("`from` and `to` must both be numbers or both spans".to_owned()),
        },
    };
    let (from, to) = found.as_numbers();
    if from.is_finite() && to.is_finite() && from <= to {
        return Ok(found);
    }
    Err("`from` must not be above `to`".to_owned())
}

impl Ends {
    fn as_numbers(&self) -> (f64, f64) {
        match self {
            Ends::Spans(from, to) => (from.as_secs_f64(), to.as_secs_f64()),
            Ends::Whole(from, to) => (*from as f64, *to as f64),
            Ends::Numbers(from, to) => (*from, *to),
        }
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64))
}

fn stepped(ends: &Ends, step: &Value) -> Result<Vec<Value>, String> {
    let never_ends = || "a range whose step is not above zero never ends".to_owned();
    let too_many = |count: i128| {
        (count >= MOST_VALUES as i128)
            .then(|| format!("the range has {} values; allowed: up to {MOST_VALUES}", count + 1))
    };
    match ends {
        Ends::Spans(from, to) => {
            let step = step.as_str().ok_or("the step of spans is a span, like \"10s\"")?;
            let step: Span = step.parse().map_err(|why: crate::time::SpanError| why.to_string())?;
            if !step.is_positive() {
                return Err(never_ends());
            }
            let count = (*to - *from).div_floor(step);
            too_many(count.into()).map_or(Ok(()), Err)?;
            Ok((0..=count).map(|i| Value::String((*from + step * i).to_string())).collect())
        }
        Ends::Whole(from, to) if step.is_integer() => {
            let step = step.as_integer().filter(|step| *step > 0).ok_or_else(never_ends)?;
            let count = (i128::from(*to) - i128::from(*from)) / i128::from(step);
            too_many(count).map_or(Ok(()), Err)?;
            Ok((0..=count as i64).map(|i| Value::Integer(from + step * i)).collect())
        }
        _ => {
            let (from, to) = ends.as_numbers();
            let step = number(step).filter(|step| *step > 0.0).ok_or_else(never_ends)?;
            // A hair more than the quotient, so that 0.1 … 0.5 by 0.1 has its last value.
            let count = ((to - from) / step * (1.0 + 1e-12)).floor();
            too_many(count as i128).map_or(Ok(()), Err)?;
            Ok((0..=count as i64).map(|i| Value::Float(from + step * i as f64)).collect())
        }
    }
}

fn spaced(ends: &Ends, points: &Value, scale: Option<&Value>) -> Result<Vec<Value>, String> {
    let points = points.as_integer().unwrap_or(0);
    if !(2..=MOST_VALUES as i64).contains(&points) {
        return Err(format!("`points` must be a whole number from 2 to {MOST_VALUES}"));
    }
    let (from, to) = ends.as_numbers();
    let log = match scale.map(|scale| scale.as_str()) {
        None | Some(Some("linear")) => false,
        Some(Some("log")) if from > 0.0 => true,
        Some(Some("log")) => return Err("a log scale needs `from` above zero".to_owned()),
        _ => return Err("`scale` is \"linear\" or \"log\"".to_owned()),
    };
    let at = |i: i64| {
        let part = i as f64 / (points - 1) as f64;
        if log {
            (from.ln() + (to.ln() - from.ln()) * part).exp()
        } else {
            from + (to - from) * part
        }
    };
    let value = |i: i64| match ends {
        // Spaced spans are rounded to a millisecond: nobody reads more.
        Ends::Spans(..) => {
            let millis = (at(i) * 1_000.0).round() as i64;
            Value::String(Span::from_nanos(millis * 1_000_000).to_string())
        }
        Ends::Whole(..) if !log && at(i).fract() == 0.0 => Value::Integer(at(i) as i64),
        Ends::Whole(..) if log => Value::Integer(at(i).round() as i64),
        _ => Value::Float(at(i)),
    };
    let mut values: Vec<Value> = (0..points).map(value).collect();
    values.dedup();
    Ok(values)
}
