//! A record that is looked at in a browser.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use crate::cli::commands::report;
use crate::cli::exit::Failure;
use crate::cli::{browser, complain, listen};
use pages::web::{Server, Settings, Shelf, Stock};
use pages::{ServedPage, served};

/// Says where a page is, and opens it if `opens`.
///
/// # Errors
/// If there is no place for the file that leads the browser there, or no thread.
pub(super) fn announce(server: &Server, opens: bool) -> Result<(), Failure> {
    let link = server.link();
    if !opens {
        complain(&format!("open {link} in a browser on this machine"));
        return Ok(());
    }
    let redirect = server.redirect()?;
    // A browser that starts may still fail to show the page, so the link is said in any case, and before: some systems wait
    // until the browser is closed, for which the thread is too.
    complain(&format!(
        "your browser opens; if it does not, open {link} in one on this machine"
    ));
    let open = move || {
        if !browser::opens(&redirect) {
            complain("no browser could be started; open the link above in one");
        }
    };
    thread::Builder::new()
        .name("browser".to_owned())
        .spawn(open)?;
    Ok(())
}

/// A record, of which a report is made.
struct Record(PathBuf);

impl Stock for Record {
    fn state(&self) -> String {
        // Records only grow; one that cannot be read says why when its page is made.
        let file = self.0.metadata().ok();
        format!("{:?}", file.map(|file| (file.len(), file.modified().ok())))
    }

    fn page(&self) -> Result<ServedPage, String> {
        let page = report::page_of(&self.0).map_err(|failure| failure.to_string())?;
        Ok(served(page))
    }
}

/// Shows the report of `record` in a browser, which it opens if `opens`, until the user presses Ctrl-C, and keeps it up to
/// date.
///
/// # Errors
/// If the record cannot be read, or the machine lacks what a server needs.
pub(crate) fn show_records(record: &Path, opens: bool) -> Result<(), Failure> {
    // A fault in the record has to be reported here, not in the browser.
    report::page_of(record)?;
    let interrupt = listen()?;
    let shelf = Shelf::new(Record(record.to_owned()));
    let server = Server::start(Arc::new(shelf), Settings::default())?;
    announce(&server, opens)?;
    complain("the page is kept up to date until you press Ctrl-C");
    while interrupt.wait(None)? {}
    drop(server);
    Ok(())
}
