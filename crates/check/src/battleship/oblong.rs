//! Failures that depend on the shape of the board.

use battleship::Rules;

use super::boards::rules_of_game;
use crate::check::Check;
use crate::failure::{StepError, StepFailure};

/// Number of trials on the oblong board, all of which have to fail.
const OBLONG_TRIALS: u32 = 3;

/// Number of trials on a square board, all of which have to succeed. A bot that crashes by chance,
/// however often, passes both series of trials once in 600 at most.
const SQUARE_TRIALS: u32 = 3;

/// The numbers of the seeds of the trials, which no step uses.
const FIRST_SEED: u32 = 61;

/// Returns whether a bot whose program ended in a game by `rules` ends in each such game, and in
/// none on a square board. `trial` plays a game in a process of its own.
pub(super) fn fails_on_oblong_only(
    check: &mut Check,
    failure: &StepFailure,
    rules: &Rules,
    trial: &dyn Fn(&mut Check, &Rules, u32) -> Result<(), StepError>,
) -> Result<bool, StepError> {
    let [rows, cols] = rules.size();
    if rows == cols || !failure.is_end_of_program() {
        return Ok(false);
    }
    // The usual board, or that of 5x5 if the contest has an oblong one.
    let usual = &check.setup.rules;
    let number = if usual.size()[0] == usual.size()[1] {
        0
    } else {
        4
    };
    let square = rules_of_game(number, usual);
    let oblong = [(rules, true); OBLONG_TRIALS as usize];
    let trials = oblong
        .into_iter()
        .chain([(&square, false); SQUARE_TRIALS as usize]);
    for (number, (rules, should_fail)) in (FIRST_SEED..).zip(trials) {
        let seed = check.seed(number);
        let has_failed = match trial(check, rules, seed) {
            Ok(()) => false,
            // The bot may give up a placement, which is legal.
            Err(error) if error.is_giving_up() => continue,
            Err(StepError::Failure(again)) if again.ended_by == failure.ended_by => true,
            Err(StepError::Failure(_)) => return Ok(false),
            Err(error) => return Err(error),
        };
        if has_failed != should_fail || check.takes_too_long() {
            return Ok(false);
        }
    }
    Ok(true)
}
