//! The referee's program. It is also every shipped bot, so that those always match its version.

use std::io::BufReader;
use std::process::ExitCode;

use battleship::{AttackResult, Game, Point};
use battleship_bots::{Kind, Review, Reviewed, Terminal};
use battleship_referee::cli::{self, Advice, AttackChances, HitChance};

fn main() -> ExitCode {
    cli::main(
        |kind, name, careless, person| {
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
        Advice { attack: battleship_bots::advise, needed: battleship_bots::attacks_needed },
        || Kind::ALL.map(battleship_bots::grammar).to_vec(),
    )
}

/// How likely attacks were to hit, by the sample of the good bot.
fn hit_chances(game: &Game, attacks: &[(Point, AttackResult)]) -> AttackChances {
    let Review { attacks, left } = battleship_bots::review(game, attacks);
    let chance = |Reviewed { chance, best, best_chance }| HitChance { chance, best, best_chance };
    AttackChances { attacks: attacks.into_iter().map(chance).collect(), left }
}
