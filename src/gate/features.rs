//! Freshness of each feature against its own budget.

use std::collections::BTreeSet;

use serde::Serialize;

use super::answer::Difference;
use super::{Decision, Fallback, FeaturePolicy, Manifest, Policy, Watermark};
use crate::time::Span;

/// What the watermarks say of one feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Freshness {
    /// Within its budget.
    Fresh,
    /// Further behind the primary than its budget.
    Lagged,
    /// Older than it may be when the request comes.
    TooOld,
    /// Ahead of the primary: one of the two watermarks is wrong.
    Ahead,
    /// A watermark, or the instant to judge its age by, is missing.
    Unknown,
}

/// What happens to a decision that needs the feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Route {
    /// It is served.
    Serve,
    /// A person looks at it.
    Review,
    /// It is refused.
    Reject,
}

/// The gate's answer for one feature.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureAnswer {
    /// Name of the feature.
    pub feature: String,
    /// The primary's watermark.
    pub primary: Option<Watermark>,
    /// The standby's watermark.
    pub standby: Option<Watermark>,
    /// How far the standby is behind; negative when it is ahead.
    pub lag: Option<Span>,
    /// The budget it was held against.
    pub policy: FeaturePolicy,
    /// What the watermarks say.
    pub freshness: Freshness,
    /// What happens to a decision that needs the feature.
    pub route: Route,
}

/// Every feature that a manifest or the policy names, by name.
pub(super) fn judge(
    primary: &Manifest,
    standby: &Manifest,
    policy: &Policy,
    at: Option<Watermark>,
) -> Vec<FeatureAnswer> {
    let names: BTreeSet<&String> = primary
        .features
        .keys()
        .chain(standby.features.keys())
        .chain(policy.features.keys())
        .collect();
    let answer = |name: &String| {
        let theirs = primary.features.get(name).copied();
        let ours = standby.features.get(name).copied();
        FeatureAnswer::of(name, theirs, ours, policy.feature(name), at)
    };
    names.into_iter().map(answer).collect()
}

impl FeatureAnswer {
    fn of(
        name: &str,
        primary: Option<Watermark>,
        standby: Option<Watermark>,
        policy: FeaturePolicy,
        at: Option<Watermark>,
    ) -> Self {
        let lag = primary.zip(standby).map(|(theirs, ours)| theirs.since(ours));
        let freshness = freshness(lag, standby, &policy, at);
        let beyond = match policy.fallback {
            Fallback::Serve => Route::Serve,
            Fallback::Review => Route::Review,
            Fallback::Reject => Route::Reject,
        };
        let route = match freshness {
            Freshness::Fresh => Route::Serve,
            Freshness::Lagged | Freshness::TooOld => beyond,
            // A watermark that cannot be right, or is not there, says nothing about staleness, so
            // the fallback for staleness cannot let it pass.
            Freshness::Ahead | Freshness::Unknown => beyond.max(Route::Review),
        };
        FeatureAnswer { feature: name.to_owned(), primary, standby, lag, policy, freshness, route }
    }

    /// The difference to list, if the feature is not fresh.
    pub(super) fn difference(&self) -> Option<Difference> {
        let route = match self.route {
            Route::Serve => "served all the same",
            Route::Review => "reviewed",
            Route::Reject => "refused",
        };
        let budget = self.policy.max_lag;
        let why = match (self.freshness, self.lag) {
            (Freshness::Fresh, _) => return None,
            (Freshness::Lagged, Some(lag)) => format!("{lag} behind the primary, budget {budget}"),
            (Freshness::Ahead, Some(lag)) => format!("{} ahead of the primary", -lag),
            (Freshness::TooOld, _) => match self.policy.max_age {
                Some(age) => format!("older than {age} at the request"),
                None => "too old".to_owned(),
            },
            (_, None) if self.standby.is_none() => "the standby has no watermark".to_owned(),
            (_, None) => "the primary has no watermark".to_owned(),
            _ => "its age cannot be judged without the instant of the request".to_owned(),
        };
        let decision = match self.route {
            Route::Serve => Decision::Serve,
            Route::Review | Route::Reject => Decision::ReviewFeatureLag,
        };
        let shown = |mark: Option<Watermark>| mark.map(|mark| mark.to_string());
        Some(Difference {
            decision,
            subject: format!("features.{}", self.feature),
            primary: shown(self.primary),
            standby: shown(self.standby),
            why: format!("{why}: decisions that need it are {route}"),
        })
    }
}

fn freshness(
    lag: Option<Span>,
    standby: Option<Watermark>,
    policy: &FeaturePolicy,
    at: Option<Watermark>,
) -> Freshness {
    let Some(lag) = lag else { return Freshness::Unknown };
    if lag < Span::ZERO {
        return Freshness::Ahead;
    }
    if lag > policy.max_lag {
        return Freshness::Lagged;
    }
    match (policy.max_age, at.zip(standby)) {
        (None, _) => Freshness::Fresh,
        (Some(_), None) => Freshness::Unknown,
        (Some(age), Some((at, mark))) if at.since(mark) > age => Freshness::TooOld,
        _ => Freshness::Fresh,
    }
}
