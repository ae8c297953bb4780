//! Pages for a browser: the report of a contest with the replays of its games, and the replay of one game. A page is one
//! file that needs no network: style, script and all games are in it.
//!
//! What needs no interaction is drawn here, as HTML and SVG (`overview`, `charts`, `templates`). The games go into the
//! page packed (`pack`); its script (`assets/page.js`) unpacks and shows the one that is asked for.

mod axis;
mod collect;
mod course;
mod data;
mod details;
mod frame;
mod frames;
mod overview;
mod pack;
mod report;
mod texts;

use std::io;

use askama::Template;

pub(crate) use self::collect::{Collector, PastGame};
use self::data::{Kind, PageData, PlayerData, Reason, RecordData};
use self::frame::Frame;
pub(crate) use self::report::{Report, Standings, report_page};
use crate::record::{GameRecord, ReplayError};

/// The page of one game.
#[derive(Debug, Template)]
#[template(path = "game.html")]
struct GamePage {
    frame: Frame,
}

/// Returns the page of `game`, which has this number in its record.
///
/// # Errors
/// If the game contradicts the rules.
pub(crate) fn game_page(game: &GameRecord, number: u64) -> Result<String, ReplayError> {
    let mut collector = Collector::default();
    collector.hear(PastGame { number, players: [0, 1], game, finished: true });
    if collector.wrong > 0 {
        crate::record::replay(game, &mut frames::Frames::new())?;
    }
    let names = game.players.each_ref().map(|player| bothost::text::name(&player.name));
    let title = format!("Game {number}: {} against {}", names[0], names[1]);
    let players = game.players.iter().zip(&names).map(|(player, name)| PlayerData {
        name: name.clone(),
        command: bothost::text::shown(player.command.as_bytes()),
        place: None,
    });
    let data = page_data(Kind::Game, title, players.collect(), &collector);
    finish(data, &collector, |frame| GamePage { frame }.render())
        .map_err(|error| ReplayError::Stop(error.into()))
}

/// Returns the data of a page that has nothing yet but its games.
fn page_data(
    kind: Kind,
    title: String,
    players: Vec<PlayerData>,
    collector: &Collector,
) -> PageData {
    PageData {
        kind,
        title,
        details: collector.players.iter().map(details::DetailsOfPlayer::finished).collect(),
        players,
        setups: collector.setups.clone(),
        reasons: Reason::all(),
        texts: collector.texts.all().to_vec(),
        figure_names: collector.figure_names.all().to_vec(),
        records: Vec::<RecordData>::new(),
        games: collector.heard(),
        kept: 0,
        chunks: Vec::new(),
        pairings: Vec::new(),
        dialogue: std::collections::BTreeMap::new(),
        reviews: std::collections::BTreeMap::new(),
        live: None,
    }
}

/// Packs the games and returns the page that `render` makes of all.
fn finish(
    mut data: PageData,
    collector: &Collector,
    render: impl FnOnce(Frame) -> askama::Result<String>,
) -> io::Result<String> {
    let chunks = collector.chunks()?;
    data.kept = chunks.iter().map(|chunk| chunk.data.games).sum();
    data.chunks = chunks.iter().map(|chunk| chunk.data.clone()).collect();
    let frame = Frame::new(&data, chunks.into_iter().map(|chunk| chunk.packed).collect())?;
    render(frame).map_err(io::Error::other)
}
