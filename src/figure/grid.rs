//! The axes of a sweep as charts use them: which of them move the trigger's figures and which only
//! the budget, which moves most, and how a place on them is called.

use super::book::Book;
use super::words;
use crate::scenario::{Ownership, Scenario};
use crate::sweep::SweepError;

/// Triggers that are looked at when axes are compared.
const LOOKED_AT: usize = 9;

/// One axis of the sweep.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its number in the sweep.
    pub index: usize,
    /// How many places it has.
    pub places: usize,
    /// True where it moves false failovers or detection, false where only what follows them.
    pub moves_triggers: bool,
    /// How much it moves them: a mean difference of logarithms.
    pub effect: f64,
    stride: usize,
}

/// The axes of a sweep.
#[derive(Clone, Debug)]
pub struct Grid {
    /// In the sweep's order, those with one place included.
    pub axes: Vec<Axis>,
}

impl Grid {
    /// Compares the axes of a book.
    ///
    /// # Errors
    /// When the table lacks a column.
    pub fn of(book: &Book) -> Result<Self, SweepError> {
        let mut axes = Vec::new();
        let mut stride = book.points().len();
        for (index, axis) in book.sweep.axes.iter().enumerate() {
            let places = axis.places.len();
            stride /= places.max(1);
            let mut axis = Axis { index, places, moves_triggers: false, effect: 0.0, stride };
            axis.moves_triggers = moves_triggers(book, &axis);
            if axis.moves_triggers {
                axis.effect = effect(book, &axis)?;
            }
            axes.push(axis);
        }
        Ok(Grid { axes })
    }

    /// Axes with two places or more that move the triggers' figures, the strongest first.
    pub fn moving(&self) -> Vec<&Axis> {
        let mut moving: Vec<&Axis> =
            self.axes.iter().filter(|axis| axis.moves_triggers && axis.places > 1).collect();
        moving.sort_by(|a, b| b.effect.total_cmp(&a.effect));
        moving
    }

    /// Axes with two places or more that move only what follows detection.
    pub fn budget(&self) -> Vec<&Axis> {
        self.axes.iter().filter(|axis| !axis.moves_triggers && axis.places > 1).collect()
    }

    /// The point at these places, and at the first place of every other axis.
    pub fn point(&self, places: &[(usize, usize)]) -> usize {
        places.iter().map(|(axis, place)| self.axes[*axis].stride * place).sum()
    }
}

/// Every combination of places on `axes`, the last moving fastest, as (axis, place).
pub fn combinations(axes: &[&Axis]) -> Vec<Vec<(usize, usize)>> {
    let mut all = vec![Vec::new()];
    for axis in axes {
        all = all
            .into_iter()
            .flat_map(|places: Vec<(usize, usize)>| {
                (0..axis.places).map(move |place| {
                    let mut places = places.clone();
                    places.push((axis.index, place));
                    places
                })
            })
            .collect();
    }
    all
}

/// At most `most` of `0..count`, evenly spread, both ends included.
pub fn spread(count: usize, most: usize) -> Vec<usize> {
    if count <= most || most < 2 {
        return (0..count.min(most.max(1))).collect();
    }
    let last = (count - 1) as f64;
    (0..most).map(|i| (i as f64 * last / (most - 1) as f64).round() as usize).collect()
}

/// What a combination of places is called, like `mean blip 5 s, interval 10 s`.
pub fn called(book: &Book, places: &[(usize, usize)]) -> String {
    let one = |(axis, place): &(usize, usize)| {
        let axis = &book.sweep.axes[*axis];
        let labels = axis.columns.iter().zip(&axis.places[*place].labels);
        let words: Vec<String> = labels
            .map(|(column, label)| {
                format!("{} {}", words::axis(column), words::value(column, label))
            })
            .collect();
        words.join(", ")
    };
    places.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The values alone of a combination of places, like `5 s, 10 s`.
pub fn values(book: &Book, places: &[(usize, usize)]) -> String {
    let one = |(axis, place): &(usize, usize)| {
        let axis = &book.sweep.axes[*axis];
        let labels = axis.columns.iter().zip(&axis.places[*place].labels);
        labels.map(|(column, label)| words::value(column, label)).collect::<Vec<_>>().join(", ")
    };
    places.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// What axes are called, like `mean blip`.
pub fn names(book: &Book, axes: &[usize]) -> String {
    let columns = axes.iter().flat_map(|axis| &book.sweep.axes[*axis].columns);
    columns.map(|column| words::axis(column)).collect::<Vec<_>>().join(", ")
}

/// Whether scenarios along the axis differ in more than what follows detection.
fn moves_triggers(book: &Book, axis: &Axis) -> bool {
    let before_firing = |place: usize| {
        let scenario = &book.points()[axis.stride * place].scenario;
        let bare = Scenario::default();
        Scenario {
            rto: bare.rto,
            stages: bare.stages,
            targets: bare.targets,
            ownership: Ownership::default(),
            name: String::new(),
            ..scenario.clone()
        }
    };
    let first = before_firing(0);
    (1..axis.places).any(|place| before_firing(place) != first)
}

/// Mean difference in the logarithms of rate and delay between an axis's places and its first.
fn effect(book: &Book, axis: &Axis) -> Result<f64, SweepError> {
    let points = book.points().len();
    let bases = (0..points).filter(|point| (point / axis.stride).is_multiple_of(axis.places));
    let bases: Vec<usize> = bases.collect();
    let (mut sum, mut n) = (0.0, 0.0);
    for base in spread(bases.len(), LOOKED_AT).into_iter().map(|place| bases[place]) {
        for trigger in spread(book.triggers(base), LOOKED_AT) {
            let first = book.cell(base, trigger)?;
            for place in spread(axis.places, LOOKED_AT).into_iter().skip(1) {
                let point = base + axis.stride * place;
                if trigger >= book.triggers(point) {
                    continue;
                }
                let other = book.cell(point, trigger)?;
                let rate = |cell: &super::book::Cell| {
                    cell.rate.best().max(cell.rate.hi * 0.1).max(1e-12).ln()
                };
                let delay = |cell: &super::book::Cell| {
                    cell.delay_s.map_or(1.0, |delay| delay.value.max(1.0)).ln()
                };
                sum += (rate(&other) - rate(&first)).abs() + (delay(&other) - delay(&first)).abs();
                n += 1.0;
            }
        }
    }
    Ok(if n > 0.0 { sum / n } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_keeps_both_ends() {
        assert_eq!(spread(5, 6), [0, 1, 2, 3, 4]);
        assert_eq!(spread(11, 6), [0, 2, 4, 6, 8, 10]);
        assert_eq!(spread(100, 2), [0, 99]);
        assert!(spread(0, 6).is_empty());
    }
}
