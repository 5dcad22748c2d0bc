//! The way out: runbook, confirmation by a person, recovery of assets, and who may move.

use super::availability::HALF;
use super::{Event, Move, Place, Run, told};
use crate::drill::outcome::Kind;
use crate::drill::plan::{NeedKind, StepNeed};
use crate::drill::service::{Asset, Scope};
use crate::law::Law;
use crate::time::Span;

impl Run<'_> {
    /// The controller, or a person, has decided to move to a standby.
    pub(super) fn fail_over(&mut self, standby: usize, planned: bool) {
        self.moves += 1;
        self.out.failovers += 1;
        let due = self.move_.due.take();
        self.move_ = Move { standby, due, decided: Some(self.now), planned, ..Move::default() };
        let name = self.region_name(standby + 1);
        self.say(Kind::Decision, name, || {
            let why = if planned { "as planned" } else { "the primary has failed long enough" };
            format!("fail over to {name}: {why}")
        });
        self.scale_to(standby + 1, self.total_work());
        self.choose_features();
        self.recover_assets();
        self.advance_runbook();
        self.move_ready();
    }

    /// Read-only features go at once; those with side effects wait for a person.
    fn choose_features(&mut self) {
        for feature in 0..self.features.len() {
            let planned = &self.plan.features[feature];
            let state = &mut self.features[feature];
            state.confirmed = None;
            state.assets_ready = None;
            state.first_followed = None;
            let interrupted = self.feature_up(0, feature) < HALF;
            self.features[feature].was_interrupted = interrupted;
            if self.plan.service.controller.scope == Scope::Affected && !interrupted {
                continue;
            }
            if let Some(need) = planned.needs.iter().find(|need| self.stands_elsewhere(1, **need)) {
                let why = format!(
                    "it needs {}, which stands in the primary only",
                    self.plan.needs[*need].name
                );
                self.say(Kind::Decision, &planned.name, || format!("cannot move: {why}"));
                self.out.features[feature].stuck = Some(why);
                continue;
            }
            self.features[feature].place = Place::Waiting;
            let law = planned.input.confirmation.as_ref();
            match law.filter(|_| planned.input.side_effects) {
                None => self.features[feature].confirmed = Some(self.now),
                Some(law) => {
                    let takes = self.draw(&format!("confirmation/{}", planned.name), law);
                    self.say(Kind::Person, &planned.name, || {
                        "has side effects: a person is asked to confirm".to_owned()
                    });
                    self.after(takes, Event::Confirmed { feature, moves: self.moves });
                }
            }
        }
    }

    pub(super) fn confirmed(&mut self, feature: usize, moves: u64) {
        if moves != self.moves || self.features[feature].place != Place::Waiting {
            return;
        }
        self.features[feature].confirmed = Some(self.now);
        self.say(Kind::Person, &self.plan.features[feature].name, || {
            "a person confirms the failover".to_owned()
        });
        self.move_ready();
    }

    /// Each asset recovers in its own way. A planned move drains replication first.
    fn recover_assets(&mut self) {
        let plan = self.plan;
        let standby = self.move_.standby;
        self.move_.lags = vec![Span::ZERO; plan.needs.len()];
        for (need, planned) in plan.needs.iter().enumerate() {
            let NeedKind::Asset(asset) = &planned.kind else { continue };
            let (lag, takes) = asset_laws(asset);
            if let Some(law) = lag.filter(|_| !self.move_.planned) {
                self.move_.lags[need] = self.draw(&format!("lag/{}", planned.name), law);
            }
            if let Some(law) = takes.filter(|_| !self.assets[standby][need]) {
                let takes = self.draw(&format!("asset/{}", planned.name), law);
                let rebuilt = matches!(asset, Asset::Rebuilt { .. });
                self.say(Kind::State, &planned.name, || {
                    let how = if rebuilt {
                        "rebuilt from its source"
                    } else {
                        "restored from a snapshot"
                    };
                    format!("is being {how}: {}", told(takes))
                });
                self.after(takes, Event::AssetReady { standby, need });
            }
        }
    }

    pub(super) fn asset_ready(&mut self, standby: usize, need: usize) {
        self.assets[standby][need] = true;
        let region = self.region_name(standby + 1);
        self.say(Kind::State, &self.plan.needs[need].name, || format!("is ready in {region}"));
        self.move_ready();
    }

    /// Starts the next step of the runbook, or waits for what it needs.
    pub(super) fn advance_runbook(&mut self) {
        let Some(step) = self.plan.steps.get(self.move_.next_step) else {
            self.promoted();
            return;
        };
        let missing = step.needs.iter().find(|need| !self.is_there(need));
        if let Some(missing) = missing {
            if !std::mem::replace(&mut self.move_.blocked, true) {
                let missing = match missing {
                    StepNeed::Need(need) => &self.plan.needs[*need].name,
                    StepNeed::Region(region) => &self.plan.regions[*region],
                };
                self.say(Kind::Runbook, &step.name, || format!("waits: it needs {missing}"));
            }
            return;
        }
        self.move_.blocked = false;
        let takes = self.draw(&format!("step/{}", step.name), &step.takes);
        self.after(takes, Event::StepDone { moves: self.moves });
    }

    fn is_there(&self, need: &StepNeed) -> bool {
        match need {
            StepNeed::Need(need) => self.step_need_up(*need),
            StepNeed::Region(region) => self.region_up(*region) >= HALF,
        }
    }

    /// Something is well again: a step that waited for it may go on.
    pub(super) fn resume_runbook(&mut self) {
        if self.move_.blocked {
            self.advance_runbook();
        }
    }

    pub(super) fn step_done(&mut self, moves: u64) {
        if moves != self.moves {
            return;
        }
        if let Some(step) = self.plan.steps.get(self.move_.next_step) {
            self.fenced |= step.fences;
            self.say(Kind::Runbook, &step.name, || "done".to_owned());
        }
        self.move_.next_step += 1;
        self.advance_runbook();
    }

    fn promoted(&mut self) {
        self.move_.promoted = Some(self.now);
        let idle = self.plan.service.primary.scale_down_after;
        self.after(idle, Event::ScaleDown { moves: self.moves });
        self.move_ready();
    }

    /// Moves every feature that has all that it waits for.
    fn move_ready(&mut self) {
        for feature in 0..self.features.len() {
            let state = &self.features[feature];
            let waits = state.place == Place::Waiting;
            if !waits || state.confirmed.is_none() || self.move_.promoted.is_none() {
                continue;
            }
            let needs = &self.plan.features[feature].needs;
            if needs.iter().all(|need| self.asset_usable(self.away_region(), *need)) {
                self.features[feature].assets_ready = Some(self.now);
                self.leave_or_stay(feature);
            }
        }
    }

    /// A feature that the primary serves again before it could move stays where it is.
    fn leave_or_stay(&mut self, feature: usize) {
        let served = self.feature_up(0, feature) >= HALF;
        if self.features[feature].was_interrupted && served && !self.move_.planned {
            self.features[feature].place = Place::Home;
            self.say(Kind::Decision, &self.plan.features[feature].name, || {
                "is not moved: the primary serves it again".to_owned()
            });
            return;
        }
        self.features[feature].place = Place::Away;
        self.lose_data(feature);
        self.shift(feature);
    }
}

/// The laws of an asset's loss and of its recovery.
fn asset_laws(asset: &Asset) -> (Option<&Law>, Option<&Law>) {
    match asset {
        Asset::Present | Asset::DualIngested | Asset::Cache => (None, None),
        Asset::Replicated { lag } => (Some(lag), None),
        Asset::Snapshot { lag, restore } => (Some(lag), Some(restore)),
        Asset::Rebuilt { takes } => (None, Some(takes)),
    }
}
