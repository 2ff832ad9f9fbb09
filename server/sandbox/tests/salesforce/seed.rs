//! The seed data is consistent.

use std::collections::{BTreeMap, BTreeSet};

use crate::org_client::{OrgClient, TODAY, items, text_of};
use dewy_sandbox::salesforce::Org;
use serde_json::Value;

fn cents(value: &Value) -> i64 {
    let text = value.to_string();
    let (whole, fraction) = text.split_once('.').unwrap();
    whole.parse::<i64>().unwrap() * 100 + format!("{fraction:0<2}").parse::<i64>().unwrap()
}

fn rows<'a>(state: &'a Value, object: &str) -> &'a Vec<Value> {
    items(&state[object])
}

fn by_id<'a>(state: &'a Value, object: &str) -> BTreeMap<&'a str, &'a Value> {
    rows(state, object)
        .iter()
        .map(|r| (r["Id"].as_str().unwrap(), r))
        .collect()
}

fn day(value: &Value) -> jiff::civil::Date {
    value.as_str().unwrap().parse().unwrap()
}

#[test]
fn rooms_and_bookings_agree() {
    let state = Org::seeded(1, TODAY).state();
    assert_eq!(rows(&state, "Hotel_Room__c").len(), 44);
    for room in rows(&state, "Hotel_Room__c") {
        let mine = |b: &&Value| b["Room__c"] == room["Id"];
        let inside: Vec<&Value> = rows(&state, "Booking__c")
            .iter()
            .filter(mine)
            .filter(|b| b["Status__c"] == "Checked In")
            .collect();
        if room["Status__c"] == "Occupied" {
            assert_eq!(inside.len(), 1, "{}", room["Name"]);
            assert_eq!(inside[0]["Primary_Guest__c"], room["Current_Guest__c"]);
        } else {
            assert!(
                inside.is_empty() && room["Current_Guest__c"].is_null(),
                "{}",
                room["Name"]
            );
        }
        let mut nights = BTreeSet::new();
        for booking in rows(&state, "Booking__c")
            .iter()
            .filter(mine)
            .filter(|b| b["Status__c"] != "Cancelled" && b["Status__c"] != "No Show")
        {
            let mut night = day(&booking["Check_In_Date__c"]);
            while night < day(&booking["Check_Out_Date__c"]) {
                assert!(nights.insert(night), "{} twice on {night}", room["Name"]);
                night = night.tomorrow().unwrap();
            }
            assert!(
                cents(&booking["Number_of_Guests__c"]) <= cents(&room["Max_Occupancy__c"]),
                "{}",
                booking["Name"]
            );
        }
    }
}

#[test]
fn opportunities_agree_with_their_bookings() {
    let state = Org::seeded(1, TODAY).state();
    let rooms = by_id(&state, "Hotel_Room__c");
    let mut shared = Vec::new();
    for opportunity in rows(&state, "Opportunity") {
        let bookings: Vec<&Value> = rows(&state, "Booking__c")
            .iter()
            .filter(|b| b["Opportunity__c"] == opportunity["Id"])
            .collect();
        let amount: i64 = bookings
            .iter()
            .map(|b| {
                cents(&b["Total_Nights__c"]) / 100
                    * cents(&rooms[b["Room__c"].as_str().unwrap()]["Nightly_Rate__c"])
            })
            .sum();
        assert_eq!(
            cents(&opportunity["Amount"]),
            amount,
            "{}",
            opportunity["Name"]
        );
        assert_eq!(opportunity["CloseDate"], bookings[0]["Check_Out_Date__c"]);
        for booking in &bookings {
            let stage = match booking["Status__c"].as_str().unwrap() {
                "Reserved" => "Booking Confirmed",
                "Checked In" => "Checked In",
                "Checked Out" => "Closed Won",
                _ => "Closed Lost",
            };
            assert_eq!(opportunity["StageName"], stage, "{}", booking["Name"]);
        }
        let payments = rows(&state, "Payment_Transaction__c")
            .iter()
            .filter(|p| p["Opportunity__c"] == opportunity["Id"]);
        let paid: i64 = payments
            .filter(|p| p["Transaction_Type__c"] == "Payment")
            .map(|p| cents(&p["Amount__c"]))
            .sum();
        assert_eq!(
            paid,
            if opportunity["StageName"] == "Closed Won" {
                amount
            } else {
                0
            }
        );
        if bookings.len() != 1 {
            shared.push((text_of(&opportunity["Name"]), bookings.len()));
        }
    }
    assert_eq!(shared, [("James Brown – Rooms 401 and 402".to_owned(), 2)]);
    for booking in rows(&state, "Booking__c")
        .iter()
        .filter(|b| b["Status__c"] == "Reserved")
    {
        let late = day(&booking["Check_In_Date__c"]) < TODAY;
        assert_eq!(
            late,
            booking["Name"] == "BK-0021",
            "only yesterday's no-show is overdue"
        );
    }
}

#[test]
fn the_named_guests_are_there() {
    let mut desk = OrgClient::open();
    for (email, room, status, arrives, room_status) in [
        (
            "beth.gibbs@email.com",
            "302",
            "Checked In",
            "2026-03-08",
            "Occupied",
        ),
        (
            "sarah@example.com",
            "205",
            "Reserved",
            "2026-03-10",
            "Vacant",
        ),
        (
            "wei.chen@example.com",
            "102",
            "Checked In",
            "2026-03-09",
            "Occupied",
        ),
        (
            "wei.chen@example.com",
            "103",
            "Checked In",
            "2026-03-09",
            "Occupied",
        ),
        (
            "nora.o\\'brien@example.com",
            "104",
            "Checked In",
            "2026-03-08",
            "Occupied",
        ),
        (
            "grace.kim@example.com",
            "206",
            "Reserved",
            "2026-03-10",
            "Cleaning",
        ),
        (
            "henrik.larsen@example.com",
            "203",
            "Checked In",
            "2026-03-07",
            "Occupied",
        ),
    ] {
        let stay = desk.one(&format!(
            "SELECT Status__c, Check_In_Date__c, Room__r.Status__c FROM Booking__c WHERE Primary_Guest__r.Email = '{email}' \
             AND Room__r.Room_Number__c = '{room}'"
        ));
        assert_eq!(stay["Status__c"], status, "{email}");
        assert_eq!(stay["Check_In_Date__c"], arrives, "{email}");
        assert_eq!(stay["Room__r"]["Status__c"], room_status, "{email}");
    }
    let beth = desk.one(
        "SELECT Check_Out_Date__c, Opportunity__r.Amount FROM Booking__c WHERE Name = 'BK-0042'",
    );
    assert_eq!(beth["Check_Out_Date__c"], "2026-03-10");
    assert_eq!(cents(&beth["Opportunity__r"]["Amount"]), 25_000);
    let charge =
        desk.one("SELECT Amount__c, Status__c FROM Payment_Transaction__c WHERE Transaction_Type__c = 'Charge'");
    assert_eq!(
        (cents(&charge["Amount__c"]), charge["Status__c"].as_str()),
        (4_250, Some("Pending"))
    );
    for role in ["manager", "frontdesk", "housekeeping", "maintenance"] {
        desk.one(&format!(
            "SELECT Id FROM Contact WHERE Email = '{role}@dewy.example'"
        ));
    }
    for contact in desk.records("SELECT Email, Phone FROM Contact") {
        let (email, phone) = (
            contact["Email"].as_str().unwrap(),
            contact["Phone"].as_str().unwrap(),
        );
        assert_eq!(email, email.to_lowercase());
        // As people type them: with or without the country code, in any common format.
        let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
        let national = digits
            .strip_prefix('1')
            .filter(|rest| rest.len() == 10)
            .unwrap_or(&digits);
        assert!(
            national.len() == 10 && national.starts_with("21255501"),
            "{phone}"
        );
    }
    assert!(
        desk.records("SELECT Id FROM Case WHERE IsClosed = false")
            .len()
            >= 3
    );
}

#[test]
fn equal_seeds_make_equal_orgs() {
    assert_eq!(Org::seeded(7, TODAY).state(), Org::seeded(7, TODAY).state());
    assert_ne!(Org::seeded(7, TODAY).state(), Org::seeded(8, TODAY).state());
    for start in ["2024-02-29", "2026-01-01", "2026-12-31"] {
        assert_eq!(
            rows(
                &Org::seeded(1, start.parse().unwrap()).state(),
                "Booking__c"
            )
            .len(),
            48
        );
    }
}
