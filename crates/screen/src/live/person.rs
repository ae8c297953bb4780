//! A person whom the referee asks.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::story::{News, Question};
use battleship::Ruleset;
use battleship::protocol::{Reply, Request, strip_line_end};
use bothost::{Local, LocalPlayer, Side};

use arena::game::Entrant;

/// A person at the screen or at a page, who plays in place of a program.
#[derive(Clone, Debug)]
pub struct Person {
    side: Side,
    news: Arc<OnceLock<Sender<News>>>,
    answers: Sender<Reply>,
}

impl Person {
    /// Has the referee ask the person that `player` is, on `side`.
    pub fn seated(player: &mut Entrant, side: Side) -> Person {
        let (answers, given) = channel();
        let person = Person {
            side,
            news: Arc::default(),
            answers,
        };
        let name = player.name.clone();
        let news = person.news.clone();
        let given = Arc::new(Mutex::new(given));
        player.program.local = Some(LocalPlayer::new(move || {
            Box::new(Seat {
                name: name.clone(),
                side,
                news: news.clone(),
                given: given.clone(),
            })
        }));
        person
    }

    /// Returns which player this is.
    #[must_use]
    pub fn side(&self) -> Side {
        self.side
    }

    /// Tells of the questions to this person; to be called before the game begins.
    pub fn tell_of_questions(&self, news: Sender<News>) {
        let _ = self.news.set(news);
    }

    /// Answers the question that was asked last.
    ///
    /// # Errors
    /// If the game is over.
    pub fn answer(&self, reply: Reply) -> io::Result<()> {
        let sent = self.answers.send(reply);
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// The other end: what the referee asks, and tells.
struct Seat {
    name: String,
    side: Side,
    news: Arc<OnceLock<Sender<News>>>,
    given: Arc<Mutex<Receiver<Reply>>>,
}

impl Seat {
    fn greeting(&self) -> String {
        let plays = Reply::Plays {
            games: Ruleset::ALL.to_vec(),
            apart: true,
        };
        let name = Reply::Name(self.name.clone());
        format!("{name}\n{plays}\n{}\n{}\n", Reply::Human, Reply::Ready)
    }

    /// Asks the person. One that is gone resigns.
    fn ask(&self, question: Question) -> Reply {
        let asked = News::Asked(self.side, question);
        if self.news.get().is_none_or(|news| news.send(asked).is_err()) {
            return Reply::Resign;
        }
        let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        given.recv().unwrap_or(Reply::Resign)
    }
}

impl Local for Seat {
    fn receive(&mut self, lines: &[u8], reply: &mut Vec<u8>, _log: &mut Vec<u8>) -> bool {
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            let said = match Request::parse(strip_line_end(line)) {
                Ok(Request::Battleship(_)) => self.greeting(),
                Ok(Request::Place) => format!("{}\n", self.ask(Question::Place)),
                Ok(Request::Attack | Request::Salvo(_) | Request::Act) => {
                    format!("{}\n", self.ask(Question::Turn))
                }
                Ok(Request::Quit) => return false,
                // What happens, the display tells.
                Ok(_) | Err(_) => continue,
            };
            reply.extend_from_slice(said.as_bytes());
        }
        true
    }
}
