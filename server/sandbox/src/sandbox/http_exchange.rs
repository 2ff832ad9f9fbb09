//! A request from arrival to response, with all delays on the given clock.

use std::time::Duration;

use async_trait::async_trait;
use dewy_domain::ports::{HttpRequest, HttpResponse, Transport, TransportError};
use futures::future::{Either, select};

use super::Sandbox;
use super::handle_request::NextStep;
use crate::System;

/// The connection was reset without a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionReset;

impl Sandbox {
    /// Handles one request; its effects continue even if the caller disconnects.
    pub(crate) async fn exchange(
        &self,
        request: HttpRequest,
    ) -> Result<HttpResponse, ConnectionReset> {
        let path = super::path(&request);
        let now = self.clock().now();
        if path.starts_with("/admin/") {
            let response = self.admin(&request);
            self.flush().await?;
            return Ok(response);
        }
        if System::of(path) == Some(System::Llm) {
            return self.receive_whole(&request).await;
        }
        let plan = self.with(|state| {
            if path.starts_with("/3ds/") {
                let base = state.base(&request);
                return NextStep::Answer(state.stripe.bank_page(&request, &base, now));
            }
            if path.starts_with("/receipts/") {
                return NextStep::Answer(state.stripe.receipt_page(&request));
            }
            match System::of(path) {
                Some(system) => {
                    let plan = state.handle_request(system, &request, now);
                    if let NextStep::Wait(seq, _) = plan {
                        state.waiting.insert(seq);
                    }
                    plan
                }
                None => NextStep::Answer(super::error_responses::not_here()),
            }
        });
        match plan {
            NextStep::Answer(response) => self.flush().await.map(|()| response),
            NextStep::Wait(seq, pause) => {
                let waiting = Waiting { sandbox: self, seq };
                self.clock().sleep(pause).await;
                let answer = self.with(|state| state.answers.remove(&seq));
                drop(waiting);
                self.flush().await?;
                answer.ok_or(ConnectionReset)
            }
            NextStep::Hold(pause) => {
                self.flush().await?;
                self.clock().sleep(pause).await;
                Err(ConnectionReset)
            }
            NextStep::Reset => {
                self.flush().await?;
                Err(ConnectionReset)
            }
        }
    }

    /// Returns when all changes so far are on disk; at once without a disk.
    pub(crate) async fn flush(&self) -> Result<(), ConnectionReset> {
        let Some(disk) = self.disk() else {
            self.with_raw(|state| drop(state.take_writes()));
            return Ok(());
        };
        // Under the state's lock, so that changes are queued in order.
        self.with_raw(|state| disk.queue(state.take_writes()));
        disk.flush().await.map_err(|error| {
            tracing::error!(%error, "the ledger could not be stored, so the request gets no response");
            ConnectionReset
        })
    }
}

/// Caller that is still connected; forgotten when it disconnects.
struct Waiting<'a> {
    sandbox: &'a Sandbox,
    seq: u64,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.sandbox.with_raw(|state| {
            state.waiting.remove(&self.seq);
            state.answers.remove(&self.seq);
        });
    }
}

#[async_trait]
impl Transport for Sandbox {
    async fn send(
        &self,
        request: HttpRequest,
        deadline: Duration,
    ) -> Result<HttpResponse, TransportError> {
        let exchange = std::pin::pin!(self.exchange(request));
        let limit = self.clock().sleep(deadline);
        // `select` polls the exchange first: a tie counts as a response, so runs are deterministic.
        match select(exchange, limit).await {
            Either::Left((Ok(response), _)) => Ok(response),
            Either::Left((Err(ConnectionReset), _)) => {
                Err(TransportError::Broken("closed before an answer".to_owned()))
            }
            Either::Right(((), _)) => Err(TransportError::Timeout),
        }
    }
}
