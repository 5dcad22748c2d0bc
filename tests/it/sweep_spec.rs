//! What is wrong with a spec is said before anything runs: where, what, and the way out.

use std::time::{Duration, Instant};

use failover_budget::sweep::Sweep;

fn said(text: &str) -> String {
    match Sweep::from_toml("s.toml", text, "s") {
        Ok(sweep) => panic!("{} points were made of:\n{text}", sweep.points.len()),
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn check(text: &str, begins: &str, contains: &str) {
    let said = said(text);
    assert!(said.starts_with(begins) && said.contains(contains), "{said}");
}

/// The text of an axis on line 2.
fn axis(text: &str) -> String {
    format!("[axes]\n{text}\n")
}

#[test]
fn a_path_that_does_not_exist_has_a_nearest_one() {
    let cases = [
        ("blips.lenght.mean = ['5s']", "did you mean `length`?"),
        ("blips.length.meen = ['5s']", "did you mean `mean`?"),
        ("prob.interval = ['5s']", "did you mean `probe`?"),
        ("'probe.intervall' = ['5s']", "did you mean `interval`?"),
        ("stages.weight_gb = [1]", "did you mean `weights_gb`?"),
        ("trigers = ['consecutive:1']", "did you mean `triggers`?"),
        ("variant.law.a = {}", "did you mean `variants`?"),
        ("targets.hott.promotion = ['5s']", "did you mean `hot`? there are: hot, warm, cold"),
        ("targets.7.promotion = ['5s']", "`7` is neither an index nor the name of an item"),
        ("stages.extra.0.length = ['5s']", "`extra` has no item 0"),
    ];
    for (text, expected) in cases {
        check(&axis(text), "s.toml:2: axes.", expected);
    }
}

#[test]
fn a_value_that_makes_no_scenario_is_told_at_its_axis() {
    check(&axis("rto = ['5min', '-5min']"), "s.toml:2: axes.rto: -5min found", "longer than 0s");
    check(
        &axis("probe.interval = ['5s', 10]"),
        "s.toml:2: axes.probe.interval: `10` has no unit",
        "10s",
    );
    let variants = "[axes.variants.law]\na = {}\nb = { blips.lenght = '5s' }\n";
    check(variants, "s.toml:3: axes.variants.law.b", "did you mean `length`?");
    let zip = "[[axes.zip]]\nrto = ['5min']\nprobe.jitter = ['1h']\n";
    check(zip, "s.toml:3: axes.zip.0.probe.jitter", "probe.jitter: 1h found");
    // What the shared scenario has wrong is told there.
    check(
        "[run]\nreplication = 5\n[axes]\nrto = ['5min']\n",
        "s.toml:2: run.replication:",
        "replications",
    );
}

#[test]
fn keys_that_no_spec_has() {
    check("nam = 'x'\n", "s.toml:1: nam: unknown key `nam`", "did you mean `name`?");
    check("[axe]\nrto = ['5min']\n", "s.toml:1: axe:", "did you mean `axes`?");
    check(
        "[stop]\nrelativ_width = 0.1\n",
        "s.toml:2: stop.relativ_width",
        "did you mean `relative_width`?",
    );
    check(
        "[stop]\nrelative_width = -1.0\n",
        "s.toml:2: stop.relative_width: -1 found",
        "more than 0",
    );
    check(
        "[stop]\nrelative_width = 0.1\nbelow_per_day = -1.0\n",
        "s.toml:3: stop.below_per_day",
        "0 or more",
    );
    check("[output]\nreplication = true\n", "s.toml:2: output.replication", "`replications`");
    check("axes = 3\n", "s.toml:1: axes:", "written as a table");
    check("name = '../x'\n", "s.toml:1: name:", "letters, digits");
}

#[test]
fn axes_without_values_or_with_twins() {
    check(
        &axis("probe.interval = []"),
        "s.toml:2: axes.probe.interval: the axis is empty",
        "one value or more",
    );
    check(
        &axis("triggers = []"),
        "s.toml:2: axes.triggers: the axis is empty",
        "one trigger or more",
    );
    check(
        &axis("probe.interval = '5s'"),
        "s.toml:2: axes.probe.interval: found: string",
        "a list of values or a range",
    );
    check(
        &axis("probe.interval = ['5s', '10s', '5s']"),
        "s.toml:2: axes.probe.interval",
        "\"5s\" stands twice",
    );
    check(
        &axis("rto = ['60s', '1min']"),
        "s.toml:2: axes.rto",
        "\"1min\" stands twice (as \"60s\")",
    );
    check(
        &axis("stages.weights_gb = [1, 1.0]"),
        "s.toml:2: axes.stages.weights_gb",
        "stands twice",
    );
    check(
        &axis("triggers = ['consecutive:1..5', 'consecutive:3']"),
        "s.toml:2: axes.triggers.1",
        "`consecutive:3` stands twice",
    );
    let zip = "[[axes.zip]]\nrto = ['5min', '5min']\nprobe.interval = ['5s', '5s']\n";
    check(
        zip,
        "s.toml:1: axes.zip.0",
        "the same place stands twice: rto = \"5min\", probe.interval = \"5s\"",
    );
    let twice = "[axes]\nrto = ['5min', '6min']\n[axes.variants.x]\na = { rto = '7min' }\n";
    check(twice, "s.toml:3: axes.variants.x", "`rto` is set here and by `axes.rto`");
    check(
        "[axes.variants.tier]\na = {}\n",
        "s.toml:1: axes.variants.tier",
        "the results have a column of that name",
    );
    check("[axes.variants.law]\n", "s.toml:1: axes.variants.law", "named tables");
}

#[test]
fn ranges_that_never_end_or_are_none() {
    let cases = [
        ("{ from = '5s', to = '10s', step = '0s' }", "never ends"),
        ("{ from = 1, to = 100, step = -1 }", "never ends"),
        ("{ from = 1.0, to = inf, step = 1.0 }", "never ends"),
        ("{ from = 1.0, to = 2.0, step = nan }", "never ends"),
        ("{ from = 1, to = 9223372036854775807, step = 1 }", "allowed: up to 100000"),
        ("{ from = 0.0, to = 1e300, step = 1e-300 }", "allowed: up to 100000"),
        ("{ from = 9, to = 1, step = 1 }", "`from` must not be above `to`"),
        ("{ from = 1, to = '9s', step = 1 }", "both be numbers or both spans"),
        ("{ from = 1, too = 9, step = 1 }", "did you mean `to`?"),
        ("{ from = 1, step = 1 }", "needs both `from` and `to`"),
        ("{ from = 1, to = 9 }", "either `step` or `points`"),
        ("{ from = 1, to = 9, step = 1, points = 3 }", "either `step` or `points`"),
        ("{ from = 1, to = 9, points = 1000000000 }", "from 2 to 100000"),
        ("{ from = 0, to = 9, points = 3, scale = 'log' }", "above zero"),
        ("{ from = 1, to = 9, points = 3, scale = 'lgo' }", "\"linear\" or \"log\""),
        ("{ from = 1, to = 9, step = 1, scale = 'log' }", "goes with `points`"),
    ];
    for (range, expected) in cases {
        check(
            &axis(&format!("stages.weights_gb = {range}")),
            "s.toml:2: axes.stages.weights_gb: ",
            expected,
        );
    }
}

#[test]
fn triggers_with_a_typo() {
    check(
        &axis("triggers = ['consecutve:1..5']"),
        "s.toml:2: axes.triggers.0",
        "did you mean `consecutive`?",
    );
    check(
        &axis("triggers = ['consecutive:3', 'window:60']"),
        "s.toml:2: axes.triggers.1",
        "no unit",
    );
    check(&axis("triggers = ['consecutive:1..9..0']"), "s.toml:2: axes.triggers.0", "never ends");
    check(&axis("triggers = [3]"), "s.toml:2: axes.triggers.0", "triggers are strings");
    check(&axis("triggers = { k = 3 }"), "s.toml:2: axes.triggers", "triggers are strings");
}

#[test]
fn groups_that_do_not_match() {
    let zip = "[[axes.zip]]\nprobe.interval = ['5s', '10s']\nrto = ['5min']\n";
    check(
        zip,
        "s.toml:3: axes.zip.0.rto",
        "has 1 values and `probe.interval` of the same group has 2",
    );
    check("[axes.zip]\nrto = ['5min']\n", "s.toml:1: axes.zip", "[[axes.zip]]");
    check("[[axes.zip]]\n", "s.toml:1: axes.zip.0", "the group is empty");
}

/// Refused before a point of it is made: the time allowed is a hundred times what it takes, and a grid
/// of this size would not fit into any memory.
#[test]
fn a_grid_of_a_thousand_million_cells_is_refused_at_once() {
    let range = "{ from = 1, to = 1000, step = 1 }";
    let million =
        format!("stages.weights_gb = {range}\nrun.seed = {range}\nstages.replicas = {range}");
    let triggers = "triggers = ['consecutive:1..49999', 'consecutive:50000..99999']\nrun.seed = \
                    { from = 1, to = 5000, step = 1 }";
    let start = Instant::now();
    check(
        &axis(&million),
        "s.toml:1: axes: the grid has 1000000000 points",
        "allowed: up to 3000000",
    );
    check(
        &axis(triggers),
        "s.toml:1: axes: the grid has 5000 points × 99999 triggers",
        "leave values out",
    );
    let points = "triggers = ['consecutive:3']\nrun.seed = { from = 1, to = 1000, step = 1 }\nrto = \
                  { from = '1min', to = '1000min', step = '1min' }";
    check(&axis(points), "s.toml:1: axes: the grid has 1000000 points", "up to 200000");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn what_the_page_on_sweeps_shows_is_read() {
    let text = "
        [axes]
        triggers = ['consecutive:1..40', 'window:60s..900s..60s', 'm-of-n:9/12']
        blips.length.mean = ['5s', '10s', '20s']
        probe.interval = { from = '5s', to = '30s', step = '5s' }
        stages.weights_gb = { from = 10, to = 1000, points = 5, scale = 'log' }
        targets.hot.promotion = ['30s', '60s']
        [[axes.zip]]
        run.seed = [1, 2, 3]
        probe.timeout = ['1s', '2s', '5s']
        [axes.variants.law]
        short = { blips.length = { law = 'exponential' } }
        'heavy tail' = { blips.length = { law = 'pareto', alpha = 1.5 } }";
    let sweep = Sweep::from_toml("s.toml", text, "s").unwrap();
    assert_eq!(sweep.points.len(), 3 * 6 * 5 * 2 * 3 * 2);
    assert_eq!(sweep.points[0].scenario.triggers.len(), 40 + 15 + 1);
    // A variant swaps the law, and the axis its mean, whichever stands first.
    let last = &sweep.points.last().unwrap().scenario;
    assert_eq!(last.blips.0[0].length.family(), "pareto");
    assert!((last.blips.0[0].length.mean() - 20.0).abs() < 1e-9);
    assert_eq!(last.stages.weights_gb, 1000.0);
}
