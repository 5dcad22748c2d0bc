//! Division by a number that stays the same, made a multiplication.

/// A divisor of numbers below 2^63.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Divisor {
    magic: u64,
    shift: u32,
    more: u64,
}

impl Divisor {
    /// Divides by `divisor`, at least 1 and below 2^63.
    pub(crate) fn new(divisor: u64) -> Self {
        // Granlund and Montgomery 1994: with 2^l >= d, n / d is the high part of
        // n · (⌊2^(63+l) / d⌋ + 1), shifted.
        let bits = (64 - (divisor - 1).leading_zeros()).max(1);
        let magic = (1_u128 << (63 + bits)) / u128::from(divisor) + 1;
        match u64::try_from(magic) {
            Ok(magic) => Divisor { magic, shift: bits - 1, more: 0 },
            // One has no such number. The largest there is takes one off, which is given before.
            Err(_) => Divisor { magic: u64::MAX, shift: 0, more: 1 },
        }
    }

    /// `number` divided, rounded down.
    #[inline(always)]
    pub(crate) fn divide(&self, number: u64) -> u64 {
        let high = (u128::from(number + self.more) * u128::from(self.magic)) >> 64;
        high as u64 >> self.shift
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The multiplication is the division, for any divisor and next to its multiples.
        #[test]
        fn it_divides(
            divisor in prop_oneof![1_u64..20, 1_u64..100_000_000_000_000, Just(10_000_000_000), 1_u64..(1 << 63)],
            number in prop_oneof![0_u64..1_000, 0_u64..(1 << 63)],
            beside in prop::option::of(0_u64..=1),
        ) {
            let number = match beside {
                Some(less) => (number / divisor * divisor).saturating_sub(less),
                None => number,
            };
            prop_assert_eq!(Divisor::new(divisor).divide(number), number / divisor);
        }
    }
}
