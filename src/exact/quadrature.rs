//! Nodes on [0, 1]: Gauss–Legendre for integration, Chebyshev for interpolation.

use std::f64::consts::PI;

/// Nodes and weights of the Gauss–Legendre rule of `N` points on [0, 1], by Newton's method.
pub(super) fn gauss_legendre<const N: usize>() -> ([f64; N], [f64; N]) {
    let (mut nodes, mut weights) = ([0.0; N], [0.0; N]);
    for i in 0..N {
        let mut x = (PI * (i as f64 + 0.75) / (N as f64 + 0.5)).cos();
        let mut slope = 1.0;
        // Newton doubles the digits of a start that is right to three.
        for _ in 0..6 {
            let (mut before, mut value) = (1.0, x);
            for n in 2..=N {
                let n = n as f64;
                (before, value) = (value, ((2.0 * n - 1.0) * x * value - (n - 1.0) * before) / n);
            }
            slope = N as f64 * (x * value - before) / (x * x - 1.0);
            x -= value / slope;
        }
        nodes[N - 1 - i] = 0.5 * (1.0 + x);
        weights[N - 1 - i] = 1.0 / ((1.0 - x * x) * slope * slope);
    }
    (nodes, weights)
}

/// Lagrange's polynomials of some nodes.
#[derive(Clone, Debug)]
pub(super) struct Lagrange<const N: usize> {
    nodes: [f64; N],
    /// One over the product of each node's distances to the others.
    factors: [f64; N],
}

impl<const N: usize> Lagrange<N> {
    pub(super) fn new(nodes: [f64; N]) -> Self {
        let mut factors = [1.0; N];
        for (i, factor) in factors.iter_mut().enumerate() {
            for (j, node) in nodes.iter().enumerate() {
                if i != j {
                    *factor /= nodes[i] - node;
                }
            }
        }
        Lagrange { nodes, factors }
    }

    /// The value of each polynomial at `x`, by products from both sides, so that no division is
    /// near zero.
    pub(super) fn at(&self, x: f64) -> [f64; N] {
        let mut values = self.factors;
        let (mut left, mut right) = (1.0, 1.0);
        for i in 0..N {
            values[i] *= left;
            left *= x - self.nodes[i];
            let j = N - 1 - i;
            values[j] *= right;
            right *= x - self.nodes[j];
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gauss_rules_are_exact_to_their_degree() {
        let (nodes, weights) = gauss_legendre::<10>();
        for degree in 0..20 {
            let pairs = nodes.iter().zip(weights);
            let found: f64 = pairs.map(|(x, w)| w * x.powi(degree)).sum();
            assert!((found * f64::from(degree + 1) - 1.0).abs() < 1e-14, "{degree}: {found}");
        }
        assert!(nodes.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn interpolation_reproduces_polynomials() {
        let (nodes, _) = gauss_legendre::<10>();
        let basis = Lagrange::new(nodes);
        for x in [0.0, 0.3, nodes[4], 1.0] {
            let found: f64 = basis.at(x).iter().zip(nodes).map(|(l, node)| l * node.powi(9)).sum();
            assert!((found - x.powi(9)).abs() < 1e-13, "{x}: {found}");
        }
    }
}
