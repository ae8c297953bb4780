//! The newest version of every student, unpacked and built.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

use crate::checks::{PerBot, note_fault};
use crate::error::TaskError;
use crate::player::is_installed;
use crate::privacy::make_private_folder;
use crate::project::entries;
use crate::submission::Submission;
use bothost::Interrupt;

use crate::scratch::Scratch;
use crate::store::FailedStep;
use crate::workshop::{Built, Workshop, fit};
use crate::{BotKey, Build, Class, ClassError, State, Store, Student, Version, shown_time};
use arena::parallel::in_parallel;
use kits::COURSE;

/// A version that is to be built.
struct Task<'c> {
    student: &'c Student,
    submission: Submission,
    stamp: String,
    number: usize,
}

/// The result of an intake.
#[derive(Debug)]
pub struct Intake {
    /// The states of the new versions, by their students.
    pub new: PerBot<State>,
    /// The number of students whose newest version was known.
    pub known: usize,
    /// The number of students without a submission.
    pub none: usize,
    /// The number of versions that came too late.
    pub late: usize,
}

/// Hears of each version that was looked at, and why it has no bot; nothing if it has one.
pub type Heard<'h> = &'h (dyn Fn(&Version, &str) -> io::Result<()> + Sync);

impl Class {
    /// Builds what is new. `heard` is told of each version as soon as it is in the index. One in
    /// which the machine fails does not stop the others.
    ///
    /// # Errors
    /// If the index cannot be read, or there is no sandbox.
    pub fn intake(&self, interrupt: &Interrupt, heard: Heard<'_>) -> Result<Intake, ClassError> {
        // First of all: it removes what killed intakes left.
        let scratch = Scratch::new(self, "intake", false)?;
        let store = self.store()?;
        self.test_sandbox()?;
        note_strangers(self)?;
        let mut tasks = Vec::new();
        let mut unread = Vec::new();
        let mut known = 0;
        let mut none = 0;
        let mut late = 0;
        for student in self.roster.students() {
            let handed_in = match self.handed_in(student) {
                Ok(handed_in) => handed_in,
                Err(error) => {
                    unread.push((student.id.clone(), Err(error)));
                    continue;
                }
            };
            for problem in &handed_in.problems {
                self.note(&problem.to_string());
            }
            let last = self.last_moment(student);
            late += handed_in.late(last);
            let Some(submission) = handed_in.newest(last).cloned() else {
                none += 1;
                continue;
            };
            let stamp = stamp(&submission.path, self);
            let there = store.version(&student.id, submission.at)?;
            let is_known = there.is_some_and(|version| {
                let has_bot =
                    version.state != State::Built || self.bot_folder(&version.digest).is_dir();
                version.stamp == stamp && has_bot
            });
            if is_known {
                known += 1;
            } else {
                let number = tasks.len();
                tasks.push(Task {
                    student,
                    submission,
                    stamp,
                    number,
                });
            }
        }
        let mut new = build(self, scratch, &tasks, interrupt, heard);
        new.extend(unread);
        Ok(Intake {
            new,
            known,
            none,
            late,
        })
    }
}

/// Builds all of `tasks`, as many at once as there are cores. Each is in the index as soon as it is
/// built.
fn build(
    class: &Class,
    scratch: Scratch,
    tasks: &[Task<'_>],
    interrupt: &Interrupt,
    heard: Heard<'_>,
) -> PerBot<State> {
    if tasks.is_empty() {
        return Vec::new();
    }
    let workshop = Workshop::new(class, scratch);
    let states = in_parallel(tasks, |task| {
        if interrupt.is_noted() {
            let what = "interrupted; the next intake continues where this one stopped";
            return Err(ClassError::Interrupted(what.to_owned()));
        }
        let state = build_one(class, &workshop, task, interrupt, heard);
        note_fault(
            &class.store()?,
            &task.student.id,
            FailedStep::Intake,
            &shown_time(task.submission.at),
            state.as_ref().err(),
        )?;
        state
    });
    let ids = tasks.iter().map(|task| task.student.id.clone());
    ids.zip(states).collect()
}

fn build_one(
    class: &Class,
    workshop: &Workshop<'_>,
    task: &Task<'_>,
    interrupt: &Interrupt,
    heard: Heard<'_>,
) -> Result<State, ClassError> {
    let Task {
        student,
        submission,
        stamp,
        number,
    } = task;
    let mut built = match workshop.build(&submission.path, *number, interrupt) {
        // The student's page says so.
        Err(ClassError::Misuse(why))
            if class
                .store()?
                .version(&student.id, submission.at)?
                .is_none() =>
        {
            let version = Version {
                student: student.id.clone(),
                submitted: submission.at,
                source: class.relative(&submission.path),
                stamp: String::new(),
                state: State::Waiting,
                kind: COURSE.to_owned(),
                command: String::new(),
                digest: String::new(),
            };
            class.store()?.put_version(&version, "")?;
            return Err(ClassError::Misuse(why));
        }
        built => built?,
    };
    if built.state == State::Built {
        let key = BotKey::of_student(&student.id, &built.digest);
        let folder = class.bot_folder(&built.digest);
        let is_fit = class
            .student_entrant(&key, &built.command)
            .map_err(TaskError::Student)
            .and_then(|entrant| {
                class.refuse_shipped(&folder)?;
                Ok(is_installed(&entrant.program)?)
            });
        match is_fit {
            Ok(()) => {}
            Err(TaskError::Student(why)) => {
                built = Built {
                    state: State::Refused,
                    log: fit(&why),
                    ..built
                };
            }
            Err(TaskError::Other(error)) => return Err(error),
        }
    }
    let version = Version {
        student: student.id.clone(),
        submitted: submission.at,
        source: class.relative(&submission.path),
        stamp: stamp.clone(),
        state: built.state,
        kind: built.kind,
        command: built.command,
        digest: built.digest,
    };
    // A connection of its own for each thread.
    let store = class.store()?;
    put(&store, &version, &built.log)?;
    let last = built
        .log
        .lines()
        .rfind(|line| !line.trim().is_empty())
        .unwrap_or_default();
    let why = if version.state == State::Built {
        ""
    } else {
        last
    };
    heard(&version, why)?;
    Ok(version.state)
}

fn put(store: &Store, version: &Version, log: &str) -> Result<(), ClassError> {
    if version.state == State::Built {
        let key = BotKey::of_student(&version.student, &version.digest);
        store.put_bot(&key, &version.command)?;
    }
    Ok(store.put_version(version, log)?)
}

/// Says which folders among the submissions belong to no student: a misspelt id must not be
/// overlooked.
fn note_strangers(class: &Class) -> Result<(), ClassError> {
    let folder = class.folder.submissions();
    make_private_folder(&folder)?;
    for path in entries(&folder).map_err(ClassError::about(&folder))? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !name.starts_with('.') && class.roster.student(&name).is_none() {
            class.note(&format!(
                "{}: no student of the roster has this id; what is there does not count",
                path.display()
            ));
        }
    }
    Ok(())
}

/// Returns what tells whether a submission has changed since it was looked at: sizes and times of
/// all its files, and of what it gets from the class.
fn stamp(path: &Path, class: &Class) -> String {
    let mut hasher = DefaultHasher::new();
    add_to_stamp(path, &mut hasher);
    let Build {
        skeleton,
        player,
        flags,
        ..
    } = &class.config.build;
    let usual = Build::default();
    // Left out where it is as ever: what is known stays known.
    if skeleton.is_some() || flags.is_some() || *player != usual.player {
        (player, flags).hash(&mut hasher);
        if let Some(skeleton) = skeleton {
            add_to_stamp(&class.folder.path().join(skeleton), &mut hasher);
        }
    }
    format!("{:016x}", hasher.finish())
}

fn add_to_stamp(path: &Path, hasher: &mut DefaultHasher) {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return;
    };
    path.file_name().hash(hasher);
    if metadata.is_dir() {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        for path in &paths {
            add_to_stamp(path, hasher);
        }
    } else {
        metadata.len().hash(hasher);
        let changed = metadata
            .modified()
            .ok()
            .and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        changed.hash(hasher);
    }
}
