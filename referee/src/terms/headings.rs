//! The headings under which the help of a command lists its options. Options without one come first.

/// What is played.
pub(crate) const GAME: &str = "The game";

/// How long players may take.
pub(crate) const LIMITS: &str = "Limits";

/// What a bot that is not trusted may do.
pub(crate) const SANDBOX: &str = "Sandbox";

/// How bots run.
pub(crate) const BOTS: &str = "Bots";

/// What is printed and written.
pub(crate) const OUTPUT: &str = "Output";

/// How a contest is played on many machines.
pub(crate) const CLUSTER: &str = "Cluster";
