//! The summary of a match as text, for people.

use bothost::text;
use comfy_table::presets::NOTHING;
use comfy_table::{ContentArrangement, Table};
use league::statistics::sprt::Decision;
use league::statistics::to_f64;

use super::bars::histogram;
use super::standings::{given, legend};
use super::verdict::verdict;
use super::width::Width;
use arena::result::FIGURES;
use arena::result::{PairingSummary, PlayerSummary, Summary};
use arena::words::{counted, elo, normalized_elo, reasons};

/// A histogram of fewer wins than this has no shape.
const ENOUGH_FOR_A_PICTURE: u64 = 10;

/// Returns the summary of a match as text, its table in lines of this width. Sentences and commands
/// are lines of their own.
#[must_use]
pub fn match_summary(summary: &Summary, width: Width) -> String {
    let [one, two] = &summary.players[..] else {
        return String::new();
    };
    let mut out = String::new();
    let mut line = |text: &str| {
        // Names, reasons and warnings come from bots, so every line is escaped here, once.
        out.push_str(&text::shown(text.as_bytes()));
        out.push('\n');
    };
    let won = one.tally.results.wins;
    let lost = two.tally.results.wins;
    let games = summary.games;
    let series = summary.series;
    let seed = summary.seed;
    line(&format!(
        "{} {won} - {lost} {}   ({}, {}, seed {seed})",
        one.name,
        two.name,
        counted(games, "game"),
        counted(series, "series")
    ));
    line("");
    for row in figures(one, two, width).lines() {
        line(row);
    }
    let legend = legend(&summary.players);
    if !legend.is_empty() {
        line("");
    }
    for row in legend {
        line(&row.line());
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
        let shots_to_win = &player.tally.shots_to_win;
        if shots_to_win.count() >= ENOUGH_FOR_A_PICTURE {
            line("");
            line(&format!("Attacks that {} needed to win:", player.name));
            for bar in histogram(shots_to_win, 60, 12) {
                line(&format!("  {bar}"));
            }
        }
    }
    for player in [one, two] {
        for warning in &player.tally.warnings {
            line("");
            line(&format!("{}: {warning}", player.name));
        }
    }
    for player in [one, two] {
        if let Some(worst) = &player.worst_game {
            line("");
            let game = worst
                .game
                .map_or(String::new(), |game| format!("game {game}, "));
            line(&format!(
                "Worst game of {}: {game}{}. Replay with:",
                player.name, worst.why
            ));
            line(&format!("  {}", worst.repeat));
        }
    }
    if let Some(verdict) = verdict(summary) {
        line("");
        line(&verdict);
    }
    out
}

fn figures(one: &PlayerSummary, two: &PlayerSummary, width: Width) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    // Long names and lists of faults continue in the next line.
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width.0).unwrap_or(u16::MAX));
    let shown = |name: &str| text::shown(name.as_bytes());
    table.add_row([String::new(), shown(&one.name), shown(&two.name)]);
    for figure in FIGURES.iter().filter(|figure| !figure.row.is_empty()) {
        if figure.is_shown_of(one) || figure.is_shown_of(two) {
            table.add_row([figure.row.to_owned(), figure.text(one), figure.text(two)]);
        }
    }
    for (name, means) in given(&[one, two]) {
        table.add_row([vec![format!("{name}, mean")], means].concat());
    }
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
    let first_wins = one.tally.moving_first.wins + two.tally.moving_first.wins;
    let decided = one.tally.results.wins + two.tally.results.wins;
    if decided > 0 {
        let share = 100.0 * to_f64(first_wins) / to_f64(decided);
        lines.push(format!("The first mover won {share:.1}% of decided games."));
    }
    if !pairing.without_winner.is_empty() {
        lines.push(format!(
            "Games without a winner: {}.",
            reasons(&pairing.without_winner)
        ));
    }
    if let Some(pairs) = &pairing.pairs {
        // By the points of the player, from none to two of a pair.
        let [none, half, drawn, most, all] = pairs.counts;
        let won = most + all;
        let lost = none + half;
        lines.push(format!(
            "Of {} {name} won {won}, drew {drawn}, lost {lost}.",
            counted(won + drawn + lost, "pair")
        ));
        // The interval of the score is in the table.
        lines.push(format!(
            "By pairs: Elo {}, normalized Elo {}, likelihood of superiority {:.1}%.",
            elo(&pairs.elo),
            normalized_elo(&pairs.normalized_elo),
            100.0 * pairs.los
        ));
    }
    lines
}
