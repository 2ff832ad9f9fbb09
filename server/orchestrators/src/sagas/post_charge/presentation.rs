//! Presentation of a charge.

use dewy_domain::{
    answer_body::AnswerBody, error_code::ErrorCode, money::Currency, sentence::Sentence, stay,
    tool_answer::FinalAnswer, tool_catalog::PostCharge, tool_output::ChargeResult,
};
use dewy_saga::{Context, End, State};
use serde_json::{Value, json};

use super::{
    facts::{Facts, POST},
    write_line,
};
use crate::saga_parts::{
    engine_conversions,
    presentation::{Presentation, Presented},
    tool_answer::{attention_error_code, not_done},
};

pub(super) fn answer(cx: Context<'_>, end: End, reason: Option<&str>, currency: Currency) -> Value {
    let settled = match (end, cx.output(POST), cx.facts::<Facts>()) {
        (End::Completed, Some(after), Some(facts)) => {
            let line = write_line::applied(&cx, &facts, &after);
            FinalAnswer::Done {
                data: engine_conversions::value(&ChargeResult {
                    charge_number: line.map(|line| line.number.clone()),
                    charge_status: line.map(|line| line.status.clone()),
                    booking_number: facts.stay.booking.number,
                    room_number: facts.stay.room.number,
                    amount: facts.amount,
                    currency,
                    description: description(&cx),
                    balance: stay::balance(after.opportunity.amount, &after.lines),
                }),
                created: facts.void.is_none(),
            }
        }
        (End::NeedsAttention | End::SettledByHand, ..) => FinalAnswer::Failed {
            code: attention_error_code(end),
            details: json!({ "reason": reason }),
        },
        _ => {
            let fault = cx.failure();
            match fault.map(|f| f.code.as_str()) {
                Some("foreign_edit" | "booking_gone") => FinalAnswer::Failed {
                    code: ErrorCode::InvalidTransition,
                    details: json!({ "cause": fault.map(|f| &f.code) }),
                },
                _ => not_done(&cx, fault, json!({ "done": false })),
            }
        }
    };
    engine_conversions::value(&settled)
}

/// Charge description on the guest's bill; empty for a void.
fn description(cx: &Context<'_>) -> String {
    let input = engine_conversions::input::<PostCharge>(cx).ok();
    input
        .and_then(|input| input.description)
        .map(String::from)
        .unwrap_or_default()
}

/// Presentation of the charge saga.
pub(crate) struct Labels;

impl Presentation for Labels {
    fn summary(&self, of: Presented<'_>) -> Sentence {
        let (record, progress, body, settings) = (of.record, of.progress, of.body, of.settings);
        let facts: Option<Facts> = progress.facts();
        let amount = facts
            .as_ref()
            .map(|f| settings.money(f.amount, settings.currency));
        let room = facts
            .as_ref()
            .map_or_else(String::new, |f| format!(" of room {}", f.stay.room.number));
        let void = facts.is_some_and(|f| f.void.is_some());
        match (record.state, amount) {
            (State::Completed, Some(amount)) if void => {
                format!("The charge of {amount} on the folio{room} was voided.").into()
            }
            (State::Completed, Some(amount)) => format!("{amount} was put on the folio{room}.").into(),
            (State::Retrying, Some(_)) => {
                "The booking system is slow. We keep checking until we know; no line is written twice.".into()
            }
            (State::Refused, _) => {
                let failure = body.and_then(AnswerBody::failure);
                failure.unwrap_or_else(|| "Nothing was put on the folio.".into())
            }
            (State::NeedsAttention, _) => {
                "It is not known whether the line is on the folio; a person has to look.".into()
            }
            _ => "Writing on the folio.".into(),
        }
    }
}
