//! Whole games: a model of tic-tac-toe that knows nothing of the referee follows them, and the same
//! seed plays them again.

use serde_json::Value;
use testkit::list::Tests;
use testkit::run::Dir;

#[cfg(target_os = "linux")]
use super::{BOTH, JUDGE};
use super::{dialogue, tic_tac_toe};
#[cfg(target_os = "linux")]
use crate::record::kills::survives_kills;

pub(crate) fn tests(tests: &mut Tests) {
    add!(
        tests,
        four_hundred_games_keep_the_rules,
        a_record_depends_only_on_the_seed
    );
    #[cfg(target_os = "linux")]
    add!(tests, a_judged_match_survives_kills);
}

/// The cells of each line of three, as bits.
const THREES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Plays the moves of a game again. Returns the seat that has won.
fn winner_of(game: &Value) -> Result<Option<usize>, String> {
    let mut cells = [0_u16; 2];
    let has_won = |cells: u16| THREES.iter().any(|three| cells & three == *three);
    let moves = dialogue(game).filter_map(|line| line.strip_prefix("reply "));
    for (number, reply) in moves.enumerate() {
        let seat = number % 2;
        let (player, cell) = reply.split_once(' ').unwrap();
        let bit = 1 << (cell.parse::<u32>().unwrap() - 1);
        if player != ["1", "2"][seat] || !(1..=0o400).contains(&bit) {
            return Err(format!("{reply} is no move of seat {seat}"));
        }
        if (cells[0] | cells[1]) & bit != 0 || cells.into_iter().any(has_won) {
            return Err(format!("{reply} comes too late"));
        }
        cells[seat] |= bit;
    }
    match cells.into_iter().position(has_won) {
        None if (cells[0] | cells[1]) != 0o777 => Err("the game has not ended".to_owned()),
        winner => Ok(winner),
    }
}

fn four_hundred_games_keep_the_rules() {
    let dir = Dir::new();
    tic_tac_toe(&dir, "match --games 400 --series 500 -q --seed 1 --out m").succeeds();
    let record = dir.record("m");
    let games = record.games();
    assert_eq!(games.len(), 400);
    let mut draws = 0;
    for (number, game) in games.iter().enumerate() {
        let winner = winner_of(game).unwrap_or_else(|why| panic!("{why}: {game}"));
        let first = usize::try_from(game["first"].as_u64().unwrap()).unwrap();
        let expected = winner.map(|seat| ["A", "B"][(first + seat) % 2]);
        let ended_by = if winner.is_some() { "won" } else { "drawn" };
        assert_eq!(game["winner"].as_str(), expected, "{game}");
        assert_eq!(
            (&game["ended_by"], first),
            (&ended_by.into(), number % 2),
            "{game}"
        );
        draws += usize::from(winner.is_none());
    }
    assert!((1..200).contains(&draws), "{draws} draws");
    let begins: Vec<_> = games
        .iter()
        .map(|game| dialogue(game).next().unwrap())
        .collect();
    assert!(
        begins.chunks(2).all(|pair| pair[0] == pair[1]),
        "a pair has one seed"
    );
    assert_eq!(
        begins
            .iter()
            .collect::<std::collections::BTreeSet<_>>()
            .len(),
        200
    );
}

fn a_record_depends_only_on_the_seed() {
    let dir = Dir::new();
    let play = |words: &str| {
        let words = format!("match --games 40 --series 10 -q --seed 7 {words}");
        tic_tac_toe(&dir, &words).succeeds();
    };
    play("--jobs 1 --out one");
    play("--jobs 4 --out four");
    assert_eq!(dir.record("four"), dir.record("one"));
    let text = dir.text("one");
    let half: String = text.split_inclusive('\n').take(16).collect();
    dir.file("four", half);
    play("--jobs 2 --out four --resume");
    assert_eq!(dir.record("four"), dir.record("one"));
}

#[cfg(target_os = "linux")]
fn a_judged_match_survives_kills() {
    let judge = shlex::try_quote(JUDGE).unwrap();
    let judge = shlex::try_quote(&format!("sh -c {judge}"))
        .unwrap()
        .into_owned();
    let words =
        format!("match {BOTH} --games 300 --series 20 --jobs 2 --out records/r --judge {judge}");
    let hits = survives_kills(&words, 4, 3);
    assert!(hits > 0, "the match had ended at each kill");
}
