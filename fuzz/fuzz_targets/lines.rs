//! Lines of Battleship's protocol, in both directions.

#![no_main]

use battleship::protocol::{MalformedLine, Reply, Request};
use libfuzzer_sys::fuzz_target;

fn check_fault(fault: &MalformedLine) {
    let message = fault.to_string();
    assert!(!message.is_empty());
    assert!(!message.contains(char::is_control), "{message:?}");
}

fuzz_target!(|line: &[u8]| {
    match Reply::parse(line) {
        Ok(reply) => {
            let printed = reply.to_string();
            assert_eq!(Reply::parse(printed.as_bytes()), Ok(reply));
        }
        Err(fault) => check_fault(&fault),
    }
    match Request::parse(line) {
        Ok(request) => {
            let printed = request.to_string();
            assert_eq!(Request::parse(printed.as_bytes()), Ok(request));
        }
        Err(fault) => check_fault(&fault),
    }
});
