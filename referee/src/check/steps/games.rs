//! Steps on several games in one process, and on games that end early.

use battleship::protocol::Outcome;

use super::results::{finding, play_to_the_end};
use crate::check::boards::GAMES;
use crate::check::classic_play::ClassicPlay;
use crate::check::examination::Examination;
use crate::check::halt::Halt;
use crate::check::play::Play;
use crate::check::report::Finding;
use crate::check::session::Session;
use crate::check::step::Verdict;
use crate::game::EndedBy;
use crate::terms::Rules;

/// Turns of each game of the twist, where games are long.
const TURNS: usize = 20;

/// Games one after the other, of different sizes, and the first one again.
pub(super) fn several(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let mut session = Session::open(examination)?;
    let usual = examination.usual_game();
    let games = if let Rules::Classic(_) = usual {
        // A bot that can play on one board only can do that several times.
        let only_one = examination.seen.one_board_only.get();
        let boards = if only_one { [0, 5, 0, 5] } else { [0, 1, 4, 0] };
        // What goes wrong in the first game already, other steps have found.
        let mut plays_well_at_first = false;
        for (seed, board) in (21..).zip(boards) {
            let game = GAMES[board].game();
            let mut play = ClassicPlay::begin(&mut session, &game, examination.seed(seed))?;
            if !play_to_the_end(&mut session, &mut play)? {
                continue;
            }
            let plays_well = play.is_won() && !play.shots.has_waste();
            // A square board hides that row and column are swapped; it is no matter of the order of games.
            let is_wrong_anyway = play.shots.waste().is_some_and(|waste| waste.systematic);
            if seed == 21 {
                plays_well_at_first = plays_well;
            } else if plays_well_at_first && !plays_well && !is_wrong_anyway {
                return Ok(Verdict::Fail(in_later_game(&session, &play)));
            }
        }
        boards.len()
    } else {
        for seed in 21..24 {
            let mut play = Play::begin(&mut session, &usual, examination.seed(seed))?;
            play.turns(&mut session, TURNS)?;
            session.tell_end(Outcome::Void, EndedBy::TurnCap)?;
        }
        3
    };
    session.close()?;
    Ok(Verdict::Pass(format!("{games} games")))
}

fn in_later_game(session: &Session<'_>, play: &ClassicPlay<'_>) -> Finding {
    let finding = finding(session, play, play.shots.waste());
    let cause = "It keeps something of an earlier game, which it plays well by itself. Begin on a clean slate at `game`: \
                 take the size of the board from that line, forget the ships, and forget the cells tried.";
    let what = format!("in a later game of the same process, it {}", finding.what);
    Finding { what, cause: cause.to_owned(), ..finding }
}

/// Games that end before anything was placed, after that, and in the middle.
pub(super) fn ends_at_any_moment(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let rules = examination.usual_game();
    let mut session = Session::open(examination)?;
    // The opponent could not place its ships: this bot has not heard of the game.
    session.tell_end(Outcome::Void, EndedBy::CannotPlace)?;
    session.announce_by(&rules, examination.seed(31))?;
    session.tell_end(Outcome::Won, EndedBy::IllegalPlacement)?;
    for (seed, turns) in [(32, 0), (33, 1), (34, 4)] {
        let mut play = Play::begin(&mut session, &rules, examination.seed(seed))?;
        play.turns(&mut session, turns)?;
        session.tell_end(Outcome::Lost, EndedBy::FleetSunk)?;
    }
    let mut play = Play::begin(&mut session, &rules, examination.seed(35))?;
    play.turn(&mut session)?;
    session.tell_won()?;
    session.close()?;
    Ok(Verdict::Pass(String::new()))
}
