//! Runs of failed probes as evidence of how long blips last: interval-censored and length-biased.
//!
//! A probe sees a blip only by luck, and a run of failed probes says only that the blip began between
//! the last healthy probe and the first failed one, and ended between the last failed and the next
//! healthy. Blips begin at a constant rate; so the weight of those that began in a gap `(a, b]`
//! between two probes and last beyond `c` is the integral of the survival from `c − b` to `c − a`, and
//! the weight of a run is the difference of two such integrals, divided by that of being seen at
//! all. On a regular grid this is `(I_n − I_{n+1}) / I_1`. It holds for any spacing of the probes.
//!
//! Joined runs (two blips whose gap no probe sees) enter as a correction from [`super::joins`].

use super::joins::Joins;
use crate::law::Law;

/// The blips that began in a gap between two probes and last at least to a later instant.
///
/// `near` and `far` are the distances of that instant from the end and the start of the gap. A run
/// that was under way when the recording began has an infinite gap before it: `far` is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// From the end of the gap, seconds.
    pub near: f64,
    /// From the start of the gap, seconds.
    pub far: f64,
}

/// One run of failed probes, or several alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Length of the gap before the first failed probe, seconds; infinite where it is not known.
    pub gap_s: f64,
    /// From the first failed probe to the last, seconds.
    pub to_last_failed_s: f64,
    /// From the first failed probe to the next healthy one, seconds; `None` where the end was not
    /// seen.
    pub to_healthy_s: Option<f64>,
    /// Runs as long as this from the first failed probe on would not be in the sample, seconds.
    pub cut_s: Option<f64>,
    /// Runs are followed no longer than this from the first failed probe on, seconds.
    pub cap_s: Option<f64>,
    /// Spacing of the probes in the run, seconds.
    pub step_s: f64,
    /// How many such runs there are.
    pub count: u64,
}

/// Runs of failed probes with the abscissae at which the law is needed.
#[derive(Clone, Debug)]
pub struct Windows {
    seen: Vec<Seen>,
    /// Every abscissa once, ascending.
    points: Vec<f64>,
    /// For each run the places in `points` of: seen, last failed, next healthy, cut; near and far.
    places: Vec<[Option<(usize, usize)>; 4]>,
    joins: Joins,
    count: u64,
}

/// Weights smaller than this share of the chance to be seen are integrated anew, since their
/// difference has lost its digits.
const LOST: f64 = 1e-7;

/// So are those smaller than this share of the integrals whose difference they are: long lengths
/// between frequent probes. Second differences of the likelihood need ten good digits.
const SMALL: f64 = 1e-6;

impl Seen {
    /// The blips that last to `secs` after the first failed probe.
    pub fn reach(&self, secs: f64) -> Reach {
        Reach { near: secs, far: secs + self.gap_s }
    }

    /// How many failed probes in a row it takes to last `secs` after the first of them.
    pub fn probes(&self, secs: f64) -> f64 {
        if self.step_s > 0.0 { 1.0 + secs / self.step_s } else { 1.0 }
    }
}

impl Windows {
    /// The runs, with those that are alike put together.
    pub fn new(mut seen: Vec<Seen>) -> Self {
        let key = |s: &Seen| {
            let or = |x: Option<f64>| x.unwrap_or(f64::INFINITY);
            [s.to_last_failed_s, or(s.to_healthy_s), s.gap_s, or(s.cut_s), or(s.cap_s), s.step_s]
        };
        let order = |a: &Seen, b: &Seen| {
            let (a, b) = (key(a), key(b));
            let orders = a.iter().zip(&b).map(|(a, b)| a.total_cmp(b));
            orders.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        };
        seen.sort_by(order);
        let mut together: Vec<Seen> = Vec::new();
        for run in seen {
            match together.last_mut() {
                Some(last) if order(last, &run).is_eq() => last.count += run.count,
                _ => together.push(run),
            }
        }
        let unit = together.first().map_or(1.0, |run| run.step_s.max(f64::MIN_POSITIVE)) * 1e-7;
        let mut points: Vec<f64> =
            together.iter().flat_map(reaches).flatten().flat_map(|r| [r.near, r.far]).collect();
        points.sort_by(f64::total_cmp);
        // Sums of the same spacings may differ in the last digit.
        points.dedup_by(|a, b| *a - *b < unit);
        let place = |x: f64| points.partition_point(|p| *p < x - unit);
        let places = together
            .iter()
            .map(|run| reaches(run).map(|reach| reach.map(|r| (place(r.near), place(r.far)))))
            .collect();
        let count = together.iter().map(|run| run.count).sum();
        Windows { seen: together, points, places, joins: Joins::none(), count }
    }

    /// The same runs, some of them joined.
    pub fn with_joins(mut self, joins: Joins) -> Self {
        self.joins = joins;
        self
    }

    /// The correction for joined runs.
    pub fn joins(&self) -> &Joins {
        &self.joins
    }

    /// The runs, like ones together.
    pub fn seen(&self) -> &[Seen] {
        &self.seen
    }

    /// A run as most are, seen to begin: for what is said of all runs together.
    pub fn typical(&self) -> Option<Seen> {
        let begun: Vec<&Seen> = self.seen.iter().filter(|run| run.gap_s.is_finite()).collect();
        let middle = |of: fn(&Seen) -> f64| {
            let mut all: Vec<(f64, u64)> = begun.iter().map(|run| (of(run), run.count)).collect();
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            let total: u64 = all.iter().map(|(_, count)| count).sum();
            let mut before = 0;
            all.iter()
                .find(|(_, count)| {
                    before += count;
                    2 * before >= total
                })
                .map(|(value, _)| *value)
        };
        let run = **begun.first()?;
        Some(Seen { gap_s: middle(|run| run.gap_s)?, step_s: middle(|run| run.step_s)?, ..run })
    }

    /// How many runs there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Mean length that an exponential law of the mean run would have, in closed form.
    pub fn typical_s(&self) -> f64 {
        let total = self.count.max(1) as f64;
        let probes =
            self.seen.iter().map(|s| s.count as f64 * s.probes(s.to_last_failed_s)).sum::<f64>()
                / total;
        let step = self.seen.iter().map(|s| s.count as f64 * s.step_s).sum::<f64>() / total;
        if probes > 1.0 + 1e-3 { -step / (-probes.recip()).ln_1p() } else { step / 4.0 }
    }

    /// The longest that the shortest run may have been, seconds; infinite where every end is open.
    pub fn shortest_s(&self) -> f64 {
        let longest = |run: &Seen| run.to_healthy_s.map_or(f64::INFINITY, |secs| secs + run.gap_s);
        self.seen.iter().map(longest).fold(f64::INFINITY, f64::min)
    }

    /// See [`super::evidence::Evidence::log_likelihood`].
    pub fn log_likelihood(&self, law: &Law) -> f64 {
        self.log_likelihood_with(law, &self.joins)
    }

    /// The same with other joined runs than those held.
    pub fn log_likelihood_with(&self, law: &Law, joins: &Joins) -> f64 {
        let integrals = self.integrals(law);
        let at = |place: &Option<(usize, usize)>| {
            place.map_or(0.0, |(near, far)| integrals[far] - integrals[near])
        };
        let mut sum = 0.0;
        for (run, places) in self.seen.iter().zip(&self.places) {
            let [seen, last, healthy, cut] = [0, 1, 2, 3].map(|i| at(&places[i]));
            let joined = joined(joins, run);
            let mut weight = last - healthy;
            let whole = places[1].map_or(0.0, |(_, far)| integrals[far]);
            if weight < LOST * seen || weight < SMALL * whole {
                weight = integrated(law, run);
            }
            let weight = weight + joined.last * seen;
            let all = seen * (1.0 + joined.seen) - (cut + joined.cut * seen);
            sum += run.count as f64 * (weight / all).ln();
        }
        if sum.is_nan() { f64::NEG_INFINITY } else { sum }
    }

    /// Integrals of the survival up to every abscissa.
    fn integrals(&self, law: &Law) -> Vec<f64> {
        let Law::LogLogistic(of) = law else {
            return self.points.iter().map(|x| law.cumulative_survival(*x)).collect();
        };
        // This family's integral is a sum of panels, slow from zero on and quick from point to point.
        let (mut from, mut sum) = (0.0, 0.0);
        let mut integrals = Vec::with_capacity(self.points.len());
        for x in &self.points {
            let near = from > 0.0 && x.is_finite() && of.shape() * (x / from).ln() < 1.0;
            sum = if near {
                sum + super::quadrature::integrate(&|x| law.survival(x), from, *x)
            } else {
                law.cumulative_survival(*x)
            };
            from = *x;
            integrals.push(sum);
        }
        integrals
    }

    /// Chance that a run like this one lasts `secs` from its first failed probe, given that it is
    /// seen.
    pub fn chance_to_last(&self, law: &Law, run: &Seen, secs: f64) -> f64 {
        let weight =
            |reach: Reach| law.cumulative_survival(reach.far) - law.cumulative_survival(reach.near);
        let seen = weight(run.reach(0.0));
        let share = |secs: f64| self.joins.share(run.probes(secs)) * seen;
        let lasting = |secs: f64| weight(run.reach(secs)) + share(secs);
        let cut = run.cut_s.map_or(0.0, lasting);
        ((lasting(secs) - cut) / (lasting(0.0) - cut)).clamp(0.0, 1.0)
    }
}

/// The correction for joined runs, as shares of the chance to be seen.
fn joined(joins: &Joins, run: &Seen) -> Joined {
    let share = |secs: f64| joins.share(run.probes(secs));
    let last = share(run.to_last_failed_s) - run.to_healthy_s.map_or(0.0, share);
    Joined { seen: share(0.0), last, cut: run.cut_s.map_or(0.0, share) }
}

struct Joined {
    seen: f64,
    last: f64,
    cut: f64,
}

/// Seen, last failed, next healthy, cut.
fn reaches(run: &Seen) -> [Option<Reach>; 4] {
    [
        Some(run.reach(0.0)),
        Some(run.reach(run.to_last_failed_s)),
        run.to_healthy_s.map(|secs| run.reach(secs)),
        run.cut_s.map(|secs| run.reach(secs)),
    ]
}

/// The weight of a run by integrating the survival itself, where integrals differ too little.
fn integrated(law: &Law, run: &Seen) -> f64 {
    if !run.gap_s.is_finite() {
        let (from, to) = (run.to_last_failed_s, run.to_healthy_s.unwrap_or(f64::INFINITY));
        return law.cumulative_survival(to) - law.cumulative_survival(from);
    }
    let differ = |u: f64| {
        let ended = run.to_healthy_s.map_or(0.0, |secs| law.survival(secs + u));
        law.survival(run.to_last_failed_s + u) - ended
    };
    super::quadrature::integrate(&differ, 0.0, run.gap_s)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(probes: &[(u64, u64)], step: f64) -> Windows {
        let seen = |(n, count): &(u64, u64)| Seen {
            gap_s: step,
            to_last_failed_s: (*n as f64 - 1.0) * step,
            to_healthy_s: Some(*n as f64 * step),
            cut_s: None,
            cap_s: None,
            step_s: step,
            count: *count,
        };
        Windows::new(probes.iter().map(seen).collect())
    }

    #[test]
    fn on_a_grid_exponential_runs_are_geometric() {
        let law = Law::exponential(20.0).unwrap();
        let runs = grid(&[(1, 3), (2, 2), (5, 1)], 10.0);
        let stays = (-0.5_f64).exp();
        let by_hand = 6.0 * (1.0 - stays).ln() + (2.0 + 4.0) * stays.ln();
        assert!((runs.log_likelihood(&law) - by_hand).abs() < 1e-9);
        assert!((runs.chance_to_last(&law, &runs.seen()[0], 30.0) - stays.powi(3)).abs() < 1e-12);
    }

    #[test]
    fn the_far_tail_keeps_its_digits() {
        let law = Law::exponential(1.0).unwrap();
        let runs = grid(&[(8, 1)], 10.0);
        let by_hand = -70.0 + (1.0 - (-10.0_f64).exp()).ln();
        assert!((runs.log_likelihood(&law) - by_hand).abs() < 1e-6);
    }

    #[test]
    fn long_lengths_between_frequent_probes_keep_their_digits() {
        // Two months by the minute: the likelihood's second differences over steps of 1e-4 need it to
        // ten digits and more.
        let runs = grid(&[(100_000, 1), (30_000, 1)], 60.0);
        let by_hand = |mean: f64| {
            let stays = (-60.0 / mean).exp();
            2.0 * (-(-60.0_f64 / mean).exp_m1()).ln() + (129_998.0 * stays.ln())
        };
        let noise =
            |mean: f64| runs.log_likelihood(&Law::exponential(mean).unwrap()) - by_hand(mean);
        for i in 0..20 {
            let mean = 4e6 * (1e-4 * f64::from(i)).exp();
            assert!(noise(mean).abs() < 1e-9, "{mean}: {:e}", noise(mean));
        }
    }

    #[test]
    fn what_is_censored_truncated_or_cut_by_hand() {
        let (law, stays) = (Law::exponential(20.0).unwrap(), (-0.5_f64).exp());
        let run = Seen {
            gap_s: 10.0,
            to_last_failed_s: 20.0,
            to_healthy_s: None,
            cut_s: None,
            cap_s: None,
            step_s: 10.0,
            count: 1,
        };
        let one = |run: Seen| Windows::new(vec![run]).log_likelihood(&law);
        assert!((one(run) - 2.0 * stays.ln()).abs() < 1e-9);
        let early = Seen { gap_s: f64::INFINITY, to_healthy_s: Some(30.0), ..run };
        assert!((one(early) - (2.0 * stays.ln() + (1.0 - stays).ln())).abs() < 1e-9);
        let cut = Seen { to_healthy_s: Some(30.0), cut_s: Some(50.0), ..run };
        let by_hand = 2.0 * stays.ln() + (1.0 - stays).ln() - (1.0 - stays.powi(5)).ln();
        assert!((one(cut) - by_hand).abs() < 1e-9);
    }

    #[test]
    fn integrals_from_point_to_point_are_those_from_zero() {
        let law = Law::log_logistic(1.7, 25.0).unwrap();
        let runs = grid(&[(1, 1), (2, 1), (3, 1), (40, 1), (90, 1), (900, 1)], 10.0);
        for (x, found) in runs.points.iter().zip(runs.integrals(&law)) {
            let direct = law.cumulative_survival(*x);
            assert!((found - direct).abs() <= 1e-12 * direct, "{x} {found} {direct}");
        }
    }

    #[test]
    fn like_runs_are_put_together() {
        let runs = grid(&[(1, 1), (2, 1), (1, 1), (1, 4)], 10.0);
        assert_eq!(runs.seen().iter().map(|s| s.count).collect::<Vec<_>>(), [6, 1]);
        assert_eq!(runs.count(), 7);
    }
}
