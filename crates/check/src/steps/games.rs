//! Steps on several games in one process, and on games that end early.

use battleship::Rules;
use battleship::protocol::Outcome;

use super::results::{finding, play_to_the_end};
use crate::boards::GAMES;
use crate::examination::Examination;
use crate::halt::Halt;
use crate::play::Play;
use crate::report::Finding;
use crate::session::Session;
use crate::step::Verdict;
use arena::game::EndedBy;

/// Turns of each game, where there is one board only.
const TURNS: usize = 20;

/// Number of times that a fault in a later game is tried again, in the same order of games and alone, before the earlier games
/// are blamed. A fault that happens half of the time does so by chance once in 2^15.
const CONFIRMATIONS: u32 = 8;

/// Games one after the other, of different sizes, and the first one again.
pub(super) fn several(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    if examination.setup.rules.game().is_none() {
        return several_of_usual(examination);
    }
    // A bot that can play on one board only can do so several times.
    let only_one = examination.seen.one_board_only.get();
    let boards = if only_one { [0, 5, 0, 5] } else { [0, 1, 4, 0] };
    let mut confirmed = 0;
    while let Some(later) = in_a_row(examination, &boards)? {
        let alone = goes_well_alone(examination, later.board, later.seed)?;
        if examination.takes_too_long() || !alone {
            break;
        }
        confirmed += 1;
        if confirmed == CONFIRMATIONS {
            return Ok(Verdict::Fail(later.finding));
        }
    }
    Ok(Verdict::Pass(format!("{} games", boards.len())))
}

fn several_of_usual(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let rules = examination.usual_game();
    let mut session = Session::open(examination)?;
    for seed in 21..24 {
        let mut play = Play::begin(&mut session, &rules, examination.seed(seed))?;
        play.turns(&mut session, TURNS)?;
        session.tell_end(Outcome::Void, EndedBy::TurnCap)?;
    }
    session.close()?;
    Ok(Verdict::Pass("3 games".to_owned()))
}

/// A game that went wrong after others in one process.
struct Later {
    board: usize,
    /// The bot's seed in it.
    seed: u32,
    finding: Finding,
}

/// Plays the games in one process. Returns the first that the bot did not play well, unless that is the very first, which
/// is for other steps to find.
fn in_a_row(examination: &Examination<'_>, boards: &[usize]) -> Result<Option<Later>, Halt> {
    let mut session = Session::open(examination)?;
    for (number, board) in boards.iter().enumerate() {
        let seed = examination.seed(21 + u32::try_from(number).expect("four games"));
        let rules = GAMES[*board].rules(&examination.setup.rules);
        match play(&mut session, &rules, seed) {
            Ok(play) if plays_well(&play) => {}
            Ok(_) if number == 0 => return Ok(None),
            Ok(play) => {
                let finding = in_later_game(&session, &play);
                return Ok(Some(Later {
                    board: *board,
                    seed: play.seed,
                    finding,
                }));
            }
            Err(Halt::Fault(mut fault)) => {
                // The cause is in the earlier games only if there are some, and this one goes well without them.
                fault.certain |= number == 0 || !goes_well_alone(examination, *board, seed)?;
                // It places its ships well there, which is all that is to be known.
                fault.seed = None;
                return Err(Halt::Fault(fault));
            }
            Err(halt) => return Err(halt),
        }
    }
    session.close()?;
    Ok(None)
}

fn play<'g>(session: &mut Session<'_>, rules: &'g Rules, seed: u32) -> Result<Play<'g>, Halt> {
    let mut play = Play::begin(session, rules, seed)?;
    play_to_the_end(session, &mut play)?;
    Ok(play)
}

/// Whether the bot has played well, as far as the game went. A square board hides that row and column are swapped, so
/// what is wrong in every game says nothing about the order of games.
fn plays_well(play: &Play<'_>) -> bool {
    let has_ended = play.is_won() || play.shots.count >= play.longest();
    match play.shots.waste() {
        None => play.is_won() || !has_ended,
        Some(waste) => waste.systematic,
    }
}

/// Whether the bot plays this very game well in a process of its own.
fn goes_well_alone(examination: &Examination<'_>, board: usize, seed: u32) -> Result<bool, Halt> {
    let mut session = Session::open(examination)?;
    let rules = GAMES[board].rules(&examination.setup.rules);
    match play(&mut session, &rules, seed) {
        Ok(play) => Ok(plays_well(&play)),
        Err(Halt::Fault(_)) => Ok(false),
        Err(halt) => Err(halt),
    }
}

fn in_later_game(session: &Session<'_>, play: &Play<'_>) -> Finding {
    let finding = finding(session, play, play.shots.waste());
    let cause = "It keeps something of an earlier game: it plays this very game well in a process of its own. Begin on a clean slate at `game`: \
                 take the size of the board from that line, forget the ships, and forget the cells tried.";
    let what = format!("in a later game of the same process, it {}", finding.what);
    Finding {
        what,
        cause: cause.to_owned(),
        ..finding
    }
}

/// Games that end before anything was placed, after that, and in the middle.
pub(super) fn ends_at_any_moment(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let rules = examination.usual_game();
    let mut session = Session::open(examination)?;
    // The opponent could not place its ships: this bot has not heard of the game.
    session.tell_end(Outcome::Void, EndedBy::CannotPlace)?;
    session.announce(&rules, examination.seed(31))?;
    session.tell_end(Outcome::Won, EndedBy::IllegalPlacement)?;
    for (seed, turns) in [(32, 0), (33, 1), (34, 4)] {
        let mut play = Play::begin(&mut session, &rules, examination.seed(seed))?;
        play.turns(&mut session, turns)?;
        session.tell_end(Outcome::Void, EndedBy::Interrupted)?;
    }
    Play::begin(&mut session, &rules, examination.seed(36))?.play_on(&mut session)?;
    let mut play = Play::begin(&mut session, &rules, examination.seed(35))?;
    play.turn(&mut session)?;
    session.tell_won()?;
    session.close()?;
    Ok(Verdict::Pass(String::new()))
}
