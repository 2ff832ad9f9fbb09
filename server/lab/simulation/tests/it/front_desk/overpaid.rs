//! Balances that no card can settle.

use super::*;

/// A line that the hotel's staff made a payment or a correction in Salesforce.
async fn line(hotel: &SimulatedHotel, token: &str, fields: Value) {
    // Equal charges would be asked about
    let cents = 6000 + u32::from(token.as_bytes()[1]);
    let charge = json!({ "room_number": "302", "amount": cents, "description": "Dinner" });
    let posted = data(&hotel.post_charge(token, charge).await);
    let number = posted["charge_number"].as_str().unwrap();
    let row = hotel.row("Payment_Transaction__c", "Name", number);
    hotel.edit("Payment_Transaction__c", &row["Id"], fields);
}

/// Violations, except that the posted lines are others' now.
fn unexpected(hotel: &SimulatedHotel) -> Vec<String> {
    let mut found = violations(hotel);
    found.retain(|one| !one.contains("(post_charge completed)"));
    found
}

fn paid(dollars: i64) -> Value {
    json!({ "Transaction_Type__c": "Payment", "Status__c": "Completed", "Amount__c": dollars })
}

#[tokio::test(start_paused = true)]
async fn an_overpaid_guest_leaves_and_the_difference_stays_open() {
    let hotel = with(vec![]);
    line(&hotel, "p1", paid(280)).await;
    let folio = data(&hotel.beth("get_folio", None, json!({})).await);
    assert_eq!(folio["balance"], -3000);
    assert_eq!(folio["balance_text"], "−$30.00 (overpaid by $30.00)");
    for (token, amount) in [("a", -3000), ("b", 0)] {
        let input = json!({ "amount": amount });
        let own = hotel.check_out_with(token, input).await;
        assert_refused(&own, ErrorCode::BalanceNeedsDesk);
    }
    let guests = json!({ "amount": -3000, "leave_open": true });
    let own = hotel.check_out_with("c", guests).await;
    assert_eq!(
        code(&own),
        Some(ErrorCode::ValidationFailed),
        "not a guest's to say"
    );
    let stay = json!({ "guest_email": BETH, "amount": -3000 });
    let desk = hotel
        .front_desk("process_guest_checkout", "d", stay.clone())
        .await;
    assert_refused(&desk, ErrorCode::BalanceNeedsDesk);
    let mut leaving = stay;
    leaving["leave_open"] = json!(true);
    let left = hotel
        .front_desk("process_guest_checkout", "e", leaving)
        .await;
    let left = data(&left);
    assert_fields(&left, json!({ "amount": 0, "left_open": -3000 }));
    assert_eq!(left["booking_status"], "Checked Out");
    assert!(hotel.run_until_idle(DAY).await);
    let record = of(&hotel, "process_guest_checkout").pop().unwrap();
    assert_eq!(record.state, State::NeedsAttention);
    let payments = hotel.sandbox.stripe_state()["payment_intents"].clone();
    assert_eq!(payments.as_array().map_or(0, Vec::len), 0, "{payments}");
    assert_eq!(hotel.room("302")["Status__c"], "Cleaning");
    assert_eq!(unexpected(&hotel), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn corrections_and_small_balances_are_summed_with_their_signs() {
    let hotel = with(vec![]);
    line(&hotel, "p1", json!({ "Amount__c": 60 })).await;
    line(&hotel, "p2", json!({ "Amount__c": -40 })).await;
    line(&hotel, "p3", paid(269)).await;
    line(&hotel, "p4", json!({ "Amount__c": -0.7 })).await;
    let folio = data(&hotel.beth("get_folio", None, json!({})).await);
    assert_eq!(folio["balance"], 30);
    let own = hotel.check_out_with("a", json!({ "amount": 30 })).await;
    assert_refused(&own, ErrorCode::BalanceNeedsDesk);
    let leaving = json!({ "guest_email": BETH, "amount": 30, "leave_open": true });
    let left = hotel
        .front_desk("process_guest_checkout", "b", leaving)
        .await;
    assert_eq!(data(&left)["left_open"], 30);
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(unexpected(&hotel), Vec::<String>::new());
}
