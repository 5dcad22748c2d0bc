//! Configurations of other products from any text: the first byte picks the kind (or recognition). What is
//! read amounts to a trigger that can be written.

#![no_main]

use failover_budget::advise::products::{self, Kind};
use failover_budget::time::Span;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &str)| {
    let (first, text) = input;
    let kind = Kind::ALL.get(usize::from(first) % (Kind::ALL.len() + 1)).copied();
    if let Ok(found) = products::import("file", text, kind, Span::from_secs(60)) {
        assert!(!found.is_empty());
    }
});
