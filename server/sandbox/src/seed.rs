//! Seed data of the hotel: rooms, people, stays and open items, as tables relative to the seed day.

mod cases;
mod people;
mod rooms;
mod stays;

use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use serde_json::{Value, json};

use crate::salesforce::Org;
use stays::{Status, Stay};

impl Org {
    /// The hotel's org at the start of `today`. Equal seeds make equal orgs.
    #[must_use]
    pub fn seeded(seed: u64, today: jiff::civil::Date) -> Self {
        let mut org = Self::default();
        plant(&mut org, seed, today);
        org.meta_dirty = true;
        org
    }
}

/// Fills an empty org. All records are created at 9:00 on the previous day.
#[expect(
    clippy::expect_used,
    reason = "the tables below break no rule of the org; the tests hold them to it"
)]
fn plant(org: &mut Org, seed: u64, today: Date) {
    Seeder::new(org, seed, today)
        .and_then(Seeder::plant)
        .expect("the seed's tables fit the org");
}

/// Records created so far, by their names in the tables.
struct Seeder<'a> {
    org: &'a mut Org,
    today: Date,
    at: Timestamp,
    /// Account and contact of a person, by full name.
    people: BTreeMap<String, (String, String)>,
    /// Id by room number.
    rooms: BTreeMap<String, String>,
    /// Id of the current booking of a room.
    in_house: BTreeMap<&'static str, String>,
}

impl<'a> Seeder<'a> {
    fn new(org: &'a mut Org, seed: u64, today: Date) -> Result<Self, String> {
        let yesterday = today.yesterday().map_err(|e| e.to_string())?;
        let at = yesterday
            .at(9, 0, 0, 0)
            .to_zoned(TimeZone::UTC)
            .map_err(|e| e.to_string())?
            .timestamp();
        org.initialize(seed, at);
        Ok(Self {
            org,
            today,
            at,
            people: BTreeMap::new(),
            rooms: BTreeMap::new(),
            in_house: BTreeMap::new(),
        })
    }

    fn plant(mut self) -> Result<(), String> {
        self.people()?;
        self.rooms()?;
        self.stays()?;
        self.cases()
    }

    fn create_record(&mut self, object: &str, fields: &Value) -> Result<String, String> {
        self.org
            .create_as_setup_user(object, fields, self.at)
            .map_err(|e| format!("{object} {fields}: {e}"))
    }

    fn day(&self, offset: i32) -> Result<Date, String> {
        self.today
            .checked_add(offset.days())
            .map_err(|e| e.to_string())
    }

    fn people(&mut self) -> Result<(), String> {
        let hotel = self.create_record(
            "Account",
            &json!({"Name": people::HOTEL, "Type": "Hotel", "Phone": "+12125550190"}),
        )?;
        for (number, person) in people::all().enumerate() {
            let account = match person.firm {
                Some(people::HOTEL) => hotel.clone(),
                None => {
                    let name = format!("{} Household", person.last);
                    self.create_record("Account", &json!({"Name": name, "Type": "Guest"}))?
                }
                Some(name) => {
                    self.create_record("Account", &json!({"Name": name, "Type": "Vendor"}))?
                }
            };
            // Realistic formats: software can dial only every third one directly. The lines 0100 to 0199
            // of a city are kept for fiction.
            let line = number + 101;
            let phone = match number % 3 {
                0 => format!("+1212555{line:04}"),
                1 => format!("(212) 555-{line:04}"),
                _ => format!("+1 212 555 {line:04}"),
            };
            let contact = self.create_record("Contact", &json!({
                "FirstName": person.first, "LastName": person.last, "AccountId": account,
                "Email": person.email, "Unique_Email__c": person.email, "Phone": phone, "MobilePhone": phone,
                "Contact_Type__c": person.kind, "Employee_ID__c": person.employee, "Loyalty_Number__c": person.loyalty,
                "Preferred_Contact_Method__c": if number % 3 == 2 { "Email" } else { "SMS" },
            }))?;
            self.people.insert(
                format!("{} {}", person.first, person.last),
                (account, contact),
            );
        }
        Ok(())
    }

    fn rooms(&mut self) -> Result<(), String> {
        for room in rooms::all() {
            let guest = stays::ALL
                .iter()
                .find(|s| s.room == room.number && s.status == Status::CheckedIn)
                .map(|s| s.guest);
            let guest_id = guest
                .and_then(|name| self.people.get(name))
                .map(|(_, contact)| contact.clone());
            let plan = room.plan;
            let id = self.create_record("Hotel_Room__c", &json!({
                "Name": format!("Room {}", room.number), "Room_Number__c": room.number, "Floor__c": room.floor,
                "Room_Type__c": plan.kind, "Nightly_Rate__c": dollars(plan.rate_cents), "Bed_Configuration__c": plan.beds,
                "Max_Occupancy__c": plan.sleeps, "Square_Footage__c": plan.square_feet, "View_Type__c": plan.view,
                "Accessible__c": plan.accessible, "Current_Guest__c": guest_id,
                "Status__c": if guest.is_some() { "Occupied" } else { rooms::status_of_empty(&room.number) },
            }))?;
            self.rooms.insert(room.number, id);
        }
        Ok(())
    }

    fn stays(&mut self) -> Result<(), String> {
        let mut opportunities: BTreeMap<u32, String> = BTreeMap::new();
        for stay in stays::ALL {
            let folio = stay.shares_with.unwrap_or(stay.number);
            let opportunity = match opportunities.get(&folio) {
                Some(id) => id.clone(),
                None => {
                    let id = self.opportunity(folio)?;
                    opportunities.insert(folio, id.clone());
                    id
                }
            };
            let booking = self.create_record("Booking__c", &json!({
                "Opportunity__c": opportunity, "Primary_Guest__c": self.contact(stay.guest)?, "Room__c": self.room(stay.room)?,
                "Check_In_Date__c": self.day(stay.arrives)?.to_string(), "Check_Out_Date__c": self.day(stay.departs())?.to_string(),
                "Number_of_Guests__c": stay.guests, "Status__c": stay.status.name(), "Special_Requests__c": stay.request,
                "External_ID__c": format!("seed-{:04}", stay.number),
            }))?;
            if stay.status == Status::CheckedIn {
                self.in_house.insert(stay.room, booking);
            }
        }
        Ok(())
    }

    /// Opportunity of all stays on a folio, with its charges and payments.
    fn opportunity(&mut self, folio: u32) -> Result<String, String> {
        let stays: Vec<&Stay> = stays::ALL
            .iter()
            .filter(|s| s.number == folio || s.shares_with == Some(folio))
            .collect();
        let first = *stays.first().ok_or("a folio has a stay")?;
        let rooms: Vec<&str> = stays.iter().map(|s| s.room).collect();
        let cents: i64 = stays
            .iter()
            .map(|s| i64::from(s.nights) * rooms::rate_cents(s.room))
            .sum();
        let arrives = stays
            .iter()
            .map(|s| s.arrives)
            .min()
            .unwrap_or(first.arrives);
        let departs = stays
            .iter()
            .map(|s| s.departs())
            .max()
            .unwrap_or(first.departs());
        let account = self
            .people
            .get(first.guest)
            .map(|(account, _)| account.clone());
        let id = self.create_record("Opportunity", &json!({
            "Name": format!("{} – {} {}", first.guest, if rooms.len() > 1 { "Rooms" } else { "Room" }, rooms.join(" and ")),
            "StageName": first.status.stage(), "Amount": dollars(cents), "AccountId": account,
            "CloseDate": self.day(departs)?.to_string(), "Arrival_Date__c": self.day(arrives)?.to_string(),
            "Departure_Date__c": self.day(departs)?.to_string(),
        }))?;
        if first.status == Status::CheckedOut {
            // Paid at the front desk's terminal: unknown to Stripe.
            self.create_record("Payment_Transaction__c", &json!({
                "Opportunity__c": id, "Transaction_Type__c": "Payment", "Status__c": "Completed", "Amount__c": dollars(cents),
                "Payment_Method__c": "Debit Card", "External_ID__c": format!("seed-payment-{folio:04}"),
                "Transaction_Date__c": format!("{}T09:00:00Z", self.day(departs.min(-1))?),
            }))?;
        }
        for (number, cents) in stays::CHARGES.iter().filter(|(number, _)| *number == folio) {
            self.create_record("Payment_Transaction__c", &json!({
                "Opportunity__c": id, "Transaction_Type__c": "Charge", "Status__c": "Pending", "Amount__c": dollars(*cents),
                "External_ID__c": format!("seed-charge-{number:04}"),
                "Transaction_Date__c": format!("{}T08:30:00Z", self.day(-1)?),
            }))?;
        }
        Ok(id)
    }

    fn cases(&mut self) -> Result<(), String> {
        for case in cases::ALL {
            let contact = case.guest.map(|guest| self.contact(guest)).transpose()?;
            self.create_record("Case", &json!({
                "Subject": case.subject, "Description": case.description, "Status": case.status, "Priority": case.priority,
                "Type": case.kind, "Origin": case.origin, "Room__c": self.room(case.room)?, "ContactId": contact,
                "Booking__c": contact.as_ref().and_then(|_| self.in_house.get(case.room)),
            }))?;
        }
        Ok(())
    }

    fn contact(&self, guest: &str) -> Result<String, String> {
        self.people
            .get(guest)
            .map(|(_, contact)| contact.clone())
            .ok_or_else(|| format!("nobody is called {guest}"))
    }

    fn room(&self, number: &str) -> Result<String, String> {
        self.rooms
            .get(number)
            .cloned()
            .ok_or_else(|| format!("there is no room {number}"))
    }
}

/// Cents as the decimal dollars of a currency field.
fn dollars(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}
