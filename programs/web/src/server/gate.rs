//! The gate of the server: it admits the browser that opened the link, but not pages of other sites
//! and programs of other users.

use std::io;
use std::sync::{Mutex, PoisonError};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HOST, ORIGIN,
    REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;

use tempfile::TempDir;

use super::routes::Shown;
use super::secret::Secret;

/// The policy of answers that need neither script nor style.
const NOTHING: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The headers of every answer.
const ALWAYS: [(HeaderName, &str); 3] = [
    (CACHE_CONTROL, "no-store"),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
];

/// The header in which a browser says where a request comes from. Programs that are not browsers
/// leave it out.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The check that admits a browser to the page.
#[derive(Debug)]
pub(super) struct Gate {
    /// The names of the server. A page of another site that has its own name point here says
    /// another one.
    hosts: [String; 2],
    /// The first link has this token, until it is used.
    token: Secret,
    is_used: Mutex<bool>,
    /// The folder of a file that leads to the link, while that can be used.
    redirect: Mutex<Option<TempDir>>,
    /// The cookie that takes the token's place.
    cookie: Secret,
    /// Cookies are not kept apart by ports, so its name has the port.
    cookie_name: String,
}

impl Gate {
    /// Makes the gate of a server at this port.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub(super) fn new(port: u16) -> io::Result<Gate> {
        Ok(Gate {
            hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
            token: Secret::draw()?,
            is_used: Mutex::new(false),
            redirect: Mutex::default(),
            cookie: Secret::draw()?,
            cookie_name: format!("referee-{port}"),
        })
    }

    /// Returns the link that opens the page once.
    pub(super) fn link(&self) -> String {
        format!("http://{}/?token={}", self.hosts[0], self.token.text())
    }

    /// Removes `folder` when the link is used; and the one before.
    pub(super) fn keep_until_used(&self, folder: Option<TempDir>) {
        *self.redirect.lock().unwrap_or_else(PoisonError::into_inner) = folder;
    }

    /// Returns why a request is not let in, if it is not.
    fn refusal(&self, request: &Request) -> Option<Response> {
        let headers = request.headers();
        let Some(host) = self.host_of(headers) else {
            return Some(forbidden(
                "This server can be reached only by the address in its link.",
            ));
        };
        let is_elsewhere = headers.contains_key(SEC_FETCH_SITE)
            && !matches!(only(headers, &SEC_FETCH_SITE), Some("same-origin" | "none"));
        if is_elsewhere {
            return Some(forbidden(
                "Pages of other servers cannot use this one. Open the address yourself.",
            ));
        }
        let is_own = only(headers, &ORIGIN) == Some(format!("http://{host}").as_str());
        if request.method() == Method::POST && !is_own {
            return Some(forbidden(
                "Only the page of the game itself can take part in it.",
            ));
        }
        (!self.has_cookie(headers)).then(|| {
            forbidden(
                "Open the link that the referee printed. It lets in one browser, the one that opens it first.",
            )
        })
    }

    /// Returns what a request calls the server, if that is one of its names.
    fn host_of<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        only(headers, &HOST).filter(|host| self.hosts.iter().any(|own| own == host))
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let lines = headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|line| line.to_str().ok());
        let mut cookies = lines
            .flat_map(|line| line.split(';'))
            .filter_map(|one| one.split_once('='));
        cookies.any(|(name, value)| name.trim() == self.cookie_name && self.cookie.is(value.trim()))
    }

    /// Returns the token in the address of the first link.
    fn token_in(request: &Request) -> Option<&str> {
        let query = request
            .uri()
            .query()
            .filter(|_| request.uri().path() == "/")?;
        query
            .split('&')
            .find_map(|part| part.strip_prefix("token="))
    }

    /// Swaps the token for the cookie, once.
    fn swap(&self, token: &str) -> Response {
        if !self.token.is(token) {
            return forbidden("This is not the link that the referee printed. Copy all of it.");
        }
        let mut is_used = self.is_used.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_used {
            return forbidden(
                "This link was used before, and works only once. In the browser that used it, the address without the \
                 token can continue.",
            );
        }
        *is_used = true;
        drop(is_used);
        self.keep_until_used(None);
        // A page that moves on by itself, where a redirect would do for a typed address: a browser
        // that came from a file would not send the cookie to where it is redirected.
        let html = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Battleship</title>\
                    <meta http-equiv=\"refresh\" content=\"0; url=/\"><p><a href=\"/\">Open the page</a></p>";
        let mut response = page(StatusCode::OK, html.to_owned());
        let cookie = format!(
            "{}={}; HttpOnly; SameSite=Strict; Path=/",
            self.cookie_name,
            self.cookie.text()
        );
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(SET_COOKIE, cookie);
        }
        response
    }
}

/// Returns the value of a header that is there once.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

fn page(status: StatusCode, html: String) -> Response {
    let mut response = Response::new(Body::from(html));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// Returns the answer to what is not let in, after which the connection ends: who is not let in may
/// not send request after request. `why` is a sentence of this file's.
fn forbidden(why: &str) -> Response {
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Not let in</title><h1>Not let in</h1>\
         <p>{why}</p>"
    );
    let mut response = page(StatusCode::FORBIDDEN, html);
    response
        .headers_mut()
        .insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Lets a request in, or refuses it; and adds to its answer what every answer says.
pub(super) async fn keep(State(shown): State<Shown>, request: Request, next: Next) -> Response {
    let gate = &shown.gate;
    let is_get = request.method() == Method::GET;
    let is_host = gate.host_of(request.headers()).is_some();
    // The link may be opened from anywhere: it leads here from a file, a terminal, or a message.
    let token = Gate::token_in(&request).filter(|_| is_get && is_host);
    let mut response = if let Some(token) = token {
        gate.swap(token)
    } else if let Some(refusal) = gate.refusal(&request) {
        refusal
    } else {
        shown.site.presence().note();
        next.run(request).await
    };
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let policy = headers.entry(CONTENT_SECURITY_POLICY);
    policy.or_insert(HeaderValue::from_static(NOTHING));
    response
}
