//! The tools of the languages.

use crate::Tool;

const fn tool(name: &'static str, [debian, homebrew, winget]: [&'static str; 3]) -> Tool {
    Tool {
        name,
        debian,
        homebrew,
        winget,
    }
}

const JDK: [&str; 3] = [
    "default-jdk-headless",
    "openjdk",
    "EclipseAdoptium.Temurin.21.JDK",
];
/// The Rust of Debian's packages is older than what the referee needs.
const RUSTUP: [&str; 3] = ["https://rustup.rs", "rust", "Rustlang.Rustup"];
const MINGW: &str = "BrechtSanders.WinLibs.POSIX.UCRT";

/// The C compiler.
pub const CC: Tool = tool("cc", ["gcc", "gcc", MINGW]);
/// The C++ compiler.
pub const CXX: Tool = tool("c++", ["g++", "gcc", MINGW]);
/// The tool for a `Makefile`.
pub const MAKE: Tool = tool("make", ["make", "make", "ezwinports.make"]);
/// The tool for archives that the referee does not read itself. Windows has it as `tar`.
pub const BSDTAR: Tool = tool("bsdtar", ["libarchive-tools", "libarchive", ""]);
/// Python.
pub const PYTHON: Tool = tool("python3", ["python3", "python", "Python.Python.3.13"]);
/// Node.js.
pub const NODE: Tool = tool("node", ["nodejs", "node", "OpenJS.NodeJS.LTS"]);
/// The tool that runs classes of Java.
pub const JAVA: Tool = tool("java", JDK);
/// The Java compiler.
pub const JAVAC: Tool = tool("javac", JDK);
/// Go.
pub const GO: Tool = tool("go", ["golang-go", "go", "GoLang.Go"]);
/// Ruby.
pub const RUBY: Tool = tool("ruby", ["ruby", "ruby", "RubyInstallerTeam.Ruby.3.4"]);
/// The Rust compiler.
pub const RUSTC: Tool = tool("rustc", RUSTUP);
/// The tool that builds packages of Rust.
pub const CARGO: Tool = tool("cargo", RUSTUP);
/// The tool that runs programs of .NET.
pub const MONO: Tool = tool("mono", ["mono-runtime", "mono", "Mono.Mono"]);
