//! Pages for a browser: the report of a contest with the replays of its games, and the replay of
//! one game. A page is one file that needs no network: style, script and all games are in it.
//!
//! The pages. Parts without interaction are drawn here, as HTML and SVG (`overview`, `charts`,
//! `templates`). The games go into the page packed (`pack`); its script (`script`) unpacks and
//! shows the one that is asked for.

mod axis;
mod collect;
mod course;
mod data;
mod details;
mod frame;
mod live;
mod overview;
mod pack;
mod report;
mod said;
mod scenes;
mod script;
mod served;
mod supplement;
mod texts;
mod tuning;

use askama::Template;

pub use self::collect::{Collector, PastGame};
pub use self::data::Live;
use self::data::{Kind, PageData, PlayerData, PlayerDetails, Reason, RecordData};
use self::frame::Frame;
pub use self::frame::usual_policy;
pub use self::live::LivePage;
pub use self::report::{Report, Source, report_page};
use self::scenes::{Phrases, Witness};
pub use self::served::{ServedPage, live_page, live_policy, replay_data, served};
pub use self::supplement::{Supplement, SupplementPart, SupplementTable};
use self::texts::Texts;
pub use self::tuning::tuning_page;
use crate::judged::{ShownGame, ShownGames};
use crate::picture::{Shown, picture};
use arena::record::GameLine;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use battleship::game_reader::{RecordedGame, ReplayError};
use bothost::text;

/// The longest name of a player, in characters: longer than any of the referee's own, so that none
/// lose what tells them apart.
const LONGEST_NAME: usize = 100;

/// Returns a player's name, fit to be shown, and as the page refers to it.
fn page_name(name: &str) -> String {
    text::cut(text::shown(name.as_bytes()).trim(), LONGEST_NAME)
}

/// The page of one game.
#[derive(Debug, Template)]
#[template(path = "game.html")]
struct GamePage {
    frame: Frame,
    /// The last position as a picture, for paper and for browsers without a script: SVG in base64;
    /// empty without one.
    still: String,
    /// The end of the game.
    ending: String,
}

/// Returns the page of `game`, which has this number in its record. `dialogue` is what was said in
/// it, as `--transcript` writes that, if it is known; if `rated`, its attacks are compared with the
/// best ones.
///
/// # Errors
/// If the game contradicts the rules.
pub fn game_page(
    game: &GameLine,
    number: u64,
    dialogue: Option<&[u8]>,
    rated: bool,
) -> Result<String, ReplayError> {
    if let Some(shown) = ShownGame::of(game, number, true) {
        return Ok(judged_page(game, shown));
    }
    let (data, collector) = game_data(game, number, dialogue, rated)?;
    // The style of a picture is its own, so it is not part of the page's markup.
    let still = picture(game, number, Shown::Still(None));
    let still = still.map(|svg| STANDARD.encode(svg)).unwrap_or_default();
    let ending = text::shown(game.reason.as_bytes());
    Ok(finish(data, &collector, |frame| {
        GamePage {
            frame,
            still,
            ending,
        }
        .render()
    }))
}

/// The page of one game that a judge knows.
#[derive(Debug, Template)]
#[template(path = "judged_page.html")]
struct JudgedPage {
    frame: Frame,
    judged: ShownGames,
}

fn judged_page(game: &GameLine, shown: ShownGame) -> String {
    let collector = Collector::default();
    let (title, players) = title_and_players(game);
    let data = page_data(Kind::Game, title, players, Vec::new(), &collector);
    let mut judged = ShownGames::default();
    judged.add(shown);
    let frame = Frame::without_script(&data);
    let page = JudgedPage { frame, judged };
    page.render()
        .expect("the template calls nothing that fails")
}

/// Returns the data of the page of `game`, and the game as it will be packed.
fn game_data(
    game: &GameLine,
    number: u64,
    dialogue: Option<&[u8]>,
    rated: bool,
) -> Result<(PageData, Collector), ReplayError> {
    let mut collector = Collector::default();
    collector.hear(PastGame {
        number,
        players: [0, 1],
        game,
        finished: true,
    });
    if collector.wrong > 0 {
        // It contradicts the rules; the error says how.
        let mut phrases = Phrases::default();
        let mut texts = Texts::default();
        let recorded = RecordedGame::read(&game.json)
            .map_err(|error| ReplayError::Wrong(error.to_string()))?;
        let mut witness = Witness::new(0, recorded.rules()?, &mut phrases, &mut texts);
        recorded.replay(&mut witness)?;
    }
    if let Some(dialogue) = dialogue {
        collector.hear_dialogue(number, game, dialogue);
    }
    if rated {
        collector.rate(number, game);
    }
    let (title, players) = title_and_players(game);
    let details = collector
        .players
        .iter()
        .map(|player| player.finished(None))
        .collect();
    let data = page_data(Kind::Game, title, players, details, &collector);
    Ok((data, collector))
}

/// Returns the title of a page about one game, and its players.
fn title_and_players(game: &GameLine) -> (String, Vec<PlayerData>) {
    let players = <[_; 2]>::from(game.players.as_ref()).map(|player| PlayerData {
        name: page_name(&player.name),
        command: text::shown(player.command.as_bytes()),
        place: None,
    });
    let title = format!("{} against {}", players[0].name, players[1].name);
    (title, players.into())
}

/// Returns the data of a page that has nothing yet but its games.
fn page_data(
    kind: Kind,
    title: String,
    players: Vec<PlayerData>,
    details: Vec<PlayerDetails>,
    collector: &Collector,
) -> PageData {
    PageData {
        kind,
        title,
        details,
        players,
        setups: collector.setups.clone(),
        reasons: Reason::all(),
        texts: collector.texts.all().to_vec(),
        outside: collector.outside.all().to_vec(),
        phrases: collector.phrases.all().to_vec(),
        figure_names: collector.figure_names.all().to_vec(),
        records: Vec::<RecordData>::new(),
        games: collector.heard(),
        kept: 0,
        chunks: Vec::new(),
        pairings: Vec::new(),
        duels: Vec::new(),
        dialogue: collector.dialogue.clone(),
        reviews: collector.reviews.clone(),
        live: None,
    }
}

/// Packs the games and returns the page that `render` makes of all.
fn finish(
    mut data: PageData,
    collector: &Collector,
    render: impl FnOnce(Frame) -> askama::Result<String>,
) -> String {
    let chunks = collector.chunks();
    data.kept = chunks.iter().map(|chunk| chunk.data.games).sum();
    data.chunks = chunks.iter().map(|chunk| chunk.data.clone()).collect();
    let frame = Frame::new(
        &data,
        chunks.into_iter().map(|chunk| chunk.packed).collect(),
    );
    render(frame).expect("the templates call nothing that fails")
}
