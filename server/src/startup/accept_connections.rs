//! Accepts connections. Each has a short time to send its request head and is closed gracefully at
//! shutdown.
//!
//! HTTP/1.1 only: a client that sends HTTP/2 here is a proxy, and proxies speak 1.1 as well.
//! Detecting the version would have no timeout.

use std::{net::SocketAddr, time::Duration};

use axum::{Router, extract::ConnectInfo, response::IntoResponse};
use http::{StatusCode, Uri};
use hyper::{body::Incoming, server::conn::http1::Builder};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use crate::web::drained_body::DrainedBody;

/// Timeout for the head of a request and for an idle keep-alive connection. Without it, a few
/// thousand silent connections would use up all slots.
pub const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// Delay after a failure to accept (too many open files), to avoid spinning.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);

/// Response to a request line that names no path.
const NO_PATH: &str = "Name a path that begins with a slash.\n";

/// Serves until asked to stop, then until the requests in progress are answered.
pub async fn serve(listener: TcpListener, app: Router, stopping: CancellationToken) {
    serve_within(listener, app, stopping, HEAD_TIMEOUT).await;
}

/// Like [`serve`], with a different timeout for request heads.
pub async fn serve_within(
    listener: TcpListener,
    app: Router,
    stopping: CancellationToken,
    head: Duration,
) {
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(head);
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    loop {
        let (stream, peer) = tokio::select! {
            biased;
            () = stopping.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                    continue;
                }
            },
        };
        while connections.try_join_next().is_some() {}
        let connection = builder.serve_connection(ready(stream), service(app.clone(), peer));
        let connection = graceful.watch(connection);
        connections.spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
    // New connections are refused at once instead of waiting for nothing.
    drop(listener);
    graceful.shutdown().await;
}

fn ready(stream: TcpStream) -> TokioIo<TcpStream> {
    // Small responses must not wait for a full packet.
    drop(stream.set_nodelay(true));
    TokioIo::new(stream)
}

/// Routes for one connection; each request knows its peer address.
fn service(
    app: Router,
    peer: SocketAddr,
) -> TowerToHyperService<
    impl tower::Service<
        http::Request<Incoming>,
        Response = axum::response::Response,
        Error = std::convert::Infallible,
        Future = impl Send,
    > + Clone
    + Send,
> {
    TowerToHyperService::new(tower::service_fn(
        move |request: http::Request<Incoming>| {
            let mut request = request.map(DrainedBody::wrap);
            request.extensions_mut().insert(ConnectInfo(peer));
            let app = app.clone();
            async move {
                match names_no_path(request.uri()) {
                    true => Ok((StatusCode::BAD_REQUEST, NO_PATH).into_response()),
                    false => app.oneshot(request).await,
                }
            }
        },
    ))
}

/// Whether the request line names a host without a path (`GET x:1`), or the whole server
/// (`OPTIONS *`): no route serves these, and URL code expects a path.
fn names_no_path(uri: &Uri) -> bool {
    !uri.path().starts_with('/')
}
