//! A granted late check-out: the case says so and the fee is on the folio once, or neither.

use crate::prelude::*;

/// Beth asks to stay longer; the number of her case.
async fn asked(hotel: &SimulatedHotel) -> Value {
    let answer = hotel
        .beth("request_late_checkout", "ask", json!({ "time": "17:45" }))
        .await;
    let body = answer.body(Persona::Staff);
    assert!(answer.status() < 300, "{body}");
    let case = hotel.row("Case", "CaseNumber", text(&body["data"]["case_number"]));
    let description = text(&case["Description"]);
    assert!(description.contains("until 17:45 on "), "{description}");
    assert!(!description.contains("promised") && !description.contains("2026-"));
    case["CaseNumber"].clone()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn grant(case: &Value, fee: i64) -> Value {
    json!({ "case_number": case, "status": "In Progress", "late_checkout_fee": fee })
}

/// Half a night of Beth's room.
fn fee(hotel: &SimulatedHotel) -> i64 {
    let room = hotel.row("Hotel_Room__c", "Room_Number__c", "302");
    let rate = room["Nightly_Rate__c"].as_f64().unwrap();
    (rate * 50.0) as i64
}

/// Lines of the fee, in cents.
fn lines(hotel: &SimulatedHotel) -> Vec<i64> {
    let ids: Vec<_> = of(hotel, "grant_late_checkout")
        .iter()
        .map(|run| run.id.to_string())
        .collect();
    let mut all = hotel.records("Payment_Transaction__c");
    all.retain(|line| ids.iter().any(|id| line["External_ID__c"] == *id));
    let cents = |line: &Value| (line["Amount__c"].as_f64().unwrap() * 100.0).round() as i64;
    all.iter().map(cents).collect()
}

fn subject(hotel: &SimulatedHotel, case: &Value) -> String {
    text(&hotel.row("Case", "CaseNumber", text(case))["Subject"]).to_owned()
}

/// The two composites are the grant and the fee: whatever becomes of either, both are done once.
#[tokio::test(start_paused = true)]
async fn a_fault_in_either_part_neither_loses_the_grant_nor_charges_twice() {
    use FaultKind::*;
    let kinds = [
        TimeoutBeforeEffect,
        TimeoutAfterEffect,
        LateEffect,
        ResetAfterEffect,
        DeliveredTwice,
        UnableToLockRow,
    ];
    for kind in kinds {
        for part in [0, 1] {
            let hotel = with(vec![]);
            let case = asked(&hotel).await;
            let fee = fee(&hotel);
            let fault = Fault::new(System::Salesforce, "composite", kind).skip(part);
            hotel.fault(fault.ms(60_000));
            hotel.staff("manage_cases", "g", grant(&case, fee)).await;
            assert!(hotel.run_until_idle(DAY).await, "{kind:?} {part}");
            let again = hotel.staff("manage_cases", "g", grant(&case, fee)).await;
            assert!(again.status() < 300, "{kind:?} {part}: {again:?}");
            assert_eq!(lines(&hotel), [fee], "{kind:?} {part}");
            let subject = subject(&hotel, &case);
            assert!(subject.ends_with(", granted"), "{kind:?} {part}: {subject}");
            hotel.ends_sound().await;
        }
    }
}

/// A second click, in another tab, finds that it is granted, and posts nothing.
#[tokio::test(start_paused = true)]
async fn it_is_granted_once_by_the_front_desk_at_the_hotels_own_fee() {
    let hotel = with(vec![]);
    let case = asked(&hotel).await;
    let fee = fee(&hotel);
    let crew = Caller::staff("h@dewy.example", Role::Housekeeping, Interface::Form);
    let answer = hotel
        .call(&crew, "manage_cases", "c", grant(&case, fee))
        .await;
    assert_refused(&answer, ErrorCode::ValidationFailed);
    let answer = hotel.staff("manage_cases", "cheap", grant(&case, 1)).await;
    assert_refused(&answer, ErrorCode::PriceChanged);
    assert_eq!(lines(&hotel), [] as [i64; 0]);
    let (one, other) = tokio::join!(
        hotel.staff("manage_cases", "a", grant(&case, fee)),
        hotel.staff("manage_cases", "b", grant(&case, fee))
    );
    let done = [&one, &other]
        .into_iter()
        .filter(|answer| answer.status() < 300);
    assert_eq!(done.count(), 1, "{one:?} {other:?}");
    let answer = hotel
        .staff("manage_cases", "later", grant(&case, fee))
        .await;
    assert_refused(&answer, ErrorCode::InvalidTransition);
    assert_eq!(lines(&hotel), [fee]);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn free_of_charge_posts_no_line() {
    let hotel = with(vec![]);
    let case = asked(&hotel).await;
    let answer = hotel.staff("manage_cases", "free", grant(&case, 0)).await;
    assert!(answer.status() < 300, "{answer:?}");
    assert!(subject(&hotel, &case).ends_with(", granted"));
    assert_eq!(lines(&hotel), [] as [i64; 0]);
    hotel.ends_sound().await;
}
