//! The channel between the referee and the supervisor of a bot: a line of JSON, the whole report,
//! for each change of it, and a byte for each order.
//!
//! It is a pair of sockets of its own. Standard error and exit statuses are the bot's too: one that
//! is about to lose could claim there that the machine has failed. Sockets, because the two ends of
//! a pipe can be opened through `/proc/PID/fd` by any process of the same user where nothing
//! confines it.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::{Deserialize, Serialize};

use crate::sandbox::Sandbox;
use crate::supervisor_report::SupervisorReport;

/// The time that a supervisor may take to stop its bot or to let it continue. It takes less than a millisecond; a
/// machine that is busy with other things may take longer. After that the bot is asked all the
/// same.
const PATIENCE: Duration = Duration::from_secs(1);

/// The work of a supervisor. The program of the bot and its arguments follow as words of their own,
/// which may be as long as the kernel allows.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Task {
    /// The process of the referee.
    pub(crate) referee: u32,
    /// The descriptor of the supervisor's end of the channel, which it inherits.
    pub(crate) channel: i32,
    /// The folder that the bot starts in; `None` for the referee's.
    pub(crate) start_in: Option<OsString>,
    /// The message if the bot cannot be started.
    pub(crate) advice: Option<String>,
    pub(crate) on_terminal: bool,
    /// Whether to report the processes that the bot leaves behind.
    pub(crate) lists_left_behind: bool,
    pub(crate) sandbox: Option<Sandbox>,
    /// The folder that a bot without namespaces may write in. The supervisor removes it.
    pub(crate) writable: Option<OsString>,
}

/// The order to stop all processes of the bot.
pub(super) const STOP: u8 = b's';

/// The order to let all of them continue.
pub(super) const RESUME: u8 = b'r';

/// The referee's end.
#[derive(Debug)]
pub(crate) struct Channel {
    socket: BufReader<UnixStream>,
    /// The beginning of the next report.
    line: Vec<u8>,
    /// The last one that has come.
    pub(crate) report: SupervisorReport,
    /// The number of orders that were sent.
    orders: u32,
}

impl Channel {
    /// Returns both ends. No process inherits them unless it is told to.
    pub(crate) fn new() -> io::Result<(Channel, UnixStream)> {
        let (own, of_supervisor) = UnixStream::pair()?;
        own.set_nonblocking(true)?;
        let channel = Channel {
            socket: BufReader::new(own),
            line: Vec::new(),
            report: SupervisorReport::default(),
            orders: 0,
        };
        Ok((channel, of_supervisor))
    }

    /// Reads the reports that have come since the last call. Returns whether there may be more.
    pub(crate) fn receive(&mut self) -> bool {
        loop {
            match self.socket.read_until(b'\n', &mut self.line) {
                Ok(0) => return false,
                Ok(_) => {
                    // A supervisor that was killed has not finished its last one.
                    if let Ok(report) = serde_json::from_slice(&self.line) {
                        self.report = report;
                    }
                }
                // The beginning of a line stays.
                Err(_) => return true,
            }
            self.line.clear();
        }
    }

    /// Has the supervisor stop its bot, unless it has yet to follow an earlier order.
    pub(crate) fn stop(&mut self) {
        self.receive();
        if self.report.orders == self.orders {
            self.order(STOP);
        }
    }

    /// Has the supervisor let its bot continue, and waits until it has done so.
    pub(crate) fn resume(&mut self) {
        self.order(RESUME);
        self.wait_until_followed();
    }

    /// Has the supervisor stop its bot, and waits until it has done so.
    pub(crate) fn stop_now(&mut self) {
        self.order(STOP);
        self.wait_until_followed();
    }

    fn wait_until_followed(&mut self) {
        let until = Instant::now() + PATIENCE;
        while self.receive() && self.report.orders < self.orders {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let mut watched = [PollFd::new(self.socket.get_ref(), PollFlags::IN)];
            // A signal is one more reason to look.
            let _ = poll(&mut watched, Timespec::try_from(left).ok().as_ref());
        }
    }

    fn order(&mut self, order: u8) {
        // One byte into an empty socket always fits. The bot of a supervisor that has ended is
        // gone.
        if self.socket.get_mut().write_all(&[order]).is_ok() {
            self.orders += 1;
        }
    }
}

/// Sends `report` by `channel`, the supervisor's end. One that cannot be written is lost.
pub(super) fn send(mut channel: &UnixStream, report: &SupervisorReport) {
    let line = serde_json::to_string(report).expect("text and numbers") + "\n";
    let _ = channel.write_all(line.as_bytes());
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn the_last_whole_report_counts() {
        let (mut channel, supervisor) = Channel::new().unwrap();
        assert!(channel.receive());
        let mut report = SupervisorReport {
            left_behind: Some(vec!["sh\n\"Done\"".to_owned()]),
            ..SupervisorReport::default()
        };
        send(&supervisor, &report);
        report.computed = Some(Duration::from_micros(1500));
        send(&supervisor, &report);
        let (beginning, rest) = r#"{"ended":9,"orders":0}"#.split_at(9);
        (&supervisor).write_all(b"nonsense\n").unwrap();
        (&supervisor).write_all(beginning.as_bytes()).unwrap();
        assert!(channel.receive());
        assert_eq!(channel.report.left_behind, report.left_behind);
        assert_eq!(channel.report.computed, report.computed);
        (&supervisor).write_all(rest.as_bytes()).unwrap();
        (&supervisor).write_all(b"\n").unwrap();
        drop(supervisor);
        assert!(!channel.receive());
        assert_eq!(channel.report.ended, Some(9));
    }

    fn followed(orders: u32) -> SupervisorReport {
        SupervisorReport {
            orders,
            ..SupervisorReport::default()
        }
    }

    #[test]
    fn a_bot_is_stopped_once() {
        let (mut channel, supervisor) = Channel::new().unwrap();
        channel.stop();
        channel.stop();
        send(&supervisor, &followed(1));
        channel.stop();
        drop(channel);
        let mut orders = Vec::new();
        (&supervisor).read_to_end(&mut orders).unwrap();
        assert_eq!(orders, [STOP; 2]);
    }

    #[test]
    fn a_bot_continues_when_its_supervisor_ends() {
        let (mut channel, supervisor) = Channel::new().unwrap();
        std::thread::scope(|scope| {
            let follower = scope.spawn(|| {
                let mut order = [0];
                (&supervisor).read_exact(&mut order).unwrap();
                send(&supervisor, &followed(1));
                order
            });
            channel.resume();
            assert_eq!(channel.report.orders, channel.orders);
            assert_eq!(follower.join().unwrap(), [RESUME]);
        });
        drop(supervisor);
        let began = Instant::now();
        channel.resume();
        assert!(began.elapsed() < PATIENCE);
    }
}
