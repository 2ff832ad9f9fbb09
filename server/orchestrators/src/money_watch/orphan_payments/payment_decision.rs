//! The payments of the account: who owns each, and whether an execution finishes it.

use std::collections::BTreeMap;

use dewy_domain::{
    booking_number::BookingNumber,
    payment::{Payment, PaymentStatus},
    payment_intent_id::PaymentIntentId,
    stay::Stay,
    upstream_request::Fault,
    vocabulary::BookingStatus,
    vocabulary::{AttentionReason, FaultCode},
};
use dewy_saga::{ExecutionId, SignalAction, State, journal::ExecutionRecord};
use jiff::{SignedDuration, Timestamp};

use super::{REQUESTER, Run, count, journal_reads::ExecutionsById};
use crate::{
    money_watch::payment_monitor::second_payment,
    saga_parts::{live_holds::is_hold, payment_owner::Owner},
    sagas::review_payment::{Evidence, Finding},
};

/// Maximum booking numbers per query, whose text is limited.
const MAX_NUMBERS_PER_QUERY: usize = 100;

const MAX_EXECUTIONS_PER_READ: usize = 200;

/// Whether a payment must be checked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PaymentDecision {
    /// Settled, or an execution is handling it.
    Judged,
    /// May still change.
    Open,
}

/// Why a payment is left to a person. `named` tells whether it names a booking.
fn flag(over_limit: bool, named: bool, booking: Option<&Stay>) -> Option<AttentionReason> {
    match booking {
        _ if over_limit => Some(AttentionReason::OrphanOverLimit),
        // Deleted, merged, or hidden from us: that proves nothing about the check-out.
        None if named => Some(AttentionReason::UnknownOutcome),
        // The guest was checked out and this payment is not on the folio: a person must determine
        // the mistake.
        Some(stay) if stay.booking.status == BookingStatus::CheckedOut => {
            Some(AttentionReason::UnknownOutcome)
        }
        _ => None,
    }
}

impl Run<'_> {
    /// Judges all payments since the watermark.
    pub(super) async fn decide_payments(&mut self) -> Result<(), String> {
        let listing = self
            .hotel
            .payments
            .payments_since(None, self.before.list_from())
            .await;
        let listing = listing.answered().map_err(|t| t.to_string())?;
        for spoiled in listing.unreadable {
            match self.installations.owner(&spoiled.metadata) {
                Owner::Ours(_) | Owner::Unsigned(_) => {
                    self.failed(
                        &spoiled.id,
                        Some(spoiled.created.unwrap_or(self.before.at)),
                        spoiled.why,
                    );
                }
                Owner::OtherInstallation(id) => count(&mut self.view.other_installations, id),
                Owner::Foreign => self.count_foreign(spoiled.created),
            }
        }
        for payments in listing.items.chunks(MAX_EXECUTIONS_PER_READ) {
            let owners = payments
                .iter()
                .map(|payment| self.installations.owner(&payment.metadata));
            let heads = self.heads(owners.filter_map(|o| o.execution())).await;
            for payment in payments {
                match self.decide(payment, &heads).await {
                    Ok(PaymentDecision::Judged) => {}
                    Ok(PaymentDecision::Open) => self.hold(payment.created),
                    Err(why) => self.failed(payment.id.as_str(), Some(payment.created), why),
                }
            }
        }
        self.decide_lost_payments().await;
        Ok(())
    }

    /// Counts a payment of another program.
    fn count_foreign(&mut self, created: Option<Timestamp>) {
        if created.is_some_and(|created| self.before.counts(created, self.now)) {
            self.view.foreign += 1;
        }
    }

    async fn decide(
        &mut self,
        payment: &Payment,
        heads: &ExecutionsById,
    ) -> Result<PaymentDecision, String> {
        self.view.looked_at += 1;
        let owner = self.installations.owner(&payment.metadata);
        let id = match owner {
            Owner::Ours(id) | Owner::Unsigned(id) => id,
            Owner::OtherInstallation(id) => {
                count(&mut self.view.other_installations, id);
                return Ok(PaymentDecision::Judged);
            }
            Owner::Foreign => {
                self.count_foreign(Some(payment.created));
                return Ok(PaymentDecision::Judged);
            }
        };
        let record = self.head(heads, id).await?;
        if record.is_none() && matches!(owner, Owner::Unsigned(_)) {
            // A payment of an unknown older installation, without proof that it was this one.
            self.count_foreign(Some(payment.created));
            return Ok(PaymentDecision::Judged);
        }
        let grace = SignedDuration::try_from(self.hotel.settings.orphan_check_grace)
            .unwrap_or(SignedDuration::MAX);
        if self.now.duration_since(payment.created) < grace {
            return Ok(PaymentDecision::Open);
        }
        let hold = is_hold(&payment.metadata);
        match payment.status {
            PaymentStatus::Succeeded if hold => return self.decide_captured_hold(payment).await,
            PaymentStatus::Succeeded => {}
            // From here on it is watched apart from the watermark
            PaymentStatus::RequiresCapture
                if hold && record.as_ref().is_none_or(|r| r.state.has_ended()) =>
            {
                self.watch(id, payment);
                return Ok(PaymentDecision::Judged);
            }
            PaymentStatus::Canceled => return Ok(PaymentDecision::Judged),
            // Declined. We never retry with the same payment.
            PaymentStatus::RequiresPaymentMethod
                if record.as_ref().is_none_or(|r| r.state.has_ended()) =>
            {
                return Ok(PaymentDecision::Judged);
            }
            _ => return Ok(PaymentDecision::Open),
        }
        if payment.received <= payment.refunded {
            return Ok(PaymentDecision::Judged);
        }
        match record {
            Some(record) => self.decide_journaled_payment(&record, payment).await,
            None => {
                self.lost.push((id, payment.clone()));
                Ok(PaymentDecision::Judged)
            }
        }
    }

    pub(super) async fn decide_journaled_payment(
        &mut self,
        record: &ExecutionRecord,
        payment: &Payment,
    ) -> Result<PaymentDecision, String> {
        if record.state == State::Compensating {
            // Already compensating; the signal records that the orphan check saw it.
            self.act(record.id, payment, SignalAction::Compensate)
                .await?;
            return Ok(PaymentDecision::Open);
        }
        if !record.state.has_ended() {
            return Ok(PaymentDecision::Open);
        }
        if let Some(finding) = second_payment(record, payment) {
            return self.report_finding(Some(record), payment, finding).await;
        }
        let action = match record.state {
            State::Refused => SignalAction::Compensate,
            // What a person resolved is only rechecked: any finding goes to a person.
            State::Compensated | State::SettledByHand => SignalAction::Recheck,
            // Completed ones are paid for, and a person handles the rest.
            _ => return Ok(PaymentDecision::Judged),
        };
        let key = format!("{REQUESTER}:{}", payment.id);
        // A compensated one is short because a refund failed, and is found among the refunds.
        if record.state != State::Compensated && self.ignored(record, &key).await? {
            let why = format!("its execution {} could not be run", record.id);
            let finding = Finding::NotJudged { why };
            return self.report_finding(Some(record), payment, finding).await;
        }
        self.view.found += 1;
        if self.act(record.id, payment, action).await? {
            self.view.fixed += 1;
        }
        // Until the money is refunded; after a manual resolution it may stay captured.
        Ok(if record.state == State::SettledByHand {
            PaymentDecision::Judged
        } else {
            PaymentDecision::Open
        })
    }

    /// Sends the signal, unless this run only reports.
    async fn act(
        &self,
        id: ExecutionId,
        payment: &Payment,
        action: SignalAction,
    ) -> Result<bool, String> {
        if self.acts {
            self.send_signal(id, &format!("{REQUESTER}:{}", payment.id), action)
                .await?;
        }
        Ok(self.acts)
    }

    pub(super) async fn report_finding(
        &mut self,
        record: Option<&ExecutionRecord>,
        payment: &Payment,
        finding: Finding,
    ) -> Result<PaymentDecision, String> {
        self.view.found += 1;
        if !self.acts {
            return Ok(PaymentDecision::Open);
        }
        let evidence = Evidence {
            finding,
            payment_intent_id: payment.id.clone(),
            payment: Some(payment.clone()),
            execution: record.map(|record| record.id),
        };
        self.give_to_person(&evidence).await?;
        Ok(PaymentDecision::Judged)
    }

    /// Payments that name an execution missing from the journal: the CRM shows whether their
    /// check-out was completed.
    async fn decide_lost_payments(&mut self) {
        let lost = std::mem::take(&mut self.lost);
        let numbers = lost
            .iter()
            .filter_map(|(_, p)| p.metadata.get("booking_number"))
            .map(|number| BookingNumber::from(number.as_str()));
        let stays = self.stays_of(numbers.collect()).await;
        let ids: Vec<PaymentIntentId> =
            lost.iter().map(|(_, payment)| payment.id.clone()).collect();
        let compensations = self.compensations(&ids).await;
        for (id, payment) in lost {
            let number = payment.metadata.get("booking_number");
            let stay = match number.and_then(|number| stays.get(number.as_str())) {
                None => None,
                Some(Ok(stay)) => Some(stay),
                Some(Err(error)) => {
                    self.report_undecidable(&payment, error).await;
                    continue;
                }
            };
            let id = id.to_string();
            if stay.is_some_and(|s| {
                s.lines
                    .iter()
                    .any(|l| l.external_id.as_deref() == Some(&id))
            }) {
                continue;
            }
            match self.compensation(&compensations, &payment.id).await {
                // An execution is refunding it, or a person has it.
                Ok(Some(_)) => continue,
                Ok(None) => {}
                Err(error) => {
                    self.failed(payment.id.as_str(), Some(payment.created), error);
                    continue;
                }
            }
            self.view.found += 1;
            // Also if a compensation was started: one that is refused before doing anything must be
            // started again.
            self.hold(payment.created);
            if !self.acts {
                continue;
            }
            let left = payment.received - payment.refunded;
            let flag = flag(
                left > self.hotel.settings.refund_approval_limit,
                number.is_some(),
                stay,
            );
            match (self.compensate(&payment, flag.as_ref()).await, flag) {
                (Ok(new), Some(_)) => self.view.flagged += u32::from(new),
                (Ok(new), None) => self.view.fixed += u32::from(new),
                (Err(why), _) => self.failed(payment.id.as_str(), Some(payment.created), why),
            }
        }
    }

    /// Reports that a lost payment's stay is unreadable; only a person can fill in an empty field.
    async fn report_undecidable(&mut self, payment: &Payment, error: &Fault) {
        let Some(problem) = error.details["problem"]
            .as_str()
            .filter(|_| error.code == FaultCode::IncompleteRecord)
        else {
            return self.failed(payment.id.as_str(), Some(payment.created), error);
        };
        self.failed(payment.id.as_str(), Some(payment.created), problem);
        if !self.acts {
            return;
        }
        let evidence = Evidence {
            finding: Finding::RecordIncomplete {
                problem: problem.to_owned(),
            },
            payment_intent_id: payment.id.clone(),
            payment: Some(payment.clone()),
            execution: None,
        };
        if let Err(error) = self.give_to_person(&evidence).await {
            tracing::warn!(payment = %payment.id, error, "not given to a person yet; the next run does");
        }
    }

    /// The stays of these bookings, or the error if unreadable. Bookings that do not exist are left
    /// out.
    pub(super) async fn stays_of(
        &self,
        mut numbers: Vec<BookingNumber>,
    ) -> BTreeMap<BookingNumber, Result<Stay, Fault>> {
        numbers.sort();
        numbers.dedup();
        let mut stays = BTreeMap::new();
        for chunk in numbers.chunks(MAX_NUMBERS_PER_QUERY) {
            match self.hotel.crm.stays_by_number(chunk).await.answered() {
                Ok(found) => {
                    let found = found
                        .into_iter()
                        .map(|stay| (stay.booking.number.clone(), stay));
                    stays.extend(found.map(|(number, stay)| (number, Ok(stay))));
                }
                // The CRM is unavailable: none of these can be judged now.
                Err(error) if !error.permanent => {
                    stays.extend(
                        chunk
                            .iter()
                            .map(|number| (number.clone(), Err(error.clone()))),
                    );
                }
                // One of them may be the cause.
                Err(_) => {}
            }
            // Read with others, an incomplete booking is left out as if it did not exist.
            for number in chunk {
                if stays.contains_key(number) {
                    continue;
                }
                let alone = std::slice::from_ref(number);
                match self.hotel.crm.stays_by_number(alone).await.answered() {
                    Ok(mut found) => {
                        stays.extend(found.pop().map(|stay| (number.clone(), Ok(stay))))
                    }
                    Err(error) => drop(stays.insert(number.clone(), Err(error))),
                }
            }
        }
        stays
    }
}
