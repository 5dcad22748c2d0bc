//! The `drill` command: formats, the picture, and what it refuses.

use assert_cmd::Command;

use super::path;

fn drill(args: &[&str]) -> (i32, String, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_failover-budget"))
        .arg("drill")
        .args(args)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (out.status.code().unwrap(), text(out.stdout), text(out.stderr))
}

fn file(name: &str) -> String {
    path(name).to_str().unwrap().to_owned()
}

#[test]
fn the_table_tells_the_clock_and_stays_within_100_columns() {
    let (code, out, _) = drill(&[&file("assistant")]);
    assert_eq!(code, 0);
    for told in ["09:03:00", "11:30:00", "31 conversations lose their last turn"] {
        assert!(out.contains(told), "{told} in\n{out}");
    }
    assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
}

#[test]
fn json_keeps_its_keys() {
    let args =
        [file("assistant"), "--format".into(), "json".into(), "--replications".into(), "20".into()];
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (_, out, _) = drill(&args);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["schema"], "failover-budget/drill/1");
    let answers = &json["features"][0];
    assert_eq!(answers["feature"], "answers");
    assert_eq!(answers["rto_s"], 180.0);
    assert_eq!(answers["rto_objective_s"], 300.0);
    assert_eq!(answers["rto_met"], true);
    assert_eq!(answers["rpo_s"], 4.0);
    assert_eq!(answers["stages"][0], serde_json::json!({ "stage": "detection", "s": 180.0 }));
    assert_eq!(json["in_flight"]["turns_lost"], 31);
    assert_eq!(json["failback"]["completed"]["clock"], "11:30:00");
    assert_eq!(json["gate"][0]["decision"], "serve");
    assert_eq!(json["distributions"]["replications"], 20);
    let mean = &json["distributions"]["features"][0]["rto_s"]["mean"];
    assert_eq!(mean["value"], 180.0);
    assert_eq!(mean["n"], 20);
    // The same bytes again, and on one thread.
    assert_eq!(drill(&args).1, out);
    assert_eq!(drill(&[args.as_slice(), &["--threads", "1"]].concat()).1, out);
}

#[test]
fn strict_fails_when_an_objective_is_missed() {
    assert_eq!(drill(&[&file("assistant"), "--strict"]).0, 0);
    assert_eq!(drill(&[&file("index-rebuilt"), "--strict"]).0, 1);
    assert_eq!(drill(&[&file("index-rebuilt")]).0, 0);
}

#[test]
fn the_picture_escapes_names_and_says_what_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = folder.path().join("hostile.toml");
    let text = std::fs::read_to_string(path("assistant")).unwrap();
    let text = text.replace("[features.answers]", "[features.\"<script>alert(1)</script>\"]");
    std::fs::write(&hostile, text).unwrap();
    let picture = folder.path().join("drill.svg");
    let (code, _, said) = drill(&[hostile.to_str().unwrap(), "--svg", picture.to_str().unwrap()]);
    assert_eq!(code, 0, "{said}");
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert!(!svg.contains("<script"), "names are escaped");
    assert!(svg.contains("&lt;script&gt;alert(1)"));
    for part in
        ["<title id=\"drill-title\">", "<desc id=\"drill-desc\">", "role=\"img\"", "url(#hatch)"]
    {
        assert!(svg.contains(part), "{part}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("http://www.w3.org/1999/xlink"));
    let inside_a_file = picture.join("picture.svg");
    let (code, _, said) = drill(&[&file("assistant"), "--svg", inside_a_file.to_str().unwrap()]);
    assert!(code != 0 && said.contains("drill.svg/picture.svg"), "{said}");
}

#[test]
fn what_is_wrong_in_a_drill_is_told_with_its_place_and_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let written = folder.path().join("bad.toml");
    let good = std::fs::read_to_string(path("assistant")).unwrap();
    let said = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        std::fs::write(&written, good.replacen(from, to, 1)).unwrap();
        let (code, out, said) = drill(&[written.to_str().unwrap()]);
        assert_eq!((code, out.as_str()), (2, ""), "{said}");
        said
    };
    let cases = [
        (
            "target = \"vector-index\"",
            "target = \"vector-indx\"",
            "faults.0.target: unknown name `vector-indx`; did you mean `vector-index`?",
        ),
        (
            "\"tool-backend\"]",
            "\"tool-backnd\"]",
            "features.refunds.needs: unknown name `tool-backnd`; did you mean `tool-backend`?",
        ),
        ("length = \"3h\"", "length = \"0s\"", "length: 0s found; allowed: longer than 0s"),
        ("length = \"3h\"", "length = 3", "`3` has no unit"),
        ("capacity = 0.30", "capacity = 30", "standbys.0.capacity: 30 found; allowed: 0 to 1"),
        ("confirmation = \"6min\"", "", "`side_effects` needs `confirmation`"),
        (
            "steps = [0.05, 0.25, 0.5, 1.0]",
            "steps = [0.5, 0.25, 1.0]",
            "shares that rise from above 0 to 1",
        ),
        (
            "reconcile_turns_per_s = 60.0",
            "reconcile_turns_per_s = 5.0",
            "or reconciliation never ends",
        ),
        ("interval = \"10s\"", "interval = \"1us\"", "more than 10000000 canaries"),
        ("work = 0.40", "work = 0.90", "adds up to 1.18"),
        ("location = \"global\"", "location = \"globl\"", "did you mean `global`?"),
        ("start = \"08:55\"", "start = \"8h\"", "no time of day"),
        ("at = \"09:00\"", "at = \"25:00\"", "no time of day"),
        ("lag = \"4s\"", "lagg = \"4s\"", "lagg"),
        ("phase = \"0s\"", "phase = \"10s\"", "not including, the interval of 10s"),
        (
            "ready = true",
            "reddy = true",
            "primary.manifest.reddy: unknown key `reddy`; did you mean `ready`?",
        ),
    ];
    for (from, to, expected) in cases {
        let said = said(from, to);
        assert!(said.contains(expected), "{to}: {said}");
        assert!(said.contains("bad.toml:"), "{said}");
    }
    assert_eq!(drill(&["no-such-file.toml"]).0, 2);
    assert_eq!(drill(&[&file("assistant"), "--replications", "1000000000000"]).0, 2);
}

#[test]
fn a_drill_extends_one_other() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let missing = write("missing.toml", "extends = \"nowhere.toml\"\n");
    let (code, _, said) = drill(&[&missing]);
    assert_eq!(code, 2);
    assert!(said.contains("missing.toml:1: extends:"), "{said}");
    write("third.toml", "extends = \"missing.toml\"\n");
    let chain = write("chain.toml", "extends = \"third.toml\"\n");
    assert!(drill(&[&chain]).2.contains("cannot extend a third"));
    let number = write("number.toml", "extends = 3\n");
    assert!(drill(&[&number]).2.contains("the name of a file"));
}
