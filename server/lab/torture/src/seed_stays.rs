//! Guests with stays: created in Salesforce by another program of the hotel, each with its own room
//! and folio.

use anyhow::{Context, ensure};
use dewy_connectors::RealClock;
use dewy_domain::ports::Clock;
use fastrand::Rng;
use jiff::{ToSpan, tz::TimeZone};
use serde_json::{Value, json};

use crate::test_server::TestServer;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reserved from today, and the room is ready.
    Arriving,
    /// Reserved from today, and the room is not ready.
    NotReady,
    /// Checked in.
    InHouse,
    /// Checked out and paid.
    Gone,
}

impl Stage {
    /// Statuses of booking, room and opportunity in this stage.
    const fn statuses(self) -> [&'static str; 3] {
        match self {
            Self::Arriving => ["Reserved", "Vacant", "Booking Confirmed"],
            Self::NotReady => ["Reserved", "Cleaning", "Booking Confirmed"],
            Self::InHouse => ["Checked In", "Occupied", "Checked In"],
            Self::Gone => ["Checked Out", "Cleaning", "Closed Won"],
        }
    }
}

#[derive(Clone, Debug)]
pub struct Stay {
    pub email: String,
    pub phone: String,
    pub room: String,
    /// Balance, as far as its callers know.
    pub cents: u64,
    pub stage: Stage,
}

impl Stay {
    /// The `n`th guest with this letter.
    pub fn new(letter: char, n: usize, cents: u64, stage: Stage) -> Self {
        let area = match letter {
            'K' => 2,
            'Q' => 3,
            _ => 7,
        };
        Self {
            email: format!("guest-{letter}{n}@load.example").to_lowercase(),
            phone: format!("+1212{area}{n:06}"),
            room: format!("{letter}{n}"),
            cents,
            stage,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct StayIds {
    pub booking: String,
    pub opportunity: String,
}

/// Draws this many further stays with this letter, numbered from `from`, and creates them.
pub async fn make(
    server: &TestServer,
    rng: &mut Rng,
    letter: char,
    from: usize,
    count: usize,
) -> anyhow::Result<Vec<Stay>> {
    let mut stays = Vec::new();
    for n in from..from + count {
        let stage = match rng.u64(1..=100) {
            1..=38 => Stage::Arriving,
            39..=42 => Stage::NotReady,
            _ => Stage::InHouse,
        };
        stays.push(Stay::new(letter, n, rng.u64(5_000..=90_000), stage));
    }
    create(server, &stays).await?;
    Ok(stays)
}

pub async fn create(server: &TestServer, stays: &[Stay]) -> anyhow::Result<Vec<StayIds>> {
    let session = server.wire.session(&server.upstream.url).await?;
    let today = RealClock.now().to_zoned(TimeZone::UTC).date();
    let tomorrow = today.checked_add(1.day())?;
    let contacts = records(server, &session, "Contact", stays, &[], |stay, _| {
        json!({ "LastName": stay.email, "Email": stay.email, "Unique_Email__c": stay.email, "Contact_Type__c": "Guest",
            "Phone": stay.phone })
    })
    .await?;
    let rooms = records(server, &session, "Hotel_Room__c", stays, &[&contacts], |stay, of| {
        let guest = (stay.stage == Stage::InHouse).then_some(of[0]);
        json!({ "Name": stay.room, "Room_Number__c": stay.room, "Status__c": stay.stage.statuses()[1], "Current_Guest__c": guest })
    })
    .await?;
    let opportunities = records(server, &session, "Opportunity", stays, &[], |stay, _| {
        json!({ "Name": stay.email, "StageName": stay.stage.statuses()[2], "Amount": dollars(stay.cents), "CloseDate": today })
    })
    .await?;
    let bookings = records(server, &session, "Booking__c", stays, &[&contacts, &rooms, &opportunities], |stay, of| {
        let until = if stay.stage.statuses()[0] == "Reserved" { tomorrow } else { today };
        json!({
            "Primary_Guest__c": of[0], "Room__c": of[1], "Opportunity__c": of[2], "Status__c": stay.stage.statuses()[0],
            "Check_In_Date__c": today, "Check_Out_Date__c": until, "Number_of_Guests__c": 1,
        })
    })
    .await?;
    Ok(bookings
        .into_iter()
        .zip(opportunities)
        .map(|(booking, opportunity)| StayIds {
            booking,
            opportunity,
        })
        .collect())
}

pub async fn empty_rooms(server: &TestServer, numbers: &[String]) -> anyhow::Result<()> {
    let session = server.wire.session(&server.upstream.url).await?;
    records(server, &session, "Hotel_Room__c", numbers, &[], |number, _| {
        json!({ "Name": number, "Room_Number__c": number, "Room_Type__c": "Standard", "Status__c": "Vacant",
            "Nightly_Rate__c": 120, "Max_Occupancy__c": 2, "Floor__c": 1 })
    })
    .await
    .map(drop)
}

/// Decimal dollars, as in Salesforce.
pub fn dollars(cents: u64) -> Value {
    serde_json::from_str(&format!("{}.{:02}", cents / 100, cents % 100)).unwrap_or(Value::Null)
}

/// Creates one record for each stay; `of` are the ids created before for the same stay. Returns the
/// new ids.
pub async fn records<T>(
    server: &TestServer,
    session: &str,
    object: &str,
    items: &[T],
    before: &[&[String]],
    fields: impl Fn(&T, &[&str]) -> Value,
) -> anyhow::Result<Vec<String>> {
    let url = format!(
        "{}/services/data/v62.0/composite/sobjects",
        server.upstream.url
    );
    let mut ids = Vec::new();
    for (chunk, part) in items.chunks(200).enumerate() {
        let mut records = Vec::new();
        for (n, item) in part.iter().enumerate() {
            let of: Vec<&str> = before
                .iter()
                .filter_map(|b| b.get(chunk * 200 + n))
                .map(String::as_str)
                .collect();
            let mut record = fields(item, &of);
            record["attributes"] = json!({ "type": object });
            records.push(record);
        }
        let made = server
            .wire
            .send_successfully(
                "POST",
                &url,
                session,
                Some(&json!({ "allOrNone": true, "records": records })),
            )
            .await?;
        for one in made.as_array().context("a list of results")? {
            ensure!(one["success"] == true, "no {object}: {one}");
            ids.push(one["id"].as_str().context("an id")?.to_owned());
        }
    }
    Ok(ids)
}
