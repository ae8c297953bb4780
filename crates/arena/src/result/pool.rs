//! The games of many records together.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use bothost::BySide;
use sha2::{Digest, Sha256};
use thiserror::Error;
use wire::game::Readers;

use super::Tally;
use super::scoreboard::{ScoreboardError, read_contest};
use crate::record::{
    Chunk, ContestHeader, GameLine, ListedPlayer, RecordError, RecordReader, SeriesRecord,
    hexadecimal,
};
use league::schedule::MOST_PLAYERS;

/// The players that count. Games with another player do not count.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// If there are any: only these.
    pub only: Vec<String>,
    /// Not these.
    pub without: Vec<String>,
}

impl Choice {
    fn takes(&self, name: &String) -> bool {
        (self.only.is_empty() || self.only.contains(name)) && !self.without.contains(name)
    }
}

/// Returns a digest of the identity of a game: its players, by their numbers, its rules, seed, turns
/// and result. A copy of a game has the same digest.
fn digest_of_game(players: [usize; 2], game: &GameLine) -> u64 {
    let mut digest = Sha256::new();
    for number in players.into_iter().chain([game.first.index()]) {
        digest.update(number.to_le_bytes());
    }
    digest.update(game.seed.to_le_bytes());
    digest.update(game.stats.game_hash.to_le_bytes());
    let winner = game
        .players
        .as_ref()
        .map(|player| game.winner.as_ref() == Some(&player.name));
    digest.update([u8::from(winner.one), u8::from(winner.two)]);
    for text in [&*game.rules, game.ended_by.word()] {
        digest.update(text.as_bytes());
        digest.update([0]);
    }
    let digest = digest.finalize();
    u64::from_le_bytes(std::array::from_fn(|byte| digest[byte]))
}

/// The games of all records that have been read, in a few bytes each. Players are the
/// same if they have the same name and program.
#[derive(Debug)]
pub struct RecordPool {
    choice: Choice,
    /// The readers of the games that can be in the records.
    readers: Readers,
    /// The players that count, in the order in which they turned up: the numbers in the tally.
    entrants: Vec<ListedPlayer>,
    /// The versions of each name seen so far.
    versions: HashMap<String, Vec<Version>>,
    /// The numbers of the players of the record that is being read.
    here: HashMap<String, Option<usize>>,
    /// The newest version of each name, if only those count.
    latest: HashMap<String, ListedPlayer>,
    tally: Tally,
    /// The games that have been counted, by their digests.
    games: HashSet<u64>,
    unfinished: u64,
    warnings: Vec<String>,
    /// The players that were disqualified in one of the files.
    disqualified: HashSet<String>,
}

/// Receives a game of a record: the numbers of its players if it counts, the game, and whether it
/// is of a series that was not played to its end.
pub(super) type OnGame<'h> = dyn FnMut(Option<[usize; 2]>, &GameLine, bool) + 'h;

/// The reason why a record cannot be counted.
#[derive(Debug, Error)]
pub enum PoolError {
    /// It cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// More than [`MOST_PLAYERS`].
    #[error("{}: with it there are more than {MOST_PLAYERS} players; choose some with --only", .0.display())]
    TooManyPlayers(PathBuf),
}

impl RecordPool {
    /// Returns a pool without games, for records whose games `readers` read.
    #[must_use]
    pub fn new(choice: Choice, readers: Readers) -> RecordPool {
        RecordPool {
            choice,
            readers,
            entrants: Vec::new(),
            versions: HashMap::new(),
            here: HashMap::new(),
            latest: HashMap::new(),
            tally: Tally::new(0),
            games: HashSet::new(),
            unfinished: 0,
            warnings: Vec::new(),
            disqualified: HashSet::new(),
        }
    }

    /// Returns for each player whether it was disqualified in one of the records; it then has no
    /// games there.
    pub fn out(&self) -> impl Iterator<Item = bool> {
        self.entrants
            .iter()
            .zip(&self.tally.players)
            .map(|(player, tally)| {
                tally.games == 0 && (player.cannot_play || self.disqualified.contains(&player.name))
            })
    }

    /// Lets only the newest version of each name count: that of the record whose contest began
    /// last. Of records that began at the same time it is the one that `paths` has last, with a
    /// warning. A record
    /// of 1.0.0 does not say when: the time of its file counts.
    ///
    /// # Errors
    /// If a record cannot be read.
    pub fn only_latest(&mut self, paths: &[PathBuf]) -> Result<(), PoolError> {
        let mut headers = Vec::new();
        for path in paths {
            if let Some(header) = RecordReader::open(path, self.readers)?.last_header()? {
                let began = match header.time {
                    Some(time) => Some(UNIX_EPOCH + Duration::from_secs(time)),
                    None => path.metadata().and_then(|file| file.modified()).ok(),
                };
                headers.push((began, path, header));
            }
        }
        headers.sort_by_key(|(began, ..)| *began);
        let mut newest = HashMap::new();
        for (began, path, header) in headers {
            for player in header.config.players {
                let earlier = self.latest.insert(player.name.clone(), player.clone());
                let other = newest.insert(player.name.clone(), (began, path));
                // Copies of files may all have the time of the copy.
                if let Some((other_began, other_path)) = other
                    && other_began == began
                    && earlier.is_some_and(|earlier| !is_same_version(&earlier, &player))
                {
                    self.warnings.push(format!(
                        "--latest: {} and {} have different programs of {} and the same time, so the one that is named last \
                         counts: {}; name the newest record last",
                        other_path.display(),
                        path.display(),
                        player.name,
                        path.display()
                    ));
                }
            }
        }
        Ok(())
    }

    /// Counts the games of the record at `path`, but not those of players that were disqualified in
    /// its contest. `on_game` receives every game in it: the numbers of its players if it counts,
    /// the game, and whether it is of a series that was not played to its end.
    ///
    /// # Errors
    /// If it cannot be read, or if a line of it makes no sense.
    pub fn add_file(&mut self, path: &Path, on_game: &mut OnGame<'_>) -> Result<(), PoolError> {
        // Games of two contests in one file count, but not as one contest.
        let out = disqualified(path, self.readers).unwrap_or_else(|error| {
            let warning = format!("{error}; nobody is disqualified by the games of this file");
            self.warnings.push(warning);
            BTreeMap::new()
        });
        for (name, games) in &out {
            self.warnings.push(format!(
                "{}: {name} was disqualified there; its {games} games do not count",
                path.display()
            ));
            self.disqualified.insert(name.clone());
        }
        let mut reader = RecordReader::open(path, self.readers)?;
        let mut met = 0;
        let mut known = 0;
        self.here.clear();
        loop {
            // The header is known once the first chunk has been read. It is looked at before the
            // games, as it alone has the fingerprints of the programs; and for an empty record too,
            // so that its players have a place.
            let chunk = reader.next_chunk()?;
            if let Some(header) = reader
                .header()
                .filter(|header| header.config.players.len() > met)
            {
                if met == 0 && header.config.max_faults.is_some() && !path.is_file() {
                    self.warnings.push(format!(
                        "{}: this is not a file and can be read only once, so the games of players that were disqualified \
                         there count; name a file to leave them out",
                        path.display()
                    ));
                }
                for player in &header.config.players[met..] {
                    let number = self.meet(player, path)?;
                    self.here.insert(player.name.clone(), number);
                }
                // Another header may have more players.
                met = header.config.players.len();
            }
            let Some(chunk) = chunk else { break };
            known += self.add(&chunk, path, &out, on_game)?;
        }
        if known > 0 {
            let games = if known == 1 { "game" } else { "games" };
            self.warnings.push(format!(
                "{}: {known} {games} with the same players, seed and turns came before and count once",
                path.display()
            ));
        }
        self.warnings.extend(reader.remarks());
        Ok(())
    }

    /// Returns the players that count, in the order in which they turned up.
    #[must_use]
    pub fn entrants(&self) -> &[ListedPlayer] {
        &self.entrants
    }

    /// Returns the sums of their games; the players are in the same order.
    #[must_use]
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Returns the number of series that were not played to their end. Their games count.
    #[must_use]
    pub const fn unfinished(&self) -> u64 {
        self.unfinished
    }

    /// Returns the irregularities of the records, in a sentence each.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns the first name that was chosen, but turned up nowhere.
    pub fn missing(&self) -> Option<&str> {
        let Choice { only, without, .. } = &self.choice;
        let missing = only
            .iter()
            .chain(without)
            .find(|name| !self.versions.contains_key(*name));
        missing.map(String::as_str)
    }

    /// Returns the names of the first twenty players of the records, chosen or not, in the order of
    /// the alphabet.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.versions.keys().map(String::as_str).collect();
        names.sort_unstable();
        names.truncate(20);
        names
    }

    /// Counts the games of `chunk`; returns how many of them were known, and so did not count.
    fn add(
        &mut self,
        chunk: &Chunk,
        path: &Path,
        out: &BTreeMap<String, u64>,
        on_game: &mut OnGame<'_>,
    ) -> Result<usize, PoolError> {
        let Some(first) = chunk.games.first() else {
            return Ok(0);
        };
        let mut seats = None;
        let mut known = 0;
        for (line, game) in (chunk.line..).zip(&chunk.games) {
            // Here and not in the reader: a replay can show such a game, but counting it would
            // panic or credit the wrong player.
            check(game).map_err(|what| RecordError::Line {
                path: path.to_owned(),
                line,
                what: what.to_owned(),
            })?;
            seats = self.seats(game, path)?;
            if game
                .players
                .iter()
                .any(|(_, player)| out.contains_key(&player.name))
            {
                seats = None;
            }
            if let Some(players) = seats {
                if self.games.insert(digest_of_game(players, game)) {
                    self.tally.add_game(players, game);
                } else {
                    seats = None;
                    known += 1;
                }
            }
            on_game(seats, game, chunk.end.is_none() && first.contest.is_some());
        }
        match (&chunk.end, &first.contest, seats) {
            (Some(end), _, Some(players)) => {
                self.tally.add_end(&SeriesRecord {
                    players,
                    ..end.clone()
                });
            }
            (None, Some(place), Some(_)) => {
                self.unfinished += 1;
                let path = path.display();
                let games = chunk.games.len();
                let series = place.series;
                self.warnings.push(format!(
                    "{path}: series {series} was not played to its end; its {games} games count"
                ));
            }
            (None, None, Some(_)) | (_, _, None) => {}
        }
        Ok(known)
    }

    /// Returns the numbers of a game's players, if both count.
    fn seats(&mut self, game: &GameLine, path: &Path) -> Result<Option<[usize; 2]>, PoolError> {
        let mut seats = BySide::default();
        for (side, player) in &game.players {
            seats[side] = match self.here.get(&player.name) {
                // Players of a contest were met in its header. A game of no contest has to tell the
                // command itself.
                Some(number) if game.contest.is_some() => *number,
                _ => {
                    let name = player.name.clone();
                    let command = player.command.clone();
                    self.meet(&ListedPlayer::called(name, command), path)?
                }
            };
        }
        let BySide { one, two } = seats;
        Ok(one.zip(two).map(|(one, two)| [one, two]))
    }

    /// Returns the number of a player, which may be new; `None` if it does not count.
    fn meet(&mut self, player: &ListedPlayer, path: &Path) -> Result<Option<usize>, PoolError> {
        let versions = self.versions.entry(player.name.clone()).or_default();
        // The last one first: it is the one that a player without a digest is most likely to be.
        let known = versions
            .iter_mut()
            .rev()
            .find(|version| is_same_version(&version.player, player));
        if let Some(known) = known {
            if known.player.program.is_none() {
                known.player.program.clone_from(&player.program);
                known.player.files.clone_from(&player.files);
            }
            return Ok(known.number);
        }
        let is_latest = self
            .latest
            .get(&player.name)
            .is_none_or(|latest| is_same_version(latest, player));
        let counts = self.choice.takes(&player.name) && is_latest;
        let number = counts.then_some(self.entrants.len());
        // The tables grow with the square of the number of players.
        if number == Some(MOST_PLAYERS) {
            return Err(PoolError::TooManyPlayers(path.to_owned()));
        }
        // Players that do not count are remembered too, so that a name that was chosen and never
        // turned up can be reported.
        let player = player.clone();
        if number.is_some() {
            self.entrants.push(player.clone());
            self.tally.grow_to(self.entrants.len());
        }
        versions.push(Version {
            player,
            number,
            path: path.to_owned(),
        });
        Ok(number)
    }

    /// Tells versions of one name apart, once all files have been added: by the first digits of a
    /// digest of the program, its command and its folder. Warns of such names.
    pub fn name_versions(&mut self) {
        let mut several: Vec<_> = self.versions.iter().collect();
        several.sort_unstable_by_key(|(name, _)| *name);
        for (name, versions) in several {
            let counted: Vec<_> = versions
                .iter()
                .filter(|version| version.number.is_some())
                .collect();
            if counted.len() < 2 {
                continue;
            }
            let mut shown = Vec::new();
            for version in &counted {
                let suffix = suffix(&version.player);
                shown.push(format!("{name} {suffix} of {}", version.path.display()));
                if let Some(number) = version.number {
                    self.entrants[number].name = format!("{name} {suffix}");
                }
            }
            self.warnings.push(format!(
                "{name} has {} versions: {}; --latest counts the newest only",
                counted.len(),
                shown.join(", ")
            ));
        }
    }
}

/// A player under one name.
#[derive(Debug)]
struct Version {
    player: ListedPlayer,
    /// Its number in the tally; `None` if it does not count.
    number: Option<usize>,
    /// The record in which it turned up first.
    path: PathBuf,
}

/// Returns whether two players of one name are the same program, started in the same way, as far as
/// that is known.
fn is_same_version(one: &ListedPlayer, other: &ListedPlayer) -> bool {
    // A single game does not say in which folder a player was started, nor what it consists of.
    let is_single = |player: &ListedPlayer| player.program.is_none() && player.files.is_none();
    let same_start = one.command == other.command
        && (one.dir == other.dir || is_single(one) || is_single(other));
    // A digest without files is of a student's folder: it says nothing of the others.
    let comparable = one.files.is_some() == other.files.is_some();
    let differ = one
        .program
        .as_ref()
        .zip(other.program.as_ref())
        .is_some_and(|(a, b)| a != b);
    same_start && !(comparable && differ)
}

/// Returns the mark of a version of a player, in brackets.
fn suffix(player: &ListedPlayer) -> String {
    let ListedPlayer {
        program,
        command,
        dir,
        ..
    } = player;
    let text = format!("{program:?} {command:?} {dir:?}");
    let mut digits = hexadecimal(&Sha256::digest(text));
    digits.truncate(6);
    format!("[{digits}]")
}

/// Returns the players that were disqualified in the contest whose record is at `path`, with the
/// number of their games. A record does not name them, so its series are counted.
fn disqualified(path: &Path, readers: Readers) -> Result<BTreeMap<String, u64>, ScoreboardError> {
    // An input that is not a file can be read only once.
    if !path.is_file() {
        return Ok(BTreeMap::new());
    }
    let mut reader = RecordReader::open(path, readers)?;
    reader.next_chunk()?;
    // Counting all series twice is slow, so matches without a bound are left out.
    let has_bound = |header: &ContestHeader| {
        header.config.max_faults.is_some() || header.config.players.len() > 2
    };
    if !reader.header().is_some_and(has_bound) {
        return Ok(BTreeMap::new());
    }
    let contest = read_contest(path, readers, &mut |_, _, _| {})?;
    Ok(contest.map_or_else(BTreeMap::new, |contest| contest.board.disqualified()))
}

/// Checks what counting a game depends on.
pub(super) fn check(game: &GameLine) -> Result<(), &'static str> {
    let BySide { one, two } = game.players.as_ref().map(|player| &player.name);
    if one == two {
        return Err("both players of this game have the same name");
    }
    if game
        .winner
        .as_ref()
        .is_some_and(|winner| winner != one && winner != two)
    {
        return Err("the winner of this game did not play it");
    }
    Ok(())
}
