//! Every importer over hostile bytes: the first byte picks the format (or recognition), the rest is
//! the file. Nothing may panic, hang or fill the memory.

#![no_main]

use std::io::Write;

use failover_budget::recorded::{self, Format, Options};
use libfuzzer_sys::fuzz_target;

/// Takes a megabyte and is full then: a line of a recording may stand for years of probes.
struct Sink(usize);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

// The Parquet library panics at some files, which is caught; what is not caught ends the fuzzer.
fuzz_target!(init: std::panic::set_hook(Box::new(|_| {})), |data: &[u8]| {
    let Some((first, content)) = data.split_first() else { return };
    let Ok(mut file) = tempfile::NamedTempFile::new() else { return };
    if file.write_all(content).is_err() {
        return;
    }
    let format = Format::ALL.get(usize::from(*first) % (Format::ALL.len() + 1)).copied();
    let options = Options { format, ..Options::default() };
    if let Ok(read) = recorded::read(file.path(), &options) {
        for recording in read {
            let mut sink = Sink(1 << 20);
            let _ = recorded::write_csv(&recording.history, recording.epoch, &mut sink);
        }
    }
    let _ = recorded::durations(file.path(), &options);
});
