//! Cards on file: kept when their owner agrees, and removed by nobody else.

use std::collections::BTreeSet;

use dewy_domain::payment::CUSTOMER_CONTACT;

use super::{
    payment_sources::{elsewhere, save_card},
    simulated_hotel::staff_body,
};
use crate::prelude::*;

const SARAH: &str = "sarah@example.com";
const DAY: Duration = Duration::from_secs(86_400);

fn on_a_page(email: &str) -> Caller {
    Caller::guest(email, Interface::Form)
}

/// Last four digits of every card that a customer keeps.
fn kept(hotel: &SimulatedHotel) -> Vec<String> {
    let state = hotel.account.stripe_state();
    let cards = items(&state["payment_methods"]).iter();
    let attached = cards.filter(|card| card["customer"].is_string());
    attached
        .map(|card| text_of(&card["card"]["last4"]))
        .collect()
}

fn data(answer: &ToolAnswer) -> Value {
    assert_eq!(answer.status(), 200, "{:?}", staff_body(answer));
    staff_body(answer)["data"].clone()
}

fn remove(card: &str) -> Value {
    json!({ "payment_method_id": card })
}

const REMOVE: &str = "remove_saved_card";

#[tokio::test(start_paused = true)]
async fn a_new_card_is_kept_only_if_its_owner_agrees() {
    for agrees in [Some(true), Some(false), None] {
        let hotel = with(vec![]);
        let mut input = json!({ "amount": 25000, "payment_method_id": "pm_card_mastercard" });
        if let Some(agrees) = agrees {
            input["save_card"] = json!(agrees);
        }
        let beth = on_a_page(BETH);
        let paid = hotel
            .call(&beth, "process_guest_checkout", Some("t1"), input)
            .await;
        assert_eq!(paid.status(), 200, "{:?}", staff_body(&paid));
        let is_kept = kept(&hotel).contains(&"4444".to_owned());
        assert_eq!(is_kept, agrees == Some(true));
        hotel.ends_sound().await;
    }
}

/// Only a page asks for consent.
#[tokio::test(start_paused = true)]
async fn a_program_cannot_agree_for_the_owner_of_a_card() {
    let hotel = with(vec![]);
    let input =
        json!({ "amount": 25000, "payment_method_id": "pm_card_mastercard", "save_card": true });
    for interface in [Interface::Mcp, Interface::Rest, Interface::Chat] {
        let beth = Caller::guest(BETH, interface);
        let answer = hotel
            .call(&beth, "process_guest_checkout", Some("t1"), input.clone())
            .await;
        assert_refused(&answer, ErrorCode::ValidationFailed);
    }
    assert_eq!(hotel.requested_executions(), []);
}

#[tokio::test(start_paused = true)]
async fn a_card_is_removed_whatever_its_answer_is() {
    let mut ended = BTreeSet::new();
    for kind in FaultKind::ALL {
        for at in 0..4 {
            let hotel = with(vec![]);
            let card = save_card(&hotel, SARAH, "pm_card_mastercard").await;
            let fault = stripe("payment_method", kind).skip(at).ms(20_000);
            hotel.fault(if kind == FaultKind::Status {
                fault.status(500)
            } else {
                fault
            });
            let sarah = on_a_page(SARAH);
            let answer = hotel.call(&sarah, REMOVE, Some("r1"), remove(&card)).await;
            assert!(hotel.run_until_idle(DAY).await, "{kind:?} {at}");
            let is_kept = kept(&hotel).contains(&"4444".to_owned());
            let state = hotel
                .requested_executions()
                .first()
                .map(|record| record.state);
            let expected = match state {
                Some(State::Completed) => false,
                // Stripe could not be asked which cards there are
                None | Some(State::Refused) => true,
                state => panic!("{kind:?} {at}: {state:?} {answer:?}"),
            };
            assert_eq!(is_kept, expected, "{kind:?} {at}: {state:?}");
            ended.insert(state);
            assert_sound(&hotel);
        }
    }
    assert!(ended.contains(&Some(State::Completed)));
}

#[tokio::test(start_paused = true)]
async fn nobody_removes_the_card_of_another_guest() {
    let hotel = with(vec![]);
    let card = save_card(&hotel, SARAH, "pm_card_mastercard").await;
    let beth = on_a_page(BETH);
    let answer = hotel.call(&beth, REMOVE, Some("r1"), remove(&card)).await;
    assert_refused(&answer, ErrorCode::ValidationFailed);
    assert_eq!(
        staff_body(&answer)["details"]["problems"][0]["field"],
        "payment_method_id"
    );
    // Saved by a contact who had Sarah's email before
    let made = format!("email={SARAH}&metadata%5B{CUSTOMER_CONTACT}%5D=003000000000009AAA");
    let before = text_of(&elsewhere(&hotel, "/v1/customers", &made).await["id"]);
    let path = "/v1/payment_methods/pm_card_amex/attach";
    let theirs = elsewhere(&hotel, path, &format!("customer={before}")).await;
    let theirs = remove(theirs["id"].as_str().unwrap());
    let answer = hotel
        .call(&on_a_page(SARAH), REMOVE, Some("r0"), theirs)
        .await;
    assert_refused(&answer, ErrorCode::ValidationFailed);
    let manager = Caller::staff("manager@dewy.example", Role::Manager, Interface::Form);
    let answer = hotel
        .call(&manager, REMOVE, Some("r2"), remove(&card))
        .await;
    assert_refused(&answer, ErrorCode::UnknownTool);
    assert!(kept(&hotel).contains(&"4444".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_card_that_holds_an_amount_is_removed_after_the_check_out() {
    let hotel = SimulatedHotel::new(Setup {
        hold: Some(Cents(5_000)),
        ..Setup::default()
    });
    let card = save_card(&hotel, SARAH, "pm_card_visa").await;
    let input = json!({ "guest_email": SARAH });
    data(&hotel.front_desk("check_in_guest", "c1", input).await);
    let sarah = on_a_page(SARAH);
    let answer = hotel.call(&sarah, REMOVE, Some("r1"), remove(&card)).await;
    assert_refused(&answer, ErrorCode::InvalidTransition);
    let folio = data(&hotel.call(&sarah, "get_folio", None, json!({})).await);
    let pay = json!({ "amount": folio["balance"] });
    data(
        &hotel
            .call(&sarah, "process_guest_checkout", Some("o1"), pay)
            .await,
    );
    assert!(hotel.run_until_idle(DAY).await);
    let answer = hotel.call(&sarah, REMOVE, Some("r2"), remove(&card)).await;
    assert_eq!(data(&answer)["last4"], "4242");
    hotel.ends_sound().await;
}
