//! Gauss and Legendre's rule of eight points.

/// Nodes on `[−1, 1]`, the positive half.
const NODES: [f64; 4] = [
    0.183_434_642_495_649_8,
    0.525_532_409_916_329,
    0.796_666_477_413_626_7,
    0.960_289_856_497_536_3,
];

/// Their weights.
const WEIGHTS: [f64; 4] = [
    0.362_683_783_378_362,
    0.313_706_645_877_887_3,
    0.222_381_034_453_374_48,
    0.101_228_536_290_376_26,
];

/// Points of the rule on one interval.
pub const POINTS: usize = 8;

/// Nodes and weights of the rule on `[from, to]`.
pub fn rule(from: f64, to: f64) -> [(f64, f64); POINTS] {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    std::array::from_fn(|i| {
        let (node, weight) = (NODES[i / 2], WEIGHTS[i / 2]);
        let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
        (middle + sign * half * node, half * weight)
    })
}

/// The integral of `function` over `[from, to]`.
pub fn integrate(function: &dyn Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    rule(from, to).iter().map(|(x, weight)| weight * function(*x)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_for_polynomials_of_degree_fifteen() {
        assert!((integrate(&|x| x.powi(15), 0.0, 1.0) - 1.0 / 16.0).abs() < 1e-14);
        assert!(
            (integrate(&|x| x.exp(), -1.0, 2.0) - (2.0_f64.exp() - (-1.0_f64).exp())).abs() < 1e-12
        );
    }
}
