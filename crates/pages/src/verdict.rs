//! The result of a match, in one sentence.

use league::statistics::Score;
use league::statistics::sprt::Decision;

use arena::result::{PairingSummary, SprtSummary, Summary};

/// Returns what a match says about its two players: which is the better one, or that its games do
/// not decide it. `None` without games that count.
pub(super) fn verdict(summary: &Summary) -> Option<String> {
    let [one, two] = &summary.players[..] else {
        return None;
    };
    if let Some(sprt) = &summary.sprt {
        return Some(of_test(sprt, &one.name, &two.name));
    }
    of_two([&one.name, &two.name], &summary.pairings)
}

/// Returns what the games of two players of these names say about them. `None` without games that
/// count.
pub(super) fn of_two([one, two]: [&str; 2], pairings: &[PairingSummary]) -> Option<String> {
    let score = pairings.iter().find(|pairing| pairing.counts)?.score?.of;
    let (leader, name) = if score.share >= 0.5 {
        (score, one)
    } else {
        (score.reversed(), two)
    };
    // Both ends of the interval, since it was not said beforehand which player is the better one.
    if leader.interval().low <= 0.5 {
        return Some(undecided(&leader));
    }
    let points = (2.0 * leader.share * leader.games).round() / 2.0;
    // Rounded down: what is said has to hold.
    let at_least = (100.0 * leader.at_least()).floor();
    let games = leader.games;
    Some(format!(
        "{name} is the better one: {points} of {games}, at least {at_least}% with 95% confidence."
    ))
}

fn undecided(leader: &Score) -> String {
    let games = if leader.games > 1.0 {
        format!("{} games", leader.games)
    } else {
        "one game".to_owned()
    };
    let more = leader.games_to_decide() - leader.games;
    if more.is_finite() {
        let more = roughly(more);
        format!("Too close to call after {games}; about {more} more should settle it.")
    } else {
        format!("Too close to call after {games}: the players are even so far.")
    }
}

/// Returns a number of games with two digits that count, and whole pairs.
fn roughly(games: f64) -> f64 {
    let unit = 10_f64.powf(games.max(20.0).log10().floor() - 1.0).max(2.0);
    (games / unit).ceil().max(1.0) * unit
}

fn of_test(sprt: &SprtSummary, one: &str, two: &str) -> String {
    let test = &sprt.of;
    let scale = sprt.of.model;
    let (lead, risk) = match sprt.decision {
        Decision::AcceptH1 => (format!("more than {}", test.elo0), test.alpha),
        Decision::AcceptH0 => (format!("less than {}", test.elo1), test.beta),
        Decision::Continue => {
            return format!(
                "The test has not decided how far {one} is ahead of {two}; play more games."
            );
        }
    };
    if sprt.chosen_late {
        return format!(
            "{one} is ahead of {two} by {lead} Elo points ({scale}) by a test that was chosen after games were seen, so its error rates do not hold."
        );
    }
    // Without the digits that decimal fractions do not have.
    let risk = (1e8 * risk).round() / 1e6;
    format!(
        "{one} is ahead of {two} by {lead} Elo points ({scale}); the test is wrong in at most {risk}% of such cases."
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use arena::result::Score;
    use league::statistics::{Score as OfGames, Wdl};

    use super::*;

    /// Nobody has said beforehand which player is the better one, so both ends of the interval
    /// count.
    #[test]
    fn a_lead_within_the_interval_decides_nothing() {
        for (share, decides) in [(0.59, false), (0.6, true)] {
            let of = OfGames {
                share,
                games: 100.0,
                effective_games: 100.0,
            };
            assert!(of.at_least() > 0.5);
            let wilson = of.interval();
            let pairing = PairingSummary {
                players: [0, 1],
                counts: true,
                results: Wdl::default(),
                without_winner: BTreeMap::new(),
                score: Some(Score { share, wilson, of }),
                pairs: None,
            };
            let sentence = of_two(["ada", "bob"], &[pairing]).unwrap();
            assert_eq!(
                sentence.starts_with("ada is the better one"),
                decides,
                "{sentence}"
            );
        }
    }

    #[test]
    fn games_to_come_are_rounded_up() {
        let rounded = [0.1, 2.0, 17.0, 43.0, 101.0, 1234.0, 98_765.0].map(roughly);
        assert_eq!(
            rounded.map(|games| games.to_string()).join(" "),
            "2 2 18 44 110 1300 99000"
        );
    }
}
