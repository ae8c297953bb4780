//! A recorded game of a judge: what it showed, as text, as a picture and as a part of a page.

use std::fmt::Write;

use arena::judge::{JudgedGame, Picture};
use arena::record::GameLine;
use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bothost::text;

use crate::picture::{NoPicture, Shown};

/// The bytes of replays in one page.
const MOST_BYTES: usize = 4 << 20;

/// The height of a line of text in a picture, and the width of a character.
const TEXT: (usize, usize) = (20, 10);

/// A step of a game, as a page shows it.
#[derive(Clone, Debug)]
pub(crate) struct ShownStep {
    /// The player and its reply, if it is not the beginning.
    pub(crate) what: String,
    /// The picture as text.
    pub(crate) text: String,
    /// The picture as an image: SVG in base64; empty without one.
    pub(crate) image: String,
}

/// A game, as a page shows it.
#[derive(Clone, Debug, Template)]
#[template(path = "judged.html")]
pub(crate) struct ShownGame {
    pub(crate) number: u64,
    players: String,
    ending: String,
    steps: Vec<ShownStep>,
    is_cut: bool,
    /// Whether it is the only one on its page, so that it is open.
    is_alone: bool,
}

impl ShownGame {
    /// Returns the game of `line`, which has this number in its record; `None` if no judge knew it.
    pub(crate) fn of(line: &GameLine, number: u64, is_alone: bool) -> Option<ShownGame> {
        let game = line.judged()?;
        let [one, two] = line.movers();
        Some(ShownGame {
            number,
            players: shown(&format!("{one} against {two}")),
            ending: shown(&line.reason),
            is_cut: game.pictures_cut,
            steps: steps(line, &game),
            is_alone,
        })
    }

    /// Returns about how many bytes it has in a page.
    fn size(&self) -> usize {
        let sizes = self.steps.iter();
        sizes
            .map(|step| step.what.len() + step.text.len() + step.image.len())
            .sum()
    }
}

/// The games of a page, up to its limit.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShownGames {
    pub(crate) games: Vec<ShownGame>,
    bytes: usize,
    /// The number of games beyond the limit.
    pub(crate) left_out: u64,
}

impl ShownGames {
    pub(crate) fn add(&mut self, game: ShownGame) {
        self.bytes += game.size();
        if self.bytes > MOST_BYTES {
            self.left_out += 1;
        } else {
            self.games.push(game);
        }
    }
}

fn steps(line: &GameLine, game: &JudgedGame) -> Vec<ShownStep> {
    let mut last = Picture::default();
    let mut steps = Vec::new();
    for step in &game.steps {
        let what = match &step.reply {
            None => "The beginning".to_owned(),
            Some((side, reply)) => {
                let refused = match &step.refused {
                    Some(reason) => format!(" (refused: {reason})"),
                    None => String::new(),
                };
                format!("{}: {reply}{refused}", line.players[*side].name)
            }
        };
        // A picture stays until the judge shows another one.
        let picture = step.picture(None);
        if picture != Picture::default() {
            last = picture;
        }
        let lines: Vec<_> = last.text.iter().map(|line| shown(line)).collect();
        steps.push(ShownStep {
            what: shown(&what),
            text: lines.join("\n"),
            image: last
                .svg
                .as_ref()
                .map(|svg| STANDARD.encode(svg))
                .unwrap_or_default(),
        });
    }
    steps
}

fn shown(line: &str) -> String {
    text::shown(line.as_bytes())
}

/// Returns a game of a judge turn by turn, as it was printed when it was played; `None` if no judge
/// knew it.
#[must_use]
pub(crate) fn judged_in_words(line: &GameLine) -> Option<Vec<String>> {
    let game = line.judged()?;
    let mut turns: Vec<String> = Vec::new();
    for step in steps(line, &game) {
        let mut turn = format!("{}\n", step.what);
        if !step.text.is_empty() {
            let _ = writeln!(turn, "{}", step.text);
        }
        turns.push(turn);
    }
    let mut end = format!("{}.\n", shown(&line.reason));
    if game.pictures_cut {
        end.push_str("The record has a part of the pictures only: there were more than 256 KiB.\n");
    }
    match turns.last_mut() {
        Some(last) => last.push_str(&end),
        None => turns.push(end),
    }
    Some(turns)
}

/// Returns the position of a game of a judge as a picture; `None` if no judge knew it. What the
/// judge drew is an image in it, which runs no script.
///
/// # Errors
/// If there is no such position.
pub(crate) fn judged_picture(line: &GameLine, which: Shown) -> Result<Option<String>, NoPicture> {
    let Some(game) = line.judged() else {
        return Ok(None);
    };
    let steps = steps(line, &game);
    let turns = steps.len().saturating_sub(1);
    let asked = match which {
        Shown::Still(Some(asked)) if asked > turns => {
            return Err(NoPicture::NoShot { asked, turns });
        }
        Shown::Still(Some(asked)) => asked,
        Shown::Still(None) | Shown::Moving => turns,
    };
    let step = steps.get(asked);
    let image = step.map(|step| &*step.image).unwrap_or_default();
    if !image.is_empty() {
        return Ok(Some(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 800\">\n<image width=\"800\" height=\"800\" href=\"data:image/svg+xml;base64,{image}\"/>\n</svg>\n"
        )));
    }
    let text = step.map(|step| format!("{}\n{}", step.what, step.text));
    let text = text.unwrap_or_else(|| shown(&line.reason));
    let lines: Vec<&str> = text.lines().collect();
    let longest = lines.iter().map(|line| line.chars().count()).max();
    let width = (longest.unwrap_or_default() + 2) * TEXT.1;
    let height = (lines.len() + 1) * TEXT.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"16\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for (number, line) in (1..).zip(lines) {
        let x = TEXT.1;
        let y = number * TEXT.0;
        let line = line.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" xml:space=\"preserve\">{line}</text>"
        );
    }
    svg.push_str("</svg>\n");
    Ok(Some(svg))
}
