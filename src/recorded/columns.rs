//! Finds the columns of a table by their names: delimiter, header, and who plays which part.
//!
//! Looks at the beginning of a file only.

use super::Options;
use super::error::{ReadError, listing, nearest};
use super::format::Format;
use super::stamp::Clock;
use super::state::Judge;

const TIME: [&str; 18] = [
    "time",
    "timestamp",
    "time_utc",
    "datetime",
    "date_time",
    "ts",
    "at",
    "checked_at",
    "check_time",
    "created_at",
    "epoch",
    "unix",
    "unixtime",
    "date",
    "when",
    "t",
    "stamp",
    "utc",
];
const STATUS: [&str; 24] = [
    "status",
    "state",
    "check",
    "outcome",
    "result",
    "success",
    "up",
    "is_up",
    "healthy",
    "health",
    "available",
    "availability",
    "probe_success",
    "ok",
    "passed",
    "alive",
    "reachable",
    "verdict",
    "value",
    "status_code",
    "http_code",
    "code",
    "http_status",
    "response_code",
];
const LEVEL: [&str; 13] = [
    "value",
    "latency",
    "latency_ms",
    "response_ms",
    "response_time",
    "response_time_ms",
    "duration",
    "duration_ms",
    "ping",
    "rtt",
    "rtt_ms",
    "elapsed",
    "ms",
];
const SERIES: [&str; 18] = [
    "series",
    "site",
    "monitor",
    "monitor_name",
    "monitor_id",
    "target",
    "instance",
    "service",
    "host",
    "endpoint",
    "probe",
    "region",
    "vendor",
    "name",
    "service_name",
    "url",
    "check_name",
    "source",
];
const START: [&str; 12] = [
    "start",
    "start_time",
    "started_at",
    "starts_at",
    "event_start_time",
    "begin",
    "down_at",
    "down_commit_utc",
    "down_utc",
    "from",
    "opened_at",
    "start_s",
];
const END: [&str; 14] = [
    "end",
    "end_time",
    "ended_at",
    "ends_at",
    "event_end_time",
    "finish",
    "up_at",
    "up_commit_utc",
    "up_utc",
    "to",
    "resolved_at",
    "closed_at",
    "recovered_at",
    "end_s",
];
const EVENT: [&str; 4] = ["event", "observed", "uncensored", "failed"];
const CENSORED: [&str; 3] = ["right_censored", "censored", "is_censored"];

/// The header of a table.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    /// What parts the cells.
    pub delimiter: u8,
    /// How many records stand before the first row of data.
    pub skip: usize,
    /// The columns' names; made up (`1`, `2`, …) where the file has none.
    pub names: Vec<String>,
    /// The first row of data, as far as the beginning shows it.
    pub first: Vec<String>,
    /// The file has no line of names.
    pub headless: bool,
}

fn plain(name: &str) -> String {
    name.trim().trim_matches('"').to_lowercase().replace([' ', '-', '.'], "_")
}

impl Header {
    /// Reads the header off the beginning of a file.
    pub fn of(head: &[u8]) -> Self {
        let text = String::from_utf8_lossy(head);
        let lines: Vec<&str> = text.lines().collect();
        let told = lines.first().and_then(|line| {
            let sign = line.trim().trim_matches('"').strip_prefix("sep=")?;
            sign.bytes().next().or(Some(b'\t'))
        });
        let marks = usize::from(told.is_some());
        let rest = lines.get(marks..).unwrap_or_default().join("\n");
        let delimiter = told.unwrap_or_else(|| sniff(lines.get(marks).unwrap_or(&"")));
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .has_headers(false)
            .from_reader(rest.as_bytes());
        let mut next = || -> Vec<String> {
            let mut record = csv::ByteRecord::new();
            let _ = reader.read_byte_record(&mut record);
            record.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect()
        };
        let names = next();
        let is_value = |cell: &String| {
            cell.parse::<f64>().is_ok() || Clock::new(None).read(cell.as_bytes()).is_ok()
        };
        if names.first().is_some_and(is_value) {
            let numbered = (1..=names.len()).map(|number| number.to_string()).collect();
            return Header {
                delimiter,
                skip: marks,
                names: numbered,
                first: names,
                headless: true,
            };
        }
        Header { delimiter, skip: marks + 1, names, first: next(), headless: false }
    }

    /// The first column whose name is one of these.
    fn first_of(&self, words: &[&str]) -> Option<usize> {
        words.iter().find_map(|word| self.names.iter().position(|name| plain(name) == *word))
    }

    /// The column of times.
    pub fn time(&self) -> Option<usize> {
        if self.headless {
            return Some(0);
        }
        let like = |name: &String| {
            let name = plain(name);
            name.contains("timestamp")
                || name.starts_with("time_")
                || name.ends_with("_at")
                || name.contains("date")
        };
        self.first_of(&TIME).or_else(|| self.names.iter().position(like))
    }

    /// The column of states, or of levels where a threshold is given.
    pub fn status(&self, threshold: bool) -> Option<usize> {
        if self.headless {
            return (self.names.len() > 1).then_some(1);
        }
        let level = if threshold { self.first_of(&LEVEL) } else { None };
        level.or_else(|| self.first_of(&STATUS))
    }

    /// The column that names the series.
    pub fn series(&self) -> Option<usize> {
        self.first_of(&SERIES)
    }

    /// The columns of the start and the end of an interval.
    pub fn interval(&self) -> Option<(usize, usize)> {
        Some((self.first_of(&START)?, self.first_of(&END)?))
    }

    /// The column that says whether an end was seen, and whether a 1 there means that it was.
    pub fn event(&self) -> Option<(usize, bool)> {
        let event = self.first_of(&EVENT).map(|column| (column, true));
        event.or_else(|| self.first_of(&CENSORED).map(|column| (column, false)))
    }

    /// The column of this name, or else the one found.
    pub fn choose(
        &self,
        asked: Option<&String>,
        found: Option<usize>,
        role: &'static str,
        flag: &'static str,
        file: &str,
    ) -> Result<usize, ReadError> {
        let column = match asked {
            Some(name) => self.names.iter().position(|n| n == name || plain(n) == plain(name)),
            None => found,
        };
        column.ok_or_else(|| ReadError::NoColumn {
            file: file.to_owned(),
            role,
            asked: asked.map_or_else(String::new, |asked| {
                let near = nearest(asked, self.names.iter().map(String::as_str));
                let near = near.map(|near| format!(" (did you mean `{near}`?)"));
                format!(" `{asked}`{}", near.unwrap_or_default())
            }),
            present: listing(self.names.iter().map(String::as_str)),
            flag,
        })
    }

    /// The kind of table this is, if its columns tell.
    pub fn format(&self, options: &Options) -> Option<Format> {
        let has = |word: &str| self.names.iter().any(|name| plain(name) == word);
        let told = options.down_above.is_some()
            || options.down_below.is_some()
            || options.status_column.is_some();
        let titled = self.names.first().is_some_and(|name| name == "Time" || name == "Series");
        if self.headless {
            return self.headless_format();
        } else if options.time_column.is_some() && options.status_column.is_some() {
            return Some(Format::Csv);
        } else if options.value_column.is_some() {
            return Some(Format::Durations);
        } else if has("monitor_id") && has("status") && has("time") {
            return Some(Format::KumaCsv);
        } else if self.interval().is_some() {
            return Some(Format::Intervals);
        } else if titled && self.names.len() > 1 && !has("status") && !has("state") {
            return Some(Format::Grafana);
        } else if has("site") && has("status") && (has("http_code") || has("response_ms")) {
            return Some(Format::UpptimeCsv);
        }
        let states = self.status(told).is_some() || options.status_column.is_some();
        let timed = self.time().is_some() || options.time_column.is_some();
        if timed && states && self.event().is_none() {
            return Some(Format::Csv);
        }
        if options.time_column.is_some() || options.status_column.is_some() {
            return Some(Format::Csv);
        }
        self.lengths().is_some().then_some(Format::Durations)
    }

    /// The column that holds times of day beside lengths, as a history of checks has: dates alone
    /// may tell when a duration began.
    pub fn instants(&self) -> Option<&str> {
        let is_time =
            |cell: &String| cell.contains(':') && Clock::new(None).read(cell.as_bytes()).is_ok();
        let column = self.first.iter().position(is_time)?;
        self.names.get(column).map(String::as_str)
    }

    fn headless_format(&self) -> Option<Format> {
        let number = |cell: Option<&String>| cell.is_some_and(|cell| cell.parse::<f64>().is_ok());
        let state = |cell: &String| {
            Judge::new(Format::Csv, &Options::default()).text(cell.as_bytes()).is_ok()
        };
        match self.first.len() {
            1 if number(self.first.first()) => Some(Format::Durations),
            0 | 1 => None,
            2 if self.first[0].len() == 16 && state(&self.first[1]) => Some(Format::MinuteLog),
            _ if state(&self.first[1]) => Some(Format::Csv),
            _ => None,
        }
    }

    /// The column of lengths: the only number that is neither a date nor a censoring mark.
    pub fn lengths(&self) -> Option<usize> {
        let event = self.event().map(|(column, _)| column);
        let number = |column: &usize| {
            self.first.get(*column).is_some_and(|cell| cell.parse::<f64>().is_ok())
        };
        let numbers: Vec<usize> =
            (0..self.names.len()).filter(number).filter(|c| Some(*c) != event).collect();
        match numbers[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// The sign that parts the cells of a line: the most frequent of the usual ones outside quotes.
fn sniff(line: &str) -> u8 {
    let mut quoted = false;
    let mut counts = [0usize; 4];
    const SIGNS: [u8; 4] = [b',', b';', b'\t', b'|'];
    for byte in line.bytes() {
        quoted ^= byte == b'"';
        if let Some(sign) = SIGNS.iter().position(|sign| *sign == byte)
            && !quoted
        {
            counts[sign] += 1;
        }
    }
    let best = (0..4).max_by_key(|sign| (counts[*sign], 4 - sign)).unwrap_or(0);
    SIGNS[best]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(head: &str) -> Option<Format> {
        Header::of(head.as_bytes()).format(&Options::default())
    }

    #[test]
    fn headers_tell_the_kind_of_table() {
        assert_eq!(format("id,monitor_id,status,time\n1,1,1,2022-01-01\n"), Some(Format::KumaCsv));
        assert_eq!(format("time_utc,site,status,http_code\n"), Some(Format::UpptimeCsv));
        assert_eq!(format("start_time,end_time,status\n0.0,1.0,0\n"), Some(Format::Intervals));
        assert_eq!(format("\"Series\";\"Time\";\"Value\"\n"), Some(Format::Grafana));
        assert_eq!(format("sep=;\n\"Time\";\"a\"\n"), Some(Format::Grafana));
        assert_eq!(format("when\tstate\n2022-01-01T00:00:00Z\tup\n"), Some(Format::Csv));
        assert_eq!(format("timestamp,value\n2014-03-07 03:41:00,45.868\n"), Some(Format::Csv));
        assert_eq!(format("time,event\n5248,1\n"), Some(Format::Durations));
        assert_eq!(format("Date,Loss\n1980-01-03,1.68\n"), Some(Format::Durations));
        assert_eq!(format("serving\n30.0\n"), Some(Format::Durations));
        assert_eq!(format("17.88\n28.92\n"), Some(Format::Durations));
        assert_eq!(format("2021-06-10 08:38, success\n"), Some(Format::MinuteLog));
        assert_eq!(format("1700000000,1\n"), Some(Format::Csv));
        assert_eq!(format("a,b,c\nx,y,z\n"), None);
    }

    #[test]
    fn a_missing_column_is_named_with_the_nearest() {
        let header = Header::of(b"time,stauts\n");
        let asked = Some("status".to_owned());
        let said = header.choose(asked.as_ref(), None, "status", "--status-column", "f.csv");
        assert!(said.unwrap_err().to_string().contains("did you mean `stauts`?"));
    }
}
