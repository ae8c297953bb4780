//! What the games of two bots of a class are played under.

use class::Bot;
use league::schedule::{Format, Series};
use sha2::{Digest, Sha256};

use super::{Class, DIGITS};
use crate::cli::exit::Failure;
use crate::contest::{Checked, ContestSetup, separate};
use crate::game::{Entrant, derived_seed};
use crate::record::{ContestConfig, ContestHeader, RecordedPlayer, SandboxOfGame, hexadecimal};

/// What all series of two bots have in common. They are those of one match, so any part of them is a record of it.
pub(super) struct PairSetup {
    pub(super) setup: ContestSetup,
    /// The file of the record, below the folder of the class.
    pub(super) file: String,
    series: u32,
}

impl PairSetup {
    /// Returns the series of this number, from 0, and the header of a record that ends with it.
    pub(super) fn series(&mut self, number: u32) -> Series {
        self.setup.header.games = number.saturating_add(1).saturating_mul(self.series);
        Series {
            number: number as usize,
            round: 0,
            players: [0, 1],
            first_game: number.saturating_mul(self.series),
            games: self.series,
        }
    }
}

impl Class {
    /// Returns what two bots play under.
    ///
    /// # Errors
    /// If one of them cannot be started at all.
    pub(super) fn pair(
        &self,
        bots: [&Bot; 2],
        sandbox: Option<&SandboxOfGame>,
    ) -> Result<PairSetup, Failure> {
        let mut entrants: Vec<Entrant> =
            bots.into_iter().map(|bot| self.entrant(bot)).collect::<Result<_, _>>()?;
        if sandbox.is_some() {
            let mut programs: Vec<_> =
                entrants.iter_mut().map(|entrant| &mut entrant.program).collect();
            separate(&mut programs, &[]);
        }
        let players = bots.into_iter().zip(&entrants).map(|(bot, entrant)| RecordedPlayer {
            program: Some(bot.key.digest.clone()),
            dir: entrant.dir.clone(),
            ..RecordedPlayer::called(entrant.name.clone(), bot.command.clone())
        });
        let pair = bots.map(|bot| &bot.key);
        let seed = self.seed_of(pair);
        let series = self.config.play.series;
        let config = ContestConfig {
            schedule: Format::RoundRobin,
            games: None,
            series,
            restart: false,
            seed,
            terms: self.terms.clone(),
            max_faults: None,
            players: players.collect(),
        };
        let header = ContestHeader::new(config, series, None, None);
        let file =
            self.folder.games().join(self.terms_key()).join(format!("{}.jsonl.zst", name_of(pair)));
        let setup = ContestSetup {
            header,
            entrants,
            profiles: vec![Checked::default(); 2],
            unfit: vec![None; 2],
            launch: self.terms.launch(self.referee.clone()),
            sandbox: sandbox.cloned(),
        };
        Ok(PairSetup { setup, file: self.relative(&file), series })
    }

    /// Returns the seed of the match of two bots. It is the same whichever of them was built first.
    fn seed_of(&self, pair: [&class::BotKey; 2]) -> u64 {
        let from = self.config.play.seed;
        let Some(secret) = self.secret else {
            return derived_seed(from, "pair of a class", &numbers_of(pair));
        };
        let mut digests = pair.map(|key| digest_of([key]));
        digests.sort_unstable();
        let [one, two] = &digests;
        secret.seed(&[b"pair", &from.to_le_bytes(), one, two])
    }
}

/// Returns the digest of what tells two bots from all other pairs.
fn digest_of<const N: usize>(bots: [&class::BotKey; N]) -> [u8; 32] {
    let mut digest = Sha256::new();
    for key in bots {
        for part in [&key.student, &key.name, &key.digest] {
            digest.update(part.as_bytes());
            digest.update(b"\0");
        }
    }
    digest.finalize().into()
}

/// Returns the numbers of a pair in a class of version 1.0.0-rc.1. They depend on which bot was built first.
fn numbers_of(pair: [&class::BotKey; 2]) -> [u64; 2] {
    let digest = digest_of(pair);
    let (numbers, _) = digest.as_chunks::<8>();
    [0, 1].map(|part| numbers.get(part).copied().map_or(0, u64::from_le_bytes))
}

fn name_of(pair: [&class::BotKey; 2]) -> String {
    let mut name = hexadecimal(&digest_of(pair));
    name.truncate(DIGITS);
    // Not all in one folder: some tools are slow in one with many thousands.
    format!("{}/{name}", &name[..2])
}
