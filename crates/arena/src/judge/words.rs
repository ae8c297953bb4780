//! The lines of a judge.

use wire::Side;
use wire::text::excerpt;

use crate::record::{decimal, is_name_of_figure};

/// First words of lines that a bot receives from the referee alone. A judge must not say one in its
/// name.
const RESERVED: [&str; 10] = [
    "battleship",
    "game",
    "seed",
    "limit",
    "clock",
    "ask",
    "again",
    "end",
    "error",
    "quit",
];

/// A line of a judge about a game. Its players are sides here: its player 1 is the one who moves
/// first.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum JudgeLine {
    /// `tell P LINE`: a line for one player, or for both.
    Tell(Option<Side>, String),
    /// `ask P LINE`: a request.
    Ask(Side, String),
    /// `bad P REASON`: the last reply breaks the rules.
    Bad(Side, String),
    /// `show P LINE`: a line of the picture that one player may see, or all.
    Show(Option<Side>, String),
    /// `figure P NAME NUMBER`.
    Figure(Side, String, f64),
    /// `over P REASON`, or `over draw REASON`.
    Over(Option<Side>, String),
}

impl JudgeLine {
    /// Reads a line of a judge in a game in which the player on `first` moves first.
    ///
    /// # Errors
    /// Why it is not a judge's line.
    pub(super) fn read(line: &[u8], first: Side) -> Result<JudgeLine, String> {
        let line = text_of(line)?;
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (whom, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let player = || match whom {
            "1" => Ok(first),
            "2" => Ok(first.other()),
            _ => Err(format!("expected player 1 or 2 behind {word}")),
        };
        let players = || match whom {
            "*" => Ok(None),
            _ => match player() {
                Ok(side) => Ok(Some(side)),
                Err(_) => Err(format!("expected player 1, 2 or * behind {word}")),
            },
        };
        let line = || match rest {
            "" => Err(format!("expected more behind {word} {whom}")),
            _ if rest.starts_with(' ') || rest.ends_with(' ') => {
                Err("there is a space at an end of what it says".to_owned())
            }
            _ => Ok(rest.to_owned()),
        };
        let for_bot = || {
            let line = line()?;
            let first = line.split(' ').next().unwrap_or_default();
            if RESERVED.contains(&first) {
                return Err(format!("only the referee says {first} to a player"));
            }
            Ok(line)
        };
        Ok(match word {
            "tell" => JudgeLine::Tell(players()?, for_bot()?),
            "ask" => JudgeLine::Ask(player()?, for_bot()?),
            "bad" => JudgeLine::Bad(player()?, line()?),
            "show" => JudgeLine::Show(players()?, rest.to_owned()),
            "figure" => {
                let side = player()?;
                let (name, number) = rest
                    .rsplit_once(' ')
                    .filter(|(name, _)| is_name_of_figure(name) && !name.contains(' '))
                    .ok_or("expected a name and a number behind the player")?;
                JudgeLine::Figure(side, name.to_owned(), number_in(number)?)
            }
            "over" if whom == "draw" => JudgeLine::Over(None, line()?),
            "over" => match player() {
                Ok(winner) => JudgeLine::Over(Some(winner), line()?),
                Err(_) => return Err("expected player 1 or 2, or draw, behind over".to_owned()),
            },
            "" => return Err("the line is blank".to_owned()),
            _ => {
                return Err(format!(
                    "a judge does not say {}; lines for its author go to standard error or begin with #",
                    excerpt(word.as_bytes())
                ));
            }
        })
    }
}

/// Returns the name and the words of the game that a judge announces in `line`.
///
/// # Errors
/// Why it announces none.
pub(super) fn announced(line: &[u8]) -> Result<(String, String), String> {
    let line = text_of(line)?;
    let rest = line
        .strip_prefix("game ")
        .ok_or("expected game, and the name of the game")?;
    let (name, words) = rest.split_once(' ').unwrap_or((rest, ""));
    if name.is_empty()
        || name == "any"
        || name.len() > 32
        || !name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
    {
        return Err("the name of a game has up to 32 letters and digits, -, _ and .".to_owned());
    }
    if words.trim() != words {
        return Err("there is a space at an end of what it says".to_owned());
    }
    Ok((name.to_owned(), words.to_owned()))
}

/// Returns the reply of a player, as a judge receives it.
///
/// # Errors
/// Why it is no line for a judge.
pub(super) fn reply_in(line: &[u8]) -> Result<&str, String> {
    let text = text_of(line)?;
    if text.is_empty() || text.trim_matches(' ') != text {
        return Err("a reply is a line with no space at either end".to_owned());
    }
    Ok(text)
}

fn text_of(line: &[u8]) -> Result<&str, String> {
    let text = str::from_utf8(line).map_err(|_| "the line is not UTF-8".to_owned())?;
    if text.chars().any(char::is_control) {
        return Err("the line has control characters".to_owned());
    }
    Ok(text)
}

fn number_in(text: &str) -> Result<f64, String> {
    decimal(text).ok_or_else(|| format!("{} is not a number", excerpt(text.as_bytes())))
}
