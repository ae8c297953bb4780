//! Battleship on the terminal: a screen to play at, to watch games, and to look back at them.

#![deny(unsafe_code)]
#![cfg_attr(
    target_os = "wasi",
    allow(dead_code, reason = "a page has no terminal to draw on")
)]
// On Linux these can fail, and use what they are called on.
#![cfg_attr(
    not(target_os = "linux"),
    allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "as on Linux")
)]

mod contest;
mod draw;
mod fit;
mod input;
pub mod live;
mod look;
mod picture;
mod play;
mod scene;
#[cfg(unix)]
mod stop;
pub mod story;
#[cfg_attr(target_os = "wasi", path = "no_terminal.rs")]
mod terminal;
#[cfg(test)]
mod testing;
mod time;
mod watch;

pub use contest::watch_contest;
pub use draw::LEAST;
pub use fit::{Fit, wait_until_fits};
pub use look::{Ground, Look};
pub use play::{People, play};
pub use terminal::{Device, give_back};
pub use watch::{Left, watch};
