//! Policy that every call of a connector passes: circuit breaker, concurrency limit, deadline, one
//! retry of reads, counters.

use std::{sync::Arc, time::Duration};

use dewy_domain::{
    ports::{Clock, Entropy, HttpRequest, Transport, TransportError},
    upstream_request::{Call, Reply, System, UpstreamError},
};
use jiff::Timestamp;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{
    Limits,
    access_alarms::Alarms,
    breaker::Breaker,
    exchange_result::Response,
    health_stats::{HealthStats, RecentHealth},
    request_counters::{Count, RequestCounters, outcome},
};

/// Priority of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Priority {
    /// New work and lists: wait for a slot and fail while the breaker is open.
    Normal,
    /// Look-up of one named record, which may resolve an unknown outcome: waits for a slot but
    /// bypasses the breaker.
    LookUp,
    /// Refunds, reverts and look-ups: money is in flight, so neither the breaker nor the
    /// concurrency limit stops them.
    Critical,
}

/// Policy of one system. Owns the transport, so that no request can bypass it.
#[derive(Debug)]
pub(crate) struct ClientPolicy {
    transport: Arc<dyn Transport>,
    clock: Arc<dyn Clock>,
    entropy: Option<Arc<dyn Entropy>>,
    breaker: Breaker,
    forward: Semaphore,
    reserved: Semaphore,
    counts: RequestCounters,
    recent: RecentHealth,
    alarms: Alarms,
}

impl ClientPolicy {
    pub(crate) fn new(
        system: System,
        limits: Limits,
        transport: Arc<dyn Transport>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            transport,
            clock,
            entropy: None,
            breaker: Breaker::new(limits.failures, limits.pause),
            forward: Semaphore::new(limits.at_once.max(1)),
            reserved: Semaphore::new(limits.reserved.max(1)),
            counts: RequestCounters::new(system),
            recent: RecentHealth::new(),
            alarms: Alarms::default(),
        }
    }

    pub(crate) fn set_entropy(&mut self, entropy: Arc<dyn Entropy>) {
        self.entropy = Some(entropy);
    }

    /// Current time.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Deadline of a call that starts now, by the clock that is never adjusted.
    pub(crate) fn until(&self, deadline: Duration) -> Duration {
        self.clock.uptime().saturating_add(deadline)
    }

    /// Waits for a slot. An `Err` always means that nothing was sent.
    pub(crate) async fn enter(
        &self,
        priority: Priority,
        until: Duration,
    ) -> Result<SemaphorePermit<'_>, UpstreamError> {
        let places = match priority {
            Priority::Normal => {
                self.breaker
                    .permit(self.clock.uptime())
                    .map_err(circuit_open)?;
                &self.forward
            }
            Priority::LookUp => &self.forward,
            Priority::Critical => &self.reserved,
        };
        if let Ok(place) = places.try_acquire() {
            return Ok(place);
        }
        self.within(until, places.acquire())
            .await?
            .map_err(|_| no_time())
    }

    /// Waits for a local resource (a slot, a token) until the deadline.
    pub(crate) async fn within<T>(
        &self,
        until: Duration,
        what: impl Future<Output = T>,
    ) -> Result<T, UpstreamError> {
        let left = self.left(until).ok_or_else(no_time)?;
        tokio::select! {
            biased;
            value = what => Ok(value),
            () = self.clock.sleep(left) => Err(no_time()),
        }
    }

    /// Sends one request; the remaining time covers the whole response. With no time left nothing
    /// is sent.
    pub(crate) async fn send(
        &self,
        operation: &str,
        request: HttpRequest,
        until: Duration,
    ) -> Result<Response, UpstreamError> {
        let left = self.left(until).ok_or_else(no_time)?;
        let began = self.clock.uptime();
        let response = self.transport.send(request, left).await;
        let system = self.counts.system().name();
        match &response {
            Ok(response) => {
                self.recent
                    .record_duration(self.clock.uptime().saturating_sub(began));
                tracing::debug!(
                    system,
                    operation,
                    status = response.status,
                    request_id = response.header("request-id"),
                    replayed = response.header("idempotent-replayed"),
                    "responded"
                );
            }
            Err(error) => tracing::debug!(system, operation, %error, "did not respond"),
        }
        Ok(response)
    }

    /// One exchange: a slot, the request, the meaning of the response, and its record.
    pub(crate) async fn exchange<T>(
        &self,
        priority: Priority,
        operation: &str,
        request: HttpRequest,
        until: Duration,
        read: fn(&Response) -> Reply<T>,
    ) -> Reply<T> {
        let response = match self.enter(priority, until).await {
            Ok(_place) => self.send(operation, request, until).await,
            Err(not_sent) => Err(not_sent),
        };
        match response {
            Ok(response) => {
                let reply = read(&response);
                self.note(operation, &reply);
                reply
            }
            Err(not_sent) => Reply::TryLater(not_sent),
        }
    }

    /// A read: retried once if the first attempt certainly did not get through and a retry may
    /// succeed.
    pub(crate) async fn retried_once<T: Send, F: Future<Output = Reply<T>> + Send>(
        &self,
        until: Duration,
        attempt: impl Fn() -> F + Send,
    ) -> Reply<T> {
        let reply = attempt().await;
        if self.pause_for_second_try(&reply, until).await {
            return attempt().await;
        }
        reply
    }

    /// Records the result of one exchange.
    pub(crate) fn note<T>(&self, operation: &str, reply: &Reply<T>) {
        let now = self.clock.now();
        self.counts.add(operation, outcome(reply));
        self.recent.record_exchange(now, failure(reply));
        self.alarms.note(operation, reply, now);
        if is_system_failure(reply) {
            self.breaker.record_failure(self.clock.uptime())
        } else {
            self.breaker.record_success()
        }
    }

    /// Raises or clears an alarm that only an operator can resolve; counts no exchange.
    pub(crate) fn alarm(&self, operation: &str, refused: Option<&UpstreamError>) {
        let reply = refused.map_or(Reply::Done(()), |error| Reply::TryLater(error.clone()));
        self.alarms.note(operation, &reply, self.clock.now());
    }

    /// Counts an exchange that says nothing about the system's health.
    pub(crate) fn count(&self, operation: &str, outcome: &'static str) {
        self.counts.add(operation, outcome);
        self.recent.record_exchange(self.clock.now(), None);
    }

    /// Whether a read with this result is worth a retry; if so, returns after a pause with jitter.
    async fn pause_for_second_try<T>(&self, reply: &Reply<T>, until: Duration) -> bool {
        let Reply::TryLater(error) = reply else {
            return false;
        };
        if !matches!(
            error.code.as_str(),
            "connect" | "rate_limit" | "lock_timeout" | "SERVER_UNAVAILABLE" | "twilio_20429"
        ) {
            return false;
        }
        let jitter = self
            .entropy
            .as_ref()
            .map_or(100, |entropy| entropy.next_u64() % 200);
        let pause = error
            .retry_after
            .unwrap_or(Duration::from_millis(200 + jitter));
        if self.left(until).is_none_or(|left| left <= pause) {
            return false;
        }
        self.clock.sleep(pause).await;
        true
    }

    pub(crate) fn counts(&self) -> Vec<Count> {
        self.counts.all()
    }

    /// Recent health of the system.
    pub(crate) fn health_stats(&self) -> HealthStats {
        let now = self.clock.now();
        let probe = self.breaker.next_probe();
        let left = probe
            .and_then(|at| at.checked_sub(self.clock.uptime()))
            .filter(|left| !left.is_zero());
        let circuit_open_until = left.and_then(|left| now.checked_add(left).ok());
        HealthStats {
            circuit_open_until,
            tripped: probe.is_some(),
            alarms: self.alarms.standing(),
            ..self.recent.health_stats(now)
        }
    }

    fn left(&self, until: Duration) -> Option<Duration> {
        until
            .checked_sub(self.clock.uptime())
            .filter(|left| !left.is_zero())
    }
}

/// Whether the system itself failed, as opposed to refusing a request.
fn is_system_failure<T>(reply: &Reply<T>) -> bool {
    match reply {
        Reply::Unknown(error) => error.code != "idempotency_key_in_use",
        Reply::TryLater(error) => {
            matches!(error.code.as_str(), "connect" | "SERVER_UNAVAILABLE")
        }
        Reply::Done(_) | Reply::Refused(_) => false,
    }
}

/// Code of what staff should know: no answer, or one that says the system can't work at present. A
/// briefly locked row or object doesn't count.
pub(crate) fn failure<T>(reply: &Reply<T>) -> Option<&str> {
    match reply {
        Reply::TryLater(error) => Some(error.code.as_str())
            .filter(|code| !matches!(*code, "UNABLE_TO_LOCK_ROW" | "lock_timeout")),
        Reply::Unknown(error) if is_system_failure(reply) => Some(&error.code),
        _ => None,
    }
}

fn circuit_open(wait: Duration) -> UpstreamError {
    let words = "the last calls all failed, so this one was not sent";
    UpstreamError {
        retry_after: Some(wait),
        ..UpstreamError::new("circuit_open", words)
    }
}

fn no_time() -> UpstreamError {
    UpstreamError::new(
        "not_sent",
        format!("{} before anything was sent", TransportError::Timeout),
    )
}

/// The HTTP request of a call to the API at `base`.
pub(crate) fn http_request(base: &str, authorization: String, call: &Call) -> HttpRequest {
    let mut headers = vec![
        ("authorization".to_owned(), authorization),
        ("accept".to_owned(), "application/json".to_owned()),
    ];
    headers.extend(call.headers.iter().cloned());
    HttpRequest {
        method: call.method.clone(),
        url: format!("{}{}", base.trim_end_matches('/'), call.path),
        headers,
        body: call.body.clone().into_bytes(),
    }
}
