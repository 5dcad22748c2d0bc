//! Intervals by profile likelihood: the edge of the likelihood region, and the range that any figure
//! takes over it.
//!
//! The region is where the log-likelihood lies within half a chi-square quantile (one degree of
//! freedom) of its maximum. The range of a function over it is that function's profile-likelihood
//! interval, so one walk along the edge serves every parameter, the mean and the survival curve.
//!
//! Where the data hardly settle a shape the region is long and bent, so it is not sought along rays
//! but in slices: the first parameter moves out step by step, the best second one follows it along the
//! ridge, and each slice is cut on both sides of the ridge.

use super::curvature::Curvature;
use super::optimise::{self, Bounds, Point};

/// First step along the ridge, in standard deviations, and how steps grow.
const STEP: f64 = 0.35;
const GROWTH: f64 = 1.2;

/// The longest step: parameters are logarithms, and a ridge may bend within a few of them.
const LONGEST_STEP: f64 = 0.7;

/// Slices on one side after which the region counts as unbounded.
const MOST_SLICES: usize = 40;

/// Standard deviations out at which the search for an edge gives up.
const FARTHEST: f64 = 60.0;

/// The edge of a likelihood region.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// Points on the edge.
    pub edge: Vec<Point>,
    /// True iff the region is bounded: the likelihood fell far enough in every direction.
    pub closed: bool,
    /// Of a single parameter: whether its region has no least and no greatest value.
    pub open: [bool; 2],
}

/// A likelihood with what was found at its maximum.
struct Peak<'a> {
    function: &'a dyn Fn(&Point) -> f64,
    value: f64,
    drop: f64,
    dims: usize,
    bounds: &'a Bounds,
}

/// The region in which `function` lies within `drop` of `value`, its maximum at `at`.
pub fn region(
    function: &dyn Fn(&Point) -> f64,
    at: &Point,
    value: f64,
    curvature: &Curvature,
    (dims, bounds): (usize, &Bounds),
    drop: f64,
) -> Region {
    let Some(axes) = curvature.axes(dims) else { return Region::default() };
    let peak = Peak { function, value, drop, dims, bounds };
    let mut region = Region { edge: Vec::new(), closed: true, open: [false; 2] };
    let deviation = axes[0][0];
    for (side, direction) in [-1.0, 1.0].into_iter().enumerate() {
        if dims == 1 {
            let mut end = Region { closed: true, ..Region::default() };
            peak.cut(at, 0, direction, deviation, &mut end);
            region.open[side] = !end.closed;
            region.closed &= end.closed;
            region.edge.extend(end.edge);
        } else {
            peak.walk(at, direction * deviation, axes[0][1] / deviation, &mut region);
        }
    }
    if dims == 2 {
        let across = (-curvature.bend[1]).recip().sqrt();
        peak.cut(at, 1, -1.0, across, &mut region);
        peak.cut(at, 1, 1.0, across, &mut region);
    }
    region
}

impl Peak<'_> {
    /// How far below the edge's level a point lies; negative inside.
    fn outside(&self, at: &Point) -> f64 {
        if !self.bounds.contain(at, self.dims) {
            return f64::INFINITY;
        }
        let fallen = self.value - (self.function)(at) - self.drop;
        if fallen.is_nan() { f64::INFINITY } else { fallen }
    }

    /// Adds the edge that lies in one direction of one coordinate.
    fn cut(&self, from: &Point, coordinate: usize, direction: f64, guess: f64, into: &mut Region) {
        let along = |r: f64| {
            let mut point = *from;
            point[coordinate] += direction * r;
            point
        };
        let reach = guess * (2.0 * self.drop).sqrt();
        let (r, found) = crossing(&|r| self.outside(&along(r)), reach);
        into.closed &= found && self.bounds.contain(&along(1.01 * r), self.dims);
        into.edge.push(along(r));
    }

    /// Walks along the ridge in one direction, slicing on the way. `lean` is how the second
    /// coordinate of the ridge moves with the first.
    fn walk(&self, from: &Point, deviation: f64, mut lean: f64, into: &mut Region) {
        let (mut here, mut step) = (*from, (STEP * deviation).clamp(-LONGEST_STEP, LONGEST_STEP));
        for _ in 0..MOST_SLICES {
            let Some((next, across)) = self.ridge(&here, step, lean) else {
                into.closed = false;
                return;
            };
            if self.outside(&next) >= 0.0 {
                into.edge.push(self.end(here, step, lean));
                return;
            }
            self.cut(&next, 1, -1.0, across, into);
            self.cut(&next, 1, 1.0, across, into);
            lean = (next[1] - here[1]) / (next[0] - here[0]);
            here = next;
            step = (step * GROWTH).clamp(-LONGEST_STEP, LONGEST_STEP);
        }
        into.closed = false;
    }

    /// The point of the ridge one step on, and the width of the ridge there as a standard deviation.
    /// `None` past the bounds or where there is no ridge.
    fn ridge(&self, here: &Point, step: f64, lean: f64) -> Option<(Point, f64)> {
        let first = here[0] + step;
        let slice = |second: &Point| (self.function)(&[first, second[0]]);
        let bounds = Bounds { low: [self.bounds.low[1], 0.0], high: [self.bounds.high[1], 0.0] };
        let start = [here[1] + lean * step, 0.0];
        if !self.bounds.contain(&[first, start[0]], self.dims) {
            return None;
        }
        let mut best = optimise::polish(&slice, start, 1, &bounds);
        if best.trouble.is_some() {
            best = optimise::maximise(&slice, start, 1, &bounds);
        }
        let across = best.curvature.axes(1)?[0][0];
        best.trouble.is_none().then_some(([first, best.at[0]], across))
    }

    /// Where the ridge leaves the region, within a step.
    fn end(&self, here: Point, step: f64, lean: f64) -> Point {
        let (mut low, mut high, mut inside) = (0.0, 1.0, here);
        for _ in 0..8 {
            let middle = 0.5 * (low + high);
            match self.ridge(&here, step * middle, lean) {
                Some((point, _)) if self.outside(&point) < 0.0 => (low, inside) = (middle, point),
                _ => high = middle,
            }
        }
        inside
    }
}

/// Where a function that is negative at 0 rises through zero, near `guess`; `false` if it does not.
fn crossing(height: &dyn Fn(f64) -> f64, guess: f64) -> (f64, bool) {
    let (mut low, mut high) = (0.0, guess);
    while height(high) < 0.0 {
        low = high;
        high *= 1.4;
        if high > guess * FARTHEST {
            return (low, false);
        }
    }
    for _ in 0..40 {
        if high - low < 1e-3 * high {
            break;
        }
        let middle = 0.5 * (low + high);
        if height(middle) < 0.0 { low = middle } else { high = middle }
    }
    (low, true)
}

/// The largest first coordinate within the region of a likelihood that levels off below it: a bound
/// where there is no peak. `None` if the likelihood does not fall.
pub fn upper_bound(
    function: &dyn Fn(&Point) -> f64,
    at: &Point,
    value: f64,
    bounds: &Bounds,
    drop: f64,
) -> Option<f64> {
    let peak = Peak { function, value, drop, dims: 1, bounds };
    let (r, found) = crossing(&|r| peak.outside(&[at[0] + r, at[1]]), 1.0);
    (found && bounds.contain(&[at[0] + 1.01 * r, at[1]], 1)).then_some(at[0] + r)
}

/// Least and greatest of `values`, which include the one at the maximum; a value that is not a number
/// leaves both sides open.
pub fn range(at_maximum: f64, on_edge: impl Iterator<Item = f64>) -> (f64, f64) {
    let (mut lo, mut hi) = (at_maximum, at_maximum);
    for value in on_edge {
        if value.is_nan() {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        lo = lo.min(value);
        hi = hi.max(value);
    }
    (lo, hi)
}

#[cfg(test)]
mod tests {
    use super::super::curvature::curvature;
    use super::*;

    const WIDE: Bounds = Bounds { low: [-50.0, -50.0], high: [50.0, 50.0] };

    #[test]
    fn of_a_normal_likelihood_the_edge_is_the_wald_interval() {
        // Variances 4 and 1, correlation 0.5.
        let quadratic = |p: &Point| {
            -0.5 / 0.75 * (p[0] * p[0] / 4.0 - 2.0 * 0.5 * p[0] * p[1] / 2.0 + p[1] * p[1])
        };
        let here = curvature(&quadratic, &[0.0; 2], 0.0, 2);
        let found = region(&quadratic, &[0.0; 2], 0.0, &here, (2, &WIDE), 1.92);
        assert!(found.closed);
        let (lo, hi) = range(0.0, found.edge.iter().map(|p| p[0]));
        assert!((hi - 3.92).abs() < 0.03 && (lo + 3.92).abs() < 0.03, "{lo} {hi}");
        let (lo, hi) = range(0.0, found.edge.iter().map(|p| p[1]));
        assert!((hi - 1.96).abs() < 0.03 && (lo + 1.96).abs() < 0.03, "{lo} {hi}");
    }

    #[test]
    fn a_bent_region_is_followed_to_its_ends() {
        let banana = |p: &Point| -0.5 * (p[0] / 2.0).powi(2) - 50.0 * (p[1] - p[0] * p[0]).powi(2);
        let here = curvature(&banana, &[0.0; 2], 0.0, 2);
        let found = region(&banana, &[0.0; 2], 0.0, &here, (2, &WIDE), 1.92);
        assert!(found.closed);
        let (lo, hi) = range(0.0, found.edge.iter().map(|p| p[0]));
        assert!((hi - 3.92).abs() < 0.03 && (lo + 3.92).abs() < 0.03, "{lo} {hi}");
        let (_, top) = range(0.0, found.edge.iter().map(|p| p[1]));
        assert!((top - 3.92_f64.powi(2)).abs() < 0.5, "{top}");
    }

    #[test]
    fn a_likelihood_that_levels_off_leaves_the_region_open() {
        // Below zero it is flat, above it falls.
        let levels = |p: &Point| -p[0].exp();
        let here = Curvature { slope: [0.0; 2], bend: [-1.0, 0.0, 0.0] };
        let found = region(&levels, &[-9.0, 0.0], 0.0, &here, (1, &WIDE), 1.92);
        assert!(!found.closed);
        let bound = upper_bound(&levels, &[-9.0, 0.0], 0.0, &WIDE, 1.92).unwrap();
        assert!((bound - 1.92_f64.ln()).abs() < 0.02, "{bound}");
    }
}
