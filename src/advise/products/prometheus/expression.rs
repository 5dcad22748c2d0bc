//! What an alert's expression asks, for the few forms in which failed checks are asked for.
//!
//! This is no PromQL parser. It knows the forms that the export writes and those that people write
//! by hand; everything else is a condition that holds or does not, which `for` then counts.

use super::duration;
use crate::time::Span;

/// What is asked of the samples.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Asks {
    /// No sample in the range; no sample now when there is no range.
    Silence { range: Option<Span> },
    /// No healthy sample in the range.
    NoneHealthy { range: Span },
    /// At most so many healthy samples in the range.
    FewHealthy { range: Span, most: i64 },
    /// At least so many failed samples in the range.
    ManyFailed { range: Span, least: i64 },
    /// A share of healthy samples below this; silence counts as failed where `of_due`.
    LowShare { range: Span, below: f64, of_due: bool },
    /// The latest sample failed.
    LatestFailed,
    /// Something else.
    Unknown,
}

/// An expression, as far as it is understood.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expression {
    pub(super) asks: Asks,
    /// True iff a missing result is filled in as 0 (`or vector(0)`).
    pub(super) filled: bool,
    /// True iff it asks that there was a sample before the range.
    pub(super) guarded: bool,
}

/// How the export asks for a sample before the range.
const GUARD: &str = " and on() max(present_over_time(";

/// A comparison with a number, which stands on the right.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Comparison {
    operator: &'static str,
    number: f64,
}

impl Comparison {
    /// The most that a count may be.
    fn most(self) -> Option<i64> {
        match self.operator {
            "<=" => Some(self.number.floor() as i64),
            "<" => Some((self.number.ceil() as i64).saturating_sub(1)),
            "==" if self.number == 0.0 => Some(0),
            _ => None,
        }
    }

    /// The least that a count may be.
    fn least(self) -> Option<i64> {
        match self.operator {
            ">=" => Some(self.number.ceil() as i64),
            ">" => Some((self.number.floor() as i64).saturating_add(1)),
            _ => None,
        }
    }

    /// True iff of 0 and 1 only 0 fits.
    fn is_failed(self) -> bool {
        self.most() == Some(0) || (self.operator == "!=" && self.number == 1.0)
    }
}

/// Reads an expression.
pub(super) fn read(text: &str) -> Expression {
    let text = without_strings(text);
    let mut bare = text.split_whitespace().collect::<Vec<_>>().join(" ");
    while let Some(inside) = wrapped(&bare) {
        bare = inside;
    }
    let guard = at_top(&bare, GUARD);
    let guarded = guard.is_some();
    if let Some(at) = guard {
        bare.truncate(at);
    }
    let filled = bare.replace(' ', "").contains("orvector(0)");
    let joined = [" and ", " or ", " unless "].iter().any(|word| at_top(&bare, word).is_some());
    let asks = if joined { Asks::Unknown } else { asks(&bare).unwrap_or(Asks::Unknown) };
    Expression { asks, filled, guarded }
}

fn asks(text: &str) -> Option<Asks> {
    if text.starts_with("absent_over_time(") {
        return Some(Asks::Silence { range: Some(range(text)?) });
    }
    if text.starts_with("absent(") {
        return Some(Asks::Silence { range: None });
    }
    let (left, comparison) = comparison(text)?;
    let over = functions_over_time(left);
    let failed = comparison.is_failed();
    match over.as_slice() {
        [] if failed => Some(Asks::LatestFailed),
        ["max"] if failed => Some(Asks::NoneHealthy { range: range(left)? }),
        ["avg"] if failed && comparison.operator != "<" => {
            Some(Asks::NoneHealthy { range: range(left)? })
        }
        ["avg"] if comparison.operator == "<" => {
            Some(Asks::LowShare { range: range(left)?, below: comparison.number, of_due: false })
        }
        ["sum"] if divides(left) && comparison.operator == "<" => {
            Some(Asks::LowShare { range: range(left)?, below: comparison.number, of_due: true })
        }
        ["sum"] if !divides(left) => {
            Some(Asks::FewHealthy { range: range(left)?, most: comparison.most()? })
        }
        ["count", "sum"] if left.contains(" - ") => {
            Some(Asks::ManyFailed { range: range(left)?, least: comparison.least()? })
        }
        _ => None,
    }
}

/// True iff the last thing done is to divide by a number.
fn divides(left: &str) -> bool {
    left.rsplit_once('/').is_some_and(|(_, number)| number.trim().parse::<f64>().is_ok())
}

/// The text with what stands in quotes or comments blanked out.
fn without_strings(text: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => {
                quote = None;
                out.push('\'');
            }
            (Some('"' | '\''), '\\') => {
                letters.next();
            }
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => {
                quote = Some(letter);
                out.push('\'');
            }
            (None, '#') => {
                letters.by_ref().find(|letter| *letter == '\n');
                out.push(' ');
            }
            (None, letter) => out.push(letter),
        }
    }
    out
}

/// Where `word` stands outside all brackets.
fn at_top(text: &str, word: &str) -> Option<usize> {
    let mut depth = 0_i64;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && text.get(at..).is_some_and(|rest| rest.starts_with(word)) {
            return Some(at);
        }
    }
    None
}

/// What stands inside a pair of brackets around the whole text.
fn wrapped(text: &str) -> Option<String> {
    let inside = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut depth = 0_i64;
    for letter in inside.chars() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    Some(inside.trim().to_owned())
}

/// The left side, and the comparison with the number on the right.
fn comparison(text: &str) -> Option<(&str, Comparison)> {
    for operator in ["<=", ">=", "==", "!=", "<", ">"] {
        let Some(at) = at_top(text, operator) else { continue };
        let number = text.get(at + operator.len()..)?.trim().parse().ok()?;
        return Some((text.get(..at)?.trim(), Comparison { operator, number }));
    }
    None
}

/// The names of the functions over a range, in order and without `_over_time`.
fn functions_over_time(text: &str) -> Vec<&str> {
    text.match_indices("_over_time(")
        .filter_map(|(at, _)| {
            let before = text.get(..at)?;
            let start =
                before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |i| i + 1);
            before.get(start..)
        })
        .collect()
}

/// The first range; none where it is that of a subquery.
fn range(text: &str) -> Option<Span> {
    let (_, after) = text.split_once('[')?;
    let (inside, _) = after.split_once(']')?;
    duration::read(inside).filter(|range| range.is_positive())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Asks {
        read(text).asks
    }

    #[test]
    fn forms_that_people_write_are_understood() {
        let range = Span::from_secs(300);
        assert_eq!(asked("probe_success{job=\"a == b\"} == 0"), Asks::LatestFailed);
        assert_eq!(asked("up{job='api'} < 1"), Asks::LatestFailed);
        assert_eq!(asked("(max by (region) (probe_success) != 1)"), Asks::LatestFailed);
        assert_eq!(
            asked("max_over_time(probe_success[5m]) == 0 # dark"),
            Asks::NoneHealthy { range }
        );
        assert_eq!(asked("sum_over_time(up[5m]) < 3"), Asks::FewHealthy { range, most: 2 });
        assert_eq!(
            asked("count_over_time(up[5m]) - sum_over_time(up[5m]) > 2"),
            Asks::ManyFailed { range, least: 3 }
        );
        let below = 0.9;
        assert_eq!(
            asked("avg_over_time(up[5m]) < 0.9"),
            Asks::LowShare { range, below, of_due: false }
        );
        assert_eq!(asked("absent(up{job=\"x\"})"), Asks::Silence { range: None });
        assert_eq!(asked("absent_over_time(up[5m])"), Asks::Silence { range: Some(range) });
    }

    #[test]
    fn the_rest_is_a_condition_that_holds_or_does_not() {
        for text in [
            "rate(errors_total[5m]) > 0.1",
            "up == 0 and on() vector(1)",
            "max_over_time((up == 0)[5m:10s]) == 1",
            "",
            "((",
            ")(",
            "up == bool 0",
            "\"",
            "x[",
        ] {
            assert_eq!(asked(text), Asks::Unknown, "{text}");
        }
    }

    #[test]
    fn a_filled_gap_is_seen() {
        assert!(read("(max(up) or vector(0)) == 0").filled);
        assert!(!read("max(up{x=\"or vector(0)\"}) == 0").filled);
    }
}
