//! Presentation of a payment review.

use dewy_domain::{
    execution_view::MoneyView, money::Cents, payment_intent_id::PaymentIntentId, sentence::Sentence,
};
use dewy_saga::{Progress, State};
use jiff::Timestamp;

use super::{Evidence, Finding};
use crate::saga_parts::{
    presentation::{Presentation, Presented},
    settings::Settings,
};

pub(crate) struct Labels;

impl Presentation for Labels {
    fn summary(&self, of: Presented<'_>) -> Sentence {
        let (record, progress, settings) = (of.record, of.progress, of.settings);
        let Some(evidence) = Evidence::of(progress) else {
            return "Reading the evidence.".into();
        };
        let sentence = sentence(&evidence, settings);
        match record.state {
            State::NeedsAttention => format!("{sentence} Nothing was done about it.").into(),
            _ => sentence.into(),
        }
    }

    fn money(&self, progress: &Progress) -> Option<MoneyView> {
        let payment = Evidence::of(progress)?.payment?;
        Some(MoneyView {
            captured: payment.received,
            refunded: payment.refunded,
            currency: payment.currency,
        })
    }

    fn payment_intents(&self, progress: &Progress) -> Vec<PaymentIntentId> {
        let id = Evidence::of(progress).map(|evidence| evidence.payment_intent_id);
        id.into_iter().collect()
    }

    fn ids(&self, progress: &Progress) -> Vec<(String, String)> {
        let Some(evidence) = Evidence::of(progress) else {
            return Vec::new();
        };
        let mut ids = vec![(
            "Stripe payment".to_owned(),
            evidence.payment_intent_id.to_string(),
        )];
        let charge = evidence
            .payment
            .as_ref()
            .and_then(|payment| payment.charge_id.clone());
        ids.extend(charge.map(|id| ("Stripe charge".to_owned(), id)));
        ids.extend(match &evidence.finding {
            Finding::RefundedElsewhere { refund } | Finding::RefundFailed { refund } => {
                Some(("Stripe refund".to_owned(), refund.id.clone()))
            }
            Finding::FraudWarning { warning } => {
                Some(("Stripe warning".to_owned(), warning.id.clone()))
            }
            Finding::Disputed { dispute }
            | Finding::FundsWithdrawn { dispute }
            | Finding::DisputeLost { dispute } => {
                Some(("Stripe dispute".to_owned(), dispute.id.clone()))
            }
            Finding::SecondPayment { first } => {
                first.clone().map(|id| ("First payment".to_owned(), id))
            }
            Finding::RecordIncomplete { .. } | Finding::NotJudged { .. } => None,
        });
        ids.extend(
            evidence
                .execution
                .map(|id| ("Check-out".to_owned(), id.to_string())),
        );
        ids
    }
}

fn sentence(evidence: &Evidence, settings: &Settings) -> String {
    let payment = &evidence.payment_intent_id;
    let currency = evidence
        .payment
        .as_ref()
        .map_or(settings.currency, |payment| payment.currency);
    let sum = |cents: Cents| settings.money(cents, currency);
    let received = evidence.payment.as_ref().map(|paid| sum(paid.received));
    let at = |at: Timestamp| {
        let there = at.to_zoned(settings.time_zone.clone());
        let day = settings.hotel.locale.day(there.date());
        format!("{day}, {}", there.strftime("%H:%M %Z"))
    };
    let on = |created: Option<Timestamp>| {
        created.map_or_else(String::new, |created| format!(" on {}", at(created)))
    };
    match &evidence.finding {
        Finding::RefundedElsewhere { refund } => {
            let whole = received.map_or_else(String::new, |received| format!(" of {received}"));
            format!(
                "{}{whole} was refunded outside this program{} (Stripe's dashboard, or another program), and the stay it paid for is checked out.",
                sum(refund.amount),
                on(refund.created),
            )
        }
        Finding::RefundFailed { refund } => {
            format!(
                "The refund of {} failed later: the guest has no money back.",
                sum(refund.amount)
            )
        }
        Finding::Disputed { dispute } => {
            let reason = dispute.reason.replace('_', " ");
            let due = dispute.due_by.map_or_else(
                || "Stripe names no deadline.".to_owned(),
                |due| format!("Answer it in Stripe's dashboard by {}.", at(due)),
            );
            format!(
                "{} is disputed ({reason}) since {}. {due}",
                sum(dispute.amount),
                at(dispute.created)
            )
        }
        Finding::FundsWithdrawn { dispute } => {
            let due = dispute
                .due_by
                .map_or_else(String::new, |due| format!(" by {}", at(due)));
            format!(
                "The question about {} has become a dispute, and the bank has withdrawn the money. Send evidence in Stripe's dashboard{due}, or accept the loss there.",
                sum(dispute.amount)
            )
        }
        Finding::FraudWarning { warning } => {
            let taken = received.unwrap_or_else(|| "a payment".to_owned());
            format!(
                "The card network reports {taken} as possible fraud ({}). Compare the guest's identity document and card; if the guest did not pay, refund it in Stripe's dashboard before it becomes a dispute with a fee.",
                warning.kind.replace('_', " ")
            )
        }
        Finding::DisputeLost { dispute } => {
            format!(
                "The dispute about {} was lost: the bank has taken the money back.",
                sum(dispute.amount)
            )
        }
        Finding::SecondPayment { first } => {
            let taken = received.unwrap_or_else(|| "Money".to_owned());
            let first = first.as_ref().map_or_else(
                || "which had completed without a payment".to_owned(),
                |first| format!("which was paid by {first} already"),
            );
            format!("{taken} was taken by a second payment, {payment}, of a check-out {first}.")
        }
        Finding::RecordIncomplete { problem } => {
            let taken = received.unwrap_or_else(|| "Money".to_owned());
            format!(
                "{taken} was taken by payment {payment}, and no record of its check-out is left here. Salesforce can't say whether the guest checked out: {problem} Once it is filled in there, the next sweep finishes this on its own."
            )
        }
        Finding::NotJudged { why } => {
            format!("For weeks it could not be found out what payment {payment} is for: {why}.")
        }
    }
}
