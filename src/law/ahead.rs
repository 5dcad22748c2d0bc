//! Draws from one stream, some of them made ahead.

use rand::Rng as _;

use super::Law;
use super::exponential::standard_exponential;
use crate::engine::Rng;
use crate::time::Span;

/// Draws made at a time. One waits for the steps of its logarithm, but several do not wait for each other.
const AHEAD: usize = 8;

/// Draws lengths of laws that take turns on one stream: the same as [`Law::sample`] would, and quicker
/// when all are exponential, since each then takes one number of the stream whichever's turn it is.
#[derive(Clone, Debug)]
pub(crate) struct Ahead {
    rng: Rng,
    exponential: bool,
    ready: [f64; AHEAD],
    used: usize,
}

impl Ahead {
    /// For draws of these laws and no other.
    pub(crate) fn new(laws: [&Law; 2], rng: Rng) -> Self {
        let exponential = laws.iter().all(|law| matches!(law, Law::Exponential(_)));
        Ahead { rng, exponential, ready: [0.0; AHEAD], used: AHEAD }
    }

    /// Goes on from the beginning of another stream.
    pub(crate) fn restart(&mut self, rng: Rng) {
        (self.rng, self.used) = (rng, AHEAD);
    }

    /// The next draw, which is one of `law`.
    #[inline]
    pub(crate) fn sample(&mut self, law: &Law) -> Span {
        match law {
            Law::Exponential(law) if self.exponential => law.span(self.next_standard()),
            law => law.sample(&mut self.rng),
        }
    }

    #[inline]
    fn next_standard(&mut self) -> f64 {
        if self.used == AHEAD {
            let numbers: [u64; AHEAD] = std::array::from_fn(|_| self.rng.next_u64());
            self.ready = numbers.map(standard_exponential);
            self.used = 0;
        }
        self.used += 1;
        self.ready[self.used - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Streams;

    #[test]
    fn draws_made_ahead_are_the_same() {
        let exponential = |mean| Law::exponential(mean).unwrap();
        let others = [exponential(20.0), Law::lognormal(2.5, 1.0).unwrap()];
        for laws in [&[exponential(900.0), exponential(20.0)], &others] {
            let mut rng = Streams::new(1, 0).named("blips/x");
            let mut ahead = Ahead::new(laws.each_ref(), rng.clone());
            for law in laws.iter().cycle().take(101) {
                assert_eq!(ahead.sample(law), law.sample(&mut rng));
            }
            ahead.restart(Streams::new(2, 0).named("blips/x"));
            let mut rng = Streams::new(2, 0).named("blips/x");
            assert_eq!(ahead.sample(&laws[0]), laws[0].sample(&mut rng));
        }
    }
}
