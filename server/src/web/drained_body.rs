//! Request bodies that nobody reads to their end: what remains is received and dropped, within
//! limits. Otherwise the connection is reset while the client still sends, and the client never
//! reads the response that says why (413, 401).

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, Incoming, SizeHint};

/// Maximum number of unread bytes to receive; whoever sends more is cut off.
const MAX_UNREAD: usize = 4 * 1024 * 1024;
/// Maximum time for them to arrive.
const MAX_TIME: Duration = Duration::from_secs(5);

/// Body that receives its unread rest when it is dropped.
#[derive(Debug)]
pub struct DrainedBody(Option<Incoming>);

impl DrainedBody {
    pub fn wrap(body: Incoming) -> Body {
        if body.is_end_stream() {
            return Body::empty();
        }
        Body::new(Self(Some(body)))
    }
}

impl HttpBody for DrainedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let Some(body) = &mut self.0 else {
            return Poll::Ready(None);
        };
        let polled = Pin::new(body).poll_frame(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.0 = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.0.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let body = self.0.as_ref();
        body.map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl Drop for DrainedBody {
    fn drop(&mut self) {
        let Some(body) = self.0.take().filter(|body| !body.is_end_stream()) else {
            return;
        };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(tokio::time::timeout(MAX_TIME, receive(body)));
        }
    }
}

async fn receive(mut body: Incoming) {
    let mut received = 0;
    while received < MAX_UNREAD {
        let frame = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
        match frame {
            Some(Ok(frame)) => received += frame.data_ref().map_or(0, Bytes::len),
            Some(Err(_)) | None => return,
        }
    }
}
