//! What a drill must satisfy beyond the types of its fields.

mod names;

pub(super) use names::Names;

use super::service::{CanaryPhase, Class, Feature, Service, Shift};
use crate::scenario::validate::Broken;
use crate::time::{LONGEST, Span};

/// The most canaries that one replication may send.
const MOST_CANARIES: i64 = 10_000_000;

/// The most requests a second that a feature may have.
const MOST_PER_S: f64 = 1e9;

pub(super) fn broken<T>(key: &str, message: impl Into<String>) -> Result<T, Broken> {
    Err(Broken { key: key.to_owned(), message: message.into() })
}

/// Checks the values, one by one.
///
/// # Errors
/// The first rule that is broken, with its key.
pub(super) fn values(service: &Service) -> Result<(), Broken> {
    positive("length", service.length)?;
    watching(service)?;
    regions(service)?;
    if service.features.is_empty() {
        return broken(
            "features",
            "no feature is described; allowed: one or more, like [features.answers]",
        );
    }
    for (name, input) in &service.features {
        feature(&format!("features.{name}"), input)?;
    }
    let work: f64 = service.features.values().map(|feature| feature.work).sum();
    if work > 1.0 + 1e-9 {
        return broken(
            "features",
            format!(
                "the features' `work` adds up to {work}; allowed: up to 1, the full capacity of the primary"
            ),
        );
    }
    servers(service)?;
    latency(service)?;
    shift(&service.shift)?;
    service.fencing.lease.map_or(Ok(()), |lease| not_negative("fencing.lease", lease))?;
    failback(service)?;
    for (index, fault) in service.faults.iter().enumerate() {
        share(&format!("faults.{index}.fail_fraction"), fault.fail_fraction, false)?;
    }
    match service.gate.broken_rule() {
        Some((key, message)) => broken(&format!("gate.{key}"), message),
        None => Ok(()),
    }
}

fn watching(service: &Service) -> Result<(), Broken> {
    let controller = &service.controller;
    not_negative("controller.fail_after", controller.fail_after)?;
    not_negative("controller.recover_after", controller.recover_after)?;
    share("controller.min_success", controller.min_success, false)?;
    if let Some(after) = controller.breaker_opens_after {
        not_negative("controller.breaker_opens_after", after)?;
    }
    let canary = &service.canary;
    positive("canary.interval", canary.interval)?;
    positive("canary.window", canary.window)?;
    let places = (canary.vantage_points.len() * (service.standbys.len() + 1)) as i64;
    let canaries = service.length.div_floor(canary.interval).saturating_mul(places);
    if canaries > MOST_CANARIES {
        return broken(
            "canary.interval",
            format!(
                "a canary every {} over {}, between {places} pairs of vantage point and region, is more than {MOST_CANARIES} canaries",
                canary.interval, service.length
            ),
        );
    }
    if let CanaryPhase::At(phase) = canary.phase
        && !(Span::ZERO..canary.interval).contains(&phase)
    {
        return broken(
            "canary.phase",
            format!(
                "{phase} found; allowed: from 0s up to, not including, the interval of {}",
                canary.interval
            ),
        );
    }
    if !(0.0..1.0).contains(&canary.noise) {
        return broken(
            "canary.noise",
            format!("{} found; allowed: 0 up to, not including, 1", canary.noise),
        );
    }
    let points = canary.vantage_points.len();
    if points == 0 || points > 1_000 {
        return broken("canary.vantage_points", format!("{points} found; allowed: 1 to 1000"));
    }
    match canary.quorum {
        Some(quorum) if quorum == 0 || quorum as usize > points => broken(
            "canary.quorum",
            format!("{quorum} found; allowed: 1 to the {points} vantage points"),
        ),
        _ => Ok(()),
    }
}

fn regions(service: &Service) -> Result<(), Broken> {
    share("primary.idle_capacity", service.primary.idle_capacity, true)?;
    not_negative("primary.scale_down_after", service.primary.scale_down_after)?;
    if service.standbys.is_empty() {
        return broken("standbys", "no standby is described; allowed: one or more [[standbys]]");
    }
    for (index, standby) in service.standbys.iter().enumerate() {
        share(&format!("standbys.{index}.capacity"), standby.capacity, true)?;
    }
    Ok(())
}

fn feature(path: &str, feature: &Feature) -> Result<(), Broken> {
    let key = |name: &str| format!("{path}.{name}");
    amount(&key("rate_per_s"), feature.rate_per_s, MOST_PER_S, true)?;
    amount(&key("work"), feature.work, 1.0, true)?;
    amount(&key("autonomous_per_s"), feature.autonomous_per_s, MOST_PER_S, true)?;
    share(&key("executed_unrecorded"), feature.executed_unrecorded, true)?;
    positive(&key("rto"), feature.rto)?;
    not_negative(&key("rpo"), feature.rpo)?;
    not_negative(&key("run"), feature.run)?;
    if feature.side_effects && feature.class == Class::Background {
        return broken(
            &key("class"),
            "background work with side effects is not simulated: make it interactive, or describe its side effects as a feature of their own",
        );
    }
    match (&feature.confirmation, feature.side_effects) {
        (None, true) => broken(
            path,
            "`side_effects` needs `confirmation`: how long a person takes to confirm, like \"6min\"",
        ),
        (Some(_), false) => broken(
            &key("confirmation"),
            "only a feature with `side_effects = true` waits for a person",
        ),
        _ => Ok(()),
    }
}

fn servers(service: &Service) -> Result<(), Broken> {
    let servers = &service.servers;
    if !(1..=1_000_000).contains(&servers.full) {
        return broken("servers.full", format!("{} found; allowed: 1 to 1000000", servers.full));
    }
    amount("servers.headroom", servers.headroom, 100.0, false)?;
    amount("servers.weights_gb", servers.weights_gb, 1e6, true)?;
    amount("servers.load_rate_gb_per_s", servers.load_rate_gb_per_s, 1e6, false)?;
    if let Some(rate) = servers.storage_gb_per_s {
        amount("servers.storage_gb_per_s", rate, 1e9, false)?;
    }
    Ok(())
}

fn latency(service: &Service) -> Result<(), Broken> {
    let latency = &service.latency;
    positive("latency.normal", latency.normal)?;
    if latency.degraded < latency.normal {
        return broken(
            "latency.degraded",
            format!("{} found; allowed: at least `normal`, {}", latency.degraded, latency.normal),
        );
    }
    amount("latency.busy_above", latency.busy_above, 100.0, false)?;
    amount("latency.cache.cold_penalty", latency.cache.cold_penalty, 1e3, true)?;
    positive("latency.cache.warms_in", latency.cache.warms_in)?;
    positive("latency.cache.cools_in", latency.cache.cools_in)?;
    not_negative("clients.stream", service.clients.stream)?;
    not_negative("clients.retry_for", service.clients.retry_for)?;
    share("clients.replay_turns", service.clients.replay_turns, true)
}

fn shift(shift: &Shift) -> Result<(), Broken> {
    match shift {
        Shift::LoadBalancer { delay } => not_negative("shift.delay", *delay),
        Shift::Dns { ttl, stragglers, tail } => {
            not_negative("shift.ttl", *ttl)?;
            not_negative("shift.tail", *tail)?;
            share("shift.stragglers", *stragglers, true)
        }
    }
}

fn failback(service: &Service) -> Result<(), Broken> {
    let failback = &service.failback;
    let rising = failback.steps.windows(2).all(|pair| pair[0] < pair[1]);
    let whole = failback.steps.first().is_some_and(|first| *first > 0.0)
        && failback.steps.last() == Some(&1.0);
    if !rising || !whole {
        return broken(
            "failback.steps",
            format!(
                "{:?} found; allowed: shares that rise from above 0 to 1, like [0.05, 0.25, 0.5, 1.0]",
                failback.steps
            ),
        );
    }
    positive("failback.hold", failback.hold)?;
    positive("failback.check_every", failback.check_every)?;
    if service.length.div_floor(failback.check_every.min(failback.hold)) > MOST_CANARIES {
        return broken(
            "failback.check_every",
            format!("a check every {} is too many over {}", failback.check_every, service.length),
        );
    }
    share("failback.max_error_rate", failback.max_error_rate, true)?;
    share("failback.min_canary_success", failback.min_canary_success, true)?;
    not_negative("failback.max_ttft", failback.max_ttft)?;
    let turns: f64 =
        service.features.values().filter(|feature| feature.turns).map(|f| f.rate_per_s).sum();
    let copied = failback.reconcile_turns_per_s;
    if !(copied.is_finite() && copied > turns) {
        return broken(
            "failback.reconcile_turns_per_s",
            format!(
                "{copied} found; allowed: more than the {turns} turns a second that are written, or reconciliation never ends"
            ),
        );
    }
    Ok(())
}

fn positive(key: &str, span: Span) -> Result<(), Broken> {
    if span.is_positive() {
        return Ok(());
    }
    broken(key, format!("{span} found; allowed: longer than 0s, up to {LONGEST}"))
}

fn not_negative(key: &str, span: Span) -> Result<(), Broken> {
    if span >= Span::ZERO {
        return Ok(());
    }
    broken(key, format!("{span} found; allowed: 0s or longer"))
}

fn share(key: &str, found: f64, zero_allowed: bool) -> Result<(), Broken> {
    if (0.0..=1.0).contains(&found) && (zero_allowed || found > 0.0) {
        return Ok(());
    }
    let from = if zero_allowed { "0" } else { "above 0" };
    broken(key, format!("{found} found; allowed: {from} to 1"))
}

fn amount(key: &str, found: f64, most: f64, zero_allowed: bool) -> Result<(), Broken> {
    if found <= most && (found > 0.0 || zero_allowed && found == 0.0) {
        return Ok(());
    }
    let least = if zero_allowed { "0 or more" } else { "more than 0" };
    broken(key, format!("{found} found; allowed: {least}, up to {most}"))
}
