//! Nothing that the machine or the user does loses a result or ends in a panic: full disks, folders
//! in the way, signals, closed pipes, strange names, specs without measure.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_failover-budget");

/// Small and quick.
const SMALL: &str =
    "name = 'small'\n[run]\nreplications = 20\n[axes]\ntriggers = ['consecutive:1..3']\n";

/// Some dozens of parts of work.
const LONG: &str = "name = 'long'\n[run]\nreplications = 4000\n[outage]\nper_replication = 3\n[axes]\n\
    triggers = ['consecutive:1..5', 'm-of-n:3/5', 'm-of-n:6/9', 'success-rate:0.9/60s/60s']\n\
    blips.length.mean = ['10s', '20s', '40s', '60s']\n";

/// A folder with specs in it.
fn place() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("small.toml"), SMALL).unwrap();
    fs::write(place.path().join("long.toml"), LONG).unwrap();
    place
}

fn command(place: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(args).current_dir(place).stdin(Stdio::null());
    command
}

fn run(place: &Path, args: &[&str]) -> Output {
    command(place, args).output().unwrap()
}

/// A line of shell in which `$P` is the program.
fn shell(place: &Path, line: &str) -> Output {
    let mut command = Command::new("bash");
    command.args(["-c", line]).current_dir(place).env("P", PROGRAM).stdin(Stdio::null());
    command.output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// It ended with this code, said so, and did not panic.
fn ended(output: &Output, code: i32, says: &str) {
    let said = said(output);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(said.contains(says) && !said.contains("panicked"), "{says} in: {said}");
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}

/// A file system of its own, in memory.
struct Mounted(TempDir);

impl Mounted {
    /// `None`, said, where this user may not mount.
    fn new(options: &str) -> Option<Self> {
        let place = tempfile::tempdir().unwrap();
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(place.path());
        let mounted = command.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
        if !mounted {
            println!("not run: this user may not mount a file system");
        }
        mounted.then_some(Mounted(place))
    }

    fn again(&self, options: &str) {
        let options = format!("remount,{options}");
        let status = Command::new("mount").args(["-o", &options]).arg(self.0.path()).status();
        assert!(status.unwrap().success());
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_is_told_and_what_was_counted_is_kept() {
    let Some(disk) = Mounted::new("size=256k") else { return };
    let place = place();
    let folder = disk.0.path().join("results");
    let folder = folder.to_str().unwrap();
    let full = run(place.path(), &["sweep", "long.toml", "-o", folder, "--progress", "none"]);
    ended(&full, 1, "cannot be written: No space left on device");
    let left = fs::read_dir(Path::new(folder).join("parts")).unwrap().count();
    assert!(left > 0, "what was counted before is there");
    // Full from the start: told before any work.
    fs::write(disk.0.path().join("rest"), vec![1; 256 << 10]).unwrap_err();
    let other = disk.0.path().join("other");
    let begun = Instant::now();
    let refused = run(place.path(), &["sweep", "long.toml", "-o", other.to_str().unwrap()]);
    ended(&refused, 1, "No space left on device");
    assert!(begun.elapsed() < Duration::from_secs(20));
    fs::remove_file(disk.0.path().join("rest")).unwrap();

    disk.again("size=64m");
    ended(&run(place.path(), &["sweep", "long.toml", "-o", folder, "--resume"]), 0, "");
    ended(&run(place.path(), &["sweep", "long.toml", "-o", "alone"]), 0, "");
    let bytes = |folder: &Path| fs::read(folder.join("results.parquet")).unwrap();
    assert_eq!(bytes(Path::new(folder)), bytes(&place.path().join("alone")));
}

#[test]
fn a_disk_that_is_read_only_is_told_before_the_work() {
    let Some(disk) = Mounted::new("size=1m") else { return };
    let place = place();
    let folder = disk.0.path().join("results");
    fs::create_dir(&folder).unwrap();
    disk.again("ro");
    for path in [folder.clone(), disk.0.path().join("new")] {
        let path = path.to_str().unwrap();
        ended(&run(place.path(), &["sweep", "small.toml", "-o", path]), 1, "Read-only file system");
    }
}

#[test]
fn a_folder_that_may_not_be_written_is_told_before_the_work() {
    // Somebody who is not root; root may write everywhere.
    let place = place();
    let program = place.path().join("program");
    fs::copy(PROGRAM, &program).unwrap();
    let open = |path: &Path, mode| {
        let mode: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
        fs::set_permissions(path, mode).unwrap();
    };
    open(place.path(), 0o755);
    fs::create_dir(place.path().join("closed")).unwrap();
    open(&place.path().join("closed"), 0o555);
    let sweep = |spec: &str, folder: &str| {
        let mut command = Command::new(&program);
        command.args(["sweep", spec, "-o", folder]).current_dir(place.path());
        if is_root() {
            command.uid(65_534).gid(65_534);
        }
        command.output().unwrap()
    };
    ended(&sweep("small.toml", "closed"), 1, "Permission denied");
    ended(&sweep("small.toml", "closed/below"), 1, "Permission denied");
    open(&place.path().join("small.toml"), 0o000);
    ended(&sweep("small.toml", "closed"), 2, "Permission denied");
    assert_eq!(fs::read_dir(place.path().join("closed")).unwrap().count(), 0);
}

#[test]
fn a_folder_where_a_file_should_be_and_a_file_where_a_folder_should_be() {
    let place = place();
    for name in ["results.parquet", "manifest.json", "replications.parquet"] {
        let folder = format!("with-{name}");
        fs::create_dir_all(place.path().join(&folder).join(name)).unwrap();
        let output = run(place.path(), &["sweep", "small.toml", "-o", &folder]);
        ended(&output, 1, "there is a folder of that name");
        assert_eq!(fs::read_dir(place.path().join(&folder).join("parts")).unwrap().count(), 0);
    }
    fs::create_dir(place.path().join("folder.toml")).unwrap();
    ended(
        &run(place.path(), &["sweep", "folder.toml"]),
        2,
        "folder.toml: cannot be read: Is a directory",
    );
    ended(&run(place.path(), &["budget", "folder.toml"]), 2, "Is a directory");
    ended(
        &run(place.path(), &["sweep", "none.toml"]),
        2,
        "none.toml: cannot be read: No such file",
    );
    ended(
        &run(place.path(), &["sweep", "small.toml", "-o", "small.toml"]),
        1,
        "small.toml: cannot be written",
    );
    let below = ["sweep", "small.toml", "-o", "small.toml/below"];
    ended(&run(place.path(), &below), 1, "Not a directory");
    ended(&run(place.path(), &["sweep", "small.toml", "-o", "/proc/none"]), 1, "cannot be written");
    ended(&run(place.path(), &["merge", "small.toml", "-o", "merged"]), 2, "Not a directory");
    ended(&run(place.path(), &["plot", "small.toml"]), 2, "small.toml");
    assert!(!place.path().join("merged").exists());
}

/// Starts the long sweep and waits until it has written a part.
fn running(place: &Path, more: &[&str]) -> Child {
    let mut all = vec!["sweep", "long.toml", "-o", "long", "--threads", "1", "--progress", "none"];
    all.extend(more);
    // Parts of an earlier run would be taken for its own.
    let _ = fs::remove_dir_all(place.join("long"));
    let child = command(place, &all).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let is_part = |entry: std::io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| entry.path().extension().is_some_and(|end| end == "part"))
    };
    let end = Instant::now() + Duration::from_secs(60);
    while !fs::read_dir(place.join("long/parts")).is_ok_and(|mut parts| parts.any(is_part)) {
        assert!(Instant::now() < end, "no part was written");
        sleep(Duration::from_millis(5));
    }
    child
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.unwrap().success());
}

#[test]
fn two_runs_into_one_folder_do_not_meet() {
    let place = place();
    let mut first = running(place.path(), &[]);
    signal(&first, "-STOP");
    for more in [&[][..], &["--force"], &["--resume"], &["--shard", "0/2"]] {
        let mut args = vec!["sweep", "long.toml", "-o", "long"];
        args.extend(more);
        ended(&run(place.path(), &args), 2, "another run is writing there; wait for it");
    }
    ended(&run(place.path(), &["sweep", "small.toml", "-o", "long", "--force"]), 2, "another run");
    first.kill().unwrap();
    first.wait().unwrap();
    // The lock goes with its holder, however it went.
    ended(&run(place.path(), &["sweep", "long.toml", "-o", "long"]), 2, "--resume");

    // A shard keeps a whole run out, and another sweep's shard; not its own successor.
    fs::remove_dir_all(place.path().join("long")).unwrap();
    let mut shard = running(place.path(), &["--shard", "0/2"]);
    signal(&shard, "-STOP");
    ended(&run(place.path(), &["sweep", "long.toml", "-o", "long"]), 2, "another run");
    ended(
        &run(place.path(), &["sweep", "small.toml", "-o", "long", "--shard", "1/2"]),
        2,
        "another spec",
    );
    ended(
        &run(place.path(), &["sweep", "long.toml", "-o", "long", "--shard", "0/2"]),
        0,
        "is done",
    );
    shard.kill().unwrap();
    shard.wait().unwrap();
}

#[test]
fn signals_end_a_run_cleanly_and_a_second_one_at_once() {
    let place = place();
    for name in ["-INT", "-TERM", "-HUP"] {
        let child = running(place.path(), &["--force"]);
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        ended(&output, 1, "go on with --resume");
        assert!(said(&output).contains("once more ends at once"), "{}", said(&output));
        assert!(output.stdout.is_empty());
    }
    let child = running(place.path(), &["--force"]);
    // Stopped, so that both are there when it goes on.
    signal(&child, "-STOP");
    signal(&child, "-INT");
    signal(&child, "-TERM");
    signal(&child, "-CONT");
    let output = child.wait_with_output().unwrap();
    let code = output.status.code();
    assert!(code == Some(130) || code == Some(1), "{code:?}: {}", said(&output));
    ended(&run(place.path(), &["sweep", "long.toml", "-o", "long", "--resume"]), 0, "");
    ended(&run(place.path(), &["sweep", "long.toml", "-o", "alone"]), 0, "");
    let bytes = |folder: &str| fs::read(place.path().join(folder).join("results.parquet")).unwrap();
    assert_eq!(bytes("long"), bytes("alone"));
}

#[test]
fn readers_that_go_away_and_full_outputs() {
    let place = place();
    let many = "name = 'many'\n[axes]\ntriggers = ['consecutive:1']\n\
                blips.length.mean = { from = '1s', to = '100s', points = 5000 }\n";
    fs::write(place.path().join("many.toml"), many).unwrap();
    for line in [
        "set -o pipefail; $P sweep many.toml --dry-run --format csv -q | head -n 1",
        "set -o pipefail; $P budget | head -n 1",
        "set -o pipefail; $P budget --format json | head -c 1",
        "set -o pipefail; $P sweep small.toml -q --format csv | head -n 1",
        "$P --help | head -n 1",
        "$P budget >&-",
        "$P budget 2>&-",
        "$P budget >&- 2>&- <&-",
        "$P sweep small.toml -o closed >&- 2>&-",
        "$P sweep small.toml -o closed-2 --progress bar 2>/dev/full >/dev/null",
        "$P sweep small.toml -o closed-3 --progress plain 2>/dev/full >/dev/null",
    ] {
        let output = shell(place.path(), line);
        ended(&output, 0, "");
    }
    for line in ["$P budget > /dev/full", "$P lab --seeds 2 --days 1 --format json > /dev/full"] {
        ended(&shell(place.path(), line), 1, "cannot write to stdout");
    }
    let full = shell(place.path(), "$P sweep small.toml -o full > /dev/full");
    ended(&full, 1, "cannot write to stdout");
    let results = place.path().join("full/results.parquet");
    assert!(results.is_file(), "the results are there all the same");
    // Bad input keeps its code when nobody hears why.
    ended(&shell(place.path(), "$P sweep none.toml 2>/dev/full"), 2, "");
}

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

#[test]
fn leftovers_of_a_killed_run_are_swept_up() {
    let place = place();
    let folder: PathBuf = place.path().join("out");
    fs::create_dir_all(folder.join("parts")).unwrap();
    fs::write(folder.join(".writing-abc"), "half").unwrap();
    fs::write(folder.join("parts/.writing-def"), "half").unwrap();
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    ended(&run(place.path(), &["sweep", "small.toml", "-o", "out"]), 0, "");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| !name.ends_with(".svg"))
        .collect();
    names.sort();
    assert_eq!(names, [".lock", "manifest.json", "notes.txt", "results.parquet"]);
}
