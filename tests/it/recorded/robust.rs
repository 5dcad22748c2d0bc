//! No file makes the importers panic, and what the exporter writes is read back check for check.

use std::sync::Arc;

use super::{excerpt, letters, only, read_text};
use failover_budget::history::{Builder, Check, Due, History};
use failover_budget::recorded::{self, Format, Options};
use failover_budget::time::Time;
use proptest::prelude::*;

/// Reads the bytes as whatever they look like, and as every format; errors name the file.
fn read_every_way(content: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hostile.bin");
    std::fs::write(&path, content).unwrap();
    let formats = Format::ALL.into_iter().map(Some).chain([None]);
    for format in formats {
        let options = Options { format, ..Options::default() };
        let read = recorded::load(&path, &options).err();
        let lengths = recorded::durations(&path, &options).err();
        for error in read.into_iter().chain(lengths) {
            assert!(error.to_string().contains("hostile.bin"), "{error}");
        }
    }
}

const EXCERPTS: [&str; 12] = [
    "tsdb_dump.txt",
    "query_range.json",
    "kuma_b.csv",
    "kuma_a.statuspage.json",
    "upptime_a.csv",
    "upptime_b.gitlog.tsv",
    "minute_log_a.log",
    "cloudwatch_get_metric_statistics.json",
    "gatus_endpoint_statuses.json",
    "grafana_wide_bom.csv",
    "slack_trace.csv",
    "cloud_incidents.csv",
];

fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let edits = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..12);
    (prop::sample::select(&EXCERPTS[..]), edits, any::<prop::sample::Index>()).prop_map(
        |(name, edits, cut)| {
            let mut bytes = std::fs::read(excerpt(name)).unwrap();
            bytes.truncate(3_000);
            for (place, byte, kind) in edits {
                let at = place.index(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
                match kind {
                    0 => bytes[at] = byte,
                    1 => bytes.insert(at, byte),
                    2 => bytes[at] = b"0123456789-,;\"{}[]\n\t"[usize::from(byte) % 20],
                    _ => {
                        let piece = bytes[at..bytes.len().min(at + 40)].to_vec();
                        bytes.extend(piece);
                    }
                }
            }
            if cut.index(4) == 0 {
                bytes.truncate(cut.index(bytes.len()));
            }
            bytes
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_bytes_never_panic(content in prop::collection::vec(any::<u8>(), 0..600)) {
        read_every_way(&content);
    }

    #[test]
    fn mutated_recordings_never_panic(content in mutated()) {
        read_every_way(&content);
    }

    #[test]
    fn numbers_of_any_size_never_panic(rows in prop::collection::vec((any::<i64>(), any::<bool>()), 1..40)) {
        let mut text = "time,status\n".to_owned();
        for (at, up) in rows {
            text.push_str(&format!("{at},{}\n", u8::from(up)));
        }
        read_every_way(text.as_bytes());
    }

    #[test]
    fn what_is_written_is_read_back(history in histories()) {
        let epoch: jiff::Timestamp = "2024-03-31T00:30:00.123456789Z".parse().unwrap();
        let mut text = Vec::new();
        recorded::write_csv(&history, epoch, &mut text).unwrap();
        let read = only(read_text("h.csv", &text, &Options::default()));
        prop_assert_eq!(&read.history.due, &history.due);
        prop_assert_eq!(&read.history.spells, &history.spells);
        prop_assert_eq!(read.epoch, epoch);
    }
}

/// Histories with a steady rhythm, jitter of a fifth, absent checks and holes. They begin with a
/// known check at instant 0, as the first instant of a recording is its epoch.
fn histories() -> impl Strategy<Value = History> {
    let probes = prop::collection::vec((0..1_000i64, 0..12u8), 4..200);
    (probes, 1..600i64).prop_map(|(probes, interval_s)| {
        let interval = interval_s * 1_000_000_000;
        let mut spells = Builder::new();
        let mut instants = Vec::new();
        for (i, (jitter, state)) in probes.iter().enumerate() {
            let jitter = if i == 0 { 0 } else { interval / 5 * jitter / 1_000 };
            instants.push(Time::from_nanos(i as i64 * interval + jitter));
            let check = match state {
                0 | 1 => Check::Unhealthy,
                2 => Check::Absent,
                3 if i > 0 => continue,
                _ => Check::Healthy,
            };
            spells.add(i as u64, i as u64 + 1, check);
        }
        let end = instants[instants.len() - 1];
        let due = Due::Listed(Arc::from(instants));
        History { due, spells: spells.finish(), restarts: vec![], faults: vec![], end }
    })
}

#[test]
fn files_that_are_no_recordings_are_refused_with_the_reason() {
    let said =
        |content: &[u8]| read_text("x.dat", content, &Options::default()).unwrap_err().to_string();
    assert!(said(b"").contains("empty"));
    assert!(said(b"\n  \n").contains("empty"));
    assert!(said(b"\x1f\x8b\x08\x00").contains("gunzip"));
    assert!(said(b"\xff\xfet\0i\0").contains("iconv"));
    assert!(said(b"\x7fELF\0\0\0").contains("binary"));
    assert!(said(b"hello\nworld\n").contains("--source-format"));
    assert!(said(b"a,b,c\n1,2,x\n").contains("--time-column"));
    assert!(said(b"{\"a\": 1}").contains("JSON"));
    assert!(
        said(b"{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"res")
            .contains("cut off")
    );
    let error = b"{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"parse error\"}";
    assert!(said(error).contains("bad_data: parse error"));
    assert!(said(b"time,status\n2024-01-01T00:00:00Z,perhaps\n").contains("line 2"));
    assert!(said(b"SQLite format 3\0garbage").contains("SQLite"));
    assert!(said(b"PAR1garbage").contains("x.dat"));
    let folder = tempfile::tempdir().unwrap();
    let said = recorded::read(folder.path(), &Options::default()).unwrap_err().to_string();
    assert!(said.contains("directory"));
}

#[test]
fn a_row_cut_off_at_the_end_is_skipped_and_told() {
    let mut text = "time,status\n".to_owned();
    for i in 0..20 {
        text.push_str(&format!("2024-01-01T00:00:{i:02}Z,up\n"));
    }
    text.push_str("2024-01-01T00:0");
    let read = only(read_text("cut.csv", &text, &Options::default()));
    assert_eq!(letters(&read), "S".repeat(20));
    assert!(read.report.warnings.iter().any(|w| w.to_string().contains("line 22")));
}

#[test]
fn a_year_between_two_changes_does_not_fill_the_memory() {
    let text = "start,end,site\n1000,1000000000,a\n2000000000,3000000000,a\n";
    let options = Options { interval: Some("1ms".parse().unwrap()), ..Options::default() };
    let said = read_text("i.csv", text, &options).unwrap_err().to_string();
    assert!(said.contains("--interval"), "{said}");
}
