//! Charts: every sweep has them, nothing in them overlaps, and they say what the results say.

use std::fs;
use std::path::Path;

use failover_budget::figure::canvas::{Frame, Text};
use failover_budget::figure::{self, Chart, style};

use crate::support;
use crate::sweeps::{scaled_down, specs};

/// Runs a spec and draws its charts.
fn drawn(spec: &str) -> (tempfile::TempDir, Vec<Chart>) {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("spec.toml");
    fs::write(&path, spec).unwrap();
    let folder = place.path().join("results");
    support::printed(&["sweep", path.to_str().unwrap(), "-o", folder.to_str().unwrap()]);
    let charts = figure::charts(&folder).unwrap();
    (place, charts)
}

fn words(chart: &Chart) -> Vec<String> {
    chart.canvas.texts().map(|text| text.words.clone()).collect()
}

fn chart<'c>(charts: &'c [Chart], name: &str) -> &'c Chart {
    charts.iter().find(|chart| chart.name == name).unwrap()
}

/// No two lines of words meet, all are on the picture, and none is too small for a slide.
#[track_caller]
fn check_words(chart: &Chart, of: &str) {
    let (width, height) = style::SIZE;
    let picture = Frame { left: 0.0, top: 0.0, right: width.into(), bottom: height.into() };
    let texts: Vec<&Text> = chart.canvas.texts().collect();
    for (index, text) in texts.iter().enumerate() {
        let frame = text.frame();
        assert!(text.size >= 14.0, "{of}: {}: `{}` is small", chart.name, text.words);
        assert!(picture.holds(&frame), "{of}: {}: `{}` runs off", chart.name, text.words);
        for other in &texts[..index] {
            let (a, b) = (&text.words, &other.words);
            assert!(!frame.meets(&other.frame()), "{of}: {}: `{a}` over `{b}`", chart.name);
        }
    }
}

/// Every tag is closed, in order; no markup comes from a name.
#[track_caller]
fn check_markup(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    for piece in svg.split('<').skip(1) {
        let (tag, rest) = piece.split_once('>').unwrap();
        assert!(!rest.contains('>'), "{rest}");
        let name = tag.trim_start_matches('/').split_whitespace().next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(svg.starts_with("<svg") && svg.contains("role=\"img\""));
    assert!(svg.contains("<title id=") && svg.contains("<desc id="));
}

#[test]
fn words_of_the_checked_in_sweeps_never_overlap() {
    for spec in specs() {
        let name = spec.file_stem().unwrap().to_string_lossy().into_owned();
        let (_place, folder, _) = scaled_down(&spec);
        for chart in figure::charts(&folder).unwrap() {
            check_words(&chart, &name);
            check_markup(&chart.svg);
            let written = fs::read_to_string(folder.join(format!("{}.svg", chart.name))).unwrap();
            assert!(written == chart.svg, "{name}: {} is not drawn the same twice", chart.name);
        }
    }
}

#[test]
fn charts_say_what_the_results_say() {
    let spec = "
        [run]
        replications = 20
        [axes]
        triggers = ['consecutive:1', 'consecutive:12', 'window:900s']
        blips.length.mean = ['20s', '60s']";
    let (_place, charts) = drawn(spec);
    let pareto = words(chart(&charts, "pareto"));
    for expected in [
        "mean blip",
        "20 s",
        "60 s",
        "consecutive:12",
        "← cold: room −20 s: no trigger can",
        "warm: room 580 s",
        "hot: room 720 s",
        "1 a week",
    ] {
        assert!(pareto.iter().any(|found| found == expected), "{expected}: {pareto:?}");
    }
    assert!(pareto.join(" ").contains("optimal: no trigger beats k in a row"));
    assert!(pareto.join(" ").contains("none seen in 600 days"));
    let description = &chart(&charts, "pareto").description;
    assert!(description.contains("mean blip 60 s: from consecutive:1 with"), "{description}");
    let budget = words(chart(&charts, "budget"));
    for expected in
        ["RTO 900 s", "290 s", "1080 s: 180 s over", "1220 s: 320 s over", "1030 s: 130 s over"]
    {
        assert!(budget.iter().any(|found| found == expected), "{expected}: {budget:?}");
    }
    assert!(
        budget
            .iter()
            .any(|found| found.starts_with("room −20 s") && found.contains("no trigger can"))
    );
    let heat = words(chart(&charts, "heat"));
    assert!(heat.iter().any(|found| found.starts_with("< ")), "{heat:?}");
    assert!(heat.iter().any(|found| found == "13"), "{heat:?}");
}

#[test]
fn no_optimum_is_claimed_for_gray_faults() {
    let spec = "
        [run]
        replications = 2
        [blips]
        fail_probability = 0.5
        [outage]
        kind = 'gray'
        [axes]
        triggers = ['consecutive:1..3']";
    let (_place, charts) = drawn(spec);
    assert!(!words(chart(&charts, "pareto")).join(" ").contains("optimal"));
}

#[test]
fn names_of_users_are_never_markup() {
    let spec = "
        [run]
        replications = 2
        [[targets]]
        name = '<script>alert(1)</script> & \"a\" standby with a name that goes on and on and on'
        tier = 'hot'
        [axes]
        triggers = ['consecutive:1..3']
        [axes.variants.'a < b']
        '<img src=x>' = { blips.length.mean = '10s' }
        'a]]>&lt;' = { blips.length.mean = '20s' }";
    let (_place, charts) = drawn(spec);
    assert!(charts.len() >= 3);
    for chart in &charts {
        check_markup(&chart.svg);
        check_words(chart, "names");
        assert!(!chart.svg.contains("<script") && !chart.svg.contains("<img"), "{}", chart.name);
    }
}

/// Grids of any shape: one cell, many settings, many targets, distributed stages.
#[test]
fn odd_grids_have_charts_whose_words_do_not_overlap() {
    let run = "[run]\nreplications = 2\nlength = '5d'\n";
    let targets: String = (0..9)
        .map(|i| {
            format!(
                "[[targets]]\nname = 'region-{i}'\ntier = 'warm'\nweights_gb = {}.0\n",
                i * 90 + 10
            )
        })
        .collect();
    let specs = [
        format!("{run}[axes]\ntriggers = ['consecutive:3']"),
        format!(
            "{run}[axes]\nblips.length.mean = {{ from = '1s', to = '100s', points = 40, scale = 'log' }}"
        ),
        format!(
            "{run}{targets}[axes]\ntriggers = ['consecutive:1..90']\nprobe.interval = ['1s', '60s']"
        ),
        format!(
            "{run}[stages]\npromotion = {{ law = 'lognormal', mean = '5min', sigma = 1.0 }}\n[axes]\ntriggers = ['consecutive:1..9']\nrto = ['1min', '10min', '1h']"
        ),
        format!(
            "{run}[outage]\nkind = 'dark'\n[controller]\nsilence = 'ignored'\n[axes]\ntriggers = ['consecutive:5..7']"
        ),
        format!("blips = []\n{run}"),
    ];
    for spec in specs {
        let (_place, charts) = drawn(&spec);
        for chart in &charts {
            check_words(chart, &spec);
            check_markup(&chart.svg);
        }
    }
}

#[test]
fn plot_draws_again_and_takes_away_what_is_no_more() {
    let spec = "[run]\nreplications = 2\n[axes]\ntriggers = ['consecutive:1..3']";
    let (place, charts) = drawn(spec);
    let folder = place.path().join("results");
    let file = |name: &str| folder.join(name);
    fs::remove_file(file("pareto.svg")).unwrap();
    fs::write(file("pareto-9.svg"), "old").unwrap();
    fs::write(file("pareto-notes.svg"), "mine").unwrap();
    fs::write(file("mine.svg"), "mine").unwrap();
    support::printed(&["plot", folder.to_str().unwrap()]);
    assert_eq!(fs::read_to_string(file("pareto.svg")).unwrap(), chart(&charts, "pareto").svg);
    assert!(!file("pareto-9.svg").exists());
    assert!(file("pareto-notes.svg").exists() && file("mine.svg").exists());
}

#[test]
fn a_folder_without_results_says_so() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().to_str().unwrap();
    let output = support::command(&["plot", path]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("not a folder of results"), "{said}");
    for command in ["plot", "report"] {
        let output = support::command(&[command, "no-such-folder"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains("no-such-folder"), "{said}");
        assert!(said.contains("there is no such folder"), "{said}");
    }
}

/// The pictures in the README are those that its command makes.
#[test]
fn the_pictures_of_the_readme_are_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("results");
    let spec = root.join("sweeps/patience.toml");
    support::printed(&["sweep", spec.to_str().unwrap(), "-o", folder.to_str().unwrap()]);
    for name in ["pareto.svg", "budget.svg"] {
        let shown = fs::read_to_string(root.join("docs/img").join(name)).unwrap();
        let made = fs::read_to_string(folder.join(name)).unwrap();
        assert!(shown == made, "docs/img/{name} is old: copy it from output/patience");
    }
}
