//! What a trigger's numbers do that their author may not have meant.

use super::spec::{Spec, seconds, steps_down};
use crate::time::Span;

/// A trigger that is legal and probably not what was meant. `Display` says what to do about it.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Warning {
    /// Every check fills the window alone.
    #[error(
        "`{spec}`: the window is shorter than the probe interval ({}), so one failed probe fills it; \
         make it longer than the interval, unless that is meant",
        seconds(*.interval)
    )]
    ShorterThanInterval {
        /// The trigger.
        spec: Spec,
        /// Time between probes.
        interval: Span,
    },
    /// A whole number of intervals: the check at the window's far end is in it by a hair.
    #[error(
        "`{spec}`: the window is exactly {multiple} probe intervals, so {}; \
         `window:{}` is {} consecutive failures with half an interval to spare",
        edge(*.multiple, *.jitter),
        seconds(*.interval * *.multiple + *.interval / 2),
        *.multiple + 1
    )]
    OnEdge {
        /// The trigger.
        spec: Spec,
        /// Time between probes.
        interval: Span,
        /// How many intervals the window is long.
        multiple: i64,
        /// How much later than their place on the grid probes may come.
        jitter: Span,
    },
}

fn edge(multiple: i64, jitter: Span) -> String {
    let (few, many) = (multiple, multiple + 1);
    if jitter.is_positive() {
        format!(
            "with a jitter of {} it takes {few} or {many} failures from one time to the next",
            seconds(jitter)
        )
    } else {
        format!(
            "the {} check back is in it by a hair: any lateness makes it {few} failures instead of {many}",
            ordinal(many)
        )
    }
}

/// `1st`, `12th`, `31st`.
fn ordinal(number: i64) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

impl Spec {
    /// What to warn of when probes come every `interval`, up to `jitter` late.
    pub fn warnings(&self, interval: Span, jitter: Span) -> Vec<Warning> {
        let spec = *self;
        let (Spec::Window { window } | Spec::SuccessRate { window, .. }) = spec else {
            return Vec::new();
        };
        if !interval.is_positive() {
            return Vec::new();
        }
        if window < interval {
            return vec![Warning::ShorterThanInterval { spec, interval }];
        }
        let multiple = i64::try_from(steps_down(window, interval)).unwrap_or(i64::MAX);
        if matches!(spec, Spec::Window { .. }) && interval * multiple == window {
            return vec![Warning::OnEdge { spec, interval, multiple, jitter }];
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str, jitter: i64) -> Vec<String> {
        let spec: Spec = text.parse().unwrap();
        let warnings = spec.warnings(Span::from_secs(10), Span::from_secs(jitter));
        warnings.iter().map(Warning::to_string).collect()
    }

    #[test]
    fn a_window_on_an_edge_is_offered_the_middle() {
        let said = |jitter| said("window:300s", jitter).concat();
        assert!(said(0).contains("exactly 30 probe intervals"), "{}", said(0));
        assert!(said(0).contains("`window:305s` is 31 consecutive failures"), "{}", said(0));
        assert!(said(2).contains("30 or 31 failures from one time to the next"), "{}", said(2));
    }

    #[test]
    fn ordinals_end_as_they_are_spoken() {
        let told = [1, 2, 3, 4, 11, 12, 13, 21, 31, 91, 102, 113].map(ordinal).join(" ");
        assert_eq!(told, "1st 2nd 3rd 4th 11th 12th 13th 21st 31st 91st 102nd 113th");
    }

    #[test]
    fn what_is_well_meant_is_not_warned_of() {
        for text in ["consecutive:12", "m-of-n:3/5", "window:305s", "success-rate:0.9/60s/180s"] {
            assert_eq!(said(text, 1), [""; 0], "{text}");
        }
        for text in ["window:9s", "success-rate:0.9/9s/180s"] {
            assert!(said(text, 0).concat().contains("one failed probe fills it"));
        }
        assert_eq!(Spec::Window { window: Span::ZERO }.warnings(Span::ZERO, Span::ZERO), []);
    }
}
