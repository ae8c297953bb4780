//! Groups of players who are connected by games: only ratings within a group can be compared.

use super::PointsTable;

/// Returns the groups of players who met each other, directly or by way of others; players without
/// games are in none.
pub(super) fn groups(table: &PointsTable) -> Vec<Vec<usize>> {
    let mut is_grouped = vec![false; table.players()];
    let mut groups = Vec::new();
    for first in 0..table.players() {
        if is_grouped[first] {
            continue;
        }
        let is_reached = reached_from(first, table, |one, two| table.games(one, two) > 0.0);
        let group: Vec<usize> = (0..table.players())
            .filter(|&player| is_reached[player])
            .collect();
        for &player in &group {
            is_grouped[player] = true;
        }
        if group.len() > 1 {
            groups.push(group);
        }
    }
    groups
}

/// Returns whether each player of a group got points from each other one, directly or by way of
/// others: then likeliest strengths exist.
pub(super) fn is_strongly_connected(table: &PointsTable) -> bool {
    let forth = reached_from(0, table, |one, two| table.points(one, two) > 0.0);
    let back = reached_from(0, table, |one, two| table.points(two, one) > 0.0);
    forth.into_iter().chain(back).all(|is_reached| is_reached)
}

/// Returns a mark for each player that can be reached from `first` by the steps that `leads`
/// allows.
fn reached_from(
    first: usize,
    table: &PointsTable,
    leads: impl Fn(usize, usize) -> bool,
) -> Vec<bool> {
    let mut is_reached = vec![false; table.players()];
    is_reached[first] = true;
    let mut waiting = vec![first];
    while let Some(from) = waiting.pop() {
        for (to, is_reached) in is_reached.iter_mut().enumerate() {
            if !*is_reached && leads(from, to) {
                *is_reached = true;
                waiting.push(to);
            }
        }
    }
    is_reached
}
