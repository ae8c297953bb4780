//! The first sentences of a report: the best player, and what the games do not decide.

use super::name_of;
use crate::standings::Standings;
use crate::verdict::of_two;
use arena::result::PlayerSummary;
use arena::words::{counted, percent};
use bothost::text;
use league::statistics::bradley_terry::{Anchor, HeadToHead, fit};

/// The number of neighbouring pairs named that cannot be told apart.
const MOST_NAMED: usize = 3;

/// Among more players than this only the first two are compared: each comparison is a fit of all
/// ratings.
const MOST_COMPARED: usize = 60;

/// Returns the sentences for players in this order.
pub(super) fn verdict(standings: &Standings<'_>, order: &[(usize, &PlayerSummary)]) -> Vec<String> {
    let counts = |(_, player): &&(usize, &PlayerSummary)| {
        player.tally.results.games() > 0 && player.score.is_some() && !player.disqualified
    };
    let ranked: Vec<(usize, &PlayerSummary)> = order.iter().filter(counts).copied().collect();
    let mut sentences = Vec::new();
    match &ranked[..] {
        [] => return vec!["No game counts yet.".to_owned()],
        [one, two] => {
            // In the order of the pairing.
            let [one, two] = if one.0 < two.0 {
                [one, two]
            } else {
                [two, one]
            };
            let names = [one, two].map(|(_, player)| name_of(player));
            sentences.extend(of_two(
                names.each_ref().map(String::as_str),
                standings.pairings,
            ));
        }
        [best, rest @ ..] => {
            sentences.push(of_best(standings, *best, rest.first().copied()));
            sentences.extend(of_neighbours(standings, &ranked));
        }
    }
    let faults: u64 = standings
        .players
        .iter()
        .map(|player| player.tally.n_faults())
        .sum();
    if faults > 0 {
        sentences.push(format!(
            "{} ended by a player's own fault.",
            counted(faults, "game")
        ));
    }
    sentences
        .into_iter()
        .map(|sentence| text::shown(sentence.as_bytes()))
        .collect()
}

/// Returns what is to be said of the first player.
fn of_best(
    standings: &Standings<'_>,
    best: (usize, &PlayerSummary),
    second: Option<(usize, &PlayerSummary)>,
) -> String {
    let name = name_of(best.1);
    let results = &best.1.tally.results;
    let points = format!("{} of {} points", results.points(), results.games());
    let at_least = best
        .1
        .score
        .map(|score| percent(score.of.at_least()))
        .unwrap_or_default();
    // If all may meet all, the rating decides the place. Otherwise the luck of the draw has a part
    // in it.
    let place = best.1.place.as_ref().filter(|_| standings.notes);
    match (place, second) {
        (Some(place), _) => {
            let word = standings.points;
            format!(
                "{name} came first with {} {word}, and got {points} in all games.",
                place.points
            )
        }
        (None, Some(second)) if !is_ahead(standings, best.0, second.0) => format!(
            "{name} leads with {points}, but the games do not tell it apart from {}.",
            name_of(second.1)
        ),
        (None, _) => format!(
            "{name} is the strongest: {points}, in the long run at least {at_least} with 95% confidence."
        ),
    }
}

/// Returns which neighbours behind the first two are not told apart.
fn of_neighbours(standings: &Standings<'_>, ranked: &[(usize, &PlayerSummary)]) -> Option<String> {
    if ranked.len() > MOST_COMPARED || standings.notes {
        return None;
    }
    let close: Vec<String> = ranked
        .windows(2)
        .skip(1)
        .filter(|pair| !is_ahead(standings, pair[0].0, pair[1].0))
        .map(|pair| format!("{} and {}", name_of(pair[0].1), name_of(pair[1].1)))
        .collect();
    match close.len() {
        0 => None,
        1..=MOST_NAMED => Some(format!("Too close to call: {}.", close.join("; "))),
        many => Some(format!("{many} pairs of neighbours are too close to call.")),
    }
}

/// Returns whether a player is better than another one with 95% confidence: whether the interval of
/// its rating leaves out that of the other, from whom the ratings are counted, so that the interval
/// is that of the difference.
fn is_ahead(standings: &Standings<'_>, one: usize, other: usize) -> bool {
    let results: Vec<HeadToHead> = standings
        .pairings
        .iter()
        .filter_map(|pairing| {
            let score = pairing.score.filter(|_| pairing.counts)?.of;
            let players = pairing.players;
            Some(HeadToHead { players, score })
        })
        .collect();
    let anchor = Anchor::Player {
        player: other,
        rating: 0.0,
    };
    let ratings = fit(standings.players.len(), &results, anchor);
    ratings.players[one].is_some_and(|rating| rating.low > 0.0)
}
