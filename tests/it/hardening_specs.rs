//! Specs without measure and names that lead astray: whatever a spec asks for, it is run or refused within
//! bounds of memory and time, and what it is called leads nowhere else.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

use crate::hardening::{PROGRAM, SMALL, ended, place, run, said, shell};

#[test]
fn paths_need_not_be_text() {
    let place = place();
    let spec = place.path().join(OsStr::from_bytes(b"sp\xffec.toml"));
    fs::copy(place.path().join("small.toml"), &spec).unwrap();
    let folder = place.path().join(OsStr::from_bytes(b"res\xfeults"));
    let sweep = |spec: &Path, folder: &Path| {
        Command::new(PROGRAM).arg("sweep").arg(spec).arg("-o").arg(folder).output().unwrap()
    };
    ended(&sweep(&spec, &folder), 0, "");
    assert!(folder.join("results.parquet").is_file() && folder.join("pareto.svg").is_file());
    // Without a name of its own the sweep would have the file's, which names no folder.
    fs::write(&spec, SMALL.replacen("name = 'small'\n", "", 1)).unwrap();
    ended(&sweep(&spec, &folder), 2, "names the sweep's folder");
    let missing = place.path().join(OsStr::from_bytes(b"\xff\xfe\xfd"));
    ended(&sweep(&missing, &folder), 2, "cannot be read");
}

#[test]
fn a_name_leads_to_one_folder_under_output() {
    let place = place();
    for name in
        ["..", ".", "", "a/b", "../../etc", "/tmp/x", "a\\\\b", "a b", ".hidden", "-\\u0000", "ä"]
    {
        let spec = SMALL.replacen("'small'", &format!("\"{name}\""), 1);
        fs::write(place.path().join("named.toml"), spec).unwrap();
        ended(&run(place.path(), &["sweep", "named.toml"]), 2, "named.toml:1: name: ");
    }
    let long = SMALL.replacen("small", &"n".repeat(101), 1);
    fs::write(place.path().join("named.toml"), long).unwrap();
    ended(&run(place.path(), &["sweep", "named.toml"]), 2, "up to 100");
    assert!(!place.path().join("output").exists());
}

/// A spec, what it must end with, and a word of what it says.
fn unmeasured() -> Vec<(&'static str, String, i32, &'static str)> {
    let nested =
        |open: &str, close: &str| format!("a = {}1{}\n", open.repeat(50_000), close.repeat(50_000));
    let lengths: Vec<String> =
        (0..1_000_000).map(|i| format!("\"{}.{:03}s\"", 1 + i % 99, i % 997)).collect();
    let empirical =
        format!("[blips.length]\nlaw = 'empirical'\nvalues = [{}]\n", lengths.join(","));
    let run = "[run]\nreplications = 2\n";
    let triggers = |list: &str| format!("triggers = [{list}]\n{run}");
    vec![
        ("nested lists", nested("[", "]"), 2, "not TOML"),
        ("nested tables", nested("{a=", "}"), 2, "not TOML"),
        ("a deep key", format!("a{} = 1\n", ".a".repeat(50_000)), 2, "not TOML"),
        ("10^12 replications", "[run]\nreplications = 1000000000000\n".into(), 2, "allowed: 1 to 1000000000"),
        (
            "10^12 replications by an axis",
            "[axes]\nrun.replications = [10, 1000000000000]\n".into(),
            2,
            "allowed: 1 to 1000000000",
        ),
        (
            "10^9 cells",
            "[axes]\ntriggers = ['consecutive:1..1000']\nrun.seed = { from = 1, to = 1000000, points = 100000 }\n".into(),
            2,
            "rows; allowed: up to 3000000",
        ),
        (
            "too many points",
            "[[targets]]\ntier = 'hot'\n[axes]\ntriggers = ['consecutive:1']\nrun.seed = { from = 1, to = 600, step = 1 }\n\
             blips.length.mean = { from = '1s', to = '99s', points = 500 }\n".into(),
            2,
            "points; allowed: up to 200000",
        ),
        (
            "a lifetime",
            "[run]\nreplications = 1000000000\nlength = '3650d'\n[axes]\nrun.seed = { from = 1, to = 1000, step = 1 }\n".into(),
            2,
            "years; allowed: up to 100",
        ),
        (
            "rows by replication",
            "[run]\nreplications = 100000000\n[output]\nreplications = true\n".into(),
            2,
            "allowed: up to 20000000",
        ),
        ("many triggers", "[axes]\ntriggers = ['consecutive:1..90000', 'consecutive:90001..180000']\n".into(), 2, "more than 100000 triggers"),
        ("an endless range", "[axes]\nrun.seed = { from = 1, to = 9, step = 0 }\n".into(), 2, "never ends"),
        ("a heavy spec at many points", format!("{empirical}[axes]\nrun.seed = {{ from = 1, to = 1000, step = 1 }}\n"), 2, "to hold; allowed"),
        ("a million lengths", format!("{run}{empirical}"), 0, ""),
        ("the deepest count", triggers("'consecutive:1000000000'"), 0, ""),
        ("the widest M of N", triggers("'m-of-n:1/1000000', 'm-of-n:1000000/1000000'"), 0, ""),
        ("a window of a century", triggers("'window:36500d'"), 0, ""),
        ("a rate over a century", triggers("'success-rate:0.9/36500d/36500d'"), 2, "checks; allowed: 1000000"),
        ("a rate over a million checks", triggers("'success-rate:0.9/9999990s/36500d'"), 0, ""),
        ("jitter of an interval", format!("{run}[probe]\njitter = '10s'\n"), 0, ""),
        ("more jitter", format!("{run}[probe]\njitter = '10001ms'\n"), 2, "0s to the interval"),
        ("blips without a pause", format!("{run}[blips]\ngap = '1ms'\nlength = '1ms'\n"), 2, "blips in one replication"),
        (
            "gaps short but for one in a run",
            format!("{run}[blips]\nlength = '1us'\ngap = {{ law = 'pareto', alpha = 1.000001, minimum = '1us' }}\n"),
            2,
            "blips in one replication",
        ),
        ("restarts without a pause", format!("{run}[restarts]\ngap = '2ms'\n"), 2, "restarts in one replication"),
        ("deaths without a pause", format!("{run}[prober]\ngap = '2ms'\nrepair = '2ms'\n"), 2, "deaths of the prober"),
        (
            "a gray day at a microsecond",
            format!("{run}length = '1h'\n[probe]\ninterval = '10us'\n[outage]\nkind = 'gray'\n"),
            2,
            "fail by chance",
        ),
        ("a century of probes", "triggers = ['m-of-n:3/5']\n[run]\nreplications = 1\nlength = '36500d'\n[probe]\ninterval = '1s'\n".into(), 0, ""),
        ("a hundred thousand outages", format!("{run}[outage]\nper_replication = 100000\n"), 0, ""),
        ("a number too large", "[run]\nseed = 99999999999999999999999999\n".into(), 2, "spec.toml:2"),
        ("no text", "\u{0}\u{1}\u{2}".into(), 2, "not TOML"),
        ("many axes", format!("[axes]\n{}", (0..64).map(|i| format!("a{i} = [1, 2]\n")).collect::<String>()), 2, "unknown key `a0`"),
    ]
}

/// Each within a minute on a busy machine and 3 GB of address space, and without a panic.
#[test]
fn specs_without_measure_are_refused_or_run() {
    let mut wrong = Vec::new();
    for (what, spec, code, says) in unmeasured() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("spec.toml"), spec).unwrap();
        let line = "ulimit -v 3000000; exec timeout -s KILL 60 $P sweep spec.toml --threads 2 -q > /dev/null";
        let output = shell(place.path(), line);
        let said = said(&output);
        // Nothing is left half-written where the spec was refused.
        let left = place.path().join("output").exists();
        let right =
            output.status.code() == Some(code) && said.contains(says) && left == (code == 0);
        if !right || said.contains("panicked") {
            wrong.push(format!("{what}: {:?}, {says} in: {said}", output.status.code()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
