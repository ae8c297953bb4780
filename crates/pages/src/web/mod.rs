//! Games in a browser: a small web server for the person at this machine, what it lets in, and what it shows.
//!
//! The server listens on the loopback interface only, and lets in the browser that opened its link. `gate` has the rules for
//! that, `serve` the limits for slow clients, `routes` what can be asked for, `feed` the events that keep
//! a page up to date.
//! A `Site` is what is shown: games that a person plays (`hall`, each at a `table`), or a record (`shelf`).

mod feed;
mod gate;
mod hall;
mod routes;
mod secret;
mod serve;
mod shelf;
mod site;
mod table;
#[cfg(test)]
mod tests;

pub use self::hall::Hall;
pub use self::serve::{Server, Settings};
pub use self::shelf::{Shelf, Stock};
pub use self::site::Site;
pub use self::table::WebTable;
