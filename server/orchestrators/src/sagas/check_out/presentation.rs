//! Presentation of a check-out: summary, money, text messages.

use dewy_domain::{
    answer_body::AnswerBody,
    execution_view::{Difference, MoneyView},
    money::Cents,
    payment_intent_id::PaymentIntentId,
    vocabulary::AttentionReason,
};
use dewy_saga::{Context, Phase, Progress, State, journal::ExecutionRecord};

use super::{
    facts::{self, Facts, MOVE, PAY},
    take_payment::BankConfirmation,
};
use crate::saga_parts::{
    presentation::{Presentation, Presented},
    settings::Settings,
};

pub(super) fn check_out_text(cx: Context<'_>, settings: &Settings) -> Option<String> {
    let hotel = &settings.hotel.name;
    let facts = cx.facts::<Facts>()?;
    let booking = &facts.stay.booking.number;
    Some(match cx.output(PAY) {
        Some(payment) => {
            let sum = settings.money(payment.received, payment.currency);
            format!(
                "You are checked out of {hotel} and paid {sum}. Thank you for staying with us. Booking {booking}."
            )
        }
        None => format!(
            "You are checked out of {hotel}. Thank you for staying with us. Booking {booking}."
        ),
    })
}

/// Text message that confirms a refund, sent once the refund exists and has not failed.
pub(super) fn refunded(cx: Context<'_>, settings: &Settings) -> Option<String> {
    let hotel = &settings.hotel.name;
    let refund = facts::refund(cx.progress).filter(|r| r.status.is_effective())?;
    cx.progress.ended.as_ref()?;
    let facts = cx.facts::<Facts>()?;
    let sum = settings.money(refund.amount, facts.currency);
    let booking = &facts.stay.booking.number;
    Some(format!(
        "{hotel} could not finish your check-out and has refunded {sum} to your card. It takes 5 to 10 business days to arrive. Booking {booking}."
    ))
}

pub(crate) struct Labels;

impl Presentation for Labels {
    fn summary(&self, of: Presented<'_>) -> String {
        let (record, progress, body, settings) = (of.record, of.progress, of.body, of.settings);
        let money = self.money(progress);
        let captured = money.map(|m| settings.money(m.captured, settings.currency));
        let given_back = money.is_some_and(|m| m.refunded.0 > 0 && m.net().0 == 0);
        let paying = progress.forward(PAY).is_some_and(|side| side.intents > 0);
        let is_moved = progress.decision.is_none() && progress.is_done(MOVE);
        let failure = body.and_then(AnswerBody::failure);
        match (record.state, captured) {
            (State::Running, None) if paying => "We are taking the payment.".to_owned(),
            (State::Queued | State::Running, None) => {
                "We are preparing the check-out. Nothing was charged so far.".to_owned()
            }
            (State::Queued | State::Running, Some(sum)) => {
                format!("{sum} was paid. We are checking you out of the room.")
            }
            (State::Retrying, None) => {
                "The payment system is slow. We keep checking until we know; nothing is charged twice.".to_owned()
            }
            (State::Retrying, Some(sum)) => {
                format!(
                    "{sum} was paid. The booking system is slow; if it does not recover, the payment is refunded automatically."
                )
            }
            (State::Waiting, _) => "Your bank asks you to confirm the payment.".to_owned(),
            (State::Compensating, Some(sum)) if given_back => {
                format!("{sum} was refunded in full. We are putting the booking back.")
            }
            (State::Compensating, Some(sum)) => format!("We could not finish the check-out. {sum} is being refunded."),
            (State::Compensating, None) => {
                "We could not finish the check-out and are putting everything back.".to_owned()
            }
            (State::Completed, Some(sum)) => format!("Checked out. {sum} was paid."),
            (State::Completed, None) => "Checked out. There was nothing to pay.".to_owned(),
            (State::Compensated, Some(sum)) => {
                format!(
                    "The check-out could not be finished. {sum} was refunded in full, and the stay is as it was before."
                )
            }
            (State::NeedsAttention, Some(sum)) if given_back => {
                format!(
                    "The check-out could not be finished. {sum} was refunded in full. The front desk looks into the rest."
                )
            }
            (State::NeedsAttention, Some(sum)) if is_moved && has_open_balance(progress) => {
                format!("Checked out. {sum} was paid. A charge was added meanwhile; the front desk looks into it.")
            }
            (State::NeedsAttention, None) if is_moved && has_open_balance(progress) => {
                let left_open = progress.facts::<Facts>().and_then(|facts| facts.left_open);
                match left_open {
                    Some(open @ Cents(..0)) => {
                        let sum = settings.money(Cents(-open.0), settings.currency);
                        format!("Checked out. The bill was overpaid by {sum}, which the front desk gives back.")
                    }
                    Some(open) => {
                        let sum = settings.money(open, settings.currency);
                        format!("Checked out. {sum} is less than a card can pay and was left open; the front desk settles it.")
                    }
                    None => "Checked out. A charge was added meanwhile; the front desk looks into it.".to_owned(),
                }
            }
            (State::NeedsAttention, None) if is_moved => {
                "Checked out. The front desk is looking into the rest.".to_owned()
            }
            (State::NeedsAttention, Some(sum)) if is_moved => {
                format!("Checked out. {sum} was paid. The front desk is looking into the rest.")
            }
            (State::NeedsAttention, Some(sum)) if progress.decision.is_none() => {
                format!("{sum} was charged, and the check-out is not finished. The front desk is looking into it.")
            }
            (State::NeedsAttention, Some(sum)) if may_be_refunded(progress) => {
                format!("{sum} was charged. Whether it was refunded is not known yet; the front desk is looking into it.")
            }
            (State::NeedsAttention, Some(sum)) => {
                format!("{sum} was charged and is not given back yet. The front desk is looking into it.")
            }
            (State::SettledByHand, Some(sum)) if given_back => {
                format!("{sum} was refunded in full. The front desk settled the rest by hand.")
            }
            (State::SettledByHand, Some(sum)) => format!("{sum} was charged. The front desk settled this by hand."),
            (State::SettledByHand, None) => "The front desk settled this by hand.".to_owned(),
            (_, _) => failure.unwrap_or("Nothing was charged and nothing was changed.").to_owned(),
        }
    }

    fn money(&self, progress: &Progress) -> Option<MoneyView> {
        let payment = progress.output(PAY)?;
        let refunded = facts::refund(progress).map_or(Cents(0), |r| r.amount);
        Some(MoneyView {
            captured: payment.received,
            refunded,
            currency: payment.currency,
        })
    }

    fn payment_intent(&self, progress: &Progress) -> Option<PaymentIntentId> {
        progress.output(PAY).map(|p| p.id)
    }

    fn differences(&self, progress: &Progress) -> Vec<Difference> {
        let report = progress.undone(MOVE);
        report.map(|report| report.left).unwrap_or_default()
    }

    fn ids(&self, progress: &Progress) -> Vec<(String, String)> {
        let mut ids = Vec::new();
        let mut add =
            |what: &str, id: Option<String>| ids.extend(id.map(|id| (what.to_owned(), id)));
        let payment = progress.output(PAY);
        add("Stripe payment", payment.as_ref().map(|p| p.id.to_string()));
        add("Stripe charge", payment.and_then(|p| p.charge_id));
        add("Stripe refund", facts::refund(progress).map(|r| r.id));
        if let Some(facts) = progress.facts::<Facts>() {
            add("Stripe customer", facts.customer);
            add("Salesforce booking", Some(facts.stay.booking.id));
            add("Salesforce room", Some(facts.stay.room.id));
            add("Salesforce opportunity", Some(facts.stay.opportunity.id));
        }
        add(
            "Salesforce payment line",
            progress.output(MOVE).and_then(|m| m.marker).map(|m| m.id),
        );
        ids
    }

    fn next_action_url(&self, progress: &Progress) -> Option<String> {
        if progress.state != Some(State::Waiting) {
            return None;
        }
        progress
            .forward(PAY)?
            .read::<BankConfirmation>()?
            .next_action_url
    }

    fn pending_note(&self, record: &ExecutionRecord, progress: &Progress) -> String {
        let refunded = facts::refund(progress).is_some();
        match record.state {
            State::Compensating if refunded => {
                "The payment was refunded; we are putting everything else back."
            }
            State::Compensating => {
                "The check-out could not be finished; we are giving the payment back."
            }
            State::Waiting => "Your bank asks you to confirm the payment.",
            State::Retrying => "An outside system is slow; we keep trying.",
            _ => "We are working on it.",
        }
        .to_owned()
    }
}

/// Whether the folio had an open balance again after the payment.
fn has_open_balance(progress: &Progress) -> bool {
    progress.reason() == Some(AttentionReason::OpenBalance.as_str())
}

/// Whether the outcome of the refund is not known.
fn may_be_refunded(progress: &Progress) -> bool {
    let refund = progress.back(PAY);
    refund.is_some_and(|side| matches!(side.phase, Phase::Intended | Phase::Unknown))
}
