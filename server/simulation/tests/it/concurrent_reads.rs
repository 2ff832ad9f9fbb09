//! Many concurrent reads: folios that are read in one batch belong to the right guests, and are
//! never older than the request.

use std::time::Duration;

use dewy_domain::{
    answer::ToolAnswer,
    caller::{Caller, Interface},
};
use dewy_sandbox::{Fault, FaultKind, Latency, System};
use futures::future::join_all;
use serde_json::{Value, json};

use super::{
    on_virtual_time,
    simulated_hotel::{Setup, SimulatedHotel},
};

/// Everybody who is checked in with one booking.
fn guests(world: &SimulatedHotel) -> Vec<Caller> {
    let sandbox_ledger = world.sandbox_ledger();
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

fn request_count(world: &SimulatedHotel, system: System) -> usize {
    world
        .sandbox
        .calls()
        .iter()
        .filter(|call| call.system == system && call.operation != "token")
        .count()
}

async fn folio(world: &SimulatedHotel, caller: &Caller) -> ToolAnswer {
    world.call(caller, "get_folio", None, json!({})).await
}

fn slow() -> SimulatedHotel {
    let world = SimulatedHotel::new(Setup::default());
    world.sandbox.set_latency(Latency::reference());
    world
}

#[test]
fn concurrent_reads_share_queries_and_stay_separate() {
    on_virtual_time(async {
        let world = slow();
        let guests = guests(&world);
        assert!(guests.len() >= 8, "{}", guests.len());
        let mut alone = Vec::new();
        for guest in &guests {
            alone.push(folio(&world, guest).await);
        }
        assert!(
            alone.iter().all(|answer| answer.status() == 200),
            "{alone:?}"
        );
        let before = request_count(&world, System::Salesforce);
        // Three requests of everybody at once
        let crowd = guests.iter().chain(&guests).chain(&guests);
        let together = join_all(crowd.map(|guest| folio(&world, guest))).await;
        for (place, answer) in together.iter().enumerate() {
            assert_eq!(answer, &alone[place % guests.len()]);
        }
        let queries = request_count(&world, System::Salesforce) - before;
        assert!(
            queries <= 4,
            "{queries} queries for {} questions",
            together.len()
        );
    });
}

#[test]
fn a_folio_is_never_older_than_its_request() {
    on_virtual_time(async {
        let world = slow();
        let guests = guests(&world);
        let beth = guests
            .iter()
            .find(|guest| guest.email == super::simulated_hotel::BETH)
            .unwrap();
        let before = folio(&world, beth).await;
        // Both slots are taken by reads that began before the charge; a later request must not get
        // their results
        let early = join_all([
            folio(&world, beth),
            folio(&world, &guests[0]),
            folio(&world, &guests[1]),
        ]);
        let late = async {
            let charge = json!({ "room_number": "302", "amount": 1234, "description": "Minibar" });
            let posted = world.staff("post_charge", Some("c1"), charge).await;
            assert_eq!(posted.status(), 201, "{posted:?}");
            join_all((0..5).map(|_| folio(&world, beth))).await
        };
        let busy = async {
            for _ in 0..40 {
                drop(join_all([folio(&world, beth), folio(&world, &guests[2])]).await);
            }
        };
        let ((_, late), ()) = tokio::join!(async { tokio::join!(early, late) }, busy);
        let balance = |answer: &ToolAnswer| {
            answer.body(dewy_domain::caller::Persona::Guest)["data"]["balance"].as_i64()
        };
        for answer in &late {
            assert_eq!(balance(answer), balance(&before).map(|cents| cents + 1234));
        }
    });
}

#[test]
fn a_canceled_read_does_not_affect_others() {
    on_virtual_time(async {
        let world = slow();
        let guests = guests(&world);
        let gone = join_all(guests[..3].iter().map(|guest| folio(&world, guest)));
        let stays = join_all(guests[3..8].iter().map(|guest| folio(&world, guest)));
        // The first three disconnect while they read for themselves and for the others
        let gone = tokio::time::timeout(Duration::from_millis(400), gone);
        let (gone, answers) = tokio::join!(gone, stays);
        assert!(gone.is_err());
        assert!(
            answers.iter().all(|answer| answer.status() == 200),
            "{answers:?}"
        );
    });
}

#[test]
fn a_failed_shared_read_is_reported_to_every_caller() {
    on_virtual_time(async {
        let world = SimulatedHotel::new(Setup::default());
        let guests = guests(&world);
        world.sandbox.add_fault(Fault {
            count: 0,
            ..Fault::new(System::Salesforce, "query", FaultKind::TimeoutBeforeEffect)
        });
        let answers = join_all(guests.iter().map(|guest| folio(&world, guest))).await;
        assert!(
            answers.iter().all(|answer| answer.status() == 503),
            "{answers:?}"
        );
    });
}

#[test]
fn cards_on_file_are_at_most_five_seconds_old() {
    on_virtual_time(async {
        let world = SimulatedHotel::new(Setup::default());
        let beth = Caller::guest(super::simulated_hotel::BETH, Interface::Mcp);
        folio(&world, &beth).await;
        let first = request_count(&world, System::Stripe);
        folio(&world, &beth).await;
        assert_eq!(request_count(&world, System::Stripe), first);
        tokio::time::sleep(Duration::from_secs(5)).await;
        folio(&world, &beth).await;
        assert!(request_count(&world, System::Stripe) > first);
    });
}
