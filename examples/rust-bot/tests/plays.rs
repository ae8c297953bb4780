//! Tests of the bot's replies. Copy this file and put the name of your program for `rust-bot`.

use assert_cmd::Command;
use battleship::protocol::Reply;
use battleship::{Board, Game, Point};

const STANDARD: &str = "\
game classic 10 10
ship 0 5 A aircraft carrier
ship 1 4 B battleship
ship 2 3 D destroyer
ship 3 3 S submarine
ship 4 2 P patrol boat
seed 7
place
";

/// Returns the bot's answers to these lines, after its greeting.
fn answers(lines: &str) -> Vec<Reply> {
    let mut bot = Command::new(env!("CARGO_BIN_EXE_rust-bot"));
    let spoken = bot
        .write_stdin(format!("battleship 1\n{lines}quit\n"))
        .assert()
        .success();
    let said = String::from_utf8_lossy(&spoken.get_output().stdout).into_owned();
    let mut replies = said
        .lines()
        .map(|line| Reply::parse(line.as_bytes()).expect("words of the protocol"));
    assert!(replies.any(|reply| reply == Reply::Ready), "{said}");
    replies.collect()
}

#[test]
fn it_places_a_legal_fleet() {
    let game = Game::standard();
    let mut board = Board::new(&game);
    let replies = answers(STANDARD);
    let [Reply::Place(placements)] = &replies[..] else {
        panic!("{replies:?}")
    };
    assert_eq!(placements.len(), game.n_ships());
    for (ship, placement) in placements.iter().enumerate() {
        board
            .place_ship(placement.top_or_left, ship, placement.direction)
            .expect("room for the ship");
    }
}

#[test]
fn its_ships_do_not_touch_where_they_may_not() {
    let game = Game::standard().with_apart(true);
    let mut board = Board::new(&game);
    let replies = answers(&STANDARD.replace("seed", "rule apart all\nseed"));
    let [Reply::Place(placements)] = &replies[..] else {
        panic!("{replies:?}")
    };
    for (ship, placement) in placements.iter().enumerate() {
        board
            .place_ship(placement.top_or_left, ship, placement.direction)
            .expect("room for the ship");
    }
}

#[test]
fn a_salvo_has_a_cell_for_each_shot() {
    let salvos = STANDARD.replace("classic", "salvo") + &"salvo 5\n".repeat(20);
    let mut cells: Vec<Point> = answers(&salvos)
        .into_iter()
        .flat_map(|reply| {
            if let Reply::Salvo(cells) = reply {
                cells
            } else {
                Vec::new()
            }
        })
        .collect();
    cells.sort_by_key(|cell| (cell.row, cell.col));
    cells.dedup();
    assert_eq!(cells.len(), 100);
}

#[test]
fn it_says_so_when_there_is_no_room() {
    let crowded = "game classic 1 2\nship 0 2 A ark\nship 1 1 B buoy\nseed 7\nplace\n";
    assert_eq!(answers(crowded), [Reply::PlaceNone]);
}

#[test]
fn it_attacks_no_cell_twice() {
    let replies = answers(&(STANDARD.to_owned() + &"attack\n".repeat(100)));
    let mut cells: Vec<Point> = replies
        .iter()
        .filter_map(|reply| {
            if let Reply::Attack(at) = reply {
                Some(*at)
            } else {
                None
            }
        })
        .collect();
    cells.sort_by_key(|cell| (cell.row, cell.col));
    cells.dedup();
    assert_eq!(cells.len(), 100);
}

#[test]
fn after_a_hit_it_attacks_a_neighbour() {
    let replies = answers(&(STANDARD.to_owned() + "result 4 4 hit\nattack\n"));
    let [_, Reply::Attack(at)] = &replies[..] else {
        panic!("{replies:?}")
    };
    assert_eq!(at.row.abs_diff(4) + at.col.abs_diff(4), 1);
}

#[test]
fn it_plays_the_same_for_the_same_seed() {
    assert_eq!(answers(STANDARD), answers(STANDARD));
}
