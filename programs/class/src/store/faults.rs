//! Faults of the machine that keep a student's work waiting.

use rusqlite::params;

use super::{Store, StoreError, stored_as_word};

/// A step that the machine failed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailedStep {
    /// A version could not be unpacked or built.
    Intake,
    /// A bot could not be checked.
    Check,
    /// A bot that started in its check does not start any more.
    Play,
}

impl FailedStep {
    const ALL: [FailedStep; 3] = [FailedStep::Intake, FailedStep::Check, FailedStep::Play];

    const fn word(self) -> &'static str {
        match self {
            FailedStep::Intake => "intake",
            FailedStep::Check => "check",
            FailedStep::Play => "play",
        }
    }
}

stored_as_word!(FailedStep);

/// A fault of the machine with the work of a student.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MachineFault {
    /// Of the roster.
    pub student: String,
    pub step: FailedStep,
    /// The time of the version as [`crate::shown_time`] writes it, or the digest of the bot.
    pub subject: String,
    /// The missing tool; empty if it is something else.
    pub tool: String,
    /// The fault in a sentence.
    pub what: String,
}

impl Store {
    /// Writes down a fault, in place of an earlier one of the same step.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn put_fault(&self, fault: &MachineFault) -> Result<(), StoreError> {
        self.execute(
            "INSERT OR REPLACE INTO machine_fault (student, step, subject, tool, what)
             VALUES (?, ?, ?, ?, ?)",
            params![
                fault.student,
                fault.step,
                fault.subject,
                fault.tool,
                fault.what
            ],
        )
    }

    /// Removes the fault of a step, if there is one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn remove_fault(&self, student: &str, step: FailedStep) -> Result<(), StoreError> {
        self.execute(
            "DELETE FROM machine_fault WHERE student = ? AND step = ?",
            params![student, step],
        )
    }

    /// Returns all faults.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn faults(&self) -> Result<Vec<MachineFault>, StoreError> {
        self.rows(
            "SELECT student, step, subject, tool, what FROM machine_fault ORDER BY student, step",
            [],
            |row| {
                Ok(MachineFault {
                    student: row.get("student")?,
                    step: row.get("step")?,
                    subject: row.get("subject")?,
                    tool: row.get("tool")?,
                    what: row.get("what")?,
                })
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_student_has_one_fault_of_a_step() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("class.db")).unwrap();
        let fault = |step, what: &str| MachineFault {
            student: "ada".to_owned(),
            step,
            subject: "d1".to_owned(),
            tool: String::new(),
            what: what.to_owned(),
        };
        let other = fault(FailedStep::Intake, "no memory");
        let later = fault(FailedStep::Play, "no module");
        for one in [&other, &fault(FailedStep::Play, "no file"), &later] {
            store.put_fault(one).unwrap();
        }
        assert_eq!(store.faults().unwrap(), [other, later.clone()]);
        store.remove_fault("ada", FailedStep::Intake).unwrap();
        store.remove_fault("bob", FailedStep::Play).unwrap();
        assert_eq!(store.faults().unwrap(), [later]);
    }
}
