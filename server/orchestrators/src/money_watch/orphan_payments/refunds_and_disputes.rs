//! Refunds and disputes of the account: refunds that failed later, and outside changes to our
//! payments.

use std::collections::{BTreeMap, BTreeSet};

use dewy_domain::{
    payment::{Dispute, Refund, Unreadable},
    payment_intent_id::PaymentIntentId,
    vocabulary::{CompensationStatus, FaultCode},
};
use dewy_saga::{ExecutionId, SignalAction, State, journal::ExecutionRecord};
use jiff::SignedDuration;

use super::{
    REQUESTER, Run,
    journal_reads::{Compensations, ExecutionsById},
};
use crate::{
    money_watch::payment_monitor::{failed_refund, is_completed},
    saga_parts::{compensation_record::CompensationRecord, payment_owner::Owner},
    sagas::{
        compensate_checkout,
        review_payment::{Evidence, FACT_LABEL, Finding, PaymentState, findings},
    },
};

/// How far back refunds are checked: banks return them after days.
const REFUND_LOOK_BACK: SignedDuration = SignedDuration::from_hours(30 * 24);

/// How far back disputes are checked: a bank takes up to three months to decide one.
const DISPUTE_LOOK_BACK: SignedDuration = SignedDuration::from_hours(120 * 24);

#[derive(Default)]
struct Listed {
    refunds: Vec<Refund>,
    disputes: Vec<Dispute>,
}

/// Our payments by id, each with its execution and whether only its metadata says that it is ours.
type Payments = BTreeMap<PaymentIntentId, (ExecutionId, bool, Listed)>;

impl Run<'_> {
    /// Checks the refunds of the last weeks.
    pub(super) async fn check_refunds(&mut self) -> Result<(), String> {
        let since = (self.now - REFUND_LOOK_BACK).min(self.before.at);
        let listing = self
            .hotel
            .payments
            .refunds_since(since)
            .await
            .answered()
            .map_err(|t| t.to_string())?;
        self.unreadable(&listing.unreadable);
        let mut payments = Payments::new();
        let failed = listing
            .items
            .iter()
            .filter(|of| !of.item.status.is_effective());
        let failed: Vec<PaymentIntentId> =
            failed.map(|of| of.item.payment_intent.clone()).collect();
        let compensations = self.compensations(&failed).await;
        let heads = match &compensations {
            Some(rows) => {
                let rows = rows.values().flatten();
                self.heads(rows.map(|row| row.execution)).await
            }
            None => None,
        };
        for of in listing.items {
            let (item, owner) = (of.item, self.installations.owner(&of.payment_metadata));
            if !item.status.is_effective()
                && let Err(why) = self
                    .recheck_failed_refund(&item, &compensations, &heads)
                    .await
            {
                self.failed(&item.id, None, why);
            }
            if let Some(listed) = of_payment(&mut payments, &owner, &item.payment_intent) {
                listed.refunds.push(item);
            }
        }
        self.find(payments).await;
        Ok(())
    }

    /// Checks the disputes of the last months.
    pub(super) async fn check_disputes(&mut self) -> Result<(), String> {
        let since = (self.now - DISPUTE_LOOK_BACK).min(self.before.at);
        let listing = self
            .hotel
            .payments
            .disputes_since(since)
            .await
            .answered()
            .map_err(|t| t.to_string())?;
        self.unreadable(&listing.unreadable);
        let mut payments = Payments::new();
        for of in listing.items {
            let (item, owner) = (of.item, self.installations.owner(&of.payment_metadata));
            if let Some(listed) = of_payment(&mut payments, &owner, &item.payment_intent) {
                listed.disputes.push(item);
            }
        }
        self.find(payments).await;
        Ok(())
    }

    fn unreadable(&mut self, unreadable: &[Unreadable]) {
        for spoiled in unreadable {
            self.failed(&spoiled.id, None, &spoiled.why);
        }
    }

    /// A failed refund of a payment that counts as refunded: the execution that refunded it
    /// rechecks. If it needs a person, or cannot be run, a person is told.
    async fn recheck_failed_refund(
        &mut self,
        refund: &Refund,
        compensations: &Compensations,
        heads: &ExecutionsById,
    ) -> Result<(), String> {
        let row = self
            .compensation(compensations, &refund.payment_intent)
            .await
            .map_err(|e| e.to_string())?;
        let found = row.and_then(|row| Some((CompensationRecord::of(&row)?, row.execution)));
        let over = [
            CompensationStatus::Compensated,
            CompensationStatus::Solved,
            CompensationStatus::NeedsAttention,
        ];
        let Some((record, execution)) = found.filter(|(record, _)| over.contains(&record.status))
        else {
            return Ok(());
        };
        if !self.acts {
            return Ok(());
        }
        let head = self.head(heads, execution).await?;
        let by_itself = head
            .as_ref()
            .is_some_and(|head| head.saga == compensate_checkout::COMPENSATE);
        let key = format!("{REQUESTER}:{}", refund.id);
        let with_person = record.status == CompensationStatus::NeedsAttention
            || match &head {
                Some(head) => !by_itself && self.ignored(head, &key).await?,
                None => false,
            };
        if !by_itself && !with_person {
            return self
                .send_signal(execution, &key, SignalAction::Recheck)
                .await;
        }
        let refunds = self
            .hotel
            .payments
            .refunds(&refund.payment_intent)
            .await
            .answered()
            .map_err(|t| t.to_string())?;
        if with_person {
            let found = failed_refund(record.refunded, &refunds)
                .into_iter()
                .collect();
            let check_out = head.filter(|_| !by_itself);
            return self
                .report_findings(&refund.payment_intent, check_out.as_ref(), found)
                .await;
        }
        // Its check-out is missing from the journal, and the compensation has ended: no execution
        // is left to recheck.
        if Refund::effective_sum(&refunds) >= record.captured {
            return Ok(());
        }
        let finding = Finding::RefundFailed {
            refund: refund.clone(),
        };
        self.report_findings(&refund.payment_intent, None, vec![finding])
            .await
    }

    async fn find(&mut self, payments: Payments) {
        let mut all = Vec::new();
        let heads = self.heads(payments.values().map(|(id, ..)| *id)).await;
        for (payment, (id, signed, listed)) in payments {
            match self.findings(&heads, id, signed, listed).await {
                Ok((head, found)) => all.push((payment, head, found)),
                Err(why) => self.failed(payment.as_str(), None, why),
            }
        }
        self.drop_known(&mut all).await;
        for (payment, head, mut found) in all {
            let reported = match self.drop_expected(head.as_ref(), &mut found).await {
                Ok(()) => self.report_findings(&payment, head.as_ref(), found).await,
                Err(why) => Err(why),
            };
            if let Err(why) = reported {
                self.failed(payment.as_str(), None, why);
            }
        }
    }

    async fn findings(
        &self,
        heads: &ExecutionsById,
        id: ExecutionId,
        signed: bool,
        listed: Listed,
    ) -> Result<(Option<ExecutionRecord>, Vec<Finding>), String> {
        let head = self.head(heads, id).await?;
        if head.is_none() && !signed {
            return Ok((None, Vec::new()));
        }
        let Listed { refunds, disputes } = listed;
        let found = findings(PaymentState {
            state: head.as_ref().map(|head| head.state),
            // Read later, and only where it matters.
            is_completed: true,
            refunds: &refunds,
            disputes: &disputes,
        });
        Ok((head, found))
    }

    /// Drops refunds of a check-out that was handed to a person and wasn't completed: that person
    /// made them. Only this check needs the whole journal.
    async fn drop_expected(
        &self,
        head: Option<&ExecutionRecord>,
        found: &mut Vec<Finding>,
    ) -> Result<(), String> {
        let refunded = |finding: &Finding| matches!(finding, Finding::RefundedElsewhere { .. });
        let with_a_person = |head: &&ExecutionRecord| {
            matches!(head.state, State::NeedsAttention | State::SettledByHand)
        };
        let Some(head) = head.filter(with_a_person) else {
            return Ok(());
        };
        if found.iter().any(refunded) {
            let record = self.hotel.engine.journal().load(head.id).await;
            if !record
                .map_err(|e| e.to_string())?
                .as_ref()
                .is_some_and(is_completed)
            {
                found.retain(|finding| !refunded(finding));
            }
        }
        Ok(())
    }

    /// Drops findings that were already reported, in one read; if that fails, each payment's
    /// findings are checked when they are reported.
    async fn drop_known(
        &self,
        all: &mut [(PaymentIntentId, Option<ExecutionRecord>, Vec<Finding>)],
    ) {
        let facts = all
            .iter()
            .flat_map(|(payment, _, found)| found.iter().map(|one| one.fact(payment)))
            .collect();
        if let Ok(known) = self.known(facts).await {
            for (payment, _, found) in all {
                found.retain(|one| !known.contains(&one.fact(payment)));
            }
        }
    }

    /// Facts that were already reported to a person.
    async fn known(&self, facts: Vec<String>) -> Result<BTreeSet<String>, String> {
        if facts.is_empty() {
            return Ok(BTreeSet::new());
        }
        let journal = self.hotel.engine.journal();
        let known = journal.labelled(FACT_LABEL, &facts).await;
        let known = known.map_err(|e| e.to_string())?;
        Ok(known.into_iter().map(|(fact, _)| fact).collect())
    }

    /// Reports new facts to a person.
    async fn report_findings(
        &mut self,
        payment: &PaymentIntentId,
        head: Option<&ExecutionRecord>,
        mut found: Vec<Finding>,
    ) -> Result<(), String> {
        if found.is_empty() {
            return Ok(());
        }
        let facts = found.iter().map(|finding| finding.fact(payment)).collect();
        let known = self.known(facts).await?;
        found.retain(|finding| !known.contains(&finding.fact(payment)));
        self.view.found += u32::try_from(found.len()).unwrap_or(u32::MAX);
        if found.is_empty() || !self.acts {
            return Ok(());
        }
        let read = match self.hotel.payments.payment(payment).await.answered() {
            Ok(read) => read,
            // The fact stands without it.
            Err(error) if error.code == FaultCode::UnreadableResponse => None,
            Err(error) => return Err(error.to_string()),
        };
        for finding in found {
            let evidence = Evidence {
                finding,
                payment_intent_id: payment.clone(),
                payment: read.clone(),
                execution: head.map(|head| head.id),
            };
            self.give_to_person(&evidence).await?;
        }
        Ok(())
    }
}

fn of_payment<'a>(
    payments: &'a mut Payments,
    owner: &Owner,
    payment: &PaymentIntentId,
) -> Option<&'a mut Listed> {
    let id = owner.execution()?;
    let signed = matches!(owner, Owner::Ours(_));
    Some(
        &mut payments
            .entry(payment.clone())
            .or_insert_with(|| (id, signed, Listed::default()))
            .2,
    )
}
