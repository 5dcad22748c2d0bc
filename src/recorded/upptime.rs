//! The commit log of an upptime repository: any layout of `git log` in which a commit's time stands
//! before its subject. Only subjects that say up, down or degraded are checks.
//!
//! The author's time is used: it is when the check was made, whatever happened to the commit later.

use super::collect::Collector;
use super::error::ReadError;
use super::source::Source;
use super::stamp::Clock;
use super::state::{Outcome, Verdict};

/// What helps where a subject has no time.
const LOG: &str = "write the log with its times: git log --date=iso-strict";

/// Reads a log, newest first or last.
pub(crate) fn read(source: &Source, into: &mut Collector) -> Result<(), ReadError> {
    let mut date: Option<i64> = None;
    source.each_line(|number, line| {
        let text = String::from_utf8_lossy(line);
        if text.starts_with("commit ") {
            date = None;
        } else if let Some(written) =
            text.strip_prefix("Date:").or_else(|| text.strip_prefix("AuthorDate:"))
        {
            date = dated(written.trim(), &mut into.clock);
        } else if let Some((site, state)) = subject(&text) {
            match stamp(&text, &mut into.clock).or(date) {
                Some(at) => {
                    let series = into.series(site)?;
                    into.push(series, at, number, state);
                }
                None => into.unreadable(number, LOG, || "a status without a time".to_owned()),
            }
        }
        Ok(())
    })
}

/// True iff the text has a line that is a status commit.
pub(crate) fn is_log(head: &str) -> bool {
    let mut dated = false;
    head.lines().any(|line| {
        dated |= line.starts_with("Date:") || line.starts_with("AuthorDate:");
        subject(line).is_some() && (dated || stamp(line, &mut Clock::new(None)).is_some())
    })
}

/// The site and its state, if the line ends in a subject like
/// `🟥 Site name is down (0 in 0 ms) [skip ci] [upptime]`.
fn subject(line: &str) -> Option<(&str, Verdict)> {
    let states: [(&str, Verdict); 3] = [
        (" is up (", Verdict::plain(Outcome::Healthy)),
        (" is down (", Verdict::plain(Outcome::Unhealthy)),
        (" is degraded (", Verdict::mapped(Some(Outcome::Unhealthy), "degraded")),
    ];
    for (words, verdict) in states {
        let Some(place) = line.rfind(words) else { continue };
        let answer = &line[place + words.len()..];
        if !answer.starts_with(|c: char| c.is_ascii_digit()) || !answer.contains(" ms)") {
            continue;
        }
        // The name follows the coloured square that marks a status commit.
        let before = &line[..place];
        let name = before.char_indices().rev().find(|(_, c)| ('🟠'..='🟫').contains(c));
        let site = match name {
            Some((at, square)) => &before[at + square.len_utf8()..],
            None => before.rsplit('\t').next()?,
        };
        return Some((site.trim(), verdict));
    }
    None
}

/// The first time on the line: between tabs, or the first words.
fn stamp(line: &str, clock: &mut Clock) -> Option<i64> {
    let cells = line.split('\t').map(str::to_owned);
    let words: Vec<&str> = line.split_whitespace().take(5).collect();
    let pairs = words.windows(3).map(|w| w.join(" "));
    let candidates = cells.chain(pairs).chain(words.iter().map(|word| (*word).to_owned()));
    for candidate in candidates {
        let text = candidate.trim();
        let dated = text.len() >= 10 && text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
        let counted = text.len() == 10 && text.bytes().all(|b| b.is_ascii_digit());
        if (dated || counted)
            && let Ok(at) = clock.read(text.as_bytes())
        {
            return Some(at);
        }
    }
    None
}

/// A time as `git log` writes it by default or in one of its other ways.
fn dated(text: &str, clock: &mut Clock) -> Option<i64> {
    let usual = jiff::fmt::strtime::parse("%a %b %d %H:%M:%S %Y %z", text)
        .and_then(|parsed| parsed.to_timestamp())
        .ok();
    match usual.and_then(|stamp| i64::try_from(stamp.as_nanosecond()).ok()) {
        Some(at) if at > 0 => Some(at),
        _ => clock.read(text.as_bytes()).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_status_subjects_are_checks() {
        let site = |line: &str| subject(line).map(|(site, v)| (site.to_owned(), v.outcome));
        assert_eq!(
            site("h\tt\tt\t🟥 My Site is down (0 in 0 ms) [skip ci] [upptime]"),
            Some(("My Site".to_owned(), Some(Outcome::Unhealthy)))
        );
        assert_eq!(
            site("🟨 API (v2) is degraded (200 in 31000 ms) [skip ci]"),
            Some(("API (v2)".to_owned(), Some(Outcome::Unhealthy)))
        );
        assert_eq!(site("Trigger site regeneration: it is up (again)"), None);
        assert_eq!(site(":card_file_box: Update status summary"), None);
    }

    #[test]
    fn dates_of_git_in_their_ways() {
        let at = 1_675_765_872_000_000_000;
        let mut clock = Clock::new(None);
        assert_eq!(dated("Tue Feb 7 11:31:12 2023 +0100", &mut clock), Some(at));
        assert_eq!(dated("2023-02-07 11:31:12 +0100", &mut clock), Some(at));
        assert_eq!(dated("2023-02-07T10:31:12Z", &mut clock), Some(at));
        assert_eq!(
            stamp("abc 2023-02-07 11:31:12 +0100 🟩 A is up (1 in 1 ms)", &mut clock),
            Some(at)
        );
        assert_eq!(stamp("2023-02-07T10:31:12+00:00 🟩 A is up", &mut clock), Some(at));
    }
}
