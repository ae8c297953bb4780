//! What a match came to, for people.

use std::collections::BTreeMap;
use std::fmt::Write;

use comfy_table::Table;
use comfy_table::presets::NOTHING;

use crate::contest::{PairingSummary, PlayerSummary, Score, Summary};
use crate::game::EndedBy;
use bothost::text;
use league::statistics::distribution::TimesSummary;
use league::statistics::sprt::Decision;
use league::statistics::{EloEstimate, Interval, Wdl, real};

/// A histogram of fewer wins than this shows nothing.
const ENOUGH_FOR_A_PICTURE: u64 = 10;

/// The summary of a match as text, lines of at most some 100 columns.
pub(crate) fn match_summary(summary: &Summary) -> String {
    let [one, two] = &summary.players[..] else { return String::new() };
    let mut out = String::new();
    let mut line = |text: &str| {
        out.push_str(&text::shown(text.as_bytes()));
        out.push('\n');
    };
    let (won, lost) = (one.results.wins, two.results.wins);
    let (games, series, seed) = (summary.games, summary.series, summary.seed);
    line(&format!(
        "{} {won} - {lost} {}   ({}, {}, seed {seed})",
        one.name,
        two.name,
        counted(games, "game"),
        counted(series, "series")
    ));
    line("");
    for row in figures(one, two).lines() {
        line(row);
    }
    let pairing = summary.pairings.first();
    line("");
    if let Some(pairing) = pairing {
        for row in of_pairing(&one.name, one, two, pairing) {
            line(&row);
        }
    }
    if let Some(sprt) = &summary.sprt {
        let verdict = match sprt.decision {
            Decision::AcceptH1 => "decided: the lead is nearer to elo1",
            Decision::AcceptH0 => "decided: the lead is nearer to elo0",
            Decision::Continue => "not decided yet",
        };
        line(&format!(
            "SPRT {}: {verdict} (log-likelihood ratio {:.2}, bounds {:.2} and {:.2})",
            sprt.test, sprt.llr, sprt.lower, sprt.upper
        ));
    }
    for player in [one, two] {
        let bars = player.all_shots_to_win.text_histogram(60, 12);
        if player.all_shots_to_win.count() >= ENOUGH_FOR_A_PICTURE {
            line("");
            line(&format!("Attacks that {} needed to win:", player.name));
            for bar in bars {
                line(&format!("  {bar}"));
            }
        }
    }
    for player in [one, two] {
        for warning in &player.warnings {
            line("");
            line(&format!("{}: {warning}", player.name));
        }
    }
    for player in [one, two] {
        if let Some(worst) = &player.worst_game {
            line("");
            let game = worst.game.map_or(String::new(), |game| format!("game {game}, "));
            line(&format!("Worst game of {}: {game}{}. Once more:", player.name, worst.why));
            line(&format!("  {}", worst.repeat));
        }
    }
    out
}

fn figures(one: &PlayerSummary, two: &PlayerSummary) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    let mut row = |label: &str, figure: &dyn Fn(&PlayerSummary) -> String| {
        table.add_row([label.to_owned(), figure(one), figure(two)]);
    };
    row("", &|player| player.name.clone());
    row("wins", &|player| player.results.wins.to_string());
    row("  moving first", &|player| of_games(&player.moving_first));
    row("  moving second", &|player| of_games(&player.moving_second));
    if one.results.draws > 0 {
        row("half points", &|player| player.results.draws.to_string());
    }
    row("score", &|player| player.score.as_ref().map_or(none(), score));
    row("own faults", &faults);
    row("attacks to win, mean", &|player| {
        player.shots_to_win.as_ref().map_or(none(), |shots| format!("{:.1}", shots.mean))
    });
    row("  median", &|player| {
        player.shots_to_win.as_ref().map_or(none(), |shots| format!("{}", shots.median))
    });
    row("wasted attacks", &|player| format!("{} of {}", player.wasted, player.shots));
    row("reply time, mean", &|player| time(player, |times| times.mean));
    row("  99%", &|player| time(player, |times| real(times.p99)));
    row("  longest", &|player| time(player, |times| real(times.max)));
    row("CPU time", &|player| {
        player.cpu_ms.map_or(none(), |cpu_ms| duration(1000.0 * real(cpu_ms)))
    });
    let lines = table.lines().map(|line| line.trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

fn of_pairing(
    name: &str,
    one: &PlayerSummary,
    two: &PlayerSummary,
    pairing: &PairingSummary,
) -> Vec<String> {
    let mut lines = Vec::new();
    let first_wins = one.moving_first.wins + two.moving_first.wins;
    let decided = one.results.wins + two.results.wins;
    if decided > 0 {
        let share = 100.0 * real(first_wins) / real(decided);
        lines.push(format!("Whoever moved first won {share:.1}% of the games that somebody won."));
    }
    if !pairing.without_winner.is_empty() {
        lines.push(format!("Games without a winner: {}.", reasons(&pairing.without_winner)));
    }
    if let Some(pairs) = &pairing.pairs {
        let worth = ["0", "1/2", "1", "3/2", "2"];
        let counts =
            worth.iter().zip(pairs.counts).map(|(worth, count)| format!("{worth}: {count}"));
        let counts = counts.collect::<Vec<_>>().join(", ");
        lines.push(format!("Pairs of games by the points of {name}: {counts}."));
        let alike = pairs.counts.iter().filter(|count| **count > 0).count() == 1;
        let error = if alike { "all alike".to_owned() } else { interval(&pairs.interval) };
        lines.push(format!(
            "By pairs: score {} ({error}), Elo {}, normalized Elo {}, likelihood of superiority {:.1}%.",
            percent(pairs.score),
            elo(&pairs.elo),
            elo(&pairs.normalized_elo),
            100.0 * pairs.los
        ));
    }
    lines
}

pub(super) fn none() -> String {
    "-".to_owned()
}

pub(super) fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 || noun == "series" { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

fn of_games(results: &Wdl) -> String {
    format!("{} of {}", results.wins, results.games())
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// A score with its Wilson interval.
fn score(score: &Score) -> String {
    format!("{} ({})", percent(score.share), interval(&score.wilson))
}

fn interval(interval: &Interval) -> String {
    format!("{:.1} to {}", 100.0 * interval.low, percent(interval.high))
}

/// An Elo difference with its interval, as far as it is finite.
fn elo(estimate: &EloEstimate) -> String {
    let EloEstimate { elo, low, high } = *estimate;
    if elo.is_infinite() {
        return format!("{elo:+}");
    }
    format!("{elo:+.0} ({low:+.0} to {high:+.0})")
}

fn faults(player: &PlayerSummary) -> String {
    let reasons = reasons(&player.faults);
    match (player.faults.is_empty(), player.faults_moving_first) {
        (true, _) => reasons,
        (false, first) => format!("{reasons} ({first} moving first)"),
    }
}

pub(super) fn reasons(reasons: &BTreeMap<EndedBy, u64>) -> String {
    let mut text = String::new();
    for (reason, count) in reasons {
        let comma = if text.is_empty() { "" } else { ", " };
        write!(text, "{comma}{count} {reason}").expect("a string takes everything");
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

pub(super) fn time(player: &PlayerSummary, figure: impl Fn(&TimesSummary) -> f64) -> String {
    player.reply_us.as_ref().map_or(none(), |times| duration(figure(times)))
}

/// Microseconds in the unit that suits them.
pub(super) fn duration(us: f64) -> String {
    match us {
        us if us < 1_000.0 => format!("{us:.0} us"),
        us if us < 1_000_000.0 => format!("{:.1} ms", us / 1_000.0),
        us => format!("{:.1} s", us / 1_000_000.0),
    }
}
