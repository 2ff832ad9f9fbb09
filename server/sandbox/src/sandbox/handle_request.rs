//! Handling of a request at its arrival.

use std::time::Duration;

use dewy_domain::ports::{HttpRequest, HttpResponse};
use jiff::{SignedDuration, Timestamp};

use super::error_responses;
use super::pending_requests::{Pending, Work};
use super::sandbox_state::SandboxState;
use crate::salesforce::Org;
use crate::stripe::error_body::Refusal;
use crate::stripe::{self, form_encoding, operation};
use crate::twilio::Twilio;
use crate::{Fault, FaultKind, System};

/// Default duration for which a timed-out connection is held.
pub(super) const DEFAULT_HOLD_MS: u64 = 30_000;
/// Default delay of a late effect.
const DEFAULT_DELAY_MS: u64 = 60_000;
const DEFAULT_REPLAY_DELAY_MS: u64 = 120_000;
/// Default delay of a slow response.
pub(super) const SLOW: u64 = 5_000;

/// Next step of the connection.
#[derive(Debug)]
pub enum NextStep {
    /// Responds at once.
    Answer(HttpResponse),
    /// Responds when the pending entry with that number is done.
    Wait(u64, Duration),
    /// Holds the connection for this long, then resets it.
    Hold(Duration),
    /// Resets the connection.
    Reset,
}

impl SandboxState {
    /// Logs a request, applies a due fault, and decides the next step.
    pub fn handle_request(
        &mut self,
        system: System,
        request: &HttpRequest,
        now: Timestamp,
    ) -> NextStep {
        let operation = match system {
            System::Salesforce => Org::operation(request).unwrap_or("unknown"),
            System::Stripe => operation(request),
            System::Twilio if request.method == "POST" => "message_create",
            System::Twilio => "message_list",
            System::Llm => "chat",
        };
        let seq = self.log(system, operation, request, super::path(request), now);
        let base = self.base(request);
        let confirms = operation == "payment_intent_create"
            && form_encoding::decode(&request.body)
                .get("confirm")
                .is_some_and(|flag| flag == "true");
        let latency = self.latency.of(system, operation, confirms);
        let call = ReceivedRequest {
            system,
            operation,
            request,
            seq,
            base,
            latency,
            now,
        };
        match self.take_fault(system, operation) {
            None => self.ordinary(&call, Duration::ZERO, false),
            Some(fault) => self.faulty(&call, &fault),
        }
    }

    /// URL for browsers, as far as this caller knows it.
    pub fn base(&self, request: &HttpRequest) -> String {
        self.public_base
            .clone()
            .unwrap_or_else(|| super::origin(&request.url))
    }

    fn faulty(&mut self, call: &ReceivedRequest<'_>, fault: &Fault) -> NextStep {
        let ms = |or: u64| Duration::from_millis(fault.ms.unwrap_or(or));
        match fault.kind {
            FaultKind::TimeoutBeforeEffect => {
                self.logged(call.seq, None, "none");
                NextStep::Hold(ms(DEFAULT_HOLD_MS))
            }
            FaultKind::TimeoutAfterEffect => {
                self.unanswered(call);
                NextStep::Hold(ms(DEFAULT_HOLD_MS))
            }
            FaultKind::LateEffect => {
                let pending =
                    call.pending(ms(DEFAULT_DELAY_MS), Work::Handle(call.request.clone()));
                self.postpone(Pending {
                    late: true,
                    ..pending
                });
                NextStep::Hold(Duration::from_millis(DEFAULT_HOLD_MS))
            }
            FaultKind::ResetBeforeEffect => {
                self.logged(call.seq, None, "none");
                NextStep::Reset
            }
            FaultKind::ResetAfterEffect => {
                self.unanswered(call);
                NextStep::Reset
            }
            FaultKind::GarbageBody => self.ordinary(call, Duration::ZERO, true),
            FaultKind::Slow => self.ordinary(call, ms(SLOW), false),
            FaultKind::Status => {
                let status = fault.status.unwrap_or(500);
                let (response, replayed) = match call.system {
                    System::Salesforce if call.operation == "token" => {
                        (error_responses::salesforce_token(status), false)
                    }
                    System::Salesforce => (error_responses::salesforce(status), false),
                    System::Stripe => {
                        let handled = self.stripe.fail(call.request, status, call.now);
                        (handled.response, handled.replayed)
                    }
                    System::Twilio => (Twilio::fail(status), false),
                    System::Llm => (crate::llm::fail(status), false),
                };
                let response = fault.with_retry_after(response);
                self.known(call, response, if replayed { "replayed" } else { "none" })
            }
            FaultKind::UnableToLockRow => {
                let response = error_responses::unable_to_lock_row(
                    call.request,
                    call.operation == "composite",
                );
                self.known(call, fault.with_retry_after(response), "none")
            }
            FaultKind::ExpiredSession => {
                self.org.expire_sessions();
                self.ordinary(call, Duration::ZERO, false)
            }
            FaultKind::RequestLimit => {
                let response = fault.with_retry_after(error_responses::request_limit());
                self.known(call, response, "none")
            }
            FaultKind::LockTimeout => {
                let handled = self
                    .stripe
                    .refuse(call.request, &Refusal::lock_timeout(), call.now);
                self.known(call, fault.with_retry_after(handled.response), "none")
            }
            FaultKind::DeliveredTwice => self.twice(call, fault.second_answer),
            FaultKind::ReplayedLater => {
                if let Some(replay) = self.again(call, ms(DEFAULT_REPLAY_DELAY_MS)) {
                    let pending =
                        replay.pending(Duration::ZERO, Work::Handle(call.request.clone()));
                    self.postpone(Pending {
                        late: true,
                        ..pending
                    });
                }
                self.ordinary(call, Duration::ZERO, false)
            }
        }
    }

    /// Two deliveries at once, of which the caller gets one response.
    fn twice(&mut self, call: &ReceivedRequest<'_>, second_answer: bool) -> NextStep {
        let first = self.ordinary(call, Duration::ZERO, false);
        match self
            .again(call, Duration::ZERO)
            .map(|again| self.ordinary(&again, Duration::ZERO, false))
        {
            Some(second) if second_answer => second,
            _ => first,
        }
    }

    /// Another delivery of a call after a delay.
    fn again<'a>(
        &mut self,
        call: &ReceivedRequest<'a>,
        after: Duration,
    ) -> Option<ReceivedRequest<'a>> {
        let now = call
            .now
            .saturating_add(SignedDuration::try_from(after).unwrap_or(SignedDuration::MAX))
            .ok()?;
        let seq = self.log_again(call.seq, now)?;
        Some(ReceivedRequest {
            seq,
            now,
            base: call.base.clone(),
            ..*call
        })
    }

    /// Applied now, without a response.
    fn unanswered(&mut self, call: &ReceivedRequest<'_>) {
        let (_, effect) = self.apply(call.request, &call.base, call.now);
        self.logged(call.seq, None, effect);
    }

    /// Normal processing with extra latency.
    fn ordinary(&mut self, call: &ReceivedRequest<'_>, extra: Duration, garbled: bool) -> NextStep {
        if let Some(refusal) = self.conflict(call) {
            let handled = self.stripe.refuse(call.request, &refusal, call.now);
            return self.known(call, handled.response, "none");
        }
        let wait = call.latency + extra;
        if wait.is_zero() {
            let (mut response, effect) = self.apply(call.request, &call.base, call.now);
            if garbled {
                response = error_responses::truncated_body(response);
            }
            self.logged(call.seq, Some(response.status), effect);
            return NextStep::Answer(response);
        }
        let pending = call.pending(wait, Work::Handle(call.request.clone()));
        self.postpone(Pending { garbled, ..pending });
        NextStep::Wait(call.seq, wait)
    }

    /// Known response, with normal latency.
    fn known(
        &mut self,
        call: &ReceivedRequest<'_>,
        response: HttpResponse,
        effect: &str,
    ) -> NextStep {
        if call.latency.is_zero() {
            self.logged(call.seq, Some(response.status), effect);
            return NextStep::Answer(response);
        }
        self.postpone(call.pending(call.latency, Work::Answer(response)));
        NextStep::Wait(call.seq, call.latency)
    }

    /// Another call in progress holds this idempotency key, or this intent.
    fn conflict(&self, call: &ReceivedRequest<'_>) -> Option<Refusal> {
        if call.system != System::Stripe || call.request.method != "POST" {
            return None;
        }
        let running = || {
            self.pending
                .values()
                .filter(|pending| !pending.late)
                .filter_map(|pending| match &pending.work {
                    Work::Handle(request)
                        if System::of(super::path(request)) == Some(System::Stripe) =>
                    {
                        Some(request)
                    }
                    _ => None,
                })
        };
        let key = call.request.header("idempotency-key");
        if let Some(key) = key
            && running()
                .any(|other| other.method == "POST" && other.header("idempotency-key") == Some(key))
        {
            return Some(Refusal::key_in_use(key));
        }
        let object = stripe::locked(call.request)?;
        running()
            .any(|other| stripe::locked(other).as_ref() == Some(&object))
            .then(Refusal::lock_timeout)
    }
}

struct ReceivedRequest<'a> {
    system: System,
    operation: &'a str,
    request: &'a HttpRequest,
    seq: u64,
    base: String,
    latency: Duration,
    now: Timestamp,
}

impl ReceivedRequest<'_> {
    fn pending(&self, after: Duration, work: Work) -> Pending {
        let after = SignedDuration::try_from(after).unwrap_or(SignedDuration::MAX);
        let due = self.now.saturating_add(after).unwrap_or(self.now);
        Pending {
            seq: self.seq,
            due,
            late: false,
            garbled: false,
            base: self.base.clone(),
            work,
        }
    }
}
