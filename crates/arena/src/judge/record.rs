//! A judged game as a line of a record: what the judge said, and what it was told.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};
use wire::game::{DialogueLine, Game, GameReader, GameStats, Played, Speaker};
use wire::{BySide, EndedBy, Ending, Side};

use super::Judge;
use super::process::{Failed, wrong_line};
use super::words::JudgeLine;
use crate::record::LONGEST_LINE;

/// The beginning of the name of a judged game in a record.
pub(super) const PREFIX: &str = "judge ";

/// The bytes of pictures that a record keeps of one game. The rest of it is small.
pub(super) const MOST_PICTURES: usize = 256 << 10;

/// The bytes of all lines of a judge in one game, and of all replies of a player, as a record has
/// them: together with pictures and figures they are shorter than [`LONGEST_LINE`].
const MOST_OF_JUDGE: u64 = LONGEST_LINE / 2;
const MOST_REPLIES: u64 = LONGEST_LINE / 8;

/// The bytes of a reply's time in a record, at most.
const TIME_BYTES: u64 = 11;

/// The fields of a line that are a judged game's own.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct OwnPart {
    /// The command of the judge.
    pub(super) judge: String,
    /// The digest of its program.
    pub(super) judge_digest: Option<String>,
    /// The options of the game, as the judge announced them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) words: String,
    /// What the judge was told about the game, and what it said, line by line.
    pub(super) dialogue: Vec<String>,
    /// The time of each reply in it, in microseconds.
    pub(super) reply_us: Vec<u32>,
    /// Whether pictures were left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) pictures_cut: bool,
    /// The bytes of its pictures so far.
    #[serde(skip)]
    pub(super) picture_bytes: usize,
    /// The bytes of the lines of the judge so far.
    #[serde(skip)]
    pub(super) judge_bytes: u64,
    /// The bytes of the replies of each player so far.
    #[serde(skip)]
    pub(super) reply_bytes: BySide<u64>,
}

impl OwnPart {
    pub(super) fn add_request(&mut self, line: String) {
        self.dialogue.push(line);
    }

    /// Keeps a reply of the player on `side`.
    ///
    /// # Errors
    /// If its replies in this game are too long for a record.
    pub(super) fn replied(
        &mut self,
        side: Side,
        line: String,
        microseconds: u128,
    ) -> Result<(), Ending> {
        self.reply_bytes[side] += length_in_record(&line) + TIME_BYTES;
        if self.reply_bytes[side] > MOST_REPLIES {
            let what = format!("sent more than {} MiB of replies", MOST_REPLIES >> 20);
            return Err(Ending::lost_by(side, EndedBy::Flood, what));
        }
        self.dialogue.push(line);
        self.reply_us
            .push(u32::try_from(microseconds).unwrap_or(u32::MAX));
        Ok(())
    }

    /// Keeps a line of the judge.
    ///
    /// # Errors
    /// If the lines of the judge in this game are too long for a record.
    pub(super) fn add_line(&mut self, line: &str, is_picture: bool) -> Result<(), Failed> {
        if is_picture {
            self.picture_bytes += line.len();
            if self.picture_bytes > MOST_PICTURES {
                self.pictures_cut = true;
                return Ok(());
            }
        }
        self.judge_bytes += length_in_record(line);
        if self.judge_bytes > MOST_OF_JUDGE {
            let most = MOST_OF_JUDGE >> 20;
            let what = format!("it said more than {most} MiB in one game, too long for a record");
            return Err(Failed::Judge(what));
        }
        self.dialogue.push(line.to_owned());
        Ok(())
    }

    /// Returns the failure of a judge whose last line must not stand where it does.
    pub(super) fn wrong(&self, why: &str) -> Failed {
        let line = self.dialogue.last().map_or("", String::as_str);
        wrong_line(line.as_bytes(), why)
    }

    pub(super) fn to_json(&self) -> Box<RawValue> {
        to_raw_value(self).expect("it is text and numbers")
    }
}

/// Returns the length of a text in a record: with quotation marks, a comma and escapes.
fn length_in_record(text: &str) -> u64 {
    let length = |byte| match byte {
        b'"' | b'\\' => 2,
        0..0x20 => 6,
        _ => 1,
    };
    3 + text.bytes().map(length).sum::<u64>()
}

/// Returns the dialogue with the judge in a game that was just played, line by line.
#[must_use]
pub fn dialogue_of(played: &Played) -> Vec<String> {
    let own = serde_json::from_str::<OwnPart>(played.own.get());
    own.map(|own| own.dialogue).unwrap_or_default()
}

/// Returns the line that announces the game of this name, with these options, to a bot.
pub(super) fn announcement(name: &str, words: &str) -> String {
    match words {
        "" => format!("game {name}"),
        words => format!("game {name} {words}"),
    }
}

/// One step of a judged game: what a player replied, and what the judge made of it. While a game is
/// played it has the reply and the picture alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// The player and its reply; `None` before the first reply.
    pub reply: Option<(Side, String)>,
    /// Whether the reply broke the rules, and why.
    pub refused: Option<String>,
    /// What the players were told, or both of them.
    pub told: Vec<(Option<Side>, String)>,
    /// The picture after the step, with the player that may see a line; of nobody, all may. Without
    /// lines the one before stays.
    pub picture: Vec<(Option<Side>, String)>,
    /// The player that is asked next, and the request.
    pub asked: Option<(Side, String)>,
}

/// The lines of a picture for a terminal, and those of an image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// Text, line by line.
    pub text: Vec<String>,
    /// An image in SVG, if there is one.
    pub svg: Option<String>,
}

impl Step {
    /// Returns the picture as the player on `viewer` may see it; `None` sees all.
    #[must_use]
    pub fn picture(&self, viewer: Option<Side>) -> Picture {
        let mut picture = Picture::default();
        let mut svg = String::new();
        for (to, line) in &self.picture {
            if viewer.is_some() && to.is_some() && *to != viewer {
                continue;
            }
            if svg.is_empty() && !line.starts_with("<svg") {
                picture.text.push(line.clone());
            } else {
                svg.push_str(line);
                svg.push('\n');
            }
        }
        picture.svg = Some(svg).filter(|svg| !svg.is_empty());
        picture
    }

    pub(super) fn add(&mut self, line: &JudgeLine) {
        match line {
            JudgeLine::Tell(to, line) => self.told.push((*to, line.clone())),
            JudgeLine::Show(to, line) => self.picture.push((*to, line.clone())),
            JudgeLine::Ask(side, line) => self.asked = Some((*side, line.clone())),
            JudgeLine::Bad(_, reason) => self.refused = Some(reason.clone()),
            JudgeLine::Figure(..) | JudgeLine::Over(..) => {}
        }
    }
}

/// A judged game that was recorded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JudgedGame {
    /// The command of the judge.
    pub judge: String,
    /// The options of the game.
    pub words: String,
    /// Its steps.
    pub steps: Vec<Step>,
    /// The time of each reply, in microseconds.
    pub reply_us: Vec<u32>,
    /// Whether pictures were left out, since there were too many.
    pub pictures_cut: bool,
}

impl JudgedGame {
    /// Reads the own part of a line.
    ///
    /// # Errors
    /// Which of its fields is missing or wrong.
    pub fn read(line: &str) -> serde_json::Result<JudgedGame> {
        use serde::de::Error;
        #[derive(Deserialize)]
        struct Line {
            first: Side,
            #[serde(flatten)]
            own: OwnPart,
        }
        let Line { first, own } = serde_json::from_str(line)?;
        let mut steps = Vec::new();
        for line in &own.dialogue {
            if line.starts_with("begin ") {
                steps.push(Step::default());
            } else if let Some(reply) = line.strip_prefix("reply ") {
                let wrong = || serde_json::Error::custom("a reply of no player");
                let (player, reply) = reply.split_once(' ').ok_or_else(wrong)?;
                let side = match player {
                    "1" => first,
                    "2" => first.other(),
                    _ => return Err(wrong()),
                };
                steps.push(Step {
                    reply: Some((side, reply.to_owned())),
                    ..Step::default()
                });
            } else {
                let line =
                    JudgeLine::read(line.as_bytes(), first).map_err(serde_json::Error::custom)?;
                let step = steps
                    .last_mut()
                    .ok_or_else(|| serde_json::Error::custom("the game does not begin"))?;
                step.add(&line);
            }
        }
        Ok(JudgedGame {
            judge: own.judge,
            words: own.words,
            steps,
            reply_us: own.reply_us,
            pictures_cut: own.pictures_cut,
        })
    }
}

/// Reads judged games.
#[derive(Debug)]
pub struct JudgeReader;

impl GameReader for JudgeReader {
    fn reads(&self, rules: &str) -> bool {
        rules.starts_with(PREFIX)
    }

    fn game(&self, settings: &Map<String, Value>) -> Result<Arc<dyn Game>, String> {
        let text = |key: &str| settings.get(key).and_then(Value::as_str);
        let rules = text("rules").unwrap_or_default();
        let name = rules
            .strip_prefix(PREFIX)
            .ok_or("no judge is named in the rules")?;
        let judge = text("judge").ok_or("the command of the judge is missing")?;
        Ok(Arc::new(Judge::recorded(
            name,
            text("words").unwrap_or_default(),
            judge,
            text("judge_digest"),
        )))
    }

    fn stats(&self, line: &str) -> serde_json::Result<GameStats> {
        let game = JudgedGame::read(line)?;
        let mut stats = GameStats::default();
        let mut hasher = DefaultHasher::new();
        // What the judge knows and does not say, such as payoffs, is in its command and its options.
        (&game.judge, &game.words).hash(&mut hasher);
        let mut times = game.reply_us.into_iter();
        for step in &game.steps {
            let Some((side, reply)) = &step.reply else {
                continue;
            };
            (side, reply).hash(&mut hasher);
            stats.turns[*side] += u32::from(step.refused.is_none());
            stats.reply_us[*side].extend(times.next());
        }
        stats.game_hash = hasher.finish();
        stats.reached = stats.turns.map(|turns| format!("{turns} turns"));
        Ok(stats)
    }

    fn dialogue(&self, line: &str) -> Result<Vec<DialogueLine>, String> {
        #[derive(Deserialize)]
        struct Player {
            seed: u32,
            limit_ms: Option<u64>,
        }
        #[derive(Deserialize)]
        struct Line {
            rules: String,
            players: BySide<Player>,
        }
        let game = JudgedGame::read(line).map_err(|error| error.to_string())?;
        let Line { rules, players } =
            serde_json::from_str(line).map_err(|error| error.to_string())?;
        let mut lines = Vec::new();
        let mut asked = BySide::<String>::default();
        for (side, player) in players.iter().filter(|_| !game.steps.is_empty()) {
            let mut add = |text: String| {
                let from = Speaker::Notice;
                lines.push(DialogueLine { side, from, text });
            };
            let name = rules.strip_prefix(PREFIX).unwrap_or(&rules);
            add(announcement(name, &game.words));
            add(format!("seed {}", player.seed));
            if let Some(limit) = player.limit_ms {
                add(format!("limit {limit}"));
            }
        }
        let last = game.steps.len().saturating_sub(1);
        for (number, step) in game.steps.into_iter().enumerate() {
            let mut add = |side: Side, from: Speaker, text: String| {
                lines.push(DialogueLine { side, from, text });
            };
            if let Some((side, reply)) = step.reply {
                add(side, Speaker::Reply, reply);
                if let Some(reason) = step.refused.filter(|_| number < last) {
                    add(side, Speaker::Notice, format!("again {reason}"));
                    add(side, Speaker::Request, asked[side].clone());
                }
            }
            for (to, line) in step.told {
                for side in Side::BOTH {
                    if to.is_none_or(|to| to == side) {
                        add(side, Speaker::Notice, line.clone());
                    }
                }
            }
            if let Some((side, request)) = step.asked {
                asked[side].clone_from(&request);
                add(side, Speaker::Request, request);
            }
        }
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reader refuses a longer line, so a contest could be neither ranked nor continued.
    #[test]
    fn longest_game_fits_a_record() {
        let mut own = OwnPart::default();
        let escaped = "\"\u{1}".repeat(2000);
        while own.add_line(&escaped, false).is_ok() {}
        while own.add_line(&escaped, true).is_ok() && !own.pictures_cut {}
        for side in Side::BOTH {
            while own.replied(side, "reply 1 x".to_owned(), u128::MAX).is_ok() {}
        }
        let length = own.to_json().get().len() as u64;
        assert!(
            LONGEST_LINE / 2 < length && length < LONGEST_LINE - (4 << 20),
            "{length}"
        );
    }

    #[test]
    fn length_of_a_text_is_that_in_json() {
        for text in ["", "tell 1 x", "\"\\\u{1}", "\u{20ac}"] {
            let json = serde_json::to_string(text).unwrap();
            assert!(json.len() as u64 <= length_in_record(text), "{json}");
        }
    }
}
