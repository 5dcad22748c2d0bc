//! The numbers of a stream, drawn in blocks of eight lanes: what [`super::Rng`] draws one by one.
//!
//! The generator is a recurrence that can be jumped ahead, so each lane draws a part of the block of its
//! own, and the lanes of a processor's vector unit take a step of eight parts at once. The functions
//! neither branch nor call, and are inlined into loops that are compiled for such a unit.

/// Parts of a block that are drawn side by side.
pub const LANES: usize = 8;

/// Numbers of 64 bits that a lane draws of each block.
pub const DRAWS: usize = 16;

/// Of the recurrence `state · MULTIPLIER + increment` (O'Neill 2014, PCG-XSH-RR 64/32).
const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

/// Two steps of the recurrence make one number of 64 bits.
const STEPS: usize = 2 * DRAWS;

/// Several steps of a recurrence in one: `state · factor + increment · summand`.
#[derive(Clone, Copy, Debug)]
struct Jump {
    factor: u64,
    summand: u64,
}

impl Jump {
    const fn of(steps: usize) -> Self {
        let mut jump = Jump { factor: 1, summand: 0 };
        let mut step = 0;
        while step < steps {
            jump.factor = jump.factor.wrapping_mul(MULTIPLIER);
            jump.summand = jump.summand.wrapping_mul(MULTIPLIER).wrapping_add(1);
            step += 1;
        }
        jump
    }

    #[inline(always)]
    const fn from(&self, state: u64, increment: u64) -> u64 {
        state.wrapping_mul(self.factor).wrapping_add(increment.wrapping_mul(self.summand))
    }
}

/// A stream, read in blocks: number `i` of lane `j` is number `DRAWS · j + i` of the block.
#[derive(Clone, Copy, Debug)]
pub struct Lanes {
    states: [u64; LANES],
    increment: u64,
}

impl Lanes {
    const ONE: Jump = Jump::of(1);
    const NUMBER: Jump = Jump::of(2);
    const LANE: Jump = Jump::of(STEPS);
    const OTHER_LANES: Jump = Jump::of(STEPS * (LANES - 1));

    /// The stream of the generator seeded with these words, the lower one first.
    pub(super) fn new(seed: [u64; 2]) -> Self {
        let increment = seed[1] | 1;
        let mut state = Self::ONE.from(seed[0].wrapping_add(increment), increment);
        let states = std::array::from_fn(|_| {
            let own = state;
            state = Self::LANE.from(state, increment);
            own
        });
        Lanes { states, increment }
    }

    /// The next number of each lane.
    #[inline(always)]
    pub fn draw(&mut self) -> [u64; LANES] {
        let mut numbers = [0; LANES];
        for (number, state) in numbers.iter_mut().zip(&mut self.states) {
            let high = Self::ONE.from(*state, self.increment);
            *number = permuted(*state) | permuted(high) << 32;
            *state = Self::NUMBER.from(*state, self.increment);
        }
        numbers
    }

    /// Goes on to the next block, once each lane has drawn its [`DRAWS`] numbers.
    #[inline(always)]
    pub fn end_block(&mut self) {
        for state in &mut self.states {
            *state = Self::OTHER_LANES.from(*state, self.increment);
        }
    }
}

/// The 32 bits that are put out at a state.
#[inline(always)]
fn permuted(state: u64) -> u64 {
    const LOW: u64 = u32::MAX as u64;
    let word = (((state >> 18) ^ state) >> 27) & LOW;
    ((word | word << 32) >> (state >> 59)) & LOW
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;

    use super::*;
    use crate::engine::Streams;

    /// The lanes hold the numbers that the generator gives one by one.
    #[test]
    fn blocks_are_the_stream() {
        for seed in 0..50 {
            let streams = Streams::new(seed, 3);
            let (mut one_by_one, mut lanes) = (streams.named("blips/x"), streams.lanes("blips/x"));
            for block in 0..3 {
                let numbers: [[u64; LANES]; DRAWS] = std::array::from_fn(|_| lanes.draw());
                lanes.end_block();
                for number in 0..LANES * DRAWS {
                    let drawn = numbers[number % DRAWS][number / DRAWS];
                    assert_eq!(drawn, one_by_one.next_u64(), "number {number} of block {block}");
                }
            }
        }
    }
}
