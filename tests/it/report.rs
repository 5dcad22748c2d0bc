//! The review page: whole, the same every time, small, and deaf to what names would have it do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use failover_budget::report::{Material, Study, html, markdown};
use tempfile::TempDir;

/// A folder of results in a place that lasts as long as it is held.
pub struct Swept {
    place: TempDir,
}

impl Swept {
    /// Runs `spec`.
    pub fn new(spec: &str) -> Self {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("spec.toml");
        fs::write(&file, spec).unwrap();
        let swept = Swept { place };
        let output =
            run(["sweep".as_ref(), file.as_os_str(), "-o".as_ref(), swept.folder().as_os_str()]);
        assert!(output.status.success(), "{}", said(&output));
        swept
    }

    /// The folder.
    pub fn folder(&self) -> PathBuf {
        self.place.path().join("results")
    }

    /// The page, written where the command writes it.
    pub fn page(&self) -> PathBuf {
        let output = run(["report".as_ref(), self.folder().as_os_str()]);
        assert!(output.status.success(), "{}", said(&output));
        self.folder().join("report.html")
    }

    fn study(&self) -> Study {
        Study::read(&self.folder()).unwrap()
    }

    fn material(&self) -> Material {
        Material { studies: vec![self.study()], ..Material::default() }
    }
}

fn run<'a>(arguments: impl IntoIterator<Item = &'a std::ffi::OsStr>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_failover-budget"));
    command.args(["--progress", "none"]).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The main job, small.
pub const PATIENCE: &str = r#"
name = "patience"
[run]
replications = 40
[axes]
triggers = ["consecutive:1..20"]
blips.length.mean = ["10s", "20s", "60s"]
"#;

/// Names that would run if they were pasted.
pub const HOSTILE: [&str; 4] = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "\"><img src=x onerror=alert(3)>",
    "--><svg onload=alert(4)>|`x`",
];

/// A sweep whose variants, targets, stages and blip sources have such names.
pub fn hostile() -> String {
    let [one, two, three, four] = HOSTILE.map(|name| serde_json::to_string(name).unwrap());
    format!(
        "name = \"hostile\"\n[run]\nreplications = 5\n[[blips]]\nname = {one}\n\
         [[targets]]\ntier = \"warm\"\nname = {two}\n\
         [[targets]]\ntier = \"hot\"\nname = {three}\n[[stages.extra]]\nname = {four}\nlength = \"1s\"\n\
         [axes]\ntriggers = [\"consecutive:3\", \"window:60s\", \"m-of-n:3/5\"]\n\
         [axes.variants.{four}.{one}]\nrto = \"10min\"\n[axes.variants.{four}.{three}]\nrto = \"15min\"\n"
    )
}

/// 3,000 cells, one target, so that every cell is a mark of its own.
pub fn large() -> String {
    "name = \"large\"\n[run]\nreplications = 2\n[[targets]]\ntier = \"warm\"\n[axes]\ntriggers = [\"consecutive:1..40\"]\n\
     blips.length.mean = [\"5s\", \"10s\", \"20s\", \"40s\", \"60s\"]\n\
     blips.gap.mean = { from = \"5min\", to = \"75min\", step = \"5min\" }\n"
        .to_owned()
}

fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let start = text.find(from).unwrap_or_else(|| panic!("no {from}")) + from.len();
    &text[start..start + text[start..].find(to).unwrap()]
}

#[test]
fn the_page_is_whole_and_the_same_every_time() {
    let swept = Swept::new(PATIENCE);
    let page = fs::read_to_string(swept.page()).unwrap();
    assert_eq!(page, html(&swept.material()).unwrap());
    for outside in ["http:", "https:", "//cdn", "@import", "url(\"", "src="] {
        assert!(!page.contains(outside), "the page asks for something outside: {outside}");
    }
    for part in [
        "The answer",
        "The trade-off",
        "The budget",
        "The two lies",
        "Sensitivity",
        "Every setting",
        "Method",
    ] {
        assert!(page.contains(part), "no {part}");
    }
    let hash = swept.study().manifest.spec_hash;
    assert!(page.contains(&hash) && page.contains("failover-budget sweep patience.toml"));
    // One mark for each trigger at each point, each of which says what it is.
    assert_eq!(page.matches("<g class=\"pt ").count(), 60);
    assert_eq!(page.matches("false failovers a day, detection").count(), 60);
    // The longest that was swept fits hot and warm at every point, and nothing fits cold.
    assert!(page.contains("up to consecutive:72") && page.contains("up to consecutive:58"));
    assert!(page.contains("Capacity 600 s + weights 140 s + 180 s exceeds 900 s: no trigger can."));
}

#[test]
fn markdown_holds_the_same_answer() {
    let material = Swept::new(PATIENCE).material();
    insta::assert_snapshot!(markdown(&material).unwrap());
}

#[test]
fn a_limit_puts_the_advice_first() {
    let swept = Swept::new(PATIENCE);
    let material = Material { limit: Some("1/30d".parse().unwrap()), ..swept.material() };
    let text = markdown(&material).unwrap();
    let advice = text.find("With at most 1/30d false failovers").unwrap();
    assert!(advice < text.find("The quietest that meets the RTO").unwrap());
    // 17 in a row is the first to keep to one in 30 days: 0.0257 a day, and 16 give 0.0423.
    for said in
        ["from consecutive:17 (160 s) to consecutive:72 (710 s)", "✗ **cold: No trigger does**"]
    {
        assert!(text.contains(said), "no {said} in {text}");
    }
    assert!(html(&material).unwrap().contains("With at most 1&#x2f;30d"));
}

#[test]
fn a_fit_is_shown_as_a_picture_that_cannot_run() {
    let place = tempfile::tempdir().unwrap();
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>Blips &lt;b&gt;</title><script>alert(1)</script></svg>";
    fs::write(place.path().join("scenario.toml"), "name = \"<script>alert(2)</script>\"\n")
        .unwrap();
    fs::write(place.path().join("survival.svg"), svg).unwrap();
    let output = run(["report".as_ref(), place.path().as_os_str()]);
    assert!(output.status.success(), "{}", said(&output));
    let page = fs::read_to_string(place.path().join("report.html")).unwrap();
    assert_eq!(page.matches("<script").count(), 1);
    assert!(page.contains("<img src=\"data:image&#x2f;svg+xml;base64,PHN2Zy"));
    assert!(page.contains("alt=\"Blips &lt;b&gt;. \""), "{page}");
}

#[test]
fn names_are_shown_and_do_not_run() {
    let swept = Swept::new(&hostile());
    let page = fs::read_to_string(swept.page()).unwrap();
    // The data and the script; nothing that a name brought.
    assert_eq!(page.to_lowercase().matches("<script").count(), 2);
    assert_eq!(page.to_lowercase().matches("</script").count(), 2);
    for tag in ["<img", "<svg onload", "onerror=alert(3)>"] {
        assert!(!page.contains(tag), "{tag} stands in the page");
    }
    assert!(page.contains("&lt;script&gt;alert(1)"));
    let data = between(&page, "id=\"s1-data\">", "</script>");
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["targets"], serde_json::json!([HOSTILE[1], HOSTILE[2]]));
    assert_eq!(data["columns"][0]["label"], HOSTILE[3]);

    let text = markdown(&swept.material()).unwrap();
    for tag in ["<script", "<img", "<svg", "`x`"] {
        assert!(!text.contains(tag), "{tag} stands in the Markdown");
    }
}

#[test]
fn a_page_of_3000_cells_is_small() {
    let swept = Swept::new(&large());
    let page = fs::read(swept.page()).unwrap();
    assert_eq!(swept.study().manifest.rows, 3_000);
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
}

#[test]
fn several_folders_make_one_page() {
    let (one, two) = (Swept::new(PATIENCE), Swept::new(&hostile()));
    let file = one.folder().join("both.html");
    let (a, b) = (one.folder(), two.folder());
    let output =
        run(["report".as_ref(), a.as_os_str(), b.as_os_str(), "-o".as_ref(), file.as_os_str()]);
    assert!(output.status.success(), "{}", said(&output));
    let page = fs::read_to_string(&file).unwrap();
    assert!(page.contains("id=\"s1-plot\"") && page.contains("id=\"s2-plot\""));
    assert!(page.contains("<title>Failover budget: patience and hostile</title>"));
    assert!(!a.join("report.html").exists());
}

#[test]
fn what_is_no_folder_of_results_is_refused_with_a_way_out() {
    let refused = |folder: &Path, word: &str| {
        let output = run(["report".as_ref(), folder.as_os_str()]);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains(word), "{}", said(&output));
        assert!(!folder.join("report.html").exists());
    };
    let empty = tempfile::tempdir().unwrap();
    refused(empty.path(), "manifest.json");
    let swept = Swept::new(PATIENCE);
    let manifest = swept.folder().join("manifest.json");
    let whole = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, whole.replace("\"whole\"", "\"running\"")).unwrap();
    refused(&swept.folder(), "--resume");
    fs::write(&manifest, whole.replace("\"spec_hash\": \"", "\"spec_hash\": \"0")).unwrap();
    refused(&swept.folder(), "means something else");
    fs::write(&manifest, &whole).unwrap();
    fs::write(swept.folder().join("results.parquet"), "no table").unwrap();
    refused(&swept.folder(), "not the table that was written there");
}
