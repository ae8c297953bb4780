//! The knowledge of languages without a kit.

use super::tools;
use crate::{Ending, FileKind, Flushing, Language, Marker};

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
    flushing: &[Flushing::needed(
        "$| = 1;",
        "in Perl by \"$| = 1;\" at the start",
    )],
    ..Language::NONE
};

pub(super) const PHP: Language = Language {
    name: "PHP",
    interpreters: &["php"],
    endings: &[Ending::new("php", FileKind::Script("php FILE"))],
    flushing: &[Flushing::by_itself(
        "fflush(STDOUT)",
        "in PHP by fflush(STDOUT) after each line",
    )],
    ..Language::NONE
};

pub(super) const LUA: Language = Language {
    name: "Lua",
    interpreters: &["lua", "luajit"],
    endings: &[Ending::new("lua", FileKind::Script("lua FILE"))],
    flushing: &[Flushing::needed(
        "io.stdout:setvbuf(\"line\")",
        "in Lua by io.stdout:setvbuf(\"line\") at the start",
    )],
    ..Language::NONE
};

pub(super) const SHELL: Language = Language {
    name: "shell",
    interpreters: &["bash", "sh"],
    endings: &[Ending::new("sh", FileKind::Script("sh FILE"))],
    flushing: &[Flushing::by_itself(
        "stdbuf -oL",
        "in a shell by echo or printf, or by stdbuf -oL before another program",
    )],
    ..Language::NONE
};

pub(super) const AWK: Language = Language {
    name: "awk",
    interpreters: &["awk", "gawk", "mawk", "nawk"],
    endings: &[Ending::new("awk", FileKind::Script("awk -f FILE"))],
    flushing: &[
        Flushing::needed("fflush()", "in awk by fflush() after each line"),
        Flushing {
            interpreter: Some("mawk"),
            // mawk also buffers its input.
            code: "mawk -W interactive -f FILE",
            how: "in mawk by its option: mawk -W interactive -f FILE",
            is_needed: true,
        },
    ],
    ..Language::NONE
};

pub(super) const TCL: Language = Language {
    name: "Tcl",
    interpreters: &["tclsh"],
    endings: &[Ending::new("tcl", FileKind::Script("tclsh FILE"))],
    flushing: &[Flushing::by_itself(
        "fconfigure stdout -buffering line",
        "in Tcl by \"fconfigure stdout -buffering line\" at the start",
    )],
    ..Language::NONE
};

pub(super) const R: Language = Language {
    name: "R",
    interpreters: &["Rscript"],
    flushing: &[Flushing::needed(
        "flush(stdout())",
        "in R by flush(stdout()) after each line",
    )],
    ..Language::NONE
};

pub(super) const JULIA: Language = Language {
    name: "Julia",
    interpreters: &["julia"],
    endings: &[Ending::new("jl", FileKind::Other)],
    flushing: &[Flushing::needed(
        "flush(stdout)",
        "in Julia by flush(stdout) after each line",
    )],
    ..Language::NONE
};

pub(super) const SCHEME: Language = Language {
    name: "Scheme",
    interpreters: &["guile"],
    flushing: &[Flushing::needed(
        "(force-output)",
        "in Scheme by (force-output) after each line",
    )],
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
