//! Tests of the rules and the protocol from outside, in one program: each program more has to be
//! linked.

mod board;
mod house_rules;
mod nearly_right;
mod protocol;
mod sentences;
mod twist;
mod twist_log;
mod twist_model;
