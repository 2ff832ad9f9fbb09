//! Checks all requests between hotel and sandbox: every request with a possible effect must match
//! an earlier intent in the journal, byte for byte; and after the decision to compensate, nothing
//! may be requested from Salesforce before the refund.

use async_trait::async_trait;
use dewy_domain::ports::{HttpResponse, TransportError};
use dewy_saga::{Phase, Progress};
use dewy_test_kit::MemoryJournal;

use crate::{
    injected_bugs::{self, Bug},
    prelude::*,
};

/// Sandbox with the check, and the sandbox that has its Stripe account.
#[derive(Clone, Debug)]
pub struct CheckedTransport {
    sandbox: Sandbox,
    account: Sandbox,
    journal: MemoryJournal,
    violations: Arc<Mutex<Vec<String>>>,
    blind: Arc<AtomicBool>,
}

impl CheckedTransport {
    pub fn new(sandbox: Sandbox, account: Sandbox, journal: MemoryJournal) -> Self {
        Self {
            sandbox,
            account,
            journal,
            violations: Arc::default(),
            blind: Arc::default(),
        }
    }

    pub fn violations(&self) -> Vec<String> {
        self.violations.lock().unwrap().clone()
    }

    /// Makes the guard for an available room see nothing, just as it doesn't see another
    /// transaction's uncommitted writes.
    pub fn blind_the_guard(&self) {
        self.blind.store(true, Ordering::Relaxed);
    }

    fn watch(&self, request: &HttpRequest) {
        let path = request
            .url
            .splitn(4, '/')
            .nth(3)
            .map(|p| format!("/{p}"))
            .unwrap_or_default();
        let salesforce = path.starts_with("/services/");
        let writes =
            request.method != "GET" && !path.contains("/oauth2/token") && !only_reads(request);
        let records = self.journal.snapshot();
        // The intent of a text's end is the outbox row of the text
        let in_outbox = || {
            let rows = self.journal.projected("sent_text");
            let ends = |sid: &str| format!("/Twilio_Message_SID__c/{sid}?updateOnly=true");
            rows.iter().any(|row| path.ends_with(&ends(&row.key)))
        };
        if writes && !records.iter().any(|r| intended(r, request, &path)) && !in_outbox() {
            self.violations.lock().unwrap().push(format!(
                "I3: {} {path} was sent without an older intent",
                request.method
            ));
        }
        // With several executions at once a call can't be attributed to one; those runs are checked
        // by the ledger alone. An execution at rest with a lease is rechecking for late effects.
        let alive: Vec<_> = records
            .iter()
            .filter(|r| !r.state.has_ended() || r.worker.is_some())
            .collect();
        if let [record] = alive[..]
            && salesforce
            && !path.contains("/oauth2/token")
            && record.state == State::Compensating
        {
            let progress = Progress::replay(record.id, &record.rows, &record.audit).unwrap();
            let paid = progress
                .direction_progress("pay", Direction::Forward)
                .is_some_and(|s| s.phase == Phase::Done);
            let refunded = progress
                .direction_progress("pay", Direction::Back)
                .is_some_and(|s| matches!(s.phase, Phase::Done | Phase::Skipped));
            if paid && !refunded {
                self.violations
                    .lock()
                    .unwrap()
                    .push(format!("I4: {} {path} before the refund", request.method));
            }
        }
    }
}

/// Whether the record's journal holds the intent of exactly this request.
fn intended(record: &ExecutionRecord, request: &HttpRequest, path: &str) -> bool {
    record.rows.iter().any(|row| match &row.event {
        Event::Intended {
            request: journaled, ..
        } => {
            let call = &journaled.payload["call"];
            call["method"] == request.method.as_str()
                && call["path"].as_str().is_some_and(|p| path.ends_with(p))
                && call["body"].as_str().unwrap_or("").as_bytes() == request.body
                && call["idempotency_key"].as_str() == request.header("idempotency-key")
        }
        _ => false,
    })
}

/// Composite of queries: sent by POST, but changes nothing.
fn only_reads(request: &HttpRequest) -> bool {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let parts = body["compositeRequest"].as_array();
    parts.is_some_and(|parts| !parts.is_empty() && parts.iter().all(|part| part["method"] == "GET"))
}

/// Start of every anti-join.
const ANTI_JOIN: &str = "%20AND%20Id%20NOT%20IN%20";
/// Start of the anti-join that looks for the hotel's reference among a folio's lines.
const OWN_LINE: &str =
    "%20AND%20Id%20NOT%20IN%20%28SELECT%20Opportunity__c%20FROM%20Payment_Transaction__c";

/// Composite without the anti-joins that start this way.
fn blinded(request: HttpRequest, guard: &str) -> HttpRequest {
    let Ok(mut body) = String::from_utf8(request.body.clone()) else {
        return request;
    };
    while let Some(at) = body.find(guard) {
        let end = body[at..].find('"').map_or(body.len(), |n| at + n);
        body.replace_range(at..end, "");
    }
    HttpRequest {
        body: body.into_bytes(),
        ..request
    }
}

#[async_trait]
impl Transport for CheckedTransport {
    async fn send(
        &self,
        request: HttpRequest,
        deadline: Duration,
    ) -> Result<HttpResponse, TransportError> {
        self.watch(&request);
        let request = if self.blind.load(Ordering::Relaxed) {
            blinded(request, ANTI_JOIN)
        } else {
            request
        };
        let request = if injected_bugs::on(Bug::NoAntiJoin) {
            blinded(request, OWN_LINE)
        } else {
            request
        };
        let stripe = request.url.contains("/v1/");
        let system = if stripe { &self.account } else { &self.sandbox };
        system.send(request, deadline).await
    }
}
