//! The board: its drawings, every failure of the specification, and random histories against a
//! plain model.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

use battleship::Direction::{Horizontal, Vertical};
use battleship::drawing::{draw, fleet_drawn};
use battleship::seeded::SeededRng;
use battleship::{
    AttackResult, Board, Direction, Game, Labels, Placement, PlacementError, Point, Rules, ShipId,
    UnplacementError,
};
use proptest::prelude::*;

fn at(row: i32, col: i32) -> Point {
    Point::new(row, col)
}

/// The fleet of the specification's example.
const FLEET: &str = concat!(
    "  0123456789\n",
    "0 ....AAAAA.\n",
    "1 .......P..\n",
    "2 .......P..\n",
    "3 ..........\n",
    "4 ...D......\n",
    "5 ...D......\n",
    "6 ..SD......\n",
    "7 ..S.......\n",
    "8 ..S...BBBB\n",
    "9 ..........\n",
);

/// Some shots at it.
const SHOTS: &str = concat!(
    "  0123456789\n",
    "0 .....XX.X.\n",
    "1 ..........\n",
    "2 .o........\n",
    "3 ..........\n",
    "4 ......o...\n",
    "5 ..o.......\n",
    "6 ..X...o...\n",
    "7 ..X.......\n",
    "8 ..X.......\n",
    "9 ..o.......\n",
);

/// The board of the example after the shots.
fn example_board(game: &Game) -> Board<'_> {
    let mut board = Board::new(game);
    let fleet = fleet_drawn(FLEET, &Rules::classic(game.clone()).describe()).unwrap();
    for (ship, place) in fleet.iter().enumerate() {
        board
            .place_ship(place.top_or_left, ship, place.direction)
            .unwrap();
    }
    assert_eq!(board.display(false), FLEET);
    let signs = SHOTS.lines().skip(1).flat_map(|line| line.chars().skip(2));
    for (point, sign) in game.points().zip(signs) {
        if sign != '.' {
            board.attack(point);
        }
    }
    board
}

#[test]
fn an_opponent_is_shown_only_its_shots() {
    let game = Game::standard();
    let board = example_board(&game);
    let onlooker = concat!(
        "  0123456789\n",
        "0 ....AXXAX.\n",
        "1 .......P..\n",
        "2 .o.....P..\n",
        "3 ..........\n",
        "4 ...D..o...\n",
        "5 ..oD......\n",
        "6 ..XD..o...\n",
        "7 ..X.......\n",
        "8 ..X...BBBB\n",
        "9 ..o.......\n",
    );
    assert_eq!(board.display(false), onlooker);
    assert_eq!(board.display(true), SHOTS);
    assert_eq!(format!("{board:?}"), format!("\n{onlooker}"));
}

#[test]
fn a_bad_drawing_is_refused_with_its_fault() {
    let game = Rules::classic(Game::standard()).describe();
    for (row, drawn, why) in [
        (3, "", "the drawing ends before cell (3,0)"),
        (3, "3 .........", "the drawing ends before cell (3,9)"),
        (
            3,
            "3 ....Q.....",
            "cell (3,4) shows 'Q', which stands for no ship",
        ),
        (
            6,
            "6 ..XD......",
            "cell (6,2) shows 'X', which stands for no ship",
        ),
        (
            3,
            "3 D.........",
            "the cells of 'D' are not one straight line of 3, see (3,1)",
        ),
        (
            0,
            "0 ....AAA...",
            "the cells of 'A' are not one straight line of 5, see (0,7)",
        ),
        (
            0,
            "0 ...AAAAAA.",
            "cell (0,8) shows 'A', which has all its cells already",
        ),
        (
            7,
            "7 ...S......",
            "the cells of 'S' are not one straight line of 3, see (6,3)",
        ),
        (
            9,
            "9 S.........",
            "cell (9,0) shows 'S', which has all its cells already",
        ),
        (
            9,
            "9 BBBB......",
            "cell (9,0) shows 'B', which has all its cells already",
        ),
        (8, "8 ..S.......", "no cell shows 'B'"),
    ] {
        let mut lines: Vec<&str> = FLEET.lines().collect();
        lines[1 + row] = drawn;
        let error = fleet_drawn(&lines.join("\n"), &game).unwrap_err();
        assert_eq!(error.to_string(), why, "{drawn}");
    }
}

#[test]
fn an_impossible_placement_is_refused() {
    let game = Game::standard();
    let mut board = example_board(&game);
    board.unplace_ship(at(1, 7), 4, Vertical).unwrap();
    let before = board.display(false);
    for (row, col, ship, direction, why) in [
        (0, 0, 5, Horizontal, "there is no ship 5"),
        (3, 3, 2, Vertical, "ship 2 is on the board already"),
        (-1, 0, 4, Vertical, "(-1,0) is outside the board"),
        (3, 9, 4, Horizontal, "(3,10) is outside the board"),
        (
            i32::MAX,
            i32::MAX,
            4,
            Vertical,
            "(2147483647,2147483647) is outside the board",
        ),
        (3, 3, 4, Vertical, "ship 2 is at (4,3)"),
        (1, 1, 4, Vertical, "(2,1) was attacked before"),
    ] {
        let error = board.place_ship(at(row, col), ship, direction).unwrap_err();
        assert_eq!(error.to_string(), why);
        assert_eq!(board.display(false), before);
    }
    board.block(&mut SeededRng::new(1));
    // The first cell of the drawing that is blocked, which is not the last of its row.
    let drawing = board.display(false);
    let signs = drawing
        .lines()
        .skip(1)
        .flat_map(|line| line.chars().skip(2));
    let mut blocked = game.points().zip(signs).filter(|(_, sign)| *sign == '#');
    let (blocked, _) = blocked.find(|(point, _)| point.col < 9).unwrap();
    assert_eq!(
        board.place_ship(blocked, 4, Horizontal),
        Err(PlacementError::Blocked(blocked))
    );
    board.unblock();
    assert_eq!(board.display(false), before);
}

#[test]
fn only_an_entire_ship_is_taken_off() {
    let game = Game::standard();
    let mut board = example_board(&game);
    let before = board.display(false);
    for (row, col, ship, direction, why) in [
        (1, 7, 5, Vertical, UnplacementError::NoSuchShip(5)),
        (1, 7, 4, Horizontal, UnplacementError::NotThere(4)),
        (2, 7, 4, Vertical, UnplacementError::NotThere(4)),
        (9, 7, 4, Vertical, UnplacementError::NotThere(4)),
        (8, 6, 4, Horizontal, UnplacementError::NotThere(4)),
        // Damaged, so no longer entire.
        (0, 4, 0, Horizontal, UnplacementError::NotThere(0)),
    ] {
        assert_eq!(board.unplace_ship(at(row, col), ship, direction), Err(why));
        assert_eq!(board.display(false), before);
    }
    assert_eq!(board.unplace_ship(at(1, 7), 4, Vertical), Ok(()));
    assert_eq!(
        board.unplace_ship(at(1, 7), 4, Vertical),
        Err(UnplacementError::NotThere(4))
    );
    assert_eq!(board.placement(4), None);
    assert_eq!(
        board.placement(1),
        Some(Placement {
            top_or_left: at(8, 6),
            direction: Horizontal
        })
    );
}

#[test]
fn an_attack_misses_hits_sinks_or_is_invalid() {
    let game = Game::standard();
    let mut board = example_board(&game);
    assert_eq!(board.attack(at(3, 3)), AttackResult::Miss);
    assert_eq!(board.attack(at(0, 4)), AttackResult::Hit);
    assert_eq!(board.attack(at(0, 7)), AttackResult::Sunk(0));
    assert!(!board.all_ships_destroyed());
    let before = board.display(false);
    assert_eq!(board.attack(at(0, 7)), AttackResult::Wasted);
    assert_eq!(board.attack(at(3, 3)), AttackResult::Wasted);
    for outside in [at(10, 0), at(0, 10), at(-1, 5), at(i32::MIN, i32::MAX)] {
        assert_eq!(board.attack(outside), AttackResult::Wasted);
    }
    assert_eq!(board.display(false), before);
}

#[test]
fn blocking_takes_each_cell_with_probability_one_half() {
    let game = Game::new(10, 10).unwrap();
    let mut rng = SeededRng::new(11);
    let mut board = Board::new(&game);
    let blocked: usize = (0..1000)
        .map(|_| {
            board.unblock();
            board.block(&mut rng);
            100 - board.free().len()
        })
        .sum();
    // Six standard deviations of a binomial count (n = 100,000, p = 1/2) are 949.
    assert!(blocked.abs_diff(50_000) < 949, "{blocked}");
}

/// A second, plain model of the rules: a grid of cells.
struct Model {
    cells: Vec<Vec<Cell>>,
    lengths: Vec<i32>,
}

#[derive(Clone, Copy, Default, PartialEq)]
struct Cell {
    ship: Option<ShipId>,
    attacked: bool,
    blocked: bool,
}

impl Model {
    fn new(game: &Game) -> Model {
        let lengths = game.ships().iter().map(|ship| ship.length).collect();
        let row = (0..game.cols()).map(|_| Cell::default()).collect();
        Model {
            cells: (0..game.rows()).map(|_| Vec::clone(&row)).collect(),
            lengths,
        }
    }

    fn cell(&mut self, row: i32, col: i32) -> Option<&mut Cell> {
        let row = self.cells.get_mut(usize::try_from(row).ok()?)?;
        row.get_mut(usize::try_from(col).ok()?)
    }

    fn all(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().flatten()
    }

    fn line(&self, start: Point, ship: ShipId, direction: Direction) -> Option<Vec<(i32, i32)>> {
        let length = *self.lengths.get(ship)?;
        Some(match direction {
            Horizontal => (0..length)
                .map(|step| (start.row, start.col + step))
                .collect(),
            Vertical => (0..length)
                .map(|step| (start.row + step, start.col))
                .collect(),
        })
    }

    fn place(&mut self, start: Point, ship: ShipId, direction: Direction) -> bool {
        let Some(line) = self.line(start, ship, direction) else {
            return false;
        };
        let placed = self.all().any(|cell| cell.ship == Some(ship));
        let fits = line
            .iter()
            .all(|&(row, col)| self.cell(row, col) == Some(&mut Cell::default()));
        if placed || !fits {
            return false;
        }
        for (row, col) in line {
            self.cell(row, col).unwrap().ship = Some(ship);
        }
        true
    }

    fn unplace(&mut self, start: Point, ship: ShipId, direction: Direction) -> bool {
        let Some(line) = self.line(start, ship, direction) else {
            return false;
        };
        let entire = line.iter().all(|&(row, col)| {
            self.cell(row, col)
                .is_some_and(|cell| cell.ship == Some(ship) && !cell.attacked)
        });
        if entire {
            for (row, col) in line {
                self.cell(row, col).unwrap().ship = None;
            }
        }
        entire
    }

    fn attack(&mut self, point: Point) -> AttackResult {
        let cell = self.cell(point.row, point.col);
        let Some(cell) = cell.filter(|cell| !cell.attacked) else {
            return AttackResult::Wasted;
        };
        cell.attacked = true;
        let Some(ship) = cell.ship else {
            return AttackResult::Miss;
        };
        let mut rest = self.all().filter(|cell| cell.ship == Some(ship));
        if rest.any(|cell| !cell.attacked) {
            AttackResult::Hit
        } else {
            AttackResult::Sunk(ship)
        }
    }

    fn draw(&self, game: &Game, shots_only: bool) -> String {
        let size = [game.rows(), game.cols()];
        draw(Labels::Digits, size, 1, |at| {
            let cell = self.cells[index(at.row)][index(at.col)];
            match cell.ship {
                Some(_) if cell.attacked => 'X',
                None if cell.attacked => 'o',
                _ if shots_only => '.',
                Some(ship) => game.ship_symbol(ship),
                None if cell.blocked => '#',
                None => '.',
            }
        })
    }
}

fn index(value: i32) -> usize {
    usize::try_from(value).unwrap()
}

#[derive(Clone, Debug)]
enum Step {
    Place(Point, ShipId, Direction),
    Unplace(Point, ShipId, Direction),
    /// Takes the ship off where it lies, which random points seldom hit.
    Lift(ShipId),
    Attack(Point),
    Block(u64),
    Unblock,
    Clear,
}

fn any_step() -> impl Strategy<Value = Step> {
    let point = || (-2..12_i32, -2..12_i32).prop_map(|(row, col)| at(row, col));
    let direction = || prop_oneof![Just(Horizontal), Just(Vertical)];
    prop_oneof![
        12 => (point(), 0..5_usize, direction()).prop_map(|(p, ship, d)| Step::Place(p, ship, d)),
        2 => (point(), 0..5_usize, direction()).prop_map(|(p, ship, d)| Step::Unplace(p, ship, d)),
        3 => (0..5_usize).prop_map(Step::Lift),
        12 => point().prop_map(Step::Attack),
        1 => any::<u64>().prop_map(Step::Block),
        1 => Just(Step::Unblock),
        1 => Just(Step::Clear),
    ]
}

proptest! {
    #[test]
    fn any_history_agrees_with_the_plain_model(
        rows in 1..=10,
        cols in 1..=10,
        lengths in proptest::collection::vec(1..=5, 0..5),
        steps in proptest::collection::vec(any_step(), 0..120),
    ) {
        let mut game = Game::new(rows, cols).unwrap();
        for (length, symbol) in lengths.into_iter().zip('A'..) {
            let _ = game.add_ship(length, symbol, "ship");
        }
        let mut board = Board::new(&game);
        let mut model = Model::new(&game);
        for step in steps {
            match step {
                Step::Place(point, ship, direction) => prop_assert_eq!(
                    board.place_ship(point, ship, direction).is_ok(),
                    model.place(point, ship, direction)
                ),
                Step::Unplace(point, ship, direction) => prop_assert_eq!(
                    board.unplace_ship(point, ship, direction).is_ok(),
                    model.unplace(point, ship, direction)
                ),
                Step::Lift(ship) => if let Some(Placement { top_or_left, direction }) = board.placement(ship) {
                    prop_assert_eq!(
                        board.unplace_ship(top_or_left, ship, direction).is_ok(),
                        model.unplace(top_or_left, ship, direction)
                    );
                },
                Step::Attack(point) => {
                    prop_assert_eq!(board.attack(point), model.attack(point));
                }
                Step::Block(seed) => {
                    board.block(&mut SeededRng::new(seed));
                    let mut coins = SeededRng::new(seed);
                    model.cells.iter_mut().flatten().for_each(|cell| cell.blocked |= coins.coin());
                }
                Step::Unblock => {
                    board.unblock();
                    model.cells.iter_mut().flatten().for_each(|cell| cell.blocked = false);
                }
                Step::Clear => {
                    board.clear();
                    model = Model::new(&game);
                }
            }
            prop_assert_eq!(board.display(false), model.draw(&game, false));
            prop_assert_eq!(board.display(true), model.draw(&game, true));
            let destroyed = model.all().all(|cell| cell.ship.is_none() || cell.attacked);
            prop_assert_eq!(board.all_ships_destroyed(), destroyed);
        }
    }
}
