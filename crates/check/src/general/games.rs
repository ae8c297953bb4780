//! Steps on several games in one process, and on games that end early.

use arena::game::EndedBy;
use battleship::Rules;
use battleship::protocol::Outcome;

use crate::battleship::boards::rules_of_game;
use crate::battleship::play::Play;
use crate::battleship::results::finding_on_attacks;
use crate::check::{Check, OtherBoards, PASS, StepResult, Verdict};
use crate::failure::StepError;
use crate::report::Finding;
use crate::session::Session;

/// Turns of each game, where there is one board only.
const TURNS: usize = 20;

/// Number of times that a fault in a later game is tried again, in the same order of games and
/// alone, before the earlier games are blamed. A fault that happens half of the time does so by
/// chance once in 2^15.
const CONFIRMATIONS: u32 = 8;

/// Games one after the other, of different sizes, and the first one again.
pub(crate) fn several(check: &mut Check) -> StepResult {
    if check.setup.rules.game().is_none() {
        let mut session = Session::open(check)?;
        for seed in 21..24 {
            Play::usual(&mut session, seed)?.turns(TURNS)?;
            session.tell_end(Outcome::Void, EndedBy::TurnCap)?;
        }
        session.close()?;
        return Ok(Verdict::Pass("3 games".to_owned()));
    }
    // A bot that can play on one board only can do so several times.
    let boards = if check.other_boards == OtherBoards::Legally {
        [0, 1, 4, 0]
    } else {
        [0, 5, 0, 5]
    };
    let mut confirmed = 0;
    while let Some((board, seed, finding)) = in_a_row(check, &boards)? {
        if !goes_well_alone(check, board, seed)? || check.takes_too_long() {
            break;
        }
        confirmed += 1;
        if confirmed == CONFIRMATIONS {
            return Ok(Verdict::Fail(finding));
        }
    }
    Ok(Verdict::Pass(format!("{} games", boards.len())))
}

/// Plays the games in one process. Returns the first that the bot did not play well: its board, the
/// bot's seed, and what was wrong. The very first game is for other steps to judge.
fn in_a_row(
    check: &mut Check,
    boards: &[usize],
) -> Result<Option<(usize, u32, Finding)>, StepError> {
    let usual = check.setup.rules.clone();
    let mut session = Session::open(check)?;
    for (number, board) in (0..).zip(boards.iter().copied()) {
        let seed = session.check.seed(21 + number);
        match whole_game(&mut session, rules_of_game(board, &usual), seed) {
            Ok(play) if plays_well(&play) => {}
            Ok(_) if number == 0 => return Ok(None),
            Ok(play) => {
                let finding = finding_on_attacks(&play, play.shots.waste());
                let what = format!("in a later game of the same process, it {}", finding.what);
                let cause = "It keeps something of an earlier game: it plays this very game well in a process of its own. Begin on a clean slate at `game`: take the size of the board from that line, forget the ships, and forget the cells tried.";
                let finding = Finding {
                    what,
                    cause: cause.to_owned(),
                    ..finding
                };
                return Ok(Some((board, play.seed, finding)));
            }
            Err(StepError::Failure(mut failure)) => {
                // The cause is in the earlier games only if there are some, and this one goes well
                // without them.
                failure.certain |= number == 0 || !goes_well_alone(check, board, seed)?;
                // The bot places its ships well there, which is all that is to be known.
                failure.seed = None;
                return Err(StepError::Failure(failure));
            }
            Err(error) => return Err(error),
        }
    }
    session.close()?;
    Ok(None)
}

fn whole_game<'s, 'c>(
    session: &'s mut Session<'c>,
    rules: Rules,
    seed: u32,
) -> Result<Play<'s, 'c>, StepError> {
    let mut play = Play::begin(session, rules, seed)?;
    play.finish()?;
    Ok(play)
}

/// Whether the bot has played well, as far as the game went. A square board hides that row and
/// column are swapped, so what is wrong in every game says nothing about the order of games.
fn plays_well(play: &Play<'_, '_>) -> bool {
    match play.shots.waste() {
        None => play.is_won() || play.shots.count < play.longest(),
        Some(waste) => waste.systematic,
    }
}

/// Whether the bot plays this very game well in a process of its own.
fn goes_well_alone(check: &mut Check, board: usize, seed: u32) -> Result<bool, StepError> {
    let rules = rules_of_game(board, &check.setup.rules);
    match whole_game(&mut Session::open(check)?, rules, seed) {
        Ok(play) => Ok(plays_well(&play)),
        Err(StepError::Failure(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Games that end before anything was placed, after that, and in the middle.
pub(crate) fn ends_at_any_moment(check: &mut Check) -> StepResult {
    let rules = check.setup.rules.clone();
    let mut session = Session::open(check)?;
    // The opponent could not place its ships: this bot has not heard of the game.
    session.tell_end(Outcome::Void, EndedBy::CannotPlace)?;
    session.announce(&rules, session.check.seed(31))?;
    session.tell_end(Outcome::Won, EndedBy::IllegalPlacement)?;
    for (seed, turns) in [(32, 0), (33, 1), (34, 4)] {
        Play::usual(&mut session, seed)?.turns(turns)?;
        session.tell_end(Outcome::Void, EndedBy::Interrupted)?;
    }
    Play::usual(&mut session, 36)?.play_on()?;
    Play::usual(&mut session, 35)?.turn()?;
    session.tell_won()?;
    session.close()?;
    Ok(PASS)
}
