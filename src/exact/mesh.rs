//! Where, within a probe interval, the density of blip starts is kept.

use super::quadrature::{Lagrange, gauss_legendre};
use crate::law::Law;

/// Gauss nodes of a panel.
pub(super) const NODES: usize = 10;

/// Each panel near the interval's start is so many times longer than the one before.
const RATIO: f64 = 2.0;

/// The most panels that are graded towards the interval's start.
const MOST_GRADED: usize = 30;

/// The most panels that breaks of the law may add; beyond, even panels stand in for them.
const MOST_BREAKS: usize = 24;

/// How many even panels stand in for more breaks than that. A law of many lengths jumps by little
/// at each.
const EVEN: usize = 16;

/// So many even panels a law with breaks has at least: its joined runs crowd at one end.
const FEW: usize = 4;

/// The panels of an interval and their nodes, in seconds from the probe.
#[derive(Clone, Debug)]
pub(super) struct Mesh {
    pub(super) edges: Vec<f64>,
    pub(super) nodes: Vec<f64>,
    pub(super) weights: Vec<f64>,
    unit_nodes: [f64; NODES],
    unit_weights: [f64; NODES],
    basis: Lagrange<NODES>,
}

impl Mesh {
    /// Panels for blips of this law and a probe every `cell` seconds.
    ///
    /// After each probe the density starts anew, on the scale on which blips end; so panels are
    /// graded towards the probe until next to no blip ends within the first. Jumps and kinks of the
    /// survival leave kinks in the density a break, two breaks, … after each probe, each smoother
    /// than the one before: the first few are edges of panels.
    pub(super) fn new(law: &Law, cell: f64) -> Self {
        let mut edges = vec![0.0, cell];
        let mut edge = cell;
        for _ in 0..MOST_GRADED {
            if edge * law.cdf(edge) <= 1e-6 * cell {
                break;
            }
            edge /= RATIO;
            edges.push(edge);
        }
        let breaks = law.breaks();
        if !breaks.is_empty() {
            edges.extend(residues(&breaks, cell));
            edges.extend(even(FEW, cell));
        }
        if let Some(width) = narrowest(law) {
            edges.extend(even((2.0 * cell / width).ceil().min(EVEN as f64) as usize, cell));
        }
        edges.sort_by(f64::total_cmp);
        edges.dedup_by(|next, edge| *next - *edge < 1e-9 * cell);
        // The last edge is the cell's end itself.
        if let Some(last) = edges.last_mut() {
            *last = cell;
        }
        let (unit_nodes, unit_weights) = gauss_legendre::<NODES>();
        let (mut nodes, mut weights) = (Vec::new(), Vec::new());
        for pair in edges.windows(2) {
            let width = pair[1] - pair[0];
            nodes.extend(unit_nodes.map(|node| pair[0] + width * node));
            weights.extend(unit_weights.map(|weight| width * weight));
        }
        let basis = Lagrange::new(unit_nodes);
        Mesh { edges, nodes, weights, unit_nodes, unit_weights, basis }
    }

    /// Nodes and weights of the panels' own rule between two instants.
    pub(super) fn rule(&self, from: f64, to: f64) -> impl Iterator<Item = (f64, f64)> + '_ {
        let width = to - from;
        let pairs = self.unit_nodes.iter().zip(&self.unit_weights);
        pairs.map(move |(node, weight)| (from + width * node, width * weight))
    }

    /// The value at `instant` of each polynomial of panel `panel`.
    pub(super) fn basis(&self, panel: usize, instant: f64) -> [f64; NODES] {
        let (from, to) = (self.edges[panel], self.edges[panel + 1]);
        self.basis.at((instant - from) / (to - from))
    }
}

/// Inner edges of so many even panels.
fn even(panels: usize, cell: f64) -> impl Iterator<Item = f64> {
    (1..panels).map(move |i| cell * i as f64 / panels as f64)
}

/// Width in seconds of a law's bulk, where that is narrow and away from zero: the least among the
/// parts of a mixture. Each blip's end then follows its start by nearly the same time, so that the
/// density has bumps anywhere in the interval.
fn narrowest(law: &Law) -> Option<f64> {
    if let Law::Mixture(mixture) = law {
        let parts = mixture.parts().iter().filter_map(|(_, part)| narrowest(part));
        return parts.min_by(f64::total_cmp);
    }
    let width = law.quantile(0.9) - law.quantile(0.1);
    (width > 0.0 && width < law.quantile(0.5)).then_some(width)
}

/// Where sums of up to four breaks fall within an interval; even panels if those are many.
fn residues(breaks: &[f64], cell: f64) -> Vec<f64> {
    let mut all: Vec<f64> = Vec::new();
    let mut sums = vec![0.0];
    for _ in 0..4 {
        let next = sums.iter().flat_map(|sum| breaks.iter().map(move |edge| sum + edge));
        sums = next.take(10 * MOST_BREAKS).map(|sum: f64| sum % cell).collect();
        let mut more = all.clone();
        more.extend(&sums);
        more.sort_by(f64::total_cmp);
        more.dedup_by(|next, edge| *next - *edge < 1e-9 * cell);
        if more.len() > MOST_BREAKS {
            break;
        }
        all = more;
    }
    if all.is_empty() && !breaks.is_empty() {
        return even(EVEN, cell).collect();
    }
    all
}
