//! Luck told from skill: what the attacks of a player were worth in some of its games.

use battleship::Ruleset;
use bots::HitChance;
use league::statistics::to_f64;
use serde::Serialize;

use super::attack_review::attack_chances;
use arena::explain::TopGames;
use battleship::game_reader::RecordedGame;
use bothost::Side;

/// The number of games of a player that are rated: one takes a sixth of a second.
const GAMES: usize = 8;

/// Numbers in a row are spread evenly by the golden ratio (D. E. Knuth, "The Art of Computer
/// Programming", volume 3, section 6.4).
const GOLDEN: u64 = 0x9e37_79b9;

/// Some games of a player, from all of its games.
#[derive(Clone, Debug)]
pub struct SkillSample(TopGames<(u64, Side, RecordedGame)>);

impl Default for SkillSample {
    fn default() -> SkillSample {
        SkillSample(TopGames::new(GAMES))
    }
}

impl SkillSample {
    /// Takes a game into account, in which the player is on this side.
    pub fn add(&mut self, number: u64, game: &RecordedGame, side: Side) {
        if game.rules == Ruleset::Classic && game.fleets.iter().all(|(_, fleet)| fleet.is_some()) {
            let place = number.wrapping_mul(GOLDEN) & 0xffff_ffff;
            let place = u32::try_from(place).expect("32 bits");
            self.0
                .add_with((false, place), || (number, side, game.clone()));
        }
    }

    /// Returns what the attacks in these games were worth; `None` without games.
    #[must_use]
    pub fn skill(&self) -> Option<Skill> {
        let mut skill = Skill::default();
        for (_, side, game) in self.games() {
            if let Ok(Some(attacks)) = attack_chances(game, *side) {
                skill.add(game, *side, &attacks);
            }
        }
        (skill.games > 0).then_some(skill)
    }

    /// Returns the games that are rated: their numbers, the seat of the player, and the games.
    pub fn games(&self) -> impl Iterator<Item = &(u64, Side, RecordedGame)> {
        self.0.games()
    }
}

/// The value of a player's attacks, on average over some of its games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Skill {
    /// The number of games that were rated.
    pub games: u64,
    /// The expected hits that a game lost by attacks that were not the best: less is more skill.
    pub lost: f64,
    /// The hits of a game above those that its attacks could expect: luck.
    pub luck: f64,
}

impl Skill {
    /// Counts one more game of the player on `side`, whose attacks were as likely to hit.
    pub fn add(&mut self, game: &RecordedGame, side: Side, attacks: &[HitChance]) {
        let hits = to_f64(game.hits_of(side) as u64);
        let expected: f64 = attacks.iter().map(|attack| attack.chance).sum();
        let lost: f64 = attacks
            .iter()
            .map(|attack| (attack.best_chance - attack.chance).max(0.0))
            .sum();
        self.games += 1;
        self.lost += (lost - self.lost) / to_f64(self.games);
        self.luck += (hits - expected - self.luck) / to_f64(self.games);
    }
}
