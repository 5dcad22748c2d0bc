//! The output of `ping -D`, with or without `-O`: replies with a time and a sequence number.
//!
//! Loss shows as a gap in the numbers, as `no answer yet`, or as an ICMP error; each is a failed
//! check at the instant its request was sent. Numbers wrap at 65,536; a new run of ping starts at 1.

use super::collect::Collector;
use super::error::ReadError;
use super::source::Source;
use super::state::{Outcome, Verdict};

/// Sequence numbers have sixteen bits.
const WRAP: i64 = 65_536;

/// At most this many lost requests in a row are written out one by one; more are a hole.
const MOST_LOST: i64 = 100_000;

/// What one line says.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line {
    seq: i64,
    /// When it was logged.
    logged: i64,
    /// Round-trip time of a reply, nanoseconds; `None`: no answer.
    round_trip: Option<i64>,
    /// A reply to a request already answered.
    repeated: bool,
}

/// One request: when it was sent, if that is known, and what became of it.
#[derive(Clone, Copy, Debug)]
struct Request {
    seq: i64,
    sent: Option<i64>,
    round_trip: Option<i64>,
    row: u64,
}

/// True iff the text looks like the output of ping.
pub(crate) fn is_log(text: &str) -> bool {
    let begun = text.lines().take(3).any(|line| line.starts_with("PING "));
    begun || text.lines().take(20).any(|line| line.contains("icmp_seq"))
}

/// Reads the output of one or more runs of ping.
pub(crate) fn read(source: &Source, into: &mut Collector) -> Result<(), ReadError> {
    let mut run = Run::default();
    let (mut stamped, mut bare) = (0u64, 0u64);
    source.each_line(|number, line| {
        let text = String::from_utf8_lossy(line);
        if let Some(target) = text.strip_prefix("PING ") {
            run.end(into)?;
            run = Run::default();
            run.target = target.split_whitespace().next().unwrap_or("target").to_owned();
        } else if text.contains("icmp_seq") {
            match parse(&text, into, number) {
                Some(line) => {
                    stamped += 1;
                    run.take(line, number, into)?;
                }
                None => bare += 1,
            }
        }
        Ok(())
    })?;
    run.end(into)?;
    if stamped == 0 && bare > 0 {
        return Err(ReadError::NoChecks {
            file: source.name(),
            format: into.format.to_string(),
            why: "its lines carry no time: record it with ping -D (and -O)".to_owned(),
        });
    }
    Ok(())
}

/// `[1700000000.123456] 64 bytes from …: icmp_seq=5 ttl=57 time=12.3 ms`
fn parse(text: &str, into: &mut Collector, number: u64) -> Option<Line> {
    let (stamp, rest) = text.trim_start().strip_prefix('[')?.split_once(']')?;
    let seq = rest.split_once("icmp_seq")?.1.trim_start_matches(['=', ' ']);
    let digits = seq.find(|c: char| !c.is_ascii_digit()).unwrap_or(seq.len());
    let seq = seq.get(..digits)?.parse::<i64>().ok().filter(|seq| (0..WRAP).contains(seq))?;
    let logged = into.time(stamp.as_bytes(), number)?;
    let reply = rest.contains("bytes from");
    let millis = rest.split_once("time=").and_then(|(_, time)| {
        time.split([' ', 'm']).next()?.parse::<f64>().ok().filter(|t| (0.0..1e7).contains(t))
    });
    let round_trip = reply.then(|| (millis.unwrap_or(0.0) * 1e6) as i64);
    Some(Line { seq, logged, round_trip, repeated: rest.contains("(DUP!)") })
}

/// One run of ping, its numbers unwrapped.
#[derive(Default)]
struct Run {
    target: String,
    requests: Vec<Request>,
    spacing: i64,
    last_logged: i64,
}

impl Run {
    fn take(&mut self, line: Line, row: u64, into: &mut Collector) -> Result<(), ReadError> {
        if line.repeated {
            return Ok(());
        }
        let sent = line.round_trip.map(|round_trip| line.logged - round_trip);
        let Some(last) = self.requests.last().copied() else {
            self.last_logged = line.logged;
            self.requests.push(Request { seq: line.seq, sent, round_trip: line.round_trip, row });
            return Ok(());
        };
        let wraps = (last.seq - line.seq + WRAP / 2).div_euclid(WRAP);
        let seq = line.seq + wraps * WRAP;
        if self.restarted(last, seq, sent) {
            self.end(into)?;
            self.requests.clear();
            self.spacing = 0;
            return self.take(line, row, into);
        }
        if seq > last.seq {
            if let (Some(before), Some(sent)) = (last.sent, sent)
                && seq == last.seq + 1
            {
                let spacing = sent - before;
                // The clock may have been set between two requests that follow each other.
                let usual = self.spacing.max(1);
                if self.spacing > 0 && (spacing < 0 || spacing > 100 * usual.max(100_000_000)) {
                    self.clock_step(spacing - usual, row, into)?;
                } else {
                    self.spacing = spacing.max(1);
                }
            }
            self.requests.push(Request { seq, sent, round_trip: line.round_trip, row });
        } else if line.round_trip.is_some() {
            // A reply after ping had given up on it, or out of order: it did arrive.
            let place = self.requests.partition_point(|request| request.seq < seq);
            let request = Request { seq, sent, round_trip: line.round_trip, row };
            match self.requests.get_mut(place) {
                Some(known) if known.seq == seq && known.round_trip.is_none() => *known = request,
                Some(known) if known.seq == seq => {}
                _ => self.requests.insert(place, request),
            }
        }
        self.last_logged = line.logged;
        Ok(())
    }

    /// Numbers that start again although time went on: ping was started anew.
    fn restarted(&self, last: Request, seq: i64, sent: Option<i64>) -> bool {
        let (Some(sent), Some(before)) = (sent, self.requests.iter().rev().find_map(|r| r.sent))
        else {
            return false;
        };
        let elapsed = sent.saturating_sub(before);
        if seq <= last.seq {
            return elapsed > 0 && self.answered(seq);
        }
        // Or so many at once that the time for them has not passed.
        let skipped = (seq - last.seq).saturating_mul(self.spacing.max(1_000_000));
        seq - last.seq > 100 && elapsed < skipped / 2
    }

    fn answered(&self, seq: i64) -> bool {
        let place = self.requests.partition_point(|request| request.seq < seq);
        let first = self.requests.first().is_none_or(|first| seq < first.seq);
        first || self.requests.get(place).is_some_and(|r| r.seq == seq && r.round_trip.is_some())
    }

    fn clock_step(&mut self, by: i64, row: u64, into: &mut Collector) -> Result<(), ReadError> {
        for request in &mut self.requests {
            request.sent = request.sent.map(|sent| sent.saturating_add(by));
        }
        let place = into.place(row);
        let by = crate::time::Span::from_nanos(by);
        let series = into.series(&self.target)?;
        if let Some(series) = into.series_mut(series) {
            series.clock_steps += 1;
            series.warnings.push(super::report::Warning::ClockStep { place, by });
        }
        Ok(())
    }

    /// Writes the run: each request at its sending, lost ones between their neighbours.
    fn end(&mut self, into: &mut Collector) -> Result<(), ReadError> {
        let requests = std::mem::take(&mut self.requests);
        let Some(first) = requests.iter().find(|request| request.sent.is_some()) else {
            return self.end_unanswered(&requests, into);
        };
        let spacing = if self.spacing > 0 { self.spacing } else { 1_000_000_000 };
        let target = if self.target.is_empty() { "ping" } else { &self.target };
        let series = into.series(target)?;
        let anchor = first.sent.unwrap_or(0);
        let mut before = (first.seq, anchor);
        // Requests before the first answered one.
        for request in requests.iter().take_while(|request| request.seq < first.seq) {
            let at = anchor - (first.seq - request.seq) * spacing;
            into.push(series, at.max(0), request.row, Verdict::plain(Outcome::Unhealthy));
        }
        for request in requests.iter().skip_while(|request| request.seq < first.seq) {
            let Some(sent) = request.sent else { continue };
            let (seq, at) = before;
            let lost = request.seq - seq - 1;
            if (1..=MOST_LOST).contains(&lost) {
                for number in 1..=lost {
                    let share = i128::from(sent - at) * i128::from(number) / i128::from(lost + 1);
                    let at = at + share as i64;
                    into.push(series, at, request.row, Verdict::plain(Outcome::Unhealthy));
                }
            }
            let judged = match into.judge.number(request.round_trip.unwrap_or(0) as f64 / 1e6) {
                Ok(verdict) if into.judge.told() => verdict,
                _ => Verdict::plain(Outcome::Healthy),
            };
            into.push(series, sent, request.row, judged);
            before = (request.seq, sent);
        }
        // Requests after the last answered one: only those that ping spoke of.
        for request in requests.iter().skip_while(|request| request.seq <= before.0) {
            let at = before.1.saturating_add((request.seq - before.0).saturating_mul(spacing));
            into.push(series, at, request.row, Verdict::plain(Outcome::Unhealthy));
        }
        Ok(())
    }

    /// A run without a single answer: its lines are logged one interval after each sending.
    fn end_unanswered(&self, requests: &[Request], into: &mut Collector) -> Result<(), ReadError> {
        let Some(last) = requests.last() else { return Ok(()) };
        let target = if self.target.is_empty() { "ping" } else { &self.target };
        let series = into.series(target)?;
        for request in requests {
            let at = self.last_logged - (last.seq - request.seq + 1) * 1_000_000_000;
            into.push(series, at.max(0), request.row, Verdict::plain(Outcome::Unhealthy));
        }
        Ok(())
    }
}
