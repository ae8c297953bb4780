//! The lines from the referee to a bot.

use std::fmt;
use std::time::Duration;

use wire::line::{MalformedLine, Words};

use super::order::{Order, OrderResult};
use crate::{AttackResult, Point, Ruleset, ShipId};

/// The end of a game for one of its bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The bot won.
    Won,
    /// Its opponent won.
    Lost,
    /// Neither player won.
    Void,
}

impl Outcome {
    /// The word that stands for the outcome.
    pub const fn word(self) -> &'static str {
        match self {
            Outcome::Won => "won",
            Outcome::Lost => "lost",
            Outcome::Void => "void",
        }
    }
}

/// The text in place of the first word of a line that gets no reply.
const NOTICE: &str = "a notice";

/// A line from the referee to a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// `battleship VERSION`: the greeting, answered up to `ready`.
    Battleship(u32),
    /// `game RULESET ROWS COLS`: a new game begins.
    Game {
        /// The rules it is played by.
        ruleset: Ruleset,
        /// The number of rows of a board.
        rows: i32,
        /// The number of columns of a board.
        cols: i32,
    },
    /// `ship ID LENGTH SYMBOL NAME`: one ship type of the game.
    Ship {
        /// The ship's id.
        id: ShipId,
        /// The number of cells that it covers.
        length: i32,
        /// The character that stands for it.
        symbol: char,
        /// Its name in messages.
        name: String,
    },
    /// `rule WORDS`: an option of the rules of this game, as [`RuleOptions`](crate::RuleOptions)
    /// read it.
    Rule(String),
    /// `seed NUMBER`: the same seed asks for the same play.
    Seed(u32),
    /// `limit MILLISECONDS`: how long the bot may take for each reply of this game, in whole
    /// milliseconds.
    Limit(Duration),
    /// `clock MILLISECONDS`: how long the bot may take for all replies of the rest of this game
    /// together.
    Clock(Duration),
    /// `place`: where are your ships?
    Place,
    /// `attack`: where do you attack?
    Attack,
    /// `salvo NUMBER`: where do you fire that many shots? (In the salvo game.)
    Salvo(usize),
    /// `act`: which of your units does what? (In the twist game.)
    Act,
    /// `result ROW COL RESULT`: the result of the bot's attack.
    Result(Point, AttackResult),
    /// `result ROW COL ROW COL RESULT`: the result of the bot's order.
    OrderResult(Order, OrderResult),
    /// `opponent ROW COL`: where the opponent attacked or fired.
    Opponent(Point),
    /// `end OUTCOME REASON`: the game is over.
    End(Outcome, String),
    /// `error TEXT`: why the referee ends this bot.
    Error(String),
    /// `quit`: leave now.
    Quit,
}

impl Request {
    /// Returns the first word of a request that is answered, and "a notice" for lines that are not.
    pub const fn word(&self) -> &'static str {
        match self {
            Request::Battleship(_) => "battleship",
            Request::Place => "place",
            Request::Attack => "attack",
            Request::Salvo(_) => "salvo",
            Request::Act => "act",
            Request::Game { .. }
            | Request::Ship { .. }
            | Request::Rule(_)
            | Request::Seed(_)
            | Request::Limit(_)
            | Request::Clock(_)
            | Request::Result(..)
            | Request::OrderResult(..)
            | Request::Opponent(_)
            | Request::End(..)
            | Request::Error(_)
            | Request::Quit => NOTICE,
        }
    }

    /// Returns whether a bot replies to the line.
    pub fn is_answered(&self) -> bool {
        self.word() != NOTICE
    }

    /// Returns the number of cells that the reply names.
    pub const fn cells(&self) -> usize {
        if let Request::Salvo(shots) = self {
            *shots
        } else if matches!(self, Request::Act) {
            2
        } else {
            1
        }
    }

    /// Returns the form of the reply to a request for a turn.
    pub fn expected(&self) -> String {
        if let Request::Salvo(shots) = self {
            let s = if *shots == 1 { "" } else { "s" };
            return format!("\"salvo ROW COL ...\" with {shots} cell{s}");
        }
        let cells = " ROW COL".repeat(self.cells());
        format!("\"{}{cells}\"", self.word())
    }

    /// Whether the line ends with a text, so that a later version cannot add words to it.
    #[must_use]
    pub fn ends_with_text(&self) -> bool {
        matches!(
            self,
            Request::Ship { .. }
                | Request::Rule(_)
                | Request::OrderResult(..)
                | Request::End(..)
                | Request::Error(_)
        )
    }

    /// The request that `line` is, whose line end has been stripped. Words after the last that
    /// belongs there are ignored, so that later versions can add some.
    ///
    /// # Errors
    /// If the line is not a request; [`MalformedLine::UnknownCommand`] is one that a bot must
    /// ignore.
    pub fn parse(line: &[u8]) -> Result<Request, MalformedLine> {
        let (command, mut words) = Words::of(line)?;
        Ok(match command {
            "battleship" => Request::Battleship(words.number()?),
            "game" => {
                let word = words.word()?;
                let ruleset =
                    Ruleset::parse(word).ok_or_else(|| MalformedLine::Word(word.to_owned()))?;
                Request::Game {
                    ruleset,
                    rows: words.number()?,
                    cols: words.number()?,
                }
            }
            "ship" => Request::Ship {
                id: words.number()?,
                length: words.number()?,
                symbol: words.character()?,
                name: words.text()?.to_owned(),
            },
            "rule" => Request::Rule(words.text()?.to_owned()),
            "seed" => Request::Seed(words.number()?),
            "limit" => Request::Limit(Duration::from_millis(words.number::<u32>()?.into())),
            "clock" => Request::Clock(Duration::from_millis(words.number::<u32>()?.into())),
            "place" => Request::Place,
            "attack" => Request::Attack,
            "salvo" => Request::Salvo(words.number()?),
            "act" => Request::Act,
            "result" => parse_result(&mut words)?,
            "opponent" => Request::Opponent(Point::parse(&mut words)?),
            "end" => {
                let outcome = match words.word()? {
                    "won" => Outcome::Won,
                    "lost" => Outcome::Lost,
                    // Neither has won a drawn game.
                    "void" | "drawn" => Outcome::Void,
                    other => return Err(MalformedLine::Word(other.to_owned())),
                };
                Request::End(outcome, words.text().unwrap_or_default().to_owned())
            }
            "error" => Request::Error(words.text()?.to_owned()),
            "quit" => Request::Quit,
            _ => return Err(MalformedLine::UnknownCommand),
        })
    }
}

/// Reads the rest of a `result` line. After the first cell comes the result of an attack on it, or
/// another cell: then it is the result of an order.
fn parse_result(words: &mut Words<'_>) -> Result<Request, MalformedLine> {
    let at = Point::parse(words)?;
    let mut behind = words.clone();
    Ok(match behind.number() {
        Ok(row) => {
            let order = Order::new(at, Point::new(row, behind.number()?));
            Request::OrderResult(order, OrderResult::parse(&mut behind)?)
        }
        Err(_) => Request::Result(at, AttackResult::parse(words)?),
    })
}

/// The line, without its line end.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Request::Battleship(version) => write!(f, "battleship {version}"),
            Request::Game {
                ruleset,
                rows,
                cols,
            } => {
                write!(f, "game {} {rows} {cols}", ruleset.word())
            }
            Request::Ship {
                id,
                length,
                symbol,
                name,
            } => {
                write!(f, "ship {id} {length} {symbol} {name}")
            }
            Request::Rule(words) => write!(f, "rule {words}"),
            Request::Seed(seed) => write!(f, "seed {seed}"),
            Request::Limit(limit) => write!(f, "limit {}", limit.as_millis()),
            Request::Clock(left) => write!(f, "clock {}", left.as_millis()),
            Request::Place => write!(f, "place"),
            Request::Attack => write!(f, "attack"),
            Request::Salvo(shots) => write!(f, "salvo {shots}"),
            Request::Act => write!(f, "act"),
            Request::OrderResult(order, result) => write!(f, "result {order} {result}"),
            Request::Result(at, result) => write!(f, "result {} {} {result}", at.row, at.col),
            Request::Opponent(at) => write!(f, "opponent {} {}", at.row, at.col),
            Request::End(outcome, reason) if reason.is_empty() => {
                write!(f, "end {}", outcome.word())
            }
            Request::End(outcome, reason) => write!(f, "end {} {reason}", outcome.word()),
            Request::Error(text) => write!(f, "error {text}"),
            Request::Quit => write!(f, "quit"),
        }
    }
}
