//! Random scenarios and settings, made to meet the edges: faults that begin and end at the very
//! instants of probes, runs at either end of a replication, outages shorter than a trigger's patience.

use proptest::prelude::*;

use crate::experiment::Setting;
use crate::law::Law;
use crate::scenario::{
    Arrivals, BlipSource, Blips, Deploy, Outage, OutageKind, Prober, Restarts, Scenario,
};
use crate::time::Span;
use crate::trigger::{Arming, Silence, Spec};

fn span(millis: i64) -> Span {
    Span::from_nanos(millis * 1_000_000)
}

/// A law of about this mean, in seconds.
fn law_of(mean: impl Strategy<Value = f64>) -> impl Strategy<Value = Law> {
    (mean, 0..6).prop_map(|(mean, family)| {
        let law = match family {
            0 => Law::exponential(mean),
            1 => Law::lognormal(0.0, 1.0).and_then(|law| law.with_mean(mean)),
            2 => Law::pareto(1.5, 1.0).and_then(|law| law.with_mean(mean)),
            // Whole seconds, so that changes fall on probes.
            3 => Law::constant(mean.ceil()),
            4 => Law::uniform(0.0, 2.0 * mean),
            _ => Law::empirical(vec![0.0, mean.ceil(), 3.0 * mean.ceil()], None),
        };
        law.unwrap()
    })
}

fn grid() -> impl Strategy<Value = (Span, Option<Span>)> {
    let interval = prop_oneof![Just(10_000), Just(1_000), Just(7_300), Just(60_000)];
    (interval, 0..4).prop_map(|(millis, phase)| {
        let phase = match phase {
            0 => Some(Span::ZERO),
            1 => Some(span(millis - 1)),
            _ => None,
        };
        (span(millis), phase)
    })
}

fn source(name: &'static str) -> impl Strategy<Value = BlipSource> {
    let arrivals = prop_oneof![Just(Arrivals::GapRenewal), Just(Arrivals::Poisson)];
    (law_of(5.0..600.0), law_of(0.5..90.0), arrivals).prop_map(move |(gap, length, arrivals)| {
        BlipSource { name: name.to_owned(), gap, length, arrivals, fail_probability: 1.0 }
    })
}

fn outage() -> impl Strategy<Value = Outage> {
    let kind = prop_oneof![Just(OutageKind::Reported), Just(OutageKind::Dark)];
    let length = prop_oneof![
        law_of(10.0..400.0),
        Just(Law::constant_span(Span::from_days(1))),
        Just(Law::constant_span(span(1_234_567))),
    ];
    (kind, length, 1..12_u64).prop_map(|(kind, length, per_replication)| Outage {
        kind,
        length,
        per_replication,
        ..Outage::default()
    })
}

fn timeout() -> impl Strategy<Value = Span> {
    prop_oneof![Just(0), Just(0), Just(3_000), Just(25_000), Just(700_000)].prop_map(span)
}

prop_compose! {
    /// A world that the patience pass covers, if the settings are of its kind.
    pub fn patience_scenario()(
        (interval, phase) in grid(),
        source in source("blips"),
        outage in outage(),
        repair in prop_oneof![law_of(10.0..400.0), Just(Law::constant_span(Span::from_secs(3_600)))],
        timeout in timeout(),
        minutes in 5..400_i64,
        rto in 200..1500_i64,
        distributed in any::<bool>(),
        seed in any::<u64>(),
    ) -> Scenario {
        let mut scenario = Scenario::default();
        scenario.run.length = Span::from_secs(60 * minutes);
        scenario.run.replications = 3;
        scenario.run.seed = seed;
        scenario.rto = Span::from_secs(rto);
        scenario.probe.interval = interval;
        scenario.probe.phase = phase;
        scenario.probe.timeout = timeout;
        scenario.blips = Blips(vec![source]);
        scenario.outage = outage;
        scenario.prober.repair = repair;
        if distributed {
            scenario.targets[1].promotion = Some(Law::exponential(60.0).unwrap());
        }
        scenario
    }
}

fn restarts() -> impl Strategy<Value = Restarts> {
    let deploy = (law_of(10.0..900.0), 1.0..30.0_f64)
        .prop_map(|(length, blip_factor)| Deploy { length, blip_factor });
    let down = prop_oneof![Just(Law::constant_span(Span::ZERO)), law_of(0.5..300.0)];
    (prop::option::of(law_of(60.0..2_000.0)), down, prop::option::of(deploy)).prop_map(
        |(gap, down, deploy)| {
            let deploy = deploy.filter(|_| gap.is_some());
            Restarts { gap, down, deploy }
        },
    )
}

prop_compose! {
    /// Any world at all.
    pub fn any_scenario()(
        base in patience_scenario(),
        mut second in prop::option::of(source("second")),
        chances in (0.05..1.0_f64, 0.05..1.0_f64),
        by_chance in any::<[bool; 3]>(),
        restarts in restarts(),
        death_gap in prop::option::of(law_of(120.0..3_000.0)),
        jitter in 0.0..=1.0_f64,
        jittered in any::<bool>(),
    ) -> Scenario {
        let mut scenario = base;
        if by_chance[0] {
            scenario.blips.0[0].fail_probability = chances.0;
        }
        if let Some(second) = second.as_mut().filter(|_| by_chance[1]) {
            second.fail_probability = chances.1;
        }
        scenario.blips.0.extend(second);
        if by_chance[2] {
            scenario.outage.kind = OutageKind::Gray;
            scenario.outage.fail_probability = chances.1;
            // Coins are tossed for every probe: a day of them, often over, is too much.
            scenario.outage.length = Law::exponential(900.0).unwrap();
            scenario.outage.per_replication = scenario.outage.per_replication.min(4);
        }
        scenario.run.length = scenario.run.length.min(Span::from_secs(7_200));
        scenario.run.replications = 1;
        scenario.restarts = restarts;
        scenario.prober = Prober { gap: death_gap, ..scenario.prober };
        if jittered {
            let most = scenario.probe.interval.as_nanos() as f64;
            scenario.probe.jitter = Span::from_nanos((most * jitter) as i64);
        }
        scenario
    }
}

fn spec(patience_only: bool) -> BoxedStrategy<Spec> {
    let consecutive = (1..40_u64).prop_map(|k| Spec::Consecutive { k });
    let window = (1..400_000_i64).prop_map(|millis| Spec::Window { window: span(millis) });
    let whole = (1..40_i64).prop_map(|tens| Spec::Window { window: Span::from_secs(10 * tens) });
    if patience_only {
        return prop_oneof![consecutive, window, whole].boxed();
    }
    let m_of_n = (1..8_u64, 0..8_u64).prop_map(|(m, more)| Spec::MOfN { m, n: m + more });
    let rate = (1..=100_u64, 1..200_i64, 0..200_i64).prop_map(|(percent, window, after)| {
        Spec::SuccessRate {
            min_success: percent as f64 / 100.0,
            window: Span::from_secs(window),
            fail_after: Span::from_secs(after),
        }
    });
    prop_oneof![consecutive, window, whole, m_of_n, rate].boxed()
}

/// Settings to lead over one scenario.
pub fn settings(patience_only: bool) -> impl Strategy<Value = Vec<Setting>> {
    let silence = prop_oneof![Just(Silence::Ignored), Just(Silence::Failure)];
    let arming = if patience_only {
        prop_oneof![Just(Arming::Immediate), Just(Arming::FullWindow)].boxed()
    } else {
        let checks = (0..30_u64).prop_map(Arming::Checks);
        prop_oneof![Just(Arming::Immediate), Just(Arming::FullWindow), checks].boxed()
    };
    let setting = (spec(patience_only), silence, arming)
        .prop_map(|(spec, silence, arming)| Setting { spec, silence, arming });
    prop::collection::vec(setting, 1..12)
}
