//! The figures that the page's script reads: one entry for each trigger at each point.

use serde::Serialize;

use super::choice::Verdict;
use super::pareto;
use super::study::{Run, Study};
use super::words;
use super::words::seconds as number;

/// The most settings that a page takes; a larger sweep shows its frontier.
const MOST_KEPT: usize = 6_000;

/// All that the script knows.
#[derive(Serialize)]
pub(super) struct Data<'a> {
    columns: Vec<ColumnData>,
    primary: Option<usize>,
    /// For each column the value shown at first; none for all.
    filter: Vec<Option<usize>>,
    targets: Vec<String>,
    rows: Vec<Entry<'a>>,
    /// The setting that is described at first: the answer of the first target that has one.
    first: Option<usize>,
    /// For each point of the grid, which value of each column it has.
    points: Vec<Vec<usize>>,
}

#[derive(Serialize)]
struct ColumnData {
    label: String,
    values: Vec<String>,
}

/// Point, trigger, patience, rate as a number and in words, delay likewise, on the frontier, targets.
#[derive(Serialize)]
struct Entry<'a>(usize, &'a str, f64, f64, String, Option<f64>, String, u8, Vec<TargetEntry>);

/// Recovery as a number and in words, RTO met likewise, and the verdict: 1 meets, 0 misses, 2 open.
#[derive(Serialize)]
struct TargetEntry(Option<f64>, String, f64, String, u8);

/// The settings that the page shows, by point and trigger.
pub(super) fn kept(study: &Study) -> Vec<(usize, usize)> {
    let all = || {
        let runs = |point: usize| (0..study.runs[point].len()).map(move |trigger| (point, trigger));
        (0..study.runs.len()).flat_map(runs)
    };
    if all().count() <= MOST_KEPT {
        return all().collect();
    }
    let on_frontier = |(point, trigger): &(usize, usize)| study.runs[*point][*trigger].on_frontier;
    all().filter(on_frontier).take(MOST_KEPT).collect()
}

/// What to say where settings were left out.
pub(super) fn left_out(study: &Study) -> Option<String> {
    let all: usize = study.runs.iter().map(Vec::len).sum();
    let kept = kept(study).len();
    (kept < all).then(|| {
        format!("The page shows {kept} of {all} settings, those on the frontier first; results.parquet has them all.")
    })
}

/// The data of a study.
pub(super) fn data(study: &Study) -> Data<'_> {
    let column = |column: &super::study::AxisColumn| ColumnData {
        label: words::axis(&column.name),
        values: column.values.iter().map(words::value).collect(),
    };
    let points = 0..study.points().len();
    let kept = kept(study);
    let answer = study.answers_at_base().first().map(|trigger| (study.base, *trigger));
    Data {
        columns: study.columns.iter().map(column).collect(),
        primary: pareto::primary(study),
        filter: pareto::first_filter(study),
        targets: study.targets(),
        first: answer.and_then(|answer| kept.iter().position(|setting| *setting == answer)),
        rows: kept.into_iter().map(|(point, trigger)| entry(study, point, trigger)).collect(),
        points: points.map(|point| study.columns.iter().map(|c| c.at[point]).collect()).collect(),
    }
}

fn entry(study: &Study, point: usize, trigger: usize) -> Entry<'_> {
    let run: &Run = &study.runs[point][trigger];
    let delay = run.detection_mean_s;
    Entry(
        point,
        &run.trigger,
        run.patience_s,
        words::round(run.shown_rate(), 5),
        words::rate(&run.rate),
        delay.map(|delay| words::round(delay.value, 6)),
        delay.map_or("none detected".to_owned(), |delay| delay.show(1)),
        u8::from(run.on_frontier),
        (0..run.targets.len()).map(|target| target_entry(study, point, trigger, target)).collect(),
    )
}

fn target_entry(study: &Study, point: usize, trigger: usize, target: usize) -> TargetEntry {
    let figures = &study.runs[point][trigger].targets[target];
    let recovery = match (figures.recovery_p50_s, figures.recovery_p99_s) {
        (Some(p50), Some(p99)) => {
            let p99_text = if p99.lo == p99.hi { number(p99.value) } else { p99.show(1) };
            format!("median {} s, 99 % within {p99_text} s", number(words::round(p50.value, 4)))
        }
        _ => "none recovered".to_owned(),
    };
    let verdict = match study.verdict(point, trigger, target) {
        Verdict::Misses => 0,
        Verdict::Meets => 1,
        Verdict::Open => 2,
    };
    TargetEntry(
        figures.recovery_p99_s.map(|p99| words::round(p99.value, 5)),
        recovery,
        words::round(figures.rto_met.value, 6),
        words::percent(&figures.rto_met),
        verdict,
    )
}
