//! A game as it is told to those who watch: what has happened, in owned data that one thread can
//! send to another.

use crate::time::in_words;
use battleship::{
    AttackResult, BySide, Game, GameInPlay, Placement, PlayedTurn, Point, Rules, Side, Turn,
};

/// A question to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The places of its ships.
    Place,
    /// Its turn: an attack or an order.
    Turn,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The winner; `None` if the game has none.
    pub winner: Option<Side>,
    /// The reason why it ended, as a sentence without its full stop. Text of bots may be in it.
    pub why: String,
}

/// Returns the cell to attack after these attacks, and how likely that is to hit, from 0 to 1.
pub type NextAttack = fn(&Game, &[(Point, AttackResult)]) -> Option<(Point, f64)>;

/// The advice of `good`. Bots are not known here, so the program provides this.
#[derive(Clone, Copy, Debug)]
pub struct Advice {
    /// Its attack.
    pub attack: NextAttack,
    /// The number of attacks that it needs for a fleet.
    pub needed: fn(&Game, &[Placement]) -> Option<usize>,
}

/// The games before and after a game of a person.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// The advice of `good`, if there is any.
    pub advice: Option<Advice>,
    /// The number of games that each player has won so far.
    pub score: BySide<u32>,
    /// The opponents that can be chosen for the next game, in words; none if there is no choice.
    pub opponents: Vec<String>,
}

/// The choice after a game of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another game against the same opponent.
    Rematch,
    /// A game against the opponent with this number.
    Opponent(usize),
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// Both players have placed their ships, in the order of their ids.
    Placed(BySide<Vec<Placement>>),
    /// It is this player's turn.
    Turn(Side),
    /// A turn was played.
    Played(PlayedTurn),
    /// A person who is asked by the referee has to answer.
    Asked(Side, Question),
    /// The game is over.
    Ended(End),
}

impl News {
    /// Returns what is asked, and of whom.
    pub(crate) fn asked(&self) -> Option<(Side, Question)> {
        match self {
            News::Asked(side, question) => Some((*side, *question)),
            News::Placed(_) | News::Turn(_) | News::Played(_) | News::Ended(_) => None,
        }
    }
}

/// A game as far as it has been told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// The game that it is.
    pub rules: Rules,
    /// The names of the players. Text of bots.
    pub names: BySide<String>,
    /// The player who moves first.
    pub first: Side,
    /// The places of the ships at the beginning, once they are known.
    pub fleets: Option<BySide<Vec<Placement>>>,
    /// All turns so far.
    pub turns: Vec<PlayedTurn>,
    /// The player whose turn it is, if the game has begun and is not over.
    pub to_move: Option<Side>,
    /// Its end, if it has ended.
    pub end: Option<End>,
}

impl Story {
    /// Returns the story of a game in which nothing has happened yet.
    #[must_use]
    pub fn new(rules: Rules, names: BySide<String>, first: Side) -> Story {
        Story {
            rules,
            names,
            first,
            fleets: None,
            turns: Vec::new(),
            to_move: None,
            end: None,
        }
    }

    /// Returns how long the last reply of the player on `side` took among the first `turns` turns,
    /// in words; nothing if it has none.
    pub(crate) fn last_time(&self, side: Side, turns: usize) -> String {
        // The shots of a salvo but the first took no time of their own.
        let mut timed = self.turns[..turns].iter().rev().filter(|turn| turn.us > 0);
        let last = timed.find(|turn| turn.mover == side);
        last.map(|turn| in_words(turn.time())).unwrap_or_default()
    }

    /// Returns the game after this number of turns; without ships while they are not known.
    #[must_use]
    pub fn game_after(&self, turns: usize) -> Box<dyn GameInPlay> {
        let mut game = self.rules.begin();
        let Some(fleets) = &self.fleets else {
            return game;
        };
        // The story has been played, so the rules refuse none of it.
        let placed = fleets
            .iter()
            .all(|(side, fleet)| game.place(side, fleet).is_ok());
        if placed {
            game.start(self.first);
            for played in &self.turns[..turns] {
                let _ = game.play(played.turn.step());
            }
        }
        game
    }

    /// Returns what good would attack now in place of the player on `side`, by what this player has
    /// seen: the cell, and words. `None` in a game that it does not know.
    #[must_use]
    pub fn advised(&self, side: Side, advice: Option<Advice>) -> Option<(Point, String)> {
        let game = self.rules.classic_game()?;
        let attack = |turn: &PlayedTurn| match turn.turn {
            Turn::Attack { at, result } => Some((at, result)),
            Turn::Order { .. } => None,
        };
        let attacks: Vec<_> = self.of(side).filter_map(attack).collect();
        let (at, chance) = (advice?.attack)(game, &attacks)?;
        let cell = self.rules.labels().cell(at);
        Some((
            at,
            format!(
                "good would attack {cell}: {:.0}% likely to hit",
                100.0 * chance
            ),
        ))
    }

    fn of(&self, side: Side) -> impl Iterator<Item = &PlayedTurn> {
        self.turns.iter().filter(move |turn| turn.mover == side)
    }

    /// Returns how the game ended for the one of these people, or of two for the winner: after how
    /// many turns, how many of them hit, and what good would have needed. Empty before the end.
    #[must_use]
    pub fn verdict(&self, people: BySide<bool>, advice: Option<Advice>) -> String {
        let Some(end) = &self.end else {
            return String::new();
        };
        let both = people.one && people.two;
        let side = if people.one { Side::One } else { Side::Two };
        let side = end.winner.filter(|_| both).unwrap_or(side);
        let who = if both { &self.names[side] } else { "You" };
        let own = || self.of(side);
        let turns = own().count();
        let hits = own().filter(|turn| turn.turn.impact().is_hit()).count();
        let s = if turns == 1 { "" } else { "s" };
        let mut why = end.why.trim_end_matches('.');
        // A page knows its players by numbers, so the name is not compared.
        if !both && end.winner == Some(side.other()) && why.ends_with(" resigned") {
            why = "you gave up";
        }
        let how = match end.winner {
            Some(winner) if winner == side => format!("{who} won"),
            Some(_) => format!("{who} lost"),
            None => "No winner".to_owned(),
        };
        // Of a game without turns there is nothing to count.
        if turns == 0 {
            return format!("{how}: {why}.");
        }
        let after = if end.winner == Some(side) {
            "in"
        } else {
            "after"
        };
        let is_decided = self.game_after(self.turns.len()).winner().is_some();
        let mut rate = String::new();
        let mut needed = String::new();
        if let (Some(game), Some(fleets)) = (self.rules.classic_game(), &self.fleets) {
            rate = format!(", {}% hits", (100 * hits + turns / 2) / turns);
            let many = advice.and_then(|advice| (advice.needed)(game, &fleets[side.other()]));
            let many = many.filter(|_| is_decided);
            needed = many
                .map(|many| format!("; good would have needed {many}"))
                .unwrap_or_default();
        }
        // A decision by the rules has been seen.
        let reason = if is_decided {
            String::new()
        } else {
            format!(": {why}")
        };
        format!(
            "{how} {after} {turns} {}{s}{rate}{needed}{reason}.",
            self.rules.describe().turn_word
        )
    }

    /// Returns the score after this game, for the player on `side`; `None` if it is the first of
    /// its series.
    #[must_use]
    pub fn score(&self, side: Side, before: BySide<u32>) -> Option<String> {
        let winner = self.end.as_ref()?.winner;
        let score = BySide::from_fn(|side| before[side] + u32::from(winner == Some(side)));
        let other = &self.names[side.other()];
        let is_first = before == BySide::default();
        (!is_first).then(|| format!("you {}, {other} {}", score[side], score[side.other()]))
    }

    /// Adds what has happened.
    pub fn hear(&mut self, news: News) {
        match news {
            News::Placed(fleets) => self.fleets = Some(fleets),
            News::Turn(side) => self.to_move = Some(side),
            News::Played(turn) => {
                self.to_move = None;
                self.turns.push(turn);
            }
            News::Asked(..) => {}
            News::Ended(end) => {
                self.to_move = None;
                self.end = Some(end);
            }
        }
    }
}
