//! The patience stated for an alarm against an alarm that is played through, period by period.

use failover_budget::advise::products::{Amounts, Product};
use failover_budget::time::Span;
use failover_budget::trigger::Spec;

use super::{asked, exported};

/// From the first failed check to the last check of the period that completes the alarm, in seconds:
/// every check after the first failed one fails too. `phase_s` is where in its period it falls.
fn played(amounts: &Amounts, interval_s: i64, phase_s: i64) -> i64 {
    let period_s = amounts.interval.div_floor(Span::from_secs(1));
    let (m, n) = match amounts.trigger {
        Spec::Consecutive { k } => (k, k),
        Spec::MOfN { m, n } => (m, n),
        other => panic!("an alarm is no {other}"),
    };
    let mut breaching: Vec<bool> = Vec::new();
    for period in 0.. {
        let (start, end) = (period * period_s, (period + 1) * period_s);
        // The check at `phase_s` is the first that fails; those before it were healthy.
        let first =
            phase_s + (start - phase_s + interval_s - 1).div_euclid(interval_s) * interval_s;
        let checks: Vec<i64> =
            (0..).map(|i| first + i * interval_s).take_while(|at| *at < end).collect();
        breaching.push(!checks.is_empty() && checks.iter().all(|at| *at >= phase_s));
        let recent = breaching.iter().rev().take(usize::try_from(n).unwrap());
        if recent.filter(|breaches| **breaches).count() as u64 >= m {
            return checks.last().unwrap() - phase_s;
        }
    }
    unreachable!("every later period breaches")
}

#[test]
fn the_stated_patience_is_the_shortest_and_its_margin_holds_the_longest() {
    for (trigger, interval_s) in [
        ("consecutive:1", 10),
        ("consecutive:12", 10),
        ("consecutive:4", 5),
        ("consecutive:7", 2),
        ("m-of-n:3/5", 10),
        ("m-of-n:6/9", 5),
        ("consecutive:3", 60),
    ] {
        let mut asked = asked(trigger);
        asked.interval = Span::from_secs(interval_s);
        let amounts = exported(Product::CloudWatch, &asked).amounts;
        let period_s = amounts.interval.div_floor(Span::from_secs(1));
        let waits: Vec<i64> =
            (0..period_s).map(|phase_s| played(&amounts, interval_s, phase_s)).collect();
        let stated_s = amounts.patience.div_floor(Span::from_secs(1));
        let shortest = *waits.iter().min().unwrap();
        let longest = *waits.iter().max().unwrap();
        assert_eq!(shortest, stated_s, "{trigger} every {interval_s} s: {waits:?}");
        let most = amounts.patience + amounts.up_to_later;
        assert!(
            Span::from_secs(longest) <= most,
            "{trigger} every {interval_s} s: {longest} > {most}"
        );
        assert!(amounts.patience >= asked.patience(), "never more eager than asked: {trigger}");
    }
}
