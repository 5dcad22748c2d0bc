//! What a table of `q(n)` tells about runs, and the sum of all that lies beyond the table.

/// How many probes beyond the deepest count are worked out at least, for extrapolation.
pub(super) const BEYOND: usize = 24;

/// How far the table's own sum may be off, as a share of the unhealthy probes.
const SUM_ERROR: f64 = 1e-12;

/// The chances of runs by length.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    healthy: f64,
    unhealthy: f64,
    /// `q(n)`: the `n` probes after a healthy one are all unhealthy.
    chances: Vec<f64>,
    /// `Σ h·q(m)` over `m ≥ n`: the trailing run has at least `n` probes.
    at_least: Vec<f64>,
}

impl Runs {
    pub(super) fn new(healthy: f64, unhealthy: f64, chances: Vec<f64>) -> Self {
        let mut sum = beyond(healthy, unhealthy, &chances);
        let mut at_least = vec![0.0; chances.len()];
        for (total, chance) in at_least.iter_mut().zip(&chances).rev() {
            sum += healthy * chance;
            *total = sum;
        }
        Runs { healthy, unhealthy, chances, at_least }
    }

    pub(super) fn healthy(&self) -> f64 {
        self.healthy
    }

    pub(super) fn unhealthy(&self) -> f64 {
        self.unhealthy
    }

    /// `q(n)`; 0 beyond the table.
    pub(super) fn all_unhealthy(&self, n: usize) -> f64 {
        self.chances.get(n).copied().unwrap_or(0.0)
    }

    /// Chance that the trailing run has at least `n` probes; 0 beyond the table.
    pub(super) fn at_least(&self, n: usize) -> f64 {
        self.at_least.get(n).copied().unwrap_or(0.0)
    }
}

/// `Σ h·q(n)` beyond the table's end, by the better of two ways.
///
/// A light tail falls geometrically at last, and the last ratio sums it. A heavy tail does not, but
/// then what is missing from the unhealthy probes' known share is large enough to be told from
/// rounding.
fn beyond(healthy: f64, unhealthy: f64, chances: &[f64]) -> f64 {
    let inside: f64 = chances.iter().skip(1).map(|chance| healthy * chance).sum();
    let missing = (unhealthy - inside).max(0.0);
    let [.., c, b, a] = chances else { return missing };
    if *a <= 0.0 || *b <= 0.0 || *c <= 0.0 {
        return if *a <= 0.0 { 0.0 } else { missing };
    }
    let (ratio, before) = (a / b, b / c);
    if ratio >= 1.0 || before >= 1.0 {
        return missing;
    }
    // The same sum as told one probe earlier shows how settled the ratio is.
    let beyond_b = healthy * b * before / (1.0 - before);
    let doubt = (beyond_b - healthy * a / (1.0 - ratio)).abs() / (1.0 - ratio);
    if doubt < SUM_ERROR * unhealthy { healthy * a * ratio / (1.0 - ratio) } else { missing }
}
