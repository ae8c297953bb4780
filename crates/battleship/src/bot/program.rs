//! A bot as a program: its dialogue with the referee.

use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use super::{Bot, TwistBot};
use crate::protocol::{MAX_LINE, MalformedLine, Outcome, Reply, Request, VERSION, strip_line_end};
use crate::{Board, Game, GameError, Rules, Ruleset};

/// A bot's introduction before the first game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// Its name.
    pub name: String,
    /// Its author.
    pub author: Option<String>,
    /// Whether a person answers.
    pub human: bool,
}

impl Greeting {
    fn replies(&self, plays: Vec<Ruleset>) -> Vec<Reply> {
        let mut replies = vec![Reply::Name(self.name.clone())];
        replies.extend(self.author.clone().map(Reply::Author));
        replies.push(Reply::Plays {
            games: plays,
            apart: true,
        });
        replies.extend(self.human.then_some(Reply::Human));
        replies.push(Reply::Ready);
        replies
    }
}

/// A program of that name.
impl From<&str> for Greeting {
    fn from(name: &str) -> Greeting {
        Greeting {
            name: name.to_owned(),
            author: None,
            human: false,
        }
    }
}

/// The reason why a dialogue with the referee failed.
#[derive(Debug, Error)]
pub enum ServeError {
    /// Reading or writing failed.
    #[error("the dialogue with the referee broke off: {0}")]
    Io(#[from] io::Error),
    /// The referee sent a line of more than 4096 bytes.
    #[error("the referee sent a line of more than {MAX_LINE} bytes")]
    LineTooLong,
    /// A line of the referee is not well-formed.
    #[error("the referee said {line:?}: {why}")]
    Malformed {
        /// The line, as far as it is text.
        line: String,
        /// The fault.
        why: MalformedLine,
    },
    /// The referee asked for something before it announced a game in which this can be asked.
    #[error("the referee said {0:?} before it announced a game")]
    NoGame(String),
    /// The referee announced a game that the rules do not allow.
    #[error("the referee announced an impossible game: {0}")]
    Game(#[from] GameError),
    /// The referee announced a game or a version of the protocol that this bot does not know.
    #[error("the referee asks for {0}, which this bot does not know")]
    Unknown(String),
}

/// Plays the classic game with `bot` on standard input and output, until the referee says `quit` or closes the input.
/// Errors go to standard error. It is short for [`Program::new`], [`Program::classic`] and [`Program::run`].
///
/// The crate's front page shows a whole bot.
#[must_use]
pub fn run(name: impl Into<Greeting>, bot: impl Bot) -> ExitCode {
    Program::new(name).classic(bot).run()
}

/// A bot as a program: how it greets the referee, and the games that it plays.
///
/// ```no_run
/// # use battleship::{Bot, Program, TwistBot};
/// # fn of(my_bot: impl Bot, my_twist_bot: impl TwistBot) -> std::process::ExitCode {
/// Program::new("popeye").classic(my_bot).salvo().twist(my_twist_bot).run()
/// # }
/// ```
pub struct Program<'b> {
    greeting: Greeting,
    classic: Option<Box<dyn Bot + 'b>>,
    /// Whether that one plays the salvo game too.
    salvo: bool,
    twist: Option<Box<dyn TwistBot + 'b>>,
}

impl fmt::Debug for Program<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program")
            .field("greeting", &self.greeting)
            .finish_non_exhaustive()
    }
}

impl<'b> Program<'b> {
    /// A program that plays no game yet. A name alone is greeting enough.
    #[must_use]
    pub fn new(greeting: impl Into<Greeting>) -> Program<'b> {
        Program {
            greeting: greeting.into(),
            classic: None,
            salvo: false,
            twist: None,
        }
    }

    /// Lets `bot` play the classic game.
    #[must_use]
    pub fn classic(self, bot: impl Bot + 'b) -> Program<'b> {
        Program {
            classic: Some(Box::new(bot)),
            ..self
        }
    }

    /// Lets the bot for the classic game play the salvo game too, by [`Bot::salvo`].
    #[must_use]
    pub fn salvo(self) -> Program<'b> {
        Program {
            salvo: true,
            ..self
        }
    }

    /// Lets `bot` play the twist game.
    #[must_use]
    pub fn twist(self, bot: impl TwistBot + 'b) -> Program<'b> {
        Program {
            twist: Some(Box::new(bot)),
            ..self
        }
    }

    /// Plays on standard input and output, until the referee says `quit` or closes the input. Errors go to standard
    /// error.
    #[must_use]
    pub fn run(self) -> ExitCode {
        match self.serve(io::stdin().lock(), io::stdout().lock(), io::stderr()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                // Without a standard error there is no place left for the message.
                let _ = writeln!(io::stderr(), "{error}");
                ExitCode::FAILURE
            }
        }
    }

    /// Speaks the protocol: reads requests from `input` and writes replies to `output`. The referee's `error` lines go
    /// to `log`.
    ///
    /// # Errors
    /// If reading or writing fails, or if the referee breaks the protocol. Empty lines and commands that the bot does
    /// not know are ignored, and the end of the input is a way to quit.
    pub fn serve(
        self,
        mut input: impl BufRead,
        mut output: impl Write,
        mut log: impl Write,
    ) -> Result<(), ServeError> {
        let mut line = Vec::with_capacity(256);
        // A reply is put together here, so that it reaches the output in one piece.
        let mut said = Vec::with_capacity(256);
        let mut dialogue = self.dialogue();
        while read_line(&mut input, &mut line)? && dialogue.hear(&line, &mut said, &mut log)? {
            if !said.is_empty() {
                output.write_all(&said)?;
                output.flush()?;
                said.clear();
            }
        }
        dialogue.end(Outcome::Void);
        Ok(())
    }

    /// Returns the bot as one that is handed line after line, for those who read them themselves.
    #[must_use]
    pub fn dialogue(self) -> Dialogue<'b> {
        Dialogue {
            program: self,
            game: None,
        }
    }

    fn plays(&self) -> Vec<Ruleset> {
        let plays = |ruleset: &Ruleset| match ruleset {
            Ruleset::Classic => self.classic.is_some(),
            Ruleset::Salvo => self.classic.is_some() && self.salvo,
            Ruleset::Twist => self.twist.is_some(),
        };
        Ruleset::ALL.into_iter().filter(plays).collect()
    }

    /// Takes a request that belongs to a game, and returns the reply, if the request asks for one.
    fn hear(&mut self, game: &mut InGame, request: &Request) -> Result<Option<Reply>, ServeError> {
        match (&mut game.rules, request) {
            (_, Request::Seed(seed)) => {
                game.seed = u64::from(*seed);
                Ok(None)
            }
            (_, Request::Limit(limit)) => {
                game.limit = Some(*limit);
                Ok(None)
            }
            (_, Request::Clock(left)) => {
                game.time.get_or_insert(*left);
                Ok(None)
            }
            (rules, Request::Rule(words)) => {
                let mut options = rules.options();
                options.heed(words);
                *rules = std::mem::replace(rules, Rules::Twist).with(options);
                Ok(None)
            }
            (
                Rules::Classic { game: rules, .. },
                Request::Ship {
                    length,
                    symbol,
                    name,
                    ..
                },
            ) => {
                Arc::make_mut(rules).add_ship(*length, *symbol, name)?;
                Ok(None)
            }
            // The units of the twist game are always the same.
            (Rules::Twist, Request::Ship { .. }) => Ok(None),
            (Rules::Classic { game: rules, .. }, _) => {
                let bot = self
                    .classic
                    .as_mut()
                    .expect("only a game that it plays is begun");
                // Not earlier: the lines after `game` are part of what the bot has to know.
                if !std::mem::replace(&mut game.has_begun, true) {
                    bot.new_game(rules, game.seed);
                    game.limit
                        .into_iter()
                        .for_each(|limit| bot.time_limit(limit));
                    game.time.into_iter().for_each(|time| bot.game_time(time));
                }
                hear_classic(bot.as_mut(), rules, request)
            }
            (Rules::Twist, _) => {
                let bot = self
                    .twist
                    .as_mut()
                    .expect("only a game that it plays is begun");
                if !std::mem::replace(&mut game.has_begun, true) {
                    bot.new_game(game.seed);
                    game.limit
                        .into_iter()
                        .for_each(|limit| bot.time_limit(limit));
                    game.time.into_iter().for_each(|time| bot.game_time(time));
                }
                hear_twist(bot.as_mut(), request)
            }
        }
    }

    /// Ends `game` for the bot that plays it, unless that bot has not heard of it yet.
    fn end_game(&mut self, game: Option<InGame>, outcome: Outcome) {
        let Some(game) = game.filter(|game| game.has_begun) else {
            return;
        };
        match game.rules {
            Rules::Classic { .. } => {
                self.classic
                    .iter_mut()
                    .for_each(|bot| bot.game_over(outcome));
            }
            Rules::Twist => self.twist.iter_mut().for_each(|bot| bot.game_over(outcome)),
        }
    }
}

/// A bot amid its dialogue with the referee.
pub struct Dialogue<'b> {
    program: Program<'b>,
    game: Option<InGame>,
}

impl fmt::Debug for Dialogue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dialogue")
            .field("program", &self.program)
            .finish_non_exhaustive()
    }
}

impl Dialogue<'_> {
    /// Hears a line of the referee, without its end. What the bot replies is added to `said`, the referee's `error` lines to
    /// `log`. Returns whether the dialogue continues: not after `quit`.
    ///
    /// # Errors
    /// If the referee breaks the protocol, or if writing fails.
    pub fn hear(
        &mut self,
        line: &[u8],
        said: &mut Vec<u8>,
        log: &mut impl Write,
    ) -> Result<bool, ServeError> {
        let Dialogue { program, game } = self;
        let request = match Request::parse(line) {
            Ok(request) => request,
            Err(MalformedLine::UnknownCommand | MalformedLine::Empty) => return Ok(true),
            Err(why) => {
                let line = String::from_utf8_lossy(line).into_owned();
                return Err(ServeError::Malformed { line, why });
            }
        };
        match &request {
            Request::Battleship(VERSION) => {
                for reply in program.greeting.replies(program.plays()) {
                    writeln!(said, "{reply}")?;
                }
            }
            Request::Battleship(_) => return Err(ServeError::Unknown(request.to_string())),
            Request::Game {
                ruleset,
                rows,
                cols,
            } => {
                // Another game without an `end` breaks off the one before.
                program.end_game(game.take(), Outcome::Void);
                if !program.plays().contains(ruleset) {
                    return Err(ServeError::Unknown(request.to_string()));
                }
                *game = Some(InGame::announced(*ruleset, *rows, *cols)?);
            }
            Request::End(outcome, _) => program.end_game(game.take(), *outcome),
            Request::Error(text) => writeln!(log, "{}: {text}", program.greeting.name)?,
            Request::Quit => return Ok(false),
            Request::Ship { .. }
            | Request::Rule(_)
            | Request::Seed(_)
            | Request::Limit(_)
            | Request::Clock(_)
            | Request::Place
            | Request::Attack
            | Request::Salvo(_)
            | Request::Act
            | Request::Result(..)
            | Request::OrderResult(..)
            | Request::Opponent(_) => {
                let no_game = || ServeError::NoGame(request.to_string());
                let game = game.as_mut().ok_or_else(no_game)?;
                if let Some(reply) = program.hear(game, &request)? {
                    writeln!(said, "{reply}")?;
                }
            }
        }
        Ok(true)
    }

    /// Ends the game that is played, if there is one.
    fn end(mut self, outcome: Outcome) {
        self.program.end_game(self.game.take(), outcome);
    }
}

/// A game that the referee has announced and not ended.
struct InGame {
    rules: Rules,
    seed: u64,
    /// The time that each reply may take, if the referee said so.
    limit: Option<Duration>,
    /// The time of all replies together, if the referee said so: that of its first `clock`.
    time: Option<Duration>,
    /// Whether its bot knows of it.
    has_begun: bool,
}

impl InGame {
    fn announced(ruleset: Ruleset, rows: i32, cols: i32) -> Result<InGame, GameError> {
        // Games that the bot does not play have been refused before.
        let usual = Rules::usual(ruleset);
        let rules = match usual.game() {
            Some(_) => usual.with_game(Game::new(rows, cols)?),
            None => usual,
        };
        Ok(InGame {
            rules,
            seed: 0,
            limit: None,
            time: None,
            has_begun: false,
        })
    }
}

/// More shots than a board has cells: what a referee asks for beyond that would only fill the memory.
const MOST_SHOTS: usize = 100;

fn hear_classic(
    bot: &mut dyn Bot,
    rules: &Game,
    request: &Request,
) -> Result<Option<Reply>, ServeError> {
    let reply = match request {
        Request::Place => place(bot, rules),
        Request::Attack => Reply::Attack(bot.attack()),
        Request::Salvo(shots) => Reply::Salvo(bot.salvo((*shots).min(MOST_SHOTS))),
        Request::Result(at, result) => {
            bot.attack_result(*at, *result);
            return Ok(None);
        }
        Request::Opponent(at) => {
            bot.opponent_attacked(*at);
            return Ok(None);
        }
        Request::Act
        | Request::OrderResult(..)
        | Request::Battleship(_)
        | Request::Game { .. }
        | Request::Ship { .. }
        | Request::Rule(_)
        | Request::Seed(_)
        | Request::Limit(_)
        | Request::Clock(_)
        | Request::End(..)
        | Request::Error(_)
        | Request::Quit => return Err(ServeError::NoGame(request.to_string())),
    };
    Ok(Some(if bot.has_resigned() {
        Reply::Resign
    } else {
        reply
    }))
}

fn place(bot: &mut dyn Bot, rules: &Game) -> Reply {
    let mut board = Board::new(rules);
    let placed = bot.place_ships(&mut board);
    let placements: Option<Vec<_>> = (0..rules.n_ships())
        .map(|ship| board.placement(ship))
        .collect();
    match placements {
        Some(placements) if placed && !placements.is_empty() => Reply::Place(placements),
        Some(_) | None => Reply::PlaceNone,
    }
}

fn hear_twist(bot: &mut dyn TwistBot, request: &Request) -> Result<Option<Reply>, ServeError> {
    let reply = match request {
        Request::Place => match bot.place_units() {
            Some(placements) if !placements.is_empty() => Reply::Place(placements),
            Some(_) | None => Reply::PlaceNone,
        },
        Request::Act => Reply::Act(bot.act()),
        Request::OrderResult(order, result) => {
            bot.act_result(*order, result);
            return Ok(None);
        }
        Request::Opponent(at) => {
            bot.opponent_fired(*at);
            return Ok(None);
        }
        Request::Attack
        | Request::Salvo(_)
        | Request::Result(..)
        | Request::Battleship(_)
        | Request::Game { .. }
        | Request::Ship { .. }
        | Request::Rule(_)
        | Request::Seed(_)
        | Request::Limit(_)
        | Request::Clock(_)
        | Request::End(..)
        | Request::Error(_)
        | Request::Quit => return Err(ServeError::NoGame(request.to_string())),
    };
    Ok(Some(if bot.has_resigned() {
        Reply::Resign
    } else {
        reply
    }))
}

/// Reads a line into `line`, without its end. Returns `false` at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool, ServeError> {
    line.clear();
    // Two bytes more than a line may have: its line end.
    let limit = MAX_LINE + 2;
    // Without a limit, a referee that never ends its line would fill the memory.
    input.by_ref().take(limit as u64).read_until(b'\n', line)?;
    if line.len() == limit && !line.ends_with(b"\n") {
        return Err(ServeError::LineTooLong);
    }
    let end_of_input = line.is_empty();
    line.truncate(strip_line_end(line).len());
    Ok(!end_of_input)
}
