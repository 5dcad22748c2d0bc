//! What this project is built of may be passed on under its licences, and comes from one registry: the
//! rules of `deny.toml`, kept without the tool that reads it.

use std::fs;
use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rules() -> toml::Table {
    fs::read_to_string(root().join("deny.toml")).unwrap().parse().unwrap()
}

fn texts(table: &toml::Table, part: &str, key: &str) -> Vec<String> {
    let list = table[part][key].as_array().unwrap();
    list.iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// Whether a licence expression can be met with the licences allowed. `/` is an old way to write OR.
fn is_met(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (met, rest) = either(&words, allowed);
    assert!(rest.is_empty(), "`{expression}` is no licence expression");
    met
}

fn either<'w>(words: &'w [&'w str], allowed: &[String]) -> (bool, &'w [&'w str]) {
    let (mut met, mut rest) = both(words, allowed);
    while rest.first() == Some(&"OR") {
        let (other, after) = both(&rest[1..], allowed);
        (met, rest) = (met || other, after);
    }
    (met, rest)
}

fn both<'w>(words: &'w [&'w str], allowed: &[String]) -> (bool, &'w [&'w str]) {
    let (mut met, mut rest) = one(words, allowed);
    while rest.first() == Some(&"AND") {
        let (other, after) = one(&rest[1..], allowed);
        (met, rest) = (met && other, after);
    }
    (met, rest)
}

fn one<'w>(words: &'w [&'w str], allowed: &[String]) -> (bool, &'w [&'w str]) {
    match words {
        ["(", rest @ ..] => {
            let (met, rest) = either(rest, allowed);
            assert_eq!(rest.first(), Some(&")"));
            (met, &rest[1..])
        }
        [name, "WITH", exception, rest @ ..] => {
            (allowed.contains(&format!("{name} WITH {exception}")), rest)
        }
        [name, rest @ ..] => (allowed.iter().any(|other| other == name), rest),
        [] => (false, words),
    }
}

#[test]
fn every_dependency_may_be_passed_on_and_comes_from_the_registry() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100);
    let (allowed, registries) =
        (texts(&rules(), "licenses", "allow"), texts(&rules(), "sources", "allow-registry"));
    for package in packages {
        let (name, licence) = (&package["name"], package["license"].as_str().unwrap_or("none"));
        assert!(is_met(licence, &allowed), "{name} is under {licence}");
        let from = package["source"].as_str();
        let known = |from: &str| registries.iter().any(|r| from == format!("registry+{r}"));
        assert!(from.is_none_or(known), "{name} comes from {from:?}");
        assert!(from.is_some() || name == "failover-budget", "{name} is a path");
    }
}

#[test]
fn licence_expressions_are_read() {
    let allowed = ["MIT".to_owned(), "Apache-2.0 WITH LLVM-exception".to_owned()];
    for expression in
        ["MIT", "GPL-3.0 OR MIT", "GPL-3.0/MIT", "Apache-2.0 WITH LLVM-exception AND (MIT OR ISC)"]
    {
        assert!(is_met(expression, &allowed), "{expression}");
    }
    for expression in ["Apache-2.0", "MIT AND GPL-3.0", "(MIT OR ISC) AND ISC", "none"] {
        assert!(!is_met(expression, &allowed), "{expression}");
    }
}
