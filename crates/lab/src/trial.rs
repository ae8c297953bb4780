//! A trial: two versions of a bot play the same games, each pair of them with the same luck, and
//! it is counted which scores more.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use arena::command::PrintedCommand;
use arena::contest::{
    Checked, ContestError, ContestSetup, Lanes, PairSeeds, PlayedSeries, play_until,
};
use arena::game::{EndedBy, Entrant, tell_apart};
use arena::record::{
    ContestConfig, ContestFile, ContestHeader, ListedPlayer, SandboxOfGame, identify,
};
use arena::result::JUDGE_FAILURES;
use arena::terms::GameTerms;
use battleship::game_reader::READERS;
use bothost::{Interrupt, Launch, Side};
use league::schedule::{Format, Series};
use league::statistics::{Outcome, Pentanomial};
use wire::game::Game;

use crate::LabError;

/// The games that two processes play: enough to learn from, and few, so that several lanes share
/// them.
pub(crate) const SERIES: u32 = 10;

/// The settings that all games of a tool share.
#[derive(Debug)]
pub struct Bench {
    /// The game.
    pub game: Arc<dyn Game>,
    /// The terms of the games.
    pub terms: GameTerms,
    /// The settings for starting bots.
    pub launch: Launch,
    /// The sandbox, after it has been tried.
    pub sandbox: Option<SandboxOfGame>,
    /// The number of games that are played at once.
    pub lanes: Lanes,
    /// The interrupt that stops the tool.
    pub interrupt: Arc<Interrupt>,
}

/// The result of a trial.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tried {
    /// The pairs of games, as the new version sees them.
    pub(crate) pairs: Pentanomial,
    /// The games that it lost by a fault of its own.
    pub(crate) faults: u64,
    /// The reason why it lost the first of them.
    pub(crate) first_fault: Option<String>,
}

/// One seed for all: a player of a game with the same number plays with the same luck.
#[derive(Debug)]
pub(crate) struct SameLuck {
    pub(crate) seed: u64,
    /// Whether both games of a pair have the same luck too: then a version draws each pair against
    /// its own copy, if its seeds decide all.
    pub(crate) in_pairs: bool,
}

impl PairSeeds for SameLuck {
    fn seed_of(&self, _series: &Series) -> u64 {
        self.seed
    }

    fn luck_of(&self, index: u32) -> u32 {
        if self.in_pairs { index / 2 * 2 } else { index }
    }
}

impl Bench {
    /// Returns the setup of `games` games of each pairing of `players`, who are called `recorded`
    /// in the record.
    pub(crate) fn setup(
        &self,
        players: Vec<Entrant>,
        recorded: Vec<ListedPlayer>,
        games: u32,
        luck: SameLuck,
    ) -> ContestSetup {
        let config = ContestConfig {
            schedule: Format::RoundRobin,
            games: None,
            series: SERIES,
            restart: false,
            seed: luck.seed,
            terms: self.terms.clone(),
            game: self.game.settings(),
            max_faults: None,
            players: recorded,
        };
        ContestSetup {
            header: ContestHeader::new(config, games, None),
            profiles: vec![Checked::default(); players.len()],
            unfit: vec![None; players.len()],
            game: self.game.clone(),
            entrants: players,
            starter: Arc::new(self.launch.clone()),
            sandbox: self.sandbox.clone(),
            pair_seeds: Some(Arc::new(luck)),
            file_watch: None,
            own_files: Vec::new(),
        }
    }

    /// Plays the first of two versions against the second, or both against `opponent`, until
    /// `stop`. Writes the record to `path` in the end. Returns `None` if it was stopped.
    ///
    /// # Errors
    /// If the record cannot be written, if a program cannot be read, if the machine fails, or if
    /// the judge does in several games in a row.
    pub(crate) fn run_trial(
        &self,
        versions: [Entrant; 2],
        opponent: Option<&Entrant>,
        seed: u64,
        games: u32,
        path: &Path,
        stop: &Arc<Interrupt>,
    ) -> Result<Option<Tried>, LabError> {
        let mut players: Vec<Entrant> = versions.into_iter().chain(opponent.cloned()).collect();
        // The winner of a game is known by its name.
        tell_apart(&mut players);
        let programs: Vec<_> = players.iter().map(|player| &player.program).collect();
        let recorded = players
            .iter()
            .zip(identify(&programs, &[]))
            .map(|(player, identity)| ListedPlayer {
                program: identity.digest,
                files: identity.files,
                dir: player.dir.clone(),
                ..ListedPlayer::called(player.name.clone(), player.program.command_line.clone())
            })
            .collect();
        let luck = SameLuck {
            seed,
            in_pairs: true,
        };
        let setup = self.setup(players, recorded, games, luck);
        let pairings: &[_] = if opponent.is_some() {
            &[[0, 2], [1, 2]]
        } else {
            &[[0, 1]]
        };
        let series = series(games, pairings);
        let Some(played) = play_until(&setup, &self.lanes, &series, stop)? else {
            return Ok(None);
        };
        let mut record = ContestFile::create(path, true, READERS)?;
        record.append_header(&setup.header)?;
        let mut lines = Vec::new();
        for series in &played {
            series.write_to(&mut lines);
        }
        record.append(&lines)?;
        let mut in_a_row = 0;
        for game in played.iter().flat_map(|series| &series.games) {
            let has_failed = game.ended_by == EndedBy::JudgeFailed;
            in_a_row = if has_failed { in_a_row + 1 } else { 0 };
            if in_a_row == JUDGE_FAILURES {
                let error = ContestError::JudgeFailed {
                    reason: game.reason.clone(),
                    game: game.name().unwrap_or_default(),
                    check: PrintedCommand::check_judge(&*self.game),
                };
                return Err(LabError::Io(io::Error::other(error)));
            }
        }
        Ok(Some(compared(&played, opponent.is_some())))
    }
}

/// Returns the series of `games` games of each pairing. Their numbers follow each other in the
/// order of the pairings, and games of the same number have the same luck.
pub(crate) fn series(games: u32, pairings: &[[usize; 2]]) -> Vec<Series> {
    let mut all = Vec::new();
    for first_game in (0..games).step_by(SERIES as usize) {
        for players in pairings {
            all.push(Series {
                number: all.len(),
                round: 0,
                players: *players,
                first_game,
                games: SERIES.min(games - first_game),
            });
        }
    }
    all
}

/// Returns the result of the first version's games. A game against an opponent counts for the
/// version that scored more in it.
fn compared(played: &[PlayedSeries], has_opponent: bool) -> Tried {
    let mut tried = Tried::default();
    let mut versions: [BTreeMap<u32, Outcome>; 2] = Default::default();
    for PlayedSeries { series, games, .. } in played {
        let version = series.players[0];
        for (index, game) in (series.first_game..).zip(games) {
            if let Some(outcomes) = game.outcomes() {
                versions[version].insert(index, outcomes.one);
            }
            if version == 0 && game.ended_by.is_fault() && game.by == Some(Side::One) {
                tried.faults += 1;
                tried.first_fault.get_or_insert_with(|| game.reason.clone());
            }
        }
    }
    let [new, old] = versions;
    let outcome = |index: u32| {
        let new = *new.get(&index)?;
        if !has_opponent {
            return Some(new);
        }
        let old = old.get(&index)?;
        Some(match new.half_points().cmp(&old.half_points()) {
            Ordering::Less => Outcome::Loss,
            Ordering::Equal => Outcome::Draw,
            Ordering::Greater => Outcome::Win,
        })
    };
    for index in new.keys().copied().filter(|index| index % 2 == 0) {
        if let (Some(one), Some(other)) = (outcome(index), outcome(index + 1)) {
            tried.pairs.add([one, other]);
        }
    }
    tried
}
