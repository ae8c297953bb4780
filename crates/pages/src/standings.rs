//! Standings of a tournament and of a ranking: what they say in every format.

use std::collections::BTreeSet;

use arena::result::{
    BY_RATING, FinishName, PairingSummary, PlayerSummary, Ranking, RatingsNote, Summary,
};
use arena::words::{NONE, counted, reasons};
use bothost::text;
use league::schedule::Format;

/// The longest name that a table has, in characters.
const LONGEST_NAME: usize = 28;

/// Standings, and what is said about them.
#[derive(Debug)]
pub struct Standings<'s> {
    /// The kind of the games. The referee's own words: no text of a bot.
    pub title: String,
    /// The players, in any order.
    pub players: &'s [PlayerSummary],
    /// Their results against each other.
    pub pairings: &'s [PairingSummary],
    /// The names of the points: points, match points or rounds.
    pub points: &'static str,
    /// Whether places have notes.
    pub notes: bool,
    /// The order of the places, as a sentence.
    pub by: &'static str,
    /// The facts to know about the ratings, if there are any.
    pub ratings: Option<&'s RatingsNote>,
}

/// The oddities of a player, as a sentence that begins with its name.
pub(super) struct Remark<'s> {
    /// The player's name.
    pub(super) name: &'s str,
    /// The referee's own words behind it.
    pub(super) words: String,
    /// The text behind them, which may be the words of a bot.
    pub(super) quoted: Option<&'s str>,
    /// The end of the sentence.
    pub(super) end: &'static str,
}

/// The explanation of a player's name, if names do not tell the players apart.
pub(super) struct Legend<'s> {
    /// The player's name.
    pub(super) name: &'s str,
    /// The command that starts it.
    pub(super) command: &'s str,
    /// Its name for itself, if that is something else.
    pub(super) own_name: Option<&'s str>,
}

impl Legend<'_> {
    /// Returns it as a line of text.
    pub(super) fn line(&self) -> String {
        let own = self
            .own_name
            .map_or(String::new(), |own| format!(" (calls itself {own})"));
        format!("{}: {}{own}", self.name, self.command)
    }
}

/// Returns the figures that a judge gave, by name, with the mean of each player.
pub(super) fn given(players: &[&PlayerSummary]) -> Vec<(String, Vec<String>)> {
    let all = players.iter().flat_map(|player| player.tally.given.means());
    let names: BTreeSet<&str> = all.map(|(name, _)| name).collect();
    let mean = |player: &PlayerSummary, wanted: &str| {
        let mut means = player.tally.given.means();
        let mean = means.find(|(name, _)| *name == wanted);
        mean.map_or(NONE.to_owned(), |(_, mean)| shown_mean(mean))
    };
    let rows = names.into_iter().map(|name| {
        let means = players.iter().map(|player| mean(player, name));
        (name.to_owned(), means.collect())
    });
    rows.collect()
}

/// Returns the mean of a figure with at least two of its digits.
pub(super) fn shown_mean(mean: f64) -> String {
    match mean.abs() {
        0.0 | 1.0..1e9 => format!("{mean:.1}"),
        0.1..1.0 => format!("{mean:.2}"),
        0.01..0.1 => format!("{mean:.3}"),
        _ => format!("{mean:.1e}"),
    }
}

/// Returns which player is which, where names do not tell: those whose name others would have too,
/// and those that call themselves something else.
pub(super) fn legend(players: &[PlayerSummary]) -> Vec<Legend<'_>> {
    // Names that were the same have been told apart by numbers.
    let base = |name: &str| match name.rsplit_once(' ') {
        Some((base, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => base.to_owned(),
        Some(_) | None => name.to_owned(),
    };
    let is_shared = |player: &PlayerSummary| {
        players
            .iter()
            .filter(|other| base(&other.name) == base(&player.name))
            .count()
            > 1
    };
    let needs_line = |player: &PlayerSummary| {
        let is_unclear = is_shared(player) && player.name != player.command;
        is_unclear || player.tally.own_name.is_some()
    };
    players
        .iter()
        .filter(|player| needs_line(player))
        .map(|player| {
            let PlayerSummary {
                name,
                command,
                tally,
                ..
            } = player;
            Legend {
                name,
                command,
                own_name: tally.own_name.as_deref(),
            }
        })
        .collect()
}

/// Returns players with their places in the list, the best first.
pub(super) fn in_order(players: &[PlayerSummary]) -> Vec<(usize, &PlayerSummary)> {
    let mut order: Vec<_> = players.iter().enumerate().collect();
    order.sort_by_key(|(_, player)| {
        player
            .place
            .as_ref()
            .map_or(usize::MAX, |place| place.place)
    });
    order
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

impl<'s> Standings<'s> {
    /// Returns those of a tournament.
    #[must_use]
    pub fn of_tournament(summary: &'s Summary) -> Standings<'s> {
        let (points, notes) = match summary.schedule {
            Format::RoundRobin | Format::Gauntlet => ("points", false),
            Format::Swiss { .. } => ("match points", true),
            Format::Knockout => ("rounds won", true),
        };
        let by = match summary.schedule {
            Format::RoundRobin | Format::Gauntlet => BY_RATING,
            Format::Swiss { .. } => {
                "Places go by the match points a round, then by the share of the points in games, then by Buchholz (the match points of the opponents)."
            }
            Format::Knockout => "Places go by the round that was reached.",
        };
        let interrupted = match summary.finish {
            FinishName::Interrupted => "\nInterrupted: these are the games until then.",
            FinishName::Complete | FinishName::Decided => "",
        };
        let title = format!(
            "{} of {} players: {} in {}, seed {}{interrupted}",
            schedule_word(summary.schedule),
            summary.players.len(),
            counted(summary.games, "game"),
            counted(summary.series, "series"),
            summary.seed
        );
        let Summary {
            players,
            pairings,
            ratings,
            ..
        } = summary;
        Standings {
            title,
            players,
            pairings,
            points,
            notes,
            by,
            ratings: ratings.as_ref(),
        }
    }

    /// Returns those of a ranking.
    #[must_use]
    pub fn of_ranking(ranking: &'s Ranking) -> Standings<'s> {
        let Ranking {
            players,
            pairings,
            ratings,
            games,
            series,
            unfinished,
            ..
        } = ranking;
        let unfinished = match unfinished {
            0 => String::new(),
            unfinished => format!(" and {unfinished} unfinished"),
        };
        let title = format!(
            "{} players, {} in {}{unfinished}",
            players.len(),
            counted(*games, "game"),
            counted(*series, "series")
        );
        Standings {
            title,
            players,
            pairings,
            points: "points",
            notes: false,
            by: BY_RATING,
            ratings: Some(ratings),
        }
    }
}

impl Remark<'_> {
    /// Returns it as a line of text.
    pub(super) fn line(&self) -> String {
        format!(
            "{}{}{}{}",
            self.name,
            self.words,
            self.quoted.unwrap_or_default(),
            self.end
        )
    }
}

/// Returns who could not play, who was disqualified, and all warnings.
pub(super) fn remarks(players: &[PlayerSummary]) -> Vec<Remark<'_>> {
    let mut remarks = Vec::new();
    for PlayerSummary {
        name, cannot_play, ..
    } in players
    {
        remarks.extend(cannot_play.as_deref().map(|why| {
            let words = " could not play: ".to_owned();
            Remark {
                name,
                words,
                quoted: Some(why),
                end: ".",
            }
        }));
    }
    for PlayerSummary { name, tally, .. } in players.iter().filter(|player| player.disqualified) {
        let spoiled = tally.n_faults();
        let games = tally.games;
        let words = if games == 0 {
            " was disqualified. No game against it counts.".to_owned()
        } else if tally.stumps_judge {
            let failed = tally.judge_failed;
            format!(
                " is disqualified: the judge failed right after its replies in {failed} of its {games} games. No game against it counts."
            )
        } else {
            let reasons = reasons(&tally.faults);
            format!(
                " is disqualified: it spoiled {spoiled} of its {games} games ({reasons}). No game against it counts."
            )
        };
        remarks.push(Remark {
            name,
            words,
            quoted: None,
            end: "",
        });
    }
    for PlayerSummary { name, tally, .. } in players {
        // A reply that makes a careless judge fail voids a game that the player would lose.
        if tally.judge_failed > 1 && !tally.stumps_judge {
            remarks.push(Remark {
                name,
                words: format!(
                    ": the judge failed right after its replies in {} games, which count for nobody; referee check --judge looks for such \
                     replies.",
                    tally.judge_failed
                ),
                quoted: None,
                end: "",
            });
        }
        remarks.extend(tally.warnings.iter().map(|what| {
            let words = ": ".to_owned();
            let what = what.as_str();
            Remark {
                name,
                words,
                quoted: Some(what),
                end: "",
            }
        }));
    }
    remarks
}

/// Returns a name as a table has it.
pub(super) fn short(name: &str) -> String {
    text::cut(&text::shown(name.as_bytes()), LONGEST_NAME)
}

/// Returns what a reader of ratings has to know, in sentences. `shown` makes a name fit to be
/// shown.
pub(super) fn about_ratings(note: &RatingsNote, shown: impl Fn(&str) -> String) -> Vec<String> {
    let zero = note
        .anchor
        .as_ref()
        .map_or("their mean is 0".to_owned(), |anchor| {
            format!("{} has {}", shown(&anchor.player), anchor.rating)
        });
    let mut lines = vec![format!(
        "Ratings: Elo points by all games (Bradley-Terry); {zero}. ± 95%: from the pairs of games."
    )];
    if note.regularized {
        lines.push(
            "A player, or a group of players, won or lost everything against the rest, so half a point for both was added to each pairing."
                .to_owned(),
        );
    }
    if !note.connected {
        lines.push("Not all can be compared: some groups of players never met.".to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_means_keep_two_digits() {
        for (mean, shown) in [
            (0.0, "0.0"),
            (-0.0123, "-0.012"),
            (0.375, "0.38"),
            (12.34, "12.3"),
            (0.000_123, "1.2e-4"),
            (1e308, "1.0e308"),
        ] {
            assert_eq!(shown_mean(mean), shown);
        }
    }
}
