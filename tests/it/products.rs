//! Triggers as the configurations of products: what is written, what it amounts to, and back again.

mod bad_input;
mod cloudwatch_grid;
mod command_line;
mod promtool;
mod round_trip;
mod written;

use failover_budget::advise::products::{Asked, Export, Names, Product, export};
use failover_budget::time::Span;
use failover_budget::trigger::{Arming, Silence, Spec};

/// What is asked with the lab's defaults.
fn asked(trigger: &str) -> Asked {
    Asked {
        trigger: trigger.parse().unwrap(),
        interval: Span::from_secs(10),
        timeout: Span::from_secs(2),
        silence: Silence::Failure,
        arming: Arming::FullWindow,
        evaluation: None,
    }
}

fn exported(product: Product, asked: &Asked) -> Export {
    export(product, asked, &Names::default()).unwrap()
}

/// The names that try every quoting.
fn nasty() -> Names {
    Names {
        name: "we\"ird {{ $value }} \\ 'é' # x".to_owned(),
        job: Some("a\"b{{.}}\\n'".to_owned()),
        path: "/a'b\"c?d=$HOME".to_owned(),
        ..Names::default()
    }
}

fn consecutive(k: u64) -> Spec {
    Spec::Consecutive { k }
}
