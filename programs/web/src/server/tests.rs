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

struct Client {
    server: Server,
    feed: Arc<Feed>,
    presence: Arc<Presence>,
}

impl Client {
    fn new() -> Client {
        Client::with(Settings::default())
    }

    fn with(settings: Settings) -> Client {
        let feed = Arc::new(Feed::new());
        let presence = Arc::new(Presence::default());
        let site = Stand {
            feed: feed.clone(),
            presence: presence.clone(),
        };
        let server = Server::start(Arc::new(site), settings).unwrap();
        Client {
            server,
            feed,
            presence,
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.server.port())).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.server.port())
    }

    /// Sends a request as it is, and returns the answer up to the end of the connection.
    fn raw(&self, request: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        // A server that closes with unread bytes resets the connection; what came before that counts.
        let _ = stream.read_to_string(&mut answer);
        answer
    }

    /// Sends a request of this method with these lines of its head.
    fn ask(&self, start: &str, head: &[&str], body: &str) -> String {
        let head = head
            .iter()
            .flat_map(|line| [*line, "\r\n"])
            .collect::<String>();
        let length = body.len();
        self.raw(&format!(
            "{start} HTTP/1.1\r\n{head}connection: close\r\ncontent-length: {length}\r\n\r\n{body}"
        ))
    }

    fn token(&self) -> String {
        self.server
            .link()
            .split_once("token=")
            .unwrap()
            .1
            .to_owned()
    }

    /// Uses the link, and returns the line with the cookie.
    fn cookie(&self) -> String {
        let host = format!("host: {}", self.host());
        let answer = self.ask(&format!("GET /?token={}", self.token()), &[&host], "");
        let line = answer
            .lines()
            .find_map(|line| line.strip_prefix("set-cookie: "))
            .unwrap();
        let (cookie, more) = line.split_once(';').unwrap();
        assert_eq!(more, " HttpOnly; SameSite=Strict; Path=/");
        format!("cookie: {cookie}")
    }
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

#[test]
fn the_link_lets_in_one_browser_once() {
    let client = Client::new();
    let host = format!("host: {}", client.host());
    let token = client.token();
    assert_eq!(status(&client.ask("GET /", &[&host], "")), "403");
    assert_eq!(status(&client.ask("GET /?token=0123", &[&host], "")), "403");
    assert!(client.presence.gone_for().is_none());
    let cookie = client.cookie();
    assert!(!cookie.contains(&token));
    let again = client.ask(&format!("GET /?token={token}"), &[&host, &cookie], "");
    assert_eq!(status(&again), "403");
    assert!(
        again.contains("used before, and works only once"),
        "{again}"
    );
    let page = client.ask("GET /", &[&host, &cookie], "");
    assert_eq!(status(&page), "200");
    assert!(page.ends_with("<h1>the page</h1>"), "{page}");
    assert!(client.presence.gone_for().is_some());
    let mut wrong = cookie.clone();
    let last = if wrong.pop() == Some('0') { '1' } else { '0' };
    wrong.push(last);
    assert_eq!(status(&client.ask("GET /", &[&host, &wrong], "")), "403");
}

#[test]
fn every_answer_says_what_a_browser_may_do_with_it() {
    let client = Client::new();
    let host = format!("host: {}", client.host());
    let cookie = client.cookie();
    for (start, head) in [
        ("GET /", vec![host.as_str(), &cookie]),
        ("GET /", vec![&host]),
        ("GET /none", vec![&host, &cookie]),
    ] {
        let answer = client.ask(start, &head, "");
        for line in [
            "cache-control: no-store",
            "referrer-policy: no-referrer",
            "x-content-type-options: nosniff",
        ] {
            assert!(answer.contains(line), "{answer}");
        }
        assert!(
            answer.contains("content-security-policy: default-src 'none'"),
            "{answer}"
        );
        assert!(answer.contains("frame-ancestors 'none'"), "{answer}");
        assert!(!answer.contains("access-control"), "{answer}");
    }
}

#[test]
fn another_host_is_refused() {
    let client = Client::new();
    let cookie = client.cookie();
    let port = client.server.port();
    for host in [
        "example.org".to_owned(),
        "127.0.0.1".to_owned(),
        format!("evil.example:{port}"),
    ] {
        let host = format!("host: {host}");
        let answer = client.ask("GET /", &[&host, &cookie], "");
        assert_eq!(status(&answer), "403", "{host}");
        assert!(
            answer.contains("reached only by the address in its link"),
            "{answer}"
        );
    }
    let own = format!("host: 127.0.0.1:{port}");
    let local = format!("host: localhost:{port}");
    assert_eq!(status(&client.ask("GET /", &[&local, &cookie], "")), "200");
    assert_eq!(
        status(&client.ask("GET /", &[&own, &local, &cookie], "")),
        "403"
    );
    assert_eq!(status(&client.raw("GET / HTTP/1.0\r\n\r\n")), "403");
}

#[test]
fn only_the_page_itself_can_say_something() {
    let client = Client::new();
    let (cookie, host) = (client.cookie(), format!("host: {}", client.host()));
    let origin = format!("origin: http://{}", client.host());
    let said = "{\"turn\": 3, \"reply\": \"attack 3 5\"}";
    assert_eq!(
        status(&client.ask("POST /say", &[&host, &cookie, &origin], said)),
        "204"
    );
    for head in [
        vec![host.as_str(), &cookie],
        vec![&host, &cookie, "origin: null"],
        vec![&host, &cookie, "origin: http://example.org"],
        vec![&host, &origin],
    ] {
        assert_eq!(
            status(&client.ask("POST /say", &head, said)),
            "403",
            "{head:?}"
        );
    }
    let late = client.ask(
        "POST /say",
        &[&host, &cookie, &origin],
        "{\"turn\": 3, \"reply\": \"no\"}",
    );
    assert_eq!(status(&late), "409");
    assert!(late.ends_with("3 is past"), "{late}");
}

#[test]
fn pages_of_other_servers_are_refused_even_with_the_cookie() {
    let client = Client::new();
    let host = format!("host: {}", client.host());
    // The link itself may be on any page.
    let link = format!("GET /?token={}", client.token());
    let opened = client.ask(&link, &[&host, "sec-fetch-site: cross-site"], "");
    assert_eq!(status(&opened), "200");
    let cookie = opened
        .lines()
        .find_map(|line| line.strip_prefix("set-cookie: "))
        .unwrap();
    let cookie = format!("cookie: {}", cookie.split(';').next().unwrap());
    for (from, expected) in [
        (&["sec-fetch-site: same-origin"][..], "200"),
        (&["sec-fetch-site: none"], "200"),
        // A server at another port of this machine.
        (&["sec-fetch-site: same-site"], "403"),
        (&["sec-fetch-site: cross-site"], "403"),
        (
            &["sec-fetch-site: none", "sec-fetch-site: same-site"],
            "403",
        ),
        (&["sec-fetch-site: "], "403"),
    ] {
        let answer = client.ask("GET /", &[&[host.as_str(), &cookie], from].concat(), "");
        assert_eq!(status(&answer), expected, "{from:?}: {answer}");
    }
}

#[test]
fn what_is_malformed_is_answered_in_words() {
    let client = Client::new();
    let (cookie, host) = (client.cookie(), format!("host: {}", client.host()));
    let origin = format!("origin: http://{}", client.host());
    let head = [host.as_str(), &cookie, &origin];
    for said in [
        "",
        "attack 3 5",
        "{}",
        "{\"turn\": -1, \"reply\": \"\"}",
        "{\"turn\": 1, \"reply\": 2}",
        "\u{0}",
    ] {
        assert_eq!(
            status(&client.ask("POST /say", &head, said)),
            "400",
            "{said}"
        );
    }
    let long = format!("{{\"turn\": 3, \"reply\": \"{}\"}}", "a".repeat(5000));
    assert_eq!(status(&client.ask("POST /say", &head, &long)), "413");
    assert_eq!(status(&client.ask("GET /say", &head, "")), "405");
    assert_eq!(status(&client.ask("POST /", &head, "")), "405");
    assert_eq!(status(&client.ask("DELETE /events", &head, "")), "405");
    assert_eq!(status(&client.ask("GET /etc/passwd", &head, "")), "404");
    assert_eq!(
        status(&client.ask("GET /../../etc/passwd", &head, "")),
        "404"
    );
    let large = format!("x: {}", "a".repeat(100_000));
    assert!(["431", "none"].contains(&status(&client.ask("GET /", &[&host, &large], ""))));
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
fn events_reach_every_page_and_a_page_that_comes_back_gets_what_it_missed() {
    let client = Client::new();
    let cookie = client.cookie();
    let open = |last: &str| {
        let mut stream = client.connect();
        let host = client.host();
        let request = format!("GET /events HTTP/1.1\r\nhost: {host}\r\n{cookie}\r\n{last}\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        stream
    };
    client.feed.push(&json!({ "type": "one" }));
    let [mut first, mut second] = [open(""), open("")];
    for stream in [&mut first, &mut second] {
        let head = read_until(stream, "data: {\"type\":\"one\"}");
        assert!(head.contains("content-type: text/event-stream"), "{head}");
    }
    assert_eq!(client.presence.gone_for(), Some(Duration::ZERO));
    client.feed.push(&json!({ "type": "two" }));
    for stream in [&mut first, &mut second] {
        read_until(stream, "id: 2\ndata: {\"type\":\"two\"}");
    }
    let back = read_until(&mut open("last-event-id: 1\r\n"), "\"two\"");
    assert!(!back.contains("\"one\""), "{back}");
    // Of another server: everything.
    read_until(&mut open("last-event-id: 700\r\n"), "\"one\"");
}

#[test]
fn the_file_that_leads_to_the_link_is_for_its_user_alone_and_goes_when_it_is_used() {
    let client = Client::new();
    let path = client.server.redirect().unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    }
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .contains(&client.server.link())
    );
    client.cookie();
    assert!(!path.exists() && !path.parent().unwrap().exists());
    let unused = client.server.redirect().unwrap();
    drop(client);
    assert!(!unused.exists());
}
