//! The test of the sandbox before a game.

use arena::record::SandboxOfGame;
use arena::terms::{GameTerms, SandboxLevel};
use bothost::{Enforced, Launch};

use crate::exit::Failure;
use crate::note;

/// The warning about a basic sandbox, which keeps less than the word promises.
const WITHOUT_A_WORLD: &str = "--sandbox=basic: bots see command lines of other processes, which files there are, and \
                               what the kernel says of the machine; docs/hostile-bots.md lists what it refuses";

/// Tests the sandbox of `terms`, if there is one, and warns on standard error of what a basic
/// sandbox does not refuse. Returns the refused attempts.
///
/// # Errors
/// If something is possible in it that should not be.
pub fn test_sandbox(terms: &GameTerms, launch: &Launch) -> Result<Option<SandboxOfGame>, Failure> {
    let enforced = launch.test_sandbox();
    let enforced = enforced.map_err(|error| Failure::NotStarted(error.to_string()))?;
    let (Some(level), Some(Enforced { refused, hard })) = (terms.sandbox, enforced) else {
        return Ok(None);
    };
    if level == SandboxLevel::Basic {
        note(WITHOUT_A_WORLD);
    }
    Ok(Some(SandboxOfGame {
        level,
        refused,
        hard_limits: hard,
    }))
}
