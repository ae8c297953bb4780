//! The terminal where there is none: in a page.

use std::io;
use std::time::Duration;

use crate::draw::Places;
use crate::input::Event;
use crate::look::Look;
use crate::picture::Picture;

/// There is none of it.
#[derive(Debug)]
pub enum Device {}

impl Device {
    /// Takes no terminal.
    ///
    /// # Errors
    /// Always.
    pub fn take(_look: Look) -> io::Result<Device> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "a page has no terminal",
        ))
    }

    /// As of a terminal.
    ///
    /// # Errors
    /// None.
    pub fn size(&self) -> io::Result<(u16, u16)> {
        match *self {}
    }

    pub(crate) fn show(&mut self, _picture: &Picture) -> io::Result<Option<Places>> {
        match *self {}
    }

    pub(crate) fn event(&mut self, _patience: Duration) -> io::Result<Option<Event>> {
        match *self {}
    }

    pub(crate) fn forget_typed(&mut self) -> io::Result<()> {
        match *self {}
    }

    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        match *self {}
    }

    pub(crate) fn redraw(&mut self) -> io::Result<()> {
        match *self {}
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        match *self {}
    }
}

/// Nothing was taken.
pub fn give_back() {}
