//! Takes the terminal for a screen and panics.

use screen::{Device, Look};

fn main() {
    let _device = Device::take(Look::default()).expect("the test runs it in a terminal");
    panic!("as it should");
}
