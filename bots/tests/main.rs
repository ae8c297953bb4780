//! Tests of the players from outside, in one program.

mod good;
mod twist;
