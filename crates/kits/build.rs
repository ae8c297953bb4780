//! Finds the folder of the kits' files.

use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    // A link to `examples`, or a copy of it in a package that was packed. A checkout on Windows may
    // have no links.
    let link = package.join("files");
    let folder = if link.is_dir() {
        link
    } else {
        package.join("../../examples")
    };
    println!("cargo::rustc-env=KITS={}", folder.display());
}
