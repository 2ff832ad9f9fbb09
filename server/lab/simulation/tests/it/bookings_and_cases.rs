//! Scenarios of rooms, bookings, cases and guests: booked once, changed safely, and found again.

mod booking_changes;
mod cases;
mod new_bookings;
mod night;
mod room_status_and_guest_search;

use dewy_sandbox::salesforce::TimestampPrecision;
use futures::future::join_all;

use crate::prelude::*;

/// Date of the seed, and the following ones.
const TODAY: &str = "2026-03-10";

fn data(answer: &ToolAnswer) -> Value {
    assert_eq!(answer.error(), None, "{}", answer.body(Persona::Staff));
    answer.body(Persona::Staff)["data"].clone()
}

fn details(answer: &ToolAnswer) -> Value {
    answer.body(Persona::Staff)["details"].clone()
}

fn ada(room: &str, from: &str, to: &str) -> Value {
    json!({ "guest_email": "ada@example.com", "guest_first_name": "Ada", "guest_last_name": "Lovelace",
        "room_number": room, "check_in_date": from, "check_out_date": to })
}

/// Live bookings of a room.
fn bookings(hotel: &SimulatedHotel, room: &str) -> Vec<Value> {
    let room = hotel.room(room);
    let live = |b: &Value| matches!(b["Status__c"].as_str(), Some("Reserved" | "Checked In"));
    hotel
        .records("Booking__c")
        .into_iter()
        .filter(|b| b["Room__c"] == room["Id"] && live(b))
        .collect()
}

/// Room without bookings for two weeks, by number.
async fn free_room(hotel: &SimulatedHotel) -> String {
    let found = hotel
        .front_desk(
            "search_available_rooms",
            None,
            json!({ "check_in_date": TODAY, "check_out_date": "2026-03-24", "limit": 1 }),
        )
        .await;
    data(&found)["rooms"][0]["room_number"]
        .as_str()
        .expect("a room is free")
        .to_owned()
}

/// Another program that writes to the same org.
struct OtherProgram {
    transport: Arc<dyn Transport>,
    token: Option<String>,
}

impl OtherProgram {
    async fn signed_in(hotel: &SimulatedHotel) -> Self {
        let mut program = Self {
            transport: Arc::new(hotel.sandbox.clone()),
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
        program.token = Some(text_of(&answer["access_token"]));
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
            items(&made).iter().all(|one| one["success"] == true),
            "{made}"
        );
    }
}

/// Another program creates a booking.
async fn booked_elsewhere(hotel: &SimulatedHotel, room: &str, from: &str, to: &str) {
    let program = OtherProgram::signed_in(hotel).await;
    let wei = hotel.contact("wei.chen@example.com");
    let room = hotel.room(room);
    let opportunity = json!({ "Name": "Elsewhere", "StageName": "Booking Confirmed", "Amount": 100, "CloseDate": to });
    let opportunity = program.make("Opportunity", opportunity).await;
    let booking = json!({ "Opportunity__c": opportunity, "Primary_Guest__c": wei["Id"], "Room__c": room["Id"],
        "Check_In_Date__c": from, "Check_Out_Date__c": to, "Status__c": "Reserved", "Number_of_Guests__c": 1 });
    program.make("Booking__c", booking).await;
}
