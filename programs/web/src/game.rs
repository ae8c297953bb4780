//! A game that a person plays in a browser.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use arena::game::Entrant;
use arena::record::GameLine;
use battleship::{BySide, Side};
use bothost::Interrupt;
use pages::{live_page, replay_data};
use referee::{Failure, PlayPlan, Seating, note, opens_in_browser};
use screen::live::{Person, Teller};
use screen::story::Next;

use crate::server::{Hall, Server, Settings, Site, WebTable};

/// A page that has been closed for so long after the game will not come back: a reload is quicker.
const GRACE: Duration = Duration::from_secs(3);

/// The browser in which games are played, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Browser {
    /// The games that the page shows, and the server, which serves as long as it is there.
    served: Option<(Arc<Hall>, Server)>,
    /// The table of the game that is played, and how long its page may be closed after the game.
    table: Option<(Arc<WebTable>, Duration)>,
}

impl Seating for Browser {
    fn begin(
        &mut self,
        plan: &PlayPlan,
        players: &mut BySide<Entrant>,
        line: &GameLine,
    ) -> Result<Teller, Failure> {
        let humans: Vec<Side> = Side::BOTH
            .into_iter()
            .filter(|side| players[*side].human)
            .collect();
        let [seat] = humans[..] else {
            return Err(Failure::misuse(match humans.len() {
                0 => {
                    "--web: no player is human; to look at a game in a browser, add --report FILE instead"
                }
                _ => "--web: one player of the two can be human, since the page is for one person",
            }));
        };
        let person = Person::seated(&mut players[seat], seat);
        let (news, heard) = mpsc::channel();
        person.tell_of_questions(news.clone());
        let rules = plan.game.needs_rules("--web")?;
        let page = live_page(line, rules);
        let patience = plan.browser.web_patience;
        let table = Arc::new(WebTable::new(
            rules,
            page,
            (person, seat),
            plan.first,
            patience,
            plan.human_limit(),
            plan.series.clone(),
        ));
        if let Some((tables, _)) = &self.served {
            tables.seat(table.clone());
        } else {
            let tables = Arc::new(Hall::new(table.clone()));
            let server = Server::start(tables.clone(), Settings::default())?;
            announce(&server, plan.browser.open)?;
            self.served = Some((tables, server));
        }
        thread::Builder::new().name("table".to_owned()).spawn({
            let table = table.clone();
            move || table.follow(&heard)
        })?;
        self.table = Some((table, GRACE.min(patience)));
        Ok(Teller::new(plan.names(), news))
    }

    fn end(&mut self, line: &GameLine, interrupt: &Interrupt) -> Result<Option<Next>, Failure> {
        let Some((table, grace)) = self.table.take() else {
            return Ok(None);
        };
        match replay_data(line, true) {
            Ok(replay) => table.finish(&replay),
            Err(error) => note(&format!("the page has no replay of the game: {error}")),
        }
        let gone_for = || table.presence().gone_for();
        if !interrupt.is_noted() && gone_for().is_some_and(|gone| gone < grace) {
            note("the game is over; the page stays until you close it or press Ctrl-C");
        }
        while gone_for().is_some_and(|gone| gone < grace) {
            if table.next().is_some() || !interrupt.wait(Some(Duration::from_millis(100)))? {
                break;
            }
        }
        Ok(table.next())
    }
}

/// Prints where a page is, and opens it if `opens`.
///
/// # Errors
/// If there is no place for the file that leads the browser there, or no thread.
fn announce(server: &Server, opens: bool) -> Result<(), Failure> {
    let link = server.link();
    if !opens {
        note(&format!("open {link} in a browser on this machine"));
        return Ok(());
    }
    let redirect = server.redirect()?;
    // A browser that starts may still fail to show the page, so the link is printed in any case,
    // and before: some systems wait until the browser is closed, for which the thread is too.
    note(&format!(
        "your browser opens; if it does not, open {link} in one on this machine"
    ));
    thread::Builder::new()
        .name("browser".to_owned())
        .spawn(move || open(&redirect))?;
    Ok(())
}

fn open(redirect: &Path) {
    if !opens_in_browser(redirect) {
        note("no browser could be started; open the link above in one");
    }
}
