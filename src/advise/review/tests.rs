//! Every item passed, failed and left unknown.

use super::*;

/// A scenario that passes every item.
const SOUND: &str = r#"
rto = "15min"
triggers = ["consecutive:33"]
[blips]
length = { law = "exponential", mean = "20s" }
[controller]
silence = "failure"
arming = "full-window"
[stages]
promotion = "60s"
traffic_shift = "120s"
weights_gb = 140.0
load_rate_gb_per_s = 1.0
[[targets]]
tier = "hot"
[[targets]]
tier = "warm"
[ownership]
owner = "platform on-call"
max_false_failovers = "1/30d"
measured_from = "blackbox exporter, October"
probe_writers = ["prober service account"]
[ownership.last_drill]
on = "2026-10-31"
every = "90d"
stages = { promotion = "45s", traffic_shift = "110s", weight_load = "140s" }
"#;

fn reviewed(text: &str, standby: StandbyConfig) -> Review {
    let scenario = Scenario::from_toml("test", text).unwrap();
    let written = Written::new(text.parse().unwrap());
    let today = "2026-11-30".parse().unwrap();
    review(&Subject { scenario: &scenario, written: &written, today, standby }).unwrap()
}

/// The items of `text` that come out so.
fn items(text: &str, verdict: Verdict) -> Vec<&'static str> {
    let review = reviewed(text, StandbyConfig::Fit(Vec::new()));
    review.items.iter().filter(|item| item.verdict == verdict).map(|item| item.item).collect()
}

fn evidence(text: &str, name: &str) -> String {
    let review = reviewed(text, StandbyConfig::Fit(Vec::new()));
    review.items.into_iter().find(|item| item.item == name).unwrap().evidence
}

#[test]
fn a_sound_scenario_passes_everything() {
    let review = reviewed(SOUND, StandbyConfig::Fit(Vec::new()));
    assert_eq!((review.passed, review.failed, review.unknown), (11, 0, 0), "{review:#?}");
}

#[test]
fn an_empty_scenario_is_unknown_throughout() {
    let review = reviewed("", StandbyConfig::NotNamed);
    assert_eq!((review.passed, review.failed, review.unknown), (0, 0, 11), "{review:#?}");
}

#[test]
fn each_fault_fails_its_own_item_and_no_other() {
    for (from, to, item) in [
        ("\"consecutive:33\"", "\"window:900s\"", "window-from-room"),
        ("\"consecutive:33\"", "\"consecutive:59\"", "window-from-room"),
        ("weights_gb = 140.0", "weights_gb = 720.0", "room-positive"),
        ("silence = \"failure\"", "silence = \"ignored\"", "silence-is-failure"),
        (
            "max_false_failovers = \"1/30d\"",
            "max_false_failovers = \"0.00001/9999d\"",
            "rate-measured",
        ),
        ("owner = \"platform on-call\"", "owner = \"\"", "rate-owned"),
        ("every = \"90d\"", "every = \"29d\"", "exercised"),
        ("promotion = \"45s\", ", "", "stages-timed"),
        ("promotion = \"45s\"", "promotion = \"61s\"", "stages-timed"),
        ("[\"prober service account\"]", "[\"CI\", \"Anyone\"]", "signal-integrity"),
    ] {
        let text = SOUND.replacen(from, to, 1);
        assert_ne!(text, SOUND, "{from}");
        assert_eq!(items(&text, Verdict::Fail), [item], "{to}: {}", evidence(&text, item));
        assert!(items(&text, Verdict::Unknown).is_empty(), "{to}");
    }
    // An eager window, which fits the room and keeps to the limit.
    let eager = SOUND
        .replace("\"consecutive:33\"", "\"window:325s\"")
        .replace("\"full-window\"", "\"immediate\"");
    assert_eq!(items(&eager, Verdict::Fail), ["history-after-restart"]);
    assert!(evidence(&eager, "history-after-restart").contains("makes window:325s fire with"));
    let count = SOUND.replace("\"full-window\"", "\"immediate\"");
    assert!(items(&count, Verdict::Fail).is_empty());
}

#[test]
fn what_is_not_written_is_unknown() {
    for (line, unknown) in [
        ("rto = \"15min\"", &["rto-by-stage", "room-positive"][..]),
        ("promotion = \"60s\"", &["rto-by-stage", "room-positive"]),
        ("triggers = [\"consecutive:33\"]", &["window-from-room", "rate-measured"]),
        ("silence = \"failure\"", &["silence-is-failure"]),
        ("arming = \"full-window\"", &["history-after-restart"]),
        ("measured_from = \"blackbox exporter, October\"", &["rate-measured"]),
        ("owner = \"platform on-call\"", &["rate-owned"]),
        ("probe_writers = [\"prober service account\"]", &["signal-integrity"]),
    ] {
        let text = SOUND.replacen(line, "", 1);
        assert_eq!(items(&text, Verdict::Unknown), unknown, "without {line}");
        assert!(items(&text, Verdict::Fail).is_empty(), "without {line}");
    }
    let undrilled = SOUND.split("[ownership.last_drill]").next().unwrap();
    assert_eq!(items(undrilled, Verdict::Unknown), ["exercised", "stages-timed"]);
}

#[test]
fn the_standby_is_as_its_manifests_say() {
    let of = |standby| {
        let review = reviewed(SOUND, standby);
        let item = review.items.into_iter().find(|item| item.item == "standby-config").unwrap();
        (item.verdict, item.evidence)
    };
    assert_eq!(of(StandbyConfig::NotNamed).0, Verdict::Unknown);
    let (verdict, evidence) = of(StandbyConfig::Differs(vec!["policy_revision".to_owned()]));
    assert_eq!((verdict, evidence.as_str()), (Verdict::Fail, "policy_revision"));
    assert_eq!(of(StandbyConfig::Unreadable("b.toml: no".to_owned())).1, "b.toml: no");
}

#[test]
fn evidence_names_the_figures() {
    let dark = SOUND.replace("silence = \"failure\"", "silence = \"ignored\"");
    assert!(evidence(&dark, "silence-is-failure").contains("with probability 0."));
    let over = SOUND.replace("\"consecutive:33\"", "\"window:900s\"");
    let said = evidence(&over, "window-from-room");
    assert!(said.contains("window:900s is the RTO of 900 s"), "{said}");
    assert!(said.contains("warm leaves 580 s: at most consecutive:58 or window:575s"), "{said}");
    let ahead = SOUND.replace("2026-10-31", "2026-12-01");
    assert!(evidence(&ahead, "exercised").contains("lies after 2026-11-30"));
    assert!(evidence(&SOUND.replace("2026-10-31", "soon"), "exercised").contains("not a day"));
}
