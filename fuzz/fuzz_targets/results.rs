//! A folder of results with any manifest and any table: its charts are drawn or it is refused.

#![no_main]

use failover_budget::figure;
use failover_budget::sweep::{Manifest, folder};
use libfuzzer_sys::fuzz_target;

// The Parquet library panics at some files, which is caught; what is not caught ends the fuzzer.
fuzz_target!(init: std::panic::set_hook(Box::new(|_| {})), |files: (&[u8], &[u8])| {
    let Ok(place) = tempfile::tempdir() else { return };
    let path = place.path();
    let written = std::fs::write(path.join("manifest.json"), files.0)
        .and_then(|()| std::fs::write(path.join(folder::RESULTS), files.1));
    if written.is_err() {
        return;
    }
    let _ = Manifest::read(path);
    let _ = figure::charts(path);
});
