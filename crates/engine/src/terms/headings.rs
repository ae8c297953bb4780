//! The headings under which the help of a command lists its options. Options without one come first.

/// What is played.
pub const GAME: &str = "The game";

/// The time that players may take.
pub const LIMITS: &str = "Limits";

/// What a bot that is not trusted may do.
pub const SANDBOX: &str = "Sandbox";

/// How bots run.
pub const BOTS: &str = "Bots";

/// What is printed and written.
pub const OUTPUT: &str = "Output";

/// How a contest is played on many machines.
pub const CLUSTER: &str = "Cluster";

/// What depends on the machine: a file of settings has a section for each.
pub const OF_MACHINE: [&str; 4] = [LIMITS, SANDBOX, BOTS, CLUSTER];
