//! Groups of players who are connected by games: only ratings within a group can be compared.

use super::PointsTable;

/// Returns the groups of players who met each other, directly or by way of others; players without
/// games are in none.
pub(super) fn groups(table: &PointsTable) -> Vec<Vec<usize>> {
    let mut grouped = vec![false; table.players()];
    let mut groups = Vec::new();
    for first in 0..table.players() {
        if grouped[first] {
            continue;
        }
        let members = reached_from(first, table, |one, two| table.games(one, two) > 0.0);
        for (player, _) in members.iter().enumerate().filter(|(_, member)| **member) {
            grouped[player] = true;
        }
        let group: Vec<usize> = (0..table.players())
            .filter(|&player| members[player])
            .collect();
        if group.len() > 1 {
            groups.push(group);
        }
    }
    groups
}

/// Returns whether any player got points from any other, directly or by way of others: then
/// likeliest strengths exist.
pub(super) fn is_strongly_connected(table: &PointsTable) -> bool {
    let all = |reached: Vec<bool>| reached.into_iter().all(|reached| reached);
    table.players() == 0
        || all(reached_from(0, table, |one, two| {
            table.points(one, two) > 0.0
        })) && all(reached_from(0, table, |one, two| {
            table.points(two, one) > 0.0
        }))
}

/// Returns a mark for each player that can be reached from `first` by the steps that `leads`
/// allows.
fn reached_from(
    first: usize,
    table: &PointsTable,
    leads: impl Fn(usize, usize) -> bool,
) -> Vec<bool> {
    let mut reached = vec![false; table.players()];
    reached[first] = true;
    let mut waiting = vec![first];
    while let Some(from) = waiting.pop() {
        for (to, reached) in reached.iter_mut().enumerate() {
            if !*reached && leads(from, to) {
                *reached = true;
                waiting.push(to);
            }
        }
    }
    reached
}
