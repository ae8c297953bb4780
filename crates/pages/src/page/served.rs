//! The pages that the referee serves to a browser: of a game that a person plays there, and of
//! records.

use std::sync::LazyLock;

use askama::Template;
use serde_json::{Value, json};

use super::data::{Kind, Setup};
use super::frame::{CSS, Frame};
use super::script::LIVE_SCRIPT;
use super::{Collector, game_data, page_data, title_and_players};
use arena::record::GameLine;
use battleship::Rules;
use battleship::game_reader::ReplayError;

/// The style of the page of a game that is played.
static LIVE_CSS: LazyLock<String> =
    LazyLock::new(|| format!("{CSS}\n{}", include_str!("assets/live.css")));

/// A page, and the policy that its server sends with it.
#[derive(Clone, Debug)]
pub struct ServedPage {
    pub html: String,
    pub policy: String,
}

/// The page of a game that is played.
#[derive(Debug, Template)]
#[template(path = "live.html")]
struct LiveGamePage {
    frame: Frame,
}

/// Returns the page on which a game is played whose record this will be.
#[must_use]
pub fn live_page(game: &GameLine, rules: &Rules) -> ServedPage {
    let (title, players) = title_and_players(game);
    let none = Collector::default();
    let mut data = page_data(Kind::Live, title, players, Vec::new(), &none);
    data.setups = vec![Setup::by(rules)];
    let frame = Frame::live(&data, &LIVE_CSS, &LIVE_SCRIPT);
    let policy = in_header(&frame.policy);
    let page = LiveGamePage { frame };
    let html = page
        .render()
        .expect("the template calls nothing that fails");
    ServedPage { html, policy }
}

/// Returns the Content-Security-Policy of such a page.
#[must_use]
pub fn live_policy() -> String {
    super::frame::live_policy(&LIVE_CSS, &LIVE_SCRIPT)
}

/// Returns what such a page needs to replay its game when that is over: the data of the game's own
/// page, and its games.
///
/// # Errors
/// If the game contradicts the rules.
pub fn replay_data(game: &GameLine, rated: bool) -> Result<Value, ReplayError> {
    let (mut data, collector) = game_data(game, 1, None, rated)?;
    let chunks = collector.chunks();
    data.kept = chunks.iter().map(|chunk| chunk.data.games).sum();
    data.chunks = chunks.iter().map(|chunk| chunk.data.clone()).collect();
    let data = serde_json::to_value(&data).expect("its maps have text for keys");
    let packed: Vec<String> = chunks.into_iter().map(|chunk| chunk.packed).collect();
    Ok(json!({ "data": data, "chunks": packed }))
}

/// Returns a page of records as a server sends it.
#[must_use]
pub fn served(html: String) -> ServedPage {
    ServedPage {
        html,
        policy: in_header(&super::frame::usual_policy()),
    }
}

/// Returns a policy with what only a header can say: no other page may frame this one.
fn in_header(policy: &str) -> String {
    format!("{policy}; frame-ancestors 'none'")
}
