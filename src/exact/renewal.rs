//! Alternating renewal with exponential gaps and lengths of any law, followed probe by probe.
//!
//! Start at a healthy probe and keep only what finds every later probe unhealthy. Let `H(t)` be the
//! chance to be healthy at `t`, and `R(t)` to be unhealthy, under that condition. Blips begin with
//! density `a·H(s)`, so `R(t) = a ∫_0^t H(s) S(t−s) ds`. Between two probes nothing is dropped, so
//! after probe `c`, which only what was unhealthy survives, `H(t) = q(c) − R(t)`; and
//! `q(c+1) = R((c+1)Δ)`. Nothing is subtracted but within one interval, so errors stay relative to
//! `q(c)` however small it is.
//!
//! `H` is kept at the nodes of a graded mesh, one vector an interval. The part of `R` that comes from
//! the starts `d` intervals back is a matrix that depends on `d` alone: on all nodes where the
//! survival is rough on the scale of an interval (near zero, at a break, in a steep tail), and on a
//! dozen nodes where it is smooth.

use super::kernel::Kernel;
use super::matrix::{Factored, Matrix, dot};
use super::mesh::{Mesh, NODES};
use super::quadrature::{Lagrange, gauss_legendre};
use crate::law::Law;

/// Nodes of an interval where the survival is smooth.
const COARSE: usize = 12;

/// A part of the density this far below `q(c)` is rounding; blips of constant length would let it
/// grow against what is really there.
const NOISE: f64 = 1e-13;

/// What starts some intervals back give to `R`, for each row: on all nodes and at the interval's end.
#[derive(Debug)]
enum Lag {
    Fine(Matrix),
    Coarse(Matrix),
}

/// `q(0), q(1), …, q(count)`: the chance that the `n` probes after a healthy one are all unhealthy,
/// for gaps that end at `rate` a second.
pub(super) fn chances(rate: f64, law: &Law, kernel: &Kernel, count: usize) -> Vec<f64> {
    let mut solver = Solver::new(rate, law, kernel);
    let mut chances = vec![1.0];
    let mut chance = 1.0;
    for _ in 0..count {
        chance = solver.step(chance);
        chances.push(chance);
    }
    chances
}

struct Solver<'a> {
    rate: f64,
    kernel: &'a Kernel,
    mesh: Mesh,
    coarse: Coarse,
    /// Starts of the same interval.
    own: Matrix,
    own_solved: Factored,
    /// Starts of 1, 2, … intervals back; ends where the survival no longer counts.
    lags: Vec<Lag>,
    lags_end: bool,
    /// `H` on the nodes, for each interval so far.
    healthy: Vec<Vec<f64>>,
    /// The same as moments of the coarse polynomials.
    moments: Vec<[f64; COARSE]>,
}

impl<'a> Solver<'a> {
    fn new(rate: f64, law: &Law, kernel: &'a Kernel) -> Self {
        let mesh = Mesh::new(law, kernel.cell());
        let own = fine(kernel, &mesh, 0);
        let n = mesh.nodes.len();
        let mut equations = Matrix::new(n, n);
        for i in 0..n {
            for (entry, part) in equations.row_mut(i).iter_mut().zip(own.row(i)) {
                *entry = rate * part;
            }
            equations.row_mut(i)[i] += 1.0;
        }
        Solver {
            rate,
            kernel,
            coarse: Coarse::new(&mesh),
            mesh,
            own,
            own_solved: Factored::new(equations),
            lags: Vec::new(),
            lags_end: false,
            healthy: Vec::new(),
            moments: Vec::new(),
        }
    }

    /// Goes from a probe that is unhealthy (or, at first, healthy) with `chance` to the next.
    fn step(&mut self, chance: f64) -> f64 {
        if !self.healthy.is_empty() {
            self.extend_lags(chance);
        }
        let n = self.mesh.nodes.len();
        let mut earlier = vec![0.0; n + 1];
        let mut smooth = [0.0; COARSE + 1];
        for (back, lag) in self.lags.iter().enumerate().take(self.healthy.len()) {
            let cell = self.healthy.len() - 1 - back;
            match lag {
                Lag::Fine(matrix) => matrix.add_product(&self.healthy[cell], &mut earlier),
                Lag::Coarse(matrix) => matrix.add_product(&self.moments[cell], &mut smooth),
            }
        }
        self.coarse.spread(&smooth, &mut earlier);
        let right: Vec<f64> = earlier[..n].iter().map(|part| chance - self.rate * part).collect();
        let mut healthy = self.own_solved.solve(&right);
        for value in &mut healthy {
            if *value < NOISE * chance {
                *value = 0.0;
            }
        }
        let next = self.rate * (earlier[n] + dot(self.own.row(n), &healthy));
        self.moments.push(self.coarse.moments(&healthy));
        self.healthy.push(healthy);
        next
    }

    /// Adds the matrix of the next lag, unless blips that long no longer count beside `chance`, which
    /// is that of a run as long joined from several.
    fn extend_lags(&mut self, chance: f64) {
        let lag = self.lags.len() + 1;
        if self.lags_end || lag > self.healthy.len() {
            return;
        }
        let cell = self.kernel.cell();
        let most = self.kernel.survival((lag - 1) as f64 * cell);
        if self.rate * cell * most <= 1e-18 * chance {
            self.lags_end = true;
            return;
        }
        self.lags.push(if lag > 1 && self.kernel.is_smooth_around(lag) {
            Lag::Coarse(self.coarse.lag(self.kernel, lag))
        } else {
            Lag::Fine(fine(self.kernel, &self.mesh, lag))
        });
    }
}

/// The matrix of a lag on all nodes: for each node `x`, and at last the interval's end, the integral
/// of `S(lag·Δ + x − s)` times each node's polynomial over the starts `s`.
fn fine(kernel: &Kernel, mesh: &Mesh, lag: usize) -> Matrix {
    let n = mesh.nodes.len();
    let end = kernel.cell();
    let mut matrix = Matrix::new(n + 1, n);
    for (i, node) in mesh.nodes.iter().chain([&end]).enumerate() {
        let age = lag as f64 * kernel.cell() + node;
        for (panel, edge) in mesh.edges.windows(2).enumerate() {
            let to = if lag == 0 { edge[1].min(*node) } else { edge[1] };
            if edge[0] < to {
                let entries = &mut matrix.row_mut(i)[panel * NODES..(panel + 1) * NODES];
                add_panel(entries, kernel, mesh, panel, age, (edge[0], to));
            }
        }
    }
    matrix
}

/// Adds the integral over the starts of one panel, in pieces on which the survival is smooth.
fn add_panel(
    entries: &mut [f64],
    kernel: &Kernel,
    mesh: &Mesh,
    panel: usize,
    age: f64,
    (from, to): (f64, f64),
) {
    let mut start = from;
    // Starts ascend as ages descend.
    let cuts = kernel.edges(age - to, age - from).rev().map(|edge| age - edge).chain([to]);
    for cut in cuts {
        if cut <= start {
            continue;
        }
        let whole = start == mesh.edges[panel] && cut == mesh.edges[panel + 1];
        for (node, (s, weight)) in mesh.rule(start, cut).enumerate() {
            let part = weight * kernel.survival((age - s).max(0.0));
            if whole {
                // At a panel's own nodes all other polynomials vanish.
                entries[node] += part;
                continue;
            }
            for (entry, value) in entries.iter_mut().zip(mesh.basis(panel, s)) {
                *entry += part * value;
            }
        }
        start = cut;
    }
}

/// A dozen nodes of an interval and the way between them and all nodes.
struct Coarse {
    nodes: [f64; COARSE],
    /// For each coarse polynomial its values on all nodes times their weights.
    gather: Matrix,
    /// For each node the values of the coarse polynomials.
    spread: Matrix,
}

impl Coarse {
    fn new(mesh: &Mesh) -> Self {
        let cell = mesh.edges[mesh.edges.len() - 1];
        let (unit, _) = gauss_legendre::<COARSE>();
        let basis = Lagrange::new(unit);
        let n = mesh.nodes.len();
        let (mut gather, mut spread) = (Matrix::new(COARSE, n), Matrix::new(n, COARSE));
        for (i, (node, weight)) in mesh.nodes.iter().zip(&mesh.weights).enumerate() {
            for (p, value) in basis.at(node / cell).into_iter().enumerate() {
                gather.row_mut(p)[i] = weight * value;
                spread.row_mut(i)[p] = value;
            }
        }
        Coarse { nodes: unit.map(|node| cell * node), gather, spread }
    }

    /// The matrix of a lag: rows for the coarse nodes and the interval's end, columns for moments.
    fn lag(&self, kernel: &Kernel, lag: usize) -> Matrix {
        let mut matrix = Matrix::new(COARSE + 1, COARSE);
        let cell = kernel.cell();
        for (p, x) in self.nodes.iter().chain([&cell]).enumerate() {
            let age = lag as f64 * cell + x;
            for (entry, s) in matrix.row_mut(p).iter_mut().zip(self.nodes) {
                *entry = kernel.survival(age - s);
            }
        }
        matrix
    }

    fn moments(&self, healthy: &[f64]) -> [f64; COARSE] {
        let mut moments = [0.0; COARSE];
        self.gather.add_product(healthy, &mut moments);
        moments
    }

    /// Adds sums on the coarse nodes, and at the interval's end, to those on all nodes and the end.
    fn spread(&self, sums: &[f64; COARSE + 1], all: &mut [f64]) {
        let (last, nodes) = (sums[COARSE], &sums[..COARSE]);
        let n = all.len() - 1;
        self.spread.add_product(nodes, &mut all[..n]);
        all[n] += last;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `q(k)` for gaps of mean 900 s and a probe every 10 s, solved otherwise: for lengths that are
    /// atoms or uniform, all on one lattice with the interval, `H' = rate·(inflow − H)` goes from
    /// lattice point to lattice point as a power series, here of 27 terms in 70 digits, with `H = 0`
    /// after each probe. Its chances of runs add up to the unhealthy probes' share to 14 digits.
    fn check(law: Law, gap_s: f64, truth: &[(usize, f64)], most: f64) {
        let deepest = truth.iter().map(|(k, _)| *k).max().unwrap();
        let kernel = Kernel::new(&law, 10.0, deepest + 1);
        let found = chances(1.0 / gap_s, &law, &kernel, deepest);
        for (k, truth) in truth {
            let off = (found[*k] / truth - 1.0).abs();
            assert!(off <= most, "{law:?} k={k}: {:e}, right {truth:e}, off by {off:e}", found[*k]);
        }
    }

    fn seen(values_s: &[f64]) -> Law {
        Law::empirical(values_s.to_vec(), None).unwrap()
    }

    const MOST: f64 = 1e-9;

    #[test]
    fn lengths_of_whole_intervals_are_exact() {
        let three = [
            (1, 9.208018394957e-3),
            (2, 7.383382447135e-3),
            (4, 3.713825400952e-3),
            (7, 3.696883783158e-3),
            (8, 3.066607842085e-5),
            (9, 2.053540429925e-5),
            (10, 2.050214325347e-5),
            (14, 6.848290933004e-6),
            (20, 8.514489557798e-9),
        ];
        check(seen(&[5.0, 30.0, 70.0]), 900.0, &three, MOST);
        let two = [(4, 3.828860786317e-5), (8, 2.904606947943e-8), (14, 4.941618448874e-14)];
        check(seen(&[5.0, 30.0]), 900.0, &two, MOST);
        let one = [(3, 1.104961070608e-2), (4, 6.127304725629e-5), (10, 6.294468151763e-10)];
        check(Law::constant(30.0).unwrap(), 900.0, &one, MOST);
        let with_none = [(2, 5.540151995103e-3), (4, 1.537506174271e-5), (8, 3.951561258887e-11)];
        check(seen(&[0.0, 20.0]), 900.0, &with_none, MOST);
        // Gaps so short that most runs are joined.
        let weighted = Law::empirical(vec![10.0, 20.0, 60.0], Some(vec![1.0, 2.0, 1.0])).unwrap();
        let joined = [(3, 1.018479058433e-1), (7, 2.031957148278e-2), (20, 1.584667759717e-5)];
        check(weighted, 30.0, &joined, MOST);
    }

    #[test]
    fn jumps_beside_kinks_and_kinks_at_whole_intervals_are_exact() {
        let uniform = Law::uniform(5.0, 35.0).unwrap();
        let mixed =
            Law::mixture(vec![(3.0, Law::constant(20.0).unwrap()), (1.0, uniform)]).unwrap();
        let truth = [(3, 9.746152269835e-4), (7, 2.471236286748e-7), (14, 1.43293776458e-13)];
        check(mixed, 900.0, &truth, MOST);
        let truth = [(4, 2.798098225531e-3), (7, 2.688291818839e-5), (14, 6.633438876593e-10)];
        check(Law::uniform(20.0, 40.0).unwrap(), 900.0, &truth, MOST);
    }

    #[test]
    fn lengths_between_whole_intervals_are_exact() {
        let truth = [(3, 5.524833772717e-3), (7, 3.944224186676e-7), (14, 1.290907819127e-11)];
        check(Law::constant(25.0).unwrap(), 900.0, &truth, MOST);
        let truth = [(4, 5.524833772717e-3), (8, 3.058031354474e-5), (14, 2.493209492511e-9)];
        check(Law::constant(35.0).unwrap(), 900.0, &truth, MOST);
        let truth = [(3, 3.712107709971e-3), (7, 2.982607307364e-6), (14, 1.149223153478e-11)];
        check(Law::uniform(5.0, 35.0).unwrap(), 900.0, &truth, MOST);
        let truth = [(4, 3.716387076687e-3), (7, 2.053347088934e-5), (14, 4.722967974127e-9)];
        check(seen(&[7.5, 30.0, 42.0]), 900.0, &truth, MOST);
        let truth = [(4, 4.1158095157e-3), (7, 2.317166829235e-5), (20, 1.890410831844e-12)];
        check(seen(&[7.3, 31.1, 42.7]), 900.0, &truth, MOST);
    }

    /// More jumps than the mesh follows, three of them at multiples of the interval.
    #[test]
    fn many_lengths_are_within_what_is_promised() {
        let values: Vec<f64> = (1..=75).map(|i| 0.4 * f64::from(i)).collect();
        let truth = [
            (1, 9.284204185537e-3),
            (3, 1.943289344728e-3),
            (6, 3.131734624376e-6),
            (10, 1.677104163604e-10),
            (20, 2.89460579598e-19),
            (30, 1.830659070889e-28),
        ];
        check(seen(&values), 900.0, &truth, 5e-6);
    }
}
