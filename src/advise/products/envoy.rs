//! Envoy: `unhealthy_threshold` failures in a row, `interval` apart, with exceptions that undo it.
//!
//! Over HTTP an answer that is neither expected nor `retriable` marks the host unhealthy at once,
//! whatever the threshold; so the export makes every status retriable. A cluster that has carried no
//! traffic is checked every `no_traffic_interval` (60 s by default); so that is set too. A new host
//! is unhealthy until its first check, and that one check decides alone. Below the panic threshold
//! (50 % of hosts) health is disregarded; so that is off.
//! Source: the `HealthCheck` and `Cluster.CommonLbConfig` references of the v3 API.

use minijinja::context;

use super::{Absence, Amounts, Asked, Export, ExportError, Fit, Names, Product, render};
use crate::time::Span;
use crate::trigger::{Arming, Spec};

const TEMPLATE: &str = include_str!("templates/envoy.yaml");
const LARGEST: u64 = u32::MAX as u64;

/// A span as Envoy reads it: seconds with up to nine decimals.
fn duration(span: Span) -> String {
    let (secs, nanos) = (span.as_nanos() / 1_000_000_000, span.as_nanos() % 1_000_000_000);
    if nanos == 0 {
        return format!("{secs}s");
    }
    let decimals = format!("{nanos:09}");
    format!("{secs}.{}s", decimals.trim_end_matches('0'))
}

/// Writes a cluster.
pub(crate) fn export(asked: &Asked, names: &Names) -> Result<Export, ExportError> {
    let (threshold, differences) = super::in_a_row(asked, asked.interval);
    if threshold > LARGEST {
        return Err(ExportError::OutOfRange {
            product: Product::Envoy,
            what: "number of failures",
            found: threshold.to_string(),
            allowed: "up to 4294967295",
        });
    }
    let trigger = Spec::Consecutive { k: threshold };
    let timeout = asked.timeout.min(asked.interval);
    let amounts = Amounts {
        trigger,
        interval: asked.interval,
        patience: trigger.patience(asked.interval),
        up_to_later: timeout,
        absence: Absence::Failure,
        arming: Arming::Immediate,
    };
    let notes = vec![
        "a new host is unhealthy until its first check and that check alone decides: one success makes \
         it healthy whatever healthy_threshold says, one failure leaves it unhealthy"
            .to_owned(),
        "every status is made retriable, because any other answer that is not expected (a 503 above \
         all) would mark the host unhealthy at once and make the threshold void"
            .to_owned(),
        "without no_traffic_interval a cluster that has carried no traffic is checked every 60 s"
            .to_owned(),
        "Envoy makes the checks itself, each Envoy on its own: no answer is a failed check, and while \
         Envoy is down nothing is decided"
            .to_owned(),
    ];
    let fit = Fit { amounts, differences, notes };
    super::finish(Product::Envoy, asked, fit, |head| {
        let values = context! {
            heading => render::heading(head),
            name => &names.name,
            host => &names.host,
            path => &names.path,
            port => names.port,
            tls => names.port == 443,
            timeout => duration(timeout),
            interval => duration(asked.interval),
            threshold => threshold,
        };
        Ok(vec![render::file(Product::Envoy, "envoy-cluster.yaml", TEMPLATE, values)?])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_exact() {
        assert_eq!(duration(Span::from_secs(10)), "10s");
        assert_eq!(duration(Span::from_nanos(1_250_000_000)), "1.25s");
    }
}
