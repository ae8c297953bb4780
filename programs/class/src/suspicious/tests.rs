//! Made-up results: what is odd, and what honest bots do.

use crate::BotKey;
use battleship::Game;
use battleship::game_reader::{ListedPlayer, RecordedGame};
use battleship::seeded::SeededRng;
use battleship::{
    AttackResult, BySide, Direction, Placement, PlayedTurn, Point, RuleOptions, Ruleset, Side, Turn,
};

use super::*;
use arena::game::EndedBy;

const NAMES: [&str; 8] = ["ada", "bob", "cyd", "dan", "eve", "fay", "gus", "hal"];

/// Returns the place of the one ship of 5 cells of the fleet with this number, of 60 different
/// ones.
const fn place(number: i32) -> [i32; 2] {
    [number % 10, number / 10 % 6]
}

/// Returns a game in which each bot needs the given number of attacks, at random cells, and has the
/// given fleet.
fn game(rng: &mut SeededRng, needed: [u32; 2], fleets: [i32; 2]) -> RecordedGame {
    let fleet = |number: i32| {
        let [row, col] = place(number);
        vec![Placement {
            top_or_left: Point::new(row, col),
            direction: Direction::Horizontal,
        }]
    };
    let winner = usize::from(needed[1] < needed[0]);
    let shots = [0, 1].map(|seat| {
        let mut cells: Vec<i32> = (0..100).collect();
        rng.shuffle(&mut cells);
        let count = needed[winner] as usize - usize::from(winner < seat);
        let mover = Side::BOTH[seat];
        let shot = move |cell| {
            let at = Point::new(cell / 10, cell % 10);
            let turn = Turn::Attack {
                at,
                result: AttackResult::Miss,
            };
            PlayedTurn { mover, turn, us: 0 }
        };
        cells.into_iter().take(count).map(shot).collect::<Vec<_>>()
    });
    let player = |name: &str| ListedPlayer {
        name: name.to_owned(),
        seed: 1,
        limit_ms: None,
    };
    RecordedGame {
        rules: Ruleset::Classic,
        size: [10, 10],
        ships: Game::standard().ships().to_vec(),
        options: RuleOptions::default(),
        withdrawn: None,
        players: BySide::new(player("one"), player("two")),
        first: Side::One,
        fleets: fleets.map(|number| Some(fleet(number))).into(),
        turns: shots.concat(),
        winner: Some(["one", "two"][winner].to_owned()),
        by: Some(Side::BOTH[winner]),
        ended_by: EndedBy::FleetSunk,
        reason: String::new(),
    }
}

/// Returns the attacks of the first player.
fn own(game: &mut RecordedGame) -> impl Iterator<Item = &mut Point> {
    let of_first = game
        .turns
        .iter_mut()
        .filter(|played| played.mover == Side::One);
    of_first.filter_map(|played| match &mut played.turn {
        Turn::Attack { at, .. } => Some(at),
        Turn::Order { .. } => None,
    })
}

/// Returns the games of all bots, `count` between each two; `needed` is about how many attacks they
/// need.
fn season(count: i32, needed: impl Fn(usize, usize) -> u32) -> Games {
    let mut rng = SeededRng::new(7);
    let mut games = Games::default();
    for (one, first) in (0..).zip(NAMES).enumerate() {
        for (two, second) in (0..).zip(NAMES).enumerate().skip(one + 1) {
            for number in 0..count {
                let spread = [(); 2].map(|()| u32::try_from(rng.below(30)).unwrap());
                let needed = [needed(one, two) + spread[0], needed(two, one) + spread[1]];
                games.add(
                    [first.0, second.0],
                    &game(&mut rng, needed, [number, number + 1]),
                );
            }
        }
    }
    games
}

/// Returns what is odd in games of these bots, and of one of the staff.
fn knowledge(games: &Games) -> Vec<String> {
    let mut bots: Vec<Bot> = (0..).zip(NAMES).map(|(id, name)| bot(id, name)).collect();
    bots.push(Bot {
        id: 8,
        ..Bot::unknown(BotKey::of_staff("awful", ""), String::new())
    });
    let of_id = |id| bots.iter().find(|bot| bot.id == id);
    let lines = bots
        .iter()
        .flat_map(|bot| knowledge::lines(&Game::standard(), games, bot, of_id));
    lines.collect()
}

pub(super) fn bot(id: i64, name: &str) -> Bot {
    Bot {
        id,
        ..Bot::unknown(BotKey::of_student(name, name), String::new())
    }
}

/// From a strong bot to one that fires at random.
fn honest(own: usize, other: usize) -> u32 {
    u32::try_from(30 + 7 * own + other).unwrap()
}

#[test]
fn what_happens_against_one_opponent_only_is_odd() {
    let mut one = Deeds {
        games: 20,
        attacks: 1000,
        resigned: 15,
        ..Deeds::default()
    };
    let rest = Deeds {
        games: 400,
        attacks: 20_000,
        resigned: 1,
        ..Deeds::default()
    };
    let lines = odd_lines("ada", "bob", &one, &rest);
    assert_eq!(
        lines,
        ["ada against bob: ada gave up 15 times of 20; against all others 1 of 400"]
    );
    // A bot that always gives up is weak, and no friend of anyone.
    let weak = Deeds {
        games: 400,
        resigned: 300,
        ..Deeds::default()
    };
    assert!(odd_lines("ada", "bob", &one, &weak).is_empty());
    one.resigned = 2;
    assert!(odd_lines("ada", "bob", &one, &rest).is_empty());
}

#[test]
fn honest_bots_of_all_strengths_are_not_odd() {
    for count in [10, 20, 60] {
        assert_eq!(knowledge(&season(count, honest)), [""; 0]);
    }
}

#[test]
fn a_bot_that_wins_in_as_many_attacks_as_the_fleet_has_cells_is_named() {
    let mut rng = SeededRng::new(7);
    let mut games = season(10, honest);
    for number in 0..10 {
        games.add([7, 20], &game(&mut rng, [18, 90], [0, number]));
    }
    let lines = knowledge(&games);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].starts_with("hal against ?: hal attacks as if it knew"),
        "{lines:?}"
    );
    assert!(lines[0].contains("10 games, half of them in at most 18 attacks on a fleet of 17"));
    assert!(
        lines[0].ends_with(", and so few against none of them"),
        "{lines:?}"
    );
}

#[test]
fn a_fleet_that_is_always_the_same_is_said_to_be_one_and_one_of_the_staff_is_known_to_all() {
    let mut rng = SeededRng::new(7);
    let mut games = Games::default();
    for _ in 0..20 {
        games.add([7, 6], &game(&mut rng, [17, 90], [0, 0]));
        games.add([7, 8], &game(&mut rng, [17, 90], [0, 0]));
    }
    let lines = knowledge(&games);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains("gus placed only 1 different fleet in 20 games"),
        "{lines:?}"
    );
}

/// Returns what is odd in 40 games in which the first bot attacks these cells of a fleet with this
/// number.
fn with_attacks(attacks: impl Fn(i32, &mut RecordedGame)) -> Vec<String> {
    let mut rng = SeededRng::new(7);
    let mut games = Games::default();
    for number in 0..40 {
        let mut game = game(&mut rng, [60, 70], [0, number]);
        attacks(number, &mut game);
        games.add([4, 6], &game);
    }
    knowledge(&games)
}

#[test]
fn a_bot_that_hits_sooner_than_by_chance_is_named_however_long_it_takes_to_win() {
    let lines = with_attacks(|number, game| {
        let [row, col] = place(number);
        let shot = own(game).nth(usize::try_from(number % 4).unwrap()).unwrap();
        *shot = Point::new(row, col + 2);
    });
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].starts_with("eve against gus: eve hits the first ship sooner"),
        "{lines:?}"
    );
}

#[test]
fn a_bot_that_spares_the_ships_of_another_is_named() {
    let lines = with_attacks(|number, game| {
        let [row, _] = place(number);
        for shot in own(game).filter(|shot| shot.row == row) {
            shot.row = (row + 1) % 10;
        }
    });
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains("eve hits the first ship later"),
        "{lines:?}"
    );
}

/// It finds every ship of this opponent at once, and none of another's.
#[test]
fn an_order_of_attacks_that_suits_the_opponents_habits_is_not_a_sign() {
    let in_order = |columns: [i32; 10]| {
        with_attacks(move |_, game| {
            for (place, shot) in (0..).zip(own(game)) {
                *shot = Point::new(place % 10, columns[usize::try_from(place / 10).unwrap()]);
            }
        })
    };
    assert_eq!(in_order([4, 5, 3, 2, 6, 1, 7, 0, 8, 9]), [""; 0]);
    assert_eq!(in_order([9, 0, 8, 1, 7, 2, 6, 3, 5, 4]), [""; 0]);
}
