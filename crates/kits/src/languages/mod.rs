//! The entries, a file each.

mod c;
mod cpp;
mod go;
mod java;
mod javascript;
mod others;
mod python;
mod ruby;
mod rust;
pub mod tools;

use crate::Language;

/// The files of a kit, by their paths in its folder.
macro_rules! files {
    ($folder:literal: $($path:literal)+) => {
        &[$(($path, include_str!(concat!(env!("KITS"), "/", $folder, "/", $path)))),+]
    };
}
use files;

/// The files that each kit has besides its own: in place of BUILD and PLAYER are the commands of
/// the kit.
pub(crate) const SHARED: &[(&str, &str)] = files!("shared": ".github/workflows/check.yml");

/// The files of a judge to start from: its program, a page of its rules for authors of bots, and a
/// bot.
pub const JUDGE: &[(&str, &str)] = files!("judges/tic_tac_toe": "judge.py" "RULES.md" "bot.py");

/// All languages. A folder with the files of several is of the first of them.
pub const LANGUAGES: &[Language] = &[
    python::PYTHON,
    javascript::JAVASCRIPT,
    ruby::RUBY,
    java::JAVA,
    go::GO,
    // A build file comes before the needs of sources.
    others::MAKE,
    cpp::CPP,
    c::C,
    rust::RUST,
    others::C_SHARP,
    others::PERL,
    others::PHP,
    others::LUA,
    others::SHELL,
    others::AWK,
    others::TCL,
    others::R,
    others::JULIA,
    others::SCHEME,
    others::HASKELL,
    others::SWIFT,
    others::ZIG,
    others::WEBASSEMBLY,
];
