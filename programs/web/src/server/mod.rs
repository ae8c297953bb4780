//! Games in a browser: a small web server for the person at this machine, what it lets in, and what
//! it shows.
//!
//! The server listens on the loopback interface only, and lets in the browser that opened its link.
//! `gate` has the rules for that, `serve` the limits for slow clients, `routes` what can be asked
//! for, `feed` the events that keep a page up to date. A `Site` is what is shown: games that a
//! person plays (`hall`, each at a `table`).

mod feed;
mod gate;
mod hall;
mod routes;
mod secret;
mod serve;
mod site;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use self::hall::Hall;
pub(crate) use self::serve::{Server, Settings};
pub(crate) use self::site::Site;
pub(crate) use self::table::WebTable;
