//! Around every tool call of every persona: a panic is answered, a hang ends, and what only reads
//! stops when its client is gone. rmcp by itself would let the caller of a panicking tool wait for
//! ever, and run a read to its end for nobody.
//!
//! Over stateless HTTP the closed connection *is* the cancellation. A `notifications/cancelled` of
//! a 2025 client arrives in a request of its own and names only that client's message number, which
//! another client of the same person may be using as well; it is accepted and has no effect.

use std::{future::pending, panic::AssertUnwindSafe, time::Duration};

use futures::FutureExt;
use rmcp::{ErrorData, RoleServer, model::CallToolResponse, service::RequestContext};

/// The last resort: each tool's own bound is far shorter.
const LONGEST: Duration = Duration::from_secs(300);

/// Runs a tool's work to its answer.
///
/// # Errors Those of the work; an internal error when it panicked, hung, or was a read that nobody
/// waits for any more.
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
            // What has begun to write goes on: it is durable, and sending it again tells what
            // became of it.
            pending::<()>().await;
        }
        context.ct.cancelled().await;
    };
    let work = tokio::time::timeout(LONGEST, AssertUnwindSafe(work).catch_unwind());
    tokio::select! {
        biased;
        () = gone => Err(ErrorData::internal_error("cancelled", None)),
        done = work => match done {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => {
                tracing::error!(tool, "a tool call panicked");
                Err(ErrorData::internal_error("an internal fault; sending the same call again is safe", None))
            }
            Err(_) => {
                tracing::error!(tool, "a tool call timed out");
                Err(ErrorData::internal_error("no answer in time; sending the same call again is safe", None))
            }
        },
    }
}
