//! Triggers and spans from any text. What is read is printed so that it is read as the same.

#![no_main]

use failover_budget::time::Span;
use failover_budget::trigger::Spec;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(spec) = text.parse::<Spec>() {
        assert_eq!(spec.to_string().parse::<Spec>().ok(), Some(spec));
        for interval in [Span::from_nanos(1), Span::from_secs(10), Span::from_days(36_500)] {
            assert!(spec.patience(interval) >= Span::ZERO && spec.checks_to_fire(interval) > 0);
        }
    }
    if let Ok(all) = Spec::expand(text) {
        assert!(!all.is_empty());
    }
    if let Ok(span) = text.parse::<Span>() {
        assert_eq!(span.to_string().parse::<Span>().ok(), Some(span));
    }
});
