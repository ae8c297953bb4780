//! The reasons for a player's losses, as text.

use std::fmt::Write;

use serde::Serialize;

use super::attack_review::AttackReview;
use super::check::{WIDTH, wrapped};
use super::duel::{DuelSummary, PlaceScore};
use super::game_list::game_line;
use super::skill::Skill;
use super::standings::shown_mean;
use arena::command::PrintedCommand;
use arena::explain::{GameDigest, LossReason, LossSummary, Results, VersusOpponent};
use arena::game::player_word;
use arena::result::GivenFigures;
use arena::words::{NONE, counted, percent, reason_in_words};
use bothost::Side;
use check::RecordedFault;
use league::statistics::to_f64;

/// Opponents beyond these are counted and not named.
const MOST_OPPONENTS: usize = 30;

/// The reasons for a player's losses.
#[derive(Debug, Serialize)]
pub struct Explanation {
    /// The record, fit to be shown.
    pub record: String,
    pub player: String,
    /// Its losses in all; absent if one game was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<LossExplanation>,
    /// The game that was asked for, or the worst one; `None` if none was lost.
    pub game: Option<GameExplanation>,
}

/// The losses of a player in all its games.
#[derive(Debug, Serialize)]
pub struct LossExplanation {
    #[serde(flatten)]
    pub losses: LossSummary,
    /// The attacks in these games, and the learning.
    pub duel: DuelSummary,
    /// The value of the attacks in some of its games; `None` without such games.
    pub skill: Option<Skill>,
    /// The means of the numbers that a judge gave it.
    #[serde(skip_serializing_if = "GivenFigures::is_empty")]
    pub figures: GivenFigures,
    /// The usual causes of its faults, in the order of the reasons; `None` for one that is not a
    /// fault of its own.
    pub causes: Vec<Option<String>>,
    /// Its worst games, the worst first.
    pub worst: Vec<GameDigest>,
    /// Games of series that were not played to their end; they count.
    pub unfinished: u64,
    /// Games in which the judge failed right after a reply of the player.
    #[serde(skip_serializing_if = "no_games")]
    pub judge_failed: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn no_games(count: &u64) -> bool {
    *count == 0
}

/// The reason for a loss.
#[derive(Debug, Serialize)]
pub struct GameExplanation {
    #[serde(flatten)]
    pub game: GameDigest,
    /// The player that the explanation is about.
    #[serde(rename = "seat")]
    pub side: Side,
    /// The command of that player, fit to be shown.
    pub command: String,
    /// The folder that it was started in, if that was typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// The variables of the environment that the contest gave to its bots.
    #[serde(skip)]
    pub env: Vec<String>,
    /// Whether a student handed that command in, so that none is shown with it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub submission: bool,
    pub rules: String,
    /// Its fault, if that ended the game.
    pub fault: Option<RecordedFault>,
    /// The last lines to and from it, with its standard error, if its fault ended the game and the
    /// record has them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<String>,
    /// The value of its attacks, if the game is a classic one in which both had placed their ships.
    pub review: Option<AttackReview>,
}

impl GameExplanation {
    /// Returns the words of the command that sends a game of `record` to the player again, without
    /// those that choose the game; `None` unless a person typed the player's command.
    fn debug_words(&self, record: &str) -> Option<Vec<String>> {
        if self.submission || self.command.is_empty() {
            return None;
        }
        let bot = player_word(None, self.dir.as_deref(), &self.command);
        let mut words = ["debug", &bot, "--from", record]
            .map(str::to_owned)
            .to_vec();
        for name in &self.env {
            words.extend(["--env".to_owned(), name.clone()]);
        }
        Some(words)
    }
}

/// Returns the explanation as text.
#[must_use]
pub fn explanation(explanation: &Explanation) -> String {
    let mut out = Text { out: String::new() };
    let Explanation {
        record,
        player,
        summary,
        game,
    } = explanation;
    if let Some(summary) = summary {
        out.summary(record, player, summary, game.as_ref());
    }
    match game {
        Some(game) => {
            if summary.is_some() {
                out.line("\nThe worst game:");
            }
            out.game(record, player, game);
        }
        None => out.line(&format!("{player} lost no game.")),
    }
    out.out
}

struct Text {
    out: String,
}

impl Text {
    fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// Adds `text` in lines that begin with this many spaces.
    fn wrap(&mut self, indent: usize, text: &str) {
        for line in wrapped(text, WIDTH - indent) {
            writeln!(self.out, "{:indent$}{line}", "").expect("a string takes everything");
        }
    }

    fn summary(
        &mut self,
        record: &str,
        player: &str,
        summary: &LossExplanation,
        game: Option<&GameExplanation>,
    ) {
        let LossSummary {
            results,
            void,
            wasted,
            reasons,
            opponents,
        } = &summary.losses;
        self.line(&format!(
            "{player} in {record}: {}",
            results_in_words(results)
        ));
        if *void > 0 {
            self.line(&format!(
                "{} more without a winner and without a fault",
                counted(*void, "game")
            ));
        }
        if summary.judge_failed > 0 {
            let games = counted(summary.judge_failed, "game");
            self.line(&format!(
                "the judge failed right after its replies in {games}, which count for nobody"
            ));
        }
        if summary.unfinished > 0 {
            let games = counted(summary.unfinished, "game");
            self.line(&format!(
                "{games} of these of series that were not played to their end"
            ));
        }
        if *wasted > 0 {
            let attacks = counted(*wasted, "attack");
            self.line(&format!(
                "{attacks} wasted, outside of the board or on cells attacked before"
            ));
        }
        if !reasons.is_empty() {
            self.line("\nWhy it lost:");
        }
        for (lost, cause) in reasons.iter().zip(&summary.causes) {
            self.reason(player, lost, cause.as_deref());
        }
        if !opponents.is_empty() {
            self.line("\nAgainst each opponent:");
        }
        for VersusOpponent { opponent, results } in opponents.iter().take(MOST_OPPONENTS) {
            self.line(&format!("  {opponent}: {}", results_in_words(results)));
        }
        if let Some(more) = opponents
            .len()
            .checked_sub(MOST_OPPONENTS)
            .filter(|more| *more > 0)
        {
            self.line(&format!("  and {more} more; --json has all of them"));
        }
        self.play(&summary.duel, summary.skill.as_ref(), &summary.figures);
        let debug = game.and_then(|game| game.debug_words(record));
        if !summary.worst.is_empty() {
            self.line("\nIts worst games:");
        }
        for game in &summary.worst {
            self.line(&game_line(game));
            let side = game.side_of(player).unwrap_or(Side::One);
            self.show_command(
                record,
                player,
                debug.as_deref(),
                game,
                game.is_fault_of(side),
            );
            let number = game.number.to_string();
            let words = ["explain", record, "--player", player, "--game", &number];
            self.command(&PrintedCommand::new(words));
        }
    }

    /// Says how a player attacks, what its fleets endure, and how it learns.
    fn play(&mut self, duel: &DuelSummary, skill: Option<&Skill>, figures: &GivenFigures) {
        let DuelSummary {
            attacks,
            hits,
            fell,
            stood,
            endures,
            places,
        } = duel;
        let [own, others] = [0, 1].map(|side| share(hits[side], attacks[side]));
        self.line("\nHow it plays:");
        for (name, mean) in figures.means() {
            self.line(&format!("  {name}, mean: {}", shown_mean(mean)));
        }
        // A game that a judge knows has no hits.
        if *hits != [0, 0] {
            self.wrap(
                2,
                &format!("{own} of its shots hit; its opponents hit with {others}"),
            );
            let games = counted(fell + stood, "game");
            let half = endures.map_or(String::new(), |attacks| {
                format!("; it usually lasts about {attacks} turns")
            });
            self.wrap(2, &format!("its fleet was sunk in {fell} of {games}{half}"));
        }
        if places.len() > 1 {
            let places = places
                .iter()
                .map(|score| {
                    let PlaceScore {
                        first,
                        last,
                        share,
                        low,
                        high,
                        ..
                    } = score;
                    let games = if first == last {
                        first.to_string()
                    } else {
                        format!("{first} to {last}")
                    };
                    // "to" is between the games of a range.
                    let low = 100.0 * low;
                    format!("{games}: {} ({low:.1}-{})", percent(*share), percent(*high))
                })
                .collect::<Vec<_>>()
                .join("; ");
            self.wrap(2, &format!("score by the game of the series: {places}"));
        }
        if let Some(Skill { games, lost, luck }) = skill {
            let games = counted(*games, "game");
            self.wrap(
                2,
                &format!(
                    "skill and luck, in {games}: its attacks gave away {lost:.1} expected hits a game, and hit {luck:+.1} \
                     times more than was likely"
                ),
            );
        }
    }

    fn reason(&mut self, player: &str, lost: &LossReason, cause: Option<&str>) {
        let LossReason {
            ended_by,
            own_doing,
            games,
            mean_turns,
            example,
            ..
        } = lost;
        let who = if *own_doing { player } else { "the opponent" };
        let how = reason_in_words(*ended_by);
        self.wrap(
            2,
            &format!("{}: {who} {how} ({ended_by})", counted(*games, "game")),
        );
        if *own_doing {
            self.wrap(
                4,
                &format!("as in game {}: {}", example.number, example.reason),
            );
        } else {
            self.wrap(
                4,
                &format!("after {mean_turns:.1} turns of {player}, on average"),
            );
        }
        if let Some(cause) = cause {
            self.wrap(4, &format!("usual cause: {cause}"));
        }
    }

    fn command(&mut self, command: &PrintedCommand) {
        self.line(&format!("          {command}"));
    }

    /// Adds the command that shows a game: `debug` for a fault, else `replay`.
    fn show_command(
        &mut self,
        record: &str,
        player: &str,
        debug: Option<&[String]>,
        game: &GameDigest,
        fault: bool,
    ) {
        let number = game.number.to_string();
        let command = match debug.filter(|_| fault) {
            Some(debug) => PrintedCommand::new(debug).with(["--game", &number, "--player", player]),
            None => PrintedCommand::new(["replay", record, "--game", &number]),
        };
        self.command(&command);
    }

    fn game(&mut self, record: &str, player: &str, explained: &GameExplanation) {
        let GameExplanation {
            game,
            side,
            fault,
            said,
            review,
            rules,
            ..
        } = explained;
        self.line(&game_line(game));
        self.wrap(2, &format!("{}.", game.reason));
        if let Some(RecordedFault {
            dialogue,
            expected,
            cause,
        }) = fault
        {
            let standard_error = if said.is_empty() {
                ""
            } else {
                " and wrote to standard error (!!)"
            };
            self.line(&format!(
                "  What {player} heard (<-) and said (->){standard_error} at the end:"
            ));
            let lines = if said.is_empty() { dialogue } else { said };
            for line in lines {
                self.line(&format!("    {line}"));
            }
            self.wrap(2, &format!("expected: {expected}"));
            self.wrap(2, &format!("usual cause: {cause}"));
        }
        match review {
            Some(review) => {
                self.review(review);
                self.look_at_worst(record, player, explained, review);
            }
            None if rules != "classic" && !rules.starts_with("judge ") => {
                self.line(&format!("  The turns of {rules} games are not rated."));
            }
            None => {}
        }
        if !game.is_lost_by(*side) {
            self.line(&format!("  {player} did not lose this game."));
        }
        self.line("  To see it:");
        let debug = explained.debug_words(record);
        self.show_command(record, player, debug.as_deref(), game, fault.is_some());
        if explained.submission {
            self.wrap(2, "Its command came with a submission: `referee class dispute` plays the game again in its sandbox.");
        }
    }

    /// Adds the command that stops at the first of the worst attacks.
    fn look_at_worst(
        &mut self,
        record: &str,
        player: &str,
        explained: &GameExplanation,
        review: &AttackReview,
    ) {
        if let (Some(weak), Some(debug)) = (review.worst.first(), explained.debug_words(record)) {
            let number = explained.game.number.to_string();
            let turn = weak.attack.to_string();
            self.line("  To look at the first of them:");
            let choice = ["--game", &number, "--player", player, "--turn", &turn];
            self.command(&PrintedCommand::new(debug).with(choice));
        }
    }

    fn review(&mut self, review: &AttackReview) {
        let AttackReview {
            attacks,
            hits,
            outside,
            repeated,
            expected_hits_lost,
            lost_by_waste,
            expected_hits,
            worst,
        } = review;
        let wasted = match outside + repeated {
            0 => "none wasted".to_owned(),
            wasted => {
                format!("{wasted} wasted ({outside} outside of the board, {repeated} repeated)")
            }
        };
        self.line(&format!(
            "  {}, {} hit, {wasted}",
            counted(*attacks as u64, "attack"),
            hits
        ));
        let waste = if *lost_by_waste > 0.0 {
            format!(", {lost_by_waste:.1} of them by wasted attacks")
        } else {
            String::new()
        };
        self.line(&format!(
            "  expected hits lost: {expected_hits_lost:.1}{waste}"
        ));
        self.line(&format!(
            "  hits expected of its attacks: {expected_hits:.1}"
        ));
        if worst.is_empty() {
            return;
        }
        self.wrap(
            2,
            "(Each shot next to the best shot it could have taken: the likeliest cell by what was known, estimated with an \
             error of about 1 point. A better cell that stays open counts each time.)",
        );
        for weak in worst {
            let [chance, best] = [weak.chance, weak.best_chance].map(|share| 100.0 * share);
            self.line(&format!(
                "    attack {} at {}: {chance:.0}% likely to hit; {} was {best:.0}%",
                weak.attack, weak.at, weak.best
            ));
        }
    }
}

fn results_in_words(results: &Results) -> String {
    let Results {
        games,
        won,
        drawn,
        lost,
        own_fault,
    } = results;
    let drawn = if *drawn == 0 {
        String::new()
    } else {
        format!(", {drawn} drawn")
    };
    let faults = if *own_fault == 0 {
        String::new()
    } else {
        format!(" ({own_fault} by its own fault)")
    };
    format!(
        "{}, {won} won{drawn}, {lost} lost{faults}",
        counted(*games, "game")
    )
}

fn share(of: u64, all: u64) -> String {
    if all == 0 {
        NONE.to_owned()
    } else {
        percent(to_f64(of) / to_f64(all))
    }
}
