//! Subscriptions to executions, as far as a caller may see them.

use std::time::Duration;

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Interface, Persona, Role},
    checkout_pause::CheckoutPause,
    compensation_totals::CompensationTotals,
    error_code::ErrorCode,
    evidence::Evidence,
    execution_view::{ExecutionView, GuestActivity, MoneyCheck, MoneyView, RecordOwner},
    money::Cents,
    orphan_check_view::OrphanCheckView,
    payment::Refund,
    ports::{Email, EmailStatus, ExecutionFeed},
    tool_catalog,
};
use dewy_saga::{
    ExecutionId, State,
    journal::{ExecutionFilter, ExecutionRecord},
};

use crate::{
    hotel::hotel_service::Hotel,
    saga_parts::engine_conversions,
    sagas::{
        self, compensate_checkout::COMPENSATE, operator_decision::RESOLVE_EXECUTION,
        review_payment::REVIEW_PAYMENT, send_email::SEND_EMAIL, send_text::SEND_TEXT,
    },
    views::{compensations, evidence, execution_view, record_owner},
};

/// Maximum number of listed executions; more than staff resolve in a day.
const MAX_LISTED: usize = 100;
/// Number of executions in need of attention whose journal is read with them.
const MAX_COMPLETE: usize = 20;

/// Poll interval while someone waits for a change.
const LIST_POLL: Duration = Duration::from_secs(2);

/// Guests see their own, and those about their stays; front desk staff see all, other staff what they
/// requested themselves.
pub(crate) fn may_see(caller: &Caller, record: &ExecutionRecord) -> bool {
    let own = record.caller == caller.key();
    match caller.persona {
        // A staff decision about a guest's stay is visible to staff only; its effect shows in the
        // execution itself, and on the bill.
        Persona::Guest
            if [RESOLVE_EXECUTION, REVIEW_PAYMENT, COMPENSATE].contains(&&*record.saga) =>
        {
            false
        }
        Persona::Guest => {
            let email = record.label("guest_email");
            let guest = caller.identity();
            let contact = || engine_conversions::contact_of(record);
            let contact = guest.shares_email().then(contact).flatten();
            own || guest.owns(email, contact.as_deref())
        }
        Persona::Staff => own || caller.is_front_desk(),
    }
}

impl Hotel {
    pub(crate) async fn visible_record(
        &self,
        caller: &Caller,
        id: ExecutionId,
    ) -> Option<ExecutionRecord> {
        match self.engine.journal().load(id).await {
            Ok(record) => record.filter(|r| may_see(caller, r)),
            Err(error) => {
                tracing::warn!(%error, execution = %id, "the execution could not be read");
                None
            }
        }
    }
}

#[async_trait]
impl ExecutionFeed for Hotel {
    async fn execution(&self, caller: &Caller, id: &str) -> Option<ExecutionView> {
        let record = self.visible_record(caller, id.parse().ok()?).await?;
        Some(execution_view::of(
            &self.engine,
            &self.settings,
            caller,
            &record,
        ))
    }

    async fn find_by_token(&self, caller: &Caller, token: &str) -> Option<ExecutionView> {
        let token = self.token_key().stored(token);
        match self
            .engine
            .journal()
            .find_token(&caller.key(), &token)
            .await
        {
            Ok(record) => record
                .map(|record| execution_view::of(&self.engine, &self.settings, caller, &record)),
            Err(error) => {
                tracing::warn!(%error, "an execution could not be looked up by its token");
                None
            }
        }
    }

    async fn activities(&self, caller: &Caller, at_most: usize) -> Vec<GuestActivity> {
        if caller.persona != Persona::Guest {
            return Vec::new();
        }
        let labels = vec![("guest_email".to_owned(), caller.email.to_string())];
        let list = self
            .engine
            .journal()
            .list(&ExecutionFilter {
                labels,
                limit: at_most,
                ..ExecutionFilter::default()
            })
            .await;
        let mut records = list.unwrap_or_else(|error| {
            tracing::warn!(%error, "a guest's executions could not be listed");
            Vec::new()
        });
        if caller.identity().shares_email() {
            // Only the journal, which lists leave out, tells whose stay it is
            let ids: Vec<_> = records.iter().map(|one| one.id).collect();
            records = self
                .engine
                .journal()
                .load_all(&ids)
                .await
                .unwrap_or_default();
            records.sort_by_key(|record| ids.iter().position(|id| *id == record.id));
        }
        // Texts to the guest and staff decisions are not guest activities: every activity has a
        // tool of that name.
        let of_a_tool = |record: &&ExecutionRecord| {
            let tool = tool_catalog::named(&record.saga);
            may_see(caller, record)
                && tool.is_some_and(|tool| {
                    tool.writes && tool.name != RESOLVE_EXECUTION && !tool.registers()
                })
        };
        records
            .iter()
            .filter(of_a_tool)
            .map(|record| execution_view::activity(caller, record))
            .collect()
    }

    async fn changed(
        &self,
        caller: &Caller,
        id: &str,
        after: i64,
        at_most: Duration,
    ) -> Option<ExecutionView> {
        let id = id.parse().ok()?;
        let until = self.clock.now() + at_most;
        loop {
            let mut live = self.engine.subscribe(id);
            let record = self.visible_record(caller, id).await?;
            let left =
                Duration::try_from(until.duration_since(self.clock.now())).unwrap_or_default();
            if execution_view::seq(&record) > after || left.is_zero() {
                return Some(execution_view::of(
                    &self.engine,
                    &self.settings,
                    caller,
                    &record,
                ));
            }
            match &mut live {
                Some(live) => {
                    let nap = self.clock.sleep(left.min(Duration::from_secs(1)));
                    tokio::select! {
                        biased;
                        _ = live.changed() => {}
                        () = nap => {}
                    }
                }
                None => self.clock.sleep(left.min(Duration::from_millis(500))).await,
            }
        }
    }

    async fn due_elsewhere(&self, caller: &Caller) -> Vec<ExecutionView> {
        if !caller.is_front_desk() {
            return Vec::new();
        }
        let read = async {
            let mut ids = self.engine.due_elsewhere().await?;
            ids.truncate(MAX_LISTED);
            self.engine.journal().load_all(&ids).await
        };
        let records = read.await.unwrap_or_else(|error| {
            tracing::warn!(%error, "what another release has to do could not be listed");
            Vec::new()
        });
        records
            .iter()
            .map(|record| execution_view::of(&self.engine, &self.settings, caller, record))
            .collect()
    }

    async fn lists_changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64 {
        let until = self.clock.now() + at_most;
        loop {
            let now = self.lists(caller).await.unwrap_or(after);
            let left =
                Duration::try_from(until.duration_since(self.clock.now())).unwrap_or_default();
            if now != after || left.is_zero() {
                return now;
            }
            self.clock.sleep(left.min(LIST_POLL)).await;
        }
    }

    async fn money(&self, caller: &Caller, id: &str) -> Option<MoneyCheck> {
        if !caller.is_front_desk() {
            return None;
        }
        let record = self.visible_record(caller, id.parse().ok()?).await?;
        let progress = record.progress().ok()?;
        let presentation = sagas::presentation(&record.saga);
        let ours = presentation.money(&progress)?;
        let mut theirs = MoneyView {
            captured: Cents(0),
            refunded: Cents(0),
            currency: ours.currency,
        };
        let mut refunds = Vec::new();
        for payment in presentation.payment_intents(&progress) {
            let (payment, given_back) = futures::join!(
                self.payments.payment(&payment),
                self.payments.refunds(&payment)
            );
            let (payment, given_back) = (payment.answered().ok()??, given_back.answered().ok()?);
            theirs.captured = theirs.captured + payment.received;
            theirs.refunded = theirs.refunded + Refund::effective_sum(&given_back);
            theirs.currency = payment.currency;
            refunds.extend(given_back);
        }
        let words = |r: &Refund| {
            (
                r.id.clone(),
                engine_conversions::value(&r.status)
                    .as_str()
                    .unwrap_or("other")
                    .to_owned(),
                r.amount,
            )
        };
        Some(MoneyCheck {
            agrees: ours.captured == theirs.captured && ours.refunded == theirs.refunded,
            refunds: refunds.iter().map(words).collect(),
            ours,
            theirs,
            at: self.clock.now(),
        })
    }

    async fn evidence(&self, caller: &Caller, id: &str) -> Option<Evidence> {
        if !caller.is_front_desk() {
            return None;
        }
        let record = self.visible_record(caller, id.parse().ok()?).await?;
        Some(evidence::of(self, caller, &record))
    }

    async fn record_owner(&self, caller: &Caller, id: &str) -> Option<RecordOwner> {
        if !caller.is_front_desk() {
            return None;
        }
        let id = id.parse().ok()?;
        let known = record_owner::of(self, &[id]).await;
        let known = known.inspect_err(|error| tracing::warn!(%error, "an owner could not be read"));
        known.ok()?.remove(&id)
    }

    async fn own_record(&self, caller: &Caller, id: &str, own: bool) -> bool {
        if !caller.is_front_desk() || caller.read_only {
            return false;
        }
        let record = match id.parse() {
            Ok(id) => self.visible_record(caller, id).await,
            Err(_) => None,
        };
        let Some(record) = record else {
            return false;
        };
        let changed = record_owner::change(self, caller, record.id, own).await;
        changed
            .inspect_err(|error| tracing::warn!(%error, "an owner could not be stored"))
            .is_ok()
    }

    async fn last_orphan_check(&self, caller: &Caller) -> Option<OrphanCheckView> {
        if !caller.is_front_desk() {
            return None;
        }
        Some(self.last_orphan_check().await)
    }

    async fn compensation_totals(&self, caller: &Caller) -> Option<CompensationTotals> {
        if !caller.is_front_desk() {
            return None;
        }
        let totals = compensations::totals(self).await;
        totals
            .inspect_err(|error| tracing::warn!(%error, "compensations could not be summed"))
            .ok()
    }

    async fn checkout_pause(&self, caller: &Caller) -> Option<CheckoutPause> {
        if !caller.is_front_desk() {
            return None;
        }
        Hotel::checkout_pause(self).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the check-out pause could not be read");
            None
        })
    }

    async fn lift_checkout_pause(&self, caller: &Caller) -> bool {
        let may = caller.is_front_desk() && caller.role == Some(Role::Manager) && !caller.read_only;
        may && Hotel::lift_checkout_pause(self, &caller.key())
            .await
            .is_ok()
    }

    async fn email_status(&self, caller: &Caller, id: &str) -> EmailStatus {
        self.receipt_email_of(caller, id).await
    }

    async fn email_receipt(
        &self,
        caller: &Caller,
        id: &str,
        email: Email,
    ) -> Result<String, ErrorCode> {
        self.send_receipt(caller, id, email).await
    }
}

impl Hotel {
    /// Executions only a person can resolve, for staff: payments and stays, not messages; empty when
    /// the store does not answer.
    pub async fn executions_needing_attention(&self) -> Vec<ExecutionView> {
        let filter = ExecutionFilter {
            states: vec![State::NeedsAttention],
            not_saga: Some(SEND_TEXT.to_owned()),
            limit: MAX_LISTED,
            ..ExecutionFilter::default()
        };
        let records = self
            .engine
            .journal()
            .list(&filter)
            .await
            .unwrap_or_else(|error| {
                tracing::warn!(%error, "executions that need attention could not be listed");
                Vec::new()
            });
        let front_desk = Caller::staff("attention@localhost", Role::Manager, Interface::Form);
        let mut records: Vec<_> = records
            .into_iter()
            .filter(|record| record.saga != SEND_EMAIL)
            .collect();
        // What was charged is in the journal, which lists leave out: one read for all of them
        let ids: Vec<_> = records
            .iter()
            .map(|one| one.id)
            .take(MAX_COMPLETE)
            .collect();
        let whole = self.engine.journal().load_all(&ids).await;
        for whole in whole.unwrap_or_default() {
            if let Some(record) = records.iter_mut().find(|one| one.id == whole.id) {
                *record = whole;
            }
        }
        records
            .iter()
            .map(|record| execution_view::of(&self.engine, &self.settings, &front_desk, record))
            .collect()
    }

    /// Change number of the caller's lists.
    async fn lists(&self, caller: &Caller) -> Option<i64> {
        if caller.is_front_desk() {
            self.list_version().await
        } else {
            Some(0)
        }
    }
}
