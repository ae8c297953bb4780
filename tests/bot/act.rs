//! Misbehaviour, from a moment on.

use std::io;
use std::process::exit;
use std::time::{Duration, Instant};

use clap::Args;

use super::{Player, answer, end_in_time, leave_child, say, stay, write};

#[derive(Debug, Args)]
pub(super) struct Act {
    /// Instead of the answer to which request it misbehaves; attack is any request for a turn
    #[arg(long, default_value = "attack", value_parser = ["greeting", "place", "attack", "quit"])]
    at: String,
    /// The games that it says it plays
    #[arg(long)]
    plays: Option<String>,
    /// Number of those requests that it answers before
    #[arg(long, default_value_t = 0)]
    after: u32,
    /// Text that it writes to standard error before
    #[arg(long)]
    stderr: Option<String>,
    /// Its misbehaviour
    deed: String,
    /// Text that it says, with \n, \r, \0, \e and \xff escaped so; or a number
    #[arg(allow_hyphen_values = true, default_value = "")]
    argument: String,
    /// The requests of the moment that have come
    #[arg(skip)]
    seen: u32,
}

impl Player for Act {
    fn start(&mut self) {
        end_in_time();
    }

    fn greet(&self) -> String {
        match &self.plays {
            Some(games) => format!("plays {games}\nready"),
            None => "ready".to_owned(),
        }
    }

    fn answer(&mut self, words: &[&str], reply: &str) -> bool {
        let moment = match words[0] {
            "battleship" => "greeting",
            "salvo" => "attack",
            word => word,
        };
        if moment == self.at {
            self.seen += 1;
            if self.seen == self.after + 1 {
                if let Some(words) = &self.stderr {
                    write(io::stderr(), format!("{words}\n"));
                }
                self.misbehave(&format!("{reply}\n"));
                return false;
            }
        }
        answer(words, reply)
    }
}

impl Act {
    fn misbehave(&self, reply: &str) {
        let number = || self.argument.parse::<i32>().expect("a number");
        match self.deed.as_str() {
            "nothing" => say(reply),
            "say" => say(self.text()),
            "say-and-hang" => {
                say(self.text());
                stay()
            }
            "say-and-exit" => {
                say(self.text());
                exit(0)
            }
            "exit" => exit(number()),
            "crash" => std::process::abort(),
            // Reads on, so that only the reply is missing.
            "hang" => drop(io::copy(&mut io::stdin().lock(), &mut io::sink())),
            "not-read" => stay(),
            "endless-line" => flood(&"x".repeat(1000)),
            "flood" => flood("attack 0 0\n"),
            "comment-flood" => flood("# still thinking\n"),
            "stderr-flood" => loop {
                write(io::stderr(), [b'y'; 4096]);
            },
            // As many bytes of comments as the argument names, in lines of 100 bytes and a last one
            // that makes it exact.
            "comments" => {
                let bytes = usize::try_from(number()).expect("not negative");
                let mut text = format!("#{}\n", "-".repeat(98)).repeat(bytes / 100 + 1);
                text.truncate(bytes - 1);
                say(format!("{text}\n{reply}"));
            }
            // In two writes, between which the other side may run.
            "answers-twice" => {
                say(reply);
                say("attack 9 9\n");
            }
            "drip" => loop {
                say("a");
                std::thread::sleep(Duration::from_millis(20));
            },
            "close-output" => {
                close(&io::stdout());
                stay()
            }
            // Keeps answering what it takes to be the requests.
            "close-input" => {
                close(&io::stdin());
                say(reply);
                for cell in 0..2000 {
                    say(format!("attack {} {}\n", cell / 10 % 10, cell % 10));
                    std::thread::sleep(Duration::from_millis(1));
                }
                exit(0)
            }
            "stderr-megabyte" => {
                megabyte();
                say(reply);
            }
            "reply-then-stderr-megabyte" => {
                say(reply);
                megabyte();
            }
            "spin" => {
                spin();
                exit(3)
            }
            // Keeps a core busy in both players' turns.
            "spin-in-background" => {
                std::thread::spawn(spin);
                say(reply);
            }
            "leave-child" => {
                leave_child();
                exit(0)
            }
            deed => panic!("there is no deed {deed}"),
        }
    }

    /// Returns what it says, as bytes.
    fn text(&self) -> Vec<u8> {
        let text = self
            .argument
            .replace("\\n", "\n")
            .replace("\\r", "\r")
            .replace("\\0", "\0")
            .replace("\\e", "\x1b");
        let parts: Vec<_> = text.split("\\xff").map(str::as_bytes).collect();
        parts.join(&b'\xff')
    }
}

fn flood(text: &str) -> ! {
    loop {
        say(text);
    }
}

fn megabyte() {
    write(io::stderr(), vec![b'z'; 1 << 20]);
}

/// Keeps a core busy for a minute.
fn spin() {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(60) {
        std::hint::spin_loop();
    }
}

#[cfg(unix)]
#[allow(unsafe_code, reason = "std has no way to close a standard stream")]
fn close(stream: &impl std::os::fd::AsRawFd) {
    use std::os::fd::{FromRawFd, OwnedFd};
    // SAFETY: nothing uses the stream afterwards.
    drop(unsafe { OwnedFd::from_raw_fd(stream.as_raw_fd()) });
}

#[cfg(windows)]
#[allow(unsafe_code, reason = "std has no way to close a standard stream")]
fn close(stream: &impl std::os::windows::io::AsRawHandle) {
    use std::os::windows::io::{FromRawHandle, OwnedHandle};
    // SAFETY: nothing uses the stream afterwards.
    drop(unsafe { OwnedHandle::from_raw_handle(stream.as_raw_handle()) });
}
