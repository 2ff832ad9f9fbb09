//! Guests who are in the house: made in Salesforce by another program of the hotel, each with a room and a folio of their own.

use anyhow::{Context, ensure};
use dewy_domain::ports::Clock;
use dewy_server::world::RealClock;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::{dice::Dice, house::House};

/// A stay that can be checked out.
#[derive(Clone, Debug)]
pub struct Stay {
    /// The guest.
    pub email: String,
    /// The room's number.
    pub room: String,
    /// What is owed.
    pub cents: u64,
}

/// Makes so many more, numbered from `from`.
pub async fn make(house: &House, dice: &mut Dice, from: usize, count: usize) -> anyhow::Result<Vec<Stay>> {
    let mut stays = Vec::new();
    for n in from..from + count {
        stays.push(Stay {
            email: format!("guest{n}@load.example"),
            room: format!("K{n}"),
            cents: dice.between(5_000, 90_000),
        });
    }
    let session = house.wire.session(&house.sandbox.url).await?;
    let today = RealClock.now().to_zoned(TimeZone::UTC).date().to_string();
    let contacts = create(house, &session, "Contact", &stays, |stay, _| {
        json!({ "LastName": stay.email, "Email": stay.email, "Unique_Email__c": stay.email, "Contact_Type__c": "Guest" })
    }, &[]).await?;
    let rooms = create(house, &session, "Hotel_Room__c", &stays, |stay, of| {
        json!({ "Name": stay.room, "Room_Number__c": stay.room, "Status__c": "Occupied", "Current_Guest__c": of[0] })
    }, &[&contacts]).await?;
    let opportunities = create(
        house,
        &session,
        "Opportunity",
        &stays,
        |stay, _| {
            let amount = serde_json::from_str::<Value>(&format!("{}.{:02}", stay.cents / 100, stay.cents % 100))
                .unwrap_or(Value::Null);
            json!({ "Name": stay.email, "StageName": "Checked In", "Amount": amount, "CloseDate": today })
        },
        &[],
    )
    .await?;
    create(
        house,
        &session,
        "Booking__c",
        &stays,
        |_, of| {
            json!({
                "Primary_Guest__c": of[0], "Room__c": of[1], "Opportunity__c": of[2], "Status__c": "Checked In",
                "Check_In_Date__c": today, "Check_Out_Date__c": today, "Number_of_Guests__c": 1,
            })
        },
        &[&contacts, &rooms, &opportunities],
    )
    .await?;
    Ok(stays)
}

/// Creates one record for each stay; `of` are the ids made before for the same stay. Answers the new ids.
async fn create(
    house: &House,
    session: &str,
    object: &str,
    stays: &[Stay],
    fields: impl Fn(&Stay, &[&str]) -> Value,
    before: &[&[String]],
) -> anyhow::Result<Vec<String>> {
    let url = format!("{}/services/data/v62.0/composite/sobjects", house.sandbox.url);
    let mut ids = Vec::new();
    for (chunk, part) in stays.chunks(200).enumerate() {
        let mut records = Vec::new();
        for (n, stay) in part.iter().enumerate() {
            let of: Vec<&str> = before.iter().filter_map(|b| b.get(chunk * 200 + n)).map(String::as_str).collect();
            let mut record = fields(stay, &of);
            record["attributes"] = json!({ "type": object });
            records.push(record);
        }
        let made =
            house.wire.ask("POST", &url, session, Some(&json!({ "allOrNone": true, "records": records }))).await?;
        for one in made.as_array().context("a list of results")? {
            ensure!(one["success"] == true, "no {object}: {one}");
            ids.push(one["id"].as_str().context("an id")?.to_owned());
        }
    }
    Ok(ids)
}
