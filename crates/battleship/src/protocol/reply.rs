//! The lines from a bot to the referee.

use std::fmt;

use super::{Order, Request};
use crate::{Direction, Placement, Point, Ruleset};
use wire::line::{MalformedLine, Words};

/// A line from a bot to the referee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `name TEXT`: what the bot calls itself.
    Name(String),
    /// `author TEXT`: who wrote it.
    Author(String),
    /// `plays RULESET ...`: the games it can play; classic only if it does not say.
    Plays {
        /// The games that this version knows.
        games: Vec<Ruleset>,
        /// Whether `apart` is among the words: it keeps its ships apart where the rules ask for
        /// that.
        apart: bool,
    },
    /// `human`: a person answers.
    Human,
    /// `ready`: the end of the answer to the greeting.
    Ready,
    /// `place ROW COL DIRECTION ...`: where its ships are, in id order.
    Place(Vec<Placement>),
    /// `place none`: it cannot place its ships.
    PlaceNone,
    /// `attack ROW COL`: the cell that it attacks.
    Attack(Point),
    /// `salvo ROW COL ROW COL ...`: the cells that it fires at. (In the salvo game.)
    Salvo(Vec<Point>),
    /// `act ROW COL ROW COL`: which of its units does what. (In the twist game.)
    Act(Order),
    /// `resign`: it gives the game up.
    Resign,
    /// `# TEXT`: for people who read the dialogue.
    Comment(String),
}

impl Reply {
    /// Returns the answer to `place`: where the ships are, or `Some(None)` if the bot cannot place
    /// them. `None` for replies to other requests.
    pub fn into_placement(self) -> Option<Option<Vec<Placement>>> {
        if let Reply::Place(ships) = self {
            return Some(Some(ships));
        }
        (self == Reply::PlaceNone).then_some(None)
    }

    /// Returns the reply to `request` that names these cells: an attack names one, an order two, a
    /// salvo any number but none.
    pub fn naming(cells: &[Point], request: &Request) -> Option<Reply> {
        match (request, cells) {
            (Request::Attack, [at]) => Some(Reply::Attack(*at)),
            (Request::Act, [origin, target]) => Some(Reply::Act(Order::new(*origin, *target))),
            (Request::Salvo(_), [_, ..]) => Some(Reply::Salvo(cells.to_vec())),
            _ => None,
        }
    }

    /// Returns the reply that `line` is, whose line end has been stripped. No word may follow the
    /// last one that belongs there, so that two replies on one line are never taken for one.
    ///
    /// # Errors
    /// If the line is not a reply.
    ///
    /// ```
    /// # use battleship::{Point, protocol::Reply};
    /// assert_eq!(Reply::parse(b"attack 5 3"), Ok(Reply::Attack(Point::new(5, 3))));
    /// assert!(Reply::parse(b"attack 5 3 attack 5 4").is_err());
    /// ```
    pub fn parse(line: &[u8]) -> Result<Reply, MalformedLine> {
        if let Some(comment) = line.strip_prefix(b"#") {
            let text = String::from_utf8_lossy(comment);
            return Ok(Reply::Comment(text.into_owned()));
        }
        let (command, mut words) = Words::of(line)?;
        let reply = match command {
            "name" => Reply::Name(words.text()?.to_owned()),
            "author" => Reply::Author(words.text()?.to_owned()),
            "plays" => {
                let mut games = Vec::new();
                let mut apart = false;
                while !words.at_end() {
                    let word = words.word()?;
                    apart |= word == "apart";
                    // A game that this version does not know is not a fault: the bot may know more.
                    games.extend(Ruleset::parse(word));
                }
                Reply::Plays { games, apart }
            }
            "human" => Reply::Human,
            "ready" => Reply::Ready,
            "place" => parse_place(&mut words)?,
            "attack" => Reply::Attack(Point::parse(&mut words)?),
            "salvo" => {
                let mut cells = Vec::new();
                loop {
                    cells.push(Point::parse(&mut words)?);
                    if words.at_end() {
                        break Reply::Salvo(cells);
                    }
                }
            }
            "act" => Reply::Act(Order::parse(&mut words)?),
            "resign" => Reply::Resign,
            _ => return Err(MalformedLine::UnknownCommand),
        };
        words.end()?;
        Ok(reply)
    }
}

fn parse_place(words: &mut Words<'_>) -> Result<Reply, MalformedLine> {
    let mut row: Result<i32, _> = words.number();
    if row == Err(MalformedLine::Number("none".to_owned())) {
        return Ok(Reply::PlaceNone);
    }
    let mut placements = Vec::new();
    loop {
        let top_or_left = Point::new(row?, words.number()?);
        let direction = match words.word()? {
            "h" => Direction::Horizontal,
            "v" => Direction::Vertical,
            other => return Err(MalformedLine::Word(other.to_owned())),
        };
        placements.push(Placement {
            top_or_left,
            direction,
        });
        if words.at_end() {
            return Ok(Reply::Place(placements));
        }
        row = words.number();
    }
}

/// The line, without its line end.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Name(name) => write!(f, "name {name}"),
            Reply::Author(author) => write!(f, "author {author}"),
            Reply::Plays { games, apart } => {
                write!(f, "plays")?;
                for ruleset in games {
                    write!(f, " {ruleset}")?;
                }
                f.write_str(if *apart { " apart" } else { "" })
            }
            Reply::Human => write!(f, "human"),
            Reply::Ready => write!(f, "ready"),
            Reply::Place(placements) => {
                write!(f, "place")?;
                for placement in placements {
                    let Point { row, col } = placement.top_or_left;
                    write!(f, " {row} {col} {}", placement.direction)?;
                }
                Ok(())
            }
            Reply::PlaceNone => write!(f, "place none"),
            Reply::Attack(at) => write!(f, "attack {} {}", at.row, at.col),
            Reply::Salvo(cells) => {
                write!(f, "salvo")?;
                cells
                    .iter()
                    .try_for_each(|at| write!(f, " {} {}", at.row, at.col))
            }
            Reply::Act(order) => write!(f, "act {order}"),
            Reply::Resign => write!(f, "resign"),
            Reply::Comment(text) => write!(f, "#{text}"),
        }
    }
}
