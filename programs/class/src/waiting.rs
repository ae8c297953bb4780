//! The reasons why a student has no final grade yet, which are none of the student's.

use std::collections::BTreeSet;

use arena::words::counted;

use crate::current::Entry;
use crate::requirement::Reached;
use crate::store::{FailedStep, MachineFault};
use crate::{Class, ClassError, State, shown_time};

/// What a student waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// The machine, which has failed: the missing tool, or the fault if it is something else.
    Machine(String),
    /// The files that the course hands out.
    Course,
    /// The next intake.
    Intake,
    /// The next check.
    Check,
    /// Games.
    Games,
}

impl Waiting {
    fn of_fault(fault: &MachineFault) -> Waiting {
        let what = if fault.tool.is_empty() {
            &fault.what
        } else {
            &fault.tool
        };
        Waiting::Machine(what.clone())
    }

    /// Returns what is waited for, as students may know it.
    pub(crate) fn in_words(&self) -> &'static str {
        match self {
            Waiting::Machine(_) => {
                "waits for the machine of the class; the student need do nothing"
            }
            Waiting::Course => "the class waits for the course's files",
            Waiting::Intake => "handed in, but not looked at yet",
            Waiting::Check => "the newest version has not been checked yet",
            Waiting::Games => "not all games have been played yet",
        }
    }

    /// Returns what else the teacher should know.
    pub(crate) fn detail(&self) -> Option<&str> {
        match self {
            Waiting::Machine(what) => Some(what),
            Waiting::Course | Waiting::Intake | Waiting::Check | Waiting::Games => None,
        }
    }

    /// Returns how many students wait for what, in a sentence; `None` if nobody waits.
    #[must_use]
    pub fn summary(all: &[Waiting]) -> Option<String> {
        let mut parts = Vec::new();
        let mut add = |count: usize, what: &str| {
            if count > 0 {
                let students = match (parts.is_empty(), count) {
                    (false, _) => count.to_string(),
                    (true, 1) => "1 student waits".to_owned(),
                    (true, _) => format!("{} wait", counted(count as u64, "student")),
                };
                parts.push(format!("{students} for {what}"));
            }
        };
        let machine: Vec<&str> = all.iter().filter_map(Waiting::detail).collect();
        let tools: BTreeSet<&str> = machine.iter().copied().collect();
        let tools: Vec<&str> = tools.into_iter().collect();
        add(
            machine.len(),
            &format!("this machine ({})", tools.join(", ")),
        );
        let count = |what: &Waiting| all.iter().filter(|one| *one == what).count();
        add(count(&Waiting::Course), "the course's files");
        add(count(&Waiting::Intake), "intake");
        add(count(&Waiting::Check), "check");
        add(count(&Waiting::Games), "games");
        (!parts.is_empty()).then(|| format!("{}: these are not grades", parts.join(", ")))
    }
}

impl Class {
    /// Returns what keeps a student from having a bot that plays; `None` if nothing does, or if the
    /// reason is the student's.
    ///
    /// # Errors
    /// If what was handed in cannot be read.
    pub(crate) fn waiting_for_bot(&self, entry: &Entry<'_>) -> Result<Option<Waiting>, ClassError> {
        let handed_in = self.handed_in(entry.student)?;
        if let Some(newest) = handed_in.newest(self.last_moment(entry.student)) {
            let mut versions = entry.versions.iter();
            let version = versions.find(|version| version.submitted == newest.at);
            if version.is_none_or(|version| version.state == State::Waiting) {
                let fault = entry.fault(FailedStep::Intake, &shown_time(newest.at));
                return Ok(Some(match (version, fault) {
                    (Some(_), _) => Waiting::Course,
                    (None, Some(fault)) => Waiting::of_fault(fault),
                    (None, None) => Waiting::Intake,
                }));
            }
        }
        let terms = self.terms_key();
        let unchecked = entry.newest.as_ref().filter(|bot| bot.is_unchecked(&terms));
        Ok(unchecked.map(|bot| {
            let fault = entry.fault(FailedStep::Check, &bot.key.digest);
            fault.map_or(Waiting::Check, Waiting::of_fault)
        }))
    }

    /// Returns what keeps a student from having a grade, with what the student has `reached`.
    ///
    /// # Errors
    /// If what was handed in cannot be read.
    pub(crate) fn waiting_for_grade(
        &self,
        entry: &Entry<'_>,
        reached: &[Reached],
    ) -> Result<Option<Waiting>, ClassError> {
        let waiting = self.waiting_for_bot(entry)?;
        let is_open = reached.iter().any(|one| one.decided().is_none());
        let Some(bot) = entry.bot.as_ref().filter(|_| waiting.is_none() && is_open) else {
            return Ok(waiting);
        };
        let fault = entry.fault(FailedStep::Play, &bot.key.digest);
        Ok(Some(fault.map_or(Waiting::Games, Waiting::of_fault)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_counts_what_is_waited_for() {
        let machine = |tool: &str| Waiting::Machine(tool.to_owned());
        for (all, summary) in [
            (vec![], None),
            (
                vec![Waiting::Games],
                Some("1 student waits for games: these are not grades"),
            ),
            (
                vec![
                    machine("ruby"),
                    Waiting::Games,
                    machine("go"),
                    Waiting::Games,
                ],
                Some(
                    "2 students wait for this machine (go, ruby), 2 for games: these are not grades",
                ),
            ),
            (
                vec![Waiting::Check, Waiting::Intake, Waiting::Intake],
                Some("2 students wait for intake, 1 for check: these are not grades"),
            ),
        ] {
            assert_eq!(Waiting::summary(&all).as_deref(), summary);
        }
    }
}
