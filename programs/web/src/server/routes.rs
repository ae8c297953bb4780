//! The requests that are answered: for the page, for its events, and to say something.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{get, post};
use serde::Deserialize;
use tokio::time::timeout;

use super::gate::{self, Gate};
use super::site::{Refused, Site};
use pages::ServedPage;

/// The most that can be said at once, in bytes: a line of the protocol and what is around it.
const LONGEST_SAID: usize = 4096;

/// The state that all requests share.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) gate: Arc<Gate>,
    pub(super) site: Arc<dyn Site>,
    /// The time that a client may take to send what it says.
    pub(super) patience: Duration,
}

/// Returns the way from requests to answers.
pub(super) fn router(shown: Shown) -> Router {
    Router::new()
        .route("/", get(front))
        .route("/events", get(events))
        .route("/say", post(say))
        // Browsers ask for it by themselves.
        .route("/favicon.ico", get(|| async { StatusCode::NO_CONTENT }))
        .fallback(|| async { words(StatusCode::NOT_FOUND, "There is nothing at this address.") })
        .layer(from_fn_with_state(shown.clone(), gate::keep))
        .with_state(shown)
}

fn words(status: StatusCode, what: impl Into<String>) -> Response {
    let mut response = Response::new(Body::from(what.into()));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

async fn front(State(shown): State<Shown>) -> Response {
    // Off this thread, which has other requests to answer: a record may be long.
    let made = tokio::task::spawn_blocking(move || shown.site.page()).await;
    let ServedPage { html, policy } = match made {
        Ok(Ok(page)) => page,
        Ok(Err(why)) => return words(StatusCode::INTERNAL_SERVER_ERROR, why),
        Err(_) => {
            return words(
                StatusCode::INTERNAL_SERVER_ERROR,
                "The page could not be made.",
            );
        }
    };
    let mut response = words(StatusCode::OK, html);
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response
            .headers_mut()
            .insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

async fn events(State(shown): State<Shown>, headers: HeaderMap) -> Response {
    let Some(feed) = shown.site.feed() else {
        return words(StatusCode::NOT_FOUND, "This page has no events.");
    };
    let last = headers
        .get("last-event-id")
        .and_then(|id| id.to_str().ok()?.parse().ok());
    let mut response = Response::new(Body::new(feed.stream(last, &shown.site.presence())));
    let kind = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// A message of a page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    /// The number of the question.
    turn: u64,
    /// The protocol's reply.
    reply: String,
}

async fn say(State(shown): State<Shown>, request: Request) -> Response {
    let body = match timeout(shown.patience, to_bytes(request.into_body(), LONGEST_SAID)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => {
            let why = format!("A reply has at most {LONGEST_SAID} bytes.");
            return words(StatusCode::PAYLOAD_TOO_LARGE, why);
        }
        Err(_) => {
            return words(
                StatusCode::REQUEST_TIMEOUT,
                "The reply took too long to arrive.",
            );
        }
    };
    let said: Said = match serde_json::from_slice(&body) {
        Ok(said) => said,
        Err(error) => {
            let why = format!("A reply is {{\"turn\": 3, \"reply\": \"attack 3 5\"}}: {error}.");
            return words(StatusCode::BAD_REQUEST, why);
        }
    };
    match shown.site.say(said.turn, &said.reply) {
        Ok(()) => words(StatusCode::NO_CONTENT, ""),
        Err(Refused { status, why }) => words(status, why),
    }
}
