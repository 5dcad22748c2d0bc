//! Finds the maximum of a log-likelihood of one or two parameters: Nelder and Mead's simplex,
//! restarted until it gains nothing, then Newton's steps.
//!
//! It knows nothing of laws. A function that is minus infinity (or not a number) outside its domain
//! is what it expects, and an optimum that is none (on the edge of the box, or flat) is told as such
//! rather than returned as if it were one.

use super::curvature::{Curvature, curvature};

/// A point; a function of one parameter ignores the second.
pub type Point = [f64; 2];

/// What the search has found.
#[derive(Clone, Debug)]
pub struct Optimum {
    /// Where.
    pub at: Point,
    /// The value there.
    pub value: f64,
    /// Why it is no optimum, if it is none.
    pub trouble: Option<Trouble>,
    /// Gradient and second derivatives there.
    pub curvature: Curvature,
}

/// Why a point is no optimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The function is not finite anywhere near the start.
    NoStart,
    /// The function still rises at the edge of what is searched.
    AtTheEdge,
    /// The function is flat in some direction: the data do not settle the parameter.
    Flat,
    /// The search ended where the slope is not yet zero.
    NotSettled,
}

/// The box that is searched.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Least value of each parameter.
    pub low: Point,
    /// Greatest value of each parameter.
    pub high: Point,
}

impl Bounds {
    /// True iff the first `dims` coordinates lie in the box.
    pub fn contain(&self, at: &Point, dims: usize) -> bool {
        (0..dims).all(|i| self.low[i] <= at[i] && at[i] <= self.high[i])
    }

    fn near_edge(&self, at: &Point, dims: usize) -> bool {
        (0..dims).any(|i| {
            let margin = 1e-3 * (self.high[i] - self.low[i]);
            at[i] - self.low[i] < margin || self.high[i] - at[i] < margin
        })
    }
}

/// The most simplices, one started where the last ended.
const RESTARTS: usize = 6;

/// A gain in log-likelihood that is not worth another restart.
const ENOUGH: f64 = 1e-7;

/// What one more Newton step may still promise at an optimum.
const SETTLED: f64 = 1e-5;

/// Maximises `function` of `dims` (1 or 2) parameters from `start`.
pub fn maximise(
    function: &dyn Fn(&Point) -> f64,
    start: Point,
    dims: usize,
    bounds: &Bounds,
) -> Optimum {
    climb(function, start, dims, bounds, RESTARTS)
}

/// The same with no more than so many simplices: quick, for a start near the maximum.
pub fn climb(
    function: &dyn Fn(&Point) -> f64,
    start: Point,
    dims: usize,
    bounds: &Bounds,
    simplices: usize,
) -> Optimum {
    let inside = |at: &Point| {
        let value = if bounds.contain(at, dims) { function(at) } else { f64::NEG_INFINITY };
        if value.is_nan() { f64::NEG_INFINITY } else { value }
    };
    let mut best = (start, inside(&start));
    for restart in 0..simplices {
        let step = if restart == 0 { 0.4 } else { 0.1 };
        let found = simplex(&inside, best.0, dims, step);
        let gain = found.1 - best.1;
        if found.1 > best.1 {
            best = found;
        }
        if restart > 0 && !(gain > ENOUGH) {
            break;
        }
    }
    polish(&inside, best.0, dims, bounds)
}

/// Newton's steps from a point near the optimum, with a check that it is one. Falls back on nothing:
/// a start too far away is reported as not settled.
pub fn polish(
    function: &dyn Fn(&Point) -> f64,
    start: Point,
    dims: usize,
    bounds: &Bounds,
) -> Optimum {
    let value = function(&start);
    if !value.is_finite() {
        let curvature = Curvature::default();
        return Optimum { at: start, value, trouble: Some(Trouble::NoStart), curvature };
    }
    let (mut at, mut value) = (start, value);
    let mut here = curvature(function, &at, value, dims);
    for _ in 0..20 {
        let Some(step) = here.newton_step(dims) else { break };
        if here.promise(dims) < 1e-9 {
            break;
        }
        let Some((next, higher)) = improved(function, &at, &step, value) else { break };
        (at, value) = (next, higher);
        here = curvature(function, &at, value, dims);
    }
    let trouble = if bounds.near_edge(&at, dims) {
        Some(Trouble::AtTheEdge)
    } else if !here.is_peak(dims) {
        Some(Trouble::Flat)
    } else if here.promise(dims) > SETTLED {
        Some(Trouble::NotSettled)
    } else {
        None
    };
    Optimum { at, value, trouble, curvature: here }
}

/// The farthest of a few halvings of the step that rises.
fn improved(
    function: &dyn Fn(&Point) -> f64,
    at: &Point,
    step: &Point,
    value: f64,
) -> Option<(Point, f64)> {
    let mut share = 1.0;
    for _ in 0..12 {
        let next = [at[0] + share * step[0], at[1] + share * step[1]];
        let found = function(&next);
        if found > value {
            return Some((next, found));
        }
        share *= 0.5;
    }
    None
}

/// Nelder and Mead (1965), maximising.
fn simplex(function: &dyn Fn(&Point) -> f64, start: Point, dims: usize, step: f64) -> (Point, f64) {
    let mut corners: Vec<(Point, f64)> = vec![(start, function(&start))];
    for i in 0..dims {
        let mut corner = start;
        corner[i] += step;
        let mut value = function(&corner);
        if !value.is_finite() {
            corner[i] = start[i] - step;
            value = function(&corner);
        }
        corners.push((corner, value));
    }
    let along = |from: &Point, to: &Point, share: f64| {
        [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]
    };
    for _ in 0..200 {
        corners.sort_by(|a, b| b.1.total_cmp(&a.1));
        let (best, worst) = (corners[0], corners[dims]);
        if best.1 - worst.1 < ENOUGH * 0.1 && best.1.is_finite() && worst.1.is_finite() {
            break;
        }
        let mut centre = [0.0; 2];
        for (corner, _) in &corners[..dims] {
            centre = [centre[0] + corner[0] / dims as f64, centre[1] + corner[1] / dims as f64];
        }
        let try_at = |share: f64| {
            let point = along(&centre, &worst.0, share);
            (point, function(&point))
        };
        let reflected = try_at(-1.0);
        let replacement = if reflected.1 > best.1 {
            let expanded = try_at(-2.0);
            if expanded.1 > reflected.1 { expanded } else { reflected }
        } else if reflected.1 > corners[dims - 1].1 {
            reflected
        } else {
            let share = if reflected.1 > worst.1 { -0.5 } else { 0.5 };
            let contracted = try_at(share);
            if contracted.1 > worst.1.max(reflected.1) { contracted } else { worst }
        };
        if replacement.1 > worst.1 {
            corners[dims] = replacement;
        } else {
            for corner in &mut corners[1..] {
                let point = along(&best.0, &corner.0, 0.5);
                *corner = (point, function(&point));
            }
        }
    }
    corners.sort_by(|a, b| b.1.total_cmp(&a.1));
    corners[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: Bounds = Bounds { low: [-20.0, -20.0], high: [20.0, 20.0] };

    #[test]
    fn finds_the_bottom_of_a_curved_valley() {
        let rosenbrock = |p: &Point| -(1.0 - p[0]).powi(2) - 100.0 * (p[1] - p[0] * p[0]).powi(2);
        let found = maximise(&rosenbrock, [-1.2, 1.0], 2, &WIDE);
        assert_eq!(found.trouble, None);
        assert!((found.at[0] - 1.0).abs() < 1e-4 && (found.at[1] - 1.0).abs() < 1e-4);
    }

    #[test]
    fn one_parameter_is_enough() {
        let found =
            maximise(&|p: &Point| -(p[0] - 3.0).powi(4) - (p[0] - 3.0).powi(2), [0.0; 2], 1, &WIDE);
        assert_eq!(found.trouble, None);
        assert!((found.at[0] - 3.0).abs() < 1e-5);
    }

    #[test]
    fn what_is_no_optimum_is_told() {
        let rising = maximise(&|p: &Point| p[0] - 0.01 * p[1] * p[1], [0.0; 2], 2, &WIDE);
        assert_eq!(rising.trouble, Some(Trouble::AtTheEdge));
        let flat = maximise(&|p: &Point| -p[0] * p[0], [1.0, 1.0], 2, &WIDE);
        assert_eq!(flat.trouble, Some(Trouble::Flat));
        let nowhere = maximise(&|_: &Point| f64::NAN, [0.0; 2], 2, &WIDE);
        assert_eq!(nowhere.trouble, Some(Trouble::NoStart));
    }
}
