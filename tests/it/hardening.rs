//! Nothing that the machine or the user does loses a result or ends in a panic: full disks, folders
//! in the way, signals, closed pipes, clocks that jump.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_failover-budget");

/// Small and quick.
pub const SMALL: &str =
    "name = 'small'\n[run]\nreplications = 20\n[axes]\ntriggers = ['consecutive:1..3']\n";

/// Some dozens of parts of work.
const LONG: &str = "name = 'long'\n[run]\nreplications = 4000\n[outage]\nper_replication = 3\n[axes]\n\
    triggers = ['consecutive:1..5', 'm-of-n:3/5', 'm-of-n:6/9', 'success-rate:0.9/60s/60s']\n\
    blips.length.mean = ['10s', '20s', '40s', '60s']\n";

/// A folder with specs in it.
pub fn place() -> TempDir {
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

pub fn run(place: &Path, args: &[&str]) -> Output {
    command(place, args).output().unwrap()
}

/// A line of shell in which `$P` is the program.
pub fn shell(place: &Path, line: &str) -> Output {
    let mut command = Command::new("bash");
    command.args(["-c", line]).current_dir(place).env("P", PROGRAM).stdin(Stdio::null());
    command.output().unwrap()
}

pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// It ended with this code, said so, and did not panic.
pub fn ended(output: &Output, code: i32, says: &str) {
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

#[test]
fn a_file_that_may_not_grow_is_told_and_the_parts_are_kept() {
    let place = place();
    // Blocks of a kilobyte: enough for a part, too little for the table. The signal that would end the
    // process is turned off, as a service manager may do.
    let limited = |blocks: u32, command: &str| {
        shell(place.path(), &format!("trap '' XFSZ; ulimit -f {blocks}; exec $P {command}"))
    };
    ended(&limited(0, "sweep small.toml -o none"), 1, "cannot be written: File too large");
    let sweep = limited(12, "sweep small.toml -o limited");
    ended(&sweep, 1, "results.parquet: cannot be written: File too large");
    assert!(!place.path().join("limited/results.parquet").exists());
    let part = place.path().join("limited/parts/000000.part");
    let counted = fs::metadata(&part).unwrap().modified().unwrap();
    ended(&limited(12, "sweep small.toml -o limited --resume"), 1, "File too large");
    assert_eq!(fs::metadata(&part).unwrap().modified().unwrap(), counted, "it was kept");

    ended(&run(place.path(), &["sweep", "small.toml", "--shard", "0/1", "-o", "shard"]), 0, "");
    ended(&limited(12, "merge shard -o merged"), 1, "results.parquet: cannot be written");
    ended(&run(place.path(), &["merge", "shard", "-o", "merged", "--force"]), 0, "");
    ended(&run(place.path(), &["sweep", "small.toml", "-o", "limited", "--resume"]), 0, "");
    let bytes = |folder: &str| fs::read(place.path().join(folder).join("results.parquet")).unwrap();
    assert!(bytes("limited") == bytes("merged"));
}

#[test]
fn clocks_that_jump_change_nothing() {
    let place = place();
    let mut child = running(place.path(), &[]);
    child.kill().unwrap();
    child.wait().unwrap();
    // Written by machines whose clocks are off by decades, one before and one after this one's.
    let touch = |date: &str, files: &str| {
        let output = shell(place.path(), &format!("touch -d {date} {files}"));
        ended(&output, 0, "");
    };
    touch("2099-01-01", "long long/parts long/.lock long/parts/*.part");
    touch("1971-01-01", "long/manifest.json long/parts/000000.part");
    ended(&run(place.path(), &["sweep", "long.toml", "-o", "long", "--resume"]), 0, "");
    ended(&run(place.path(), &["sweep", "long.toml", "-o", "alone"]), 0, "");
    let bytes = |folder: &str| fs::read(place.path().join(folder).join("results.parquet")).unwrap();
    assert!(bytes("long") == bytes("alone"));
    // No file of the results holds a time: what is run a second later is the same.
    for folder in ["first", "second"] {
        ended(&run(place.path(), &["sweep", "small.toml", "-o", folder]), 0, "");
        sleep(Duration::from_millis(1_100));
    }
    for entry in fs::read_dir(place.path().join("first")).unwrap() {
        let name = entry.unwrap().file_name();
        let of = |folder: &str| fs::read(place.path().join(folder).join(&name)).unwrap();
        assert!(of("first") == of("second"), "{name:?}");
    }
}
