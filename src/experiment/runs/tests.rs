use proptest::prelude::*;

use super::*;
use crate::law::Law;
use crate::scenario::Arrivals;
use crate::time::LONGEST;

/// All runs of a replication, in order.
fn all(runs: &Runs) -> Vec<FailedRun> {
    let mut all: Vec<FailedRun> = runs.backwards().collect();
    all.reverse();
    all
}

fn drawn(scenario: &Scenario, replication: u64) -> Runs {
    let mut runs = Runs::new();
    runs.draw(scenario, Streams::new(scenario.run.seed, replication));
    runs
}

/// The clock stands the longest run with the longest gaps and lengths.
#[test]
fn a_hundred_years_do_not_overflow() {
    let mut scenario = Scenario::default();
    scenario.run.length = LONGEST;
    scenario.blips.0[0].length = Law::constant(LONGEST.as_secs_f64()).unwrap();
    for gap in [Span::from_secs(1), LONGEST - Span::from_secs(10), LONGEST] {
        for arrivals in [Arrivals::GapRenewal, Arrivals::Poisson] {
            scenario.blips.0[0].gap = Law::constant(gap.as_secs_f64()).unwrap();
            scenario.blips.0[0].arrivals = arrivals;
            let runs = drawn(&scenario, 0);
            let first = runs.grid.first_at_or_after(gap.as_nanos());
            let end = runs.grid.first_at_or_after(LONGEST.as_nanos());
            let expected = (first < end).then_some(FailedRun { first, end });
            assert_eq!(all(&runs), Vec::from_iter(expected), "{gap} {arrivals:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Blocks drawn in lanes hold the runs of single draws: for blips that often join, that no probe
    /// meets, and that are so far apart that a block is longer than floats divide.
    #[test]
    fn lanes_draw_what_single_draws_give(
        gap_s in prop_oneof![1.0_f64..2_000.0, 1.0_f64..20_000.0],
        length_s in 0.1_f64..300.0,
        interval_s in prop_oneof![8 => 1_i64..60, 1 => Just(700), 1 => 1_000_000_i64..2_000_000],
        days in 1_i64..60,
        poisson in any::<bool>(),
        seed in 0_u64..1_000,
    ) {
        let mut scenario = Scenario::default();
        scenario.run.seed = seed;
        scenario.run.length = Span::from_secs(days * 86_400);
        scenario.probe.interval = Span::from_secs(interval_s);
        let source = &mut scenario.blips.0[0];
        source.arrivals = if poisson { Arrivals::Poisson } else { Arrivals::GapRenewal };
        (source.gap, source.length) =
            (Law::exponential(gap_s).unwrap(), Law::exponential(length_s).unwrap());
        let in_lanes = drawn(&scenario, 1);
        let one_by_one = {
            let mut runs = Runs::new();
            runs.grid = in_lanes.grid;
            let streams = Streams::new(seed, 1);
            draw::any(&scenario.blips.0[0], scenario.run.length.as_nanos(), streams, &mut runs);
            runs.lengths.finish();
            runs
        };
        prop_assert_eq!(all(&in_lanes), all(&one_by_one));
        for runs in [&in_lanes, &one_by_one] {
            let all = all(runs);
            let lengths: Vec<u64> = (1..400).chain([1_000, 100_000]).collect();
            let mut told = vec![0; lengths.len()];
            runs.lengths.at_least(&lengths, |index, count| told[index] = count as usize);
            for (length, told) in lengths.iter().zip(told) {
                prop_assert_eq!(told, all.iter().filter(|run| run.length() >= *length).count());
            }
            let mut beside = runs.beside();
            for probe in (0..all.last().map_or(9, |run| run.end + 9)).step_by(7) {
                let expected = all.iter().find(|run| run.first <= probe && probe <= run.end);
                prop_assert_eq!(beside.find(probe), expected.copied(), "{}", probe);
            }
        }
    }
}
