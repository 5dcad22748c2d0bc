//! One series of the trade-off chart: the triggers at one setting, as spots.

use crate::figure::book::{Book, Measured};
use crate::sweep::SweepError;

/// A trigger that misses more outages than this has a delay that flatters it.
pub const MISSES: f64 = 0.05;

/// A trigger in the chart.
#[derive(Clone, Debug)]
pub struct Spot {
    /// As written.
    pub trigger: String,
    /// Mean detection delay in seconds.
    pub delay_s: Measured,
    /// False failovers a day.
    pub rate: Measured,
    /// True where no other trigger at the setting beats it.
    pub on_frontier: bool,
    /// True where it misses more than [`MISSES`] of the outages.
    pub misses: bool,
}

impl Spot {
    /// True iff no false failover was seen, so that only an upper bound is known.
    pub fn is_bound(&self) -> bool {
        self.rate.value == 0.0
    }

    /// Where it stands on the vertical axis.
    pub fn height(&self) -> f64 {
        if self.is_bound() { self.rate.hi } else { self.rate.value }
    }
}

/// The triggers at one setting, by delay.
#[derive(Clone, Debug)]
pub struct Series {
    /// The setting's values.
    pub name: String,
    /// Those that detected anything.
    pub spots: Vec<Spot>,
    /// How many detected nothing.
    pub blind: usize,
    /// Simulated days behind each spot.
    pub days: f64,
}

impl Series {
    /// The triggers at `point`.
    pub fn of(book: &Book, point: usize, name: String) -> Result<Series, SweepError> {
        let mut series = Series { name, spots: Vec::new(), blind: 0, days: 0.0 };
        for trigger in 0..book.triggers(point) {
            let cell = book.cell(point, trigger)?;
            series.days = cell.days;
            let Some(delay_s) = cell.delay_s else {
                series.blind += 1;
                continue;
            };
            series.spots.push(Spot {
                trigger: cell.trigger,
                delay_s,
                rate: cell.rate,
                on_frontier: cell.on_frontier,
                misses: cell.missed > MISSES,
            });
        }
        series.spots.sort_by(|a, b| a.delay_s.value.total_cmp(&b.delay_s.value));
        Ok(series)
    }

    /// Delay and rate of the optimal rule as far as theory gives them, by delay. For faults that fail
    /// every probe that is "k in a row", and only then is there a theory.
    pub fn optimum(&self) -> Vec<(f64, f64)> {
        let known = |spot: &Spot| {
            let is_optimal =
                spot.trigger.starts_with("consecutive:") || spot.trigger.starts_with("window:");
            Some((spot.delay_s.exact?, spot.rate.exact?)).filter(|_| is_optimal)
        };
        let mut line: Vec<(f64, f64)> = self.spots.iter().filter_map(known).collect();
        line.sort_by(|a, b| a.0.total_cmp(&b.0));
        line
    }

    /// Spots that deserve a label, the most telling first: the quickest that fires falsely at most
    /// once in 30 days, the quietest one whose rate is known well, the first of all.
    pub fn telling(&self) -> Vec<&Spot> {
        let frontier = || self.spots.iter().filter(|spot| spot.on_frontier);
        let rare = frontier().find(|spot| spot.height() <= 1.0 / 30.0);
        let is_known = |spot: &&Spot| spot.rate.lo > 0.0 && spot.rate.hi < 5.0 * spot.rate.lo;
        let quietest = frontier().rfind(is_known);
        let first = frontier().next();
        let mut telling: Vec<&Spot> = Vec::new();
        for spot in [rare, quietest, first].into_iter().flatten() {
            if telling.iter().all(|other| other.trigger != spot.trigger) {
                telling.push(spot);
            }
        }
        telling
    }
}
