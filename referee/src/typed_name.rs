//! How the referee is typed where `referee` does not start it, as in a clone that was not installed.

use std::path::{Path, PathBuf};
use std::sync::Once;

use arena::system::quoted_word;
use bothost::find_on_path;

use crate::note;

/// Returns the folder of the source, if this program was built there by cargo.
pub(crate) fn clone_root() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let folders = program.ancestors();
    let target = folders.clone().find(|folder| folder.ends_with("target"));
    let beside_target = target.and_then(Path::parent).map(Path::to_owned);
    // Another folder may have been chosen for what cargo builds.
    let of_cargo = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let mut roots = [beside_target, of_cargo].into_iter().flatten();
    roots.find(|root| root.join("Cargo.toml").is_file() && root.join("referee").is_dir())
}

/// Returns the number of folders from the current one up to that of the source; `None` outside of
/// it.
pub(crate) fn depth_in_clone() -> Option<usize> {
    let root = clone_root()?.canonicalize().ok()?;
    let here = std::env::current_dir().ok()?.canonicalize().ok()?;
    Some(here.strip_prefix(root).ok()?.components().count())
}

/// Returns the sentence that says how to type the referee in the current folder, or in another one
/// if `elsewhere`; `None` if `referee` starts this program.
pub(crate) fn how_to_type(elsewhere: bool) -> Option<String> {
    if cfg!(target_os = "wasi") {
        return None;
    }
    let program = std::env::current_exe().ok()?;
    let same_file = |path: PathBuf| path.canonicalize().ok() == program.canonicalize().ok();
    if find_on_path("referee".as_ref()).is_some_and(same_file) {
        return None;
    }
    let depth = depth_in_clone().filter(|_| !elsewhere);
    let typed = match depth {
        Some(_) => "cargo run --".to_owned(),
        None => quoted_word(&program.to_string_lossy()),
    };
    let install = clone_root().map_or_else(String::new, |root| {
        let root = match depth {
            Some(0) => ".".to_owned(),
            Some(_) | None => quoted_word(&root.to_string_lossy()),
        };
        format!(",\nor install it once: cargo install --locked --path {root}")
    });
    Some(format!(
        "\"referee\" does not start this program here: type {typed} in its place{install}"
    ))
}

/// Notes how to type the referee, once in a run that prints commands.
pub(crate) fn note_once() {
    static NOTED: Once = Once::new();
    NOTED.call_once(|| {
        if let Some(how) = how_to_type(false) {
            note(&how);
        }
    });
}
