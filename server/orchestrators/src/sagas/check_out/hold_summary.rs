//! Summary of a check-out with a hold: what was reserved, charged, and released, to the cent.

use dewy_domain::{answer_body::AnswerBody, money::Cents, said, sentence::Sentence};
use dewy_saga::{Progress, State};

use super::facts::{self, CAPTURE, CHARGE, EXTEND, Facts, MOVE};
use crate::saga_parts::{presentation::Presented, settings::Settings};

/// The summary; `None` for a check-out without a hold, and for what reads the same with one.
pub(super) fn hold_summary(of: Presented<'_>) -> Option<Sentence> {
    let (progress, settings) = (of.progress, of.settings);
    let held = facts::reserved(progress)?;
    let facts = progress.facts::<Facts>()?;
    let money = |cents| settings.money(cents, settings.currency);
    let reserved = money(held);
    let paid = facts::paid(progress);
    let moved = progress.decision.is_none() && progress.is_done(MOVE);
    Some(match of.record.state {
        State::Queued | State::Running | State::Retrying if moved && paid > Cents(0) => {
            said!("held-recording", sum = money(paid))
        }
        State::Queued | State::Running if moved => {
            said!("held-taking", sum = money(facts.balance))
        }
        State::Retrying if moved => said!("held-payment-slow"),
        State::Retrying if extending(progress) => said!("out-payment-slow"),
        State::Queued | State::Running => said!("held-preparing", reserved),
        State::Retrying => said!("held-booking-slow", reserved),
        State::Compensating => said!("held-reverting", reserved = money(first(&facts))),
        State::Compensated => said!("held-undone", reserved = money(first(&facts))),
        State::Completed => done(progress, settings)?,
        State::NeedsAttention if moved => match facts::uncollected(progress) {
            Some(left) if paid > Cents(0) => {
                said!("held-open-rest", sum = money(paid), open = money(left))
            }
            Some(left) => said!("held-open", open = money(left)),
            None => return None,
        },
        State::Refused => {
            let failure = of.body.and_then(AnswerBody::failure);
            failure.unwrap_or_else(|| said!("held-nothing", reserved))
        }
        _ => return None,
    })
}

/// Whether the second hold is under way.
fn extending(progress: &Progress) -> bool {
    let second = progress.forward(EXTEND);
    second.is_some_and(|step| step.intents > 0) && !progress.is_done(EXTEND)
}

/// What stays reserved once the second hold is released.
fn first(facts: &Facts) -> Cents {
    facts.holds.iter().map(|hold| hold.capturable).sum()
}

/// What became of the reservation.
fn done(progress: &Progress, settings: &Settings) -> Option<Sentence> {
    let money = |cents| settings.money(cents, settings.currency);
    let (reserved, released) = (facts::reserved(progress)?, facts::released(progress)?);
    let paid = facts::paid(progress);
    let charged = progress.output(CHARGE).and_then(|charged| charged.payment);
    let captured = progress
        .output(CAPTURE)
        .map_or(Cents(0), |hold| hold.received);
    Some(match charged {
        Some(_) if captured == Cents(0) => said!("held-charged", sum = money(paid)),
        Some(_) => said!("out-done", sum = money(paid)),
        None if paid == Cents(0) => said!("held-done-free", reserved = money(reserved)),
        None if released == Cents(0) => said!("held-done-all", sum = money(paid)),
        None => said!(
            "held-done",
            sum = money(paid),
            reserved = money(reserved),
            released = money(released)
        ),
    })
}
