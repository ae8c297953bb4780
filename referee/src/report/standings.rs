//! Standings of a tournament and of a ranking, as text.

use std::collections::HashMap;
use std::fmt::Write;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

use super::figures::{FIGURES, Figure, NOTE, POINTS, short_score};
use super::words::{counted, reasons};
use crate::contest::{
    BY_RATING, FinishName, PairingSummary, PlayerSummary, Ranking, RatingsNote, Summary,
};
use bothost::text;
use league::schedule::Format;

/// The longest name that a table has, in characters.
const LONGEST_NAME: usize = 28;

/// The longest line that a table with names as heads may have, in characters.
const WIDTH: usize = 120;

/// Among more players than this the heads of columns are numbers.
const MOST_NAMES_AS_HEADS: usize = 12;

/// Among more players than this there is no cross table: it would be unreadable.
const MOST_IN_CROSSTABLE: usize = 30;

/// Returns the summary of a tournament as text.
pub(crate) fn tournament_summary(summary: &Summary) -> String {
    let notes = has_notes(summary.schedule);
    let (what, points) = (schedule_word(summary.schedule), points_word(summary.schedule));
    let mut out = format!(
        "{what} of {} players: {} in {}, seed {}\n",
        summary.players.len(),
        counted(summary.games, "game"),
        counted(summary.series, "series"),
        summary.seed
    );
    if summary.finish == FinishName::Interrupted {
        out.push_str("Interrupted: these are the games until then.\n");
    }
    let by = places_by(summary.schedule);
    let shown = Standings { players: &summary.players, pairings: &summary.pairings };
    shown.print(points, notes, by, summary.ratings.as_ref(), &mut out);
    out
}

/// Returns what a contest of this format is called.
pub(super) const fn schedule_word(format: Format) -> &'static str {
    match format {
        Format::RoundRobin => "Round robin",
        Format::Gauntlet => "Gauntlet",
        Format::Swiss { .. } => "Swiss tournament",
        Format::Knockout => "Knockout",
    }
}

/// Returns whether a place has a note that says what the other figures do not.
pub(super) const fn has_notes(format: Format) -> bool {
    match format {
        Format::RoundRobin | Format::Gauntlet => false,
        Format::Swiss { .. } | Format::Knockout => true,
    }
}

/// Returns what a place goes by that a format gives.
pub(super) const fn points_word(format: Format) -> &'static str {
    match format {
        Format::RoundRobin | Format::Gauntlet => "points",
        Format::Swiss { .. } => "match points",
        Format::Knockout => "rounds won",
    }
}

/// Returns what the order of the players goes by, as a sentence.
pub(super) const fn places_by(format: Format) -> &'static str {
    match format {
        Format::RoundRobin | Format::Gauntlet => BY_RATING,
        Format::Swiss { .. } => {
            "Places go by the match points a round, then by the share of the points in games, then by Buchholz (the match \
             points of the opponents)."
        }
        Format::Knockout => "Places go by the round that was reached.",
    }
}

/// Returns a ranking as text.
pub(crate) fn ranking(ranking: &Ranking) -> String {
    let mut out = format!(
        "{} players, {} in {}",
        ranking.players.len(),
        counted(ranking.games, "game"),
        counted(ranking.series, "series")
    );
    if ranking.unfinished > 0 {
        write!(out, " and {} unfinished", ranking.unfinished).expect("a string takes everything");
    }
    out.push('\n');
    let shown = Standings { players: &ranking.players, pairings: &ranking.pairings };
    shown.print("points", false, BY_RATING, Some(&ranking.ratings), &mut out);
    out
}

/// Returns which player is which, where names do not tell: a line for each whose name others would have too, and for each
/// that calls itself something else.
pub(super) fn legend(players: &[PlayerSummary]) -> Vec<String> {
    // Names that were the same have been told apart by numbers.
    let base = |name: &str| match name.rsplit_once(' ') {
        Some((base, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => base.to_owned(),
        Some(_) | None => name.to_owned(),
    };
    let is_shared = |player: &PlayerSummary| {
        players.iter().filter(|other| base(&other.name) == base(&player.name)).count() > 1
    };
    let line = |player: &PlayerSummary| {
        let own = player.tally.own_name.as_ref();
        let own = own.map_or(String::new(), |own| format!(" (calls itself {own})"));
        let is_unclear = is_shared(player) && player.name != player.command;
        (is_unclear || !own.is_empty()).then(|| format!("{}: {}{own}", player.name, player.command))
    };
    players.iter().filter_map(line).collect()
}

/// Returns players with their places in the list, the best first.
pub(super) fn in_order(players: &[PlayerSummary]) -> Vec<(usize, &PlayerSummary)> {
    let mut order: Vec<_> = players.iter().enumerate().collect();
    order.sort_by_key(|(_, player)| player.place.as_ref().map_or(usize::MAX, |place| place.place));
    order
}

struct Standings<'s> {
    players: &'s [PlayerSummary],
    pairings: &'s [PairingSummary],
}

impl Standings<'_> {
    fn print(
        &self,
        points: &str,
        notes: bool,
        by: &str,
        ratings: Option<&RatingsNote>,
        out: &mut String,
    ) {
        add(out, &self.table(points, notes).lines().collect::<Vec<_>>());
        add(out, &legend(self.players));
        if let Some(crosstable) = self.crosstable() {
            add(out, &crosstable);
        }
        add(out, &remarks(self.players));
        let ratings = ratings.map(about_ratings).unwrap_or_default();
        add(out, &[vec![by.to_owned()], ratings].concat());
    }

    fn table(&self, points: &str, notes: bool) -> Table {
        // Columns without any content are left out rather than shown empty.
        let is_shown = |figure: &&Figure| match figure.head {
            "" => false,
            NOTE => notes,
            _ => true,
        };
        let columns: Vec<_> = FIGURES.iter().filter(is_shown).collect();
        let mut table = Table::new();
        table.load_style(NOTHING);
        table.add_row(columns.iter().map(|figure| match figure.head {
            POINTS => points,
            NOTE => "",
            head => head,
        }));
        for (_, player) in in_order(self.players) {
            table.add_row(columns.iter().map(|figure| match figure.head {
                "player" => short(&player.name),
                "score" => short_score(player),
                NOTE => player.place.as_ref().map_or(String::new(), |place| place.note.clone()),
                _ => figure.text(player),
            }));
        }
        for (column, figure) in columns.iter().enumerate() {
            // Numbers line up at the right, words at the left.
            let is_text = matches!(figure.head, "player" | NOTE);
            if let Some(column) = table.column_mut(column).filter(|_| !is_text) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table
    }

    /// Returns the points of each player against each other one, out of the games; `None` among too many or too few.
    fn crosstable(&self) -> Option<Vec<String>> {
        let order = in_order(self.players);
        // Of two players it would say what the summary says.
        if !(3..=MOST_IN_CROSSTABLE).contains(&order.len()) {
            return None;
        }
        let mut cells = HashMap::new();
        for PairingSummary { players: [a, b], results, counts, .. } in self.pairings {
            for (one, other, results) in [(a, b, *results), (b, a, results.reversed())] {
                let (points, games) = (results.points(), results.games());
                // Each pairing is entered from both sides, so a row is read without looking at the other
                // half.
                let cell = format!("{points}/{games}");
                let cell = if *counts { cell } else { format!("({cell})") };
                cells.insert((*one, *other), cell);
            }
        }
        let crosstable = |head: &dyn Fn(usize, &str) -> String| {
            let mut table = Table::new();
            table.load_style(NOTHING);
            let mut heads = vec![String::new(), "points out of games".to_owned()];
            heads.extend((1..).zip(&order).map(|(number, (_, player))| head(number, &player.name)));
            table.add_row(heads);
            for (number, (one, player)) in (1..).zip(&order) {
                let mut row = vec![number.to_string(), short(&player.name)];
                row.extend(order.iter().map(|(other, _)| match cells.get(&(*one, *other)) {
                    Some(cell) => cell.clone(),
                    None if one == other => "-".to_owned(),
                    None => String::new(),
                }));
                table.add_row(row);
            }
            for column in std::iter::once(0).chain(2..order.len() + 2) {
                if let Some(column) = table.column_mut(column) {
                    column.set_cell_alignment(CellAlignment::Right);
                }
            }
            table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>()
        };
        // Names as heads if the table then fits a line; otherwise the numbers of the rows.
        if order.len() <= MOST_NAMES_AS_HEADS {
            let named = crosstable(&|_, name| short(name));
            if named.iter().all(|line| line.chars().count() <= WIDTH) {
                return Some(named);
            }
        }
        Some(crosstable(&|number, _| number.to_string()))
    }
}

/// Returns who could not play, who was disqualified, and all warnings.
pub(super) fn remarks(players: &[PlayerSummary]) -> Vec<String> {
    let mut lines = Vec::new();
    for PlayerSummary { name, cannot_play, .. } in players {
        lines.extend(cannot_play.iter().map(|why| format!("{name} could not play: {why}.")));
    }
    for PlayerSummary { name, tally, .. } in players.iter().filter(|player| player.disqualified) {
        let (spoiled, games) = (tally.n_faults(), tally.games);
        if games == 0 {
            lines.push(format!("{name} was disqualified. No game against it counts."));
            continue;
        }
        let reasons = reasons(&tally.faults);
        lines.push(format!(
            "{name} is disqualified: it spoiled {spoiled} of its {games} games ({reasons}). No game against it counts."
        ));
    }
    for player in players {
        lines.extend(player.tally.warnings.iter().map(|what| format!("{}: {what}", player.name)));
    }
    lines
}

/// Appends a block of lines after an empty one. Text that comes from bots is made harmless here.
fn add(out: &mut String, lines: &[impl AsRef<str>]) {
    if lines.is_empty() {
        return;
    }
    out.push('\n');
    for line in lines {
        out.push_str(&text::shown(line.as_ref().trim_end().as_bytes()));
        out.push('\n');
    }
}

fn short(name: &str) -> String {
    text::cut(&text::shown(name.as_bytes()), LONGEST_NAME)
}

/// Returns what a reader of ratings has to know, in a sentence each.
pub(super) fn about_ratings(note: &RatingsNote) -> Vec<String> {
    let zero = note.anchor.as_ref().map_or("their mean is 0".to_owned(), |anchor| {
        format!("{} has {}", short(&anchor.player), anchor.rating)
    });
    let mut lines = vec![format!(
        "Ratings: Elo points by all games (Bradley-Terry); {zero}. ± 95%: from the pairs of games."
    )];
    if note.regularized {
        lines.push(
            "A player won or lost everything, so half a point for both was added to each pairing."
                .to_owned(),
        );
    }
    if !note.connected {
        lines.push("Not all can be compared: some groups of players never met.".to_owned());
    }
    lines
}
