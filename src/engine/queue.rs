//! A queue of future events, first in first out among equals, with cancellation.
//!
//! Events are kept in a sorted array, the next one last: a world has two to ten of them ahead, a
//! drill some tens, and at such sizes that is twice as fast as a heap. `pop` takes O(1); `push`
//! moves those that come sooner, few as a rule, O(n) at worst. `cancel` leaves the dead event where
//! it is until its turn comes.

use std::collections::BTreeSet;

use crate::time::Time;

/// The order of events that fall on one instant; the table stands in ARCHITECTURE.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// A fault ends.
    FaultEnds,
    /// A fault begins.
    FaultBegins,
    /// The prober dies or comes back.
    Prober,
    /// The controller restarts, pauses or comes back.
    Controller,
    /// A due probe is judged.
    Probe,
    /// The controller decides.
    Decision,
    /// What follows a firing: promotion, traffic shift, warm-up, failback.
    Failover,
}

/// Names one scheduled event, so that it can be cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(u64);

/// Up to so many events are searched one after the other, which is then faster than by halving.
const FEW: usize = 16;

/// The phase stands in the key above the sequence number, of which so many bits are left.
const SEQUENCE_BITS: u32 = 56;

#[derive(Clone, Debug)]
struct Entry<E> {
    /// Instant, and phase and sequence number in one: what the order goes by.
    key: (Time, u64),
    phase: Phase,
    event: E,
}

impl<E> Entry<E> {
    fn sequence(&self) -> u64 {
        self.key.1 & ((1 << SEQUENCE_BITS) - 1)
    }
}

/// Future events in (time, phase, sequence) order.
///
/// The sequence number is given at `push`, so of two events at the same instant and phase the one
/// scheduled first happens first.
#[derive(Clone, Debug)]
pub struct Queue<E> {
    /// Latest first, so that the next event is taken off the end.
    entries: Vec<Entry<E>>,
    cancelled: BTreeSet<u64>,
    next_sequence: u64,
}

impl<E> Default for Queue<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E> Queue<E> {
    /// An empty queue.
    pub fn new() -> Self {
        Queue { entries: Vec::new(), cancelled: BTreeSet::new(), next_sequence: 0 }
    }

    /// Schedules `event` at `(at, phase)`.
    #[inline]
    pub fn push(&mut self, at: Time, phase: Phase, event: E) -> Ticket {
        let sequence = self.next_sequence;
        self.next_sequence += 1;
        let key = (at, (phase as u64) << SEQUENCE_BITS | sequence);
        let entry = Entry { key, phase, event };
        if self.entries.last().is_none_or(|next| next.key > key) {
            self.entries.push(entry);
        } else {
            self.insert(entry);
        }
        Ticket(sequence)
    }

    /// Puts an event that is not the next one behind all that come later.
    #[inline(never)]
    fn insert(&mut self, entry: Entry<E>) {
        let comes_later = |other: &Entry<E>| other.key > entry.key;
        let place = if self.entries.len() > FEW {
            self.entries.partition_point(comes_later)
        } else {
            self.entries.iter().rposition(comes_later).map_or(0, |last| last + 1)
        };
        self.entries.insert(place, entry);
    }

    /// Cancels a scheduled event. The ticket must not have been popped or cancelled before.
    pub fn cancel(&mut self, ticket: Ticket) {
        self.cancelled.insert(ticket.0);
    }

    /// Takes out the next event that was not cancelled.
    #[inline]
    pub fn pop(&mut self) -> Option<(Time, Phase, E)> {
        loop {
            let entry = self.entries.pop()?;
            if self.cancelled.is_empty() || !self.cancelled.remove(&entry.sequence()) {
                return Some((entry.key.0, entry.phase, entry.event));
            }
        }
    }

    /// Instant of the next event that was not cancelled.
    pub fn peek_time(&mut self) -> Option<Time> {
        loop {
            let next = self.entries.last()?;
            if self.cancelled.is_empty() || !self.cancelled.remove(&next.sequence()) {
                return Some(next.key.0);
            }
            self.entries.pop();
        }
    }

    /// How many events are scheduled and not cancelled.
    pub fn len(&self) -> usize {
        self.entries.len() - self.cancelled.len()
    }

    /// True iff no event is scheduled.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn equals_come_out_in_the_order_they_went_in() {
        let mut queue = Queue::new();
        let at = Time::from_nanos(5);
        queue.push(at, Phase::Decision, "late phase");
        queue.push(at, Phase::FaultBegins, "first");
        queue.push(at, Phase::FaultBegins, "second");
        queue.push(Time::from_nanos(4), Phase::Decision, "earlier");
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).map(|(_, _, e)| e).collect();
        assert_eq!(order, ["earlier", "first", "second", "late phase"]);
    }

    const PHASES: [Phase; 7] = [
        Phase::FaultEnds,
        Phase::FaultBegins,
        Phase::Prober,
        Phase::Controller,
        Phase::Probe,
        Phase::Decision,
        Phase::Failover,
    ];

    #[derive(Clone, Debug)]
    enum Step {
        Push(i64, usize),
        Pop,
        Cancel(usize),
        Peek,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            4 => (0..50_i64, 0..PHASES.len()).prop_map(|(at, phase)| Step::Push(at, phase)),
            3 => Just(Step::Pop),
            1 => (0..64_usize).prop_map(Step::Cancel),
            1 => Just(Step::Peek),
        ];
        proptest::collection::vec(step, 0..2_000)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// The queue against a sorted map, over random pushes, pops, peeks and cancellations.
        #[test]
        fn the_queue_equals_a_sorted_map(steps in steps()) {
            let mut queue = Queue::new();
            let mut shadow: BTreeMap<(Time, Phase, u64), u64> = BTreeMap::new();
            let mut live: Vec<(Ticket, (Time, Phase, u64))> = Vec::new();
            for (number, step) in steps.into_iter().enumerate() {
                let number = number as u64;
                match step {
                    Step::Push(at, phase) => {
                        let (at, phase) = (Time::from_nanos(at), PHASES[phase]);
                        let ticket = queue.push(at, phase, number);
                        let key = (at, phase, ticket.0);
                        shadow.insert(key, number);
                        live.push((ticket, key));
                    }
                    Step::Pop => {
                        let expected = shadow.pop_first();
                        let found = queue.pop();
                        prop_assert_eq!(found, expected.map(|((at, phase, _), e)| (at, phase, e)));
                        if let Some((key, _)) = expected {
                            live.retain(|(_, other)| *other != key);
                        }
                    }
                    Step::Cancel(which) if !live.is_empty() => {
                        let (ticket, key) = live.swap_remove(which % live.len());
                        queue.cancel(ticket);
                        shadow.remove(&key);
                    }
                    Step::Cancel(_) => {}
                    Step::Peek => {
                        let expected = shadow.first_key_value().map(|((at, _, _), _)| *at);
                        prop_assert_eq!(queue.peek_time(), expected);
                    }
                }
                prop_assert_eq!(queue.len(), shadow.len());
            }
        }
    }
}
