//! Places in the standings.

use std::cmp::Ordering;

/// A player's place in the order of a contest.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The player, by its entry.
    pub player: usize,
    /// The place, from 1. Players who did equally well share a place, and the next place is as if
    /// they did not.
    pub place: usize,
    /// The score that mostly decides the place: points in games for a round robin or a gauntlet,
    /// match points for a swiss tournament, rounds survived for a knockout.
    pub points: f64,
    /// A note about the place.
    pub note: String,
    /// The scores that decide the place, the most important first. More is better.
    keys: [f64; 3],
}

impl Place {
    /// Returns the scores of a player, whose place [`ranked`] finds.
    pub(super) fn new(player: usize, points: f64, note: String, keys: [f64; 3]) -> Place {
        Place {
            player,
            place: 0,
            points,
            note,
            keys,
        }
    }
}

/// Returns a share of points in per cent, for a note.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or_else(
        || "no games".to_owned(),
        |share| format!("{:.1} %", 100.0 * share),
    )
}

/// Returns the places in their order, given those of all players by entry. Disqualified players
/// share the last place.
pub(super) fn ranked(
    mut places: Vec<Place>,
    is_disqualified: &dyn Fn(usize) -> bool,
) -> Vec<Place> {
    let better_first = |a: &Place, b: &Place| -> Ordering {
        let by_keys = b.keys.partial_cmp(&a.keys).expect("no score is NaN");
        is_disqualified(a.player)
            .cmp(&is_disqualified(b.player))
            .then(by_keys)
    };
    // The sort is stable: players who share a place stay in entry order.
    places.sort_by(better_first);
    for index in 0..places.len() {
        let is_out = is_disqualified(places[index].player);
        let place = match places[..index].last() {
            // Disqualified players are equal whatever their scores are.
            Some(above) if is_out && is_disqualified(above.player) => above.place,
            Some(above) if better_first(above, &places[index]).is_eq() => above.place,
            Some(_) | None => index + 1,
        };
        places[index].place = place;
        if is_out {
            "disqualified".clone_into(&mut places[index].note);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_the_scores() {
        let all = &[0, 1, 2, 3][..];
        for (points, disqualified, expected) in [
            (
                [1.0, 2.0, 1.0, 0.0],
                &[][..],
                [(1, 1), (0, 2), (2, 2), (3, 4)],
            ),
            (
                [3.0, 1.0, 2.0, 0.0],
                &[0, 2],
                [(1, 1), (3, 2), (0, 3), (2, 3)],
            ),
            ([3.0, 1.0, 2.0, 0.0], all, [(0, 1), (2, 1), (1, 1), (3, 1)]),
        ] {
            let places = (0..4).zip(points).map(|(player, last_key)| {
                Place::new(player, 0.0, String::new(), [1.0, 0.0, last_key])
            });
            let places = ranked(places.collect(), &|player| disqualified.contains(&player));
            let order: Vec<_> = places.iter().map(|one| (one.player, one.place)).collect();
            assert_eq!(order, expected);
        }
    }
}
