//! Clients that are slow, silent, or many.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use super::{Client, read_until, status};
use crate::server::Settings;

#[test]
fn a_client_that_never_ends_its_head_is_cut_off_and_does_not_keep_others_out() {
    let patience = Duration::from_millis(50);
    let client = Client::with(Settings {
        patience,
        connections: 2,
        ..Settings::default()
    });
    // As many as there can be; the server ends them, so others get their turn.
    let idle: Vec<TcpStream> = (0..5).map(|_| client.connect()).collect();
    let mut slow = client.connect();
    slow.write_all(b"GET / HTTP/1.1\r\nhost: ").unwrap();
    let host = format!("host: {}", client.host());
    assert_eq!(status(&client.ask("GET /", &[&host], "")), "403");
    let mut rest = Vec::new();
    // The end of the connection, or a reset: not the time limit of this client.
    let _ = slow.read_to_end(&mut rest);
    drop(idle);
    let (cookie, origin) = (client.cookie(), format!("origin: http://{}", client.host()));
    let head = format!(
        "host: {}\r\n{cookie}\r\n{origin}\r\ncontent-length: 50",
        client.host()
    );
    let late = client.raw(&format!(
        "POST /say HTTP/1.1\r\n{head}\r\nconnection: close\r\n\r\n{{"
    ));
    assert_eq!(status(&late), "408");
}

/// Opens the page's events, after the one with the number `last`.
fn open_events(client: &Client, cookie: &str, last: usize) -> TcpStream {
    let mut stream = client.connect();
    let host = client.host();
    let head = format!("host: {host}\r\n{cookie}\r\nlast-event-id: {last}");
    stream
        .write_all(format!("GET /events HTTP/1.1\r\n{head}\r\n\r\n").as_bytes())
        .unwrap();
    read_until(&mut stream, "\"clock\"");
    stream
}

#[test]
fn a_client_that_takes_nothing_of_what_it_is_sent_is_cut_off_and_a_silent_one_is_not() {
    let stall = Duration::from_millis(50);
    let client = Client::with(Settings {
        stall,
        connections: 2,
        ..Settings::default()
    });
    let (cookie, host) = (client.cookie(), format!("host: {}", client.host()));
    // More than the buffers of both ends hold.
    client.feed.push(&json!({ "type": "x".repeat(64 << 20) }));
    let mut silent = open_events(&client, &cookie, 1);
    let _stalled = open_events(&client, &cookie, 0);
    // Both were let in, so this waits until one of them is cut off.
    assert_eq!(status(&client.ask("GET /", &[&host, &cookie], "")), "200");
    client.feed.push(&json!({ "type": "two" }));
    read_until(&mut silent, "\"two\"");
}

#[test]
fn clients_that_were_not_let_in_give_way_in_time_and_an_open_page_does_not() {
    let patience = Duration::from_millis(50);
    let client = Client::with(Settings {
        patience,
        connections: 2,
        ..Settings::default()
    });
    let (cookie, host) = (client.cookie(), format!("host: {}", client.host()));
    let mut page = open_events(&client, &cookie, 0);
    let mut idle: Vec<TcpStream> = (0..5).map(|_| client.connect()).collect();
    assert_eq!(status(&client.ask("GET /", &[&host, &cookie], "")), "200");
    for stream in &mut idle {
        assert!(stream.read(&mut [0]).is_ok_and(|count| count == 0));
    }
    client.feed.push(&json!({ "type": "one" }));
    read_until(&mut page, "\"one\"");
}

#[test]
fn a_refusal_ends_the_connection() {
    let client = Client::new();
    let request = format!("GET / HTTP/1.1\r\nhost: {}\r\n\r\n", client.host());
    let answer = client.raw(&request.repeat(10));
    assert_eq!(answer.matches("HTTP/1.1 403").count(), 1, "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
}
