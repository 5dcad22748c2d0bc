//! What a scenario must satisfy beyond the types of its fields.

use super::sequence::sequence;
use super::{BlipSource, ExtraStage, Outage, Reserve, Scenario, StageDefaults, Target};
use crate::law::Law;
use crate::time::{LONGEST, Span};
use crate::trigger::Spec;

/// The most replications that one run may ask for.
pub const MOST_REPLICATIONS: u64 = 1_000_000_000;

/// The most probes that one replication may have due.
pub const MOST_PROBES: i64 = 100_000_000_000;

/// The most checks that the window of a success rate may hold.
pub const MOST_CHECKS_HELD: i64 = 1_000_000;

/// The most sources of blips.
pub const MOST_SOURCES: usize = 1_000;

/// A rule that a scenario breaks: the dotted path of the key, and the words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Dotted path of the key.
    pub key: String,
    /// What was found, what is allowed, the way out.
    pub message: String,
}

fn broken(key: &str, message: impl Into<String>) -> Result<(), Broken> {
    Err(Broken { key: key.to_owned(), message: message.into() })
}

impl Scenario {
    /// Checks every rule that the types do not carry.
    ///
    /// # Errors
    /// The first rule that is broken, with its key.
    pub fn validate(&self) -> Result<(), Broken> {
        positive("rto", self.rto)?;
        if self.triggers.is_empty() {
            return broken(
                "triggers",
                "no trigger is given; allowed: one or more, like \"consecutive:12\"",
            );
        }
        self.validate_run()?;
        self.validate_probe()?;
        self.validate_triggers()?;
        self.validate_blips()?;
        validate_outage(&self.outage, self.run.length)?;
        if let Some(gap) = &self.prober.gap {
            finite("prober.gap", gap)?;
        }
        if let Some(gap) = &self.restarts.gap {
            finite("restarts.gap", gap)?;
        }
        if let Some(deploy) = &self.restarts.deploy {
            if self.restarts.gap.is_none() {
                return broken(
                    "restarts.deploy",
                    "a deploy comes with restarts, and `restarts.gap` is not given",
                );
            }
            if !(deploy.blip_factor.is_finite() && deploy.blip_factor >= 1.0) {
                let found = deploy.blip_factor;
                return broken(
                    "restarts.deploy.blip_factor",
                    format!("{found} found; allowed: 1 or more"),
                );
            }
        }
        validate_stages(&self.stages)?;
        self.validate_targets()?;
        self.cost.validate(&self.targets)?;
        super::limits::check(self)
    }

    fn validate_run(&self) -> Result<(), Broken> {
        positive("run.length", self.run.length)?;
        let replications = self.run.replications;
        if !(1..=MOST_REPLICATIONS).contains(&replications) {
            return broken(
                "run.replications",
                format!("{replications} found; allowed: 1 to {MOST_REPLICATIONS}"),
            );
        }
        Ok(())
    }

    fn validate_probe(&self) -> Result<(), Broken> {
        let probe = &self.probe;
        positive("probe.interval", probe.interval)?;
        if self.run.length.div_floor(probe.interval) > MOST_PROBES {
            return broken(
                "probe.interval",
                format!(
                    "a probe every {} over {} is more than {MOST_PROBES} probes; use a longer interval or a shorter `run.length`",
                    probe.interval, self.run.length
                ),
            );
        }
        if let Some(phase) = probe.phase.filter(|p| *p < Span::ZERO || *p >= probe.interval) {
            return broken(
                "probe.phase",
                format!(
                    "{phase} found; allowed: from 0s up to, not including, the interval of {}",
                    probe.interval
                ),
            );
        }
        if probe.jitter < Span::ZERO || probe.jitter > probe.interval {
            return broken(
                "probe.jitter",
                format!(
                    "{} found; allowed: 0s to the interval of {}",
                    probe.jitter, probe.interval
                ),
            );
        }
        if probe.timeout < Span::ZERO {
            return broken(
                "probe.timeout",
                format!("{} found; allowed: 0s or more", probe.timeout),
            );
        }
        Ok(())
    }

    /// A success rate keeps every check of its window.
    fn validate_triggers(&self) -> Result<(), Broken> {
        for (index, spec) in self.triggers.iter().enumerate() {
            let Spec::SuccessRate { window, .. } = spec else { continue };
            let checks = window.div_floor(self.probe.interval);
            if checks > MOST_CHECKS_HELD {
                let message = format!(
                    "`{spec}` holds {checks} checks; allowed: {MOST_CHECKS_HELD}; use a shorter window"
                );
                return broken(&format!("triggers.{index}"), message);
            }
        }
        Ok(())
    }

    fn validate_blips(&self) -> Result<(), Broken> {
        if self.blips.0.len() > MOST_SOURCES {
            let found = self.blips.0.len();
            return broken("blips", format!("{found} sources found; allowed: {MOST_SOURCES}"));
        }
        let single = self.blips.0.len() == 1;
        for (index, source) in self.blips.0.iter().enumerate() {
            let path = if single { "blips".to_owned() } else { format!("blips.{index}") };
            validate_source(&path, source)?;
            let same = |other: &&BlipSource| other.name == source.name;
            if self.blips.0[..index].iter().any(|other| same(&other)) {
                return broken(
                    &format!("{path}.name"),
                    format!(
                        "two sources are called `{}`; each needs a name of its own, since it names its random numbers",
                        source.name
                    ),
                );
            }
        }
        Ok(())
    }

    fn validate_targets(&self) -> Result<(), Broken> {
        if self.targets.is_empty() {
            return broken(
                "targets",
                "no standby target is given; allowed: one or more [[targets]]",
            );
        }
        for (index, target) in self.targets.iter().enumerate() {
            let path = format!("targets.{index}");
            validate_target(&path, target)?;
            sequence(&self.stages, target, &path)?;
            if self.targets[..index].iter().any(|other| other.label() == target.label()) {
                return broken(
                    &format!("targets.{index}.name"),
                    format!(
                        "two targets are called `{}`; give each a `name` of its own",
                        target.label()
                    ),
                );
            }
        }
        Ok(())
    }
}

fn positive(key: &str, span: Span) -> Result<(), Broken> {
    if span.is_positive() {
        return Ok(());
    }
    broken(key, format!("{span} found; allowed: longer than 0s, up to {LONGEST}"))
}

fn finite(key: &str, law: &Law) -> Result<(), Broken> {
    let mean = law.mean();
    if mean.is_finite() && mean > 0.0 {
        return Ok(());
    }
    if mean == 0.0 {
        return broken(key, "its mean is 0s; allowed: longer than 0s");
    }
    broken(
        key,
        format!(
            "this {} law has an infinite mean, and a mean is needed here; for a Pareto law use alpha > 1",
            law.family()
        ),
    )
}

fn probability(key: &str, found: f64) -> Result<(), Broken> {
    if found > 0.0 && found <= 1.0 {
        return Ok(());
    }
    broken(key, format!("{found} found; allowed: above 0, up to 1"))
}

fn validate_source(path: &str, source: &BlipSource) -> Result<(), Broken> {
    if source.name.is_empty() {
        return broken(&format!("{path}.name"), "the name is empty");
    }
    finite(&format!("{path}.gap"), &source.gap)?;
    finite(&format!("{path}.length"), &source.length)?;
    probability(&format!("{path}.fail_probability"), source.fail_probability)
}

fn validate_outage(outage: &Outage, run: Span) -> Result<(), Broken> {
    finite("outage.length", &outage.length)?;
    probability("outage.fail_probability", outage.fail_probability)?;
    if !(1..=100_000).contains(&outage.per_replication) {
        return broken(
            "outage.per_replication",
            format!("{} found; allowed: 1 to 100000", outage.per_replication),
        );
    }
    match outage.at {
        Some(at) if at < Span::ZERO || at >= run => broken(
            "outage.at",
            format!("{at} found; allowed: from 0s up to, not including, the run's length of {run}"),
        ),
        _ => Ok(()),
    }
}

fn validate_stages(stages: &StageDefaults) -> Result<(), Broken> {
    finite_or_zero("stages.promotion", &stages.promotion)?;
    finite_or_zero("stages.traffic_shift", &stages.traffic_shift)?;
    finite_or_zero("stages.capacity", &stages.capacity)?;
    amount("stages.weights_gb", stages.weights_gb, true)?;
    amount("stages.load_rate_gb_per_s", stages.load_rate_gb_per_s, false)?;
    replicas("stages.replicas", stages.replicas)?;
    reserve("stages.reserve", stages.reserve)?;
    extras("stages.extra", &stages.extra)?;
    stages.storage_gb_per_s.map_or(Ok(()), |rate| amount("stages.storage_gb_per_s", rate, false))
}

fn validate_target(path: &str, target: &Target) -> Result<(), Broken> {
    let key = |name: &str| format!("{path}.{name}");
    let laws = [
        ("promotion", &target.promotion),
        ("traffic_shift", &target.traffic_shift),
        ("capacity", &target.capacity),
    ];
    for (name, law) in laws {
        law.as_ref().map_or(Ok(()), |law| finite_or_zero(&key(name), law))?;
    }
    target.weights_gb.map_or(Ok(()), |size| amount(&key("weights_gb"), size, true))?;
    for (name, rate) in [
        ("load_rate_gb_per_s", target.load_rate_gb_per_s),
        ("storage_gb_per_s", target.storage_gb_per_s),
    ] {
        rate.map_or(Ok(()), |rate| amount(&key(name), rate, false))?;
    }
    target.reserve.map_or(Ok(()), |kept| reserve(&key("reserve"), kept))?;
    extras(&key("extra"), &target.extra)?;
    target.replicas.map_or(Ok(()), |count| replicas(&key("replicas"), count))
}

fn extras(path: &str, extras: &[ExtraStage]) -> Result<(), Broken> {
    let length = |(index, extra): (usize, &ExtraStage)| {
        finite_or_zero(&format!("{path}.{index}.length"), &extra.length)
    };
    extras.iter().enumerate().try_for_each(length)
}

fn reserve(key: &str, found: Reserve) -> Result<(), Broken> {
    match found {
        Reserve::Span(span) if span < Span::ZERO => {
            broken(key, format!("{span} found; allowed: 0s or more, or a share like \"10%\""))
        }
        _ => Ok(()),
    }
}

fn finite_or_zero(key: &str, law: &Law) -> Result<(), Broken> {
    if law.mean() == 0.0 { Ok(()) } else { finite(key, law) }
}

fn amount(key: &str, found: f64, zero_allowed: bool) -> Result<(), Broken> {
    let allowed =
        found.is_finite() && found <= 1e9 && (found > 0.0 || zero_allowed && found == 0.0);
    if allowed {
        return Ok(());
    }
    let least = if zero_allowed { "0 or more" } else { "more than 0" };
    broken(key, format!("{found} found; allowed: {least}, up to 1e9"))
}

fn replicas(key: &str, found: u64) -> Result<(), Broken> {
    if (1..=1_000_000).contains(&found) {
        return Ok(());
    }
    broken(key, format!("{found} found; allowed: 1 to 1000000"))
}
