//! Holds at check-in: placed before the room is given, released when it isn't, and watched afterward.
//! Every fault at every step is in `saga_faults`.

use dewy_orchestrators::{RELEASE_HOLD, REVIEW_PAYMENT};

use super::{
    front_desk::bank_authentication::at_the_bank,
    payment_sources::save_card,
    simulated_hotel::{BETH, staff_body},
};
use crate::prelude::*;

const SARAH: &str = "sarah@example.com";
/// Past the sweep's grace.
const LATER: Duration = Duration::from_secs(700);
const DAY: Duration = Duration::from_secs(86_400);
const PER_NIGHT: i64 = 5_000;

/// A hotel that places holds, with Sarah's card.
async fn with_card(card: &str, faults: Vec<Fault>) -> SimulatedHotel {
    let hotel = SimulatedHotel::new(Setup {
        hold: Some(Cents(PER_NIGHT)),
        ..Setup::default()
    });
    save_card(&hotel, SARAH, card).await;
    for fault in faults {
        hotel.fault(fault);
    }
    hotel
}

async fn check_in(hotel: &SimulatedHotel, token: &str, input: Value) -> ToolAnswer {
    let mut all = json!({ "guest_email": SARAH });
    let more = input.as_object().unwrap().clone();
    all.as_object_mut().unwrap().extend(more);
    hotel.front_desk("check_in_guest", token, all).await
}

fn sarahs_booking(hotel: &SimulatedHotel) -> Value {
    let sarah = hotel.row("Contact", "Email", SARAH);
    hotel.row(
        "Booking__c",
        "Primary_Guest__c",
        sarah["Id"].as_str().unwrap(),
    )
}

/// Status and amount of each payment at Stripe.
fn payments(hotel: &SimulatedHotel) -> Vec<(String, i64)> {
    let state = hotel.account.stripe_state();
    let all = items(&state["payment_intents"]).iter();
    all.map(|payment| {
        (
            text_of(&payment["status"]),
            payment["amount"].as_i64().unwrap(),
        )
    })
    .collect()
}

fn is_in(hotel: &SimulatedHotel) -> bool {
    sarahs_booking(hotel)["Status__c"] == "Checked In"
}

/// Balance and nights of Sarah's stay, as the hold has to cover them.
fn expected(hotel: &SimulatedHotel) -> i64 {
    let booking = sarahs_booking(hotel);
    let day = |name: &str| {
        text_of(&booking[name])
            .parse::<jiff::civil::Date>()
            .unwrap()
    };
    let nights = (day("Check_Out_Date__c") - day("Check_In_Date__c")).get_days();
    let folio = text_of(&booking["Opportunity__c"]);
    hotel.sandbox_ledger().balance(&folio) + PER_NIGHT * i64::from(nights)
}

#[tokio::test(start_paused = true)]
async fn a_check_in_reserves_the_balance_and_something_for_each_night() {
    let hotel = with_card("pm_card_visa", vec![]).await;
    let answer = check_in(&hotel, "a", json!({})).await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    let held = expected(&hotel);
    let data = staff_body(&answer)["data"].clone();
    assert_fields(
        &data,
        json!({ "hold": held, "card_brand": "visa", "card_last4": "4242", "booking_status": "Checked In" }),
    );
    assert_eq!(payments(&hotel), [("requires_capture".to_owned(), held)]);
    let record = hotel.only();
    assert_eq!((record.version, record.state), (3, State::Completed));
    // Watched, and needed: for as long as the guest stays
    for _ in 0..3 {
        tokio::time::sleep(LATER).await;
        hotel.processes[0].check_orphan_payments().await;
    }
    assert_eq!(payments(&hotel), [("requires_capture".to_owned(), held)]);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn without_a_card_or_by_choice_of_the_desk_a_check_in_reserves_nothing() {
    let hotel = SimulatedHotel::new(Setup {
        hold: Some(Cents(0)),
        ..Setup::default()
    });
    let answer = check_in(&hotel, "a", json!({})).await;
    let note = &staff_body(&answer)["data"]["note"];
    assert_eq!(note, "No card is saved, so no amount was reserved.");
    assert!(is_in(&hotel) && payments(&hotel).is_empty());
    hotel.ends_sound().await;

    let hotel = with_card("pm_card_visa", vec![]).await;
    let answer = check_in(&hotel, "a", json!({ "without_hold": true })).await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert!(is_in(&hotel) && payments(&hotel).is_empty());
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_declined_card_refuses_the_check_in_before_the_room_is_given() {
    let hotel = with_card("pm_card_chargeCustomerFail", vec![]).await;
    let answer = check_in(&hotel, "a", json!({})).await;
    assert_refused(&answer, ErrorCode::PaymentFailed);
    let details = &staff_body(&answer)["details"];
    assert_eq!(details["decline_code"], "generic_decline", "{details}");
    assert!(!is_in(&hotel));
    assert_eq!(hotel.count_calls(|call| call.operation == "composite"), 0);
    let other = save_card(&hotel, SARAH, "pm_card_mastercard").await;
    let answer = check_in(&hotel, "b", json!({ "payment_method_id": other })).await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert!(is_in(&hotel));
    hotel.ends_sound().await;
}

/// Sarah, who never paid here, checks in on our page with this new card.
async fn with_new_card(hotel: &SimulatedHotel, token: &str, card: &str) -> ToolAnswer {
    let sarah = Caller::guest(SARAH, Interface::Form);
    let input = json!({ "payment_method_id": card, "save_card": true });
    hotel.call(&sarah, "check_in_guest", token, input).await
}

fn without_cards() -> SimulatedHotel {
    SimulatedHotel::new(Setup {
        hold: Some(Cents(PER_NIGHT)),
        ..Setup::default()
    })
}

/// Nothing is saved on a new account: the first check-in saves the card that its hold is on.
#[tokio::test(start_paused = true)]
async fn a_new_card_reserves_the_amount_and_is_kept() {
    let hotel = without_cards();
    let expected = expected(&hotel);
    let answer = with_new_card(&hotel, "a", "pm_card_visa").await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert_eq!(staff_body(&answer)["data"]["hold"], expected);
    assert_eq!(
        payments(&hotel),
        [("requires_capture".to_owned(), expected)]
    );
    let stripe = hotel.account.stripe_state();
    let customers = items(&stripe["customers"]).iter();
    let customers = customers.filter(|customer| customer["email"] == SARAH);
    assert_eq!(customers.count(), 1);
    let folio = hotel
        .front_desk("get_folio", None, json!({ "guest_email": SARAH }))
        .await;
    assert_eq!(items(&staff_body(&folio)["data"]["saved_cards"]).len(), 1);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn the_bank_may_ask_a_guest_about_a_hold() {
    for (decision, state) in [
        ("complete", State::Completed),
        ("fail", State::Refused),
        ("walk away", State::Refused),
    ] {
        let hotel = without_cards();
        let answer = with_new_card(&hotel, "a", "pm_card_authenticationRequired").await;
        assert_eq!(answer.status(), 202, "{answer:?}");
        let ToolAnswer::Pending {
            next_action_url: Some(page),
            ..
        } = &answer
        else {
            panic!("{answer:?}")
        };
        assert!(page.contains("/3ds/"), "{page}");
        assert!(!is_in(&hotel));
        if decision != "walk away" {
            at_the_bank(&hotel, decision).await;
        }
        assert!(hotel.run_until_idle(DAY).await);
        let record = hotel.requested_executions().pop().unwrap();
        assert_eq!(record.state, state, "{decision}");
        assert_eq!(is_in(&hotel), decision == "complete");
        let held = payments(&hotel).into_iter();
        let held = held
            .filter(|(status, _)| status == "requires_capture")
            .count();
        assert_eq!(held, usize::from(decision == "complete"), "{decision}");
        hotel.ends_sound().await;
    }
}

/// Only a page asks for consent; a card of somebody else is refused by Stripe.
#[tokio::test(start_paused = true)]
async fn a_new_card_needs_its_owner_on_our_page() {
    let hotel = without_cards();
    let theirs = save_card(&hotel, BETH, "pm_card_mastercard").await;
    for interface in [Interface::Mcp, Interface::Rest, Interface::Chat] {
        let sarah = Caller::guest(SARAH, interface);
        for input in [
            json!({ "payment_method_id": "pm_card_visa", "save_card": true }),
            json!({ "payment_method_id": "pm_card_visa" }),
        ] {
            let answer = hotel.call(&sarah, "check_in_guest", "b", input).await;
            assert_refused(&answer, ErrorCode::ValidationFailed);
        }
    }
    let answer = with_new_card(&hotel, "c", &theirs).await;
    assert_ne!(answer.status(), 200, "{answer:?}");
    assert!(hotel.run_until_idle(DAY).await);
    assert!(!is_in(&hotel));
    let answer = with_new_card(&hotel, "d", "pm_card_chargeDeclined").await;
    assert_refused(&answer, ErrorCode::PaymentFailed);
    assert!(!is_in(&hotel));
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_hold_whose_answer_was_lost_is_found_and_placed_once() {
    let lost = stripe("payment_intent_create", FaultKind::TimeoutAfterEffect).count(2);
    let hotel = with_card("pm_card_visa", vec![lost]).await;
    check_in(&hotel, "a", json!({})).await;
    assert!(hotel.run_until_idle(DAY).await);
    let held = expected(&hotel);
    assert_eq!(payments(&hotel), [("requires_capture".to_owned(), held)]);
    assert!(is_in(&hotel));
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_check_in_that_salesforce_refuses_releases_the_hold() {
    let refused = salesforce("composite", FaultKind::Status)
        .status(400)
        .count(0);
    let hotel = with_card("pm_card_visa", vec![refused]).await;
    let answer = check_in(&hotel, "a", json!({})).await;
    assert!(hotel.run_until_idle(DAY).await);
    let held = expected(&hotel);
    assert_eq!(payments(&hotel), [("canceled".to_owned(), held)]);
    assert_eq!(hotel.only().state, State::Compensated, "{answer:?}");
    assert!(!is_in(&hotel));
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn an_undone_check_in_releases_its_hold() {
    let hotel = with_card("pm_card_visa", vec![]).await;
    check_in(&hotel, "a", json!({})).await;
    let number = sarahs_booking(&hotel)["Name"].clone();
    let undo = json!({ "booking_number": number });
    let answer = hotel.front_desk("undo_check_in", "b", undo).await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    let note = &staff_body(&answer)["data"]["note"];
    assert_eq!(note, "The amount reserved on the card was released.");
    assert_eq!(payments(&hotel)[0].0, "canceled");
    hotel.ends_sound().await;
}

/// The front desk checks Sarah out in Salesforce, without this program.
fn check_out_in_salesforce(hotel: &SimulatedHotel) {
    let booking = sarahs_booking(hotel);
    let out = json!({ "Status__c": "Checked Out" });
    hotel.edit("Booking__c", &booking["Id"], out);
}

fn of_saga(hotel: &SimulatedHotel, saga: &str) -> Vec<ExecutionRecord> {
    let mut all = hotel.journal.snapshot();
    all.retain(|record| record.saga == saga);
    all
}

#[tokio::test(start_paused = true)]
async fn a_hold_that_no_stay_needs_is_released_once() {
    let hotel = with_card("pm_card_visa", vec![]).await;
    check_in(&hotel, "a", json!({})).await;
    tokio::time::sleep(LATER).await;
    hotel.processes[0].check_orphan_payments().await;
    check_out_in_salesforce(&hotel);
    let cancel = stripe("payment_intent_cancel", FaultKind::TimeoutAfterEffect);
    hotel.fault(cancel.count(1));
    for _ in 0..3 {
        hotel.processes[0].check_orphan_payments().await;
        tokio::time::sleep(LATER).await;
    }
    assert_eq!(payments(&hotel)[0].0, "canceled");
    let released = of_saga(&hotel, RELEASE_HOLD);
    assert_eq!(released.len(), 1, "{released:?}");
    assert_eq!(released[0].state, State::Completed);
    assert!(of_saga(&hotel, REVIEW_PAYMENT).is_empty(), "no money moved");
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_hold_that_somebody_captured_is_a_payment_for_a_person() {
    let hotel = with_card("pm_card_visa", vec![]).await;
    check_in(&hotel, "a", json!({})).await;
    let state = hotel.account.stripe_state();
    let id = text_of(&items(&state["payment_intents"])[0]["id"]);
    let path = format!("/v1/payment_intents/{id}/capture");
    super::payment_sources::elsewhere(&hotel, &path, "amount_to_capture=1000").await;
    for _ in 0..2 {
        tokio::time::sleep(LATER).await;
        hotel.processes[0].check_orphan_payments().await;
    }
    let reviews = of_saga(&hotel, REVIEW_PAYMENT);
    assert_eq!(reviews.len(), 1, "{reviews:?}");
    assert!(of_saga(&hotel, RELEASE_HOLD).is_empty());
    let undo = json!({ "booking_number": sarahs_booking(&hotel)["Name"] });
    hotel.front_desk("undo_check_in", "b", undo).await;
    assert!(hotel.run_until_idle(DAY).await);
    let undone = &of_saga(&hotel, "undo_check_in")[0];
    assert_eq!(undone.state, State::NeedsAttention);
    let reason = undone.labels.iter().find(|(name, _)| name == "attention");
    assert_eq!(
        reason.map(|(_, why)| why.as_str()),
        Some("HOLD_NOT_RELEASED")
    );
}

#[tokio::test(start_paused = true)]
async fn a_check_in_that_began_before_the_hotel_chose_holds_ends_without_one() {
    let mut hotel = SimulatedHotel::new(Setup::default());
    save_card(&hotel, SARAH, "pm_card_visa").await;
    // What became of its write stays unknown for longer than the caller waits
    let applied = FaultKind::TimeoutAfterEffect;
    hotel.fault(salesforce("composite", applied).count(1));
    let lost = FaultKind::TimeoutBeforeEffect;
    hotel.fault(salesforce("query", lost).skip(1).count(20));
    let answer = check_in(&hotel, "a", json!({})).await;
    let began = hotel.only();
    assert!(!began.state.has_ended(), "{answer:?}");
    hotel.set_hold(Some(Cents(PER_NIGHT)));
    hotel.stop_worker(0).await;
    hotel.start_worker(false);
    assert!(hotel.run_until_idle(DAY).await);
    let record = hotel.only();
    assert_eq!((record.version, record.state), (1, State::Completed));
    assert!(payments(&hotel).is_empty() && is_in(&hotel));
}
