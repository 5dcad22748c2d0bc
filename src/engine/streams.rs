//! Random streams by name: one per (master seed, replication, process name).
//!
//! A stream depends on nothing else, so adding a process, a sweep cell or a thread changes no other
//! stream. The generator is pinned, and a test pins the first draws, so that an upgrade that would
//! change every published figure is seen.

use rand::SeedableRng;

use super::lanes::Lanes;

/// The generator of every stream.
///
/// Of the generators of its family it is the one whose state fits a vector lane, so that [`Lanes`] can
/// draw the same numbers eight at a time. Its streams differ in both words of the seed.
pub type Rng = rand_pcg::Pcg32;

/// The random streams of one replication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streams {
    seed: u64,
    replication: u64,
}

impl Streams {
    /// The streams of replication `replication` under the master seed `seed`.
    pub fn new(seed: u64, replication: u64) -> Self {
        Streams { seed, replication }
    }

    /// The stream of the process called `name`, from its beginning.
    pub fn named(&self, name: &str) -> Rng {
        let [low, high] = self.seed_of(name);
        Rng::from_seed((u128::from(high) << 64 | u128::from(low)).to_le_bytes())
    }

    /// The same stream from its beginning, eight lanes at a time.
    pub fn lanes(&self, name: &str) -> Lanes {
        Lanes::new(self.seed_of(name))
    }

    fn seed_of(&self, name: &str) -> [u64; 2] {
        let high = self.key(name);
        [mix(high ^ 0x9e37_79b9_7f4a_7c15), high]
    }

    /// A key for draws that are a function of an index, see [`unit_hash`].
    pub fn key(&self, name: &str) -> u64 {
        // FNV-1a over the name, then two rounds that fold in replication and seed.
        let name = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        mix(mix(name ^ mix(self.replication)) ^ self.seed)
    }
}

/// A uniform number in `[0, 1)` that is a function of a key and an index alone.
///
/// Used for what belongs to one probe (its jitter, whether it fails in a gray fault), so that it can
/// be found without drawing it for the probes before.
pub fn unit_hash(key: u64, index: u64) -> f64 {
    let bits = mix(key ^ mix(index.wrapping_add(0x9e37_79b9_7f4a_7c15)));
    (bits >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection that spreads every bit.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    #[test]
    fn streams_differ_by_seed_replication_and_name() {
        let first = |seed, replication, name| -> u64 {
            Streams::new(seed, replication).named(name).random()
        };
        let draws = [
            first(1, 0, "blips"),
            first(2, 0, "blips"),
            first(1, 1, "blips"),
            first(1, 0, "outage"),
        ];
        for (i, a) in draws.iter().enumerate() {
            assert!(draws[i + 1..].iter().all(|b| a != b));
        }
        assert_eq!(first(1, 0, "blips"), draws[0]);
    }

    #[test]
    fn hashed_uniforms_are_uniform() {
        let n = 100_000;
        let mean = (0..n).map(|i| unit_hash(7, i)).sum::<f64>() / n as f64;
        // Standard error 0.29/sqrt(n) = 0.00091; five of them.
        assert!((mean - 0.5).abs() < 0.0046, "{mean}");
    }
}
