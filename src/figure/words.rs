//! The words of charts: what an axis, a value, a trigger and a rate are called.

use toml::Value;

use super::scale::number;
use crate::budget::words::grouped;
use crate::time::Span;

/// Paths that have a name of their own; every other axis is called by its path.
const NAMES: [(&str, &str); 13] = [
    ("blips.length.mean", "mean blip"),
    ("blips.length", "blip length"),
    ("blips.gap.mean", "mean gap between blips"),
    ("probe.interval", "probe interval"),
    ("outage.kind", "outage"),
    ("controller.silence", "silence counts as"),
    ("controller.arming", "arming"),
    ("prober.gap.mean", "prober dies every"),
    ("restarts.gap", "restart every"),
    ("restarts.gap.mean", "restart every"),
    ("stages.weights_gb", "weights (GB)"),
    ("stages.replicas", "replicas"),
    ("stages.storage_gb_per_s", "storage (GB/s)"),
];

/// What the axis in this column is called.
pub fn axis(column: &str) -> String {
    let named = NAMES.iter().find(|(path, _)| *path == column);
    named.map_or_else(|| column.replace('_', " "), |(_, name)| (*name).to_owned())
}

/// How a value on an axis is written.
pub fn value(column: &str, value: &Value) -> String {
    match value {
        Value::String(text) if column == "controller.arming" && text.parse::<u64>().is_ok() => {
            format!("{text} checks")
        }
        Value::String(text) => match text.parse::<Span>() {
            Ok(_) => spaced(text.trim()),
            Err(_) => text.clone(),
        },
        Value::Float(float) => number(*float),
        Value::Table(table) => {
            let pairs =
                table.iter().map(|(key, inner)| format!("{key} {}", self::value(key, inner)));
            pairs.collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}

/// A span with a blank before each unit: `1h 30min` as `1 h 30 min`.
pub fn spaced(span: &str) -> String {
    let mut text = String::new();
    let mut before: Option<char> = None;
    for c in span.chars() {
        if c.is_alphabetic() && before.is_some_and(|b| b.is_ascii_digit()) {
            text.push(' ');
        }
        text.push(c);
        before = Some(c);
    }
    text
}

/// A number of things, like `1 point` or `1,200 points`.
pub fn count(n: u64, one: &str, more: &str) -> String {
    format!("{} {}", grouped(&n.to_string()), if n == 1 { one } else { more })
}

/// A number of things of which several end in `s`, like `1 run` or `1,000 runs`.
pub fn counted(n: u64, one: &str) -> String {
    count(n, one, &format!("{one}s"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_read_as_words() {
        let shown = |v: Value| value("blips.length.mean", &v);
        assert_eq!(shown("5s".into()), "5 s");
        assert_eq!(shown("1h 30min".into()), "1 h 30 min");
        assert_eq!(shown("dark".into()), "dark");
        assert_eq!(shown(0.25.into()), "0.25");
        assert_eq!(shown(Value::Integer(8)), "8");
        assert_eq!(value("controller.arming", &"6".into()), "6 checks");
        assert_eq!(axis("blips.length.mean"), "mean blip");
        assert_eq!(axis("stages.load_rate"), "stages.load rate");
        assert_eq!(count(60_000, "day", "days"), "60,000 days");
        assert_eq!(count(1, "day", "days"), "1 day");
    }
}
