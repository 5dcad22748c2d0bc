//! Healthy gaps between faults, with the faults that no probe saw reckoned with.
//!
//! A gap is seen as a blip is, by the probes around it, so its likelihood is the same.
//!
//! Blips that no probe saw make gaps look longer: a seen gap is a random number of true gaps. With
//! exponential gaps the seen ones are exponential too, at the seen rate, and the true mean follows
//! from the rate of blips exactly (it is one over that rate). Of other families the seen gaps give
//! the shape, which is kept, and the law is stretched to the true mean: an approximation, good while
//! most blips are seen (thinned streams tend to the exponential), and warned of otherwise.

use super::evidence::Evidence;
use super::family::Family;
use super::fitted::interval;
use super::recurrence::Recurrence;
use super::runs::Gap;
use super::selection::Laws;
use super::warning::Warning;
use super::windows::{Seen, Windows};
use super::{DAY_S, Faults, Observed, Options, quotient};
use crate::estimate::Estimate;
use crate::law::Law;

/// Above this share of seen blips the thinning needs no warning.
const MOST_SEEN: f64 = 0.95;

/// The laws of the gaps between faults.
pub fn laws(
    observed: &Observed,
    blips: &Faults,
    recurrence: &Recurrence,
    options: &Options,
) -> Laws {
    let seen = observed.gaps.iter().map(|gap| seen(observed, gap)).collect();
    let evidence = Evidence::Windows(Windows::new(seen));
    let mut laws = Laws::of("gaps", &evidence, None, options);
    let Some(factor) = thinning(observed, blips, recurrence, &laws) else { return laws };
    let chance = blips.length.best().map_or((1.0, 1.0), |best| {
        let (least, most) = best.range(|law| recurrence.seen(law));
        (least / blips.seen, most / blips.seen)
    });
    for fitted in &mut laws.families {
        let stretched = |law: &Law| law.with_mean(law.mean() * factor).ok();
        let Some(law) = fitted.law.as_ref().and_then(stretched) else { continue };
        fitted.edge = fitted.edge.iter().filter_map(stretched).collect();
        fitted.law = Some(law);
        fitted.mean_s = fitted.mean_s.map(|mean| stretch(mean, factor, chance));
        for (name, parameter) in &mut fitted.parameters {
            match *name {
                "mu" => {
                    let scale = Estimate {
                        value: parameter.value.exp(),
                        lo: parameter.lo.exp(),
                        hi: parameter.hi.exp(),
                        ..*parameter
                    };
                    let scale = stretch(scale, factor, chance);
                    let bounds = (scale.lo.ln(), scale.hi.ln());
                    *parameter = interval(scale.value.ln(), bounds, scale.level, scale.n);
                }
                "mean_s" | "scale_s" | "minimum_s" => {
                    *parameter = stretch(*parameter, factor, chance)
                }
                _ => {}
            }
        }
        if fitted.family != Family::Exponential && blips.seen < MOST_SEEN {
            fitted.warnings.push(Warning::approximation(format!(
                "probes see {:.0} % of the blips: the shape is that of the seen gaps, stretched to the mean of the true ones",
                100.0 * blips.seen
            )));
        }
    }
    laws
}

/// A gap is a run of healthy probes: it began between the last failed one and the first healthy, and
/// is seen only if a probe falls into it.
fn seen(observed: &Observed, gap: &Gap) -> Seen {
    let spaces = gap.healthy.saturating_sub(1) as f64;
    let to_last = if spaces > 0.0 { observed.run_of(spaces, gap.healthy_s / spaces) } else { 0.0 };
    Seen {
        gap_s: observed.spacing(gap.before_s),
        to_last_failed_s: to_last,
        to_healthy_s: gap.after_s.map(|after| to_last + observed.spacing(after)),
        cut_s: None,
        cap_s: None,
        step_s: observed.interval_s,
        count: 1,
    }
}

/// A length of seen gaps as one of true gaps, its interval widened by how well the chance to see a
/// blip is known.
fn stretch(seen: Estimate, factor: f64, (least, most): (f64, f64)) -> Estimate {
    // More blips seen mean longer true gaps.
    quotient(seen, 1.0, (most.recip(), least.max(0.0).recip())).scaled(factor)
}

/// True mean gap over mean seen gap.
fn thinning(
    observed: &Observed,
    blips: &Faults,
    recurrence: &Recurrence,
    laws: &Laws,
) -> Option<f64> {
    let seen = laws.families.iter().find(|f| f.family == Family::Exponential && f.converged)?;
    let seen_mean = seen.mean_s?.value;
    let best = blips.length.best()?;
    let rate = recurrence.rate(best.law.as_ref()?, &best.joins());
    // Faults that the law of blips does not count end gaps as well.
    let begun = observed.runs.iter().filter(|run| run.last_healthy.is_some()).count() as f64;
    let others = (begun - recurrence.begun as f64).max(0.0);
    let all = rate + others / (observed.exposure_s - observed.unhealthy_s).max(DAY_S * 1e-6);
    let factor = 1.0 / (all * seen_mean);
    (factor.is_finite() && factor > 0.0).then_some(factor)
}
