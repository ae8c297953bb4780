use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

use thiserror::Error;

use super::{MAX_LINE, MalformedLine, Reply, Request, Ruleset, VERSION, strip_line_end};
use crate::twist::Admiral;
use crate::{Board, Game, GameError, Player};

/// What a bot says of itself before the first game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// What it calls itself.
    pub name: String,
    /// Who wrote it.
    pub author: Option<String>,
    /// Whether a person answers.
    pub human: bool,
}

impl Greeting {
    fn replies(&self, plays: Vec<Ruleset>) -> Vec<Reply> {
        let mut replies = vec![Reply::Name(self.name.clone())];
        replies.extend(self.author.clone().map(Reply::Author));
        replies.push(Reply::Plays(plays));
        replies.extend(self.human.then_some(Reply::Human));
        replies.push(Reply::Ready);
        replies
    }
}

/// A computer player of that name.
impl From<&str> for Greeting {
    fn from(name: &str) -> Greeting {
        Greeting { name: name.to_owned(), author: None, human: false }
    }
}

/// Why a bot stopped before it was told to.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The dialogue broke off.
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
        /// What is wrong with it.
        why: MalformedLine,
    },
    /// The referee asked for something before it announced a game.
    #[error("the referee said {0:?} before it announced a game")]
    NoGame(String),
    /// The referee announced a game that cannot be.
    #[error("the referee announced an impossible game: {0}")]
    Game(#[from] GameError),
    /// The referee announced a game or a version of the protocol that this bot does not know.
    #[error("the referee asks for {0}, which this bot does not know")]
    Unknown(String),
}

/// Makes a player of the twist game from the seed of the game.
pub type NewAdmiral<'n> = &'n mut dyn FnMut(u64) -> Box<dyn Admiral>;

/// Plays the classic game on standard input and output until the referee says `quit` or closes the input. `new_player`
/// makes a player for each game from its parameters and its seed. What goes wrong is said on standard error.
///
/// The crate's front page shows a whole bot.
pub fn play_on_stdio(
    greeting: impl Into<Greeting>,
    new_player: impl FnMut(&Game, u64) -> Box<dyn Player>,
) -> ExitCode {
    play_all_on_stdio(greeting, new_player, None)
}

/// As [`play_on_stdio`], and the twist game too, if there is a `new_admiral`.
pub fn play_all_on_stdio(
    greeting: impl Into<Greeting>,
    new_player: impl FnMut(&Game, u64) -> Box<dyn Player>,
    new_admiral: Option<NewAdmiral<'_>>,
) -> ExitCode {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    match serve(&greeting.into(), new_player, new_admiral, input, output, io::stderr()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // With standard error gone too there is nobody left to tell.
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

/// Speaks the protocol for the players that `new_player` makes, one for each game from its parameters and its seed (0
/// if the referee sends none), and for those that `new_admiral` makes for the twist game, if the bot plays that. The
/// referee's `error` lines go to `log`.
///
/// # Errors
/// If reading or writing fails, or if the referee breaks the protocol. Commands that the bot does not know,
/// and empty lines, are no error; it ignores them. Nor is the end of the input.
pub fn serve(
    greeting: &Greeting,
    mut new_player: impl FnMut(&Game, u64) -> Box<dyn Player>,
    mut new_admiral: Option<NewAdmiral<'_>>,
    mut input: impl BufRead,
    mut output: impl Write,
    mut log: impl Write,
) -> Result<(), ServeError> {
    let mut line = Vec::with_capacity(256);
    let mut plays = vec![Ruleset::Classic];
    plays.extend(new_admiral.is_some().then_some(Ruleset::Twist));
    let mut table: Option<Table> = None;
    let mut bridge: Option<Bridge> = None;
    while read_line(&mut input, &mut line)? {
        let request = match Request::parse(&line) {
            Ok(request) => request,
            Err(MalformedLine::UnknownCommand | MalformedLine::Empty) => continue,
            Err(why) => {
                let line = String::from_utf8_lossy(&line).into_owned();
                return Err(ServeError::Malformed { line, why });
            }
        };
        let no_game = || ServeError::NoGame(request.to_string());
        match &request {
            Request::Battleship(VERSION) => {
                for reply in greeting.replies(plays.clone()) {
                    writeln!(output, "{reply}")?;
                }
                output.flush()?;
            }
            Request::Game { ruleset: Ruleset::Classic, rows, cols } => {
                table = Some(Table { game: Game::new(*rows, *cols)?, seed: 0, player: None });
                bridge = None;
            }
            Request::Game { ruleset: Ruleset::Twist, .. } if new_admiral.is_some() => {
                bridge = Some(Bridge { seed: 0, admiral: None });
                table = None;
            }
            Request::Battleship(_) | Request::Game { ruleset: Ruleset::Twist, .. } => {
                return Err(ServeError::Unknown(request.to_string()));
            }
            // The units of the twist game are always the same.
            Request::Ship { .. } if bridge.is_some() => {}
            Request::Ship { length, symbol, name, .. } => {
                table.as_mut().ok_or_else(no_game)?.game.add_ship(*length, *symbol, name)?;
            }
            Request::Seed(seed) => match (&mut table, &mut bridge) {
                (Some(table), _) => table.seed = u64::from(*seed),
                (None, Some(bridge)) => bridge.seed = u64::from(*seed),
                (None, None) => return Err(no_game()),
            },
            Request::Place => {
                let reply = match (&mut table, bridge.as_mut().zip(new_admiral.as_mut())) {
                    (Some(table), _) => table.place(&mut new_player),
                    (None, Some((bridge, new_admiral))) => bridge.place(new_admiral),
                    (None, None) => return Err(no_game()),
                };
                say(&mut output, &reply)?;
            }
            Request::Act => {
                let (bridge, new_admiral) =
                    bridge.as_mut().zip(new_admiral.as_mut()).ok_or_else(no_game)?;
                say(&mut output, &bridge.act(new_admiral))?;
            }
            Request::OrderResult(order, result) => {
                let (bridge, new_admiral) =
                    bridge.as_mut().zip(new_admiral.as_mut()).ok_or_else(no_game)?;
                bridge.admiral(new_admiral).record_result(*order, result);
            }
            Request::Attack => {
                let reply = table.as_mut().ok_or_else(no_game)?.attack(&mut new_player);
                say(&mut output, &reply)?;
            }
            Request::Result(at, result) => {
                let table = table.as_mut().ok_or_else(no_game)?;
                table.player(&mut new_player).record_attack_result(*at, *result);
            }
            Request::Opponent(at) => {
                match (&mut table, bridge.as_mut().zip(new_admiral.as_mut())) {
                    (Some(table), _) => {
                        table.player(&mut new_player).record_attack_by_opponent(*at);
                    }
                    (None, Some((bridge, new_admiral))) => {
                        bridge.admiral(new_admiral).record_shot_by_opponent(*at);
                    }
                    (None, None) => return Err(no_game()),
                }
            }
            Request::End(..) => (table, bridge) = (None, None),
            Request::Error(text) => writeln!(log, "{}: {text}", greeting.name)?,
            Request::Quit => break,
        }
    }
    Ok(())
}

/// One game: its parameters, and the player from the first moment that one is needed.
struct Table {
    game: Game,
    seed: u64,
    player: Option<Box<dyn Player>>,
}

impl Table {
    fn player(
        &mut self,
        new_player: &mut impl FnMut(&Game, u64) -> Box<dyn Player>,
    ) -> &mut dyn Player {
        self.player.get_or_insert_with(|| new_player(&self.game, self.seed)).as_mut()
    }

    fn place(&mut self, new_player: &mut impl FnMut(&Game, u64) -> Box<dyn Player>) -> Reply {
        let game = self.game.clone();
        let mut board = Board::new(&game);
        let player = self.player(new_player);
        let placed = player.place_ships(&mut board);
        if player.has_resigned() {
            return Reply::Resign;
        }
        let placements: Option<Vec<_>> =
            (0..game.n_ships()).map(|ship| board.placement(ship)).collect();
        match placements {
            Some(placements) if placed && !placements.is_empty() => Reply::Place(placements),
            _ => Reply::PlaceNone,
        }
    }

    fn attack(&mut self, new_player: &mut impl FnMut(&Game, u64) -> Box<dyn Player>) -> Reply {
        let player = self.player(new_player);
        let point = player.recommend_attack();
        if player.has_resigned() { Reply::Resign } else { Reply::Attack(point) }
    }
}

/// One twist game: its seed, and the player from the first moment that one is needed.
struct Bridge {
    seed: u64,
    admiral: Option<Box<dyn Admiral>>,
}

impl Bridge {
    fn admiral(&mut self, new_admiral: &mut NewAdmiral<'_>) -> &mut dyn Admiral {
        self.admiral.get_or_insert_with(|| new_admiral(self.seed)).as_mut()
    }

    fn place(&mut self, new_admiral: &mut NewAdmiral<'_>) -> Reply {
        let admiral = self.admiral(new_admiral);
        let placements = admiral.place_units();
        match placements {
            _ if admiral.has_resigned() => Reply::Resign,
            Some(placements) if !placements.is_empty() => Reply::Place(placements),
            Some(_) | None => Reply::PlaceNone,
        }
    }

    fn act(&mut self, new_admiral: &mut NewAdmiral<'_>) -> Reply {
        let admiral = self.admiral(new_admiral);
        let order = admiral.recommend_order();
        if admiral.has_resigned() { Reply::Resign } else { Reply::Act(order) }
    }
}

fn say(output: &mut impl Write, reply: &Reply) -> io::Result<()> {
    writeln!(output, "{reply}")?;
    output.flush()
}

/// Reads a line without its end into `line`; false at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool, ServeError> {
    line.clear();
    // Two bytes more than a line may have: its line end.
    let limit = MAX_LINE + 2;
    input.by_ref().take(limit as u64).read_until(b'\n', line)?;
    if line.len() == limit && !line.ends_with(b"\n") {
        return Err(ServeError::LineTooLong);
    }
    let end_of_input = line.is_empty();
    line.truncate(strip_line_end(line).len());
    Ok(!end_of_input)
}
