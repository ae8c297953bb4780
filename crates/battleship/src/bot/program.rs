//! A bot as a program: its dialogue with the referee.

use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use wire::Local;

use super::{Bot, TwistBot};
use crate::protocol::{MAX_LINE, MalformedLine, Outcome, Reply, Request, VERSION, strip_line_end};
use crate::{Board, Game, GameError, Placement, RuleOptions, Rules, Ruleset};

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

/// Plays the classic game with `bot` on standard input and output, until the referee says `quit` or
/// closes the input. Errors go to standard error. It is short for [`Program::new`],
/// [`Program::classic`] and [`Program::run`].
///
/// The crate's front page shows a whole bot.
pub fn run(name: impl Into<Greeting>, bot: impl Bot) -> ExitCode {
    Program::new(name).classic(Box::new(bot)).run()
}

/// A bot as a program: how it greets the referee, and the games that it plays.
///
/// ```no_run
/// # use battleship::{Bot, Program, TwistBot};
/// # fn of(my_bot: Box<dyn Bot>, my_twist_bot: Box<dyn TwistBot>) -> std::process::ExitCode {
/// Program::new("popeye").classic(my_bot).salvo().twist(my_twist_bot).run()
/// # }
/// ```
pub struct Program<'b> {
    greeting: Greeting,
    classic: Option<Box<dyn Bot + 'b>>,
    /// Whether the bot for the classic game plays the salvo game too.
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

/// The bot that plays a game.
enum Playing<'p> {
    Classic(&'p mut dyn Bot, &'p Game),
    Twist(&'p mut dyn TwistBot),
}

impl<'b> Program<'b> {
    /// Returns a program that plays no game yet. A name alone is greeting enough.
    pub fn new(greeting: impl Into<Greeting>) -> Program<'b> {
        Program {
            greeting: greeting.into(),
            classic: None,
            salvo: false,
            twist: None,
        }
    }

    /// Lets `bot` play the classic game.
    pub fn classic(mut self, bot: Box<dyn Bot + 'b>) -> Program<'b> {
        self.classic = Some(bot);
        self
    }

    /// Lets the bot for the classic game play the salvo game too, by [`Bot::salvo`].
    pub fn salvo(mut self) -> Program<'b> {
        self.salvo = true;
        self
    }

    /// Lets `bot` play the twist game.
    pub fn twist(mut self, bot: Box<dyn TwistBot + 'b>) -> Program<'b> {
        self.twist = Some(bot);
        self
    }

    /// Plays on standard input and output, until the referee says `quit` or closes the input.
    /// Errors go to standard error.
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

    /// Speaks the protocol: reads requests from `input` and writes replies to `output`. The
    /// referee's `error` lines go to `log`.
    ///
    /// # Errors
    /// If reading or writing fails, or if the referee breaks the protocol. Empty lines and commands
    /// that the bot does not know are ignored, and the end of the input is a way to quit.
    pub fn serve(
        self,
        mut input: impl BufRead,
        mut output: impl Write,
        mut log: impl Write,
    ) -> Result<(), ServeError> {
        let mut line = Vec::with_capacity(256);
        // A reply is put together here, so that it reaches the output in one piece.
        let mut reply = Vec::with_capacity(256);
        let mut dialogue = self.dialogue();
        while read_line(&mut input, &mut line)? && dialogue.receive(&line, &mut reply, &mut log)? {
            if !reply.is_empty() {
                output.write_all(&reply)?;
                output.flush()?;
                reply.clear();
            }
        }
        dialogue.end_game(Outcome::Void);
        Ok(())
    }

    /// Returns the bot as one that is handed line after line, for those who read them themselves.
    pub fn dialogue(self) -> Dialogue<'b> {
        Dialogue {
            program: self,
            game: None,
        }
    }

    fn plays(&self) -> Vec<Ruleset> {
        Ruleset::ALL
            .into_iter()
            .filter(|ruleset| match ruleset {
                Ruleset::Classic => self.classic.is_some(),
                Ruleset::Salvo => self.classic.is_some() && self.salvo,
                Ruleset::Twist => self.twist.is_some(),
            })
            .collect()
    }

    fn playing<'p>(&'p mut self, rules: &'p Rules) -> Playing<'p> {
        const PLAYED: &str = "only a game that it plays is begun";
        match rules {
            Rules::Classic { game, .. } => {
                Playing::Classic(self.classic.as_deref_mut().expect(PLAYED), game)
            }
            Rules::Twist => Playing::Twist(self.twist.as_deref_mut().expect(PLAYED)),
        }
    }
}

/// A bot amid its dialogue with the referee.
#[derive(Debug)]
pub struct Dialogue<'b> {
    program: Program<'b>,
    game: Option<AnnouncedGame>,
}

impl Dialogue<'_> {
    /// Receives a line of the referee, without its end. What the bot replies is added to `reply`,
    /// the referee's `error` lines to `log`. Returns whether the dialogue continues: not after
    /// `quit`.
    ///
    /// # Errors
    /// If the referee breaks the protocol, or if writing fails.
    pub fn receive(
        &mut self,
        line: &[u8],
        reply: &mut Vec<u8>,
        log: &mut impl Write,
    ) -> Result<bool, ServeError> {
        let request = match Request::parse(line) {
            Ok(request) => request,
            Err(MalformedLine::UnknownCommand | MalformedLine::Empty) => return Ok(true),
            Err(why) => {
                let line = String::from_utf8_lossy(line).into_owned();
                return Err(ServeError::Malformed { line, why });
            }
        };
        match (&request, &mut self.game) {
            (Request::Battleship(VERSION), _) => {
                for line in self.program.greeting.replies(self.program.plays()) {
                    writeln!(reply, "{line}")?;
                }
            }
            (Request::Battleship(_), _) => return Err(ServeError::Unknown(request.to_string())),
            (
                Request::Game {
                    ruleset,
                    rows,
                    cols,
                },
                _,
            ) => {
                // Another game without an `end` breaks off the one before.
                self.end_game(Outcome::Void);
                if !self.program.plays().contains(ruleset) {
                    return Err(ServeError::Unknown(request.to_string()));
                }
                self.game = Some(AnnouncedGame::new(*ruleset, *rows, *cols)?);
            }
            (Request::End(outcome, _), _) => self.end_game(*outcome),
            (Request::Error(text), _) => writeln!(log, "{}: {text}", self.program.greeting.name)?,
            (Request::Quit, _) => return Ok(false),
            (_, None) => return Err(ServeError::NoGame(request.to_string())),
            (_, Some(game)) => {
                if !game.announce(&request)?
                    && let Some(line) = game.answer(&mut self.program, &request)?
                {
                    writeln!(reply, "{line}")?;
                }
            }
        }
        Ok(true)
    }

    /// Ends the game that is played, unless its bot has not heard of it yet.
    fn end_game(&mut self, outcome: Outcome) {
        let Some(game) = self.game.take().filter(|game| game.has_begun) else {
            return;
        };
        match self.program.playing(&game.rules) {
            Playing::Classic(bot, _) => bot.game_over(outcome),
            Playing::Twist(bot) => bot.game_over(outcome),
        }
    }
}

/// Without a process, a fault of the dialogue goes to the log.
impl Local for Dialogue<'_> {
    fn receive(&mut self, lines: &[u8], reply: &mut Vec<u8>, log: &mut Vec<u8>) -> bool {
        lines.split_inclusive(|byte| *byte == b'\n').all(|line| {
            let received = Dialogue::receive(self, strip_line_end(line), reply, log);
            received.unwrap_or_else(|error| {
                let _ = writeln!(log, "{error}");
                false
            })
        })
    }
}

/// A game that the referee has announced and not ended.
#[derive(Debug)]
struct AnnouncedGame {
    rules: Rules,
    seed: u64,
    /// The time that each reply may take, if the referee said so.
    limit: Option<Duration>,
    /// The time of all replies together, if the referee said so: that of its first `clock`.
    time: Option<Duration>,
    /// Whether its bot knows of it.
    has_begun: bool,
}

/// More shots than a board has cells: what a referee asks for beyond that would only fill the
/// memory.
const MOST_SHOTS: usize = 100;

impl AnnouncedGame {
    fn new(ruleset: Ruleset, rows: i32, cols: i32) -> Result<AnnouncedGame, GameError> {
        let rules = match ruleset {
            Ruleset::Twist => Rules::Twist,
            Ruleset::Classic | Ruleset::Salvo => {
                Rules::on(ruleset, Game::new(rows, cols)?, RuleOptions::default())
            }
        };
        Ok(AnnouncedGame {
            rules,
            seed: 0,
            limit: None,
            time: None,
            has_begun: false,
        })
    }

    /// Takes a line that belongs to the announcement of the game; `false` if it is another one.
    fn announce(&mut self, request: &Request) -> Result<bool, ServeError> {
        match (request, &mut self.rules) {
            (Request::Seed(seed), _) => self.seed = u64::from(*seed),
            (Request::Limit(limit), _) => self.limit = Some(*limit),
            (Request::Clock(left), _) => {
                self.time.get_or_insert(*left);
            }
            (Request::Rule(words), rules) => {
                let mut options = rules.options();
                options.apply(words);
                *rules = rules.clone().with(options);
            }
            (
                Request::Ship {
                    length,
                    symbol,
                    name,
                    ..
                },
                Rules::Classic { game, .. },
            ) => {
                Arc::make_mut(game).add_ship(*length, *symbol, name)?;
            }
            // The units of the twist game are always the same.
            (Request::Ship { .. }, Rules::Twist) => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Lets the bot of `program` take a request, and returns its reply, if the request asks for
    /// one.
    fn answer(
        &mut self,
        program: &mut Program<'_>,
        request: &Request,
    ) -> Result<Option<Reply>, ServeError> {
        let mut playing = program.playing(&self.rules);
        // Not earlier: the lines after `game` are part of what the bot has to know.
        if !std::mem::replace(&mut self.has_begun, true) {
            match &mut playing {
                Playing::Classic(bot, game) => {
                    bot.new_game(game, self.seed);
                    if let Some(limit) = self.limit {
                        bot.time_limit(limit);
                    }
                    if let Some(time) = self.time {
                        bot.game_time(time);
                    }
                }
                Playing::Twist(bot) => {
                    bot.new_game(self.seed);
                    if let Some(limit) = self.limit {
                        bot.time_limit(limit);
                    }
                    if let Some(time) = self.time {
                        bot.game_time(time);
                    }
                }
            }
        }
        let reply = match (request, &mut playing) {
            (Request::Place, Playing::Classic(bot, game)) => place(*bot, game),
            (Request::Attack, Playing::Classic(bot, _)) => Reply::Attack(bot.attack()),
            (Request::Salvo(shots), Playing::Classic(bot, _)) => {
                Reply::Salvo(bot.salvo((*shots).min(MOST_SHOTS)))
            }
            (Request::Result(at, result), Playing::Classic(bot, _)) => {
                bot.attack_result(*at, *result);
                return Ok(None);
            }
            (Request::Opponent(at), Playing::Classic(bot, _)) => {
                bot.opponent_attacked(*at);
                return Ok(None);
            }
            (Request::Place, Playing::Twist(bot)) => placement(bot.place_units()),
            (Request::Act, Playing::Twist(bot)) => Reply::Act(bot.act()),
            (Request::OrderResult(order, result), Playing::Twist(bot)) => {
                bot.act_result(*order, result);
                return Ok(None);
            }
            (Request::Opponent(at), Playing::Twist(bot)) => {
                bot.opponent_fired(*at);
                return Ok(None);
            }
            _ => return Err(ServeError::NoGame(request.to_string())),
        };
        let has_resigned = match playing {
            Playing::Classic(bot, _) => bot.has_resigned(),
            Playing::Twist(bot) => bot.has_resigned(),
        };
        Ok(Some(if has_resigned { Reply::Resign } else { reply }))
    }
}

fn place(bot: &mut dyn Bot, game: &Game) -> Reply {
    let mut board = Board::new(game);
    let placed = bot.place_ships(&mut board);
    let ships = (0..game.n_ships()).map(|ship| board.placement(ship));
    placement(ships.collect::<Option<Vec<_>>>().filter(|_| placed))
}

fn placement(ships: Option<Vec<Placement>>) -> Reply {
    match ships {
        Some(ships) if !ships.is_empty() => Reply::Place(ships),
        Some(_) | None => Reply::PlaceNone,
    }
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
