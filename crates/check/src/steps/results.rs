//! Steps on attacks and their results.

use battleship::protocol::{Outcome, Request};
use battleship::{AttackResult, Point};

use crate::asked::Asked;
use crate::examination::Examination;
use crate::halt::Halt;
use crate::play::Play;
use crate::report::Finding;
use crate::session::Session;
use crate::shots::Waste;
use crate::step::Verdict;
use arena::game::EndedBy;

/// Number of attempts of a bot that does not sink a fleet before it counts as one that cannot.
const TRIES_TO_WIN: u32 = 8;

/// Whole games, in which no attack should be wasted.
pub(super) fn attacks(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let (mut games, mut attacks) = (0, 0);
    let mut odd: Option<Finding> = None;
    'boards: for (seed, rules) in (1..).zip(examination.games()) {
        // If it says nothing, another step has found that out, and waited long enough.
        if examination.seen.silent_on_others.get() && rules != examination.usual_game() {
            continue;
        }
        // A bot that leaves much to chance may fail to sink a fleet now and then.
        for nth in 0..TRIES_TO_WIN {
            let seed = examination.seed_instead_of(examination.seed(seed), nth);
            // Each in a process of its own: several games in one are another step.
            let mut session = Session::open(examination)?;
            let mut play = match Play::begin(&mut session, &rules, seed) {
                Ok(play) => play,
                Err(halt) if halt.is_giving_up() && nth + 1 < TRIES_TO_WIN => continue,
                // Another step finds out what it cannot place. The first game is the usual one, which it can.
                Err(Halt::Fault(fault)) if fault.asked == Asked::Placement && games > 0 => {
                    continue 'boards;
                }
                Err(halt) => return Err(halt),
            };
            let went_on = play_to_the_end(&mut session, &mut play).map_err(|mut halt| {
                if let Halt::Fault(fault) = &mut halt
                    && games > 0
                {
                    fault.blame_oblong(rules.size());
                }
                halt
            })?;
            if !went_on {
                let said = format!(
                    "{games} games, {attacks} attacks; it takes its time, so no more was tried"
                );
                return Ok(odd.map_or(Verdict::Pass(said), Verdict::Warn));
            }
            (games, attacks) = (games + 1, attacks + play.shots.count);
            let waste = play.shots.waste();
            let systematic = waste.as_ref().is_some_and(|waste| waste.systematic);
            if systematic || (!play.is_won() && nth + 1 == TRIES_TO_WIN) {
                return Ok(Verdict::Fail(finding(&session, &play, waste)));
            }
            if odd.is_none() && (waste.is_some() || !play.is_won()) {
                odd = Some(finding(&session, &play, waste));
            }
            if play.is_won() {
                break;
            }
        }
    }
    Ok(odd.map_or_else(
        || Verdict::Pass(format!("{games} games, {attacks} attacks")),
        Verdict::Warn,
    ))
}

/// Plays until the bot has won, or until a game would be over. Returns `false` if that takes too long.
pub(super) fn play_to_the_end(
    session: &mut Session<'_>,
    play: &mut Play<'_>,
) -> Result<bool, Halt> {
    for _ in 0..play.longest() {
        if session.takes_too_long() {
            return session
                .tell_end(Outcome::Void, EndedBy::TurnCap)
                .map(|()| false);
        }
        play.turn(session)?;
        if play.first_waste.is_none() && play.shots.has_waste() {
            play.first_waste = Some(session.dialogue());
        }
        if play.is_won() {
            return session
                .tell_end(Outcome::Won, EndedBy::FleetSunk)
                .map(|()| true);
        }
        play.opponents_turn(session)?;
    }
    session
        .tell_end(Outcome::Void, EndedBy::TurnCap)
        .map(|()| true)
}

pub(super) fn finding(session: &Session<'_>, play: &Play<'_>, waste: Option<Waste>) -> Finding {
    let attacks = play.shots.count;
    let untried = play
        .shots
        .untried()
        .map(|at| format!("it never attacked {at}"));
    let (what, cause) = match (waste, untried) {
        (Some(Waste { what, cause, .. }), _) => (what, cause),
        (None, untried) => (
            format!("did not sink the fleet: {}", untried.unwrap_or_default()),
            play.shots.why_in_square().unwrap_or("Some cells are never attacked: look at the first and the last row and column, and at what the bot does when all of its special targets are used up.").to_owned(),
        ),
    };
    let what = if play.is_won() {
        what
    } else {
        format!(
            "{what}; after {attacks} attacks the fleet was not sunk, and the game over without a winner"
        )
    };
    Finding {
        what,
        expected: "every attack on a cell of the board that was not attacked before; all others are legal, but they waste the turn"
            .to_owned(),
        cause,
        dialogue: play.first_waste.clone().unwrap_or_else(|| session.dialogue()),
    }
}

/// A game with every kind of result that its attacks have: a bot that wastes no attack is not told that it did.
pub(super) fn every_result(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let mut session = Session::open(examination)?;
    let rules = examination.usual_game();
    let mut seen = [false; 4];
    // A bot that wins without a miss has another game.
    for seed in 11..13 {
        let mut play = Play::begin(&mut session, &rules, examination.seed(seed))?;
        for _ in 0..play.longest() {
            for turn in play.turn(&mut session)? {
                seen[match turn.impact() {
                    AttackResult::Miss => 0,
                    AttackResult::Hit => 1,
                    AttackResult::Sunk(_) => 2,
                    AttackResult::Wasted => 3,
                }] = true;
            }
            if play.is_won() || seen == [true; 4] || session.takes_too_long() {
                break;
            }
            play.opponents_turn(&mut session)?;
        }
        // It has to get over the last result too.
        play.turn(&mut session)?;
        let reason = if play.is_won() {
            EndedBy::FleetSunk
        } else {
            EndedBy::Resigned
        };
        session.tell_end(Outcome::Won, reason)?;
        if seen[..3] == [true; 3] || session.takes_too_long() {
            break;
        }
    }
    session.close()?;
    let words = ["miss", "hit", "sunk", "wasted"].into_iter().zip(seen);
    let words: Vec<_> = words
        .filter(|(_, seen)| *seen)
        .map(|(word, _)| word)
        .collect();
    Ok(Verdict::Pass(words.join(", ")))
}

/// Notices of the opponent's shots wherever they may go, and whenever they may come.
pub(super) fn notices(examination: &Examination<'_>) -> Result<Verdict, Halt> {
    let rules = examination.usual_game();
    let mut session = Session::open(examination)?;
    let mut play = Play::begin(&mut session, &rules, examination.seed(3))?;
    let names_ship = rules.describe().names_ship;
    // Shots outside are refused where a ship shoots.
    let anywhere = [(0, 0), (9, 9), (9, 9), (-1, 10), (i32::MIN, i32::MAX)];
    let anywhere = if names_ship {
        &anywhere[..3]
    } else {
        &anywhere[..]
    };
    // Several at once, and then one before each turn.
    for (row, col) in anywhere {
        session.tell(&Request::Opponent(Point::new(*row, *col)))?;
    }
    for (row, col) in anywhere {
        session.tell(&Request::Opponent(Point::new(*row, *col)))?;
        play.turn(&mut session)?;
        if names_ship {
            play.opponents_turn(&mut session)?;
        }
    }
    session.tell_won()?;
    session.close()?;
    Ok(Verdict::Pass(String::new()))
}
