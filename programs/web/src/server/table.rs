//! A game that a person plays in the browser.

use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use battleship::protocol::Reply;
use battleship::{Rules, Ruleset, Side};
use screen::story::{News, Next, Question, Series};
use serde_json::{Value, json};

use super::feed::{Feed, Presence};
use super::site::{Refused, Site};
use arena::record::in_milliseconds;
use pages::{Eye, ServedPage};
use screen::live::Person;

/// The table that a person plays at: what the page shows, and the way for answers.
pub(crate) struct WebTable {
    page: ServedPage,
    person: Person,
    /// The time that the page may be closed while the person is asked.
    patience: Duration,
    /// The time that the person may take for a reply.
    limit: Option<Duration>,
    feed: Arc<Feed>,
    presence: Arc<Presence>,
    game: Mutex<Game>,
}

/// The state of the game.
#[derive(Debug)]
struct Game {
    eye: Eye,
    /// The number of the last question.
    number: u64,
    /// It, until it is answered.
    question: Option<Question>,
    /// The time when it was asked.
    asked: Instant,
    has_resigned: bool,
    is_over: bool,
    /// The replay, if it was made before the end was heard of.
    replay: Option<Value>,
    /// The game that the person wants to play next.
    next: Option<Next>,
}

impl fmt::Debug for WebTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebTable")
            .field("game", &self.game)
            .finish_non_exhaustive()
    }
}

impl WebTable {
    /// Prepares a game for `person`, who plays on `seat`; `first` moves first. A person whose page
    /// is closed for `patience` resigns. The page shows what is left of `limit`, which the referee
    /// keeps, and what there is in `series`.
    #[must_use]
    pub(crate) fn new(
        rules: &Rules,
        page: ServedPage,
        (person, seat): (Person, Side),
        first: Side,
        patience: Duration,
        limit: Option<Duration>,
        series: Series,
    ) -> WebTable {
        let tips = series.advice.is_some() && rules.ruleset() == Ruleset::Classic;
        let eye = Eye::new(seat, first, rules, series);
        let feed = Feed::new();
        feed.push(
            &json!({ "type": "seat", "you": seat.index(), "first": first.index(), "tips": tips }),
        );
        WebTable {
            page,
            person,
            patience,
            limit,
            feed: Arc::new(feed),
            presence: Arc::default(),
            game: Mutex::new(Game {
                eye,
                number: 0,
                question: None,
                asked: Instant::now(),
                has_resigned: false,
                is_over: false,
                replay: None,
                next: None,
            }),
        }
    }

    /// Follows the game until there is no more news of it.
    pub(crate) fn follow(&self, news: &Receiver<News>) {
        let often = (self.patience / 4).clamp(Duration::from_millis(20), Duration::from_secs(2));
        loop {
            match news.recv_timeout(often) {
                Ok(news) => self.hear(&news),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.resign_if_left();
        }
    }

    /// Shows the replay of the game, as the report makes it, once it is over.
    pub(crate) fn finish(&self, replay: &Value) {
        let event = json!({ "type": "replay", "replay": replay });
        let game = &mut *self.game();
        if game.is_over {
            self.feed.push(&event);
        } else {
            game.replay = Some(event);
        }
    }

    /// Returns what the person wants to play next.
    pub(crate) fn next(&self) -> Option<Next> {
        self.game().next
    }

    /// Tells the pages that the person plays at another table now.
    pub(super) fn leave(&self) {
        self.feed.push(&json!({ "type": "again" }));
    }

    /// Takes a wish that the page has buttons for: a tip while the person is asked, another game
    /// after the end. Returns whether `line` is one that can be granted now.
    fn grants(&self, game: &mut Game, line: &str) -> bool {
        let opponent = || {
            let number = line.strip_prefix("against ")?.parse().ok()?;
            (number < game.eye.opponents()).then_some(Next::Opponent(number))
        };
        if game.is_over {
            game.next = if line == "rematch" {
                Some(Next::Rematch)
            } else {
                opponent()
            };
            return game.next.is_some();
        }
        let tip = game
            .question
            .filter(|question| line == "tip" && *question == Question::Turn);
        let tip = tip.and_then(|_| game.eye.tip(game.number));
        tip.map(|event| self.feed.push(&event)).is_some()
    }

    fn hear(&self, news: &News) {
        let game = &mut *self.game();
        for event in game.eye.tell(news, self.feed.now()) {
            self.feed.push(&event);
        }
        match news {
            News::Asked(_, question) => {
                game.number += 1;
                game.question = Some(*question);
                game.asked = Instant::now();
                if game.has_resigned {
                    game.question = None;
                    // A link that has broken ends the game by itself.
                    let _ = self.person.answer(Reply::Resign);
                } else {
                    let mut event = game.eye.ask(game.number, *question);
                    event["at"] = json!(self.feed.now());
                    event["limit"] = json!(self.limit.map(in_milliseconds));
                    self.feed.push(&event);
                }
            }
            News::Ended(_) => {
                game.is_over = true;
                game.replay
                    .take()
                    .iter()
                    .for_each(|replay| self.feed.push(replay));
            }
            News::Played(_) | News::Placed(_) | News::Turn(_) => {}
        }
    }

    fn resign_if_left(&self) {
        let Some(gone) = self.presence.gone_for() else {
            return;
        };
        let (number, waited) = {
            let game = self.game();
            (game.number, game.question.map(|_| game.asked.elapsed()))
        };
        // A page that is closed while the opponent thinks has as long from the question on.
        if waited.is_some_and(|waited| waited.min(gone) >= self.patience) {
            // Another reply may have come at this moment, which then counts.
            let _ = self.say(number, "resign");
        }
    }

    fn game(&self) -> MutexGuard<'_, Game> {
        self.game.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Site for WebTable {
    fn page(&self) -> Result<ServedPage, String> {
        Ok(self.page.clone())
    }

    fn presence(&self) -> Arc<Presence> {
        self.presence.clone()
    }

    fn feed(&self) -> Option<Arc<Feed>> {
        Some(self.feed.clone())
    }

    fn say(&self, number: u64, line: &str) -> Result<(), Refused> {
        let refused = |status, why: &str| Err(Refused::new(status, why));
        if self.grants(&mut self.game(), line) {
            return Ok(());
        }
        // Only one line of the protocol may be passed on, whatever is in the text.
        let Some(reply) = Eye::reply(line) else {
            return refused(
                StatusCode::BAD_REQUEST,
                "That is not a reply of the protocol.",
            );
        };
        let game = &mut *self.game();
        if game.is_over || game.has_resigned {
            return refused(StatusCode::CONFLICT, "The game is over.");
        }
        // Resigning needs no question: it waits for the next one.
        if reply == Reply::Resign {
            game.has_resigned = true;
        }
        let Some(question) = game.question else {
            if reply == Reply::Resign {
                return Ok(());
            }
            return refused(
                StatusCode::CONFLICT,
                "It is not your turn, or you have answered.",
            );
        };
        if reply != Reply::Resign {
            if number != game.number {
                return refused(StatusCode::CONFLICT, "That answers an earlier question.");
            }
            if let Some(fault) = game.eye.fault(question, &reply) {
                return refused(StatusCode::UNPROCESSABLE_ENTITY, &fault);
            }
        }
        game.question = None;
        let said = reply.to_string();
        self.feed
            .push(&json!({ "type": "said", "turn": game.number, "reply": said }));
        if self.person.answer(reply).is_err() {
            return refused(StatusCode::CONFLICT, "The game is over.");
        }
        Ok(())
    }
}
