//! A twist game as pictures show it: each player's own grid, and below it what the player knows of the other's.

use battleship::protocol::{Order, OrderResult, cell_at};
use battleship::twist::{
    self, Cell, IllegalMove, Log, Mark as Known, ROW_LETTERS, SIZE, State, Unit,
};
use battleship::{Direction, Side};
use bothost::text;

use super::film::{Film, Frame, Grid, Health, Hull, Mark, Outcome, Ship};
use crate::fleet_orders::told_openly;
use engine::game::{Event, Listener, Played, Position, Stop};
use engine::record::{GameRecord, ReplayError, replay};

/// Returns the film of a recorded game with the position after `kept` turns, or with all.
pub(super) fn film(
    game: &GameRecord,
    number: u64,
    kept: Option<usize>,
) -> Result<Film, ReplayError> {
    let names = game.players.each_ref().map(|player| text::name(&player.name));
    let title = format!("Game {number}: {} against {}", names[0], names[1]);
    let mut camera = Camera::new(title, &text::shortened(&game.reason), names, kept);
    replay(game, &mut camera)?;
    Ok(camera.film)
}

/// Returns the film of a game in a log of the original program.
pub(super) fn film_of_log(
    log: &Log,
    title: &str,
    kept: Option<usize>,
) -> Result<Film, IllegalMove> {
    let names = ["Player 1", "Player 2"].map(str::to_owned);
    let mut camera = Camera::new(title.to_owned(), "", names, kept);
    let mut replayed = twist::replay(log, log.rules.quirks());
    camera.keep(replayed.state(), String::new(), Vec::new());
    while let Some(frame) = replayed.next() {
        let frame = frame?;
        let result = OrderResult::from(frame.event.effect);
        camera.play(frame.side, frame.order.into(), &result, replayed.state());
    }
    let winner = replayed.state().winner().map(|side| camera.names[side.index()].clone());
    let end = winner.map_or("without a winner".to_owned(), |name| format!("{name} won"));
    camera.film.subtitle.push_str(&end);
    Ok(camera.film)
}

/// Follows a game and keeps its positions.
struct Camera {
    film: Film,
    names: [String; 2],
    kept: Option<usize>,
    /// How many units of each player had sunk before.
    sunk: [usize; 2],
}

impl Listener for Camera {
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Stop> {
        match event {
            Event::Placed { position: Position::Twist(state) } => {
                self.keep(state, String::new(), Vec::new());
            }
            Event::Played {
                mover,
                played: Played::Order { order, result },
                position: Position::Twist(state),
                time: _,
            } => self.play(*mover, *order, result, state),
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
    fn new(title: String, end: &str, names: [String; 2], kept: Option<usize>) -> Camera {
        let size = usize::from(SIZE);
        let [one, two] = names.each_ref();
        let headings = vec![
            one.clone(),
            two.clone(),
            format!("What {one} knows of {two}"),
            format!("What {two} knows of {one}"),
        ];
        let units = twist::UnitId::ALL
            .map(|id| Ship { name: id.kind().to_string(), length: id.kind().size().into() });
        let film = Film {
            title,
            subtitle: format!("twist game on {size}×{size} · {end}"),
            rows: size,
            cols: size,
            row_names: ROW_LETTERS.map(String::from).to_vec(),
            col_names: (1..=size).map(|col| col.to_string()).collect(),
            headings,
            ships: [units.to_vec(), units.to_vec()],
            turns: Vec::new(),
            first: 0,
            frames: Vec::new(),
        };
        Camera { film, names, kept, sunk: [0; 2] }
    }

    fn play(&mut self, mover: Side, order: Order, result: &OrderResult, state: &State) {
        let target = mover.other();
        let sunk = state.fleet(target).units().iter().filter(|unit| unit.is_sunk()).count();
        let sinks = sunk > self.sunk[target.index()];
        self.sunk[target.index()] = sunk;
        let fires = matches!(result, OrderResult::Hit | OrderResult::Miss);
        self.film.turns.push(match result {
            OrderResult::Hit if sinks => Outcome::Sunk,
            OrderResult::Hit => Outcome::Hit,
            OrderResult::Miss
            | OrderResult::Repaired(_)
            | OrderResult::Found(_)
            | OrderResult::Refused(_) => Outcome::Nothing,
        });
        let mut said = told_openly(&self.names[mover.index()], order, result);
        if sinks {
            said.push_str(" and sunk");
        }
        // A shot is outlined where it fell and where its player notes it, a move where the unit is now.
        let mut outlined = Vec::new();
        if let Some(cell) = cell_at(order.target) {
            let (row, col) = place(cell);
            match result {
                OrderResult::Refused(_) => {}
                _ if fires => {
                    outlined.push((target.index(), row, col));
                    outlined.push((2 + mover.index(), row, col));
                }
                OrderResult::Found(_) => {
                    outlined.push((mover.index(), row, col));
                    outlined.push((2 + mover.index(), row, col));
                }
                OrderResult::Hit | OrderResult::Miss | OrderResult::Repaired(_) => {
                    outlined.push((mover.index(), row, col));
                }
            }
        }
        self.keep(state, said, outlined);
    }

    fn keep(&mut self, state: &State, said: String, outlined: Vec<(usize, usize, usize)>) {
        let number = self.film.turns.len();
        if self.kept.is_some_and(|kept| kept != number) {
            return;
        }
        let mut grids = Vec::with_capacity(4);
        grids.extend(Side::BOTH.map(|side| own_grid(state, side)));
        grids.extend(Side::BOTH.map(|side| attack_grid(state, side)));
        let afloat = Side::BOTH.map(|side| {
            let health = |unit: &Unit| {
                let hits = unit.kind().size() - unit.armor();
                if unit.is_sunk() { Health::Sunk } else { Health::Afloat(hits.into()) }
            };
            state.fleet(side).units().iter().map(health).collect()
        });
        let notes = Side::BOTH.map(|side| {
            let units = state.fleet(side).afloat().count();
            format!("{units} of {} units afloat", twist::UNITS)
        });
        self.film.keep(number, self.kept, Frame { grids, afloat, notes, said, outlined });
    }
}

fn place(cell: Cell) -> (usize, usize) {
    (cell.row().into(), cell.column().into())
}

/// Returns a player's own grid. Sunk units have left it.
fn own_grid(state: &State, side: Side) -> Grid {
    let fleet = state.fleet(side);
    let hull = |unit: &Unit| {
        let (row, col) = place(unit.placement().bow);
        (!unit.is_sunk()).then(|| Hull {
            row,
            col,
            length: unit.kind().size().into(),
            down: unit.placement().direction == Direction::Vertical,
            sunk: false,
            letter: Some(unit.kind().letter()),
        })
    };
    let damaged = fleet.damaged();
    Grid {
        hulls: fleet.units().iter().map(hull).collect(),
        marks: Cell::all().map(|cell| damaged.contains(cell).then_some(Mark::Hit)).collect(),
    }
}

/// Returns what a player has noted about the other's grid.
fn attack_grid(state: &State, side: Side) -> Grid {
    let known = state.view(side).attack();
    let mark = |cell| {
        Some(match known.mark(cell)? {
            Known::Hit => Mark::Hit,
            Known::Miss => Mark::Miss,
            Known::Sonar => Mark::Seen,
        })
    };
    Grid { hulls: Vec::new(), marks: Cell::all().map(mark).collect() }
}
