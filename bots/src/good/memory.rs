//! The memory of an opponent from game to game.

use battleship::{Board, Game};

use super::beliefs::Beliefs;
use super::placement::Placing;
use super::sample::Sample;
use super::yard::PlaceIndex;

/// The memory of one opponent. A new memory is empty.
#[derive(Debug, Default)]
pub struct Memory {
    beliefs: Option<Beliefs>,
    /// The placement of one's own ships against it.
    pub(super) placing: Placing,
}

impl Memory {
    /// Returns the beliefs about this opponent's placement in games of this kind. Beliefs from
    /// other games are dropped: they say little.
    pub(super) fn beliefs(&mut self, game: &Game) -> &mut Beliefs {
        if self
            .beliefs
            .as_ref()
            .is_some_and(|beliefs| beliefs.game() != game)
        {
            self.beliefs = None;
        }
        self.beliefs
            .get_or_insert_with(|| Beliefs::of_stranger(game))
    }

    /// The opponent placed its ships as on `board`.
    pub fn see(&mut self, board: &Board<'_>) {
        let game = board.game();
        let beliefs = self.beliefs(game);
        let yard = beliefs.yard();
        let place = |ship| {
            board
                .placement(ship)
                .and_then(|at| yard.kind_of(ship).place_at(at))
        };
        if let Some(places) = (0..game.n_ships())
            .map(place)
            .collect::<Option<Vec<PlaceIndex>>>()
        {
            let mut sample = Sample::new(game.n_ships());
            sample.push(yard.cells_of(&places), &places, 0);
            beliefs.learn(&sample, &[]);
        }
    }
}
