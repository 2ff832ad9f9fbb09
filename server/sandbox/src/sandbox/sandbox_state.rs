//! Complete state of the sandbox, behind one lock.

use std::collections::{BTreeMap, BTreeSet};

use dewy_domain::ports::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::pending_requests::{Pending, Work};
use crate::salesforce::Org;
use crate::sandbox_file::Write;
use crate::stripe::Stripe;
use crate::twilio::Twilio;
use crate::{CallEntry, Fault, Latency, System};

/// Active fault with its remaining count.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ActiveFault {
    pub id: u64,
    #[serde(flatten)]
    pub fault: Fault,
    pub forever: bool,
}

/// Unsaved changes.
#[derive(Debug, Default)]
pub(super) struct Unsaved {
    pub wiped: bool,
    pub calls: BTreeSet<u64>,
    pub pending: BTreeSet<u64>,
    pub faults: BTreeSet<u64>,
    pub meta: bool,
}

pub struct SandboxState {
    pub seed: u64,
    pub day: Date,
    pub org: Org,
    pub stripe: Stripe,
    pub twilio: Twilio,
    pub faults: Vec<ActiveFault>,
    pub latency: Latency,
    pub calls: Vec<CallEntry>,
    pub pending: BTreeMap<(Timestamp, u64), Pending>,
    /// Connected callers, and the results that are ready for them.
    pub waiting: BTreeSet<u64>,
    pub answers: BTreeMap<u64, HttpResponse>,
    pub public_base: Option<String>,
    pub(super) last_fault: u64,
    pub(super) unsaved: Unsaved,
    /// Whether there is a disk, and the changes to be written to it.
    pub(super) durable: bool,
    pub(super) outbox: Vec<Write>,
}

impl SandboxState {
    pub fn new(seed: u64, day: Date, durable: bool) -> Self {
        let (org, stripe) = super::seed_cache::parts(seed, day, durable);
        Self {
            seed,
            day,
            org,
            stripe,
            twilio: Twilio::new(seed),
            faults: Vec::new(),
            latency: Latency::none(),
            calls: Vec::new(),
            pending: BTreeMap::new(),
            waiting: BTreeSet::new(),
            answers: BTreeMap::new(),
            public_base: None,
            last_fault: 0,
            unsaved: Unsaved {
                meta: true,
                ..Unsaved::default()
            },
            durable,
            outbox: Vec::new(),
        }
    }

    /// Resets to the seed. Latency, webhook endpoints and the org's settings are configuration, not
    /// data: they stay.
    pub fn reset(&mut self, seed: u64, day: Date) {
        let endpoints = self.stripe.endpoints();
        let mut fresh = Self::new(seed, day, self.durable);
        fresh.latency = self.latency.clone();
        fresh.public_base = self.public_base.clone();
        fresh.org.set_settings(self.org.settings().clone());
        fresh.stripe.keep_endpoints(endpoints, &self.stripe);
        fresh.twilio.skip_to(&self.twilio);
        fresh.unsaved.wiped = true;
        *self = fresh;
    }

    /// Logs a call; returns its number.
    pub fn log(
        &mut self,
        system: System,
        operation: &str,
        request: &HttpRequest,
        path: &str,
        now: Timestamp,
    ) -> u64 {
        let seq = u64::try_from(self.calls.len()).unwrap_or(u64::MAX) + 1;
        self.calls.push(CallEntry {
            seq,
            time: now.to_string(),
            system,
            operation: operation.to_owned(),
            method: request.method.clone(),
            path: path.to_owned(),
            idempotency_key: request.header("idempotency-key").map(str::to_owned),
            status: None,
            effect: "pending".to_owned(),
            replay_of: None,
        });
        self.unsaved.calls.insert(seq);
        seq
    }

    /// Logs another delivery of a call; returns its number.
    pub fn log_again(&mut self, of: u64, at: Timestamp) -> Option<u64> {
        let first = usize::try_from(of.checked_sub(1)?)
            .ok()
            .and_then(|place| self.calls.get(place))?
            .clone();
        let seq = u64::try_from(self.calls.len()).unwrap_or(u64::MAX) + 1;
        let (status, effect) = (None, "pending".to_owned());
        self.calls.push(CallEntry {
            seq,
            time: at.to_string(),
            status,
            effect,
            replay_of: Some(of),
            ..first
        });
        self.unsaved.calls.insert(seq);
        Some(seq)
    }

    pub fn logged(&mut self, seq: u64, status: Option<u16>, effect: &str) {
        let place = usize::try_from(seq.saturating_sub(1)).unwrap_or(usize::MAX);
        if let Some(call) = self.calls.get_mut(place) {
            call.status = status;
            effect.clone_into(&mut call.effect);
            self.unsaved.calls.insert(seq);
        }
    }

    pub fn add_fault(&mut self, fault: Fault) -> ActiveFault {
        self.last_fault += 1;
        let active = ActiveFault {
            id: self.last_fault,
            forever: fault.count == 0,
            fault,
        };
        self.unsaved.faults.insert(active.id);
        self.unsaved.meta = true;
        self.faults.push(active.clone());
        active
    }

    /// Removes all faults; returns their number.
    pub fn clear_faults(&mut self) -> usize {
        self.unsaved
            .faults
            .extend(self.faults.iter().map(|active| active.id));
        std::mem::take(&mut self.faults).len()
    }

    /// First fault that applies to this call; its count is reduced by one.
    pub fn take_fault(&mut self, system: System, operation: &str) -> Option<Fault> {
        for place in 0..self.faults.len() {
            let active = &mut self.faults[place];
            if !active.fault.matches(system, operation) {
                continue;
            }
            self.unsaved.faults.insert(active.id);
            if active.fault.skip > 0 {
                active.fault.skip -= 1;
                continue;
            }
            let fault = active.fault.clone();
            if !active.forever {
                active.fault.count -= 1;
                if active.fault.count == 0 {
                    self.faults.remove(place);
                }
            }
            return Some(fault);
        }
        None
    }

    pub fn set_latency(&mut self, latency: Latency) {
        self.latency = latency;
        self.unsaved.meta = true;
    }

    pub fn postpone(&mut self, pending: Pending) {
        self.unsaved.pending.insert(pending.seq);
        self.pending.insert((pending.due, pending.seq), pending);
    }

    /// Applies all work due at `now`, in order.
    pub fn settle(&mut self, now: Timestamp) {
        loop {
            let next = self.pending.keys().next().copied();
            let refund = self.stripe.next_due();
            match (next, refund) {
                (Some((due, _)), refund) if due <= now && refund.is_none_or(|at| due <= at) => {
                    if let Some((_, pending)) = self.pending.pop_first() {
                        self.unsaved.pending.insert(pending.seq);
                        self.finish(pending);
                    }
                }
                (_, Some(at)) if at <= now => self.stripe.settle(at),
                _ => return,
            }
        }
    }

    fn finish(&mut self, pending: Pending) {
        let here = self.waiting.contains(&pending.seq);
        let (mut response, effect) = match pending.work {
            Work::Answer(response) => (response, "none"),
            Work::Handle(request) => self.apply(&request, &pending.base, pending.due),
        };
        if pending.garbled {
            response = super::error_responses::truncated_body(response);
        }
        let effect = if pending.late && effect == "applied" {
            "late"
        } else {
            effect
        };
        self.logged(pending.seq, here.then_some(response.status), effect);
        if here {
            self.answers.insert(pending.seq, response);
        }
    }

    /// Passes a request to its system now; returns the response and its effect.
    pub fn apply(
        &mut self,
        request: &HttpRequest,
        base: &str,
        now: Timestamp,
    ) -> (HttpResponse, &'static str) {
        self.queue_changed_rows();
        match System::of(super::path(request)) {
            Some(System::Salesforce) => {
                let operation = Org::operation(request).unwrap_or("unknown");
                let response = self.org.handle(request, now);
                let wrote = !matches!(
                    operation,
                    "token" | "query" | "retrieve" | "describe" | "unknown"
                );
                let effect = if wrote && self.org.touched() {
                    "applied"
                } else {
                    "none"
                };
                (response, effect)
            }
            Some(System::Stripe) => {
                let handled = self.stripe.handle(request, base, now);
                let effect = match (handled.replayed, self.stripe.touched()) {
                    (true, _) => "replayed",
                    (false, true) => "applied",
                    (false, false) => "none",
                };
                (handled.response, effect)
            }
            Some(System::Twilio) => {
                let (response, made) = self.twilio.handle(request, now);
                (response, if made { "applied" } else { "none" })
            }
            _ => (super::error_responses::not_here(), "none"),
        }
    }
}
