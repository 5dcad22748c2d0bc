//! The survival function as a table of polynomials, cell by cell of the probe interval.
//!
//! The integral equation asks for the survival some ten thousand times; a table makes that cheap for
//! every family. Panels are halved until they are right to about twelve digits of their own values,
//! so that far tails keep their digits; they break where the survival does.

use std::f64::consts::PI;

use crate::law::Law;

/// Chebyshev nodes of a panel.
const NODES: usize = 12;

/// What a panel may be wrong by: relative to its own values, and more if it is short.
const TOLERANCE: f64 = 1e-12;

/// A survival below this counts as zero: it is a hundred orders below what a rate can be told by.
const NOTHING: f64 = 1e-250;

/// The survival between two lengths.
#[derive(Clone, Debug)]
struct Panel {
    from: f64,
    to: f64,
    /// Coefficients of the Chebyshev polynomials.
    coefficients: [f64; NODES],
}

/// The survival from zero over some cells.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    cell: f64,
    panels: Vec<Panel>,
    /// Index of each cell's first panel, and of the end.
    first: Vec<usize>,
    /// Whether the law breaks right where each cell begins.
    broken: Vec<bool>,
}

impl Kernel {
    pub(super) fn new(law: &Law, cell: f64, cells: usize) -> Self {
        let breaks = law.breaks();
        let cosines = cosines();
        let (mut panels, mut first, mut broken) = (Vec::new(), vec![0], Vec::new());
        for index in 0..cells {
            let (from, to) = (index as f64 * cell, (index + 1) as f64 * cell);
            let inside = |edge: &&f64| **edge > from && **edge < to;
            broken.push(breaks.contains(&from));
            let mut start = from;
            for end in breaks.iter().filter(inside).chain([&to]) {
                if *end > start {
                    add(&mut panels, law, &cosines, (start, *end), cell);
                    start = *end;
                }
            }
            first.push(panels.len());
        }
        Kernel { cell, panels, first, broken }
    }

    /// Length of a cell.
    pub(super) fn cell(&self) -> f64 {
        self.cell
    }

    fn panels_of(&self, cell: usize) -> &[Panel] {
        match (self.first.get(cell), self.first.get(cell + 1)) {
            (Some(from), Some(to)) => &self.panels[*from..*to],
            _ => &[],
        }
    }

    /// True iff the survival is smooth over a cell and the one before it: a single polynomial serves
    /// for each, and they meet without a jump or a kink.
    ///
    /// A break at a multiple of the interval splits neither cell, so that their panels do not tell.
    pub(super) fn is_smooth_around(&self, cell: usize) -> bool {
        let Some(before) = cell.checked_sub(1) else { return false };
        let is_one = |cell| self.panels_of(cell).len() == 1;
        is_one(before) && is_one(cell) && self.broken.get(cell) == Some(&false)
    }

    /// Chance that a blip lasts longer than `y ≥ 0`.
    pub(super) fn survival(&self, y: f64) -> f64 {
        let cell = (y / self.cell) as usize;
        let panels = self.panels_of(cell.min(self.first.len() - 2));
        let index = panels.partition_point(|panel| panel.to <= y).min(panels.len() - 1);
        panels[index].at(y)
    }

    /// Integral of the survival over a cell, in seconds.
    pub(super) fn integral(&self, cell: usize) -> f64 {
        self.panels_of(cell).iter().map(Panel::integral).sum()
    }

    /// Ends of panels strictly between two lengths, ascending.
    pub(super) fn edges(&self, from: f64, to: f64) -> impl DoubleEndedIterator<Item = f64> + '_ {
        let start = self.panels.partition_point(|panel| panel.to <= from);
        let end = self.panels.partition_point(|panel| panel.to < to);
        self.panels[start.min(end)..end].iter().map(|panel| panel.to)
    }
}

impl Panel {
    fn at(&self, y: f64) -> f64 {
        let t = (2.0 * y - self.from - self.to) / (self.to - self.from);
        let (mut above, mut here) = (0.0, 0.0);
        for coefficient in self.coefficients.iter().skip(1).rev() {
            (above, here) = (here, 2.0 * t * here - above + coefficient);
        }
        self.coefficients[0] + t * here - above
    }

    fn integral(&self) -> f64 {
        let even = self.coefficients.iter().enumerate().step_by(2);
        let sum: f64 = even.map(|(k, c)| c / (1.0 - (k * k) as f64)).sum();
        sum * (self.to - self.from)
    }
}

/// `cos(π k (i + 1/2)/NODES)` for node `i` and polynomial `k`.
fn cosines() -> [[f64; NODES]; NODES] {
    std::array::from_fn(|i| {
        std::array::from_fn(|k| (PI * k as f64 * (i as f64 + 0.5) / NODES as f64).cos())
    })
}

/// Adds panels for the survival between two lengths, halving them until they are right.
fn add(
    panels: &mut Vec<Panel>,
    law: &Law,
    cosines: &[[f64; NODES]; NODES],
    whole: (f64, f64),
    cell: f64,
) {
    let mut open = vec![whole];
    while let Some((from, to)) = open.pop() {
        if law.survival(from) < NOTHING {
            panels.push(Panel { from, to, coefficients: [0.0; NODES] });
            continue;
        }
        let panel = fitted(law, cosines, from, to);
        let middle = 0.5 * (from + to);
        let narrow = middle <= from || middle >= to || to - from < 1e-12 * cell;
        if narrow || is_right(&panel, law, cell) {
            panels.push(panel);
        } else {
            open.push((middle, to));
            open.push((from, middle));
        }
    }
}

fn fitted(law: &Law, cosines: &[[f64; NODES]; NODES], from: f64, to: f64) -> Panel {
    let at = |cosine: f64| law.survival(0.5 * (from + to) + 0.5 * (to - from) * cosine);
    let values: [f64; NODES] = std::array::from_fn(|i| at(cosines[i][1]));
    let coefficients = std::array::from_fn(|k| {
        let sum: f64 = values.iter().zip(cosines).map(|(value, row)| value * row[k]).sum();
        sum * if k == 0 { 1.0 } else { 2.0 } / NODES as f64
    });
    Panel { from, to, coefficients }
}

/// Looks between the nodes, near the ends and in the middle.
fn is_right(panel: &Panel, law: &Law, cell: f64) -> bool {
    let (width, last) = (panel.to - panel.from, law.survival(panel.to));
    let first = law.survival(panel.from);
    let scale = last.max(1e-3 * first) * cell / width;
    [0.003, 0.23, 0.5, 0.69, 0.997].into_iter().all(|share| {
        let y = panel.from + share * width;
        (panel.at(y) - law.survival(y)).abs() <= TOLERANCE * scale
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_survival_far_into_the_tail() {
        for law in [
            Law::gamma(2.0, 10.0),
            Law::weibull(0.7, 15.8),
            Law::weibull(3.0, 20.0),
            Law::lognormal(2.5, 1.0),
            Law::pareto(1.5, 6.7),
            Law::uniform(5.0, 35.0),
            Law::constant(25.0),
            Law::log_logistic(1.5, 8.0),
            Law::exponential(0.1),
        ] {
            let law = law.unwrap();
            let kernel = Kernel::new(&law, 10.0, 30);
            for i in 0..3_000 {
                let y = 1e-4 + f64::from(i) * 0.0999;
                let (found, truth) = (kernel.survival(y), law.survival(y));
                let near = (found - truth).abs() <= 1e-8 * truth + NOTHING;
                assert!(near, "{law:?} at {y}: {found:e} {truth:e}");
            }
            for cell in 0..3 {
                let (from, to) = (10.0 * cell as f64, 10.0 * (cell + 1) as f64);
                let truth = law.cumulative_survival(to) - law.cumulative_survival(from);
                assert!((kernel.integral(cell) - truth).abs() < 1e-11, "{law:?} cell {cell}");
            }
        }
    }

    #[test]
    fn edges_lie_strictly_between() {
        let kernel = Kernel::new(&Law::constant(25.0).unwrap(), 10.0, 5);
        let edges: Vec<f64> = kernel.edges(10.0, 40.0).collect();
        assert_eq!(edges, [20.0, 25.0, 30.0]);
    }

    #[test]
    fn a_break_between_two_cells_is_not_smooth() {
        let smooth = |law: Law, cell: usize| Kernel::new(&law, 10.0, 6).is_smooth_around(cell);
        let jumps = || Law::empirical(vec![20.0, 40.0], None).unwrap();
        assert!(smooth(jumps(), 1) && !smooth(jumps(), 2) && !smooth(jumps(), 4));
        let kinks = || Law::uniform(10.0, 30.0).unwrap();
        assert!(smooth(kinks(), 2) && !smooth(kinks(), 1) && !smooth(kinks(), 3));
        let inside = || Law::constant(25.0).unwrap();
        assert!(smooth(inside(), 1) && !smooth(inside(), 2) && !smooth(inside(), 3));
    }
}
