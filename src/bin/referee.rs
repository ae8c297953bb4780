//! The referee's program. It is also every shipped bot, so that those always match its version.

use std::io::BufReader;
use std::process::ExitCode;

use battleship::{AttackResult, Game, Placement, Point};
use battleship_bots::{Kind, Learned, Patient, Review, Reviewed, Terminal};
use battleship_referee::cli::{self, Advice, AttackChances, FleetLearned, HitChance};

fn main() -> ExitCode {
    cli::main(
        |kind, name, careless, person| {
            if let Some(patient) = Patient::program(kind) {
                return patient.run();
            }
            let kind = Kind::from_name(kind).expect("the referee offers the bots that there are");
            match person {
                Some(streams) if streams.of_referee => battleship_bots::run_relayed(
                    BufReader::new(streams.input),
                    streams.output,
                    kind,
                    name,
                ),
                Some(streams) => battleship_bots::run_at(
                    Terminal::typed_ahead(streams.input, streams.output),
                    kind,
                    name,
                ),
                None => battleship_bots::run(kind, name, careless),
            }
        },
        hit_chances,
        Advice {
            attack: battleship_bots::advise,
            needed: battleship_bots::attacks_needed,
        },
        learn,
        || Kind::ALL.map(battleship_bots::grammar).to_vec(),
    )
}

/// Returns the chances of attacks to hit, by the sample of the good bot.
fn hit_chances(game: &Game, attacks: &[(Point, AttackResult)]) -> AttackChances {
    let Review { attacks, left } = battleship_bots::review(game, attacks);
    let chance = |Reviewed {
                      chance,
                      best,
                      best_chance,
                  }| HitChance {
        chance,
        best,
        best_chance,
    };
    AttackChances {
        attacks: attacks.into_iter().map(chance).collect(),
        left,
    }
}

/// Returns what the good bot learns of fleets.
fn learn(game: &Game, fleets: &[Vec<Placement>], seed: u64) -> Vec<FleetLearned> {
    let learned = battleship_bots::learn(game, fleets, seed);
    let learned = learned.into_iter().map(
        |Learned {
             unknown,
             known,
             belief,
         }| FleetLearned {
            unknown,
            known,
            belief,
        },
    );
    learned.collect()
}
