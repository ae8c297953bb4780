//! Clients that are slow, silent, or many.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use super::{Client, read_until, status};
use crate::server::Settings;

const SHORT: Duration = Duration::from_millis(50);

#[test]
fn a_slow_client_is_cut_off_and_keeps_none_out() {
    let mut client = Client::with(Settings {
        patience: SHORT,
        connections: 2,
        ..Settings::default()
    });
    // As many as there can be; the server ends them, so others get their turn.
    let idle: Vec<TcpStream> = (0..5).map(|_| client.connect()).collect();
    let mut slow = client.connect();
    slow.write_all(b"GET / HTTP/1.1\r\nhost: ").unwrap();
    client.asks("GET /", "HOST", "", "403");
    let mut rest = Vec::new();
    // The end of the connection, or a reset: not the time limit of this client.
    let _ = slow.read_to_end(&mut rest);
    drop(idle);
    client.enter("HOST");
    let head = "HOST | COOKIE | ORIGIN | content-length: 50 | connection: close";
    let late = client.raw(&format!("POST /say HTTP/1.1 | {head}\r\n\r\n{{"));
    assert_eq!(status(&late), "408");
}

/// Opens the page's events, after the one with the number `last`.
fn open_events(client: &Client, last: usize) -> TcpStream {
    let head = format!("HOST | COOKIE | last-event-id: {last}");
    let mut stream = client.send(&format!("GET /events HTTP/1.1 | {head}\r\n\r\n"));
    read_until(&mut stream, "\"clock\"");
    stream
}

#[test]
fn a_client_that_takes_nothing_is_cut_off() {
    let mut client = Client::with(Settings {
        stall: SHORT,
        connections: 2,
        ..Settings::default()
    });
    client.enter("HOST");
    // More than the buffers of both ends hold.
    client.feed.push(&json!({ "type": "x".repeat(64 << 20) }));
    let mut silent = open_events(&client, 1);
    let _stalled = open_events(&client, 0);
    // Both were let in, so this waits until one of them is cut off. The silent one is not.
    client.asks("GET /", "HOST | COOKIE", "", "200");
    client.feed.push(&json!({ "type": "two" }));
    read_until(&mut silent, "\"two\"");
}

#[test]
fn clients_that_were_not_let_in_give_way() {
    let mut client = Client::with(Settings {
        patience: SHORT,
        connections: 2,
        ..Settings::default()
    });
    client.enter("HOST");
    let mut page = open_events(&client, 0);
    let mut idle: Vec<TcpStream> = (0..5).map(|_| client.connect()).collect();
    client.asks("GET /", "HOST | COOKIE", "", "200");
    for stream in &mut idle {
        assert!(stream.read(&mut [0]).is_ok_and(|count| count == 0));
    }
    client.feed.push(&json!({ "type": "one" }));
    read_until(&mut page, "\"one\"");
}

#[test]
fn a_refusal_ends_the_connection() {
    let client = Client::with(Settings::default());
    let answer = client.raw(&"GET / HTTP/1.1 | HOST\r\n\r\n".repeat(10));
    assert_eq!(answer.matches("HTTP/1.1 403").count(), 1, "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
}
