//! A game that a person plays in a browser.

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use battleship::{BySide, Side};
use bothost::Interrupt;
use screen::story::{News, Next};

use super::records::announce;
use crate::cli::commands::play::PlayPlan;
use crate::cli::complain;
use crate::cli::exit::Failure;
use engine::game::Entrant;
use engine::live::{Person, Teller};
use engine::record::GameRecord;
use pages::web::{self, Server, Settings, Site, WebTable};
use pages::{live_page, replay_data};

/// A page that has been closed for so long after the game will not come back: a reload is quicker.
const GRACE: Duration = Duration::from_secs(3);

/// The place where games in a browser are played, one after the other.
#[derive(Debug)]
pub(crate) struct Hall {
    tables: Arc<web::Hall>,
    /// It serves as long as this is there.
    _server: Server,
}

/// A game in a browser: its table, and where its news go.
#[derive(Debug)]
pub(crate) struct BrowserGame {
    names: BySide<String>,
    news: Sender<News>,
    table: Arc<WebTable>,
    grace: Duration,
}

impl BrowserGame {
    /// Seats the person among `players` at a table in the browser, and says where that is. `record` is what the game's will
    /// be. The first game opens the `hall` of those that follow.
    ///
    /// # Errors
    /// If there is no person, or more than one; or if the machine lacks what a server needs.
    pub(crate) fn begin(
        plan: &PlayPlan,
        players: &mut BySide<Entrant>,
        record: &GameRecord,
        hall: &mut Option<Hall>,
    ) -> Result<BrowserGame, Failure> {
        let humans: Vec<Side> = Side::BOTH
            .into_iter()
            .filter(|side| players[*side].human)
            .collect();
        let [seat] = humans[..] else {
            return Err(Failure::misuse(match humans.len() {
                0 => {
                    "--web: no player is human; to look at a game in a browser, add --html FILE instead"
                }
                _ => "--web: one player of the two can be human, since the page is for one person",
            }));
        };
        let person = Person::seated(&mut players[seat], seat)?;
        let (news, heard) = mpsc::channel();
        person.tell_of_questions(news.clone())?;
        let page = live_page(record)?;
        let patience = plan.browser.web_patience;
        let (limit, series, seated) = (plan.human_limit(), plan.series.clone(), (person, seat));
        let rules = &plan.terms.rules;
        let table = WebTable::new(rules, page, seated, plan.first, patience, limit, series);
        let table = Arc::new(table);
        if let Some(Hall { tables, .. }) = hall {
            tables.seat(table.clone());
        } else {
            let tables = Arc::new(web::Hall::new(table.clone()));
            let server = Server::start(tables.clone(), Settings::default())?;
            announce(&server, plan.browser.open)?;
            *hall = Some(Hall {
                tables,
                _server: server,
            });
        }
        thread::Builder::new().name("table".to_owned()).spawn({
            let table = table.clone();
            move || table.follow(&heard)
        })?;
        let grace = GRACE.min(patience);
        Ok(BrowserGame {
            names: plan.names(),
            news,
            table,
            grace,
        })
    }

    /// Returns what is to hear the game.
    pub(crate) fn teller(&self) -> Teller {
        Teller::new(self.names.clone(), self.news.clone())
    }

    /// Shows the replay of the game until the page is closed, or the user stops the referee, or wants to play another game, which is
    /// returned.
    ///
    /// # Errors
    /// If the machine fails.
    pub(crate) fn end(
        self,
        record: &GameRecord,
        interrupt: &Interrupt,
    ) -> Result<Option<Next>, Failure> {
        let BrowserGame {
            names: _,
            news: _,
            table,
            grace,
        } = self;
        match replay_data(record, true) {
            Ok(replay) => table.finish(&replay),
            Err(error) => complain(&format!("the page has no replay of the game: {error}")),
        }
        let gone_for = || table.presence().gone_for();
        if !interrupt.is_noted() && gone_for().is_some_and(|gone| gone < grace) {
            complain("the game is over; the page stays until you close it or press Ctrl-C");
        }
        while gone_for().is_some_and(|gone| gone < grace) {
            if table.next().is_some() || !interrupt.wait(Some(Duration::from_millis(100)))? {
                break;
            }
        }
        Ok(table.next())
    }
}
