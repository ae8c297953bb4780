//! The state of a class: what waits, what runs, what is done.

use std::time::Duration;

use crate::choice::Purpose;
use crate::current::Current;
use crate::requirement::Outcome;
use crate::{Class, ClassError, State, Store, Verdict};
use league::statistics::to_f64;

impl Class {
    /// Returns how far the class is, in a line for each step.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn status(&self) -> Result<Vec<String>, ClassError> {
        let store = self.store()?;
        let current = self.current(&store)?;
        let terms = self.terms_key();
        let mut lines = Vec::new();
        let students = self.roster.students().len();
        let mut waiting = 0;
        let mut none = 0;
        for entry in &current.entries {
            let handed_in = self.handed_in(entry.student)?;
            let newest = handed_in.newest(self.last_moment(entry.student));
            let Some(newest) = newest else {
                none += 1;
                continue;
            };
            if !entry
                .versions
                .iter()
                .any(|version| version.submitted == newest.at && version.state != State::Waiting)
            {
                waiting += 1;
            }
        }
        let newest = current
            .entries
            .iter()
            .filter_map(|entry| entry.versions.last());
        let unbuilt = newest
            .filter(|version| matches!(version.state, State::Refused | State::Unbuilt))
            .count();
        let unchecked = current.unchecked(&terms).count();
        let failed = current.entries.iter().filter(|entry| {
            entry
                .newest
                .as_ref()
                .is_some_and(|bot| bot.verdict == Some(Verdict::Unfit) && bot.checked == terms)
        });
        lines.push(format!(
            "students    {students}, {none} without a submission"
        ));
        lines.push(format!(
            "intake      {waiting} waiting, {unbuilt} whose newest version cannot be built"
        ));
        lines.push(format!(
            "check       {unchecked} waiting, {} unfit to play",
            failed.count()
        ));
        let students_playing = current
            .entries
            .iter()
            .filter(|entry| entry.bot.is_some())
            .count();
        lines.push(format!(
            "bots        {students_playing} of students, {} of the staff",
            current.staff.len()
        ));
        lines.extend(self.status_of_requirements(&store, &current)?);
        let mut pairings = store.pairings(&terms)?;
        pairings.extend(store.pairings(&self.terms_of(Purpose::Requirement))?);
        let playing: Vec<i64> = current.playing().map(|bot| bot.id).collect();
        let is_current = |bots: &[i64; 2]| bots.iter().all(|bot| playing.contains(bot));
        let of_current = pairings.iter().filter(|pairing| is_current(&pairing.bots));
        let (series, games, took) =
            of_current.fold((0, 0, Duration::ZERO), |(series, games, took), one| {
                (
                    series + u64::from(one.series),
                    games + one.results.games,
                    took + one.took,
                )
            });
        let all: u64 = pairings.iter().map(|pairing| pairing.results.games).sum();
        lines.push(format!(
            "played      {series} series, {games} games of the bots that play; {all} games in all"
        ));
        let mean = took.checked_div(u32::try_from(series).unwrap_or(u32::MAX));
        let left = self.choice(&store, &current)?.left();
        let jobs = self.config.play.jobs.map_or_else(cores, u64::from);
        lines.push(match mean {
            _ if left == 0 => "left        nothing".to_owned(),
            None => format!("left        about {left} series"),
            Some(mean) => {
                let seconds = mean.as_secs_f64() * to_f64(left) / to_f64(jobs);
                let time = humantime::format_duration(Duration::from_secs_f64(seconds.ceil()));
                format!("left        about {left} series, {time} with {jobs} at a time")
            }
        });
        let running = self
            .holder("night")?
            .unwrap_or_else(|| "nothing".to_owned());
        lines.push(format!("running     {running}"));
        Ok(lines)
    }
}

impl Class {
    fn status_of_requirements(
        &self,
        store: &Store,
        current: &Current<'_>,
    ) -> Result<Option<String>, ClassError> {
        let games = self.requirement_games(store)?;
        let mut counts = [0; 4];
        for bot in current.playing().filter(|bot| !bot.key.is_staff()) {
            for required in &self.config.grade {
                let Some(staff) = current.staff(&required.against) else {
                    continue;
                };
                let reached = self.reached(required, staff, bot, &games);
                counts[match reached.outcome {
                    Outcome::Passed => 0,
                    Outcome::Close => 1,
                    Outcome::Missed => 2,
                    Outcome::Open => 3,
                }] += 1;
            }
        }
        let [passed, close, missed, open] = counts;
        let line = format!(
            "grades      {passed} requirements passed, {} missed ({close} of them close), {open} waiting for games",
            close + missed
        );
        Ok((!self.config.grade.is_empty()).then_some(line))
    }
}

fn cores() -> u64 {
    bothost::pin::parallelism() as u64
}
