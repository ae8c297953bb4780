use serde::Serialize;

use super::standings::in_order;
use crate::contest::PlayerSummary;
use bothost::text;

/// A row of the table. What is not known is empty.
#[derive(Serialize)]
struct Row {
    /// From 1; players who did equally well share it.
    place: Option<usize>,
    /// What it is called.
    player: String,
    /// The command that starts it.
    command: String,
    /// What the place is owed to: points in games, match points (swiss) or rounds (knockout).
    points: Option<f64>,
    /// All its games.
    games: u64,
    /// Those that it won.
    wins: u64,
    /// Those that ended with half a point for both.
    draws: u64,
    /// Those that it lost.
    losses: u64,
    /// Its share of points, 0 to 1, and the 95% interval of it.
    score: Option<f64>,
    score_low: Option<f64>,
    score_high: Option<f64>,
    /// Its rating, the standard error, and the 95% interval by that.
    rating: Option<f64>,
    standard_error: Option<f64>,
    rating_low: Option<f64>,
    rating_high: Option<f64>,
    /// The 95% interval of its rating by drawing pairs.
    bootstrap_low: Option<f64>,
    bootstrap_high: Option<f64>,
    /// The games that it spoiled.
    faults: u64,
    /// Whether it was disqualified: true or false.
    disqualified: bool,
    /// How many attacks it needed to sink the opponent's fleet: the mean and the median.
    attacks_to_win_mean: Option<f64>,
    attacks_to_win_median: Option<f64>,
    /// All its attacks, and those that could not count.
    attacks: u64,
    wasted: u64,
    /// How long it took for an attack, in microseconds: the mean, 99% of them at most, and the longest.
    reply_us_mean: Option<f64>,
    reply_us_p99: Option<u64>,
    reply_us_max: Option<u64>,
    /// How much it has computed, in milliseconds.
    cpu_ms: Option<u64>,
    /// What else is to be said of its place.
    note: String,
}

/// Standings as a table of comma-separated values (RFC 4180), the best player first: a line with the names of
/// the columns, which are those of the fields of [`Row`], and a line for each player.
pub(crate) fn standings_csv(players: &[PlayerSummary]) -> Vec<u8> {
    let mut table = csv::Writer::from_writer(Vec::new());
    for (_, player) in in_order(players) {
        table.serialize(row(player)).expect("a row is plain fields, and memory takes everything");
    }
    table.into_inner().expect("memory takes everything")
}

fn row(player: &PlayerSummary) -> Row {
    let (place, score) = (player.place.as_ref(), player.score.as_ref());
    let (rating, times) = (player.rating.as_ref(), player.reply_us.as_ref());
    let attacks = player.shots_to_win.as_ref();
    Row {
        place: place.map(|place| place.place),
        player: harmless(&player.name),
        command: harmless(&player.command),
        points: place.map(|place| place.points),
        games: player.games,
        wins: player.results.wins,
        draws: player.results.draws,
        losses: player.results.losses,
        score: score.map(|score| score.share),
        score_low: score.map(|score| score.wilson.low),
        score_high: score.map(|score| score.wilson.high),
        rating: rating.map(|rating| rating.rating),
        standard_error: rating.map(|rating| rating.standard_error),
        rating_low: rating.map(|rating| rating.low),
        rating_high: rating.map(|rating| rating.high),
        bootstrap_low: rating.and_then(|rating| rating.bootstrap_low),
        bootstrap_high: rating.and_then(|rating| rating.bootstrap_high),
        faults: player.faults.values().sum(),
        disqualified: player.disqualified,
        attacks_to_win_mean: attacks.map(|attacks| attacks.mean),
        attacks_to_win_median: attacks.map(|attacks| attacks.median),
        attacks: player.shots,
        wasted: player.wasted,
        reply_us_mean: times.map(|times| times.mean),
        reply_us_p99: times.map(|times| times.p99),
        reply_us_max: times.map(|times| times.max),
        cpu_ms: player.cpu_ms,
        note: harmless(place.map_or("", |place| &place.note)),
    }
}

/// Text that no spreadsheet takes for a formula, and that steers nothing: names come from bots.
fn harmless(text: &str) -> String {
    let shown = text::shown(text.as_bytes());
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{shown}") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_a_spreadsheet_would_run_is_kept_from_it() {
        for (text, expected) in [
            ("=cmd()", "'=cmd()"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@sum", "'@sum"),
            ("\t=1", "'\\t=1"),
            ("\r=1", "'\\r=1"),
            ("a=1", "a=1"),
            ("", ""),
        ] {
            assert_eq!(harmless(text), expected);
        }
    }
}
