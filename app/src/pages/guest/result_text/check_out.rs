//! Results of a check-out.

use dewy_domain::tool_output::CheckOutResult;

use super::{OutcomeText, link, message, with_booking};
use crate::pages::{guest::request_template::lost_in, prelude::*};

pub fn outcome_text(view: &ExecutionView) -> OutcomeText {
    match view.state {
        ExecutionState::Completed => completed(view),
        ExecutionState::Refused => refused(view),
        ExecutionState::Compensated => compensated(view),
        _ => needs_attention(view),
    }
}

fn completed(view: &ExecutionView) -> OutcomeText {
    let result = view.body().result::<CheckOutResult>().unwrap_or_default();
    let paid = match result.charged() {
        None => t!("outcome-nothing-to-pay").to_owned(),
        Some((sum, currency)) => t!("charged-to-card", sum = labels::money(sum, currency)),
    };
    let note = result.note.as_deref().map(|note| named("note", note));
    let lost = lost_in(view.room_number.as_deref(), view.booking_number.as_deref());
    OutcomeText::new(
        t!("checked-out"),
        [t!("outcome-goodbye").to_owned(), paid]
            .into_iter()
            .chain(released(&result))
            .chain(note),
        [
            link(
                format!("/guest/receipt/{}", view.execution_id),
                t!("see-receipt"),
            ),
            link(lost, t!("outcome-left-behind")),
            link("/guest/book", t!("book-another")),
        ],
    )
}

/// What of a reservation was not charged.
fn released(result: &CheckOutResult) -> Option<String> {
    let (reserved, released) = result.reserved.zip(result.released)?;
    let currency = result.currency?;
    let money = |sum| labels::money(sum, currency);
    match (released.0, reserved - released) {
        (..=0, _) => None,
        (_, Cents(0)) => Some(t!("outcome-released-all", reserved = money(reserved))),
        _ => Some(t!(
            "outcome-released",
            released = money(released),
            reserved = money(reserved)
        )),
    }
}

fn refused(view: &ExecutionView) -> OutcomeText {
    let body = view.body();
    let code = body.code();
    if let Some(pending) = body.pending
        && let Some(url) = pending.next_action_url
    {
        return OutcomeText::new(
            t!("outcome-nothing-yet"),
            [named("note", &pending.note)],
            [link(url, t!("go-on"))],
        );
    }
    let mut sentences = vec![message(view, ErrorCode::UpstreamUnavailable)];
    // Only confirmed facts are stated about money: a payment that could not be found may still
    // appear.
    let unknown = [
        ErrorCode::UpstreamUnavailable,
        ErrorCode::AccessRefused,
        ErrorCode::Internal,
    ];
    let looked_up =
        code.is_some_and(|code| !unknown.contains(&code)) || body.details.charged == Some(false);
    if !looked_up {
        sentences.push(t!("outcome-no-payment").to_owned());
    }
    sentences.extend(decline(&body.details).map(ToOwned::to_owned));
    // Where only staff can help, they are one click away
    let front_desk = match code {
        Some(ErrorCode::SharedFolio) => Some(check_out(view)),
        Some(ErrorCode::BalanceNeedsDesk) => Some("/guest/requests?ask=question#ask".to_owned()),
        _ => None,
    };
    let front_desk = front_desk.map(|page| link(page, t!("ask-front-desk")));
    let next = match code {
        Some(ErrorCode::PaymentFailed) => link(check_out(view), t!("outcome-other-card")),
        Some(
            ErrorCode::AmountMismatch | ErrorCode::InvalidTransition | ErrorCode::BookingNotFound,
        ) => link(folio(view), t!("see-bill")),
        Some(ErrorCode::MultipleBookings) => link("/guest/folio", t!("form-choose-stay")),
        Some(
            ErrorCode::SharedFolio
            | ErrorCode::BalanceNeedsDesk
            | ErrorCode::AccessRefused
            | ErrorCode::FieldHidden,
        ) => link(folio(view), t!("see-bill")),
        _ => link(check_out(view), t!("try-again")),
    };
    let title = if looked_up {
        t!("outcome-nothing-charged")
    } else {
        t!("outcome-unfinished")
    };
    OutcomeText::new(title, sentences, front_desk.into_iter().chain([next]))
}

fn compensated(view: &ExecutionView) -> OutcomeText {
    if view.money.is_none() {
        // Nothing was charged yet: what is reserved stays reserved
        return OutcomeText::new(
            t!("outcome-nothing-charged"),
            [told(&view.summary), t!("outcome-stays-open").to_owned()],
            [
                link(check_out(view), t!("try-again")),
                link(folio(view), t!("see-bill")),
            ],
        );
    }
    let sum = view.money.map(|money| {
        let taken = labels::money(money.captured, money.currency);
        let given = labels::money(money.refunded, money.currency);
        t!("outcome-given-back", taken = taken, given = given)
    });
    let mut sentences = vec![message(view, ErrorCode::CheckoutCompensated)];
    sentences.extend(sum);
    sentences.push(t!("outcome-stays-open").to_owned());
    OutcomeText::new(
        t!("outcome-refunded"),
        sentences,
        [
            link(check_out(view), t!("try-again")),
            link(folio(view), t!("see-bill")),
            link(
                format!("/guest/receipt/{}", view.execution_id),
                t!("outcome-refund-receipt"),
            ),
        ],
    )
}

fn needs_attention(view: &ExecutionView) -> OutcomeText {
    let result = view.body().result::<CheckOutResult>().unwrap_or_default();
    // A guest who has left is told how, with the sum that is open
    let mut sentences = vec![match result.note {
        Some(_) => told(&view.summary),
        None => message(view, ErrorCode::NeedsAttention),
    }];
    if let Some(money) = view.money {
        let net = labels::money(money.net(), money.currency);
        sentences.push(match money.net().0 {
            0 if money.captured.0 > 0 => t!("outcome-refunded-full").to_owned(),
            0 => t!("outcome-nothing").to_owned(),
            _ => t!("outcome-net", sum = net),
        });
    }
    sentences.push(t!("outcome-do-nothing").to_owned());
    OutcomeText::new(
        t!("outcome-desk"),
        sentences,
        [link(folio(view), t!("see-bill"))],
    )
}

fn check_out(view: &ExecutionView) -> String {
    with_booking("/guest/check-out", view)
}

fn folio(view: &ExecutionView) -> String {
    with_booking("/guest/folio", view)
}

/// The bank's reason, if it helps; never tells the holder that a card was reported stolen.
fn decline(details: &ErrorDetails) -> Option<&'static str> {
    match details.decline_code.as_deref()? {
        "insufficient_funds" => Some(t!("outcome-no-funds")),
        "expired_card" => Some(t!("outcome-expired")),
        "incorrect_cvc" => Some(t!("outcome-wrong-code")),
        "authentication_required" => Some(t!("outcome-bank-confirm")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};
    use dewy_domain::{
        execution_view::MoneyView,
        money::{Cents, Currency},
    };
    use serde_json::{Value, json};

    fn view(state: &str, answer: Value) -> ExecutionView {
        sample("process_guest_checkout", state, answer)
    }

    #[test]
    fn a_declined_card_offers_another_card() {
        let outcome_of = OutcomeText::of(&view(
            "refused",
            json!({ "error_code": "PAYMENT_FAILED", "details": { "decline_code": "insufficient_funds" } }),
        ));
        assert_eq!(outcome_of.title, "Nothing was charged");
        assert_eq!(outcome_of.sentences.len(), 2);
        assert_eq!(
            outcome_of.links,
            [(
                "/guest/check-out?booking=BK-0042".to_owned(),
                "Try another card".to_owned()
            )]
        );
    }

    #[test]
    fn a_stolen_card_is_called_declined() {
        let outcome_of = OutcomeText::of(&view(
            "refused",
            json!({ "error_code": "PAYMENT_FAILED", "details": { "decline_code": "stolen_card" } }),
        ));
        assert_eq!(
            outcome_of.sentences,
            ["Your card was declined. You were not charged."]
        );
    }

    #[test]
    fn claims_about_money_require_a_lookup() {
        let outcome_of = |details: Value| {
            OutcomeText::of(&view(
                "refused",
                json!({ "error_code": "UPSTREAM_UNAVAILABLE", "details": details }),
            ))
            .title
        };
        assert_eq!(
            outcome_of(json!({ "charged": false })),
            "Nothing was charged"
        );
        assert_eq!(
            outcome_of(json!({ "cause": "payment_not_found" })),
            "We couldn’t finish your check-out"
        );
    }

    #[test]
    fn money_that_was_not_refunded_is_named() {
        let mut stuck = view("needs_attention", json!({}));
        stuck.money = Some(MoneyView {
            captured: Cents(25000),
            refunded: Cents(0),
            currency: Currency::USD,
        });
        assert!(
            OutcomeText::of(&stuck)
                .sentences
                .iter()
                .any(|s| s.contains("$250.00 is charged"))
        );
        stuck.money = Some(MoneyView {
            captured: Cents(25000),
            refunded: Cents(25000),
            currency: Currency::USD,
        });
        assert!(
            OutcomeText::of(&stuck)
                .sentences
                .iter()
                .any(|s| s == "Your payment was refunded in full.")
        );
    }
}
