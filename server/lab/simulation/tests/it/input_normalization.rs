//! Numbers in any notation, spelling variants, and defaults are the same request.

use super::simulated_hotel::staff_body;
use crate::prelude::*;

/// JSON as received over a wire, so that `4200.0` differs from `4200`.
fn wire(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_whole_number_is_charged_however_it_is_written() {
    let hotel = with(vec![]);
    for (n, amount) in ["4200", "4200.0", "4.2e3"].iter().enumerate() {
        let input = wire(&format!(
            r#"{{"room_number":"302","amount":{amount},"description":"Spa"}}"#
        ));
        let answer = hotel.staff("post_charge", &*format!("c{n}"), input).await;
        assert_eq!(answer.status(), 201, "{amount} {answer:?}");
        assert_eq!(staff_body(&answer)["data"]["amount"], 4200, "{amount}");
        // An equal charge is asked about only for a while
        tokio::time::sleep(Duration::from_secs(660)).await;
    }
    let half = wire(r#"{"room_number":"302","amount":42.5,"description":"Spa"}"#);
    let answer = staff_body(&hotel.staff("post_charge", "half", half).await);
    assert_eq!(
        answer["details"]["problems"][0]["field"], "amount",
        "{answer}"
    );
    let lines = hotel.records("Payment_Transaction__c");
    let spa: Vec<_> = lines.iter().filter(|l| l["Amount__c"] == 42.0).collect();
    assert_eq!(spa.len(), 3, "{lines:?}");
}

#[tokio::test(start_paused = true)]
async fn people_are_counted_however_the_number_is_written() {
    let hotel = with(vec![]);
    for people in ["9", "9.0", "0.9e1"] {
        let input = wire(&format!(
            r#"{{"guest_first_name":"Beth","guest_last_name":"Gibbs","room_type":"Standard","check_in_date":"2026-05-01",
                    "check_out_date":"2026-05-03","number_of_guests":{people}}}"#
        ));
        let answer = hotel.beth("create_booking", people, input).await;
        assert_eq!(
            answer.error(),
            Some(ErrorCode::TooManyGuests),
            "{people} {answer:?}"
        );
        let search = wire(&format!(
            r#"{{"check_in_date":"2026-05-01","check_out_date":"2026-05-03","number_of_guests":{people}}}"#
        ));
        let rooms = staff_body(&hotel.beth("search_available_rooms", None, search).await);
        assert_eq!(rooms["data"]["rooms"], json!([]), "{people}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_same_request_in_other_spelling_is_replayed() {
    let hotel = with(vec![]);
    let plain = json!({ "type": "Housekeeping", "description": "Two towels" });
    let first = hotel.beth("submit_guest_service_request", "t", plain).await;
    assert!(first.error().is_none(), "{first:?}");
    for same in [
        json!({ "type": "Housekeeping", "description": "Two towels", "priority": "Medium" }),
        json!({ "type": "Housekeeping", "description": "Two towels", "guest_email": "Beth.Gibbs@Email.com" }),
    ] {
        let again = staff_body(&hotel.beth("submit_guest_service_request", "t", same).await);
        assert_fields(&again, json!({ "success": true, "replayed": true }));
    }
    let other = json!({ "type": "Housekeeping", "description": "Two towels", "priority": "High" });
    let other = hotel.beth("submit_guest_service_request", "t", other).await;
    assert_refused(&other, ErrorCode::IdempotencyMismatch);
    let charge = r#"{"room_number":"302","amount":1200,"description":"Minibar"}"#;
    let first = hotel.staff("post_charge", "c", wire(charge)).await;
    let again = hotel
        .staff("post_charge", "c", wire(&charge.replace("1200", "1.2e3")))
        .await;
    assert_eq!(
        staff_body(&again)["execution_id"],
        staff_body(&first)["execution_id"],
        "{again:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_defaulted_date_is_the_same_request_after_midnight() {
    let today = json!({ "check_in_date": "2026-03-10" });
    for (first, again) in [
        (json!({}), today.clone()),
        (today.clone(), json!({})),
        (today.clone(), today),
    ] {
        let hotel = for_days(vec![]);
        let sarah = Caller::guest("sarah@example.com", Interface::Mcp);
        let ask = |input| hotel.call(&sarah, "check_in_guest", "t", input);
        let first = staff_body(&ask(first).await);
        assert_eq!(first["success"], true, "{first}");
        tokio::time::sleep(Duration::from_secs(26 * 3600)).await;
        let again = staff_body(&ask(again).await);
        assert_fields(
            &again,
            json!({ "execution_id": first["execution_id"], "replayed": true }),
        );
        let other = ask(json!({ "check_in_date": "2026-03-11" })).await;
        assert_refused(&other, ErrorCode::IdempotencyMismatch);
    }
}

#[tokio::test(start_paused = true)]
async fn names_are_found_without_accents_and_with_any_apostrophe() {
    let hotel = with(vec![]);
    let contact = hotel.contact("sarah@example.com");
    let rename = |first: &str, last: &str| {
        hotel.edit(
            "Contact",
            &contact,
            json!({ "FirstName": first, "LastName": last }),
        );
    };
    let found = async |query: &str| {
        let answer = staff_body(
            &hotel
                .staff("search_guests", None, json!({ "query": query }))
                .await,
        );
        let guests = answer["data"]["guests"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let mut emails: Vec<String> = guests
            .iter()
            .filter_map(|guest| guest["guest_email"].as_str().map(str::to_owned))
            .collect();
        emails.sort();
        emails
    };
    rename("José", "Zúñiga");
    for query in ["zuniga", "Zúñiga", "jose zuniga", "ZÚÑI", "zunig"] {
        assert_eq!(found(query).await, ["sarah@example.com"], "{query}");
    }
    rename("Anežka", "Dvořáčková");
    assert_eq!(found("dvorackova").await, ["sarah@example.com"]);
    rename("Maeve", "O’Brien");
    for query in ["o’brien", "o'brien", "O‘Brien"] {
        assert_eq!(
            found(query).await,
            ["nora.o'brien@example.com", "sarah@example.com"],
            "{query}"
        );
    }
    assert_eq!(found("gibbs").await, [BETH]);
    assert!(found("nimez").await.is_empty());
}
