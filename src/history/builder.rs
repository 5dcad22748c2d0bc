//! Writes spells one after the other and joins neighbours that are equal.

use super::{Check, Spell};

/// Collects checks in probe order into maximal spells.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    spells: Vec<Spell>,
}

impl Builder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty builder that writes into the room of `spells`, whatever they held.
    pub(crate) fn reusing(mut spells: Vec<Spell>) -> Self {
        spells.clear();
        Builder { spells }
    }

    /// Adds probes `first..end`, all with the same check. Probes between the last one added and
    /// `first` stay unknown. Nothing is added for an empty range, nor for probes already written.
    #[inline]
    pub fn add(&mut self, first: u64, end: u64, check: Check) {
        let first = first.max(self.spells.last().map_or(0, Spell::end));
        if first >= end {
            return;
        }
        match self.spells.last_mut() {
            Some(last) if last.check == check && last.end() == first => last.count += end - first,
            _ => self.spells.push(Spell { first, count: end - first, check }),
        }
    }

    /// The spells written, in order.
    pub fn finish(self) -> Vec<Spell> {
        self.spells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_joined_and_holes_kept() {
        let mut builder = Builder::new();
        builder.add(0, 3, Check::Healthy);
        builder.add(3, 5, Check::Healthy);
        builder.add(5, 5, Check::Unhealthy);
        builder.add(7, 8, Check::Healthy);
        builder.add(6, 9, Check::Unhealthy);
        let spell = |first, count, check| Spell { first, count, check };
        assert_eq!(
            builder.finish(),
            [
                spell(0, 5, Check::Healthy),
                spell(7, 1, Check::Healthy),
                spell(8, 1, Check::Unhealthy),
            ]
        );
    }
}
