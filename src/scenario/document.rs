//! A TOML document with the places of its keys, and errors that name file, line and key.
//!
//! Everything that users write in TOML is read through [`Document::parse`], so that a typo in a
//! scenario, a sweep or a drill is told in the same words. This module reads no files: it is
//! handed their text.

use std::fmt;

use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue};

/// What is wrong with an input, where, and the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// Name of the file, or of what stands in its place.
    pub source: String,
    /// Line in the file, counted from 1, where it is known.
    pub line: Option<usize>,
    /// Dotted path of the key, empty where the trouble is with the whole.
    pub key: String,
    /// What was found and what is allowed.
    pub message: String,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        f.write_str(": ")?;
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for InputError {}

/// TOML text, parsed, that remembers where its keys stand.
#[derive(Clone, Debug)]
pub struct Document {
    source: String,
    text: String,
    /// The values. May be changed (a sweep's axes do) before [`Document::parse`].
    pub table: toml::Table,
}

impl Document {
    /// Parses `text`; `source` is the name that errors give the file.
    ///
    /// # Errors
    /// When the text is not TOML.
    pub fn new(source: &str, text: &str) -> Result<Self, InputError> {
        let table = text.parse::<toml::Table>().map_err(|error| InputError {
            source: source.to_owned(),
            line: error.span().map(|span| line_at(text, span.start)),
            key: String::new(),
            message: format!("this is not TOML: {}", error.message().replace('\n', ", ")),
        })?;
        Ok(Document { source: source.to_owned(), text: text.to_owned(), table })
    }

    /// The document as a `T`.
    ///
    /// # Errors
    /// Names the key that does not fit, and for an unknown key the nearest that is known.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, InputError> {
        let (key, message) = match fill(self.table.clone()) {
            Ok(parsed) => return Ok(parsed),
            Err(error) => error,
        };
        Err(match self.doubled_heading::<T>(&key) {
            Some(key) => {
                let message = format!("a list found; allowed: one table, under a heading [{key}]");
                self.error(&key, &message)
            }
            None => self.error(&key, &message),
        })
    }

    /// Where `[[key]]` was written for `[key]`, that key. A list fits a struct value by value as far
    /// as serde goes, so the error is about an item: it is the list that is wrong if its first table
    /// fits in its place.
    fn doubled_heading<T: DeserializeOwned>(&self, item: &str) -> Option<String> {
        let parts: Vec<&str> = parts(item).collect();
        let (index, outer) = parts.split_last()?;
        index.parse::<usize>().ok()?;
        let mut table = self.table.clone();
        let (last, above) = outer.split_last()?;
        let holder = above.iter().try_fold(&mut table, |t, key| t.get_mut(*key)?.as_table_mut())?;
        let first = holder.get(*last)?.as_array()?.first()?.as_table()?.clone();
        holder.insert((*last).to_owned(), first.into());
        let key = outer.join(".");
        match fill::<T>(table) {
            Err((wrong, _)) if wrong == key => None,
            _ => Some(key),
        }
    }

    /// The text as it was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// An error about the key at the dotted path `key`.
    pub fn error(&self, key: &str, message: &str) -> InputError {
        let key = parts(key).collect::<Vec<_>>().join(".");
        InputError {
            source: self.source.clone(),
            line: self.line_of(&key),
            key,
            message: message.to_owned(),
        }
    }

    /// Line of the deepest part of the dotted path `key` that stands in the text.
    fn line_of(&self, key: &str) -> Option<usize> {
        let root = DeTable::parse(&self.text).ok()?;
        let mut start = None;
        let mut table: Option<&DeTable<'_>> = Some(root.get_ref());
        let mut list: Option<&[toml::Spanned<DeValue<'_>>]> = None;
        let parts: Vec<&str> = parts(key).collect();
        let mut at = 0;
        while at < parts.len() {
            let value = if let Some(items) = list {
                let item = parts[at].parse::<usize>().ok().and_then(|index| items.get(index));
                start = item.map(|item| item.span().start).or(start);
                at += 1;
                item
            } else {
                // A quoted key may hold several parts (`"probe.interval" = …`).
                let mut lengths = 1..=parts.len() - at;
                let found = lengths.find_map(|length| {
                    let key = parts[at..at + length].join(".");
                    table.and_then(|t| t.get_key_value(key.as_str())).map(|found| (length, found))
                });
                start = found.map(|(_, (key, _))| key.span().start).or(start);
                at += found.map_or(1, |(length, _)| length);
                found.map(|(_, (_, value))| value)
            };
            let Some(value) = value else { break };
            table = value.get_ref().as_table();
            list = value.get_ref().as_array().map(|array| &array[..]);
        }
        start.map(|at| line_at(&self.text, at))
    }
}

/// The table as a `T`, or the path that does not fit and why, in plain words.
fn fill<T: DeserializeOwned>(table: toml::Table) -> Result<T, (String, String)> {
    serde_path_to_error::deserialize(table).map_err(|error| {
        let path = match error.path().to_string() {
            whole if whole == "." => String::new(),
            path => path,
        };
        (path, in_our_words(error.inner().message()))
    })
}

/// The parts of a dotted path; list indices may stand in brackets (`blips[0].gap`).
pub fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split(['.', '[', ']']).filter(|part| !part.is_empty())
}

fn line_at(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}

/// serde's message in the words of the rest: what was found, what is allowed, the nearest word.
fn in_our_words(message: &str) -> String {
    let message = message.trim().replace('\n', ", ");
    let mut quoted = message.split('`').skip(1).step_by(2);
    let is_unknown = message.starts_with("unknown field") || message.starts_with("unknown variant");
    if let (true, Some(found)) = (is_unknown, quoted.next()) {
        let what = if message.starts_with("unknown field") { "key" } else { "word" };
        let allowed: Vec<&str> = quoted.collect();
        let hint = nearest(found, allowed.iter().copied())
            .map(|word| format!("did you mean `{word}`? "))
            .unwrap_or_default();
        return format!("unknown {what} `{found}`; {hint}allowed: {}", allowed.join(", "));
    }
    if let Some(field) = message.strip_prefix("missing field ") {
        return format!("{field} is missing; it has no default");
    }
    let mismatch = ["invalid type: ", "invalid value: ", "invalid length: "]
        .iter()
        .find_map(|start| message.strip_prefix(start))
        .and_then(|rest| rest.rsplit_once(", expected "));
    match mismatch {
        Some((found, expected)) => {
            format!("{} found; allowed: {}", plain_found(found), plain_expected(expected))
        }
        None => message,
    }
}

/// What serde calls a value that it found, in plain words.
fn plain_found(found: &str) -> String {
    let words = [("map", "a table"), ("sequence", "a list"), ("string ", "the text ")];
    let numbers = ["integer ", "floating point ", "boolean "];
    if let Some(value) = numbers.iter().find_map(|kind| found.strip_prefix(kind)) {
        return value.trim_matches('`').to_owned();
    }
    let word = words
        .iter()
        .find_map(|(theirs, ours)| found.strip_prefix(theirs).map(|rest| format!("{ours}{rest}")));
    word.unwrap_or_else(|| found.to_owned())
}

/// What serde calls the type that it expected, in plain words with an example.
fn plain_expected(expected: &str) -> String {
    let plain = match expected {
        "a sequence" => "a list, like [ … ], or for tables [[ … ]]",
        "a map" | "map" => "a table, like { … } or under a heading [ … ]",
        "u64" | "u32" | "u16" | "usize" => "a whole number, 0 or more",
        "i64" | "i32" => "a whole number",
        "f64" => "a number",
        "a string" => "a text in quotes",
        "a boolean" => "true or false",
        structure if structure.starts_with("struct ") => {
            "a table, like { … } or under a heading [ … ]"
        }
        other => other,
    };
    plain.to_owned()
}

/// The word of `allowed` nearest to `found`, if any is near.
pub fn nearest<'a>(found: &str, allowed: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    allowed
        .into_iter()
        .map(|word| (strsim::jaro_winkler(found, word), word))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Probe {
        #[allow(dead_code)]
        interval: crate::time::Span,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        #[allow(dead_code)]
        probe: Probe,
    }

    #[test]
    fn what_serde_says_of_types_is_said_plainly() {
        for (text, told) in [
            ("probe = 3", "a.toml:1: probe: 3 found; allowed: a table"),
            (
                "[probe]\ninterval = [\"10s\"]",
                "a.toml:2: probe.interval: a list found; allowed: a length of time",
            ),
            ("[probe]", "a.toml:1: probe: `interval` is missing; it has no default"),
            (
                "[[probe]]\ninterval = \"10s\"",
                "a.toml:1: probe: a list found; allowed: one table, under a heading [probe]",
            ),
            ("probe = [3]", "a.toml:1: probe.0: `3` has no unit"),
        ] {
            let said = said(text);
            assert!(said.starts_with(told), "{said}");
        }
        for (theirs, ours) in [
            (
                "invalid type: string \"a, expected b\", expected a sequence",
                "the text \"a, expected b\" found; allowed: a list",
            ),
            (
                "invalid value: integer `-1`, expected u64",
                "-1 found; allowed: a whole number, 0 or more",
            ),
            (
                "invalid type: floating point `1.5`, expected u64",
                "1.5 found; allowed: a whole number",
            ),
            ("something else", "something else"),
        ] {
            assert!(in_our_words(theirs).starts_with(ours), "{}", in_our_words(theirs));
        }
    }

    fn said(text: &str) -> String {
        let parsed = Document::new("a.toml", text).and_then(|d| d.parse::<Outer>());
        parsed.unwrap_err().to_string()
    }

    #[test]
    fn errors_name_file_line_key_and_the_nearest_word() {
        assert_eq!(
            said("\n[probe]\nintervall = \"10s\"\n"),
            "a.toml:3: probe.intervall: unknown key `intervall`; did you mean `interval`? allowed: interval"
        );
        assert!(
            said("[probe]\ninterval = 10")
                .starts_with("a.toml:2: probe.interval: `10` has no unit")
        );
        assert!(said("[probe\n").starts_with("a.toml:1: this is not TOML"));
        assert!(said("").contains("`probe` is missing"));
    }
}
