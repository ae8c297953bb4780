//! Takes the terminal for a screen and panics. A black-box test checks that the terminal is
//! restored.

use screen::{Device, Look};

fn main() {
    let _device = Device::take(Look::default()).expect("the test runs it in a terminal");
    panic!("as it should");
}
