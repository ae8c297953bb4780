//! The findings that a teacher should look at.

mod knowledge;
mod played;
#[cfg(test)]
mod tests;
mod twins;

use arena::game::EndedBy;
use battleship::Rules;
use bothost::Interrupt;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{Bot, Class, ClassError, Sum};

use self::played::Games;

/// The factor beyond the frequency against all others from which something is odd.
const TIMES: f64 = 4.0;

/// Fewer of something than this is chance.
const LEAST: u64 = 5;

/// The figures of a bot that are compared.
#[derive(Clone, Copy, Debug, Default)]
struct Deeds {
    games: u64,
    attacks: u64,
    resigned: u64,
    wasted: u64,
    timeouts: u64,
    uncounted: u64,
}

impl Deeds {
    fn of(sum: &Sum) -> Deeds {
        let Sum { results, odd } = sum;
        Deeds {
            games: results.games,
            attacks: odd.attacks,
            resigned: odd.resigned,
            wasted: odd.wasted,
            timeouts: odd
                .faults
                .get(&EndedBy::Timeout)
                .copied()
                .unwrap_or_default(),
            uncounted: odd.uncounted,
        }
    }

    fn minus(self, part: Deeds) -> Deeds {
        Deeds {
            games: self.games - part.games,
            attacks: self.attacks - part.attacks,
            resigned: self.resigned - part.resigned,
            wasted: self.wasted - part.wasted,
            timeouts: self.timeouts - part.timeouts,
            uncounted: self.uncounted - part.uncounted,
        }
    }
}

impl Class {
    /// Returns what is odd, in a sentence each. The newest bots play a few games for it, which
    /// count nowhere.
    ///
    /// # Errors
    /// If the index or a record cannot be read, a bot cannot be started, or the teacher stops it.
    pub fn suspicious(&self, interrupt: &Arc<Interrupt>) -> Result<Vec<String>, ClassError> {
        let store = self.store()?;
        let current = self.current(&store)?;
        let bots = store.bots()?;
        let newest: Vec<&Bot> = current
            .entries
            .iter()
            .filter_map(|entry| entry.newest.as_ref())
            .collect();
        let mut lines = identical(&newest);
        // One of those that are the same stands for all of them.
        let mut different = newest.clone();
        different.sort_by(|one, two| one.key.digest.cmp(&two.key.digest));
        different.dedup_by(|one, two| one.key.digest == two.key.digest);
        different.sort_by(|one, two| one.key.student.cmp(&two.key.student));
        if self.rules().is_some() {
            lines.extend(twins::lines(self, &different, interrupt)?);
        }
        let sums = store.sums(&self.terms_key())?;
        let name = |id: i64| {
            bots.iter()
                .find(|bot| bot.id == id)
                .map_or("?", |bot| bot.key.called())
        };
        for own in sums.bots() {
            let all = Deeds::of(&sums.all_of(own));
            for (other, sum) in sums.of(own) {
                let one = Deeds::of(sum);
                lines.extend(odd_lines(name(own), name(other), &one, &all.minus(one)));
            }
        }
        let games = Games::read(self, &store)?;
        if let Some(game) = self.rules().and_then(Rules::game) {
            // The staff's bots know nothing that students do not.
            for bot in bots.iter().filter(|bot| !bot.key.is_staff()) {
                lines.extend(knowledge::lines(game, &games, bot, |id| {
                    bots.iter().find(|bot| bot.id == id)
                }));
            }
        }
        Ok(lines)
    }
}

/// Returns which students have the same program.
fn identical(bots: &[&Bot]) -> Vec<String> {
    let mut by_digest: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for bot in bots {
        by_digest
            .entry(&bot.key.digest)
            .or_default()
            .push(&bot.key.student);
    }
    let same = by_digest
        .into_iter()
        .filter(|(_, students)| students.len() > 1);
    same.map(|(digest, students)| format!("identical programs ({digest}): {}", students.join(", ")))
        .collect()
}

/// Returns names as a sentence lists them.
fn joined(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// Returns what one bot did against another far more often than against the rest.
fn odd_lines(own: &str, other: &str, one: &Deeds, rest: &Deeds) -> Vec<String> {
    let mut lines = Vec::new();
    for (what, count, of, in_rest, of_rest) in [
        (
            "gave up",
            one.resigned,
            one.games,
            rest.resigned,
            rest.games,
        ),
        (
            "lost by time-out",
            one.timeouts,
            one.games,
            rest.timeouts,
            rest.games,
        ),
        (
            "was in games that count for neither",
            one.uncounted,
            one.games,
            rest.uncounted,
            rest.games,
        ),
        (
            "made wasted attacks",
            one.wasted,
            one.attacks,
            rest.wasted,
            rest.attacks,
        ),
    ] {
        if is_odd(count, of, in_rest, of_rest) {
            lines.push(format!(
                "{own} against {other}: {own} {what} {count} times of {of}; against all others {in_rest} of {of_rest}"
            ));
        }
    }
    lines
}

fn is_odd(count: u64, of: u64, in_rest: u64, of_rest: u64) -> bool {
    use league::statistics::to_f64;
    if count < LEAST || of_rest == 0 {
        return false;
    }
    to_f64(count) / to_f64(of.max(1)) > TIMES * (to_f64(in_rest) + 0.5) / to_f64(of_rest)
}
