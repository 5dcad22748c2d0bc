//! How laws are read, refused and written back.

use serde::{Deserialize, Serialize};

use crate::law::Law;
use crate::scenario::document::Document;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Blips {
    length: Law,
}

fn read(length: &str) -> Result<Law, String> {
    let text = format!("\nlength = {length}\n");
    let document = Document::new("a.toml", &text).map_err(|error| error.to_string())?;
    document.parse::<Blips>().map(|blips| blips.length).map_err(|error| error.to_string())
}

#[track_caller]
fn refused(length: &str, words: &[&str]) {
    let said = read(length).expect_err(length);
    assert!(said.starts_with("a.toml:2: length"), "{said}");
    for word in words {
        assert!(said.contains(word), "{length}: {said}\nlacks: {word}");
    }
}

#[test]
fn every_family_is_read_by_natural_parameters() {
    let cases = [
        ("\"20s\"", Law::constant(20.0)),
        (r#"{ law = "constant", value = "0s" }"#, Law::constant(0.0)),
        (r#"{ law = "exponential", mean = "20s" }"#, Law::exponential(20.0)),
        (r#"{ law = "lognormal", mu = 2.5, sigma = 1 }"#, Law::lognormal(2.5, 1.0)),
        (
            r#"{ law = "lognormal", median = "1min", sigma = 1.5 }"#,
            Law::lognormal(60_f64.ln(), 1.5),
        ),
        (r#"{ law = "weibull", shape = 0.7, scale = "15.8s" }"#, Law::weibull(0.7, 15.8)),
        (r#"{ law = "gamma", shape = 2, scale = "10s" }"#, Law::gamma(2.0, 10.0)),
        (r#"{ law = "pareto", alpha = 0.9, minimum = "5s" }"#, Law::pareto(0.9, 5.0)),
        (r#"{ law = "log-logistic", shape = 2.5, scale = "10s" }"#, Law::log_logistic(2.5, 10.0)),
        (r#"{ law = "uniform", from = "0s", to = "1h 30m" }"#, Law::uniform(0.0, 5400.0)),
        (r#"{ law = "empirical", values = ["7s", "5s"] }"#, Law::empirical(vec![5.0, 7.0], None)),
    ];
    for (text, law) in cases {
        assert_eq!(read(text), Ok(law.unwrap()), "{text}");
    }
}

#[test]
fn every_family_with_a_shape_is_read_by_its_mean() {
    let cases = [
        r#"{ law = "lognormal", mean = "20s", sigma = 1.0 }"#,
        r#"{ law = "weibull", mean = "20s", shape = 0.7 }"#,
        r#"{ law = "gamma", mean = "20s", shape = 2 }"#,
        r#"{ law = "pareto", mean = "20s", alpha = 1.5 }"#,
        r#"{ law = "log-logistic", mean = "20s", shape = 1.5 }"#,
        r#"{ law = "empirical", mean = "20s", values = ["5s", "7s"], weights = [1, 3] }"#,
        r#"{ law = "mixture", mean = "20s", of = [{ weight = 1, law = "2s" }, { weight = 1, law = "exponential", mean = "9s" }] }"#,
    ];
    for text in cases {
        let law = read(text).unwrap();
        assert!((law.mean() - 20.0).abs() < 1e-12, "{text}: {}", law.mean());
    }
}

#[test]
fn parts_of_a_mixture_are_written_flat_or_nested() {
    let flat = read(
        r#"{ law = "mixture", of = [{ weight = 0.9, law = "exponential", mean = "5s" }, { weight = 0.1, law = "constant", value = "60s" }] }"#,
    );
    let nested = read(
        r#"{ law = "mixture", of = [{ weight = 0.9, law = { law = "exponential", mean = "5s" } }, { weight = 0.1, law = "60s" }] }"#,
    );
    assert_eq!(flat, nested);
    assert!((flat.unwrap().mean() - 10.5).abs() < 1e-12);
}

#[test]
fn impossible_parameters_are_refused_with_the_way_out() {
    refused(
        r#"{ law = "lognormal", mean = "20s", sigma = 0.0 }"#,
        &["`sigma` is 0", "more than 0"],
    );
    refused(r#"{ law = "lognormal", mean = "20s", sigma = -1 }"#, &["`sigma` is -1"]);
    refused(r#"{ law = "lognormal", mean = "20s", sigma = nan }"#, &["`sigma` is NaN"]);
    refused(r#"{ law = "lognormal", mu = inf, sigma = 1 }"#, &["`mu` is inf", "-300 to 300"]);
    refused(r#"{ law = "lognormal", median = "0s", sigma = 1 }"#, &["`median` is 0"]);
    refused(r#"{ law = "exponential", mean = "0s" }"#, &["`mean` is 0", "longer than 0s"]);
    refused(r#"{ law = "exponential", mean = "-5s" }"#, &["`mean` is -5"]);
    refused(r#"{ law = "pareto", alpha = 1.0, mean = "20s" }"#, &["infinite mean", "alpha > 1"]);
    refused(r#"{ law = "log-logistic", shape = 1, mean = "2s" }"#, &["infinite", "shape > 1"]);
    refused(r#"{ law = "weibull", shape = 0, scale = "2s" }"#, &["`shape` is 0", "0.01 to"]);
    refused(r#"{ law = "uniform", from = "9s", to = "9s" }"#, &["9 s to 9 s", "write \"9s\""]);
    refused(r#"{ law = "constant", value = "-1s" }"#, &["`value` is -1", "0s or longer"]);
    refused("\"-1s\"", &["`value` is -1", "0s or longer"]);
    refused(r#"{ law = "empirical", values = [] }"#, &["`values` is empty"]);
    refused(r#"{ law = "empirical", values = ["1s"], weights = [1, 2] }"#, &["1 values and 2 w"]);
    refused(r#"{ law = "empirical", values = ["1s"], weights = [-1] }"#, &["`weight` is -1"]);
    refused(r#"{ law = "empirical", values = ["0s"], mean = "5s" }"#, &["always 0s"]);
    refused(r#"{ law = "mixture", of = [] }"#, &["`of` is empty"]);
    refused(r#"{ law = "mixture", of = [{ weight = 0, law = "1s" }] }"#, &["`weight` is 0"]);
    refused(r#"{ law = "mixture", of = [{ law = "1s" }] }"#, &["without `weight`"]);
}

#[test]
fn wrong_tables_are_refused_with_the_nearest_word() {
    refused(
        r#"{ law = "lognormall", mean = "20s", sigma = 1 }"#,
        &["length.law: unknown word `lognormall`", "did you mean `lognormal`?", "weibull"],
    );
    refused(
        r#"{ law = "weibull", mean = "20s", shap = 1 }"#,
        &["length.shap: unknown key `shap`", "did you mean `shape`?"],
    );
    refused(r#"{ mean = "20s" }"#, &["does not say which law", "exponential, lognormal"]);
    refused(
        r#"{ law = "weibull", mean = "20s", scale = "20s", shape = 1 }"#,
        &["`mean` and `scale` and `shape`", "`shape` and `scale`, or `mean` and `shape`"],
    );
    refused(r#"{ law = "gamma", shape = 2 }"#, &["is given `shape`", "`mean` and `shape`"]);
    refused(r#"{ law = "gamma" }"#, &["is given no parameter"]);
    refused(
        r#"{ law = "exponential", mean = "20s", sigma = 1 }"#,
        &["`sigma` is no parameter of the exponential law", "allowed: `mean`"],
    );
    refused(r#"{ law = "exponential", mean = 20 }"#, &["length.mean: `20` has no unit", "\"20s\""]);
    refused("20", &["`20` has no unit"]);
    refused("20.5", &["`20.5` has no unit"]);
    refused("true", &["a law like { law ="]);
    refused("\"20 parsecs\"", &["not a length of time"]);
    refused("\"infs\"", &["not a length of time"]);
    refused("\"1e30s\"", &["hundred years"]);
}

#[test]
fn the_toml_crate_still_points_at_the_table() {
    let text = "\nlength = { law = \"lognormal\", mean = \"20s\", sigma = 0 }\n";
    let error = toml::from_str::<Blips>(text).unwrap_err();
    let span = error.span().unwrap();
    assert!(text[span].starts_with("{ law = "), "{error}");
}

#[test]
fn what_is_written_reads_back_to_the_last_bit() {
    let third = 20.0 / 3.0;
    let parts = vec![
        (0.9, Law::weibull(0.7, third).unwrap()),
        (0.1, Law::uniform(0.1, third * 1e4).unwrap()),
        (1e-9, Law::constant(third * 1e-9).unwrap()),
    ];
    let laws = [
        Law::exponential(third),
        Law::exponential(20.0),
        Law::lognormal(third, 1.0 / 3.0),
        Law::lognormal(0.0, 1.0).and_then(|law| law.with_mean(third)),
        Law::weibull(1.0 / 3.0, third * 1e-6),
        Law::gamma(2.0 / 3.0, third * 1e5),
        Law::pareto(0.7, third),
        Law::log_logistic(0.9, third),
        Law::uniform(third, 7.0),
        Law::constant(third),
        Law::constant(900.0),
        Law::mixture(parts),
        Law::empirical(vec![third, 1.0], Some(vec![0.3, 2.0])),
    ];
    for law in laws {
        let blips = Blips { length: law.unwrap() };
        let text = toml::to_string(&blips).unwrap();
        assert_eq!(toml::from_str::<Blips>(&text).unwrap(), blips, "{text}");
        let json = serde_json::to_string(&blips).unwrap();
        assert_eq!(serde_json::from_str::<Blips>(&json).unwrap(), blips, "{json}");
    }
}

#[test]
fn a_law_written_by_its_mean_is_written_back_so() {
    for text in [
        r#"{"law":"lognormal","mean":"20s","sigma":1.0}"#,
        r#"{"law":"pareto","mean":"20s","alpha":1.5}"#,
        r#"{"law":"gamma","mean":"45s","shape":2.0}"#,
        r#"{"law":"exponential","mean":"15min"}"#,
        r#""2min""#,
    ] {
        let law: Law = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&law).unwrap(), text);
    }
}
