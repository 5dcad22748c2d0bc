//! Blips that begin at a constant rate and overlap: an infinite-server queue that is empty when the
//! probe is healthy.

/// `q(0), q(1), …`: the chance that the `n` probes after a healthy one are all unhealthy, from the
/// integrals of the survival over each interval.
///
/// After a healthy probe no blip is running, so that a probe `n` intervals on is healthy iff none of
/// the starts between has lasted: with chance `v(n) = exp(−rate·∫_0^{nΔ} S)`. Let `d(m)` be
/// `v(m−1) − v(m)`. Splitting by the last healthy probe, `1 = Σ q(j) v(n−j)` over `j` from 0 to `n`;
/// the difference of two such lines is `q(n) = Σ d(m) q(n−m)` over `m` from 1 to `n`, a sum of
/// positive terms.
pub(super) fn chances(rate: f64, cells_s: &[f64]) -> Vec<f64> {
    let mut drops = Vec::with_capacity(cells_s.len());
    let mut load = 0.0_f64;
    for cell in cells_s {
        drops.push((-load).exp() * -(-rate * cell).exp_m1());
        load += rate * cell;
    }
    let mut chances = vec![1.0];
    for n in 1..=cells_s.len() {
        let pairs = drops[..n].iter().zip(chances.iter().rev());
        let chance: f64 = pairs.map(|(drop, chance)| drop * chance).sum();
        chances.push(chance);
    }
    chances
}
