//! Amazon Route 53: `FailureThreshold` failures in a row, seen by each of many checkers on its own.
//!
//! `RequestInterval` is 10 or 30 seconds and `FailureThreshold` is 1 to 10, so no patience beyond
//! 270 s can be had. The checkers do not keep step with one another; the endpoint is held healthy
//! while more than 18 % of them say so.
//! Source: "How Amazon Route 53 determines whether a health check is healthy" and the
//! `HealthCheckConfig` reference.

use serde::Serialize;

use super::{Absence, Amounts, Asked, Export, ExportError, Fit, Names, Product, render};
use crate::time::Span;
use crate::trigger::{Arming, Spec};

/// Seconds between the checks of one checker.
const INTERVALS_S: [i64; 2] = [10, 30];
/// The largest `FailureThreshold`.
const LARGEST: u64 = 10;
/// Time a checker gives a host to connect and then to answer, in seconds.
const CHECK_S: i64 = 4 + 2;
/// The longest `CallerReference`.
const LONGEST_REFERENCE: usize = 64;

/// The request of `aws route53 create-health-check --cli-input-json`.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Request<'a> {
    caller_reference: String,
    health_check_config: Config<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Config<'a> {
    r#type: &'static str,
    fully_qualified_domain_name: &'a str,
    port: u16,
    resource_path: &'a str,
    request_interval: i64,
    failure_threshold: u64,
    measure_latency: bool,
    inverted: bool,
    #[serde(rename = "EnableSNI", skip_serializing_if = "Option::is_none")]
    enable_sni: Option<bool>,
}

/// The settings nearest in patience to what was asked; of two as near the asked interval, then the
/// more patient.
fn nearest(asked: &Asked) -> (Span, u64) {
    let wanted = asked.patience();
    let mut best = (Span::from_secs(INTERVALS_S[0]), 1);
    let mut rank = None;
    for interval in INTERVALS_S.map(Span::from_secs) {
        for threshold in 1..=LARGEST {
            let patience = Spec::Consecutive { k: threshold }.patience(interval);
            let distance = (patience - wanted).as_nanos().abs();
            let this = (distance, interval != asked.interval, -patience);
            if rank.is_none_or(|rank| this < rank) {
                rank = Some(this);
                best = (interval, threshold);
            }
        }
    }
    best
}

/// Writes a health check.
pub(crate) fn export(asked: &Asked, names: &Names) -> Result<Export, ExportError> {
    let (interval, threshold) = nearest(asked);
    let (k, mut differences) = super::in_a_row(asked, asked.interval);
    let cannot =
        if k > LARGEST { "FailureThreshold ends at 10" } else { "RequestInterval is 10 s or 30 s" };
    if (interval, threshold) != (asked.interval, k) {
        differences.push(format!(
            "{k} failures {} apart cannot be had, because {cannot}; {threshold} failures {interval} \
             apart are the nearest in patience",
            asked.interval
        ));
    }
    let trigger = Spec::Consecutive { k: threshold };
    let amounts = Amounts {
        trigger,
        interval,
        patience: trigger.patience(interval),
        up_to_later: interval + Span::from_secs(CHECK_S),
        absence: Absence::Failure,
        arming: Arming::FullWindow,
    };
    let mut notes = Vec::new();
    if interval != asked.interval && INTERVALS_S.map(Span::from_secs).contains(&asked.interval) {
        let most = Spec::Consecutive { k: LARGEST }.patience(asked.interval);
        notes.push(format!(
            "{LARGEST} failures {} apart, the most at that interval, would have a patience of {most}",
            asked.interval
        ));
    }
    notes.extend([
        "each of many checkers counts on its own and out of step with the others; the endpoint is \
         held healthy while more than 18 % of them say so, so it falls when all but a few have seen \
         the whole run"
            .to_owned(),
        "a checker gives up after 4 s without a connection or 2 s without an answer, whatever \
         time-out was asked; the checkers stand outside, so a dark region is a failed check"
            .to_owned(),
        "the same threshold counts for the way back, and DNS answers live on for their TTL".to_owned(),
    ]);
    let fit = Fit { amounts, differences, notes };
    super::finish(Product::Route53, asked, fit, |_| {
        let tls = names.port == 443;
        let reference = format!("{threshold}x{}s-{}", interval.as_secs_f64(), names.identifier());
        let request = Request {
            caller_reference: reference.chars().take(LONGEST_REFERENCE).collect(),
            health_check_config: Config {
                r#type: if tls { "HTTPS" } else { "HTTP" },
                fully_qualified_domain_name: &names.host,
                port: names.port,
                resource_path: &names.path,
                request_interval: interval.div_floor(Span::from_secs(1)),
                failure_threshold: threshold,
                measure_latency: false,
                inverted: false,
                enable_sni: tls.then_some(true),
            },
        };
        Ok(vec![render::json_file(Product::Route53, "health-check.json", &request)?])
    })
}
