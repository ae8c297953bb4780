//! Programs of different students that are identical or play alike.

mod twins;

use bothost::Interrupt;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{Bot, Class, ClassError};

impl Class {
    /// Returns the groups of programs that are identical or play alike, a sentence each. The newest
    /// bots play a few games for that, which count nowhere.
    ///
    /// # Errors
    /// If the index cannot be read, a bot cannot be started, or the teacher stops it.
    pub fn suspicious(&self, interrupt: &Arc<Interrupt>) -> Result<Vec<String>, ClassError> {
        let store = self.store()?;
        let current = self.current(&store)?;
        let newest: Vec<&Bot> = current
            .entries
            .iter()
            .filter_map(|entry| entry.newest.as_ref())
            .collect();
        let mut lines = identical(&newest);
        // Compare one representative of each group of identical programs.
        let mut different = newest.clone();
        different.sort_by(|one, two| one.key.digest.cmp(&two.key.digest));
        different.dedup_by(|one, two| one.key.digest == two.key.digest);
        different.sort_by(|one, two| one.key.student.cmp(&two.key.student));
        if self.rules().is_some() {
            lines.extend(twins::lines(self, &different, interrupt)?);
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
