//! A bot that plays legally until the moment that its flags name, and then misbehaves as they say. The tests
//! play the referee against it.

use std::io::{self, Write};
use std::process::{Command, exit};
use std::time::Duration;

use clap::{Parser, ValueEnum};

/// The argument that makes it the child of another one, which is left behind.
const CHILD: &str = "(a child)";

/// Plays legally until the moment that the flags name, and then misbehaves as they say.
#[derive(Debug, Parser)]
struct Flags {
    /// Instead of the answer to which request it misbehaves; attack is any request for a turn
    #[arg(long, value_enum, default_value = "attack")]
    at: Moment,
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
    #[arg(value_enum)]
    deed: Deed,
    /// Text that it says, with \n, \r, \0, \e and \xff escaped so; for say and exit: text or status
    #[arg(allow_hyphen_values = true)]
    argument: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Moment {
    Greeting,
    Place,
    Attack,
    Quit,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Deed {
    /// Says the argument, and then behaves
    Say,
    /// Says the argument and never anything more
    SayAndHang,
    /// Says the argument and exits with status 0
    SayAndExit,
    /// Exits with the argument as its status
    Exit,
    /// Ends by a signal
    Crash,
    /// Does nothing for ever, though it keeps reading
    Hang,
    /// Reads nothing more
    NotRead,
    /// Says a line without an end
    EndlessLine,
    /// Says line after line without being asked
    Flood,
    /// Says comment after comment
    CommentFlood,
    /// Says as many bytes of comments as the argument names, and then behaves
    Comments,
    /// Answers, and answers again by itself
    AnswersTwice,
    /// Says a byte from time to time, and never a whole line
    Drip,
    /// Closes its output and lives on
    CloseOutput,
    /// Closes its input and keeps answering what it takes to be the requests
    CloseInput,
    /// Writes to standard error without end
    StderrFlood,
    /// Writes a megabyte to standard error, then behaves
    StderrMegabyte,
    /// Answers, and then writes a megabyte to standard error
    ReplyThenStderrMegabyte,
    /// Keeps its core busy without end
    Spin,
    /// Behaves, and keeps its core busy in both players' turns
    SpinInBackground,
    /// Leaves a child that holds its pipes open, and exits
    LeaveChild,
    /// Behaves
    Nothing,
}

fn main() -> io::Result<()> {
    let flags = Flags::parse();
    if flags.argument.as_deref() == Some(CHILD) {
        hang();
    }
    // It ends even if the referee fails to end it.
    std::thread::spawn(|| hang());
    let mut bot = Bot {
        flags,
        seen: 0,
        next: 0,
    };
    let mut line = String::new();
    // Not by an iterator, which would keep the input to itself while a deed wants to read it.
    while io::stdin().read_line(&mut line)? > 0 {
        bot.hear(line.trim_end())?;
        line.clear();
    }
    Ok(())
}

struct Bot {
    flags: Flags,
    /// The number of requests of the moment that have come.
    seen: u32,
    /// The next cell to attack.
    next: u32,
}

impl Bot {
    fn hear(&mut self, line: &str) -> io::Result<()> {
        let (moment, reply) = match line.split(' ').next() {
            Some("battleship") => (Moment::Greeting, self.greeting()),
            Some("place") => (
                Moment::Place,
                "place 0 0 h 1 0 h 2 0 h 3 0 h 4 0 h".to_owned(),
            ),
            Some("attack") => (Moment::Attack, format!("attack{}", self.next_cell())),
            Some("salvo") => {
                let shots = line
                    .split(' ')
                    .nth(1)
                    .and_then(|shots| shots.parse().ok())
                    .unwrap_or(0);
                let cells: String = (0..shots).map(|_| self.next_cell()).collect();
                (Moment::Attack, format!("salvo{cells}"))
            }
            Some("quit") => (Moment::Quit, String::new()),
            _ => return Ok(()),
        };
        if moment == self.flags.at {
            self.seen += 1;
            if self.seen == self.flags.after + 1 {
                if let Some(words) = &self.flags.stderr {
                    writeln!(io::stderr(), "{words}")?;
                }
                self.misbehave(&reply)?;
                return Ok(());
            }
        }
        if moment == Moment::Quit {
            exit(0);
        }
        say(&format!("{reply}\n"))
    }

    fn greeting(&self) -> String {
        let plays = self
            .flags
            .plays
            .as_ref()
            .map(|games| format!("plays {games}\n"));
        format!("{}ready", plays.unwrap_or_default())
    }

    fn next_cell(&mut self) -> String {
        let cell = self.next % 100;
        self.next += 1;
        format!(" {} {}", cell / 10, cell % 10)
    }

    fn misbehave(&mut self, reply: &str) -> io::Result<()> {
        let argument = unescape(self.flags.argument.as_deref().unwrap_or_default());
        match self.flags.deed {
            Deed::Say => say_bytes(&argument),
            Deed::SayAndHang => {
                say_bytes(&argument)?;
                hang()
            }
            Deed::SayAndExit => {
                say_bytes(&argument)?;
                exit(0)
            }
            Deed::Exit => {
                let status = String::from_utf8_lossy(&argument).parse().unwrap_or(0);
                exit(status)
            }
            Deed::Crash => std::process::abort(),
            Deed::Hang => {
                // Reads on, so that only the reply is missing.
                io::copy(&mut io::stdin().lock(), &mut io::sink())?;
                Ok(())
            }
            Deed::NotRead => hang(),
            Deed::EndlessLine => loop {
                say_bytes(&[b'x'; 1000])?;
            },
            Deed::Flood => loop {
                say("attack 0 0\n")?;
            },
            Deed::CommentFlood => loop {
                say("# still thinking\n")?;
            },
            Deed::Comments => {
                say(&comments(
                    String::from_utf8_lossy(&argument).parse().unwrap_or(0),
                ))?;
                say(&format!("{reply}\n"))
            }
            Deed::AnswersTwice => {
                // In two writes, between which the other side may run.
                say(&format!("{reply}\n"))?;
                say("attack 9 9\n")
            }
            Deed::Drip => loop {
                say("a")?;
                std::thread::sleep(Duration::from_millis(20));
            },
            Deed::CloseOutput => {
                close_stdout();
                hang()
            }
            Deed::CloseInput => {
                close_stdin();
                say(&format!("{reply}\n"))?;
                self.attack_unasked()?;
                exit(0)
            }
            Deed::StderrFlood => loop {
                io::stderr().write_all(&[b'y'; 4096])?;
            },
            Deed::StderrMegabyte => {
                io::stderr().write_all(&vec![b'z'; 1 << 20])?;
                say(&format!("{reply}\n"))
            }
            Deed::ReplyThenStderrMegabyte => {
                say(&format!("{reply}\n"))?;
                io::stderr().write_all(&vec![b'z'; 1 << 20])
            }
            Deed::Spin => {
                spin();
                exit(3)
            }
            Deed::SpinInBackground => {
                std::thread::spawn(spin);
                say(&format!("{reply}\n"))
            }
            Deed::LeaveChild => {
                // It ends by itself if the referee fails to end it.
                Command::new(std::env::current_exe()?)
                    .args(["say", CHILD])
                    .spawn()?;
                exit(0)
            }
            Deed::Nothing => say(&format!("{reply}\n")),
        }
    }

    /// Attacks for two seconds, without having read anything.
    fn attack_unasked(&mut self) -> io::Result<()> {
        for _ in 0..2000 {
            let cell = self.next % 100;
            self.next += 1;
            say(&format!("attack {} {}\n", cell / 10, cell % 10))?;
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }
}

/// Returns comments of this many bytes.
fn comments(count: usize) -> String {
    // Lines of a hundred bytes, and a last one that makes it exact.
    let mut comments = format!("#{}\n", "-".repeat(98)).repeat(count / 100);
    if count % 100 == 1 {
        comments.insert(1, '-');
    } else if count % 100 > 1 {
        comments = format!("{comments}#{}\n", "-".repeat(count % 100 - 2));
    }
    comments
}

fn say(text: &str) -> io::Result<()> {
    say_bytes(text.as_bytes())
}

fn say_bytes(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Waits for a minute, so that a bot ends even if the referee fails to end it.
fn hang() -> ! {
    std::thread::sleep(Duration::from_secs(60));
    exit(3)
}

/// Keeps a core busy for a minute.
fn spin() {
    let began = std::time::Instant::now();
    while began.elapsed() < Duration::from_secs(60) {
        std::hint::spin_loop();
    }
}

/// Puts the null device in the place of standard output, which closes the pipe.
#[cfg(unix)]
fn close_stdout() {
    let null = std::fs::File::options()
        .write(true)
        .open("/dev/null")
        .expect("the null device");
    rustix::stdio::dup2_stdout(null).expect("standard output can be replaced");
}

#[cfg(unix)]
fn close_stdin() {
    let null = std::fs::File::open("/dev/null").expect("the null device");
    rustix::stdio::dup2_stdin(null).expect("standard input can be replaced");
}

#[cfg(windows)]
#[allow(unsafe_code, reason = "std has no way to close a standard stream")]
fn close_stdout() {
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
    // SAFETY: nothing writes to it afterwards.
    drop(unsafe { OwnedHandle::from_raw_handle(io::stdout().as_raw_handle()) });
}

#[cfg(windows)]
#[allow(unsafe_code, reason = "std has no way to close a standard stream")]
fn close_stdin() {
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
    // SAFETY: nothing reads from it afterwards.
    drop(unsafe { OwnedHandle::from_raw_handle(io::stdin().as_raw_handle()) });
}

fn unescape(text: &str) -> Vec<u8> {
    let text = text
        .replace("\\n", "\n")
        .replace("\\r", "\r")
        .replace("\\0", "\0")
        .replace("\\e", "\x1b");
    text.split("\\xff")
        .map(str::as_bytes)
        .collect::<Vec<_>>()
        .join(&b'\xff')
}
