//! CSV downloads of Grafana: wide (a column a series) and series as rows, with a byte-order mark, a
//! `sep=;` line, semicolons, CRLF and `null` as they come.
//!
//! A `null` is a due sample that is not there, except in a wide table of several series, where it
//! only says that another series has a sample at that time.

use super::collect::{COLUMNS, Collector};
use super::columns::Header;
use super::error::ReadError;
use super::source::Source;
use super::state::{Outcome, STATES, Verdict};
use super::table;

/// Reads either shape.
pub(crate) fn read(source: &Source, into: &mut Collector) -> Result<(), ReadError> {
    let header = Header::of(source.text_head());
    let rows_shape = header.names.first().is_some_and(|name| name.eq_ignore_ascii_case("series"));
    let columns = header.names.len();
    if columns < 2 || (rows_shape && columns < 3) {
        header.choose(None, None, "value", "--status-column", &source.name())?;
    }
    let mut rows = table::rows(source, &header)?;
    while let Some((line, record)) = rows.next()? {
        let cell = |column: usize| record.get(column).unwrap_or_default();
        if record.iter().all(|cell| cell.trim_ascii().is_empty()) {
            continue;
        }
        if record.len() < columns {
            into.unreadable(line, COLUMNS, || {
                format!("a row of {} columns, not {columns}", record.len())
            });
            continue;
        }
        let Some(at) = into.time(cell(usize::from(rows_shape)), line) else { continue };
        if rows_shape {
            let name = String::from_utf8_lossy(cell(0)).into_owned();
            take(into, &name, at, line, cell(2), true)?;
            continue;
        }
        for column in 1..columns {
            take(into, &header.names[column], at, line, cell(column), columns == 2)?;
        }
    }
    Ok(())
}

fn take(
    into: &mut Collector,
    name: &str,
    at: i64,
    line: u64,
    value: &[u8],
    null_is_due: bool,
) -> Result<(), ReadError> {
    let series = into.series(name)?;
    let text = String::from_utf8_lossy(value.trim_ascii());
    match text.parse::<f64>() {
        Ok(number) if !number.is_nan() => into.push_number(series, at, line, number),
        _ if matches!(&*text, "" | "null" | "NaN" | "undefined") => {
            let outcome = null_is_due.then_some(Outcome::Absent);
            into.push(series, at, line, Verdict::mapped(outcome, "null"));
        }
        _ => match into.judge.text(value) {
            Ok(verdict) => into.push(series, at, line, verdict),
            Err(found) => into.unreadable(line, STATES, || format!("the value `{found}`")),
        },
    }
    Ok(())
}
