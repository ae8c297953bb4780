//! A classic game as pictures show it.

use battleship::{AttackResult, Board, BySide, Direction, Point, Side};
use bothost::text;

use super::film::{Film, Frame, Grid, Health, Hull, Mark, Outcome, Ship};
use engine::game::{Event, Listener, Played, Position, Stop};
use engine::record::{GameRecord, ReplayError, replay, rules_of};

/// Returns the film of a game with the position after `kept` turns, or with all.
pub(super) fn film(
    game: &GameRecord,
    number: u64,
    kept: Option<usize>,
) -> Result<Film, ReplayError> {
    // A record may have any size, and the film has a name for each row and column.
    rules_of(game)?;
    let names = game.players.each_ref().map(|player| text::name(&player.name));
    let count = |size: i32| usize::try_from(size).unwrap_or(0);
    let (rows, cols) = (count(game.rows), count(game.cols));
    let ships: Vec<_> = game
        .ships
        .iter()
        .map(|ship| Ship { name: ship.name.clone(), length: count(ship.length) })
        .collect();
    let film = Film {
        title: format!("Game {number}: {} against {}", names[0], names[1]),
        subtitle: format!(
            "{} on {rows}×{cols} · {}",
            fleet(ships.len()),
            text::shortened(&game.reason)
        ),
        rows,
        cols,
        row_names: (0..rows).map(|row| row.to_string()).collect(),
        col_names: (0..cols).map(|col| col.to_string()).collect(),
        headings: names.to_vec(),
        ships: [ships.clone(), ships],
        turns: Vec::new(),
        first: 0,
        frames: Vec::new(),
    };
    let names = names.into();
    let mut camera = Camera { film, names, kept, boards: BySide::default(), attacks: [0; 2] };
    replay(game, &mut camera)?;
    Ok(camera.film)
}

fn fleet(ships: usize) -> String {
    if ships == 1 { "1 ship".to_owned() } else { format!("{ships} ships") }
}

/// A player's board as far as the game has gone.
#[derive(Default)]
struct Sea {
    hulls: Vec<Hull>,
    hits: Vec<usize>,
    marks: Vec<Option<Mark>>,
}

/// Hears a game and keeps its positions.
struct Camera {
    film: Film,
    names: BySide<String>,
    kept: Option<usize>,
    boards: BySide<Sea>,
    attacks: [usize; 2],
}

impl Listener for Camera {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        match event {
            Event::Placed { position: Position::Classic(boards) } => {
                let cells = self.film.rows * self.film.cols;
                self.boards = boards.as_ref().map(|board| Sea::new(board, cells));
                self.keep(String::new(), Vec::new());
            }
            Event::Played { mover, played: Played::Attack { at, result }, .. } => {
                self.attack(*mover, *at, *result);
            }
            // Turns are kept once they are played, and the reason of the end is in the record.
            Event::Placed { .. }
            | Event::Turn { .. }
            | Event::Played { .. }
            | Event::Comment { .. }
            | Event::Ended { .. } => {}
        }
        Ok(())
    }
}

impl Camera {
    fn attack(&mut self, mover: Side, at: Point, result: AttackResult) {
        let target = mover.other();
        let cell = self.cell(at);
        self.attacks[target.index()] += 1;
        let sea = &mut self.boards[target];
        let name = &self.names[mover];
        let (outcome, what) = match result {
            AttackResult::Miss => (Outcome::Nothing, "water".to_owned()),
            AttackResult::Hit => (Outcome::Hit, "hit".to_owned()),
            AttackResult::Sunk(ship) => {
                let ship = self.film.ships[0].get(ship).map_or("ship", |ship| &ship.name);
                (Outcome::Sunk, format!("sank the {ship}"))
            }
            AttackResult::Wasted => (Outcome::Nothing, "wasted".to_owned()),
        };
        if let Some((row, col)) = cell {
            match result {
                AttackResult::Miss => sea.mark(row * self.film.cols + col, Mark::Miss),
                AttackResult::Hit => sea.hit(row, col, self.film.cols),
                AttackResult::Sunk(ship) => {
                    sea.hit(row, col, self.film.cols);
                    sea.sink(ship, self.film.cols);
                }
                AttackResult::Wasted => {}
            }
        }
        self.film.turns.push(outcome);
        let said = format!("{name} attacked {at}: {what}");
        let outlined = cell.map(|(row, col)| (target.index(), row, col));
        self.keep(said, outlined.into_iter().collect());
    }

    /// Returns the row and the column of a cell of the board; `None` for what is outside.
    fn cell(&self, at: Point) -> Option<(usize, usize)> {
        let (row, col) = (usize::try_from(at.row).ok()?, usize::try_from(at.col).ok()?);
        (row < self.film.rows && col < self.film.cols).then_some((row, col))
    }

    fn keep(&mut self, said: String, outlined: Vec<(usize, usize, usize)>) {
        let number = self.film.turns.len();
        if self.kept.is_some_and(|kept| kept != number) {
            return;
        }
        let seas = [&self.boards.one, &self.boards.two];
        let notes = self.attacks.map(|attacks| match attacks {
            1 => "attacked once".to_owned(),
            attacks => format!("attacked {attacks} times"),
        });
        let frame = Frame {
            grids: seas.map(Sea::grid).into(),
            afloat: seas.map(Sea::afloat),
            notes,
            said,
            outlined,
        };
        self.film.keep(number, self.kept, frame);
    }
}

impl Sea {
    fn new(board: &Board<'_>, cells: usize) -> Sea {
        let hull = |ship| {
            let place = board.placement(ship)?;
            let at = place.top_or_left;
            Some(Hull {
                row: usize::try_from(at.row).ok()?,
                col: usize::try_from(at.col).ok()?,
                length: usize::try_from(board.game().ship_length(ship)).ok()?,
                down: place.direction == Direction::Vertical,
                sunk: false,
                letter: None,
            })
        };
        let hulls: Vec<_> = (0..board.game().n_ships()).filter_map(hull).collect();
        Sea { hits: vec![0; hulls.len()], hulls, marks: vec![None; cells] }
    }

    fn mark(&mut self, cell: usize, mark: Mark) {
        if let Some(known) = self.marks.get_mut(cell) {
            *known = Some(mark);
        }
    }

    fn hit(&mut self, row: usize, col: usize, cols: usize) {
        self.mark(row * cols + col, Mark::Hit);
        let ship = self.hulls.iter().position(|hull| hull.cells().any(|cell| cell == (row, col)));
        if let Some(hits) = ship.and_then(|ship| self.hits.get_mut(ship)) {
            *hits += 1;
        }
    }

    fn sink(&mut self, ship: usize, cols: usize) {
        let Some(hull) = self.hulls.get_mut(ship) else { return };
        hull.sunk = true;
        for (row, col) in hull.cells().collect::<Vec<_>>() {
            self.mark(row * cols + col, Mark::Sunk);
        }
    }

    fn grid(&self) -> Grid {
        Grid { hulls: self.hulls.iter().copied().map(Some).collect(), marks: self.marks.clone() }
    }

    fn afloat(&self) -> Vec<Health> {
        let health = |(hull, hits): (&Hull, &usize)| {
            if hull.sunk { Health::Sunk } else { Health::Afloat(*hits) }
        };
        self.hulls.iter().zip(&self.hits).map(health).collect()
    }
}

impl Hull {
    /// Returns the cells that it lies on.
    pub(super) fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let Hull { row, col, down, .. } = *self;
        (0..self.length).map(move |step| if down { (row + step, col) } else { (row, col + step) })
    }
}
