//! Every importer over hostile bytes: the first byte picks the format (or recognition), the rest is
//! the file. Nothing may panic, hang or fill the memory.

#![no_main]

use std::io::Write;

use failover_budget::recorded::{self, Format, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((first, content)) = data.split_first() else { return };
    let Ok(mut file) = tempfile::NamedTempFile::new() else { return };
    if file.write_all(content).is_err() {
        return;
    }
    let format = Format::ALL.get(usize::from(*first) % (Format::ALL.len() + 1)).copied();
    let options = Options { format, ..Options::default() };
    if let Ok(read) = recorded::read(file.path(), &options) {
        for recording in read {
            let mut written = Vec::new();
            let _ = recorded::write_csv(&recording.history, recording.epoch, &mut written);
        }
    }
    let _ = recorded::durations(file.path(), &options);
});
