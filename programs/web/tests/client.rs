//! A program that plays as the page in a browser does, by plain HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// Far more than any step takes; only a failing test waits so long.
const LONGEST: Duration = Duration::from_secs(60);

/// A referee that serves a page, and what a client needs to take part.
pub(crate) struct Served {
    child: Child,
    stderr: BufReader<std::process::ChildStderr>,
    pub(super) host: String,
    cookie: String,
}

/// The events of a page, as they come.
pub(super) struct Events {
    reader: BufReader<TcpStream>,
    /// All that have come.
    pub(super) seen: Vec<Value>,
}

impl Served {
    /// Starts the referee with these arguments and `--web`, and uses its link.
    pub(super) fn by(arguments: &[&str]) -> Served {
        Served::of(&[arguments, &["--web"]].concat())
    }

    /// Starts the referee with these arguments and uses its link.
    pub(crate) fn of(arguments: &[&str]) -> Served {
        let mut command = Command::new(testkit::programs::built("referee"));
        command.args(arguments).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        let link = loop {
            let mut line = String::new();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "no link: {said}");
            if let Some(link) = line
                .split(' ')
                .find_map(|word| word.strip_prefix("http://"))
            {
                break link.to_owned();
            }
            said.push_str(&line);
        };
        let (host, path) = link.split_once('/').unwrap();
        let mut served = Served {
            child,
            stderr,
            host: host.to_owned(),
            cookie: String::new(),
        };
        let answer = served.ask(&format!("GET /{path}"), "");
        let cookie = answer
            .lines()
            .find_map(|line| line.strip_prefix("set-cookie: "));
        let cookie = cookie
            .and_then(|line| line.split_once(';'))
            .unwrap_or_else(|| {
                panic!("no cookie: {answer}");
            });
        cookie.0.clone_into(&mut served.cookie);
        served
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(LONGEST)).unwrap();
        stream
    }

    fn request(&self, start: &str, more: &str, body: &str) -> String {
        let Served { host, cookie, .. } = self;
        let length = body.len();
        format!(
            "{start} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\ncookie: {cookie}\r\n{more}\
             content-length: {length}\r\n\r\n{body}"
        )
    }

    /// Returns the answer to a request.
    pub(crate) fn ask(&self, start: &str, body: &str) -> String {
        let mut stream = self.connect();
        let request = self.request(start, "connection: close\r\n", body);
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Says something, and returns the status and the words of the answer.
    pub(super) fn say(&self, turn: u64, reply: &str) -> (u16, String) {
        let answer = self.ask(
            "POST /say",
            &json!({ "turn": turn, "reply": reply }).to_string(),
        );
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        let words = answer
            .split_once("\r\n\r\n")
            .map(|(_, words)| words.to_owned());
        (status, words.unwrap_or_default())
    }

    /// Opens the page's events.
    pub(super) fn events(&self) -> Events {
        let mut stream = self.connect();
        stream
            .write_all(self.request("GET /events", "", "").as_bytes())
            .unwrap();
        Events {
            reader: BufReader::new(stream),
            seen: Vec::new(),
        }
    }

    /// Returns the process of the referee.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end; returns how the referee ended, and the rest of what it wrote on standard error.
    pub(super) fn leaves(mut self) -> (ExitStatus, String) {
        let mut said = String::new();
        self.stderr.read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap(), said)
    }
}

/// A test that fails leaves nothing behind.
impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Events {
    /// Waits for the next event of this kind.
    pub(super) fn next(&mut self, kind: &str) -> Value {
        loop {
            let mut line = String::new();
            assert!(
                self.reader.read_line(&mut line).unwrap() > 0,
                "no {kind} in {:?}",
                self.seen
            );
            let Some(event) = line.strip_prefix("data: ") else {
                continue;
            };
            let event: Value = serde_json::from_str(event).unwrap();
            self.seen.push(event.clone());
            if event["type"] == kind {
                return event;
            }
        }
    }

    /// Waits until the page asks, or for the replay of the game that is over. Returns the number of the question.
    pub(super) fn asked(&mut self) -> Option<u64> {
        loop {
            let mut line = String::new();
            assert!(
                self.reader.read_line(&mut line).unwrap() > 0,
                "no end in {:?}",
                self.seen
            );
            let Some(event) = line.strip_prefix("data: ") else {
                continue;
            };
            let event: Value = serde_json::from_str(event).unwrap();
            self.seen.push(event.clone());
            match event["type"].as_str().unwrap() {
                "ask" => return event["turn"].as_u64(),
                "replay" => return None,
                _ => {}
            }
        }
    }
}
