//! What the drills of `sweeps/drills` do not show.
use super::*;
#[test]
fn scratch() {
    let text = std::fs::read_to_string("sweeps/drills/assistant.toml").unwrap();
    let plan = Plan::from_toml("assistant.toml", &text).unwrap_or_else(|e| panic!("{e}"));
    let out = run(&plan, 1, 0, true);
    for row in show::rows::timeline(&plan, &out) { println!("{}", row.join(" | ")); }
    for row in show::rows::features(&plan, &out) { println!("{}", row.join(" | ")); }
    println!("{:?}", out.in_flight);
    std::fs::write("/tmp/gate_a.svg", svg(&plan, &out).unwrap()).unwrap();
    let t = std::time::Instant::now();
    let d = replicate(&plan, 1, 1000);
    println!("{:?}", t.elapsed());
    for row in show::rows::distributions(&d) { println!("{}", row.join(" | ")); }
}
