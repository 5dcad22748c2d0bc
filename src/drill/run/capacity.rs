//! Servers, shedding and time to first token.
//!
//! Interactive work is served first and shed in part when a region is short; background work is shed
//! whole while it does not fit, reckoned on the load that is coming and not on the part of it that
//! has arrived. Time to first token is an input: normal, or degraded while the region is busy.

use super::{Event, Place, Run, told};
use crate::drill::controller::State;
use crate::drill::outcome::Kind;
use crate::drill::service::Class;
use crate::time::Span;

/// Capacities nearer than this are equal.
const NEAR: f64 = 1e-9;

/// What a region makes of the work that it gets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Load {
    /// Share of interactive work that is served.
    pub(super) interactive: f64,
    /// Share of background work that is served: all or none.
    pub(super) background: f64,
    /// Whether the time to first token is degraded.
    pub(super) degraded: bool,
}

impl Default for Load {
    fn default() -> Self {
        Load { interactive: 1.0, background: 1.0, degraded: false }
    }
}

impl Load {
    /// Share of the work of a class that is served.
    pub(super) fn admits(self, class: Class) -> f64 {
        match class {
            Class::Interactive => self.interactive,
            Class::Background => self.background,
        }
    }
}

impl Run<'_> {
    /// Share of a feature's traffic that goes to a region.
    pub(super) fn share(&self, region: usize, feature: usize) -> f64 {
        let away = self.features[feature].away;
        match region {
            0 => 1.0 - away,
            _ if region == self.away_region() => away,
            _ => 0.0,
        }
    }

    /// The share that is coming: all of it, once clients have begun to follow.
    fn coming(&self, region: usize, feature: usize) -> f64 {
        let state = &self.features[feature];
        let moving = state.place == Place::Away
            && matches!(self.controller.state(), State::OnStandby { .. });
        match (moving, region) {
            (true, 0) => 0.0,
            (true, _) if region == self.away_region() => 1.0,
            _ => self.share(region, feature),
        }
    }

    fn work(&self, class: Class, share: impl Fn(usize) -> f64) -> f64 {
        let features = self.plan.features.iter().enumerate();
        features
            .filter(|(_, feature)| feature.input.class == class)
            .map(|(index, feature)| feature.input.work * share(index))
            .sum()
    }

    /// Work of every feature that can be, or is, on the standby.
    pub(super) fn total_work(&self) -> f64 {
        self.plan.features.iter().map(|feature| feature.input.work).sum()
    }

    /// Brings what depends on the state up to date: loads, autoscaler, who is served.
    pub(super) fn refresh(&mut self) {
        self.watch_breaker();
        for region in 0..self.regions.len() {
            let load = self.reckon(region);
            let before = std::mem::replace(&mut self.regions[region].load, load);
            self.tell_load(region, before, load);
        }
        self.scale_primary();
        for feature in 0..self.features.len() {
            self.observe(feature);
        }
    }

    /// How much more work a request is in the region for its cold caches.
    fn cold_factor(&self, region: usize) -> f64 {
        let penalty = self.plan.service.latency.cache.cold_penalty;
        1.0 + penalty * (1.0 - self.regions[region].warmth)
    }

    fn reckon(&self, region: usize) -> Load {
        let state = &self.regions[region];
        let factor = self.cold_factor(region);
        let now = self.work(Class::Interactive, |feature| self.share(region, feature)) * factor;
        let coming = self.work(Class::Interactive, |feature| self.coming(region, feature)) * factor;
        let behind = self.work(Class::Background, |feature| self.coming(region, feature)) * factor;
        let interactive = if now <= state.ready + NEAR { 1.0 } else { state.ready / now };
        let background = if coming + behind <= state.ready + NEAR { 1.0 } else { 0.0 };
        let served = now * interactive
            + background
                * self.work(Class::Background, |feature| self.share(region, feature))
                * factor;
        let busy = served > state.ready * self.plan.service.latency.busy_above + NEAR;
        Load { interactive, background, degraded: busy || interactive < 1.0 }
    }

    fn tell_load(&mut self, region: usize, before: Load, after: Load) {
        if !self.recording || before == after {
            return;
        }
        let name = self.region_name(region);
        let latency = &self.plan.service.latency;
        let [normal, degraded] = [latency.normal, latency.degraded].map(|span| span.as_secs_f64());
        match (before.degraded, after.degraded) {
            (false, true) => self.say(Kind::Capacity, name, || {
                format!("time to first token (p95) degraded: {normal} s to {degraded} s")
            }),
            (true, false) => self.say(Kind::Capacity, name, || {
                format!("time to first token (p95) normal again: {normal} s")
            }),
            _ => {}
        }
        match (before.background > 0.0, after.background > 0.0) {
            (true, false) => {
                self.say(Kind::Capacity, name, || "background work is shed".to_owned());
            }
            (false, true) => {
                self.say(Kind::Capacity, name, || "background work is served again".to_owned());
            }
            _ => {}
        }
        match (before.interactive < 1.0, after.interactive < 1.0) {
            (false, true) => {
                self.say(Kind::Capacity, name, || "interactive work is shed in part".to_owned())
            }
            (true, false) => {
                self.say(Kind::Capacity, name, || "all interactive work is served again".to_owned())
            }
            _ => {}
        }
    }

    /// The primary's autoscaler follows the traffic that it has.
    fn scale_primary(&mut self) {
        let work: f64 = [Class::Interactive, Class::Background]
            .map(|class| self.work(class, |feature| self.coming(0, feature)))
            .iter()
            .sum();
        if self.region_up(0) > 0.0 {
            self.scale_to(0, work * self.cold_factor(0));
        }
    }

    /// Asks for the servers that `work` needs beyond those that are ready or on their way.
    pub(super) fn scale_to(&mut self, region: usize, work: f64) {
        let servers = &self.plan.service.servers;
        let state = &self.regions[region];
        let short = (work * servers.headroom).min(1.0) - state.ready - state.pending;
        let count = (short * servers.full as f64 - 1e-6).ceil();
        if count < 1.0 {
            return;
        }
        let count = count as u64;
        self.regions[region].pending += count as f64 / servers.full as f64;
        let name = self.region_name(region);
        let reaction = self.draw(&format!("reaction/{name}"), &servers.reaction);
        let provision = self.draw(&format!("provision/{name}"), &servers.provision);
        let readiness = self.draw(&format!("readiness/{name}"), &servers.readiness);
        let load = servers.load(count);
        self.say(Kind::Capacity, name, || {
            format!(
                "the autoscaler asks for {}: {} until they are there, then {} to load and pass readiness",
                servers_told(count),
                told(reaction + provision),
                told(load + readiness)
            )
        });
        let takes = [reaction, provision, load, readiness].into_iter().sum::<Span>();
        self.after(takes, Event::ServersReady { region, servers: count });
    }

    pub(super) fn servers_ready(&mut self, region: usize, servers: u64) {
        let more = servers as f64 / self.plan.service.servers.full as f64;
        let state = &mut self.regions[region];
        state.pending = (state.pending - more).max(0.0);
        state.ready = (state.ready + more).min(1.0);
        let ready = state.ready * 100.0;
        self.say(Kind::Capacity, self.region_name(region), || {
            format!("{} more ready: {ready:.0} % of full capacity", servers_told(servers))
        });
    }

    /// The primary's autoscaler gives up servers that have had no traffic for a while.
    pub(super) fn scale_down(&mut self, moves: u64) {
        let on_standby = matches!(self.controller.state(), State::OnStandby { .. });
        let idle = self.plan.service.primary.idle_capacity;
        if moves != self.moves || !on_standby || self.regions[0].ready <= idle {
            return;
        }
        self.regions[0].ready = idle;
        self.say(Kind::Capacity, self.region_name(0), || {
            format!("the autoscaler leaves {:.0} % of full capacity", idle * 100.0)
        });
    }
}

fn servers_told(count: u64) -> String {
    format!("{count} {}", if count == 1 { "server" } else { "servers" })
}
