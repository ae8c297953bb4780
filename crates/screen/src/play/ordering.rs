//! A person chooses a ship and the cell on which it acts.

use battleship::{Actor, GameInPlay, Preview, Rules, Side};

use crate::picture::{At, at_of, point_of};

/// A turn that is being put together.
#[derive(Clone, Debug)]
pub(super) struct Ordering {
    /// The ships that can act, in id order.
    actors: Vec<Actor>,
    /// The one that has been chosen.
    chosen: Option<usize>,
    /// The cell of the own grid that the person looks at, while no ship is chosen, or to which the
    /// chosen one is to move.
    own: At,
    /// The cell of the other's grid that the person aims at.
    target: At,
    /// The last row and column.
    last: At,
}

/// The grid that the arrow keys are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    Own,
    Other,
}

impl Ordering {
    /// Begins a turn of the player on `side`, who looks at the first ship that can act.
    pub(super) fn new(rules: &Rules, game: &dyn GameInPlay, side: Side, target: At) -> Ordering {
        let actors = game.actors(side);
        let own = actors.first().map_or((0, 0), place_of);
        let last = rules
            .size()
            .map(|lines| usize::try_from(lines).unwrap_or(1).max(1) - 1);
        Ordering {
            actors,
            chosen: None,
            own,
            target,
            last: last.into(),
        }
    }

    /// Returns the ship that has been chosen.
    pub(super) fn chosen(&self) -> Option<&Actor> {
        self.actors.get(self.chosen?)
    }

    /// Returns the cell that names it.
    pub(super) fn named(&self) -> At {
        self.chosen().map_or((0, 0), place_of)
    }

    pub(super) fn target(&self) -> At {
        self.target
    }

    /// Returns the grid that the arrow keys are for, and their cell on it.
    pub(super) fn aim(&self) -> (On, At) {
        match self.chosen() {
            Some(Actor { targets: None, .. }) => (On::Other, self.target),
            Some(_) | None => (On::Own, self.own),
        }
    }

    pub(super) fn move_to(&mut self, (row, col): At) {
        let place = (row.min(self.last.0), col.min(self.last.1));
        match self.aim().0 {
            On::Own => self.own = place,
            On::Other => self.target = place,
        }
    }

    pub(super) fn move_by(&mut self, down: isize, right: isize) {
        let (_, (row, col)) = self.aim();
        self.move_to((
            row.saturating_add_signed(down),
            col.saturating_add_signed(right),
        ));
    }

    /// Looks at the next ship, or the one before. One that has been chosen gives way to it.
    /// `under_aim` is the ship that the person looks at.
    pub(super) fn next_ship(&mut self, under_aim: Option<usize>, back: bool) {
        let here = self.chosen.or_else(|| self.number_of(under_aim?));
        let count = self.actors.len();
        let next = match here {
            Some(here) if back => (here + count - 1) % count.max(1),
            Some(here) => (here + 1) % count.max(1),
            None => 0,
        };
        self.chosen = None;
        if let Some(actor) = self.actors.get(next) {
            self.own = place_of(actor);
        }
    }

    /// Chooses the ship under the aim. Returns whether there is one.
    pub(super) fn choose(&mut self, under_aim: Option<usize>) -> bool {
        self.chosen = under_aim.and_then(|ship| self.number_of(ship));
        if let Some(actor) = self.chosen() {
            self.own = place_of(actor);
        }
        self.chosen.is_some()
    }

    fn number_of(&self, ship: usize) -> Option<usize> {
        self.actors.iter().position(|actor| actor.ship == ship)
    }

    /// Gives the chosen ship back.
    pub(super) fn back(&mut self) {
        self.chosen = None;
    }

    /// Returns what the turn would come to.
    pub(super) fn preview(&self, game: &dyn GameInPlay, side: Side) -> Preview {
        let chosen = self.chosen();
        chosen.map_or_else(Preview::default, |actor| {
            game.preview(side, actor.ship, point_of(self.aim().1))
        })
    }
}

/// Returns the cell that names a ship.
fn place_of(actor: &Actor) -> At {
    at_of(actor.at).unwrap_or_default()
}
