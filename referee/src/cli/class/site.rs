//! `referee class site`: the pages.

use std::path::Path;

use super::Class;
use crate::cli::exit::Failure;

/// Writes the pages.
pub(in crate::cli) fn run(folder: &Path) -> Result<(), Failure> {
    let class = Class::open(folder)?;
    let _ = class;
    Ok(())
}
