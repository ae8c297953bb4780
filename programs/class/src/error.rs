//! The errors of a class.

use std::error::Error;
use std::io;
use std::path::Path;

use arena::game::Stop;
use arena::record::{OutputError, RecordError};
use referee::Failure;
use thiserror::Error;

use crate::StoreError;
use crate::archive::UnpackError;
use crate::project::ProjectError;

/// The reason why a step of a class was not done.
#[derive(Debug, Error)]
pub enum ClassError {
    /// The teacher wrote or asked for something wrong: what, and how to fix it.
    #[error("{0}")]
    Misuse(String),
    /// A bot could not be started or is unfit to play, or there is no sandbox; why.
    #[error("{0}")]
    NotStarted(String),
    /// The teacher stopped it; what that leaves.
    #[error("{0}")]
    Interrupted(String),
    /// A tool that a submission needs is missing.
    #[error("{0} is not installed on this machine")]
    NotInstalled(String),
    /// The machine is at fault.
    #[error(transparent)]
    Fault(Box<dyn Error + Send + Sync>),
    /// The machine is at fault, or nothing more can be printed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The index is at fault.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A record is at fault.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// The error of a listener that cannot write down what it receives.
impl From<Stop> for ClassError {
    fn from(stop: Stop) -> ClassError {
        io::Error::from(stop).into()
    }
}

impl ClassError {
    /// Returns the error of a teacher who wrote or asked for something wrong.
    #[allow(clippy::needless_pass_by_value, reason = "errors are mapped by it")]
    pub(crate) fn misuse(what: impl ToString) -> ClassError {
        ClassError::Misuse(what.to_string())
    }

    /// Returns an error of the machine.
    pub(crate) fn fault(what: impl Into<Box<dyn Error + Send + Sync>>) -> ClassError {
        ClassError::Fault(what.into())
    }

    /// Returns an error of the machine about the file at `path`.
    pub(crate) fn about(path: &Path) -> impl FnOnce(io::Error) -> ClassError {
        move |error| ClassError::fault(format!("{}: {error}", path.display()))
    }
}

/// The reason why a task with what a student handed in was not done. Only what is the student's is
/// written down.
#[derive(Debug)]
pub(crate) enum TaskError {
    /// The student's: what is wrong with the submission.
    Student(String),
    /// The machine's, the class's, or of a teacher who stopped it: the next call tries it again.
    Other(ClassError),
}

impl TaskError {
    /// Returns the error of a student's submission.
    #[allow(clippy::needless_pass_by_value, reason = "errors are mapped by it")]
    pub(crate) fn student(what: impl ToString) -> TaskError {
        TaskError::Student(what.to_string())
    }

    /// Returns the error of a teacher's command with the file at `path`, which has something else
    /// than was asked for.
    pub(crate) fn of_teacher(self, path: &Path) -> ClassError {
        match self {
            TaskError::Student(what) => ClassError::misuse(format!("{}: {what}", path.display())),
            TaskError::Other(error) => error,
        }
    }

    /// Returns the error of a task with the file `name` of the submission.
    pub(crate) fn about(name: &str) -> impl FnOnce(TaskError) -> TaskError {
        move |error| match error {
            TaskError::Student(what) => TaskError::Student(format!("{name}: {what}")),
            TaskError::Other(_) => error,
        }
    }
}

/// `?` blames no student: that has to be written out.
impl<E: Into<ClassError>> From<E> for TaskError {
    fn from(error: E) -> TaskError {
        TaskError::Other(error.into())
    }
}

impl From<UnpackError> for TaskError {
    fn from(error: UnpackError) -> TaskError {
        if matches!(error, UnpackError::Io { .. }) {
            return TaskError::Other(ClassError::fault(error));
        }
        TaskError::student(error)
    }
}

impl From<ProjectError> for TaskError {
    fn from(error: ProjectError) -> TaskError {
        match error {
            ProjectError::Io(error) => error.into(),
            ProjectError::Archive { name, error } => {
                TaskError::about(&kits::quoted(&name))(error.into())
            }
            ProjectError::Several(_) | ProjectError::Archives(_) | ProjectError::Foreign(_) => {
                TaskError::student(error)
            }
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        match error {
            StoreError::Later(_) => Failure::misuse(error),
            StoreError::Database { .. } => Failure::Fault(error.into()),
        }
    }
}

impl From<ClassError> for Failure {
    fn from(error: ClassError) -> Failure {
        match error {
            ClassError::Misuse(what) => Failure::Misuse(what),
            ClassError::NotStarted(why) => Failure::NotStarted(why),
            ClassError::Interrupted(what) => Failure::Interrupted(what),
            error @ ClassError::NotInstalled(_) => Failure::Fault(error.into()),
            ClassError::Fault(error) => Failure::Fault(anyhow::Error::from_boxed(error)),
            ClassError::Io(error) => error.into(),
            ClassError::Store(error) => error.into(),
            ClassError::Record(error) => error.into(),
            ClassError::Output(error) => error.into(),
        }
    }
}
