//! Exchange of messages over a connection: deliver a request, return its response, or stay silent.

use std::{io, net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::Message;

/// How long a silent connection is kept open when the caller doesn't hang up.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// Forwards the request to its target; `None` when there was no complete response.
pub(super) async fn forward_request(target: SocketAddr, request: &Message) -> Option<Message> {
    let mut stream = TcpStream::connect(target).await.ok()?;
    stream.set_nodelay(true).ok()?;
    stream
        .write_all(&request.bytes(request.body.len(), true))
        .await
        .ok()?;
    Message::read(&mut stream).await.ok()?
}

/// Forwards a response; without one, the connection is closed.
pub(super) async fn forward_response(
    stream: &mut TcpStream,
    answered: Option<Message>,
) -> io::Result<bool> {
    let Some(answered) = answered else {
        return Ok(false);
    };
    stream
        .write_all(&answered.bytes(answered.body.len(), false))
        .await?;
    Ok(true)
}

/// Stays silent until the caller hangs up.
pub(super) async fn hold_open(stream: &mut TcpStream) -> io::Result<bool> {
    let mut ignored = [0; 256];
    let hung_up = async { while stream.read(&mut ignored).await.is_ok_and(|n| n > 0) {} };
    drop(tokio::time::timeout(IDLE_TIMEOUT, hung_up).await);
    Ok(false)
}
