//! Bundles: a folder with everything about each bad game of a contest.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::contest::{ContestEvent, Evidence, Reporter, replay_command};
use crate::record::{ContestConfig, GameRecord};

/// More bundles than this show nothing new, and could fill a disk.
const MOST: usize = 100;

/// Writes a folder for each bad game of a contest: `dialogue.txt`, `stderr-1.txt` and `stderr-2.txt` of the two
/// players, `game.json` and `repeat.sh`.
#[derive(Debug)]
pub(crate) struct Bundles {
    folder: PathBuf,
    config: Option<ContestConfig>,
    left: usize,
}

impl Bundles {
    /// Writes them to `folder`, which is created if it does not exist.
    ///
    /// # Errors
    /// If it cannot be created.
    pub(crate) fn new(folder: &Path) -> io::Result<Bundles> {
        fs::create_dir_all(folder)?;
        Ok(Bundles { folder: folder.to_owned(), config: None, left: 0 })
    }

    /// Returns the number of bundles so far.
    pub(crate) fn count(&self) -> usize {
        self.left
    }

    fn leave(&mut self, game: &GameRecord, evidence: &Evidence) -> io::Result<()> {
        let (Some(config), Some(place)) = (&self.config, &game.contest) else { return Ok(()) };
        // Numbers and no names: a bot chooses its name, and could choose a path.
        let folder = self.folder.join(format!("series-{}-game-{}", place.series, place.game));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("dialogue.txt"), &evidence.dialogue)?;
        for (number, (_, stderr)) in (1..).zip(&evidence.stderr) {
            fs::write(folder.join(format!("stderr-{number}.txt")), stderr)?;
        }
        let mut json = serde_json::to_vec(game)?;
        json.push(b'\n');
        fs::write(folder.join("game.json"), json)?;
        let repeat = replay_command(config, &game.into());
        let (series, number) = (place.series, place.game);
        let script = format!(
            "#!/bin/sh\n# Game {number}, in series {series}: {}\n# A bot that remembers the games of its series may \
             play another one here.\n{repeat}\n",
            game.reason
        );
        fs::write(folder.join("repeat.sh"), script)?;
        self.left += 1;
        Ok(())
    }
}

impl Reporter for Bundles {
    fn report(&mut self, event: &ContestEvent<'_>) -> io::Result<()> {
        match event {
            ContestEvent::Started { header, .. } => self.config = Some(header.config.clone()),
            ContestEvent::SeriesOver { games, evidence, .. } => {
                for (index, evidence) in *evidence {
                    // The rest of the bad games stay in the record, from which each can be replayed.
                    if self.left < MOST {
                        self.leave(&games[*index], evidence)?;
                    }
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
