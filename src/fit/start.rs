//! Where the search for each family's maximum begins.
//!
//! Several points a family, from a typical length alone: the likelihood itself chooses among them,
//! so they need only lie within the reach of the search.

use super::evidence::Evidence;
use super::family::{Family, Model};
use super::optimise::Point;

/// Shapes that are tried.
const SHAPES: [f64; 4] = [0.5, 1.0, 1.8, 3.5];

/// The start points of a family, in no order.
pub fn starts(model: &Model, evidence: &Evidence) -> Vec<Point> {
    let typical = evidence.typical_s().ln();
    match model.family {
        Family::Exponential => vec![[typical, 0.0], [typical + 1.0, 0.0], [typical - 1.5, 0.0]],
        Family::Weibull | Family::Gamma | Family::LogLogistic => {
            around(&SHAPES.map(f64::ln), &[typical, typical - 1.0, typical + 1.0])
        }
        Family::Lognormal => {
            around(&[-1.0, -0.3, 0.3, 0.8], &[typical, typical - 1.0, typical - 2.5])
        }
        Family::Pareto => {
            // No length is below the minimum: the shortest one says how great it may be.
            let most = evidence.shortest_s().ln();
            let mut starts = around(
                &[0.0, 0.4, 1.0],
                &[typical - 0.3, typical - 1.0, typical - 2.0, typical - 4.0],
            );
            starts.extend(around(&[-1.5, -0.7, 0.0], &[most - 0.1, most - 0.7, most - 2.0]));
            starts
        }
    }
}

fn around(firsts: &[f64], seconds: &[f64]) -> Vec<Point> {
    firsts.iter().flat_map(|a| seconds.iter().map(|b| [*a, *b])).collect()
}
