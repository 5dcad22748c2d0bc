//! What flows between two events, and who is served since when.

use super::availability::HALF;
use super::{Run, told};
use crate::drill::outcome::{Interruption, Kind, Outcome, Segment, Server, Stage};
use crate::drill::service::{Fallback, FallbackKind, FaultKind};
use crate::time::Span;

/// Shares smaller than this are nothing.
const NOTHING: f64 = 1e-9;

impl Run<'_> {
    /// Integrates everything that flows up to now.
    pub(super) fn flow(&mut self) {
        let secs = (self.now - self.flowed).as_secs_f64();
        self.flowed = self.now;
        for feature in 0..self.features.len() {
            self.flow_requests(feature, secs);
        }
        for region in 0..self.regions.len() {
            self.warm(region, secs);
        }
    }

    fn flow_requests(&mut self, feature: usize, secs: f64) {
        let input = &self.plan.features[feature].input;
        let arriving = input.rate_per_s * secs;
        let away_region = self.away_region();
        let cut_off = self.region_has(0, FaultKind::Isolated) && !self.fenced;
        for (region, here) in [(0, false), (away_region, true)] {
            let share = self.share(region, feature);
            if share <= NOTHING {
                continue;
            }
            let up = self.feature_up(region, feature);
            let load = self.regions[region].load;
            let admitted = load.admits(input.class);
            let slow = self.is_slow(region, feature);
            let requests = &mut self.out.features[feature].requests;
            let served = arriving * share * up * admitted;
            if here {
                requests.by_standby += served
            } else {
                requests.by_primary += served
            }
            requests.lost += arriving * share * (1.0 - up);
            requests.shed += arriving * share * up * (1.0 - admitted);
            if slow {
                requests.degraded_s += secs * share * up * admitted;
            }
            if here {
                if input.turns {
                    self.flows.turns_written += served;
                }
                if cut_off {
                    self.flows.duplicates += input.autonomous_per_s * share * up * secs;
                }
            }
        }
    }

    fn warm(&mut self, region: usize, secs: f64) {
        let cache = &self.plan.service.latency.cache;
        let work = |feature: usize| self.plan.features[feature].input.work;
        let total = self.total_work();
        let here: f64 = (0..self.features.len())
            .map(|feature| work(feature) * self.share(region, feature))
            .sum();
        let share = if total > 0.0 { here / total * self.region_up(region) } else { 0.0 };
        let state = &mut self.regions[region];
        if share > NOTHING {
            let kept = libm::exp(-secs * share / cache.warms_in.as_secs_f64());
            state.warmth = 1.0 - (1.0 - state.warmth) * kept;
        } else {
            state.warmth *= libm::exp(-secs / cache.cools_in.as_secs_f64());
        }
    }

    /// Whether whoever is served there is served later or less well than usual.
    fn is_slow(&self, region: usize, feature: usize) -> bool {
        let lesser = |fallback: &Fallback| {
            fallback.kind == FallbackKind::Degraded || fallback.added_latency.is_positive()
        };
        self.regions[region].load.degraded || self.fallback_of(region, feature).is_some_and(lesser)
    }

    /// Looks who serves a feature now, and keeps its interruptions and segments.
    pub(super) fn observe(&mut self, feature: usize) {
        let (server, degraded) = self.server(feature);
        if self.recording {
            let segments = &mut self.out.features[feature].segments;
            let changed = |last: &Segment| last.server != server || last.degraded != degraded;
            if segments.last().is_none_or(changed) {
                segments.push(Segment { from: self.now, server, degraded });
            }
        }
        let open =
            self.out.features[feature].interruptions.last().is_some_and(|last| last.to.is_none());
        match (server.serves(), open) {
            (false, false) => self.interrupted(feature, server),
            (true, true) => self.served_again(feature, server),
            _ => {}
        }
        if server.serves() {
            self.resolve(feature);
        }
    }

    fn server(&self, feature: usize) -> (Server, bool) {
        let class = self.plan.features[feature].input.class;
        let mut serving = [false; 2];
        let (mut reached, mut degraded) = (false, false);
        for (slot, region) in [0, self.away_region()].into_iter().enumerate() {
            if self.share(region, feature) <= NOTHING {
                continue;
            }
            let up = self.feature_up(region, feature);
            let admitted = self.regions[region].load.admits(class);
            reached |= up >= HALF;
            serving[slot] = up >= HALF && admitted > 0.0;
            degraded |=
                serving[slot] && (up < 1.0 || admitted < 1.0 || self.is_slow(region, feature));
        }
        let server = match (serving, reached) {
            ([true, true], _) => Server::Both,
            ([true, false], _) => Server::Primary,
            ([false, true], _) => Server::Standby,
            ([false, false], true) => Server::Shed,
            ([false, false], false) => Server::Nobody,
        };
        (server, degraded)
    }

    fn interrupted(&mut self, feature: usize, server: Server) {
        let shed = server == Server::Shed;
        let interruption =
            Interruption { from: self.now, to: None, shed, stages: Vec::new(), ended_by: None };
        self.out.features[feature].interruptions.push(interruption);
        if server == Server::Nobody {
            self.break_runs(feature);
        }
        let name = &self.plan.features[feature].name;
        self.say(Kind::Fault, name, || {
            if server == Server::Shed { "shed: nobody is served" } else { "nobody is served" }
                .to_owned()
        });
    }

    fn served_again(&mut self, feature: usize, server: Server) {
        let Some(mut last) = self.out.features[feature].interruptions.pop() else { return };
        last.to = Some(self.now);
        last.ended_by = Some(server);
        last.stages = self.stages(feature, &last, server);
        self.out.features[feature].interruptions.push(last.clone());
        let name = &self.plan.features[feature].name;
        let by = match server {
            Server::Primary => self.region_name(0),
            _ => self.region_name(self.away_region()),
        };
        let length = told(self.now - last.from);
        self.say(Kind::Traffic, name, || {
            format!("first request served by {by}, {length} after it stopped")
        });
    }

    /// Where the time of an interruption went. The parts add up to the whole.
    fn stages(&self, feature: usize, whole: &Interruption, server: Server) -> Vec<(Stage, Span)> {
        let state = &self.features[feature];
        let to = self.now;
        let by_standby = matches!(server, Server::Standby | Server::Both);
        // An interruption that the move did not end is one of the standby itself.
        let by_move = whole.shed || state.first_followed.is_none_or(|moved| moved >= whole.from);
        let ends = match self.move_.decided {
            Some(decided) if by_standby && by_move => vec![
                (Stage::Detection, Some(self.due_or(decided))),
                (Stage::Held, Some(decided)),
                (Stage::Promotion, self.move_.promoted),
                (Stage::Confirmation, state.confirmed),
                (Stage::AssetRecovery, state.assets_ready),
                (Stage::TrafficShift, state.first_followed),
                (Stage::Capacity, Some(to)),
            ],
            _ if self.fallback_of(0, feature).is_some() => vec![(Stage::ProviderSwitch, Some(to))],
            _ => vec![(Stage::UntilMended, Some(to))],
        };
        let mut stages = Vec::new();
        let mut since = whole.from;
        for (stage, end) in ends {
            let end = end.unwrap_or(since).min(to);
            if end > since {
                stages.push((stage, end - since));
                since = end;
            }
        }
        stages
    }

    /// Closes the books.
    pub(super) fn finish(mut self) -> Outcome {
        self.settle_flows();
        self.out
    }
}
