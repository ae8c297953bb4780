//! The server as a client meets it that speaks HTTP by hand.

mod limits;

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;

use super::feed::{Feed, Presence};
use super::site::{Refused, Site};
use super::{Server, Settings};
use pages::ServedPage;

/// A site that takes every reply but `no`.
#[derive(Debug)]
struct Stand {
    feed: Arc<Feed>,
    presence: Arc<Presence>,
}

impl Site for Stand {
    fn page(&self) -> Result<ServedPage, String> {
        let policy = "default-src 'none'; frame-ancestors 'none'".to_owned();
        Ok(ServedPage {
            html: "<h1>the page</h1>".to_owned(),
            policy,
        })
    }

    fn presence(&self) -> Arc<Presence> {
        self.presence.clone()
    }

    fn feed(&self) -> Option<Arc<Feed>> {
        Some(self.feed.clone())
    }

    fn say(&self, number: u64, reply: &str) -> Result<(), Refused> {
        if reply == "no" {
            return Err(Refused::new(
                StatusCode::CONFLICT,
                format!("{number} is past"),
            ));
        }
        Ok(())
    }
}

/// A server, and a browser that may have used its link.
struct Client {
    server: Server,
    feed: Arc<Feed>,
    presence: Arc<Presence>,
    cookie: String,
}

impl Client {
    fn with(settings: Settings) -> Client {
        let feed = Arc::new(Feed::new());
        let presence = Arc::new(Presence::default());
        let site = Stand {
            feed: feed.clone(),
            presence: presence.clone(),
        };
        Client {
            server: Server::start(Arc::new(site), settings).unwrap(),
            feed,
            presence,
            cookie: String::new(),
        }
    }

    /// One that has used the link.
    fn entered() -> Client {
        let mut client = Client::with(Settings::default());
        client.enter("HOST");
        client
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.server.port())).unwrap();
        let timeout = Some(Duration::from_secs(60));
        stream.set_read_timeout(timeout).unwrap();
        stream
    }

    /// Sends a request whose lines are separated so: of `HOST`, `COOKIE` and `ORIGIN` as the page
    /// has them.
    fn send(&self, request: &str) -> TcpStream {
        let host = format!("127.0.0.1:{}", self.server.port());
        let request = request
            .replace(" | ", "\r\n")
            .replace("HOST", &format!("host: {host}"))
            .replace("COOKIE", &format!("cookie: {}", self.cookie))
            .replace("ORIGIN", &format!("origin: http://{host}"));
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    /// Sends a request as it is, and returns the answer up to the end of the connection.
    fn raw(&self, request: &str) -> String {
        let mut answer = String::new();
        // A server that closes with unread bytes resets the connection; what came before that
        // counts.
        let _ = self.send(request).read_to_string(&mut answer);
        answer
    }

    /// Sends a request of this method with this head and body, and returns the answer, which has
    /// one of these statuses.
    #[track_caller]
    fn asks(&self, start: &str, head: &str, body: &str, statuses: &str) -> String {
        let length = body.len();
        let answer = self.raw(&format!(
            "{start} HTTP/1.1 | {head} | connection: close | content-length: {length}\r\n\r\n{body}"
        ));
        assert!(
            statuses.contains(status(&answer)),
            "{start} | {head}: {answer}"
        );
        answer
    }

    fn token(&self) -> String {
        self.server
            .link()
            .split_once("token=")
            .unwrap()
            .1
            .to_owned()
    }

    /// Uses the link.
    fn enter(&mut self, head: &str) {
        let answer = self.asks(&format!("GET /?token={}", self.token()), head, "", "200");
        let (_, cookie) = answer.split_once("set-cookie: ").unwrap();
        let (cookie, more) = cookie.split_once(';').unwrap();
        assert!(
            more.starts_with(" HttpOnly; SameSite=Strict; Path=/\r\n"),
            "{more}"
        );
        cookie.clone_into(&mut self.cookie);
    }
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

#[test]
fn the_link_lets_in_one_browser_once() {
    let mut client = Client::with(Settings::default());
    let token = client.token();
    for start in ["GET /", "GET /?token=0123"] {
        client.asks(start, "HOST", "", "403");
    }
    assert!(client.presence.gone_for().is_none());
    client.enter("HOST");
    assert!(!client.cookie.contains(&token));
    let again = client.asks(&format!("GET /?token={token}"), "HOST | COOKIE", "", "403");
    assert!(
        again.contains("used before, and works only once"),
        "{again}"
    );
    let page = client.asks("GET /", "HOST | COOKIE", "", "200");
    assert!(page.ends_with("<h1>the page</h1>"), "{page}");
    assert!(client.presence.gone_for().is_some());
    let last = client.cookie.pop();
    client
        .cookie
        .push(if last == Some('0') { '1' } else { '0' });
    client.asks("GET /", "HOST | COOKIE", "", "403");
}

#[test]
fn an_answer_says_what_a_browser_may_do() {
    let client = Client::entered();
    for (start, head, status) in [
        ("GET /", "HOST | COOKIE", "200"),
        ("GET /", "HOST", "403"),
        ("GET /none", "HOST | COOKIE", "404"),
    ] {
        let answer = client.asks(start, head, "", status);
        for line in [
            "cache-control: no-store",
            "referrer-policy: no-referrer",
            "x-content-type-options: nosniff",
            "content-security-policy: default-src 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(answer.contains(line), "{line}: {answer}");
        }
        assert!(!answer.contains("access-control"), "{answer}");
    }
}

#[test]
fn another_host_is_refused() {
    let client = Client::entered();
    for host in [
        "host: example.org",
        "host: 127.0.0.1",
        "host: evil.example:PORT",
    ] {
        let head = format!("{host} | COOKIE").replace("PORT", &client.server.port().to_string());
        let answer = client.asks("GET /", &head, "", "403");
        assert!(
            answer.contains("reached only by the address in its link"),
            "{answer}"
        );
    }
    let local = format!("host: localhost:{} | COOKIE", client.server.port());
    client.asks("GET /", &local, "", "200");
    client.asks("GET /", &format!("HOST | {local}"), "", "403");
    assert_eq!(status(&client.raw("GET / HTTP/1.0\r\n\r\n")), "403");
}

#[test]
fn only_the_page_itself_can_reply() {
    let client = Client::entered();
    let reply = "{\"turn\": 3, \"reply\": \"attack 3 5\"}";
    client.asks("POST /say", "HOST | COOKIE | ORIGIN", reply, "204");
    for head in [
        "HOST | COOKIE",
        "HOST | COOKIE | origin: null",
        "HOST | COOKIE | origin: http://example.org",
        "HOST | ORIGIN",
    ] {
        client.asks("POST /say", head, reply, "403");
    }
    let late = "{\"turn\": 3, \"reply\": \"no\"}";
    let late = client.asks("POST /say", "HOST | COOKIE | ORIGIN", late, "409");
    assert!(late.ends_with("3 is past"), "{late}");
}

#[test]
fn pages_of_other_servers_are_refused() {
    let mut client = Client::with(Settings::default());
    // The link itself may be on any page.
    client.enter("HOST | sec-fetch-site: cross-site");
    for (from, status) in [
        ("sec-fetch-site: same-origin", "200"),
        ("sec-fetch-site: none", "200"),
        // A server at another port of this machine.
        ("sec-fetch-site: same-site", "403"),
        ("sec-fetch-site: cross-site", "403"),
        ("sec-fetch-site: none | sec-fetch-site: same-site", "403"),
        ("sec-fetch-site: ", "403"),
    ] {
        client.asks("GET /", &format!("HOST | COOKIE | {from}"), "", status);
    }
}

#[test]
fn what_is_malformed_is_answered_in_words() {
    let client = Client::entered();
    let long = format!("{{\"turn\": 3, \"reply\": \"{}\"}}", "a".repeat(5000));
    for (start, body, status) in [
        ("POST /say", "", "400"),
        ("POST /say", "attack 3 5", "400"),
        ("POST /say", "{}", "400"),
        ("POST /say", "{\"turn\": -1, \"reply\": \"\"}", "400"),
        ("POST /say", "{\"turn\": 1, \"reply\": 2}", "400"),
        ("POST /say", "\u{0}", "400"),
        ("POST /say", &long, "413"),
        ("GET /say", "", "405"),
        ("POST /", "", "405"),
        ("DELETE /events", "", "405"),
        ("GET /etc/passwd", "", "404"),
        ("GET /../../etc/passwd", "", "404"),
    ] {
        client.asks(start, "HOST | COOKIE | ORIGIN", body, status);
    }
    let large = format!("HOST | x: {}", "a".repeat(100_000));
    client.asks("GET /", &large, "", "431 none");
    assert!(["400", "none"].contains(&status(&client.raw("nonsense\r\n\r\n"))));
}

/// Reads a stream until it has `words`.
fn read_until(stream: &mut TcpStream, words: &str) -> String {
    let mut text = Vec::new();
    let mut piece = [0; 1024];
    while !String::from_utf8_lossy(&text).contains(words) {
        let count = stream.read(&mut piece).unwrap();
        assert!(
            count > 0,
            "no {words} in {}",
            String::from_utf8_lossy(&text)
        );
        text.extend_from_slice(&piece[..count]);
    }
    String::from_utf8(text).unwrap()
}

#[test]
fn a_page_that_comes_back_gets_what_it_missed() {
    let client = Client::entered();
    let open = |last: &str| {
        client.send(&format!(
            "GET /events HTTP/1.1 | HOST | COOKIE | {last}\r\n\r\n"
        ))
    };
    client.feed.push(&json!({ "type": "one" }));
    let mut pages = [(); 2].map(|()| open("x: y"));
    for stream in &mut pages {
        let head = read_until(stream, "data: {\"type\":\"one\"}");
        assert!(head.contains("content-type: text/event-stream"), "{head}");
    }
    assert_eq!(client.presence.gone_for(), Some(Duration::ZERO));
    client.feed.push(&json!({ "type": "two" }));
    for stream in &mut pages {
        read_until(stream, "id: 2\ndata: {\"type\":\"two\"}");
    }
    let back = read_until(&mut open("last-event-id: 1"), "\"two\"");
    assert!(!back.contains("\"one\""), "{back}");
    // Of another server: everything.
    read_until(&mut open("last-event-id: 700"), "\"one\"");
}

#[test]
fn the_file_with_the_link_is_private_and_goes() {
    let mut client = Client::with(Settings::default());
    let path = client.server.redirect().unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    }
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(&client.server.link()));
    client.enter("HOST");
    assert!(!path.exists() && !path.parent().unwrap().exists());
    let unused = client.server.redirect().unwrap();
    drop(client);
    assert!(!unused.exists());
}
