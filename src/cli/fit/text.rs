//! A refit as people read it, and as CSV.

use super::super::Failure;
use super::super::output::{counted, csv_text, interval, paragraph, table, table_text, watched};
use super::super::recording::Series;
use crate::estimate::Estimate;
use crate::fit::{Faults, Fitted, HistoryFit, Laws, Warning};
use crate::recorded::{Durations, Report};
use crate::time::Span;

/// Digits that an interval's width is shown with.
const DIGITS: usize = 2;

/// Recordings of one series that are told of one by one.
const MOST_REPORTS: usize = 3;

/// Refits of histories as tables.
pub fn histories(fitted: &[(&Series, HistoryFit)]) -> String {
    fitted.iter().map(|(series, fit)| history(series, fit)).collect::<Vec<_>>().join("\n")
}

fn history(series: &Series, fit: &HistoryFit) -> String {
    let observed = &fit.observed;
    let reports = || series.recordings.iter().map(|recording| &recording.report);
    let arrived: u64 = reports().map(|report| report.healthy + report.unhealthy).sum();
    // A log of changes: most of what is fitted was never recorded.
    let filled = match reports().map(|report| report.filled).sum() {
        0 => String::new(),
        filled => format!(", {} filled in from the last state", counted(filled, "check")),
    };
    let uneven = if observed.regular { "" } else { ", unevenly" };
    let rhythm = if observed.interval_s > 0.0 {
        format!(", one every {}{uneven}", interval(observed.interval_s))
    } else {
        String::new()
    };
    let head = format!(
        "{}: {} that arrived{filled}{rhythm}; {}; {} of failed probes; down {:.4} % of the time",
        series.name,
        counted(arrived, "check"),
        watched(observed.exposure_s),
        counted(observed.runs.len() as u64, "run"),
        100.0 * observed.unavailability()
    );
    let mut text = paragraph("", &head);
    for recording in series.recordings.iter().take(MOST_REPORTS) {
        text.push_str(&paragraph("", &report(&recording.report)));
    }
    let after = fit.threshold.after.map_or_else(
        || "no run is an outage".to_owned(),
        |after| format!("runs of {after} or longer are outages"),
    );
    text.push_str(&paragraph(
        "",
        &format!("Blips and outages: {after}; {}.", fit.threshold.reason),
    ));
    text.push('\n');
    let longer = if fit.threshold.one_law { fit.outages.n } else { 0 };
    text.push_str(&faults("Blips", &fit.blips, longer));
    text.push_str(&laws("Length of a blip", &fit.blips.length));
    text.push_str(&laws("Gap between faults", &fit.gap));
    text.push_str(&faults("Outages", &fit.outages, 0));
    text.push_str(&laws("Length of an outage", &fit.outages.length));
    text.push_str(&tail(&fit.blips.length));
    text.push_str(&warnings(&fit.warnings));
    text
}

/// What a recording turned out to be, left out what it has nothing of.
fn report(report: &Report) -> String {
    let secs = |secs: f64| Span::from_secs_f64((secs * 1e3).round() / 1e3).to_string();
    let mut said = vec![
        format!("{} from {:.0} to {:.0}", report.format, report.from, report.to),
        format!(
            "spacing {}, four in five from {} to {}, the longest {}",
            secs(report.interval_median_s),
            secs(report.interval_p10_s),
            secs(report.interval_p90_s),
            secs(report.longest_gap_s)
        ),
    ];
    let mut note = |count: u64, words: String| {
        if count > 0 {
            said.push(words);
        }
    };
    note(report.duplicates, counted(report.duplicates, "duplicate"));
    note(report.out_of_order, format!("{} out of order", counted(report.out_of_order, "row")));
    note(report.clock_steps, counted(report.clock_steps, "clock step"));
    let gaps = counted(report.gaps, "gap");
    note(report.absent, format!("{} did not arrive, {gaps}", counted(report.absent, "check")));
    note(report.filled, format!("{} written where the last state held", report.filled));
    note(report.holes, format!("{} of {}", counted(report.holes, "hole"), watched(report.holes_s)));
    note(report.unknown, format!("{} that say nothing", counted(report.unknown, "check")));
    note(
        report.left_truncated,
        format!("{} whose start was not seen", counted(report.left_truncated, "run")),
    );
    note(
        report.right_censored,
        format!("{} whose end was not seen", counted(report.right_censored, "run")),
    );
    for (mapped, count) in &report.mapped_states {
        note(*count, format!("{mapped} ({count})"));
    }
    format!("Recording: {}.", said.join("; "))
}

/// `longer` runs are outages by the length of the threshold, and of the same law as the blips.
fn faults(name: &str, faults: &Faults, longer: u64) -> String {
    let rate = faults.rate_per_day.map_or("unknown".to_owned(), |rate| with_open_ends(&rate));
    let longer = match longer {
        0 => String::new(),
        longer => format!("and {} of the same law, ", counted(longer, "longer run")),
    };
    let seen = if faults.length.selected.is_some() {
        format!("; probes see {:.1} % of them", 100.0 * faults.seen)
    } else {
        String::new()
    };
    let text = format!("{name}: {} seen, {longer}{rate} a day{seen}", faults.n);
    paragraph("", &text) + "\n"
}

fn laws(name: &str, laws: &Laws) -> String {
    table_of_laws([name, "parameters", "mean, s"], laws)
}

fn table_of_laws([name, parameters, mean]: [&str; 3], laws: &Laws) -> String {
    let mut text = String::new();
    if !laws.families.is_empty() {
        let headings = [name, parameters, mean, "log-lik.", "AICc", "weight", "fit p"];
        let mut rows = table(headings);
        for fitted in &laws.families {
            rows.add_row(row(fitted, laws));
        }
        text.push_str(&table_text(&rows));
    } else {
        text.push_str(name);
        text.push('\n');
    }
    text.push_str(&warnings(&laws.warnings));
    let best = laws.best().map_or(&[][..], |best| &best.warnings);
    text.push_str(&warnings(best));
    if !text.ends_with("\n\n") {
        text.push('\n');
    }
    text
}

fn row(fitted: &Fitted, laws: &Laws) -> Vec<String> {
    let mark = if Some(fitted.family) == laws.selected {
        " *"
    } else if laws.ties.contains(&fitted.family) {
        " ="
    } else {
        ""
    };
    let parameters: Vec<String> = fitted
        .parameters
        .iter()
        .filter(|(name, _)| *name != "mean_s")
        .map(|(name, estimate)| format!("{name} {}", plain(estimate)))
        .collect();
    let mean = fitted.mean_s.map_or("–".to_owned(), |mean| with_open_ends(&mean));
    let p = fitted.gof_p.map_or("–".to_owned(), |p| format!("{p:.3}"));
    if !fitted.converged {
        let none = || "–".to_owned();
        let name = fitted.family.name().to_owned();
        let bound = fitted.mean_s.map_or_else(none, |mean| format!("< {:.3}", mean.hi));
        return vec![name, "did not converge".to_owned(), bound, none(), none(), none(), none()];
    }
    vec![
        format!("{}{mark}", fitted.family.name()),
        parameters.join(", "),
        mean,
        format!("{:.3}", fitted.log_likelihood),
        format!("{:.2}", fitted.aicc),
        format!("{:.3}", fitted.weight),
        p,
    ]
}

/// An estimate with its interval, also where the data leave an end of it open.
fn with_open_ends(estimate: &Estimate) -> String {
    if estimate.lo.is_finite() && estimate.hi.is_finite() {
        return estimate.show(DIGITS);
    }
    let number = |value: f64| Estimate { value, lo: value, hi: value, ..*estimate }.show(1);
    let lo = if estimate.lo > 0.0 { number(estimate.lo) } else { "0".to_owned() };
    let hi = if estimate.hi.is_finite() { number(estimate.hi) } else { "∞".to_owned() };
    format!("{} ({lo}–{hi})", number(estimate.value))
}

/// A value to what its interval tells of it, and to three digits where that would be none.
fn plain(estimate: &Estimate) -> String {
    let exact = Estimate { lo: estimate.value, hi: estimate.value, ..*estimate };
    let width = estimate.hi - estimate.lo;
    let shown = if width < 10.0 * estimate.value.abs() { *estimate } else { exact };
    shown.show(1).split(" (").next().unwrap_or_default().to_owned()
}

/// Runs of at least so many failed probes, seen and by the selected law.
fn tail(laws: &Laws) -> String {
    let Some(best) = laws.best().filter(|best| !best.tail.is_empty()) else { return String::new() };
    let mut rows = table(["Failed probes in a row, at least", "runs seen", "by the law", "p"]);
    for point in &best.tail {
        rows.add_row([
            point.failures.to_string(),
            point.observed.to_string(),
            format!("{:.1}", point.expected),
            format!("{:.3}", point.p),
        ]);
    }
    table_text(&rows)
}

fn warnings(warnings: &[Warning]) -> String {
    warnings.iter().map(|warning| paragraph("  ", &warning.to_string())).collect()
}

/// Refits of lists of durations as tables.
pub fn durations(fitted: &[(&Durations, Laws)]) -> String {
    let one = |(list, found): &(&Durations, Laws)| {
        let censored = list.censored.iter().filter(|censored| **censored).count();
        let durations = counted(found.n, "duration");
        let head = format!("{}: {durations}, {censored} of them right-censored\n\n", list.name);
        // A list has no unit but its own.
        head + &table_of_laws(["Law", "parameters", "mean"], found)
    };
    fitted.iter().map(one).collect::<Vec<_>>().join("\n")
}

const HEADINGS: [&str; 14] = [
    "series",
    "of",
    "family",
    "selected",
    "n",
    "mean_s",
    "mean_s_lo",
    "mean_s_hi",
    "log_likelihood",
    "aicc",
    "bic",
    "weight",
    "gof_p",
    "parameters",
];

fn csv_rows(series: &str, of: &str, laws: &Laws, rows: &mut Vec<Vec<String>>) {
    let number = |x: f64| if x.is_finite() { x.to_string() } else { String::new() };
    for fitted in &laws.families {
        let mean = |of: fn(&Estimate) -> f64| {
            fitted.mean_s.as_ref().map_or(String::new(), |m| number(of(m)))
        };
        let parameters: Vec<String> =
            fitted.parameters.iter().map(|(name, e)| format!("{name}={}", e.value)).collect();
        rows.push(vec![
            series.to_owned(),
            of.to_owned(),
            fitted.family.name().to_owned(),
            (Some(fitted.family) == laws.selected).to_string(),
            laws.n.to_string(),
            mean(|m| m.value),
            mean(|m| m.lo),
            mean(|m| m.hi),
            number(fitted.log_likelihood),
            number(fitted.aicc),
            number(fitted.bic),
            number(fitted.weight),
            fitted.gof_p.map_or(String::new(), number),
            parameters.join(" "),
        ]);
    }
}

/// Refits of histories as CSV, a row a family.
///
/// # Errors
/// As [`csv_text`].
pub fn csv(fitted: &[(&Series, HistoryFit)]) -> Result<String, Failure> {
    let mut rows = Vec::new();
    for (series, fit) in fitted {
        csv_rows(&series.name, "blip length", &fit.blips.length, &mut rows);
        csv_rows(&series.name, "gap", &fit.gap, &mut rows);
        csv_rows(&series.name, "outage length", &fit.outages.length, &mut rows);
    }
    csv_text(&HEADINGS, &rows)
}

/// Refits of lists of durations as CSV.
///
/// # Errors
/// As [`csv_text`].
pub fn durations_csv(fitted: &[(&Durations, Laws)]) -> Result<String, Failure> {
    let mut rows = Vec::new();
    for (list, laws) in fitted {
        csv_rows(&list.name, "duration", laws, &mut rows);
    }
    csv_text(&HEADINGS, &rows)
}
