//! Requests and answers at the interfaces: numbers in any notation, spelling variants, refusals
//! that no retry changes.

use std::time::Duration;

use dewy_domain::{
    caller::{Caller, Interface, Persona, Role},
    error_code::ErrorCode,
    ports::{HttpRequest, Transport},
    tool_answer::ToolAnswer,
};
use dewy_orchestrators::BookingLimit;
use dewy_sandbox::{Fault, FaultKind, System};
use serde_json::{Value, json};

use super::{
    on_virtual_time,
    simulated_hotel::{BETH, Setup, SimulatedHotel},
};

fn body(answer: &ToolAnswer) -> Value {
    answer.body(Persona::Staff)
}

/// JSON as received over a wire, so that `4200.0` differs from `4200`.
fn wire(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
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
        body["id"].as_str().unwrap().to_owned()
    };
    let customer = post("/v1/customers", "email=someone.else%40example.com").await;
    post(
        "/v1/payment_methods/pm_card_visa/attach",
        &format!("customer={customer}"),
    )
    .await
}

#[test]
fn a_whole_number_is_charged_however_it_is_written() {
    on_virtual_time(async {
        let hotel = SimulatedHotel::new(Setup::default());
        for (n, amount) in ["4200", "4200.0", "4.2e3"].iter().enumerate() {
            let input = wire(&format!(
                r#"{{"room_number":"302","amount":{amount},"description":"Spa"}}"#
            ));
            let answer = hotel
                .staff("post_charge", Some(&format!("c{n}")), input)
                .await;
            assert_eq!(answer.status(), 201, "{amount} {answer:?}");
            assert_eq!(body(&answer)["data"]["amount"], 4200, "{amount}");
        }
        let half = wire(r#"{"room_number":"302","amount":42.5,"description":"Spa"}"#);
        let answer = body(&hotel.staff("post_charge", Some("half"), half).await);
        assert_eq!(
            answer["details"]["problems"][0]["field"], "amount",
            "{answer}"
        );
        let lines = hotel.records("Payment_Transaction__c");
        let spa: Vec<_> = lines.iter().filter(|l| l["Amount__c"] == 42.0).collect();
        assert_eq!(spa.len(), 3, "{lines:?}");
    });
}

#[test]
fn people_are_counted_however_the_number_is_written() {
    on_virtual_time(async {
        let hotel = SimulatedHotel::new(Setup::default());
        for people in ["9", "9.0", "0.9e1"] {
            let input = wire(&format!(
                r#"{{"guest_first_name":"Beth","guest_last_name":"Gibbs","room_type":"Standard","check_in_date":"2026-05-01",
                    "check_out_date":"2026-05-03","number_of_guests":{people}}}"#
            ));
            let answer = hotel.beth("create_booking", Some(people), input).await;
            assert_eq!(
                answer.error(),
                Some(ErrorCode::TooManyGuests),
                "{people} {answer:?}"
            );
            let search = wire(&format!(
                r#"{{"check_in_date":"2026-05-01","check_out_date":"2026-05-03","number_of_guests":{people}}}"#
            ));
            let rooms = body(&hotel.beth("search_available_rooms", None, search).await);
            assert_eq!(rooms["data"]["rooms"], json!([]), "{people}");
        }
    });
}

#[test]
fn the_same_request_in_other_spelling_is_replayed() {
    on_virtual_time(async {
        let hotel = SimulatedHotel::new(Setup::default());
        let plain = json!({ "type": "Housekeeping", "description": "Two towels" });
        let first = hotel
            .beth("submit_guest_service_request", Some("t"), plain)
            .await;
        assert!(first.error().is_none(), "{first:?}");
        for same in [
            json!({ "type": "Housekeeping", "description": "Two towels", "priority": "Medium" }),
            json!({ "type": "Housekeeping", "description": "Two towels", "guest_email": "Beth.Gibbs@Email.com" }),
        ] {
            let again = body(
                &hotel
                    .beth("submit_guest_service_request", Some("t"), same)
                    .await,
            );
            assert_eq!(
                (&again["success"], &again["replayed"]),
                (&json!(true), &json!(true)),
                "{again}"
            );
        }
        let other =
            json!({ "type": "Housekeeping", "description": "Two towels", "priority": "High" });
        let other = hotel
            .beth("submit_guest_service_request", Some("t"), other)
            .await;
        assert_eq!(
            other.error(),
            Some(ErrorCode::IdempotencyMismatch),
            "{other:?}"
        );
        let charge = r#"{"room_number":"302","amount":1200,"description":"Minibar"}"#;
        let first = hotel.staff("post_charge", Some("c"), wire(charge)).await;
        let again = hotel
            .staff(
                "post_charge",
                Some("c"),
                wire(&charge.replace("1200", "1.2e3")),
            )
            .await;
        assert_eq!(
            body(&again)["execution_id"],
            body(&first)["execution_id"],
            "{again:?}"
        );
    });
}

#[test]
fn a_defaulted_date_is_the_same_request_after_midnight() {
    let today = json!({ "check_in_date": "2026-03-10" });
    for (first, again) in [
        (json!({}), today.clone()),
        (today.clone(), json!({})),
        (today.clone(), today),
    ] {
        on_virtual_time(async {
            let hotel = SimulatedHotel::new(Setup::default());
            let sarah = Caller::guest("sarah@example.com", Interface::Mcp);
            let ask = |input| hotel.call(&sarah, "check_in_guest", Some("t"), input);
            let first = body(&ask(first).await);
            assert_eq!(first["success"], true, "{first}");
            tokio::time::sleep(Duration::from_secs(26 * 3600)).await;
            let again = body(&ask(again).await);
            assert_eq!(
                (&again["execution_id"], &again["replayed"]),
                (&first["execution_id"], &json!(true)),
                "{again}"
            );
            let other = ask(json!({ "check_in_date": "2026-03-11" })).await;
            assert_eq!(other.error(), Some(ErrorCode::IdempotencyMismatch));
        });
    }
}

#[test]
fn another_customers_card_is_refused_without_opening_the_breaker() {
    on_virtual_time(async {
        let hotel = SimulatedHotel::new(Setup::default());
        let foreign = card_of_somebody_else(&hotel).await;
        let before = hotel.ledger().len();
        for card in [foreign, "pm_there_is_none".to_owned()] {
            let input = json!({ "amount": 25000, "payment_method_id": card });
            let answer = hotel
                .beth(
                    "process_guest_checkout",
                    Some(&format!("t{card}")),
                    input.clone(),
                )
                .await;
            let told = body(&answer);
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
            let desk = body(
                &hotel
                    .staff("process_guest_checkout", Some(&format!("s{card}")), input)
                    .await,
            );
            let said = desk["details"]["message"].as_str().unwrap_or_default();
            assert!(
                said.contains("payment method") || said.contains("No such"),
                "{desk}"
            );
        }
        assert_eq!(hotel.ledger().len(), before, "no payment was made");
    });
}

#[test]
fn names_are_found_without_accents_and_with_any_apostrophe() {
    on_virtual_time(async {
        let hotel = SimulatedHotel::new(Setup::default());
        let contact = hotel.row("Contact", "Email", "sarah@example.com");
        let rename = |first: &str, last: &str| {
            let fields = json!({ "FirstName": first, "LastName": last });
            hotel
                .sandbox
                .edit(
                    "Contact",
                    contact["Id"].as_str().unwrap(),
                    fields.as_object().unwrap(),
                )
                .unwrap();
        };
        let found = async |query: &str| {
            let answer = body(
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
    });
}

#[test]
fn the_crew_sees_only_the_case_fields_on_its_pages() {
    on_virtual_time(async {
        let hotel = SimulatedHotel::new(Setup::default());
        let request = json!({ "type": "Housekeeping", "description": "Two towels" });
        assert!(
            hotel
                .beth("submit_guest_service_request", Some("t"), request)
                .await
                .error()
                .is_none()
        );
        let cases = async |role: Role, input: Value| {
            let caller = Caller::staff("somebody@dewy.example", role, Interface::Mcp);
            body(
                &hotel
                    .call(&caller, "search_cases_on_behalf_of_staff", None, input)
                    .await,
            )
        };
        let theirs = ["guest_email", "guest_name", "booking_number"];
        for (role, sees) in [
            (Role::FrontDesk, true),
            (Role::Manager, true),
            (Role::Housekeeping, false),
            (Role::Maintenance, false),
        ] {
            let found = cases(role, json!({ "room_number": "302" })).await;
            let case = &found["data"]["cases"][0];
            assert_eq!(case["subject"], "Two towels", "{found}");
            assert!(
                theirs.iter().all(|name| case[*name].is_string() == sees),
                "{role:?} {case}"
            );
            // Nor can they find out whose cases exist
            let by_guest = cases(role, json!({ "guest_email": BETH })).await;
            assert_eq!(by_guest["success"], sees, "{role:?} {by_guest}");
            assert!(
                sees || by_guest["details"]["problems"][0]["field"] == "guest_email",
                "{by_guest}"
            );
        }
    });
}

#[test]
fn a_permanent_crm_refusal_is_no_outage() {
    on_virtual_time(async {
        let hotel = SimulatedHotel::new(Setup::default());
        hotel.sandbox.add_fault(
            Fault::new(System::Salesforce, "composite", FaultKind::Status)
                .status(400)
                .count(0),
        );
        let charge = json!({ "room_number": "302", "amount": 1200, "description": "Minibar" });
        let answer = hotel.staff("post_charge", Some("c"), charge).await;
        let told = body(&answer);
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
        hotel.sandbox.add_fault(
            Fault::new(System::Salesforce, "query", FaultKind::Status)
                .status(400)
                .count(0),
        );
        let folio = hotel.beth("get_folio", None, json!({})).await;
        assert_eq!(
            (folio.status(), folio.error()),
            (422, Some(ErrorCode::UpstreamRefused)),
            "{folio:?}"
        );
        // An outage is still reported as one.
        hotel.sandbox.clear_faults();
        hotel.sandbox.add_fault(
            Fault::new(System::Salesforce, "query", FaultKind::Status)
                .status(500)
                .count(0),
        );
        let beth = Caller::guest(BETH, Interface::Rest);
        let folio = hotel.call(&beth, "get_folio", None, json!({})).await;
        assert_eq!(
            (folio.status(), folio.error()),
            (503, Some(ErrorCode::UpstreamUnavailable)),
            "{folio:?}"
        );
    });
}

#[test]
fn bookings_per_guest_are_limited() {
    on_virtual_time(async {
        let hotel = SimulatedHotel::new(Setup::default());
        let book = |n: u32, nights: u32| {
            let day = |later: u32| format!("2026-{:02}-{:02}", 5 + n, 1 + later);
            json!({ "guest_email": "ada@example.com", "guest_first_name": "Ada", "guest_last_name": "Lovelace",
                "room_type": "Standard", "check_in_date": day(0), "check_out_date": day(nights) })
        };
        let ada = Caller::guest("ada@example.com", Interface::Form);
        let limit = BookingLimit::default();
        for n in 0..limit.bookings {
            let booked = hotel
                .call(&ada, "create_booking", Some(&format!("b{n}")), book(n, 1))
                .await;
            assert_eq!(booked.status(), 201, "{n} {booked:?}");
        }
        let one_more = hotel
            .call(&ada, "create_booking", Some("more"), book(6, 1))
            .await;
        assert_eq!(
            (one_more.status(), one_more.error()),
            (409, Some(ErrorCode::BookingLimit)),
            "{one_more:?}"
        );
        let told = &body(&one_more)["details"];
        assert_eq!(
            (&told["open_bookings"], &told["most_bookings"]),
            (&json!(5), &json!(5)),
            "{told}"
        );
        // The front desk books without limits.
        let desk = hotel
            .staff("create_booking", Some("desk"), book(6, 1))
            .await;
        assert_eq!(desk.status(), 201, "{desk:?}");
        // Nights count as well, for a new booking and for an extended one.
        let wei = Caller::guest("grace@example.com", Interface::Form);
        let mut long = book(0, 1);
        long["guest_email"] = json!("grace@example.com");
        long["check_out_date"] = json!("2026-09-01");
        let long = hotel.call(&wei, "create_booking", Some("long"), long).await;
        assert_eq!(long.error(), Some(ErrorCode::BookingLimit), "{long:?}");
        let mut short = book(5, 2);
        short["guest_email"] = json!("grace@example.com");
        let booked = body(
            &hotel
                .call(&wei, "create_booking", Some("short"), short)
                .await,
        );
        let number = booked["data"]["booking_number"].clone();
        let grown = json!({ "booking_number": number, "check_out_date": "2027-02-01" });
        let grown = hotel
            .call(&wei, "manage_bookings", Some("grown"), grown)
            .await;
        assert_eq!(grown.error(), Some(ErrorCode::BookingLimit), "{grown:?}");
    });
}
