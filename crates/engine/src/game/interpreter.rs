//! Programs that run what another word of their command line names.

/// Programs that do nothing by themselves: the file that they run is another word.
const INTERPRETERS: [&str; 21] = [
    "python", "python3", "pypy", "pypy3", "node", "nodejs", "deno", "bun", "ruby", "java", "perl",
    "php", "lua", "luajit", "bash", "sh", "mono", "dotnet", "Rscript", "julia", "guile",
];

/// Returns whether a program of this name runs the file that another word names.
#[must_use]
pub fn is_interpreter(name: &str) -> bool {
    INTERPRETERS.contains(&without_version(name))
}

/// Returns `python3` of `python3.12`.
#[must_use]
pub fn without_version(name: &str) -> &str {
    name.split_once('.').map_or(name, |(name, _)| name)
}
