//! Refusals that no retry changes.

use dewy_orchestrators::BookingLimit;

use super::simulated_hotel::staff_body;
use crate::prelude::*;

#[tokio::test(start_paused = true)]
async fn another_customers_card_is_refused_without_opening_the_breaker() {
    let hotel = with(vec![]);
    let foreign = card_of_somebody_else(&hotel).await;
    let before = hotel.ledger().len();
    for card in [foreign, "pm_there_is_none".to_owned()] {
        let input = json!({ "amount": 25000, "payment_method_id": card });
        let answer = hotel
            .check_out_with(&*format!("t{card}"), input.clone())
            .await;
        let told = staff_body(&answer);
        assert_eq!(
            (answer.status(), answer.error()),
            (402, Some(ErrorCode::PaymentFailed)),
            "{told}"
        );
        assert_eq!(
            (&told["retry_safe"], &told["details"]["charged"]),
            (&json!(false), &json!(false)),
            "{told}"
        );
        assert!(
            told["details"]["message"].is_null(),
            "a guest reads our words: {told}"
        );
        // The front desk reads Stripe's message.
        let input = json!({ "guest_email": BETH, "amount": 25000, "payment_method_id": card });
        let desk = staff_body(
            &hotel
                .staff("process_guest_checkout", &*format!("s{card}"), input)
                .await,
        );
        let said = desk["details"]["message"].as_str().unwrap_or_default();
        assert!(
            said.contains("payment method") || said.contains("No such"),
            "{desk}"
        );
    }
    assert_eq!(hotel.ledger().len(), before, "no payment was made");
}

#[tokio::test(start_paused = true)]
async fn a_permanent_crm_refusal_is_no_outage() {
    let hotel = with(vec![]);
    hotel.fault(composite(FaultKind::Status).status(400).count(0));
    let charge = json!({ "room_number": "302", "amount": 1200, "description": "Minibar" });
    let answer = hotel.staff("post_charge", "c", charge).await;
    let told = staff_body(&answer);
    assert_eq!(
        (answer.status(), answer.error()),
        (422, Some(ErrorCode::UpstreamRefused)),
        "{told}"
    );
    assert_eq!(told["retry_safe"], false);
    assert!(
        told["details"]["message"]
            .as_str()
            .is_some_and(|said| !said.is_empty()),
        "{told}"
    );
    hotel.sandbox.clear_faults();
    hotel.fault(salesforce("query", FaultKind::Status).status(400).count(0));
    let folio = hotel.beth("get_folio", None, json!({})).await;
    assert_eq!(
        (folio.status(), folio.error()),
        (422, Some(ErrorCode::UpstreamRefused)),
        "{folio:?}"
    );
    // An outage is still reported as one.
    hotel.sandbox.clear_faults();
    hotel.fault(salesforce("query", FaultKind::Status).status(500).count(0));
    let beth = Caller::guest(BETH, Interface::Rest);
    let folio = hotel.call(&beth, "get_folio", None, json!({})).await;
    assert_eq!(
        (folio.status(), folio.error()),
        (503, Some(ErrorCode::UpstreamUnavailable)),
        "{folio:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn bookings_per_guest_are_limited() {
    let hotel = with(vec![]);
    let book = |n: u32, nights: u32| {
        let day = |later: u32| format!("2026-{:02}-{:02}", 5 + n, 1 + later);
        json!({ "guest_email": "ada@example.com", "guest_first_name": "Ada", "guest_last_name": "Lovelace",
                "room_type": "Standard", "check_in_date": day(0), "check_out_date": day(nights) })
    };
    let ada = Caller::guest("ada@example.com", Interface::Form);
    let limit = BookingLimit::default();
    for n in 0..limit.bookings {
        let booked = hotel
            .call(&ada, "create_booking", &format!("b{n}"), book(n, 1))
            .await;
        assert_eq!(booked.status(), 201, "{n} {booked:?}");
    }
    let one_more = hotel.call(&ada, "create_booking", "more", book(6, 1)).await;
    assert_eq!(
        (one_more.status(), one_more.error()),
        (409, Some(ErrorCode::BookingLimit)),
        "{one_more:?}"
    );
    let told = &staff_body(&one_more)["details"];
    assert_fields(told, json!({ "open_bookings": 5, "most_bookings": 5 }));
    // The front desk books without limits.
    let desk = hotel.staff("create_booking", "desk", book(6, 1)).await;
    assert_eq!(desk.status(), 201, "{desk:?}");
    // Nights count as well, for a new booking and for an extended one.
    let wei = Caller::guest("grace@example.com", Interface::Form);
    let mut long = book(0, 1);
    long["guest_email"] = json!("grace@example.com");
    long["check_out_date"] = json!("2026-09-01");
    let long = hotel.call(&wei, "create_booking", "long", long).await;
    assert_refused(&long, ErrorCode::BookingLimit);
    let mut short = book(5, 2);
    short["guest_email"] = json!("grace@example.com");
    let booked = staff_body(&hotel.call(&wei, "create_booking", "short", short).await);
    let number = booked["data"]["booking_number"].clone();
    let grown = json!({ "booking_number": number, "check_out_date": "2027-02-01" });
    let grown = hotel.call(&wei, "manage_bookings", "grown", grown).await;
    assert_refused(&grown, ErrorCode::BookingLimit);
}

/// A card that another program saved for another customer of the same account.
async fn card_of_somebody_else(hotel: &SimulatedHotel) -> String {
    let post = async |path: &str, form: &str| {
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("authorization", "Bearer sk_test_sandbox"),
        ];
        let request = HttpRequest {
            method: "POST".to_owned(),
            url: format!("http://sandbox.test{path}"),
            headers: headers
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .to_vec(),
            body: form.as_bytes().to_vec(),
        };
        let response = hotel
            .sandbox
            .send(request, Duration::from_secs(5))
            .await
            .unwrap();
        let body: Value = serde_json::from_slice(&response.body).unwrap();
        assert_eq!(response.status, 200, "{body}");
        text_of(&body["id"])
    };
    let customer = post("/v1/customers", "email=someone.else%40example.com").await;
    post(
        "/v1/payment_methods/pm_card_visa/attach",
        &format!("customer={customer}"),
    )
    .await
}
