//! The behaviour that stays the same until version 2: `docs/stability.md` promises it, and each promise has a test here. The
//! list of options has those of version 1. A line may be added to it for a new promise, and none removed.

mod dialogue;
mod exit_codes;
mod options;
mod records;
mod schemas;

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::common::{project_file, text_of};

/// Whether what is new is to be written to the list and the schemas.
fn is_to_write() -> bool {
    std::env::var_os("WRITE_PROMISES").is_some()
}

/// Compares what there is with a list beside the tests. With `WRITE_PROMISES=1` in the environment the list gets what is new.
///
/// # Panics
/// If something promised is not there any more, or something is there that is not in the list.
fn compare(list: &str, there: &BTreeSet<String>) {
    let path: PathBuf = project_file("tests/promises").join(list);
    let mut promised: BTreeSet<String> = text_of(&path).lines().map(str::to_owned).collect();
    if is_to_write() {
        promised.extend(there.iter().cloned());
        let lines: Vec<&str> = promised.iter().map(String::as_str).collect();
        std::fs::write(&path, lines.join("\n") + "\n").unwrap();
    }
    assert!(!promised.is_empty(), "tests/promises/{list} is empty");
    let gone: Vec<_> = promised.difference(there).collect();
    assert!(
        gone.is_empty(),
        "promised in tests/promises/{list}, and gone: {gone:#?}"
    );
    let new: Vec<_> = there.difference(&promised).collect();
    assert!(
        new.is_empty(),
        "new; tests/promises/{list} is to promise it: {new:#?}"
    );
}
