//! Shards whose parts lie in a bucket: the bytes of one run whatever happens on the way, and a message with the
//! way out where it cannot go on.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::stand_in_s3::{BUCKET, Fault, Request, StandIn, environment};

/// A part a shard and a few more.
const SMALL: &str = "name = 'small'\n[run]\nreplications = 40\n[axes]\n\
    triggers = ['consecutive:1..3', 'm-of-n:3/5']\nblips.length.mean = ['10s', '40s']\n";

/// Some parts for each of three shards.
const LONG: &str = "name = 'long'\n[run]\nreplications = 6000\n[outage]\nper_replication = 3\n[axes]\n\
    triggers = ['consecutive:1..5', 'm-of-n:3/5', 'm-of-n:6/9', 'success-rate:0.9/60s/60s']\n\
    blips.length.mean = ['10s', '20s', '40s', '60s']\n";

const PLACE: &str = "s3://results/sweeps/one";

fn place() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("small.toml"), SMALL).unwrap();
    fs::write(place.path().join("long.toml"), LONG).unwrap();
    place
}

fn command(place: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_failover-budget"));
    command.args(args).args(["--progress", "none"]).current_dir(place).stdin(Stdio::null());
    command
}

fn run(place: &Path, storage: &StandIn, args: &[&str]) -> Output {
    let mut command = command(place, args);
    storage.reached_by(&mut command);
    command.output().unwrap()
}

fn start(place: &Path, storage: &StandIn, args: &[&str]) -> Child {
    let mut command = command(place, args);
    storage.reached_by(&mut command);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// It ended with this code, and said all of this.
fn ended(output: &Output, code: i32, says: &[&str]) {
    let said = said(output);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    for words in says {
        assert!(said.contains(words), "`{words}` in: {said}");
    }
}

fn shard<'a>(spec: &'a str, shard: &'a str) -> [&'a str; 6] {
    ["sweep", spec, "--shard", shard, "-o", PLACE]
}

/// Every file that a sweep leaves, with its bytes.
fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, fs::read(&path).unwrap_or_default())
    };
    let found: BTreeMap<_, _> = files.map(read).filter(|(name, _)| name != ".lock").collect();
    assert!(found.contains_key("results.parquet") && found.contains_key("manifest.json"));
    found
}

fn same_results(a: &Path, b: &Path) {
    let (a, b) = (results(a), results(b));
    assert!(a.keys().eq(b.keys()));
    for (name, bytes) in &a {
        assert!(bytes == &b[name], "{name} differs");
    }
}

/// The parts of shard `index` of three that are there.
fn parts_of(storage: &StandIn, index: usize) -> Vec<String> {
    let number = |name: &str| -> Option<usize> {
        let (_, file) = name.split_once("/parts/")?;
        file.strip_suffix(".part")?.parse().ok()
    };
    let names = storage.names();
    names.into_iter().filter(|name| number(name).is_some_and(|part| part % 3 == index)).collect()
}

#[test]
fn shards_twice_at_once_and_killed_merge_into_the_bytes_of_one_run() {
    let (place, storage) = (place(), StandIn::new());
    let place = place.path();
    ended(&command(place, &["sweep", "long.toml", "-o", "alone"]).output().unwrap(), 0, &[]);

    // Shard 1 is killed as soon as it has put two parts.
    let mut killed = start(place, &storage, &shard("long.toml", "1/3"));
    let begun = Instant::now();
    while parts_of(&storage, 1).len() < 2 {
        assert!(begun.elapsed() < Duration::from_secs(120) && killed.try_wait().unwrap().is_none());
        sleep(Duration::from_millis(2));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let kept = parts_of(&storage, 1);

    // Shard 0 runs twice at once.
    let twice = [0, 1].map(|_| start(place, &storage, &shard("long.toml", "0/3")));
    for child in twice {
        ended(&child.wait_with_output().unwrap(), 0, &["shard 0 of 3 is done in s3://results/"]);
    }
    let merge = ["merge", PLACE, "-o", "merged"];
    ended(&run(place, &storage, &merge), 2, &["parts are missing", "shards 1 and 2 of 3 are not"]);
    assert!(!place.join("merged").exists(), "a refused merge leaves nothing");

    ended(&run(place, &storage, &shard("long.toml", "1/3")), 0, &[]);
    assert!(kept.len() < parts_of(&storage, 1).len(), "the kill came too late to test anything");
    for part in &kept {
        assert_eq!(storage.times("PUT", part), 1, "{part} was counted again");
    }
    ended(&run(place, &storage, &shard("long.toml", "2/3")), 0, &[]);
    for index in 0..3 {
        let name = format!("sweeps/one/shards/{index}-of-3.json");
        assert!(storage.names().contains(&name), "{name}");
    }
    ended(&run(place, &storage, &merge), 0, &[]);
    same_results(&place.join("alone"), &place.join("merged"));
}

#[test]
fn a_prefix_is_of_one_sweep() {
    let (place, storage) = (place(), StandIn::new());
    let place = place.path();
    ended(&run(place, &storage, &shard("small.toml", "0/2")), 0, &[]);
    let before = storage.names();
    // Again: nothing is counted, nothing changes.
    ended(&run(place, &storage, &shard("small.toml", "0/2")), 0, &["is done in"]);
    let part = before.iter().find(|name| name.contains("/parts/")).unwrap();
    assert_eq!(storage.times("PUT", part), 1);

    fs::write(place.join("other.toml"), SMALL.replace("40", "41")).unwrap();
    let other = run(place, &storage, &shard("other.toml", "1/2"));
    let way_out = "take the objects under that prefix away";
    ended(&other, 2, &["s3://results/sweeps/one/manifest.json: belongs to another spec", way_out]);
    let count = run(place, &storage, &shard("small.toml", "1/3"));
    ended(&count, 2, &["one of 2 shards, and this is one of 3", way_out]);
    let forced = run(place, &storage, &[&shard("small.toml", "1/2")[..], &["--force"]].concat());
    ended(&forced, 2, &["--force takes nothing away in a bucket"]);
    let whole = run(place, &storage, &["sweep", "small.toml", "-o", PLACE]);
    ended(&whole, 2, &["add --shard I/N", "failover-budget merge s3://results/sweeps/one -o DIR"]);
    assert_eq!(storage.names(), before, "what was refused has put nothing");

    // A prefix of its own for each shard will do as well, also beside a folder.
    ended(
        &run(place, &storage, &["sweep", "small.toml", "--shard", "1/2", "-o", "folder"]),
        0,
        &[],
    );
    ended(&run(place, &storage, &["merge", "folder", PLACE, "-o", "merged"]), 0, &[]);
    ended(&run(place, &storage, &["sweep", "small.toml", "-o", "alone"]), 0, &[]);
    same_results(&place.join("alone"), &place.join("merged"));

    let nothing = run(place, &storage, &["merge", "s3://results/none", "-o", "none"]);
    ended(&nothing, 2, &["s3://results/none: there is no manifest.json"]);
    let into = run(place, &storage, &["merge", PLACE, "-o", "s3://results/merged"]);
    ended(&into, 2, &["results are written into a folder"]);
}

#[test]
fn what_is_no_place_is_told_before_the_work() {
    let (place, storage) = (place(), StandIn::new());
    for (output, says) in [
        ("gs://results/x", "`gs://` is not known; allowed: a folder, or s3://BUCKET/PREFIX"),
        ("s3://", "names no bucket"),
        ("s3://results/a//b", "empty part"),
        ("s3://results/../b", "empty part"),
        ("s3://two words/a", "names no bucket"),
    ] {
        let args = ["sweep", "small.toml", "--shard", "0/2", "-o", output];
        ended(&run(place.path(), &storage, &args), 2, &[says]);
    }
    assert!(storage.names().is_empty() && fs::read_dir(place.path()).unwrap().count() == 2);
}

/// With one shard's parts put, what happens to `change`d ones.
fn changed(change: impl Fn(Vec<u8>) -> Option<Vec<u8>>) -> [Output; 2] {
    let (place, storage) = (place(), StandIn::new());
    ended(&run(place.path(), &storage, &shard("small.toml", "0/1")), 0, &[]);
    storage.change("sweeps/one/parts/000000.part", change);
    let again = run(place.path(), &storage, &shard("small.toml", "0/1"));
    [again, run(place.path(), &storage, &["merge", PLACE, "-o", "merged"])]
}

#[test]
fn a_damaged_object_is_named_and_never_overwritten() {
    let object = "s3://results/sweeps/one/parts/000000.part: is damaged";
    let flipped = changed(|mut bytes| {
        *bytes.last_mut().unwrap() ^= 1;
        Some(bytes)
    });
    let cut = changed(|bytes| Some(bytes[..20].to_vec()));
    let empty = changed(|_| Some(Vec::new()));
    for output in [flipped, cut, empty].iter().flatten() {
        ended(output, 2, &[object, "take it away and run its shard again"]);
    }
    // Taken away, it is counted again.
    for output in &changed(|_| None) {
        let code = output.status.code();
        assert_eq!(code, Some(0), "{}", said(output));
    }
    // A part of the right spec that holds something else: the header vouches for an empty list.
    let other = changed(|bytes| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let head = text.split('\n').next().unwrap();
        let mut header: serde_json::Value = serde_json::from_str(head).unwrap();
        let sum = <sha2::Sha256 as sha2::Digest>::digest([0]);
        header["checksum"] =
            sum.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into();
        Some([header.to_string().as_bytes(), b"\n\0"].concat())
    });
    ended(&other[0], 2, &["000000.part: holds other bytes", "never overwritten"]);
    ended(&other[1], 2, &["parts are missing"]);
}

fn faulty(
    faults: impl Fn(&Request) -> Option<Fault> + Send + Sync + 'static,
    more: Variables,
) -> Output {
    let (place, storage) = (place(), StandIn::with(faults));
    let mut command = command(place.path(), &shard("small.toml", "0/1"));
    storage.reached_by(&mut command);
    command.envs(more.iter().copied()).output().unwrap()
}

type Variables = &'static [(&'static str, &'static str)];

#[test]
fn faults_that_pass_are_lived_through() {
    let put = |request: &Request| request.method == "PUT";
    let first = move |request: &Request| request.turn == 0 && request.key.contains("part");
    // Some failures of the server, then an answer.
    let failing = |request: &Request| (request.turn < 2).then_some(Fault::Answer(503, "SlowDown"));
    ended(&faulty(failing, &[]), 0, &["is done"]);
    // Puts that are carried out and never answered, or too late: they are put again, and are there.
    let lost = move |request: &Request| (put(request) && first(request)).then_some(Fault::Lost);
    ended(&faulty(lost, &[]), 0, &["is done"]);
    let late =
        move |request: &Request| (first(request)).then_some(Fault::Late(Duration::from_secs(5)));
    ended(&faulty(late, &[("AWS_TIMEOUT", "3s")]), 0, &["is done"]);
    // Connections that are gone when they are used again.
    ended(&faulty(|_| Some(Fault::Last), &[]), 0, &["is done"]);
    // Another put of the same object is on its way.
    let conflict = move |request: &Request| {
        (put(request) && first(request)).then_some(Fault::Answer(409, "ConditionalRequestConflict"))
    };
    ended(&faulty(conflict, &[]), 0, &["is done"]);
}

#[test]
fn faults_that_last_end_it_with_the_way_out() {
    let denied = faulty(|_| Some(Fault::Answer(403, "AccessDenied")), &[]);
    ended(&denied, 1, &["access denied (AccessDenied: The stand-in says so.)", "s3:PutObject"]);
    let key = faulty(|_| None, &[("AWS_ACCESS_KEY_ID", "another")]);
    ended(&key, 1, &["access denied (InvalidAccessKeyId"]);
    // What stands in the environment is looked at before anything is asked.
    let settings: [(Variables, &str); 7] = [
        (&[("AWS_SECRET_ACCESS_KEY", "")], "the secret key is empty"),
        (&[("AWS_ACCESS_KEY_ID", "with a space")], "the access key holds"),
        (&[("AWS_ALLOW_HTTP", "false")], "set AWS_ALLOW_HTTP=true"),
        (&[("AWS_ALLOW_HTTP", "perhaps")], "perhaps"),
        (&[("AWS_ENDPOINT_URL", "localhost:9000")], "AWS_ENDPOINT_URL is `localhost:9000`"),
        (&[("AWS_ENDPOINT_URL", "http://1.2.3.999")], "AWS_… variables"),
        (&[("AWS_REGION", "eu central")], "AWS_REGION is `eu central`"),
    ];
    for (variables, says) in settings {
        ended(&faulty(|_| None, variables), 2, &["s3://results/sweeps/one: the AWS_…", says]);
    }

    let (place, storage) = (place(), StandIn::new());
    let no_bucket = |args: &[&str]| {
        let output = run(place.path(), &storage, args);
        ended(&output, 1, &["there is no such bucket", "AWS_REGION"]);
    };
    no_bucket(&["sweep", "small.toml", "--shard", "0/1", "-o", "s3://other/x"]);
    no_bucket(&["merge", "s3://other/x", "-o", "merged"]);
}

/// Each of these is tried again for about a quarter of a minute; they are waited for at once.
#[test]
fn a_storage_that_does_not_answer_is_given_up_in_the_end() {
    let place = place();
    let begun = Instant::now();
    let nobody = "http://127.0.0.1:9";
    let start = |prepare: &dyn Fn(&mut Command)| {
        let mut command = command(place.path(), &shard("small.toml", "0/1"));
        prepare(&mut command);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let failing = StandIn::with(|_| Some(Fault::Answer(500, "InternalError")));
    let silent = StandIn::with(|_| Some(Fault::Late(Duration::from_secs(3600))));
    let after = StandIn::with(|request| {
        (request.key.contains("/shards/")).then_some(Fault::Answer(500, "InternalError"))
    });
    let unreachable = "check AWS_ENDPOINT_URL, AWS_REGION and the network";
    let running = [
        (start(&|command| failing.reached_by(command)), unreachable),
        (start(&|command| after.reached_by(command)), "shards/0-of-1.json: the storage"),
        (start(&|command| environment(command, nobody)), "Connection refused"),
        (
            start(&|command| {
                silent.reached_by(command);
                command.env("AWS_TIMEOUT", "500ms");
            }),
            unreachable,
        ),
        (
            start(&|command| {
                environment(command, nobody);
                command.env_remove("AWS_ACCESS_KEY_ID").env_remove("AWS_SECRET_ACCESS_KEY");
                command.env("AWS_METADATA_ENDPOINT", nobody);
            }),
            "no credentials were found",
        ),
    ];
    for (child, says) in running {
        ended(&child.wait_with_output().unwrap(), 1, &[says]);
    }
    assert!(begun.elapsed() < Duration::from_secs(240), "{:?}", begun.elapsed());
}

/// The same against an implementation that is not this project's.
#[test]
fn shards_in_a_bucket_of_moto_merge_into_the_bytes_of_one_run() {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/venv/bin/python");
    let there = Command::new(&python)
        .args(["-c", "import moto.server, boto3"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !there {
        assert!(std::env::var_os("CI").is_none(), "{} has no moto[server]", python.display());
        println!("not run: target/venv/bin/pip install 'moto[server]'");
        return;
    }
    let script = "
import sys, boto3
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address='127.0.0.1', port=0)
server.start()
endpoint = 'http://%s:%d' % server.get_host_and_port()
boto3.client('s3', endpoint_url=endpoint).create_bucket(Bucket=sys.argv[1])
print(endpoint, flush=True)
sys.stdin.read()
";
    let mut serve = Command::new(&python);
    serve.args(["-c", script, BUCKET]).stdin(Stdio::piped()).stdout(Stdio::piped());
    environment(&mut serve, "http://127.0.0.1:9");
    let mut server = serve.env_remove("AWS_ENDPOINT_URL").stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    // It says other things as well.
    let endpoint = lines.find_map(|line| line.ok().filter(|line| line.starts_with("http://")));
    let endpoint = endpoint.unwrap();
    let place = place();
    let run = |args: &[&str]| {
        let mut command = command(place.path(), args);
        environment(&mut command, &endpoint);
        command.output().unwrap()
    };
    ended(&run(&["sweep", "small.toml", "-o", "alone"]), 0, &[]);
    for part in ["0/2", "1/2", "1/2"] {
        ended(&run(&shard("small.toml", part)), 0, &["is done in"]);
    }
    fs::write(place.path().join("other.toml"), SMALL.replace("40", "41")).unwrap();
    ended(&run(&shard("other.toml", "1/2")), 2, &["belongs to another spec"]);
    ended(&run(&["merge", PLACE, "-o", "merged"]), 0, &[]);
    same_results(&place.path().join("alone"), &place.path().join("merged"));
    let nowhere = run(&["merge", "s3://no-such-bucket/x", "-o", "none"]);
    ended(&nowhere, 1, &["there is no such bucket"]);
    // The end of its stdin ends the server.
    drop(server.stdin.take());
    server.wait().unwrap();
}
