//! I'd like to check out: what it costs, with which card, and yes.

use std::time::Duration;

use dewy_domain::{
    answer::{Problem, Settled, ToolAnswer},
    caller::Persona,
    error_code::ErrorCode,
    tool::ToolCall,
};
use leptos::{prelude::*, server_fn::ServerFn};
use serde_json::{Value, json};

use super::{
    cards::{TEST_CARDS, card_name},
    folio::{Asked, Folio, ask, day},
};
use crate::{
    components::ProblemPanel,
    form,
    gate::sign_in_url,
    kept::Kept,
    layout,
    page::{Stop, Visit, page},
    words,
};

/// The form's name in the session.
const FORM: &str = "check-out";

/// The page on which a guest agrees to an amount.
#[component]
pub fn CheckOutPage() -> impl IntoView {
    page(|visit: Visit| async move {
        let who = visit.gate.admit(Persona::Guest, &visit.here).await?;
        let Asked::One(folio) = ask(&visit.gate, &who, visit.asked("booking"), &visit.here).await? else {
            return Err(Stop::Go("/guest/folio".to_owned()));
        };
        let kept = Kept::take(&*visit.gate.doorman, FORM).await;
        let token =
            Some(kept.value("idempotency_token")).filter(|t| !t.is_empty()).unwrap_or_else(|| visit.gate.mint.token());
        let content = confirm(&folio, kept, token, visit.gate.demo());
        Ok(layout::guest("Check out", Some(&who), content))
    })
}

fn confirm(folio: &Folio, kept: Kept, token: String, demo: bool) -> AnyView {
    let cents = folio.balance.0;
    let amount = words::money(folio.balance, folio.currency);
    let back = format!("/guest/folio?booking={}", folio.booking_number);
    let cards = choices(folio, demo);
    let chosen = Some(kept.value("payment_method_id"))
        .filter(|c| !c.is_empty())
        .or_else(|| preferred(folio))
        .unwrap_or_default();
    let promise = match cents {
        0 => view! { <p class="lead">"There is nothing to pay. We will check you out of room " {folio.room_number.clone()} "."</p> }.into_any(),
        _ => view! {
            <p class="lead" id="amount">
                "We will charge " <strong class="sum">{amount.clone()}</strong> " to your card and check you out of room " {folio.room_number.clone()} "."
            </p>
        }
        .into_any(),
    };
    let button = if cents == 0 { "Check out".to_owned() } else { format!("Pay {amount} and check out") };
    let rest = if cents < 0 || (cents > 0 && cards.is_empty()) {
        let why = if cents < 0 { "The hotel owes you money." } else { "There is no card of yours on file." };
        view! { <p class="notice">{why} " Please settle this bill at our front desk."</p> }.into_any()
    } else {
        let cards = (cents > 0).then(|| card_choice(cards, &chosen, kept.problem("payment_method_id")));
        view! {
            <form method="post" action=CheckOut::PATH>
                {cards}
                <input type="hidden" name="booking_number" value=folio.booking_number.clone() />
                <input type="hidden" name="amount" value=cents.to_string() />
                <input type="hidden" name="idempotency_token" value=token />
                <p class="small">"If anything goes wrong after the charge, we refund it in full without being asked."</p>
                <p class="actions">
                    <button>{button}</button>
                    <a href=back>"Back to the bill"</a>
                </p>
            </form>
        }
        .into_any()
    };
    view! {
        <ProblemPanel kept=kept />
        <h1>"Check out"</h1>
        {(cents >= 0).then_some(promise)}
        <p class="aside">"Booking " {folio.booking_number.clone()} " · " {day(&folio.check_in_date)} " to " {day(&folio.check_out_date)}</p>
        {rest}
    }
    .into_any()
}

/// Id, name and whether it is a test card.
fn choices(folio: &Folio, demo: bool) -> Vec<(String, String, bool)> {
    let saved = folio.saved_cards.iter().map(|card| (card.payment_method_id.clone(), card_name(card), false));
    let tests = TEST_CARDS.iter().filter(|_| demo).map(|(id, name)| ((*id).to_owned(), (*name).to_owned(), true));
    saved.chain(tests).collect()
}

fn preferred(folio: &Folio) -> Option<String> {
    let cards = &folio.saved_cards;
    cards.iter().find(|card| card.default).or_else(|| cards.first()).map(|card| card.payment_method_id.clone())
}

fn card_choice(cards: Vec<(String, String, bool)>, chosen: &str, problem: Option<String>) -> impl IntoView {
    let invalid = problem.is_some().then_some("true");
    let items = cards
        .into_iter()
        .enumerate()
        .map(|(n, (id, name, test))| {
            let checked = id == chosen;
            // The first one carries the field's name, so that a problem leads to it
            let element = if n == 0 { "payment_method_id".to_owned() } else { format!("card-{n}") };
            view! {
                <label class="choice">
                    <input type="radio" name="payment_method_id" id=element value=id checked=checked aria-invalid=invalid />
                    <span>{name} {test.then(|| view! { " " <small class="tag">"Test card"</small> })}</span>
                </label>
            }
        })
        .collect_view();
    view! {
        <fieldset>
            <legend>"Pay with"</legend>
            {problem.map(|text| view! { <p class="field-problem">{text}</p> })}
            {items}
        </fieldset>
    }
}

/// Starts the check-out and goes to its page at once; what can be said against it before anything begins is said here.
#[server(prefix = "/form", endpoint = "check_out")]
pub async fn check_out(
    #[server(default)] booking_number: String,
    #[server(default)] amount: String,
    #[server(default)] payment_method_id: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let gate = form::gate()?;
    let back = match serde_urlencoded::to_string([("booking", &booking_number)]) {
        Ok(query) if !booking_number.is_empty() => format!("/guest/check-out?{query}"),
        _ => "/guest/check-out".to_owned(),
    };
    let Ok(who) = gate.admit(Persona::Guest, &back).await else {
        return form::go(&sign_in_url(Persona::Guest, &back));
    };
    let mut kept = Kept::default().field("payment_method_id", payment_method_id.clone());
    if payment_method_id.is_empty() && amount != "0" {
        kept = Kept { fields: kept.fields, ..Kept::wrong("payment_method_id", "Choose a card to pay with") };
        kept.field("idempotency_token", idempotency_token).put(&*gate.doorman, FORM).await;
        return form::go(&back);
    }
    let call = ToolCall {
        tool: "process_guest_checkout".to_owned(),
        input: input(&booking_number, &amount, &payment_method_id),
        idempotency_token: Some(idempotency_token.clone()).filter(|token| !token.is_empty()),
        wait: Some(Duration::ZERO),
    };
    let (code, details) = match gate.dispatcher.dispatch(&who.caller, call).await {
        ToolAnswer::Pending { execution_id, .. } | ToolAnswer::Settled { execution_id: Some(execution_id), .. } => {
            return form::go(&format!("/guest/execution/{execution_id}"));
        }
        ToolAnswer::Settled { settled: Settled::Failed { code, details }, .. } => (code, details),
        ToolAnswer::Settled { .. } => return form::go("/guest/folio"),
    };
    let token = if keeps_token(code) { idempotency_token } else { String::new() };
    refusal(code, &details, kept).field("idempotency_token", token).put(&*gate.doorman, FORM).await;
    form::go(&back)
}

/// A form's fields are text; the tool wants the amount as a number and empty fields left out.
fn input(booking_number: &str, amount: &str, payment_method_id: &str) -> Value {
    let mut input = json!({ "amount": amount.parse::<i64>().map_or_else(|_| json!(amount), |cents| json!(cents)) });
    for (name, value) in [("booking_number", booking_number), ("payment_method_id", payment_method_id)] {
        if !value.is_empty() {
            input[name] = json!(value);
        }
    }
    input
}

/// Whether sending the form again is the same request. After a definite no it is a new one, with a token of its own.
const fn keeps_token(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::Internal | ErrorCode::Overloaded | ErrorCode::RateLimited | ErrorCode::UpstreamUnavailable
    )
}

fn refusal(code: ErrorCode, details: &Value, kept: Kept) -> Kept {
    let problems: Vec<Problem> =
        details.get("problems").cloned().and_then(|p| serde_json::from_value(p).ok()).unwrap_or_default();
    let running = details.get("execution_id").and_then(Value::as_str);
    let follow = match (code, running) {
        (ErrorCode::OperationInProgress, Some(id)) => {
            Some((format!("/guest/execution/{id}"), "See what is being done".to_owned()))
        }
        (ErrorCode::MultipleBookings, _) => Some(("/guest/folio".to_owned(), "Choose one of your stays".to_owned())),
        _ => None,
    };
    let title = "You are not checked out yet".to_owned();
    Kept { title, message: code.for_guest().to_owned(), problems, follow, fields: kept.fields }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_fields_are_left_out_and_the_amount_is_a_number() {
        assert_eq!(input("", "25000", ""), json!({ "amount": 25000 }));
        assert_eq!(
            input("BK-0042", "lots", "pm_1"),
            json!({ "amount": "lots", "booking_number": "BK-0042", "payment_method_id": "pm_1" })
        );
    }

    #[test]
    fn a_running_check_out_can_be_followed() {
        let kept = refusal(ErrorCode::OperationInProgress, &json!({ "execution_id": "exe_1" }), Kept::default());
        assert_eq!(kept.follow.map(|f| f.0), Some("/guest/execution/exe_1".to_owned()));
        assert!(!keeps_token(ErrorCode::PaymentFailed) && keeps_token(ErrorCode::Internal));
    }
}
