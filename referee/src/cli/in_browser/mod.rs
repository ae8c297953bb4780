//! Playing and watching in a browser: the options for it, and the server while it is wanted.

use std::time::Duration;

use clap::Args;

use engine::terms::{headings, time_limit};

#[cfg(feature = "web")]
mod game;
#[cfg(feature = "web")]
mod records;
#[cfg(not(feature = "web"))]
mod without;

#[cfg(not(feature = "web"))]
pub(super) use self::without::{BrowserGame, Hall, show_records};
#[cfg(feature = "web")]
pub(super) use self::{
    game::{BrowserGame, Hall},
    records::show_records,
};

/// Options for the browser.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct BrowserOptions {
    /// Play in a browser on this machine
    ///
    /// Its address is printed.
    #[arg(long, help_heading = headings::OUTPUT)]
    pub(crate) web: bool,
    /// Open the browser too
    #[arg(long, help_heading = headings::OUTPUT, requires = "web")]
    pub(crate) open: bool,
    /// A person whose page is closed for this long resigns
    #[arg(long, value_name = "TIME", value_parser = time_limit, default_value = "1m", hide = true)]
    pub(crate) web_patience: Duration,
}
