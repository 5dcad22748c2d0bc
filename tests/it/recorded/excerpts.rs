//! What is known of real excerpts comes out of them. Sources stand in tests/data/recorded/SOURCES.md.

use super::{excerpt, letters, only, warnings};
use failover_budget::recorded::{self, Format, GapMeaning, Options, Recording, SeriesChoice};

fn read(name: &str) -> Vec<Recording> {
    recorded::read(&excerpt(name), &Options::default()).unwrap()
}

fn refused(name: &str) -> String {
    recorded::read(&excerpt(name), &Options::default()).unwrap_err().to_string()
}

fn sums(recordings: &[Recording]) -> (u64, u64, u64) {
    let sum = |of: fn(&Recording) -> u64| recordings.iter().map(of).sum();
    (sum(|r| r.report.healthy), sum(|r| r.report.unhealthy), sum(|r| r.report.down_runs))
}

#[test]
fn prometheus_in_its_three_shapes_tells_of_one_outage_and_one_gap() {
    for name in ["query_range.json", "promtool_query_range.json"] {
        let one = only(Ok(read(name)));
        assert_eq!(one.format, Format::Prometheus);
        assert!(warnings(&one).contains("evaluation steps"), "{name}");
        assert_eq!((one.report.unhealthy, one.report.absent, one.report.down_runs), (7, 10, 1));
    }
    let raw = only(Ok(read("instant_range_vector.json")));
    assert!(!warnings(&raw).contains("evaluation steps"));
    assert_eq!((raw.report.healthy, raw.report.unhealthy, raw.report.absent), (22, 7, 10));
    let dump = only(Ok(read("tsdb_dump.txt")));
    assert_eq!(dump.format, Format::TsdbDump);
    assert_eq!(dump.report.mapped_states["NaN → no check"], 1);
    assert_eq!((dump.report.unhealthy, dump.report.down_runs), (7, 1));
    // The dump begins with the same scrapes as the range vector.
    assert_eq!(dump.epoch, raw.epoch);
    assert!(letters(&dump).starts_with(&letters(&raw)));
}

#[test]
fn a_gap_that_a_range_query_hides_is_warned_of_and_seen_in_raw_samples() {
    let hidden = only(Ok(read("gap_hidden_by_lookback.query_range.json")));
    assert_eq!(hidden.report.absent, 0);
    assert!(warnings(&hidden).contains("repeated for five minutes"));
    let raw = only(Ok(read("gap_hidden_by_lookback.raw.json")));
    assert_eq!((raw.report.absent, raw.report.gaps), (19, 2));
}

#[test]
fn kuma_heartbeats_survive_newlines_and_broken_text_in_messages() {
    let all = read("kuma_b.csv");
    let names: Vec<&str> = all.iter().map(|r| r.series.as_str()).collect();
    for monitor in ["monitor 1", "monitor 2", "monitor 6", "monitor 8", "monitor 9"] {
        assert!(names.contains(&monitor), "{monitor} in {names:?}");
    }
    assert!(all.iter().all(|r| !warnings(r).contains("could not be read")));
    let pending = all.iter().find(|r| r.series == "monitor 8").unwrap();
    assert_eq!(pending.report.mapped_states["pending → unhealthy"], 1);
    assert_eq!(pending.report.down_runs, 1);
    let page = read("kuma_a.statuspage.json");
    assert_eq!(sums(&page), (70, 20, 2));
}

#[test]
fn a_log_of_changes_holds_its_last_state() {
    let all = read("upptime_a.csv");
    assert_eq!(all.len(), 8);
    assert_eq!(sums(&all), (115, 4, 4));
    let cloud = all.iter().find(|r| r.series == "Demo Cloud").unwrap();
    assert_eq!(cloud.report.gap_meaning, GapMeaning::LastState);
    assert_eq!((cloud.report.absent, cloud.report.holes), (0, 0));
    // Down from 21:10:17 to 21:17:44 of a recording of 11.5 days.
    let down_s = cloud.report.unavailability * cloud.history.end.as_secs_f64();
    assert!((down_s - 447.0).abs() < 1.0, "{down_s}");
    assert!(warnings(cloud).contains("silence means the last state"));
    let log = read("upptime_b.gitlog.tsv");
    assert_eq!(sums(&log), (26, 1, 1));
    assert!(log.iter().any(|r| r.series == "Dhruv Portfolio" && r.report.down_runs == 1));
}

#[test]
fn outage_lists_are_histories_and_durations() {
    let all = read("upptime_a.outages.csv");
    assert_eq!(sums(&all).2, 29);
    let lengths = recorded::durations(&excerpt("upptime_a.outages.csv"), &Options::default());
    let lengths = lengths.unwrap();
    assert_eq!(lengths.values_s[..3], [447.0, 4981.0, 2813.0]);
    assert!(lengths.censored.iter().all(|censored| !censored));
    let trace = only(Ok(read("slack_trace.csv")));
    assert!(warnings(&trace).contains("unknown start"));
    assert_eq!((trace.report.down_runs, trace.report.left_truncated), (29, 0));
    let incidents = read("cloud_incidents.csv");
    assert!(warnings(&incidents[0]).contains("2 intervals end before they begin"));
    assert!(warnings(&incidents[0]).contains("no zone"));
}

#[test]
fn a_minute_log_has_a_hole_of_177_days() {
    let log = only(Ok(read("minute_log_a.log")));
    assert_eq!(log.format, Format::MinuteLog);
    assert_eq!((log.report.healthy, log.report.holes), (81, 1));
    assert!(warnings(&log).contains("176d 18h 57min before line 37"));
    assert!(warnings(&log).contains("no zone"));
    assert_eq!(log.report.unavailability, 0.0);
}

#[test]
fn grafana_cloudwatch_and_gatus_are_read_or_refused_with_the_reason() {
    let wide = only(Ok(read("grafana_wide_bom.csv")));
    assert_eq!((wide.format, wide.series.as_str()), (Format::Grafana, "probe_success"));
    assert_eq!(wide.report.healthy, 39);
    assert!(refused("grafana_series_as_rows.csv").contains("--down-values"));
    assert!(refused("gatus_endpoint_statuses.json").contains("0001-01-01"));
    let cloud = only(Ok(read("cloudwatch_get_metric_statistics.json")));
    assert_eq!((cloud.report.healthy, cloud.report.interval_s), (3, 18_000.0));
}

#[test]
fn a_latency_series_needs_a_threshold() {
    assert!(refused("nab_latency.csv").contains("--down-above"));
    let slow = Options { down_above: Some(45.0), ..Options::default() };
    let slow = only(recorded::read(&excerpt("nab_latency.csv"), &slow));
    assert_eq!(slow.report.duplicates, 11);
    assert!(slow.report.unhealthy > 0 && slow.report.healthy > 0);
}

#[test]
fn a_list_of_durations_is_no_history() {
    let lengths = recorded::durations(&excerpt("bearings.csv"), &Options::default()).unwrap();
    assert_eq!((lengths.values_s.len(), lengths.name.as_str()), (23, "time"));
    assert!((lengths.values_s.iter().sum::<f64>() - 1661.16).abs() < 1e-9);
    assert!(refused("bearings.csv").contains("list of durations"));
}

#[test]
fn the_report_is_plain_json() {
    let raw = only(Ok(read("instant_range_vector.json")));
    let json = serde_json::to_value(&raw.report).unwrap();
    assert_eq!(json["format"], "prometheus");
    assert_eq!(json["checks"], 39);
    assert_eq!(json["gap_meaning"], "absent");
    assert_eq!(json["from"], "2026-11-30T04:29:03.845Z");
    assert!(json["warnings"].is_array());
}

/// A chosen series is read as it is among the others: all of them tell how often a log of changes was
/// written.
#[test]
fn a_series_alone_is_the_same_as_among_others() {
    let path = excerpt("upptime_a.csv");
    let all = recorded::read(&path, &Options::default()).unwrap();
    assert!(all.len() > 1);
    for one in &all {
        let series = SeriesChoice::Named(vec![one.series.clone()]);
        let alone = Options { series, ..Options::default() };
        let alone = recorded::read(&path, &alone).unwrap();
        assert_eq!(alone.len(), 1);
        assert_eq!(alone[0].history, one.history, "{}", one.series);
    }
}
