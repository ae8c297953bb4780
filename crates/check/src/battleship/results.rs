//! Steps on attacks and their results.

use arena::game::EndedBy;
use battleship::protocol::{Outcome, Request};
use battleship::{AttackResult, Point, Rules};

use super::boards::{GAMES, rules_of_game};
use super::oblong::fails_on_oblong_only;
use super::shots::Waste;
use crate::battleship::play::Play;
use crate::check::{Check, OtherBoards, PASS, StepResult, Verdict};
use crate::failure::StepError;
use crate::report::Finding;
use crate::session::Session;

/// Number of attempts of a bot that does not sink a fleet before it counts as one that cannot.
const TRIES_TO_WIN: u32 = 8;

/// Whole games, in which no attack should be wasted.
pub(crate) fn attacks(check: &mut Check) -> StepResult {
    let mut games = 0;
    let mut attacks = 0;
    let mut odd: Option<Finding> = None;
    let usual = check.setup.rules.clone();
    'boards: for (number, board) in (1..).zip(0..GAMES.len()) {
        let rules = if check.setup.player.one_game {
            usual.clone()
        } else {
            rules_of_game(board, &usual)
        };
        // Another step has found out what the bot does there: if it says nothing, it has waited long
        // enough.
        if matches!(
            check.other_boards,
            OtherBoards::AsUsual | OtherBoards::Silently
        ) && rules != usual
        {
            continue;
        }
        // A bot that leaves much to chance may fail to sink a fleet now and then.
        for nth in 0..TRIES_TO_WIN {
            let seed = check.seed_instead_of(check.seed(number), nth);
            let is_last = nth + 1 == TRIES_TO_WIN;
            // Each in a process of its own: several games in one are another step.
            let mut session = Session::open(check)?;
            let mut play = match Play::begin(&mut session, rules.clone(), seed) {
                Ok(play) => play,
                Err(error) if error.is_giving_up() && !is_last => continue,
                // Another step finds out what it cannot place. The first game is the usual one,
                // which it can.
                Err(StepError::Failure(failure))
                    if failure.request == Request::Place && games > 0 =>
                {
                    continue 'boards;
                }
                Err(error) => return Err(error),
            };
            match play.finish() {
                Ok(true) => {}
                Ok(false) => {
                    let remark = format!(
                        "{games} games, {attacks} attacks; it takes its time, so no more was tried"
                    );
                    return Ok(odd.map_or(Verdict::Pass(remark), Verdict::Warn));
                }
                Err(StepError::Failure(mut failure)) if games > 0 => {
                    let plays = |check: &mut Check, rules: &Rules, seed| {
                        Play::begin(&mut Session::open(check)?, rules.clone(), seed)?
                            .finish()
                            .map(drop)
                    };
                    if fails_on_oblong_only(check, &failure, &rules, &plays)? {
                        failure.blame_oblong(rules.size());
                    }
                    return Err(StepError::Failure(failure));
                }
                Err(error) => return Err(error),
            }
            games += 1;
            attacks += play.shots.count;
            let waste = play.shots.waste();
            let systematic = waste.as_ref().is_some_and(|waste| waste.systematic);
            if systematic || (!play.is_won() && is_last) {
                return Ok(Verdict::Fail(finding_on_attacks(&play, waste)));
            }
            if odd.is_none() && (waste.is_some() || !play.is_won()) {
                odd = Some(finding_on_attacks(&play, waste));
            }
            if play.is_won() {
                break;
            }
        }
    }
    let remark = format!("{games} games, {attacks} attacks");
    Ok(odd.map_or(Verdict::Pass(remark), Verdict::Warn))
}

/// Returns the finding on the attacks of a game that has ended.
pub(crate) fn finding_on_attacks(play: &Play<'_, '_>, waste: Option<Waste>) -> Finding {
    let (mut what, cause) = if let Some(waste) = waste {
        (waste.what, waste.cause)
    } else {
        let untried = play.shots.untried();
        let untried = untried.map(|at| format!("it never attacked {at}"));
        (
            format!("did not sink the fleet: {}", untried.unwrap_or_default()),
            play.shots.why_in_square().unwrap_or("Some cells are never attacked: look at the first and the last row and column, and at what the bot does when all of its special targets are used up.").to_owned(),
        )
    };
    if !play.is_won() {
        what = format!(
            "{what}; after {} attacks the fleet was not sunk, and the game over without a winner",
            play.shots.count
        );
    }
    let dialogue = play.first_waste.clone();
    Finding {
        what,
        expected: "every attack on a cell of the board that was not attacked before; all others are legal, but they waste the turn"
            .to_owned(),
        cause,
        dialogue: dialogue.unwrap_or_else(|| play.session.log.shortened()),
    }
}

/// A game with every kind of result that its attacks have: a bot that wastes no attack is not told
/// that it did.
pub(crate) fn every_result(check: &mut Check) -> StepResult {
    let mut session = Session::open(check)?;
    let mut impacts = [false; 4];
    // A bot that wins without a miss has another game.
    for seed in 11..13 {
        let mut play = Play::usual(&mut session, seed)?;
        for _ in 0..play.longest() {
            for turn in play.turn()? {
                impacts[match turn.impact() {
                    AttackResult::Miss => 0,
                    AttackResult::Hit => 1,
                    AttackResult::Sunk(_) => 2,
                    AttackResult::Wasted => 3,
                }] = true;
            }
            if play.is_won() || impacts == [true; 4] || play.session.check.takes_too_long() {
                break;
            }
            play.opponents_turn()?;
        }
        // It has to get over the last result too.
        play.turn()?;
        let reason = if play.is_won() {
            EndedBy::FleetSunk
        } else {
            EndedBy::Resigned
        };
        session.tell_end(Outcome::Won, reason)?;
        if impacts[..3] == [true; 3] || session.check.takes_too_long() {
            break;
        }
    }
    session.close()?;
    let mut words = vec!["miss", "hit", "sunk", "wasted"];
    let mut impacts = impacts.into_iter();
    words.retain(|_| impacts.next() == Some(true));
    Ok(Verdict::Pass(words.join(", ")))
}

/// Notices of the opponent's shots wherever they may go, and whenever they may come.
pub(crate) fn notices(check: &mut Check) -> StepResult {
    let names_ship = check.setup.rules.describe().names_ship;
    let mut session = Session::open(check)?;
    let mut play = Play::usual(&mut session, 3)?;
    let mut anywhere = vec![(0, 0), (9, 9), (9, 9), (-1, 10), (i32::MIN, i32::MAX)];
    if names_ship {
        // Shots outside are refused where a ship shoots.
        anywhere.truncate(3);
    }
    let anywhere = anywhere.into_iter();
    let anywhere = anywhere.map(|(row, col)| Request::Opponent(Point::new(row, col)));
    // Several at once, and then one before each turn.
    for notice in anywhere.clone() {
        play.session.tell(notice)?;
    }
    for notice in anywhere {
        play.session.tell(notice)?;
        play.turn()?;
        if names_ship {
            play.opponents_turn()?;
        }
    }
    session.tell_won()?;
    session.close()?;
    Ok(PASS)
}
