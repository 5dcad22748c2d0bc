//! CSV and TSV with a time and a status column: plain tables, minute logs, Uptime Kuma's heartbeat
//! table and upptime records. Streams the file row by row.

use std::io::Read;

use super::Options;
use super::collect::{COLUMNS, Collector};
use super::columns::Header;
use super::error::ReadError;
use super::format::Format;
use super::report::{Warning, counted};
use super::source::Source;

/// The rows of a table, after its header.
pub(crate) struct Rows<R: Read> {
    reader: csv::Reader<R>,
    record: csv::ByteRecord,
    file: String,
}

/// Opens the rows of a table.
pub(crate) fn rows(source: &Source, header: &Header) -> Result<Rows<impl Read + use<>>, ReadError> {
    let reader = csv::ReaderBuilder::new()
        .delimiter(header.delimiter)
        .flexible(true)
        .has_headers(false)
        .buffer_capacity(1 << 18)
        .from_reader(source.text()?);
    let mut rows = Rows { reader, record: csv::ByteRecord::new(), file: source.name() };
    for _ in 0..header.skip {
        rows.next()?;
    }
    Ok(rows)
}

impl<R: Read> Rows<R> {
    /// The next row and its line; `None` at the end.
    pub fn next(&mut self) -> Result<Option<(u64, &csv::ByteRecord)>, ReadError> {
        let more = self.reader.read_byte_record(&mut self.record).map_err(|why| {
            let file = self.file.clone();
            let text = why.to_string();
            match why.into_kind() {
                csv::ErrorKind::Io(source) => ReadError::Io { file, source },
                _ => ReadError::Library { file, why: text },
            }
        })?;
        let line = self.record.position().map_or(0, csv::Position::line);
        Ok(more.then_some((line, &self.record)))
    }
}

/// Reads a table of checks.
pub(crate) fn read(
    source: &Source,
    options: &Options,
    into: &mut Collector,
) -> Result<(), ReadError> {
    let header = Header::of(source.text_head());
    let file = source.name();
    let threshold = options.down_above.is_some() || options.down_below.is_some();
    let time = header.choose(
        options.time_column.as_ref(),
        header.time(),
        "time",
        "--time-column",
        &file,
    )?;
    let status = header.choose(
        options.status_column.as_ref(),
        header.status(threshold).filter(|found| *found != time),
        "status",
        "--status-column",
        &file,
    )?;
    let series = match &options.series_column {
        Some(_) => Some(header.choose(
            options.series_column.as_ref(),
            None,
            "series",
            "--series-column",
            &file,
        )?),
        None => header.series().filter(|found| *found != time && *found != status),
    };
    note(&header, into);
    let only = source.path().file_stem().map_or_else(String::new, |s| s.to_string_lossy().into());
    let prefix = if into.format == Format::KumaCsv { "monitor " } else { "" };
    let mut rows = rows(source, &header)?;
    let mut name = String::new();
    while let Some((line, record)) = rows.next()? {
        if record.len() == 1 && record[0].trim_ascii().is_empty() {
            continue;
        }
        let (Some(at), Some(state)) = (record.get(time), record.get(status)) else {
            let found = format!("a row of {}", counted(record.len() as u64, "column"));
            // It may have swallowed the rest of the file, which is more than a broken row.
            if record.iter().any(|cell| cell.contains(&b'\n')) {
                let place = into.place(line);
                return Err(ReadError::Row { file, place, found, allowed: COLUMNS.to_owned() });
            }
            into.unreadable(line, COLUMNS, || found);
            continue;
        };
        name.clear();
        match series.and_then(|column| record.get(column)) {
            Some(cell) => {
                name.push_str(prefix);
                name.push_str(&String::from_utf8_lossy(cell));
            }
            None => name.push_str(&only),
        }
        into.push_text(name.trim(), at, state, line)?;
    }
    Ok(())
}

fn note(header: &Header, into: &mut Collector) {
    match into.format {
        Format::MinuteLog => {
            into.warnings.push(Warning::MinuteResolution);
            into.warnings.push(Warning::Note(
                "logs of this kind try several times before they write `failed`: blips of a few \
                 tries' length are hidden"
                    .to_owned(),
            ));
        }
        Format::Csv if header.headless => into.warnings.push(Warning::Note(
            "the file has no line of column names: the first column was read as the time, the \
             second as the state"
                .to_owned(),
        )),
        _ => {}
    }
}
