//! Slope and curvature of a function of one or two parameters, by central differences.

use super::optimise::Point;

/// Step of the differences. Parameters are logarithms, or locations in logarithms, of order one.
const STEP: f64 = 1e-4;

/// Gradient and second derivatives at a point.
#[derive(Clone, Copy, Debug, Default)]
pub struct Curvature {
    /// First derivatives.
    pub slope: Point,
    /// Second derivatives: first with first, second with second, and mixed.
    pub bend: [f64; 3],
}

/// Slope and curvature of `function` at a point where it has this `value`.
pub fn curvature(
    function: &dyn Fn(&Point) -> f64,
    at: &Point,
    value: f64,
    dims: usize,
) -> Curvature {
    let near = |i: f64, j: f64| function(&[at[0] + i * STEP, at[1] + j * STEP]);
    let first = |up: f64, down: f64| (up - down) / (2.0 * STEP);
    let second = |up: f64, down: f64| (up - 2.0 * value + down) / (STEP * STEP);
    let (right, left) = (near(1.0, 0.0), near(-1.0, 0.0));
    let mut here =
        Curvature { slope: [first(right, left), 0.0], bend: [second(right, left), 0.0, 0.0] };
    if dims == 2 {
        let (up, down) = (near(0.0, 1.0), near(0.0, -1.0));
        let mixed = near(1.0, 1.0) - right - up + 2.0 * value - left - down + near(-1.0, -1.0);
        here.slope[1] = first(up, down);
        here.bend[1] = second(up, down);
        here.bend[2] = mixed / (2.0 * STEP * STEP);
    }
    here
}

impl Curvature {
    /// True iff the function bends down in every direction, and not just barely: what differences of
    /// rounded numbers cannot tell from flat is flat.
    pub fn is_peak(&self, dims: usize) -> bool {
        const BARELY: f64 = 1e-3;
        let [a, b, c] = self.bend.map(|bend| -bend);
        match dims {
            1 => a > BARELY,
            _ => a > BARELY && b > BARELY && a * b - c * c > 1e-6 * a * b,
        }
    }

    /// The step to where the slope would be zero, if the function bends down.
    pub fn newton_step(&self, dims: usize) -> Option<Point> {
        let [a, b, c] = self.bend;
        if !self.is_peak(dims) {
            return None;
        }
        if dims == 1 {
            return Some([-self.slope[0] / a, 0.0]);
        }
        let determinant = a * b - c * c;
        let [p, q] = self.slope;
        Some([-(b * p - c * q) / determinant, -(a * q - c * p) / determinant])
    }

    /// How much that step would gain; infinite where there is no such step.
    pub fn promise(&self, dims: usize) -> f64 {
        self.newton_step(dims).map_or(f64::INFINITY, |step| {
            0.5 * (self.slope[0] * step[0] + self.slope[1] * step[1]).abs()
        })
    }

    /// Two vectors that span the ellipse on which the function is lower by a half, if it is a peak:
    /// a standard deviation out in every direction.
    pub fn axes(&self, dims: usize) -> Option<[Point; 2]> {
        if !self.is_peak(dims) {
            return None;
        }
        let [a, b, c] = self.bend.map(|bend| -bend);
        if dims == 1 {
            return Some([[a.recip().sqrt(), 0.0], [0.0, 0.0]]);
        }
        // Cholesky factor of the inverse of the information matrix.
        let determinant = a * b - c * c;
        let first = (b / determinant).sqrt();
        let mixed = -c / determinant / first;
        let second = (a / determinant - mixed * mixed).max(0.0).sqrt();
        Some([[first, mixed], [0.0, second]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_find_a_quadratic() {
        let quadratic = |p: &Point| -2.0 * p[0] * p[0] - 3.0 * p[1] * p[1] + p[0] * p[1];
        let here = curvature(&quadratic, &[1.0, 2.0], quadratic(&[1.0, 2.0]), 2);
        for (found, expected) in here.bend.iter().zip([-4.0, -6.0, 1.0]) {
            assert!((found - expected).abs() < 1e-4, "{found} {expected}");
        }
        let step = here.newton_step(2).unwrap();
        assert!((step[0] + 1.0).abs() < 1e-4 && (step[1] + 2.0).abs() < 1e-4);
        // On the ellipse the function has fallen by a half.
        let peak = curvature(&quadratic, &[0.0, 0.0], 0.0, 2);
        let [u, v] = peak.axes(2).unwrap();
        for angle in [0.3_f64, 1.7, 4.0] {
            let (s, c) = angle.sin_cos();
            let at = [c * u[0] + s * v[0], c * u[1] + s * v[1]];
            assert!((quadratic(&at) + 0.5).abs() < 1e-5);
        }
    }
}
