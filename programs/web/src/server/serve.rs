//! The server: its connections, and limits for slow clients.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener as StdListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use super::gate::Gate;
use super::routes::{Shown, router};
use super::site::Site;
use arena::system;

/// The most bytes of a request's head, and of what is read ahead.
const LONGEST_HEAD: usize = 16 * 1024;

/// So long the server waits for pages to take what was written to them when it ends.
const FAREWELL: Duration = Duration::from_millis(300);

/// Limits of the server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// The time that a client may take for the head of a request, and between two requests; and for
    /// the body.
    pub(crate) patience: Duration,
    /// The time that a client may take nothing of what is written to it.
    pub(crate) stall: Duration,
    /// The most connections at a time. Further ones wait until one ends.
    pub(crate) connections: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        let patience = Duration::from_secs(10);
        Settings {
            patience,
            stall: patience,
            connections: 32,
        }
    }
}

/// A web server on this machine for this machine. It ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    gate: Arc<Gate>,
    #[cfg(test)]
    port: u16,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server that shows `site`, at a free port of the loopback interface.
    ///
    /// # Errors
    /// If the system has no port, thread or random number to spare.
    pub(crate) fn start(site: Arc<dyn Site>, settings: Settings) -> io::Result<Server> {
        let listener = StdListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let gate = Arc::new(Gate::new(port)?);
        let routes = router(Shown {
            gate: gate.clone(),
            site,
            patience: settings.patience,
        });
        let runtime = Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()?;
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new()
            .name("web".to_owned())
            .spawn(move || {
                runtime.block_on(async move {
                    let Ok(listener) = TcpListener::from_std(listener) else {
                        return;
                    };
                    accept(listener, routes, settings, stopped).await;
                });
                // A page that is being made must not hold up the end.
                runtime.shutdown_background();
            })?;
        Ok(Server {
            gate,
            #[cfg(test)]
            port,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Returns the link that opens the page, once.
    #[must_use]
    pub(crate) fn link(&self) -> String {
        self.gate.link()
    }

    /// Makes a file that leads a browser to the link, so that the link itself is in no list of
    /// arguments, which other users of the machine can read. The file goes when the link is used,
    /// or with the server.
    ///
    /// # Errors
    /// If there is no place for it.
    pub(crate) fn redirect(&self) -> io::Result<PathBuf> {
        let folder = private_folder()?;
        let path = folder.path().join("open.html");
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        system::for_owner_alone(&mut options);
        let link = self.link();
        let html = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">\
             <title>Battleship</title><meta http-equiv=\"refresh\" content=\"0; url={link}\">\
             <p><a href=\"{link}\">Open the page</a></p>"
        );
        options.open(&path)?.write_all(html.as_bytes())?;
        self.gate.keep_until_used(Some(folder));
        Ok(path)
    }

    /// Returns the port.
    #[cfg(test)]
    pub(super) fn port(&self) -> u16 {
        self.port
    }
}

/// Makes a folder for this user alone, with a name that cannot be guessed.
fn private_folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("battleship-page-").rand_bytes(16);
    if let Some(permissions) = system::folder_for_owner_alone() {
        builder.permissions(permissions);
    }
    builder.tempdir()
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Accepts connections until it is stopped.
async fn accept(
    listener: TcpListener,
    routes: Router,
    settings: Settings,
    stopped: oneshot::Receiver<()>,
) {
    let places = Arc::new(Semaphore::new(settings.connections as usize));
    let accepting = tokio::spawn({
        let places = places.clone();
        async move {
            while let Ok(place) = places.clone().acquire_owned().await {
                match listener.accept().await {
                    Ok((stream, _)) => {
                        tokio::spawn(converse(stream, routes.clone(), settings, place));
                    }
                    // As when there is no descriptor to spare, which may pass.
                    Err(_) => sleep(Duration::from_millis(50)).await,
                }
            }
        }
    });
    // It ends when the sender is dropped.
    let _ = stopped.await;
    accepting.abort();
    let _ = accepting.await;
    let _ = timeout(FAREWELL, places.acquire_many(settings.connections)).await;
}

/// Answers the requests of one connection, which has `_place` until it ends.
async fn converse(
    stream: TcpStream,
    routes: Router,
    settings: Settings,
    _place: OwnedSemaphorePermit,
) {
    // Events are short, and each is wanted at once.
    let _ = stream.set_nodelay(true);
    let mut stream = Box::pin(TimeoutStream::new(stream));
    stream
        .as_mut()
        .set_write_timeout_pinned(Some(settings.stall));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(settings.patience)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes));
    // A client that breaks off is not a fault of the server's.
    let _ = connection.await;
}
