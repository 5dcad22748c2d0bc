//! What the data say of a law, and how likely they are under it: the one place that knows of
//! censoring, truncation and length bias.
//!
//! Two kinds of evidence meet in one likelihood: lengths known exactly or from below, and runs of
//! probes, of which only the probes around them are known ([`super::windows`]). A family of laws never
//! sees which it is.

use super::windows::Windows;
use crate::law::Law;

/// What is known of a number of lengths of one law.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// Lengths known exactly, or only from below.
    Durations {
        /// Exact lengths, seconds, ascending.
        exact: Vec<f64>,
        /// Lengths that were still running when last seen, ascending.
        censored: Vec<f64>,
    },
    /// Runs of failed probes, or of healthy ones.
    Windows(Windows),
}

impl Evidence {
    /// How many lengths there are.
    pub fn count(&self) -> u64 {
        match self {
            Evidence::Durations { exact, censored } => (exact.len() + censored.len()) as u64,
            Evidence::Windows(windows) => windows.count(),
        }
    }

    /// A typical length in seconds, for start values and bounds; positive.
    pub fn typical_s(&self) -> f64 {
        let typical = match self {
            Evidence::Durations { exact, censored } => {
                let all = if exact.is_empty() { censored } else { exact };
                middle(all.iter().copied())
            }
            Evidence::Windows(windows) => windows.typical_s(),
        };
        if typical.is_finite() && typical > 0.0 { typical } else { 1.0 }
    }

    /// No law whose least length is above this many seconds is possible; positive.
    pub fn shortest_s(&self) -> f64 {
        let shortest = match self {
            Evidence::Durations { exact, .. } => exact.first().copied().unwrap_or(f64::INFINITY),
            Evidence::Windows(windows) => windows.shortest_s(),
        };
        if shortest.is_finite() && shortest > 0.0 { shortest } else { self.typical_s() }
    }

    /// Logarithm of the likelihood of a law: minus infinity where the data are impossible under it.
    pub fn log_likelihood(&self, law: &Law) -> f64 {
        match self {
            Evidence::Durations { exact, censored } => {
                let known: f64 = exact.iter().map(|x| law.ln_density(*x)).sum();
                known + censored.iter().map(|x| law.survival(*x).ln()).sum::<f64>()
            }
            Evidence::Windows(windows) => windows.log_likelihood(law),
        }
    }
}

/// The median, roughly; not a number for nothing.
fn middle(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn censoring_by_hand() {
        let law = Law::exponential(2.0).unwrap();
        let durations = Evidence::Durations { exact: vec![1.0, 3.0], censored: vec![5.0] };
        let by_hand = -2.0 * 2.0_f64.ln() - (1.0 + 3.0 + 5.0) / 2.0;
        assert!((durations.log_likelihood(&law) - by_hand).abs() < 1e-12);
    }
}
