//! The likelihood of one family as a function of its parameters, joined runs held or reckoned anew.
//!
//! While a law is sought the shares of joined runs are held and found again from the law that came
//! out. Held shares make the likelihood a little sharper than it is, since a law with shorter blips
//! leaves more of the runs of two to joins; so intervals follow the joins from law to law where they
//! are many enough to matter and runs are short enough for it to be quick.

use super::evidence::Evidence;
use super::family::Model;
use super::joins::Joins;
use super::optimise::Point;
use super::recurrence::Recurrence;
use crate::law::Law;

/// Runs of more probes than this are of blips so long that joins are few among them.
const LONGEST: u64 = 32;

/// Joins that are less than this share of the runs of two and more may be held.
const FEW: f64 = 0.01;

/// A family's likelihood given some evidence.
pub struct Likelihood<'a> {
    /// The family.
    pub model: Model,
    /// The evidence, with the joined runs that are held.
    pub evidence: &'a Evidence,
    /// How often runs begin, where joined runs are reckoned anew for every law.
    pub following: Option<&'a Recurrence>,
}

impl Likelihood<'_> {
    /// Its logarithm at a point: minus infinity where the data are impossible or there is no law.
    pub fn at(&self, at: &Point) -> f64 {
        let Some(law) = self.model.law(at) else { return f64::NEG_INFINITY };
        match (self.evidence, self.following) {
            (Evidence::Windows(windows), Some(recurrence)) => {
                windows.log_likelihood_with(&law, &joins(recurrence, &law))
            }
            (evidence, _) => evidence.log_likelihood(&law),
        }
    }
}

/// The joined runs that belong to a law, given how many runs were seen to begin.
pub fn joins(recurrence: &Recurrence, law: &Law) -> Joins {
    let rate = recurrence.rate(law, &Joins::none());
    Joins::of(law, rate, recurrence.step_s, recurrence.longest)
}

/// True iff joined runs matter for the intervals of a law and can be followed.
pub fn worth_following(evidence: &Evidence, recurrence: &Recurrence, law: &Law) -> bool {
    let Evidence::Windows(windows) = evidence else { return false };
    let step = recurrence.step_s;
    let one = law.cumulative_survival(step);
    let two = law.cumulative_survival(2.0 * step) - one;
    recurrence.longest <= LONGEST && windows.joins().share(2.0) * one > FEW * two
}
