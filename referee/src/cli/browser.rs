//! Opens a page in the user's browser.

use std::path::Path;
use std::process::{Command, Stdio};

use super::complain;
use crate::system;

/// Programs that open a file in the browser of the user, with the words before the file.
const OPENERS: &[&[&str]] = if cfg!(target_os = "macos") {
    &[&["open"]]
} else if cfg!(windows) {
    &[&["cmd", "/C", "start", ""]]
} else {
    &[&["xdg-open"], &["wslview"], &["gio", "open"]]
};

/// Opens the page at `path`, or says that it could not be opened: the page is there all the same.
pub(super) fn open(path: &Path) {
    if !opens(path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        complain(&format!("no browser could be started; open {} in one", path.display()));
    }
}

/// Returns the programs that are tried, in this order.
pub(super) fn openers() -> impl Iterator<Item = &'static str> {
    OPENERS.iter().map(|words| words[0])
}

/// Opens the page at `path`, and returns whether a browser could be started.
pub(super) fn opens(path: &Path) -> bool {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    OPENERS.iter().any(|words| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(&path);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // It starts the browser and ends; a browser that is its child goes on.
        system::run_and_leave(&mut command).is_ok_and(|status| status.success())
    })
}
