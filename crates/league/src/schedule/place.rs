//! Places in the standings.

use std::cmp::Ordering;

/// A player's place in the order of a contest.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The player, by its entry.
    pub player: usize,
    /// From 1. Players who did equally well share a number, and the next one is as if they did not.
    pub place: usize,
    /// The score that mostly decides the place: points in games for a round robin or a gauntlet, match points for a swiss
    /// tournament, rounds survived for a knockout.
    pub points: f64,
    /// A note about the place.
    pub note: String,
}

/// The scores that decide a player's place.
#[derive(Clone, Debug)]
pub(super) struct Merit {
    /// The keys of the order, the most important first. More is better.
    pub(super) order: [f64; 3],
    pub(super) points: f64,
    pub(super) note: String,
}

/// Returns a share of points in per cent, for a note.
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or_else(
        || "no games".to_owned(),
        |share| format!("{:.1} %", 100.0 * share),
    )
}

/// Returns the places of the players, whose merits are in entry order. Those who are out share the last place.
pub(super) fn places(merits: Vec<Merit>, out: &dyn Fn(usize) -> bool) -> Vec<Place> {
    let mut ranked: Vec<(usize, bool, Merit)> = merits
        .into_iter()
        .enumerate()
        .map(|(player, merit)| (player, out(player), merit))
        .collect();
    // A stable sort: players who share a place stay in entry order.
    ranked.sort_by(|(_, a_is_out, a), (_, b_is_out, b)| {
        a_is_out.cmp(b_is_out).then_with(|| better_first(a, b))
    });
    let mut places: Vec<Place> = Vec::with_capacity(ranked.len());
    for (index, (player, is_out, merit)) in ranked.iter().enumerate() {
        let place = match index
            .checked_sub(1)
            .map(|before| (&ranked[before], places[before].place))
        {
            Some(((_, true, _), place)) => place,
            Some(((_, false, above), place))
                if !is_out && better_first(above, merit) == Ordering::Equal =>
            {
                place
            }
            Some(_) | None => index + 1,
        };
        let note = if *is_out {
            "disqualified".to_owned()
        } else {
            merit.note.clone()
        };
        places.push(Place {
            player: *player,
            place,
            points: merit.points,
            note,
        });
    }
    places
}

fn better_first(a: &Merit, b: &Merit) -> Ordering {
    a.order
        .iter()
        .zip(&b.order)
        .map(|(a, b)| b.total_cmp(a))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(orders: &[[f64; 3]], out: &[usize]) -> Vec<(usize, usize)> {
        let merits = orders.iter().map(|&order| Merit {
            order,
            points: order[0],
            note: String::new(),
        });
        let places = places(merits.collect(), &|player| out.contains(&player));
        places
            .iter()
            .map(|place| (place.player, place.place))
            .collect()
    }

    #[test]
    fn equals_share_a_place() {
        let orders = [
            [1.0, 0.0, 2.0],
            [2.0, 0.0, 0.0],
            [1.0, 0.0, 2.0],
            [1.0, 0.0, 1.0],
        ];
        assert_eq!(placed(&orders, &[]), [(1, 1), (0, 2), (2, 2), (3, 4)]);
    }

    #[test]
    fn the_disqualified_share_the_last_place() {
        let orders = [
            [3.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [2.0, 0.0, 0.0],
            [0.0, 0.0, 0.0],
        ];
        assert_eq!(placed(&orders, &[0, 2]), [(1, 1), (3, 2), (0, 3), (2, 3)]);
        let all: Vec<usize> = (0..4).collect();
        assert_eq!(placed(&orders, &all), [(0, 1), (2, 1), (1, 1), (3, 1)]);
    }
}
