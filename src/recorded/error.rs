//! Why a recording was refused: which file, which place in it, what was found, what is allowed, and
//! the way out. Nothing here reads a file.

use std::fmt;

/// Where in a file something was found.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Place {
    /// What is counted: `line`, `row` or `sample`.
    pub unit: &'static str,
    /// Which one, from 1.
    pub number: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.unit, self.number)
    }
}

/// Why a recording could not be read. Every variant names the file or server; none can be resumed.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The operating system said no.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A directory, a pipe or a device.
    #[error("{file} is {found}; a recording is read from a regular file")]
    NotAFile {
        /// The path.
        file: String,
        /// What stands there.
        found: &'static str,
    },
    /// Nothing in it.
    #[error("{file} is empty: it holds no check")]
    Empty {
        /// The file.
        file: String,
    },
    /// Compressed, or in an encoding that is not read.
    #[error("{file} is {found}; {remedy}")]
    Encoded {
        /// The file.
        file: String,
        /// The packing or encoding found.
        found: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
    /// The format was not recognised.
    #[error(
        "{file}: not a recording this tool knows ({found}); name it with --source-format, one of: {allowed}"
    )]
    Unrecognised {
        /// The file.
        file: String,
        /// What its beginning looks like.
        found: String,
        /// The formats there are.
        allowed: String,
    },
    /// A format name that does not exist.
    #[error("`{found}` is not a source format{}; one of: {allowed}", meant(.nearest))]
    UnknownFormat {
        /// What was written.
        found: String,
        /// The nearest format.
        nearest: Option<String>,
        /// The formats there are.
        allowed: String,
    },
    /// Broken JSON, or JSON of another shape.
    #[error("{file}: {why}")]
    Json {
        /// The file.
        file: String,
        /// What the parser said, with line and column.
        why: String,
    },
    /// A row that cannot be read, beyond the few that are skipped.
    #[error("{file}, {place}: {found}; {allowed}")]
    Row {
        /// The file.
        file: String,
        /// Where.
        place: Place,
        /// What was found.
        found: String,
        /// What is allowed, and the way out.
        allowed: String,
    },
    /// A column that is not there.
    #[error("{file} has no {role} column{asked}; its columns are: {present}; name one with {flag}")]
    NoColumn {
        /// The file.
        file: String,
        /// What the column would say: time, status, start.
        role: &'static str,
        /// The column asked for and the nearest one there is; empty if none was asked for.
        asked: String,
        /// The columns there are.
        present: String,
        /// The option that names one.
        flag: &'static str,
    },
    /// Read to its end without finding a check.
    #[error("{file} was read as {format}, but holds no check: {why}")]
    NoChecks {
        /// The file.
        file: String,
        /// The format it was read as.
        format: String,
        /// What was there instead.
        why: String,
    },
    /// Values that are not two states.
    #[error(
        "{file}: `{found}` in {what} is not one of two states; say which values are down with \
         --down-values, or put a threshold on it with --down-above or --down-below"
    )]
    NotTwoStates {
        /// The file.
        file: String,
        /// The first value that is neither.
        found: String,
        /// The column or series.
        what: String,
    },
    /// A threshold on what is no number.
    #[error(
        "{file}: `{found}` is not a number, nor is any other state, so no threshold can be put on \
         it: name the column of numbers with --status-column, or say which states are down with \
         --down-values"
    )]
    NotNumbers {
        /// The file.
        file: String,
        /// The first state.
        found: String,
    },
    /// A list of lengths where a history was asked for.
    #[error(
        "{file} is a list of durations, not a history of checks: it can be fitted, not replayed"
    )]
    IsDurations {
        /// The file.
        file: String,
    },
    /// A history where a list of lengths was asked for.
    #[error(
        "{file} was read as {format}, which is a history of checks and not a list of durations; \
         to read a column of lengths give --source-format durations --value-column NAME"
    )]
    NotDurations {
        /// The file.
        file: String,
        /// The format it was read as.
        format: String,
    },
    /// A series that is not there.
    #[error("{file} has no series `{found}`{}; it has: {present}", meant(.nearest))]
    UnknownSeries {
        /// The file.
        file: String,
        /// The series asked for.
        found: String,
        /// The nearest one.
        nearest: Option<String>,
        /// The series there are.
        present: String,
    },
    /// More than this tool reckons with.
    #[error("{file}: {what}; {remedy}")]
    TooMuch {
        /// The file.
        file: String,
        /// What there is too much of.
        what: String,
        /// What to do about it.
        remedy: &'static str,
    },
    /// A database or Parquet file that its own library refuses.
    #[error("{file}: {why}")]
    Library {
        /// The file.
        file: String,
        /// What the library said.
        why: String,
    },
    /// A server that could not be asked, or that answered with an error.
    #[error("{url}: {why}")]
    Server {
        /// What was asked.
        url: String,
        /// What it answered.
        why: String,
    },
}

fn meant(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|word| format!(" (did you mean `{word}`?)")).unwrap_or_default()
}

/// The word nearest to `found`, if any is near enough to have been meant.
pub(crate) fn nearest<'a>(found: &str, words: impl IntoIterator<Item = &'a str>) -> Option<String> {
    words
        .into_iter()
        .map(|word| (strsim::jaro_winkler(&found.to_lowercase(), &word.to_lowercase()), word))
        .filter(|(near, _)| *near > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, word)| word.to_owned())
}

/// `text`, cut to a length that fits a message, without control characters.
pub(crate) fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(&text[..text.len().min(240)]);
    let mut short: String =
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(60).collect();
    if text.chars().count() > 60 {
        short.push('…');
    }
    short
}

/// At most a dozen names, for a message.
pub(crate) fn listing<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let mut text = names.iter().take(12).copied().collect::<Vec<_>>().join(", ");
    if names.len() > 12 {
        text.push_str(&format!(" and {} more", names.len() - 12));
    }
    text
}
