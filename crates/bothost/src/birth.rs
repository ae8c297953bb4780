//! The reports of the copies of a supervisor that become its bot: who they are, why there is no bot, and how it ended.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, WaitOptions, waitpid};
use serde::{Deserialize, Serialize};

use super::descriptors::close_all_but;
use super::program::StartError;

/// The exit status of a supervisor that could not start its bot: what env(1) uses. For a reader of a process list; the referee
/// goes by what is reported.
pub(super) const NOT_STARTED: u8 = 125;

/// The ends that the copies have. None of them is inherited by the bot.
#[derive(Debug)]
pub(super) struct Birth {
    /// Closed when the bot's program runs: that is when no copy has it any more.
    news: Option<PipeWriter>,
    /// Readable when the supervisor is the parent.
    adopted: PipeReader,
    status: PipeWriter,
}

/// The ends that the supervisor has.
#[derive(Debug)]
pub(super) struct Expected {
    news: BufReader<PipeReader>,
    adopt: PipeWriter,
    pub(super) status: Status,
}

/// The pipe through which the first process of a world reports the end of its bot.
#[derive(Debug)]
pub(super) struct Status(PipeReader);

#[derive(Debug, Serialize, Deserialize)]
enum News {
    /// The process to watch, in place of the first copy.
    Born(i32),
    Failed(StartError),
}

/// Returns both sides of a birth.
pub(super) fn expect() -> io::Result<(Birth, Expected)> {
    let ((heard, news), (adopted, adopt), (read, status)) = (io::pipe()?, io::pipe()?, io::pipe()?);
    let birth = Birth {
        news: Some(news),
        adopted,
        status,
    };
    Ok((
        birth,
        Expected {
            news: BufReader::new(heard),
            adopt,
            status: Status(read),
        },
    ))
}

impl Birth {
    /// Says that the process `pid` is to be watched from now on. The supervisor adopts it when this one has ended.
    pub(super) fn born(&mut self, pid: Pid) {
        self.say(&News::Born(pid.as_raw_nonzero().get()));
    }

    /// Says that there will be no bot. Returns the status to end with.
    pub(super) fn failed(&mut self, error: StartError) -> i32 {
        self.say(&News::Failed(error));
        NOT_STARTED.into()
    }

    fn say(&mut self, news: &News) {
        let line = serde_json::to_string(news).expect("news have nothing that JSON has not") + "\n";
        if let Some(pipe) = &mut self.news {
            // If the supervisor is gone nothing is left to tell.
            let _ = pipe.write_all(line.as_bytes());
        }
    }

    /// Closes every descriptor but the standard streams and those of this.
    pub(super) fn close_others(&self) {
        let news = self.news.as_ref().map(AsRawFd::as_raw_fd);
        let own = [self.adopted.as_raw_fd(), self.status.as_raw_fd()];
        close_all_but(
            &[0, 1, 2]
                .into_iter()
                .chain(own)
                .chain(news)
                .collect::<Vec<_>>(),
        );
    }

    /// Waits until the supervisor is the parent of this process. Returns whether it is.
    pub(super) fn wait_for_adoption(&mut self) -> bool {
        self.adopted.read_exact(&mut [0]).is_ok()
    }

    /// Returns whether the supervisor is gone, which has adopted this process. Only after [`Birth::close_others`].
    pub(super) fn is_orphaned(&self) -> bool {
        // No process writes there any more, so that no byte can be the reason.
        let mut watched = [PollFd::new(&self.adopted, PollFlags::empty())];
        poll(
            &mut watched,
            Some(&Timespec {
                tv_sec: 0,
                tv_nsec: 0,
            }),
        )
        .is_ok_and(|ready| ready > 0)
    }

    /// Leaves it to the bot's own process to say what there is to say about its start.
    pub(super) fn leave_news_to_bot(&mut self) {
        self.news = None;
    }

    /// Says how the bot has ended.
    pub(super) fn ended(&mut self, status: i32) {
        let _ = self.status.write_all(&status.to_ne_bytes());
    }
}

impl Expected {
    /// Waits until the program of the bot runs, which the process `first` becomes, or one that takes its place. Returns
    /// the process to watch and, if that is not the bot itself, where the end of the bot is told.
    pub(super) fn wait(mut self, first: Pid) -> Result<(Pid, Option<Status>), StartError> {
        let mut watched = (first, None);
        let mut line = String::new();
        let mut failed = None;
        while self
            .news
            .read_line(&mut line)
            .map_err(StartError::of_supervisor)?
            > 0
        {
            match serde_json::from_str(&line) {
                Ok(News::Born(pid)) => {
                    let pid = Pid::from_raw(pid).ok_or(io::ErrorKind::InvalidData);
                    let pid = pid.map_err(|error| StartError::of_supervisor(error.into()))?;
                    while let Err(rustix::io::Errno::INTR) =
                        waitpid(Some(first), WaitOptions::empty())
                    {}
                    let adopted = self.adopt.write_all(b"x");
                    adopted.map_err(StartError::of_supervisor)?;
                    watched = (pid, Some(()));
                }
                Ok(News::Failed(error)) => failed = Some(error),
                Err(error) => failed = Some(StartError::of_supervisor(error.into())),
            }
            line.clear();
        }
        match failed {
            Some(error) => Err(error),
            None => Ok((watched.0, watched.1.map(|()| self.status))),
        }
    }
}

impl Status {
    /// Returns how the bot has ended; `None` if no process was left to say it.
    pub(super) fn read(&mut self) -> Option<ExitStatus> {
        let mut status = [0; 4];
        self.0.read_exact(&mut status).ok()?;
        Some(ExitStatus::from_raw(i32::from_ne_bytes(status)))
    }
}
