//! The terminal, and the browser that pages open in.

use std::io::{self, IsTerminal};

use bothost::find_on_path;
use screen::{Ground, Look};

use super::Finding;
use crate::cli::browser;
use engine::system;

/// The screen of a game needs this much.
const SCREEN: (u16, u16) = (80, 24);

pub(super) fn look() -> Vec<Finding> {
    vec![terminal(), browser()]
}

fn terminal() -> Finding {
    let name = "terminal";
    if !io::stdout().is_terminal() {
        return Finding::ok(
            name,
            "standard output is not a terminal, so its size is unknown",
        );
    }
    let look = Look::of_environment(false).for_terminal();
    let letters = if look.ascii { "ASCII only" } else { "UTF-8" };
    let colours = match look.ground {
        _ if look.colourless => "no colours (NO_COLOR)",
        Ground::Dark => "colours on dark ground",
        Ground::Light => "colours on light ground",
        Ground::Unknown => "colours for any ground",
    };
    let size = system::terminal_size(&io::stdout());
    let Some((columns, rows)) = size.filter(|(columns, rows)| *columns > 0 && *rows > 0) else {
        return Finding::ok(name, format!("unknown size, {colours}, {letters}"));
    };
    let found = format!("{columns} columns, {rows} rows, {colours}, {letters}");
    if columns < SCREEN.0 || rows < SCREEN.1 {
        let hint = format!(
            "games and --watch need {} columns and {} rows",
            SCREEN.0, SCREEN.1
        );
        Finding::note(name, found, hint)
    } else {
        Finding::ok(name, found)
    }
}

fn browser() -> Finding {
    let name = "browser";
    match browser::openers().find_map(|opener| find_on_path(opener.as_ref())) {
        Some(_) if !has_display() => Finding::note(
            name,
            "there is no display here",
            "--web prints the address to open; over ssh, forward its port",
        ),
        Some(opener) => Finding::ok(name, format!("--open starts it by {}", opener.display())),
        None => {
            let hint = "--web prints the address to open; Debian: apt install xdg-utils";
            Finding::missing(name, "nothing here opens one", hint)
        }
    }
}

/// Whether a browser has somewhere to open, as far as that is known.
fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let says = ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "BROWSER"];
    !cfg!(target_os = "linux") || says.into_iter().any(is_set)
}
