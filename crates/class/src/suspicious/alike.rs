//! Which bots of different students play the same attacks.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::Bot;

use super::played::{Games, Opening};

/// Fewer games than this with the same beginnings are chance, and so is less than half of the games.
const LEAST: u64 = 5;

/// A bot that goes through the board row by row, or along its diagonals, makes no more different steps than this.
const STEPS_OF_A_SCAN: usize = 3;

/// Returns which bots of different students begin their games alike although their programs are not the same, in a
/// sentence each; two students with several versions only once. Every game has its own seeds: bots that draw from them never
/// begin alike, so these do not draw, and have the same plan.
pub(super) fn lines(games: &Games, bots: &[Bot]) -> Vec<String> {
    let students: BTreeMap<i64, &Bot> =
        bots.iter().filter(|bot| !bot.key.is_staff()).map(|bot| (bot.id, bot)).collect();
    // Who begins so, and how often; and how many games of each there are.
    let mut plans: HashMap<Opening, Vec<(i64, u64)>> = HashMap::new();
    let mut all: BTreeMap<i64, u64> = BTreeMap::new();
    for bot in games.bots().filter(|bot| students.contains_key(bot)) {
        let mut own: HashMap<Opening, u64> = HashMap::new();
        for (opening, count) in games.of(bot).flat_map(|(_, played)| &played.openings) {
            *own.entry(*opening).or_default() += count;
        }
        all.insert(bot, own.values().sum());
        for (opening, count) in own.into_iter().filter(|(opening, _)| !is_scan(opening)) {
            plans.entry(opening).or_default().push((bot, count));
        }
    }
    let mut shared: BTreeMap<[i64; 2], [u64; 2]> = BTreeMap::new();
    for users in plans.values() {
        for (place, (one, of_one)) in users.iter().enumerate() {
            for (two, of_two) in &users[place + 1..] {
                let counts = shared.entry([*one, *two]).or_default();
                *counts = [counts[0] + of_one, counts[1] + of_two];
            }
        }
    }
    let mut said = HashSet::new();
    let mut lines = Vec::new();
    // The newest versions first.
    for (pair, counts) in shared.iter().rev() {
        let [one, two] = pair.map(|bot| &students[&bot].key);
        let is_other = one.student != two.student && one.digest != two.digest;
        let mut names = [&one.student, &two.student];
        names.sort();
        let [all_of_one, all_of_two] = pair.map(|bot| all[&bot]);
        let is_plan = |count: u64, all: u64| count >= LEAST && 2 * count >= all;
        let have_plan = is_plan(counts[0], all_of_one) && is_plan(counts[1], all_of_two);
        if is_other && have_plan && said.insert(names) {
            lines.push(format!(
                "{} and {} have different programs and the same plan: of the games without an early hit, {} of {all_of_one} and {} \
                 of {all_of_two} begin with the same attacks",
                one.student, two.student, counts[0], counts[1]
            ));
        }
    }
    lines.reverse();
    lines
}

/// Returns whether the attacks go through the board in a simple order, which two students can choose by themselves.
fn is_scan(opening: &Opening) -> bool {
    let steps = opening.windows(2).map(|two| [two[1][0] - two[0][0], two[1][1] - two[0][1]]);
    steps.collect::<HashSet<_>>().len() <= STEPS_OF_A_SCAN
}
