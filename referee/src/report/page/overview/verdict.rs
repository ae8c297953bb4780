//! Who is best, and what the games do not decide: the first sentences of a report.

use super::name_of;
use crate::contest::PlayerSummary;
use crate::report::standings::Standings;
use crate::report::words::{counted, percent};
use league::statistics::Z_95;

/// So many pairs of neighbours that cannot be told apart are named.
const MOST_NAMED: usize = 3;

/// Returns the sentences for players in this order.
pub(super) fn verdict(standings: &Standings<'_>, order: &[(usize, &PlayerSummary)]) -> Vec<String> {
    let counts =
        |player: &&PlayerSummary| player.tally.results.games() > 0 && player.score.is_some();
    let ranked: Vec<&PlayerSummary> =
        order.iter().map(|(_, player)| *player).filter(counts).collect();
    let Some((best, rest)) = ranked.split_first() else {
        return vec!["No game counts yet.".to_owned()];
    };
    let mut sentences = Vec::new();
    let Some(score) = best.score else { return sentences };
    let results = &best.tally.results;
    let points = format!("{} of {} points", results.points(), results.games());
    let name = name_of(best);
    match rest.first() {
        Some(second) if !differ(best, second) => sentences.push(format!(
            "{name} leads with {points}, but the games do not tell it apart from {}.",
            name_of(second)
        )),
        Some(_) | None => sentences.push(format!(
            "{name} is the {}: {points}, in the long run at least {} with 95% confidence.",
            if ranked.len() == 2 { "stronger" } else { "strongest" },
            percent(score.of.at_least())
        )),
    }
    let close: Vec<String> = ranked
        .windows(2)
        .skip(1)
        .filter(|pair| !differ(pair[0], pair[1]))
        .map(|pair| format!("{} and {}", name_of(pair[0]), name_of(pair[1])))
        .collect();
    match close.len() {
        0 => {}
        1..=MOST_NAMED => {
            sentences.push(format!("Not told apart by these games: {}.", close.join("; ")));
        }
        many => {
            sentences
                .push(format!("{many} pairs of neighbours are not told apart by these games."));
        }
    }
    let faults: u64 = standings.players.iter().map(|player| player.tally.n_faults()).sum();
    if faults > 0 {
        sentences.push(format!("{} ended by a player's own fault.", counted(faults, "game")));
    }
    sentences
}

/// Returns whether two ratings differ by more than chance: by 1.96 standard errors of the difference, as if the two errors
/// were independent.
fn differ(one: &PlayerSummary, other: &PlayerSummary) -> bool {
    let (Some(one), Some(other)) = (&one.rating, &other.rating) else { return false };
    let error = one.standard_error.hypot(other.standard_error);
    (one.rating - other.rating).abs() > Z_95 * error
}
