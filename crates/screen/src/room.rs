//! Whether a terminal is large enough.

use std::io;
use std::time::Duration;

use crate::draw::LEAST;
use crate::input::{Input, input};
use crate::picture::{Picture, WayOut};
use crate::terminal::Device;

/// The layouts for which there is room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
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
pub fn wait_for_room(device: &mut Device, is_interrupted: &dyn Fn() -> bool) -> io::Result<Room> {
    loop {
        let (width, height) = device.size()?;
        if width >= LEAST.0 && height >= LEAST.1 {
            return Ok(Room::Enough);
        }
        if is_interrupted() {
            return Ok(Room::Left);
        }
        let picture = Picture {
            way_out: WayOut::Plain,
            ..Picture::default()
        };
        let places = device.show(&picture)?.unwrap_or_default();
        let event = device.event(Duration::from_millis(100))?;
        match event.and_then(|event| input(&event, &places)) {
            Some(Input::Typed('p' | 'P')) => return Ok(Room::Plain),
            Some(Input::Typed('q' | 'Q') | Input::Interrupt | Input::Escape) => {
                return Ok(Room::Left);
            }
            Some(Input::Suspend) => device.suspend()?,
            Some(_) | None => {}
        }
    }
}
