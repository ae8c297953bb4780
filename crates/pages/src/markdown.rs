//! Standings as Markdown, for a wiki, a forum or a comment: tables of GitHub-flavoured Markdown, which most others read
//! too.

use std::fmt::Write;

use bothost::text;

use super::crosstable::{Crosstable, MOST_NAMES_AS_HEADS, MOST_PLAYERS};
use super::standings::{Standings, about_ratings, in_order, legend, remarks};
use engine::contest::FIGURES;
use engine::contest::PlayerSummary;
use engine::words::NONE;

/// The columns: what CSV calls a figure, and its head. Points are called by the schedule, and notes are left out where
/// there are none.
const COLUMNS: [(&str, &str); 10] = [
    ("place", "#"),
    ("player", "player"),
    ("points", ""),
    ("games", "games"),
    ("score", "score"),
    ("rating", "rating ± 95%"),
    ("attacks_to_win_median", "attacks to win, median"),
    ("reply_us_mean", "reply time, mean"),
    ("faults", "faults"),
    ("note", "note"),
];

/// The longest name, in characters.
const LONGEST_NAME: usize = 64;

/// If all names have at most this many bytes, they are the heads of columns.
const SHORT_NAME: usize = 16;

impl Standings<'_> {
    /// Returns them as Markdown: the title, a table of the players, who won how much against whom, and remarks.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut out = format!("{}\n", self.title);
        self.places(&mut out);
        list(
            &mut out,
            legend(self.players).iter().map(|one| {
                let own = one
                    .own_name
                    .map(|own| format!(" (calls itself {})", code(own)));
                format!(
                    "{}: {}{}",
                    name(one.name),
                    code(one.command),
                    own.unwrap_or_default()
                )
            }),
        );
        self.crosstable(&mut out);
        list(
            &mut out,
            remarks(self.players).iter().map(|remark| {
                let quoted = remark.quoted.map(code).unwrap_or_default();
                format!(
                    "{}{}{quoted}{}",
                    name(remark.name),
                    remark.words,
                    remark.end
                )
            }),
        );
        let ratings = self
            .ratings
            .map(|note| about_ratings(note, name))
            .unwrap_or_default();
        writeln!(
            out,
            "\n{}",
            [vec![self.by.to_owned()], ratings].concat().join(" ")
        )
        .expect(MEMORY);
        out
    }

    /// Adds the table of the players.
    fn places(&self, out: &mut String) {
        let columns: Vec<_> = COLUMNS
            .iter()
            .filter(|(figure, _)| *figure != "note" || self.notes)
            .map(|(figure, head)| {
                (
                    *figure,
                    if *figure == "points" {
                        self.points
                    } else {
                        head
                    },
                )
            })
            .collect();
        out.push('\n');
        row(out, columns.iter().map(|(_, head)| (*head).to_owned()));
        row(
            out,
            columns.iter().map(|(figure, _)| {
                // Numbers line up at the right, words at the left.
                if matches!(*figure, "player" | "note") {
                    ":---"
                } else {
                    "---:"
                }
                .to_owned()
            }),
        );
        for (_, player) in in_order(self.players) {
            row(out, columns.iter().map(|(figure, _)| cell(figure, player)));
        }
    }

    /// Adds the points of each player against each other one, out of their games.
    fn crosstable(&self, out: &mut String) {
        let Some(crosstable) = Crosstable::new(self.players, self.pairings) else {
            return;
        };
        let order = &crosstable.order;
        if order.len() > MOST_PLAYERS {
            let why = format!(
                "\nWho won how much against whom is left out: there is room for {MOST_PLAYERS} players.\n"
            );
            out.push_str(&why);
            return;
        }
        out.push('\n');
        let numbered = (1..).zip(order);
        let is_short = |(_, player): &(usize, &PlayerSummary)| player.name.len() <= SHORT_NAME;
        let named = order.len() <= MOST_NAMES_AS_HEADS && order.iter().all(is_short);
        let heads = numbered.clone().map(|(number, (_, player))| {
            if named {
                name(&player.name)
            } else {
                number.to_string()
            }
        });
        let first = ["#", "points out of games"].map(str::to_owned).into_iter();
        row(out, first.chain(heads));
        let first = ["---:", ":---"].into_iter();
        row(
            out,
            first.chain(order.iter().map(|_| "---:")).map(str::to_owned),
        );
        for (number, (one, player)) in numbered {
            let first = [number.to_string(), name(&player.name)].into_iter();
            row(
                out,
                first.chain(
                    order
                        .iter()
                        .map(|(other, _)| crosstable.points(*one, *other)),
                ),
            );
        }
    }
}

const MEMORY: &str = "a string takes everything";

fn cell(figure: &str, player: &PlayerSummary) -> String {
    match figure {
        "player" => name(&player.name),
        "note" => player
            .place
            .as_ref()
            .map_or(String::new(), |place| place.note.clone()),
        _ => FIGURES
            .iter()
            .find(|known| known.csv == figure)
            .map_or(NONE.to_owned(), |known| known.text(player)),
    }
}

/// Adds a row of a table. The cells have no bare `|`: all text of bots is code.
fn row(out: &mut String, cells: impl Iterator<Item = String>) {
    writeln!(out, "| {} |", cells.collect::<Vec<_>>().join(" | ")).expect(MEMORY);
}

fn list(out: &mut String, lines: impl Iterator<Item = String>) {
    for (number, line) in lines.enumerate() {
        writeln!(out, "{}- {line}", if number == 0 { "\n" } else { "" }).expect(MEMORY);
    }
}

fn name(name: &str) -> String {
    code(&text::cut(&text::shown(name.as_bytes()), LONGEST_NAME))
}

/// Returns text as a code span, which is the one place in Markdown where nothing is formatted: no emphasis, HTML, link,
/// formula or emoji, and no `@name` or `#1` that would notify a person or refer to something.
fn code(text: &str) -> String {
    // Names cannot be empty, but an empty span would be two backticks, which begin the next one.
    let text = text::shown(
        if text.trim().is_empty() {
            "(empty)"
        } else {
            text
        }
        .as_bytes(),
    );
    // Backticks are escaped by a longer fence, and a bar by a backslash, which a table takes away even in code.
    let longest = text
        .split(|character| character != '`')
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // A space is taken away at both ends if it is at both ends.
    let at_edge = |edge: Option<char>| matches!(edge, Some('`' | ' '));
    let space = if at_edge(text.chars().next()) || at_edge(text.chars().last()) {
        " "
    } else {
        ""
    };
    format!("{fence}{space}{}{space}{fence}", text.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_bots_is_code_that_nothing_ends() {
        for (text, expected) in [
            ("good", "`good`"),
            ("a|b", "`a\\|b`"),
            (
                "*a* _b_ [c](d) <b> @me #1 $x$ :smile:",
                "`*a* _b_ [c](d) <b> @me #1 $x$ :smile:`",
            ),
            ("a`b", "``a`b``"),
            ("`", "`` ` ``"),
            ("a``b`c", "```a``b`c```"),
            ("a\nb\tc", "`a\\nb\\tc`"),
            ("\u{202e}a", "`\\u{202e}a`"),
            (" a", "`  a `"),
            ("", "`(empty)`"),
        ] {
            assert_eq!(code(text), expected);
        }
    }

    #[test]
    fn every_column_is_a_figure() {
        for (figure, _) in COLUMNS {
            assert!(FIGURES.iter().any(|known| known.csv == figure), "{figure}");
        }
    }
}
