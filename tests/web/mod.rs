//! Playing and watching in a browser.

#[cfg(all(unix, feature = "web"))]
mod client;
#[cfg(all(unix, feature = "web"))]
mod pages;
#[cfg(not(feature = "web"))]
mod without;

#[cfg(all(unix, feature = "web"))]
pub(crate) use client::Served;
