//! Reading a scenario file named on the command line.

use std::path::Path;

use super::{Failure, Global, output};
use crate::scenario::{Document, FEW_CYCLES, Scenario};
use crate::time::Span;

/// The largest scenario or spec that is read, in bytes.
const LARGEST: u64 = 16 * 1024 * 1024;

/// The text of a TOML file.
///
/// # Errors
/// When it cannot be read, is too large, or is not UTF-8; each names the file.
pub fn text(path: &Path) -> Result<String, Failure> {
    let shown = path.display();
    let unreadable =
        |why: &dyn std::fmt::Display| Failure::BadInput(format!("{shown}: cannot be read: {why}"));
    let size = std::fs::metadata(path).map_err(|why| unreadable(&why))?.len();
    if size > LARGEST {
        return Err(unreadable(&format!("it is {size} bytes long; allowed: {LARGEST}")));
    }
    let bytes = std::fs::read(path).map_err(|why| unreadable(&why))?;
    String::from_utf8(bytes).map_err(|_| unreadable(&"it is not UTF-8 text"))
}

/// The document in a TOML file.
///
/// # Errors
/// As [`text`], and when it is not TOML.
pub fn document(path: &Path) -> Result<Document, Failure> {
    Document::new(&path.display().to_string(), &text(path)?).map_err(Failure::bad_input)
}

/// The scenario in a file, or the lab's defaults when no file is named.
///
/// # Errors
/// As [`document`], and when the scenario is not valid.
pub fn scenario(path: Option<&Path>) -> Result<Scenario, Failure> {
    match path {
        None => Ok(Scenario::default()),
        Some(path) => Scenario::from_document(&document(path)?).map_err(Failure::bad_input),
    }
}

/// Says so where the runs are too short to stand for the long run.
pub fn note_short_runs(scenario: &Scenario, global: &Global) {
    if let Some(cycle) = scenario.cycle_too_long() {
        let enough = Span::from_days((cycle.as_days_f64() * FEW_CYCLES).ceil() as i64);
        global.note(&format!(
            "a run of {} is short beside the {cycle} from one blip to the next: it begins healthy with a whole \
             gap, so its rates are not those of the long run; make `run.length` {enough} or more",
            scenario.run.length
        ));
    }
}

/// Says so where outages stand so close that their intervals are too narrow.
pub fn note_crowded_outages(scenario: &Scenario, global: &Global) {
    if let Some(blips) = scenario.blips_too_few() {
        global.note(&format!(
            "{} in a run meet the same {} again and again, but the intervals of their shares and \
             delays take them as independent and are too narrow; take more `run.replications` instead of so \
             large an `outage.per_replication`, or longer runs",
            output::counted(scenario.outage.per_replication, "outage"),
            output::counted(blips, "blip"),
        ));
    }
}
