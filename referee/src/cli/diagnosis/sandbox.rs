//! The sandbox that holds, and the kernel's limits for a bot.

use super::Finding;

/// The names of the findings.
const NAMES: [&str; 2] = ["sandbox", "cgroups"];

#[cfg(target_os = "linux")]
pub(super) fn look() -> Vec<Finding> {
    use battleship::Game;
    use bothost::sandbox::Enforced;

    use super::State;
    use crate::cli::commands::hidden::enforced;
    use crate::cli::own_program;
    use engine::terms::{GameTerms, SandboxLevel};

    let [sandbox, cgroups] = NAMES;
    let test = |level| {
        let usual = GameTerms::usual(battleship::Rules::Classic(Game::standard()));
        let terms = GameTerms {
            sandbox: Some(level),
            ..usual
        };
        let launch = terms.launch(own_program().map_err(|error| error.to_string())?);
        let held = enforced(&launch).map_err(|failure| failure.to_string())?;
        held.ok_or_else(|| "nothing supervises bots here".to_owned())
    };
    let (held, hard) = match test(SandboxLevel::World) {
        Ok(Enforced { refused, hard }) => {
            let tried = refused.len();
            let found = format!("--sandbox holds: a test tried {tried} things, all were refused");
            (Finding::ok(sandbox, found), Some(hard))
        }
        Err(why) => {
            let why = why.lines().next().unwrap_or_default().to_owned();
            let hint = "docs/hostile-bots.md says more";
            if let Ok(Enforced { hard, .. }) = test(SandboxLevel::Basic) {
                let found = format!("only --sandbox=basic holds; --sandbox: {why}");
                (Finding::note(sandbox, found, hint), Some(hard))
            } else {
                let found = format!("bots run without one: {why}");
                (Finding::missing(sandbox, found, hint), None)
            }
        }
    };
    let groups = match hard {
        Some(hard) if !hard.is_empty() => {
            let hard: Vec<_> = hard.iter().map(ToString::to_string).collect();
            Finding::ok(
                cgroups,
                format!(
                    "the kernel limits or shares out {} of a bot",
                    hard.join(", ")
                ),
            )
        }
        Some(_) => Finding::note(
            cgroups,
            "this user cannot make any, so the referee counts a bot's memory and threads itself",
            "systemd-run --user --scope -p Delegate=yes referee ... may allow it",
        ),
        None => Finding::new(cgroups, State::Missing, "not tried without a sandbox"),
    };
    vec![held, groups]
}

#[cfg(not(target_os = "linux"))]
pub(super) fn look() -> Vec<Finding> {
    let missing = |name| {
        Finding::note(
            name,
            "only on Linux",
            "run bots of strangers in a virtual machine",
        )
    };
    NAMES.map(missing).to_vec()
}
