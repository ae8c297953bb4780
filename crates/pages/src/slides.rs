//! Shows a recorded game turn by turn.

use std::io::{self, Write};
use std::time::Duration;

use bothost::Interrupt;

use arena::game::Stop;
use arena::system::takes_escapes;

/// Shows pictures of a game one after another, each for `delay`. On a terminal each takes the place
/// of the one before.
///
/// # Errors
/// If they cannot be written, or the user interrupts.
pub fn show_slides(
    pictures: &[String],
    delay: Duration,
    interrupt: &Interrupt,
) -> Result<(), Stop> {
    let out = io::stdout();
    // To the top left, and clear to the end: clearing the whole screen first would flicker.
    let before = if takes_escapes(&out) {
        "\x1b[H\x1b[J"
    } else {
        ""
    };
    let mut out = out.lock();
    for (number, picture) in (1..).zip(pictures) {
        write!(out, "{before}{picture}")?;
        out.flush()?;
        // An interrupt is noticed without a delay, too.
        if number < pictures.len() && !interrupt.wait(Some(delay))? {
            return Err(Stop::Interrupted);
        }
    }
    Ok(())
}
