//! A scene as the screen shows it: its grids with signs, and its ships in lists.

use battleship::scene::{Mark, MarkKind, Scene, ShipShape, ShipState, Viewer};
use battleship::{AttackResult, BySide, PlayedTurn, Rules, Side, in_words};

use crate::look::{Aged, Sign};
use crate::picture::{At, Grid, ListedShip, ShipLine, at_of};
use crate::story::Story;

/// After this number of turns of its player a mark is old: a ship may well have moved.
const OLD: u8 = 4;

/// Returns the waters of both players after this number of turns, with the ships.
pub(crate) fn waters(story: &Story, turns: usize, eyes: Viewer) -> BySide<Grid> {
    let played = &story.turns[..turns];
    let scene = story.game_after(turns).scene(eyes);
    BySide::from_fn(|side| Grid {
        last: last(played, side, eyes),
        ships: lines(&story.rules, &scene.ships[side]),
        ..drawn(&story.rules, &scene, side, played, eyes)
    })
}

/// Returns the grid of the player on `side` with its signs alone.
fn drawn(rules: &Rules, scene: &Scene, side: Side, played: &[PlayedTurn], eyes: Viewer) -> Grid {
    let waters = &scene.waters[side];
    let mut grid = empty(rules);
    for hull in waters.hulls.iter().flatten() {
        hull.cells()
            .for_each(|at| draw(&mut grid, at, Sign::Ship(hull.symbol)));
    }
    for (index, mark) in waters.marks.iter().enumerate() {
        let Some(mark) = mark else { continue };
        let at = (index / grid.cols.len(), index % grid.cols.len());
        let mut hulls = waters.hulls.iter().flatten();
        let hull = hulls.find(|hull| scene.ships_move && hull.cells().any(|cell| cell == at));
        draw(&mut grid, at, sign(*mark, hull));
    }
    // If ships move, their waters keep no trace of a miss.
    if scene.ships_move && eyes == Viewer::Judge {
        let fired = played
            .iter()
            .filter(|turn| turn.mover != side && turn.turn.notice().is_some());
        for missed in fired.filter(|turn| turn.turn.impact() == AttackResult::Miss) {
            let index = at_of(missed.turn.target()).and_then(|at| grid.index(at));
            if let Some(index) = index.filter(|index| grid.signs[*index] == Sign::Water) {
                grid.signs[index] = Sign::Old(Aged::Miss);
            }
        }
    }
    grid
}

/// Returns the sign of a mark; `hull` is the ship that takes its damage with it.
fn sign(mark: Mark, hull: Option<&ShipShape>) -> Sign {
    match (mark.kind, hull, mark.age >= OLD) {
        (MarkKind::Hit, Some(hull), _) => Sign::Damaged(hull.symbol),
        (MarkKind::Sunk, ..) => Sign::Sunk,
        (MarkKind::Miss, _, false) => Sign::Miss,
        (MarkKind::Miss, _, true) => Sign::Old(Aged::Miss),
        (MarkKind::Hit, None, false) => Sign::Hit,
        (MarkKind::Hit, None, true) => Sign::Old(Aged::Hit),
        (MarkKind::Seen, _, false) => Sign::Seen,
        (MarkKind::Seen, _, true) => Sign::Old(Aged::Seen),
    }
}

fn draw(grid: &mut Grid, at: At, sign: Sign) {
    if let Some(index) = grid.index(at) {
        grid.signs[index] = sign;
    }
}

/// Returns the cell of the last turn, if it was on the grid of the player on `side` and may be
/// seen.
fn last(played: &[PlayedTurn], side: Side, eyes: Viewer) -> Option<At> {
    let last = played.last()?;
    // A turn that the opponent hears of is a shot at its waters; the others happen in the player's
    // own.
    let (on, is_seen) = match last.turn.notice() {
        Some(_) => (last.mover.other(), true),
        None => (last.mover, eyes.sees(last.mover)),
    };
    (on == side && is_seen)
        .then(|| at_of(last.turn.target()))
        .flatten()
}

/// Returns a grid with nothing on it.
fn empty(rules: &Rules) -> Grid {
    let [rows, cols] = rules.line_names();
    let signs = vec![Sign::Water; rows.len() * cols.len()];
    Grid {
        rows,
        cols,
        signs,
        ..Grid::default()
    }
}

/// Returns the list of ships: a line for all ships of one name.
fn lines(rules: &Rules, ships: &[ShipState]) -> Vec<ShipLine> {
    let mut lines: Vec<ShipLine> = Vec::new();
    for (ship, health) in rules.ships().into_iter().zip(ships) {
        let length = usize::try_from(ship.length).unwrap_or(0);
        let (hit, sunk) = match health {
            ShipState::Afloat(hit) => (*hit, false),
            ShipState::Sunk => (length, true),
        };
        let listed = ListedShip { length, hit, sunk };
        match lines.last_mut().filter(|line| line.name == ship.name) {
            Some(line) => line.ships.push(listed),
            None => lines.push(ShipLine {
                name: ship.name,
                ships: vec![listed],
            }),
        }
    }
    for line in lines.iter_mut().filter(|line| line.ships.len() > 1) {
        line.name.push('s');
    }
    lines
}

/// Returns what happened in a turn, as a sentence, as far as `eyes` may see it.
pub(crate) fn said(story: &Story, played: &PlayedTurn, eyes: Viewer) -> String {
    let parts = played.turn.sentence(played.mover, eyes);
    in_words(&parts, &story.names, eyes, &story.rules.describe())
}

/// Returns what the player on `side` knows of a cell of the other's waters, as `: hit 4 turns ago`;
/// nothing if that is nothing.
pub(crate) fn age_in_words(story: &Story, side: Side, (row, col): At) -> String {
    let scene = story
        .game_after(story.turns.len())
        .scene(Viewer::Player(side));
    let [_, cols] = story.rules.size();
    let index = row * usize::try_from(cols).unwrap_or(0) + col;
    let Some(Some(mark)) = scene.waters[side.other()].marks.get(index) else {
        return String::new();
    };
    let what = match mark.kind {
        MarkKind::Hit | MarkKind::Sunk => "a hit",
        MarkKind::Miss => "a miss",
        MarkKind::Seen => "seen whole",
    };
    match mark.age {
        0 => format!(": {what} in your last turn"),
        age => format!(": {what} {} turns ago", u16::from(age) + 1),
    }
}
