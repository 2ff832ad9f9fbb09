//! Call of the language model: it has no effect but a response, sent in chunks.

use std::time::Duration;

use dewy_domain::ports::{HttpRequest, HttpResponse};
use jiff::Timestamp;

use super::Sandbox;
use super::error_responses;
use super::handle_request::{DEFAULT_HOLD_MS, SLOW};
use super::http_exchange::ConnectionReset;
use super::sandbox_state::SandboxState;
use crate::{Fault, FaultKind, System, llm};

/// Chunk interval as a fraction of the first chunk's latency: 400 ms for the first means 8 ms for
/// each further one.
const CHUNK_LATENCY_FRACTION: u32 = 50;

/// Response that is about to be sent.
#[derive(Debug)]
pub(crate) struct PendingResponse {
    pub response: HttpResponse,
    /// Pause before each chunk but the first.
    pub pause: Duration,
    pub cut: bool,
    wait: Duration,
}

#[derive(Debug)]
enum Turn {
    Tell(PendingResponse),
    /// Holds the connection for this long, then resets it.
    Hold(Duration),
    Reset,
}

impl PendingResponse {
    /// Chunks to send.
    pub fn pieces(&self) -> Vec<Vec<u8>> {
        llm::pieces(&self.response)
    }
}

impl SandboxState {
    /// Sends a response, or what a fault makes of it.
    fn chat(
        &mut self,
        request: &HttpRequest,
        response: HttpResponse,
        seq: u64,
        now: Timestamp,
    ) -> Turn {
        let operation = llm::operation(super::path(request));
        let wait = self.latency.of(System::Llm, operation, false);
        let mut telling = PendingResponse {
            response,
            pause: wait / CHUNK_LATENCY_FRACTION,
            cut: false,
            wait,
        };
        let Some(fault) = self.take_fault(System::Llm, operation) else {
            return Turn::Tell(telling);
        };
        let ms = |or: u64| Duration::from_millis(fault.ms.unwrap_or(or));
        match fault.kind {
            FaultKind::TimeoutBeforeEffect
            | FaultKind::TimeoutAfterEffect
            | FaultKind::LateEffect => return Turn::Hold(ms(DEFAULT_HOLD_MS)),
            FaultKind::ResetBeforeEffect => return Turn::Reset,
            FaultKind::ResetAfterEffect => telling.cut = true,
            FaultKind::GarbageBody => {
                let whole = telling.response.clone();
                telling.response = llm::garbled(whole)
                    .unwrap_or_else(|| error_responses::truncated_body(telling.response));
            }
            FaultKind::Slow => slowed(&mut telling, ms(SLOW)),
            // A call has no effect that could happen twice.
            FaultKind::DeliveredTwice | FaultKind::ReplayedLater => {
                if let Some(again) = self.log_again(seq, now) {
                    self.logged(again, None, "none");
                }
            }
            _ => telling.response = fault.with_retry_after(llm::fail(status(&fault))),
        }
        Turn::Tell(telling)
    }
}

/// A stream is slow between its chunks; a single response comes later.
fn slowed(telling: &mut PendingResponse, by: Duration) {
    let gaps = u32::try_from(telling.pieces().len().saturating_sub(1)).unwrap_or(u32::MAX);
    match gaps {
        0 => telling.wait += by,
        gaps => telling.pause += by / gaps,
    }
}

fn status(fault: &Fault) -> u16 {
    fault.status.unwrap_or(500)
}

impl Sandbox {
    /// Handles one call of the model; returns when the first chunk is due. The model thinks on a
    /// thread of its own: neither other requests nor the other systems wait for it.
    pub(crate) async fn receive(
        &self,
        request: HttpRequest,
    ) -> Result<PendingResponse, ConnectionReset> {
        let now = self.clock().now();
        let caller = self.log_model_call(&request, now);
        let seq = caller.seq;
        let thinking = tokio::task::spawn_blocking(move || {
            let response = llm::handle(&request, now, seq);
            (request, response)
        });
        let (request, response) = thinking.await.map_err(|_| ConnectionReset)?;
        self.respond(&request, response, caller, now).await
    }

    fn log_model_call(&self, request: &HttpRequest, now: Timestamp) -> WaitingCaller<'_> {
        let path = super::path(request);
        let operation = llm::operation(path);
        WaitingCaller {
            sandbox: self,
            seq: self.with(|state| state.log(System::Llm, operation, request, path, now)),
            status: None,
        }
    }

    async fn respond(
        &self,
        request: &HttpRequest,
        response: HttpResponse,
        mut caller: WaitingCaller<'_>,
        now: Timestamp,
    ) -> Result<PendingResponse, ConnectionReset> {
        match self.with(|state| state.chat(request, response, caller.seq, now)) {
            Turn::Tell(telling) => {
                self.clock().sleep(telling.wait).await;
                caller.status = Some(telling.response.status);
                drop(caller);
                self.flush().await?;
                Ok(telling)
            }
            Turn::Hold(pause) => {
                drop(caller);
                self.flush().await?;
                self.clock().sleep(pause).await;
                Err(ConnectionReset)
            }
            Turn::Reset => {
                drop(caller);
                self.flush().await?;
                Err(ConnectionReset)
            }
        }
    }

    /// The whole response at once, after its full duration: for callers without a socket.
    pub(super) async fn receive_whole(
        &self,
        request: &HttpRequest,
    ) -> Result<HttpResponse, ConnectionReset> {
        let now = self.clock().now();
        let caller = self.log_model_call(request, now);
        let response = llm::handle(request, now, caller.seq);
        let telling = self.respond(request, response, caller, now).await?;
        let gaps = telling.pieces().len().saturating_sub(1);
        self.clock()
            .sleep(telling.pause * u32::try_from(gaps).unwrap_or(u32::MAX))
            .await;
        if telling.cut {
            Err(ConnectionReset)
        } else {
            Ok(telling.response)
        }
    }
}

/// Caller that waits for the first chunk; logged as unanswered if it disconnects before.
struct WaitingCaller<'a> {
    sandbox: &'a Sandbox,
    seq: u64,
    status: Option<u16>,
}

impl Drop for WaitingCaller<'_> {
    fn drop(&mut self) {
        self.sandbox
            .with_raw(|state| state.logged(self.seq, self.status, "none"));
    }
}
