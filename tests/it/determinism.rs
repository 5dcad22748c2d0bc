//! The same seed gives the same bytes: for any number of threads, and after an upgrade of whatever
//! draws the numbers.

use failover_budget::engine::Streams;
use failover_budget::engine::streams::unit_hash;
use failover_budget::history::Check;
use failover_budget::law::Law;
use failover_budget::scenario::Scenario;
use failover_budget::world::simulate;
use rand::RngExt;

use super::support::printed;

/// The first two numbers of every stream there is, at seed 1 and replication 0. If one of these
/// moves, every published figure moves with it: say so in the changelog, or mend it.
#[test]
fn the_first_draws_of_every_stream_are_pinned() {
    let names = [
        "probe-phase",
        "blips/blips",
        "prober",
        "restarts",
        "deploys",
        "outage-starts",
        "outage-lengths",
        "measured-repairs",
        "stage/hot/promotion",
    ];
    let streams = Streams::new(1, 0);
    let mut drawn = String::new();
    for name in names {
        let mut rng = streams.named(name);
        drawn += &format!("{name}: {:016x} {:016x}\n", rng.random::<u64>(), rng.random::<u64>());
    }
    for name in ["probe-jitter", "outage-coins", "coins/blips"] {
        let key = streams.key(name);
        drawn += &format!("{name}: {key:016x} {} {}\n", unit_hash(key, 0), unit_hash(key, 1));
    }
    let other = |seed, replication| -> u64 {
        Streams::new(seed, replication).named("blips/blips").random()
    };
    drawn += &format!("seed 2: {:016x}\nreplication 1: {:016x}\n", other(2, 0), other(1, 1));
    insta::assert_snapshot!(drawn);
}

/// The first three lengths that every family of laws draws: the variates are another package's.
#[test]
fn the_first_draws_of_every_law_are_pinned() {
    let laws = [
        Law::exponential(20.0),
        Law::lognormal(2.5, 1.0),
        Law::weibull(0.7, 15.0),
        Law::gamma(2.0, 10.0),
        Law::gamma(0.5, 40.0),
        Law::pareto(1.5, 6.0),
        Law::log_logistic(2.0, 12.0),
        Law::uniform(5.0, 35.0),
        Law::constant(20.0),
        Law::empirical(vec![1.0, 2.0, 3.0, 40.0], Some(vec![4.0, 3.0, 2.0, 1.0])),
        Law::mixture(vec![
            (0.9, Law::exponential(5.0).unwrap()),
            (0.1, Law::exponential(155.0).unwrap()),
        ]),
    ];
    let mut drawn = String::new();
    for law in laws.map(Result::unwrap) {
        let mut rng = Streams::new(1, 0).named("blips/blips");
        let nanos: Vec<String> =
            (0..3).map(|_| law.sample(&mut rng).as_nanos().to_string()).collect();
        drawn += &format!("{}: {}\n", law.family(), nanos.join(" "));
    }
    insta::assert_snapshot!(drawn);
}

/// One month of the defaults in brief: what the world makes of those draws.
#[test]
fn the_first_month_of_the_defaults_is_pinned() {
    let history = simulate(&Scenario::default(), Streams::new(1, 0), None);
    let (healthy, unhealthy, absent) = history.counts();
    let mut told = format!("{healthy} healthy, {unhealthy} unhealthy, {absent} absent\n");
    told += &format!("{} spells, {} faults\n", history.spells.len(), history.faults.len());
    let failed = history.spells.iter().filter(|spell| spell.check == Check::Unhealthy);
    for spell in failed.take(3) {
        told += &format!("{} at {} ns\n", spell.count, history.due.at(spell.first).as_nanos());
    }
    insta::assert_snapshot!(told);
}

/// Scenarios whose figures come from the patience pass, from the event queue, and from both.
const SCENARIOS: [&str; 3] = [
    "",
    "[[blips]]\nname = 'gc'\nfail_probability = 0.6\n[[blips]]\nname = 'net'\narrivals = 'poisson'\n\
     [probe]\njitter = '2s'\ntimeout = '3s'\n[prober]\ngap = '5d'\n\
     [restarts]\ngap = { law = 'exponential', mean = '1d' }\ndown = '40s'\ndeploy = {}\n\
     [outage]\nkind = 'gray'\nlength = '30min'\nper_replication = 5\n",
    "triggers = ['consecutive:3', 'm-of-n:3/5', 'window:55s', 'success-rate:0.9/60s/180s']\n\
     [stages]\npromotion = { law = 'exponential', mean = '60s' }\n",
];

#[test]
fn the_same_seed_gives_the_same_bytes_for_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    for (index, text) in SCENARIOS.iter().enumerate() {
        let path = folder.path().join(format!("{index}.toml"));
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        for format in ["json", "csv", "table"] {
            let run = |threads, seed| {
                printed(&[
                    "lab",
                    path,
                    "--seeds",
                    "70",
                    "--days",
                    "10",
                    "--threads",
                    threads,
                    "--seed",
                    seed,
                    "--format",
                    format,
                ])
            };
            let one = run("1", "5");
            assert_eq!(one, run("2", "5"), "{text}");
            if format == "json" {
                assert_eq!(one, run("7", "5"), "{text}");
                assert_ne!(one, run("1", "6"), "another seed is another run");
            }
        }
    }
}
