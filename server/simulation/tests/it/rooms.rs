//! The stories of rooms, bookings, cases and guests: what is booked once, changed without harm, and
//! found again.

use std::{sync::Arc, time::Duration};

use dewy_domain::{
    answer::ToolAnswer,
    caller::{Caller, Interface, Persona, Role},
    error_code::ErrorCode,
    ports::{HttpRequest, Transport},
};
use dewy_saga::State;
use dewy_sandbox::{
    Fault, FaultKind, Latency, System,
    salesforce::{OrgSettings, Stamps},
};
use futures::future::join_all;
use serde_json::{Value, json};

use super::{
    invariants::violations,
    on_virtual_time,
    world::{BETH, Setup, World},
};

const DAY: Duration = Duration::from_secs(26 * 3600);
/// The seed's day, and those after it.
const TODAY: &str = "2026-03-10";

fn world() -> World {
    World::new(Setup::default())
}

fn salesforce(operation: &str, kind: FaultKind) -> Fault {
    Fault::new(System::Salesforce, operation, kind)
}

fn data(answer: &ToolAnswer) -> Value {
    assert_eq!(answer.error(), None, "{}", answer.body(Persona::Staff));
    answer.body(Persona::Staff)["data"].clone()
}

fn details(answer: &ToolAnswer) -> Value {
    answer.body(Persona::Staff)["details"].clone()
}

async fn desk(world: &World, tool: &str, token: &str, input: Value) -> ToolAnswer {
    let desk = Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Mcp);
    world.call(&desk, tool, Some(token), input).await
}

async fn ask(world: &World, tool: &str, input: Value) -> ToolAnswer {
    let desk = Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Mcp);
    world.call(&desk, tool, None, input).await
}

async fn guest(
    world: &World,
    email: &str,
    tool: &str,
    token: Option<&str>,
    input: Value,
) -> ToolAnswer {
    world
        .call(&Caller::guest(email, Interface::Mcp), tool, token, input)
        .await
}

fn ada(room: &str, from: &str, to: &str) -> Value {
    json!({ "guest_email": "ada@example.com", "guest_first_name": "Ada", "guest_last_name": "Lovelace",
        "room_number": room, "check_in_date": from, "check_out_date": to })
}

/// Live bookings of a room.
fn bookings(world: &World, room: &str) -> Vec<Value> {
    let sandbox_ledger = world.sandbox_ledger();
    let room = sandbox_ledger.row("Hotel_Room__c", "Room_Number__c", room);
    let live = |b: &Value| matches!(b["Status__c"].as_str(), Some("Reserved" | "Checked In"));
    sandbox_ledger
        .rows("Booking__c")
        .into_iter()
        .filter(|b| b["Room__c"] == room["Id"] && live(b))
        .collect()
}

/// A room that nobody has for a fortnight, by number.
async fn free_room(world: &World) -> String {
    let found = ask(
        world,
        "search_available_rooms",
        json!({ "check_in_date": TODAY, "check_out_date": "2026-03-24", "limit": 1 }),
    )
    .await;
    data(&found)["rooms"][0]["room_number"]
        .as_str()
        .expect("a room is free")
        .to_owned()
}

/// Another program that writes to the same org.
struct Elsewhere {
    transport: Arc<dyn Transport>,
    token: Option<String>,
}

impl Elsewhere {
    async fn signed_in(world: &World) -> Self {
        let mut program = Self {
            transport: Arc::new(world.sandbox.clone()),
            token: None,
        };
        let form = "grant_type=client_credentials&client_id=other&client_secret=other".to_owned();
        let answer = program
            .send(
                "/services/oauth2/token",
                form,
                "application/x-www-form-urlencoded",
            )
            .await;
        program.token = Some(answer["access_token"].as_str().unwrap().to_owned());
        program
    }

    async fn send(&self, path: &str, body: String, kind: &str) -> Value {
        let mut headers = vec![("content-type".to_owned(), kind.to_owned())];
        headers.extend(
            self.token
                .as_ref()
                .map(|token| ("authorization".to_owned(), format!("Bearer {token}"))),
        );
        let request = HttpRequest {
            method: "POST".to_owned(),
            url: format!("http://sandbox.test{path}"),
            headers,
            body: body.into_bytes(),
        };
        let answer = self
            .transport
            .send(request, Duration::from_secs(5))
            .await
            .unwrap();
        serde_json::from_slice(&answer.body).unwrap()
    }

    async fn make(&self, object: &str, body: Value) -> String {
        let path = format!("/services/data/v62.0/sobjects/{object}");
        let made = self.send(&path, body.to_string(), "application/json").await;
        made["id"]
            .as_str()
            .unwrap_or_else(|| panic!("{made}"))
            .to_owned()
    }

    async fn make_many(&self, records: Vec<Value>) {
        let body = json!({ "allOrNone": true, "records": records }).to_string();
        let made = self
            .send(
                "/services/data/v62.0/composite/sobjects",
                body,
                "application/json",
            )
            .await;
        assert!(
            made.as_array()
                .unwrap()
                .iter()
                .all(|one| one["success"] == true),
            "{made}"
        );
    }
}

/// Another program makes a booking of its own.
async fn booked_elsewhere(world: &World, room: &str, from: &str, to: &str) {
    let program = Elsewhere::signed_in(world).await;
    let wei = world.row("Contact", "Email", "wei.chen@example.com");
    let room = world.row("Hotel_Room__c", "Room_Number__c", room);
    let opportunity = json!({ "Name": "Elsewhere", "StageName": "Booking Confirmed", "Amount": 100, "CloseDate": to });
    let opportunity = program.make("Opportunity", opportunity).await;
    let booking = json!({ "Opportunity__c": opportunity, "Primary_Guest__c": wei["Id"], "Room__c": room["Id"],
        "Check_In_Date__c": from, "Check_Out_Date__c": to, "Status__c": "Reserved", "Number_of_Guests__c": 1 });
    program.make("Booking__c", booking).await;
}

#[test]
fn a_room_is_booked_once_for_somebody_new() {
    on_virtual_time(async {
        let world = world();
        let room = free_room(&world).await;
        let input = ada(&room, "2026-03-11", "2026-03-13");
        let before = world.sandbox.calls().len();
        let booked = desk(&world, "create_booking", "b1", input.clone()).await;
        assert_eq!(booked.status(), 201, "{}", booked.body(Persona::Staff));
        let calls: Vec<_> = world
            .sandbox
            .calls()
            .into_iter()
            .skip(before)
            .map(|c| c.operation)
            .filter(|o| o != "token")
            .collect();
        assert_eq!(
            calls
                .iter()
                .filter(|o| ["query", "composite"].contains(&o.as_str()))
                .count(),
            3,
            "{calls:?}"
        );
        let rate = data(&ask(&world, "search_rooms_on_behalf_of_staff", json!({})).await)["rooms"]
            .as_array()
            .unwrap()
            .iter()
            .find(|r| r["room_number"] == room.as_str())
            .unwrap()["nightly_rate"]
            .clone();
        let told = data(&booked);
        assert_eq!(told["amount"].as_i64(), rate.as_i64().map(|rate| rate * 2));
        assert_eq!(
            (told["nights"].as_i64(), told["contact_created"].as_bool()),
            (Some(2), Some(true))
        );
        let again = desk(&world, "create_booking", "b1", input).await;
        assert_eq!(
            (again.status(), data(&again)),
            (201, told.clone()),
            "replayed with its first status"
        );
        assert!(world.rest(DAY).await);
        let contact = world.row("Contact", "Email", "ada@example.com");
        let booking = world.row(
            "Booking__c",
            "Name",
            told["booking_number"].as_str().unwrap(),
        );
        assert_eq!(booking["Primary_Guest__c"], contact["Id"]);
        let opportunity = world.row(
            "Opportunity",
            "Id",
            booking["Opportunity__c"].as_str().unwrap(),
        );
        assert_eq!(opportunity["StageName"], "Booking Confirmed");
        assert_eq!(opportunity["CloseDate"], "2026-03-13");
        assert_eq!(violations(&world), Vec::<String>::new());
    });
}

#[test]
fn a_known_guest_is_never_overwritten() {
    on_virtual_time(async {
        let world = world();
        let room = free_room(&world).await;
        let mut input = ada(&room, "2026-03-11", "2026-03-13");
        input["guest_email"] = json!("Sarah@Example.com");
        let before = world.row("Contact", "Email", "sarah@example.com");
        let booked = desk(&world, "create_booking", "b1", input).await;
        assert_eq!(data(&booked)["contact_created"], false);
        let after = world.row("Contact", "Email", "sarah@example.com");
        for field in [
            "FirstName",
            "LastName",
            "Phone",
            "MobilePhone",
            "Contact_Type__c",
        ] {
            assert_eq!(before[field], after[field], "{field}");
        }
    });
}

#[test]
fn fifty_at_once_for_one_room_are_one_booking() {
    on_virtual_time(async {
        let world = World::new(Setup {
            workers: 2,
            ..Setup::default()
        });
        let room = free_room(&world).await;
        let before = world.sandbox_ledger().rows("Opportunity").len();
        let asked = (0..50).map(|n| {
            let (world, room) = (&world, room.clone());
            async move {
                let (from, to) = if n % 2 == 0 {
                    ("2026-03-11", "2026-03-14")
                } else {
                    ("2026-03-12", "2026-03-13")
                };
                let mut input = ada(&room, from, to);
                input["guest_email"] = json!(format!("guest{n}@example.com"));
                desk(world, "create_booking", &format!("b{n}"), input)
                    .await
                    .status()
            }
        });
        let statuses = join_all(asked).await;
        assert_eq!(
            statuses.iter().filter(|s| **s == 201).count(),
            1,
            "{statuses:?}"
        );
        assert!(
            statuses.iter().all(|s| matches!(s, 201 | 409)),
            "{statuses:?}"
        );
        assert!(world.rest(DAY).await);
        assert_eq!(bookings(&world, &room).len(), 1);
        assert_eq!(
            world.sandbox_ledger().rows("Opportunity").len(),
            before + 1,
            "no orphan is left"
        );
    });
}

#[test]
fn a_room_is_left_and_taken_on_one_day() {
    on_virtual_time(async {
        let world = world();
        let room = free_room(&world).await;
        let first = desk(
            &world,
            "create_booking",
            "b1",
            ada(&room, "2026-03-11", "2026-03-13"),
        )
        .await;
        let second = desk(
            &world,
            "create_booking",
            "b2",
            ada(&room, "2026-03-13", "2026-03-15"),
        )
        .await;
        let third = desk(
            &world,
            "create_booking",
            "b3",
            ada(&room, "2026-03-12", "2026-03-14"),
        )
        .await;
        assert_eq!((first.status(), second.status()), (201, 201));
        assert_eq!(third.error(), Some(ErrorCode::RoomAlreadyBooked));
    });
}

#[test]
fn what_cannot_be_booked_says_why() {
    on_virtual_time(async {
        let world = world();
        let room = free_room(&world).await;
        let sandbox_ledger = world.sandbox_ledger();
        let stays = sandbox_ledger.rows("Booking__c").into_iter().find(|b| {
            b["Status__c"] == "Checked In"
                && b["Check_Out_Date__c"]
                    .as_str()
                    .is_some_and(|day| day > "2026-03-11")
        });
        let taken = sandbox_ledger.row(
            "Hotel_Room__c",
            "Id",
            stays.unwrap()["Room__c"].as_str().unwrap(),
        )["Room_Number__c"]
            .clone();
        for (token, change, code) in [
            (
                "past",
                json!({ "check_in_date": "2026-03-09" }),
                ErrorCode::DatesInvalid,
            ),
            (
                "none",
                json!({ "check_out_date": "2026-03-11" }),
                ErrorCode::DatesInvalid,
            ),
            (
                "day",
                json!({ "check_out_date": "2026-02-30" }),
                ErrorCode::ValidationFailed,
            ),
            (
                "room",
                json!({ "room_number": "999" }),
                ErrorCode::RoomNotFound,
            ),
            (
                "both",
                json!({ "room_type": "Suite" }),
                ErrorCode::ValidationFailed,
            ),
            (
                "many",
                json!({ "number_of_guests": 9 }),
                ErrorCode::TooManyGuests,
            ),
            (
                "taken",
                json!({ "room_number": taken }),
                ErrorCode::RoomAlreadyBooked,
            ),
        ] {
            let mut input = ada(&room, "2026-03-11", "2026-03-13");
            for (name, value) in change.as_object().unwrap() {
                input[name] = value.clone();
            }
            let answer = desk(&world, "create_booking", token, input).await;
            assert_eq!(
                answer.error(),
                Some(code),
                "{token}: {}",
                answer.body(Persona::Staff)
            );
        }
        let neither = json!({ "guest_email": "ada@example.com", "guest_first_name": "Ada", "guest_last_name": "L",
            "check_in_date": "2026-03-11", "check_out_date": "2026-03-12" });
        assert_eq!(
            desk(&world, "create_booking", "x", neither).await.error(),
            Some(ErrorCode::ValidationFailed)
        );
        assert!(world.rest(DAY).await);
        assert!(
            world
                .sandbox_ledger()
                .rows("Contact")
                .iter()
                .all(|c| c["Email"] != "ada@example.com"),
            "nothing was written"
        );
    });
}

#[test]
fn a_type_of_room_is_enough() {
    on_virtual_time(async {
        let world = world();
        let mut input = ada("x", "2026-03-11", "2026-03-13");
        input.as_object_mut().unwrap().remove("room_number");
        input["room_type"] = json!("Suite");
        let booked = data(&desk(&world, "create_booking", "b1", input).await);
        assert_eq!(booked["room_type"], "Suite");
    });
}

#[test]
fn a_booking_made_elsewhere_in_between_is_noticed() {
    on_virtual_time(async {
        let world = world();
        let room = free_room(&world).await;
        // Read, found free, and put off: in that half second somebody else books it.
        world
            .sandbox
            .add_fault(salesforce("composite", FaultKind::Status).status(503));
        let elsewhere = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            booked_elsewhere(&world, &room, "2026-03-12", "2026-03-14").await;
        };
        let before = world.sandbox_ledger().rows("Opportunity").len();
        let (booked, ()) = futures::join!(
            desk(
                &world,
                "create_booking",
                "b1",
                ada(&room, "2026-03-11", "2026-03-13")
            ),
            elsewhere
        );
        assert_eq!(
            booked.error(),
            Some(ErrorCode::RoomAlreadyBooked),
            "{}",
            booked.body(Persona::Staff)
        );
        assert!(world.rest(DAY).await);
        assert_eq!(bookings(&world, &room).len(), 1);
        assert_eq!(
            world.sandbox_ledger().rows("Opportunity").len(),
            before + 1,
            "only theirs"
        );
    });
}

#[test]
fn of_two_bookings_at_once_the_later_one_yields() {
    on_virtual_time(async {
        let world = world();
        let room = free_room(&world).await;
        world
            .sandbox
            .add_fault(salesforce("composite", FaultKind::Status).status(503));
        world.watched.blind_the_guard();
        let elsewhere = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            booked_elsewhere(&world, &room, "2026-03-12", "2026-03-14").await;
        };
        let (booked, ()) = futures::join!(
            desk(
                &world,
                "create_booking",
                "b1",
                ada(&room, "2026-03-11", "2026-03-13")
            ),
            elsewhere
        );
        assert_eq!(
            booked.error(),
            Some(ErrorCode::RoomAlreadyBooked),
            "{}",
            booked.body(Persona::Staff)
        );
        assert!(world.rest(DAY).await);
        assert_eq!(
            (world.only().state, bookings(&world, &room).len()),
            (State::Compensated, 1)
        );
        let ours = world.row("Booking__c", "External_ID__c", &world.only().id.to_string());
        assert_eq!(ours["Status__c"], "Cancelled");
        assert_eq!(
            world.row(
                "Opportunity",
                "Id",
                ours["Opportunity__c"].as_str().unwrap()
            )["StageName"],
            "Closed Lost"
        );
        assert_eq!(violations(&world), Vec::<String>::new());
    });
}

#[test]
fn a_booking_that_is_made_while_we_look_for_it_is_found() {
    for email in ["ada@example.com", "sarah@example.com"] {
        // From before the first query of the look to after its last one, in steps shorter than a
        // query.
        for ms in (5_000..8_500).step_by(250) {
            on_virtual_time(async {
                let world = world();
                let room = free_room(&world).await;
                world.sandbox.set_latency(Latency::reference());
                world
                    .sandbox
                    .add_fault(salesforce("composite", FaultKind::LateEffect).ms(ms));
                let mut input = ada(&room, "2026-03-11", "2026-03-13");
                input["guest_email"] = json!(email);
                desk(&world, "create_booking", "b1", input).await;
                assert!(world.rest(DAY).await);
                assert_eq!(
                    (world.only().state, bookings(&world, &room).len()),
                    (State::Completed, 1),
                    "{email} {ms}"
                );
                assert_eq!(violations(&world), Vec::<String>::new());
            });
        }
    }
}

#[test]
fn a_move_into_a_room_that_was_taken_meanwhile_is_put_back() {
    for lost in [false, true] {
        on_virtual_time(async {
            // Who was first is told by stamps: here they say it to the millisecond.
            let org = OrgSettings {
                stamps: Stamps::EXACT,
                ..OrgSettings::default()
            };
            let world = World::new(Setup {
                org,
                ..Setup::default()
            });
            let room = vacant_room(&world).await;
            let before = world.row("Booking__c", "Name", "BK-0042");
            world
                .sandbox
                .add_fault(salesforce("composite", FaultKind::Status).status(503));
            if lost {
                world
                    .sandbox
                    .add_fault(salesforce("composite", FaultKind::TimeoutAfterEffect).skip(2));
            }
            world.watched.blind_the_guard();
            let elsewhere = async {
                tokio::time::sleep(Duration::from_millis(200)).await;
                booked_elsewhere(&world, &room, TODAY, "2026-03-14").await;
            };
            // Another night as well: today she would have left.
            let input = json!({ "booking_number": "BK-0042", "room_number": room, "check_out_date": "2026-03-12" });
            let (moved, ()) =
                futures::join!(desk(&world, "manage_bookings", "m1", input), elsewhere);
            assert_eq!(
                moved.error(),
                Some(ErrorCode::RoomAlreadyBooked),
                "{}",
                moved.body(Persona::Staff)
            );
            assert!(world.rest(DAY).await);
            assert_eq!(world.only().state, State::Compensated);
            let after = world.row("Booking__c", "Name", "BK-0042");
            for field in [
                "Room__c",
                "Check_Out_Date__c",
                "Status__c",
                "Number_of_Guests__c",
            ] {
                assert_eq!(before[field], after[field], "{field}");
            }
            let beth = world.row("Contact", "Email", BETH);
            let old = world.row("Hotel_Room__c", "Room_Number__c", "302");
            assert_eq!(
                (&old["Status__c"], &old["Current_Guest__c"]),
                (&json!("Occupied"), &beth["Id"])
            );
            let new = world.row("Hotel_Room__c", "Room_Number__c", &room);
            assert_eq!(
                (&new["Status__c"], &new["Current_Guest__c"]),
                (&json!("Vacant"), &Value::Null)
            );
            assert_eq!(violations(&world), Vec::<String>::new());
        });
    }
}

/// Booked, and its number.
async fn booked(world: &World, room: &str, from: &str, to: &str) -> String {
    let answer = desk(
        world,
        "create_booking",
        &format!("{room}:{from}"),
        ada(room, from, to),
    )
    .await;
    data(&answer)["booking_number"].as_str().unwrap().to_owned()
}

#[test]
fn a_reservation_moves_to_other_nights_and_rooms_at_its_price() {
    on_virtual_time(async {
        let world = world();
        let room = free_room(&world).await;
        let number = booked(&world, &room, "2026-03-11", "2026-03-13").await;
        let two = world.row("Booking__c", "Name", &number);
        let sale = |world: &World, booking: &Value| {
            world.row(
                "Opportunity",
                "Id",
                booking["Opportunity__c"].as_str().unwrap(),
            )
        };
        let before = sale(&world, &two)["Amount"].as_f64().unwrap();
        let longer = json!({ "booking_number": number, "check_out_date": "2026-03-14" });
        let changed = data(&desk(&world, "manage_bookings", "m1", longer).await);
        assert_eq!(changed["changed"], json!(["check_out_date", "amount"]));
        let three = world.row("Booking__c", "Name", &number);
        assert_eq!(
            (&three["Status__c"], &three["Check_Out_Date__c"]),
            (&json!("Reserved"), &json!("2026-03-14"))
        );
        let opportunity = sale(&world, &three);
        assert!((opportunity["Amount"].as_f64().unwrap() - before * 1.5).abs() < 0.001);
        assert_eq!(
            (&opportunity["CloseDate"], &opportunity["Departure_Date__c"]),
            (&json!("2026-03-14"), &json!("2026-03-14"))
        );

        let taken = json!({ "booking_number": number, "room_number": "302" });
        let to_taken = desk(&world, "manage_bookings", "m2", taken).await;
        assert!(matches!(
            to_taken.error(),
            None | Some(ErrorCode::RoomAlreadyBooked)
        ));
        let suite = data(
            &ask(
                &world,
                "search_available_rooms",
                json!({ "check_in_date": "2026-03-11", "check_out_date": "2026-03-14", "room_type": "Suite" }),
            )
            .await,
        );
        let suite = &suite["rooms"][0];
        let moving = json!({ "booking_number": number, "room_number": suite["room_number"] });
        let moved = data(&desk(&world, "manage_bookings", "m3", moving).await);
        assert_eq!(moved["room_number"], suite["room_number"]);
        assert_eq!(moved["amount"], suite["total"], "a room has its own rate");
        let same = desk(
            &world,
            "manage_bookings",
            "m4",
            json!({ "booking_number": number, "room_number": suite["room_number"] }),
        )
        .await;
        assert_eq!(data(&same)["changed"], json!([]));
        assert_eq!(violations(&world), Vec::<String>::new());
    });
}

#[test]
fn an_edit_of_a_stay_leaves_it_checked_in_and_over_is_over() {
    on_virtual_time(async {
        let world = world();
        let edit = json!({ "booking_number": "BK-0042", "special_requests": "A cot, please" });
        let edited = data(&guest(&world, BETH, "manage_bookings", Some("m1"), edit).await);
        assert_eq!(edited["booking_status"], "Checked In");
        let row = world.row("Booking__c", "Name", "BK-0042");
        assert_eq!(
            (&row["Status__c"], &row["Special_Requests__c"]),
            (&json!("Checked In"), &json!("A cot, please"))
        );
        for (token, input) in [
            (
                "arrival",
                json!({ "booking_number": "BK-0042", "check_in_date": "2026-03-09" }),
            ),
            (
                "cancel",
                json!({ "booking_number": "BK-0042", "action": "cancel" }),
            ),
            (
                "move",
                json!({ "booking_number": "BK-0042", "room_number": "100" }),
            ),
        ] {
            let answer = guest(&world, BETH, "manage_bookings", Some(token), input).await;
            assert!(
                matches!(
                    answer.error(),
                    Some(ErrorCode::InvalidTransition | ErrorCode::RoomNotVacant)
                ),
                "{token}: {}",
                answer.body(Persona::Staff)
            );
        }
        assert_eq!(
            world.row("Booking__c", "Name", "BK-0042")["Status__c"],
            "Checked In"
        );
        let other = guest(
            &world,
            "sarah@example.com",
            "manage_bookings",
            Some("o"),
            json!({ "booking_number": "BK-0042", "special_requests": "mine" }),
        )
        .await;
        assert_eq!(
            other.error(),
            Some(ErrorCode::BookingNotFound),
            "somebody else's is none"
        );
        let theirs = guest(
            &world,
            BETH,
            "manage_bookings",
            Some("n"),
            json!({ "booking_number": "BK-0042", "action": "no_show" }),
        )
        .await;
        assert_eq!(
            theirs.error(),
            Some(ErrorCode::ValidationFailed),
            "guests have no such action"
        );
    });
}

#[test]
fn a_cancelled_booking_stays_cancelled() {
    on_virtual_time(async {
        let world = world();
        let room = free_room(&world).await;
        let number = booked(&world, &room, "2026-03-11", "2026-03-13").await;
        let cancel = json!({ "booking_number": number, "action": "cancel" });
        let cancelled = guest(
            &world,
            "ada@example.com",
            "manage_bookings",
            Some("c1"),
            cancel.clone(),
        )
        .await;
        assert_eq!(data(&cancelled)["booking_status"], "Cancelled");
        assert_eq!(data(&cancelled)["opportunity_stage"], "Closed Lost");
        let again = guest(
            &world,
            "ada@example.com",
            "manage_bookings",
            Some("c2"),
            cancel,
        )
        .await;
        assert_eq!(again.error(), Some(ErrorCode::InvalidTransition));
        let edit = json!({ "booking_number": number, "check_out_date": "2026-03-14" });
        assert_eq!(
            desk(&world, "manage_bookings", "c3", edit).await.error(),
            Some(ErrorCode::InvalidTransition)
        );
        assert_eq!(
            world.row("Booking__c", "Name", &number)["Status__c"],
            "Cancelled"
        );
        assert_eq!(
            booked(&world, &room, "2026-03-12", "2026-03-13")
                .await
                .len(),
            number.len(),
            "the nights are free again"
        );
    });
}

#[test]
fn a_no_show_is_one_from_the_day_after() {
    on_virtual_time(async {
        let world = world();
        let sandbox_ledger = world.sandbox_ledger();
        let late = sandbox_ledger
            .rows("Booking__c")
            .into_iter()
            .find(|b| b["Status__c"] == "Reserved" && b["Check_In_Date__c"] == "2026-03-09")
            .expect("the seed has a no-show of yesterday");
        let number = late["Name"].as_str().unwrap();
        let no_show = desk(
            &world,
            "manage_bookings",
            "n1",
            json!({ "booking_number": number, "action": "no_show" }),
        )
        .await;
        assert_eq!(data(&no_show)["booking_status"], "No Show");
        let room = free_room(&world).await;
        let today = booked(&world, &room, TODAY, "2026-03-12").await;
        let early = desk(
            &world,
            "manage_bookings",
            "n2",
            json!({ "booking_number": today, "action": "no_show" }),
        )
        .await;
        assert_eq!(early.error(), Some(ErrorCode::InvalidTransition));
    });
}

#[test]
fn a_guest_in_the_house_moves_with_both_rooms() {
    on_virtual_time(async {
        let world = world();
        let room = vacant_room(&world).await;
        let moved = data(
            &desk(
                &world,
                "manage_bookings",
                "m1",
                json!({ "booking_number": "BK-0042", "room_number": room }),
            )
            .await,
        );
        assert_eq!(moved["room_number"], room.as_str());
        let (old, new) = (
            world.row("Hotel_Room__c", "Room_Number__c", "302"),
            world.row("Hotel_Room__c", "Room_Number__c", &room),
        );
        let beth = world.row("Contact", "Email", BETH);
        assert_eq!(
            (&old["Status__c"], &old["Current_Guest__c"]),
            (&json!("Cleaning"), &Value::Null)
        );
        assert_eq!(
            (&new["Status__c"], &new["Current_Guest__c"]),
            (&json!("Occupied"), &beth["Id"])
        );
        assert_eq!(
            world.row("Booking__c", "Name", "BK-0042")["Room__c"],
            new["Id"]
        );
        assert_eq!(violations(&world), Vec::<String>::new());
    });
}

async fn vacant_room(world: &World) -> String {
    let found = data(
        &ask(
            world,
            "search_available_rooms",
            json!({ "check_in_date": TODAY, "check_out_date": "2026-03-24", "limit": 200 }),
        )
        .await,
    );
    let rooms = data(
        &ask(
            world,
            "search_rooms_on_behalf_of_staff",
            json!({ "status_filter": "Vacant", "limit": 200 }),
        )
        .await,
    );
    let vacant: Vec<_> = rooms["rooms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["room_number"].clone())
        .collect();
    let free = found["rooms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["room_number"].clone());
    free.into_iter()
        .find(|r| vacant.contains(r))
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_move_that_fails_half_way_is_known_in_the_end() {
    for kind in [
        FaultKind::TimeoutAfterEffect,
        FaultKind::TimeoutBeforeEffect,
        FaultKind::LateEffect,
    ] {
        on_virtual_time(async {
            let world = world();
            let room = vacant_room(&world).await;
            world
                .sandbox
                .add_fault(salesforce("composite", kind).ms(60_000));
            desk(
                &world,
                "manage_bookings",
                "m1",
                json!({ "booking_number": "BK-0042", "room_number": room }),
            )
            .await;
            assert!(world.rest(DAY).await);
            assert_eq!(world.only().state, State::Completed, "{kind:?}");
            let occupied = [&room, &"302".to_owned()]
                .map(|n| world.row("Hotel_Room__c", "Room_Number__c", n)["Status__c"].clone());
            assert_eq!(occupied, [json!("Occupied"), json!("Cleaning")]);
        });
    }
}

#[test]
fn requests_defects_and_cases_are_filed_once_and_worked_on() {
    on_virtual_time(async {
        let world = world();
        world
            .sandbox
            .add_fault(salesforce("composite", FaultKind::TimeoutAfterEffect));
        let wish = json!({ "type": "Housekeeping", "description": "Two more towels, please.\nLarge ones." });
        let filed = guest(
            &world,
            BETH,
            "submit_guest_service_request",
            Some("r1"),
            wish,
        )
        .await;
        assert_eq!(filed.status(), 201, "{}", filed.body(Persona::Guest));
        let filed = data(&filed);
        assert_eq!(
            (&filed["room_number"], &filed["subject"]),
            (&json!("302"), &json!("Two more towels, please."))
        );
        let number = filed["case_number"].as_str().unwrap().to_owned();
        let row = world.row("Case", "CaseNumber", &number);
        assert_eq!(
            row["Booking__c"],
            world.row("Booking__c", "Name", "BK-0042")["Id"]
        );
        assert_eq!(
            world
                .sandbox_ledger()
                .rows("Case")
                .iter()
                .filter(|c| c["Subject"] == "Two more towels, please.")
                .count(),
            1
        );

        let housekeeping = Caller::staff(
            "housekeeping@dewy.example",
            Role::Housekeeping,
            Interface::Mcp,
        );
        let work = async |token: &str, input: Value| {
            world
                .call(&housekeeping, "manage_cases", Some(token), input)
                .await
        };
        let closed = work("w0", json!({ "case_number": number, "status": "Closed" })).await;
        assert_eq!(closed.error(), Some(ErrorCode::InvalidTransition));
        assert_eq!(details(&closed)["allowed"], json!(["New", "In Progress"]));
        let taken = work(
            "w1",
            json!({ "case_number": number.trim_start_matches('0'), "status": "In Progress",
            "assignee": "housekeeping@dewy.example", "comment": "On my way." }),
        )
        .await;
        assert_eq!(data(&taken)["case_status"], "In Progress");
        assert_eq!(
            data(&work("w2", json!({ "case_number": number, "status": "Closed" })).await)["case_status"],
            "Closed"
        );
        assert_eq!(
            data(
                &work(
                    "w3",
                    json!({ "case_number": number, "status": "In Progress" })
                )
                .await
            )["case_status"],
            "In Progress"
        );
        let listed = data(
            &world
                .call(
                    &housekeeping,
                    "search_cases_on_behalf_of_staff",
                    None,
                    json!({ "status_filter": "In Progress", "room_number": "302" }),
                )
                .await,
        );
        let case = &listed["cases"][0];
        assert_eq!(
            (&case["case_number"], &case["assignee"]),
            (&json!(number), &json!("housekeeping@dewy.example"))
        );
        assert_eq!(case["comments"][0]["body"], "On my way.");
        let mine = data(
            &guest(
                &world,
                BETH,
                "search_cases_on_behalf_of_guest",
                None,
                json!({}),
            )
            .await,
        );
        assert!(
            mine["cases"]
                .as_array()
                .unwrap()
                .iter()
                .any(|c| c["case_number"] == number.as_str())
        );
        assert!(
            mine["cases"]
                .as_array()
                .unwrap()
                .iter()
                .all(|c| c.get("assignee").is_none())
        );
        let new = work(
            "w4",
            json!({ "type": "Facilities", "subject": "Lift squeaks" }),
        )
        .await;
        assert_eq!(
            (new.status(), data(&new)["case_status"].clone()),
            (201, json!("New"))
        );
        assert_eq!(
            work(
                "w5",
                json!({ "case_number": "99999999", "status": "Closed" })
            )
            .await
            .error(),
            Some(ErrorCode::CaseNotFound)
        );
    });
}

#[test]
fn a_case_is_found_by_its_number_however_many_came_after_it() {
    on_virtual_time(async {
        let world = world();
        let search = "search_cases_on_behalf_of_staff";
        let old = json!({ "type": "Facilities", "subject": "The lift squeaks" });
        let old = data(&desk(&world, "manage_cases", "c1", old).await)["case_number"]
            .as_str()
            .unwrap()
            .to_owned();
        for (token, status) in [("c2", "In Progress"), ("c3", "Closed")] {
            data(
                &desk(
                    &world,
                    "manage_cases",
                    token,
                    json!({ "case_number": old, "status": status }),
                )
                .await,
            );
        }
        let later = |n: usize| json!({ "attributes": { "type": "Case" }, "Subject": format!("Towels {n}"), "Status": "New" });
        let program = Elsewhere::signed_in(&world).await;
        for _ in 0..2 {
            program.make_many((0..105).map(later).collect()).await;
        }
        let newest = data(
            &ask(
                &world,
                search,
                json!({ "status_filter": "All", "limit": 200 }),
            )
            .await,
        );
        assert_eq!(newest["cut"], true);
        assert!(
            newest["cases"]
                .as_array()
                .unwrap()
                .iter()
                .all(|case| case["case_number"] != old.as_str())
        );
        for number in [old.as_str(), old.trim_start_matches('0')] {
            let found = data(&ask(&world, search, json!({ "case_number": number })).await);
            assert_eq!(
                (&found["cases"][0]["case_number"], &found["cut"]),
                (&json!(old), &json!(false))
            );
            assert_eq!(found["cases"].as_array().map(Vec::len), Some(1));
        }
        let open = data(
            &ask(
                &world,
                search,
                json!({ "case_number": old, "status_filter": "Open" }),
            )
            .await,
        );
        assert_eq!(open["cases"], json!([]), "a filter that is given must fit");
        let wrong = ask(&world, search, json!({ "case_number": "BK-0042" })).await;
        assert_eq!(wrong.error(), Some(ErrorCode::ValidationFailed));
    });
}

#[test]
fn a_comment_whose_answer_is_lost_is_said_once() {
    for kind in [
        FaultKind::TimeoutAfterEffect,
        FaultKind::TimeoutBeforeEffect,
        FaultKind::LateEffect,
    ] {
        on_virtual_time(async {
            let world = world();
            let case = world
                .sandbox_ledger()
                .rows("Case")
                .into_iter()
                .find(|c| c["Status"] == "In Progress")
                .unwrap();
            world
                .sandbox
                .add_fault(salesforce("composite", kind).ms(60_000));
            let input =
                json!({ "case_number": case["CaseNumber"], "comment": "Parts are ordered." });
            desk(&world, "manage_cases", "w1", input).await;
            assert!(world.rest(DAY).await);
            let said = world
                .sandbox_ledger()
                .rows("CaseComment")
                .iter()
                .filter(|c| c["CommentBody"] == "Parts are ordered.")
                .count();
            assert_eq!(
                (world.only().state, said),
                (State::Completed, 1),
                "{kind:?}"
            );
        });
    }
}

#[test]
fn rooms_change_their_status_as_the_table_says() {
    on_virtual_time(async {
        let world = world();
        let housekeeping = Caller::staff(
            "housekeeping@dewy.example",
            Role::Housekeeping,
            Interface::Mcp,
        );
        let set = async |token: &str, room: &str, status: &str| {
            let input = json!({ "room_number": room, "status": status });
            world
                .call(&housekeeping, "set_room_status", Some(token), input)
                .await
        };
        let dirty = data(
            &ask(
                &world,
                "search_rooms_on_behalf_of_staff",
                json!({ "status_filter": "Cleaning" }),
            )
            .await,
        );
        let dirty = dirty["rooms"][0]["room_number"]
            .as_str()
            .unwrap()
            .to_owned();
        assert_eq!(
            set("s1", &dirty, "Maintenance").await.error(),
            Some(ErrorCode::InvalidTransition)
        );
        assert_eq!(
            data(&set("s2", &dirty, "Vacant").await)["room_status"],
            "Vacant"
        );
        assert_eq!(
            data(&set("s3", &dirty, "Vacant").await)["note"],
            "It was so already."
        );
        assert_eq!(
            set("s4", "302", "Cleaning").await.error(),
            Some(ErrorCode::RoomOccupied)
        );
        assert_eq!(
            set("s5", "999", "Cleaning").await.error(),
            Some(ErrorCode::RoomNotFound)
        );
        assert_eq!(
            set("s6", &dirty, "Occupied").await.error(),
            Some(ErrorCode::ValidationFailed)
        );
        let defect = json!({ "room_number": dirty, "description": "The window does not close", "take_out_of_service": true });
        let reported = data(
            &world
                .call(
                    &housekeeping,
                    "submit_maintenance_request",
                    Some("d1"),
                    defect,
                )
                .await,
        );
        assert_eq!(
            (&reported["room_status"], &reported["type"]),
            (&json!("Out of Service"), &json!("Maintenance"))
        );
        let occupied =
            json!({ "room_number": "302", "description": "Leak", "take_out_of_service": true });
        let refused = world
            .call(
                &housekeeping,
                "submit_maintenance_request",
                Some("d2"),
                occupied,
            )
            .await;
        assert_eq!(refused.error(), Some(ErrorCode::RoomOccupied));
        let free = data(
            &ask(
                &world,
                "search_available_rooms",
                json!({ "check_in_date": "2026-03-20", "check_out_date": "2026-03-21", "limit": 200 }),
            )
            .await,
        );
        assert!(
            free["rooms"]
                .as_array()
                .unwrap()
                .iter()
                .all(|r| r["room_number"] != dirty.as_str()),
            "it cannot be let"
        );
        assert_eq!(violations(&world), Vec::<String>::new());
    });
}

#[test]
fn guests_are_found_by_whatever_is_in_hand_and_made_once() {
    on_virtual_time(async {
        let world = world();
        let phone = world.row("Contact", "Email", BETH)["Phone"]
            .as_str()
            .unwrap()
            .to_owned();
        for query in [
            "Gibbs",
            "beth gib",
            BETH,
            "beth.gibbs@",
            "302",
            "BK-0042",
            &phone,
            phone.get(5..).unwrap(),
        ] {
            let found = data(&ask(&world, "search_guests", json!({ "query": query })).await);
            let emails: Vec<_> = found["guests"]
                .as_array()
                .unwrap()
                .iter()
                .map(|g| g["guest_email"].clone())
                .collect();
            assert!(emails.contains(&json!(BETH)), "{query}: {emails:?}");
        }
        let quoted = data(&ask(&world, "search_guests", json!({ "query": "O'Brien" })).await);
        assert_eq!(quoted["guests"].as_array().unwrap().len(), 1);
        let wild = data(&ask(&world, "search_guests", json!({ "query": "%" })).await);
        assert_eq!(wild["guests"], json!([]), "a wild card is a letter");
        let all = data(&ask(&world, "search_guests", json!({ "query": "e", "limit": 2 })).await);
        assert_eq!(
            (
                all["guests"].as_array().unwrap().len(),
                all["cut"].as_bool()
            ),
            (2, Some(true))
        );

        let ada =
            json!({ "email": "Ada@Example.com", "first_name": "Ada", "last_name": "Lovelace" });
        world
            .sandbox
            .add_fault(salesforce("create", FaultKind::TimeoutAfterEffect));
        let made = desk(&world, "create_contact_if_not_found", "c1", ada.clone()).await;
        assert_eq!(
            (made.status(), data(&made)["created"].clone()),
            (201, json!(true))
        );
        let found = desk(&world, "create_contact_if_not_found", "c2", ada).await;
        assert_eq!(
            (found.status(), data(&found)["created"].clone()),
            (200, json!(false))
        );
        assert_eq!(
            world
                .sandbox_ledger()
                .rows("Contact")
                .iter()
                .filter(|c| c["Email"] == "ada@example.com")
                .count(),
            1
        );
    });
}

#[test]
fn guests_see_their_own_stays_only() {
    on_virtual_time(async {
        let world = world();
        let mine = data(
            &guest(
                &world,
                BETH,
                "search_rooms_on_behalf_of_guest",
                None,
                json!({}),
            )
            .await,
        );
        assert_eq!(mine["stays"].as_array().unwrap().len(), 1);
        assert_eq!(mine["stays"][0]["room_number"], "302");
        for name in ["guest_email", "guest_name", "room_status"] {
            assert!(mine["stays"][0].get(name).is_none(), "{name}");
        }
        let upcoming = data(
            &guest(
                &world,
                "sarah@example.com",
                "search_rooms_on_behalf_of_guest",
                None,
                json!({ "filter": "upcoming" }),
            )
            .await,
        );
        assert_eq!(upcoming["stays"][0]["room_number"], "205");
        let none = data(
            &guest(
                &world,
                "sarah@example.com",
                "search_rooms_on_behalf_of_guest",
                None,
                json!({}),
            )
            .await,
        );
        assert_eq!(none["stays"], json!([]));
        let bookings = data(&guest(&world, BETH, "search_bookings", None, json!({})).await);
        assert!(
            bookings["bookings"]
                .as_array()
                .unwrap()
                .iter()
                .all(|b| b.get("guest_email").is_none())
        );
        let other = guest(
            &world,
            BETH,
            "search_bookings",
            None,
            json!({ "guest_email": "sarah@example.com" }),
        )
        .await;
        assert_eq!(other.error(), Some(ErrorCode::NotYourStay));
        let arrivals = data(
            &ask(
                &world,
                "search_bookings",
                json!({ "status": "Reserved", "from_date": TODAY, "to_date": TODAY, "limit": 200 }),
            )
            .await,
        );
        assert!(
            arrivals["bookings"]
                .as_array()
                .unwrap()
                .iter()
                .any(|b| b["guest_email"] == "sarah@example.com")
        );
        let few = data(&ask(&world, "search_bookings", json!({ "limit": 2 })).await);
        assert_eq!(
            (
                few["bookings"].as_array().unwrap().len(),
                few["cut"].as_bool()
            ),
            (2, Some(true))
        );
    });
}
