//! Valid examples of every format that is read.

/// Records: of contests in every version of the header, of a tournament in which a bot crashes, of single games by both
/// rules, and a contest by the rules of the twist as version 0.1.0 wrote it. Each is one file.
pub const RECORDS: [&[u8]; 6] = [
    include_bytes!("../corpus/match.jsonl"),
    include_bytes!("../corpus/version2.jsonl"),
    include_bytes!("../corpus/version1.jsonl"),
    include_bytes!("../corpus/swiss.jsonl"),
    include_bytes!("../corpus/games.jsonl"),
    include_bytes!("../corpus/twist.jsonl"),
];

/// Files of options.
pub const CONFIGURATIONS: [&str; 1] = [include_str!("../corpus/cup.toml")];

/// Logs of the original twist program.
pub const TWIST_LOGS: [&str; 1] = [include_str!("../corpus/twist.log")];

/// What a referee says to a bot: one whole dialogue by each of the rules.
pub const DIALOGUES: [&str; 2] =
    [include_str!("../corpus/classic.txt"), include_str!("../corpus/twist.txt")];

const REQUESTS: &str = include_str!("../corpus/requests.txt");

const REPLIES: &str = include_str!("../corpus/replies.txt");

/// Returns the lines of requests.
#[must_use]
pub fn requests() -> Vec<&'static [u8]> {
    REQUESTS.lines().map(str::as_bytes).collect()
}

/// Returns the lines of replies.
#[must_use]
pub fn replies() -> Vec<&'static [u8]> {
    REPLIES.lines().map(str::as_bytes).collect()
}
