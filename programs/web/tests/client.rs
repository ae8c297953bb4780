//! A program that plays as the page in a browser does, by plain HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use testkit::run::Dir;

/// Far more than any step takes; only a failing test waits so long.
const LONGEST: Duration = Duration::from_secs(60);

/// A referee that serves a page, and what a client needs to take part.
pub(crate) struct Served {
    child: Child,
    stderr: BufReader<ChildStderr>,
    pub(crate) host: String,
    cookie: String,
}

/// The events of a page, as they come.
pub(crate) struct Events {
    reader: BufReader<TcpStream>,
    /// All that have come.
    pub(crate) seen: Vec<Value>,
}

impl Served {
    /// Starts a game in the browser, and uses its link.
    pub(crate) fn by(dir: &Dir, words: &str) -> Served {
        let mut child = dir.run(words).args("--web").piped();
        let mut served = Served {
            stderr: BufReader::new(child.stderr.take().unwrap()),
            child,
            host: String::new(),
            cookie: String::new(),
        };
        let mut lines = served.stderr.by_ref().lines().map(Result::unwrap);
        let link = lines.find_map(|line| Some(line.split_once("http://")?.1.to_owned()));
        let link = link.expect("a link is printed");
        let link = link.split(' ').next().unwrap();
        let (host, path) = link.split_once('/').unwrap();
        host.clone_into(&mut served.host);
        let answer = served.ask(&format!("GET /{path}"), "");
        let (_, cookie) = answer.split_once("set-cookie: ").expect(&answer);
        let (cookie, _) = cookie.split_once(';').unwrap();
        cookie.clone_into(&mut served.cookie);
        served
    }

    /// Sends a request.
    fn send(&self, start: &str, more: &str, body: &str) -> TcpStream {
        let Served { host, cookie, .. } = self;
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(LONGEST)).unwrap();
        let length = body.len();
        let request = format!(
            "{start} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\ncookie: {cookie}\r\n{more}content-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    /// The answer to a request.
    fn ask(&self, start: &str, body: &str) -> String {
        let mut answer = String::new();
        let mut stream = self.send(start, "connection: close\r\n", body);
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Sends a reply to a question; the answer has this status. Returns its words.
    #[track_caller]
    pub(crate) fn replies(&self, turn: u64, reply: &str, status: u16) -> String {
        let body = json!({ "turn": turn, "reply": reply }).to_string();
        let answer = self.ask("POST /say", &body);
        let expected = format!("HTTP/1.1 {status} ");
        assert!(answer.starts_with(&expected), "{reply}: {answer}");
        answer.split_once("\r\n\r\n").unwrap().1.to_owned()
    }

    /// Opens the page's events.
    pub(crate) fn events(&self) -> Events {
        Events {
            reader: BufReader::new(self.send("GET /events", "", "")),
            seen: Vec::new(),
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Presses Ctrl-C.
    pub(crate) fn interrupt(&self) {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
    }

    /// Waits for the end, which has this code.
    #[track_caller]
    pub(crate) fn ends(mut self, code: i32) {
        let mut stderr = String::new();
        self.stderr.read_to_string(&mut stderr).unwrap();
        let status = self.child.wait().unwrap();
        assert_eq!(status.code(), Some(code), "{stderr}");
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
    /// Waits for an event of one of these kinds.
    #[track_caller]
    fn one_of(&mut self, kinds: &[&str]) -> Value {
        loop {
            let mut line = String::new();
            self.reader.read_line(&mut line).unwrap();
            assert!(!line.is_empty(), "no {kinds:?} in {:?}", self.seen);
            let Some(event) = line.strip_prefix("data: ") else {
                continue;
            };
            let event: Value = serde_json::from_str(event).unwrap();
            self.seen.push(event.clone());
            if kinds.contains(&event["type"].as_str().unwrap()) {
                return event;
            }
        }
    }

    /// Waits for the next event of this kind.
    #[track_caller]
    pub(crate) fn next(&mut self, kind: &str) -> Value {
        self.one_of(&[kind])
    }

    /// Waits until the page asks, or for the replay of the game that is over. Returns the number of
    /// the question.
    #[track_caller]
    pub(crate) fn asked(&mut self) -> Option<u64> {
        self.one_of(&["ask", "replay"])["turn"].as_u64()
    }
}
