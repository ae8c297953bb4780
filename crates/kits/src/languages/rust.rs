//! Rust.

use super::tools;
use crate::{Ending, FileKind, Kit, Lack, Language, Marker};

/// A file of the kit, at the first path in its folder and the second in `examples/rust`.
macro_rules! file {
    ($path:literal, $source:literal) => {
        (
            $path,
            include_str!(concat!(env!("KITS"), "/rust/", $source)),
        )
    };
}

pub(super) const RUST: Language = Language {
    name: "Rust",
    markers: &[Marker {
        file: "Cargo.toml",
        // The folder of the build is far larger than the program.
        build: Some(
            "cargo build --release --offline && mkdir -p bin && cp \"${CARGO_TARGET_DIR:-target}/release/NAME\" bin/",
        ),
        run: "bin/NAME",
        lacks: Lack::ProgramName,
    }],
    endings: &[Ending::new("rs", FileKind::Source("rustc -O -o OUT FILE"))],
    tools: &[tools::RUSTC, tools::CARGO],
    caches: &["target"],
    build_folders: &["target"],
    kits: &[Kit {
        names: &["rust", "rs"],
        title: "Rust",
        rank: 6,
        yours: "src/strategy.rs",
        build: Some("cargo build --release"),
        own_name: Some("Oxide"),
        player: "target/release/bot",
        files: &[
            file!("README.md", "README.md"),
            // Cargo would take a folder with a `Cargo.toml` for another package, and leave it out
            // of this one.
            file!("Cargo.toml", "Cargo.toml.in"),
            file!("src/main.rs", "src/main.rs"),
            file!("src/strategy.rs", "src/strategy.rs"),
            file!("src/tests.rs", "src/tests.rs"),
            file!("tests/plays.rs", "tests/plays.rs"),
        ],
    }],
    ..Language::NONE
};
