//! Presentation of a check-out: summary, money, text messages.

use dewy_domain::{
    answer_body::AnswerBody,
    execution_view::{Difference, MoneyView},
    money::Cents,
    payment_intent_id::PaymentIntentId,
    said,
    sentence::Sentence,
    vocabulary::AttentionReason,
};
use dewy_saga::{Context, Phase, Progress, State, journal::ExecutionRecord};

use super::{
    facts::{self, EXTEND, Facts, MOVE, PAY},
    hold_summary::hold_summary,
};
use crate::saga_parts::{
    presentation::{Presentation, Presented},
    settings::Settings,
    take_payment,
};

pub(super) fn check_out_text(cx: Context<'_>, settings: &Settings) -> Option<Sentence> {
    let hotel = &settings.hotel.name;
    let facts = cx.facts::<Facts>()?;
    let booking = &facts.stay.booking.number;
    let paid = facts::paid(cx.progress);
    let sum = settings.money(paid, facts.currency);
    let released = facts::released(cx.progress).filter(|released| *released > Cents(0));
    let released = released.map(|cents| settings.money(cents, facts.currency));
    Some(match (paid > Cents(0), released) {
        (true, None) => said!("text-checked-out-paid", hotel, sum, booking),
        (true, Some(released)) => {
            said!("text-checked-out-captured", hotel, sum, released, booking)
        }
        (false, None) => said!("text-checked-out", hotel, booking),
        (false, Some(released)) => said!("text-checked-out-released", hotel, released, booking),
    })
}

/// Text message that confirms a refund, sent once the refund exists and has not failed.
pub(super) fn refunded(cx: Context<'_>, settings: &Settings) -> Option<Sentence> {
    let hotel = &settings.hotel.name;
    let refund = facts::refund(cx.progress).filter(|r| r.status.is_effective())?;
    cx.progress.ended.as_ref()?;
    let facts = cx.facts::<Facts>()?;
    let sum = settings.money(refund.amount, facts.currency);
    let booking = &facts.stay.booking.number;
    Some(said!("text-not-checked-out", hotel, sum, booking))
}

pub(crate) struct Labels;

impl Presentation for Labels {
    fn summary(&self, of: Presented<'_>) -> Sentence {
        if let Some(summary) = hold_summary(of) {
            return summary;
        }
        let (record, progress, body, settings) = (of.record, of.progress, of.body, of.settings);
        let money = self.money(progress);
        let captured = money.map(|m| settings.money(m.captured, settings.currency));
        let given_back = money.is_some_and(|m| m.refunded.0 > 0 && m.net().0 == 0);
        let paying = progress.forward(PAY).is_some_and(|s| s.intents > 0);
        let is_moved = progress.decision.is_none() && progress.is_done(MOVE);
        let failure = body.and_then(AnswerBody::failure);
        match (record.state, captured) {
            (State::Running, None) if paying => said!("out-taking"),
            (State::Queued | State::Running, None) => said!("out-preparing"),
            (State::Queued | State::Running, Some(sum)) => said!("out-paid", sum),
            (State::Retrying, None) => said!("out-payment-slow"),
            (State::Retrying, Some(sum)) => said!("out-booking-slow", sum),
            (State::Waiting, _) => said!("out-bank"),
            (State::Compensating, Some(sum)) if given_back => said!("out-putting-back", sum),
            (State::Compensating, Some(sum)) => said!("out-refunding", sum),
            (State::Compensating, None) => said!("out-reverting"),
            (State::Completed, Some(sum)) => said!("out-done", sum),
            (State::Completed, None) => said!("out-done-free"),
            (State::Compensated, Some(sum)) => said!("out-undone", sum),
            (State::NeedsAttention, Some(sum)) if given_back => said!("out-undone-rest", sum),
            (State::NeedsAttention, Some(sum)) if is_moved && has_open_balance(progress) => {
                said!("out-late-charge", sum)
            }
            (State::NeedsAttention, None) if is_moved && has_open_balance(progress) => {
                let left_open = progress.facts::<Facts>().and_then(|facts| facts.left_open);
                match left_open {
                    Some(open @ Cents(..0)) => {
                        let sum = settings.money(Cents(-open.0), settings.currency);
                        said!("out-overpaid", sum)
                    }
                    Some(open) => {
                        let sum = settings.money(open, settings.currency);
                        said!("out-left-open", sum)
                    }
                    None => said!("out-late-charge-free"),
                }
            }
            (State::NeedsAttention, None) if is_moved => said!("out-rest-free"),
            (State::NeedsAttention, Some(sum)) if is_moved => said!("out-rest", sum),
            (State::NeedsAttention, Some(sum)) if progress.decision.is_none() => {
                said!("out-unfinished", sum)
            }
            (State::NeedsAttention, Some(sum)) if may_be_refunded(progress) => {
                said!("out-refund-unknown", sum)
            }
            (State::NeedsAttention, Some(sum)) => said!("out-stuck", sum),
            (State::SettledByHand, Some(sum)) if given_back => said!("out-settled-refunded", sum),
            (State::SettledByHand, Some(sum)) => said!("out-settled-charged", sum),
            (State::SettledByHand, None) => said!("settled"),
            (_, _) => failure.unwrap_or_else(|| said!("out-nothing")),
        }
    }

    fn money(&self, progress: &Progress) -> Option<MoneyView> {
        let first = facts::payments(progress).into_iter().next()?;
        let refunded = facts::refund(progress).map_or(Cents(0), |r| r.amount);
        Some(MoneyView {
            captured: facts::paid(progress),
            refunded,
            currency: first.currency,
        })
    }

    fn captured_by(&self, progress: &Progress, payment: &PaymentIntentId) -> Option<Cents> {
        let mut all = facts::payments(progress).into_iter();
        let taken = all.find(|taken| taken.id == *payment)?;
        Some(taken.received)
    }

    fn payment_intents(&self, progress: &Progress) -> Vec<PaymentIntentId> {
        let all = facts::payments(progress).into_iter();
        all.map(|payment| payment.id).collect()
    }

    fn differences(&self, progress: &Progress) -> Vec<Difference> {
        let report = progress.undone(MOVE);
        report.map(|report| report.left).unwrap_or_default()
    }

    fn ids(&self, progress: &Progress) -> Vec<(String, String)> {
        let mut ids = Vec::new();
        let mut add =
            |what: &str, id: Option<String>| ids.extend(id.map(|id| (what.to_owned(), id)));
        for payment in facts::payments(progress) {
            add("Stripe payment", Some(payment.id.to_string()));
            add("Stripe charge", payment.charge_id);
        }
        add("Stripe refund", facts::refund(progress).map(|r| r.id));
        if let Some(facts) = progress.facts::<Facts>() {
            for hold in facts.holds {
                add("Stripe hold", Some(hold.id.to_string()));
            }
            let second = progress.output(EXTEND);
            add("Stripe hold", second.map(|hold| hold.id.to_string()));
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
        take_payment::next_action_url(progress, PAY)
    }

    fn pending_note(&self, record: &ExecutionRecord, progress: &Progress) -> String {
        let refunded = facts::refund(progress).is_some();
        match record.state {
            State::Compensating if facts::reserved(progress).is_some() => {
                "The check-out could not be finished; nothing was charged."
            }
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
    refund.is_some_and(|s| matches!(s.phase, Phase::Intended | Phase::Unknown))
}
