//! The ideas about an opponent.

use std::fmt;

use super::super::sample::Spacing;

/// An idea of how an opponent places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Idea {
    /// Each ship by itself, at that distance, with that preference for places.
    Placing(Spacing, Preference),
    /// One of the fleets that it had before.
    Repeating,
}

/// The places that an opponent prefers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Preference {
    None,
    /// As the course's mediocre player.
    Mediocre,
    /// Each cell on the edge of the board makes a place exp of this as likely.
    Edge(f64),
    /// Places that players who count places find late: each attack that a ship there adds makes a
    /// place exp of this as likely.
    Lasting(f64),
    /// By a few features of places, learned from game to game.
    Taste,
    /// Places of its earlier fleets: this many games are as good as known before the first
    /// (Dirichlet's prior).
    Again(f64),
    /// Cells where this player shot late in the games before: by this number of standard deviations
    /// of a random fleet.
    Dodging(f64),
    /// Cells where this player shot late in the last game.
    DodgingLast(f64),
}

const SPACINGS: [(Spacing, f64); 3] = [
    (Spacing::Any, 0.84),
    (Spacing::Sides, 0.06),
    (Spacing::Corners, 0.10),
];

const PREFERENCES: [(Preference, f64); 11] = [
    (Preference::None, 0.57),
    (Preference::Mediocre, 0.10),
    (Preference::Edge(0.6), 0.03),
    (Preference::Edge(-1.5), 0.03),
    (Preference::Lasting(0.4), 0.03),
    (Preference::Taste, 0.12),
    (Preference::Again(0.3), 0.02),
    (Preference::Again(4.0), 0.02),
    (Preference::Dodging(1.2), 0.03),
    (Preference::Dodging(2.5), 0.03),
    (Preference::DodgingLast(1.8), 0.02),
];

const REPEATING: f64 = 0.04;

/// All ideas, each with its credit before the first game. The credits add up to 1.
pub(super) fn all() -> Vec<(Idea, f64)> {
    let placing = SPACINGS.iter().flat_map(|(spacing, spaced)| {
        PREFERENCES.iter().map(move |(preference, preferred)| {
            let credit = spaced * preferred * (1.0 - REPEATING);
            (Idea::Placing(*spacing, *preference), credit)
        })
    });
    placing.chain([(Idea::Repeating, REPEATING)]).collect()
}

impl fmt::Display for Idea {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Idea::Placing(spacing, preference) = self else {
            return f.write_str("a fleet that it had before");
        };
        f.write_str(match preference {
            Preference::None => "anywhere",
            Preference::Mediocre => "as mediocre does",
            Preference::Edge(weight) if *weight > 0.0 => "on the edge",
            Preference::Edge(_) => "away from the edge",
            Preference::Lasting(_) => "where one looks late",
            Preference::Taste => "by taste",
            Preference::Again(_) => "where it did before",
            Preference::Dodging(_) => "where it was attacked late",
            Preference::DodgingLast(_) => "where it was attacked late in the last game",
        })?;
        f.write_str(match spacing {
            Spacing::Any => "",
            Spacing::Sides => ", not side by side",
            Spacing::Corners => ", not touching",
        })
    }
}
