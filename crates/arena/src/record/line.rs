//! One game as a line of a record.

use std::time::Duration;

use bothost::Clock;
use league::statistics::Outcome;
use serde::{Deserialize, Serialize};
use wire::game::{GameReader, GameStats, Played, Readers};
use wire::{BySide, EndedBy, Ending, Side};

use super::reader::reader_of;
use super::{Figure, add_results};
use crate::game::Entrant;
use crate::judge::{JudgeReader, JudgedGame};
use crate::terms::{GameClock, SandboxLevel, is_zero};

/// The format of the line of a game.
pub const FORMAT: &str = "battleship-game";

/// The version of that format; another one where a reader of this one would misread a line.
pub const VERSION: u32 = 1;

/// A game, as far as games of all kinds are alike. A game's own fields are in the text of the line
/// alone, which its [`GameReader`] reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Its place in a contest, if it was played in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<InContest>,
    /// The name of the game.
    pub rules: String,
    /// The seed from which the seeds of both players come.
    pub seed: u64,
    /// The number of turns that each player could have.
    pub max_turns: u32,
    /// The sandbox that the bots were confined to, if there was one.
    pub sandbox: Option<SandboxOfGame>,
    /// The players, in the order in which they were named.
    pub players: BySide<LinePlayer>,
    /// The player that moved first.
    pub first: Side,
    /// The winner's name; `None` without a winner.
    pub winner: Option<String>,
    /// The player who caused the end: the winner of a game that was played to its end, else the
    /// player who gave up or failed; `None` if neither did.
    pub by: Option<Side>,
    /// The typed reason.
    pub ended_by: EndedBy,
    /// The reason as a sentence.
    pub reason: String,
    /// The figures that the players' programs printed, by player and name in the order in which
    /// they first did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<Figure>,
    /// What is counted of the game.
    #[serde(skip)]
    pub stats: GameStats,
    /// The text of the line, without its end.
    #[serde(skip)]
    pub json: Box<str>,
}

impl GameLine {
    /// Returns the line of a game of `players` that has yet to be played.
    #[must_use]
    pub fn new(
        rules: &str,
        seed: u64,
        first: Side,
        max_turns: u32,
        players: BySide<LinePlayer>,
    ) -> GameLine {
        GameLine {
            contest: None,
            rules: rules.to_owned(),
            seed,
            max_turns,
            sandbox: None,
            players,
            first,
            winner: None,
            by: None,
            ended_by: EndedBy::Interrupted,
            reason: String::new(),
            figures: Vec::new(),
            stats: GameStats::default(),
            json: Box::default(),
        }
    }

    /// Completes the line of a game that was played, with its ending, the game's own part of the
    /// line, and what `reader` counts of that.
    #[must_use]
    pub fn finished(mut self, played: &Played, reader: &dyn GameReader) -> GameLine {
        self.set_ending(&played.ending);
        for side in Side::BOTH {
            self.players[side].retries = played.retried[side];
        }
        add_results(&mut self.figures, played);
        let shared = serde_json::to_string(&self).expect("its maps have text for keys");
        let head = format!(
            "{{\"format\":\"{FORMAT}\",\"version\":{VERSION},\"referee\":\"{}\",",
            env!("CARGO_PKG_VERSION")
        );
        // Two objects become one by leaving out the braces between them.
        let own = played.own.get().trim_start_matches('{');
        let comma = if own == "}" { "" } else { "," };
        let shared = &shared[1..shared.len() - 1];
        self.json = [&head, shared, comma, own].concat().into();
        self.stats = reader
            .stats(&self.json)
            .expect("a game reads what it has written");
        self
    }

    /// Returns which of `readers` reads the game, or the reader of games that a judge knows.
    #[must_use]
    pub fn reader(&self, readers: Readers) -> Option<&'static dyn GameReader> {
        reader_of(&self.rules, readers)
    }

    /// Returns whether a judge knows the game.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        JudgeReader.reads(&self.rules)
    }

    /// Returns the judge's part of the line; `None` if no judge knows the game.
    #[must_use]
    pub fn judged(&self) -> Option<JudgedGame> {
        self.is_judged()
            .then(|| JudgedGame::read(&self.json).ok())
            .flatten()
    }

    /// Puts this game, which was played in a contest, at a place in another one.
    pub fn move_to(&mut self, place: InContest) {
        let field = |place: &InContest| {
            let place = serde_json::to_string(place).expect("it is numbers and text");
            format!("\"contest\":{place}")
        };
        if let Some(played_at) = &self.contest {
            let json = self.json.replacen(&field(played_at), &field(&place), 1);
            self.json = json.into();
        }
        self.contest = Some(place);
    }

    fn set_ending(&mut self, ending: &Ending) {
        let names = self.players.as_ref().map(|player| &player.name);
        self.reason = ending.reason(names);
        self.winner = ending.winner.map(|side| names[side].clone());
        self.by = ending.by;
        self.ended_by = ending.ended_by;
    }

    /// Returns the names of the players, in the order in which they moved.
    #[must_use]
    pub fn movers(&self) -> [String; 2] {
        [self.first, self.first.other()].map(|side| self.players[side].name.clone())
    }

    /// Returns the side of the winner.
    #[must_use]
    pub fn winning_side(&self) -> Option<Side> {
        let winner = self.winner.as_ref()?;
        Side::BOTH
            .into_iter()
            .find(|side| self.players[*side].name == *winner)
    }

    /// Returns the outcome for both players; `None` if the game does not count.
    #[must_use]
    pub fn outcomes(&self) -> Option<BySide<Outcome>> {
        let winner = match (self.winning_side(), self.ended_by, self.by) {
            (Some(winner), _, _) => winner,
            // Before the faults: a cap blames neither player.
            (None, EndedBy::TurnCap | EndedBy::Drawn, _) => {
                return Some(BySide::from_fn(|_| Outcome::Draw));
            }
            (None, ended_by, Some(by)) if ended_by.is_fault() => by.other(),
            // A late machine, an interrupt: neither player is to blame, so a contest counts the
            // game as not played.
            (None, _, _) => return None,
        };
        let mut outcomes = BySide::from_fn(|_| Outcome::Loss);
        outcomes[winner] = Outcome::Win;
        Some(outcomes)
    }
}

/// The place of a game in a contest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InContest {
    /// The id of the contest, as in the header.
    pub id: String,
    /// The series, from 1.
    pub series: usize,
    /// Its number among the games between these two players in this contest, from 1.
    pub game: u32,
}

/// The sandbox of a game's bots.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxOfGame {
    /// The amount that it took away.
    pub level: SandboxLevel,
    /// The attempts of an attacking process, confined in the same way before the game, that were
    /// refused.
    pub refused: Vec<String>,
    /// The limits that the kernel held for all processes of a bot together: `memory`, `pids`,
    /// `cpu`. The referee counted the rest.
    pub hard_limits: Vec<String>,
}

/// Returns a time as records have it: in whole milliseconds.
#[must_use]
pub fn in_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A player of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinePlayer {
    /// Its name; no two players of a game have the same name.
    pub name: String,
    /// Its name for itself, if that is something else and no other player's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls_itself: Option<String>,
    /// The command that starts it.
    pub command: String,
    /// The folder that it is started in, as it was typed; `None` for the referee's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// Whether a student handed that command in: it is data, and only a class starts it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub submission: bool,
    /// Its author, if it says.
    pub author: Option<String>,
    /// Whether a person plays.
    pub human: bool,
    /// Its seed in this game.
    pub seed: u32,
    /// The time that it could take for a reply, in milliseconds; `None` for no limit.
    pub limit_ms: Option<u64>,
    /// The time that it had for the whole game instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<GameClock>,
    /// The number of its replies that were refused and asked for again.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub retries: u32,
    /// Its oddities, though it was not a fault, in a sentence each.
    pub warnings: Vec<String>,
}

impl LinePlayer {
    /// Returns the entry of `player` before its game, in which it has this seed and this clock.
    #[must_use]
    pub fn of(player: &Entrant, seed: u32, clock: Clock) -> LinePlayer {
        LinePlayer {
            name: player.name.clone(),
            calls_itself: None,
            command: player.program.command_line.clone(),
            dir: player.dir.clone(),
            submission: player.program.view.is_closed(),
            author: None,
            human: player.human,
            seed,
            limit_ms: clock.reply_limit().map(in_milliseconds),
            clock: match clock {
                Clock::Game { total, increment } => Some(GameClock { total, increment }),
                Clock::Wall(_) | Clock::Fuel { .. } | Clock::None => None,
            },
            retries: 0,
            warnings: Vec::new(),
        }
    }
}
