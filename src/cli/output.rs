//! Printing: tables within 100 columns, JSON, CSV. A closed pipe ends the command quietly.

use std::io::{self, Write};

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, Width, presets};

use super::Failure;
pub use crate::figure::words::counted;
use crate::time::Span;

/// The widest that a table may be.
pub const COLUMNS: u16 = 100;

/// As much of a table's first column is kept on one line: `success-rate:0.9/60s/180s`.
const FIRST_COLUMN: usize = 24;

/// Writes `text` to stdout. A reader that has gone away (`| head`) is no failure.
///
/// # Errors
/// When stdout cannot be written for another reason, such as a full disk.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes one JSON object and a newline.
///
/// # Errors
/// As [`print()`].
pub fn print_json(value: &serde_json::Value) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::failed)?;
    print(&(text + "\n"))
}

/// A table with these headings; columns after the first are set to the right.
pub fn table<S: Into<String>>(headings: impl IntoIterator<Item = S>) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(COLUMNS);
    table.set_header(headings.into_iter().map(Into::<String>::into));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// A table of figures as text: first columns as they are, the others with their values set right and
/// their intervals left, so that brackets stand under brackets.
///
/// Figures are never broken over two lines; the first column gives way when all is too wide.
pub fn figures(headings: &[&str], rows: &[Vec<String>]) -> String {
    let mut columns: Vec<Vec<String>> = (0..headings.len())
        .map(|column| rows.iter().map(|row| row.get(column).cloned().unwrap_or_default()).collect())
        .collect();
    columns.iter_mut().skip(1).for_each(|cells| align(cells));
    let mut table = table(headings.iter().copied());
    for row in 0..rows.len() {
        table.add_row(columns.iter().map(|cells| cells[row].clone()));
    }
    for (index, (column, cells)) in table.column_iter_mut().zip(&columns).enumerate() {
        let words = headings[index].split([' ', '-']);
        let texts = cells.iter().map(String::as_str).chain(words);
        let widest = texts.map(|text| text.chars().count()).max().unwrap_or(0);
        let widest = if index == 0 { widest.min(FIRST_COLUMN) } else { widest };
        // A blank on either side. Long headings may still be broken.
        let width = u16::try_from(widest + 2).unwrap_or(COLUMNS);
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width)));
    }
    table_text(&table)
}

/// Sets values right and what follows them in brackets left.
fn align(cells: &mut [String]) {
    let parts = |cell: &str| -> (String, String) {
        match cell.split_once(" (") {
            Some((value, rest)) => (value.to_owned(), format!(" ({rest}")),
            None => (cell.to_owned(), String::new()),
        }
    };
    let width = |text: &str| text.chars().count();
    let split: Vec<(String, String)> = cells.iter().map(|cell| parts(cell)).collect();
    let value = split.iter().map(|(value, _)| width(value)).max().unwrap_or(0);
    let rest = split.iter().map(|(_, rest)| width(rest)).max().unwrap_or(0);
    for (cell, (left, right)) in cells.iter_mut().zip(split) {
        *cell = format!("{left:>value$}{right:<rest$}");
    }
}

/// The table as text, without trailing blanks.
pub fn table_text(table: &Table) -> String {
    let mut text: String =
        table.lines().flat_map(|line| [line.trim_end().to_owned(), "\n".to_owned()]).collect();
    text.push('\n');
    text
}

/// Rows as CSV text with a header line.
///
/// # Errors
/// When a row cannot be written, which text in memory always can.
pub fn csv_text(headings: &[&str], rows: &[Vec<String>]) -> Result<String, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(headings).map_err(Failure::failed)?;
    for row in rows {
        writer.write_record(row).map_err(Failure::failed)?;
    }
    let bytes = writer.into_inner().map_err(Failure::failed)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// `text` in lines within [`COLUMNS`], the first led in by `lead` and the others set under it.
pub fn paragraph(lead: &str, text: &str) -> String {
    let indent = lead.chars().count();
    let (mut lines, mut line, mut width) = (String::new(), lead.to_owned(), indent);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        let is_first = width == indent;
        if !is_first && width + 1 + length > usize::from(COLUMNS) {
            lines += line.trim_end();
            lines.push('\n');
            line = " ".repeat(indent);
            width = indent;
        } else if !is_first {
            line.push(' ');
            width += 1;
        }
        line += word;
        width += length;
    }
    lines + line.trim_end() + "\n"
}

/// An interval of probes in seconds, to a tenth of a millisecond.
pub fn interval(secs: f64) -> String {
    let text = format!("{secs:.4}");
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

/// How long a recording watched: in days, or more finely where it is short.
pub fn watched(secs: f64) -> String {
    const DAY_S: f64 = 86_400.0;
    if secs < DAY_S {
        Span::from_secs(secs.round() as i64).to_string()
    } else {
        format!("{:.2} days", secs / DAY_S)
    }
}
