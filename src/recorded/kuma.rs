//! Uptime Kuma: the SQLite database and the JSON of a status page. (Its heartbeat table as CSV is
//! read by `table`.)
//!
//! Heartbeats are 0 down, 1 up, 2 pending (a failed check that will be retried), 3 maintenance.
//! Times are UTC without a zone, in any order of ids; `duration` is not used, as it is often 0.

use std::collections::BTreeMap;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use serde::Deserialize;

use super::collect::Collector;
use super::error::{ReadError, listing};
use super::source::Source;

/// Reads the database, without writing to it or to the files beside it.
pub(crate) fn read_database(source: &Source, into: &mut Collector) -> Result<(), ReadError> {
    let broken = |why: rusqlite::Error| ReadError::Library {
        file: source.name(),
        why: format!("SQLite says: {why}"),
    };
    let database = open(source).map_err(broken)?;
    // A view or a virtual table of that name could run for ever; only a real table is read.
    let tables = tables(&database).map_err(broken)?;
    if !tables.iter().any(|table| table == "heartbeat") {
        return Err(ReadError::NoChecks {
            file: source.name(),
            format: into.format.to_string(),
            why: format!(
                "it has no table `heartbeat`; its tables are: {}",
                listing(tables.iter().map(String::as_str))
            ),
        });
    }
    let names = if tables.iter().any(|table| table == "monitor") {
        monitor_names(&database).unwrap_or_default()
    } else {
        BTreeMap::new()
    };
    let mut beats = database
        .prepare("SELECT rowid, monitor_id, status, time FROM heartbeat ORDER BY rowid")
        .map_err(broken)?;
    let mut rows = beats.query([]).map_err(broken)?;
    while let Some(row) = rows.next().map_err(broken)? {
        let number = row.get::<_, i64>(0).unwrap_or(0).unsigned_abs();
        let monitor = row.get::<_, i64>(1).unwrap_or(0);
        let name = names.get(&monitor).cloned().unwrap_or_else(|| format!("monitor {monitor}"));
        let state = bytes(row.get_ref(2).map_err(broken)?);
        let time = bytes(row.get_ref(3).map_err(broken)?);
        into.push_text(&name, &time, &state, number)?;
    }
    Ok(())
}

fn open(source: &Source) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut log = source.path().as_os_str().to_owned();
    log.push("-wal");
    let has_log = std::fs::metadata(&log).is_ok_and(|about| about.len() > 0);
    let database = if has_log {
        Connection::open_with_flags(source.path(), flags)?
    } else {
        // Nothing is being written: read the file alone, and make no lock or log beside it.
        let path = source.path().to_string_lossy();
        let path = path.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let address = format!("file:{path}?mode=ro&immutable=1");
        Connection::open_with_flags(address, flags | OpenFlags::SQLITE_OPEN_URI)?
    };
    database.pragma_update(None, "trusted_schema", false)?;
    Ok(database)
}

fn tables(database: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut found = database.prepare(
        "SELECT lower(name) FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )?;
    found.query_map([], |row| row.get(0))?.collect()
}

fn monitor_names(database: &Connection) -> rusqlite::Result<BTreeMap<i64, String>> {
    let mut found = database.prepare("SELECT id, name FROM monitor")?;
    let named = found.query_map([], |row| {
        let id: i64 = row.get(0)?;
        let name = String::from_utf8_lossy(&bytes(row.get_ref(1)?)).into_owned();
        Ok((id, name))
    })?;
    let named: Vec<(i64, String)> = named.collect::<Result<_, _>>()?;
    // Two monitors may bear one name.
    let count = |name: &str| named.iter().filter(|(_, other)| other == name).count();
    let unique = |id: &i64, name: &str| match (name.is_empty(), count(name)) {
        (false, 1) => name.to_owned(),
        _ => format!("{name} (monitor {id})").trim().to_owned(),
    };
    Ok(named.iter().take(10_000).map(|(id, name)| (*id, unique(id, name))).collect())
}

fn bytes(value: ValueRef<'_>) -> Vec<u8> {
    match value {
        ValueRef::Null => Vec::new(),
        ValueRef::Integer(number) => number.to_string().into_bytes(),
        ValueRef::Real(number) => number.to_string().into_bytes(),
        ValueRef::Text(text) | ValueRef::Blob(text) => text.to_vec(),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StatusPage {
    heartbeat_list: serde_json::Map<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct Beat {
    status: f64,
    time: String,
}

/// Reads the heartbeats that a status page shows: the last hundred of each monitor.
pub(crate) fn read_status_page(source: &Source, into: &mut Collector) -> Result<(), ReadError> {
    let page: StatusPage = source.json()?;
    for (monitor, beats) in page.heartbeat_list {
        let beats: Vec<Beat> = serde_json::from_value(beats).map_err(|why| ReadError::Json {
            file: source.name(),
            why: format!("heartbeatList.{monitor}: {why}"),
        })?;
        let series = format!("monitor {monitor}");
        for (number, beat) in beats.iter().enumerate() {
            let state = beat.status.to_string();
            into.push_text(&series, beat.time.as_bytes(), state.as_bytes(), number as u64 + 1)?;
        }
    }
    Ok(())
}
