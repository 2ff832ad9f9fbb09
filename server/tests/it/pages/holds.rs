//! Holds as guests, the front desk, and programs see them. What becomes of them is in the simulation.

use dewy_domain::{
    locale::Locale,
    money::{Cents, Currency, Money},
    ports::{Confirmation, ConfirmationPrompts, HttpRequest, Transport},
};

use crate::prelude::*;

const SARAHS: &str = "BK-0034";
const LIAM: &str = "liam.walsh@example.com";

async fn with_holds() -> TestHotel {
    TestHotel::with(&[("HOTEL_HOLD_CENTS", "5000")]).await
}

/// The guest with this email saves a card, as another program of the account would.
async fn save_card(hotel: &TestHotel, email: &str, card: &str) {
    let send = async |path: &str, form: String| -> Value {
        let request = HttpRequest {
            method: "POST".to_owned(),
            url: format!("http://sandbox.test/v1/{path}"),
            headers: vec![(
                "authorization".to_owned(),
                "Bearer sk_test_sandbox".to_owned(),
            )],
            body: form.into_bytes(),
        };
        let response = hotel.sandbox().send(request, Duration::from_secs(5)).await;
        serde_json::from_slice(&response.unwrap().body).unwrap()
    };
    let customer = send("customers", format!("email={email}")).await;
    let customer = customer["id"].as_str().unwrap();
    let path = format!("payment_methods/{card}/attach");
    let card = send(&path, format!("customer={customer}")).await;
    assert_eq!(card["customer"], customer, "{card}");
}

#[tokio::test]
async fn a_guest_reads_what_is_reserved_on_which_card_before_and_after_the_check_in() {
    let hotel = with_holds().await;
    save_card(&hotel, SARAH, "pm_card_visa").await;
    let rest = hotel.guest_rest(SARAH).await;
    let folio = rest
        .call("get_folio", None, &json!({ "booking_number": SARAHS }))
        .await;
    let planned = folio.body["data"]["hold_at_check_in"].as_i64().unwrap();
    let balance = folio.body["data"]["balance"].as_i64().unwrap();
    assert!(
        planned > balance && (planned - balance) % 5_000 == 0,
        "{folio:?}"
    );
    let sum = Locale::default().money(Money {
        cents: Cents(planned),
        currency: Currency::USD,
    });
    let sarah = hotel.browser().guest(SARAH).await;
    let fields = format!("booking_number={SARAHS}&arrival=here&wishes=");
    let sent = sarah.post("check_in_details", &fields).await;
    let review = sarah.open(&sent.to()).await;
    review.has(&[
        &format!("We will reserve {sum} on the card you choose; you pay at check-out."),
        "Visa •••• 4242",
        "I’ll show a card at the front desk",
        "A new card is kept for this stay and later ones",
    ]);
    let sent = sarah.press(&review, "check_in").await;
    let page = sarah
        .until(&sent.to(), "You are checked in. Welcome!")
        .await;
    let line = format!("{sum} is reserved on your Visa •••• 4242.");
    page.has(&[&line]);
    sarah.open("/guest/folio").await.has(&[&line]);
    let text = format!("{sum} is reserved on your card; you pay at check-out.");
    let said = || hotel.state()["twilio"].to_string().contains(&text);
    for _ in 0..100 {
        if said() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(said(), "{text}: {}", hotel.state()["twilio"]);
    // The desk sees it with the stay, and a program in the folio
    let desk = hotel.browser().staff(FRONT_DESK).await;
    let stay = desk.open(&format!("/staff/stays/{SARAHS}")).await;
    stay.has(&[&sum, "reserved", "on Visa •••• 4242"]);
    let leaving = desk.open(&format!("/staff/stays/{SARAHS}/check-out")).await;
    leaving.has(&[&format!("{sum} is reserved on Visa •••• 4242")]);
    let undo = desk
        .open(&format!("/staff/stays/{SARAHS}/undo-check-in"))
        .await;
    undo.has(&["what the guest’s card reserves for the stay is released"]);
    let folio = rest.call("get_folio", None, &json!({})).await;
    let held = &folio.body["data"]["holds"][0];
    assert_eq!(
        (&held["amount"], &held["card_last4"]),
        (&json!(planned), &json!("4242"))
    );
    assert!(held["expires_at"].is_string(), "{held}");
    hotel.close().await;
}

#[tokio::test]
async fn a_guest_with_several_cards_chooses_and_a_declined_one_is_no_dead_end() {
    let hotel = with_holds().await;
    for card in ["pm_card_chargeCustomerFail", "pm_card_mastercard"] {
        save_card(&hotel, LIAM, card).await;
    }
    let rest = hotel.guest_rest(LIAM).await;
    let input = json!({ "booking_number": "BK-0036" });
    let folio = rest.call("get_folio", None, &input).await;
    let cards = folio.body["data"]["saved_cards"]
        .as_array()
        .unwrap()
        .clone();
    let id = |brand: &str| {
        let card = cards.iter().find(|card| card["brand"] == brand).unwrap();
        card["payment_method_id"].as_str().unwrap().to_owned()
    };
    let liam = hotel.browser().guest(LIAM).await;
    let fields = "booking_number=BK-0036&arrival=here&wishes=";
    let sent = liam.post("check_in_details", fields).await;
    let review = liam.open(&sent.to()).await;
    review.has(&[
        "on the card you choose",
        "Visa •••• 0341",
        "Mastercard •••• 4444",
    ]);
    let with = |brand: &str| {
        format!(
            "{fields}&idempotency_token={brand}&payment_method_id={}",
            id(brand)
        )
    };
    let sent = liam.post("check_in", &with("visa")).await;
    let page = liam.until(&sent.to(), "Your card was declined").await;
    page.has(&[
        "our front desk will check you in",
        "/guest/check-in?booking=BK-0036&amp;step=check",
        "Try another card",
    ]);
    let sent = liam.post("check_in", &with("mastercard")).await;
    let page = liam.until(&sent.to(), "You are checked in. Welcome!").await;
    page.has(&["is reserved on your Mastercard •••• 4444."]);
    hotel.close().await;
}

#[tokio::test]
async fn a_first_time_guest_checks_in_with_a_new_card_or_shows_one_at_the_desk() {
    let hotel = with_holds().await;
    let liam = hotel.browser().guest(LIAM).await;
    let fields = "booking_number=BK-0036&arrival=here&wishes=";
    liam.post("check_in_details", fields).await;
    let with = |token: &str, card: &str| {
        format!("{fields}&idempotency_token={token}&save_card=true&payment_method_id={card}")
    };
    // The bank asks first
    let asked = with("a", "pm_card_authenticationRequired");
    let sent = liam.post("check_in", &asked).await;
    let page = liam.until(&sent.to(), "Continue to your bank").await;
    page.has(&["Your bank asks you to confirm the card."]);
    page.lacks(&["confirm the payment"]);
    hotel.close().await;

    let hotel = with_holds().await;
    let liam = hotel.browser().guest(LIAM).await;
    let review = liam.post("check_in_details", fields).await;
    liam.open(&review.to())
        .await
        .has(&["<legend>Card</legend>"]);
    let sent = liam.post("check_in", &with("b", "pm_card_visa")).await;
    let page = liam.until(&sent.to(), "You are checked in. Welcome!").await;
    page.has(&["is reserved on your Visa •••• 4242."]);
    let bill = liam.open("/guest/folio").await;
    bill.has(&["is reserved on your Visa •••• 4242."]);
    bill.lacks(&["No card is on file"]);
    liam.open("/guest/account").await.has(&["Visa •••• 4242"]);
    let sarah = hotel.browser().guest(SARAH).await;
    let fields = format!("booking_number={SARAHS}&arrival=here&wishes=");
    sarah.post("check_in_details", &fields).await;
    let fields = format!("{fields}&idempotency_token=c&save_card=true&payment_method_id=at-desk");
    let sent = sarah.post("check_in", &fields).await;
    let page = sarah
        .until(&sent.to(), "You are checked in. Welcome!")
        .await;
    page.lacks(&["is reserved on"]);
    hotel.close().await;
}

#[tokio::test]
async fn a_review_does_not_promise_what_stripe_could_not_tell() {
    let hotel = with_holds().await;
    save_card(&hotel, SARAH, "pm_card_visa").await;
    let sarah = hotel.browser().guest(SARAH).await;
    hotel
        .fault("stripe", "*", "reset_before_effect", 0, 0)
        .await;
    let fields = format!("booking_number={SARAHS}&arrival=here&wishes=");
    let sent = sarah.post("check_in_details", &fields).await;
    let review = sarah.open(&sent.to()).await;
    review.has(&["an amount may be reserved on it"]);
    review.lacks(&["No card is needed"]);
    hotel.close().await;
}

#[tokio::test]
async fn the_desk_checks_in_without_a_hold_when_a_card_is_declined() {
    let hotel = with_holds().await;
    save_card(&hotel, LIAM, "pm_card_chargeCustomerFail").await;
    let desk = hotel.browser().staff(FRONT_DESK).await;
    let fields = "booking_number=BK-0036&back=%2Fstaff&idempotency_token=t1";
    let page = desk.submit("desk_check_in", fields).await;
    page.has(&[
        "was not checked in",
        "The card was declined",
        "/staff/stays/BK-0036",
    ]);
    let stay = desk.open("/staff/stays/BK-0036").await;
    stay.has(&["Check in without a hold"]);
    let fields = "booking_number=BK-0036&without_hold=true&back=%2Fstaff&idempotency_token=t2";
    let page = desk.submit("desk_check_in", fields).await;
    page.has(&["is checked in."]);
    assert_eq!(
        hotel.record("Booking__c", "Name", "BK-0036")["Status__c"],
        "Checked In"
    );
    // A guest can't choose that
    let rest = hotel.guest_rest(SARAH).await;
    let input = json!({ "booking_number": SARAHS, "without_hold": true });
    let answer = rest.call("check_in_guest", None, &input).await;
    assert_eq!(answer.body["error_code"], "VALIDATION_FAILED");
    hotel.close().await;
}

#[tokio::test]
async fn a_program_gets_the_hold_with_the_check_in() {
    let hotel = with_holds().await;
    save_card(&hotel, SARAH, "pm_card_mastercard").await;
    let rest = hotel.guest_rest(SARAH).await;
    let answer = rest.call("check_in_guest", Some("t1"), &json!({})).await;
    let data = &answer.body["data"];
    assert_eq!(
        (&data["card_brand"], &data["currency"]),
        (&json!("mastercard"), &json!("usd"))
    );
    assert!(
        data["hold"].as_i64().is_some_and(|cents| cents > 0),
        "{answer:?}"
    );
    assert!(
        data["payment_intent_id"]
            .as_str()
            .is_some_and(|id| id.starts_with("pi_"))
    );
    // Without a card nothing is reserved, and the answer says so
    let rest = hotel.guest_rest(LIAM).await;
    let answer = rest.call("check_in_guest", Some("t2"), &json!({})).await;
    let note = "No card is saved, so no amount was reserved.";
    assert_eq!(answer.body["data"]["note"], note, "{answer:?}");
    hotel.close().await;
}

/// A check-out charges what the card reserves, and every door says the same sums.
#[tokio::test]
async fn a_check_out_charges_a_part_of_what_is_reserved_and_releases_the_rest() {
    let hotel = with_holds().await;
    save_card(&hotel, SARAH, "pm_card_visa").await;
    let rest = hotel.guest_rest(SARAH).await;
    let answer = rest.call("check_in_guest", Some("in"), &json!({})).await;
    let reserved = answer.body["data"]["hold"].as_i64().unwrap();
    let folio = rest.call("get_folio", None, &json!({})).await;
    let balance = folio.body["data"]["balance"].as_i64().unwrap();
    assert!(0 < balance && balance < reserved, "{folio:?}");
    let dollars = |cents: i64| {
        Locale::default().money(Money {
            cents: Cents(cents),
            currency: Currency::USD,
        })
    };
    let (sum, all, left) = (
        dollars(balance),
        dollars(reserved),
        dollars(reserved - balance),
    );
    // What the person agrees to, on the page and in the chat
    let sarah = hotel.browser().guest(SARAH).await;
    let page = sarah.open("/guest/check-out").await;
    page.has(&[
        &sum,
        &format!(
            "of the {all} reserved on your Visa •••• 4242, release the rest, and check you out"
        ),
        "Nothing is charged before you are checked out.",
    ]);
    page.lacks(&["refund you in full", "payment_method_id"]);
    let guest = Caller::guest(SARAH, Interface::Chat);
    let call = ToolCall {
        tool: "process_guest_checkout".to_owned(),
        input: json!({ "amount": balance }),
        idempotency_token: Some("asked".to_owned()),
        wait: None,
    };
    let prompts: &dyn ConfirmationPrompts = &*hotel.server.hotel;
    let asked = prompts.confirmation_for(&guest, &call).await;
    let Ok(Confirmation::Ask(prompt)) = &asked else {
        panic!("a check-out that charges is confirmed: {asked:?}");
    };
    let said = format!(
        "We charge {sum} of the {all} reserved on your visa card ending in 4242 and release the rest."
    );
    assert!(prompt.question.ends_with(&said), "{}", prompt.question);
    // What became of it, for the guest, the desk, and programs
    let sent = sarah.press(&page, "check_out").await;
    let done = sarah.until(&sent.to(), "Goodbye").await;
    done.has(&[
        &format!("We charged {sum} to your card."),
        &format!("We released the other {left} of the {all} reserved on your card."),
    ]);
    let receipt = sarah
        .open(&sent.to().replace("/execution/", "/receipt/"))
        .await;
    receipt.has(&[&sum, &format!("{left} of the {all} reserved on the card")]);
    let desk = hotel.browser().staff(FRONT_DESK).await;
    let id = sent.to().rsplit('/').next().unwrap().to_owned();
    let record = desk.open(&format!("/staff/executions/{id}")).await;
    record.has(&[
        &format!("{sum} of the {all} reserved was charged, and {left} is released."),
        "Check out of the room",
        "Charge the reserved amount",
        "Record the payment",
        "Version 2 of the workflow fits",
    ]);
    record.has(&["Charge the card instead: not needed"]);
    record.lacks(&["Prepare the payment account"]);
    // The form's own token gets the same answer
    let (_, behind) = page
        .text
        .split_once("name=\"idempotency_token\" value=\"")
        .unwrap();
    let token = behind.split('"').next();
    let input = json!({ "amount": balance, "booking_number": "BK-0034" });
    let again = rest.call("process_guest_checkout", token, &input).await;
    let data = &again.body["data"];
    let sums = [&data["amount"], &data["reserved"], &data["released"]];
    assert_eq!(
        sums,
        [
            &json!(balance),
            &json!(reserved),
            &json!(reserved - balance)
        ],
        "{}",
        again.body
    );
    let spanish = Browser::preferring(&hotel.server.public_url, "es-MX");
    let page = spanish.guest(SARAH).await.open(&sent.to()).await;
    page.has(&[&format!(
        "Liberamos los otros {left} de los {all} reservados en su tarjeta."
    )]);
    hotel.close().await;
}
