//! The knowledge of languages without a kit.

use super::tools;
use crate::{Ending, FileKind, Language, Marker};

/// The tools that build bots in any language, and open their archives.
pub(super) const MAKE: Language = Language {
    name: "make",
    markers: &[Marker::new("Makefile", Some("make"), "./bot")],
    tools: &[tools::MAKE, tools::BSDTAR],
    ..Language::NONE
};

pub(super) const C_SHARP: Language = Language {
    name: "C#",
    interpreters: &["mono", "dotnet"],
    endings: &[Ending::new("cs", FileKind::Other)],
    tools: &[tools::MONO],
    ..Language::NONE
};

pub(super) const PERL: Language = Language {
    name: "Perl",
    interpreters: &["perl"],
    endings: &[Ending::new("pl", FileKind::Script("perl FILE"))],
    ..Language::NONE
};

pub(super) const PHP: Language = Language {
    name: "PHP",
    interpreters: &["php"],
    endings: &[Ending::new("php", FileKind::Script("php FILE"))],
    ..Language::NONE
};

pub(super) const LUA: Language = Language {
    name: "Lua",
    interpreters: &["lua", "luajit"],
    endings: &[Ending::new("lua", FileKind::Script("lua FILE"))],
    ..Language::NONE
};

pub(super) const SHELL: Language = Language {
    name: "shell",
    interpreters: &["bash", "sh"],
    endings: &[Ending::new("sh", FileKind::Script("sh FILE"))],
    ..Language::NONE
};

pub(super) const R: Language = Language {
    name: "R",
    interpreters: &["Rscript"],
    ..Language::NONE
};

pub(super) const JULIA: Language = Language {
    name: "Julia",
    interpreters: &["julia"],
    endings: &[Ending::new("jl", FileKind::Other)],
    ..Language::NONE
};

pub(super) const SCHEME: Language = Language {
    name: "Scheme",
    interpreters: &["guile"],
    ..Language::NONE
};

pub(super) const HASKELL: Language = Language {
    name: "Haskell",
    endings: &[Ending::new("hs", FileKind::Source("ghc -O -o OUT FILE"))],
    ..Language::NONE
};

pub(super) const SWIFT: Language = Language {
    name: "Swift",
    endings: &[Ending::new("swift", FileKind::Other)],
    ..Language::NONE
};

/// Whatever it was written in.
pub(super) const WEBASSEMBLY: Language = Language {
    name: "WebAssembly",
    markers: &[Marker::new("bot.wasm", None, "./bot.wasm")],
    ..Language::NONE
};

pub(super) const ZIG: Language = Language {
    name: "Zig",
    caches: &[".zig-cache"],
    ..Language::NONE
};
