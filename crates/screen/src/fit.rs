//! The check that a terminal is large enough.

use std::io;
use std::time::Duration;

use crate::draw::LEAST;
use crate::input::{Input, input};
use crate::picture::{Picture, WayOut};
use crate::terminal::Device;

/// The layout for the size of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// The whole screen.
    Enough,
    /// It is too small, and the person plays in plain words.
    Plain,
    /// The person has left.
    Left,
}

/// Waits until the terminal is large enough, or the person decides otherwise.
///
/// # Errors
/// If the terminal fails.
pub fn wait_until_fits(device: &mut Device, is_interrupted: &dyn Fn() -> bool) -> io::Result<Fit> {
    loop {
        let (width, height) = device.size()?;
        if width >= LEAST.0 && height >= LEAST.1 {
            return Ok(Fit::Enough);
        }
        if is_interrupted() {
            return Ok(Fit::Left);
        }
        let picture = Picture {
            way_out: WayOut::Plain,
            ..Picture::default()
        };
        let places = device.show(&picture)?.unwrap_or_default();
        let event = device.event(Duration::from_millis(100))?;
        match event.and_then(|event| input(&event, &places)) {
            Some(Input::Typed('p' | 'P')) => return Ok(Fit::Plain),
            Some(Input::Typed('q' | 'Q') | Input::Interrupt | Input::Escape) => {
                return Ok(Fit::Left);
            }
            Some(Input::Suspend) => device.suspend()?,
            Some(_) | None => {}
        }
    }
}
