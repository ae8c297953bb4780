//! The lines of a judge, and the replies of players that a judge receives.

#![no_main]

use arena::judge::fuzzing::{announcement, judge_line, reply_for_judge};
use libfuzzer_sys::fuzz_target;

/// What is accepted and printed is accepted again and printed alike; a refusal has a reason.
fn check(line: &[u8], read: fn(&[u8]) -> Result<String, String>) {
    match read(line) {
        Ok(printed) => assert_eq!(read(printed.as_bytes()).as_ref(), Ok(&printed)),
        Err(reason) => {
            assert!(!reason.is_empty());
            assert!(!reason.contains(char::is_control), "{reason:?}");
        }
    }
}

fuzz_target!(|line: &[u8]| {
    check(line, judge_line);
    check(line, announcement);
    check(line, reply_for_judge);
});
