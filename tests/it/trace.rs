//! The `trace` command as people and scripts meet it, and its documentation run as a test.

use std::collections::BTreeMap;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

/// What the command prints, on stdout or stderr, and its exit code.
fn run(arguments: &[&str]) -> (String, i32) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_failover-budget"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.arg("trace").args(arguments).output().unwrap();
    let text = if output.status.success() { output.stdout } else { output.stderr };
    (String::from_utf8(text).unwrap(), output.status.code().unwrap_or(-1))
}

fn json(arguments: &[&str]) -> Value {
    let (text, code) = run(arguments);
    assert_eq!(code, 0, "{text}");
    serde_json::from_str(&text).unwrap()
}

const EVENTFUL: &[&str] = &["tests/data/trace/eventful.toml", "--all"];

#[test]
fn a_small_trace_as_a_table() {
    let triggers = ["--trigger", "consecutive:3", "--trigger", "m-of-n:3/5"];
    let arguments = [&["--replication", "2", "--outage", "dark"][..], &triggers].concat();
    let (text, code) = run(&arguments);
    assert_eq!(code, 0);
    insta::assert_snapshot!(text);
}

#[test]
fn long_stretches_are_counted_and_lines_stay_within_100_columns() {
    let stretch = ["--from", "2d", "--to", "4d", "--trigger", "consecutive:12"];
    let (text, _) = run(&[&["--outage", "none"][..], &stretch].concat());
    assert!(text.contains("no decision (--all shows each)"), "{text}");
    assert!(text.lines().count() < 40, "{text}");
    let (all, _) = run(EVENTFUL);
    assert!(!all.contains("no decision"));
    for line in text.lines().chain(all.lines()) {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn the_json_has_the_schema_and_its_events_in_time_order() {
    let trace = json(&[EVENTFUL, &["--format", "json"]].concat());
    assert_eq!(trace["schema"], "failover-budget/trace/1");
    let events = trace["events"].as_array().unwrap();
    let instants: Vec<f64> = events.iter().map(|event| event["at_s"].as_f64().unwrap()).collect();
    assert!(instants.is_sorted());
    let tracks = ["truth", "checks", "controller", "patience", "decision", "failover"];
    for track in tracks {
        assert!(events.iter().any(|event| event["track"] == track), "{track}");
    }
    // Spells and the holes between them cover every probe of the run.
    let mut next = 0;
    for spell in events.iter().filter(|event| event["track"] == "checks") {
        assert_eq!(spell["first_probe"], next);
        next += spell["count"].as_u64().unwrap();
    }
    assert_eq!(next, 2 * 8_640);
    let recovery = &trace["triggers"][0]["recovery"][0];
    let stages = recovery["stages"].as_array().unwrap();
    let last = stages.iter().map(|stage| stage["until_s"].as_f64().unwrap()).fold(0.0, f64::max);
    assert_eq!(recovery["served_s"], last);
}

#[test]
fn every_json_line_is_an_object() {
    let (text, _) = run(&[EVENTFUL, &["--as", "jsonl"]].concat());
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["schema"], "failover-budget/trace/1");
    assert!(lines[1..].iter().all(|line| line["at_s"].is_f64() && line["kind"].is_string()));
    let trace = json(&[EVENTFUL, &["--format", "json"]].concat());
    assert_eq!(trace["events"].as_array().unwrap(), &lines[1..]);
}

#[test]
fn the_chrome_trace_is_valid_and_well_nested() {
    let trace = json(&[EVENTFUL, &["--as", "chrome"]].concat());
    let events = trace["traceEvents"].as_array().unwrap();
    let mut named = Vec::new();
    let mut tracks: BTreeMap<u64, Vec<(u64, u64)>> = BTreeMap::new();
    for event in events {
        assert!(event["name"].is_string() && event["pid"].is_u64(), "{event}");
        let (track, at) = (event["tid"].as_u64().unwrap(), event["ts"].as_u64().unwrap());
        match event["ph"].as_str().unwrap() {
            "M" => named.push((track, event["name"].clone())),
            "i" => assert_eq!(event["s"], "t"),
            "X" => {
                let length = event["dur"].as_u64().unwrap();
                tracks.entry(track).or_default().push((at, at + length));
            }
            other => panic!("{other}"),
        }
    }
    for (track, spans) in &tracks {
        assert!(named.contains(&(*track, "thread_name".into())), "{track}");
        // Each span lies within, or after, every one that is still open.
        let mut open: Vec<u64> = Vec::new();
        for (from, to) in spans {
            open.retain(|end| end > from);
            assert!(open.iter().all(|end| to <= end), "track {track}: {from} to {to}");
            open.push(*to);
        }
    }
    assert!(tracks.len() > 10);
}

#[test]
fn the_csv_has_a_line_for_each_event() {
    let (text, _) = run(&["--format", "csv", "--trigger", "consecutive:3"]);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("at_s,until_s,track,kind,trigger,target,what"));
    assert!(text.contains(",decision,fires,consecutive:3,,"), "{text}");
    assert!(lines.all(|line| line.split(',').nth(6).is_some()));
}

#[test]
fn the_picture_is_well_formed_and_names_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let scenario = folder.path().join("scenario.toml");
    let text = "name = '<script>&\"'\n[[targets]]\ntier = \"warm\"\nname = \"<b>\"\n";
    std::fs::write(&scenario, text).unwrap();
    for more in [&[][..], &["--all"], &["--outage", "gray"], &["--outage", "none"]] {
        let path = [scenario.to_str().unwrap(), "--as", "svg"];
        let (svg, code) = run(&[&path, more].concat());
        assert_eq!(code, 0);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("<title id=\"trace-title\">&lt;script&gt;&amp;&quot;"));
        assert!(svg.contains("<desc ") && !svg.contains("<script>") && !svg.contains("<b>"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        // Every element that is opened is closed.
        let opened = svg.matches('<').count() - svg.matches("</").count();
        assert_eq!(opened, svg.matches("</").count() + svg.matches("/>").count());
    }
}

#[test]
fn bad_input_is_refused_with_the_way_out() {
    let refused = |arguments: &[&str], words: &str| {
        let (said, code) = run(arguments);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(words), "{said}");
    };
    refused(&["--replication", "30"], "--replication 30: the scenario has 30, counted from 0");
    refused(&["--replication", "-1"], "--replication");
    refused(&["--trigger", "consecutve:12"], "did you mean `consecutive`?");
    refused(&["--trigger", "consecutive:0"], "from 1 to");
    refused(&["--outage", "darkish"], "reported, dark, gray, none");
    refused(&["--silence", "ignore"], "did you mean `ignored`?");
    refused(&["--around", "31d"], "--around 31d: allowed: from 0s up to the run's length of 30d");
    refused(&["--around", "1d", "--from", "1h"], "cannot be used with");
    refused(&["--from", "2h", "--to", "1h"], "--to 1h: allowed: later than --from, which is 2h");
    refused(&["--as", "svg", "--format", "json"], "give one of them");
    refused(&["no-such-file.toml"], "no-such-file.toml: cannot be read");
    let (said, code) = run(&["-o", "no-such-folder/trace.txt"]);
    assert_eq!(code, 1);
    assert!(said.contains("no-such-folder/trace.txt"), "{said}");
}

/// Every command of docs/trace.md gives what the page shows, and the pictures that are kept.
#[test]
fn the_page_shows_what_the_commands_give() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/trace.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut ran = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let (command, shown) = block.split_once('\n').unwrap();
        let words = command.strip_prefix("$ failover-budget trace ").unwrap();
        let mut words: Vec<&str> = words.split_whitespace().collect();
        let made = folder.path().join("made");
        let kept = words
            .iter()
            .position(|word| *word == "-o")
            .map(|at| std::mem::replace(&mut words[at + 1], made.to_str().unwrap()));
        let (text, code) = run(&words);
        assert_eq!(code, 0, "{text}");
        assert_eq!(text, shown, "{command}");
        if let Some(kept) = kept {
            let (kept, made) =
                (std::fs::read(root.join(kept)).unwrap(), std::fs::read(&made).unwrap());
            assert!(kept == made, "{command} makes another picture than the one kept");
        }
        ran += 1;
    }
    assert_eq!(ran, 6);
}
