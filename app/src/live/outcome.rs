//! What became of a guest's check-out, honestly: what was charged, what was given back, what to do now.

use dewy_domain::{
    error_code::ErrorCode,
    money::{Cents, Currency},
    view::ExecutionView,
};
use leptos::prelude::*;
use serde_json::Value;

use crate::words;

/// The block at the end of it; nothing while it is not at rest.
pub fn outcome(view: &ExecutionView) -> AnyView {
    if !view.at_rest {
        return ().into_any();
    }
    let told = Told::of(view);
    let ways = told.ways.into_iter().enumerate().map(|(n, (href, text))| {
        let class = if n == 0 { "button" } else { "link" };
        view! { <a class=class href=href>{text}</a> }
    });
    view! {
        <section class="outcome" data-state=view.state.clone() aria-labelledby="outcome">
            <h2 id="outcome">{told.title}</h2>
            {told.sentences.into_iter().map(|sentence| view! { <p>{sentence}</p> }).collect_view()}
            <p class="actions">{ways.collect_view()}</p>
        </section>
    }
    .into_any()
}

/// Title, sentences and links.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    title: String,
    sentences: Vec<String>,
    ways: Vec<(String, String)>,
}

impl Told {
    fn of(view: &ExecutionView) -> Self {
        match view.state.as_str() {
            "completed" => Self::completed(view),
            "refused" => Self::refused(view),
            "compensated" => Self::compensated(view),
            _ => Self::needs_attention(view),
        }
    }

    fn completed(view: &ExecutionView) -> Self {
        let data = view.answer.as_ref().and_then(|answer| answer.get("data"));
        let text = |name: &str| data.and_then(|d| d.get(name)).and_then(Value::as_str);
        let cents = data.and_then(|d| d.get("amount")).and_then(Value::as_i64).unwrap_or_default();
        let currency = text("currency").and_then(|c| c.parse().ok()).unwrap_or(Currency::USD);
        let paid = match cents {
            0 => "There was nothing to pay.".to_owned(),
            _ => format!("We charged {} to your card.", words::money(Cents(cents), currency)),
        };
        let note = text("note").filter(|note| !note.is_empty()).map(ToOwned::to_owned);
        Self {
            title: "You are checked out".to_owned(),
            sentences: [paid, "Thank you for staying with us. Safe travels.".to_owned()]
                .into_iter()
                .chain(note)
                .collect(),
            ways: vec![way(format!("/guest/receipt/{}", view.execution_id), "See your receipt")],
        }
    }

    fn refused(view: &ExecutionView) -> Self {
        let code = code(view);
        let pending = view.answer.as_ref().and_then(|answer| answer.get("pending"));
        let asked = |name: &str| pending.and_then(|p| p.get(name)).and_then(Value::as_str).map(ToOwned::to_owned);
        if let (Some(url), Some(note)) = (asked("next_action_url"), asked("note")) {
            return Self {
                title: "Nothing was charged yet".to_owned(),
                sentences: vec![note],
                ways: vec![way(url, "Go on")],
            };
        }
        let mut sentences = vec![message(view, ErrorCode::UpstreamUnavailable)];
        sentences.extend(decline(view).map(ToOwned::to_owned));
        let way = match code {
            Some(ErrorCode::PaymentFailed) => way(check_out(view), "Try another card"),
            Some(ErrorCode::AmountMismatch | ErrorCode::InvalidTransition | ErrorCode::BookingNotFound) => {
                way(folio(view), "See your bill")
            }
            Some(ErrorCode::MultipleBookings) => way("/guest/folio".to_owned(), "Choose one of your stays"),
            Some(ErrorCode::SharedFolio | ErrorCode::BalanceNeedsDesk) => way(folio(view), "See your bill"),
            _ => way(check_out(view), "Try again"),
        };
        Self { title: "Nothing was charged".to_owned(), sentences, ways: vec![way] }
    }

    fn compensated(view: &ExecutionView) -> Self {
        let sum = view.money.map(|money| {
            let taken = words::money(money.captured, money.currency);
            let given = words::money(money.refunded, money.currency);
            format!("{taken} was taken and {given} given back. Your bank may need 5 to 10 days to show it.")
        });
        let mut sentences = vec![message(view, ErrorCode::CheckoutCompensated)];
        sentences.extend(sum);
        sentences.push("Your bill stays open. Try again, or settle it at our front desk.".to_owned());
        Self {
            title: "Your payment was refunded in full".to_owned(),
            sentences,
            ways: vec![way(check_out(view), "Try again"), way(folio(view), "See your bill")],
        }
    }

    fn needs_attention(view: &ExecutionView) -> Self {
        let mut sentences = vec![message(view, ErrorCode::NeedsAttention)];
        if let Some(money) = view.money {
            let net = words::money(money.net(), money.currency);
            sentences.push(match money.net().0 {
                0 if money.captured.0 > 0 => "Your payment was refunded in full.".to_owned(),
                0 => "Nothing was charged.".to_owned(),
                _ => format!("{net} is charged to your card until this is settled."),
            });
        }
        sentences.push("You need not do anything, and please do not pay a second time.".to_owned());
        Self {
            title: "Our front desk is looking into it".to_owned(),
            sentences,
            ways: vec![way(folio(view), "See your bill")],
        }
    }
}

fn way(href: String, text: &str) -> (String, String) {
    (href, text.to_owned())
}

fn check_out(view: &ExecutionView) -> String {
    with_booking("/guest/check-out", view)
}

fn folio(view: &ExecutionView) -> String {
    with_booking("/guest/folio", view)
}

fn with_booking(page: &str, view: &ExecutionView) -> String {
    view.booking_number.as_ref().map_or_else(|| page.to_owned(), |number| format!("{page}?booking={number}"))
}

fn code(view: &ExecutionView) -> Option<ErrorCode> {
    view.answer.as_ref()?.get("error_code")?.as_str().and_then(ErrorCode::from_code)
}

fn message(view: &ExecutionView, otherwise: ErrorCode) -> String {
    let told = view.answer.as_ref().and_then(|answer| answer.get("error_message")).and_then(Value::as_str);
    told.unwrap_or_else(|| code(view).unwrap_or(otherwise).for_guest()).to_owned()
}

/// The bank's reason, as far as it helps; a card reported stolen is not told to whoever holds it.
fn decline(view: &ExecutionView) -> Option<&'static str> {
    match view.answer.as_ref()?.get("details")?.get("decline_code")?.as_str()? {
        "insufficient_funds" => Some("Your bank says there are not enough funds on it."),
        "expired_card" => Some("Your bank says the card has expired."),
        "incorrect_cvc" => Some("Your bank says the security code was wrong."),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dewy_domain::view::MoneyView;
    use serde_json::json;

    fn view(state: &str, answer: Value) -> ExecutionView {
        let at: jiff::Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        ExecutionView {
            execution_id: "exe_1".into(),
            tool: "process_guest_checkout".into(),
            title: "Check out and pay".into(),
            state: state.into(),
            summary: String::new(),
            at_rest: true,
            seq: 1,
            booking_number: Some("BK-0042".into()),
            room_number: None,
            guest_email: None,
            asked_by: None,
            forward: vec![],
            back: vec![],
            money: None,
            next_action_url: None,
            answer: Some(answer),
            reason: None,
            differences: vec![],
            next_try_at: None,
            created_at: at,
            updated_at: at,
            timeline: vec![],
        }
    }

    #[test]
    fn a_declined_card_leads_to_another_one() {
        let told = Told::of(&view(
            "refused",
            json!({ "error_code": "PAYMENT_FAILED", "details": { "decline_code": "insufficient_funds" } }),
        ));
        assert_eq!(told.title, "Nothing was charged");
        assert_eq!(told.sentences.len(), 2);
        assert_eq!(told.ways, [("/guest/check-out?booking=BK-0042".to_owned(), "Try another card".to_owned())]);
    }

    #[test]
    fn a_stolen_card_is_not_named_so() {
        let told = Told::of(&view(
            "refused",
            json!({ "error_code": "PAYMENT_FAILED", "details": { "decline_code": "stolen_card" } }),
        ));
        assert_eq!(told.sentences, ["Your card was declined. You were not charged."]);
    }

    #[test]
    fn money_that_stays_taken_is_named() {
        let mut stuck = view("needs_attention", json!({}));
        stuck.money = Some(MoneyView { captured: Cents(25000), refunded: Cents(0), currency: Currency::USD });
        assert!(Told::of(&stuck).sentences.iter().any(|s| s.contains("$250.00 is charged")));
        stuck.money = Some(MoneyView { captured: Cents(25000), refunded: Cents(25000), currency: Currency::USD });
        assert!(Told::of(&stuck).sentences.iter().any(|s| s == "Your payment was refunded in full."));
    }
}
