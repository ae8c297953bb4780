//! One game.

#[cfg(target_os = "linux")]
mod calls;
mod classic;
mod demo;
mod first_aid;
mod limit;
mod menu;
mod pauses;
mod twist;
