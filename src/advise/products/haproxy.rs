//! HAProxy: `fall` failures in a row, `inter` apart.
//!
//! While a server is going down it is checked every `fastinter` if that is set, also by an inherited
//! `default-server` line; so the export sets it. A server starts up in a state in which one failed
//! check takes it down, unless `init-state fully-up` says otherwise (HAProxy 3.1 and later).
//! Source: the configuration manual, "Server and default-server options" and "timeout check".

use minijinja::context;

use super::names::strong_quoted;
use super::{Absence, Amounts, Asked, Export, ExportError, Fit, Names, Product, render};
use crate::time::Span;
use crate::trigger::{Arming, Spec};

const TEMPLATE: &str = include_str!("templates/haproxy.cfg");
/// The longest delay, in milliseconds (a signed 32-bit count).
const LONGEST_MS: i64 = i32::MAX as i64;
/// The largest number of failures.
const LARGEST: u64 = i32::MAX as u64;

/// The nearest whole number of milliseconds, at least one.
fn milliseconds(span: Span) -> i64 {
    (span + Span::from_nanos(500_000)).div_floor(Span::from_nanos(1_000_000)).max(1)
}

/// Writes a backend.
pub(crate) fn export(asked: &Asked, names: &Names) -> Result<Export, ExportError> {
    let refuse = |what, found, allowed| {
        Err(ExportError::OutOfRange { product: Product::HaProxy, what, found, allowed })
    };
    let inter_ms = milliseconds(asked.interval);
    if inter_ms > LONGEST_MS {
        return refuse("interval", asked.interval.to_string(), "up to 2147483647 ms");
    }
    let timeout_ms = milliseconds(asked.timeout).min(inter_ms);
    let inter = Span::from_nanos(inter_ms * 1_000_000);
    let (fall, differences) = super::in_a_row(asked, inter);
    if fall > LARGEST {
        return refuse("number of failures", fall.to_string(), "up to 2147483647");
    }
    let trigger = Spec::Consecutive { k: fall };
    let immediate = asked.arming == Arming::Immediate;
    let amounts = Amounts {
        trigger,
        interval: inter,
        patience: trigger.patience(inter),
        up_to_later: Span::from_nanos(timeout_ms * 1_000_000),
        absence: Absence::Failure,
        arming: if immediate { Arming::Immediate } else { Arming::FullWindow },
    };
    let notes = vec![
        "HAProxy makes the checks itself: no answer is a failed check, and while HAProxy is down \
         nothing is decided"
            .to_owned(),
        "`init-state fully-up` needs HAProxy 3.1; in older ones a server that has just been loaded \
         goes down at its first failed check"
            .to_owned(),
        "`fastinter` would shorten the run once it has begun (patience (fall - 1) x fastinter), so it \
         is set to the interval here"
            .to_owned(),
    ];
    let fit = Fit { amounts, differences, notes };
    super::finish(Product::HaProxy, asked, fit, |head| {
        let server = names.identifier();
        let values = context! {
            heading => render::heading(head),
            name => server,
            path => strong_quoted(&names.path),
            host => strong_quoted(&names.host),
            address => address(names),
            tls => names.port == 443,
            inter => inter_ms,
            timeout => timeout_ms,
            fall => fall,
            state => if immediate { "up" } else { "fully-up" },
        };
        Ok(vec![render::file(Product::HaProxy, "haproxy-backend.cfg", TEMPLATE, values)?])
    })
}

/// Host and port as one word; an IPv6 address is written in brackets.
fn address(names: &Names) -> String {
    if names.host.contains(':') {
        format!("[{}]:{}", names.host, names.port)
    } else {
        format!("{}:{}", names.host, names.port)
    }
}
