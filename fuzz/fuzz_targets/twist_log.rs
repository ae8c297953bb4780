//! Log files of the original twist program.

#![no_main]

use battleship::twist::{Log, OriginalQuirks, original_differs, replay};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    match Log::parse(file) {
        Ok(log) => {
            let printed = log.to_string();
            assert_eq!(Log::parse(printed.as_bytes()).as_ref(), Ok(&log));
            for quirks in [log.rules.quirks(), OriginalQuirks::ORIGINAL] {
                for fault in replay(&log, quirks).filter_map(Result::err) {
                    assert!(!fault.to_string().is_empty());
                }
            }
            let _ = original_differs(&log);
        }
        Err(fault) => {
            let lines = 1 + file.iter().filter(|byte| **byte == b'\n').count();
            // A log that ends too early is refused at the line that is missing.
            assert!((1..=lines + 1).contains(&fault.line), "{fault}");
        }
    }
});
