//! Stops a read when its client disconnects; rmcp alone would run it to its end.
//!
//! Over stateless HTTP the closed connection *is* the cancellation. A `notifications/cancelled`
//! from a 2025 client arrives in a separate request and names only that client's message number,
//! which another client of the same person may be using too; it is accepted and has no effect.

use rmcp::{ErrorData, RoleServer, model::CallToolResponse, service::RequestContext};

/// Runs a tool call; a read stops when its client disconnects.
///
/// # Errors
/// Errors of the call, or an internal error if it was a read whose client disconnected.
pub async fn run_until_disconnect<W>(
    context: &RequestContext<RoleServer>,
    writes: bool,
    work: W,
) -> Result<CallToolResponse, ErrorData>
where
    W: Future<Output = Result<CallToolResponse, ErrorData>> + Send,
{
    if writes {
        // A write that has started continues: it is durable, and sending it again returns its
        // result.
        return work.await;
    }
    tokio::select! {
        biased;
        () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
        answer = work => answer,
    }
}
