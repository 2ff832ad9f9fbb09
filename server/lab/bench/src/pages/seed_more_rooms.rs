//! A larger hotel: the rooms of the demo and their stays again and again.

use anyhow::Context;
use serde_json::{Value, json};

use crate::support::test_server::TestServer;

/// Fields of a room besides its number.
const ROOM: [&str; 6] = [
    "Room_Type__c",
    "Nightly_Rate__c",
    "Bed_Configuration__c",
    "Max_Occupancy__c",
    "View_Type__c",
    "Status__c",
];
/// Fields of a stay besides its room.
const STAY: [&str; 6] = [
    "Opportunity__c",
    "Primary_Guest__c",
    "Check_In_Date__c",
    "Check_Out_Date__c",
    "Number_of_Guests__c",
    "Status__c",
];

/// Adds rooms until there are so many, each with the stays of the room that it copies.
pub async fn add(server: &TestServer, count: usize) -> anyhow::Result<()> {
    let state = server.state().await?;
    let rows = |object: &str| {
        state["salesforce"][object]
            .as_array()
            .cloned()
            .unwrap_or_default()
    };
    let (rooms, stays) = (rows("Hotel_Room__c"), rows("Booking__c"));
    for (n, room) in (0..count.saturating_sub(rooms.len())).zip(rooms.iter().cycle()) {
        let number = (1000 + n).to_string();
        let mut fields = copied(room, &ROOM);
        fields["Name"] = json!(format!("Room {number}"));
        fields["Room_Number__c"] = json!(number);
        fields["Floor__c"] = json!(10);
        let id = server.create("Hotel_Room__c", &fields).await?;
        for stay in stays.iter().filter(|stay| stay["Room__c"] == room["Id"]) {
            let mut fields = copied(stay, &STAY);
            fields["Room__c"] = json!(id);
            let made = server.create("Booking__c", &fields).await;
            made.with_context(|| fields.to_string())?;
        }
    }
    Ok(())
}

fn copied(row: &Value, fields: &[&str]) -> Value {
    let pairs = fields
        .iter()
        .map(|name| ((*name).to_owned(), row[*name].clone()));
    Value::Object(pairs.collect())
}
