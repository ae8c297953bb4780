//! Bots that do the same: each plays the same games, with the same seeds against the same opponent,
//! so that what they draw is the same, too.

use std::sync::Arc;

use arena::contest::{Lanes, PairSeeds, play_all};
use arena::parallel::in_parallel;
use arena::record::{GameLine, SandboxOfGame};
use battleship::game_reader::RecordedGame;
use battleship::protocol::Reply;
use battleship::{PlayedTurn, Point, Side};
use bothost::Interrupt;
use bots::SHIPPED;
use league::schedule::Series;

use super::joined;
use crate::choice::Purpose;
use crate::secret::Secret;
use crate::{Bot, BotKey, Class, ClassError};

/// It draws from its seeds alone, and is not so strong that games end early.
const OPPONENT: &str = "mediocre";

/// Each of the two begins one of them.
const GAMES: u32 = 2;

/// The number of equal turns after the first hit that are not chance. Up to that hit, bots that
/// draw their attacks from the same library do the same.
const AFTER_HIT: usize = 8;

/// A bot that goes through the board row by row, or along its diagonals, makes no more different
/// steps than this. Two students can choose that by themselves.
const STEPS_OF_A_SCAN: usize = 3;

/// The seeds of all pairs.
#[derive(Debug)]
struct OneSeed(u64);

impl PairSeeds for OneSeed {
    fn seed_of(&self, _: &Series) -> u64 {
        self.0
    }
}

/// The actions of a bot in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Deeds {
    turns: Vec<(Point, Reply)>,
    /// The place of the first hit, if there is one.
    hit: Option<usize>,
}

impl Deeds {
    /// Those of the first player.
    fn of(line: &GameLine) -> Deeds {
        let game = RecordedGame::read(&line.json).expect("it was played just now");
        let own: Vec<&PlayedTurn> = game.turns_of(Side::One).collect();
        Deeds {
            turns: own
                .iter()
                .map(|played| (played.turn.target(), played.turn.reply()))
                .collect(),
            hit: own.iter().position(|played| played.turn.impact().is_hit()),
        }
    }

    /// Returns how many turns at the beginning are the same, if that is not chance.
    fn same_as(&self, other: &Deeds) -> Option<usize> {
        let pairs = self.turns.iter().zip(&other.turns);
        let count = pairs.take_while(|(one, two)| one == two).count();
        let is_far = self.hit.is_some_and(|hit| count > hit + AFTER_HIT);
        (is_far && !is_scan(&self.turns[..count])).then_some(count)
    }
}

/// Returns which of `bots`, whose programs are not the same, play alike, in a sentence for each
/// group. Seeds are new in each call, so that no program knows them.
///
/// # Errors
/// If one of them cannot be started, or the referee or its machine fails.
pub(super) fn lines(
    class: &Class,
    bots: &[&Bot],
    interrupt: &Arc<Interrupt>,
) -> Result<Vec<String>, ClassError> {
    if bots.is_empty() {
        return Ok(Vec::new());
    }
    let shipped: Vec<Bot> = SHIPPED
        .iter()
        .filter(|player| !player.is_human())
        .map(|player| Bot::unknown(BotKey::of_staff(player.name, ""), player.name.to_owned()))
        .collect();
    let bots: Vec<&Bot> = shipped.iter().chain(bots.iter().copied()).collect();
    let sandbox = class.test_sandbox()?;
    let lanes = Lanes::new(class.jobs(), class.terms.pin);
    lanes.ensure_capacity().map_err(ClassError::misuse)?;
    let seed = Secret::draw()?.seed(&[b"twins"]);
    let played = in_parallel(&bots, |bot| {
        if interrupt.is_noted() {
            return Err(ClassError::Interrupted(
                "interrupted; nothing was changed".to_owned(),
            ));
        }
        play(class, bot, seed, sandbox.as_ref(), &lanes)
    });
    let played: Vec<Vec<Deeds>> = played.into_iter().collect::<Result<_, _>>()?;
    Ok(groups(&bots, &played))
}

fn play(
    class: &Class,
    bot: &Bot,
    seed: u64,
    sandbox: Option<&SandboxOfGame>,
    lanes: &Lanes,
) -> Result<Vec<Deeds>, ClassError> {
    let opponent = Bot::unknown(BotKey::of_staff(OPPONENT, ""), OPPONENT.to_owned());
    let mut setup = class.setup(&[bot.clone(), opponent], 0, sandbox.cloned())?;
    setup.pair_seeds = Some(Arc::new(OneSeed(seed)));
    let series = Series {
        games: GAMES,
        ..class.series([0, 1], Purpose::Rating, 0)
    };
    let played = play_all(&setup, lanes, &[series])?.remove(0);
    Ok(played.games.iter().map(Deeds::of).collect())
}

/// Puts together who plays alike, and says so.
fn groups(bots: &[&Bot], played: &[Vec<Deeds>]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut is_told = vec![false; bots.len()];
    for (one, own) in played.iter().enumerate() {
        if is_told[one] || own.len() < GAMES as usize {
            continue;
        }
        let mut names = vec![bots[one].key.called()];
        let mut least = vec![usize::MAX; own.len()];
        for (two, others) in played.iter().enumerate().skip(one + 1) {
            let same: Option<Vec<usize>> = own
                .iter()
                .zip(others)
                .map(|(one, two)| one.same_as(two))
                .collect();
            let Some(same) = same.filter(|same| same.len() == own.len()) else {
                continue;
            };
            names.push(bots[two].key.called());
            is_told[two] = true;
            for (least, same) in least.iter_mut().zip(same) {
                *least = same.min(*least);
            }
        }
        // A shipped player may be known by two names.
        let has_student = (0..bots.len())
            .any(|bot| names.contains(&bots[bot].key.called()) && !bots[bot].key.is_staff());
        if names.len() > 1 && has_student {
            let all = own
                .iter()
                .zip(&least)
                .all(|(own, least)| own.turns.len() == *least);
            let least: Vec<String> = least.iter().map(usize::to_string).collect();
            let who = if bots[one].key.is_staff() {
                format!(
                    "{} play as {}, which comes with the referee, does",
                    joined(&names[1..]),
                    names[0]
                )
            } else {
                format!("{} have different programs that play alike", joined(&names))
            };
            lines.push(format!(
                "{who}: with the same seeds, in {GAMES} games against {OPPONENT}, {} turns are the same",
                if all { "all".to_owned() } else { format!("the first {}", least.join(" and ")) }
            ));
        }
    }
    lines
}

/// Returns whether turns go through the board in a simple order.
fn is_scan(turns: &[(Point, Reply)]) -> bool {
    let mut steps: Vec<[i32; 2]> = turns
        .windows(2)
        .map(|two| [two[1].0.row - two[0].0.row, two[1].0.col - two[0].0.col])
        .collect();
    steps.sort_unstable();
    steps.dedup();
    steps.len() <= STEPS_OF_A_SCAN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BotKey;

    fn bot(id: i64, name: &str) -> Bot {
        Bot {
            id,
            ..Bot::unknown(BotKey::of_student(name, name), String::new())
        }
    }

    /// The turns of a plan; the sixth is the first hit.
    fn deeds(count: i32, plan: impl Fn(i32) -> [i32; 2]) -> Deeds {
        let turn = |place| {
            let [row, col] = plan(place);
            let at = Point::new(row, col);
            (at, Reply::Attack(at))
        };
        Deeds {
            turns: (0..count).map(turn).collect(),
            hit: Some(5),
        }
    }

    #[test]
    fn those_that_do_the_same_are_named_and_those_that_scan_the_board_are_not() {
        let knight = |number: i32| [number * 7 % 10, number * number % 10];
        let until = |last: i32| {
            move |number: i32| {
                if number < last {
                    knight(number)
                } else {
                    [number % 10, 9]
                }
            }
        };
        let rows = |number: i32| [number / 10, number % 10];
        let whole = || vec![deeds(40, knight), deeds(50, knight)];
        let played = [
            whole(),
            vec![deeds(40, rows), deeds(50, rows)],
            vec![deeds(60, until(30)), deeds(50, knight)],
            vec![deeds(40, rows), deeds(50, rows)],
            vec![deeds(40, until(13)), deeds(50, knight)],
            vec![deeds(40, knight)],
        ];
        let names = ["ada", "bob", "cyd", "dan", "eve", "fay"];
        let bots: Vec<Bot> = (0..).zip(names).map(|(id, name)| bot(id, name)).collect();
        let lines = groups(&bots.iter().collect::<Vec<_>>(), &played);
        assert_eq!(lines.len(), 1, "{lines:?}");
        let said = "ada and cyd have different programs that play alike: with the same seeds, in 2 games against mediocre, the first \
                    30 and 50 turns are the same";
        assert_eq!(lines[0], said);
        let lines = groups(&bots[..2].iter().collect::<Vec<_>>(), &[whole(), whole()]);
        assert!(
            lines[0].ends_with("against mediocre, all turns are the same"),
            "{lines:?}"
        );
    }
}
