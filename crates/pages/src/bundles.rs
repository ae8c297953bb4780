//! Bundles: a folder with everything about each bad game of a contest, and an index of these folders.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use bothost::text;

use super::plain::plain;
use engine::contest::{ContestEvent, Evidence, Reporter, replay_command};
use engine::record::{ContestConfig, GameRecord, InContest, RecordReader};
use engine::system;

/// More bundles than this show nothing new, and could fill a disk.
const MOST: usize = 100;

/// The file that lists the bundles.
const INDEX: &str = "index.txt";

/// The first line of that file, which tells the referee that it is its own.
const INDEX_HEAD: &str = "# Bundles of bad games. The commands work in this folder.";

/// Writes a folder for each bad game of a contest: `dialogue.txt`, `stderr-1.txt` and `stderr-2.txt` of the two
/// players, `game.json` and `repeat.sh`; and an index of all that are there.
#[derive(Debug)]
pub struct Bundles {
    folder: PathBuf,
    /// The folder in which the contest is played: paths in commands are relative to it.
    played_in: PathBuf,
    config: Option<ContestConfig>,
    /// Those of this contest so far and those that were there before.
    there: Vec<Bundle>,
    /// The number of them that belong to this run.
    new: usize,
}

/// A bundle that is there.
#[derive(Debug)]
struct Bundle {
    /// The name of its folder.
    name: String,
    /// The game, if it is of a contest.
    place: Option<InContest>,
    /// Its line in the index.
    line: String,
}

impl Bundle {
    fn new(name: String, game: &GameRecord) -> Bundle {
        let [one, two] = game
            .players
            .each_ref()
            .map(|player| text::name(&player.name));
        let reason = text::shown(game.reason.as_bytes());
        // A game in which a player placed no ships has no boards to show.
        let look = if game.fleets.iter().all(Option::is_some) {
            format!("referee replay {name}/game.json")
        } else {
            format!("cat {name}/dialogue.txt")
        };
        let line = format!(
            "{name}: {one} against {two}: {reason}; look: {look}; again: sh {name}/repeat.sh"
        );
        Bundle {
            name,
            place: game.contest.clone(),
            line,
        }
    }

    /// Returns the bundle in `folder`, or `None` if that is none.
    fn read(folder: &Path) -> Option<Bundle> {
        let game = game_in(folder)?;
        Some(Bundle::new(folder.file_name()?.to_str()?.to_owned(), &game))
    }
}

/// Returns the game whose bundle is in `folder`, or `None` if that is none.
pub(super) fn game_in(folder: &Path) -> Option<GameRecord> {
    let mut reader = RecordReader::open(&folder.join("game.json")).ok()?;
    reader.next_chunk().ok()??.games.pop()
}

impl Bundles {
    /// Writes them to `folder`, which is created if it does not exist. Bundles that are there already stay, and count.
    /// Commands work in the folder `played_in`; in the current one if `None`.
    ///
    /// # Errors
    /// If it cannot be created or read, or has an index of something else.
    pub fn new(folder: &Path, played_in: Option<&Path>) -> io::Result<Bundles> {
        fs::create_dir_all(folder)?;
        if let Ok(there) = fs::read(folder.join(INDEX))
            && !there.starts_with(INDEX_HEAD.as_bytes())
        {
            let what = format!("its {INDEX} is not a list of bundles; choose another folder");
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, what));
        }
        let mut there = Vec::new();
        for entry in fs::read_dir(folder)? {
            there.extend(Bundle::read(&entry?.path()));
        }
        let played_in =
            played_in.map_or_else(std::env::current_dir, |folder| Ok(folder.to_owned()))?;
        let bundles = Bundles {
            folder: folder.to_owned(),
            played_in,
            config: None,
            there,
            new: 0,
        };
        if bundles.count() > 0 {
            bundles.write_index()?;
        }
        Ok(bundles)
    }

    /// Returns the number of bundles that are there, of this run and of earlier ones.
    #[must_use]
    pub fn count(&self) -> usize {
        self.there.len()
    }

    /// Returns the number of bundles of this run.
    #[must_use]
    pub fn new_ones(&self) -> usize {
        self.new
    }

    fn leave(&mut self, game: &GameRecord, evidence: &Evidence) -> io::Result<()> {
        let (Some(config), Some(place)) = (&self.config, &game.contest) else {
            return Ok(());
        };
        // A series that was stopped is played again from its beginning, so the game may be here already.
        let there = self
            .there
            .iter()
            .position(|bundle| bundle.place.as_ref() == Some(place));
        // The rest of the bad games stay in the record, from which each can be replayed.
        if there.is_none() && self.count() >= MOST {
            return Ok(());
        }
        let script = script(game, &replay_command(config, &game.into()), &self.played_in);
        let old = there.map(|index| self.there.remove(index).name);
        let name = self.make_folder(game, old.as_deref())?;
        let folder = self.folder.join(&name);
        fs::write(folder.join("dialogue.txt"), &evidence.dialogue)?;
        for (number, (_, stderr)) in (1..).zip(&evidence.stderr) {
            // It is read on a terminal.
            fs::write(folder.join(format!("stderr-{number}.txt")), plain(stderr))?;
        }
        let mut json = serde_json::to_vec(game)?;
        json.push(b'\n');
        fs::write(folder.join("game.json"), json)?;
        fs::write(folder.join("repeat.sh"), script)?;
        system::make_executable(&folder.join("repeat.sh"))?;
        self.there.push(Bundle::new(name, game));
        self.new += 1;
        // Every time, so that it is right if the referee is stopped.
        self.write_index()
    }

    /// Makes the folder of a game's bundle, or gives the folder `old` of the same game its name. Returns the name.
    fn make_folder(&self, game: &GameRecord, old: Option<&str>) -> io::Result<String> {
        let base = format!("{}-{}", game.name().unwrap_or_default(), game.ended_by);
        if let Some(old) = old.filter(|old| old.starts_with(&base)) {
            return Ok(old.to_owned());
        }
        // Players whose names differ only by what a path should not have get numbers; and on some systems `A` is `a`.
        for number in 1.. {
            let name = if number == 1 {
                base.clone()
            } else {
                format!("{base}-{number}")
            };
            match fs::create_dir(self.folder.join(&name)) {
                Ok(()) => {
                    if let Some(old) = old {
                        fs::rename(self.folder.join(old), self.folder.join(&name))?;
                    }
                    return Ok(name);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        unreachable!("there is a free number")
    }

    fn write_index(&self) -> io::Result<()> {
        let mut bundles: Vec<&Bundle> = self.there.iter().collect();
        bundles.sort_by_key(|bundle| {
            let place = bundle.place.as_ref();
            (
                place.map(|place| (&place.id, place.series, place.game)),
                &bundle.name,
            )
        });
        let lines = bundles.iter().map(|bundle| bundle.line.as_str());
        let lines: Vec<&str> = std::iter::once(INDEX_HEAD).chain(lines).collect();
        fs::write(self.folder.join(INDEX), lines.join("\n") + "\n")
    }
}

/// Returns the script that plays a game again: `repeat` is the command, which works in the folder `played_in`.
fn script(game: &GameRecord, repeat: &str, played_in: &Path) -> Vec<u8> {
    let [one, two] = game
        .players
        .each_ref()
        .map(|player| text::name(&player.name));
    let reason = text::shown(game.reason.as_bytes());
    let number = game.contest.as_ref().map_or(1, |place| place.game);
    // Only a NUL cannot be quoted, and no path has one.
    let quoted = |path: &Path| {
        let path = path.as_os_str().as_encoded_bytes();
        shlex::bytes::try_quote(path).map_or_else(|_| path.to_vec(), std::borrow::Cow::into_owned)
    };
    let mut script = format!(
        "#!/bin/sh\n# {one} against {two}, game {number}: {reason}\n# A bot that remembers the games of its series may \
         play another one here. More options may follow.\nfolder="
    )
    .into_bytes();
    script.extend(quoted(played_in));
    script.extend_from_slice(
        b"\nif ! cd \"$folder\"; then\n    \
        echo \"repeat.sh: the folder in which the contest was played is gone: $folder\" >&2\n    exit 1\nfi\n",
    );
    // The referee may have been started by its path.
    if let Ok(referee) = std::env::current_exe() {
        let referee = quoted(&referee);
        script.extend_from_slice(b"if [ -x ");
        script.extend_from_slice(&referee);
        script.extend_from_slice(b" ]; then\n    referee() { ");
        script.extend_from_slice(&referee);
        script.extend_from_slice(b" \"$@\"; }\nfi\n");
    }
    script.extend_from_slice(format!("{repeat} \"$@\"\n").as_bytes());
    script
}

impl Reporter for Bundles {
    fn report(&mut self, event: &ContestEvent<'_>) -> io::Result<()> {
        match event {
            ContestEvent::Started { header, .. } => self.config = Some(header.config.clone()),
            ContestEvent::SeriesOver {
                games, evidence, ..
            } => {
                for (index, evidence) in *evidence {
                    self.leave(&games[*index], evidence)?;
                }
            }
            ContestEvent::GameOver(_)
            | ContestEvent::Disqualified { .. }
            | ContestEvent::Stopping
            | ContestEvent::Tick => {}
        }
        Ok(())
    }
}
