//! The importers: real excerpts, traps made up for the purpose, hostile files, and a live server.

mod excerpts;
mod live;
mod robust;
mod traps;
mod typed_times;

use std::path::PathBuf;

use failover_budget::recorded::{self, Options, Recording};

/// An excerpt in `tests/data/recorded`.
fn excerpt(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/data/recorded", name].iter().collect()
}

/// Writes `content` to a file and reads it.
fn read_text(
    name: &str,
    content: impl AsRef<[u8]>,
    options: &Options,
) -> Result<Vec<Recording>, recorded::ReadError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    recorded::read(&path, options)
}

/// The only series of what was read.
fn only(read: Result<Vec<Recording>, recorded::ReadError>) -> Recording {
    let mut all = read.unwrap();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// The warnings of a recording, as users see them.
fn warnings(recording: &Recording) -> String {
    let said: Vec<String> = recording.report.warnings.iter().map(|w| w.to_string()).collect();
    said.join("\n")
}

/// The checks as seconds since the first and a letter: `S` healthy, `F` unhealthy, `-` absent, `?`
/// for a due probe of which nothing is known.
fn checks(recording: &Recording) -> Vec<(f64, char)> {
    use failover_budget::history::{Check, Due};
    let history = &recording.history;
    let Due::Listed(instants) = &history.due else { panic!("recordings have listed instants") };
    assert!(instants.windows(2).all(|w| w[0] < w[1]), "instants rise strictly");
    let mut seen: Vec<(f64, char)> =
        instants.iter().map(|instant| (instant.as_secs_f64(), '?')).collect();
    let mut reached = 0;
    for spell in &history.spells {
        assert!(spell.first >= reached && spell.count > 0, "spells are in order");
        reached = spell.end();
        for probe in spell.first..spell.end() {
            seen[probe as usize].1 = match spell.check {
                Check::Healthy => 'S',
                Check::Unhealthy => 'F',
                Check::Absent => '-',
            };
        }
    }
    seen
}

/// Only the letters of [`checks`].
fn letters(recording: &Recording) -> String {
    checks(recording).into_iter().map(|(_, letter)| letter).collect()
}
