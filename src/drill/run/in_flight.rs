//! Work that is in flight when something fails: streams, turns, runs with side effects, decisions.

use super::Run;
use crate::drill::outcome::Kind;
use crate::drill::plan::{NeedKind, Scope};
use crate::drill::service::{Asset, Class, FaultKind};
use crate::time::Span;

/// What has flowed and is not yet counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flows {
    /// Turns written in the standby and not yet copied back.
    pub(super) turns_written: f64,
    /// Decisions that both regions made under one id.
    pub(super) duplicates: f64,
}

impl Run<'_> {
    /// A fault has begun: the streams that it carries off break. Clients retry each under its request
    /// id, and it is answered from the start; nothing is spliced.
    pub(super) fn break_streams(&mut self, index: usize) {
        let plan = self.plan;
        let fault = &plan.faults[index];
        let whole_region = matches!(
            fault.scope,
            Scope::Region(FaultKind::Region | FaultKind::Dark | FaultKind::Isolated)
        );
        let carrier = |feature: usize| match fault.scope {
            Scope::Need(need) => {
                plan.needs[need].carries_streams() && plan.features[feature].needs.contains(&need)
            }
            _ => whole_region,
        };
        let mut lost = 0;
        for (feature, planned) in plan.features.iter().enumerate() {
            let input = &planned.input;
            if input.class == Class::Background || input.side_effects || !carrier(feature) {
                continue;
            }
            let share: f64 = (0..self.regions.len())
                .filter(|region| fault.regions.has(*region))
                .map(|region| self.share(region, feature))
                .sum();
            let stream = plan.service.clients.stream.as_secs_f64();
            let mean = input.rate_per_s * share * stream * fault.fail_fraction;
            let broken = self.count(&format!("streams/{}", planned.name), mean);
            self.features[feature].pending_streams.push((self.now, broken));
            lost += broken;
        }
        if lost > 0 {
            self.out.in_flight.streams_lost += lost;
            self.say(Kind::State, &fault.place, || {
                format!("{lost} streams break off; clients retry them under the same request id")
            });
        }
    }

    /// A feature with side effects has stopped: the runs in flight are broken off.
    pub(super) fn break_runs(&mut self, feature: usize) {
        let planned = &self.plan.features[feature];
        let input = &planned.input;
        if !input.side_effects {
            return;
        }
        let mean = input.rate_per_s * input.run.as_secs_f64();
        let took_effect = self
            .count(&format!("runs-executed/{}", planned.name), mean * input.executed_unrecorded);
        let others =
            self.count(&format!("runs/{}", planned.name), mean * (1.0 - input.executed_unrecorded));
        let runs = took_effect + others;
        self.out.in_flight.runs_interrupted += runs;
        let (earlier, effects) = self.features[feature].pending_runs.unwrap_or_default();
        self.features[feature].pending_runs = Some((earlier + runs, effects + took_effect));
    }

    /// A feature is served again: broken streams are answered anew, broken runs are reconciled.
    pub(super) fn resolve(&mut self, feature: usize) {
        let patience = self.plan.service.clients.retry_for;
        let streams = std::mem::take(&mut self.features[feature].pending_streams);
        for (since, count) in streams {
            if self.now - since <= patience {
                self.out.in_flight.streams_retried += count;
            } else {
                self.out.in_flight.streams_given_up += count;
            }
        }
        let Some((runs, effects)) = self.features[feature].pending_runs.take() else { return };
        if runs == 0 {
            return;
        }
        let planned = &self.plan.features[feature];
        let counts = &mut self.out.in_flight;
        if planned.input.idempotency_keys {
            counts.runs_reconciled += effects;
            counts.runs_retried += runs - effects;
        } else {
            counts.runs_duplicated += effects;
            counts.runs_retried += runs;
        }
        let keys = planned.input.idempotency_keys;
        self.say(Kind::State, &planned.name, || {
            let retried = if keys { runs - effects } else { runs };
            let found = if keys {
                format!("{effects} found done by their idempotency keys")
            } else {
                format!("{effects} done twice for want of idempotency keys")
            };
            format!("{runs} runs were broken off: {found}, {retried} retried")
        });
    }

    /// A feature moves: what its assets had not copied is lost to it.
    pub(super) fn lose_data(&mut self, feature: usize) {
        let plan = self.plan;
        let planned = &plan.features[feature];
        let lost = |need: &usize| self.move_.lags.get(*need).copied().unwrap_or(Span::ZERO);
        let rpo = planned.needs.iter().map(lost).max().unwrap_or(Span::ZERO);
        let store = |need: &&usize| {
            matches!(plan.needs[**need].kind, NeedKind::Asset(Asset::Replicated { .. }))
        };
        let lag = planned.needs.iter().filter(store).map(lost).max().unwrap_or(Span::ZERO);
        let known = &mut self.out.features[feature].rpo;
        *known = Some(known.map_or(rpo, |known| known.max(rpo)));
        if planned.input.turns {
            self.lose_turns(feature, lag);
        }
    }

    /// The turns that the store had not copied, found by turn counters.
    fn lose_turns(&mut self, feature: usize, lag: Span) {
        let planned = &self.plan.features[feature];
        let mean = planned.input.rate_per_s * lag.as_secs_f64();
        let lost = self.count(&format!("turns/{}", planned.name), mean);
        if lost == 0 {
            return;
        }
        let replayed = (lost as f64 * self.plan.service.clients.replay_turns).round() as u64;
        let counts = &mut self.out.in_flight;
        counts.turns_lost += lost;
        counts.turns_replayed += replayed;
        counts.turns_notified += lost - replayed;
        let lag = Span::from_secs_f64((lag.as_secs_f64() * 10.0).round() / 10.0);
        self.say(Kind::State, &planned.name, || {
            format!(
                "{lost} conversations lose their last turn to a lag of {lag}, found by turn counters: {replayed} replayed by the client, {} shown a notice",
                lost - replayed
            )
        });
    }

    /// Turns written in the standby are copied back.
    pub(super) fn copy_turns_back(&mut self) -> u64 {
        let copied = self.flows.turns_written.round() as u64;
        self.flows.turns_written = 0.0;
        self.out.in_flight.turns_copied_back += copied;
        copied
    }

    /// At the end: what was never served again, and the duplicates as a count.
    pub(super) fn settle_flows(&mut self) {
        for state in &mut self.features {
            let streams = std::mem::take(&mut state.pending_streams);
            self.out.in_flight.streams_given_up +=
                streams.into_iter().map(|(_, count)| count).sum::<u64>();
        }
        let duplicates = self.flows.duplicates;
        self.out.in_flight.duplicate_decisions = self.count("duplicates", duplicates);
    }
}
