//! A real Prometheus with a blackbox exporter, read live: an outage of the target, a scrape gap (the
//! exporter is dead, no sample of the probe) and a server gap (Prometheus itself is down).
//!
//! The oracle is what the server's own API says, read by a few lines of this file: raw samples of the
//! probe, and of `up`, which has one for each scrape and so tells which probes were due.

mod servers;

use std::fs;
use std::path::Path;
use std::time::Duration;

use failover_budget::fit::{Observed, Part};
use failover_budget::recorded::{Live, Options, Recording, SeriesChoice, read_prometheus};
use failover_budget::time::Span;
use serde_json::Value;

use crate::support;
use servers::{Server, Target, on_free_port, program, until};

/// Scrapes that are waited for in each state.
const SCRAPES: usize = 3;

/// How long the server is down. A length of time is what is made here, so it is slept.
const SERVER_GAP: Duration = Duration::from_secs(5);

/// The samples of one series: milliseconds since 1970 and the value.
type Samples = Vec<(i64, f64)>;

/// What was recorded, and the server that tells of it.
struct Recorded {
    url: String,
    /// The target that had an outage.
    instance: String,
    folder: tempfile::TempDir,
    server: Server,
    _targets: [Target; 2],
}

/// The answer of the API to an instant query.
fn ask(url: &str, query: &str) -> Option<Value> {
    let mut answer = ureq::get(format!("{url}/api/v1/query")).query("query", query).call().ok()?;
    serde_json::from_slice(&answer.body_mut().read_to_vec().ok()?).ok()
}

/// Raw samples of a series of one instance over the last hour.
fn samples(url: &str, metric: &str, instance: &str) -> Samples {
    let query = format!("{metric}{{instance=\"{instance}\"}}[1h]");
    let Some(answer) = ask(url, &query) else { return Vec::new() };
    let values = answer["data"]["result"][0]["values"].as_array().cloned().unwrap_or_default();
    let sample = |value: &Value| {
        let at = (value[0].as_f64().unwrap() * 1e3).round() as i64;
        (at, value[1].as_str().unwrap().parse().unwrap())
    };
    values.iter().map(sample).collect()
}

/// Waits until so many samples in a row, all of them scraped from now on, have this value.
fn wait_for(url: &str, metric: &str, instance: &str, value: f64) {
    let newest = |samples: &Samples| samples.last().map_or(0, |sample| sample.0);
    let now = newest(&samples(url, "up", instance));
    let what = format!("{SCRAPES} samples of {metric} with {value}");
    until(&what, || {
        let seen = samples(url, metric, instance);
        let new = seen.iter().rev().take_while(|sample| sample.0 > now && sample.1 == value);
        (new.count() >= SCRAPES).then_some(())
    });
}

/// Records; `None` where a program is missing.
fn record() -> Option<Recorded> {
    let prometheus = program("prometheus")?;
    let blackbox = program("prometheus-blackbox-exporter")?;
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    let targets = [Target::start(), Target::start()];
    let ports = [targets[0].port, targets[1].port];
    let (first, exporter) = on_free_port(|port| servers::blackbox(&blackbox, place, port));
    let start = |port| servers::prometheus(&prometheus, place, port, exporter, &ports);
    let (server, port) = on_free_port(start);
    let url = format!("http://127.0.0.1:{port}");
    let instance = format!("http://127.0.0.1:{}", ports[0]);
    let probes = |value: f64| wait_for(&url, "probe_success", &instance, value);
    probes(1.0);
    targets[0].set(false);
    probes(0.0);
    targets[0].set(true);
    probes(1.0);
    // The scrape gap.
    drop(first);
    wait_for(&url, "up", &instance, 0.0);
    let second = servers::blackbox(&blackbox, place, exporter).unwrap();
    probes(1.0);
    // The server gap.
    server.stop();
    std::thread::sleep(SERVER_GAP);
    let server = start(port).unwrap();
    probes(1.0);
    // From here on nothing is added, so that every question has the same answer.
    drop(second);
    wait_for(&url, "up", &instance, 0.0);
    Some(Recorded { url, instance, folder, server, _targets: targets })
}

/// What the samples say, by arithmetic of their own.
struct Expected {
    healthy: usize,
    unhealthy: usize,
    interval_ms: i64,
    /// Beginning, end, and checks that did not arrive.
    gaps: Vec<(i64, i64, i64)>,
    /// The first sample of each run of failed ones, and how many they are.
    runs: Vec<(i64, usize)>,
}

fn expected(samples: &Samples) -> Expected {
    let mut spacings: Vec<i64> = samples.windows(2).map(|w| w[1].0 - w[0].0).collect();
    spacings.sort_unstable();
    let interval_ms = spacings[spacings.len() / 2];
    let missing = |spacing: i64| (spacing as f64 / interval_ms as f64).round() as i64 - 1;
    let gaps = samples
        .windows(2)
        .map(|w| (w[0].0, w[1].0, missing(w[1].0 - w[0].0)))
        .filter(|(_, _, missing)| *missing > 0)
        .collect();
    let mut runs: Vec<(i64, usize)> = Vec::new();
    for (place, (at, value)) in samples.iter().enumerate() {
        match (*value == 0.0, place > 0 && samples[place - 1].1 == 0.0) {
            (true, true) => runs.last_mut().unwrap().1 += 1,
            (true, false) => runs.push((*at, 1)),
            _ => {}
        }
    }
    let healthy = samples.iter().filter(|sample| sample.1 == 1.0).count();
    Expected { healthy, unhealthy: samples.len() - healthy, interval_ms, gaps, runs }
}

/// What the command says as JSON in the recording's folder.
fn json(recorded: &Recorded, arguments: &[&str]) -> Value {
    let mut command = support::command(arguments);
    let output = command
        .args(["--format", "json", "-q"])
        .current_dir(recorded.folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn stamp(millis: i64) -> String {
    jiff::Timestamp::from_millisecond(millis).unwrap().to_string()
}

#[test]
fn a_live_server_is_read_with_its_outage_and_its_gaps() {
    let Some(recorded) = record() else { return };
    let raw = samples(&recorded.url, "probe_success", &recorded.instance);
    let expected = expected(&raw);
    assert!((900..1_100).contains(&expected.interval_ms), "{raw:?}");
    what_was_made_is_there(&recorded, &raw, &expected);
    history_of_the_command_line(&recorded, &raw, &expected);
    replay_of_the_command_line(&recorded, &raw, &expected);
    pages_make_no_difference(&recorded, &raw);
    refusals_tell_the_way_out(&recorded);
    exports_of_the_same_server_say_the_same(recorded, &raw, &expected);
}

/// The three things that were done left their marks where they were done.
fn what_was_made_is_there(recorded: &Recorded, raw: &Samples, expected: &Expected) {
    assert!(expected.runs.iter().any(|(_, failed)| *failed >= SCRAPES), "{raw:?}");
    let scrapes = samples(&recorded.url, "up", &recorded.instance);
    let within = |from: i64, to: i64| scrapes.iter().filter(move |s| from < s.0 && s.0 < to);
    let scrape_gap =
        expected.gaps.iter().find(|(from, to, _)| within(*from, *to).count() >= SCRAPES);
    let (from, to, missing) = *scrape_gap.expect("a scrape gap");
    assert!(within(from, to).all(|scrape| scrape.1 == 0.0));
    // Each failed scrape is a check that did not arrive; a scrape that was itself left out is one more.
    let failed = within(from, to).count() as i64;
    let left_out = self::expected(&within(from - 1, to + 1).copied().collect()).gaps;
    let left_out: i64 = left_out.iter().map(|(_, _, missing)| missing).sum();
    assert!(failed <= missing && missing <= failed + left_out, "{failed} {missing} {left_out}");
    let server_gap = expected.gaps.iter().find(|(from, to, _)| {
        to - from > SERVER_GAP.as_millis() as i64 && within(*from, *to).count() == 0
    });
    assert!(server_gap.is_some(), "{:?}", expected.gaps);
}

/// `fit` and its history report, by every flag that concerns a server.
fn history_of_the_command_line(recorded: &Recorded, raw: &Samples, expected: &Expected) {
    let selector = format!("probe_success{{job=\"blackbox\",instance=\"{}\"}}", recorded.instance);
    let live = ["fit", "--prometheus", &recorded.url, "--query", &selector, "--force"];
    let counts = |history: &Value| {
        ["checks", "healthy", "unhealthy", "absent", "down_runs", "gaps", "holes"]
            .map(|key| history[key].as_i64().unwrap())
    };
    let absent: i64 = expected.gaps.iter().map(|(_, _, missing)| missing).sum();
    let (healthy, unhealthy) = (expected.healthy as i64, expected.unhealthy as i64);
    let (runs, gaps) = (expected.runs.len() as i64, expected.gaps.len() as i64);
    // The last seven days, when nothing is said of the time; and from and to in both ways.
    let (first, last) = (stamp(raw[0].0 - 1), stamp(raw[raw.len() - 1].0));
    for time in [&[][..], &["--from", "1h"], &["--from", &first, "--to", &last]] {
        let fit = json(recorded, &[&live[..], time].concat());
        let history = &fit["history"];
        let all = [healthy + unhealthy + absent, healthy, unhealthy, absent, runs, gaps, 0];
        assert_eq!(counts(history), all, "{time:?}: {raw:?}\n{history:#}");
        let interval = history["interval_s"].as_f64().unwrap();
        assert!((interval * 1e3 - expected.interval_ms as f64).abs() < 1.5, "{interval}");
        let longest = history["longest_gap_s"].as_f64().unwrap();
        assert!(longest > SERVER_GAP.as_secs_f64(), "{longest}");
        assert_eq!(history["from"], stamp(raw[0].0));
        assert_eq!(history["format"], "prometheus-live");
        let warnings = history["warnings"].to_string();
        assert!(
            !warnings.contains("hides gaps") && warnings.contains("raw samples of"),
            "{warnings}"
        );
    }
    // Silence as nothing known: the same gaps are holes.
    let fit = json(recorded, &[&live[..], &["--gap", "unknown"]].concat());
    let all = [healthy + unhealthy, healthy, unhealthy, 0, runs, 0, gaps];
    assert_eq!(counts(&fit["history"]), all);
    // A part of the recording: the outage alone, between the samples around it.
    let (at, failed) = *expected.runs.iter().max_by_key(|(_, failed)| *failed).unwrap();
    let place = raw.iter().position(|sample| sample.0 == at).unwrap();
    let (from, to) = (stamp(raw[place].0 - 1), stamp(raw[place + failed].0));
    let fit = json(recorded, &[&live[..], &["--from", &from, "--to", &to]].concat());
    let history = &fit["history"];
    assert_eq!(history["unhealthy"], failed, "{raw:?}");
    assert_eq!((&history["healthy"], &history["left_truncated"]), (&1.into(), &1.into()));
    // Two series of one query, and one chosen by a part of its name.
    let both = ["fit", "--prometheus", &recorded.url, "--query", "probe_success", "--force"];
    let fit = json(recorded, &both);
    assert_eq!(fit["series"].as_array().unwrap().len(), 2);
    let fit = json(recorded, &[&both[..], &["--series", &recorded.instance]].concat());
    assert_eq!(fit["history"]["unhealthy"], unhealthy);
}

/// `replay` fires at the recorded instants, and on silence in the gaps.
fn replay_of_the_command_line(recorded: &Recorded, raw: &Samples, expected: &Expected) {
    let selector = format!("probe_success{{instance=\"{}\"}}", recorded.instance);
    let live = ["replay", "--prometheus", &recorded.url, "--query", &selector, "--from", "1h"];
    let rules = ["--arming", "immediate", "--outage-after", "3s", "--trigger", "consecutive:3"];
    let firings = |silence: &str| -> Vec<(String, String)> {
        let replay = json(recorded, &[&live[..], &rules, &["--silence", silence]].concat());
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let firings = replay["triggers"][0]["firings"].as_array().unwrap();
        firings.iter().map(|firing| (text(&firing["at"]), text(&firing["cause"]))).collect()
    };
    // The third failed sample of each run that has one.
    let third = |(at, failed): &(i64, usize)| {
        let place = raw.iter().position(|sample| sample.0 == *at).unwrap();
        (*failed >= 3).then(|| stamp(raw[place + 2].0))
    };
    let thirds: Vec<String> = expected.runs.iter().filter_map(third).collect();
    let ignored: Vec<String> = firings("ignored").into_iter().map(|(at, _)| at).collect();
    assert_eq!(ignored, thirds, "{raw:?}");
    let counted = firings("failure");
    let of_silence: Vec<&(String, String)> =
        counted.iter().filter(|(_, cause)| cause == "silence").collect();
    let long: Vec<_> = expected.gaps.iter().filter(|(_, _, missing)| *missing >= 3).collect();
    assert_eq!(of_silence.len(), long.len(), "{counted:?} {:?}", expected.gaps);
    for ((at, _), (from, to, _)) in of_silence.iter().zip(long) {
        let at = at.parse::<jiff::Timestamp>().unwrap().as_millisecond();
        assert!(*from < at && at < *to, "{at} is not in the gap from {from} to {to}");
    }
}

/// Pages of two seconds, of which many are empty, and one page of an hour.
fn pages_make_no_difference(recorded: &Recorded, raw: &Samples) {
    let read = |page: Span| -> Recording {
        let live = Live {
            url: recorded.url.clone(),
            query: "probe_success{job=\"blackbox\"}".to_owned(),
            from: jiff::Timestamp::from_millisecond(raw[0].0 - 500).unwrap(),
            to: jiff::Timestamp::from_millisecond(raw[raw.len() - 1].0).unwrap(),
            page,
        };
        let series = SeriesChoice::Named(vec![recorded.instance.clone()]);
        let options = Options { series, ..Options::default() };
        read_prometheus(&live, &options).unwrap().remove(0)
    };
    let (whole, pages) = (read(Span::from_secs(3_600)), read(Span::from_secs(2)));
    assert_eq!(whole.history, pages.history);
    let report = |recording: &Recording| serde_json::to_value(&recording.report).unwrap();
    assert_eq!(report(&whole), report(&pages));
    // And pages whose edges are samples, which both neighbours have.
    let spacing = raw[1].0 - raw[0].0;
    let at = |millis| jiff::Timestamp::from_millisecond(millis).unwrap();
    let live = Live {
        url: recorded.url.clone(),
        query: format!("probe_success{{instance=\"{}\"}}", recorded.instance),
        from: at(raw[0].0 - spacing),
        to: at(raw[raw.len() - 1].0),
        page: Span::from_nanos(spacing * 1_000_000),
    };
    let edges = read_prometheus(&live, &Options::default()).unwrap().remove(0);
    assert_eq!(edges.history, whole.history);
    assert_eq!(edges.report.duplicates, 0);
    let part = Part { history: &whole.history, epoch: whole.epoch };
    assert_eq!(Observed::of(&[part]).absent, whole.report.absent);
}

/// What the server refuses, or has nothing of, is an error that says so.
fn refusals_tell_the_way_out(recorded: &Recorded) {
    let said = |query: &str, more: &[&str]| {
        let asked = ["fit", "--prometheus", &recorded.url, "--query", query];
        let output = support::command(&[&asked[..], more].concat())
            .current_dir(recorded.folder.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let rate = said("rate(probe_success[5m])", &[]);
    assert!(rate.contains("plain selector"), "{rate}");
    let range = said("probe_success[5m]", &[]);
    assert!(range.contains("without a range"), "{range}");
    let none = said("probe_sucess", &["--from", "1h"]);
    assert!(none.contains("probe_sucess") && none.contains("no samples"), "{none}");
    let duration = said("probe_duration_seconds", &["--from", "1h"]);
    assert!(duration.contains("--down-above"), "{duration}");
}

/// The same samples as files: an instant answer, a range query (which hides the server gap), and a
/// dump of the server's own data.
fn exports_of_the_same_server_say_the_same(recorded: Recorded, raw: &Samples, expected: &Expected) {
    let place = recorded.folder.path();
    let selector = format!("probe_success{{instance=\"{}\"}}", recorded.instance);
    let absent: i64 = expected.gaps.iter().map(|(_, _, missing)| missing).sum();
    let instant = ask(&recorded.url, &format!("{selector}[1h]")).unwrap();
    fs::write(place.join("instant.json"), instant.to_string()).unwrap();
    let fit = json(&recorded, &["fit", "instant.json", "-o", "instant"]);
    assert_eq!(fit["history"]["absent"], absent);
    assert_eq!(fit["history"]["healthy"], expected.healthy);

    let (from, to) = (raw[0].0 / 1_000 + 1, raw[raw.len() - 1].0 / 1_000);
    let mut answer = ureq::get(format!("{}/api/v1/query_range", recorded.url))
        .query("query", &selector)
        .query("start", from.to_string())
        .query("end", to.to_string())
        .query("step", "1s")
        .call()
        .unwrap();
    fs::write(place.join("range.json"), answer.body_mut().read_to_vec().unwrap()).unwrap();
    let fit = json(&recorded, &["fit", "range.json", "-o", "range"]);
    let history = &fit["history"];
    assert!(history["longest_gap_s"].as_f64().unwrap() < SERVER_GAP.as_secs_f64(), "{history:#}");
    assert!(history["warnings"].to_string().contains("hides gaps"), "{history:#}");

    recorded.server.stop();
    let Some(promtool) = program("promtool") else { return };
    let all = dump(&promtool, place);
    assert_eq!(all.len(), 2);
    let one = all.iter().find(|one| one.series.contains(&recorded.instance)).unwrap();
    let report = &one.report;
    assert_eq!(report.healthy, expected.healthy as u64);
    assert_eq!(report.unhealthy, expected.unhealthy as u64);
    assert_eq!(report.absent, absent as u64);
}

/// The server's data folder, dumped and read.
fn dump(promtool: &Path, place: &Path) -> Vec<Recording> {
    let output = std::process::Command::new(promtool)
        .args(["tsdb", "dump", "--match", "probe_success", "data"])
        .current_dir(place)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::write(place.join("dump.txt"), &output.stdout).unwrap();
    failover_budget::recorded::read(&place.join("dump.txt"), &Options::default()).unwrap()
}
