//! What is wrong in an input is said with its place, what was found, what is allowed and the way out;
//! the exit code is 2, nothing stands on stdout, and nothing panics.

use failover_budget::scenario::Scenario;
use proptest::prelude::*;

use super::support::command;

/// What the command says when it refuses its input.
fn refused(args: &[&str]) -> String {
    let output = command(args).timeout(std::time::Duration::from_secs(60)).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
    assert!(output.stdout.is_empty(), "{args:?} wrote to stdout");
    assert!(said.starts_with("error: "), "{args:?}: {said}");
    assert!(!said.contains("panicked"), "{args:?}: {said}");
    said
}

/// Scenario files that are wrong, and what must be said of each.
const FILES: &[(&str, &[&str])] = &[
    ("[probe]\ninterval = '-10s'", &[":2: probe.interval: -10s found", "longer than 0s"]),
    ("[probe]\ninterval = '0s'", &[":2: probe.interval: 0s found", "longer than 0s"]),
    ("[probe]\ninterval = 10", &[":2: probe.interval: `10` has no unit", "\"10s\""]),
    ("[probe]\ninterval = '10'", &[":2: probe.interval: `10` has no unit", "\"10s\""]),
    ("[probe]\ninterval = 'ten'", &[":2: probe.interval", "not a length of time", "\"15min\""]),
    ("[probe]\ninterval = '1ns'", &[":2: probe.interval", "use a longer interval"]),
    ("[probe]\nintervall = '10s'", &[":2: probe.intervall", "did you mean `interval`?"]),
    ("[probe]\nphase = '10s'", &[":2: probe.phase: 10s found", "not including"]),
    ("[probe]\njitter = '11s'", &[":2: probe.jitter: 11s found", "interval of 10s"]),
    ("[probe]\ntimeout = '-1s'", &[":2: probe.timeout: -1s found", "0s or more"]),
    ("probe = 3", &[":1: probe: 3 found; allowed: a table"]),
    ("prob = {}", &[":1: prob: unknown key `prob`", "did you mean `probe`"]),
    ("rto = '0s'", &[":1: rto: 0s found", "longer than 0s"]),
    ("rto = '-1h'", &[":1: rto: -1h found"]),
    ("rto = '2 months'", &[":1: rto", "no fixed length", "\"30d\""]),
    ("rto = '99999d'", &[":1: rto", "hundred years"]),
    (
        "[run]\nreplications = 1000000000000",
        &[":2: run.replications: 1000000000000 found", "1 to 1000000000"],
    ),
    ("[run]\nreplications = 0", &[":2: run.replications: 0 found"]),
    ("[run]\nreplications = -1", &[":2: run.replications: -1 found", "a whole number"]),
    ("[run]\nreplications = 1.5", &[":2: run.replications: 1.5 found", "a whole number"]),
    ("[run]\nlength = '0s'", &[":2: run.length: 0s found"]),
    ("triggers = []", &[":1: triggers: no trigger", "consecutive:12"]),
    ("triggers = 'consecutive:3'", &[":1: triggers: the text", "a list"]),
    ("triggers = ['consecutive:0']", &[":1: triggers.0", "number of checks is 0", "from 1"]),
    ("triggers = ['window:0s']", &[":1: triggers.0", "window is 0s", "longer than 0s"]),
    ("triggers = ['m-of-n:6/5']", &[":1: triggers.0", "M is 6", "1 to N"]),
    ("triggers = ['consecutve:3']", &[":1: triggers.0", "did you mean `consecutive`?"]),
    ("triggers = ['success-rate:0.9/36525d/1s']", &[":1: triggers.0", "use a shorter window"]),
    ("triggers = ['window:300']", &[":1: triggers.0", "has no unit"]),
    (
        "[blips]\nlength = { law = 'pareto', minimum = '5s', alpha = 1 }",
        &[":2: blips.length", "infinite mean", "alpha > 1"],
    ),
    (
        "[blips]\nlength = { law = 'pareto', mean = '5s', alpha = 0.5 }",
        &[":2: blips.length", "infinite mean", "alpha > 1"],
    ),
    (
        "[prober]\ngap = { law = 'log-logistic', scale = '5s', shape = 1 }",
        &[":2: prober.gap", "infinite mean"],
    ),
    (
        "[outage]\nlength = { law = 'pareto', minimum = '5s', alpha = 1 }",
        &[":2: outage.length", "infinite mean"],
    ),
    (
        "[stages]\npromotion = { law = 'pareto', minimum = '5s', alpha = 1 }",
        &[":2: stages.promotion", "infinite mean"],
    ),
    (
        "[blips]\nlength = { law = 'lognormal', mean = '20s', sigma = -1 }",
        &[":2: blips.length", "`sigma` is -1"],
    ),
    (
        "[blips]\nlength = { law = 'gamma', mean = '20s', shape = 0 }",
        &[":2: blips.length", "`shape` is 0"],
    ),
    ("[blips]\nlength = { law = 'exponential', mean = '-20s' }", &[":2: blips.length", "mean"]),
    (
        "[blips]\nlength = { law = 'exponential', mean = 20 }",
        &[":2: blips.length.mean: `20` has no unit"],
    ),
    (
        "[blips]\nlength = { law = 'gama', mean = '20s' }",
        &[":2: blips.length.law", "did you mean `gamma`?"],
    ),
    (
        "[blips]\nlength = { law = 'weibull', mean = '20s' }",
        &[":2: blips.length", "`mean` and `shape`"],
    ),
    ("[blips]\nlength = { law = 'uniform', from = '20s', to = '5s' }", &[":2: blips.length"]),
    ("[blips]\nlength = { law = 'mixture', of = [] }", &[":2: blips.length", "one or more"]),
    (
        "[blips]\nlength = { law = 'empirical', values = ['1s', '-2s'] }",
        &[":2: blips.length", "is -2"],
    ),
    ("[blips]\nlength = []", &[":2: blips.length: a list found", "law = "]),
    ("[blips]\ngap = '0s'", &[":2: blips.gap", "longer than 0s"]),
    (
        "[blips]\ngap = '1ns'\nlength = '1us'",
        &[":1: blips: about", "blips in one replication of 30d", "use longer gaps"],
    ),
    ("[blips]\ngap = '1us'\narrivals = 'poisson'", &[":1: blips: about", "use longer gaps"]),
    ("[restarts]\ngap = '1h'\ndeploy = { blip_factor = 1e9 }", &["blips", "use longer gaps"]),
    ("[prober]\ngap = '1ns'\nrepair = '1ns'", &[":2: prober.gap: about", "use longer gaps"]),
    ("[restarts]\ngap = '1ns'", &[":2: restarts.gap: about", "use longer gaps"]),
    ("[blips]\nfail_probability = 1.5", &[":2: blips.fail_probability: 1.5 found", "up to 1"]),
    ("[blips]\nfail_probability = nan", &[":2: blips.fail_probability: NaN found"]),
    ("[blips]\nfail_probability = 0", &[":2: blips.fail_probability: 0 found", "above 0"]),
    ("[blips]\narrivals = 'poison'", &[":2: blips.arrivals", "did you mean `poisson`?"]),
    (
        "[[blips]]\nname = 'a'\n[[blips]]\nname = 'a'",
        &[":4: blips.1.name", "two sources are called `a`"],
    ),
    ("[[blips]]\nname = 'a'\ngapp = '1s'", &[":3: blips.0.gapp", "did you mean `gap`?"]),
    ("[outage]\nkind = 'grey'", &[":2: outage.kind", "did you mean `gray`?"]),
    ("[outage]\nat = '31d'", &[":2: outage.at: 31d found"]),
    ("[outage]\nper_replication = 0", &[":2: outage.per_replication: 0 found"]),
    ("[restarts]\ndeploy = {}", &[":2: restarts.deploy", "`restarts.gap` is not given"]),
    (
        "[restarts]\ngap = '1h'\ndeploy = { blip_factor = 0.5 }",
        &[":3: restarts.deploy.blip_factor: 0.5 found"],
    ),
    ("[controller]\nsilence = 'ignore'", &[":2: controller.silence", "did you mean `ignored`?"]),
    ("[controller]\narming = 'full'", &[":2: controller.arming", "did you mean `full-window`?"]),
    ("[controller]\narming = -3", &[":2: controller.arming", "number of checks"]),
    ("targets = []", &[":1: targets: no standby target"]),
    ("[[targets]]\nname = 'x'", &[":1: targets.0: `tier` is missing"]),
    ("[[targets]]\ntier = 'lukewarm'", &[":2: targets.0.tier", "hot, warm, cold"]),
    (
        "[[targets]]\ntier = 'hot'\n[[targets]]\ntier = 'hot'",
        &[": targets.1.name: two targets are called `hot`"],
    ),
    ("[stages]\nreserve = '150%'", &[":2: stages.reserve", "\"100%\""]),
    ("[stages]\nweights_gb = -1", &[":2: stages.weights_gb: -1 found"]),
    (
        "[stages]\nload_rate_gb_per_s = 0",
        &[":2: stages.load_rate_gb_per_s: 0 found", "more than 0"],
    ),
    ("[stages]\nreplicas = 0", &[":2: stages.replicas: 0 found"]),
    (
        "[[stages.extra]]\nname = 'x'\nlength = '5s'\nbefore = 'promotio'",
        &[":4: stages.extra.0.before", "did you mean `promotion`?"],
    ),
    (
        "[ownership]\nlast_drill = { on = '2026-10-31' }",
        &[":2: ownership.last_drill: `every` is missing"],
    ),
    ("[blips", &[":1: this is not TOML"]),
    ("a = 1\na = 2", &[":2: this is not TOML: duplicate key"]),
    ("\u{0}", &["this is not TOML"]),
];

#[test]
fn a_wrong_scenario_is_refused_with_its_place_and_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.toml");
    let name = path.to_str().unwrap();
    for (text, hints) in FILES {
        std::fs::write(&path, text).unwrap();
        let said = refused(&["lab", name]);
        assert!(said.contains(name), "{text}: the file is not named: {said}");
        for hint in *hints {
            assert!(said.contains(hint), "{text}: `{hint}` is not said:\n{said}");
        }
        // Every command that reads a scenario says the same.
        assert_eq!(refused(&["budget", name]), said, "{text}");
    }
}

/// Arguments that are wrong, and what must be said of each.
const ARGUMENTS: &[(&[&str], &[&str])] = &[
    (&["--seeds", "1000000000000"], &["--seeds: 1000000000000 found", "1 to 1000000000"]),
    (&["--seeds", "0"], &["--seeds: 0 found"]),
    (&["--seeds", "-3"], &["--seeds", "`-3` is no whole number", "like 1000"]),
    (&["--seeds", "1e3"], &["--seeds", "`1e3` is no whole number"]),
    (&["--seed", "-1"], &["--seed", "`-1` is no whole number"]),
    (&["--days", "0"], &["--days: 0s found"]),
    (&["--days", "-1"], &["--days: -1d found"]),
    (&["--days", "nan"], &["--days", "`nan` is no number of days"]),
    (&["--days", "1e9"], &["--days", "up to 36525"]),
    (&["--interval", "0"], &["--interval: 0s found"]),
    (&["--interval", "-5"], &["--interval: -5s found"]),
    (&["--interval", "nan"], &["--interval", "`nan` is not a length of time"]),
    (&["--interval", "1ns"], &["--interval: a probe every 1ns", "use a longer interval"]),
    (&["--rto", "0"], &["--rto: 0s found"]),
    (&["--rto", "-15min"], &["--rto: -15min found"]),
    (&["--rto", "1e300"], &["--rto", "hundred years"]),
    (&["--rto", "10x"], &["--rto", "not a length of time", "15min"]),
    (&["--blip-mean", "0"], &["--blip-mean", "longer than 0s"]),
    (&["--blip-mean", "-4s"], &["--blip-mean", "is -4"]),
    (&["--blip-gap", "inf"], &["--blip-gap", "hundred years"]),
    (&["--trigger", "window:0s"], &["--trigger", "the window is 0s", "longer than 0s"]),
    (&["--trigger", "consecutive:0"], &["--trigger", "from 1 to 1000000000"]),
    (&["--trigger", "m-of-n:6/5"], &["--trigger", "the M is 6"]),
    (&["--trigger", "windw:3s"], &["--trigger", "did you mean `window`?"]),
    (&["--format", "xml"], &["--format", "table, json, csv"]),
    (&["--fomat", "json"], &["--format"]),
    (&["--threads", "0"], &["--threads", "1..=1024"]),
    (&["no-such-file.toml"], &["no-such-file.toml: cannot be read: No such file"]),
    (&["/"], &["/: cannot be read"]),
];

#[test]
fn wrong_arguments_are_refused_with_the_way_out() {
    for (args, hints) in ARGUMENTS {
        let said = refused(&[&["lab"], *args].concat());
        for hint in *hints {
            assert!(said.contains(hint), "{args:?}: `{hint}` is not said:\n{said}");
        }
    }
    assert!(refused(&["labb"]).contains("lab"), "the nearest command is named");
}

#[test]
fn files_that_are_no_text_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bytes.toml");
    std::fs::write(&path, [0xff, 0xfe, 0x00, 0x80]).unwrap();
    let said = refused(&["lab", path.to_str().unwrap()]);
    assert!(said.contains("bytes.toml: cannot be read: it is not UTF-8 text"), "{said}");

    let large = std::fs::File::create(&path).unwrap();
    large.set_len(1 << 40).unwrap();
    let said = refused(&["lab", path.to_str().unwrap()]);
    assert!(said.contains("bytes long; allowed: 16777216"), "{said}");

    // Nesting beyond all measure.
    std::fs::write(&path, format!("a = {}", "[".repeat(100_000))).unwrap();
    assert!(refused(&["lab", path.to_str().unwrap()]).contains("not TOML"));
}

#[cfg(unix)]
#[test]
fn a_name_that_is_no_text_is_only_a_name() {
    use std::os::unix::ffi::OsStrExt;
    let name = std::ffi::OsStr::from_bytes(b"no-\xff-such.toml");
    let output = command(&["lab"]).arg(name).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be read"));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    use std::process::Stdio;
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_failover-budget"))
        .args(["lab", "-q"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A whole scenario with every kind of value, to be mutilated.
fn whole() -> String {
    let text = "
        [restarts]
        gap = '1d'
        deploy = {}
        [[stages.extra]]
        name = 'approval'
        length = { law = 'lognormal', median = '60s', sigma = 1.0 }
        before = 'promotion'
        [ownership]
        probe_writers = ['x']
        last_drill = { on = '2026-10-31', every = '90d' }
    ";
    Scenario::from_toml("whole", text).unwrap().to_toml()
}

/// Words that stand somewhere in a scenario, or should not.
const WORDS: &[&str] = &[
    "'10s'",
    "\"-1ns\"",
    "0",
    "-1",
    "1e999",
    "nan",
    "inf",
    "9223372036854775807",
    "true",
    "[]",
    "{}",
    "'36525d'",
    "[[",
    "]]",
    "[",
    "]",
    "=",
    ".",
    "\n",
    "'",
    "\"",
    "law = 'pareto'",
    "alpha = 1e-300",
    "law = 'mixture'",
    "of = [",
    "weight = -1",
    "'consecutive:1'",
    "'window:1ns'",
    "'m-of-n:1000000/1000000'",
    "'success-rate:1e-300/1ns/36525d'",
    "blips = []",
    "gap = '1ns'",
    "length = '0s'",
    "mean = '36525d'",
    "sigma = 20",
    "shape = 1e-300",
    "\u{202e}",
    "ä",
    "#",
];

fn mutilated() -> impl Strategy<Value = String> {
    let cut = (any::<prop::sample::Index>(), 0..40_usize, prop::sample::select(WORDS));
    prop::collection::vec(cut, 1..4).prop_map(|cuts| {
        let mut letters: Vec<char> = whole().chars().collect();
        for (at, length, word) in cuts {
            let from = at.index(letters.len());
            let to = (from + length).min(letters.len());
            letters.splice(from..to, word.chars());
        }
        letters.into_iter().collect()
    })
}

/// One value of the scenario replaced by another, so that the text is still TOML.
fn revalued() -> impl Strategy<Value = String> {
    let change = (any::<prop::sample::Index>(), prop::sample::select(WORDS));
    prop::collection::vec(change, 1..3).prop_map(|changes| {
        let mut lines: Vec<String> = whole().lines().map(str::to_owned).collect();
        for (at, word) in changes {
            let keyed: Vec<usize> =
                (0..lines.len()).filter(|i| lines[*i].contains(" = ")).collect();
            let line = &mut lines[keyed[at.index(keyed.len())]];
            let key = line.split(" = ").next().unwrap_or_default();
            *line = format!("{key} = {word}");
        }
        lines.join("\n")
    })
}

/// Reads a text as a scenario; what is accepted must be written and read back the same.
fn survives(text: &str) -> Result<bool, TestCaseError> {
    match Scenario::from_toml("fuzz", text) {
        Ok(scenario) => {
            let again = Scenario::from_toml("again", &scenario.to_toml());
            prop_assert_eq!(again.map_err(|why| why.to_string()), Ok(scenario), "{}", text);
            Ok(true)
        }
        Err(error) => {
            prop_assert!(!error.to_string().is_empty());
            prop_assert!(
                error.line.is_none_or(|line| line <= text.lines().count() + 1),
                "{}",
                error
            );
            Ok(false)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 3000, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn no_text_makes_the_scenario_panic(text in mutilated()) {
        survives(&text)?;
    }

    #[test]
    fn no_value_makes_the_scenario_panic(text in revalued()) {
        survives(&text)?;
    }

    #[test]
    fn no_garbage_makes_the_scenario_panic(text in "\\PC{0,200}") {
        survives(&text)?;
    }
}

/// The mutilated texts are neither all refused nor all accepted.
#[test]
fn the_mutilated_scenarios_are_worth_reading() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut accepted = |strategy: BoxedStrategy<String>| {
        let texts = (0..500).map(|_| strategy.new_tree(&mut runner).unwrap().current());
        texts.filter(|text| survives(text).unwrap()).count()
    };
    let counts = [accepted(mutilated().boxed()), accepted(revalued().boxed())];
    assert!(counts.iter().all(|count| (1..250).contains(count)), "{counts:?}");
}

/// What is accepted is also run: a short run of odd scenarios, whatever they come to.
#[test]
fn odd_scenarios_that_are_valid_run() {
    use failover_budget::experiment::lab::Lab;
    for text in [
        "[run]\nlength = '1ns'",
        "[run]\nlength = '1h'\n[probe]\ninterval = '36525d'",
        "[probe]\ntimeout = '36525d'",
        "[probe]\ninterval = '1ms'\ntimeout = '36525d'\n[run]\nlength = '1s'\n[outage]\nlength = '36525d'",
        "[run]\nlength = '36525d'\n[blips]\ngap = '36525d'\nlength = '36525d'",
        "[run]\nlength = '36525d'\n[blips]\ngap = '36524d'\nlength = '36525d'\narrivals = 'poisson'",
        "rto = '1ns'\n[run]\nlength = '1h'",
        "rto = '36525d'\n[run]\nlength = '1h'\n[stages]\npromotion = '36525d'\ntraffic_shift = '36525d'",
        "[run]\nlength = '1h'\n[outage]\nlength = '1ns'\nper_replication = 1000",
        "[run]\nlength = '1h'\n[prober]\ngap = '1s'\nrepair = '0s'",
        "[run]\nlength = '1h'\n[restarts]\ngap = '1s'\ndown = '36525d'\ndeploy = { length = '36525d', blip_factor = 1000 }",
        "[run]\nlength = '1min'\n[blips]\ngap = '1ms'\nlength = '1ns'\n[restarts]\ngap = '1s'\ndeploy = { blip_factor = 1 }",
        "[run]\nlength = '1h'\n[blips]\nlength = { law = 'pareto', minimum = '1ns', alpha = 1.000001 }",
        "[run]\nlength = '1h'\n[stages]\nweights_gb = 1e9\nload_rate_gb_per_s = 1e-300\nstorage_gb_per_s = 1e-300",
        "triggers = ['consecutive:1000000000', 'window:36525d', 'm-of-n:1000000/1000000', 'success-rate:1e-9/1d/36525d']\n[run]\nlength = '1h'",
        "blips = []\n[run]\nlength = '1h'\n[outage]\nkind = 'gray'\nlength = '1h'\nfail_probability = 1e-300",
    ] {
        let mut scenario = Scenario::from_toml("odd", text).unwrap();
        scenario.run.replications = 2;
        let lab = Lab::run(scenario, |_| {}).map_err(|why| why.message);
        let json = serde_json::to_string(&lab.unwrap()).unwrap();
        assert!(!json.contains("NaN"), "{text}");
    }
}
