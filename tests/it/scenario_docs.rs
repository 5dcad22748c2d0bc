//! The page on scenarios names every key there is, with its default, and its examples can be read.

use std::path::Path;

use failover_budget::scenario::{LastDrill, Scenario};
use failover_budget::time::Span;
use toml::{Table, Value};

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scenario.md");
    std::fs::read_to_string(path).unwrap()
}

/// A scenario in which every optional key is written.
fn whole() -> Table {
    let text = "
        [probe]
        phase = '1s'
        [outage]
        at = '1d'
        [prober]
        gap = '10d'
        [restarts]
        gap = '1d'
        deploy = { length = '5min', blip_factor = 3 }
        [stages]
        storage_gb_per_s = 2
        [[stages.extra]]
        name = 'approval'
        length = '1min'
        before = 'promotion'
        [[stages.extra]]
        name = 'fencing'
        length = '1min'
        beside = 'promotion'
        [[targets]]
        name = 'x'
        tier = 'cold'
        promotion = '1s'
        traffic_shift = '1s'
        capacity = '1s'
        weights_gb = 1
        load_rate_gb_per_s = 1
        replicas = 1
        storage_gb_per_s = 1
        reserve = '1s'
        extra = [{ name = 'y', length = '1s' }]
        [ownership]
        owner = 'x'
        max_false_failovers = '1/30d'
        measured_from = 'x'
        probe_writers = ['x']
        primary_manifest = 'x'
        standby_manifest = 'x'
    ";
    let mut scenario = Scenario::from_toml("whole", text).unwrap();
    let stages = [("promotion".to_owned(), Span::from_secs(60))].into();
    let every = Span::from_days(90);
    scenario.ownership.last_drill = Some(LastDrill { on: "2026-10-31".to_owned(), every, stages });
    scenario.to_toml().parse().unwrap()
}

/// The part of the page under the heading that names `section`.
fn section<'p>(page: &'p str, section: &str) -> &'p str {
    let wanted = match section {
        "" => "## The top of the file".to_owned(),
        "targets" => "## `[[targets]]`".to_owned(),
        name => format!("## `[{name}]`"),
    };
    let start = page.find(&wanted).unwrap_or_else(|| panic!("no heading {wanted}"));
    let rest = &page[start + 3..];
    &rest[..rest.find("\n## ").unwrap_or(rest.len())]
}

#[test]
fn every_key_is_documented_in_its_section() {
    let page = page();
    let mut missing = Vec::new();
    let mut require = |name: &str, key: &str| {
        if !section(&page, name).contains(&format!("`{key}`")) {
            missing.push(format!("{name}.{key}"));
        }
    };
    for (name, value) in whole() {
        let tables: Vec<&Table> = match &value {
            Value::Table(table) => vec![table],
            Value::Array(items) => items.iter().filter_map(Value::as_table).collect(),
            _ => Vec::new(),
        };
        if tables.is_empty() {
            require("", &name);
        }
        for (key, value) in tables.into_iter().flatten() {
            require(&name, key);
            // Keys of tables below, but for those of laws, which have a table of their own.
            let below = match value {
                Value::Table(table) if !table.contains_key("law") => vec![table],
                Value::Array(items) => items.iter().filter_map(Value::as_table).collect(),
                _ => Vec::new(),
            };
            for key_below in below.into_iter().flat_map(Table::keys) {
                let dotted = format!("{key}.{key_below}");
                require(&name, if name == "restarts" { &dotted } else { key_below });
            }
        }
    }
    // Further stages are described once, with `[stages]`.
    missing.retain(|key| !["targets.length"].contains(&key.as_str()));
    assert!(missing.is_empty(), "not in docs/scenario.md: {missing:?}");
}

/// Rows of the form `key | default | …`: the default is the one that the program has.
#[test]
fn the_defaults_told_are_the_defaults() {
    let page = page();
    let defaults: Table = Scenario::default().to_toml().parse().unwrap();
    let mut compared = 0;
    for (name, value) in &defaults {
        let Value::Table(table) = value else { continue };
        for (key, value) in table {
            let row = format!("\n| `{key}` | `");
            let Some((_, rest)) = section(&page, name).split_once(&row) else { continue };
            let told = rest.split('`').next().unwrap();
            let told: Table = format!("told = {told}").parse().unwrap();
            let same = match (&told["told"], value) {
                // Lengths of time may be told in other units.
                (Value::String(told), Value::String(is)) => {
                    told == is || told.parse::<Span>().is_ok_and(|t| is.parse() == Ok(t))
                }
                (told, is) => told == is,
            };
            assert!(same, "{name}.{key}: {} is told, {value} is so", told["told"]);
            compared += 1;
        }
    }
    assert!(compared >= 20, "only {compared} defaults are told");
}

#[test]
fn every_example_is_a_scenario() {
    let page = page();
    let examples: Vec<&str> =
        page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(examples.len() >= 6);
    for example in examples {
        if let Err(error) = Scenario::from_toml("docs/scenario.md", example) {
            panic!("{error}\n{example}");
        }
    }
}

#[test]
fn every_law_is_documented_and_every_trigger() {
    let page = page();
    let said = Scenario::from_toml("x", "[blips]\nlength = { law = 'x' }").unwrap_err().to_string();
    let families = said.split("allowed: ").nth(1).unwrap().split(", ");
    for family in families {
        assert!(page.contains(&format!("`{}`", family.trim())), "{family}");
    }
    for family in ["consecutive:", "window:", "m-of-n:", "success-rate:"] {
        assert!(page.contains(&format!("`\"{family}")), "{family}");
    }
}
