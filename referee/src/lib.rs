//! The referee: plays Battleship between programs and judges them. Its one public part is the program itself,
//! [`cli`]; `ARCHITECTURE.md` describes the rooms behind it.

#![deny(unsafe_code)]
// On Linux these can fail, and use what they are called on.
#![cfg_attr(
    not(target_os = "linux"),
    allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "as on Linux")
)]

pub mod cli;
