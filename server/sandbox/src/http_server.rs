//! HTTP server of the sandbox: one port for all systems.

use std::future::Future;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use dewy_domain::ports::{HttpRequest, HttpResponse};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use crate::sandbox::{ConnectionReset, PendingResponse};
use crate::{Sandbox, System, WebhookTransport};

/// Maximum request size in bytes; larger requests are refused.
const MAX_REQUEST_BYTES: usize = 16 * 1024 * 1024;

/// Service for all systems. Where a connection should be reset, the body is truncated instead: only
/// [`serve`] owns the socket.
pub fn router(sandbox: Sandbox) -> Router {
    Router::new().fallback(fallback).with_state(sandbox)
}

async fn fallback(State(sandbox): State<Sandbox>, request: Request) -> Response {
    match answer(&sandbox, request).await {
        Ok(response) => response,
        Err(ConnectionReset) => {
            let broken = futures::stream::once(async {
                Err::<Bytes, _>(std::io::Error::from(std::io::ErrorKind::ConnectionReset))
            });
            Response::new(Body::from_stream(broken))
        }
    }
}

/// Serves until `shutdown`; late effects and webhooks continue between calls.
///
/// # Errors
/// When the outgoing client can't be created.
pub async fn serve(
    listener: TcpListener,
    sandbox: Sandbox,
    shutdown: impl Future<Output = ()>,
) -> std::io::Result<()> {
    let sink = Arc::new(WebhookTransport::new().map_err(std::io::Error::other)?);
    let mut tasks = JoinSet::new();
    let ticker = sandbox.clone();
    tasks.spawn(async move { ticker.run_background_work(sink).await });
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let stream = tokio::select! {
            biased;
            () = &mut shutdown => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    continue;
                }
            },
        };
        while tasks.try_join_next().is_some() {}
        // Small responses must not wait for a full packet.
        drop(stream.set_nodelay(true));
        let sandbox = sandbox.clone();
        tasks.spawn(async move {
            let service = service_fn(|request: hyper::Request<hyper::body::Incoming>| {
                let sandbox = sandbox.clone();
                // An error makes hyper close the connection without a response, which looks like a
                // reset.
                async move {
                    answer(&sandbox, request.map(Body::new))
                        .await
                        .map_err(|ConnectionReset| {
                            std::io::Error::from(std::io::ErrorKind::ConnectionReset)
                        })
                }
            });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), service);
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
    tasks.shutdown().await;
    sandbox
        .flush()
        .await
        .map_err(|ConnectionReset| std::io::Error::other("the last changes are not on disk"))
}

async fn answer(sandbox: &Sandbox, request: Request) -> Result<Response, ConnectionReset> {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, MAX_REQUEST_BYTES).await else {
        return Ok(status(StatusCode::PAYLOAD_TOO_LARGE));
    };
    let host = parts
        .headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .unwrap_or("localhost");
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    let request = HttpRequest {
        method: parts.method.as_str().to_owned(),
        url: format!("http://{host}{path}"),
        headers: header_pairs(&parts.headers),
        body: body.to_vec(),
    };
    if System::of(crate::stripe::path(&request.url)) == Some(System::Llm) {
        return sandbox
            .receive(request)
            .await
            .map(|telling| stream_response(sandbox.clone(), telling));
    }
    sandbox.exchange(request).await.map(outgoing)
}

/// Streaming response: it ends when the caller disconnects, and a cut sends only half of it.
fn stream_response(sandbox: Sandbox, telling: PendingResponse) -> Response {
    let pieces = telling.pieces();
    let end = if telling.cut {
        pieces.len() / 2
    } else {
        pieces.len()
    };
    let PendingResponse {
        mut response,
        pause,
        cut,
        ..
    } = telling;
    response.body.clear();
    let said = futures::stream::unfold((0, pieces), move |(place, mut pieces)| {
        let sandbox = sandbox.clone();
        async move {
            if place > 0 && place <= end {
                // Chunks are sent before anything else happens, a cut included.
                tokio::task::yield_now().await;
                sandbox.clock().sleep(pause).await;
            }
            if place < end {
                let piece = Bytes::from(std::mem::take(&mut pieces[place]));
                return Some((Ok(piece), (place + 1, pieces)));
            }
            (cut && place == end).then(|| {
                (
                    Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset)),
                    (place + 1, pieces),
                )
            })
        }
    });
    let mut outgoing = outgoing(response);
    *outgoing.body_mut() = Body::from_stream(said);
    outgoing
}

fn header_pairs(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| {
            (
                name.as_str().to_owned(),
                String::from_utf8_lossy(value.as_bytes()).into_owned(),
            )
        })
        .collect()
}

fn outgoing(answer: HttpResponse) -> Response {
    let mut response = Response::new(Body::from(answer.body));
    *response.status_mut() =
        StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in answer.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().append(name, value);
        }
    }
    response
}

fn status(code: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = code;
    response
}
