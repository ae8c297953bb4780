//! A person whom the referee asks: this passes on its questions and the answers.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::rc::Rc;

use battleship::protocol::{MAX_LINE, Order, Reply, Request, strip_line_end};
use battleship::{Board, Bot, Game, Greeting, Placement, Point, Program, TwistBot};

/// Makes the program of a person called `name` whom the referee asks: each question goes to `output` as the
/// protocol's request, on a line of its own, and the protocol's reply is read from `input`.
#[must_use]
pub fn relayed(
    input: impl BufRead + 'static,
    output: impl Write + 'static,
    name: &str,
) -> Program<'static> {
    let greeting = Greeting {
        human: true,
        ..Greeting::from(name)
    };
    let link = Rc::new(RefCell::new(Link::new(input, output)));
    Program::new(greeting)
        .classic(Box::new(Relay::over(link.clone())))
        .salvo()
        .twist(Box::new(Relay::over(link)))
}

/// The connection for the questions and the answers.
struct Link {
    input: Box<dyn BufRead>,
    output: Box<dyn Write>,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").finish_non_exhaustive()
    }
}

impl Link {
    fn new(input: impl BufRead + 'static, output: impl Write + 'static) -> Link {
        Link {
            input: Box::new(input),
            output: Box::new(output),
        }
    }

    /// Returns the answer to `question`; `Resign` if there is none, or none that the protocol knows.
    fn ask(&mut self, question: &Request) -> Reply {
        self.try_ask(question)
            .ok()
            .flatten()
            .unwrap_or(Reply::Resign)
    }

    fn try_ask(&mut self, question: &Request) -> io::Result<Option<Reply>> {
        writeln!(self.output, "{question}")?;
        self.output.flush()?;
        let mut line = Vec::new();
        self.input
            .by_ref()
            .take(MAX_LINE as u64 + 2)
            .read_until(b'\n', &mut line)?;
        Ok(Reply::parse(strip_line_end(&line)).ok())
    }
}

/// A person of all games at the other end of a link. One that answers what was not asked resigns.
#[derive(Debug)]
struct Relay {
    link: Rc<RefCell<Link>>,
    resigned: bool,
}

impl Relay {
    fn over(link: Rc<RefCell<Link>>) -> Relay {
        Relay {
            link,
            resigned: false,
        }
    }

    /// Returns the answer as `wanted` reads it; resigns if that is nothing.
    fn ask<T>(&mut self, question: &Request, wanted: impl FnOnce(Reply) -> Option<T>) -> Option<T> {
        let answer = wanted(self.link.borrow_mut().ask(question));
        self.resigned |= answer.is_none();
        answer
    }

    fn ask_for_placements(&mut self) -> Option<Vec<Placement>> {
        self.ask(&Request::Place, |reply| {
            if let Reply::Place(placements) = reply {
                Some(placements)
            } else {
                None
            }
        })
    }
}

impl Bot for Relay {
    fn new_game(&mut self, _game: &Game, _seed: u64) {
        self.resigned = false;
    }

    fn place_ships(&mut self, board: &mut Board<'_>) -> bool {
        let Some(placements) = self.ask_for_placements() else {
            return false;
        };
        let mut ships = placements.iter().enumerate();
        ships.all(|(ship, placement)| {
            board
                .place_ship(placement.top_or_left, ship, placement.direction)
                .is_ok()
        })
    }

    fn attack(&mut self) -> Point {
        let answer = self.ask(&Request::Attack, |reply| {
            if let Reply::Attack(at) = reply {
                Some(at)
            } else {
                None
            }
        });
        answer.unwrap_or_default()
    }

    fn salvo(&mut self, shots: usize) -> Vec<Point> {
        let answer = self.ask(&Request::Salvo(shots), |reply| {
            if let Reply::Salvo(cells) = reply {
                Some(cells)
            } else {
                None
            }
        });
        answer.unwrap_or_default()
    }

    fn has_resigned(&self) -> bool {
        self.resigned
    }
}

impl TwistBot for Relay {
    fn new_game(&mut self, _seed: u64) {
        self.resigned = false;
    }

    fn place_units(&mut self) -> Option<Vec<Placement>> {
        self.ask_for_placements()
    }

    fn act(&mut self) -> Order {
        let answer = self.ask(&Request::Act, |reply| {
            if let Reply::Act(order) = reply {
                Some(order)
            } else {
                None
            }
        });
        answer.unwrap_or(Order {
            origin: Point::default(),
            target: Point::default(),
        })
    }

    fn has_resigned(&self) -> bool {
        self.resigned
    }
}
