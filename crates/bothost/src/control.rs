//! The messages between a supervisor and the referee. The supervisor reports what it knows of its bot besides how that ended:
//! that the machine could not start it, that its program could not be started, what it took too much of, which processes it
//! left behind, how much it computed, what could not be removed. The referee tells it to stop the bot and to continue it.
//!
//! They say so through a pair of sockets of their own. Standard error and exit statuses are the bot's too: one that is
//! about to lose could claim there that the machine has failed. Sockets, because the two ends of a pipe can be opened
//! through `/proc/PID/fd` by any process of the same user where nothing confines it.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, FdFlags, fcntl_setfd};

use super::stderr::SupervisorSays;
use super::text;

/// The longest text of a report, in bytes; a longer one is cut.
const LONGEST: usize = 1024;

/// Number of bytes of reports that are read in all: more than a supervisor ever writes.
const MOST: usize = 16 * LONGEST;

/// The words that reports begin with.
const MACHINE: &str = "machine";
const PROGRAM: &str = "program";
const TOO_MUCH: &str = "too-much";
const LEFT: &str = "left";
const COMPUTED: &str = "computed";
const ENDED: &str = "ended";
const REMAINS: &str = "remains";

/// The byte by which a supervisor says that it has done as it was told. No report has it: there, control characters
/// become spaces.
const DONE: u8 = 6;

/// The time that a supervisor may take to let its bot continue. It takes less than a millisecond; a machine that is busy with
/// other things may take longer. After that the bot is asked all the same.
const PATIENCE: Duration = Duration::from_secs(1);

/// An order to a supervisor about its bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Stop all of its processes.
    Stop,
    /// Let all of them continue.
    GoOn,
}

impl Order {
    const fn byte(self) -> u8 {
        match self {
            Order::Stop => b's',
            Order::GoOn => b'c',
        }
    }

    fn of(byte: u8) -> Option<Order> {
        [Order::Stop, Order::GoOn]
            .into_iter()
            .find(|order| order.byte() == byte)
    }
}

/// The referee's end.
#[derive(Debug)]
pub(super) struct Control {
    end: OwnedFd,
    /// The reports, without what confirms an order.
    heard: Vec<u8>,
    /// The number of orders that the supervisor has not confirmed yet.
    unconfirmed: u32,
}

/// The supervisor's end, to be inherited by it alone.
#[derive(Debug)]
pub(super) struct Reporter(OwnedFd);

impl Control {
    /// Returns the two ends of a new pair. Neither is inherited by any process as long as nothing else is said.
    pub(super) fn new() -> io::Result<(Control, Reporter)> {
        let (here, there) = UnixStream::pair()?;
        here.set_nonblocking(true)?;
        let control = Control {
            end: here.into(),
            heard: Vec::new(),
            unconfirmed: 0,
        };
        Ok((control, Reporter(there.into())))
    }

    /// Reads what has been said since the last call. Returns whether there was anything to hear.
    pub(super) fn listen(&mut self) -> bool {
        let mut buffer = [0; LONGEST];
        let mut has_heard = false;
        loop {
            let count = match rustix::io::read(&self.end, &mut buffer) {
                Ok(0) => return has_heard,
                Ok(count) => count,
                Err(Errno::INTR) => continue,
                Err(_) => return has_heard,
            };
            has_heard = true;
            for byte in &buffer[..count] {
                if *byte == DONE {
                    self.unconfirmed = self.unconfirmed.saturating_sub(1);
                } else if self.heard.len() < MOST {
                    self.heard.push(*byte);
                }
            }
        }
    }

    /// Returns each whole report that has been heard, in order. What is not understood is left out.
    pub(super) fn heard(&self) -> impl Iterator<Item = SupervisorSays> {
        let whole = self
            .heard
            .iter()
            .rposition(|byte| *byte == b'\n')
            .unwrap_or(0);
        self.heard[..whole]
            .split(|byte| *byte == b'\n')
            .filter_map(understood)
    }

    /// Tells the supervisor to stop its bot; but not while it has yet to follow an earlier order.
    pub(super) fn stop(&mut self) {
        self.listen();
        if self.unconfirmed == 0 {
            self.tell(Order::Stop);
        }
    }

    /// Tells the supervisor to let its bot continue, and waits until it has done so.
    pub(super) fn resume(&mut self) {
        self.tell(Order::GoOn);
        self.settle();
    }

    /// Waits until the supervisor has done what it was told.
    pub(super) fn settle(&mut self) {
        let until = Instant::now() + PATIENCE;
        while self.unconfirmed > 0 {
            let left = until.saturating_duration_since(Instant::now());
            let mut watched = [PollFd::new(&self.end, PollFlags::IN)];
            match poll(&mut watched, Timespec::try_from(left).ok().as_ref()) {
                Ok(0) | Err(Errno::INTR) if !left.is_zero() => {}
                // At its end, as of a supervisor that has ended, it hears no more.
                Ok(1..) => {
                    if !self.listen() {
                        return;
                    }
                }
                Ok(_) | Err(_) => return,
            }
        }
    }

    fn tell(&mut self, order: Order) {
        // One byte into an empty socket always fits. A supervisor that has ended hears nothing, and its bot is gone.
        if rustix::io::write(&self.end, &[order.byte()]) == Ok(1) {
            self.unconfirmed += 1;
        }
    }
}

/// Returns what a report says, fit to be shown.
fn understood(report: &[u8]) -> Option<SupervisorSays> {
    let space = report.iter().position(|byte| *byte == b' ')?;
    let (word, what) = (
        std::str::from_utf8(&report[..space]).ok()?,
        &report[space + 1..],
    );
    let what = text::shown(what);
    Some(match word {
        MACHINE => SupervisorSays::MachineFailed(what),
        PROGRAM => SupervisorSays::NotStarted(what),
        TOO_MUCH => SupervisorSays::UsedTooMuch(what),
        ENDED => SupervisorSays::Ended(what.parse().ok()?),
        REMAINS => SupervisorSays::Remains(what),
        LEFT => {
            let names = what.split(", ").filter(|name| !name.is_empty());
            SupervisorSays::Left(names.map(str::to_owned).collect())
        }
        COMPUTED => SupervisorSays::Computed(Duration::from_micros(what.parse().ok()?)),
        _ => return None,
    })
}

impl Reporter {
    /// Returns the number under which a process that inherits this end finds it.
    pub(super) fn number(&self) -> i32 {
        self.0.as_raw_fd()
    }

    /// Returns the descriptor that the process is to inherit.
    pub(super) fn descriptor(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    /// Reports this. A report that cannot be written is lost: then the exit status has to do.
    pub(super) fn report(&self, what: &SupervisorSays) {
        let (word, what) = match what {
            SupervisorSays::MachineFailed(why) => (MACHINE, why.clone()),
            SupervisorSays::NotStarted(why) => (PROGRAM, why.clone()),
            SupervisorSays::UsedTooMuch(what) => (TOO_MUCH, what.clone()),
            SupervisorSays::Ended(status) => (ENDED, status.to_string()),
            SupervisorSays::Remains(what) => (REMAINS, what.clone()),
            SupervisorSays::Left(names) => (LEFT, names.join(", ")),
            SupervisorSays::Computed(time) => (COMPUTED, time.as_micros().to_string()),
        };
        let mut line = format!("{word} {what}").into_bytes();
        line.truncate(LONGEST);
        // A bot chooses the names of its processes and of its program: none of them is to end the line, or to confirm
        // an order.
        line.iter_mut()
            .filter(|byte| byte.is_ascii_control())
            .for_each(|byte| *byte = b' ');
        line.push(b'\n');
        let mut rest = &line[..];
        while !rest.is_empty() {
            match rustix::io::write(self.0.as_fd(), rest) {
                Ok(count) => rest = &rest[count..],
                Err(Errno::INTR) => {}
                Err(_) => return,
            }
        }
    }

    /// Waits for orders and returns those that have come; `None` if the referee's end is closed.
    pub(super) fn orders(&self) -> Option<Vec<Order>> {
        let mut buffer = [0; 64];
        match rustix::io::read(&self.0, &mut buffer) {
            Ok(0) => None,
            Ok(count) => Some(
                buffer[..count]
                    .iter()
                    .filter_map(|byte| Order::of(*byte))
                    .collect(),
            ),
            Err(Errno::INTR) => Some(Vec::new()),
            Err(_) => None,
        }
    }

    /// Says that an order has been followed.
    pub(super) fn confirm(&self) {
        let _ = rustix::io::write(&self.0, &[DONE]);
    }

    /// Returns the end that this process inherited under `number`.
    ///
    /// # Errors
    /// If nothing is open under that number.
    pub(super) fn inherited(number: i32) -> io::Result<Reporter> {
        let end = super::descriptors::inherited(number)?;
        // As the one that passed it on: not for the programs that this process starts.
        fcntl_setfd(&end, FdFlags::CLOEXEC)?;
        Ok(Reporter(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_heard_in_order() {
        let (mut report, reporter) = Control::new().unwrap();
        report.listen();
        assert_eq!(report.heard().count(), 0);
        let all = [
            SupervisorSays::MachineFailed("no process to spare".to_owned()),
            SupervisorSays::NotStarted("no program \"x\"".to_owned()),
            SupervisorSays::UsedTooMuch("it has 2 GiB of memory".to_owned()),
            SupervisorSays::Left(vec!["sh".to_owned(), "sleep".to_owned()]),
            SupervisorSays::Left(Vec::new()),
            SupervisorSays::Computed(Duration::from_micros(1500)),
        ];
        for says in &all {
            reporter.report(says);
        }
        report.listen();
        assert_eq!(report.heard().collect::<Vec<_>>(), all);
        drop(reporter);
        report.listen();
        assert_eq!(report.heard().count(), all.len());
    }

    #[test]
    fn the_name_of_a_bot_is_no_report() {
        let (mut report, reporter) = Control::new().unwrap();
        reporter.report(&SupervisorSays::Left(vec!["a\nmachine broken".to_owned()]));
        report.listen();
        let left = SupervisorSays::Left(vec!["a machine broken".to_owned()]);
        assert_eq!(report.heard().collect::<Vec<_>>(), [left]);
    }

    #[test]
    fn a_report_of_any_length_is_cut() {
        let (mut report, reporter) = Control::new().unwrap();
        reporter.report(&SupervisorSays::NotStarted("ä".repeat(40_000)));
        report.listen();
        assert!(report.heard.len() <= LONGEST + 1, "{}", report.heard.len());
        assert_eq!(report.heard().count(), 1);
    }

    #[test]
    fn what_no_supervisor_says_is_left_out() {
        let (mut report, reporter) = Control::new().unwrap();
        for line in [
            "\n",
            "machine\n",
            "nonsense 1\n",
            "computed soon\n",
            "machine half a li",
        ] {
            rustix::io::write(reporter.descriptor(), line.as_bytes()).unwrap();
        }
        report.listen();
        assert_eq!(report.heard().count(), 0);
    }

    #[test]
    fn what_is_confirmed_is_not_a_report() {
        let (mut control, reporter) = Control::new().unwrap();
        control.stop();
        // Not a second one before the first is followed.
        control.stop();
        assert_eq!(reporter.orders(), Some(vec![Order::Stop]));
        reporter.confirm();
        control.stop();
        control.tell(Order::GoOn);
        assert_eq!(reporter.orders(), Some(vec![Order::Stop, Order::GoOn]));
        reporter.confirm();
        reporter.confirm();
        control.listen();
        assert_eq!(control.heard().count(), 0);
        drop(control);
        assert_eq!(reporter.orders(), None);
    }

    #[test]
    fn a_bot_continues_when_its_supervisor_ends() {
        let (mut control, reporter) = Control::new().unwrap();
        std::thread::scope(|scope| {
            let supervisor = scope.spawn(|| {
                let orders = reporter.orders();
                reporter.confirm();
                orders
            });
            control.resume();
            assert_eq!(control.unconfirmed, 0);
            assert_eq!(supervisor.join().unwrap(), Some(vec![Order::GoOn]));
        });
        drop(reporter);
        let began = Instant::now();
        control.resume();
        assert!(began.elapsed() < PATIENCE);
    }
}
