//! What the drills of `sweeps/drills` do not show.
use super::*;
fn load(path: &std::path::Path) -> Document {
    let text = std::fs::read_to_string(path).unwrap();
    let over = Document::new(&path.display().to_string(), &text).unwrap();
    match over.table.get("extends").and_then(|v| v.as_str()).map(str::to_owned) { 
        None => over,
        Some(base) => { let b = load(&path.with_file_name(base)); layered(&b, over).unwrap() }
    }
}
#[test]
fn scratch() {
    let mut files: Vec<_> = std::fs::read_dir("sweeps/drills").unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    for f in files {
        println!("\n=== {}", f.display());
        let plan = Plan::new(&load(&f)).unwrap_or_else(|e| panic!("{e}"));
        let out = run(&plan, 1, 0, true);
        for row in show::rows::timeline(&plan, &out) { println!("{}", row.join(" | ")); }
        for row in show::rows::features(&plan, &out) { println!("{}", row.join(" | ")); }
        println!("{:?} {:?} failovers {} {:?} unstable {:?}", out.in_flight, out.holds, out.failovers, out.failback, plan.unstable_steps);
        std::fs::write(format!("/tmp/gate_{}.svg", f.file_stem().unwrap().display()), svg(&plan, &out).unwrap()).unwrap();
        if f.ends_with("distributions.toml") {
        let t = std::time::Instant::now();
        let d = replicate(&plan, 1, 1000);
        println!("{:?}", t.elapsed());
        for row in show::rows::distributions(&d) { println!("{}", row.join(" | ")); }
        println!("{}", serde_json::to_string(&distributions_json(&d)).unwrap());
        }
    }
}
