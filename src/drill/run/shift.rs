//! Clients follow: all at once behind a load balancer, in cohorts behind DNS.

use super::{Event, Place, Run};
use crate::drill::outcome::Kind;
use crate::drill::service::Shift;
use crate::time::Span;

/// Cohorts that follow evenly over the TTL: the first at once, the last at its end, so that their mean
/// delay is half the TTL exactly.
const PROMPT: usize = 13;

/// Cohorts of the stragglers, at the mid-quantiles of their exponential tail.
const LATE: usize = 8;

impl Run<'_> {
    /// The clients of a feature begin to follow to the standby.
    pub(super) fn shift(&mut self, feature: usize) {
        let name = &self.plan.features[feature].name;
        let standby = self.region_name(self.away_region());
        self.say(Kind::Traffic, name, || format!("moves to {standby}"));
        let moves = self.moves;
        for (cohort, (delay, _)) in cohorts(&self.plan.service.shift).into_iter().enumerate() {
            self.after(delay, Event::Follow { feature, cohort, moves });
        }
    }

    pub(super) fn follow(&mut self, feature: usize, cohort: usize, moves: u64) {
        if moves != self.moves || self.features[feature].place != Place::Away {
            return;
        }
        let cohorts = cohorts(&self.plan.service.shift);
        let Some((_, share)) = cohorts.get(cohort) else { return };
        let state = &mut self.features[feature];
        state.away = *share;
        state.first_followed.get_or_insert(self.now);
        if cohort + 1 == cohorts.len() && cohort > 0 {
            let name = &self.plan.features[feature].name;
            self.say(Kind::Traffic, name, || "the last clients have followed".to_owned());
        }
    }
}

/// When each cohort follows, and the share that has followed then.
fn cohorts(shift: &Shift) -> Vec<(Span, f64)> {
    match *shift {
        Shift::LoadBalancer { delay } => vec![(delay, 1.0)],
        Shift::Dns { ttl, stragglers, tail } => {
            let steps = (PROMPT - 1) as f64;
            let prompt = (0..PROMPT).map(|cohort| {
                let delay = Span::from_secs_f64(ttl.as_secs_f64() * cohort as f64 / steps);
                (delay, (1.0 - stragglers) * (cohort + 1) as f64 / PROMPT as f64)
            });
            let late = (0..LATE).filter(|_| stragglers > 0.0).map(|cohort| {
                let below = (cohort as f64 + 0.5) / LATE as f64;
                let beyond = Span::from_secs_f64(-tail.as_secs_f64() * libm::log1p(-below));
                let share = (cohort + 1) as f64 / LATE as f64;
                (ttl + beyond, 1.0 - stragglers * (1.0 - share))
            });
            prompt.chain(late).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cohorts_end_with_everybody_and_keep_the_mean_delay() {
        let ttl = Span::from_secs(60);
        let tail = Span::from_secs(600);
        let even = cohorts(&Shift::Dns { ttl, stragglers: 0.0, tail });
        assert_eq!(even.len(), PROMPT);
        assert_eq!(even[0].0, Span::ZERO);
        let mean = |cohorts: &[(Span, f64)]| {
            let mut before = 0.0;
            cohorts.iter().fold(0.0, |sum, (delay, share)| {
                let part = share - std::mem::replace(&mut before, *share);
                sum + part * delay.as_secs_f64()
            })
        };
        assert!((mean(&even) - 30.0).abs() < 1e-6);
        let late = cohorts(&Shift::Dns { ttl, stragglers: 0.1, tail });
        assert!((late[late.len() - 1].1 - 1.0).abs() < 1e-12);
        // 0.9 · 30 + 0.1 · (60 + 600) = 93; mid-quantiles of eight cohorts fall 4 % short of the tail.
        assert!((mean(&late) - 93.0).abs() < 3.0, "{}", mean(&late));
        assert!(late.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 < pair[1].1));
    }
}
