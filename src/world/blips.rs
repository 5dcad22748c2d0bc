//! One source of blips as a process: an alternating renewal process, or Poisson starts.
//!
//! It draws a gap, a length, a gap, a length … from a stream of its own, whatever else happens, so
//! a source's blips are the same draws in every scenario that has it.

use rand::{RngExt, SeedableRng};

use super::branch::longer_than;
use super::{Event, at_least_a_tick};
use crate::engine::{Phase, Queue, Rng, Streams, Ticket};
use crate::law::Ahead;
use crate::scenario::{Arrivals, BlipSource};
use crate::time::{Span, Time};

/// Name of the stream that a blip source draws from.
pub fn stream_name(source: &BlipSource) -> String {
    format!("blips/{}", source.name)
}

/// One blip that has begun and not ended.
#[derive(Clone, Copy)]
struct InProgress {
    start: Time,
    end: Time,
    ticket: Ticket,
}

/// A source of blips and its next start.
#[derive(Clone)]
pub(crate) struct BlipProcess<'a> {
    index: u16,
    source: &'a BlipSource,
    draws: Ahead,
    next: Option<(Ticket, Time)>,
    /// More than one only under Poisson arrivals.
    in_progress: Vec<InProgress>,
}

impl<'a> BlipProcess<'a> {
    pub(crate) fn new(index: u16, source: &'a BlipSource, streams: Streams) -> Self {
        let rng = streams.named(&stream_name(source));
        let draws = Ahead::new([&source.gap, &source.length], rng);
        BlipProcess { index, source, draws, next: None, in_progress: Vec::new() }
    }

    /// Schedules the next start, one gap from `now`; gaps pass `factor` times as fast.
    #[inline]
    pub(crate) fn schedule(&mut self, now: Time, factor: f64, queue: &mut Queue<Event>) {
        let gap = faster(at_least_a_tick(self.draws.sample(&self.source.gap)), factor);
        self.push(now + gap, queue);
    }

    /// A blip begins: schedules its end, and under Poisson arrivals the next start. Returns the end.
    #[inline]
    pub(crate) fn begin(&mut self, now: Time, factor: f64, queue: &mut Queue<Event>) -> Time {
        self.next = None;
        let end = now + self.draws.sample(&self.source.length);
        let ticket = queue.push(end, Phase::FaultEnds, Event::BlipEnds(self.index));
        self.in_progress.push(InProgress { start: now, end, ticket });
        if self.source.arrivals == Arrivals::Poisson {
            self.schedule(now, factor, queue);
        }
        end
    }

    /// A blip ends: under gap renewal the next gap begins.
    #[inline]
    pub(crate) fn end(&mut self, now: Time, factor: f64, queue: &mut Queue<Event>) {
        if let Some(ended) = self.in_progress.iter().position(|blip| blip.end == now) {
            self.in_progress.swap_remove(ended);
        }
        if self.source.arrivals == Arrivals::GapRenewal {
            self.schedule(now, factor, queue);
        }
    }

    /// Draws anew from `rng` what is still open at `now`: how much longer the blips in progress last,
    /// given their age, and all blips after the next start.
    pub(crate) fn draw_on(&mut self, now: Time, rng: &mut Rng, queue: &mut Queue<Event>) {
        for blip in &mut self.in_progress {
            queue.cancel(blip.ticket);
            let length = longer_than(&self.source.length, now - blip.start, rng);
            // It was in progress at this very instant, so it ends later.
            blip.end = (blip.start + length).max(now + Span::from_nanos(1));
            blip.ticket = queue.push(blip.end, Phase::FaultEnds, Event::BlipEnds(self.index));
        }
        self.draws.restart(Rng::from_seed(rng.random()));
    }

    /// Gaps passed `before` times as fast until now and pass `after` times as fast from now on.
    pub(crate) fn change_pace(
        &mut self,
        now: Time,
        before: f64,
        after: f64,
        queue: &mut Queue<Event>,
    ) {
        let Some((ticket, at)) = self.next else { return };
        queue.cancel(ticket);
        self.push(now + faster(at - now, after / before), queue);
    }

    #[inline]
    fn push(&mut self, at: Time, queue: &mut Queue<Event>) {
        let ticket = queue.push(at, Phase::FaultBegins, Event::BlipBegins(self.index));
        self.next = Some((ticket, at));
    }
}

fn faster(span: Span, factor: f64) -> Span {
    if factor == 1.0 {
        return span;
    }
    Span::from_nanos((span.as_nanos() as f64 / factor).round().max(1.0) as i64)
}
