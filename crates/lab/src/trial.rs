//! A trial: two versions of a bot play the same games, each pair of them with the same luck, and it is counted which scores more.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use arena::contest::{
    Checked, Contest, ContestError, ContestEvent, ContestSetup, Fixtures, Lanes, OpenRecord,
    PairSeeds,
};
use arena::game::{Entrant, tell_apart};
use arena::record::{ContestConfig, ContestHeader, ListedPlayer, SandboxOfGame, identify};
use arena::result::Finish;
use arena::terms::GameTerms;
use bothost::{Interrupt, Launch, Side};
use league::schedule::{Format, Series};
use league::statistics::{Outcome, Pentanomial};
use wire::game::{Game, Readers};
use wire::{Listener, Stop};

/// The games that two processes play unless it is said: enough to learn from, and few, so that several lanes share them.
pub(crate) const SERIES: u32 = 10;

/// Games that each of some pairings plays. Those of the same number have the same luck.
#[derive(Debug)]
pub(crate) struct SameGames<'g> {
    pub(crate) game: &'g Arc<dyn Game>,
    pub(crate) terms: &'g GameTerms,
    pub(crate) launch: &'g Launch,
    pub(crate) sandbox: Option<&'g SandboxOfGame>,
    pub(crate) seed: u64,
    /// The games of each pairing.
    pub(crate) games: u32,
    /// The games that two processes play.
    pub(crate) series: u32,
}

impl SameGames<'_> {
    /// Returns how `players` play, who are called `recorded` in the record.
    pub(crate) fn setup(
        &self,
        players: Vec<Entrant>,
        recorded: Vec<ListedPlayer>,
        luck: impl PairSeeds + 'static,
    ) -> ContestSetup {
        let config = ContestConfig {
            schedule: Format::RoundRobin,
            games: None,
            series: self.series,
            restart: false,
            seed: self.seed,
            terms: self.terms.clone(),
            game: self.game.settings(),
            max_faults: None,
            players: recorded,
        };
        ContestSetup {
            header: ContestHeader::new(config, self.games, None),
            profiles: vec![Checked::default(); players.len()],
            unfit: vec![None; players.len()],
            game: self.game.clone(),
            entrants: players,
            starter: Arc::new(self.launch.clone()),
            sandbox: self.sandbox.cloned(),
            pair_seeds: Some(Arc::new(luck)),
        }
    }

    /// Returns the series, whose numbers follow each other in the order of the pairings.
    pub(crate) fn series(&self, pairings: &[[usize; 2]]) -> Vec<Series> {
        let begins = (0..self.games).step_by(self.series as usize);
        let series = begins.flat_map(|first| pairings.iter().map(move |pairing| (first, *pairing)));
        let series = series.enumerate().map(|(number, (first_game, players))| {
            let games = self.series.min(self.games - first_game);
            Series {
                number,
                round: 0,
                players,
                first_game,
                games,
            }
        });
        series.collect()
    }
}

/// The settings of a trial.
#[derive(Debug)]
pub struct Trial<'t> {
    /// The game.
    pub game: &'t Arc<dyn Game>,
    /// The readers of the games that its record can have.
    pub readers: Readers,
    /// The terms of the games.
    pub terms: &'t GameTerms,
    /// The settings for starting bots.
    pub launch: &'t Launch,
    /// The sandbox, after it has been tried.
    pub sandbox: Option<SandboxOfGame>,
    /// The number of games that are played at once.
    pub lanes: &'t Lanes,
    /// The seed of all luck.
    pub seed: u64,
    /// The games of the new version, an even number.
    pub games: u32,
    /// The interrupt that breaks it off, running games too.
    pub stop: &'t Arc<Interrupt>,
}

/// The result of a trial.
#[derive(Clone, Debug, Default)]
pub struct Tried {
    /// The pairs of games, as the new version sees them.
    pub pairs: Pentanomial,
    /// The games that it lost by a fault of its own.
    pub faults: u64,
    /// The reason why it lost the first of them.
    pub first_fault: Option<String>,
}

/// The same luck for all who play a pair of games: a version against its own copy draws each pair, if its seeds decide all.
#[derive(Debug)]
struct SameLuck(u64);

impl PairSeeds for SameLuck {
    fn seed_of(&self, _players: [usize; 2]) -> u64 {
        self.0
    }

    fn luck_of(&self, index: u32) -> u32 {
        index / 2 * 2
    }
}

impl Trial<'_> {
    /// Plays the new version against the old one, or both against `opponent`, and writes the record to `path`. Returns `None`
    /// if it was stopped: there is no record then.
    ///
    /// # Errors
    /// If the record cannot be written, if a program cannot be read, or if the referee or its machine fails.
    pub fn run(
        &self,
        versions: [Entrant; 2],
        opponent: Option<&Entrant>,
        path: &Path,
    ) -> Result<Option<Tried>, ContestError> {
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
            });
        let recorded = recorded.collect();
        let Trial {
            game,
            terms,
            launch,
            seed,
            games,
            ..
        } = *self;
        let games = SameGames {
            game,
            terms,
            launch,
            sandbox: self.sandbox.as_ref(),
            seed,
            games,
            series: SERIES,
        };
        let setup = games.setup(players, recorded, SameLuck(seed));
        let pairings: &[_] = if opponent.is_some() {
            &[[0, 2], [1, 2]]
        } else {
            &[[0, 1]]
        };
        let contest = Contest {
            setup: &setup,
            fixtures: Fixtures::List(games.series(pairings)),
            disqualifies: false,
            lanes: self.lanes,
            record: Some(OpenRecord::open(path, false, true, self.readers)?),
            sprt: None,
            interrupt: self.stop,
            breaks_off: Some(self.stop),
            watched: None,
        };
        let mut count = Count::default();
        if contest.run(&mut count)?.finish == Finish::Interrupted {
            std::fs::remove_file(path)?;
            return Ok(None);
        }
        Ok(Some(count.finish(opponent.is_some())))
    }
}

/// One seed for all: a player of a game with the same number plays with the same luck.
#[derive(Debug)]
pub(crate) struct SameSeeds(pub(crate) u64);

impl PairSeeds for SameSeeds {
    fn seed_of(&self, _players: [usize; 2]) -> u64 {
        self.0
    }
}

/// The score of the versions so far, game by game.
#[derive(Default)]
struct Count {
    versions: [BTreeMap<u32, Outcome>; 2],
    tried: Tried,
}

impl Listener<ContestEvent<'_>> for Count {
    fn on_event(&mut self, event: &ContestEvent<'_>) -> Result<(), Stop> {
        let ContestEvent::SeriesOver { series, games, .. } = event else {
            return Ok(());
        };
        let version = series.players[0];
        for (index, game) in (series.first_game..).zip(*games) {
            if let Some(outcomes) = game.outcomes() {
                self.versions[version].insert(index, outcomes.one);
            }
            if version == 0 && game.ended_by.is_fault() && game.by == Some(Side::One) {
                self.tried.faults += 1;
                self.tried
                    .first_fault
                    .get_or_insert_with(|| game.reason.clone());
            }
        }
        Ok(())
    }
}

impl Count {
    fn finish(mut self, has_opponent: bool) -> Tried {
        let [new, old] = &self.versions;
        // A game against an opponent counts for the version that scored more in it.
        let outcome = |index: u32| {
            let new = *new.get(&index)?;
            if !has_opponent {
                return Some(new);
            }
            Some(
                match new.half_points().cmp(&old.get(&index)?.half_points()) {
                    std::cmp::Ordering::Less => Outcome::Loss,
                    std::cmp::Ordering::Equal => Outcome::Draw,
                    std::cmp::Ordering::Greater => Outcome::Win,
                },
            )
        };
        for index in new.keys().copied().filter(|index| index % 2 == 0) {
            if let (Some(one), Some(other)) = (outcome(index), outcome(index + 1)) {
                self.tried.pairs.add([one, other]);
            }
        }
        self.tried
    }
}
