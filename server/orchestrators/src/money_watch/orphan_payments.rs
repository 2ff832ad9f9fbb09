//! The orphan check: the scheduled job that finds orphaned payments of this installation in the
//! payment system, and outside changes to our payments.
//!
//! ```text
//! payments since the watermark ─► whose?  another program's: counted · another installation's: ignored
//!                                  │ ours
//!                                  ▼
//!              the journal knows its execution? ── live: the watermark waits · completed, with a person: left alone
//!                                  │ no           └─ ended without it, refund failed: signaled to recheck
//!                                  ▼
//!              its marker is in the CRM? ── yes ─► left alone: that check-out was completed
//!                                  │ no
//!                                  ▼
//!              past the grace period: compensated, or over the limit: a person decides
//!
//! live holds past the grace period ─► on a list: released when their stay isn't checked in (`release_hold`),
//!                                     replaced before they expire (`renew_hold`)
//! refunds, disputes ─► whose? ─► facts a person should see, one record each (`review_payment`)
//! ```
//! A payment that cannot be judged affects only itself: it is counted, reported, and checked again,
//! because the watermark does not pass it. The first run of an installation only reports: whoever
//! starts a second program on an account should first see what it would do.

mod adoption;
mod journal_reads;
mod payment_decision;
mod refunds_and_disputes;
mod watched_holds;
mod watermark;

use std::collections::BTreeMap;

use dewy_domain::{
    orphan_check_view::OrphanCheckView, payment::Payment, vocabulary::AttentionReason,
};
use dewy_saga::{
    Event, ExecutionId, Row, Signal, SignalAction, StartRequest, StoreError,
    engine::{RECORD_UNREADABLE, STUCK},
    journal::{ATTENTION, ExecutionRecord},
};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

pub use adoption::{Adoption, adopt};
use payment_decision::PaymentDecision;
use watched_holds::WatchedHold;
use watermark::Watermark;

use crate::{
    hotel::{hotel_service::Hotel, start_by_clock::by_clock},
    saga_parts::{
        engine_conversions,
        payment_owner::{Installations, adopted},
        started_by,
    },
    sagas::{
        compensate_checkout,
        review_payment::{Evidence, Finding},
    },
};

/// Look-back of the first run, and of a run after an adoption.
const LOOK_BACK: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Maximum number of failures reported in detail.
const MAX_DETAILS: usize = 5;

/// Requester in records and signals.
const REQUESTER: &str = "sweep";

/// Key under which the last run is stored.
const LAST_RUN_KEY: &str = "sweep";

struct Run<'a> {
    hotel: &'a Hotel,
    now: Timestamp,
    /// Whether it acts on what it finds; otherwise it only reports.
    acts: bool,
    installations: Installations,
    before: Watermark,
    view: OrphanCheckView,
    /// Creation time of the oldest payment that this run could not decide.
    held: Option<Timestamp>,
    /// The oldest of those that are still within the time limit.
    oldest_within_limit: Option<Timestamp>,
    /// Payments, refunds, and disputes that could not be judged: creation time, ID, and error.
    failing: Vec<(Option<Timestamp>, String, String)>,
    /// Payments that name an execution missing from the journal.
    lost: Vec<(ExecutionId, Payment)>,
    /// Live holds that are not on the list yet.
    holds: Vec<WatchedHold>,
}

impl Hotel {
    /// Runs once; what it starts continues on its own. What could not be determined is reported and
    /// left for the next run.
    pub async fn check_orphan_payments(&self) -> OrphanCheckView {
        let mut view = match self.run().await {
            Ok(view) => view,
            Err(error) => OrphanCheckView {
                error: Some(error),
                ..self.last_orphan_check().await
            },
        };
        view.next_run_at = Some(self.clock.now() + self.settings.orphan_check_interval);
        view.last_run_at = Some(self.clock.now());
        if let Err(error) = self
            .key_value_store
            .write(LAST_RUN_KEY, engine_conversions::value(&view))
            .await
        {
            tracing::warn!(%error, "the sweep's result could not be stored");
        }
        tracing::info!(
            looked_at = view.looked_at,
            found = view.found,
            fixed = view.fixed,
            flagged = view.flagged,
            failed = view.failed,
            reported_only = view.reported_only,
            trouble = view.error,
            "swept"
        );
        view
    }

    /// Result of the last run.
    pub async fn last_orphan_check(&self) -> OrphanCheckView {
        let kept = self.key_value_store.read(LAST_RUN_KEY).await.ok().flatten();
        kept.as_ref()
            .and_then(engine_conversions::read)
            .unwrap_or_default()
    }

    /// Checks everything since the watermark.
    ///
    /// # Errors
    /// Why the run could not check anything.
    async fn run(&self) -> Result<OrphanCheckView, String> {
        let now = self.clock.now();
        let kept = Watermark::read(self.key_value_store.as_ref())
            .await
            .map_err(|e| e.to_string())?;
        let installations = self.installations().await.map_err(|e| e.to_string())?;
        let acts = kept.is_some();
        let before = kept.unwrap_or_else(|| Watermark::first(now - LOOK_BACK, now));
        let view = OrphanCheckView {
            reported_only: !acts,
            ..OrphanCheckView::default()
        };
        let mut run = Run {
            hotel: self,
            now,
            acts,
            installations,
            before,
            view,
            held: None,
            oldest_within_limit: None,
            failing: Vec::new(),
            lost: Vec::new(),
            holds: Vec::new(),
        };
        run.decide_payments().await?;
        run.check_holds().await?;
        // What others did to the money is another list: if it cannot be read now, what was found so
        // far is still reported.
        let money = [run.check_refunds().await, run.check_disputes().await];
        run.view.error = money.into_iter().find_map(Result::err);
        run.finish().await
    }
}

impl Run<'_> {
    /// Keeps the watermark at or before this creation time.
    fn hold(&mut self, created: Timestamp) {
        let oldest = |held: Option<Timestamp>| Some(held.map_or(created, |held| held.min(created)));
        self.held = oldest(self.held);
        if !Watermark::is_too_old(created, self.now) {
            self.oldest_within_limit = oldest(self.oldest_within_limit);
        }
    }

    /// Records a payment, refund or dispute that could not be judged; the others continue.
    fn failed(&mut self, id: &str, created: Option<Timestamp>, why: impl std::fmt::Display) {
        let why = why.to_string();
        tracing::warn!(
            id,
            why,
            "a payment could not be decided; the next sweep will retry"
        );
        self.view.failed += 1;
        if self.view.failures.len() < MAX_DETAILS {
            self.view.failures.push(format!("{id}: {why}"));
        }
        if let Some(created) = created {
            self.hold(created);
        }
        self.failing.push((created, id.to_owned(), why));
    }

    /// Stores the new watermark.
    async fn finish(mut self) -> Result<OrphanCheckView, String> {
        let patience_is_over = self.before.has_waited_too_long(self.now);
        if patience_is_over && self.acts {
            self.give_up().await;
        }
        let held = if patience_is_over {
            self.oldest_within_limit
        } else {
            self.held
        };
        let after = self.before.advanced(held, self.now, self.view.foreign);
        self.view.foreign = after.foreign;
        let after = self.store(after).await.map_err(|e| e.to_string())?;
        self.view.watermark = Some(after.at);
        Ok(self.view)
    }

    /// Stores the watermark, and moves it back if an installation was adopted during this run, which
    /// did not see the adopted payments. This is noticed whichever of the two writes comes last,
    /// because an adoption is stored before its watermark.
    async fn store(&self, after: Watermark) -> Result<Watermark, StoreError> {
        let key_value_store = self.hotel.key_value_store.as_ref();
        let kept = Watermark::read(key_value_store).await?;
        after.write(key_value_store).await?;
        let set_back = kept.is_some_and(|kept| kept.at < self.before.at);
        if !set_back && adopted(key_value_store).await? == self.installations.adopted {
            return Ok(after);
        }
        let after = after.moved_back(self.now - LOOK_BACK, self.now);
        after.write(key_value_store).await?;
        Ok(after)
    }

    /// Hands payments that could not be judged for weeks to a person, so that they are not
    /// forgotten when the watermark passes them.
    async fn give_up(&mut self) {
        for (created, id, why) in std::mem::take(&mut self.failing) {
            let too_old = created.is_some_and(|at| Watermark::is_too_old(at, self.now));
            let Some(payment) = id.parse().ok().filter(|_| too_old) else {
                continue;
            };
            let evidence = Evidence {
                finding: Finding::NotJudged { why },
                payment_intent_id: payment,
                payment: None,
                execution: None,
            };
            if let Err(error) = self.give_to_person(&evidence).await {
                tracing::error!(
                    id,
                    error,
                    "an undecided payment could not be escalated to a person"
                );
            }
        }
    }

    /// Creates the record of one fact, unless there is one.
    async fn give_to_person(&mut self, evidence: &Evidence) -> Result<(), String> {
        let new = self.hotel.review(evidence, REQUESTER).await;
        self.view.flagged += u32::from(new.map_err(|error| error.to_string())?);
        Ok(())
    }

    /// Whether the execution could not be run when it got this signal: it answered without doing
    /// anything. Such a signal must not count as sent.
    async fn ignored(&self, head: &ExecutionRecord, key: &str) -> Result<bool, String> {
        let failing = |(name, reason): &(String, String)| {
            name == ATTENTION && matches!(reason.as_str(), STUCK | RECORD_UNREADABLE)
        };
        // The label stays after a recovery.
        if !head.labels.iter().any(failing) {
            return Ok(false);
        }
        let record = self.hotel.engine.journal().load(head.id).await;
        let not_taken = |row: &Row| matches!(&row.event, Event::SignalHandled { key: heard, accepted, .. } if heard == key && !accepted);
        Ok(record
            .map_err(|e| e.to_string())?
            .is_some_and(|record| record.damage.is_some() || record.rows.iter().any(not_taken)))
    }

    async fn send_signal(
        &self,
        id: ExecutionId,
        key: &str,
        action: SignalAction,
    ) -> Result<(), String> {
        let signal = Signal {
            key: key.to_owned(),
            action,
            by: REQUESTER.to_owned(),
            why: "found by the sweep".to_owned(),
        };
        let journal = self.hotel.engine.journal();
        journal
            .signal(id, &signal, self.hotel.clock.now())
            .await
            .map_err(|e| e.to_string())
            .map(|_| ())
    }

    /// Starts the payment's compensation, once; true when this call started it. With a flag, a
    /// person decides first.
    async fn compensate(
        &self,
        payment: &Payment,
        flag: Option<&AttentionReason>,
    ) -> Result<bool, String> {
        let input = json!({
            "payment_intent_id": payment.id, "guest_email": "", "reason": "found by the sweep", "flag": flag,
            "_by": started_by::clock(REQUESTER),
        });
        let token = format!("{REQUESTER}:{}", payment.id);
        let order = StartRequest {
            input_digest: payment.id.to_string(),
            ..by_clock(compensate_checkout::COMPENSATE, "clock:sweep", token, input)
        };
        self.hotel
            .start_once(order)
            .await
            .map_err(|e| e.to_string())
    }
}

fn count(others: &mut BTreeMap<String, u32>, installation: String) {
    *others.entry(installation).or_default() += 1;
}
