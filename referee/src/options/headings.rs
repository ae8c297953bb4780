//! The headings under which the help of a command lists its options.

/// The game that is played.
pub const GAME: &str = "The game";

/// The times that players have.
pub const LIMITS: &str = "Limits";

/// The options for bots that are not trusted.
pub const SANDBOX: &str = "Sandbox";

/// The options for the start of bots.
pub const BOTS: &str = "Bots";

/// The options of output.
pub const OUTPUT: &str = "Output";

/// The help, and the file of settings.
pub const MORE: &str = "More";
