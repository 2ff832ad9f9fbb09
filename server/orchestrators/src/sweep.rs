//! The sweep: payments of ours that nobody finished, found by asking the payment system what it has.
//!
//! ```text
//! payments since … ─► ours?  no ─► flagged once, untouched (FOREIGN_PAYMENT)
//!                       │ yes
//!                       ▼
//!              the journal knows its execution? ── live, completed, with a person ─► left alone
//!                       │ no                   └─ ended without it, refund came back ─► told to look
//!                       ▼
//!              its marker is in the CRM? ── yes ─► left alone: that check-out was completed
//!                       │ no
//!                       ▼
//!              past the grace: compensated, or over the limit: a person is asked
//! ```

use std::collections::BTreeMap;

use dewy_domain::{
    payment::{Payment, PaymentStatus},
    stay::Stay,
    view::SweepView,
};
use dewy_saga::{
    Accepted, Ask, ExecutionId, Order, Signal, State,
    journal::Record,
    planted::{self, Bug},
};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::{compensate, hotel::Hotel};

/// How far back payments are looked at. Whatever is older was looked at thousands of times.
const LOOK_BACK: SignedDuration = SignedDuration::from_hours(7 * 24);

/// How far back refunds are looked at: banks send them back after days.
const REFUNDS_BACK: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Who asks, in records and signals.
const SWEEP: &str = "sweep";

/// Under which name the last run is kept.
pub(crate) const NOTE: &str = "sweep";

/// Why one payment is left to a person.
fn flag(over_limit: bool, booking: Option<&Stay>) -> Option<&'static str> {
    match booking {
        _ if over_limit => Some("ORPHAN_OVER_LIMIT"),
        // Somebody checked the guest out and this payment is not on the folio: whose mistake it is, a person has to see.
        Some(stay) if stay.booking.status == "Checked Out" => Some("UNKNOWN_OUTCOME"),
        _ => None,
    }
}

impl Hotel {
    /// Looks once; what it begins goes on by itself. What the outside does not answer is left for the next run, and said.
    pub async fn sweep(&self) -> SweepView {
        let now = self.clock.now();
        let mut view = SweepView {
            last_run_at: None,
            looked_at: 0,
            found: 0,
            fixed: 0,
            flagged: 0,
            trouble: None,
            next_run_at: Some(now + self.settings.sweep_interval),
        };
        if let Err(trouble) = self.sweep_payments(now, &mut view).await {
            view.trouble = Some(trouble);
        } else if let Err(trouble) = self.sweep_refunds(now).await {
            view.trouble = Some(trouble);
        }
        view.last_run_at = Some(self.clock.now());
        if let Err(error) = self.notebook.write(NOTE, crate::bridge::value(&view)).await {
            tracing::warn!(%error, "the sweep's result could not be kept");
        }
        tracing::info!(
            looked_at = view.looked_at,
            found = view.found,
            fixed = view.fixed,
            flagged = view.flagged,
            trouble = view.trouble,
            "swept"
        );
        view
    }

    /// What the last sweep found.
    pub(crate) async fn last_sweep(&self) -> SweepView {
        let kept = self.notebook.read(NOTE).await.ok().flatten();
        kept.as_ref().and_then(crate::bridge::read).unwrap_or(SweepView {
            last_run_at: None,
            looked_at: 0,
            found: 0,
            fixed: 0,
            flagged: 0,
            trouble: None,
            next_run_at: None,
        })
    }

    async fn sweep_payments(&self, now: Timestamp, view: &mut SweepView) -> Result<(), String> {
        let payments =
            self.payments.payments_since(None, now - LOOK_BACK).await.answered().map_err(|t| t.to_string())?;
        let grace = SignedDuration::try_from(self.settings.sweep_grace).unwrap_or(SignedDuration::MAX);
        let mut forgotten = Vec::new();
        for payment in payments {
            view.looked_at += 1;
            let left = payment.received - payment.refunded;
            let young = now.duration_since(payment.created) < grace;
            if payment.status != PaymentStatus::Succeeded || left.0 <= 0 || young {
                continue;
            }
            let named = payment.metadata.get("execution_id").and_then(|id| id.parse::<ExecutionId>().ok());
            let Some(id) = named else {
                view.flagged += u32::from(self.flag(&payment, "FOREIGN_PAYMENT").await?);
                continue;
            };
            match self.engine.journal().load(id).await.map_err(|e| e.to_string())? {
                Some(record) => self.remembered(&record, &payment, view).await?,
                None => forgotten.push((id, payment)),
            }
        }
        self.forgotten(forgotten, view).await
    }

    /// A payment whose execution the journal knows.
    async fn remembered(&self, record: &Record, payment: &Payment, view: &mut SweepView) -> Result<(), String> {
        let touched = planted::on(Bug::SweepTouchesLive) && !record.state.at_rest();
        if record.state == State::Compensating || touched {
            // It has turned back already; that the sweep has seen it is part of its record.
            return self.tell(record.id, &format!("sweep:{}", payment.id), Ask::Compensate).await;
        }
        // Live ones finish by themselves, completed ones are paid for, and a person has the rest.
        if !matches!(record.state, State::Refused | State::Compensated | State::SettledByHand) {
            return Ok(());
        }
        view.found += 1;
        let ask = if record.state == State::Refused { Ask::Compensate } else { Ask::Look };
        self.tell(record.id, &format!("sweep:{}", payment.id), ask).await?;
        view.fixed += 1;
        Ok(())
    }

    async fn tell(&self, id: ExecutionId, key: &str, ask: Ask) -> Result<(), String> {
        let signal = Signal { key: key.to_owned(), ask, by: SWEEP.to_owned(), why: "found by the sweep".to_owned() };
        self.engine.journal().signal(id, &signal, self.clock.now()).await.map_err(|e| e.to_string()).map(|_| ())
    }

    /// Payments that name an execution which the journal does not have: the CRM says whether their check-out was completed.
    async fn forgotten(&self, payments: Vec<(ExecutionId, Payment)>, view: &mut SweepView) -> Result<(), String> {
        if payments.is_empty() {
            return Ok(());
        }
        let mut numbers: Vec<_> =
            payments.iter().filter_map(|(_, p)| p.metadata.get("booking_number").cloned()).collect();
        numbers.sort();
        numbers.dedup();
        let mut stays = BTreeMap::new();
        // Few at a time: a query's text has a limit.
        for numbers in numbers.chunks(100) {
            for stay in self.crm.stays_by_number(numbers).await.answered().map_err(|t| t.to_string())? {
                stays.insert(stay.booking.number.clone(), stay);
            }
        }
        for (id, payment) in payments {
            let stay = payment.metadata.get("booking_number").and_then(|n| stays.get(n));
            let id = id.to_string();
            if stay.is_some_and(|s| s.lines.iter().any(|l| l.external_id.as_deref() == Some(&id))) {
                continue;
            }
            view.found += 1;
            let left = payment.received - payment.refunded;
            match flag(left > self.settings.refund_approval_limit, stay) {
                Some(flag) => view.flagged += u32::from(self.flag(&payment, flag).await?),
                None => view.fixed += u32::from(self.compensate(&payment, Value::Null).await?),
            }
        }
        Ok(())
    }

    async fn flag(&self, payment: &Payment, flag: &str) -> Result<bool, String> {
        self.compensate(payment, json!(flag)).await
    }

    /// Begins the payment's compensation, once; true when this call began it.
    async fn compensate(&self, payment: &Payment, flag: Value) -> Result<bool, String> {
        let input = json!({
            "payment_intent_id": payment.id, "guest_email": "", "reason": "found by the sweep", "flag": flag,
            "_by": { "key": SWEEP, "role": "clock", "clock": true },
        });
        let order = Order {
            saga: compensate::COMPENSATE.name,
            caller: "clock:sweep".to_owned(),
            interface: "clock".to_owned(),
            token: Some(format!("sweep:{}", payment.id)),
            input_digest: payment.id.clone(),
            input,
            labels: Vec::new(),
        };
        match self.engine.start(order).await {
            Accepted::Started(_) => Ok(true),
            Accepted::Known(_) | Accepted::Mismatch(_) => Ok(false),
            Accepted::Overloaded => Err("all workers are busy".to_owned()),
            Accepted::Failed(error) => Err(error.to_string()),
        }
    }

    /// Refunds that came back, of executions that believe themselves compensated.
    async fn sweep_refunds(&self, now: Timestamp) -> Result<(), String> {
        let refunds = self.payments.refunds_since(now - REFUNDS_BACK).await.answered().map_err(|t| t.to_string())?;
        for refund in refunds.into_iter().filter(|r| !r.status.stands()) {
            let row = self.engine.journal().beside_row("compensation", &refund.payment_intent).await;
            let Some(row) = row.map_err(|e| e.to_string())? else { continue };
            if row.body["status"] == "compensated" && row.body["refund_id"] == refund.id {
                self.tell(row.execution, &format!("sweep:{}", refund.id), Ask::Look).await?;
            }
        }
        Ok(())
    }
}
