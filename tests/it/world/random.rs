//! Random worlds: several sources, both arrivals, faults by chance, prober deaths, restarts with
//! down time and deploys, jitter; with changes that fall on the instants of probes.

use failover_budget::law::Law;
use failover_budget::scenario::{
    Arrivals, BlipSource, Blips, Deploy, OutageKind, Prober, Restarts, Scenario,
};
use failover_budget::time::{Span, Time};
use failover_budget::world::OutagePlan;
use proptest::prelude::*;

fn seconds(secs: i64) -> Span {
    Span::from_secs(secs)
}

/// A law of about this mean; some are whole seconds and fall on probes.
fn law(mean: std::ops::Range<f64>) -> impl Strategy<Value = Law> {
    (mean, 0..5).prop_map(|(mean, family)| {
        let law = match family {
            0 | 1 => Law::exponential(mean),
            2 => Law::pareto(1.5, 1.0).and_then(|law| law.with_mean(mean)),
            3 => Law::constant(mean.ceil()),
            _ => Law::empirical(vec![0.0, mean.ceil(), 2.0 * mean.ceil()], None),
        };
        law.unwrap()
    })
}

fn sources() -> impl Strategy<Value = Vec<BlipSource>> {
    let arrivals = prop::sample::select(vec![Arrivals::GapRenewal, Arrivals::Poisson]);
    let chance = prop_oneof![Just(1.0), 0.05..1.0_f64];
    let source = (law(20.0..900.0), law(0.5..60.0), arrivals, chance);
    prop::collection::vec(source, 0..4).prop_map(|sources| {
        let named = |(index, (gap, length, arrivals, fail_probability))| BlipSource {
            name: format!("source-{index}"),
            gap,
            length,
            arrivals,
            fail_probability,
        };
        sources.into_iter().enumerate().map(named).collect()
    })
}

/// A deploy ends at an instant of its own: where one ends at the very end of a blip, either may come
/// first, and a nanosecond depends on it.
fn restarts() -> impl Strategy<Value = Restarts> {
    let down = prop_oneof![Just(Law::constant_span(Span::ZERO)), law(1.0..200.0)];
    let deploy = prop::option::of((10.0..900.0_f64, 1.0..30.0_f64));
    (prop::option::of(law(60.0..1_500.0)), down, deploy).prop_map(|(gap, down, deploy)| {
        let deploy = deploy.filter(|_| gap.is_some()).map(|(mean, blip_factor)| Deploy {
            length: Law::exponential(mean).unwrap(),
            blip_factor,
        });
        Restarts { gap, down, deploy }
    })
}

prop_compose! {
    /// Any world, for up to two hours.
    pub fn scenario()(
        interval in prop::sample::select(vec![1_000_000_000_i64, 10_000_000_000, 7_123_456_789]),
        pinned in any::<bool>(),
        jitter in prop_oneof![Just(0.0), Just(1.0), 0.0..1.0_f64],
        sources in sources(),
        restarts in restarts(),
        death_gap in prop::option::of(law(60.0..1_500.0)),
        repair in law(1.0..400.0),
        length in 1..7_200_i64,
        gray in 0.05..=1.0_f64,
        seed in any::<u64>(),
    ) -> Scenario {
        let mut scenario = Scenario::default();
        scenario.run.length = seconds(length);
        scenario.run.seed = seed;
        scenario.probe.interval = Span::from_nanos(interval);
        scenario.probe.phase = pinned.then_some(Span::ZERO);
        scenario.probe.jitter = Span::from_nanos((interval as f64 * jitter) as i64);
        scenario.blips = Blips(sources);
        scenario.restarts = restarts;
        scenario.prober = Prober { gap: death_gap, repair };
        scenario.outage.fail_probability = gray;
        scenario
    }
}

prop_compose! {
    /// An outage somewhere in those two hours.
    pub fn outage_plan()(
        kind in prop::sample::select(vec![OutageKind::Reported, OutageKind::Dark, OutageKind::Gray]),
        start in 0..4_000_i64,
        length in 0..2_000_i64,
        nanos in prop_oneof![Just(0), 0..1_000_000_000_i64],
    ) -> OutagePlan {
        let start = Time::START + seconds(start) + Span::from_nanos(nanos);
        OutagePlan { kind, start, end: start + seconds(length) }
    }
}
