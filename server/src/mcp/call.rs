//! Wraps every tool call of every persona: a panic becomes an error, a hang times out, and a read
//! stops when its client disconnects. rmcp alone would let the caller of a panicking tool wait
//! forever, and would run a read to its end for nobody.
//!
//! Over stateless HTTP the closed connection *is* the cancellation. A `notifications/cancelled`
//! from a 2025 client arrives in a separate request and names only that client's message number,
//! which another client of the same person may be using too; it is accepted and has no effect.

use std::{future::pending, panic::AssertUnwindSafe, time::Duration};

use futures::FutureExt;
use rmcp::{ErrorData, RoleServer, model::CallToolResponse, service::RequestContext};

/// Last resort: each tool's own timeout is far shorter.
const MAX_DURATION: Duration = Duration::from_secs(300);

/// Runs a tool call to completion.
///
/// # Errors
/// Errors of the call, or an internal error if it panicked, hung, or was a read whose client
/// disconnected.
pub async fn answered<W>(
    context: &RequestContext<RoleServer>,
    tool: &str,
    writes: bool,
    work: W,
) -> Result<CallToolResponse, ErrorData>
where
    W: Future<Output = Result<CallToolResponse, ErrorData>> + Send,
{
    let gone = async {
        if writes {
            // A write that has started continues: it is durable, and sending it again returns its
            // result.
            pending::<()>().await;
        }
        context.ct.cancelled().await;
    };
    let work = tokio::time::timeout(MAX_DURATION, AssertUnwindSafe(work).catch_unwind());
    tokio::select! {
        biased;
        () = gone => Err(ErrorData::internal_error("cancelled", None)),
        done = work => match done {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => {
                tracing::error!(tool, "a tool call panicked");
                Err(ErrorData::internal_error("internal error; sending the same call again is safe", None))
            }
            Err(_) => {
                tracing::error!(tool, "a tool call timed out");
                Err(ErrorData::internal_error("timed out; sending the same call again is safe", None))
            }
        },
    }
}
