//! The bots that play now: of every student the newest version that can play, and those of the
//! staff.

use crate::submission::HandedIn;
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::class::short;
use crate::store::{FailedStep, MachineFault};
use crate::{Bot, BotKey, Class, ClassError, State, Store, Student, Verdict, Version};
use arena::record::identify;

/// A student, all that is known of what was handed in, and what plays.
#[derive(Debug)]
pub(crate) struct Entry<'c> {
    pub(crate) student: &'c Student,
    /// All versions that were looked at, the oldest first.
    pub(crate) versions: Vec<Version>,
    /// The bot that plays, if there is one.
    pub(crate) bot: Option<Bot>,
    /// The newest bot, whether or not it can play.
    pub(crate) newest: Option<Bot>,
    /// The faults of the machine with the student's work.
    faults: Vec<MachineFault>,
}

impl Entry<'_> {
    /// Returns the fault of the machine with this version or bot in a step, if it is not mended.
    pub(crate) fn fault(&self, step: FailedStep, subject: &str) -> Option<&MachineFault> {
        self.faults
            .iter()
            .find(|fault| fault.step == step && fault.subject == subject)
    }
}

/// The bots of a class.
#[derive(Debug)]
pub(crate) struct Current<'c> {
    /// In the order of the roster.
    pub(crate) entries: Vec<Entry<'c>>,
    /// Those of the staff, in the order of the configuration.
    pub(crate) staff: Vec<Bot>,
}

impl Current<'_> {
    /// Returns the bots that play: the staff's, then those of students.
    pub(crate) fn playing(&self) -> impl Iterator<Item = &Bot> {
        self.staff
            .iter()
            .chain(self.entries.iter().filter_map(|entry| entry.bot.as_ref()))
    }

    /// Returns the bots that have to be checked first.
    pub(crate) fn unchecked<'a>(&'a self, terms: &'a str) -> impl Iterator<Item = &'a Bot> {
        let newest = self
            .entries
            .iter()
            .filter_map(|entry| entry.newest.as_ref());
        newest.filter(move |bot| bot.is_unchecked(terms))
    }

    /// Returns the entry of a student, or of the team that has this member.
    pub(crate) fn of(&self, student: &str) -> Option<&Entry<'_>> {
        self.entries.iter().find(|entry| entry.student.has(student))
    }

    /// Returns a bot of the staff.
    pub(crate) fn staff(&self, name: &str) -> Option<&Bot> {
        self.staff.iter().find(|bot| bot.key.name == name)
    }
}

impl Class {
    /// Finds out what plays.
    ///
    /// # Errors
    /// If the index cannot be read, or a bot of the staff cannot be found.
    pub(crate) fn current(&self, store: &Store) -> Result<Current<'_>, ClassError> {
        let staff = self.put_staff(store)?;
        let bots = store.bots()?;
        let terms = self.terms_key();
        let mut versions = store.versions()?;
        let mut faults = store.faults()?;
        let entries = self.roster.students().map(|student| {
            let (own, others): (Vec<Version>, Vec<Version>) = std::mem::take(&mut versions)
                .into_iter()
                .partition(|one| one.student == student.id);
            versions = others;
            let of_student = faults.extract_if(.., |fault| fault.student == student.id);
            let of_student = of_student.collect();
            let last = self.last_moment(student);
            let bot_of = |version: &Version| {
                let counts = last.is_none_or(|last| version.submitted <= last);
                let is_built = version.state == State::Built && counts;
                bots.iter()
                    .find(|bot| {
                        bot.key.student == version.student && bot.key.digest == version.digest
                    })
                    .filter(|_| is_built)
                    .cloned()
            };
            let newest = own.iter().rev().find_map(bot_of);
            let bot = own.iter().rev().filter_map(bot_of).find(|bot| {
                bot.verdict.is_some_and(|verdict| verdict != Verdict::Unfit) && bot.checked == terms
            });
            Entry {
                student,
                versions: own,
                bot,
                newest,
                faults: of_student,
            }
        });
        Ok(Current {
            entries: entries.collect(),
            staff,
        })
    }

    /// Writes the bots of the staff into the index. Another version of the referee has other
    /// shipped players.
    fn put_staff(&self, store: &Store) -> Result<Vec<Bot>, ClassError> {
        let mut staff = Vec::new();
        for one in &self.config.staff {
            let bot = Bot::unknown(BotKey::of_staff(&one.name, ""), one.command.clone());
            let entrant = self.entrant(&bot)?;
            if entrant.human {
                let what = format!("staff: {} is a person, who cannot play all night", one.name);
                return Err(ClassError::misuse(what));
            }
            let identity = identify(&[&entrant.program], &self.folder.not_of_teacher());
            // A shipped player is its version, whatever file of the referee it is in.
            let what = if entrant.shipped {
                env!("CARGO_PKG_VERSION").to_owned()
            } else {
                identity
                    .into_iter()
                    .find_map(|one| one.digest)
                    .unwrap_or_default()
            };
            let digest = short(&Sha256::digest(
                format!("{}\0{what}", one.command).as_bytes(),
            ));
            let key = BotKey {
                digest,
                ..bot.key.clone()
            };
            let id = store.put_bot(&key, &one.command)?;
            staff.push(Bot { id, key, ..bot });
        }
        Ok(staff)
    }

    /// Returns the bot from which ratings are counted, and its rating.
    pub(crate) fn anchor(&self, current: &Current<'_>) -> Option<(i64, f64)> {
        let staff = self.config.staff.iter().zip(&current.staff);
        let rated = staff
            .clone()
            .find_map(|(one, bot)| Some((bot.id, one.rating?)));
        rated.or_else(|| staff.map(|(_, bot)| (bot.id, 0.0)).next())
    }

    /// Returns what a student, or the members of a team, have in the folder of submissions.
    ///
    /// # Errors
    /// If that cannot be read.
    pub(crate) fn handed_in(&self, student: &Student) -> Result<HandedIn, ClassError> {
        let folder = self.folder.submissions();
        HandedIn::read(student.members.iter().map(|member| folder.join(&member.id)))
    }

    /// Returns the deadline of the class, or the extension of `student`.
    pub(crate) fn deadline_of(&self, student: &Student) -> Option<Timestamp> {
        self.config
            .deadline
            .map(|at| student.until.map_or(at, |until| until.max(at)))
    }

    /// Returns until when what `student` hands in counts: the deadline, and a little more.
    pub(crate) fn last_moment(&self, student: &Student) -> Option<Timestamp> {
        let last = self.deadline_of(student);
        // At the end of time there is no grace.
        last.map(|at| at.checked_add(self.config.grace).unwrap_or(at))
    }
}
