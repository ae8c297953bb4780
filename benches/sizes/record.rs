//! Large records, made of some games that are played.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use league::crosstable::Crosstable;
use league::schedule::{Format, Plan, Schedule};
use serde_json::Value;

/// The games that are played; those of the record repeat them. In numbers that no decoder remembers that long, so that they
/// are compressed as other games are.
const PLAYED: &str = "1000";

/// The options of games of an attack or two.
const SHORT: [&str; 6] = ["--rows", "1", "--cols", "2", "--ship", "1 B buoy"];

/// The names of the players of these games; each name stands nowhere else in a record.
const NAMES: [&str; 2] = ["Fulmar", "Gannet"];

/// So much text is in a frame: as much as a merge writes at a time.
const FRAME: usize = 8 << 20;

/// A line, cut at what differs from game to game: the names of the players and the place in the contest.
struct Template(Vec<Part>);

enum Part {
    Text(String),
    Player(usize),
    Place,
}

/// Writes a round robin of at least this many games, `short` ones or whole ones.
pub(crate) fn write(
    path: &Path,
    games: u64,
    players: usize,
    series: u32,
    short: bool,
) -> io::Result<()> {
    let pairings = (players * (players - 1) / 2) as u64;
    let each =
        u32::try_from(games.div_ceil(pairings).next_multiple_of(2)).map_err(io::Error::other)?;
    let plan = Plan {
        format: Format::RoundRobin,
        players,
        games: each,
        series,
    };
    let mut schedule = Schedule::new(plan).map_err(io::Error::other)?;
    let (header, templates) = played(short)?;
    let header = header_of(header, each, players, series);
    let id = header["id"].as_str().unwrap_or_default().to_owned();
    let names: Vec<String> = (0..players).map(name).collect();

    let mut out = BufWriter::new(File::create(path)?);
    let mut text = Vec::new();
    writeln!(text, "{header}")?;
    let table = Crosstable::new(players);
    let mut next = 0;
    while let Some(round) = schedule.next_round(&table, &|_| false) {
        for series in round {
            let (number, [one, two]) = (series.number + 1, series.players);
            for game in series.first_game..series.first_game + series.games {
                // The games of a pair are each other's.
                let template = &templates[(2 * (next / 2) + game as usize % 2) % templates.len()];
                next += 1;
                let players = [names[one].as_str(), names[two].as_str()];
                template.write(&mut text, players, &id, number, game + 1)?;
            }
            let (round, games) = (series.round + 1, series.games);
            writeln!(
                text,
                "{{\"format\":\"battleship-series\",\"version\":1,\"contest\":\"{id}\",\"series\":{number},\"round\":{round},\
                 \"players\":[{one},{two}],\"games\":{games},\"cpu_ms\":[31,47],\"warnings\":[[],[]]}}"
            )?;
            if text.len() >= FRAME {
                out.write_all(&zstd::encode_all(&text[..], 1)?)?;
                text.clear();
            }
        }
    }
    out.write_all(&zstd::encode_all(&text[..], 1)?)?;
    out.flush()
}

fn name(player: usize) -> String {
    format!("player-{player:03}")
}

/// Plays the games; returns the header of their record, and a template of each.
fn played(short: bool) -> io::Result<(Value, Vec<Template>)> {
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("played.jsonl");
    let players = NAMES.map(|name| format!("{name}=mediocre"));
    let status = Command::new(env!("CARGO_BIN_EXE_referee"))
        .arg("match")
        .args(players)
        .args(if short { &SHORT[..] } else { &[] })
        .args(["--games", PLAYED, "--seed", "1", "--quiet", "--out"])
        .arg(&out)
        .stdout(Stdio::null())
        .status()?;
    assert!(status.success(), "{status}");
    let text = std::fs::read_to_string(out)?;
    let header = serde_json::from_str(text.lines().next().unwrap_or_default())?;
    let games = text
        .lines()
        .filter(|line| line.starts_with("{\"format\":\"battleship-game\""));
    Ok((header, games.map(Template::of).collect()))
}

fn header_of(mut header: Value, games: u32, players: usize, series: u32) -> Value {
    header["games"] = games.into();
    header["config"]["series"] = series.into();
    let player = header["config"]["players"][0].clone();
    let players = (0..players).map(|number| {
        let mut player = player.clone();
        player["name"] = name(number).into();
        player
    });
    header["config"]["players"] = players.collect();
    header
}

impl Template {
    fn of(line: &str) -> Template {
        let place = line.find("\"contest\":{").expect("a game of a contest");
        let end = place + line[place..].find('}').expect("the end of its place") + 1;
        let mut parts = names_in(&line[..place]);
        parts.push(Part::Place);
        parts.extend(names_in(&line[end..]));
        Template(parts)
    }

    fn write(
        &self,
        text: &mut Vec<u8>,
        players: [&str; 2],
        id: &str,
        series: usize,
        game: u32,
    ) -> io::Result<()> {
        for part in &self.0 {
            match part {
                Part::Text(part) => text.extend(part.as_bytes()),
                Part::Player(seat) => text.extend(players[*seat].as_bytes()),
                Part::Place => write!(
                    text,
                    "\"contest\":{{\"id\":\"{id}\",\"series\":{series},\"game\":{game}}}"
                )?,
            }
        }
        text.push(b'\n');
        Ok(())
    }
}

/// Cuts a text at the names of the players.
fn names_in(mut text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    loop {
        let found = [0, 1].map(|seat: usize| text.find(NAMES[seat]).map(|at| (at, seat)));
        let Some((at, seat)) = found.into_iter().flatten().min() else {
            parts.push(Part::Text(text.to_owned()));
            return parts;
        };
        parts.push(Part::Text(text[..at].to_owned()));
        parts.push(Part::Player(seat));
        text = &text[at + NAMES[seat].len()..];
    }
}
