//! Exact figures for a probe that is due at a fixed interval on blips of one source that fail every
//! probe: closed forms where there are some, numerical ones elsewhere, no simulation.
//!
//! # Theory
//! A healthy probe is a point of renewal, since the gaps have no memory. So all is in two things:
//! `h`, the chance that a probe is healthy, and `q(n)`, the chance that the `n` probes after a
//! healthy one are all unhealthy.
//! - Runs that reach `k` unhealthy probes begin at a rate of `h·q(k)` a probe.
//! - The run that trails a random instant has exactly `n` probes with chance `h·q(n)`, and these
//!   chances add up to 1. So the chance that a trigger of `k` has already fired is the sum from `k`
//!   on, and an outage that is reported from a random instant on, met with `j < k` unhealthy probes,
//!   is detected after `(k−j−1)` intervals and the wait for the next probe.
//!
//! Under gap renewal with exponential lengths `q` is geometric (`markov`). For other lengths it follows
//! from an integral equation (`renewal`), under Poisson arrivals from a recursion (`poisson`). Neither
//! takes differences of what is nearly equal, so a rate of 1e-30 a day is as accurate as a rate of one.
//!
//! For faults that fail every probe "`k` in a row" is also the optimal causal rule: at equal rate of
//! false failovers none detects an outage sooner. Its frontier therefore bounds every trigger's.
//!
//! # Limits
//! Relative errors are about 1e-11 for each probe of the run. There are two exceptions.
//! - Lengths that are constant, or nearly so, when a run is joined from many blips: each must begin
//!   later in its interval than the one before, so the starts crowd at ever higher powers of the
//!   phase, and the panels on which they are kept lose digits. Twenty blips joined are right to 1e-8,
//!   thirty to 1e-5, forty to 2e-3, at rates of 1e-60, 1e-90 and 1e-125 of that of one.
//! - Laws of more than two dozen distinct lengths: their jumps are not all followed, which costs up to
//!   5e-6 at thirty probes and 2e-5 at a hundred.
//!
//! Where a tail is heavy, the chance of having already fired rests on the sum of all chances, with an
//! error of 1e-12 of the share of unhealthy probes. A survival below 1e-250 counts as zero.
//!
//! A window or consecutive trigger has these forms; M-of-N and success-rate triggers have none, nor
//! have gray faults, jitter, or several sources side by side.

mod answers;
mod kernel;
mod markov;
mod matrix;
mod mesh;
mod poisson;
mod quadrature;
mod renewal;
mod runs;

use crate::law::Law;
use crate::scenario::Arrivals;
use crate::time::Span;
use markov::Markov;
use runs::Runs;

/// The deepest count of probes that is worked out numerically; the closed form knows no limit.
pub const DEEPEST: u64 = 2_000;

/// The most distinct lengths of a law with atoms that are worked out numerically.
pub const MOST_BREAKS: usize = 1_000;

/// Why there is no exact figure.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExactError {
    /// A length that must be positive is not.
    #[error("{what} is {found}; allowed: longer than 0s")]
    NotPositive {
        /// What it is the length of.
        what: &'static str,
        /// What was found.
        found: Span,
    },
    /// Blips without a mean leave no healthy probe in the long run.
    #[error(
        "this {family} law has an infinite mean: in the long run no probe is healthy; allowed: a finite mean"
    )]
    InfiniteMean {
        /// The law's family.
        family: &'static str,
    },
    /// More probes than are worked out.
    #[error(
        "{found} probes in a row are more than the {DEEPEST} that are worked out without simulation for other than exponential lengths"
    )]
    TooDeep {
        /// How many were asked for.
        found: u64,
    },
    /// More atoms than are worked out.
    #[error(
        "a law of {found} distinct lengths is not worked out without simulation; allowed: up to {MOST_BREAKS}"
    )]
    TooManyLengths {
        /// How many the law has.
        found: usize,
    },
}

/// The process of blips as a probe every interval sees it.
#[derive(Clone, Debug)]
pub struct Sampled {
    interval_s: f64,
    /// Blips that begin, a day.
    blips_per_day: f64,
    deepest: u64,
    /// Integral of the survival over each interval, in seconds.
    isolated: Isolated,
    form: Form,
}

/// How `q` is known.
#[derive(Clone, Debug)]
enum Form {
    Closed(Markov),
    Numeric(Runs),
}

/// How the integral of the survival over one interval is known.
#[derive(Clone, Debug)]
enum Isolated {
    Exponential { mean_s: f64 },
    Cells(Vec<f64>),
}

impl Sampled {
    /// Works out all that is needed for counts up to `deepest_k`, for blips whose healthy gaps (or,
    /// under Poisson arrivals, times between starts) are exponential with mean `gap_mean`.
    ///
    /// Exponential lengths under gap renewal cost nothing and know no limit of depth; others cost
    /// milliseconds for a depth of a hundred.
    ///
    /// # Errors
    /// When a length is not positive, the lengths have no finite mean, or the law or the depth is
    /// beyond what is worked out.
    pub fn new(
        gap_mean: Span,
        length: &Law,
        arrivals: Arrivals,
        interval: Span,
        deepest_k: u64,
    ) -> Result<Sampled, ExactError> {
        for (what, found) in [("the mean gap", gap_mean), ("the probe interval", interval)] {
            if !found.is_positive() {
                return Err(ExactError::NotPositive { what, found });
            }
        }
        if !length.is_finite_mean() {
            return Err(ExactError::InfiniteMean { family: length.family() });
        }
        let (gap_s, interval_s) = (gap_mean.as_secs_f64(), interval.as_secs_f64());
        if let (Law::Exponential(law), Arrivals::GapRenewal) = (length, arrivals) {
            return Ok(Sampled {
                interval_s,
                blips_per_day: 86_400.0 / (gap_s + law.mean()),
                deepest: u64::MAX,
                isolated: Isolated::Exponential { mean_s: law.mean() },
                form: Form::Closed(Markov::new(gap_s, law.mean(), interval_s)),
            });
        }
        if deepest_k > DEEPEST {
            return Err(ExactError::TooDeep { found: deepest_k });
        }
        let breaks = length.breaks().len();
        if breaks > MOST_BREAKS {
            return Err(ExactError::TooManyLengths { found: breaks });
        }
        Ok(Sampled::numeric(gap_s, length, arrivals, interval_s, deepest_k))
    }

    fn numeric(
        gap_s: f64,
        length: &Law,
        arrivals: Arrivals,
        interval_s: f64,
        deepest: u64,
    ) -> Sampled {
        // Some probes more than asked for, from which the sum of all deeper ones is extrapolated.
        let deep = deepest as usize;
        let count = deep + runs::BEYOND.max(deep / 4);
        let kernel = kernel::Kernel::new(length, interval_s, count + 1);
        let cells: Vec<f64> = (0..count).map(|cell| kernel.integral(cell)).collect();
        let mean = length.mean();
        let (runs, cycle_s) = match arrivals {
            Arrivals::GapRenewal => {
                let q = renewal::chances(1.0 / gap_s, length, &kernel, count);
                (Runs::new(gap_s / (gap_s + mean), mean / (gap_s + mean), q), gap_s + mean)
            }
            Arrivals::Poisson => {
                let q = poisson::chances(1.0 / gap_s, &cells);
                let load = mean / gap_s;
                (Runs::new((-load).exp(), -(-load).exp_m1(), q), gap_s)
            }
        };
        Sampled {
            interval_s,
            blips_per_day: 86_400.0 / cycle_s,
            deepest,
            isolated: Isolated::Cells(cells),
            form: Form::Numeric(runs),
        }
    }

    /// Chance that a probe is healthy.
    pub fn healthy(&self) -> f64 {
        match &self.form {
            Form::Closed(markov) => markov.healthy(),
            Form::Numeric(runs) => runs.healthy(),
        }
    }

    /// Chance that a probe is unhealthy, accurate where it is small.
    pub fn unhealthy(&self) -> f64 {
        match &self.form {
            Form::Closed(markov) => markov.unhealthy(),
            Form::Numeric(runs) => runs.unhealthy(),
        }
    }

    /// Chance that the `n` probes after a healthy one are all unhealthy; not-a-number beyond the depth.
    pub fn all_unhealthy(&self, n: u64) -> f64 {
        match &self.form {
            Form::Closed(markov) => markov.all_unhealthy(n),
            Form::Numeric(_) if n > self.deepest => f64::NAN,
            Form::Numeric(runs) => runs.all_unhealthy(n as usize),
        }
    }

    /// Runs that reach `k ≥ 1` unhealthy probes, a day: the false failovers of "`k` in a row".
    /// Not-a-number beyond the depth.
    pub fn run_rate_per_day(&self, k: u64) -> f64 {
        86_400.0 / self.interval_s * self.healthy() * self.all_unhealthy(k.max(1))
    }

    /// The same if every blip stood alone: the blips a day times the chance that one shows `k`
    /// probes. It leaves out runs joined from several blips. Not-a-number beyond the depth.
    pub fn isolated_per_day(&self, k: u64) -> f64 {
        let before = k.saturating_sub(1);
        let integral_s = match &self.isolated {
            Isolated::Exponential { mean_s } => {
                let start_s = before as f64 * self.interval_s;
                mean_s * (-start_s / mean_s).exp() * -(-self.interval_s / mean_s).exp_m1()
            }
            Isolated::Cells(_) if k > self.deepest => f64::NAN,
            Isolated::Cells(cells) => cells.get(before as usize).copied().unwrap_or(f64::NAN),
        };
        self.blips_per_day / self.interval_s * integral_s
    }

    /// Chance that at a random instant "`k` in a row" has already fired in the running episode: the
    /// run that trails the instant has at least `k` probes. Not-a-number beyond the depth.
    pub fn already_fired(&self, k: u64) -> f64 {
        match &self.form {
            Form::Closed(markov) => markov.at_least(k),
            Form::Numeric(_) if k > self.deepest => f64::NAN,
            Form::Numeric(runs) => runs.at_least(k as usize),
        }
    }
}
