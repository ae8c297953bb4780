//! The setup of the games of the bots of a class.

use std::sync::Arc;

use league::schedule::{Format, Series};
use sha2::{Digest, Sha256};

use crate::choice::Purpose;
use crate::class::short;
use crate::secret::Secret;
use crate::{Bot, BotKey, Class, ClassError};
use arena::contest::{Checked, ContestSetup, PairSeeds};
use arena::game::Entrant;
use arena::record::{ContestConfig, ContestHeader, ListedPlayer, SandboxOfGame};

/// A part of the digests from which seeds and the folders of pools follow: the default of an option
/// of version 1.0.0, so that classes of that version keep theirs.
pub(crate) const SEED: u64 = 1;

/// The seeds of the matches of each two bots.
#[derive(Debug)]
struct SeedsOfPairs {
    keys: Vec<BotKey>,
    secret: Secret,
}

impl PairSeeds for SeedsOfPairs {
    fn seed_of(&self, series: &Series) -> u64 {
        let purpose = if series.round == round_of(Purpose::Requirement) {
            Purpose::Requirement
        } else {
            Purpose::Rating
        };
        let keys = series.players.map(|player| &self.keys[player]);
        seed_of_match(keys, purpose, self.secret)
    }
}

/// A round of the contest has the series of one purpose.
fn round_of(purpose: Purpose) -> usize {
    match purpose {
        Purpose::Rating => 0,
        Purpose::Requirement => 1,
    }
}

impl Class {
    /// Returns what `bots` play under, each two of them as in a match of their own. `number` tells
    /// their contest from others of the class. The order of the bots is that of the setup's
    /// players.
    ///
    /// # Errors
    /// If one of them cannot be started at all.
    pub(crate) fn setup(
        &self,
        bots: &[Bot],
        number: u64,
        sandbox: Option<SandboxOfGame>,
    ) -> Result<ContestSetup, ClassError> {
        let entrants: Vec<Entrant> = bots
            .iter()
            .map(|bot| self.entrant(bot))
            .collect::<Result<_, _>>()?;
        let players = bots
            .iter()
            .zip(&entrants)
            .map(|(bot, entrant)| ListedPlayer {
                submission: !bot.key.is_staff(),
                ..recorded(bot, entrant)
            });
        let series = self.config.play.series();
        // Players of one game are restarted for each of theirs, whatever the contest of all of them
        // says.
        let restart = self.config.play.restart == Some(true);
        let contest = self.contest(players.collect(), number, restart);
        Ok(ContestSetup {
            game: self.game.game.clone(),
            header: ContestHeader::new(contest, series, None),
            profiles: vec![Checked::default(); bots.len()],
            unfit: vec![None; bots.len()],
            starter: Arc::new(self.terms.launch(self.host.program.clone())),
            sandbox,
            file_watch: None,
            own_files: self.folder.not_of_teacher(),
            pair_seeds: Some(Arc::new(SeedsOfPairs {
                keys: bots.iter().map(|bot| bot.key.clone()).collect(),
                secret: self.secret,
            })),
            entrants,
        })
    }

    /// Returns the series of this number, from 0, of two players of a setup.
    pub(crate) fn series(&self, players: [usize; 2], purpose: Purpose, number: u32) -> Series {
        let games = self.config.play.series();
        Series {
            number: number as usize,
            round: round_of(purpose),
            players,
            first_game: number.saturating_mul(games),
            games,
        }
    }

    /// Returns the header of the record of two bots, whose series are those of one match: any part
    /// of them is a record of it. It ends with the series of this number, from 0.
    pub(crate) fn header_of(
        &self,
        bots: [&Bot; 2],
        entrants: [&Entrant; 2],
        purpose: Purpose,
        number: u32,
    ) -> ContestHeader {
        let players = [0, 1].map(|seat: usize| recorded(bots[seat], entrants[seat]));
        let seed = seed_of_match(bots.map(|bot| &bot.key), purpose, self.secret);
        let games = number
            .saturating_add(1)
            .saturating_mul(self.config.play.series());
        let restart = self.restarts(bots);
        ContestHeader::new(self.contest(players.into(), seed, restart), games, None)
    }

    /// Returns the file of the record of two bots, below the folder of the class.
    pub(crate) fn record_of(&self, bots: [&Bot; 2], purpose: Purpose) -> String {
        let name = short(&digest_of(bots.map(|bot| &bot.key)));
        let kind = if self.restarts(bots) { "-restart" } else { "" };
        // Not all in one folder: some tools are slow in one with many thousands.
        let file = format!("{}/{name}{kind}.jsonl.gz", &name[..2]);
        self.relative(&self.folder.games().join(self.terms_of(purpose)).join(file))
    }

    fn restarts(&self, bots: [&Bot; 2]) -> bool {
        bots.into_iter().any(|bot| self.plays_one_game(bot))
    }

    fn contest(&self, players: Vec<ListedPlayer>, seed: u64, restart: bool) -> ContestConfig {
        ContestConfig {
            schedule: Format::RoundRobin,
            games: None,
            series: self.config.play.series(),
            restart,
            seed,
            terms: self.terms.clone(),
            game: self.game.game.settings(),
            max_faults: None,
            players,
        }
    }
}

fn recorded(bot: &Bot, entrant: &Entrant) -> ListedPlayer {
    ListedPlayer {
        program: Some(bot.key.digest.clone()),
        dir: entrant.dir.clone(),
        ..ListedPlayer::called(entrant.name.clone(), bot.command.clone())
    }
}

/// Returns the seed of the match of two bots. It is the same whichever of them was built first. For
/// a requirement it follows from the bot of the staff alone, which is the first: every program plays
/// the same games.
fn seed_of_match(pair: [&BotKey; 2], purpose: Purpose, secret: Secret) -> u64 {
    if purpose == Purpose::Requirement {
        return secret.seed(&[b"requirement", &digest_of([pair[0]])]);
    }
    let mut digests = pair.map(|key| digest_of([key]));
    digests.sort_unstable();
    let [one, two] = &digests;
    secret.seed(&[b"pair", &SEED.to_le_bytes(), one, two])
}

/// Returns the digest of what tells two bots from all other pairs.
fn digest_of<const N: usize>(bots: [&BotKey; N]) -> [u8; 32] {
    let mut digest = Sha256::new();
    for key in bots {
        for part in [&key.student, &key.name, &key.digest] {
            digest.update(part.as_bytes());
            digest.update(b"\0");
        }
    }
    digest.finalize().into()
}
