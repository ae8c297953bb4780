//! The search for bots that attack as if they knew where an opponent's ships are.

use std::fmt::Write;

use crate::Bot;
use battleship::Game;
use league::statistics::distribution::Distribution;
use league::statistics::to_f64;

use super::played::{Games, Played};
use pages::counted;

/// Fewer wins than this are chance.
const LEAST_WINS: u64 = 10;

/// A bot that knows the fleet needs at most this many attacks more than the fleet has cells. The
/// strongest shipped player needs 38 to 45 for 17 cells.
const SPARE: f64 = 3.0;

/// The least games, and the least different fleets, that first hits are judged by.
const LEAST_GAMES: usize = 20;

/// The number of standard errors beyond which a result is not chance: an honest bot gets there once
/// in 3 million pairings.
const Z: f64 = 5.0;

/// The least factor between what happened and what was expected: less is of no use in a game.
const TIMES: f64 = 1.5;

/// Returns what the bot `own` seems to know of the fleets of each other, in a sentence each.
pub(super) fn lines<'b>(
    game: &Game,
    games: &Games,
    own: &Bot,
    bot: impl Fn(i64) -> Option<&'b Bot>,
) -> Vec<String> {
    let cells: i32 = (0..game.n_ships()).map(|ship| game.ship_length(ship)).sum();
    let cells = u64::from(cells.unsigned_abs());
    let all: Vec<(i64, &Played)> = games.of(own.id).collect();
    let mut lines = Vec::new();
    for (id, played) in &all {
        let other = bot(*id);
        let names = [
            own.key.called(),
            other.map_or("?", |other| other.key.called()),
        ];
        // A fleet of the staff that is always the same is there for all to learn.
        let is_known = played.fleets_repeat() && other.is_some_and(|other| other.key.is_staff());
        if can_tell(game, cells) && knows_the_fleet(played, cells) && !is_known {
            let rest = all
                .iter()
                .filter(|(other, _)| other != id)
                .map(|(_, played)| *played);
            lines.push(of_known_fleet(names, played, cells, rest));
        } else {
            lines.extend(of_first_hits(names, played));
        }
    }
    lines
}

/// Returns whether wins in this few attacks say something: on a board with few ships, or full of
/// them, they are luck.
fn can_tell(game: &Game, cells: u64) -> bool {
    game.n_ships() >= 3 && 5 * cells <= game.cells().len() as u64
}

/// Returns whether half of the wins take hardly more attacks than the fleet has cells.
fn knows_the_fleet(played: &Played, cells: u64) -> bool {
    let wins: Distribution = played.wins().collect();
    let most = to_f64(cells) + SPARE;
    wins.count() >= LEAST_WINS && wins.median().is_some_and(|median| median <= most)
}

fn of_known_fleet<'p>(
    [own, other]: [&str; 2],
    played: &Played,
    cells: u64,
    rest: impl Iterator<Item = &'p Played> + Clone,
) -> String {
    let wins: Distribution = played.wins().collect();
    let mut line = format!(
        "{own} against {other}: {own} attacks as if it knew where the ships are: it won {} games, half of them in at most {} \
         attacks on a fleet of {cells} cells",
        wins.count(),
        wins.median().unwrap_or_default()
    );
    let others: Distribution = rest.clone().flat_map(Played::wins).collect();
    if let Some(median) = others.median() {
        let alike = rest.filter(|played| knows_the_fleet(played, cells)).count();
        let _ = write!(line, "; against all others it needed {median}");
        if alike == 0 {
            line += ", and so few against none of them";
        }
    }
    if played.fleets_repeat() {
        let fleets = played.fleets() as u64;
        let games = played.games.len();
        let fleets = counted(fleets, "different fleet");
        let _ = write!(
            line,
            ". {other} placed only {fleets} in {games} games, which a bot can learn"
        );
    }
    line
}

/// Returns that a bot hits one opponent's ships sooner or later than its attacks explain, if it
/// does.
///
/// Until its first hit a bot is told nothing of the fleet. So the fleet could as well be any that
/// the opponent placed in another game of the two and that these attacks have missed too: the share
/// of them that the next attack hits is its chance. The hits less the sum of these chances, in
/// standard errors, are a one-sample log-rank test (N. E. Breslow, "Analysis of survival data under
/// the proportional hazards model", International Statistical Review 43 (1975)). It allows for
/// every order of attacks and every habit of placing ships: one that scans the rim finds ships at
/// the rim soon, which proves nothing.
fn of_first_hits([own, other]: [&str; 2], played: &Played) -> Option<String> {
    if played.games.len() < LEAST_GAMES || played.fleets() < LEAST_GAMES {
        return None;
    }
    let mut hits = 0;
    let mut expected = 0.0;
    let mut variance = 0.0;
    for game in &played.games {
        hits += u64::from(game.hit);
        let mut missed: Vec<u128> = played.games.iter().map(|game| game.fleet).collect();
        for cell in &game.blind {
            let before = missed.len();
            missed.retain(|fleet| fleet & cell == 0);
            let chance = to_f64((before - missed.len()) as u64) / to_f64(before.max(1) as u64);
            expected += chance;
            variance += chance * (1.0 - chance);
        }
    }
    let z = (to_f64(hits) - expected) / variance.sqrt();
    let ratio = to_f64(hits) / expected;
    let what = match ratio {
        _ if !z.is_finite() || z.abs() < Z => return None,
        _ if ratio >= TIMES => "sooner",
        _ if ratio <= 1.0 / TIMES => "later",
        _ => return None,
    };
    Some(format!(
        "{own} against {other}: {own} hits the first ship {what} than by chance: its attacks up to then would have hit {expected:.0} \
         times in {} games, and did {hits} times ({:.1} standard errors)",
        played.games.len(),
        z.abs()
    ))
}
