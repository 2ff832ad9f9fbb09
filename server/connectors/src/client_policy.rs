//! Policy that every call of a connector passes: circuit breaker, concurrency limit, deadline, one
//! retry of reads, counters.

use std::{sync::Arc, time::Duration};

use dewy_domain::{
    ports::{Clock, Entropy, HttpRequest, Transport, TransportError},
    upstream_request::{Call, Fault, Outcome, System},
};
use jiff::Timestamp;
use secrecy::SecretString;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{
    Limits, exchange_log::ExchangeLog, exchange_result::Response, health_stats::HealthStats,
    request_counters::Count, without_secret::without_secret,
};

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
    forward: Semaphore,
    reserved: Semaphore,
    log: ExchangeLog,
}

impl ClientPolicy {
    pub(crate) fn new(
        system: System,
        limits: Limits,
        transport: Arc<dyn Transport>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let log = ExchangeLog::new(system, limits.failures, limits.pause, Arc::clone(&clock));
        Self {
            transport,
            clock,
            entropy: None,
            forward: Semaphore::new(limits.at_once.max(1)),
            reserved: Semaphore::new(limits.reserved.max(1)),
            log,
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
    ) -> Result<SemaphorePermit<'_>, Fault> {
        let places = match priority {
            Priority::Normal => {
                self.log.permit().map_err(circuit_open)?;
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
    ) -> Result<T, Fault> {
        let left = self.left(until).ok_or_else(no_time)?;
        tokio::select! {
            biased;
            value = what => Ok(value),
            () = self.clock.sleep(left) => Err(no_time()),
        }
    }

    /// Sends one request; the remaining time covers the whole response. With no time left nothing
    /// is sent. A refusal never contains the secret that the request was sent with.
    pub(crate) async fn send(
        &self,
        operation: &str,
        request: HttpRequest,
        secret: &SecretString,
        until: Duration,
    ) -> Result<Response, Fault> {
        let left = self.left(until).ok_or_else(no_time)?;
        let began = self.clock.uptime();
        let mut response = self.transport.send(request, left).await;
        let system = self.log.system().name();
        match &mut response {
            Ok(response) => {
                if !(200..300).contains(&response.status) {
                    let body = String::from_utf8_lossy(&response.body);
                    response.body = without_secret(&body, secret).into_bytes();
                }
                self.log
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
        (request, secret): (HttpRequest, &SecretString),
        until: Duration,
        read: fn(&Response) -> Outcome<T>,
    ) -> Outcome<T> {
        let response = match self.enter(priority, until).await {
            Ok(_place) => self.send(operation, request, secret, until).await,
            Err(not_sent) => Err(not_sent),
        };
        match response {
            Ok(response) => {
                let reply = read(&response);
                self.note(operation, &reply);
                reply
            }
            Err(not_sent) => Outcome::TryLater(not_sent),
        }
    }

    /// A read: retried once if the first attempt certainly did not get through and a retry may
    /// succeed.
    pub(crate) async fn retried_once<T: Send, F: Future<Output = Outcome<T>> + Send>(
        &self,
        until: Duration,
        attempt: impl Fn() -> F + Send,
    ) -> Outcome<T> {
        let reply = attempt().await;
        if self.pause_for_second_try(&reply, until).await {
            return attempt().await;
        }
        reply
    }

    /// Records the result of one exchange.
    pub(crate) fn note<T>(&self, operation: &str, reply: &Outcome<T>) {
        self.log.note(operation, reply);
    }

    /// Raises or clears an alarm that only an operator can resolve; counts no exchange.
    pub(crate) fn alarm(&self, operation: &str, refused: Option<&Fault>) {
        self.log.alarm(operation, refused);
    }

    /// Counts an exchange that is repeated at once.
    pub(crate) fn count_aside(&self, operation: &str, outcome: &'static str) {
        self.log.count_aside(operation, outcome);
    }

    /// Time of the clock that is never adjusted.
    pub(crate) fn uptime(&self) -> Duration {
        self.clock.uptime()
    }

    /// Whether a read with this result is worth a retry; if so, returns after a pause with jitter.
    async fn pause_for_second_try<T>(&self, reply: &Outcome<T>, until: Duration) -> bool {
        let Outcome::TryLater(error) = reply else {
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
            .retry_after_ms
            .map_or(Duration::from_millis(200 + jitter), Duration::from_millis);
        if self.left(until).is_none_or(|left| left <= pause) {
            return false;
        }
        self.clock.sleep(pause).await;
        true
    }

    pub(crate) fn counts(&self) -> Vec<Count> {
        self.log.counts()
    }

    /// Recent health of the system.
    pub(crate) fn health_stats(&self) -> HealthStats {
        self.log.health_stats()
    }

    fn left(&self, until: Duration) -> Option<Duration> {
        until
            .checked_sub(self.clock.uptime())
            .filter(|left| !left.is_zero())
    }
}

fn circuit_open(wait: Duration) -> Fault {
    let words = "the last calls all failed, so this one was not sent";
    Fault {
        retry_after_ms: u64::try_from(wait.as_millis()).ok(),
        ..Fault::new("circuit_open", words)
    }
}

fn no_time() -> Fault {
    Fault::new(
        "not_sent",
        format!("{} before anything was sent", TransportError::Timeout),
    )
}

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
