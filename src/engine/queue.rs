//! A priority queue of future events, first in first out among equals, with cancellation.
//!
//! Both `push` and `pop` take O(log n) comparisons; `cancel` takes O(1) and leaves the dead entry in
//! the heap until it reaches the top.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

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

#[derive(Clone, Debug)]
struct Entry<E> {
    at: Time,
    phase: Phase,
    sequence: u64,
    event: E,
}

impl<E> Entry<E> {
    fn key(&self) -> (Time, Phase, u64) {
        (self.at, self.phase, self.sequence)
    }
}

impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}
impl<E> Eq for Entry<E> {}
impl<E> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<E> Ord for Entry<E> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

/// Future events in (time, phase, sequence) order.
///
/// The sequence number is given at `push`, so of two events at the same instant and phase the one
/// scheduled first happens first.
#[derive(Clone, Debug)]
pub struct Queue<E> {
    heap: BinaryHeap<Reverse<Entry<E>>>,
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
        Queue { heap: BinaryHeap::new(), cancelled: BTreeSet::new(), next_sequence: 0 }
    }

    /// Schedules `event` at `(at, phase)`.
    pub fn push(&mut self, at: Time, phase: Phase, event: E) -> Ticket {
        let sequence = self.next_sequence;
        self.next_sequence += 1;
        self.heap.push(Reverse(Entry { at, phase, sequence, event }));
        Ticket(sequence)
    }

    /// Cancels a scheduled event. The ticket must not have been popped or cancelled before.
    pub fn cancel(&mut self, ticket: Ticket) {
        self.cancelled.insert(ticket.0);
    }

    /// Takes out the next event that was not cancelled.
    pub fn pop(&mut self) -> Option<(Time, Phase, E)> {
        loop {
            let Reverse(entry) = self.heap.pop()?;
            if self.cancelled.is_empty() || !self.cancelled.remove(&entry.sequence) {
                return Some((entry.at, entry.phase, entry.event));
            }
        }
    }

    /// Instant of the next event that was not cancelled.
    pub fn peek_time(&mut self) -> Option<Time> {
        loop {
            let Reverse(top) = self.heap.peek()?;
            if !self.cancelled.remove(&top.sequence) {
                return Some(top.at);
            }
            self.heap.pop();
        }
    }

    /// How many events are scheduled and not cancelled.
    pub fn len(&self) -> usize {
        self.heap.len() - self.cancelled.len()
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

    #[derive(Clone, Debug)]
    enum Step {
        Push(i64, bool),
        Pop,
        Cancel(usize),
        Peek,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            4 => (0..50_i64, any::<bool>()).prop_map(|(at, late)| Step::Push(at, late)),
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
                    Step::Push(at, late) => {
                        let at = Time::from_nanos(at);
                        let phase = if late { Phase::Decision } else { Phase::FaultEnds };
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
