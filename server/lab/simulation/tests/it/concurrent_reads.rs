//! Many concurrent reads: folios that are read in one batch belong to the right guests, and are
//! never older than the request.

use futures::future::join_all;

use crate::prelude::*;

/// Everybody who is checked in with one booking.
fn guests(hotel: &SimulatedHotel) -> Vec<Caller> {
    let sandbox_ledger = hotel.sandbox_ledger();
    let (bookings, contacts) = (
        sandbox_ledger.rows("Booking__c"),
        sandbox_ledger.rows("Contact"),
    );
    let stays = |contact: &Value| {
        bookings
            .iter()
            .filter(|b| b["Status__c"] == "Checked In" && b["Primary_Guest__c"] == contact["Id"])
            .count()
    };
    let email = |contact: &Value| {
        contact["Email"]
            .as_str()
            .map(|email| Caller::guest(email, Interface::Mcp))
    };
    contacts
        .iter()
        .filter(|contact| stays(contact) == 1)
        .filter_map(email)
        .collect()
}

fn request_count(hotel: &SimulatedHotel, system: System) -> usize {
    hotel.count_calls(|call| call.system == system && call.operation != "token")
}

async fn folio(hotel: &SimulatedHotel, caller: &Caller) -> ToolAnswer {
    hotel.call(caller, "get_folio", None, json!({})).await
}

fn slow() -> SimulatedHotel {
    let hotel = with(vec![]);
    hotel.sandbox.set_latency(Latency::reference());
    hotel
}

#[tokio::test(start_paused = true)]
async fn concurrent_reads_share_queries_and_stay_separate() {
    let hotel = slow();
    let guests = guests(&hotel);
    assert!(guests.len() >= 8, "{}", guests.len());
    let mut alone = Vec::new();
    for guest in &guests {
        alone.push(folio(&hotel, guest).await);
    }
    assert!(
        alone.iter().all(|answer| answer.status() == 200),
        "{alone:?}"
    );
    let before = request_count(&hotel, System::Salesforce);
    // Three requests of everybody at once
    let crowd = guests.iter().chain(&guests).chain(&guests);
    let together = join_all(crowd.map(|guest| folio(&hotel, guest))).await;
    for (place, answer) in together.iter().enumerate() {
        assert_eq!(answer, &alone[place % guests.len()]);
    }
    let queries = request_count(&hotel, System::Salesforce) - before;
    assert!(
        queries <= 4,
        "{queries} queries for {} questions",
        together.len()
    );
}

#[tokio::test(start_paused = true)]
async fn a_folio_is_never_older_than_its_request() {
    let hotel = slow();
    let guests = guests(&hotel);
    let beth = guests
        .iter()
        .find(|guest| guest.email == super::simulated_hotel::BETH)
        .unwrap();
    let before = folio(&hotel, beth).await;
    // Both slots are taken by reads that began before the charge; a later request must not get
    // their results
    let early = join_all([
        folio(&hotel, beth),
        folio(&hotel, &guests[0]),
        folio(&hotel, &guests[1]),
    ]);
    let late = async {
        let charge = json!({ "room_number": "302", "amount": 1234, "description": "Minibar" });
        let posted = hotel.staff("post_charge", "c1", charge).await;
        assert_eq!(posted.status(), 201, "{posted:?}");
        join_all((0..5).map(|_| folio(&hotel, beth))).await
    };
    let busy = async {
        for _ in 0..40 {
            drop(join_all([folio(&hotel, beth), folio(&hotel, &guests[2])]).await);
        }
    };
    let ((_, late), ()) = tokio::join!(async { tokio::join!(early, late) }, busy);
    let balance = |answer: &ToolAnswer| answer.body(Persona::Guest)["data"]["balance"].as_i64();
    for answer in &late {
        assert_eq!(balance(answer), balance(&before).map(|cents| cents + 1234));
    }
}

#[tokio::test(start_paused = true)]
async fn a_canceled_read_does_not_affect_others() {
    let hotel = slow();
    let guests = guests(&hotel);
    let gone = join_all(guests[..3].iter().map(|guest| folio(&hotel, guest)));
    let stays = join_all(guests[3..8].iter().map(|guest| folio(&hotel, guest)));
    // The first three disconnect while they read for themselves and for the others
    let gone = tokio::time::timeout(Duration::from_millis(400), gone);
    let (gone, answers) = tokio::join!(gone, stays);
    assert!(gone.is_err());
    assert!(
        answers.iter().all(|answer| answer.status() == 200),
        "{answers:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_failed_shared_read_is_reported_to_every_caller() {
    let hotel = with(vec![]);
    let guests = guests(&hotel);
    hotel.fault(Fault {
        count: 0,
        ..salesforce("query", FaultKind::TimeoutBeforeEffect)
    });
    let answers = join_all(guests.iter().map(|guest| folio(&hotel, guest))).await;
    assert!(
        answers.iter().all(|answer| answer.status() == 503),
        "{answers:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn cards_on_file_are_at_most_five_seconds_old() {
    let hotel = with(vec![]);
    let beth = Caller::guest(super::simulated_hotel::BETH, Interface::Mcp);
    folio(&hotel, &beth).await;
    let first = request_count(&hotel, System::Stripe);
    folio(&hotel, &beth).await;
    assert_eq!(request_count(&hotel, System::Stripe), first);
    tokio::time::sleep(Duration::from_secs(5)).await;
    folio(&hotel, &beth).await;
    assert!(request_count(&hotel, System::Stripe) > first);
}
