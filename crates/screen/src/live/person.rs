//! A person whom the referee asks.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;

use crate::story::{News, Question};
use battleship::protocol::{MAX_LINE, Reply, Request, strip_line_end};
use bothost::{PersonOutput, Side, person_link};

use engine::game::Entrant;

/// The referee's ends of the link to a person's program.
#[derive(Clone, Debug)]
pub struct Person {
    side: Side,
    questions: Arc<PipeReader>,
    answers: Arc<PipeWriter>,
}

impl Person {
    /// Has the referee ask the person that `player` is, on `side`.
    ///
    /// # Errors
    /// If the process has no descriptor to spare.
    pub fn seated(player: &mut Entrant, side: Side) -> io::Result<Person> {
        let (link, questions, answers) = person_link()?;
        player.program.person = Some(PersonOutput::Referee(link));
        Ok(Person {
            side,
            questions: Arc::new(questions),
            answers: Arc::new(answers),
        })
    }

    /// Returns which player this is.
    #[must_use]
    pub fn side(&self) -> Side {
        self.side
    }

    /// Tells of the questions to this person from now on, on a thread that ends with the link.
    ///
    /// # Errors
    /// If there is no thread or descriptor to spare.
    pub fn tell_of_questions(&self, news: Sender<News>) -> io::Result<()> {
        let (side, mut questions) = (self.side, BufReader::new(self.questions.try_clone()?));
        let listen = move || {
            let mut line = Vec::new();
            loop {
                line.clear();
                let longest = MAX_LINE as u64 + 2;
                let read = questions
                    .by_ref()
                    .take(longest)
                    .read_until(b'\n', &mut line);
                if !read.is_ok_and(|count| count > 0) {
                    return;
                }
                let question = match Request::parse(strip_line_end(&line)) {
                    Ok(Request::Place) => Question::Place,
                    Ok(Request::Attack | Request::Salvo(_) | Request::Act) => Question::Turn,
                    // The program is the referee's own.
                    Ok(_) | Err(_) => continue,
                };
                if news.send(News::Asked(side, question)).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new()
            .name("person".to_owned())
            .spawn(listen)
            .map(drop)
    }

    /// Answers the question that was asked last.
    ///
    /// # Errors
    /// If the person's program has ended.
    pub fn answer(&self, reply: &Reply) -> io::Result<()> {
        (&*self.answers).write_all(format!("{reply}\n").as_bytes())
    }
}
