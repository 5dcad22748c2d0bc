//! Intervals by profile likelihood: the laws on the edge of the likelihood region, and the range that
//! any figure takes over them.
//!
//! The region is where the log-likelihood lies within half a chi-square quantile (one degree of
//! freedom) of its maximum. The range of a function over it is that function's profile-likelihood
//! interval, so one walk round the edge serves every parameter, the mean and the survival curve.

use super::optimise::{Bounds, Point};
use super::curvature::Curvature;

/// Directions in which the edge is sought, for two parameters.
const DIRECTIONS: usize = 32;

/// Standard deviations out at which the search for the edge gives up.
const FARTHEST: f64 = 60.0;

/// The edge of a likelihood region.
#[derive(Clone, Debug, Default)]
pub struct Region {
    /// Points on the edge.
    pub edge: Vec<Point>,
    /// True iff the region is bounded: the likelihood fell far enough in every direction.
    pub closed: bool,
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
    let count = if dims == 1 { 2 } else { DIRECTIONS };
    let mut edge = Vec::with_capacity(count);
    let mut closed = true;
    for i in 0..count {
        let angle = std::f64::consts::TAU * i as f64 / count as f64;
        let (s, c) = angle.sin_cos();
        let along = |r: f64| {
            [at[0] + r * (c * axes[0][0] + s * axes[1][0]), at[1] + r * (c * axes[0][1] + s * axes[1][1])]
        };
        let height = |r: f64| {
            let point = along(r);
            let fallen = if bounds.contain(&point, dims) { value - function(&point) } else { f64::INFINITY };
            if fallen.is_nan() { f64::INFINITY } else { fallen - drop }
        };
        let (radius, found) = crossing(&height, (2.0 * drop).sqrt());
        closed &= found && bounds.contain(&along(radius * 1.01), dims);
        edge.push(along(radius));
    }
    Region { edge, closed }
}

/// Where a function that is negative at 0 rises through zero, near `guess`; `false` if it does not.
fn crossing(height: &dyn Fn(f64) -> f64, guess: f64) -> (f64, bool) {
    let (mut low, mut high) = (0.0, guess);
    let mut at_high = height(high);
    while at_high < 0.0 {
        low = high;
        high *= 1.4;
        if high > FARTHEST {
            return (low, false);
        }
        at_high = height(high);
    }
    for _ in 0..40 {
        if high - low < 1e-4 * high {
            break;
        }
        let middle = 0.5 * (low + high);
        if height(middle) < 0.0 { low = middle } else { high = middle }
    }
    (low, true)
}

/// Least and greatest of `values`, which include the one at the maximum; a value that is not a number
/// leaves its side open.
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
    }

    #[test]
    fn a_likelihood_that_levels_off_leaves_the_region_open() {
        let levels = |p: &Point| -1.0 / (1.0 + p[0].exp()).max(1.0 + 0.0) + (-p[0]).exp() * -0.1;
        let found = region(&levels, &[2.0, 0.0], levels(&[2.0, 0.0]), &Curvature { slope: [0.0; 2], bend: [-1.0, 0.0, 0.0] }, (1, &WIDE), 1.92);
        assert!(!found.closed);
    }
}
